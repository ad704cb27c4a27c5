//! Doubles for the tests of this room: a resolver that answers by surface and value, a suggester, and a world that writes
//! down everything in the order in which it happened.

use std::cell::RefCell;

use serde_json::{Value, json};

use super::descriptor::{GateDescriptor, GateResult, LogFields, ToolCallContext};
use super::facts::{CallFacts, CallTarget, PathOperand, ShellFacts};
use super::inputs::{
    Escalator, GateDecisionReporter, GateResolver, GrantSuggester, RequestIds, SessionApprovalRecorder, ToolCallGateInputs,
    ToolPreviews,
};
use super::skill_entry::SkillPromptEntry;
use super::view::GateView;
use crate::access::direction_of_tool;
use crate::access::path::AccessPath;
use crate::access::shell::{BashProgram, CandidateKind, GrantWidth, PathWord, ShellUnit};
use crate::authority::{DialogAnswer, PermissionPromptDecision, PromptPermissionDetails, ReviewLogWriter};
use crate::host::{HostError, HostResult, Platform};
use crate::policy::{Direction, Origin, PermissionCheckResult, PermissionState, Question, QuestionTrace, Source};
use crate::report::PermissionDecisionEvent;

pub(crate) const ALLOW: PermissionState = PermissionState::Allow;
pub(crate) const ASK: PermissionState = PermissionState::Ask;
pub(crate) const DENY: PermissionState = PermissionState::Deny;

/// An answer of the universal default.
pub(crate) fn by_default(surface: &str, state: PermissionState) -> PermissionCheckResult {
    PermissionCheckResult {
        tool_name: surface.to_owned(),
        state,
        reason: None,
        matched_pattern: None,
        source: Source::Default,
        origin: Origin::Builtin,
        command: None,
        target: None,
        command_context: None,
        rule_surface: None,
        direction: None,
        value: None,
        floor: None,
        from_default: true,
        from_catch_all: true,
        trace: QuestionTrace::default(),
    }
}

/// An answer of a global rule.
pub(crate) fn by_rule(surface: &str, pattern: &str, state: PermissionState) -> PermissionCheckResult {
    PermissionCheckResult {
        matched_pattern: Some(pattern.to_owned()),
        source: Source::Special,
        origin: Origin::Global,
        from_default: false,
        from_catch_all: pattern == "*",
        ..by_default(surface, state)
    }
}

/// An answer of a grant.
pub(crate) fn by_grant(surface: &str, pattern: &str) -> PermissionCheckResult {
    PermissionCheckResult { source: Source::Session, origin: Origin::Session, ..by_rule(surface, pattern, ALLOW) }
}

/// An answer of the permissive mode.
pub(crate) fn by_yolo(surface: &str) -> PermissionCheckResult {
    PermissionCheckResult { origin: Origin::Yolo, ..by_rule(surface, "*", ALLOW) }
}

/// One entry of the dispatching resolver: surface, a value (or `*`), the answer.
type Entry = (&'static str, &'static str, PermissionCheckResult);

/// Answers by surface and value, first entry that fits; else the default it was made with. Remembers what it was asked.
pub(crate) struct Dispatch {
    default: PermissionState,
    entries: RefCell<Vec<Entry>>,
    pub(crate) asked: RefCell<Vec<Question>>,
}

impl Dispatch {
    pub(crate) fn new(default: PermissionState, entries: Vec<Entry>) -> Self {
        Self { default, entries: RefCell::new(entries), asked: RefCell::default() }
    }

    pub(crate) fn put_first(&self, entry: Entry) {
        self.entries.borrow_mut().insert(0, entry);
    }

    pub(crate) fn asked_values(&self) -> Vec<String> {
        let first = |question: &Question| question.values.first().cloned().unwrap_or_else(|| "*".to_owned());
        self.asked.borrow().iter().map(|question| format!("{} {}", question.surface, first(question))).collect()
    }
}

impl GateResolver for Dispatch {
    fn resolve(&self, question: &Question) -> PermissionCheckResult {
        self.asked.borrow_mut().push(question.clone());
        let entries = self.entries.borrow();
        let fits = |(surface, value, _): &&Entry| {
            *surface == question.surface && (*value == "*" || question.values.iter().any(|own| own == value))
        };
        let mut result = match entries.iter().find(fits) {
            Some((_, _, result)) => result.clone(),
            None => by_default(&question.surface, self.default),
        };
        result.command = question.command.clone();
        result.command_context = question.command_context;
        result.value = question.values.first().cloned();
        result.trace.surface = question.surface.clone();
        result
    }
}

