//! What a yes for the session would store (RES-30 and the table "What for this session stores").

use super::inputs::GrantSuggester;
use super::names::granted_surface;
use crate::access::path::AccessPath;
use crate::access::shell::{GrantWidth, ShellUnit};
use crate::authority::GateSuggestion;
use crate::policy::{Direction, FloorKind, GrantLift, PermissionCheckResult};

/// Paths on a family, each with the direction its access proves. The second width exists only when all of them prove the
/// same single direction (RES-32).
pub(crate) fn suggest_paths<'p>(
    suggester: &dyn GrantSuggester,
    family: &str,
    paths: impl IntoIterator<Item = (&'p AccessPath, Direction)>,
) -> GateSuggestion {
    let mut pairs = Vec::new();
    let mut directions = Vec::new();
    for (path, direction) in paths {
        if path.unknown_place {
            continue;
        }
        let surface = granted_surface(family, direction);
        pairs.extend(suggester.suggest_path(path).into_iter().map(|pattern| (surface.clone(), pattern)));
        directions.push(direction);
    }
    let one_direction = directions
        .first()
        .is_some_and(|first| *first != Direction::Both && directions.iter().all(|direction| direction == first));
    let wide = |pair: &(String, String)| (family.to_owned(), pair.1.clone());
    let both_directions = if one_direction { pairs.iter().map(wide).collect() } else { Vec::new() };
    GateSuggestion { pairs, both_directions }
}

/// One pattern on one surface, or nothing.
pub(crate) fn suggest_one(surface: &str, pattern: Option<String>) -> GateSuggestion {
    let pairs = pattern.into_iter().map(|pattern| (surface.to_owned(), pattern)).collect();
    GateSuggestion { pairs, both_directions: Vec::new() }
}

/// The pattern for the unit that decided, in view of the floor that stands on it. Without a unit the whole text was asked:
/// it can be remembered only as itself, and a mere comment not at all.
pub(crate) fn suggest_unit(
    suggester: &dyn GrantSuggester,
    unit: Option<&ShellUnit>,
    whole_command: &str,
    result: &PermissionCheckResult,
) -> Option<String> {
    let Some(unit) = unit else {
        let asked = result.floor == Some(FloorKind::UnparseableBashCommand);
        return whole_text_pattern(whole_command).filter(|_| asked);
    };
    if unit.floors.iter().any(|floor| floor.lift == GrantLift::Never) {
        return None;
    }
    match (result.floor, &unit.grant) {
        (_, GrantWidth::Nothing) => None,
        (Some(FloorKind::UnparsedBashSubtree), _) => whole_text_pattern(whole_command),
        (Some(FloorKind::DangerousBashOption | FloorKind::UnparseableBashCommand), _) => whole_text_pattern(&unit.text),
        _ => unit_pattern(suggester, unit),
    }
}

/// The pattern for a unit that asks by a rule, whatever floors stand on it.
pub(crate) fn unit_pattern(suggester: &dyn GrantSuggester, unit: &ShellUnit) -> Option<String> {
    let pattern = match &unit.grant {
        GrantWidth::Nothing => None,
        GrantWidth::Exact => whole(&unit.text),
        GrantWidth::Pattern(pattern) => Some(pattern.to_string()),
        GrantWidth::Peeled { own, inner } => suggester.suggest_peeled(own, inner),
        GrantWidth::Prefix => suggester.suggest_bash(&unit.text),
    };
    pattern.filter(|pattern| is_narrow(pattern))
}

/// The pattern that is a text as it stands.
pub(crate) fn whole_text_pattern(text: &str) -> Option<String> {
    whole(text).filter(|text| is_narrow(text))
}

/// A text that is stored as it stands must not be read as a pattern.
fn whole(text: &str) -> Option<String> {
    (!text.is_empty() && !text.contains(['*', '?'])).then(|| text.to_owned())
}

/// Never everything, never something that starts with an assignment or a redirection. Stars stand only at the end.
fn is_narrow(pattern: &str) -> bool {
    let body = pattern.strip_suffix('*').unwrap_or(pattern);
    let first = body.split([' ', '\t', '\n']).next().unwrap_or_default();
    let assigned = first.split_once('=').is_some_and(|(name, _)| is_name(name.trim_end_matches('+')));
    let redirected = first.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['<', '>']) || first.starts_with("&>");
    !body.trim().is_empty() && body.trim() != "/" && !body.contains(['*', '?']) && !assigned && !redirected
}

fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|c| c == '_' || c.is_ascii_alphabetic())
        && characters.all(|c| c == '_' || c.is_ascii_alphanumeric())
}
