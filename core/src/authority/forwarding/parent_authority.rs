//! The authority of a child: its parent, asked through files (docs/spec/README.md, 5.5).
//!
//! The ask blocks until an answer is there, the waiting time is over, the target shows no life, or the session ends. Whatever
//! goes wrong on the way, nobody decided: the ask is unavailable with a cause, and never a person's no (HARD-048).

use std::sync::Arc;

use super::answer::{Answer, Expected, read_answer};
use super::care::Care;
use super::exchange::Exchange;
use super::heartbeat::Liveness;
use super::location::{ForwardingRoot, normalize_session_id};
use super::message::{FORWARDING_VERSION, ForwardedRequest};
use super::patience::{LIFELESS_MS, LifeWatch, Patience, lifeless};
use super::posting::Posting;
use super::target::{ChildIdentity, PARENT_VARIABLES, UNKNOWN};
use crate::authority::{Authorizer, PermissionPromptDecision, PromptPermissionDetails, PromptQueue, unavailable_by};
use crate::host::{ExchangeFaultKind, HostResult, IdSource, Processes};
use crate::report::{Cause, DecidedBy};

/// How many looks in a row may find a response that cannot be opened for the moment.
const MOMENTARY_LOOKS: u32 = 4;

/// What to do about a question that is too long to travel (FWD-D10).
const TOO_LARGE: &str =
    "The question is longer than the 256 KiB that are passed on. A shorter call, or the same one in parts, can be asked about.";

/// Why nobody answered, and what can be done about it.
struct Unanswered {
    cause: Cause,
    reason: Option<String>,
}

impl From<Cause> for Unanswered {
    fn from(cause: Cause) -> Self {
        Self { cause, reason: None }
    }
}

/// What a child reaches its parent with.
#[derive(Clone)]
pub struct ParentReach {
    /// The shared folders.
    pub exchange: Arc<Exchange>,
    /// Where they lie.
    pub root: ForwardingRoot,
    /// Which processes live.
    pub processes: Arc<dyn Processes>,
    /// Randomness, for nonces.
    pub ids: Arc<dyn IdSource>,
    /// How long an ask waits for its answer, in milliseconds (HARD-047).
    pub waiting_time_ms: u64,
}

/// Asks a parent session (AUTH-001).
pub struct ForwardingAuthority {
    reach: ParentReach,
    identity: ChildIdentity,
    line: Arc<PromptQueue>,
    /// The session in which this authority was selected: once it has ended, nobody is asked any more (HARD-050).
    session: u64,
}

impl ForwardingAuthority {
    /// The parent of this child; the line is the session's own and tells when it has ended.
    pub fn new(reach: ParentReach, identity: ChildIdentity, line: Arc<PromptQueue>) -> Self {
        let session = line.session();
        Self { reach, identity, line, session }
    }

    fn forward(&self, ask: &PromptPermissionDetails) -> Result<PermissionPromptDecision, Unanswered> {
        let posting = self.address(ask)?;
        self.await_life(&posting)?;
        let nonce = self.nonce();
        let request = self.send(&posting, ask, &nonce)?;
        let answered = self.await_answer(&posting, &request, &Expected { nonce: &nonce, target: &posting.target });
        self.reach.exchange.clean_up(&posting.location);
        Ok(answered?)
    }

    /// Whom to ask, and where (5.5, 1). Nothing is written.
    fn address<'a>(&'a self, ask: &'a PromptPermissionDetails) -> Result<Posting<'a>, Cause> {
        let log = self.reach.exchange.log();
        let Some(target) = self.identity.target() else {
            let [router, parent] = PARENT_VARIABLES;
            log.error(&format!("no session to ask is known: neither {router} nor {parent} names one"), None);
            return Err(Cause::NoTarget);
        };
        if normalize_session_id(self.identity.session_id.as_deref()).as_ref() == Some(&target) {
            log.error("the session to ask is this session itself", None);
            return Err(Cause::SelfTarget);
        }
        let location = self.reach.root.location(&target).map_err(|fault| {
            log.error("the session to ask has no inbox", Some(&fault.to_string()));
            Cause::NoTarget
        })?;
        Ok(Posting {
            exchange: &self.reach.exchange,
            location,
            request_id: &ask.request_id,
            requester_agent_name: ask.details.agent_name.as_deref().unwrap_or(UNKNOWN),
            requester_session_id: self.identity.requester_session_id(),
            target,
        })
    }

    /// Waits a while for a living target (5.5, 2).
    fn await_life(&self, posting: &Posting<'_>) -> Result<(), Cause> {
        let mut patience = Patience::begin(&self.reach.exchange);
        loop {
            self.still_wanted()?;
            let Some(cause) = lifeless(self.liveness(posting)) else { return Ok(()) };
            if patience.elapsed() >= LIFELESS_MS {
                posting.log_target_unavailable(cause);
                return Err(cause);
            }
            patience.wait();
        }
    }

    fn liveness(&self, posting: &Posting<'_>) -> Liveness {
        let ParentReach { exchange, processes, .. } = &self.reach;
        let serving = self.identity.registry.serving();
        Liveness::of(exchange, &posting.location, &posting.target, serving, processes.as_ref())
    }

