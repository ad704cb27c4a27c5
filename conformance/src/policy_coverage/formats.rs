//! Coverage for people, and in the form that other programs take: LCOV.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use portcullis_core::policy::Layer;
use portcullis_core::report::escape::visible;

use super::{Coverage, NameHits, RuleHits};
use crate::error::count;
use crate::report::Style;

/// For people, without the last line end.
pub fn render(coverage: &Coverage, style: Style) -> String {
    let mut text = String::new();
    for name in &coverage.failed {
        let _ = writeln!(text, "{} did not pass: {}", style.red("✗"), visible(name));
    }
    for hit in coverage.rules.iter().filter(|hit| hit.hits == 0) {
        let line = hit.rule.location.as_ref().map_or(0, |place| place.line);
        let dead = hit.dead_by.map(|by| format!("; none can: line {by} matches all that it does")).unwrap_or_default();
        let file = visible(coverage.file.as_deref().unwrap_or_default());
        let _ = writeln!(text, "{} {file}:{line}: no test reaches {}{dead}", style.yellow("•"), words(hit));
    }
    for (kind, names) in [("gate", &coverage.gates), ("surface", &coverage.surfaces)] {
        let never: Vec<&str> = names.iter().filter(|name| name.hits == 0).map(|name| name.name.as_str()).collect();
        if !never.is_empty() {
            let _ = writeln!(text, "{} no test reaches the {kind}s {}", style.yellow("•"), visible(&never.join(", ")));
        }
    }
    let reached = |names: &[NameHits]| format!("{} of {}", names.iter().filter(|name| name.hits > 0).count(), names.len());
    let rules = if coverage.file.is_some() {
        let reached = coverage.rules.iter().filter(|hit| hit.hits > 0).count();
        format!("{reached} of {} reached ({} %), ", count(coverage.rules.len(), "rule"), coverage.percent())
    } else {
        String::new()
    };
    let _ = write!(
        text,
        "{}: {rules}{} gates, {} surfaces",
        count(coverage.rows, "row"),
        reached(&coverage.gates),
        reached(&coverage.surfaces)
    );
    text
}

/// A rule in words.
pub(super) fn words(hit: &RuleHits) -> String {
    let rule = &hit.rule;
    if rule.layer == Layer::Default {
        return format!("the default ({})", rule.action);
    }
    format!("{} {} '{}'", rule.action, visible(&rule.surface), visible(&rule.pattern))
}

/// The lines of the policy file as LCOV: a line counts as often as the least reached of its rules.
pub fn lcov(coverage: &Coverage) -> String {
    let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
    for hit in &coverage.rules {
        let Some(place) = &hit.rule.location else { continue };
        let kept = lines.entry(place.line).or_insert(hit.hits);
        *kept = hit.hits.min(*kept);
    }
    // A name with a line end would begin a record of its own.
    let file = visible(coverage.file.as_deref().unwrap_or_default());
    let mut text = format!("TN:portcullis\nSF:{file}\n");
    for (line, hits) in &lines {
        let _ = writeln!(text, "DA:{line},{hits}");
    }
    let reached = lines.values().filter(|hits| **hits > 0).count();
    let _ = write!(text, "LF:{}\nLH:{reached}\nend_of_record", lines.len());
    text
}
