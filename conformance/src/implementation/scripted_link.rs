//! An automatic answerer with a script (HARD-044).

use std::sync::{Mutex, PoisonError};

use portcullis_core::authority::{Link, LinkAnswer, LinkAsk};
use portcullis_core::host::{HostError, HostResult};

use super::world::WorldLinkAnswer;

/// Says what it was told to say, in order; the last goes on for ever.
#[derive(Debug)]
pub(super) struct ScriptedLink {
    name: String,
    answers: Mutex<Vec<WorldLinkAnswer>>,
}

impl ScriptedLink {
    /// A link of this name. One without a script defers.
    pub(super) fn new(name: &str, answers: &[WorldLinkAnswer]) -> Self {
        Self { name: name.to_owned(), answers: Mutex::new(answers.iter().rev().cloned().collect()) }
    }
}

impl Link for ScriptedLink {
    fn name(&self) -> &str {
        &self.name
    }

    fn decide(&self, _ask: &LinkAsk) -> HostResult<LinkAnswer> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = if answers.len() > 1 { answers.pop() } else { answers.last().cloned() };
        match answer {
            None | Some(WorldLinkAnswer::Defer) => Ok(LinkAnswer::Defer),
            Some(WorldLinkAnswer::Allow) => Ok(LinkAnswer::Allow),
            Some(WorldLinkAnswer::Deny { reason }) => Ok(LinkAnswer::Deny { reason: Some(reason) }),
            Some(WorldLinkAnswer::Fail { text }) => Err(HostError::new(text)),
        }
    }
}
