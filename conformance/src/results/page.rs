//! Results to Markdown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Compared, Ended, Played, Row};
use crate::error::count;
use crate::requirements;
use crate::run::Verdict;
use crate::scenario::Level;

const LEVELS: [Level; 2] = [Level::Baseline, Level::Hardened];

/// The page.
pub fn page(all: &[Played], compared: Option<&Compared>) -> String {
    let mut text = String::from(
        "# Results\n\n\
         <!-- Made by `.ci/run results` from runs of the whole suite; CI plays them again and compares. -->\n\n\
         The whole suite, played on each implementation that has an adapter here. *Baseline* is what the npm package does too; *hardened* is what\n\
         [the specification](spec/hardening.md) asks beyond that. A cell says how many rows passed of those that were played to an answer; what an\n\
         implementation does not claim to do is skipped, and never taken for passed.\n\n",
    );
    overview(all, &mut text);
    areas(all, &mut text);
    skips(all, &mut text);
    if let Some(compared) = compared {
        compared.section(&mut text);
    }
    for played in all.iter().filter(|played| played.rows.iter().any(|row| row.expected.is_some())) {
        differences(played, &mut text);
    }
    text
}

/// Passed and played rows, and the skipped ones.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Score {
    passed: usize,
    played: usize,
    skipped: usize,
}

impl Score {
    fn of<'r>(rows: impl Iterator<Item = &'r Row>) -> Self {
        let mut score = Self::default();
        for row in rows {
            match row.ended {
                Ended::Passed => (score.passed, score.played) = (score.passed + 1, score.played + 1),
                Ended::Failed(_) | Ended::Errored => score.played += 1,
                Ended::Skipped(_) => score.skipped += 1,
                Ended::Apart => {}
            }
        }
        score
    }

    /// Counts one more row.
    pub(crate) fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Passed => (self.passed, self.played) = (self.passed + 1, self.played + 1),
            Verdict::Failed { .. } | Verdict::Errored { .. } => self.played += 1,
            Verdict::Skipped { .. } => self.skipped += 1,
            Verdict::NotRun => {}
        }
    }

    /// Its words in a table.
    pub(crate) fn cell(self) -> String {
        match (self.played, self.skipped) {
            (0, 0) => String::new(),
            (0, skipped) => format!("{skipped} skipped"),
            (played, 0) => format!("{} of {played}", self.passed),
            (played, skipped) => format!("{} of {played}, {skipped} skipped", self.passed),
        }
    }
}

fn titled(played: &Played) -> String {
    let name = played.homepage.as_ref().map_or_else(|| played.name.clone(), |home| format!("[{}]({home})", played.name));
    format!("{name} {}", played.version)
}

fn head(first: &[&str], all: impl Iterator<Item = String>, text: &mut String) {
    let cells: Vec<String> = first.iter().map(|cell| (*cell).to_owned()).chain(all).collect();
    let _ = writeln!(text, "| {} |\n|{}", cells.join(" | "), " --- |".repeat(cells.len()));
}

fn overview(all: &[Played], text: &mut String) {
    head(&[""], all.iter().map(titled), text);
    let row = |name: &str, cell: &dyn Fn(&Played) -> String| {
        format!("| {name} | {} |\n", all.iter().map(cell).collect::<Vec<_>>().join(" | "))
    };
    text.push_str(&row("written in", &|played| played.language.clone()));
    for level in LEVELS {
        let cell = |played: &Played| Score::of(played.rows.iter().filter(|row| row.level == level)).cell();
        text.push_str(&row(&level.to_string(), &cell));
    }
}

fn areas(all: &[Played], text: &mut String) {
    text.push_str("\n## By area\n\n");
    head(&["area", "level"], all.iter().map(|played| played.name.clone()), text);
    let mut keys: Vec<(&str, Level)> =
        all.iter().flat_map(|played| &played.rows).map(|row| (row.area.as_str(), row.level)).collect();
    keys.sort_unstable_by_key(|(area, level)| (*area, LEVELS.iter().position(|known| known == level)));
    keys.dedup();
    let mut before = "";
    for (area, level) in keys {
        let cell = |played: &Played| Score::of(played.rows.iter().filter(|row| row.area == area && row.level == level)).cell();
        let cells: Vec<String> = all.iter().map(cell).collect();
        let shown = if area == before { String::new() } else { format!("[{area}](../scenarios/{area})") };
        let _ = writeln!(text, "| {shown} | {level} | {} |", cells.join(" | "));
        before = area;
    }
}

/// Reasons for skips, the frequent ones first.
fn skips(all: &[Played], text: &mut String) {
    const SHOWN: usize = 12;
    for played in all {
        let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
        for row in &played.rows {
            if let Ended::Skipped(reason) = &row.ended {
                match reason.strip_prefix("needs ") {
                    Some(all) => all.split(", ").for_each(|one| *reasons.entry(format!("needs `{one}`")).or_default() += 1),
                    None => *reasons.entry(plain(reason)).or_default() += 1,
                }
            }
        }
        if reasons.is_empty() {
            continue;
        }
        let mut reasons: Vec<(String, usize)> = reasons.into_iter().collect();
        // Stable: equal numbers stay in the order of the words.
        reasons.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
        let _ = writeln!(text, "\n## What {} skips\n\nA row may need several things.\n", played.name);
        for (reason, rows) in reasons.iter().take(SHOWN) {
            let _ = writeln!(text, "- {}: {reason}", count(*rows, "row"));
        }
        if reasons.len() > SHOWN {
            let _ = writeln!(text, "- {} more", count(reasons.len() - SHOWN, "reason"));
        }
    }
}

