//! Agent files: Markdown with a block of settings on top (CFG-017 to CFG-020, RES-09, POLICY-D12).
//!
//! The block is YAML 1.2 and its `permission` is validated like that of a configuration file. A block that is no YAML is
//! read once more by the package's line format, for deny and ask only, so that a lost quote never loses a lock-down.

mod block;
mod lines;
mod yaml;

use super::config::{FilePolicy, Finding, Keep, unanswered_surfaces, validate_permission};
use super::issue::IssueKind;
use super::json::{Document, TextFault};
use super::rule::PermissionState;
use block::Block;

/// What an agent file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct AgentFile {
    /// Everything that is wrong or odd.
    pub(crate) findings: Vec<Finding>,
    /// Its rules; only deny and ask when a finding breaks the file. `None` when it says nothing about permissions.
    pub(crate) policy: Option<FilePolicy>,
    /// The package's line format reads other rules out of the block (POLICY-D12): the trace has to know.
    pub(crate) reads_otherwise: bool,
    /// A finding breaks the file, of which the package drops an entry only: what else it allows and asks counts there, and widens nothing
    /// here (HARD-012). The trace has to know.
    pub(crate) widens_nothing: bool,
}

/// Reads the text of an agent file.
pub(crate) fn read_agent_file(text: &str, known_tools: &[String]) -> AgentFile {
    match block::find(text) {
        Block::None => AgentFile::default(),
        Block::Found(source) => match yaml::parse_yaml(&source, 1) {
            Ok(document) => {
                let reads_otherwise = rules_of(&document) != rules_of(&lines::parse_lines(&source, 1));
                AgentFile { reads_otherwise, ..from_yaml(&document, known_tools) }
            }
            Err(fault) => salvaged(&fault, &source),
        },
        Block::Broken(fault, source) => salvaged(&fault, &source),
    }
}

fn from_yaml(document: &Document, known_tools: &[String]) -> AgentFile {
    let root = &document.root;
    let Some(members) = root.members() else {
        return match root.value {
            super::json::NodeValue::Null => AgentFile::default(),
            _ => {
                let message = format!("expected a map of settings, found {}", root.kind());
                AgentFile {
                    findings: vec![Finding::invalid(root.at, "", message)],
                    policy: Some(FilePolicy::default()),
                    ..AgentFile::default()
                }
            }
        };
    };
    let mut findings = Vec::new();
    let mut present = false;
    for member in members.iter().filter(|member| member.key == "permission") {
        present = true;
        findings.extend(validate_permission(&member.value, "permission", known_tools));
        findings.extend(unanswered_surfaces(&member.value, "permission", known_tools));
    }
    findings.extend(document.duplicates.iter().map(Finding::duplicate));
    findings.extend(members.iter().filter(|member| looks_like_permission(&member.key)).map(|member| {
        let message = "this member is ignored; did you mean `permission`?";
        Finding::new(member.at, member.key.clone(), IssueKind::MisspeltMember, message)
    }));
    let broken = findings.iter().any(|finding| finding.kind.breaks_file());
    if !present && !broken {
        return AgentFile { findings, ..AgentFile::default() };
    }
    let policy = policy_of(document, if broken { Keep::Restrictions } else { Keep::All });
    let widens_nothing = broken && rules_of(document).iter().any(|(_, _, state)| *state != PermissionState::Deny);
    AgentFile { findings, policy: Some(policy), widens_nothing, ..AgentFile::default() }
}

fn policy_of(document: &Document, keep: Keep) -> FilePolicy {
    let mut policy = FilePolicy::default();
    for member in document.root.members().unwrap_or_default().iter().filter(|member| member.key == "permission") {
        policy.read(&member.value, keep);
    }
    policy
}

/// The rules without their places: what two readings of one block are compared by.
fn rules_of(document: &Document) -> Vec<(String, String, PermissionState)> {
    let FilePolicy { default, entries, .. } = policy_of(document, Keep::All);
    let default = default.map(|(state, _)| ("*".to_owned(), String::new(), state));
    let entries = entries.into_iter().map(|entry| (entry.surface.to_string(), entry.pattern.to_string(), entry.action));
    default.into_iter().chain(entries).collect()
}

fn salvaged(fault: &TextFault, source: &str) -> AgentFile {
    let document = lines::parse_lines(source, 1);
    let policy = Some(policy_of(&document, Keep::Restrictions));
    AgentFile { findings: vec![Finding::syntax(fault)], policy, reads_otherwise: true, widens_nothing: false }
}

fn looks_like_permission(key: &str) -> bool {
    key != "permission" && key.len() <= 16 && strsim::osa_distance(&key.to_lowercase(), "permission") <= 2
}

#[cfg(test)]
mod tests;
