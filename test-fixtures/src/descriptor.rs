//! Descriptors for the runner, made by hand (`makeDescriptor`, `makeDenialDescriptor`).

use portcullis_core::authority::{AskDetails, AskSource, GateSuggestion};
use portcullis_core::gates::{GateDescriptor, GateResult, LogFields};
use portcullis_core::policy::{PermissionCheckResult, PermissionState};
use portcullis_core::report::DenialContext;
use serde_json::{Value, json};

use crate::check::{CheckAnswer, make_check_result, make_gate_check_result};

/// A descriptor that is being put together: by default gate 6 asks about a call of `write`, and nothing would be stored.
///
/// ```
/// use portcullis_core::policy::PermissionState::Deny;
/// use portcullis_test_fixtures::make_descriptor;
///
/// let descriptor = make_descriptor().on("bash", "rm x").answer(Deny).build();
/// assert_eq!((descriptor.surface.as_str(), descriptor.value.as_str()), ("bash", "rm x"));
/// assert_eq!(descriptor.check.result.state, Deny);
/// assert_eq!(descriptor.suggestion, None);
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct DescriptorSetup {
    gate: &'static str,
    surface: String,
    value: String,
    result: PermissionCheckResult,
    denial: Option<DenialContext>,
    suggestion: Option<GateSuggestion>,
    log: LogFields,
}

/// A descriptor that asks (`makeDescriptor`).
pub fn make_descriptor() -> DescriptorSetup {
    let log = json!({ "source": "tool_call", "toolCallId": "tc-1", "toolName": "write" });
    DescriptorSetup {
        gate: "tool",
        surface: "write".to_owned(),
        value: "write".to_owned(),
        result: make_check_result("write", PermissionState::Ask),
        denial: None,
        suggestion: None,
        log: log.as_object().cloned().unwrap_or_default(),
    }
}

/// A descriptor that denies, and what its refusal names (`makeDenialDescriptor`).
///
/// ```
/// use portcullis_core::report::DenialContext;
/// use portcullis_test_fixtures::{make_denial_descriptor, make_gate_runner};
///
/// let denial = DenialContext::Path { tool_name: "read".into(), path_value: "x.key".into() };
/// let runner = make_gate_runner();
/// assert!(runner.blocks(&make_denial_descriptor(denial).gate()).contains("x.key"));
/// ```
pub fn make_denial_descriptor(denial: DenialContext) -> DescriptorSetup {
    DescriptorSetup { denial: Some(denial), ..make_descriptor() }.answer(PermissionState::Deny)
}

impl DescriptorSetup {
    /// The surface and the value of the decision.
    pub fn on(mut self, surface: &str, value: &str) -> Self {
        surface.clone_into(&mut self.surface);
        value.clone_into(&mut self.value);
        self
    }

    /// Another gate (closed list of docs/spec/README.md, section 6).
    pub fn of_gate(mut self, gate: &'static str) -> Self {
        self.gate = gate;
        self
    }

    /// The answer of the gate's check.
    pub fn answer(mut self, answer: impl Into<CheckAnswer>) -> Self {
        self.result = make_check_result(&self.surface, answer);
        self
    }

    /// The check's answer, whole (option `preCheck`).
    pub fn check(mut self, result: PermissionCheckResult) -> Self {
        self.result = result;
        self
    }

    /// What a yes for the session stores, as surface and pattern.
    pub fn suggesting(mut self, pairs: &[(&str, &str)]) -> Self {
        let pairs: Vec<_> = pairs.iter().map(|(surface, pattern)| ((*surface).to_owned(), (*pattern).to_owned())).collect();
        self.suggestion = Some(GateSuggestion { both_directions: pairs.clone(), pairs });
        self
    }

    /// A field of the review lines.
    pub fn logging(mut self, name: &str, value: Value) -> Self {
        self.log.insert(name.to_owned(), value);
        self
    }

    /// The descriptor.
    pub fn build(self) -> GateDescriptor {
        let denial =
            self.denial.unwrap_or_else(|| DenialContext::Tool { check: Box::new(self.result.clone()), input: json!({}) });
        GateDescriptor {
            gate: self.gate,
            surface: self.surface.clone(),
            value: self.value,
            check: make_gate_check_result(self.result),
            denial,
            ask: ask(&self.surface),
            suggestion: self.suggestion,
            facts: None,
            log: self.log,
        }
    }

    /// The descriptor as what a gate gives.
    pub fn gate(self) -> GateResult {
        GateResult::Check(Box::new(self.build()))
    }
}

fn ask(tool: &str) -> AskDetails {
    AskDetails {
        source: AskSource::ToolCall,
        agent_name: None,
        message: format!("May {tool} run?"),
        full_message: String::new(),
        record_message: String::new(),
        tool_call_id: Some("tc-1".to_owned()),
        tool_name: Some(tool.to_owned()),
        skill_name: None,
        path: None,
        command: None,
        target: None,
        tool_input_preview: None,
        session_label: None,
        both_directions_label: None,
        forwarding: None,
    }
}
