//! Which bare words of a command are paths because a rule spells them (RULE-023).

use super::index::PatternIndex;
use super::list::prepare;
use super::rule::{Layer, PermissionState, Rule};
use super::surfaces::members_of;
use super::wildcard::{Fold, MatchOptions, fold_value};
use crate::host::Platform;

impl Rule {
    /// Whether a bare word of a command that the pattern matches is a path by this rule (RULE-023): it restricts on `path` or a
    /// member, written exactly so, with any pattern but the lone star.
    pub fn promotes_words(&self) -> bool {
        self.layer == Layer::Config
            && (&*self.surface == "path" || members_of("path", None).contains(&&*self.surface))
            && &*self.pattern != "*"
            && self.action != PermissionState::Allow
    }
}

/// Collects the rules that promote words. Later allows do not cancel.
pub(crate) fn matcher(rules: &[Rule], options: &MatchOptions) -> PatternIndex {
    let fold = match options.platform {
        Platform::Posix => Fold::Exact,
        Platform::Windows => Fold::Windows,
    };
    let collected = (0..).zip(rules).filter(|(_, rule)| rule.promotes_words());
    PatternIndex::build(collected.map(|(place, rule)| (place, prepare(rule, options, fold))))
}

/// Whether one of the collected patterns matches the token.
pub(crate) fn is_promotable(matcher: &PatternIndex, token: &str) -> bool {
    let folds = matcher.latest_first().next().is_some_and(|(_, pattern)| pattern.fold() == Fold::Windows);
    let token = if folds { &fold_value(token) } else { token };
    matcher.last_match(token, None, |_| true).is_some()
}
