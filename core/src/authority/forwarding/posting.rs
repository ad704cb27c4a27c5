//! One forwarded ask on its way: whose, to whom, where its files lie, and the review lines about it (INBOX-021).

use serde_json::{Map, Value};

use super::answer::Answer;
use super::exchange::Exchange;
use super::location::InboxLocation;
use crate::report::Cause;

/// One ask of a child to a target.
pub(super) struct Posting<'a> {
    pub(super) exchange: &'a Exchange,
    pub(super) location: InboxLocation,
    pub(super) request_id: &'a str,
    pub(super) requester_agent_name: &'a str,
    pub(super) requester_session_id: String,
    pub(super) target: String,
}

/// Where a request stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nobody has taken it.
    Waiting,
    /// A server has claimed it.
    Taken,
    /// It was answered, or set aside.
    Done,
    /// Nothing of it is there.
    Lost,
}

impl Posting<'_> {
    pub(super) fn request_path(&self) -> String {
        self.location.request_file(self.request_id)
    }

    pub(super) fn response_path(&self) -> String {
        self.location.response_file(self.request_id)
    }

    /// Takes the request back, whether a server has claimed it or not.
    pub(super) fn withdraw(&self) {
        self.exchange.remove(&self.request_path());
        self.exchange.remove(&self.location.claim_file(self.request_id));
        for owner in self.exchange.owners(&self.location, self.request_id) {
            self.exchange.unsign(&self.location, self.request_id, owner);
        }
    }

    /// Where the request stands. Looked for in the order in which a server moves it on, so that none that is under way is taken
    /// for lost.
    pub(super) fn standing(&self) -> Standing {
        let Self { location, request_id, .. } = self;
        let stands = |path: String| !self.exchange.is_absent(&path);
        if stands(location.request_file(request_id)) {
            Standing::Waiting
        } else if stands(location.claim_file(request_id)) {
            Standing::Taken
        } else if stands(location.aside_file(request_id)) || stands(location.response_file(request_id)) {
            Standing::Done
        } else {
            Standing::Lost
        }
    }

    /// Before the request is written (FWD-010).
    pub(super) fn log_created(&self) {
        self.log(
            "forwarded_permission.request_created",
            [
                ("requesterAgentName", text(self.requester_agent_name)),
                ("requesterSessionId", text(&self.requester_session_id)),
                ("targetSessionId", text(&self.target)),
                ("requestPath", text(&self.request_path())),
                ("responsePath", text(&self.response_path())),
            ],
        );
    }

    /// A response came; nulls when it is no answer.
    pub(super) fn log_received(&self, answer: Option<&Answer>) {
        let response = answer.map(|answer| &answer.response);
        let optional = |text: Option<&str>| Value::from(text);
        self.log(
            "forwarded_permission.response_received",
            [
                ("approved", response.map(|response| response.approved).into()),
                ("state", optional(response.map(|response| response.state.as_str()))),
                ("denialReason", optional(response.and_then(|response| response.denial_reason.as_deref()))),
                ("responderSessionId", optional(response.map(|response| response.responder_session_id.as_str()))),
                ("targetSessionId", text(&self.target)),
                ("responsePath", text(&self.response_path())),
            ],
        );
    }

    /// Nobody answered in time (FWD-013).
    pub(super) fn log_timed_out(&self) {
        self.log(
            "forwarded_permission.response_timed_out",
            [
                ("requesterAgentName", text(self.requester_agent_name)),
                ("targetSessionId", text(&self.target)),
                ("responsePath", text(&self.response_path())),
            ],
        );
    }

    /// The target showed no life (RES-60).
    pub(super) fn log_target_unavailable(&self, cause: Cause) {
        self.log_given_up("forwarded_permission.target_unavailable", cause);
    }

    /// The child does not want the answer any more.
    pub(super) fn log_withdrawn(&self, cause: Cause) {
        self.log_given_up("forwarded_permission.withdrawn", cause);
    }

    fn log_given_up(&self, event: &str, cause: Cause) {
        self.log(
            event,
            [
                ("requesterAgentName", text(self.requester_agent_name)),
                ("requesterSessionId", text(&self.requester_session_id)),
                ("targetSessionId", text(&self.target)),
                ("cause", text(cause.as_str())),
            ],
        );
    }

    fn log<const N: usize>(&self, event: &str, fields: [(&str, Value); N]) {
        let id = ("requestId", text(self.request_id));
        let fields: Map<String, Value> = std::iter::once(id).chain(fields).map(|(key, value)| (key.to_owned(), value)).collect();
        self.exchange.log().review(event, fields);
    }
}

fn text(text: &str) -> Value {
    Value::from(text)
}
