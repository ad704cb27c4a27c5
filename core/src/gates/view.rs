//! What a gate is handed: one call, what it touches, and who answers. Gates are pure functions of this.

use super::descriptor::ToolCallContext;
use super::facts::CallFacts;
use super::inputs::{GateResolver, GrantSuggester, ToolPreviews};

/// The view of one call that every gate gets.
#[derive(Clone, Copy)]
pub struct GateView<'a> {
    /// The call.
    pub context: &'a ToolCallContext,
    /// What it touches.
    pub facts: &'a CallFacts,
    /// Who answers questions.
    pub resolver: &'a dyn GateResolver,
    /// What a grant may store.
    pub suggester: &'a dyn GrantSuggester,
    /// The previews of the input.
    pub previews: &'a ToolPreviews,
    /// What is broken in the policy, when something is.
    pub policy_fault: Option<&'a str>,
}
