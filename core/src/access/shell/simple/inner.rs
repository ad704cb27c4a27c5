//! The commands behind a wrapper (HARD-028, HARD-031): where they start, and their units.

use std::borrow::Cow;

use super::super::command::Simple;
use super::super::peel::{self, Peel};
use super::super::program::GrantWidth;
use super::super::walk::{Ctx, Walk};
use super::super::word::{Word, slice};
use super::super::wrappers::{self, base_name};
use super::super::{spelling, units};
use super::reserved_words;
use crate::policy::UnitContext;

/// Layers of wrappers that are peeled (HARD-028).
const MAX_PEEL: usize = 4;

/// What a wrapper's words say about the command it runs.
pub(super) enum Inner {
    Command(usize),
    Ranges(Vec<(usize, usize)>),
    None,
}

impl Inner {
    pub(in super::super) fn of(command: &Simple<'_>) -> Self {
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
    pub(in super::super) fn chain_start(&self, command: &Simple<'_>) -> Option<usize> {
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

fn is_coproc(command: &Simple<'_>) -> bool {
    command.words.first().is_some_and(|word| word.value() == "coproc")
}

/// What a coprocess runs, with the data that it is given.
pub(super) fn behind_coproc<'t>(command: &Simple<'t>) -> Option<Simple<'t>> {
    if !is_coproc(command) {
        return None;
    }
    // A computed word refuses the peel, and stands where the program stands all the same.
    let at = if let Inner::Command(at) = Inner::of(command) { at } else { 1 };
    let prefix = command.words.iter().skip(at).take_while(|word| peel::is_assignment(&word.value())).count();
    let at = at + prefix;
    let (heredocs, herestrings) = (command.heredocs.clone(), command.herestrings.clone());
    Some(Simple { heredocs, herestrings, ..tail(command, at, command.words.len()) })
}

/// A part of a command's words as a command.
fn tail<'t>(command: &Simple<'t>, from: usize, to: usize) -> Simple<'t> {
    let words: Vec<Word<'t>> = command.words.get(from..to).unwrap_or_default().to_vec();
    let begin = command.offsets.get(from).copied().unwrap_or(0);
    let end = command.offsets.get(to).copied().unwrap_or(command.text.len());
    let text = match &command.text {
        Cow::Borrowed(text) => Cow::Borrowed(slice(text, begin, end).trim_end()),
        Cow::Owned(text) => Cow::Owned(slice(text, begin, end).trim_end().to_owned()),
    };
    let offsets = command.offsets.get(from..to).unwrap_or_default().iter().map(|at| at - begin).collect();
    let start = words.first().map_or(command.start, |word| word.start);
    Simple { words, offsets, text, start, ..Simple::default() }
}

/// HARD-031: the command behind a wrapper is judged as well; its allow counts for nothing (RES-49).
pub(super) fn list(walk: &mut Walk<'_>, ctx: &Ctx, command: &Simple<'_>, layer: usize) {
    let coproc = is_coproc(command);
    if layer >= MAX_PEEL || !coproc && wrappers::classify(command, false).is_none() {
        return;
    }
    let parts = match Inner::of(command) {
        // `time { rm x; }`: the grammar takes the brace for a word.
        Inner::Command(at) => {
            // `coproc NAME { rm x; }`: the grammar does not know the name.
            let named = coproc && reserved_words(command.words.get(at + 1..).unwrap_or_default()) > 0;
            let at = at + usize::from(named);
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
        let mut unit = units::plain(
            part.text.clone().into_owned(),
            start,
            Some(UnitContext::WrappedCommand),
            ctx.by.or(Some("HARD-031")),
            true,
        );
        let bases = walk.bases.clone();
        unit.spellings = spelling::spellings(&part, &spelling::Scene::of(walk), &bases);
        unit.grant = GrantWidth::Nothing;
        walk.emit(unit);
        list(walk, ctx, &part, layer + 1);
    }
}

/// `fd -xrm`, `fd --exec=rm`: the value of the option is the command.
fn glued_exec<'t>(command: &Simple<'t>) -> Vec<Simple<'t>> {
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
            (!inner.is_empty()).then(|| Simple { text: Cow::Owned(inner.to_owned()), start: word.start, ..Simple::default() })
        })
        .collect()
}

/// Where, in a chain of peeled wrappers, each command starts.
pub(super) fn wrapper_starts(command: &Simple<'_>) -> Vec<usize> {
    let mut out = vec![0];
    if matches!(Inner::of(command), Inner::None) {
        return out;
    }
    let mut at = 0;
    for _ in 0..MAX_PEEL {
        let rest = tail(command, at, command.words.len());
        match Inner::of(&rest) {
            Inner::Command(more) if wrappers::classify(&rest, false).is_some() => at += more,
            Inner::Command(more) if is_coproc(&rest) => {
                // `coproc NAME { … }`: the grammar does not know the name.
                at += more;
                out.push(at + 1);
            }
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
