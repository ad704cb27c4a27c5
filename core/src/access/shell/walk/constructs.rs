//! Statements that are no simple commands: groups, loops, conditionals, functions, tests, declarations (HARD-001, HARD-021).

use std::rc::Rc;

use smallvec::SmallVec;

use super::super::bases::Bases;
use super::super::command;
use super::super::marks;
use super::super::paths::PathScene;
use super::super::tree::{Kind, NodeId};
use super::super::word::slice;
use super::super::{floors, late, simple, units, word};
use super::kinds::{is_operand, is_redirect, is_statement, operands_below};
use super::{Ctx, Step, Walk};
use crate::policy::UnitContext;

impl Walk<'_> {
    pub(super) fn compound(&mut self, node: NodeId, ctx: &Ctx, tail: &[NodeId]) {
        let arena = &ctx.source.arena;
        if !arena.children(node).next().is_some_and(|child| arena.kind(child) == Kind::BraceOpen) {
            return self.opaque(node, ctx, tail, UnitContext::Arithmetic);
        }
        self.emit_statement(node, ctx);
        self.later_redirections(ctx, tail);
        let inner = ctx.inside(UnitContext::Group, Some("HARD-001"));
        self.sequence(node, &inner);
    }

    pub(super) fn negated(&mut self, node: NodeId, ctx: &Ctx, tail: Vec<NodeId>) {
        self.emit_statement(node, ctx);
        let inner = ctx.inside(UnitContext::Negation, Some("HARD-001")).without_fold().piped(ctx.piped);
        self.steps.push(Step::Negate);
        let body = ctx.source.arena.named_children(node).find(|child| ctx.source.arena.kind(*child) != Kind::Comment);
        if let Some(body) = body {
            self.steps.push(Step::Statement { node: body, ctx: inner, tail });
        }
    }

    /// Loops, conditionals, `case`: their statements run with an unfollowed directory, their words are operands (HARD-021).
    pub(super) fn control_flow(&mut self, node: NodeId, ctx: &Ctx, tail: &[NodeId]) {
        self.emit_statement(node, ctx);
        self.later_redirections(ctx, tail);
        if ctx.source.arena.kind(node) == Kind::For {
            simple::loop_values(self, ctx, node);
        }
        let inner = ctx.inside(UnitContext::ControlFlow, Some("HARD-001")).without_fold().piped(ctx.piped);
        self.steps.push(Step::Leave);
        self.inner_statements(node, &inner);
        self.steps.push(Step::Save);
    }

    pub(super) fn function(&mut self, node: NodeId, ctx: &Ctx, tail: &[NodeId]) {
        self.emit_statement(node, ctx);
        let arena = &ctx.source.arena;
        let own: Vec<NodeId> = arena.children(node).filter(|child| is_redirect(arena.kind(*child))).collect();
        self.later_redirections(ctx, &[own.as_slice(), tail].concat());
        let inner = ctx.inside(UnitContext::FunctionBody, Some("HARD-001")).without_fold();
        self.steps.push(Step::Leave);
        self.inner_statements(node, &inner);
        self.steps.push(Step::Save);
    }

    /// Visits the statements directly below a construct, and the executions hosted in its words, in source order. Words are
    /// operands where HARD-021 says so.
    pub(super) fn inner_statements(&mut self, node: NodeId, ctx: &Ctx) {
        let source = Rc::clone(&ctx.source);
        let arena = &source.arena;
        let mut steps = self.new_steps();
        let mut stack: SmallVec<[NodeId; 16]> = smallvec::smallvec![node];
        let mut first = true;
        while let Some(id) = stack.pop() {
            let at = arena.get(id);
            let opens = first || matches!(at.kind, Kind::Elif | Kind::Else | Kind::DoGroup | Kind::CaseItem);
            if opens {
                first = false;
                let mark = stack.len();
                stack.extend(arena.children(id));
                if let Some(rest) = stack.get_mut(mark..) {
                    rest.reverse();
                }
                continue;
            }
            if is_redirect(at.kind) || at.kind == Kind::Comment {
                continue;
            }
            let header = at.kind == Kind::Assignment && arena.parent(id).is_some_and(|parent| arena.kind(parent) == Kind::CFor);
            if is_statement(at.kind) && !header {
                let background = arena.next(id).is_some_and(|next| arena.kind(next) == Kind::Amp);
                if background {
                    steps.push(Step::Save);
                }
                steps.push(Step::Statement { node: id, ctx: ctx.clone(), tail: Vec::new() });
                steps.push(if background { Step::Restore } else { Step::Next });
                continue;
            }
            if command::is_literal(at.kind) && is_operand(arena, id) {
                let word = word::read(&source.text, arena, id);
                self.paths.at(source.offset + word.start).word(
                    &PathScene::of(self.facts, &self.rebound, (&self.bases, &self.package), ctx, "HARD-021"),
                    &word,
                    &mut self.bound,
                );
            }
            self.hosted_steps(&[id], ctx, ctx.context, "HARD-001", &mut steps);
        }
        self.outcome = self.unchanged();
        self.push_all(steps);
    }

    /// A statement that is one unit and hosts executions in its words.
    pub(super) fn opaque(&mut self, node: NodeId, ctx: &Ctx, tail: &[NodeId], context: UnitContext) {
        self.emit_statement(node, ctx);
        let source = Rc::clone(&ctx.source);
        let by = if matches!(context, UnitContext::Test) { "HARD-021" } else { "" };
        if !by.is_empty() {
            for id in operands_below(&source.arena, node) {
                let word = word::read(&source.text, &source.arena, id);
                self.paths.at(source.offset + word.start).word(
                    &PathScene::of(self.facts, &self.rebound, (&self.bases, &self.package), ctx, by),
                    &word,
                    &mut self.bound,
                );
            }
        }
        let mut steps = self.new_steps();
        let children: SmallVec<[NodeId; 16]> = source.arena.children(node).collect();
        self.hosted_steps(&children, ctx, Some(context), "HARD-001", &mut steps);
        if matches!(context, UnitContext::Test | UnitContext::Declaration | UnitContext::Assignment) {
            self.subscripts(node, ctx, context, &mut steps);
        }
        if let Some(from) = command::second_line(&source.text, &source.arena, node) {
            self.late_unparsed = true;
            let text = slice(&source.text, from, source.arena.get(node).end as usize);
            self.inner_text(text, from, ctx, UnitContext::Salvaged, "BASH-D04", &mut steps);
        }
        steps.push(Step::Outcome(self.unchanged()));
        self.later_redirections(ctx, tail);
        self.push_all(steps);
    }

    /// `unset 'a[$(rm x)]'`: a subscript in a quoted operand is evaluated, substitutions in it included.
    pub(super) fn subscripts(&mut self, node: NodeId, ctx: &Ctx, context: UnitContext, steps: &mut Vec<Step>) {
        let source = Rc::clone(&ctx.source);
        let at = source.arena.get(node);
        if !marks::holds(slice(&source.text, at.start as usize, at.end as usize), [b'$', b'`', b'<', b'>']) {
            return;
        }
        for id in operands_below(&source.arena, node) {
            let word = word::read(&source.text, &source.arena, id);
            let value = word.literal().unwrap_or_default();
            // `declare -a 'a=($(rm x))'`: so is a list.
            let list = context == UnitContext::Declaration && value.contains("=(");
            if late::is_subscripted(&value) || list {
                self.hosted_text(&value, word.start, ctx, context, "HARD-001", steps);
            }
        }
    }

    pub(super) fn later_redirections(&mut self, ctx: &Ctx, tail: &[NodeId]) {
        if !tail.is_empty() {
            self.steps.push(Step::Redirections { ctx: ctx.clone(), tail: tail.to_vec(), bases: self.bases.clone() });
        }
    }

    pub(super) fn redirections(&mut self, ctx: &Ctx, tail: &[NodeId], bases: Bases) {
        let after = std::mem::replace(&mut self.bases, bases);
        let outcome = self.outcome.clone();
        let source = Rc::clone(&ctx.source);
        let parts = command::assemble(&source.text, &source.arena, None, tail);
        let mut steps = self.new_steps();
        for (index, part) in parts.iter().enumerate() {
            if index == 0 && part.words.is_empty() {
                simple::redirect_paths(self, ctx, part, &self.package.clone());
                self.redirect_hosts(part, ctx, &mut steps);
            } else if index == 0 {
                // Words behind a redirection that has no command to give them to.
                let mut unit =
                    units::plain(part.text.clone().into_owned(), source.offset + part.start, ctx.context, Some("HARD-004"), true);
                floors::unparsed(self, &mut unit);
                self.emit(unit);
                simple::redirect_paths(self, ctx, part, &self.package.clone());
                self.redirect_hosts(part, ctx, &mut steps);
                self.mark_unparsed();
            } else {
                self.one_command(part, ctx, &mut steps);
            }
            self.salvage(&part.broken, ctx, &mut steps);
        }
        steps.push(Step::Outcome(outcome));
        steps.push(Step::Next);
        for redirect in tail {
            self.heredoc_continuation(*redirect, ctx, &mut steps);
        }
        self.bases = after;
        self.push_all(steps);
    }
}
