//! Faults in what is made of a person's answer, and of what is remembered of it.

use portcullis_core::policy::{MatchOptions, Pattern};

use super::outcomes::let_pass;
use super::varied::Variation;
use crate::implementation::{InProcess, Observation, ObservedGrant, StepRequest, World, WorldAnswer};

/// The answers that a step carries.
pub(super) fn change(request: &mut StepRequest, change: fn(&mut WorldAnswer)) {
    let list = match request {
        StepRequest::ToolCall { answers, .. } | StepRequest::Input { answers, .. } => answers.as_mut(),
        StepRequest::HostChange { ui: Some(ui), .. } => ui.answers.as_mut(),
        StepRequest::In { answers: Some(person), .. } => Some(&mut person.answers),
        _ => None,
    };
    list.into_iter().flatten().for_each(change);
}

/// The answers that a world begins with, in all its sessions.
pub(super) fn of_all_people(world: &mut World, change: fn(&mut WorldAnswer)) {
    let lists = world.ui.iter_mut().chain(world.sessions.iter_mut().filter_map(|session| session.ui.as_mut()));
    lists.flatten().for_each(change);
}

/// "For this session" is "this once".
pub(super) fn forget(answer: &mut WorldAnswer) {
    if matches!(answer, WorldAnswer::ApproveForSession | WorldAnswer::ApproveBothDirections) {
        *answer = WorldAnswer::Approve;
    }
}

/// "This once" is "for this session".
pub(super) fn keep(answer: &mut WorldAnswer) {
    if *answer == WorldAnswer::Approve {
        *answer = WorldAnswer::ApproveForSession;
    }
}

/// A dialog that is closed means yes.
pub(super) fn closed_is_yes(answer: &mut WorldAnswer) {
    if *answer == WorldAnswer::Dismiss {
        *answer = WorldAnswer::Approve;
    }
}

/// A dialog that fails means yes.
pub(super) fn failed_is_yes(answer: &mut WorldAnswer) {
    if matches!(answer, WorldAnswer::Fail { .. }) {
        *answer = WorldAnswer::Approve;
    }
}

/// Nobody reads why.
pub(super) fn unheard_reason(answer: &mut WorldAnswer) {
    if matches!(answer, WorldAnswer::DenyWithReason { .. }) {
        *answer = WorldAnswer::Deny;
    }
}

fn grants(seen: &Observation) -> Vec<ObservedGrant> {
    seen.session_rules.clone().unwrap_or_default()
}

/// Stores `*` beside whatever is granted.
#[derive(Default)]
pub(super) struct Wide(usize);

impl Variation for Wide {
    fn seen(&mut self, _: &StepRequest, seen: &mut Observation, gate: &InProcess) {
        let known = grants(seen);
        for grant in known.iter().skip(self.0) {
            gate.record_grant(&grant.surface, "*");
            seen.session_rules.iter_mut().for_each(|all| all.push(ObservedGrant { pattern: "*".into(), ..grant.clone() }));
        }
        self.0 = grants(seen).len();
    }
}

/// Grants outlive their session.
#[derive(Default)]
pub(super) struct Lasting(Vec<ObservedGrant>);

impl Variation for Lasting {
    fn seen(&mut self, _: &StepRequest, seen: &mut Observation, gate: &InProcess) {
        let now = grants(seen);
        for lost in self.0.iter().filter(|grant| !now.contains(grant)) {
            gate.record_grant(&lost.surface, &lost.pattern);
            seen.session_rules.iter_mut().for_each(|all| all.push(lost.clone()));
        }
        self.0 = grants(seen);
    }
}

/// A grant that matches lifts a deny.
#[derive(Default)]
pub(super) struct Almighty {
    cwd: String,
    grants: Vec<ObservedGrant>,
}

impl Variation for Almighty {
    fn world(&mut self, world: &mut World) {
        self.cwd.clone_from(&world.cwd);
        self.grants.clone_from(&world.session_rules);
    }

    fn seen(&mut self, _: &StepRequest, seen: &mut Observation, _: &InProcess) {
        let by = seen.by.clone().unwrap_or_default();
        let value = by.value.unwrap_or_default();
        let denied = by.resolution.as_deref() == Some("policy_deny");
        let lifts = |grant: &ObservedGrant| {
            let pattern = Pattern::prepare(&grant.pattern, &MatchOptions::default());
            by.surface.as_deref() == Some(&grant.surface)
                && (pattern.matches(&value) || pattern.matches(&format!("{}/{value}", self.cwd)))
        };
        if denied && self.grants.iter().any(lifts) {
            let_pass(seen, "session_approved");
        }
        self.grants = grants(seen);
    }
}
