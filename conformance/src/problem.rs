//! What is wrong with a scenario file: one message, one place, and the nearest right name where a name was meant.

use std::fmt;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, MietteError, SourceSpan, SpanContents};

use crate::source::{Place, SourceFile};

/// One fault of a scenario file, located.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: Arc<SourceFile>,
    /// Where in it.
    pub place: Place,
    /// What is wrong, as a sentence without its end.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The scenario can be played all the same: it only breaks a rule of the suite about levels and ids (section 7 of
    /// docs/spec/README.md). `check` refuses it, `run` says so and goes on.
    pub objection: bool,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file.name, self.place.line, self.place.column, self.message)
    }
}

impl std::error::Error for Problem {}

impl Diagnostic for Problem {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|text| Box::new(text) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = SourceSpan::new(self.place.offset.into(), self.place.length.max(1).min(self.remaining()));
        Some(Box::new(std::iter::once(LabeledSpan::new_primary_with_span(Some("here".into()), span))))
    }
}

impl Problem {
    fn remaining(&self) -> usize {
        self.file.text.len().saturating_sub(self.place.offset)
    }
}

impl miette::SourceCode for Problem {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.file.text.read_span(span, before, after)?;
        Ok(Box::new(miette::MietteSpanContents::new_named(
            self.file.name.clone(),
            inner.data(),
            *inner.span(),
            inner.line(),
            inner.column(),
            inner.line_count(),
        )))
    }
}

/// The name of `known` that is closest to `wrong`, when it is close enough to be what was meant.
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong = fold(wrong);
    let limit = (wrong.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|name| (strsim::osa_distance(&wrong, &fold(name)), name))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Case and the three ways to join words do not count: `reviewLog` is near to `review log`.
fn fold(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    let mut after_lower = false;
    for character in name.chars().take(200) {
        if character.is_uppercase() && after_lower {
            folded.push(' ');
        }
        after_lower = character.is_lowercase();
        match character {
            '-' | '_' | ' ' => folded.push(' '),
            other => folded.extend(other.to_lowercase()),
        }
    }
    folded
}

/// A help text that names the nearest of `known`, or all of them when they are few.
pub fn did_you_mean<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Option<String> {
    if let Some(name) = nearest(wrong, known.clone()) {
        return Some(format!("did you mean `{name}`?"));
    }
    let all: Vec<&str> = known.into_iter().collect();
    (!all.is_empty()).then(|| format!("known are: {}", all.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::{did_you_mean, nearest};
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    #[rstest]
    #[case::slip("promts", Some("prompts"))]
    #[case::joined("review-log", Some("review log"))]
    #[case::camel("reviewLog", Some("review log"))]
    #[case::swapped("otucome", Some("outcome"))]
    #[case::far("zebra", None)]
    fn the_nearest_name(#[case] wrong: &str, #[case] expected: Option<&str>) {
        assert_eq!(nearest(wrong, ["outcome", "prompts", "review log"]), expected);
    }

    #[test]
    fn without_a_near_name_all_are_listed() {
        assert_eq!(did_you_mean("zebra", ["a name", "b name"]), Some("known are: a name, b name".into()));
    }
}
