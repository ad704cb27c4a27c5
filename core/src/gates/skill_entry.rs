//! A skill of the agent's prompt, as the first gate needs it (TOOL-015, RES-23).

use serde::Serialize;

use crate::policy::PermissionState;

/// One skill that the agent's prompt listed when the turn began. Denied ones are kept (POLICY-D17).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkillPromptEntry {
    /// Its name.
    pub name: String,
    /// The answer for the name on surface `skill` when the agent was started.
    pub state: PermissionState,
    /// The rule's reason, for denies (GATES-D22).
    pub reason: Option<String>,
    /// Its file: absolute, normalised, links not followed (PATH-004).
    pub location: String,
    /// The parent directory of `location`.
    pub base_directory: String,
    /// Its file after links; empty when nobody looked.
    pub canonical_location: String,
    /// The parent directory of `canonical_location`; empty when nobody looked.
    pub canonical_base_directory: String,
    /// Whether the package knows this entry too: it forgets denied ones (GATE-006).
    pub baseline: bool,
}
