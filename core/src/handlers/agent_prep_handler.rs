//! The event `before_agent_start` (HAND-021, TOOL-008): which tools are switched on, and what the prompt lists. Runs anew every
//! turn; writes no review line and no decision event.

use std::sync::Arc;

use serde_json::Value;

use super::agent_prep::{ExposedTools, ListedSkill, filter_skills, narrow_tool_listing};
use super::services::{Services, tool_names};
use super::settings::reload_settings;
use crate::access::path::{Base, WordResolver as _};
use crate::access::tool_name_of;
use crate::gates::{GateNotifier as _, GateResolver, SkillPromptEntry};
use crate::host::boundary::guarded;
use crate::host::{HostContext, HostError, HostResult, Platform};
use crate::policy::{PermissionState, Question};
use crate::report::messages;
use crate::session::{Bound, CallSnapshot};

/// Owns `before_agent_start`.
pub struct AgentPrepHandler {
    services: Arc<Services>,
}

impl AgentPrepHandler {
    pub(crate) fn new(services: Arc<Services>) -> Self {
        Self { services }
    }

    /// Prepares a turn; gives the new system prompt when it changed. A failure leaves the host's own state, and is told: what
    /// is visible is still gated.
    pub fn handle_before_agent_start(&self, event: &Value, context: Option<&Arc<dyn HostContext>>) -> Option<String> {
        match guarded(|| self.prepare(event, context)) {
            Ok(prompt) => prompt,
            Err(error) => {
                if let Ok(bound) = self.services.session.bound() {
                    self.services.notifier(&bound).warn(&messages::gate_error(&error.message));
                }
                None
            }
        }
    }

    fn prepare(&self, event: &Value, context: Option<&Arc<dyn HostContext>>) -> HostResult<Option<String>> {
        let context = context.ok_or_else(|| HostError::new("the event came without a context"))?;
        let services = &self.services;
        let bound = services.activate(context)?;
        let registered = tool_names(&services.host.tools.get_all()?);
        reload_settings(services, &bound, &registered);
        let prompt = event.get("systemPrompt").and_then(Value::as_str);
        let agent = services.session.resolve_agent_name(&bound.context, prompt)?;
        let snapshot = CallSnapshot::take(&services.session, &services.registries, &bound, &agent, &registered, false);
        services.announce_broken_scopes(&bound, snapshot.policy());
        let allowed = self.expose(&snapshot, &registered)?;
        let Some(prompt) = prompt else {
            services.session.set_skill_entries(Vec::new());
            return Ok(None);
        };
        let narrowed = narrow_tool_listing(prompt, &allowed);
        let narrowed = narrowed.as_deref().unwrap_or(prompt);
        let filtered = self.skills(narrowed, &snapshot, &bound);
        Ok((filtered != prompt).then_some(filtered))
    }

    /// Switches off what no rule lets through (RES-25), and on again what became reachable.
    fn expose(&self, snapshot: &CallSnapshot<'_>, registered: &[String]) -> HostResult<Vec<String>> {
        let services = &self.services;
        let active: Vec<String> = services.host.tools.get_active()?.iter().filter_map(tool_name_of).collect();
        let policy = snapshot.policy();
        let exposed = ExposedTools::of(&active, &services.session.withheld_tools(), registered, |tool| policy.is_hidden(tool));
        services.host.tools.set_active(&exposed.allowed)?;
        services.session.set_withheld_tools(exposed.withheld);
        Ok(exposed.allowed)
    }

    /// Hides denied skills from the prompt and remembers every entry for the first gate (POLICY-D17).
    fn skills(&self, prompt: &str, snapshot: &CallSnapshot<'_>, bound: &Bound) -> String {
        let state_of = |name: &str| {
            let check = snapshot.resolve(&Question {
                surface: "skill".to_owned(),
                values: vec![name.to_owned()],
                without_session: true,
                ..Question::default()
            });
            (check.state, check.reason)
        };
        let filtered = filter_skills(prompt, &state_of);
        let entries = filtered.skills.iter().filter_map(|skill| skill_entry(skill, bound)).collect();
        self.services.session.set_skill_entries(entries);
        filtered.prompt
    }
}

/// The entry that the first gate needs: where the skill's file is, before and after links. Locations are cleaned like shell
/// words (TOOL-015).
fn skill_entry(skill: &ListedSkill, bound: &Bound) -> Option<SkillPromptEntry> {
    let path = bound.normalizer.resolve_word(&skill.location, &Base::Known(bound.cwd.clone()))?;
    Some(SkillPromptEntry {
        name: skill.name.clone(),
        state: skill.state,
        reason: skill.reason.clone(),
        base_directory: parent(&path.lexical, bound.normalizer.platform()),
        location: path.lexical,
        canonical_base_directory: parent(&path.canonical, bound.normalizer.platform()),
        canonical_location: path.canonical,
        baseline: skill.state != PermissionState::Deny,
    })
}

fn parent(path: &str, platform: Platform) -> String {
    let separator = if platform == Platform::Windows { '\\' } else { '/' };
    match path.rsplit_once(separator) {
        Some(("", _)) => separator.to_string(),
        Some((parent, _)) => parent.to_owned(),
        None => String::new(),
    }
}
