//! What changed between two runs. A row that passed and does not any more is worse, whatever became of it: failed, skipped or gone.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use portcullis_core::report::escape::visible;
use serde::Serialize;
use serde_json::{Value, json};

use super::{RunReport, Style};
use crate::error::count;
use crate::implementation::Hello;
use crate::run::{Counts, RowResult, Verdict};

/// The version of the JSON form.
const VERSION: u32 = 1;

/// In which way a row changed. The first that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    /// It fails the run now, and did not.
    NewlyFailing,
    /// It passed, and is no longer there.
    Gone,
    /// It passed, and was skipped, left out, or failed in a way that somebody answers for.
    NoLongerPassing,
    /// It fails the run as before, in another way.
    FailsOtherwise,
    /// It did not pass, and does.
    Fixed,
    /// It was not there.
    New,
    /// It had not passed, and is no longer there.
    GoneUnpassed,
    /// It passed neither then nor now, for another reason, or somebody answers for it who did not, or the other way round.
    Otherwise,
    /// It passed then and now; what is said of it changed: by what it is decided, whether it is scored.
    PassesOtherwise,
}

impl ChangeKind {
    /// Whether something got worse.
    pub fn is_worse(self) -> bool {
        matches!(self, Self::NewlyFailing | Self::Gone | Self::NoLongerPassing)
    }

    /// Its heading.
    pub fn heading(self) -> &'static str {
        match self {
            Self::NewlyFailing => "newly failing",
            Self::Gone => "passed and gone",
            Self::NoLongerPassing => "no longer passing",
            Self::FailsOtherwise => "fails in another way",
            Self::Fixed => "fixed",
            Self::New => "new",
            Self::GoneUnpassed => "gone",
            Self::Otherwise => "not passing, in another way",
            Self::PassesOtherwise => "passes in another way",
        }
    }

    fn of(old: Option<&RowResult>, new: Option<&RowResult>) -> Option<Self> {
        let passes = |row: &RowResult| row.verdict == Verdict::Passed;
        match (old, new) {
            (None, None) => None,
            (None, Some(new)) => Some(if new.is_bad() { Self::NewlyFailing } else { Self::New }),
            (Some(old), None) => Some(if passes(old) { Self::Gone } else { Self::GoneUnpassed }),
            (Some(old), Some(new)) => {
                let same = said(old) == said(new);
                match (passes(old), passes(new)) {
                    _ if new.is_bad() && !old.is_bad() => Some(Self::NewlyFailing),
                    (true, false) => Some(Self::NoLongerPassing),
                    (false, true) => Some(Self::Fixed),
                    _ if same => None,
                    (true, true) => Some(Self::PassesOtherwise),
                    (false, false) if old.is_bad() && new.is_bad() => Some(Self::FailsOtherwise),
                    (false, false) => Some(Self::Otherwise),
                }
            }
        }
    }
}

/// A row that is not as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Its name.
    pub name: String,
    /// In which way.
    pub kind: ChangeKind,
    /// Whether that is worse.
    pub worse: bool,
    /// What was said of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// What is said of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
}

/// Two runs.
#[derive(Debug)]
pub struct Diff<'r> {
    old: &'r RunReport,
    new: &'r RunReport,
    /// What changed, the worse first, otherwise in the order of the suite.
    pub changes: Vec<Change>,
}

