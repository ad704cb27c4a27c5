//! The policy of one call, put together from the files of a plan.

use std::sync::Arc;

use super::super::config::{FileSettings, Finding};
use super::super::issue::{IssueKind, PolicyIssue};
use super::super::legacy::legacy_notice;
use super::super::locations::PolicyLocations;
use super::super::mcp_servers::order_servers;
use super::super::rule::{PermissionState, Scope};
use super::super::scope::{LoadedScope, ScopeStatus};
use super::super::settings::{IgnoredSetting, RuntimeSettings, SettingsSource, merge_settings};
use super::look::Look;
use super::parsed::ParsedFile;
use super::plan::{Plan, Slot};
use super::{Key, Reader};
use crate::host::Trust;

/// The policy of one call: four scopes, settings, issues, known MCP servers (RES-11).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicySnapshot {
    /// Global, project, agent, project-agent, in this order.
    pub scopes: Vec<LoadedScope>,
    /// The settings in force.
    pub settings: RuntimeSettings,
    /// All complaints of this load, file by file.
    pub issues: Vec<PolicyIssue>,
    /// Known MCP servers, longest first (CFG-035, RES-16).
    pub mcp_servers: Vec<String>,
    /// What the host said about the project.
    pub trust: Trust,
    /// Settings of a project that do not count (RES-03), by member name.
    pub ignored_settings: Vec<String>,
    /// What the four policy files looked like (CFG-033, POLICY-D19), for the trace.
    pub stamp: String,
}

impl PolicySnapshot {
    /// Whether every composed allow becomes ask (HARD-012).
    pub fn clamp(&self) -> bool {
        self.scopes.iter().any(|scope| scope.status == ScopeStatus::Broken)
    }

    /// The scopes whose files cannot be used.
    pub fn broken(&self) -> Vec<Scope> {
        self.scopes.iter().filter(|scope| scope.status == ScopeStatus::Broken).map(|scope| scope.scope).collect()
    }

    /// All issues in one text, a line each (CFG-029); `None` without issues.
    pub fn warning(&self) -> Option<String> {
        if self.issues.is_empty() {
            return None;
        }
        let lines: Vec<String> = self.issues.iter().map(ToString::to_string).collect();
        Some(lines.join("\n"))
    }
}

/// Reads the files of a plan and puts them together.
pub(crate) fn assemble(reader: &mut Reader<'_>, places: &PolicyLocations, key: &Key) -> PolicySnapshot {
    let plan = &key.plan;
    let mut assembly = Assembly { reader, places, issues: Vec::new() };
    let legacy_global = assembly.legacy(Scope::Global, &plan.legacy_global);
    let legacy_extension = assembly.legacy(Scope::Global, &plan.legacy_extension);
    let global = assembly.config(Scope::Global, &plan.global);
    let legacy_project = assembly.legacy(Scope::Project, &plan.legacy_project);
    let project = assembly.config(Scope::Project, &plan.project);
    let agent = assembly.agent(Scope::Agent, &plan.agent);
    let project_agent = assembly.agent(Scope::ProjectAgent, &plan.project_agent);

    let mut issues = assembly.issues;
    let layers = [
        (SettingsSource::User, &legacy_global),
        (SettingsSource::User, &legacy_extension),
        (SettingsSource::User, &global),
        (SettingsSource::Project, &legacy_project),
        (SettingsSource::Project, &project),
    ];
    let (settings, ignored) = merge_settings(&layers.map(|(source, file)| (source, &file.settings)));
    issues.extend(ignored.iter().filter_map(|ignored| ignored_issue(ignored, layers.get(ignored.layer)?.1)));
    issues.extend(bash_inherits_allow(&layers.map(|(_, file)| &file.scope), &[&global.scope, &project.scope]));
    issues.extend(untrusted_issue(plan));
    PolicySnapshot {
        scopes: [global, project, agent, project_agent].map(|file| file.scope.clone()).into(),
        settings,
        issues,
        mcp_servers: mcp_servers(reader, plan),
        trust: key.trust,
        ignored_settings: ignored.iter().map(|ignored| ignored.member.to_owned()).collect(),
        stamp: plan.stamp(),
    }
}

struct Assembly<'a, 'r> {
    reader: &'a mut Reader<'r>,
    places: &'a PolicyLocations,
    issues: Vec<PolicyIssue>,
}

impl Assembly<'_, '_> {
    fn config(&mut self, scope: Scope, slot: &Slot) -> Arc<ParsedFile> {
        match slot {
            Slot::File(path, look) => {
                let file = self.reader.config(scope, path, look);
                self.keep(file)
            }
            other => without_file(scope, other),
        }
    }

