//! Acts on what a gate gave (RUN): logs, events, the ask, the grant, in the one order that records may show.

use super::descriptor::{GateBypass, GateDescriptor, GateOutcome, GateResult, LogFields};
use super::fields::put;
use super::inputs::{Escalator, GateDecisionReporter, RequestIds, SessionApprovalRecorder};
use crate::authority::{PermissionPromptDecision, PromptPermissionDetails, event_resolution};
use crate::host::HostResult;
use crate::policy::{Origin, PermissionState, Source};
use crate::report::messages::{Ruling, format_deny_reason, format_not_approved_reason, format_unavailable_reason_because};
use crate::report::{
    AskTrace, DecidedBy, DecidedByKind, DecidedWhere, DecisionResult, GateTrace, PermissionDecisionEvent, Resolution,
};

/// How the run of one gate ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateRun {
    /// Whether the call goes on.
    pub outcome: GateOutcome,
    /// Whether a grant was recorded: the gates behind have to be produced again (RES-26).
    pub granted: bool,
}

impl GateRun {
    fn allow() -> Self {
        Self { outcome: GateOutcome::Allow, granted: false }
    }

    fn block(reason: String) -> Self {
        Self { outcome: GateOutcome::Block { reason }, granted: false }
    }
}

/// Whom an ask is for: a tool call or a typed skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunKind {
    /// Ids of shape FWD-003.
    ToolCall,
    /// Ids of shape PIPE-012.
    SkillInput,
}

/// The runner of one call. It holds its collaborators and nothing else: what happened stands in the records.
pub struct GateRunner<'a> {
    reporter: &'a dyn GateDecisionReporter,
    recorder: &'a dyn SessionApprovalRecorder,
    escalator: &'a dyn Escalator,
    ids: &'a dyn RequestIds,
}

impl<'a> GateRunner<'a> {
    /// A runner with its four collaborators.
    pub fn new(
        reporter: &'a dyn GateDecisionReporter,
        recorder: &'a dyn SessionApprovalRecorder,
        escalator: &'a dyn Escalator,
        ids: &'a dyn RequestIds,
    ) -> Self {
        Self { reporter, recorder, escalator, ids }
    }

    /// Runs one gate to its end (RUN-001 to RUN-015). Failures of log and authority are errors; nothing is emitted behind
    /// them (RUN-014). The trace takes the ask and the decision.
    pub fn run(&self, kind: RunKind, gate: &GateResult, agent: Option<&str>, trace: &mut GateTrace) -> HostResult<GateRun> {
        trace.ran = true;
        match gate {
            GateResult::Null { .. } => Ok(GateRun::allow()),
            GateResult::Bypass(bypass) => self.pass(bypass, trace),
            GateResult::Check(descriptor) => self.check(kind, descriptor, agent, trace),
        }
    }

    /// RUN-002: its line, then its event.
    fn pass(&self, bypass: &GateBypass, trace: &mut GateTrace) -> HostResult<GateRun> {
        if let Some((event, fields)) = &bypass.log {
            self.reporter.write_review_log(event, fields.clone())?;
        }
        if let Some(decision) = &bypass.decision {
            self.emit(decision.clone(), trace);
        }
        Ok(GateRun::allow())
    }

    fn check(&self, kind: RunKind, gate: &GateDescriptor, agent: Option<&str>, trace: &mut GateTrace) -> HostResult<GateRun> {
        let result = &gate.check.result;
        match result.state {
            PermissionState::Allow => self.allow(gate, agent, trace),
            PermissionState::Deny => self.deny(gate, agent, trace),
            PermissionState::Ask => self.ask(kind, gate, agent, trace),
        }
    }

    /// RUN-004, RUN-005, RUN-007, in this order. Where a floor stood in spite of the grant and the permissive mode lifted it, the
    /// mode decided (HARD-048).
    fn allow(&self, gate: &GateDescriptor, agent: Option<&str>, trace: &mut GateTrace) -> HostResult<GateRun> {
        let result = &gate.check.result;
        let by_mode = result.origin == Origin::Yolo;
        let (resolution, kind) = if result.source == Source::Session && !by_mode && gate.check.all_allowed {
            let mut fields = log_fields(gate, agent, "session_approved");
            fields.insert("sessionApprovalPattern".to_owned(), result.matched_pattern.as_deref().into());
            self.reporter.write_review_log("permission_request.session_approved", fields)?;
            (Resolution::SessionApproved, DecidedByKind::SessionGrant)
        } else if by_mode {
            let fields = log_fields(gate, agent, "auto_approved");
            self.reporter.write_review_log("permission_request.auto_approved", fields)?;
            (Resolution::AutoApproved, DecidedByKind::PermissiveMode)
        } else {
            (Resolution::PolicyAllow, DecidedByKind::Rule)
        };
        self.emit(decision(gate, agent, DecisionResult::Allow, resolution, by_rule(gate, kind)), trace);
        Ok(GateRun::allow())
    }

