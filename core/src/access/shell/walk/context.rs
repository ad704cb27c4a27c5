//! What surrounds a statement: the text it stands in, and what is known of its place.

use std::rc::Rc;

use super::super::tree::{Arena, NodeId};
use super::super::word::{self, Word};
use crate::policy::UnitContext;

/// One parsed text: the command, a literal payload, a broken region.
pub(crate) struct Source {
    pub(crate) text: String,
    pub(crate) arena: Arena,
    /// Where the text stands in the command.
    pub(crate) offset: usize,
    /// Payload layers around it.
    pub(crate) layer: u8,
}

/// What surrounds a statement.
#[derive(Clone)]
pub(crate) struct Ctx {
    pub(crate) source: Rc<Source>,
    pub(crate) context: Option<UnitContext>,
    /// The requirement by which units here exist, when the package would not list them.
    pub(crate) by: Option<&'static str>,
    /// The requirement by which path words here exist, when the package would not list them.
    pub(crate) path_by: Option<&'static str>,
    /// Allows of units here count for nothing.
    pub(crate) restrict: bool,
    /// The statement holds an unresolved region.
    pub(crate) unparsed: bool,
    /// A `cd` here replaces the directory for what follows (else both stay possible).
    pub(crate) fold: bool,
    /// Standard input comes from a pipe.
    pub(crate) piped: bool,
    pub(crate) nesting: u16,
}

impl Ctx {
    /// One level further in, under another context.
    pub(super) fn inside(&self, context: UnitContext, by: Option<&'static str>) -> Self {
        Self { context: Some(context), by: self.by.or(by), nesting: self.nesting.saturating_add(1), piped: false, ..self.clone() }
    }

    pub(super) fn piped(&self, piped: bool) -> Self {
        Self { piped, ..self.clone() }
    }

    pub(super) fn without_fold(&self) -> Self {
        Self { fold: false, ..self.clone() }
    }

    /// The same with paths that the package would not see.
    pub(super) fn hidden_paths(&self, by: &'static str) -> Self {
        Self { path_by: self.path_by.or(Some(by)), ..self.clone() }
    }
}

/// A word read for others.
pub(crate) fn read_word(ctx: &Ctx, node: NodeId) -> Word<'_> {
    word::read(&ctx.source.text, &ctx.source.arena, node)
}
