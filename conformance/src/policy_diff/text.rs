//! A difference for people.

use std::fmt::Write as _;

use portcullis_core::policy::{Layer, PermissionState, Rule};
use portcullis_core::report::escape::visible;

use super::{Change, PolicyDiff, SurfaceDiff, Way, other_names};
use crate::error::count;
use crate::report::Style;

/// The whole difference, without the last line end.
pub fn render(diff: &PolicyDiff, style: Style) -> String {
    let mut text = String::new();
    for surface in &diff.surfaces {
        let _ = writeln!(text, "{}", style.bold(&heading(surface)));
        for change in &surface.changes {
            let _ = writeln!(text, "{}", one(change, style));
        }
        for [from, to] in &surface.undecided {
            let _ = writeln!(text, "  {} {from} → {to}: too entangled to be decided", style.yellow("unknown  "));
        }
        if surface.several_names {
            let _ = writeln!(
                text,
                "  {} a call asks by several names; what rules give for them together is not compared",
                style.yellow("unknown  ")
            );
        }
    }
    for setting in &diff.settings {
        let shown = |value: &str| if value.is_empty() { "nothing".to_owned() } else { visible(value).into_owned() };
        let _ = writeln!(text, "setting {}: {} → {}", setting.setting, shown(&setting.old), shown(&setting.new));
    }
    for word in &diff.words {
        let (way, by) = match word.way {
            Way::Loosened => (style.red("loosened "), "old"),
            Way::Tightened => (style.green("tightened"), "new"),
        };
        let [kind, argument] = &word.call;
        let [old, new] = word.whole;
        let call = format!("{kind} {}", quoted(argument));
        let whole = if old == new { format!("here {old} either way") } else { format!("{old} → {new}") };
        let _ = writeln!(text, "{way} only the {by} policy takes the word for a path that it restricts: {call}, {whole}");
    }
    let number = |way| {
        diff.surfaces.iter().flat_map(|surface| &surface.changes).filter(|change| change.way == way).count()
            + diff.words.iter().filter(|word| word.way == way).count()
    };
    let (loosened, tightened) = (number(Way::Loosened), number(Way::Tightened));
    if !diff.same.is_empty() {
        let _ = writeln!(text, "no difference on {}", visible(&diff.same.join(", ")));
    }
    let settings = if diff.settings.is_empty() { String::new() } else { format!(", {}", count(diff.settings.len(), "setting")) };
    let _ = write!(text, "{loosened} loosened, {tightened} tightened{settings}");
    text
}

fn heading(surface: &SurfaceDiff) -> String {
    match &surface.stands_for {
        Some(patterns) => format!("{}, such as {}", other_names(patterns), visible(&surface.surface)),
        None => visible(&surface.surface).into_owned(),
    }
}

fn one(change: &Change, style: Style) -> String {
    let way = match change.way {
        Way::Loosened => style.red("loosened "),
        Way::Tightened => style.green("tightened"),
    };
    let subject = match (&change.call, change.values.last()) {
        (Some([kind, argument]), _) => format!("{kind} {}", quoted(argument)),
        (None, Some(value)) => format!("the value {}, which no ordinary call has", quoted(value)),
        (None, None) => String::new(),
    };
    let mut text = format!("  {way} {} → {}: {subject}", change.from, change.to);
    let _ = write!(text, "\n      old: {}\n      new: {}", rule(&change.old, change.from), rule(&change.new, change.to));
    if let Some([old, new]) = change.whole
        && (old.as_str(), new.as_str()) != (change.from.as_str(), change.to.as_str())
    {
        let _ = write!(text, "\n      the whole call, with all its gates: {old} → {new}");
    }
    text
}

fn rule(rule: &Rule, state: PermissionState) -> String {
    if rule.layer == Layer::Default && state == PermissionState::Allow && rule.action != state {
        return "no rule, and the default says nothing here".into();
    }
    let place = rule.location.as_ref().map(|place| format!(", {}:{}", visible(&place.file), place.line)).unwrap_or_default();
    if rule.layer == Layer::Default {
        return format!("no rule, so the default: {} ({}{place})", rule.action, rule.origin);
    }
    format!("{} {} '{}' ({}{place})", rule.action, visible(&rule.surface), visible(&rule.pattern), rule.origin)
}

/// In quotes that a shell takes.
fn quoted(text: &str) -> String {
    format!("'{}'", visible(text).replace('\'', "'\\''"))
}
