//! Requests and responses as files (FIX-002).

use std::fs;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use portcullis_core::authority::AskSource;
use portcullis_core::authority::forwarding::AskFacts;
use serde_json::{Map, Value, json};

use super::temp_dir::fine;

fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX))
}

/// A request that is being arranged: by default the one of an old child, without source, surface, value and suggestion.
/// Every call replaces a whole member.
#[must_use = "nothing is written before `write`"]
pub struct RequestBuilder {
    folder: PathBuf,
    fields: Map<String, Value>,
    file_name: Option<String>,
    bytes: Option<Vec<u8>>,
}

impl RequestBuilder {
    pub(super) fn new(folder: PathBuf, target_session_id: &str) -> Self {
        let fields = [
            ("id", json!("req-forwarded")),
            ("createdAt", json!(now_ms())),
            ("requesterSessionId", json!("child-session")),
            ("targetSessionId", json!(target_session_id)),
            ("requesterAgentName", json!("Explore")),
            ("message", json!("Allow git push?")),
        ];
        let fields = fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        Self { folder, fields, file_name: None, bytes: None }
    }

    /// Any member, of any type.
    pub fn field(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(key.to_owned(), value.into());
        self
    }

    /// Without a member.
    pub fn without(mut self, key: &str) -> Self {
        self.fields.shift_remove(key);
        self
    }

    /// The id, and the name of the file unless [`file_name`](Self::file_name) says otherwise.
    pub fn id(self, id: &str) -> Self {
        self.field("id", id)
    }

    /// When it was made, in milliseconds since 1970.
    pub fn created_at(self, milliseconds: u64) -> Self {
        self.field("createdAt", milliseconds)
    }

    /// Who asks.
    pub fn requester_session_id(self, id: &str) -> Self {
        self.field("requesterSessionId", id)
    }

    /// Who shall answer.
    pub fn target_session_id(self, id: &str) -> Self {
        self.field("targetSessionId", id)
    }

    /// The asking agent.
    pub fn requester_agent_name(self, name: &str) -> Self {
        self.field("requesterAgentName", name)
    }

    /// The ask message.
    pub fn message(self, text: &str) -> Self {
        self.field("message", text)
    }

    /// What the ask is about.
    pub fn source(self, source: AskSource) -> Self {
        self.field("source", source.as_str())
    }

    /// The display pair of an old child.
    pub fn display(self, surface: Option<&str>, value: Option<&str>) -> Self {
        self.field("surface", surface).field("value", value)
    }

    /// The suggestion of an old child.
    pub fn session_approval(self, surface: &str, patterns: &[&str]) -> Self {
        self.field("sessionApproval", json!({ "surface": surface, "patterns": patterns }))
    }

    /// What this implementation sends beside the old members: version, nonce, no display pair, facts.
    pub fn with_facts(self, nonce: &str, facts: &AskFacts) -> Self {
        let facts = serde_json::to_value(facts).unwrap_or_default();
        self.display(None, None).field("version", 2).field("nonce", nonce).field("facts", facts)
    }

    /// The suggestion as surface-pattern pairs.
    pub fn grants(self, pairs: &[(&str, &str)]) -> Self {
        self.field("grants", json!(pairs))
    }

    /// Another name of the file.
    pub fn file_name(mut self, name: &str) -> Self {
        self.file_name = Some(name.to_owned());
        self
    }

    /// These bytes instead of the members.
    pub fn raw(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.bytes = Some(bytes.as_ref().to_vec());
        self
    }

    /// Writes `requests/<id>.json`, plainly, and gives back the merged request.
    pub fn write(self) -> Value {
        let id = self.fields.get("id").and_then(Value::as_str).unwrap_or_default();
        let name = self.file_name.clone().unwrap_or_else(|| format!("{id}.json"));
        let request = Value::Object(self.fields);
        let bytes = self.bytes.unwrap_or_else(|| request.to_string().into_bytes());
        fine(fs::write(self.folder.join(name), bytes));
        request
    }
}

/// A response that is being arranged: by default a plain yes of the folder's session.
#[must_use = "nothing is written before `write`"]
pub struct ResponseBuilder {
    path: PathBuf,
    fields: Map<String, Value>,
    bytes: Option<Vec<u8>>,
}

impl ResponseBuilder {
    pub(super) fn new(path: PathBuf, responder_session_id: &str) -> Self {
        let fields = [
            ("approved", json!(true)),
            ("state", json!("approved")),
            ("responderSessionId", json!(responder_session_id)),
            ("respondedAt", json!(now_ms())),
        ];
        Self { path, fields: fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(), bytes: None }
    }

    /// Any member, of any type.
    pub fn field(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(key.to_owned(), value.into());
        self
    }

    /// Without a member.
    pub fn without(mut self, key: &str) -> Self {
        self.fields.shift_remove(key);
        self
    }

    /// The state, with `approved` to match.
    pub fn state(self, state: portcullis_core::authority::DecisionState) -> Self {
        self.field("approved", state.is_approved()).field("state", state.as_str())
    }

    /// A no with a reason.
    pub fn denied_with_reason(self, reason: &str) -> Self {
        self.state(portcullis_core::authority::DecisionState::DeniedWithReason).field("denialReason", reason)
    }

    /// What a response of this implementation echoes.
    pub fn nonce(self, nonce: &str) -> Self {
        self.field("version", 2).field("nonce", nonce)
    }

    /// These bytes instead of the members.
    pub fn raw(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.bytes = Some(bytes.as_ref().to_vec());
        self
    }

    /// Writes `responses/<id>.json`, plainly, and gives back the merged response.
    pub fn write(self) -> Value {
        let response = Value::Object(self.fields);
        let bytes = self.bytes.unwrap_or_else(|| response.to_string().into_bytes());
        fine(fs::write(self.path, bytes));
        response
    }
}
