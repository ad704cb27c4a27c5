//! The notice that a typed skill is denied (PIPE-013). Untagged: the person typed it and reads it at once.

use super::words::{AGENT_LIMIT, fact};

/// The notice.
///
/// ```
/// use portcullis_core::report::messages::format_skill_deny_notice;
/// assert_eq!(format_skill_deny_notice("s", Some("A")), "Skill 's' is not permitted for agent 'A'.");
/// assert_eq!(format_skill_deny_notice("s", None), "Skill 's' is not permitted by the current skill policy.");
/// ```
pub fn format_skill_deny_notice(skill: &str, agent: Option<&str>) -> String {
    let skill = fact(skill, AGENT_LIMIT);
    match agent {
        Some(agent) => format!("Skill '{skill}' is not permitted for agent '{}'.", fact(agent, AGENT_LIMIT)),
        None => format!("Skill '{skill}' is not permitted by the current skill policy."),
    }
}
