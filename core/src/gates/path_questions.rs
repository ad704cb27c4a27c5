//! Questions about paths, and what a gate makes of their answers (5.1, last paragraph).

use super::answers::Answers;
use super::inputs::GateResolver;
use super::names::{BOUNDARY_SURFACE, PATH_SURFACE};
use crate::access::path::AccessPath;
use crate::policy::{Direction, FloorKind, Origin, PermissionCheckResult, PermissionState, Question, Source, Tightening};

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

/// Puts a question on `path`. What only the universal default said is dropped (GATE-010, GATE-017), and with
/// `star_is_silent` what a lone star said (RES-18); floors and the guard of the gate's own files stand all the same.
///
/// An access of both directions is dropped only when each of its members is: the stricter of the two may be the default's,
/// and a rule stand behind it.
pub(crate) fn ask_path<'a>(
    answers: &'a mut Answers,
    resolver: &dyn GateResolver,
    question: &Question,
    star_is_silent: bool,
) -> Option<&'a PermissionCheckResult> {
    answers.ask(resolver, question, |result| {
        let hides = question.direction == Some(Direction::Both) && result.state != PermissionState::Allow;
        if !hides || !is_silent(result, star_is_silent) {
            return weigh(question, result, star_is_silent);
        }
        let members = [Direction::Read, Direction::Write].map(|direction| {
            let member = Question { direction: Some(direction), ..question.clone() };
            weigh(&member, &resolver.resolve(&member), star_is_silent)
        });
        members.into_iter().flatten().reduce(|kept, next| if next.state > kept.state { next } else { kept })
    })
}

fn is_silent(result: &PermissionCheckResult, star_is_silent: bool) -> bool {
    let star = star_is_silent && result.from_catch_all && result.source != Source::Session;
    (result.from_default || star) && result.floor.is_none()
}

fn weigh(question: &Question, result: &PermissionCheckResult, star_is_silent: bool) -> Option<PermissionCheckResult> {
    if !is_silent(result, star_is_silent) {
        return Some(result.clone());
    }
    if result.state == PermissionState::Allow {
        return None;
    }
    // The dropped answer counted for no more than an allow; what raises an allow raises this one.
    if question.protected {
        return Some(raised(result, FloorKind::ProtectedPath, Origin::Builtin));
    }
    question.floors.first().map(|floor| raised(result, floor.kind, result.origin))
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
