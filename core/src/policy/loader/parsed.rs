//! One policy file after reading: its scope, its settings, its issues.

use std::sync::Arc;

use super::super::config::{FilePolicy, FileSettings, Finding, Keep, unanswered_surfaces, validate};
use super::super::front_matter::read_agent_file;
use super::super::issue::{IssueKind, PolicyIssue};
use super::super::json::{Document, parse_json};
use super::super::rule::Scope;
use super::super::scope::{LoadedScope, ScopeStatus};
use super::look::FileText;

/// A file that was read.
#[derive(Debug, Clone)]
pub(crate) struct ParsedFile {
    /// Its rules. For a legacy file they serve one warning only (CFG-028).
    pub(crate) scope: LoadedScope,
    /// Its settings, unless it is broken (CFG-008).
    pub(crate) settings: FileSettings,
    /// Its issues.
    pub(crate) issues: Vec<PolicyIssue>,
}

impl ParsedFile {
    fn empty(scope: Scope, file: &Arc<str>, status: ScopeStatus) -> Self {
        let scope = LoadedScope::empty(scope, Arc::clone(file), status);
        Self { scope, settings: FileSettings::default(), issues: Vec::new() }
    }

    fn unreadable(scope: Scope, file: &Arc<str>, message: String) -> Self {
        let mut parsed = Self::empty(scope, file, ScopeStatus::Broken);
        parsed.issues.push(Finding::whole(IssueKind::Unreadable, message).located(Some(scope), file));
        parsed
    }
}

/// Reads a configuration file of a scope.
pub(crate) fn parse_config(scope: Scope, file: &Arc<str>, text: FileText, known_tools: &[String]) -> ParsedFile {
    let text = match text {
        FileText::Missing => return ParsedFile::empty(scope, file, ScopeStatus::Absent),
        FileText::Unreadable(message) => return ParsedFile::unreadable(scope, file, message),
        FileText::Text(text) => text,
    };
    let located = |findings: Vec<Finding>| findings.into_iter().map(|finding| finding.located(Some(scope), file)).collect();
    let document = match parse_json(&text) {
        Ok(document) => document,
        Err(fault) => {
            let mut parsed = ParsedFile::empty(scope, file, ScopeStatus::Broken);
            parsed.issues = located(vec![Finding::syntax(&fault)]);
            return parsed;
        }
    };
    let (mut findings, settings) = validate(&document, known_tools);
    let broken = findings.iter().any(|finding| finding.kind.breaks_file());
    if let Some(permission) = document.root.get("permission") {
        findings.extend(unanswered_surfaces(permission, "permission", known_tools));
    }
    let policy = policy_of(&document, if broken { Keep::Restrictions } else { Keep::All });
    let status = if broken { ScopeStatus::Broken } else { ScopeStatus::Ok };
    let rejected_by = if broken { rejection(&findings) } else { None };
    ParsedFile {
        scope: LoadedScope { rejected_by, ..policy.into_scope(scope, file, status) },
        settings: if broken { FileSettings::default() } else { settings },
        issues: located(findings),
    }
}

/// Reads a legacy file (CFG-027): judged as the package judges it, its content issues suppressed.
pub(crate) fn parse_legacy(scope: Scope, file: &Arc<str>, text: FileText) -> ParsedFile {
    let FileText::Text(text) = text else { return ParsedFile::empty(scope, file, ScopeStatus::Absent) };
    let Ok(document) = parse_json(&text) else { return ParsedFile::empty(scope, file, ScopeStatus::Broken) };
    let (findings, settings) = validate(&document, &[]);
    if findings.iter().any(|finding| finding.kind.is_baseline()) {
        return ParsedFile::empty(scope, file, ScopeStatus::Broken);
    }
    let scope = policy_of(&document, Keep::All).into_scope(scope, file, ScopeStatus::Ok);
    ParsedFile { scope, settings, issues: Vec::new() }
}

/// Reads an agent file.
pub(crate) fn parse_agent(scope: Scope, file: &Arc<str>, text: FileText, known_tools: &[String]) -> ParsedFile {
    let text = match text {
        FileText::Missing => return ParsedFile::empty(scope, file, ScopeStatus::Absent),
        FileText::Unreadable(message) => return ParsedFile::unreadable(scope, file, message),
        FileText::Text(text) => text,
    };
    let agent = read_agent_file(&text, known_tools);
    let broken = agent.findings.iter().any(|finding| finding.kind.breaks_file());
    let status = match (broken, &agent.policy) {
        (true, _) => ScopeStatus::Broken,
        (false, Some(_)) => ScopeStatus::Ok,
        (false, None) => ScopeStatus::Absent,
    };
    let rejected_by = agent
        .reads_otherwise
        .then_some("POLICY-D12")
        .or_else(|| rejection(&agent.findings).filter(|_| broken))
        .or_else(|| agent.widens_nothing.then_some("HARD-012"));
    ParsedFile {
        scope: LoadedScope { rejected_by, ..agent.policy.unwrap_or_default().into_scope(scope, file, status) },
        settings: FileSettings::default(),
        issues: agent.findings.into_iter().map(|finding| finding.located(Some(scope), file)).collect(),
    }
}

/// By which requirement a file is rejected that the package takes; nothing when it rejects the file as well.
fn rejection(findings: &[Finding]) -> Option<&'static str> {
    let taken = !findings.iter().any(|finding| finding.kind.is_baseline());
    findings.iter().find_map(|finding| finding.kind.beyond_the_package()).filter(|_| taken)
}

fn policy_of(document: &Document, keep: Keep) -> FilePolicy {
    let mut policy = FilePolicy::default();
    for member in document.root.members().unwrap_or_default().iter().filter(|member| member.key == "permission") {
        policy.read(&member.value, keep);
    }
    policy
}
