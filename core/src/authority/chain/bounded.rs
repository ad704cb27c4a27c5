//! Where a link's yes counts for nothing (HARD-045, RES-66).

use super::LinkAsk;
use crate::authority::forwarding::FactItem;
use crate::policy::FloorKind;
use crate::policy::surfaces::{FAMILIES, family_of};

/// Why an allow for this ask becomes a defer; `None`: it counts. The surface of the gate that asked decides, whatever tool the
/// prompt names.
pub(super) fn exclusion(ask: &LinkAsk, knows_surface: &dyn Fn(&str) -> bool) -> Option<&'static str> {
    let (Some(gate), Some(surface)) = (ask.gate.as_deref(), ask.surface.as_deref()) else {
        return Some("the surface is unknown");
    };
    if FAMILIES.contains(&surface) || family_of(surface).is_some() || !matches!(gate, "tool" | "skill-read" | "skill-input") {
        return Some("the surface belongs to an excluded family");
    }
    if !knows_surface(surface) {
        return Some("the surface is unknown");
    }
    // Nothing but a person lifts that floor (HARD-056).
    ask.facts.as_ref().is_some_and(|facts| facts.items.iter().any(is_protected)).then_some("the path is protected")
}

fn is_protected(item: &FactItem) -> bool {
    match item {
        FactItem::Path { floors, .. } | FactItem::Unit { floors, .. } => {
            floors.iter().any(|floor| floor.kind == FloorKind::ProtectedPath)
        }
        FactItem::Mcp { .. } | FactItem::Value { .. } => false,
    }
}
