//! What one call is judged with (RES-11): policy, settings, skills and paths, read once. It answers the questions of gates.

use std::sync::Arc;

use super::agent_memory::ActiveAgent;
use super::composed_policy::ComposedPolicy;
use super::permission_session::{Bound, PermissionSession};
use super::registries::Registries;
use super::session_rules::SessionRules;
use super::suggestion;
use crate::access::path::{AccessPath, PathNormalizer};
use crate::gates::{
    CallFacts, CallTarget, FactSources, GateResolver, GrantSuggester, SkillInputGateInputs, SkillPromptEntry, ToolCallContext,
    ToolCallGateInputs, ToolPreviews, collect_call_facts,
};
use crate::host::{HostResult, Platform};
use crate::policy::{PermissionCheckResult, PermissionResolver, Question, RuntimeSettings};
use crate::report::SnapshotTrace;

/// How long the parse of one command may take (RES-54).
const PARSE_PATIENCE_MS: u64 = 2_000;

/// The snapshot of one call.
pub struct CallSnapshot<'a> {
    policy: Arc<ComposedPolicy>,
    settings: RuntimeSettings,
    /// By which requirement the permissive mode of the last reload is off, where it is.
    permissive_lost: Option<&'static str>,
    skills: Vec<SkillPromptEntry>,
    agent: ActiveAgent,
    bound: Bound,
    rules: &'a SessionRules,
    registries: &'a Registries,
    platform: Platform,
    substitute: Option<&'a (dyn GateResolver + Send + Sync)>,
    detail: bool,
}

impl<'a> CallSnapshot<'a> {
    /// Takes the snapshot. `detail` asks for every rule that was looked at; that costs a scan for each question.
    pub fn take(
        session: &'a PermissionSession,
        registries: &'a Registries,
        bound: &Bound,
        agent: &ActiveAgent,
        tools: &[String],
        detail: bool,
    ) -> Self {
        let policy = session.policy(bound, agent, tools);
        let in_force = session.settings();
        let was_permissive = in_force.yolo_mode;
        let settings = settings_of_call(in_force, &policy.snapshot.settings);
        let lost = if policy.snapshot.clamp() { "HARD-012" } else { "POLICY-D19" };
        Self {
            policy,
            permissive_lost: (was_permissive && !settings.yolo_mode).then_some(lost),
            settings,
            skills: session.skill_entries(),
            agent: agent.clone(),
            bound: bound.clone(),
            rules: session.session_rules(),
            registries,
            platform: session.platform(),
            substitute: session.substitute_resolver(),
            detail,
        }
    }

    /// The policy.
    pub fn policy(&self) -> &ComposedPolicy {
        &self.policy
    }

    /// The settings.
    pub fn settings(&self) -> &RuntimeSettings {
        &self.settings
    }

    /// Paths of the session.
    pub(super) fn normalizer(&self) -> &PathNormalizer {
        &self.bound.normalizer
    }

    /// The flavour of paths.
    pub(super) fn platform(&self) -> Platform {
        self.platform
    }

    /// The session directory.
    pub(super) fn cwd(&self) -> &str {
        &self.bound.cwd
    }

    /// What a trace says about it.
    pub fn trace(&self) -> SnapshotTrace {
        self.policy.trace(&self.agent)
    }
}

/// The settings of the last reload (CFG-029), as far as the files still stand behind what loosens: a file that broke or was
/// changed since neither keeps the permissive mode on (RES-06, RULE-021) nor exempts a folder.
fn settings_of_call(mut in_force: RuntimeSettings, now: &RuntimeSettings) -> RuntimeSettings {
    in_force.yolo_mode &= now.yolo_mode;
    in_force.pi_infrastructure_read_paths.retain(|path| now.pi_infrastructure_read_paths.contains(path));
    in_force
}

impl GateResolver for CallSnapshot<'_> {
    fn resolve(&self, question: &Question) -> PermissionCheckResult {
        if let Some(substitute) = self.substitute {
            return substitute.resolve(question);
        }
        PermissionResolver {
            rules: &self.policy.rules,
            without_tag_agent: self.policy.without_tag_agent.as_ref(),
            session: &self.rules.snapshot(),
            clamp: self.policy.snapshot.clamp(),
            permissive: self.settings.yolo_mode,
            permissive_lost: self.permissive_lost,
            detail: self.detail,
        }
        .resolve(question)
    }
}

impl GrantSuggester for CallSnapshot<'_> {
    fn suggest_bash(&self, text: &str) -> Option<String> {
        suggestion::suggest_bash_pattern(text)
    }

    fn suggest_peeled(&self, own: &str, inner: &str) -> Option<String> {
        suggestion::suggest_peeled_pattern(own, inner)
    }

    fn suggest_path(&self, path: &AccessPath) -> Vec<String> {
        suggestion::suggest_path_patterns(path, self.platform)
    }
}

impl SkillInputGateInputs for CallSnapshot<'_> {
    fn session_directory(&self) -> String {
        let canonical = Some(self.normalizer().canonical_cwd()).filter(|cwd| !cwd.is_empty());
        canonical.unwrap_or(self.cwd()).to_owned()
    }

    fn policy_fault(&self) -> Option<String> {
        self.policy.fault()
    }

    fn resolver(&self) -> &dyn GateResolver {
        self
    }
}

impl ToolCallGateInputs for CallSnapshot<'_> {
    fn call_facts(&self, context: &ToolCallContext) -> HostResult<CallFacts> {
        let rules = &self.policy.rules;
        let extractors = self.registries.extractors_in_force();
        let clock = &self.registries.clock;
        let start = clock.now_ms();
        collect_call_facts(
            context,
            &FactSources {
                shell_tools: &self.settings.shell_tools,
                mcp_servers: &self.policy.snapshot.mcp_servers,
                extractors: &extractors,
                normalizer: &self.bound.normalizer,
                infrastructure: &self.registries.infrastructure(&self.settings),
                is_promotable: &|token| rules.is_promotable(token),
                could_hit_absolute: &|word| rules.absolute_restriction_could_end_with(word),
                out_of_time: &|| clock.now_ms().saturating_sub(start) > PARSE_PATIENCE_MS,
            },
        )
    }

    fn active_skill_entries(&self) -> Vec<SkillPromptEntry> {
        self.skills.clone()
    }

    fn tool_previews(&self, context: &ToolCallContext, facts: &CallFacts) -> HostResult<ToolPreviews> {
        let surface = match &facts.target {
            CallTarget::Shell(_) => "bash",
            CallTarget::Mcp(_) => "mcp",
            CallTarget::Skill(_) | CallTarget::PathTool | CallTarget::Extension => context.tool_name.as_str(),
        };
        self.registries.previews(&self.settings, context, surface)
    }

    fn policy_fault(&self) -> Option<String> {
        self.policy.fault()
    }

    fn resolver(&self) -> &dyn GateResolver {
        self
    }

    fn suggester(&self) -> &dyn GrantSuggester {
        self
    }
}
