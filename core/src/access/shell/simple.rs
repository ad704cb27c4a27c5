//! What one simple command means: its unit, the commands it wraps, its floors, its path words, where it leaves the shell.

use super::bases::{Bases, Outcome};
use super::command::Simple;
use super::expand::{self, Reading};
use super::grant;
use super::operands::{self, Operand};
use super::paths::PathScene;
use super::peel::{self, Peel};
use super::program::WrapperKind;
use super::tree::{Kind, NodeId};
use super::walk::{Ctx, Walk};
use super::word::{Piece, Word, slice};
use super::wrappers::{self, base_name};
use super::{floors, loaders, options, spelling, units};
use crate::access::path::Base;
use crate::policy::{Direction, Floor, FloorKind, GrantLift, UnitContext};

/// Layers of wrappers that are peeled (HARD-028).
const MAX_PEEL: usize = 4;

/// Program text inside the command.
pub(crate) struct Payload {
    pub(crate) text: String,
    pub(crate) start: usize,
    pub(crate) by: &'static str,
    /// No program, but a text with substitutions in it: an arithmetic expression, a subscript.
    pub(crate) expression: bool,
}

/// What the walk has to go on with.
pub(crate) struct Found {
    pub(crate) outcome: Outcome,
    pub(crate) payloads: Vec<Payload>,
}

/// Lists the unit, the inner commands and the path words of one simple command.
pub(crate) fn analyse(walk: &mut Walk<'_>, ctx: &Ctx, command: &Simple) -> Found {
    let outcome = change_directory(walk, ctx, command);
    redirect_paths(walk, ctx, command, &outcome.package);
    let loads = assignments(walk, ctx, &command.assignments) && !command.words.is_empty();
    if command.words.is_empty() && !command.missing {
        if command.assignments.is_empty() {
            orphan(walk, ctx, command);
        } else if command.cut_off || !command.redirects.is_empty() || !command.heredocs.is_empty() {
            walk.emit(units::plain(assignment_text(ctx, command), command.start, ctx.context, ctx.by, ctx.restrict));
        }
        return Found { outcome, payloads: Vec::new() };
    }
    let mut payloads = Vec::new();
    unit(walk, ctx, command, loads, &mut payloads);
    if !command.missing {
        argument_paths(walk, ctx, command);
    }
    Found { outcome, payloads }
}

