//! The walk over the tree: which commands run, under which context, in which directory.
//!
//! One pass with an explicit stack; no recursion. Statement nodes are visited in source order, each with the directories that
//! may be in force (RES-52). What a statement is, is decided here; what a simple command means, in [`super::simple`].

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use super::bases::{Bases, Outcome};
use super::expand;
use super::facts::ShellError;
use super::marks;
use super::paths::Paths;
use super::program::ShellUnit;
use super::rebound::Rebound;
use super::remember::Facts;
use super::tree::{self, Arena, Kind, NodeId, Parsed};
use super::word::slice;
use super::{floors, simple, units};
use crate::access::path::Base;
use crate::policy::UnitContext;

mod commands;
mod constructs;
mod context;
mod hosted;
mod kinds;
mod lists;

use context::Around;
pub(crate) use context::{Ctx, Source, read_word};
use kinds::assignment_nodes;

/// Units beyond this number are not listed.
const MAX_UNITS: usize = 10_000;
/// Bytes of unit texts beyond this are not listed: so many, and so many more for each byte of the command. A statement is a
/// unit and so is each one inside it: deep nesting multiplies the text.
const MAX_UNIT_BYTES: usize = 64 * 1024;
const MAX_UNIT_BYTES_PER_BYTE: usize = 8;
/// The same for further spellings, each of which may carry the directory in front of each word.
const MAX_SPELLED_BYTES: usize = 4 * 1024 * 1024;
const MAX_SPELLED_BYTES_PER_BYTE: usize = 64;
/// Statements nested deeper than this are not looked at.
const MAX_NESTING: u16 = 400;
/// Lines that are looked at when the whole cannot be parsed, and how long they may be.
const MAX_LINES: usize = 64;
const MAX_LINE: usize = 1024;

