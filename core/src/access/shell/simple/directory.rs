//! Where a simple command leaves the shell (CWD, RES-52), as the shell would have it and as the package has it.

use std::rc::Rc;

use super::super::bases::{Bases, Outcome};
use super::super::command::Simple;
use super::super::expand::{self, Reading};
use super::super::names::Names;
use super::super::rooms::Rooms;
use super::super::walk::{Ctx, Walk};
use super::super::word::{Piece, Word, WordKind};
use super::super::wrappers::base_name;
use crate::access::path::Base;

/// Where the command leaves the shell (CWD, RES-52).
pub(super) fn change(walk: &Walk<'_>, ctx: &Ctx, command: &Simple<'_>) -> Outcome {
    if !command.rooms.has(Rooms::MOVES) {
        return walk.unchanged();
    }
    let before = walk.bases.clone();
    let package = if ctx.fold { package(walk, command) } else { walk.package.clone() };
    let same = Outcome::same(&before, &package);
    let Some((head, args)) = changer(command).and_then(<[Word<'_>]>::split_first) else { return same };
    if base_name(&head.value()) != "cd" {
        // pushd, popd: nobody follows the stack.
        let all = before.union(&Bases::unknown());
        return Outcome { success: all.clone(), all, package };
    }
    let word = args.iter().find(|word| {
        let value = word.value();
        value != "--" && !(value.len() > 1 && value.starts_with('-'))
    });
    let home = walk.home.clone();
    let mut sure = true;
    let after = match word {
        None => home
            .clone()
            .filter(|_| !walk.rebound.home)
            .map_or_else(Bases::unknown, |home| Bases::of(Base::Known(home.to_string()))),
        Some(word) => before.map(|base| target(walk, word, base, home.as_deref(), &mut sure)),
    };
    let all = before.union(&after);
    match (ctx.fold, sure && !after.has_unknown()) {
        (true, true) => Outcome { success: after.clone(), all: after, package },
        (true, false) => Outcome { success: after, all, package },
        (false, _) => Outcome { success: all.clone(), all, package },
    }
}

/// Where the package takes a command to lead (CWD-004 to CWD-009).
fn package(walk: &Walk<'_>, command: &Simple<'_>) -> Rc<Base> {
    let Some((head, args)) = command.words.split_first() else { return walk.package.clone() };
    if base_name(head.raw.trim_end_matches('/')) != "cd" {
        return walk.package.clone();
    }
    if command.redirects.iter().any(|redirect| redirect.leading) || !command.herestrings.is_empty() {
        return Rc::new(Base::Unknown);
    }
    let Some(word) = args.iter().find(|word| word.raw != "--") else { return Rc::new(Base::Unknown) };
    let open = |piece: &Piece| matches!(piece, Piece::Text { .. });
    let bare = word.kind != WordKind::Argument || word.plain && word.raw == "-" || word.raw.starts_with('~');
    match &word.token {
        Some(token) if !bare && (!token.contains('$') || word.raw.starts_with('\'')) && word.pieces.iter().all(open) => {
            Rc::new(walk.facts.resolver.fold(token, &walk.package))
        }
        _ => Rc::new(Base::Unknown),
    }
}

/// Builtins that change the directory, and those that run another one.
pub(crate) const MOVERS: &[Names] = &[CHANGERS, PASSING];
const CHANGERS: Names = Names::of(&["cd", "chdir", "pushd", "popd"]);
const PASSING: Names = Names::of(&["command", "builtin"]);

/// The words from `cd`, `pushd` or `popd` on, behind `command` and `builtin` too.
fn changer<'c, 't>(command: &'c Simple<'t>) -> Option<&'c [Word<'t>]> {
    let mut words = command.words.as_slice();
    loop {
        let (head, rest) = words.split_first()?;
        let name = head.literal()?;
        let name = base_name(name.trim_end_matches('/'));
        if CHANGERS.contains(name) {
            return Some(words);
        }
        if !PASSING.contains(name) {
            return None;
        }
        let skip = rest.iter().take_while(|word| word.value().starts_with('-')).count();
        words = rest.get(skip..)?;
    }
}

/// Where `cd word` leads from one directory; `sure` falls when it may fail.
fn target(walk: &Walk<'_>, word: &Word<'_>, base: &Base, home: Option<&str>, sure: &mut bool) -> Base {
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
        *sure &= walk.facts.resolver.resolve(&text, base).is_some_and(|path| path.exists && path.is_directory);
    }
    walk.facts.resolver.fold(&text, base)
}
