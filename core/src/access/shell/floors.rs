//! Building floors: what raises an allow of a unit to ask, and what lifts it (docs/spec/README.md, section 6, "Floors").

use super::program::{GrantWidth, ShellUnit};
use super::walk::{Ctx, Walk};
use crate::policy::{Floor, FloorKind, GrantLift};

/// A floor of this kind.
pub(crate) fn floor(kind: FloorKind, requirement: &'static str, lift: GrantLift) -> Floor {
    Floor { kind, requirement, baseline: false, lift, void_if_rule_spells: Vec::new() }
}

/// Adds a floor once a kind.
pub(crate) fn add(unit: &mut ShellUnit, floor: Floor) {
    if !unit.floors.iter().any(|other| other.kind == floor.kind) {
        unit.floors.push(floor);
        unit.floors.sort_by_key(|floor| floor.kind);
    }
}

/// HARD-004, RES-46: the statement was not understood. Only a grant of the whole command lifts it.
pub(crate) fn unparsed(walk: &Walk<'_>, unit: &mut ShellUnit) {
    add(unit, floor(FloorKind::UnparsedBashSubtree, "HARD-004", GrantLift::WholeText(walk.whole().clone())));
    unit.grant = whole_text(walk);
}

/// What stands around a statement and holds for its unit as well.
pub(crate) fn add_context_floors(walk: &Walk<'_>, ctx: &Ctx, unit: &mut ShellUnit) {
    if ctx.unparsed {
        unparsed(walk, unit);
    }
}

/// HARD-059: an assignment that the command sees may load code.
pub(crate) fn loader(unit: &mut ShellUnit) {
    add(unit, floor(FloorKind::LoaderVariable, "HARD-059", GrantLift::Never));
    unit.grant = GrantWidth::Nothing;
}

/// HARD-060: nobody knows the program.
pub(crate) fn computed_word(unit: &mut ShellUnit) {
    add(unit, floor(FloorKind::ComputedCommandWord, "HARD-060", GrantLift::Never));
    unit.grant = GrantWidth::Nothing;
}

/// RES-54: a bound was hit, so nobody knows what was not looked at.
pub(crate) fn bound(unit: &mut ShellUnit) {
    add(unit, floor(FloorKind::AnalysisBound, "HARD-004", GrantLift::Never));
    unit.grant = GrantWidth::Nothing;
}

/// BASH-D08: a redirection without a command.
pub(crate) fn orphan(unit: &mut ShellUnit) {
    let lift = GrantLift::WholeText(unit.text.as_str().into());
    add(unit, floor(FloorKind::UnparseableBashCommand, "HARD-005", lift));
    unit.grant = GrantWidth::Nothing;
}

/// A grant of the command as a whole; a text with wildcards would grant more than it shows.
pub(crate) fn whole_text(walk: &Walk<'_>) -> GrantWidth {
    if walk.has_wildcard { GrantWidth::Nothing } else { GrantWidth::Pattern(walk.whole().clone()) }
}
