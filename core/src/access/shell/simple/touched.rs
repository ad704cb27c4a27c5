//! What a simple command touches: the targets of its redirections and its operands, handed to [`Paths`] word by word.
//!
//! [`Paths`]: super::super::paths::Paths

use super::super::command::Simple;
use super::super::file_options;
use super::super::operands::{self, Operand};
use super::super::paths::PathScene;
use super::super::rooms::Rooms;
use super::super::walk::{Ctx, Walk};
use super::super::wrappers::base_name;
use crate::access::path::Base;
use crate::policy::Direction;

/// Targets of redirections (TOK-011, HARD-016, HARD-037 (1)).
pub(crate) fn redirect_paths(walk: &mut Walk<'_>, ctx: &Ctx, command: &Simple<'_>, package: &Base) {
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
            no_option: true,
        };
        walk.paths.at(ctx.source.offset + target.start).role(&scene, target, &mut walk.bound);
    }
}

/// Operands of a command (TOK-003, TOK-013, HARD-020).
pub(super) fn argument_paths(walk: &mut Walk<'_>, ctx: &Ctx, command: &Simple<'_>) {
    let Some(head) = command.words.first() else { return };
    let name = head.literal().unwrap_or_default();
    let name = base_name(name.trim_end_matches('/'));
    let rooms = command.rooms;
    let sorted = rooms.has(Rooms::OPERANDS);
    let kinds = if sorted { operands::sort(name, &command.words) } else { Vec::new() };
    let listed = if sorted { operands::package_lists(&command.words) } else { Vec::new() };
    let glued = if rooms.has(Rooms::GLUED) { file_options::glued(name, &command.words) } else { Vec::new() };
    let reader = rooms.has(Rooms::READS) && operands::is_reader(&command.words) && command.assignments.is_empty();
    let bases = walk.bases.clone();
    let package = walk.package.clone();
    let scene = PathScene {
        facts: walk.facts,
        rebound: &walk.rebound,
        bases: &bases,
        package: &package,
        hidden_by: ctx.path_by,
        direction: Direction::Both,
        reads: reader,
        quiet: reader,
        no_option: false,
    };
    let mut no_option = false;
    for (at, word) in command.words.iter().skip(1).enumerate() {
        let kind = kinds.get(at).copied().unwrap_or(Operand::Plain);
        let listed = listed.get(at).copied().unwrap_or(true);
        let glued = glued.get(at).copied().flatten();
        walk.paths.at(ctx.source.offset + word.start);
        let own = word.moved_by.or((!listed).then_some("HARD-020"));
        let scene = PathScene { hidden_by: ctx.path_by.or(own), no_option, ..scene };
        no_option |= word.literal().as_deref() == Some("--");
        match kind {
            Operand::Consumed => {}
            Operand::Plain => {
                walk.paths.word(&scene, word, &mut walk.bound);
                if let Some(at) = glued {
                    walk.paths.glued_value(&scene, word, at, &mut walk.bound);
                }
            }
            Operand::File => walk.paths.role(&scene, word, &mut walk.bound),
            Operand::GluedFile(at) => walk.paths.glued(&scene, word, at, &mut walk.bound),
        }
    }
}
