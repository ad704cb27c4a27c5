//! The links that may answer an ask before its terminal does (HARD-044, HARD-045; docs/spec/README.md, 5.4, 2).
//!
//! A link has power only when the configuration names it. It is asked in configured order, its yes is for this call only and
//! counts on no family of paths, and one that is missing, fails or takes too long defers: then the next is asked, and in the end
//! the terminal, which cannot defer.

mod bounded;
mod patience;
mod registry;

use std::sync::Arc;

use serde_json::{Map, Value, json};

use self::patience::ask_link;
use super::ask::{AskSource, ForwardedFrom};
use super::decision::{DecisionState, PermissionPromptDecision, PromptPermissionDetails};
use super::forwarding::AskFacts;
use super::prompter::ReviewLogWriter;
use crate::host::HostResult;
use crate::report::{DecidedBy, DecidedByKind};
use crate::text::non_blank;

use bounded::exclusion;
pub use registry::{LinkNameTaken, LinkRegistration, LinkRegistry};

/// What a link is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkAsk {
    /// The id of the ask (RES-37).
    pub request_id: String,
    /// What the ask is about.
    pub source: AskSource,
    /// The gate that asks; `None` when an old child did not say.
    pub gate: Option<String>,
    /// Its surface; `None` when an old child did not say.
    pub surface: Option<String>,
    /// The asking agent.
    pub agent_name: Option<String>,
    /// The message as a person would read it.
    pub message: String,
    /// The session that asks, when it is another one.
    pub forwarding: Option<ForwardedFrom>,
    /// Everything that asks, each by itself.
    pub facts: Option<Arc<AskFacts>>,
}

/// What a link answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkAnswer {
    /// This call may go ahead, as far as a link may say so (HARD-045).
    Allow,
    /// It may not.
    Deny {
        /// Why; the agent reads it.
        reason: Option<String>,
    },
    /// Somebody else shall answer.
    Defer,
}

/// An automatic answerer.
pub trait Link: Send + Sync {
    /// The name by which the configuration calls it.
    fn name(&self) -> &str;
    /// Answers one ask. An error defers, and so does an answer that takes too long.
    fn decide(&self, ask: &LinkAsk) -> HostResult<LinkAnswer>;
}

/// What the chain needs of the session that consults it.
pub trait ChainSession {
    /// The names of the links, in configured order.
    fn configured_links(&self) -> Vec<String>;
    /// Whether this session knows a surface; on another one no link may allow.
    fn knows_surface(&self, surface: &str) -> bool;
    /// Says once that a configured link is not there.
    fn announce_missing_link(&self, name: &str);
}

/// The chain of one session.
#[derive(Clone, Copy)]
pub struct AuthorizerChain<'a> {
    /// Who registered.
    pub links: &'a LinkRegistry,
    /// What is configured and known.
    pub session: &'a dyn ChainSession,
    /// How long a link may take, in milliseconds.
    pub patience_ms: u64,
}

impl AuthorizerChain<'_> {
    /// The first decision of a link; `None`: all of them deferred, or there are none.
    pub fn consult(
        &self,
        ask: &PromptPermissionDetails,
        log: &dyn ReviewLogWriter,
    ) -> HostResult<Option<PermissionPromptDecision>> {
        let mut names = self.session.configured_links();
        if names.is_empty() {
            return Ok(None);
        }
        let mut seen = std::collections::HashSet::new();
        names.retain(|name| seen.insert(name.clone()));
        let asked = Arc::new(link_ask(ask));
        for name in names {
            let Some(link) = self.links.get(&name) else {
                log.write_review_log("authorizer.link_missing", line(ask, &name))?;
                self.session.announce_missing_link(&name);
                continue;
            };
            match ask_link(&link, &asked, self.patience_ms) {
                Ok(answer) => {
                    let excluded = exclusion(&asked, &|surface| self.session.knows_surface(surface));
                    let decision = decision(&name, &answer, excluded);
                    log.write_review_log("authorizer.link_decided", decided_line(ask, &name, &answer, excluded))?;
                    if decision.is_some() {
                        return Ok(decision);
                    }
                }
                Err(error) => {
                    let mut fields = line(ask, &name);
                    fields.insert("error".to_owned(), json!(error.message));
                    log.write_review_log("authorizer.link_failed", fields)?;
                }
            }
        }
        Ok(None)
    }
}

fn link_ask(ask: &PromptPermissionDetails) -> LinkAsk {
    LinkAsk {
        request_id: ask.request_id.clone(),
        source: ask.details.source,
        gate: ask.facts.as_ref().map(|facts| facts.gate.clone()),
        surface: ask.facts.as_ref().map(|facts| facts.surface.clone()),
        agent_name: ask.details.agent_name.clone(),
        message: ask.details.message.clone(),
        forwarding: ask.details.forwarding.clone(),
        facts: ask.facts.clone(),
    }
}

/// What an answer comes to: an allow counts where nothing excludes it, for this call only.
fn decision(name: &str, answer: &LinkAnswer, excluded: Option<&'static str>) -> Option<PermissionPromptDecision> {
    let (state, denial_reason) = match answer {
        LinkAnswer::Allow if excluded.is_none() => (DecisionState::Approved, None),
        LinkAnswer::Allow | LinkAnswer::Defer => return None,
        LinkAnswer::Deny { reason } => match reason.as_deref().and_then(non_blank) {
            Some(reason) => (DecisionState::DeniedWithReason, Some(reason.to_owned())),
            None => (DecisionState::Denied, None),
        },
    };
    Some(PermissionPromptDecision {
        state,
        both_directions: false,
        confirmation_unavailable: false,
        decided_by: DecidedBy {
            name: Some(name.to_owned()),
            reason: denial_reason.clone(),
            ..DecidedBy::own(DecidedByKind::Link)
        },
        denial_reason,
    })
}

fn line(ask: &PromptPermissionDetails, name: &str) -> Map<String, Value> {
    [("requestId", ask.request_id.as_str()), ("link", name)]
        .map(|(key, text)| (key.to_owned(), text.into()))
        .into_iter()
        .collect()
}

fn decided_line(
    ask: &PromptPermissionDetails,
    name: &str,
    answer: &LinkAnswer,
    excluded: Option<&'static str>,
) -> Map<String, Value> {
    let mut fields = line(ask, name);
    let (word, reason) = match answer {
        LinkAnswer::Allow => ("allow", None),
        LinkAnswer::Deny { reason } => ("deny", reason.as_deref().and_then(non_blank)),
        LinkAnswer::Defer => ("defer", None),
    };
    fields.insert("answer".to_owned(), json!(word));
    fields.insert("reason".to_owned(), json!(reason));
    if let (LinkAnswer::Allow, Some(excluded)) = (answer, excluded) {
        // It counted for nothing more than a word.
        fields.insert("excluded".to_owned(), json!(excluded));
    }
    fields
}

#[cfg(test)]
mod tests;
