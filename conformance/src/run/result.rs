//! The result of one row: five outcomes that are never mixed.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::details::Details;
use crate::compare::Mismatch;
use crate::scenario::{Level, Origin, Scenario};

/// How a row ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub enum Verdict {
    /// As expected.
    Passed,
    /// A wrong answer.
    Failed {
        /// The first step that went wrong.
        failure: Box<StepFailure>,
    },
    /// No answer: crash, time-out, garbage.
    Errored {
        /// What happened.
        message: String,
    },
    /// The implementation does not do this, and says so.
    Skipped {
        /// Why.
        reason: String,
    },
    /// It was not its turn.
    #[serde(rename = "not run")]
    NotRun,
}

impl Verdict {
    /// Whether it makes the run fail.
    pub fn is_bad(&self) -> bool {
        matches!(self, Self::Failed { .. } | Self::Errored { .. })
    }

    /// Its word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed { .. } => "failed",
            Self::Errored { .. } => "errored",
            Self::Skipped { .. } => "skipped",
            Self::NotRun => "not run",
        }
    }
}

/// A step that went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepFailure {
    /// Which step, counted from 1.
    pub step: usize,
    /// What it does.
    pub action: String,
    /// Line of the step in its file.
    pub line: usize,
    /// What was not as expected.
    pub mismatches: Vec<Mismatch>,
    /// The explanation of the implementation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}

/// How a row counts: its outcome, unless somebody answers for it or nobody scores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts<'r> {
    /// It passed.
    Passed,
    /// It fails the run: a wrong answer.
    Failed,
    /// It fails the run: no answer.
    Errored,
    /// It failed or gave no answer, and that is known: the reason.
    Known(&'r str),
    /// It was played and does not count: the reason.
    Unscored(&'r str),
    /// It was not played: the reason.
    Skipped(&'r str),
    /// Its turn did not come.
    NotRun,
}

/// One row and how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RowResult {
    /// Name of the row.
    pub name: String,
    /// Id of its scenario.
    pub id: String,
    /// Title of the scenario.
    pub title: String,
    /// The suite.
    pub suite: String,
    /// The level.
    pub level: Level,
    /// Where it stands.
    pub origin: Origin,
    /// How it ended.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What decided the last call, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<String>,
    /// Why it was expected to go wrong, when it was.
    #[serde(rename = "expectedFailure", skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// Why it does not count in the score against a revision, when it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unscored: Option<String>,
    /// What the implementation wrote to its standard error, when the row did not pass.
    #[serde(rename = "standardError", skip_serializing_if = "Option::is_none")]
    pub remarks: Option<String>,
    /// What was given, done and seen, when it was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Box<Details>>,
    /// The command that repeats just this row, when it did not pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<String>,
    /// How long it took, when that is wanted: with it no two runs read alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub microseconds: Option<u64>,
}

impl RowResult {
    /// How it counts.
    pub fn counts(&self) -> Counts<'_> {
        match (&self.unscored, &self.expected, &self.verdict) {
            (Some(reason), _, _) => Counts::Unscored(reason),
            (None, Some(reason), _) => Counts::Known(reason),
            (None, None, Verdict::Passed) => Counts::Passed,
            (None, None, Verdict::Failed { .. }) => Counts::Failed,
            (None, None, Verdict::Errored { .. }) => Counts::Errored,
            (None, None, Verdict::Skipped { reason }) => Counts::Skipped(reason),
            (None, None, Verdict::NotRun) => Counts::NotRun,
        }
    }

    /// Whether it makes the run fail.
    pub fn is_bad(&self) -> bool {
        matches!(self.counts(), Counts::Failed | Counts::Errored)
    }

    /// What came after the row had ended takes its answers back.
    pub(super) fn errored(self, message: String) -> Self {
        Self { verdict: Verdict::Errored { message }, ..self }
    }

    pub(super) fn new(scenario: &Scenario, verdict: Verdict, time: Duration) -> Self {
        Self {
            name: scenario.name.clone(),
            id: scenario.id.clone(),
            title: scenario.title.clone(),
            suite: scenario.suite.to_string(),
            level: scenario.level,
            origin: scenario.origin(),
            verdict,
            decided: None,
            expected: None,
            unscored: None,
            remarks: None,
            details: None,
            repeat: None,
            microseconds: Some(u64::try_from(time.as_micros()).unwrap_or(u64::MAX)),
        }
    }

    /// The implementation panicked in this process.
    pub(super) fn panicked(scenario: &Scenario, payload: &(dyn std::any::Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let message = format!("panicked: {}", text.unwrap_or("without a message"));
        Self::new(scenario, Verdict::Errored { message }, Duration::ZERO)
    }

    pub(super) fn not_run(scenario: &Scenario) -> Self {
        Self::new(scenario, Verdict::NotRun, Duration::ZERO)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// How many rows ended how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// As expected.
    pub passed: usize,
    /// Wrong answers.
    pub failed: usize,
    /// No answers.
    pub errored: usize,
    /// Wrong answers and no answers that somebody answers for.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub expected: usize,
    /// Played and not counted: not in the revision that is scored.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub unscored: usize,
    /// Skipped.
    pub skipped: usize,
    /// Not run.
    pub not_run: usize,
}

impl Summary {
    /// Counts results.
    pub fn of<'r>(results: impl IntoIterator<Item = &'r RowResult>) -> Self {
        let mut summary = Self::default();
        for result in results {
            let count = match result.counts() {
                Counts::Passed => &mut summary.passed,
                Counts::Failed => &mut summary.failed,
                Counts::Errored => &mut summary.errored,
                Counts::Known(_) => &mut summary.expected,
                Counts::Unscored(_) => &mut summary.unscored,
                Counts::Skipped(_) => &mut summary.skipped,
                Counts::NotRun => &mut summary.not_run,
            };
            *count += 1;
        }
        summary
    }

    /// Rows that were played to an answer.
    pub fn ran(&self) -> usize {
        self.passed + self.failed + self.errored + self.expected
    }
}
