//! What one simple command means, put together: its unit with what raises an allow of it, and the calls into the rooms below
//! for what it assigns, runs, carries as data, touches and where it leaves the shell.

use super::bases::Outcome;
use super::command::Simple;
use super::expand::{self, Reading};
use super::grant;
use super::names::Names;
use super::options;
use super::program::{GrantWidth, ShellUnit, WrapperKind};
use super::rooms::Rooms;
use super::tree::{Kind, NodeId};
use super::walk::{Ctx, Walk};
use super::word::{Word, slice};
use super::wrappers::{self, base_name};
use super::{floors, spelling, units};
use crate::policy::{Floor, FloorKind, GrantLift};

mod assigned;
mod directory;
mod inner;
mod payload;
mod resolved;
mod touched;

pub(crate) use assigned::{assignments, declaration, loop_values};
pub(super) use directory::MOVERS;
pub(crate) use payload::{Payload, carriers};
pub(crate) use touched::redirect_paths;

/// What the walk has to go on with.
pub(crate) struct Found {
    pub(crate) outcome: Outcome,
    pub(crate) payloads: Vec<Payload>,
}

/// Lists the unit, the inner commands and the path words of one simple command.
pub(crate) fn analyse(walk: &mut Walk<'_>, ctx: &Ctx, command: &Simple<'_>) -> Found {
    let outcome = directory::change(walk, ctx, command);
    redirect_paths(walk, ctx, command, &outcome.package);
    let head = command.words.first().and_then(Word::literal);
    let loads = assignments(walk, ctx, &command.assignments, head.as_deref()) && !command.words.is_empty();
    if command.words.is_empty() && !command.missing {
        if command.assignments.is_empty() {
            orphan(walk, ctx, command);
        } else if command.cut_off || !command.redirects.is_empty() || !command.heredocs.is_empty() {
            let first = command.assignments.first().map_or(0, |node| ctx.source.arena.get(*node).start as usize);
            let start = ctx.source.offset + first;
            walk.emit(units::plain(assignment_text(ctx, command), start, ctx.context, ctx.by, ctx.restrict));
        }
        return Found { outcome, payloads: Vec::new() };
    }
    let mut payloads = Vec::new();
    unit(walk, ctx, command, loads, &mut payloads);
    if !command.missing {
        touched::argument_paths(walk, ctx, command);
    }
    Found { outcome, payloads }
}

fn assignment_text(ctx: &Ctx, command: &Simple<'_>) -> String {
    let parts: Vec<&str> = command
        .assignments
        .iter()
        .map(|node| {
            let at = ctx.source.arena.get(*node);
            slice(&ctx.source.text, at.start as usize, at.end as usize)
        })
        .collect();
    parts.join(" ")
}

/// BASH-D08: a redirection without a command is a unit beside others.
fn orphan(walk: &mut Walk<'_>, ctx: &Ctx, command: &Simple<'_>) {
    let arena = &ctx.source.arena;
    let nodes = command.redirects.iter().map(|redirect| redirect.node).chain(command.heredocs.iter().copied());
    let nodes: Vec<NodeId> = nodes.chain(command.herestrings.iter().copied()).collect();
    let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else { return };
    if matches!(arena.parent(*first).map(|parent| arena.kind(parent)), Some(Kind::CommandSubstitution)) {
        return;
    }
    let (start, end) = (arena.get(*first).start as usize, arena.get(*last).end as usize);
    let text = slice(&ctx.source.text, start, end).to_owned();
    let mut unit = units::plain(text, ctx.source.offset + start, ctx.context, ctx.by.or(Some("HARD-005")), ctx.restrict);
    floors::orphan(&mut unit);
    floors::add_context_floors(walk, ctx, &mut unit);
    walk.emit(unit);
}

