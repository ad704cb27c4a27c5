//! The explanation of one answer, made by the walk that found it. Views (explain, reports, coverage) read this value; there
//! is no second matcher.

use serde::Serialize;

use super::rule::{Direction, PermissionState, Rule};

/// A step or fact beyond the package that raised a verdict (docs/spec/README.md, section 8).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tightening {
    /// The requirement that asked for it.
    pub requirement: &'static str,
    /// The verdict without it.
    pub before: PermissionState,
    /// The verdict with it.
    pub after: PermissionState,
    /// What it concerned: a unit, a path, a rule.
    pub subject: String,
}

/// Why a rule that was looked at did not decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LossReason {
    /// Its pattern does not match any value.
    PatternDoesNotMatch,
    /// A later rule matches too.
    LaterRuleWins,
    /// A further spelling never takes an allow, or a catch-all ask (RES-14).
    MilderSpelling,
    /// Of an unknown place an allow counts as catch-all only (RES-51).
    UnknownPlace,
}

/// One rule on the asked surface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConsideredRule {
    /// The rule.
    pub rule: Rule,
    /// The value it matched, if any.
    pub matched: Option<String>,
    /// `None`: this rule decided.
    pub lost: Option<LossReason>,
}

/// One step of section 5.1 that changed something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum QuestionStep {
    /// The rules answered.
    Rules {
        /// The state they gave.
        state: PermissionState,
    },
    /// A broken file raised allow to ask.
    Clamp,
    /// A session rule gave allow.
    Grant {
        /// Its pattern.
        pattern: String,
    },
    /// A session rule matched but was refused.
    GrantRefused {
        /// Its pattern.
        pattern: String,
        /// The requirement that refuses it.
        requirement: &'static str,
    },
    /// A floor raised allow to ask.
    Floor {
        /// Its sentinel.
        sentinel: &'static str,
        /// Its requirement.
        requirement: &'static str,
    },
    /// The permissive mode turned ask into allow.
    Permissive,
    /// A protected path raised allow to ask.
    Protected,
}

/// How one question was answered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct QuestionTrace {
    /// The surface asked.
    pub surface: String,
    /// The direction asked, on families.
    pub direction: Option<Direction>,
    /// All values of the main form.
    pub values: Vec<String>,
    /// Further spellings.
    pub further: Vec<String>,
    /// The winner.
    pub winner: Option<Rule>,
    /// The value the winner matched.
    pub winning_value: Option<String>,
    /// Every rule of the surface with its fate, last first; filled only when rules were asked for (it costs a scan).
    pub rules: Vec<ConsideredRule>,
    /// The steps that changed something, in order.
    pub steps: Vec<QuestionStep>,
    /// What was raised beyond the package.
    pub tightenings: Vec<Tightening>,
}
