//! The decision event E and the words in it (EVT-004, RES-35, RES-38; closed lists of docs/spec/README.md, section 6).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::policy::words;

words! {
    /// Whether the gate let the call through.
    DecisionResult {
        /// Yes.
        Allow => "allow",
        /// No.
        Deny => "deny",
    }
}

words! {
    /// Why, in the words of E. R spells [`Resolution::PolicyDeny`] as `policy_denied`.
    Resolution {
        /// A rule allows.
        PolicyAllow => "policy_allow",
        /// A rule denies.
        PolicyDeny => "policy_deny",
        /// The permissive mode.
        AutoApproved => "auto_approved",
        /// A grant of this session.
        SessionApproved => "session_approved",
        /// A harness file (GATE-013).
        InfrastructureAutoAllowed => "infrastructure_auto_allowed",
        /// The person, this once.
        UserApproved => "user_approved",
        /// The person, and something was stored.
        UserApprovedForSession => "user_approved_for_session",
        /// The person's no.
        UserDenied => "user_denied",
        /// Nobody could be asked.
        ConfirmationUnavailable => "confirmation_unavailable",
        /// A link's yes.
        LinkApproved => "link_approved",
        /// A link's no.
        LinkDenied => "link_denied",
        /// The serving session's rule allows.
        ForwardedPolicyAllow => "forwarded_policy_allow",
        /// The serving session's rule denies.
        ForwardedPolicyDeny => "forwarded_policy_deny",
        /// A grant there.
        ForwardedSessionApproved => "forwarded_session_approved",
        /// The permissive mode there.
        ForwardedAutoApproved => "forwarded_auto_approved",
        /// The gate failed.
        GateError => "gate_error",
        /// The call has no known tool or the wrong shape.
        InvalidCall => "invalid_call",
    }
}

words! {
    /// Who decided.
    DecidedByKind {
        /// A rule.
        Rule => "rule",
        /// A grant of the session.
        SessionGrant => "session_grant",
        /// The exemption of harness files.
        Infrastructure => "infrastructure",
        /// The permissive mode.
        PermissiveMode => "permissive_mode",
        /// A person.
        User => "user",
        /// A link of the chain.
        Link => "link",
        /// Nobody could be reached.
        Nobody => "nobody",
        /// The way to the answerer failed.
        Transport => "transport",
        /// The gate failed.
        GateError => "gate_error",
        /// The call could not be judged.
        InvalidCall => "invalid_call",
    }
}

words! {
    /// In which session it was decided.
    DecidedWhere {
        /// The session that asked.
        Own => "own",
        /// The session that serves it.
        Serving => "serving",
    }
}

words! {
    /// Why nobody decided.
    Cause {
        /// No person, no parent.
        NoAuthority => "no_authority",
        /// No target.
        NoTarget => "no_target",
        /// The target is oneself.
        SelfTarget => "self_target",
        /// The target is not there.
        TargetAbsent => "target_absent",
        /// The target's heartbeat is old.
        TargetStale => "target_stale",
        /// The target's process is gone.
        TargetDead => "target_dead",
        /// Waited too long.
        Timeout => "timeout",
        /// The request could not be written.
        WriteFailed => "write_failed",
        /// The response is not one.
        ResponseInvalid => "response_invalid",
        /// The request was refused as invalid.
        InvalidRequest => "invalid_request",
        /// The request was too old.
        Expired => "expired",
        /// The serving session failed.
        ServingError => "serving_error",
        /// The session ended first.
        SessionEnded => "session_ended",
    }
}

impl Cause {
    /// The kind of decision that this cause stands behind (HARD-048): nobody could be reached or stayed to answer, or the way
    /// there and back failed.
    pub fn decided_by_kind(self) -> DecidedByKind {
        match self {
            Self::NoAuthority
            | Self::NoTarget
            | Self::SelfTarget
            | Self::TargetAbsent
            | Self::TargetStale
            | Self::TargetDead
            | Self::Timeout
            | Self::SessionEnded => DecidedByKind::Nobody,
            Self::WriteFailed | Self::ResponseInvalid | Self::InvalidRequest | Self::Expired | Self::ServingError => {
                DecidedByKind::Transport
            }
        }
    }
}

/// Who decided, in E and D (RES-38).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DecidedBy {
    /// Kind.
    pub kind: DecidedByKind,
    /// Session.
    #[serde(rename = "where")]
    pub where_: DecidedWhere,
    /// The deciding rule's or grant's pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The rule's or person's reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why nobody decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The link's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl DecidedBy {
    /// A decision of this kind in the own session, without further words.
    pub fn own(kind: DecidedByKind) -> Self {
        Self { kind, where_: DecidedWhere::Own, pattern: None, reason: None, cause: None, name: None }
    }
}

/// The payload of `permissions:decision`. The seven baseline members come first; nulls are written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PermissionDecisionEvent {
    /// The gate's surface; never a member of a family (RES-17).
    pub surface: String,
    /// What was decided about, masked (RES-41).
    pub value: String,
    /// Whether it goes ahead.
    pub result: DecisionResult,
    /// Why.
    pub resolution: Resolution,
    /// Who contributed the answer.
    pub origin: Option<crate::policy::Origin>,
    /// The active agent.
    pub agent_name: Option<String>,
    /// The pattern or sentinel.
    pub matched_pattern: Option<String>,
    /// The gate that decided (closed list, section 6), or the end outside the gates.
    pub gate: String,
    /// The id of the ask, when there was one (RES-37).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The surface as the winning rule spells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_surface: Option<String>,
    /// Who decided.
    pub decided_by: DecidedBy,
}
