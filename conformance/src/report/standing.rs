//! How a run stands as a whole. What was skipped, left out or answered for is not what passed, and looks like it nowhere.

use super::RunReport;
use crate::error::count;
use crate::run::Summary;

/// How a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Something failed, gave no answer or was broken off, or a known failure is none.
    Bad,
    /// Nothing was played to an answer that counts.
    Nothing,
    /// Nothing is bad, but not every row passed: some were skipped, left out, not scored, or failed as expected.
    Partly,
    /// Every row there is was played and passed.
    Good,
}

impl RunReport {
    /// How it stands.
    pub fn standing(&self) -> Standing {
        let sums = self.summary();
        if sums.failed + sums.errored + sums.not_run + self.complaints.len() > 0 {
            Standing::Bad
        } else if sums.ran() == 0 {
            Standing::Nothing
        } else if sums.expected + sums.unscored + sums.skipped + self.not_chosen > 0 {
            Standing::Partly
        } else {
            Standing::Good
        }
    }

    /// The sums in words; what is zero is not mentioned, but for what passed.
    pub fn sums(&self) -> String {
        let mut text = rows_in_words(&self.summary());
        if self.not_chosen > 0 {
            text.push_str(&format!(", {} not chosen", self.not_chosen));
        }
        if !self.complaints.is_empty() {
            text.push_str(&format!(", {} wrong", count(self.complaints.len(), "known failure")));
        }
        text
    }
}

fn rows_in_words(sums: &Summary) -> String {
    let mut text = format!("{} passed", sums.passed);
    for (number, word) in [
        (sums.failed, "failed"),
        (sums.errored, "errored"),
        (sums.expected, "failed as expected"),
        (sums.unscored, "not scored"),
        (sums.skipped, "skipped"),
        (sums.not_run, "not run"),
    ] {
        if number > 0 {
            text.push_str(&format!(", {number} {word}"));
        }
    }
    text
}
