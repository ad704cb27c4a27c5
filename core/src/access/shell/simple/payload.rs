//! Program text that a command carries as data: `sh -c`, `eval`, `trap`, here-documents into a shell (HARD-031, HARD-033). It
//! is found here and analysed by the walk, to restrict only.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::super::command::{self, Simple};
use super::super::names::Names;
use super::super::walk::{self, Ctx};
use super::super::word::Word;
use super::super::wrappers::{self, base_name};
use super::super::{late, units};
use super::inner::wrapper_starts;
use super::reserved_words;

/// Program text inside the command.
pub(crate) struct Payload {
    pub(crate) text: String,
    pub(crate) start: usize,
    pub(crate) by: &'static str,
    /// No program, but a text with substitutions in it: an arithmetic expression, a subscript.
    pub(crate) expression: bool,
}

/// How a program comes to its text.
#[derive(Debug, Clone, Copy)]
enum Carrier {
    /// All its operands together.
    Operands,
    /// A stream that the command itself fills.
    Stream,
    /// What an alias stands for.
    Aliases,
    /// Each operand that is a command line.
    Lines,
    /// An arithmetic expression.
    Expression,
    /// Names with subscripts: they are evaluated, substitutions in them included.
    Subscripts,
    /// The same, and a program behind a letter.
    SubscriptsAndCallback,
    /// Programs and words behind letters.
    Completion,
    /// What runs later.
    Action,
    /// Its operands, up to the inputs.
    Command,
    /// A text that is split into words.
    SplitString,
    /// The word behind `-c`.
    Flag,
}

/// Programs that carry text of programs, beside the shells.
const CARRIERS: &[(Carrier, Names)] = &[
    (Carrier::Operands, Names::of(&["eval"])),
    (Carrier::Stream, Names::of(&["source", ".", "at", "batch"])),
    (Carrier::Aliases, Names::of(&["alias"])),
    (Carrier::Lines, Names::of(&["sg", "tmux", "screen", "dtach", "newgrp"])),
    (Carrier::Expression, Names::of(&["let"])),
    (Carrier::Subscripts, Names::of(&["printf", "read", "unset", "test", "declare", "wait", "getopts", "[", "coproc"])),
    (Carrier::SubscriptsAndCallback, Names::of(&["mapfile", "readarray"])),
    (Carrier::Completion, Names::of(&["compgen"])),
    (Carrier::Action, Names::of(&["trap"])),
    (Carrier::Command, Names::of(&["watch", "parallel", "rush", "rust-parallel"])),
    (Carrier::SplitString, Names::of(&["env", "genv"])),
    (Carrier::Flag, Names::of(&["su", "runuser", "script", "flock"])),
];

/// Every program that may carry program text or launch what stands behind it.
pub(crate) fn carriers() -> impl Iterator<Item = &'static str> {
    CARRIERS.iter().flat_map(|(_, names)| names.iter()).chain(LAUNCHERS.iter())
}

/// Literal program text of a shell, `eval`, `trap` and their kin, for restriction only (HARD-031, HARD-033).
pub(super) fn of(ctx: &Ctx, command: &Simple<'_>, wraps: bool) -> Vec<Payload> {
    let mut out = Vec::new();
    let starts: SmallVec<[usize; 4]> = if wraps { wrapper_starts(command).into() } else { smallvec::smallvec![0] };
    for from in starts {
        let words = command.words.get(from..).unwrap_or_default();
        let words = words.get(reserved_words(words)..).unwrap_or_default();
        let Some((head, args)) = words.split_first() else { continue };
        let Some(name) = head.literal() else { continue };
        let name = base_name(&name);
        out.extend(launched(name, args));
        if let Some((carrier, _)) = CARRIERS.iter().find(|(_, names)| names.contains(name)) {
            carrier.texts(ctx, command, args, &mut out);
        } else if wrappers::is_shell(name) {
            out.extend(shell_payload(ctx, command, args, &values_of(args)));
        }
    }
    out
}

