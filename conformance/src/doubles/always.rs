//! Gates that give every call the same answer.

use serde_json::Value;

use crate::implementation::{
    Factory, Hello, Implementation, Observation, ObservedBy, ObservedPrompt, Refusal, StepRequest, World,
};
use crate::scenario::{Capability, Level};

/// Gives every call the same answer, whatever the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Always {
    /// Lets everything through.
    Allow,
    /// Refuses everything.
    Deny,
    /// Asks about everything; without a person it refuses.
    Ask,
}

impl Factory for Always {
    fn start(&self) -> Result<Box<dyn Implementation>, String> {
        Ok(Box::new(AlwaysGate { answer: *self, has_ui: false, active: Vec::new() }))
    }
}

impl Always {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "always-allow",
            Self::Deny => "always-deny",
            Self::Ask => "always-ask",
        }
    }
}

struct AlwaysGate {
    answer: Always,
    has_ui: bool,
    active: Vec<String>,
}

impl Implementation for AlwaysGate {
    fn hello(&self) -> Hello {
        Hello {
            name: self.answer.name().into(),
            version: env!("CARGO_PKG_VERSION").into(),
            language: "Rust".into(),
            homepage: None,
            issues: None,
            capabilities: Capability::ALL.to_vec(),
            levels: vec![Level::Baseline, Level::Hardened],
        }
    }

    fn begin(&mut self, world: &World) -> Result<(), Refusal> {
        self.has_ui = world.ui.is_some();
        self.active = world.tools.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        Ok(())
    }

    fn step(&mut self, request: &StepRequest) -> Result<Observation, Refusal> {
        let mut seen =
            Observation { session_rules: Some(Vec::new()), active_tools: Some(self.active.clone()), ..Observation::default() };
        match request {
            StepRequest::In { step, .. } => return self.step(step),
            StepRequest::ToolCall { event, .. } => {
                let tool = event.get("toolName").and_then(Value::as_str).unwrap_or_default();
                self.decide(&mut seen, tool, "tool", ["allow", "block"]);
            }
            StepRequest::Input { .. } => self.decide(&mut seen, "skill", "skill-input", ["continue", "handled"]),
            StepRequest::Query { .. } | StepRequest::ToolPermission { .. } => {
                seen.outcome = Some(self.answer.name().trim_start_matches("always-").to_owned());
            }
            StepRequest::HostChange { ui: Some(change), .. } => self.has_ui = change.answers.is_some(),
            _ => {}
        }
        Ok(seen)
    }

    fn end(&mut self) {}
}

impl AlwaysGate {
    fn decide(&self, seen: &mut Observation, surface: &str, gate: &str, words: [&str; 2]) {
        let [pass, stop] = words;
        let (outcome, resolution) = match self.answer {
            Always::Allow => (pass, "policy_allow"),
            Always::Deny => (stop, "policy_deny"),
            Always::Ask if self.has_ui => (pass, "user_approved"),
            Always::Ask => (stop, "confirmation_unavailable"),
        };
        if self.answer == Always::Ask && self.has_ui {
            let prompt =
                ObservedPrompt { surface: Some(surface.into()), asks_on: Some(surface.into()), ..ObservedPrompt::default() };
            seen.prompts.push(prompt);
        }
        seen.outcome = Some(outcome.into());
        seen.reason = (outcome == stop).then(|| "no".into());
        seen.by = Some(ObservedBy {
            gate: Some(gate.into()),
            surface: Some(surface.into()),
            resolution: Some(resolution.into()),
            ..ObservedBy::default()
        });
    }
}
