//! Which requirement is shown by which scenario or unit test, and which by none.

use std::collections::{BTreeMap, HashMap};

use crate::requirements::{self, Requirement};
use crate::scenario::Scenario;

/// Requirements of the issues' scope that something else shows, or that a later issue builds: `id  reason`, one a line.
pub const ELSEWHERE: &str = include_str!("../requirements_elsewhere.txt");

/// One requirement and what shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The requirement.
    pub requirement: &'static Requirement,
    /// Names of scenarios (ids, not rows).
    pub scenarios: Vec<String>,
    /// The reason of its entry in the exceptions list.
    pub elsewhere: Option<&'static str>,
    /// Whether something must show it.
    pub in_scope: bool,
}

impl Shown {
    /// Whether it is in scope and nothing shows it.
    pub fn is_missing(&self) -> bool {
        self.in_scope && self.scenarios.is_empty() && self.requirement.unit_tests.is_empty() && self.elsewhere.is_none()
    }
}

/// The whole table, and what is wrong with the exceptions list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// All requirements.
    pub rows: Vec<Shown>,
    /// Faults of the exceptions list.
    pub faults: Vec<String>,
}

/// Whether something must show the requirement: policy.md, gates.md, forwarding.md, the default tier of hardening.md. The advice of the Doubtful
/// sections is listed, its hardened half lives in HARD ids and rulings.
fn in_scope(requirement: &Requirement) -> bool {
    match requirement.file {
        "policy.md" | "gates.md" | "forwarding.md" => !requirement.is_advice(),
        "hardening.md" => requirement.tier == "default",
        _ => false,
    }
}

/// Builds the table.
pub fn table(scenarios: &[Scenario]) -> Table {
    let mut by_id: HashMap<&str, Vec<String>> = HashMap::new();
    for scenario in scenarios {
        for id in &scenario.covers {
            let names = by_id.entry(id.as_str()).or_default();
            if !names.contains(&scenario.id) {
                names.push(scenario.id.clone());
            }
        }
    }
    let (elsewhere, mut faults) = exceptions(ELSEWHERE);
    let rows: Vec<Shown> = requirements::all()
        .iter()
        .map(|requirement| Shown {
            requirement,
            scenarios: by_id.get(requirement.id).cloned().unwrap_or_default(),
            elsewhere: elsewhere.get(requirement.id).copied(),
            in_scope: in_scope(requirement),
        })
        .collect();
    for row in rows.iter().filter(|row| row.elsewhere.is_some()) {
        if !row.scenarios.is_empty() {
            faults.push(format!("{}: a scenario covers it, strike it from the exceptions", row.requirement.id));
        }
    }
    Table { rows, faults }
}

fn exceptions(text: &'static str) -> (BTreeMap<&'static str, &'static str>, Vec<String>) {
    let mut list = BTreeMap::new();
    let mut faults = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (id, reason) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if requirements::find(id).is_none() {
            faults.push(format!("{id}: docs/spec knows no such requirement"));
        }
        if reason.trim().is_empty() {
            faults.push(format!("{id}: an exception needs a reason"));
        }
        if list.insert(id, reason.trim()).is_some() {
            faults.push(format!("{id}: stands twice among the exceptions"));
        }
    }
    (list, faults)
}

#[cfg(test)]
mod tests {
    use super::{exceptions, table};
    use crate::load::load_all;
    use crate::source::SourceFile;
    use pretty_assertions::assert_eq;

    #[test]
    fn a_scenario_shows_what_it_covers_once() {
        let text = "suite: s\nlevel: baseline\nscenarios:\n  - id: a\n    title: t\n    covers: [CFG-001, FIX-001, CMD-001]\n    each: [{ c: x }, { c: y }]\n    steps: [{ bash: \"${c}\", expect: { prompts: [] } }]\n";
        let table = table(&load_all(&[SourceFile::new("s.yaml", text)]).unwrap());
        let row = |id: &str| table.rows.iter().find(|row| row.requirement.id == id).unwrap().clone();
        assert_eq!(row("CFG-001").scenarios, ["a"]);
        assert!(row("CFG-001").in_scope && row("FIX-001").in_scope && !row("CMD-001").in_scope && !row("HARD-029").in_scope);
        assert!(!row("CFG-001").is_missing());
        assert_eq!(row("HARD-044").elsewhere, None);
    }

    #[test]
    fn the_exceptions_list_is_checked() {
        let (list, faults) = exceptions("# remark\n\nHARD-009  later\nHARD-999 x\nHARD-010\nHARD-009 again\n");
        assert_eq!(list.get("HARD-010"), Some(&""));
        assert_eq!(
            faults,
            [
                "HARD-999: docs/spec knows no such requirement",
                "HARD-010: an exception needs a reason",
                "HARD-009: stands twice among the exceptions"
            ]
        );
    }
}
