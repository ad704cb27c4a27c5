//! A complaint about a text, before scope and file are known.

use std::sync::Arc;

use super::super::issue::{IssueKind, PolicyIssue};
use super::super::json::{Duplicate, Position, TextFault};
use super::super::rule::Scope;

/// An issue without its file (POLICY-D05 adds it).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The place, when it is known.
    pub(crate) at: Option<Position>,
    /// The location (CFG-014).
    pub(crate) member: String,
    /// The kind.
    pub(crate) kind: IssueKind,
    /// The words.
    pub(crate) message: String,
}

impl Finding {
    pub(crate) fn new(at: Position, member: impl Into<String>, kind: IssueKind, message: impl Into<String>) -> Self {
        Self { at: Some(at), member: member.into(), kind, message: message.into() }
    }

    /// A value of the wrong kind.
    pub(crate) fn invalid(at: Position, member: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(at, member, IssueKind::Invalid, message)
    }

    /// Something about the whole file.
    pub(crate) fn whole(kind: IssueKind, message: impl Into<String>) -> Self {
        Self { at: None, member: String::new(), kind, message: message.into() }
    }

    /// A text that does not parse.
    pub(crate) fn syntax(fault: &TextFault) -> Self {
        Self::new(fault.at, "", IssueKind::Syntax, fault.message.clone())
    }

    /// A repeated key (HARD-061).
    pub(crate) fn duplicate(duplicate: &Duplicate) -> Self {
        Self::new(duplicate.at, duplicate.location.clone(), IssueKind::DuplicateKey, "this key stands twice in one object")
    }

    /// The issue with its scope and file.
    pub(crate) fn located(self, scope: Option<Scope>, file: &Arc<str>) -> PolicyIssue {
        PolicyIssue {
            scope,
            file: file.to_string(),
            line: self.at.map(|at| at.line),
            column: self.at.map(|at| at.column),
            member: self.member,
            kind: self.kind,
            message: self.message,
        }
    }
}
