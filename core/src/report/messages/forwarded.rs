//! What a person is asked on behalf of another session (INBOX-011): who asks comes first, then the child's own message.
//!
//! Everything here was written by another process. It is escaped and capped, so that no name and no message can pass for
//! another line of the header, or flood the screen (FWD-D10, HARD-062).

use super::AskMessage;
use super::words::AGENT_LIMIT;
use crate::report::bounds::{bound, bound_middle};
use crate::report::escape::{visible, visible_layout};
use crate::report::masking::mask_text;
use crate::text::js_trim;

/// The longest session id in a sentence, in characters.
const SESSION_LIMIT: usize = 200;
/// The longest message of a child on the screen, in characters.
const MESSAGE_LIMIT: usize = 8_000;
/// The most lines of it.
const MESSAGE_LINES: usize = 200;

/// What a forwarded ask says about itself, as it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ForwardedAsk<'a> {
    /// The asking agent; blank stands for an unknown one.
    pub agent: &'a str,
    /// The asking session; blank stands for an unknown one.
    pub session: &'a str,
    /// What the child would have shown.
    pub message: &'a str,
    /// The same with every fact in full; empty when `message` is.
    pub full_message: &'a str,
    /// What is broken in the policy of the session that serves, when something is (RES-07).
    pub policy_fault: Option<&'a str>,
}

/// The message of a forwarded ask: agent and session, an empty line, the child's message.
///
/// ```
/// use portcullis_core::report::messages::{ForwardedAsk, forwarded_ask};
///
/// let ask = ForwardedAsk { agent: "Explore", session: "c1", message: "Allow git push?", ..ForwardedAsk::default() };
/// assert_eq!(forwarded_ask(ask).message, "Subagent 'Explore' in session 'c1' asks:\n\nAllow git push?");
/// ```
pub fn forwarded_ask(ask: ForwardedAsk<'_>) -> AskMessage {
    let whole = visible_layout(ask.message);
    let message = joined(ask, &capped(&whole));
    let full = if ask.full_message.is_empty() { whole } else { visible_layout(ask.full_message) };
    let full = joined(ask, &full);
    let full_message = if full == message { String::new() } else { full };
    let record_message = joined(ask, &capped(&visible_layout(&mask_text(ask.message))));
    AskMessage { message, full_message, record_message }
}

fn joined(ask: ForwardedAsk<'_>, message: &str) -> String {
    let named = |name: &str, limit| {
        let name = if js_trim(name).is_empty() { "unknown" } else { name };
        bound(&visible(name), limit)
    };
    let (agent, session) = (named(ask.agent, AGENT_LIMIT), named(ask.session, SESSION_LIMIT));
    let mut text = format!("Subagent '{agent}' in session '{session}' asks:");
    if let Some(fault) = ask.policy_fault {
        text.push_str(&format!("\nPolicy is broken: {}", bound_middle(&visible(fault), MESSAGE_LIMIT)));
    }
    // An empty message leaves the provenance alone (INBOX-011).
    if !message.is_empty() {
        text.push_str("\n\n");
        text.push_str(message);
    }
    text
}

/// Few enough lines and characters to leave the header on the screen; head and tail stay.
fn capped(message: &str) -> String {
    super::sheet::bound_lines(message, MESSAGE_LINES, MESSAGE_LIMIT)
}

#[cfg(test)]
mod tests;
