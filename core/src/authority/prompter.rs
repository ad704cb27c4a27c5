//! The bracket around every ask (AUTH-015, 5.4): `waiting`, the answer of a link or of the authority, then `approved` or `denied`, once each.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::ask::AskDetails;
use super::chain::AuthorizerChain;
use super::decision::{Authorizer, PermissionPromptDecision, PromptPermissionDetails};
use super::denying::unavailable;
use super::resolution::review_resolution;
use crate::host::boundary::guarded;
use crate::host::{HostError, HostResult};
use crate::report::{Cause, DecidedByKind};

/// Writes lines of the review log.
pub trait ReviewLogWriter {
    /// Writes one line. The log in life never fails towards its writers (EVT-008); a double may.
    fn write_review_log(&self, event: &str, fields: Map<String, Value>) -> HostResult<()>;
}

/// Puts asks to the selected authority, within their bracket.
pub struct AskPrompter<'a> {
    log: &'a dyn ReviewLogWriter,
    authority: Option<Arc<dyn Authorizer>>,
    chain: Option<AuthorizerChain<'a>>,
}

impl<'a> AskPrompter<'a> {
    /// A prompter for the authority that the last activation selected; `None` outside of one.
    pub fn new(log: &'a dyn ReviewLogWriter, authority: Option<Arc<dyn Authorizer>>) -> Self {
        Self { log, authority, chain: None }
    }

    /// Links answer before the authority does. A session that only relays consults none (HARD-046).
    #[must_use]
    pub fn with_chain(mut self, chain: AuthorizerChain<'a>) -> Self {
        self.chain = self.authority.as_ref().filter(|authority| !authority.relays()).map(|_| chain);
        self
    }

    /// Answers one ask. Without an authority, or with a failing one, this is an error and no denial (AUTH-003); the bracket
    /// is closed in every case (FWD-D13).
    pub fn prompt_permission(&self, ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision> {
        self.log.write_review_log("permission_request.waiting", bracket_fields(ask, None, None))?;
        let answer = match &self.authority {
            // A dialog that panics is a failing authority too: its bracket is closed.
            Some(authority) => guarded(|| self.answer(authority.as_ref(), ask)),
            None => Err(HostError::new("no authority is selected for this session")),
        };
        match answer {
            Ok(decision) => {
                self.log.write_review_log(closing_event(&decision), closing_fields(ask, &decision))?;
                Ok(decision)
            }
            Err(error) => {
                // The call ends in this error; one of the log itself on the way says nothing new.
                let fields = bracket_fields(ask, Some("gate_error"), None);
                let _closed = self.log.write_review_log("permission_request.denied", fields);
                Err(error)
            }
        }
    }
}

impl AskPrompter<'_> {
    /// 5.4, 2 and 3: the links in order, then the terminal, which cannot defer.
    fn answer(&self, terminal: &dyn Authorizer, ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision> {
        let by_link = self.chain.map(|chain| chain.consult(ask, self.log)).transpose()?.flatten();
        match by_link {
            Some(decision) if decision.is_approved() && terminal.has_ended() => {
                Ok(unavailable(DecidedByKind::Nobody, Cause::SessionEnded))
            }
            Some(decision) => Ok(decision),
            None => terminal.authorize(ask),
        }
    }
}

fn closing_event(decision: &PermissionPromptDecision) -> &'static str {
    if decision.is_approved() { "permission_request.approved" } else { "permission_request.denied" }
}

fn closing_fields(ask: &PromptPermissionDetails, decision: &PermissionPromptDecision) -> Map<String, Value> {
    let mut fields = bracket_fields(ask, Some(review_resolution(decision)), decision.denial_reason.as_deref());
    let granted = decision.granted_pairs(ask.suggestion.as_ref());
    if !granted.is_empty() {
        // The width of a grant is part of the record (HARD-040).
        let pairs = granted.iter().map(|(surface, pattern)| json!({"surface": surface, "pattern": pattern}));
        fields.insert("granted".to_owned(), pairs.collect());
    }
    fields
}

/// The fixed fields of AUTH-015, absent ones as null.
fn bracket_fields(ask: &PromptPermissionDetails, resolution: Option<&str>, denial_reason: Option<&str>) -> Map<String, Value> {
    let details: &AskDetails = &ask.details;
    let texts = [
        ("requestId", Some(ask.request_id.as_str())),
        ("source", Some(details.source.as_str())),
        ("agentName", details.agent_name.as_deref()),
        ("message", Some(details.message_for_records())),
        ("toolCallId", details.tool_call_id.as_deref()),
        ("toolName", details.tool_name.as_deref()),
        ("skillName", details.skill_name.as_deref()),
        ("path", details.path.as_deref()),
        ("command", details.command.as_deref()),
        ("target", details.target.as_deref()),
        ("toolInputPreview", details.tool_input_preview.as_deref()),
        ("resolution", resolution),
        ("denialReason", denial_reason),
    ];
    texts.into_iter().map(|(key, text)| (key.to_owned(), text.into())).collect()
}

#[cfg(test)]
mod tests;
