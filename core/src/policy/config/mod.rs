//! What a configuration file may say, and what it says (CFG-008 to CFG-016, HARD-013).
//!
//! Reading is split in two: [`validate`] lists every violation and gives the settings; [`FilePolicy`] gives the rules, either
//! all of a valid file or only the restrictions of a broken one (RES-06). This room sees trees, never files or scopes.

mod entries;
mod finding;
mod json_schema;
mod permission;
mod root;
mod surface_names;

pub(crate) use entries::{FilePolicy, Keep};
pub(crate) use finding::Finding;
pub use json_schema::config_json_schema;
pub(crate) use permission::validate_permission;
pub(crate) use root::{FileSettings, validate};
pub use surface_names::WELL_KNOWN_SURFACES;
pub(crate) use surface_names::unanswered_surfaces;

#[cfg(test)]
mod tests;
