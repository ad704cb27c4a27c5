//! Executions inside words, and program texts inside the command: substitutions, payloads, broken regions (HARD-004, HARD-022,
//! HARD-031).

use std::rc::Rc;

use smallvec::SmallVec;

use super::super::tree::{Arena, Kind, NodeId, Parsed};
use super::super::word::slice;
use super::super::{continued, heredocs, late, quoting, simple, unseen};
use super::kinds::{begins_execution, is_redirect, is_statement, is_still};
use super::{Around, Ctx, Source, Step, Walk};
use crate::policy::UnitContext;

/// Texts inside the command (payloads, salvage) beyond this number are not parsed.
const MAX_SOURCES: usize = 64;
/// A step of the parser in a broken region counts so often.
const SALVAGE_WEIGHT: u64 = 8;
/// Payloads inside payloads.
const MAX_LAYERS: u8 = 4;

impl Walk<'_> {
    /// The command and process substitutions in these subtrees. Those of a host other than a plain word carry its context.
    pub(super) fn hosted_steps(
        &mut self,
        roots: &[NodeId],
        ctx: &Ctx,
        host: Option<UnitContext>,
        by: &'static str,
        steps: &mut Vec<Step>,
    ) {
        let arena = &ctx.source.arena;
        let text = &ctx.source.text;
        let mut stack: SmallVec<[NodeId; 16]> =
            roots.iter().rev().copied().filter(|root| !is_still(text, arena, *root)).collect();
        for root in stack.iter().rev() {
            self.unseen_steps(*root, ctx, host, steps);
        }
        while let Some(id) = stack.pop() {
            let kind = arena.kind(id);
            let context = match kind {
                Kind::CommandSubstitution => UnitContext::CommandSubstitution,
                Kind::ProcessSubstitution => UnitContext::ProcessSubstitution,
                Kind::Regex | Kind::ExtglobPattern => {
                    // The grammar reads patterns as one token, substitutions included.
                    let at = arena.get(id);
                    let pattern = slice(&ctx.source.text, at.start as usize, at.end as usize).to_owned();
                    let host = host.unwrap_or(UnitContext::CommandSubstitution);
                    self.hosted_text(&pattern, at.start as usize, ctx, host, "HARD-001", steps);
                    continue;
                }
                _ => {
                    let mark = stack.len();
                    stack.extend(arena.children(id));
                    if let Some(rest) = stack.get_mut(mark..) {
                        rest.reverse();
                    }
                    continue;
                }
            };
            let at = arena.get(id);
            let source_text = slice(&ctx.source.text, at.start as usize, at.end as usize);
            if let Some(body) =
                source_text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')).filter(|body| body.contains('\\'))
            {
                // Inside backquotes a backslash protects backquotes: the shell takes it away before it parses.
                let program = quoting::backquoted(body);
                self.inner_text(&program, at.start as usize + 1, ctx, host.unwrap_or(context), "HARD-004", steps);
            }
            let by = (!by.is_empty()).then_some(by);
            let inner = ctx.inside(host.unwrap_or(context), by).without_fold();
            steps.push(Step::Save);
            for child in arena.named_children(id) {
                let child_kind = arena.kind(child);
                if child_kind == Kind::FileRedirect {
                    // `$(< file)` reads a file and runs nothing.
                    steps.push(Step::Statement { node: child, ctx: inner.clone(), tail: Vec::new() });
                } else if child_kind != Kind::Comment {
                    steps.push(Step::Statement { node: child, ctx: inner.clone(), tail: Vec::new() });
                    steps.push(Step::Next);
                }
            }
            steps.push(Step::Restore);
        }
    }

    /// Executions that the grammar took for text: backquotes inside an expansion in quotes, anything in single quotes inside an
    /// arithmetic expression, where they protect nothing. To restrict only.
    fn unseen_steps(&mut self, root: NodeId, ctx: &Ctx, host: Option<UnitContext>, steps: &mut Vec<Step>) {
        let arena = &ctx.source.arena;
        let at = arena.get(root);
        let text = slice(&ctx.source.text, at.start as usize, at.end as usize);
        let opens = begins_execution(text);
        let statement = is_statement(at.kind) && !matches!(at.kind, Kind::Assignment | Kind::Assignments);
        if !opens || statement || at.kind == Kind::Program {
            return;
        }
        self.unseen_below(root, ctx, host, steps);
    }

    fn unseen_below(&mut self, root: NodeId, ctx: &Ctx, host: Option<UnitContext>, steps: &mut Vec<Step>) {
        let arena = &ctx.source.arena;
        let at = arena.get(root);
        let host = host.unwrap_or(UnitContext::CommandSubstitution);
        for (start, program) in unseen::executions(&ctx.source.text, arena, root) {
            // Backquotes in a document are read elsewhere: the grammar knows none there.
            if at.kind == Kind::HeredocBody && slice(&ctx.source.text, 0, start).ends_with('`') {
                continue;
            }
            self.inner_text(&program, start, ctx, host, "HARD-004", steps);
        }
    }

    /// A literal program text inside the command: analysed to restrict only (HARD-031, HARD-033).
    pub(super) fn payload(&mut self, payload: &simple::Payload, ctx: &Ctx, steps: &mut Vec<Step>) {
        if payload.expression {
            return self.hosted_text(&payload.text, payload.start, ctx, UnitContext::Arithmetic, payload.by, steps);
        }
        self.inner_text(&payload.text, payload.start, ctx, UnitContext::InlineProgram, payload.by, steps);
    }

    pub(super) fn inner_text(
        &mut self,
        text: &str,
        start: usize,
        ctx: &Ctx,
        context: UnitContext,
        by: &'static str,
        steps: &mut Vec<Step>,
    ) -> bool {
        let layer = ctx.source.layer.saturating_add(1);
        if text.trim().is_empty() {
            return false;
        }
        if self.sources >= MAX_SOURCES || layer > MAX_LAYERS {
            self.bound = true;
            return false;
        }
        self.sources += 1;
        let weight = if context == UnitContext::Salvaged { SALVAGE_WEIGHT } else { 1 };
        let Ok(Parsed::Tree(arena)) = self.parse(text, weight) else {
            self.bound = true;
            return false;
        };
        if context == UnitContext::Salvaged && arena.get(Arena::ROOT).has_error {
            return false;
        }
        let source = Rc::new(Source { text: text.to_owned(), arena, offset: ctx.source.offset + start, layer });
        let inner = ctx.inside(context, Some(by)).hidden_paths(by).without_fold();
        let inner = Ctx::new(Around { source, restrict: true, ..Around::clone(&inner) });
        steps.push(Step::Save);
        steps.push(Step::Statement { node: Arena::ROOT, ctx: inner.clone(), tail: Vec::new() });
        steps.push(Step::Restore);
        self.late(&inner, steps);
        self.reread(&inner, steps);
        true
    }

    /// Quoted texts that the shell evaluates later, to restrict only.
    pub(super) fn late(&mut self, ctx: &Ctx, steps: &mut Vec<Step>) {
        for (start, value) in late::evaluated(&ctx.source.text, &ctx.source.arena) {
            if self.sources >= MAX_SOURCES {
                self.bound = true;
                return;
            }
            self.sources += 1;
            // In double quotes nothing but its substitutions counts.
            let command = format!(": \"{}\"", value.replace('"', "\\\""));
            let Ok(Parsed::Tree(arena)) = self.parse(&command, 1) else {
                self.bound = true;
                return;
            };
            let source = Rc::new(Source { text: command, arena, offset: ctx.source.offset + start, layer: ctx.source.layer });
            let outer = ctx.by("HARD-031").hidden_paths("HARD-031").without_fold();
            let inner = Ctx::new(Around { source, restrict: true, ..Around::clone(&outer) });
            self.hosted_steps(&[Arena::ROOT], &inner, Some(UnitContext::InlineProgram), "HARD-031", steps);
        }
    }

    /// What the shell reads where the grammar reads something else: without the here-documents that it misread, or with the
    /// words that it tore.
    fn otherwise(&mut self, text: &str, arena: &Arena) -> Option<String> {
        let around = heredocs::misread(text, arena);
        self.late_unparsed |= around.is_some();
        around.or_else(|| continued::joined(text, arena))
    }

    /// Where the grammar misread a text, what the shell makes of it is read as well, to restrict only.
    pub(super) fn reread(&mut self, ctx: &Ctx, steps: &mut Vec<Step>) {
        let Some(rest) = self.otherwise(&ctx.source.text, &ctx.source.arena) else { return };
        let mut source = Source { text: rest, arena: Arena::default(), offset: ctx.source.offset, layer: ctx.source.layer };
        loop {
            if self.sources >= MAX_SOURCES {
                self.bound = true;
                return;
            }
            self.sources += 1;
            let Ok(Parsed::Tree(arena)) = self.parse(&source.text, 1) else {
                self.bound = true;
                return;
            };
            // What is left may show a document, or a torn word, that was hidden before.
            let next = self.otherwise(&source.text, &arena).filter(|next| *next != source.text);
            let read = Rc::new(Source { arena, ..source });
            let inner = ctx.inside(UnitContext::Salvaged, Some("HARD-004")).hidden_paths("HARD-004").without_fold();
            let unparsed = self.late_unparsed;
            let inner = Ctx::new(Around { source: Rc::clone(&read), restrict: true, unparsed, ..Around::clone(&inner) });
            steps.push(Step::Save);
            steps.push(Step::Statement { node: Arena::ROOT, ctx: inner, tail: Vec::new() });
            steps.push(Step::Restore);
            let Some(next) = next else { return };
            source = Source { text: next, arena: Arena::default(), offset: read.offset, layer: read.layer };
        }
    }

    /// The substitutions in a text that the grammar took for a plain one.
    pub(super) fn hosted_text(
        &mut self,
        text: &str,
        start: usize,
        ctx: &Ctx,
        host: UnitContext,
        by: &'static str,
        steps: &mut Vec<Step>,
    ) {
        if !text.contains("$(") && !text.contains('`') && !text.contains("<(") && !text.contains(">(") {
            return;
        }
        if self.sources >= MAX_SOURCES {
            self.bound = true;
            return;
        }
        self.sources += 1;
        // A leading word keeps the text in the place of an argument.
        let command = format!(": {text}");
        let Ok(Parsed::Tree(arena)) = self.parse(&command, 1) else {
            self.bound = true;
            return;
        };
        if arena.get(Arena::ROOT).has_error {
            self.mark_unparsed();
            self.late_unparsed = true;
        }
        let offset = (ctx.source.offset + start).saturating_sub(2);
        let source = Rc::new(Source { text: command, arena, offset, layer: ctx.source.layer });
        let inner = Ctx::new(Around { source, ..Around::clone(&ctx.by(by).hidden_paths(by)) });
        self.hosted_steps(&[Arena::ROOT], &inner, Some(host), by, steps);
        // No walk of statements goes through it: what the grammar takes for text here, too, is looked for now.
        self.unseen_below(Arena::ROOT, &inner, Some(host), steps);
        self.reread(&inner, steps);
    }

    /// Broken regions of a command: parsed alone, to restrict only (HARD-004 b).
    pub(super) fn salvage(&mut self, regions: &[(usize, usize)], ctx: &Ctx, steps: &mut Vec<Step>) {
        for (start, end) in regions {
            let line_end =
                ctx.source.text.get(*end..).and_then(|rest| rest.find('\n')).map_or(ctx.source.text.len(), |at| end + at);
            for stop in [*end, line_end] {
                let text = slice(&ctx.source.text, *start, stop).to_owned();
                let bare = text.trim_start_matches(['|', '&', ';', ')', '(', ' ', '\t', '\n']);
                if bare.is_empty() {
                    continue;
                }
                let at = stop - bare.len();
                if self.inner_text(bare, at, ctx, UnitContext::Salvaged, "HARD-004", steps) {
                    break;
                }
            }
        }
    }

    /// `<<E; rm x`: the grammar takes the operator for a part of the delimiter and gives the whole up.
    fn salvage_opener(&mut self, text: &str, start: usize, ctx: &Ctx, steps: &mut Vec<Step>) {
        let Some(opener) = text.find("<<").and_then(|at| text.get(at..)).and_then(|rest| rest.lines().next()) else { return };
        let Some(behind) = opener.find([';', '&', '|']).and_then(|at| opener.get(at..)) else { return };
        let line = behind.trim_start_matches([';', '&', '|', ' ', '\t']);
        let at = text.find(behind).map_or(0, |at| at + behind.len() - line.len());
        self.inner_text(line, start + at, ctx, UnitContext::Salvaged, "HARD-004", steps);
    }

    /// An ERROR node: one unit as the package has it, and what can be salvaged of it.
    pub(super) fn broken(&mut self, node: NodeId, ctx: &Ctx) {
        let ctx = &ctx.unparsed();
        self.emit_statement(node, ctx);
        let source = Rc::clone(&ctx.source);
        let at = source.arena.get(node);
        let mut steps = self.new_steps();
        let (start, end) = (at.start as usize, at.end as usize);
        let whole = start == 0 && end == source.text.len();
        let text = slice(&source.text, start, end);
        let bare = text.trim_start();
        let clean = !whole && self.inner_text(bare, end - bare.len(), ctx, UnitContext::Salvaged, "HARD-004", &mut steps);
        if !clean {
            self.salvage_opener(bare, end - bare.len(), ctx, &mut steps);
            let inner = ctx.inside(UnitContext::Salvaged, Some("HARD-004")).without_fold();
            let inner = Ctx::new(Around { restrict: true, ..Around::clone(&inner) });
            steps.push(Step::Save);
            for child in source.arena.children(node) {
                let kind = source.arena.kind(child);
                if is_statement(kind) || is_redirect(kind) {
                    steps.push(Step::Statement { node: child, ctx: inner.clone(), tail: Vec::new() });
                    steps.push(Step::Next);
                } else {
                    self.hosted_steps(&[child], &inner, Some(UnitContext::Salvaged), "HARD-004", &mut steps);
                }
            }
            steps.push(Step::Restore);
        }
        self.push_all(steps);
        self.outcome = self.unchanged();
    }
}