impl Carrier {
    fn texts(self, ctx: &Ctx, command: &Simple<'_>, args: &[Word<'_>], out: &mut Vec<Payload>) {
        match self {
            Self::Operands => {
                out.push(joined(args.split_first().filter(|(first, _)| first.value() == "--").map_or(args, |(_, rest)| rest)));
            }
            Self::Stream => out.extend(fed(ctx, command)),
            Self::Aliases => out.extend(aliases(ctx, args)),
            Self::Lines => out.extend(args.iter().filter(|word| word.value().contains([' ', '\t'])).map(one)),
            Self::Expression => out.push(Payload { expression: true, ..joined(args) }),
            Self::Subscripts => out.extend(subscripts(args)),
            Self::SubscriptsAndCallback => {
                out.extend(subscripts(args));
                out.extend(values_of_letter(args, 'C'));
            }
            Self::Completion => {
                out.extend(values_of_letter(args, 'C'));
                out.extend(values_of_letter(args, 'W').into_iter().map(|words| Payload { expression: true, ..words }));
            }
            Self::Action => out.extend(wrappers::trap_action(args).map(|word| Payload { by: "BASH-D07", ..one(word) })),
            Self::Command => out.extend(commands(args)),
            Self::SplitString => out.extend(split_string(args)),
            Self::Flag => out.extend(after_flag(args, &["-c", "--command"]).map(one)),
        }
    }
}

