//! Simple commands and what stands behind them: redirections, here-documents and their continuation (HARD-002, HARD-003).

use std::rc::Rc;

use super::super::command::{self, Simple};
use super::super::tree::{Kind, NodeId};
use super::super::word::{self, slice};
use super::super::{quoting, simple, units};
use super::kinds::{hosts_nothing, is_piped_on, is_statement, is_still};
use super::{Ctx, Joint, Step, Walk};
use crate::policy::UnitContext;

impl Walk<'_> {
    /// A simple command (or, without a node, bare redirections) with the redirections behind it.
    pub(super) fn command(&mut self, node: Option<NodeId>, ctx: &Ctx, tail: &[NodeId]) {
        let source = Rc::clone(&ctx.source);
        let parts = command::assemble(&source.text, &source.arena, node, tail);
        let mut steps = self.new_steps();
        let continued = tail.iter().any(|redirect| is_piped_on(&source.arena, *redirect));
        let before = continued.then(|| self.unchanged());
        for part in &parts {
            self.one_command(part, ctx, &mut steps);
            self.salvage(&part.broken, ctx, &mut steps);
        }
        if let Some(before) = before {
            steps.push(Step::Outcome(before));
            steps.push(Step::Next);
        }
        for redirect in tail {
            self.heredoc_continuation(*redirect, ctx, &mut steps);
        }
        // Most commands host nothing: what would be the next step is done at once.
        if let [Step::Outcome(_), Step::Next] = steps.as_slice() {
            steps.pop();
            if let Some(Step::Outcome(outcome)) = steps.pop() {
                self.outcome = outcome;
                self.go_on(self.outcome.all.clone());
            }
        }
        self.push_all(steps);
    }

    /// One simple command: its units, its paths, and, as steps, what it hosts.
    pub(super) fn one_command(&mut self, part: &Simple<'_>, ctx: &Ctx, steps: &mut Vec<Step>) {
        let cut = part.cut_off.then(|| ctx.by("BASH-D04").piped(false));
        let own = cut.as_ref().unwrap_or(ctx);
        let found = simple::analyse(self, own, part);
        for payload in found.payloads {
            self.payload(&payload, own, steps);
        }
        if !part.assignments.is_empty() {
            self.hosted_steps(&part.assignments, &own.hidden_paths("HARD-022"), None, "", steps);
        }
        for (index, word) in part.words.iter().enumerate().filter(|_| !part.plain) {
            let (text, arena) = (&own.source.text, &own.source.arena);
            if word.nodes.iter().all(|node| hosts_nothing(arena, *node) || is_still(text, arena, *node)) {
                continue;
            }
            let hidden = index == 0 || word.kind == word::WordKind::Argument;
            let word_ctx = if hidden { own.hidden_paths("HARD-022") } else { own.clone() };
            self.hosted_steps(&word.nodes, &word_ctx, None, "", steps);
        }
        if let Some(subshell) = part.subshell {
            let ctx = own.without_fold();
            steps.push(Step::Save);
            steps.push(Step::Statement { node: subshell, ctx: ctx.by("HARD-001"), tail: Vec::new() });
            steps.push(Step::Restore);
        }
        self.redirect_hosts(part, own, steps);
        steps.push(Step::Outcome(found.outcome));
        steps.push(Step::Next);
    }

    /// Executions hosted in redirect targets, here-strings and here-documents (HARD-002).
    pub(super) fn redirect_hosts(&mut self, part: &Simple<'_>, ctx: &Ctx, steps: &mut Vec<Step>) {
        for redirect in &part.redirects {
            if is_still(&ctx.source.text, &ctx.source.arena, redirect.node) {
                continue;
            }
            if redirect.leading {
                self.hosted_steps(&[redirect.node], &ctx.hidden_paths("HARD-002"), None, "", steps);
            } else {
                self.hosted_steps(
                    &[redirect.node],
                    &ctx.hidden_paths("HARD-002"),
                    Some(UnitContext::Redirect),
                    "HARD-002",
                    steps,
                );
            }
        }
        for herestring in &part.herestrings {
            self.hosted_steps(&[*herestring], &ctx.hidden_paths("HARD-002"), None, "", steps);
        }
        for heredoc in &part.heredocs {
            let arena = &ctx.source.arena;
            let body = arena.children(*heredoc).find(|child| arena.kind(*child) == Kind::HeredocBody);
            if let Some(body) = body.filter(|_| !units::is_literal_heredoc(&ctx.source.text, arena, *heredoc)) {
                let ctx = ctx.hidden_paths("HARD-002");
                self.hosted_steps(&[body], &ctx, Some(UnitContext::Heredoc), "HARD-002", steps);
                // It misses a substitution at the start of a body behind `<<-`.
                for (start, end) in units::unseen_substitutions(&ctx.source.text, &ctx.source.arena, body) {
                    let text = slice(&ctx.source.text, start, end).to_owned();
                    self.hosted_text(&text, start, &ctx, UnitContext::Heredoc, "HARD-002", steps);
                }
                // The grammar knows no backquotes in a body.
                let at = arena.get(body);
                let text = slice(&ctx.source.text, at.start as usize, at.end as usize).to_owned();
                for (start, program) in quoting::backquotes(&text) {
                    self.inner_text(&program, at.start as usize + start, &ctx, UnitContext::Heredoc, "HARD-002", steps);
                }
            }
        }
    }

    /// What the grammar puts behind a here-document's delimiter: a pipe, `&&`, `||` (HARD-003).
    pub(super) fn heredoc_continuation(&mut self, redirect: NodeId, ctx: &Ctx, steps: &mut Vec<Step>) {
        let arena = &ctx.source.arena;
        if arena.kind(redirect) != Kind::HeredocRedirect {
            return;
        }
        let ctx = ctx.by("HARD-003").without_fold();
        let mut operator = None;
        for child in arena.children(redirect) {
            match arena.kind(child) {
                Kind::AndAnd => operator = Some(Joint::And),
                Kind::OrOr => operator = Some(Joint::Or),
                Kind::Pipeline => {
                    for stage in arena.named_children(child).filter(|stage| is_statement(arena.kind(*stage))) {
                        steps.push(Step::Statement { node: stage, ctx: ctx.piped(true), tail: Vec::new() });
                    }
                }
                kind if is_statement(kind) => match operator.take() {
                    Some(joint) => steps.push(Step::Right { joint, node: child, ctx: ctx.piped(false), tail: Vec::new() }),
                    None => steps.push(Step::Statement { node: child, ctx: ctx.unparsed(), tail: Vec::new() }),
                },
                _ => {}
            }
        }
    }
}