fn assignment_text(ctx: &Ctx, command: &Simple) -> String {
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
fn orphan(walk: &mut Walk<'_>, ctx: &Ctx, command: &Simple) {
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
fn unit(walk: &mut Walk<'_>, ctx: &Ctx, command: &Simple, loads: bool, payloads: &mut Vec<Payload>) {
    let start = ctx.source.offset + command.start;
    let mut unit = units::plain(command.text.clone(), start, ctx.context, ctx.by, ctx.restrict);
    let bases = walk.bases.clone();
    unit.spellings = spelling::spellings(command, &spelling::Scene::of(walk), &bases);
    unit.spellings.extend(resolved_word(walk, command));
    floors::add_context_floors(walk, ctx, &mut unit);
    if command.missing || !command.broken.is_empty() {
        floors::unparsed(walk, &mut unit);
    }
    let wrapper = wrappers::classify(command, ctx.piped);
    let peeled = wrapper.map(|_| Inner::of(command));
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
    if head.is_some_and(is_computed_word) {
        floors::computed_word(&mut unit);
    }
    if loads || walk.loader || wrapper.is_some() && env_loads(command) {
        floors::loader(&mut unit);
    }
    if unit.floors.iter().any(|floor| floor.kind == FloorKind::UnparsedBashSubtree)
        && unit.grant != super::program::GrantWidth::Nothing
    {
        unit.grant = floors::whole_text(walk.command);
    }
    if head.is_some_and(|head| head.value() == "coproc") && command.words.iter().any(|word| word.raw == "{") {
        floors::unparsed(walk, &mut unit);
    }
    walk.emit(unit);
    inner_units(walk, ctx, command, 0);
    payloads.extend(payload(ctx, command));
}

/// HARD-060: the word in the command's place is not known before it runs.
fn is_computed_word(word: &Word) -> bool {
    word.is_computed() || word.has_braces() || word.has_glob() && word.raw != "[" && word.raw != "[["
}

/// HARD-060: an earlier literal assignment resolves the word, for restriction only.
fn resolved_word(walk: &Walk<'_>, command: &Simple) -> Vec<(String, &'static str)> {
    let Some((head, args)) = command.words.split_first() else { return Vec::new() };
    let [Piece::Variable { name, .. }] = head.pieces.as_slice() else { return Vec::new() };
    let rest: String = args.iter().map(|word| format!(" {}", word.value())).collect();
    walk.variables.iter().filter(|(known, _)| known == name).map(|(_, value)| (format!("{value}{rest}"), "HARD-060")).collect()
}

/// The shell never runs a reserved word: where one stands in a command's place, the parse is wrong (HARD-004).
const RESERVED: &[&str] = &[
    "if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for", "select", "function", "{", "}",
    "!", "in", "[[", "]]",
];

fn reserved(walk: &Walk<'_>, command: &Simple, unit: &mut super::program::ShellUnit) {
    let skip = reserved_words(&command.words);
    if skip == 0 {
        return;
    }
    floors::unparsed(walk, unit);
    let rest: Vec<String> = command.words.iter().skip(skip).map(Word::value).collect();
    if !rest.is_empty() {
        unit.spellings.push((rest.join(" "), "HARD-004"));
    }
}

/// How many reserved words stand at the front.
fn reserved_words(words: &[Word]) -> usize {
    words.iter().take_while(|word| RESERVED.contains(&word.raw.as_str())).count()
}

/// HARD-033: `source` of a computed name or of a file outside the directory.
fn sourced(walk: &Walk<'_>, command: &Simple, unit: &mut super::program::ShellUnit) {
    let Some((head, args)) = command.words.split_first() else { return };
    if !matches!(head.literal().as_deref(), Some("source" | ".")) {
        return;
    }
    let Some(file) = args.iter().find(|word| word.value() != "--") else { return };
    let home = walk.home.clone();
    let hidden = walk.bases.iter().any(|base| match expand::read(file, &base, walk.rebound, home.as_deref()) {
        Reading::Text { text, partial: false, .. } if !file.has_glob() => {
            walk.facts.resolver.resolve_word(&text, &base).is_none_or(|path| path.outside)
        }
        _ => true,
    });
    if hidden {
        unit.wrapper = Some(WrapperKind::OpaquePayload);
        floors::add(unit, floors::floor(FloorKind::OpaqueBashWrapper, "HARD-033", GrantLift::Any));
        unit.grant = super::program::GrantWidth::Exact;
    }
}

/// HARD-057.
fn dangerous(command: &Simple, unit: &mut super::program::ShellUnit) {
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
    unit.grant = super::program::GrantWidth::Exact;
}

/// HARD-059: an operand of a wrapper (`env`, `sudo`) that sets a loader variable.
fn env_loads(command: &Simple) -> bool {
    let Some(name) = command.words.first().and_then(Word::literal) else { return false };
    base_name(&name) != "xargs"
        && command.words.iter().skip(1).any(|word| {
            let value = word.value();
            let literal = word.literal();
            value.split_once('=').is_some_and(|(name, _)| {
                loaders::is_loader(name, literal.as_deref().and_then(|text| text.split_once('=')).map(|(_, value)| value))
            })
        })
}

/// The assignments before a command, or alone. Says whether one of them may load code; standing alone it then holds for all
/// that follows.
pub(crate) fn assignments(walk: &mut Walk<'_>, ctx: &Ctx, nodes: &[NodeId]) -> bool {
    let mut loads = false;
    let arena = &ctx.source.arena;
    for node in nodes {
        let mut children = arena.named_children(*node);
        let Some(name) = children.next() else { continue };
        let at = arena.get(name);
        let name = slice(&ctx.source.text, at.start as usize, at.end as usize);
        let value = children.next().map(|value| super::walk::read_word(ctx, value));
        let literal = match &value {
            Some(word) => word.literal(),
            None => Some(String::new()),
        };
        loads |= loaders::is_loader(name, literal.as_deref());
        let alone = matches!(arena.parent(*node).map(|parent| arena.kind(parent)), Some(kind) if kind != Kind::Command);
        if alone && loads {
            walk.loader = true;
        }
        if let Some(literal) = literal.filter(|_| alone && walk.variables.len() < 64) {
            walk.variables.push((name.to_owned(), literal));
        }
    }
    loads
}

/// `export`, `declare` and their kin (HARD-059).
pub(crate) fn declaration(walk: &mut Walk<'_>, ctx: &Ctx, node: NodeId) {
    let arena = &ctx.source.arena;
    let nodes: Vec<NodeId> = arena.named_children(node).filter(|child| arena.kind(*child) == Kind::Assignment).collect();
    if assignments(walk, ctx, &nodes) {
        walk.loader = true;
    }
    // `export "LD_PRELOAD=x"` is a word to the grammar.
    for child in arena.named_children(node).filter(|child| super::command::is_literal(arena.kind(*child))) {
        let word = super::walk::read_word(ctx, child);
        if word.value().split_once('=').is_some_and(|(name, value)| loaders::is_loader(name, Some(value))) {
            walk.loader = true;
        }
    }
}

/// What a wrapper's words say about the command it runs.
enum Inner {
    Command(usize),
    Ranges(Vec<(usize, usize)>),
    None,
}

impl Inner {
    fn of(command: &Simple) -> Self {
        let Some(name) = command.words.first().and_then(Word::literal) else { return Self::None };
        let name = base_name(&name).to_owned();
        if matches!(name.as_str(), "find" | "fd" | "fdfind" | "gfind" | "bfs") {
            return Self::Ranges(peel::exec_ranges(&name, &command.words));
        }
        match peel::peel(&name, &command.words) {
            Peel::Inner(at) => Self::Command(at),
            Peel::Nothing | Peel::Refused => Self::None,
        }
    }

    /// Where the innermost command of a chain of peeled wrappers starts, for the grant (HARD-041).
    fn chain_start(&self, command: &Simple) -> Option<usize> {
        let Self::Command(first) = self else { return None };
        let mut at = *first;
        for _ in 0..MAX_PEEL {
            let rest = tail(command, at, command.words.len());
            if wrappers::classify(&rest, false).is_none() {
                return Some(at);
            }
            match Self::of(&rest) {
                Self::Command(more) => at += more,
                _ => return None,
            }
        }
        None
    }
}

/// A part of a command's words as a command.
fn tail(command: &Simple, from: usize, to: usize) -> Simple {
    let words: Vec<Word> = command.words.get(from..to).unwrap_or_default().to_vec();
    let begin = command.offsets.get(from).copied().unwrap_or(0);
    let end = command.offsets.get(to).copied().unwrap_or(command.text.len());
    let text = slice(&command.text, begin, end).trim_end().to_owned();
    let offsets = command.offsets.get(from..to).unwrap_or_default().iter().map(|at| at - begin).collect();
    let start = words.first().map_or(command.start, |word| word.start);
    Simple { words, offsets, text, start, ..Simple::default() }
}

/// HARD-031: the command behind a wrapper is judged as well; its allow counts for nothing (RES-49).
fn inner_units(walk: &mut Walk<'_>, ctx: &Ctx, command: &Simple, layer: usize) {
    let coproc = command.words.first().is_some_and(|word| word.value() == "coproc");
    if layer >= MAX_PEEL || !coproc && wrappers::classify(command, false).is_none() {
        return;
    }
    let parts = match Inner::of(command) {
        // `time { rm x; }`: the grammar takes the brace for a word.
        Inner::Command(at) => {
            let at = at + reserved_words(command.words.get(at..).unwrap_or_default());
            let prefix = command.words.iter().skip(at).take_while(|word| peel::is_assignment(&word.value())).count();
            let at = at + prefix;
            vec![tail(command, at, command.words.len())]
        }
        Inner::Ranges(ranges) => ranges.into_iter().map(|(from, to)| tail(command, from, to)).collect(),
        Inner::None => glued_exec(command),
    };
    for part in parts.into_iter().filter(|part| !part.text.is_empty()) {
        let start = ctx.source.offset + part.start;
        let mut unit =
            units::plain(part.text.clone(), start, Some(UnitContext::WrappedCommand), ctx.by.or(Some("HARD-031")), true);
        let bases = walk.bases.clone();
        unit.spellings = spelling::spellings(&part, &spelling::Scene::of(walk), &bases);
        unit.grant = super::program::GrantWidth::Nothing;
        walk.emit(unit);
        inner_units(walk, ctx, &part, layer + 1);
    }
}

/// `fd -xrm`, `fd --exec=rm`: the value of the option is the command.
fn glued_exec(command: &Simple) -> Vec<Simple> {
    let is_fd = command.words.first().and_then(Word::literal).is_some_and(|name| matches!(base_name(&name), "fd" | "fdfind"));
    if !is_fd {
        return Vec::new();
    }
    command
        .words
        .iter()
        .skip(1)
        .filter_map(|word| {
            let value = word.value();
            let inner = value.strip_prefix("--exec=").or_else(|| value.strip_prefix("--exec-batch="));
            let inner = inner.or_else(|| value.strip_prefix("-x")).or_else(|| value.strip_prefix("-X"))?;
            (!inner.is_empty()).then(|| Simple { text: inner.to_owned(), start: word.start, ..Simple::default() })
        })
        .collect()
}

/// Literal program text of a shell, `eval`, `trap` and their kin, for restriction only (HARD-031, HARD-033).
fn payload(ctx: &Ctx, command: &Simple) -> Vec<Payload> {
    let mut out = Vec::new();
    for from in wrapper_starts(command) {
        let words = command.words.get(from..).unwrap_or_default();
        let words = words.get(reserved_words(words)..).unwrap_or_default();
        let Some((head, args)) = words.split_first() else { continue };
        let Some(name) = head.literal() else { continue };
        let name = base_name(&name);
        let joined = |words: &[Word]| Payload {
            text: words.iter().map(Word::value).collect::<Vec<_>>().join(" "),
            start: words.first().map_or(0, |word| word.start),
            by: "HARD-031",
            expression: false,
        };
        let values: Vec<String> = args.iter().map(Word::value).collect();
        match name {
            "eval" => out.push(joined(args)),
            "let" => out.push(Payload { expression: true, ..joined(args) }),
            // A subscript is evaluated, substitutions in it included.
            "printf" | "read" | "unset" | "test" | "declare" | "mapfile" | "readarray" => {
                out.extend(
                    args.iter()
                        .filter(|word| word.value().contains("[$(") || word.value().contains("[`"))
                        .map(|word| Payload { expression: true, ..joined(std::slice::from_ref(word)) }),
                );
            }
            "trap" => {
                out.extend(args.iter().find(|word| !word.value().starts_with('-')).map(|word| joined(std::slice::from_ref(word))))
            }
            "watch" | "parallel" | "rush" | "rust-parallel" => {
                let from = values.iter().position(|value| !value.starts_with('-')).unwrap_or(values.len());
                let to = values.iter().position(|value| value.starts_with(":::")).unwrap_or(values.len());
                // An option's plain value (`-n 5`) may stand first: both readings are looked at.
                for from in [from, from + 1] {
                    out.extend(args.get(from..to.max(from)).filter(|words| !words.is_empty()).map(joined));
                }
            }
            "su" | "runuser" | "script" | "flock" => {
                out.extend(after_flag(args, &values, &["-c", "--command"]).map(|word| joined(&[word])))
            }
            shell if wrappers::is_shell(shell) => out.extend(shell_payload(ctx, command, args, &values)),
            _ => {}
        }
    }
    out
}

/// Where, in a chain of peeled wrappers, each command starts.
fn wrapper_starts(command: &Simple) -> Vec<usize> {
    let mut out = vec![0];
    let mut at = 0;
    for _ in 0..MAX_PEEL {
        let rest = tail(command, at, command.words.len());
        match Inner::of(&rest) {
            Inner::Command(more) if wrappers::classify(&rest, false).is_some() => at += more,
            Inner::Ranges(ranges) => {
                out.extend(ranges.iter().map(|(from, _)| at + from));
                break;
            }
            _ => break,
        }
        out.push(at);
    }
    out
}

fn after_flag(args: &[Word], values: &[String], flags: &[&str]) -> Option<Word> {
    let at = values.iter().position(|value| flags.contains(&value.as_str()))?;
    args.get(at + 1).cloned()
}

/// The program of `sh -c`, of a here-document and of a here-string.
fn shell_payload(ctx: &Ctx, command: &Simple, args: &[Word], values: &[String]) -> Vec<Payload> {
    let mut out = Vec::new();
    let inline = values.iter().take_while(|value| value.as_str() != "--").position(|value| {
        value.starts_with('-') && !value.starts_with("--") && value.contains(['c', 'C']) || value == "--command"
    });
    if let Some(flag) = inline {
        // `-co pipefail 'program'`: the cluster takes a word of its own first.
        let flag = flag + usize::from(values.get(flag).is_some_and(|value| value.ends_with(['o', 'O'])));
        let after = values.get(flag + 1..).unwrap_or_default();
        if let Some(word) = wrappers::script_operand(after).and_then(|at| args.get(flag + 1 + at)) {
            out.push(Payload { text: word.value(), start: word.start, by: "HARD-031", expression: false });
        }
    }
    let arena = &ctx.source.arena;
    for heredoc in &command.heredocs {
        out.extend(units::heredoc_body(&ctx.source.text, arena, *heredoc).map(|(text, start)| Payload {
            text,
            start,
            by: "HARD-033",
            expression: false,
        }));
    }
    for herestring in &command.herestrings {
        if let Some(node) = arena.named_children(*herestring).find(|child| super::command::is_literal(arena.kind(*child))) {
            let word = super::walk::read_word(ctx, node);
            out.push(Payload { text: word.value(), start: word.start, by: "HARD-033", expression: false });
        }
    }
    out
}

/// Targets of redirections (TOK-011, HARD-016, HARD-037 (1)).
pub(crate) fn redirect_paths(walk: &mut Walk<'_>, ctx: &Ctx, command: &Simple, package: &Base) {
    for redirect in &command.redirects {
        let Some(target) = &redirect.target else { continue };
        let direction = if redirect.broken { Direction::Both } else { redirect.direction };
        let bases = walk.bases.clone();
        let scene = PathScene {
            facts: walk.facts,
            rebound: &walk.rebound,
            bases: &bases,
            package,
            hidden_by: ctx.path_by,
            direction,
            reads: direction == Direction::Read,
            quiet: false,
        };
        walk.paths.at(ctx.source.offset + target.start).role(&scene, target, &mut walk.bound);
    }
}

/// Operands of a command (TOK-003, TOK-013, HARD-020).
fn argument_paths(walk: &mut Walk<'_>, ctx: &Ctx, command: &Simple) {
    let Some(head) = command.words.first() else { return };
    let name = head.literal().unwrap_or_default();
    let name = base_name(name.trim_end_matches('/')).to_owned();
    let kinds = operands::sort(&name, &command.words);
    let reader = operands::is_reader(&command.words) && command.assignments.is_empty();
    let bases = walk.bases.clone();
    let package = walk.package.clone();
    let listed = operands::package_lists(&command.words);
    let scene = PathScene {
        facts: walk.facts,
        rebound: &walk.rebound,
        bases: &bases,
        package: &package,
        hidden_by: ctx.path_by,
        direction: Direction::Both,
        reads: reader,
        quiet: reader,
    };
    for ((word, kind), listed) in command.words.iter().skip(1).zip(kinds).zip(listed) {
        walk.paths.at(ctx.source.offset + word.start);
        let own = word.moved_by.or((!listed).then_some("HARD-020"));
        let scene = PathScene { hidden_by: ctx.path_by.or(own), ..scene };
        match kind {
            Operand::Consumed => {}
            Operand::Plain => walk.paths.argument(&scene, word, &mut walk.bound),
            Operand::File => walk.paths.role(&scene, word, &mut walk.bound),
            Operand::GluedFile(at) => walk.paths.glued(&scene, word, at, &mut walk.bound),
        }
    }
}

/// Where the command leaves the shell (CWD, RES-52).
fn change_directory(walk: &Walk<'_>, ctx: &Ctx, command: &Simple) -> Outcome {
    let before = walk.bases.clone();
    let package = if ctx.fold { package_directory(walk, command) } else { walk.package.clone() };
    let same = Outcome::same(&before, &package);
    let Some((head, args)) = directory_changer(command).and_then(<[Word]>::split_first) else { return same };
    if base_name(&head.value()) != "cd" {
        // pushd, popd: nobody follows the stack.
        let all = before.union(&Bases::unknown());
        return Outcome { success: all.clone(), all, package };
    }
    let target = args.iter().find(|word| {
        let value = word.value();
        value != "--" && !(value.len() > 1 && value.starts_with('-'))
    });
    let home = walk.home.clone();
    let mut sure = true;
    let after = match target {
        None => home.clone().filter(|_| !walk.rebound.home).map_or_else(Bases::unknown, |home| Bases::of(Base::Known(home))),
        Some(word) => before.map(|base| directory(walk, word, base, home.as_deref(), &mut sure)),
    };
    let all = before.union(&after);
    match (ctx.fold, sure && !after.has_unknown()) {
        (true, true) => Outcome { success: after.clone(), all: after, package },
        (true, false) => Outcome { success: after, all, package },
        (false, _) => Outcome { success: all.clone(), all, package },
    }
}

/// Where the package takes a command to lead (CWD-004 to CWD-009).
fn package_directory(walk: &Walk<'_>, command: &Simple) -> Base {
    let Some((head, args)) = command.words.split_first() else { return walk.package.clone() };
    if base_name(head.raw.trim_end_matches('/')) != "cd" {
        return walk.package.clone();
    }
    if command.redirects.iter().any(|redirect| redirect.leading) || !command.herestrings.is_empty() {
        return Base::Unknown;
    }
    let Some(word) = args.iter().find(|word| word.raw != "--") else { return Base::Unknown };
    let open = |piece: &Piece| matches!(piece, Piece::Text { .. });
    let bare = word.plain && word.raw == "-" || word.raw.starts_with('~');
    match &word.token {
        Some(token) if !bare && (!token.contains('$') || word.raw.starts_with('\'')) && word.pieces.iter().all(open) => {
            walk.facts.resolver.fold_directory(token, &walk.package)
        }
        _ => Base::Unknown,
    }
}

/// The words from `cd`, `pushd` or `popd` on, behind `command` and `builtin` too.
fn directory_changer(command: &Simple) -> Option<&[Word]> {
    let mut words = command.words.as_slice();
    loop {
        let (head, rest) = words.split_first()?;
        let name = head.literal()?;
        match base_name(name.trim_end_matches('/')) {
            "cd" | "chdir" | "pushd" | "popd" => return Some(words),
            "command" | "builtin" => {
                let skip = rest.iter().take_while(|word| word.value().starts_with('-')).count();
                words = rest.get(skip..)?;
            }
            _ => return None,
        }
    }
}

/// Where `cd word` leads from one directory; `sure` falls when it may fail.
fn directory(walk: &Walk<'_>, word: &Word, base: &Base, home: Option<&str>, sure: &mut bool) -> Base {
    let reading = expand::read(word, base, walk.rebound, home);
    let Reading::Text { text, partial: false, .. } = reading else {
        *sure = false;
        return Base::Unknown;
    };
    if text == "-" || word.has_glob() || word.has_braces() {
        *sure = false;
        return Base::Unknown;
    }
    if walk.rebound.cdpath && !text.starts_with(['/', '.']) {
        *sure = false;
        return Base::Unknown;
    }
    if *base == Base::Unknown && !text.starts_with('/') {
        *sure = false;
    } else {
        *sure &= walk.facts.resolver.resolve_word(&text, base).is_some_and(|path| path.exists && path.is_directory);
    }
    walk.facts.resolver.fold_directory(&text, base)
}