/// The unit of a command and, behind it, what it wraps.
fn unit(walk: &mut Walk<'_>, ctx: &Ctx, command: &Simple<'_>, loads: bool, payloads: &mut Vec<Payload>) {
    let start = ctx.source.offset + command.start;
    let mut unit = units::plain(command.text.clone().into_owned(), start, ctx.context, ctx.by, ctx.restrict);
    let bases = walk.bases.clone();
    unit.spellings = spelling::spellings(command, &spelling::Scene::of(walk), &bases);
    unit.spellings.extend(resolved::spellings(walk, command));
    floors::add_context_floors(walk, ctx, &mut unit);
    if command.missing || !command.broken.is_empty() {
        floors::unparsed(walk, &mut unit);
    }
    let runs = command.rooms.has(Rooms::RUNS);
    let beside = if runs { inner::behind_coproc(command) } else { None };
    let wrapper =
        wrappers::classify(command, ctx.piped).or_else(|| beside.as_ref().and_then(|inner| wrappers::classify(inner, ctx.piped)));
    let peeled = wrapper.map(|_| inner::Inner::of(command));
    unit.grant = grant::width(command, wrapper, peeled.as_ref().and_then(|inner| inner.chain_start(command)));
    if let Some(wrapper) = wrapper {
        unit.wrapper = Some(wrapper.kind);
        let kind = match wrapper.kind {
            WrapperKind::OpaquePayload => FloorKind::OpaqueBashWrapper,
            WrapperKind::Indirection => FloorKind::IndirectionBashWrapper,
        };
        let lift = GrantLift::Any;
        floors::add(
            &mut unit,
            Floor { kind, requirement: wrapper.requirement, baseline: wrapper.baseline, lift, void_if_rule_spells: Vec::new() },
        );
    }
    sourced(walk, command, &mut unit);
    reserved(walk, command, &mut unit);
    dangerous(command, &mut unit);
    let head = command.words.first();
    let behind = beside.as_ref().and_then(|inner| inner.words.first());
    if !command.plain && head.is_some_and(is_computed_word) || behind.is_some_and(is_computed_word) {
        floors::computed_word(&mut unit);
    }
    if loads || walk.loader || (wrapper.is_some() || beside.is_some()) && assigned::env_loads(command) {
        floors::loader(&mut unit);
    }
    if unit.floors.iter().any(|floor| floor.kind == FloorKind::UnparsedBashSubtree) && unit.grant != GrantWidth::Nothing {
        unit.grant = floors::whole_text(walk);
    }
    let coproc = runs && head.is_some_and(|head| head.value() == "coproc");
    if coproc && command.words.iter().any(|word| word.raw == "{") {
        floors::unparsed(walk, &mut unit);
    }
    walk.emit(unit);
    if wrapper.is_some() || coproc {
        inner::list(walk, ctx, command, 0);
    }
    if runs {
        payloads.extend(payload::of(ctx, command, wrapper.is_some() || coproc));
        payloads.extend(resolved::payloads(walk, beside.as_ref().unwrap_or(command)));
    }
}

/// HARD-060: the word in the command's place is not known before it runs.
fn is_computed_word(word: &Word<'_>) -> bool {
    word.is_computed() || word.has_braces() || word.has_glob() && word.raw != "[" && word.raw != "[["
}

/// The shell never runs a reserved word: where one stands in a command's place, the parse is wrong (HARD-004).
pub(super) const RESERVED: Names = Names::of(&[
    "if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for", "select", "function", "{", "}",
    "!", "in", "[[", "]]",
]);

fn reserved(walk: &Walk<'_>, command: &Simple<'_>, unit: &mut ShellUnit) {
    let skip = if command.rooms.has(Rooms::RUNS) { reserved_words(&command.words) } else { 0 };
    if skip == 0 {
        return;
    }
    floors::unparsed(walk, unit);
    let rest: Vec<_> = command.words.iter().skip(skip).map(Word::value).collect();
    if !rest.is_empty() {
        unit.spellings.push((rest.join(" "), "HARD-004"));
    }
}

/// How many reserved words stand at the front.
fn reserved_words(words: &[Word<'_>]) -> usize {
    words.iter().take_while(|word| RESERVED.contains(&word.raw)).count()
}

/// HARD-033: `source` of a computed name or of a file outside the directory.
fn sourced(walk: &Walk<'_>, command: &Simple<'_>, unit: &mut ShellUnit) {
    let Some((head, args)) = command.words.split_first().filter(|_| command.rooms.has(Rooms::RUNS)) else { return };
    if !matches!(head.literal().as_deref(), Some("source" | ".")) {
        return;
    }
    let Some(file) = args.iter().find(|word| word.value() != "--") else { return };
    let home = walk.home.clone();
    let hidden = walk.bases.iter().any(|base| match expand::read(file, base, walk.rebound, home.as_deref()) {
        Reading::Text { text, partial: false, .. } if !file.has_glob() => {
            wrappers::is_stream(&text) || walk.facts.resolver.resolve(&text, base).is_none_or(|path| path.outside)
        }
        _ => true,
    });
    if hidden {
        unit.wrapper = Some(WrapperKind::OpaquePayload);
        floors::add(unit, floors::floor(FloorKind::OpaqueBashWrapper, "HARD-033", GrantLift::Any));
        unit.grant = GrantWidth::Exact;
    }
}

/// HARD-057.
fn dangerous(command: &Simple<'_>, unit: &mut ShellUnit) {
    if !command.rooms.has(Rooms::OPTIONS) {
        return;
    }
    let Some(name) = command.words.first().and_then(Word::literal) else { return };
    let found = options::dangerous(base_name(&name), &command.words);
    if found.is_empty() {
        return;
    }
    let lift = GrantLift::Spelling(found.clone());
    floors::add(
        unit,
        Floor {
            kind: FloorKind::DangerousBashOption,
            requirement: "HARD-057",
            baseline: false,
            lift,
            void_if_rule_spells: found,
        },
    );
    unit.grant = GrantWidth::Exact;
}