/// Suggests the parent's content, and the first word.
pub(crate) struct Parents;

impl GrantSuggester for Parents {
    fn suggest_bash(&self, text: &str) -> Option<String> {
        Some(format!("{} *", text.split(' ').next()?))
    }

    fn suggest_peeled(&self, own: &str, inner: &str) -> Option<String> {
        Some(format!("{own} {inner} *"))
    }

    fn suggest_path(&self, path: &AccessPath) -> Vec<String> {
        let parent = path.lexical.rsplit_once('/').map_or("", |(parent, _)| parent);
        vec![format!("{parent}/*")]
    }
}

/// A path below the session directory `/w/p`, or an absolute one, without links.
pub(crate) fn path(typed: &str) -> AccessPath {
    let lexical = if typed.starts_with('/') { typed.to_owned() } else { format!("/w/p/{typed}") };
    let relative = lexical.strip_prefix("/w/p/").map(str::to_owned);
    AccessPath {
        typed: typed.to_owned(),
        canonical: lexical.clone(),
        values: std::iter::once(lexical.clone()).chain(relative.clone()).collect(),
        outside: relative.is_none(),
        relative,
        lexical,
        further: Vec::new(),
        assumed: Vec::new(),
        outside_by: None,
        unknown_place: false,
        is_directory: false,
        exists: true,
        protected: None,
    }
}

pub(crate) fn operand(typed: &str) -> PathOperand {
    PathOperand { path: path(typed), infrastructure: false, baseline_infrastructure: false, introduced_by: None }
}

pub(crate) fn word(token: &str) -> PathWord {
    PathWord {
        token: token.to_owned(),
        kind: CandidateKind::Shape,
        boundary: true,
        rule_candidate: true,
        proven_read: false,
        direction: Direction::Both,
        boundary_by: None,
        candidate_by: None,
        floors: Vec::new(),
        path: path(token.trim_start_matches("./")),
    }
}

pub(crate) fn unit(text: &str) -> ShellUnit {
    ShellUnit {
        text: text.to_owned(),
        spellings: Vec::new(),
        context: None,
        wrapper: None,
        floors: Vec::new(),
        restrict_only: false,
        introduced_by: None,
        grant: GrantWidth::Prefix,
        start: 0,
    }
}

pub(crate) fn program(command: &str, units: Vec<ShellUnit>, paths: Vec<PathWord>) -> BashProgram {
    BashProgram { command: command.to_owned(), trivial: false, units, paths }
}

pub(crate) fn facts(tool: &str, target: CallTarget, operands: Vec<PathOperand>) -> CallFacts {
    CallFacts {
        cwd: "/w/p".to_owned(),
        canonical_cwd: "/w/p".to_owned(),
        platform: Platform::Posix,
        target,
        direction: direction_of_tool(tool),
        has_path: !operands.is_empty(),
        operands,
        known_limits: Vec::new(),
    }
}

pub(crate) fn file_facts(tool: &str, operands: Vec<PathOperand>) -> CallFacts {
    facts(tool, CallTarget::PathTool, operands)
}

pub(crate) fn shell_facts(tool: &str, program: BashProgram) -> CallFacts {
    let command = program.command.clone();
    facts(tool, CallTarget::Shell(ShellFacts { command, workdir: None, program: Some(program) }), Vec::new())
}

pub(crate) fn call(tool: &str) -> ToolCallContext {
    ToolCallContext {
        tool_name: tool.to_owned(),
        agent_name: None,
        input: json!({}),
        tool_call_id: "tc-1".to_owned(),
        cwd: "/w/p".to_owned(),
    }
}

