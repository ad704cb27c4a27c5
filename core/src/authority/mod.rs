//! Who answers an ask: the person of this session, a parent session, or nobody.
//!
//! Forwarding between sessions has its own room, [`forwarding`].

mod ask;
mod chain;
mod decision;
mod denying;
mod dialog_answer;
pub mod forwarding;
mod keyed_dialog;
mod list_dialog;
mod local_user;
mod prompter;
mod queue;
mod resolution;
mod scope_question;
mod selection;

pub use ask::{AskDetails, AskSource, ForwardedFrom, GateSuggestion};
pub use chain::{AuthorizerChain, ChainSession, Link, LinkAnswer, LinkAsk, LinkNameTaken, LinkRegistration, LinkRegistry};
pub use decision::{Authorizer, DecisionState, PermissionPromptDecision, PromptPermissionDetails};
pub use denying::{DenyingAuthority, unavailable, unavailable_by};
pub use dialog_answer::DialogAnswer;
pub use keyed_dialog::{DialogKey, DialogStep, KeyedDialog, KeyedDialogOptions};
pub use list_dialog::{DIRECT_TITLE, FORWARDED_TITLE, ask_dialog, run_list_dialog};
pub use local_user::{LocalUserAuthority, UiPromptReporter};
pub use prompter::{AskPrompter, ReviewLogWriter};
pub use queue::{PromptQueue, Turn};
pub use resolution::{event_resolution, review_resolution};
pub use scope_question::scope_question;
pub use selection::{AuthorityKind, select_authority};
