//! What a child does for its request while it waits (docs/spec/README.md, 5.5, 5): one that somebody swept away before a server
//! had taken it is written again, the very same (FWD-D05); one whose server was killed is put back for another (FWD-D09).
//!
//! A server that has answered a request, or saw it withdrawn, drops it by its id. It may end, though, or another one may serve
//! the same inbox; so what was once seen in the hands of a server is never written again, and nobody is asked twice.

use super::message::ForwardedRequest;
use super::posting::{Posting, Standing};
use crate::host::Processes;

/// How often one request is written again.
const WRITTEN_AGAIN: u32 = 8;

/// What was seen of one request.
#[derive(Default)]
pub(super) struct Care {
    written_again: u32,
    taken: bool,
}

impl Care {
    /// One look, while the target lives.
    pub(super) fn look(&mut self, posting: &Posting<'_>, request: &ForwardedRequest, processes: &dyn Processes) {
        match posting.standing() {
            Standing::Waiting => {}
            Standing::Taken => {
                self.taken = true;
                hand_back(posting, processes);
            }
            Standing::Done => self.taken = true,
            Standing::Lost => self.write_again(posting, request),
        }
    }

    fn write_again(&mut self, posting: &Posting<'_>, request: &ForwardedRequest) {
        if self.taken || self.written_again >= WRITTEN_AGAIN {
            return;
        }
        self.written_again += 1;
        let written = posting.exchange.write_request(&posting.location, posting.request_id, request);
        let fault = written.err().map(|fault| fault.message);
        posting.exchange.log().warning("the request was swept away, and is written again", fault.as_deref());
    }
}

/// A claim of a process that is gone, while another one serves the same inbox. What it had answered stands.
fn hand_back(posting: &Posting<'_>, processes: &dyn Processes) {
    let Posting { exchange, location, request_id, .. } = posting;
    let owners = exchange.owners(location, request_id);
    let gone = !owners.is_empty() && owners.iter().all(|owner| owner.is_gone(processes));
    // Looked for last: who is gone answers no more.
    if !gone || !exchange.is_absent(&posting.response_path()) {
        return;
    }
    let handed = exchange.hand_back(location, request_id, &owners);
    let fault = handed.err().map(|fault| fault.message);
    exchange.log().warning("the session that had taken the request is gone, and it is put back", fault.as_deref());
}
