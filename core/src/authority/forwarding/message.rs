//! Request and response as they stand in files (FWD-004, FWD-006, 5.5, RES-55).

use serde::Serialize;

use super::facts::AskFacts;
use crate::authority::{AskSource, DecisionState};
use crate::report::DecidedBy;

/// The version that this implementation writes.
pub const FORWARDING_VERSION: u64 = 2;

/// A request. Keys are written in this order; `surface` and `value` are null in what this implementation writes (RES-55).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ForwardedRequest {
    /// The id, also the stem of the file's name (FWD-003).
    pub id: String,
    /// Milliseconds since 1970.
    pub created_at: u64,
    /// Who asks.
    pub requester_session_id: String,
    /// Who shall answer.
    pub target_session_id: String,
    /// The asking agent, or `unknown`.
    pub requester_agent_name: String,
    /// The ask message.
    pub message: String,
    /// What the ask is about; absent in old requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<AskSource>,
    /// The display pair's surface, of old requests.
    pub surface: Option<String>,
    /// The display pair's value, of old requests.
    pub value: Option<String>,
    /// The old shape of the suggestion: read, never written (RES-58).
    #[serde(skip)]
    pub session_approval: Option<LegacyApproval>,
    /// The version; absent in old requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// 32 hexadecimal digits that the response echoes (FWD-D08).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonce: Option<String>,
    /// The suggestion as surface-pattern pairs (HARD-042).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub grants: Vec<(String, String)>,
    /// The facts (HARD-009).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<AskFacts>,
}

/// The old shape of a suggestion (FWD-004).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegacyApproval {
    /// The surface.
    pub surface: String,
    /// All patterns.
    pub patterns: Vec<String>,
}

/// A response (FWD-006).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ForwardedResponse {
    /// Whether the call goes ahead; fits `state`.
    pub approved: bool,
    /// The state; never the internal one.
    pub state: DecisionState,
    /// The reason of a no.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub denial_reason: Option<String>,
    /// Who answered.
    pub responder_session_id: String,
    /// Milliseconds since 1970.
    pub responded_at: u64,
    /// The version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The request's nonce.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonce: Option<String>,
    /// Who decided (HARD-048); of a rule its pattern and reason, never its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<DecidedBy>,
}
