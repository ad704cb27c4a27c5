//! The gate of a typed skill (PIPE-011, PIPE-014): its check is handed in, nothing is stored.

use super::asked_facts::skill_input_facts;
use super::descriptor::{GateCheck, GateDescriptor, GateResult, LogFields};
use super::fields::{put, put_message};
use super::names::{SKILL_INPUT, SKILL_SURFACE};
use crate::authority::{AskDetails, AskSource};
use crate::policy::PermissionState;
use crate::report::DenialContext;
use crate::report::messages::{AskFrame, ask_skill_input, session_label};

/// Describes the skill-input gate over an answer that was found without session rules, in this session directory.
pub fn describe_skill_input_gate(
    skill_name: &str,
    agent_name: Option<&str>,
    policy_fault: Option<&str>,
    cwd: &str,
    check: GateCheck,
) -> GateResult {
    let message = ask_skill_input(AskFrame { agent: agent_name, policy_fault }, skill_name, &check.result);
    let mut log = LogFields::new();
    put(&mut log, "source", AskSource::SkillInput.as_str());
    put(&mut log, "skillName", skill_name);
    log.insert("agentName".to_owned(), agent_name.into());
    put_message(&mut log, &message);
    let ask = AskDetails {
        source: AskSource::SkillInput,
        agent_name: agent_name.map(str::to_owned),
        message: message.message,
        full_message: message.full_message,
        record_message: message.record_message,
        tool_call_id: None,
        tool_name: None,
        skill_name: Some(skill_name.to_owned()),
        path: None,
        command: None,
        target: None,
        tool_input_preview: None,
        session_label: Some(session_label(&[])),
        both_directions_label: None,
        forwarding: None,
    };
    let facts = (check.result.state == PermissionState::Ask)
        .then(|| skill_input_facts(SKILL_INPUT, SKILL_SURFACE, cwd, &ask, skill_name));
    GateResult::Check(Box::new(GateDescriptor {
        gate: SKILL_INPUT,
        surface: SKILL_SURFACE.to_owned(),
        value: skill_name.to_owned(),
        check,
        denial: DenialContext::SkillInput { skill_name: skill_name.to_owned() },
        ask,
        suggestion: None,
        facts,
        log,
    }))
}

#[cfg(test)]
mod tests;
