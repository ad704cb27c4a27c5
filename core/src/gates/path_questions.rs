//! Questions about paths, and what a gate makes of their answers (5.1, last paragraph).

use super::names::{BOUNDARY_SURFACE, PATH_SURFACE};
use crate::access::path::AccessPath;
use crate::policy::{Direction, Floor, FloorKind, Origin, PermissionCheckResult, PermissionState, Question, Source, Tightening};

/// The question about one path on a family. Members are asked by direction (HARD-036); a protected path meets its floor on
/// `path` unless the access is proven to only read (HARD-056, RES-24).
pub(crate) fn path_question(family: &str, path: &AccessPath, direction: Direction, by: Option<&'static str>) -> Question {
    let mut further = path.further.clone();
    if family == BOUNDARY_SURFACE {
        further.extend(path.assumed.iter().map(|value| (value.clone(), "EXT-006")));
    }
    Question {
        surface: family.to_owned(),
        direction: Some(direction),
        values: path.values.clone(),
        further,
        protected: family == PATH_SURFACE && path.protected.is_some() && direction != Direction::Read,
        unknown_place: path.unknown_place,
        introduced_by: by,
        ..Question::default()
    }
}

/// What an answer on `path` comes to: nothing when only the universal default spoke (GATE-010, GATE-017), or, with
/// `star_is_silent`, a lone star (RES-18). Floors and the guard of the gate's own files stand all the same.
pub(crate) fn weigh_path_answer(
    question: &Question,
    result: &PermissionCheckResult,
    star_is_silent: bool,
) -> Option<PermissionCheckResult> {
    let silent = result.from_default || (star_is_silent && result.from_catch_all && result.source != Source::Session);
    if !silent || result.floor.is_some() {
        return Some(result.clone());
    }
    if result.state == PermissionState::Allow {
        return None;
    }
    // The dropped answer counted for no more than an allow; what raises an allow raises this one.
    if question.protected {
        return Some(raised(result, FloorKind::ProtectedPath, Origin::Builtin));
    }
    question.floors.first().map(|floor: &Floor| raised(result, floor.kind, result.origin))
}

fn raised(result: &PermissionCheckResult, floor: FloorKind, origin: Origin) -> PermissionCheckResult {
    let mut raised = result.clone();
    raised.state = PermissionState::Ask;
    raised.floor = Some(floor);
    raised.origin = origin;
    raised.matched_pattern = Some(floor.as_str().to_owned());
    raised.reason = None;
    raised.trace.tightenings.push(Tightening {
        requirement: floor.requirement(),
        before: PermissionState::Allow,
        after: PermissionState::Ask,
        subject: result.value.clone().unwrap_or_default(),
    });
    raised
}
