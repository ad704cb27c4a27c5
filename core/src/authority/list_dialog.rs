//! The list dialog (AUTH-008): one question, four options, sometimes a fifth (RES-32), and perhaps a line of text.
//!
//! Options are told apart by identity, never by what they read (FWD-D12).

use super::ask::AskDetails;
use super::decision::DecisionState;
use super::dialog_answer::DialogAnswer;
use crate::host::{Choice, DialogOption, HostResult, ListDialog, UserInterface};

/// The heading of an ask of this session.
pub const DIRECT_TITLE: &str = "Permission required";
/// The second option when the ask brings no label of its own.
const PLAIN_SESSION_LABEL: &str = "Yes, for this session";
/// What the line of text is for.
const REASON_TITLE: &str = "Why not? The agent will read this";

/// The dialog of an ask.
pub fn ask_dialog(details: &AskDetails) -> ListDialog {
    let session = details.session_label.as_deref().unwrap_or(PLAIN_SESSION_LABEL);
    let mut options = vec![
        option(Choice::Approve, "Yes, this once"),
        option(Choice::ApproveForSession, session),
        option(Choice::Deny, "No"),
        option(Choice::DenyWithReason, "No, and say why"),
    ];
    if let Some(label) = &details.both_directions_label {
        options.push(option(Choice::ApproveForSessionBothDirections, label));
    }
    ListDialog {
        title: DIRECT_TITLE.to_owned(),
        message: details.message.clone(),
        full_message: details.full_message.clone(),
        options,
    }
}

/// Shows the dialog and reads the answer. Dismissed, or answered with something that was not offered: a plain no.
pub fn run_list_dialog(ui: &dyn UserInterface, dialog: &ListDialog) -> HostResult<DialogAnswer> {
    let chosen = ui.select(dialog)?;
    let offered = chosen.filter(|choice| dialog.options.iter().any(|option| option.choice == *choice));
    Ok(match offered {
        Some(Choice::Approve) => DialogAnswer::plain(DecisionState::Approved),
        Some(Choice::ApproveForSession) => DialogAnswer::plain(DecisionState::ApprovedForSession),
        Some(Choice::ApproveForSessionBothDirections) => DialogAnswer::both_directions(),
        Some(Choice::DenyWithReason) => DialogAnswer::denied(&ui.input(REASON_TITLE)?.unwrap_or_default()),
        Some(Choice::Deny) | None => DialogAnswer::plain(DecisionState::Denied),
    })
}

fn option(choice: Choice, label: &str) -> DialogOption {
    DialogOption { choice, label: label.to_owned() }
}
