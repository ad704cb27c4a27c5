//! A forwarded ask before the policy of the session that serves it (HARD-009, HARD-010; docs/spec/README.md, 5.6, step 3).
//!
//! The facts name surface, values and floors; each item becomes the question that the asking gate put, and is answered by the
//! same walk. Nothing is derived anew from a text, a tool rule never answers a family, and what is not understood asks.

mod grants;
mod questions;

use self::questions::{ForwardedQuestions, questions};
use super::call_snapshot::CallSnapshot;
use crate::authority::forwarding::{FORWARDING_VERSION, ForwardedRequest, Judgement, Verdict};
use crate::gates::GateResolver as _;
use crate::policy::{FloorKind, Origin, PermissionCheckResult, PermissionState, Question, Source, UnitContext};
use crate::report::{DecidedBy, DecidedByKind, DecidedWhere};
use crate::text::non_blank;

impl CallSnapshot<'_> {
    /// What this session's own policy and grants say of a request, without any agent. `tools` are the tools that the session
    /// knows: on any other surface nothing is allowed.
    pub fn judge_forwarded(&self, request: &ForwardedRequest, tools: &[String]) -> Judgement {
        let policy_fault = self.policy().fault();
        // Facts of another version may mean something else (HARD-009: upgrade the parent first).
        let facts = request.facts.as_ref().filter(|_| request.version == Some(FORWARDING_VERSION));
        let questions = facts.and_then(|facts| Some((facts, questions(self, facts, tools)?)));
        let Some((facts, questions)) = questions else {
            let verdict = self.judge_display_pair(request).map_or(Verdict::Ask, Verdict::Deny);
            return Judgement { verdict, grants: Vec::new(), policy_fault, facts_hold: false };
        };
        let verdict = self.judge_questions(&questions);
        let asks = verdict == Verdict::Ask;
        let grants = if asks { self.wide_grants(facts, &questions, &request.grants) } else { Vec::new() };
        Judgement { verdict, grants, policy_fault, facts_hold: true }
    }

    /// A deny on any item decides; all of them have to be allowed (HARD-010).
    fn judge_questions(&self, asked: &ForwardedQuestions) -> Verdict {
        let mut answers: Vec<PermissionCheckResult> = Vec::with_capacity(asked.questions.len());
        let mut granted_wrapper: Option<&str> = None;
        for question in &asked.questions {
            let answer = self.resolve(question);
            if answer.state == PermissionState::Deny {
                return Verdict::Deny(decided_by(&answer));
            }
            if !is_inside_wrapper(question) {
                granted_wrapper = granted_wrapper_text(question, &answer);
            }
            // What a granted wrapper runs was part of what was granted; only a deny of it still counts (HARD-007).
            let covered = is_inside_wrapper(question)
                && granted_wrapper.zip(question.values.first()).is_some_and(|(wrapper, inner)| wrapper.contains(inner.as_str()));
            if !covered {
                answers.push(answer);
            }
        }
        if !asked.known_surface || answers.is_empty() || answers.iter().any(|answer| answer.state == PermissionState::Ask) {
            return Verdict::Ask;
        }
        // Without the first one that no rule allowed, the ask would have stayed.
        let by_more_than_rules = answers.iter().find(|answer| answer.origin == Origin::Yolo || answer.source == Source::Session);
        by_more_than_rules.or(answers.first()).map_or(Verdict::Ask, |answer| Verdict::Allow(decided_by(answer)))
    }

    /// RES-55: of a request without usable facts, only a deny of what it displays counts.
    fn judge_display_pair(&self, request: &ForwardedRequest) -> Option<DecidedBy> {
        // Either blank: the policy is not consulted (INBOX-007).
        let surface = request.surface.as_deref().filter(|surface| non_blank(surface).is_some())?;
        let value = request.value.as_deref().filter(|value| non_blank(value).is_some())?;
        let answer = self.answer(surface, Some(value)).ok()?;
        (answer.state == PermissionState::Deny).then(|| decided_by(&answer))
    }
}

fn is_inside_wrapper(question: &Question) -> bool {
    matches!(question.command_context, Some(UnitContext::WrappedCommand | UnitContext::InlineProgram))
}

/// The text of a wrapper that a grant of this session let through.
fn granted_wrapper_text<'q>(question: &'q Question, answer: &PermissionCheckResult) -> Option<&'q str> {
    let wrapper = [FloorKind::OpaqueBashWrapper, FloorKind::IndirectionBashWrapper];
    let granted = answer.state == PermissionState::Allow && answer.source == Source::Session;
    let wraps = question.floors.iter().any(|floor| wrapper.contains(&floor.kind));
    question.values.first().filter(|_| granted && wraps).map(String::as_str)
}

/// Who decided, for the other session: of a rule its pattern and reason, never its file (HARD-048).
fn decided_by(answer: &PermissionCheckResult) -> DecidedBy {
    let kind = if answer.origin == Origin::Yolo {
        DecidedByKind::PermissiveMode
    } else if answer.source == Source::Session {
        DecidedByKind::SessionGrant
    } else {
        DecidedByKind::Rule
    };
    DecidedBy {
        where_: DecidedWhere::Serving,
        pattern: answer.matched_pattern.clone(),
        reason: answer.reason.clone(),
        ..DecidedBy::own(kind)
    }
}