    /// Writes the request (5.5, 3 and 4). A message that nobody could read is not written.
    fn send(&self, posting: &Posting<'_>, ask: &PromptPermissionDetails, nonce: &str) -> Result<ForwardedRequest, Unanswered> {
        let exchange = &self.reach.exchange;
        if exchange.prepare_inbox(&posting.location).is_err() {
            exchange.log().error("the inbox of the session to ask is unavailable", None);
            return Err(Cause::WriteFailed.into());
        }
        posting.log_created();
        let request = request(posting, ask, nonce, exchange.now_ms());
        match exchange.write_request(&posting.location, posting.request_id, &request) {
            Ok(()) => Ok(request),
            Err(fault) => {
                exchange.log().error("the request could not be written", Some(&fault.message));
                // A rename may have failed after it was done.
                posting.withdraw();
                exchange.clean_up(&posting.location);
                // What is wrong with the call itself, whoever makes it can mend.
                let reason = (fault.kind == ExchangeFaultKind::TooLarge).then(|| TOO_LARGE.to_owned());
                Err(Unanswered { cause: Cause::WriteFailed, reason })
            }
        }
    }

    /// Waits for the answer (5.5, 5 and 6). Giving up takes the request back.
    fn await_answer(
        &self,
        posting: &Posting<'_>,
        request: &ForwardedRequest,
        expected: &Expected<'_>,
    ) -> Result<PermissionPromptDecision, Cause> {
        let mut patience = Patience::begin(&self.reach.exchange);
        let mut watch = LifeWatch::default();
        let (mut momentary, mut care) = (0, Care::default());
        loop {
            if let Err(cause) = self.still_wanted() {
                return give_up(posting, expected, cause);
            }
            if let Some(answer) = look(posting, expected, &mut momentary) {
                return answer;
            }
            let elapsed = patience.elapsed();
            let mut over = (elapsed >= self.reach.waiting_time_ms).then_some(Cause::Timeout);
            if watch.is_due(elapsed) {
                let state = self.liveness(posting);
                over = watch.saw(elapsed, state).or(over);
                if state == Liveness::Alive && over.is_none() {
                    care.look(posting, request, self.reach.processes.as_ref());
                }
            }
            if let Some(cause) = over {
                return give_up(posting, expected, cause);
            }
            patience.wait();
        }
    }

    fn still_wanted(&self) -> Result<(), Cause> {
        if self.line.session() == self.session { Ok(()) } else { Err(Cause::SessionEnded) }
    }

    /// 32 hexadecimal digits that nobody can guess (FWD-D08).
    fn nonce(&self) -> String {
        let ids = &self.reach.ids;
        format!("{:016x}{:016x}", ids.random(), ids.random())
    }
}

impl Authorizer for ForwardingAuthority {
    fn authorize(&self, ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision> {
        Ok(self.forward(ask).unwrap_or_else(|Unanswered { cause, reason }| {
            let decision = unavailable_by(cause);
            PermissionPromptDecision { decided_by: DecidedBy { reason, ..decision.decided_by }, ..decision }
        }))
    }

    fn relays(&self) -> bool {
        true
    }
}

/// What is written (FWD-004). The old display pair is null and the old suggestion absent, so that an old reader could only
/// prompt (RES-55).
fn request(posting: &Posting<'_>, ask: &PromptPermissionDetails, nonce: &str, now_ms: u64) -> ForwardedRequest {
    ForwardedRequest {
        id: ask.request_id.clone(),
        created_at: now_ms,
        requester_session_id: posting.requester_session_id.clone(),
        target_session_id: posting.target.clone(),
        requester_agent_name: posting.requester_agent_name.to_owned(),
        message: ask.details.message.clone(),
        source: Some(ask.details.source),
        surface: None,
        value: None,
        session_approval: None,
        version: Some(FORWARDING_VERSION),
        nonce: Some(nonce.to_owned()),
        grants: ask.suggestion.as_ref().map(|suggestion| suggestion.pairs.clone()).unwrap_or_default(),
        facts: ask.facts.as_deref().cloned(),
    }
}

/// One look for the response. A response that is there ends the ask, whatever it is (RES-61), and takes its files with it.
fn look(posting: &Posting<'_>, expected: &Expected<'_>, momentary: &mut u32) -> Option<Result<PermissionPromptDecision, Cause>> {
    let exchange = posting.exchange;
    let read = match exchange.read_message(&posting.response_path()) {
        Err(fault) if fault.kind == ExchangeFaultKind::NotFound => {
            *momentary = 0;
            return None;
        }
        Err(fault) if fault.kind == ExchangeFaultKind::Transient && *momentary < MOMENTARY_LOOKS => {
            *momentary += 1;
            return None;
        }
        Err(fault) => Err(fault.message),
        Ok(bytes) => read_answer(&bytes, exchange.now_ms(), expected),
    };
    if let Err(fault) = &read {
        exchange.log().warning("the response is not a valid answer", Some(fault));
    }
    let answer: Option<Answer> = read.ok();
    posting.log_received(answer.as_ref());
    // The request first: as long as the response stands, no server takes it for one that nobody has answered.
    posting.withdraw();
    exchange.remove(&posting.response_path());
    Some(answer.map(|answer| answer.decision).ok_or(Cause::ResponseInvalid))
}

/// Takes the request back. An answer that was given before that still counts: nobody has to answer twice.
fn give_up(posting: &Posting<'_>, expected: &Expected<'_>, cause: Cause) -> Result<PermissionPromptDecision, Cause> {
    posting.withdraw();
    if cause == Cause::SessionEnded {
        // What was answered meanwhile is nobody's any more (HARD-050).
        posting.exchange.remove(&posting.response_path());
        posting.log_withdrawn(cause);
        return Err(cause);
    }
    if let Some(answer) = look(posting, expected, &mut 0) {
        return answer;
    }
    if cause == Cause::Timeout {
        posting.exchange.log().warning("no answer came in time", None);
        posting.log_timed_out();
    } else {
        posting.log_target_unavailable(cause);
    }
    Err(cause)
}

#[cfg(test)]
mod tests;