/// What joins the two sides of a list. As wide as the numbers beside it, so that steps are moved whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
enum Joint {
    And,
    Or,
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
        joint: Joint,
        node: NodeId,
        ctx: Ctx,
        tail: Vec<NodeId>,
    },
    /// The end of a list, joined with what its left side left open.
    Join {
        left: Outcome,
        joint: Joint,
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
    pub(crate) facts: &'a Facts<'a>,
    command: &'a str,
    /// The command, for the floors that only a grant of the whole lifts; made when the first unit needs it.
    whole: OnceCell<Arc<str>>,
    /// A pattern of the whole command would match more than it.
    pub(crate) has_wildcard: bool,
    pub(crate) units: Vec<ShellUnit>,
    pub(crate) paths: Paths,
    pub(crate) rebound: Rebound,
    /// The home directory.
    pub(crate) home: Option<Rc<str>>,
    /// The directories in force.
    pub(crate) bases: Bases,
    /// The one that the package takes to be in force.
    pub(crate) package: Rc<Base>,
    /// A loader variable is set for everything that follows (HARD-059).
    pub(crate) loader: bool,
    /// Literal assignments seen so far, for HARD-060.
    pub(crate) variables: Vec<(String, String)>,
    /// A bound was hit.
    pub(crate) bound: bool,
    /// Something was found late that nobody understands: the whole call asks.
    pub(crate) late_unparsed: bool,
    /// No more units are taken; there is no sense in looking for them.
    full: bool,
    unit_bytes: usize,
    spelled_bytes: usize,
    sources: usize,
    /// What is left of the work that the parser may do for this command.
    steps_left: u64,
    outcome: Outcome,
    saved: Vec<(Bases, Rc<Base>, bool)>,
    /// An empty list of steps, kept for its memory.
    scratch: Vec<Step>,
    steps: Vec<Step>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(command: &'a str, facts: &'a Facts<'a>, base: Base) -> Self {
        let bases = Bases::of(base.clone());
        let package = Rc::new(base);
        let outcome = Outcome::same(&bases, &package);
        let home: Option<Rc<str>> = expand::home(&facts.resolver).map(Rc::from);
        Self {
            facts,
            command,
            whole: OnceCell::new(),
            has_wildcard: marks::holds(command, [b'*', b'?']),
            // A unit for twenty-five bytes is usual.
            units: Vec::with_capacity((command.len() / 25).min(MAX_UNITS)),
            paths: Paths::new(home.clone(), command.len()),
            home,
            rebound: Rebound::default(),
            bases,
            package,
            loader: false,
            variables: Vec::new(),
            bound: false,
            late_unparsed: false,
            full: false,
            unit_bytes: 0,
            spelled_bytes: 0,
            steps_left: tree::max_steps(command.len()),
            sources: 0,
            outcome,
            saved: Vec::new(),
            scratch: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Parses the command and walks it.
    pub(crate) fn run(&mut self) -> Result<(), ShellError> {
        let Parsed::Tree(arena) = self.parse(self.command, 1)? else {
            self.bound = true;
            return self.whole_text();
        };
        self.bound |= arena.cut;
        self.rebound = Rebound::of(self.command, &arena);
        let lost = units::lost_text(self.command, &arena);
        let source = Rc::new(Source { text: self.command.to_owned(), arena, offset: 0, layer: 0 });
        let ctx = Ctx::new(Around {
            source,
            context: None,
            by: None,
            path_by: None,
            restrict: false,
            unparsed: lost,
            fold: true,
            piped: false,
            nesting: 0,
        });
        let mut steps = self.new_steps();
        steps.push(Step::Statement { node: Arena::ROOT, ctx: ctx.clone(), tail: Vec::new() });
        self.late(&ctx, &mut steps);
        self.reread(&ctx, &mut steps);
        self.push_all(steps);
        self.walk();
        Ok(())
    }

    /// Parses a text within what is left for this command. A step counts `weight` times: recovery from errors is slow.
    fn parse(&mut self, text: &str, weight: u64) -> Result<Parsed, ShellError> {
        tree::parse(text, &mut self.steps_left, weight, self.facts.out_of_time)
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
        self.steps_left = tree::max_steps(line.len());
        let Parsed::Tree(arena) = self.parse(line, 1)? else { return Ok(()) };
        let source = Rc::new(Source { text: line.to_owned(), arena, offset, layer: 1 });
        let ctx = Ctx::new(Around {
            source,
            context: Some(UnitContext::Salvaged),
            by: Some("HARD-004"),
            path_by: Some("HARD-004"),
            restrict: true,
            unparsed: true,
            fold: false,
            piped: false,
            nesting: 0,
        });
        self.steps.push(Step::Statement { node: Arena::ROOT, ctx, tail: Vec::new() });
        self.walk();
        Ok(())
    }

    fn walk(&mut self) {
        while let Some(step) = self.steps.pop() {
            if self.full {
                self.steps.clear();
                return;
            }
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
                Step::Right { joint, node, ctx, tail } => {
                    let left = self.outcome.clone();
                    self.go_on(if joint == Joint::Or { left.all.clone() } else { left.success.clone() });
                    self.steps.push(Step::Join { left, joint });
                    self.statement(node, ctx, tail);
                }
                Step::Join { left, joint } => {
                    self.outcome.all = left.all.union(&self.outcome.all);
                    if joint == Joint::Or {
                        self.outcome.success = left.success.union(&self.outcome.success);
                    }
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

    /// Adds a unit, within bounds. The text of a unit is never cut: beyond the bound it is left out, the walk ends and the call
    /// asks.
    pub(crate) fn emit(&mut self, mut unit: ShellUnit) {
        // A text that was worked out (HARD-060) may be longer than what stands there.
        unit.start = unit.start.min(self.command.len());
        self.unit_bytes = self.unit_bytes.saturating_add(unit.text.len());
        let most = MAX_UNIT_BYTES.saturating_add(self.command.len().saturating_mul(MAX_UNIT_BYTES_PER_BYTE));
        let spelled: usize = unit.spellings.iter().map(|(text, _)| text.len()).sum();
        self.spelled_bytes = self.spelled_bytes.saturating_add(spelled);
        let most_spelled = MAX_SPELLED_BYTES.saturating_add(self.command.len().saturating_mul(MAX_SPELLED_BYTES_PER_BYTE));
        if self.units.len() >= MAX_UNITS || self.unit_bytes > most || self.spelled_bytes > most_spelled {
            self.bound = true;
            self.full = true;
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
        if at.has_error && (!container || units::has_direct_error(&ctx.source.arena, node)) {
            ctx = ctx.unparsed();
        }
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
                simple::assignments(self, &ctx, &assignment_nodes(&ctx.source.arena, node), None);
                self.opaque(node, &ctx, &tail, UnitContext::Assignment);
            }
            Kind::Error => self.broken(node, &ctx),
            Kind::Comment | Kind::HeredocBody | Kind::HeredocEnd => self.outcome = self.unchanged(),
            Kind::FileRedirect | Kind::HeredocRedirect | Kind::HerestringRedirect => self.command(None, &ctx, &[node]),
            _ => {
                self.opaque(node, &ctx.unparsed(), &tail, UnitContext::ControlFlow);
            }
        }
    }
    /// A list of steps to fill, first one first. It goes back by [`push_all`](Self::push_all).
    fn new_steps(&mut self) -> Vec<Step> {
        std::mem::take(&mut self.scratch)
    }

    fn push_all(&mut self, mut steps: Vec<Step>) {
        self.steps.extend(steps.drain(..).rev());
        self.scratch = steps;
    }

    /// The whole command, shared by all units that mention it.
    pub(crate) fn whole(&self) -> &Arc<str> {
        self.whole.get_or_init(|| Arc::from(self.command))
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
