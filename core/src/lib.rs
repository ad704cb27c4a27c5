//! The reference implementation of the gate system: policy, six gates, pipelines, runner, handlers.
//!
//! Rooms stand in the order in which data flows; imports run towards the top of this list only:
//!
//! | room | holds |
//! | --- | --- |
//! | [`host`] | the narrow traits a host offers; nothing else reads clock, environment, files or randomness |
//! | [`policy`] | configuration text to rules to an answer |
//! | [`access`] | what a call touches: tool kinds, paths, shell commands, MCP names |
//! | [`report`] | events, logs, messages, previews, the trace |
//! | [`authority`] | who answers an ask |
//! | [`gates`] | one file a gate, the descriptor, the runner, the two pipelines |
//! | [`session`] | the mutable state of a session behind operations |
//! | [`handlers`] | the entry points and the fail-closed boundary |
//! | [`composition`] | builds the whole from a host |

pub mod access;
pub mod authority;
pub mod composition;
pub mod gates;
pub mod handlers;
pub mod host;
pub mod policy;
pub mod report;
pub mod session;
pub mod text;
