//! Questions of other extensions (EVT-017 to EVT-019): the same walk as for a call, left without any record.

use super::services::{Services, tool_names};
use crate::host::HostResult;
use crate::policy::{PermissionCheckResult, PermissionState};
use crate::session::{ActiveAgent, CallSnapshot};
use crate::text::js_trim;

impl Services {
    /// The answer of rules and grants for a surface and a value.
    pub(crate) fn query(&self, surface: &str, value: Option<&str>, agent: Option<&str>) -> HostResult<PermissionCheckResult> {
        self.snapshot_for(agent)?.answer(surface, value)
    }

    /// The answer for a tool as a whole (RULE-022); next to a broken file nothing is allowed (HARD-012).
    pub(crate) fn tool_permission(&self, tool: &str, agent: Option<&str>) -> HostResult<PermissionState> {
        let snapshot = self.snapshot_for(agent)?;
        let policy = snapshot.policy();
        let state = policy.rules.tool_level_state(js_trim(tool));
        let raised = state == PermissionState::Allow && policy.snapshot.clamp();
        Ok(if raised { PermissionState::Ask } else { state })
    }

    fn snapshot_for(&self, agent: Option<&str>) -> HostResult<CallSnapshot<'_>> {
        let bound = self.session.bound()?;
        let tools = tool_names(&self.host.tools.get_all()?);
        let agent = ActiveAgent { name: agent.filter(|name| !name.is_empty()).map(str::to_owned), from_tag: false };
        Ok(CallSnapshot::take(&self.session, &self.registries, &bound, &agent, &tools, false))
    }
}
