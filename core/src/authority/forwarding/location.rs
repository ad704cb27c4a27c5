//! Where the messages of a session lie (FWD-001), and which ids name one (SUB-011).

use std::fmt;

use super::encode::encode_component;
use crate::text::non_blank;

/// The label of the one kind of location in logs (FWD-001).
pub const LOCATION_LABEL: &str = "primary";

/// The usable form of a session id: trimmed; blank or `unknown` in any case is none (SUB-011).
///
/// ```
/// use portcullis_core::authority::forwarding::normalize_session_id;
/// assert_eq!(normalize_session_id(Some(" a b ")).as_deref(), Some("a b"));
/// assert_eq!(normalize_session_id(Some(" UNKNOWN ")), None);
/// ```
pub fn normalize_session_id(id: Option<&str>) -> Option<String> {
    non_blank(id?).filter(|id| !id.eq_ignore_ascii_case("unknown")).map(str::to_owned)
}

/// Whether an id may name files: `[A-Za-z0-9_-]{1,128}` (FWD-D02).
pub fn usable_request_id(id: &str) -> bool {
    (1..=128).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// Why a session has no location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocationFault {
    /// The kind.
    pub kind: LocationFaultKind,
}

/// The kinds of fault of a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LocationFaultKind {
    /// The id is blank or `unknown` (SUB-011).
    NoSessionId,
}

impl fmt::Display for LocationFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            LocationFaultKind::NoSessionId => f.write_str("the session id is blank or unknown"),
        }
    }
}

impl std::error::Error for LocationFault {}

/// The folder below which sessions exchange messages: `<agent dir>/sessions/permission-forwarding`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForwardingRoot {
    path: String,
    sessions: String,
}

impl ForwardingRoot {
    /// The root of an agent directory. Nothing is created.
    pub fn new(agent_dir: &str) -> Self {
        // Both systems take this separator, and one before it changes nothing.
        let above = if agent_dir == "/" { "" } else { agent_dir.trim_end_matches('/') };
        Self::at(&[above, "/sessions/permission-forwarding"].concat())
    }

    /// A root at this very path.
    pub fn at(path: &str) -> Self {
        Self { path: path.to_owned(), sessions: in_folder(path, "sessions") }
    }

    /// The root's path.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The folder that holds one folder a session. Never removed (FWD-014).
    pub fn sessions(&self) -> &str {
        &self.sessions
    }

    /// Where the messages of a serving session lie.
    ///
    /// ```
    /// use portcullis_core::authority::forwarding::ForwardingRoot;
    /// let location = ForwardingRoot::new("/home/me/.pi/agent").location(" p1 ").unwrap();
    /// assert_eq!(location.session_dir(), "/home/me/.pi/agent/sessions/permission-forwarding/sessions/p1");
    /// ```
    pub fn location(&self, session_id: &str) -> Result<InboxLocation, LocationFault> {
        let id = normalize_session_id(Some(session_id)).ok_or(LocationFault { kind: LocationFaultKind::NoSessionId })?;
        Ok(InboxLocation { session_dir: in_folder(&self.sessions, &encode_component(&id)) })
    }
}

/// The folders of one serving session. An id that no file may be named after is encoded, so that no path leads out of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboxLocation {
    session_dir: String,
}

impl InboxLocation {
    /// The session's folder.
    pub fn session_dir(&self) -> &str {
        &self.session_dir
    }

    /// What waits for an answer.
    pub fn requests(&self) -> String {
        in_folder(&self.session_dir, "requests")
    }

    /// The answers.
    pub fn responses(&self) -> String {
        in_folder(&self.session_dir, "responses")
    }

    /// The request of this id.
    pub fn request_file(&self, id: &str) -> String {
        self.in_requests(id, "json")
    }

    /// The same request once a server has taken it (5.6, 2).
    pub fn claim_file(&self, id: &str) -> String {
        self.in_requests(id, "claim")
    }

    /// The same request once it was set aside, because no response to it can be written (5.6, 7).
    pub fn aside_file(&self, id: &str) -> String {
        self.in_requests(id, "aside")
    }

    /// The response to the request of this id.
    pub fn response_file(&self, id: &str) -> String {
        [&self.session_dir, "/responses/", &safe_stem(id), ".json"].concat()
    }

    /// A file of the requests folder by the name under which it was listed.
    pub fn request_named(&self, file_name: &str) -> String {
        in_folder(&self.requests(), &safe_name(file_name))
    }

    /// The sign of life of the serving session (RES-60).
    pub fn heartbeat_file(&self) -> String {
        in_folder(&self.session_dir, "heartbeat.json")
    }

    pub(super) fn in_requests(&self, id: &str, ending: &str) -> String {
        [&self.session_dir, "/requests/", &safe_stem(id), ".", ending].concat()
    }
}

/// Sessions look for messages all the time: paths are put together without the formatter.
fn in_folder(folder: &str, name: &str) -> String {
    [folder, "/", name].concat()
}

fn safe_stem(id: &str) -> String {
    if usable_request_id(id) { id.to_owned() } else { encode_component(id) }
}

/// A listed name holds no separator, so it is what it says; anything else is encoded.
fn safe_name(name: &str) -> String {
    let plain = !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', '\0']);
    if plain { name.to_owned() } else { encode_component(name) }
}

#[cfg(test)]
mod tests;
