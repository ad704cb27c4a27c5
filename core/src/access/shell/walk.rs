//! The walk over the tree: which commands run, under which context, in which directory.
//!
//! One pass with an explicit stack; no recursion. Statement nodes are visited in source order, each with the directories that
//! may be in force (RES-52). What a statement is, is decided here; what a simple command means, in [`super::simple`].

use std::rc::Rc;

use super::bases::{Bases, Outcome};
use super::command;
use super::expand;
use super::facts::{ShellError, ShellFacts};
use super::paths::Paths;
use super::program::ShellUnit;
use super::rebound::Rebound;
use super::tree::{self, Arena, Kind, NodeId, Parsed};
use super::word::{self, Word, slice};
use super::{floors, simple, units};
use crate::access::path::Base;
use crate::policy::UnitContext;

mod commands;
mod constructs;
mod hosted;

/// Units beyond this number are not listed.
const MAX_UNITS: usize = 10_000;
/// Bytes of unit texts beyond this are not listed.
const MAX_UNIT_BYTES: usize = 4 * 1024 * 1024;
/// Statements nested deeper than this are not looked at.
const MAX_NESTING: u16 = 400;
/// Lines that are looked at when the whole cannot be parsed, and how long they may be.
const MAX_LINES: usize = 64;
const MAX_LINE: usize = 1024;

/// One parsed text: the command, a literal payload, a broken region.
pub(crate) struct Source {
    pub(crate) text: String,
    pub(crate) arena: Arena,
    /// Where the text stands in the command.
    pub(crate) offset: usize,
    /// Payload layers around it.
    pub(crate) layer: u8,
}

/// What surrounds a statement.
#[derive(Clone)]
pub(crate) struct Ctx {
    pub(crate) source: Rc<Source>,
    pub(crate) context: Option<UnitContext>,
    /// The requirement by which units here exist, when the package would not list them.
    pub(crate) by: Option<&'static str>,
    /// The requirement by which path words here exist, when the package would not list them.
    pub(crate) path_by: Option<&'static str>,
    /// Allows of units here count for nothing.
    pub(crate) restrict: bool,
    /// The statement holds an unresolved region.
    pub(crate) unparsed: bool,
    /// A `cd` here replaces the directory for what follows (else both stay possible).
    pub(crate) fold: bool,
    /// Standard input comes from a pipe.
    pub(crate) piped: bool,
    pub(crate) nesting: u16,
}

impl Ctx {
    /// One level further in, under another context.
    fn inside(&self, context: UnitContext, by: Option<&'static str>) -> Self {
        Self { context: Some(context), by: self.by.or(by), nesting: self.nesting.saturating_add(1), piped: false, ..self.clone() }
    }

    fn piped(&self, piped: bool) -> Self {
        Self { piped, ..self.clone() }
    }

    fn without_fold(&self) -> Self {
        Self { fold: false, ..self.clone() }
    }

    /// The same with paths that the package would not see.
    fn hidden_paths(&self, by: &'static str) -> Self {
        Self { path_by: self.path_by.or(Some(by)), ..self.clone() }
    }
}

/// What is still to be done, last first.
enum Step {
    Statement {
        node: NodeId,
        ctx: Ctx,
        tail: Vec<NodeId>,
    },
    /// The next statement starts from wherever the one before may have left the shell.
    Next,
    /// Remembers the directories in force, and the exported loader variables.
    Save,
    /// Goes back to them.
    Restore,
    /// Leaves a construct whose changes of directory cannot be followed (BASH-D13).
    Leave,
    /// `&&` or `||`: goes on with the right side.
    Right {
        or: bool,
        node: NodeId,
        ctx: Ctx,
        tail: Vec<NodeId>,
    },
    /// The end of a list, joined with what its left side left open.
    Join {
        left: Outcome,
        or: bool,
    },
    /// `!`: after it, success says nothing.
    Negate,
    /// The outcome of a command whose hosted executions came in between.
    Outcome(Outcome),
    /// Redirections of a statement that is no simple command. The shell opens them in the directory before it (BASH-D15).
    Redirections {
        ctx: Ctx,
        tail: Vec<NodeId>,
        bases: Bases,
    },
}

