//! What the loader itself complains about.

use std::sync::Arc;

use portcullis_core::policy::{IssueKind, PolicyIssue};

use super::catalogue as lints;
use super::{Finding, Lint, place_at};
use crate::source::{Place, SourceFile};

pub(super) fn findings(source: &Arc<SourceFile>, issues: &[PolicyIssue]) -> Vec<Finding> {
    issues.iter().map(|issue| one(source, issue)).collect()
}

fn one(source: &Arc<SourceFile>, issue: &PolicyIssue) -> Finding {
    let place = match (issue.line, issue.column) {
        (Some(line), column) => place_at(source, line, column.unwrap_or(1)),
        (None, _) => Place::START,
    };
    let member = if issue.member.is_empty() { String::new() } else { format!("{}: ", issue.member) };
    Finding {
        lint: lint_of(issue.kind),
        file: Arc::clone(source),
        place,
        message: format!("{member}{}", issue.message),
        help: None,
        ignored: None,
    }
}

fn lint_of(kind: IssueKind) -> &'static Lint {
    match kind {
        IssueKind::Unreadable => &lints::UNREADABLE,
        IssueKind::Syntax => &lints::SYNTAX,
        IssueKind::DuplicateKey => &lints::DUPLICATE_KEY,
        IssueKind::UnknownMember => &lints::UNKNOWN_MEMBER,
        IssueKind::Invalid => &lints::INVALID,
        IssueKind::CannotWork => &lints::CANNOT_WORK,
        IssueKind::NearMiss => &lints::NEAR_MISS,
        IssueKind::UnansweredSurface => &lints::UNANSWERED_SURFACE,
        IssueKind::MisspeltMember => &lints::MISSPELT_MEMBER,
        IssueKind::IgnoredSetting => &lints::IGNORED_SETTING,
        IssueKind::BashInheritsAllow => &lints::BASH_INHERITS_ALLOW,
        _ => &lints::POLICY_ISSUE,
    }
}
