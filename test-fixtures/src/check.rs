//! Answers of a resolver, made by hand (`makeCheckResult`, `makeGateCheckResult`).

use std::sync::Arc;

use portcullis_core::gates::GateCheck;
use portcullis_core::policy::{
    FloorKind, Layer, Origin, PermissionCheckResult, PermissionState, Question, QuestionTrace, Rule, Source,
};

/// One answer before it is known what was asked: a state, and whatever a test says beside it. By default it comes from a rule
/// of the global file, which gave no reason.
///
/// ```
/// use portcullis_core::policy::{Origin, PermissionState, Question, Source};
/// use portcullis_test_fixtures::CheckAnswer;
///
/// let answer = CheckAnswer::new(PermissionState::Deny).pattern("rm *").reason("it deletes");
/// let question = Question { surface: "bash".into(), values: vec!["rm x".into()], ..Question::default() };
/// let result = answer.answer(&question);
///
/// assert_eq!(result.state, PermissionState::Deny);
/// assert_eq!(result.matched_pattern.as_deref(), Some("rm *"));
/// assert_eq!(result.reason.as_deref(), Some("it deletes"));
/// assert_eq!((result.source, result.origin), (Source::Bash, Origin::Global));
/// assert_eq!(result.value.as_deref(), Some("rm x"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckAnswer {
    state: PermissionState,
    pattern: Option<String>,
    origin: Option<Origin>,
    source: Option<Source>,
    reason: Option<String>,
    floor: Option<FloorKind>,
    from_default: bool,
}

impl From<PermissionState> for CheckAnswer {
    fn from(state: PermissionState) -> Self {
        Self::new(state)
    }
}

impl CheckAnswer {
    /// An answer of a rule whose pattern is not told.
    pub fn new(state: PermissionState) -> Self {
        Self { state, pattern: None, origin: None, source: None, reason: None, floor: None, from_default: false }
    }

    /// The answer of the universal default: the gates of `path` stay silent on it (GATE-010).
    pub fn universal_default(state: PermissionState) -> Self {
        Self { from_default: true, ..Self::new(state) }
    }

    /// The answer of a grant with this pattern.
    pub fn grant(pattern: &str) -> Self {
        Self::new(PermissionState::Allow).pattern(pattern).source(Source::Session).origin(Origin::Session)
    }

    /// The answer of the permissive mode to an ask.
    pub fn permissive() -> Self {
        Self::new(PermissionState::Allow).origin(Origin::Yolo)
    }

    /// With the pattern that matched.
    #[must_use]
    pub fn pattern(mut self, pattern: &str) -> Self {
        self.pattern = Some(pattern.to_owned());
        self
    }

    /// With another contributor.
    #[must_use]
    pub fn origin(mut self, origin: Origin) -> Self {
        self.origin = Some(origin);
        self
    }

    /// With another kind of answer.
    #[must_use]
    pub fn source(mut self, source: Source) -> Self {
        self.source = Some(source);
        self
    }

    /// With the reason of the rule; only denies carry it on.
    #[must_use]
    pub fn reason(mut self, reason: &str) -> Self {
        self.reason = Some(reason.to_owned());
        self
    }

    /// Raised by a floor: the sentinel stands for the pattern.
    #[must_use]
    pub fn floor(mut self, floor: FloorKind) -> Self {
        self.floor = Some(floor);
        self.pattern = Some(floor.as_str().to_owned());
        self
    }

    fn origin_or_default(&self) -> Origin {
        self.origin.unwrap_or(if self.from_default { Origin::Builtin } else { Origin::Global })
    }

    fn source_or_default(&self, surface: &str) -> Source {
        self.source.unwrap_or(match surface {
            "path" | "external_directory" => Source::Special,
            "bash" => Source::Bash,
            "skill" => Source::Skill,
            "mcp" if !self.from_default => Source::Mcp,
            _ if self.from_default => Source::Default,
            _ => Source::Tool,
        })
    }

    fn winner(&self, surface: &str) -> Rule {
        let layer = match self.source_or_default(surface) {
            Source::Session => Layer::Session,
            _ if self.from_default => Layer::Default,
            _ => Layer::Config,
        };
        Rule {
            surface: Arc::from(surface),
            pattern: Arc::from(self.pattern.as_deref().unwrap_or("*")),
            action: self.state,
            reason: self.reason.as_deref().map(Arc::from),
            layer,
            origin: self.origin_or_default(),
            location: None,
        }
    }

    /// What this answers to a question.
    pub fn answer(&self, question: &Question) -> PermissionCheckResult {
        let surface = question.surface.as_str();
        let value = question.values.first().cloned();
        let source = self.source_or_default(surface);
        PermissionCheckResult {
            tool_name: surface.to_owned(),
            state: self.state,
            reason: self.reason.clone().filter(|_| self.state == PermissionState::Deny),
            matched_pattern: self.pattern.clone(),
            source,
            origin: self.origin_or_default(),
            command: question.command.clone(),
            target: value.clone().filter(|_| surface == "mcp"),
            command_context: question.command_context,
            rule_surface: None,
            direction: question.direction,
            value: value.clone(),
            floor: self.floor,
            from_default: self.from_default,
            from_catch_all: source != Source::Session
                && (self.from_default || self.pattern.as_deref().is_some_and(|p| !p.is_empty() && p.bytes().all(|b| b == b'*'))),
            trace: QuestionTrace {
                surface: surface.to_owned(),
                direction: question.direction,
                values: question.values.clone(),
                further: question.further.iter().map(|(spelling, _)| spelling.clone()).collect(),
                winner: Some(self.winner(surface)),
                winning_value: value,
                ..QuestionTrace::default()
            },
        }
    }
}

/// The answer to a question about a surface as a whole (`makeCheckResult`).
///
/// ```
/// use portcullis_core::policy::PermissionState::{Allow, Ask};
/// use portcullis_test_fixtures::{CheckAnswer, make_check_result};
///
/// assert_eq!(make_check_result("write", Ask).state, Ask);
/// assert_eq!(make_check_result("write", CheckAnswer::grant("/w/*")).state, Allow);
/// ```
pub fn make_check_result(surface: &str, answer: impl Into<CheckAnswer>) -> PermissionCheckResult {
    answer.into().answer(&Question { surface: surface.to_owned(), values: vec!["*".to_owned()], ..Question::default() })
}

/// The check of a gate with this one answer (`makeGateCheckResult`).
///
/// ```
/// use portcullis_core::policy::PermissionState::{Allow, Ask};
/// use portcullis_test_fixtures::{make_check_result, make_gate_check_result};
///
/// let check = make_gate_check_result(make_check_result("write", Ask));
/// assert_eq!((check.baseline_state, check.all_allowed), (Ask, false));
/// assert!(make_gate_check_result(make_check_result("write", Allow)).all_allowed);
/// ```
pub fn make_gate_check_result(result: PermissionCheckResult) -> GateCheck {
    let state = result.state;
    let mut result = result;
    let trace = std::mem::take(&mut result.trace);
    GateCheck {
        result,
        questions: vec![trace],
        deciding: Some(0),
        all_allowed: state == PermissionState::Allow,
        baseline_state: state,
        tightenings: Vec::new(),
    }
}