/// The walk and what it found so far.
pub(crate) struct Walk<'a> {
    pub(crate) facts: &'a ShellFacts<'a>,
    pub(crate) command: &'a str,
    pub(crate) units: Vec<ShellUnit>,
    pub(crate) paths: Paths,
    pub(crate) rebound: Rebound,
    /// The home directory.
    pub(crate) home: Option<String>,
    /// The directories in force.
    pub(crate) bases: Bases,
    /// The one that the package takes to be in force.
    pub(crate) package: Base,
    /// A loader variable is set for everything that follows (HARD-059).
    pub(crate) loader: bool,
    /// Literal assignments seen so far, for HARD-060.
    pub(crate) variables: Vec<(String, String)>,
    /// A bound was hit.
    pub(crate) bound: bool,
    /// Something was found late that nobody understands: the whole call asks.
    pub(crate) late_unparsed: bool,
    unit_bytes: usize,
    sources: usize,
    outcome: Outcome,
    saved: Vec<(Bases, Base, bool)>,
    steps: Vec<Step>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(command: &'a str, facts: &'a ShellFacts<'a>, base: Base) -> Self {
        let bases = Bases::of(base.clone());
        let outcome = Outcome::same(&bases, &base);
        Self {
            facts,
            command,
            units: Vec::new(),
            paths: Paths::new(expand::home(facts.resolver)),
            home: expand::home(facts.resolver),
            rebound: Rebound::default(),
            bases,
            package: base,
            loader: false,
            variables: Vec::new(),
            bound: false,
            late_unparsed: false,
            unit_bytes: 0,
            sources: 0,
            outcome,
            saved: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Parses the command and walks it.
    pub(crate) fn run(&mut self) -> Result<(), ShellError> {
        let Parsed::Tree(arena) = tree::parse(self.command, self.facts.out_of_time)? else {
            self.bound = true;
            return self.whole_text();
        };
        self.bound |= arena.cut;
        self.rebound = Rebound::of(self.command, &arena);
        let lost = units::lost_text(self.command, &arena);
        let source = Rc::new(Source { text: self.command.to_owned(), arena, offset: 0, layer: 0 });
        let ctx = Ctx {
            source,
            context: None,
            by: None,
            path_by: None,
            restrict: false,
            unparsed: lost,
            fold: true,
            piped: false,
            nesting: 0,
        };
        self.steps.push(Step::Statement { node: Arena::ROOT, ctx, tail: Vec::new() });
        self.walk();
        Ok(())
    }

    /// No tree: the text as a whole is judged, and its lines, as far as they are short, can restrict.
    fn whole_text(&mut self) -> Result<(), ShellError> {
        let text = self.command.to_owned();
        self.units.push(units::plain(text, 0, None, None, false));
        let mut offset = 0;
        for line in self.command.split_inclusive('\n').take(MAX_LINES) {
            if line.len() <= MAX_LINE {
                self.line(line, offset)?;
            }
            offset += line.len();
        }
        Ok(())
    }

    fn line(&mut self, line: &str, offset: usize) -> Result<(), ShellError> {
        let Parsed::Tree(arena) = tree::parse(line, &|| false)? else { return Ok(()) };
        let source = Rc::new(Source { text: line.to_owned(), arena, offset, layer: 1 });
        let ctx = Ctx {
            source,
            context: Some(UnitContext::Salvaged),
            by: Some("HARD-004"),
            path_by: Some("HARD-004"),
            restrict: true,
            unparsed: true,
            fold: false,
            piped: false,
            nesting: 0,
        };
        self.steps.push(Step::Statement { node: Arena::ROOT, ctx, tail: Vec::new() });
        self.walk();
        Ok(())
    }

    fn walk(&mut self) {
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Statement { node, ctx, tail } => self.statement(node, ctx, tail),
                Step::Next => self.go_on(self.outcome.all.clone()),
                Step::Save => self.saved.push((self.bases.clone(), self.package.clone(), self.loader)),
                Step::Restore => {
                    if let Some((bases, package, loader)) = self.saved.pop() {
                        self.bases = bases;
                        self.package = package;
                        self.loader = loader;
                    }
                    self.outcome = self.unchanged();
                }
                Step::Leave => self.leave(),
                Step::Right { or, node, ctx, tail } => {
                    let left = self.outcome.clone();
                    self.go_on(if or { left.all.clone() } else { left.success.clone() });
                    self.steps.push(Step::Join { left, or });
                    self.steps.push(Step::Statement { node, ctx, tail });
                }
                Step::Join { left, or } => {
                    let success = if or { left.success.union(&self.outcome.success) } else { self.outcome.success.clone() };
                    self.outcome.all = left.all.union(&self.outcome.all);
                    self.outcome.success = success;
                }
                Step::Negate => self.outcome.success = self.outcome.all.clone(),
                Step::Outcome(outcome) => self.outcome = outcome,
                Step::Redirections { ctx, tail, bases } => self.redirections(&ctx, &tail, bases),
            }
        }
    }

    fn go_on(&mut self, bases: Bases) {
        self.bases = bases;
        self.package = self.outcome.package.clone();
    }

    /// The outcome of a statement that leaves the directory alone.
    pub(crate) fn unchanged(&self) -> Outcome {
        Outcome::same(&self.bases, &self.package)
    }

    fn leave(&mut self) {
        let end = self.outcome.all.union(&self.bases);
        if let Some((before, package, _)) = self.saved.pop() {
            self.package = package;
            let changed = end != before;
            self.bases = if changed { before.union(&Bases::unknown()) } else { before };
        }
        self.outcome = self.unchanged();
    }

    /// Adds a unit, within bounds. The text of a unit is never cut: beyond the bound it is left out and the call asks.
    pub(crate) fn emit(&mut self, unit: ShellUnit) {
        self.unit_bytes = self.unit_bytes.saturating_add(unit.text.len());
        if self.units.len() >= MAX_UNITS || self.unit_bytes > MAX_UNIT_BYTES {
            self.bound = true;
            return;
        }
        self.units.push(unit);
    }

    /// A whole statement as one unit.
    pub(super) fn emit_statement(&mut self, node: NodeId, ctx: &Ctx) {
        let at = ctx.source.arena.get(node);
        let text = slice(&ctx.source.text, at.start as usize, at.end as usize).to_owned();
        let mut unit = units::plain(text, ctx.source.offset + at.start as usize, ctx.context, ctx.by, ctx.restrict);
        floors::add_context_floors(self, ctx, &mut unit);
        self.emit(unit);
    }

    fn statement(&mut self, node: NodeId, mut ctx: Ctx, tail: Vec<NodeId>) {
        let at = ctx.source.arena.get(node);
        if ctx.nesting > MAX_NESTING {
            self.bound = true;
            self.outcome = self.unchanged();
            return;
        }
        let container = matches!(at.kind, Kind::Program | Kind::List | Kind::Pipeline | Kind::RedirectedStatement);
        ctx.unparsed |= at.has_error && (!container || units::has_direct_error(&ctx.source.arena, node));
        match at.kind {
            Kind::Program => self.sequence(node, &ctx),
            Kind::List => self.list(node, ctx, tail),
            Kind::Pipeline => self.pipeline(node, ctx, tail),
            Kind::RedirectedStatement => self.redirected(node, ctx, tail),
            Kind::Command => self.command(Some(node), &ctx, &tail),
            Kind::Subshell => {
                self.emit_statement(node, &ctx);
                self.later_redirections(&ctx, &tail);
                self.steps.push(Step::Restore);
                self.sequence(node, &ctx.inside(UnitContext::Subshell, None));
                self.steps.push(Step::Save);
            }
            Kind::Compound => self.compound(node, &ctx, &tail),
            Kind::If | Kind::While | Kind::For | Kind::CFor | Kind::Case => self.control_flow(node, &ctx, &tail),
            Kind::Function => self.function(node, &ctx, &tail),
            Kind::Negated => self.negated(node, &ctx, tail),
            Kind::Test => self.opaque(node, &ctx, &tail, UnitContext::Test),
            Kind::Declaration | Kind::Unset => {
                simple::declaration(self, &ctx, node);
                self.opaque(node, &ctx, &tail, UnitContext::Declaration);
            }
            Kind::Assignment | Kind::Assignments => {
                simple::assignments(self, &ctx, &assignment_nodes(&ctx.source.arena, node));
                self.opaque(node, &ctx, &tail, UnitContext::Assignment);
            }
            Kind::Error => self.broken(node, &ctx),
            Kind::Comment | Kind::HeredocBody | Kind::HeredocEnd => self.outcome = self.unchanged(),
            Kind::FileRedirect | Kind::HeredocRedirect | Kind::HerestringRedirect => self.command(None, &ctx, &[node]),
            _ => {
                ctx.unparsed = true;
                self.opaque(node, &ctx, &tail, UnitContext::ControlFlow);
            }
        }
    }

    /// Statements one after the other. A statement before `&` leaves the directory alone (CWD-010).
    pub(super) fn sequence(&mut self, node: NodeId, ctx: &Ctx) {
        let arena = &ctx.source.arena;
        let mut steps = Vec::new();
        for child in arena.children(node) {
            let at = arena.get(child);
            if !at.named || at.kind == Kind::Comment {
                continue;
            }
            let background = arena.next(child).is_some_and(|next| arena.kind(next) == Kind::Amp);
            if background {
                steps.push(Step::Save);
            }
            steps.push(Step::Statement { node: child, ctx: ctx.clone(), tail: Vec::new() });
            steps.push(if background { Step::Restore } else { Step::Next });
        }
        steps.push(Step::Next);
        self.outcome = self.unchanged();
        self.push_all(steps);
    }

    fn push_all(&mut self, steps: Vec<Step>) {
        self.steps.extend(steps.into_iter().rev());
    }

    fn list(&mut self, node: NodeId, ctx: Ctx, tail: Vec<NodeId>) {
        let arena = &ctx.source.arena;
        let parts: Vec<NodeId> = arena.named_children(node).filter(|child| arena.kind(*child) != Kind::Comment).collect();
        let or = arena.children(node).any(|child| arena.kind(child) == Kind::OrOr);
        match parts.as_slice() {
            [left, right] => {
                let steps = vec![
                    Step::Statement { node: *left, ctx: ctx.clone(), tail: Vec::new() },
                    Step::Right { or, node: *right, ctx: ctx.piped(false), tail },
                ];
                self.push_all(steps);
            }
            _ => self.sequence(node, &Ctx { unparsed: true, ..ctx }),
        }
    }

    /// Stages leave the directory alone (CWD-011). A first stage that is a list is the grammar's misgrouping of
    /// `a && b 2>&1 | c` (CWD-012): all but its last part stand before the pipe.
    fn pipeline(&mut self, node: NodeId, ctx: Ctx, tail: Vec<NodeId>) {
        let arena = Rc::clone(&ctx.source);
        let arena = &arena.arena;
        let stages: Vec<NodeId> = arena.named_children(node).filter(|child| arena.kind(*child) != Kind::Comment).collect();
        let count = stages.len();
        let mut steps = Vec::new();
        let stage_ctx = ctx.without_fold();
        for (index, stage) in stages.into_iter().enumerate() {
            let piped = index > 0 || ctx.piped;
            let stage_tail = if index + 1 == count { tail.clone() } else { Vec::new() };
            if index == 0 && is_list(arena, stage) {
                self.first_stage(stage, &ctx, &mut steps);
                continue;
            }
            steps.push(Step::Save);
            steps.push(Step::Statement { node: stage, ctx: stage_ctx.piped(piped), tail: stage_tail });
            steps.push(Step::Restore);
        }
        self.push_all(steps);
    }

    fn first_stage(&mut self, stage: NodeId, ctx: &Ctx, steps: &mut Vec<Step>) {
        let arena = &ctx.source.arena;
        let mut tail = Vec::new();
        let mut node = stage;
        while arena.kind(node) == Kind::RedirectedStatement {
            let (body, redirects) = split_redirected(arena, node);
            tail.splice(0..0, redirects);
            let Some(body) = body else { break };
            node = body;
        }
        let parts: Vec<NodeId> = arena.named_children(node).filter(|child| arena.kind(*child) != Kind::Comment).collect();
        match parts.as_slice() {
            [left, right] if arena.kind(node) == Kind::List => {
                steps.push(Step::Statement { node: *left, ctx: ctx.clone(), tail: Vec::new() });
                steps.push(Step::Next);
                steps.push(Step::Save);
                steps.push(Step::Statement { node: *right, ctx: ctx.without_fold(), tail });
                steps.push(Step::Restore);
            }
            _ => steps.push(Step::Statement { node: stage, ctx: Ctx { unparsed: true, ..ctx.clone() }, tail: Vec::new() }),
        }
    }

    fn redirected(&mut self, node: NodeId, ctx: Ctx, tail: Vec<NodeId>) {
        let (body, mut redirects) = split_redirected(&ctx.source.arena, node);
        redirects.extend(tail);
        match body {
            Some(body) => self.steps.push(Step::Statement { node: body, ctx, tail: redirects }),
            None => self.command(None, &ctx, &redirects),
        }
    }

    /// Everything found so far under this call asks.
    pub(crate) fn mark_unparsed(&mut self) {
        let mut taken = std::mem::take(&mut self.units);
        for unit in &mut taken {
            floors::unparsed(self, unit);
        }
        self.units = taken;
    }
}

