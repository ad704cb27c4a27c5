//! The committed list: `G0001/2 | requirement | what | why`, one a line.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::judge::Difference;

struct Entry<'t> {
    requirement: &'t str,
    what: &'t str,
    why: &'t str,
}

fn entries(text: &str) -> (BTreeMap<&str, Entry<'_>>, Vec<String>) {
    let mut entries = BTreeMap::new();
    let mut faults = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let parts: Vec<&str> = line.splitn(4, " | ").collect();
        let &[step, requirement, what, why] = parts.as_slice() else {
            faults.push(format!("no entry: {line}"));
            continue;
        };
        if why.trim().is_empty() {
            faults.push(format!("{step}: an entry says why"));
        }
        if entries.insert(step, Entry { requirement, what, why }).is_some() {
            faults.push(format!("{step}: stands twice"));
        }
    }
    (entries, faults)
}

/// What is in only one of the list and the run. When only some cases were played, entries of others are left alone.
pub(crate) fn compare(list: &str, found: &BTreeMap<String, Difference>, partial: bool) -> Vec<String> {
    let (entries, mut complaints) = entries(list);
    for (step, difference) in found {
        match entries.get(step.as_str()) {
            None => complaints.push(format!("{step} | {} | {}", difference.requirements.join(" "), difference.what)),
            Some(entry) if entry.what != difference.what => {
                complaints.push(format!("{step}: listed as `{}`, now `{}`", entry.what, difference.what));
            }
            Some(_) => {}
        }
    }
    for step in entries.keys().filter(|step| !partial && !found.contains_key(**step)) {
        complaints.push(format!("{step}: no longer differs, strike it from gate_cases_open.txt"));
    }
    complaints
}

/// The list as it would have to be; words of old entries are kept.
pub(crate) fn propose(list: &str, found: &BTreeMap<String, Difference>) -> String {
    let (entries, _) = entries(list);
    let mut text = String::new();
    for line in list.lines().take_while(|line| line.starts_with('#')) {
        let _ = writeln!(text, "{line}");
    }
    for (step, difference) in found {
        let old = entries.get(step.as_str());
        let requirement =
            old.map_or_else(|| difference.requirements.first().cloned().unwrap_or_default(), |old| old.requirement.to_owned());
        let why = old.map_or("", |old| old.why);
        let _ = writeln!(text, "{step} | {requirement} | {} | {why}", difference.what);
    }
    text
}
