//! Statements beside each other: sequences, `&&` and `||`, pipelines, statements with redirections behind them.

use std::rc::Rc;

use smallvec::SmallVec;

use super::super::tree::{Kind, NodeId};
use super::kinds::{is_list, split_redirected};
use super::{Ctx, Joint, Step, Walk};

impl Walk<'_> {
    /// Statements one after the other. A statement before `&` leaves the directory alone (CWD-010).
    pub(super) fn sequence(&mut self, node: NodeId, ctx: &Ctx) {
        let arena = &ctx.source.arena;
        let mut steps = self.new_steps();
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

    pub(super) fn list(&mut self, node: NodeId, ctx: Ctx, tail: Vec<NodeId>) {
        let arena = &ctx.source.arena;
        let parts: SmallVec<[NodeId; 2]> =
            arena.named_children(node).filter(|child| arena.kind(*child) != Kind::Comment).collect();
        let or = arena.children(node).any(|child| arena.kind(child) == Kind::OrOr);
        let joint = if or { Joint::Or } else { Joint::And };
        match parts.as_slice() {
            [left, right] => {
                self.steps.push(Step::Right { joint, node: *right, ctx: ctx.piped(false), tail });
                self.steps.push(Step::Statement { node: *left, ctx, tail: Vec::new() });
            }
            _ => self.sequence(node, &ctx.unparsed()),
        }
    }

    /// Stages leave the directory alone (CWD-011). A first stage that is a list is the grammar's misgrouping of
    /// `a && b 2>&1 | c` (CWD-012): all but its last part stand before the pipe.
    pub(super) fn pipeline(&mut self, node: NodeId, ctx: Ctx, tail: Vec<NodeId>) {
        let arena = Rc::clone(&ctx.source);
        let arena = &arena.arena;
        let stages: SmallVec<[NodeId; 4]> =
            arena.named_children(node).filter(|child| arena.kind(*child) != Kind::Comment).collect();
        let count = stages.len();
        let mut steps = self.new_steps();
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
            _ => steps.push(Step::Statement { node: stage, ctx: ctx.unparsed(), tail: Vec::new() }),
        }
    }

    pub(super) fn redirected(&mut self, node: NodeId, ctx: Ctx, tail: Vec<NodeId>) {
        let (body, mut redirects) = split_redirected(&ctx.source.arena, node);
        redirects.extend(tail);
        match body {
            Some(body) => self.steps.push(Step::Statement { node: body, ctx, tail: redirects }),
            None => self.command(None, &ctx, &redirects),
        }
    }
}
