//! The short way to a command: most are words with one blank between them, and redirections behind. Nothing has to be put together.

use std::borrow::Cow;

use super::super::rooms::Rooms;
use super::super::tree::{Arena, Kind, NodeId};
use super::super::word::{self, Word, slice};
use super::super::wrappers::base_name;
use super::{Item, Items, Placed, Redirect, Simple, collect_file_redirect};

/// A command of words alone, with one blank between them: its text is what stands there. Nothing if what stands behind it is
/// more than redirections.
pub(super) fn read<'t>(text: &'t str, arena: &Arena, command: NodeId, tail: &[NodeId]) -> Option<Simple<'t>> {
    let at = arena.get(command);
    let (start, end) = (at.start as usize, at.end as usize);
    let redirects = redirections_alone(text, arena, end, tail)?;
    let words: Vec<Word<'t>> = arena.children(command).map(|node| word::read_child(text, arena, node)).collect();
    let offsets = words.iter().map(|word| word.start - start).collect();
    let name = words.first().map_or("", |head| base_name(head.raw.trim_end_matches('/')));
    let (plain, rooms) = (tail.is_empty() && words.iter().all(Word::is_bare), Rooms::of(name));
    Some(Simple {
        words,
        offsets,
        start,
        text: Cow::Borrowed(slice(text, start, end)),
        redirects,
        plain,
        rooms,
        ..Simple::default()
    })
}

/// The redirections behind a command that ends here, if there is nothing else but blanks.
fn redirections_alone<'t>(text: &'t str, arena: &Arena, end: usize, tail: &[NodeId]) -> Option<Vec<Redirect<'t>>> {
    let mut items = Items::new();
    let mut done = end;
    for node in tail {
        let at = arena.get(*node);
        let blank = slice(text, done, at.start as usize).bytes().all(|byte| byte == b' ');
        if at.kind != Kind::FileRedirect || !blank {
            return None;
        }
        done = at.end as usize;
        collect_file_redirect(text, arena, *node, false, &mut items);
    }
    let redirect = |(_, _, item): &Placed| match *item {
        Item::Redirect { node, direction, target, broken: false, leading } => {
            Some(Redirect { node, direction, target: target.map(|word| word.read(text, arena)), broken: false, leading })
        }
        _ => None,
    };
    items.iter().map(redirect).collect()
}
