//! `portcullis lint`: what is probably not meant in a policy file (docs/guide/lint.md).
//!
//! The rules come from the core's own loader and in the core's own order; what a pattern covers is decided exactly over sets of
//! values. Where a finding says that something happens to a call, the reference was asked.

mod catalogue;
mod effects;
mod fix;
mod formats;
mod ignore;
mod issues;
mod order;
mod patterns;
mod policy;

use std::sync::Arc;

use serde::Serialize;

use crate::own_policy::{Judge, JudgeOptions, PolicyFiles, PolicySource};
use crate::problem::Problem;
use crate::source::{Place, SourceFile};

pub use catalogue::{CATALOGUE, Lint};
pub use fix::{Fixed, fix, replace};
pub use formats::{github, json, sarif};
pub(crate) use order::shadows;
pub(crate) use policy::{CheckedRule, rules_of};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Worth a look; nothing fails by it.
    Note,
    /// Hardly meant.
    Warning,
    /// The policy does not do what it says.
    Error,
}

impl Level {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which lint.
    pub lint: &'static Lint,
    /// The file.
    pub file: Arc<SourceFile>,
    /// Where in it.
    pub place: Place,
    /// What is wrong, as a sentence without its end.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Why somebody wants it all the same, when a comment says so.
    pub ignored: Option<String>,
}

impl Finding {
    /// The finding in the form in which places in files are shown.
    pub fn problem(&self) -> Problem {
        Problem {
            file: Arc::clone(&self.file),
            place: self.place,
            message: format!("{} [{}]: {}", self.lint.level.as_str(), self.lint.id, self.message),
            help: self.help.clone(),
            objection: self.lint.level == Level::Note,
        }
    }
}

/// What one file was found to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// In the order of the file.
    pub findings: Vec<Finding>,
    /// How many rules there are.
    pub rules: usize,
    /// Rules whose order could not be judged within bounds.
    pub undecided: usize,
}

/// Looks at one policy file as if it were the only one: a configuration, or with the ending `.md` an agent's file.
pub fn lint_file(source: &Arc<SourceFile>, path: &std::path::Path, options: &JudgeOptions) -> Report {
    let judge = judge_of(path, options);
    let snapshot = judge.policy();
    let mut findings = issues::findings(source, &snapshot.issues);
    let mut report = Report { findings: Vec::new(), rules: 0, undecided: 0 };
    // The rules of a broken file are not those that somebody wrote.
    if !snapshot.clamp() {
        let rules = rules_of(&snapshot, &judge.options().home);
        report.rules = rules.len();
        let (found, undecided) = order::findings(source, &rules);
        report.undecided = undecided;
        findings.extend(found);
        findings.extend(patterns::findings(source, &rules));
        findings.extend(patterns::settings(source, &snapshot));
        findings.extend(effects::findings(source, &rules, &judge));
    }
    findings.sort_by(|a, b| (a.place.offset, a.lint.id, &a.message).cmp(&(b.place.offset, b.lint.id, &b.message)));
    findings.dedup();
    ignore::apply(source, &mut findings);
    report.findings = findings;
    report
}

fn judge_of(path: &std::path::Path, options: &JudgeOptions) -> Judge {
    let is_agent = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
    let file = Some(path.to_path_buf());
    let (files, agent) = if is_agent {
        (PolicyFiles { agent: file, ..PolicyFiles::default() }, Some("agent".to_owned()))
    } else {
        (PolicyFiles { global: file, ..PolicyFiles::default() }, None)
    };
    Judge::new(JudgeOptions { source: PolicySource::Files(files), agent, ..options.clone() })
}

/// The stretch of a file at a line and column, as long as the word that stands there.
pub(crate) fn place_at(source: &SourceFile, line: u32, column: u32) -> Place {
    let (line, column) = (line as usize, column as usize);
    let before: usize = source.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = source.text.get(before..).unwrap_or_default();
    let text = rest.lines().next().unwrap_or_default();
    let skipped: usize = text.chars().take(column.saturating_sub(1)).map(char::len_utf8).sum();
    let snippet = crate::explain::Snippet {
        file: String::new(),
        line: 1,
        column: u32::try_from(column).unwrap_or(1),
        text: text.to_owned(),
    };
    let length = text.get(skipped..).unwrap_or_default().chars().take(snippet.mark()).map(char::len_utf8).sum();
    Place { offset: before + skipped, length, line, column }
}

#[cfg(test)]
mod tests;
