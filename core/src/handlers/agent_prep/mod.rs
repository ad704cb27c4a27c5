//! What an agent is shown before it starts: its tools, and what its prompt says of tools and skills (TOOL-009 to TOOL-016).
//! Pure functions; the handler feeds them and acts on what they give.

mod exposed_tools;
mod sections;
mod skill_listing;
mod tool_listing;

pub use exposed_tools::ExposedTools;
pub use skill_listing::{FilteredSkills, ListedSkill, filter_skills};
pub use tool_listing::narrow_tool_listing;