    fn agent(&mut self, scope: Scope, slot: &Slot) -> Arc<ParsedFile> {
        match slot {
            Slot::File(path, look) => {
                let file = self.reader.agent(scope, path, look);
                self.keep(file)
            }
            Slot::UnusableName => {
                let mut file = ParsedFile::clone(&without_file(scope, slot));
                file.scope.status = ScopeStatus::Broken;
                file.scope.rejected_by = IssueKind::AgentName.beyond_the_package();
                let message = "the agent's name cannot be part of a path, so its policy cannot be found";
                file.issues.push(Finding::whole(IssueKind::AgentName, message).located(Some(scope), &"".into()));
                self.keep(Arc::new(file))
            }
            other => without_file(scope, other),
        }
    }

    fn legacy(&mut self, scope: Scope, slot: &Slot) -> Arc<ParsedFile> {
        let Slot::File(path, look) = slot else { return without_file(scope, slot) };
        if *look == Look::Missing {
            return without_file(scope, slot);
        }
        let new = if scope == Scope::Project { self.places.project_config() } else { None };
        let new = new.unwrap_or_else(|| self.places.global_config());
        self.issues.push(legacy_notice(path, &new, self.places.platform()).located(None, path));
        self.reader.legacy(scope, path, look)
    }

    fn keep(&mut self, file: Arc<ParsedFile>) -> Arc<ParsedFile> {
        self.issues.extend_from_slice(&file.issues);
        file
    }
}

fn without_file(scope: Scope, slot: &Slot) -> Arc<ParsedFile> {
    let (file, status): (Arc<str>, _) = match slot {
        Slot::NotRead(path) => (Arc::clone(path), ScopeStatus::NotRead),
        Slot::File(path, _) => (Arc::clone(path), ScopeStatus::Absent),
        Slot::Nowhere(_) | Slot::UnusableName => ("".into(), ScopeStatus::Absent),
    };
    let scope = LoadedScope::empty(scope, file, status);
    Arc::new(ParsedFile { scope, settings: FileSettings::default(), issues: Vec::new() })
}

fn ignored_issue(ignored: &IgnoredSetting, file: &ParsedFile) -> Option<PolicyIssue> {
    let finding = Finding {
        at: ignored.at,
        member: ignored.member.to_owned(),
        kind: IgnoredSetting::KIND,
        message: format!("setting ignored: {}", ignored.message),
    };
    Some(finding.located(Some(file.scope.scope), &file.scope.file))
}

/// CFG-028: the universal default is allow and nobody wrote a catch-all for `bash`. The package counts legacy files too,
/// although their rules have no effect; the warning is given when either count calls for it.
fn bash_inherits_allow(with_legacy: &[&LoadedScope], in_force: &[&LoadedScope]) -> Option<PolicyIssue> {
    let scope = inheriting(in_force).or_else(|| inheriting(with_legacy))?;
    let (_, place) = scope.default.as_ref()?;
    Some(PolicyIssue {
        scope: Some(scope.scope),
        file: scope.file.to_string(),
        line: Some(place.line),
        column: Some(place.column),
        member: "permission.*".to_owned(),
        kind: IssueKind::BashInheritsAllow,
        message: "`bash` inherits allow from the universal default; give it a policy of its own, for example \
                  \"bash\": { \"*\": \"ask\" }"
            .to_owned(),
    })
}

/// The scope whose plain allow is the universal default that `bash` inherits, if it does.
fn inheriting<'a>(scopes: &[&'a LoadedScope]) -> Option<&'a LoadedScope> {
    let owner = scopes.iter().rev().find(|scope| scope.default.is_some())?;
    let allows = matches!(owner.default, Some((PermissionState::Allow, _)));
    let has_own = scopes.iter().flat_map(|scope| &scope.rules).any(|rule| &*rule.surface == "bash" && &*rule.pattern == "*");
    (allows && !has_own).then_some(*owner)
}

fn untrusted_issue(plan: &Plan) -> Option<PolicyIssue> {
    let Slot::NotRead(path) = &plan.project else { return None };
    let message = "the project is not trusted: its policy, agent files and MCP list are not read";
    plan.withheld.then(|| Finding::whole(IssueKind::Untrusted, message).located(Some(Scope::Project), path))
}

fn mcp_servers(reader: &mut Reader<'_>, plan: &Plan) -> Vec<String> {
    let mut names = Vec::new();
    for slot in [&plan.mcp, &plan.project_mcp] {
        if let Slot::File(path, look) = slot {
            names.extend_from_slice(&reader.servers(path, look));
        }
    }
    order_servers(names)
}