impl<'r> Diff<'r> {
    /// Sets them beside each other.
    pub fn of(old: &'r RunReport, new: &'r RunReport) -> Self {
        let by_name = |run: &'r RunReport| -> BTreeMap<&'r str, &'r RowResult> {
            run.rows.iter().map(|row| (row.name.as_str(), row)).collect()
        };
        let (before, after) = (by_name(old), by_name(new));
        let gone = old.rows.iter().filter(|row| !after.contains_key(row.name.as_str()));
        let mut changes: Vec<Change> = new
            .rows
            .iter()
            .map(|row| (row.name.as_str(), before.get(row.name.as_str()).copied(), Some(row)))
            .chain(gone.map(|row| (row.name.as_str(), Some(row), None)))
            .filter_map(|(name, old, new)| {
                let kind = ChangeKind::of(old, new)?;
                Some(Change { name: name.to_owned(), kind, worse: kind.is_worse(), old: old.map(said), new: new.map(said) })
            })
            .chain(complaints(old, new))
            .collect();
        changes.sort_by_key(|change| change.kind);
        Self { old, new, changes }
    }

    /// Whether something got worse.
    pub fn is_worse(&self) -> bool {
        self.changes.iter().any(|change| change.worse)
    }

    /// What makes the two no runs of the same.
    fn remarks(&self) -> Vec<String> {
        let who = |hello: &Hello| format!("{} {}", visible(&hello.name), visible(&hello.version));
        let revision = |run: &RunReport| run.revision.as_deref().map_or_else(|| "none".to_owned(), |it| visible(it).into_owned());
        let mut remarks = Vec::new();
        let (old, new) = (who(&self.old.implementation), who(&self.new.implementation));
        if old != new {
            remarks.push(format!("the implementations differ: {old}, then {new}"));
        }
        if self.old.revision != self.new.revision {
            remarks.push(format!("the revisions differ: {}, then {}", revision(self.old), revision(self.new)));
        }
        for (run, which) in [(self.old, "the old"), (self.new, "the new")] {
            if run.not_chosen > 0 {
                let all = run.rows.len() + run.not_chosen;
                remarks.push(format!("{which} run played {} of {all}", count(run.rows.len(), "row")));
            }
        }
        remarks
    }

    /// For people.
    pub fn text(&self, style: Style) -> String {
        let mut text = String::new();
        for remark in self.remarks() {
            let _ = writeln!(text, "{}", style.yellow(&remark));
        }
        for group in self.changes.chunk_by(|one, next| one.kind == next.kind) {
            let Some(kind) = group.first().map(|change| change.kind) else { continue };
            let heading = format!("{} ({})", kind.heading(), group.len());
            let painted = match kind {
                ChangeKind::Fixed => style.green(&heading),
                _ if kind.is_worse() => style.red(&heading),
                _ => style.yellow(&heading),
            };
            let _ = writeln!(text, "{painted}");
            for change in group {
                let _ = writeln!(text, "  {}", style.bold(&visible(&change.name)));
                for (mark, said) in [("-", &change.old), ("+", &change.new)] {
                    if let Some(said) = said {
                        let _ = writeln!(text, "    {mark} {}", visible(said));
                    }
                }
            }
        }
        let _ = writeln!(text, "before: {}", self.old.sums());
        let _ = write!(text, "after:  {}", self.new.sums());
        text
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let run = |run: &RunReport| {
            let Hello { name, version, .. } = &run.implementation;
            json!({
                "implementation": { "name": name, "version": version },
                "revision": run.revision,
                "notChosen": run.not_chosen,
                "summary": run.summary(),
                "complaints": run.complaints,
            })
        };
        json!({
            "version": VERSION,
            "worse": self.is_worse(),
            "remarks": self.remarks(),
            "old": run(self.old),
            "new": run(self.new),
            "changes": self.changes,
        })
    }
}

/// Entries of the list of known failures that did not hold then and do, or the other way round.
fn complaints(old: &RunReport, new: &RunReport) -> Vec<Change> {
    let change = |text: &String, kind: ChangeKind| Change {
        name: "known failures".to_owned(),
        kind,
        worse: kind.is_worse(),
        old: (kind == ChangeKind::Fixed).then(|| text.clone()),
        new: (kind == ChangeKind::NewlyFailing).then(|| text.clone()),
    };
    let only = |these: &'static str, one: &RunReport, other: &RunReport| -> Vec<Change> {
        let kind = if these == "new" { ChangeKind::NewlyFailing } else { ChangeKind::Fixed };
        one.complaints.iter().filter(|text| !other.complaints.contains(text)).map(|text| change(text, kind)).collect()
    };
    [only("new", new, old), only("old", old, new)].concat()
}

/// How a row ended and why, on one line. Two rows of which the same is said did not change.
fn said(row: &RowResult) -> String {
    let mut text = row.verdict.word().to_owned();
    match row.counts() {
        Counts::Known(reason) => text.push_str(&format!(" as expected ({reason})")),
        Counts::Unscored(reason) => text.push_str(&format!(", not scored ({reason})")),
        _ => {}
    }
    match &row.verdict {
        Verdict::Failed { failure } => {
            let differs =
                failure.mismatches.iter().map(|one| format!("{}: expected {}, got {}", one.what, one.expected, one.got));
            text.push_str(&format!("; step {}, {}", failure.step, differs.collect::<Vec<_>>().join("; ")));
        }
        Verdict::Errored { message } => text.push_str(&format!("; {message}")),
        Verdict::Skipped { reason } => text.push_str(&format!("; {reason}")),
        Verdict::Passed | Verdict::NotRun => {}
    }
    if let (Verdict::Passed, Some(decided)) = (&row.verdict, &row.decided) {
        text.push_str(&format!("; {decided}"));
    }
    text
}