/// Lets a gate look at a call.
pub(crate) fn describe<T>(
    call: &ToolCallContext,
    facts: &CallFacts,
    resolver: &dyn GateResolver,
    gate: impl FnOnce(&GateView<'_>) -> T,
) -> T {
    let previews = ToolPreviews::default();
    gate(&GateView { context: call, facts, resolver, suggester: &Parents, previews: &previews, policy_fault: None })
}

pub(crate) fn checked(result: GateResult) -> GateDescriptor {
    match result {
        GateResult::Check(descriptor) => *descriptor,
        other => panic!("the gate does not check: {other:?}"),
    }
}

pub(crate) fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(surface, pattern)| ((*surface).to_owned(), (*pattern).to_owned())).collect()
}

/// A world that writes down what happened. Answers to asks are used in order; none left is a failing authority.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) happened: RefCell<Vec<String>>,
    pub(crate) lines: RefCell<Vec<(String, Value)>>,
    pub(crate) events: RefCell<Vec<PermissionDecisionEvent>>,
    pub(crate) asks: RefCell<Vec<PromptPermissionDetails>>,
    pub(crate) answers: RefCell<Vec<PermissionPromptDecision>>,
    pub(crate) log_fails: bool,
}

impl World {
    pub(crate) fn answering(answers: Vec<DialogAnswer>) -> Self {
        Self { answers: RefCell::new(answers.into_iter().rev().map(DialogAnswer::into_decision).collect()), ..Self::default() }
    }

    pub(crate) fn note(&self, text: String) {
        self.happened.borrow_mut().push(text);
    }
}

impl ReviewLogWriter for World {
    fn write_review_log(&self, event: &str, fields: LogFields) -> HostResult<()> {
        if self.log_fails {
            return Err(HostError::new("log broke"));
        }
        let resolution = fields.get("resolution").and_then(Value::as_str).unwrap_or("-").to_owned();
        self.note(format!("R {} {resolution}", event.trim_start_matches("permission_request.")));
        self.lines.borrow_mut().push((event.to_owned(), Value::Object(fields)));
        Ok(())
    }
}

impl GateDecisionReporter for World {
    fn emit_decision(&self, event: &PermissionDecisionEvent) {
        let PermissionDecisionEvent { surface, value, result, resolution, .. } = event;
        self.note(format!("E {surface} {value} {result} {resolution}"));
        self.events.borrow_mut().push(event.clone());
    }
}

impl SessionApprovalRecorder for World {
    fn record_session_approval(&self, pairs: &[(String, String)]) {
        for (surface, pattern) in pairs {
            self.note(format!("grant {surface} {pattern}"));
        }
    }
}

impl Escalator for World {
    fn escalate(&self, ask: &PromptPermissionDetails) -> HostResult<PermissionPromptDecision> {
        self.note(format!("ask {}", ask.request_id));
        self.asks.borrow_mut().push(ask.clone());
        self.answers.borrow_mut().pop().ok_or_else(|| HostError::new("ui broke"))
    }
}

impl RequestIds for World {
    fn create_request_id(&self) -> String {
        format!("id-{}", self.asks.borrow().len() + 1)
    }

    fn create_skill_input_request_id(&self) -> String {
        format!("skill-input-{}", self.asks.borrow().len() + 1)
    }
}

/// The ingredients of one call, ready made.
pub(crate) struct Ingredients {
    pub(crate) facts: CallFacts,
    pub(crate) entries: Vec<SkillPromptEntry>,
    pub(crate) resolver: Dispatch,
}

impl ToolCallGateInputs for Ingredients {
    fn call_facts(&self, _context: &ToolCallContext) -> HostResult<CallFacts> {
        Ok(self.facts.clone())
    }

    fn active_skill_entries(&self) -> Vec<SkillPromptEntry> {
        self.entries.clone()
    }

    fn tool_previews(&self, _context: &ToolCallContext, _facts: &CallFacts) -> HostResult<ToolPreviews> {
        Ok(ToolPreviews::default())
    }

    fn resolver(&self) -> &dyn GateResolver {
        &self.resolver
    }

    fn suggester(&self) -> &dyn GrantSuggester {
        &Parents
    }
}

/// A skill of the prompt.
pub(crate) fn skill(name: &str, location: &str, state: PermissionState) -> SkillPromptEntry {
    let folder = location.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    SkillPromptEntry {
        name: name.to_owned(),
        state,
        reason: None,
        location: location.to_owned(),
        base_directory: folder.clone(),
        canonical_location: location.to_owned(),
        canonical_base_directory: folder,
        baseline: state != DENY,
    }
}
