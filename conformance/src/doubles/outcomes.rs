//! Faults in the last step: a block that is none, a rule that another one is named for.

use serde_json::{Value, json};

use crate::implementation::{Observation, ObservedPrompt, StepRequest};

/// A block goes through.
pub(super) fn let_pass(seen: &mut Observation, resolution: &str) {
    let pass = match seen.outcome.as_deref() {
        Some("block") => "allow",
        Some("handled") => "continue",
        _ => return,
    };
    seen.outcome = Some(pass.into());
    seen.reason = None;
    if let Some(by) = &mut seen.by {
        by.resolution = Some(resolution.into());
    }
}

fn gate(seen: &Observation) -> &str {
    seen.by.as_ref().and_then(|by| by.gate.as_deref()).unwrap_or_default()
}

fn resolution(seen: &Observation) -> &str {
    seen.by.as_ref().and_then(|by| by.resolution.as_deref()).unwrap_or_default()
}

/// What goes wrong is allowed.
pub(super) fn errors_pass(_: &StepRequest, seen: &mut Observation) {
    if gate(seen) == "boundary" || resolution(seen) == "gate_error" {
        let_pass(seen, "policy_allow");
    }
}

/// What is asked of nobody is allowed.
pub(super) fn nobody_means_yes(_: &StepRequest, seen: &mut Observation) {
    if resolution(seen) == "confirmation_unavailable" {
        let_pass(seen, "user_approved");
    }
}

/// Tools that nobody registered are none of its business.
pub(super) fn unknown_tools_pass(_: &StepRequest, seen: &mut Observation) {
    if gate(seen) == "registration" {
        let_pass(seen, "policy_allow");
    }
}

/// Nor is an input that it does not understand.
pub(super) fn odd_shapes_pass(_: &StepRequest, seen: &mut Observation) {
    if gate(seen) == "shape" {
        let_pass(seen, "policy_allow");
    }
}

fn sentinel(seen: &Observation) -> &str {
    seen.by.as_ref().and_then(|by| by.rule.as_deref()).filter(|rule| rule.starts_with('<')).unwrap_or_default()
}

/// No command is suspicious by itself.
pub(super) fn floors_are_open(_: &StepRequest, seen: &mut Observation) {
    if !sentinel(seen).is_empty() && sentinel(seen) != "<protected-path>" {
        let_pass(seen, "policy_allow");
    }
}

/// The gate's own files are files.
pub(super) fn own_files_are_open(_: &StepRequest, seen: &mut Observation) {
    if sentinel(seen) == "<protected-path>" {
        let_pass(seen, "policy_allow");
        seen.prompts.clear();
    }
}

/// Typed skills go through.
pub(super) fn typed_skills_pass(request: &StepRequest, seen: &mut Observation) {
    if matches!(request, StepRequest::Input { .. }) {
        let_pass(seen, "policy_allow");
    }
}

/// Somebody is asked about what is denied.
pub(super) fn asks_before_a_no(_: &StepRequest, seen: &mut Observation) {
    if seen.outcome.as_deref() == Some("block") && resolution(seen) == "policy_deny" {
        let by = seen.by.clone().unwrap_or_default();
        let prompt =
            ObservedPrompt { surface: by.surface.clone(), value: by.value, asks_on: by.surface, ..ObservedPrompt::default() };
        seen.prompts.push(prompt);
    }
}

/// The handler throws where it should block.
pub(super) fn throws(_: &StepRequest, seen: &mut Observation) {
    if matches!(gate(seen), "shape" | "boundary") {
        seen.outcome = Some("error".into());
    }
}

/// The process ends where it should block.
pub(super) fn dies(_: &StepRequest, seen: &mut Observation) {
    if matches!(gate(seen), "shape" | "boundary") {
        std::process::exit(70);
    }
}

fn decisions(seen: &mut Observation, change: impl Fn(&mut Value)) {
    seen.decisions.iter_mut().for_each(change);
}

/// Whatever decided, it names the catch-all.
pub(super) fn names_the_star(_: &StepRequest, seen: &mut Observation) {
    if let Some(rule) = seen.by.as_mut().and_then(|by| by.rule.as_mut()) {
        *rule = "*".into();
    }
    decisions(seen, |decision| {
        if decision.get("matchedPattern").is_some_and(Value::is_string)
            && let Some(pattern) = decision.get_mut("matchedPattern")
        {
            *pattern = "*".into();
        }
    });
}

fn other_origin(origin: &str) -> &'static str {
    if origin == "global" { "project" } else { "global" }
}

/// It names another file than the one that decided.
pub(super) fn names_another_origin(_: &StepRequest, seen: &mut Observation) {
    if let Some(origin) = seen.by.as_mut().and_then(|by| by.origin.as_mut()) {
        *origin = other_origin(origin).into();
    }
    if let Some(origin) = &mut seen.origin {
        *origin = other_origin(origin).into();
    }
    decisions(seen, |decision| {
        if let Some(Value::String(origin)) = decision.get_mut("origin") {
            *origin = other_origin(origin).into();
        }
    });
}

/// A yes of the person is told as a yes of the policy, a no likewise.
pub(super) fn hides_the_person(_: &StepRequest, seen: &mut Observation) {
    let other = |word: &str| {
        match word {
            "user_approved" | "user_approved_for_session" | "session_approved" => "policy_allow",
            "user_denied" | "confirmation_unavailable" => "policy_deny",
            _ => return None,
        }
        .into()
    };
    if let Some(word) = seen.by.as_mut().and_then(|by| by.resolution.as_mut()) {
        let _ = other(word).map(|new: &str| *word = new.to_owned());
    }
    decisions(seen, |decision| {
        if let Some(Value::String(word)) = decision.get_mut("resolution") {
            let _ = other(word).map(|new: &str| *word = new.to_owned());
        }
    });
}

/// Every event speaks of one agent.
pub(super) fn names_one_agent(_: &StepRequest, seen: &mut Observation) {
    decisions(seen, |decision| {
        if let Some(agent) = decision.get_mut("agentName") {
            *agent = json!("main");
        }
    });
}

/// The agent is told that it was no, and nothing else.
pub(super) fn says_only_no(_: &StepRequest, seen: &mut Observation) {
    if let Some(reason) = &mut seen.reason {
        *reason = "not permitted".into();
    }
}
