//! The forms of a report, and their names. One function makes each of them, for a run that just ended and for a saved one.

use super::{Detail, RunReport, Style, badge, github, junit, markdown, tap, text};

/// A form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Lines for people.
    Text,
    /// The lines that all other forms are made of.
    JsonLines,
    /// JUnit XML.
    Junit,
    /// Test Anything Protocol, version 14.
    Tap,
    /// Markdown, for the page of a CI job.
    Markdown,
    /// GitHub workflow commands: remarks beside the lines of a change.
    Github,
    /// A badge as SVG.
    Badge,
    /// A badge as JSON for the endpoint of shields.io.
    BadgeJson,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::Text, Self::JsonLines, Self::Junit, Self::Tap, Self::Markdown, Self::Github, Self::Badge, Self::BadgeJson];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::JsonLines => "json-lines",
            Self::Junit => "junit",
            Self::Tap => "tap",
            Self::Markdown => "markdown",
            Self::Github => "github",
            Self::Badge => "badge",
            Self::BadgeJson => "badge-json",
        }
    }

    /// The form of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The report, which ends with a line end.
    pub fn render(self, run: &RunReport) -> Result<String, String> {
        let mut text = match self {
            Self::Text => text(run, Style::new(false), Detail::Rows),
            Self::JsonLines => run.lines().join("\n"),
            Self::Junit => junit(run)?,
            Self::Tap => tap(run),
            Self::Markdown => markdown(run),
            Self::Github => github(run),
            Self::Badge => badge::svg(run),
            Self::BadgeJson => badge::endpoint(run),
        };
        text.truncate(text.trim_end_matches('\n').len());
        text.push('\n');
        Ok(text)
    }
}