    /// RUN-006.
    fn deny(&self, gate: &GateDescriptor, agent: Option<&str>, trace: &mut GateTrace) -> HostResult<GateRun> {
        self.reporter.write_review_log("permission_request.blocked", log_fields(gate, agent, "policy_denied"))?;
        let decided_by = by_rule(gate, DecidedByKind::Rule);
        self.emit(decision(gate, agent, DecisionResult::Deny, Resolution::PolicyDeny, decided_by), trace);
        Ok(GateRun::block(format_deny_reason(&gate.denial, agent, Ruling::from(&gate.check.result))))
    }

    /// RUN-008 to RUN-012: bracket and dialog (the escalator's), the event, the grant.
    fn ask(&self, kind: RunKind, gate: &GateDescriptor, agent: Option<&str>, trace: &mut GateTrace) -> HostResult<GateRun> {
        let request_id = match kind {
            RunKind::ToolCall => self.ids.create_request_id(),
            RunKind::SkillInput => self.ids.create_skill_input_request_id(),
        };
        let ask = PromptPermissionDetails {
            request_id,
            details: gate.ask.clone(),
            suggestion: gate.suggestion.clone(),
            facts: gate.facts.clone(),
        };
        let answer = self.escalator.escalate(&ask);
        let answered = trace.ask.insert(ask_trace(&ask, answer.as_ref().ok()));
        let answer = answer?;
        let pairs = answer.granted_pairs(gate.suggestion.as_ref());
        let stored = !pairs.is_empty();
        answered.stored = stored;
        let result = if answer.is_approved() { DecisionResult::Allow } else { DecisionResult::Deny };
        let mut event = decision(gate, agent, result, event_resolution(&answer, stored), answer.decided_by.clone());
        event.request_id = Some(ask.request_id);
        self.emit(event, trace);
        if !answer.is_approved() {
            return Ok(GateRun::block(refusal(gate, &answer)));
        }
        if stored {
            self.recorder.record_session_approval(pairs);
        }
        Ok(GateRun { outcome: GateOutcome::Allow, granted: stored })
    }

    fn emit(&self, event: PermissionDecisionEvent, trace: &mut GateTrace) {
        self.reporter.emit_decision(&event);
        trace.decision = Some(event);
    }
}

/// The gate's fields with the run's agent and the resolution, which nothing overrides (RUN-013).
fn log_fields(gate: &GateDescriptor, agent: Option<&str>, resolution: &str) -> LogFields {
    let mut fields = gate.log.clone();
    fields.insert("agentName".to_owned(), agent.into());
    put(&mut fields, "resolution", resolution);
    fields
}

/// The event of a gate (RUN-013, EVT-004).
fn decision(
    gate: &GateDescriptor,
    agent: Option<&str>,
    result: DecisionResult,
    resolution: Resolution,
    decided_by: DecidedBy,
) -> PermissionDecisionEvent {
    let check = &gate.check.result;
    PermissionDecisionEvent {
        surface: gate.surface.clone(),
        value: gate.value.clone(),
        result,
        resolution,
        origin: Some(check.origin),
        agent_name: agent.map(str::to_owned),
        matched_pattern: check.matched_pattern.clone(),
        gate: gate.gate.to_owned(),
        request_id: None,
        rule_surface: check.rule_surface.as_deref().map(str::to_owned),
        decided_by,
    }
}

fn by_rule(gate: &GateDescriptor, kind: DecidedByKind) -> DecidedBy {
    let check = &gate.check.result;
    DecidedBy { pattern: check.matched_pattern.clone(), reason: check.reason.clone(), ..DecidedBy::own(kind) }
}

/// Why the call is blocked after an ask. Nobody's answer is never told as a person's no (HARD-048).
fn refusal(gate: &GateDescriptor, answer: &PermissionPromptDecision) -> String {
    if answer.confirmation_unavailable {
        let decided = &answer.decided_by;
        // What another session says about nobody's decision is not passed on.
        let own_words = decided.reason.as_deref().filter(|_| decided.where_ == DecidedWhere::Own);
        return format_unavailable_reason_because(&gate.denial, decided.cause, own_words);
    }
    format_not_approved_reason(&gate.denial, &answer.decided_by, answer.denial_reason.as_deref())
}

fn ask_trace(ask: &PromptPermissionDetails, answer: Option<&PermissionPromptDecision>) -> AskTrace {
    let word = match answer {
        None => "gate_error",
        Some(answer) if answer.confirmation_unavailable => "confirmation_unavailable",
        Some(answer) => answer.state.as_str(),
    };
    let pairs =
        |both| ask.suggestion.as_ref().map(|suggestion| if both { &suggestion.both_directions } else { &suggestion.pairs });
    AskTrace {
        request_id: ask.request_id.clone(),
        message: ask.details.message.clone(),
        answer: word.to_owned(),
        suggestion: pairs(answer.is_some_and(|answer| answer.both_directions)).cloned().unwrap_or_default(),
        stored: false,
    }
}

#[cfg(test)]
mod tests;
