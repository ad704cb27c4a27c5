//! What an agent is shown before it starts: its tools, and what its prompt says of tools and skills (TOOL-005 to TOOL-017).
//! Pure functions; the handler feeds them and acts on what they give.
//! (temporary stand-ins until the real ones land)
use crate::policy::PermissionState;
/// Stand-in.
pub struct ExposedTools {
    /// Allowed.
    pub allowed: Vec<String>,
    /// Withheld.
    pub withheld: Vec<String>,
}
impl ExposedTools {
    /// Stand-in.
    pub fn of(active: &[String], _withheld: &[String], _registered: &[String], hidden: impl Fn(&str) -> bool) -> Self {
        let (withheld, allowed) = active.iter().cloned().partition(|t| hidden(t));
        Self { allowed, withheld }
    }
}
/// Stand-in.
pub fn narrow_tool_listing(_prompt: &str, _allowed: &[String]) -> Option<String> {
    None
}
/// Stand-in.
pub struct ListedSkill {
    /// Name.
    pub name: String,
    /// Location.
    pub location: String,
    /// State.
    pub state: PermissionState,
    /// Reason.
    pub reason: Option<String>,
}
/// Stand-in.
pub struct FilteredSkills {
    /// Prompt.
    pub prompt: String,
    /// Skills.
    pub skills: Vec<ListedSkill>,
}
/// Stand-in.
pub fn filter_skills(prompt: &str, _state: &dyn Fn(&str) -> (PermissionState, Option<String>)) -> FilteredSkills {
    FilteredSkills { prompt: prompt.to_owned(), skills: Vec::new() }
}
