//! What a child does for its request while it waits (docs/spec/README.md, 5.5, 5): one that somebody swept away before a server
//! had taken it is written again, the very same (FWD-D05).
//!
//! A server that has answered a request, or saw it withdrawn, drops it by its id. It may end, though, or another one may serve
//! the same inbox; so what was once seen in the hands of a server is never written again, and nobody is asked twice.

use super::message::ForwardedRequest;
use super::posting::{Posting, Standing};

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
    pub(super) fn look(&mut self, posting: &Posting<'_>, request: &ForwardedRequest) {
        match posting.standing() {
            Standing::Waiting => {}
            Standing::Taken | Standing::Done => self.taken = true,
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
