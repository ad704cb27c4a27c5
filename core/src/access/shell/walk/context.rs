//! What surrounds a statement: the text it stands in, and what is known of its place.

use std::ops::Deref;
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

/// What surrounds a statement. Every step of the walk carries one, so it is shared.
#[derive(Clone)]
pub(crate) struct Ctx(Rc<Around>);

/// What is known around a statement.
#[derive(Clone)]
pub(crate) struct Around {
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

impl Deref for Ctx {
    type Target = Around;

    fn deref(&self) -> &Around {
        &self.0
    }
}

impl Ctx {
    pub(super) fn new(around: Around) -> Self {
        Self(Rc::new(around))
    }

    /// One level further in, under another context.
    pub(super) fn inside(&self, context: UnitContext, by: Option<&'static str>) -> Self {
        let nesting = self.nesting.saturating_add(1);
        Self::new(Around { context: Some(context), by: self.by.or(by), nesting, piped: false, ..Around::clone(self) })
    }

    pub(super) fn piped(&self, piped: bool) -> Self {
        if self.piped == piped { self.clone() } else { Self::new(Around { piped, ..Around::clone(self) }) }
    }

    pub(super) fn without_fold(&self) -> Self {
        if self.fold { Self::new(Around { fold: false, ..Around::clone(self) }) } else { self.clone() }
    }

    /// The same with an unresolved region.
    pub(super) fn unparsed(&self) -> Self {
        if self.unparsed { self.clone() } else { Self::new(Around { unparsed: true, ..Around::clone(self) }) }
    }

    /// The same with units that exist by this requirement, if by none before.
    pub(super) fn by(&self, by: &'static str) -> Self {
        if self.by.is_some() { self.clone() } else { Self::new(Around { by: Some(by), ..Around::clone(self) }) }
    }

    /// The same with paths that the package would not see.
    pub(super) fn hidden_paths(&self, by: &'static str) -> Self {
        if self.path_by.is_some() { self.clone() } else { Self::new(Around { path_by: Some(by), ..Around::clone(self) }) }
    }
}

/// A word read for others.
pub(crate) fn read_word(ctx: &Ctx, node: NodeId) -> Word<'_> {
    word::read(&ctx.source.text, &ctx.source.arena, node)
}
