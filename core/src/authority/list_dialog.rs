//! The list dialog (AUTH-008, AUTH-009): one question, four options, sometimes a fifth (RES-32), and perhaps a line of text or
//! the question for whom a yes is remembered.
//!
//! Options are told apart by identity, never by what they read (FWD-D12).

use super::decision::{DecisionState, PromptPermissionDetails};
use super::dialog_answer::DialogAnswer;
use super::scope_question::scope_question;
use crate::host::{Choice, DialogOption, HostResult, ListDialog, UserInterface};

/// The heading of an ask of this session.
pub const DIRECT_TITLE: &str = "Permission required";
/// The heading of an ask that came from another session (AUTH-011).
pub const FORWARDED_TITLE: &str = "Permission required by a subagent";
/// The second option when the ask brings no label of its own.
const PLAIN_SESSION_LABEL: &str = "Yes, for this session";
/// What the line of text is for.
const REASON_TITLE: &str = "Why not? The agent will read this";

/// The dialog of an ask. Where the scope is asked next, the second option says nothing of it yet (AUTH-011).
pub fn ask_dialog(ask: &PromptPermissionDetails) -> ListDialog {
    let details = &ask.details;
    let own_label = details.session_label.as_deref().filter(|_| scope_question(ask).is_none());
    let mut options = vec![
        option(Choice::Approve, "Yes, this once"),
        option(Choice::ApproveForSession, own_label.unwrap_or(PLAIN_SESSION_LABEL)),
        option(Choice::Deny, "No"),
        option(Choice::DenyWithReason, "No, and say why"),
    ];
    // Both widths are offered for one's own asks only (RES-32).
    if let Some(label) = details.both_directions_label.as_ref().filter(|_| details.forwarding.is_none()) {
        options.push(option(Choice::ApproveForSessionBothDirections, label));
    }
    let title = if details.forwarding.is_some() { FORWARDED_TITLE } else { DIRECT_TITLE };
    ListDialog { title: title.to_owned(), message: details.message.clone(), full_message: details.full_message.clone(), options }
}

/// Shows the dialog and reads the answer. Dismissed, or answered with something that was not offered: a plain no. `scope` is
/// asked after a yes for the session; whatever is no clear yes to the wide scope is the narrow one (AUTH-009, RES-34).
pub fn run_list_dialog(ui: &dyn UserInterface, dialog: &ListDialog, scope: Option<&ListDialog>) -> HostResult<DialogAnswer> {
    Ok(match choose(ui, dialog)? {
        Some(Choice::Approve) => DialogAnswer::plain(DecisionState::Approved),
        Some(Choice::ApproveForSession) => DialogAnswer::plain(match scope.map(|scope| choose(ui, scope)).transpose()? {
            Some(Some(Choice::WholeSession)) => DecisionState::ApprovedForServingSession,
            _ => DecisionState::ApprovedForSession,
        }),
        Some(Choice::ApproveForSessionBothDirections) => DialogAnswer::both_directions(),
        Some(Choice::DenyWithReason) => DialogAnswer::denied(&ui.input(REASON_TITLE)?.unwrap_or_default()),
        Some(Choice::Deny | Choice::RequesterOnly | Choice::WholeSession) | None => DialogAnswer::plain(DecisionState::Denied),
    })
}

/// What was chosen, if it was offered.
fn choose(ui: &dyn UserInterface, dialog: &ListDialog) -> HostResult<Option<Choice>> {
    let chosen = ui.select(dialog)?;
    Ok(chosen.filter(|choice| dialog.options.iter().any(|option| option.choice == *choice)))
}

pub(super) fn option(choice: Choice, label: &str) -> DialogOption {
    DialogOption { choice, label: label.to_owned() }
}