/// What one requirement parts.
#[derive(Default)]
struct Parted<'p> {
    rows: usize,
    /// What is asked and what is given instead, with the number of rows.
    ways: BTreeMap<(&'p str, &'p str), usize>,
}

impl Parted<'_> {
    /// The requirement's own words, or what is asked most often in its name.
    fn about(&self, id: &str) -> String {
        let title = requirements::find(id).map_or("", |requirement| requirement.title);
        let frequent = || self.ways.iter().max_by_key(|(_, rows)| **rows).map(|((asked, _), _)| plain(&capital(asked)));
        if title.is_empty() { frequent().unwrap_or_default() } else { plain(title) }
    }
}

fn differences(played: &Played, text: &mut String) {
    let known: Vec<&Row> = played.rows.iter().filter(|row| row.expected.is_some()).collect();
    let mut by: BTreeMap<(usize, &str), Parted<'_>> = BTreeMap::new();
    for row in &known {
        let (id, asked, instead) = parts(row.expected.as_deref().unwrap_or_default());
        let place = requirements::all().iter().position(|requirement| requirement.id == id).unwrap_or(usize::MAX);
        let parted = by.entry((place, id)).or_default();
        parted.rows += 1;
        *parted.ways.entry((asked, instead)).or_default() += 1;
    }
    let _ = writeln!(text, "\n## Where {} answers otherwise\n", played.name);
    text.push_str(&in_words(&known));
    text.push_str("\n| requirement | is about | rows |\n| --- | --- | --- |\n");
    for ((_, id), parted) in &by {
        let _ = writeln!(text, "| {} | {} | {} |", linked(id), parted.about(id), parted.rows);
    }
    for ((_, id), parted) in &by {
        let _ = writeln!(text, "\n### {id} {}\n", parted.about(id));
        for ((asked, instead), rows) in &parted.ways {
            let instead = if instead.is_empty() { String::new() } else { format!(" *Instead {}.*", plain(instead)) };
            let _ = writeln!(text, "- {}.{instead} ({})", plain(&capital(asked)), count(*rows, "row"));
        }
    }
}

/// How bad it is: what goes through, what does not, and the rest.
fn in_words(known: &[&Row]) -> String {
    let outcomes = |row: &&&Row, expected: &[&str], got: &[&str]| match &row.ended {
        Ended::Failed(Some((want, is))) => expected.contains(&want.as_str()) && got.contains(&is.as_str()),
        _ => false,
    };
    let number = |expected: &[&str], got: &[&str]| known.iter().filter(|row| outcomes(row, expected, got)).count();
    let open = number(&["block", "deny", "ask"], &["allow"]) + number(&["handled"], &["continue"]);
    let closed = number(&["allow"], &["block", "deny", "ask"]) + number(&["continue"], &["handled"]);
    let thrown = number(&["allow", "block", "continue", "handled", "an answer"], &["error"]);
    let silent = known.iter().filter(|row| row.ended == Ended::Errored).count();
    let rest = known.len() - open - closed - thrown - silent;
    format!(
        "{} of level hardened, each known and answered for. In {open} it lets a call through that is to be stopped, or asked about and then\n\
         refused; in {closed} it stops what may go ahead; in {thrown} it throws at its host; in {silent} it gives no answer in time. In the other {rest} the\n\
         call ends alike, and what decides it, what is asked, shown or recorded is not as it should be.\n",
        count(known.len(), "row"),
    )
}

/// `ID: what is asked; what is given instead`.
fn parts(reason: &str) -> (&str, &str, &str) {
    let (id, rest) = match reason.split_once(": ") {
        Some((id, rest)) if requirements::find(id).is_some() => (id, rest),
        _ => ("other", reason),
    };
    let (asked, instead) = rest.rsplit_once("; ").unwrap_or((rest, ""));
    (id, asked, instead)
}

fn linked(id: &str) -> String {
    requirements::find(id).map_or_else(|| id.to_owned(), |requirement| format!("[{id}](spec/{})", requirement.file))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Outside of code, what Markdown would take for marks.
fn plain(text: &str) -> String {
    let mut shown = String::new();
    for (index, part) in text.split('`').enumerate() {
        if index > 0 {
            shown.push('`');
        }
        if index % 2 == 1 {
            shown.push_str(part);
        } else {
            shown.extend(part.chars().flat_map(|letter| {
                let marks = matches!(letter, '*' | '_' | '<' | '|');
                marks.then_some('\\').into_iter().chain(std::iter::once(letter))
            }));
        }
    }
    shown
}
