//! What an agent is shown before it starts: its tools, and what its prompt says of tools and skills (TOOL-005 to TOOL-017).
//! Pure functions and small memories; the handler feeds them and acts on what they give.

mod agent_name;
mod exposed_tools;
mod sections;
mod skill_listing;
mod tool_listing;

pub use agent_name::{ActiveAgent, AgentMemory, EntryScan, agent_from_entries, agent_from_prompt};
pub use exposed_tools::{ExposedTools, ExposureMemory};
pub use skill_listing::{ListedSkill, SkillListing, clean_location, filter_skills};
pub use tool_listing::narrow_prompt;