/// Words as one program text.
fn joined(words: &[Word<'_>]) -> Payload {
    Payload {
        text: words.iter().map(Word::value).collect::<Vec<_>>().join(" "),
        start: words.first().map_or(0, |word| word.start),
        by: "HARD-031",
        expression: false,
    }
}

/// One word as a program text.
fn one(word: &Word<'_>) -> Payload {
    joined(std::slice::from_ref(word))
}

/// A shell that runs one line expands no alias unless it is told to.
fn aliases(ctx: &Ctx, args: &[Word<'_>]) -> Vec<Payload> {
    if !ctx.source.text.contains("expand_aliases") && !ctx.source.text.contains("posix") {
        return Vec::new();
    }
    let text = |word: &Word<'_>| word.value().split_once('=').map(|(_, text)| text.to_owned());
    args.iter().filter_map(|word| Some(Payload { text: text(word)?, ..one(word) })).collect()
}

fn subscripts<'w>(args: &'w [Word<'_>]) -> impl Iterator<Item = Payload> + 'w {
    let known = args.iter().map(|word| (word, late::known(word)));
    known.filter(|(_, text)| late::is_subscripted(text)).map(|(word, text)| Payload { text, expression: true, ..one(word) })
}

/// The command of a program that runs it again and again. An option's plain value (`-n 5`) may stand first: both readings are
/// looked at.
fn commands(args: &[Word<'_>]) -> Vec<Payload> {
    let values = values_of(args);
    let from = values.iter().position(|value| !value.starts_with('-')).unwrap_or(values.len());
    let to = values.iter().position(|value| value.starts_with(":::")).unwrap_or(values.len());
    let readings = [from, from + 1].map(|from| args.get(from..to.max(from)).unwrap_or_default());
    readings.into_iter().filter(|words| !words.is_empty()).map(joined).collect()
}

fn values_of<'w>(args: &'w [Word<'_>]) -> Vec<Cow<'w, str>> {
    args.iter().map(Word::value).collect()
}

/// Programs that run what stands behind words of their own, without a floor (HARD-032 lists those that have one).
const LAUNCHERS: Names = Names::of(&[
    "bwrap",
    "caffeinate",
    "capsh",
    "catchsegv",
    "cpulimit",
    "daemonize",
    "dbus-run-session",
    "fakeroot",
    "faketime",
    "firejail",
    "gdb",
    "i386",
    "ld.so",
    "linux32",
    "linux64",
    "numactl",
    "perf",
    "prlimit",
    "proxychains",
    "proxychains4",
    "rlwrap",
    "setarch",
    "setpriv",
    "ssh-agent",
    "start-stop-daemon",
    "torsocks",
    "valgrind",
    "x86_64",
    "xvfb-run",
]);
/// Words behind a launcher that may be the command.
const MAX_LAUNCHED: usize = 4;

/// Where the command of a launcher begins is not told apart from its own words: it is looked for at each of the first ones.
fn launched(name: &str, args: &[Word<'_>]) -> Vec<Payload> {
    if !(LAUNCHERS.contains(name) || name.starts_with("ld-linux") || name.starts_with("ld-musl")) {
        return Vec::new();
    }
    let starts = args.iter().enumerate().filter(|(_, word)| !word.value().starts_with('-')).take(MAX_LAUNCHED);
    starts
        .map(|(at, word)| {
            let words = args.get(at..).unwrap_or_default();
            let text = words.iter().map(|word| word.raw.as_ref()).collect::<Vec<_>>().join(" ");
            Payload { text, start: word.start, by: "HARD-031", expression: false }
        })
        .collect()
}

/// `env -S 'rm x' y`: the text and the words behind it are one command line (HARD-028).
fn split_string(args: &[Word<'_>]) -> Option<Payload> {
    for (at, word) in args.iter().enumerate() {
        let value = word.value();
        let glued = match value.strip_prefix("--") {
            Some(long) => {
                let (name, text) = long.split_once('=').map_or((long, None), |(name, text)| (name, Some(text)));
                if name.is_empty() || !"split-string".starts_with(name) {
                    continue;
                }
                text.unwrap_or_default()
            }
            None => match value.strip_prefix('-').and_then(|cluster| cluster.split_once('S')) {
                Some((before, text)) if before.chars().all(|letter| matches!(letter, 'i' | '0' | 'v')) => text,
                _ => continue,
            },
        };
        let rest = args.get(at + 1..).unwrap_or_default();
        let words = std::iter::once(Cow::Borrowed(glued)).chain(rest.iter().map(Word::value));
        let text = words.collect::<Vec<_>>().join(" ");
        return Some(Payload { text, start: word.start, by: "HARD-031", expression: false });
    }
    None
}

/// The values of a short option, glued or in the next word.
fn values_of_letter(args: &[Word<'_>], letter: char) -> Vec<Payload> {
    let mut out = Vec::new();
    for (at, word) in args.iter().enumerate() {
        let value = word.value();
        let Some((_, glued)) = value.strip_prefix('-').and_then(|cluster| cluster.split_once(letter)) else { continue };
        let (text, start) = match args.get(at + 1) {
            Some(next) if glued.is_empty() => (next.value().into_owned(), next.start),
            _ => (glued.to_owned(), word.start),
        };
        out.push(Payload { text, start, by: "HARD-031", expression: false });
    }
    out
}

fn after_flag<'w, 't>(args: &'w [Word<'t>], flags: &[&str]) -> Option<&'w Word<'t>> {
    let at = args.iter().position(|word| flags.contains(&word.value().as_ref()))?;
    args.get(at + 1)
}

/// The program of `sh -c`, of a here-document and of a here-string.
fn shell_payload(ctx: &Ctx, command: &Simple<'_>, args: &[Word<'_>], values: &[Cow<'_, str>]) -> Vec<Payload> {
    let mut out = Vec::new();
    let inline = values.iter().take_while(|value| value.as_ref() != "--").position(|value| {
        value.starts_with('-') && !value.starts_with("--") && value.contains(['c', 'C']) || value == "--command"
    });
    if let Some(flag) = inline {
        // `-co pipefail 'program'`: the cluster takes a word of its own first.
        let flag = flag + usize::from(values.get(flag).is_some_and(|value| value.ends_with(['o', 'O'])));
        let after = values.get(flag + 1..).unwrap_or_default();
        if let Some(word) = wrappers::script_operand(after).and_then(|at| args.get(flag + 1 + at)) {
            out.push(Payload { text: word.value().into_owned(), start: word.start, by: "HARD-031", expression: false });
        }
    }
    out.extend(fed(ctx, command));
    out
}

/// The texts that a command is given on its standard input.
fn fed(ctx: &Ctx, command: &Simple<'_>) -> Vec<Payload> {
    let mut out = Vec::new();
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
        if let Some(node) = arena.named_children(*herestring).find(|child| command::is_literal(arena.kind(*child))) {
            let word = walk::read_word(ctx, node);
            out.push(Payload { text: word.value().into_owned(), start: word.start, by: "HARD-033", expression: false });
        }
    }
    out
}
