//! Who answers an ask: the person of this session, a parent session, or nobody.
//!
//! Forwarding between sessions has its own room, `authority::forwarding`, which is not built yet: a session without a
//! screen is answered by the denying authority.

mod ask;
mod decision;

pub use ask::{AskDetails, AskSource, GateSuggestion};
pub use decision::{Authorizer, DecisionState, PermissionPromptDecision, PromptPermissionDetails};
