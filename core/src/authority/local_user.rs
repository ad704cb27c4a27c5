//! The person in front of this session (AUTH-011): P, then the dialog, one at a time.

use std::sync::Arc;

use super::decision::{Authorizer, PermissionPromptDecision, PromptPermissionDetails};
use super::queue::PromptQueue;
use crate::host::{HostError, HostResult, UserInterface};

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
}

impl LocalUserAuthority {
    /// The person behind this interface; the queue is the session's one.
    pub fn new(ui: Arc<dyn UserInterface>, queue: Arc<PromptQueue>, prompts: Arc<dyn UiPromptReporter>) -> Self {
        Self { ui, queue, prompts }
    }
}

impl Authorizer for LocalUserAuthority {
    fn authorize(&self, ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision> {
        let _ = (ask, &self.ui, &self.queue, &self.prompts);
        Err(HostError::new("the dialog is not built yet"))
    }
}
