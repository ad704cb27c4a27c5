//! Small pieces that several messages share: subject, qualifier, and how one fact is made fit to be shown.

use crate::policy::UnitContext;
use crate::report::bounds::bound;
use crate::report::escape::{visible, visible_layout};
use crate::report::masking::mask_text;

/// The longest fact in a reason (RES-40), in characters.
pub(super) const FACT_LIMIT: usize = 1000;
/// The longest name of an agent or skill in a sentence. Usable agent names end at 128 (RES-10).
pub(super) const AGENT_LIMIT: usize = 200;

/// One fact on one line: masked, escaped, bounded.
pub(super) fn fact(text: &str, limit: usize) -> String {
    bound(&visible(&mask_text(text)), limit)
}

/// A command: the same with its line breaks and tabs (RES-41).
pub(super) fn command_fact(text: &str) -> String {
    bound(&visible_layout(&mask_text(text)), FACT_LIMIT)
}

/// Who asks: the agent by name, or the generic wording (MSG, "Subject"). Names are escaped.
pub(super) fn subject(agent: Option<&str>) -> String {
    match agent {
        Some(agent) => format!("Agent '{}'", bound(&visible(agent), AGENT_LIMIT)),
        None => "The current agent".to_owned(),
    }
}

/// What a unit is nested in, in words (MSG-006).
pub(super) fn context_words(context: UnitContext) -> String {
    context.as_str().replace('_', " ")
}

/// Pattern and nesting in one parenthesis with a blank before it; nothing when both are absent (MSG-006).
pub(super) fn qualifier(pattern: Option<&str>, context: Option<UnitContext>) -> String {
    let parts: Vec<String> = [
        pattern.map(|pattern| format!("matched '{}'", fact(pattern, FACT_LIMIT))),
        context.map(|context| format!("inside: {}", context_words(context))),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

/// A closing sentence with a reason; nothing for none or an empty one (MSG-003). The reason's own full stop is not doubled.
pub(super) fn reason_sentence(reason: Option<&str>) -> String {
    match reason.map(|reason| fact(reason, FACT_LIMIT)) {
        Some(reason) if !reason.is_empty() => format!(" Reason: {reason}"),
        _ => String::new(),
    }
}
