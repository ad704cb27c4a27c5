//! The question that gates put to the resolver, and the answer (docs/spec/README.md, section 5.1).

use std::sync::Arc;

use serde::Serialize;

use super::rule::{Direction, Origin, PermissionState, Source, words};
use super::trace::QuestionTrace;
use serde::Deserialize;
use std::fmt;

words! {
    /// What raises an allow to ask because of what the call is (section 6, "Floors"), in the order of that table.
    FloorKind {
        /// No unit was found.
        UnparseableBashCommand => "<unparseable-bash-command>",
        /// A program hides its payload.
        OpaqueBashWrapper => "<opaque-bash-wrapper>",
        /// A program runs another one.
        IndirectionBashWrapper => "<indirection-bash-wrapper>",
        /// A part of the line was not understood.
        UnparsedBashSubtree => "<unparsed-bash-subtree>",
        /// An option turns a reader into a writer or launcher.
        DangerousBashOption => "<dangerous-bash-option>",
        /// An assignment loads code.
        LoaderVariable => "<loader-variable>",
        /// The command word is computed.
        ComputedCommandWord => "<computed-command-word>",
        /// The working directory at a word is not known.
        UnknownDirectory => "<unknown-directory>",
        /// A bound of the analysis was hit.
        AnalysisBound => "<analysis-bound>",
        /// The path is one of the gate's own (HARD-056).
        ProtectedPath => "<protected-path>",
    }
}

impl FloorKind {
    /// The requirement that a tightening by this floor names.
    pub fn requirement(self) -> &'static str {
        match self {
            Self::UnparseableBashCommand => "HARD-005",
            Self::OpaqueBashWrapper | Self::IndirectionBashWrapper => "WRAP-010",
            Self::UnparsedBashSubtree | Self::AnalysisBound => "HARD-004",
            Self::DangerousBashOption => "HARD-057",
            Self::LoaderVariable => "HARD-059",
            Self::ComputedCommandWord => "HARD-060",
            Self::UnknownDirectory => "BASH-D16",
            Self::ProtectedPath => "HARD-056",
        }
    }
}

/// When a session rule lifts a floor (section 6, "A grant lifts it").
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum GrantLift {
    /// Any grant that matches.
    Any,
    /// Only a grant whose pattern is this text, whole.
    WholeText(Arc<str>),
    /// Only a grant whose pattern spells one of these options.
    Spelling(Vec<String>),
    /// None.
    Never,
}

/// One floor on one unit or path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Floor {
    /// Which one.
    pub kind: FloorKind,
    /// The requirement a trace names, when it is another than the kind's own (HARD-032 for a new wrapper word).
    pub requirement: &'static str,
    /// Whether this floor is one the package has too: then it is no tightening.
    pub baseline: bool,
    /// Which grant lifts it.
    pub lift: GrantLift,
    /// HARD-057: options that, spelled by the deciding configuration rule's own pattern, make the floor void.
    pub void_if_rule_spells: Vec<String>,
}

words! {
    /// What a unit is nested in (section 6, "Unit contexts").
    UnitContext {
        /// `$(…)`
        CommandSubstitution => "command_substitution",
        /// `<(…)`
        ProcessSubstitution => "process_substitution",
        /// `( … )`
        Subshell => "subshell",
        /// Loops, conditionals.
        ControlFlow => "control_flow",
        /// `{ …; }`
        Group => "group",
        /// Body of a function.
        FunctionBody => "function_body",
        /// `! …`
        Negation => "negation",
        /// A value of an assignment.
        Assignment => "assignment",
        /// `export`, `declare`…
        Declaration => "declaration",
        /// `[ … ]`
        Test => "test",
        /// `(( … ))`
        Arithmetic => "arithmetic",
        /// A redirect's operand.
        Redirect => "redirect",
        /// A here-document.
        Heredoc => "heredoc",
        /// Behind a wrapper.
        WrappedCommand => "wrapped_command",
        /// A literal payload.
        InlineProgram => "inline_program",
        /// Found in a broken region.
        Salvaged => "salvaged",
    }
}

/// One surface, its values, one agent: what the resolver answers.
///
/// Values of the *main form* are judged together, last match over all of them wins (RES-14, RES-15). Each *further
/// spelling* is judged by itself and counts only as a deny, or as an ask that is no catch-all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Question {
    /// The surface as asked. For `path` and `external_directory` the family; the resolver asks the members (RES-17).
    pub surface: String,
    /// Which members of a family are asked. `None` counts as both; ignored on other surfaces.
    pub direction: Option<Direction>,
    /// The main form, in order. Empty means `*`.
    pub values: Vec<String>,
    /// Further surface-value pairs of the main form (RES-16: a native MCP tool's own name with `*`).
    pub also: Vec<(String, String)>,
    /// Further spellings: (value, requirement that introduced it).
    pub further: Vec<(String, &'static str)>,
    /// What session rules are compared with instead of `values` (RES-30: an MCP call's own name).
    pub grant_values: Option<Vec<String>>,
    /// Floors of the unit or path (step 5).
    pub floors: Vec<Floor>,
    /// Protected path (step 7).
    pub protected: bool,
    /// RES-51: the place is unknown; on the boundary only deny and ask rules see the values, an allow only as catch-all or default.
    pub unknown_place: bool,
    /// Whether session rules are consulted (skill input and skill listing do not: RULE-025).
    pub without_session: bool,
    /// Echoed into the result: the raw command of a bash question.
    pub command: Option<String>,
    /// Echoed into the result: what the unit is nested in.
    pub command_context: Option<UnitContext>,
    /// Requirement by which this unit, path or value exists at all when the package would not have asked it. Whatever it
    /// makes stricter is a tightening of this requirement.
    pub introduced_by: Option<&'static str>,
}

/// The answer to a [`Question`] (RULE-017).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionCheckResult {
    /// The surface as asked, untrimmed.
    pub tool_name: String,
    /// The answer after all steps of section 5.1.
    pub state: PermissionState,
    /// The winning rule's reason, for denies.
    pub reason: Option<String>,
    /// The winning pattern as written (layers config and session only), or the sentinel of a floor.
    pub matched_pattern: Option<String>,
    /// Kind of answer.
    pub source: Source,
    /// Who contributed it.
    pub origin: Origin,
    /// The raw command, for bash.
    pub command: Option<String>,
    /// The value that decided, for mcp (RULE-019).
    pub target: Option<String>,
    /// What the deciding unit is nested in.
    pub command_context: Option<UnitContext>,
    /// The surface as the winning rule spells it (`path_write`), when it is not the one asked.
    pub rule_surface: Option<Arc<str>>,
    /// The direction of the member that decided, on families.
    pub direction: Option<Direction>,
    /// The value of the question that decided.
    pub value: Option<String>,
    /// The floor that stands, if the answer is an ask because of one.
    pub floor: Option<FloorKind>,
    /// Whether only the universal default answered (before floors and clamp): path gates stay silent then.
    pub from_default: bool,
    /// Whether the deciding rule is a catch-all.
    pub from_catch_all: bool,
    /// How the answer came about.
    pub trace: QuestionTrace,
}
