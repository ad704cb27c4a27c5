//! From configuration text to an answer: files and scopes, rules, matching, session rules.
//!
//! This room knows no tool call, no shell and no host but its files. What it is asked is a [`Question`], what it answers a
//! [`PermissionCheckResult`] together with the [`QuestionTrace`] of the walk that found it.

mod compose;
mod config;
mod considered;
mod front_matter;
mod grants;
mod index;
mod issue;
mod json;
mod legacy;
mod list;
mod loader;
mod locations;
mod mcp_servers;
mod promotion;
mod question;
mod resolver;
mod rule;
mod rule_step;
mod ruleset;
mod save;
mod scope;
mod settings;
pub mod surfaces;
#[cfg(test)]
mod test_files;
#[cfg(test)]
pub(crate) mod test_support;
mod tightening;
mod trace;
mod wildcard;

pub use config::{WELL_KNOWN_SURFACES, config_json_schema};
pub use grants::GrantSet;
pub use issue::{IssueKind, PolicyIssue};
pub use loader::{PolicyLoader, PolicySnapshot, usable_agent_name};
pub use locations::{PolicyLocations, agent_dir};
pub use question::{Floor, FloorKind, GrantLift, PermissionCheckResult, Question, UnitContext};
pub use resolver::PermissionResolver;
pub use rule::{Direction, Layer, Origin, PermissionState, Rule, RuleLocation, Scope, Source};
pub use ruleset::Ruleset;
pub use save::{SaveError, SaveErrorKind, SavedSettings, save_settings};
pub use scope::{LoadedScope, ScopeStatus, SurfaceShape};
pub use settings::{RuntimeSettings, ShellAlias};
pub use trace::{ConsideredRule, LossReason, QuestionStep, QuestionTrace, Tightening};
pub use wildcard::{Fold, MatchOptions, Pattern, Token as PatternToken, WithoutHome, fold_value};

pub(crate) use rule::words;