/// Body and redirections of a redirected statement.
fn split_redirected(arena: &Arena, node: NodeId) -> (Option<NodeId>, Vec<NodeId>) {
    let mut body = None;
    let mut redirects = Vec::new();
    for child in arena.named_children(node) {
        match arena.kind(child) {
            kind if is_redirect(kind) => redirects.push(child),
            Kind::Comment => {}
            _ => body = body.or(Some(child)),
        }
    }
    (body, redirects)
}

fn assignment_nodes(arena: &Arena, node: NodeId) -> Vec<NodeId> {
    if arena.kind(node) == Kind::Assignment { vec![node] } else { arena.named_children(node).collect() }
}

fn is_list(arena: &Arena, node: NodeId) -> bool {
    let mut node = node;
    loop {
        match arena.kind(node) {
            Kind::List => return true,
            Kind::RedirectedStatement => match split_redirected(arena, node).0 {
                Some(body) => node = body,
                None => return false,
            },
            _ => return false,
        }
    }
}

fn is_piped_on(arena: &Arena, redirect: NodeId) -> bool {
    arena.kind(redirect) == Kind::HeredocRedirect && arena.children(redirect).any(|child| arena.kind(child) == Kind::Pipeline)
}

fn is_redirect(kind: Kind) -> bool {
    matches!(kind, Kind::FileRedirect | Kind::HeredocRedirect | Kind::HerestringRedirect)
}

