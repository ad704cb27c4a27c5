//! Faults in what is told and written: questions, events, logs, notices.

use portcullis_core::composition::Host;
use serde_json::Value;

use crate::implementation::{Observation, StepRequest, World};

/// No decision events.
pub(super) fn drops_decisions(_: &StepRequest, seen: &mut Observation) {
    seen.decisions.clear();
}

/// No event when it blocks.
pub(super) fn silent_blocks(_: &StepRequest, seen: &mut Observation) {
    if matches!(seen.outcome.as_deref(), Some("block" | "handled")) {
        seen.decisions.clear();
    }
}

/// Each decision event twice.
pub(super) fn doubles_decisions(_: &StepRequest, seen: &mut Observation) {
    seen.decisions = seen.decisions.iter().flat_map(|event| [event.clone(), event.clone()]).collect();
}

/// No prompt events.
pub(super) fn drops_prompt_events(_: &StepRequest, seen: &mut Observation) {
    seen.ui_prompts.clear();
}

/// The answer is thrown away, and asked for once more.
pub(super) fn asks_twice(_: &StepRequest, seen: &mut Observation) {
    seen.prompts = seen.prompts.iter().flat_map(|prompt| [prompt.clone(), prompt.clone()]).collect();
    seen.ui_prompts = seen.ui_prompts.iter().flat_map(|event| [event.clone(), event.clone()]).collect();
}

/// The last question first.
pub(super) fn asks_backwards(_: &StepRequest, seen: &mut Observation) {
    seen.prompts.reverse();
    seen.ui_prompts.reverse();
    seen.decisions.reverse();
}

/// The question says that something is asked, and not what.
pub(super) fn asks_without_saying_what(_: &StepRequest, seen: &mut Observation) {
    for prompt in &mut seen.prompts {
        prompt.message = "Permission required".into();
        prompt.full_message.clear();
    }
}

/// The offer to remember does not say what is remembered.
pub(super) fn offers_blindly(_: &StepRequest, seen: &mut Observation) {
    seen.prompts.iter_mut().filter_map(|prompt| prompt.session_label.as_mut()).for_each(|label| *label = "Yes, always".into());
}

/// What is escaped goes back to what it was.
pub(super) fn shows_raw_text(_: &StepRequest, seen: &mut Observation) {
    let raw = |text: &str| {
        let mut raw = String::new();
        let mut rest = text;
        while let Some((head, tail)) = rest.split_once("\\u{") {
            raw.push_str(head);
            let letter = tail
                .split_once('}')
                .and_then(|(code, after)| Some((u32::from_str_radix(code, 16).ok().and_then(char::from_u32)?, after)));
            match letter {
                Some((letter, after)) => {
                    raw.push(letter);
                    rest = after;
                }
                None => {
                    raw.push_str("\\u{");
                    rest = tail;
                }
            }
        }
        raw + rest
    };
    for prompt in &mut seen.prompts {
        prompt.message = raw(&prompt.message);
        prompt.full_message = raw(&prompt.full_message);
    }
    seen.notifications.iter_mut().chain(&mut seen.reason).for_each(|text| *text = raw(text));
}

/// Nothing in the review log.
pub(super) fn no_review_log(_: &StepRequest, seen: &mut Observation) {
    seen.review_log.clear();
}

/// Nothing in the debug log.
pub(super) fn no_debug_log(_: &StepRequest, seen: &mut Observation) {
    seen.debug_log.clear();
}

/// The command as it was typed, wherever it is written.
pub(super) fn masks_nothing(request: &StepRequest, seen: &mut Observation) {
    let StepRequest::ToolCall { event, .. } = request else { return };
    let input = event.get("input").unwrap_or(&Value::Null);
    let Some(raw) =
        input.get("command").and_then(Value::as_str).map_or_else(|| Some(input.to_string()), |text| Some(text.to_owned()))
    else {
        return;
    };
    for line in &mut seen.review_log {
        let mut shown = Value::clone(line);
        for member in shown.as_object_mut().into_iter().flat_map(|line| line.values_mut()) {
            if member.as_str().is_some_and(|text| text.contains("[redacted]")) {
                *member = Value::from(raw.as_str());
            }
        }
        *line = shown.into();
    }
    if let Some(reason) = seen.reason.as_mut().filter(|reason| reason.contains("[redacted]")) {
        reason.push_str(&raw);
    }
}

/// Values of any length in the log.
pub(super) fn cuts_nothing(_: &World, host: &mut Host) {
    host.options.log_bound = usize::MAX;
}

/// What is wrong with the files is told to nobody.
pub(super) fn no_notices(_: &StepRequest, seen: &mut Observation) {
    seen.notifications.clear();
}

/// Other extensions hear that everything is allowed.
pub(super) fn service_says_yes(request: &StepRequest, seen: &mut Observation) {
    if matches!(request, StepRequest::Query { .. } | StepRequest::ToolPermission { .. })
        && seen.outcome.as_deref().is_some_and(|outcome| outcome != "error")
    {
        seen.outcome = Some("allow".into());
    }
}

/// The prompt goes to the agent as it came.
pub(super) fn prompt_as_it_came(_: &StepRequest, seen: &mut Observation) {
    seen.system_prompt = None;
}
