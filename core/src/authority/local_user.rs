//! The person in front of this session (AUTH-011): P, then the dialog, one at a time, own asks and forwarded ones alike (RES-63).

use std::sync::Arc;

use super::decision::{Authorizer, PermissionPromptDecision, PromptPermissionDetails};
use super::denying::unavailable;
use super::list_dialog::{ask_dialog, run_list_dialog};
use super::queue::PromptQueue;
use super::scope_question::scope_question;
use crate::host::{HostResult, UserInterface};
use crate::report::{Cause, DecidedByKind};

/// Broadcasts P (EVT-002); best effort (AUTH-014).
pub trait UiPromptReporter: Send + Sync {
    /// Says that this ask is about to be shown.
    fn emit_ui_prompt(&self, ask: &PromptPermissionDetails);
}

/// Asks the person through the host's list dialog (AUTH-008).
pub struct LocalUserAuthority {
    ui: Arc<dyn UserInterface>,
    queue: Arc<PromptQueue>,
    prompts: Arc<dyn UiPromptReporter>,
    /// The session in which this authority was selected: once it has ended, nobody is asked any more (HARD-050).
    session: u64,
}

impl LocalUserAuthority {
    /// The person behind this interface; the queue is the session's one.
    pub fn new(ui: Arc<dyn UserInterface>, queue: Arc<PromptQueue>, prompts: Arc<dyn UiPromptReporter>) -> Self {
        let session = queue.session();
        Self { ui, queue, prompts, session }
    }
}

impl Authorizer for LocalUserAuthority {
    fn authorize(&self, ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision> {
        let Some(turn) = self.queue.take_turn_in(self.session)? else {
            return Ok(session_ended());
        };
        self.prompts.emit_ui_prompt(ask);
        let answer = run_list_dialog(self.ui.as_ref(), &ask_dialog(ask), scope_question(ask).as_ref());
        // Whatever a dialog of an ended session says, nobody stands behind it any more (HARD-050).
        if turn.session_ended() {
            return Ok(session_ended());
        }
        Ok(answer?.into_decision())
    }

    fn has_ended(&self) -> bool {
        self.queue.session() != self.session
    }
}

fn session_ended() -> PermissionPromptDecision {
    unavailable(DecidedByKind::Nobody, Cause::SessionEnded)
}

#[cfg(test)]
mod tests;