/// The kinds of a statement.
pub(crate) fn is_statement(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::List
            | Kind::Pipeline
            | Kind::RedirectedStatement
            | Kind::Command
            | Kind::Subshell
            | Kind::Compound
            | Kind::If
            | Kind::While
            | Kind::For
            | Kind::CFor
            | Kind::Case
            | Kind::Function
            | Kind::Negated
            | Kind::Test
            | Kind::Declaration
            | Kind::Unset
            | Kind::Assignment
            | Kind::Assignments
            | Kind::Error
    )
}

/// Words of a `for` list and the subject of a `case`; loop names, arm patterns and function names are none (HARD-021).
fn is_operand(arena: &Arena, node: NodeId) -> bool {
    match arena.parent(node).map(|parent| arena.kind(parent)) {
        Some(Kind::For) => true,
        Some(Kind::Case) => arena.parent(node).is_some_and(|case| {
            arena.named_children(case).find(|child| arena.kind(*child) != Kind::Comment).is_some_and(|first| first == node)
        }),
        _ => false,
    }
}

/// The words of a test command.
fn operands_below(arena: &Arena, node: NodeId) -> Vec<NodeId> {
    let mut out = Vec::new();
    let mut stack = vec![node];
    while let Some(id) = stack.pop() {
        let kind = arena.kind(id);
        if id != node && command::is_literal(kind) {
            out.push(id);
            continue;
        }
        let mark = stack.len();
        stack.extend(arena.children(id));
        if let Some(rest) = stack.get_mut(mark..) {
            rest.reverse();
        }
    }
    out
}

/// A word read for others.
pub(crate) fn read_word(ctx: &Ctx, node: NodeId) -> Word {
    word::read(&ctx.source.text, &ctx.source.arena, node)
}
