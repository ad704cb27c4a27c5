//! For whom a yes "for the session" to a forwarded ask is remembered (AUTH-009, AUTH-011, AUTH-012, HARD-042).

use super::decision::PromptPermissionDetails;
use super::list_dialog::option;
use crate::host::{Choice, ListDialog};
use crate::report::messages::{requester_scope_label, serving_scope_label};

/// What the question is about.
const SCOPE_TITLE: &str = "Remember this yes for whom?";

/// The scope question of an ask: only for one that came from another session and brings something that this session would
/// store itself. The wide answer shows every pattern (FWD-D04).
pub fn scope_question(ask: &PromptPermissionDetails) -> Option<ListDialog> {
    let from = ask.details.forwarding.as_ref()?;
    let pairs = &ask.suggestion.as_ref()?.pairs;
    pairs.first().filter(|(_, pattern)| !pattern.is_empty())?;
    Some(ListDialog {
        title: SCOPE_TITLE.to_owned(),
        message: ask.details.message.clone(),
        full_message: ask.details.full_message.clone(),
        options: vec![
            option(Choice::RequesterOnly, &requester_scope_label(from.agent_name.as_deref())),
            option(Choice::WholeSession, &serving_scope_label(pairs)),
        ],
    })
}
