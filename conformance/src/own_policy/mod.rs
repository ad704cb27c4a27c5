//! People's own policy files, put in front of the reference: where the rules come from, and what the gate says of one call.
//!
//! One judge serves every tool that answers questions about a policy. It decides by the handlers that run in life, prompts
//! nobody, and writes nothing.

mod call;
mod judge;
mod source;

pub use call::{Call, CallFault};
pub use judge::{Judge, JudgeOptions, Judgement, Verdict};
pub use source::{PolicyFiles, PolicySource};
