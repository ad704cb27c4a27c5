//! Whether the command gives `HOME` or `PWD` another value (HARD-018). Then neither name says where a word leads.

use std::borrow::Cow;

use super::marks::holds;
use super::names::Names;
use super::tree::{Arena, Kind};
use super::word::slice;

/// Programs that may assign any name.
const ASSIGNERS: Names = Names::of(&["eval", "source", ".", "trap", "let", "read", "printf", "mapfile", "readarray", "getopts"]);
/// Of these the name itself has to be named.
const NAMED_ASSIGNERS: Names = Names::of(&["read", "printf", "mapfile", "readarray", "getopts", "let"]);

/// Which of the two names are given another value somewhere in the command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Rebound {
    pub(crate) home: bool,
    pub(crate) pwd: bool,
    /// `CDPATH` is assigned: a relative `cd` may go anywhere (RES-52).
    pub(crate) cdpath: bool,
}

impl Rebound {
    pub(crate) fn of(text: &str, arena: &Arena) -> Self {
        let mut out = Self::default();
        for (id, kind) in arena.kinds() {
            let source = || {
                let at = arena.get(id);
                slice(text, at.start as usize, at.end as usize)
            };
            match kind {
                Kind::VariableName if !is_reference(arena, id) => out.mark(source()),
                Kind::CommandName => out.command(text, arena, id, source()),
                Kind::Expansion => {
                    let source = source();
                    for name in ["HOME", "PWD", "CDPATH"] {
                        if source.trim_start().strip_prefix("${").is_some_and(|rest| {
                            rest.strip_prefix(name).is_some_and(|rest| rest.starts_with('=') || rest.starts_with(":="))
                        }) {
                            out.mark(name);
                        }
                    }
                }
                _ => {}
            }
        }
        out
    }

    fn mark(&mut self, name: &str) {
        match name.trim() {
            "HOME" => self.home = true,
            "PWD" => self.pwd = true,
            "CDPATH" => self.cdpath = true,
            _ => {}
        }
    }

    fn command(&mut self, text: &str, arena: &Arena, id: super::tree::NodeId, source: &str) {
        let quotes = ['\\', '\'', '"'];
        let quoted = holds(source, quotes.map(|quote| quote as u8));
        let name = if quoted { Cow::Owned(source.replace(quotes, "")) } else { Cow::Borrowed(source) };
        if !ASSIGNERS.contains(&name) {
            return;
        }
        if !NAMED_ASSIGNERS.contains(&name) {
            *self = Self { home: true, pwd: true, cdpath: self.cdpath };
            return;
        }
        let Some(command) = arena.parent(id) else { return };
        let at = arena.get(command);
        let whole = slice(text, at.start as usize, at.end as usize);
        if name == "printf" && !whole.contains("-v") {
            return;
        }
        let unread = whole.replace("${", "$");
        for word in unread.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$')) {
            self.mark(word);
        }
    }
}

/// A name inside an expansion is read, not assigned.
fn is_reference(arena: &Arena, id: super::tree::NodeId) -> bool {
    matches!(arena.parent(id).map(|parent| arena.kind(parent)), Some(Kind::SimpleExpansion | Kind::Expansion))
}
