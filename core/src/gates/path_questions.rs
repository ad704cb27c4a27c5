//! Questions about paths, and what a gate makes of their answers (5.1, last paragraph).

use super::answers::Answers;
use super::inputs::GateResolver;
use super::names::{BOUNDARY_SURFACE, PATH_SURFACE};
use crate::access::path::AccessPath;
use crate::policy::{
    Direction, FloorKind, Origin, PermissionCheckResult, PermissionState, Question, QuestionStep, Source, Tightening,
};

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
/// An access is dropped only when each of its members and spellings is: the strictest of them may be the default's, and a
/// rule stand behind it.
pub(crate) fn ask_path<'a>(
    answers: &'a mut Answers,
    resolver: &dyn GateResolver,
    question: &Question,
    star_is_silent: bool,
) -> Option<&'a PermissionCheckResult> {
    answers.ask(resolver, question, |result| {
        if result.state == PermissionState::Allow || !is_silent(result, star_is_silent) {
            return weigh(question, result, star_is_silent);
        }
        let members = match question.direction {
            Some(Direction::Both) | None => vec![Direction::Read, Direction::Write],
            Some(one) => vec![one],
        };
        let whole = members.len() < 2;
        let members = members.into_iter().flat_map(|direction| {
            let member = Question { direction: Some(direction), ..question.clone() };
            let own = if whole { result.clone() } else { resolver.resolve(&member) };
            let own = weigh(&member, &own, star_is_silent);
            own.into_iter().chain(spelled(&member, resolver)).collect::<Vec<_>>()
        });
        members.reduce(|kept, next| if next.state > kept.state { next } else { kept })
    })
}

/// Spellings that the package counts among a path's values (POLICY-D08, GATES-D07, BASH-D18).
const PACKAGE_ALIASES: [&str; 3] = ["POLICY-D08", "GATES-D07", "BASH-D18"];

/// RES-14 where the main form said nothing that counts: a rule that names a further spelling stands by itself, however strict
/// the answer that was dropped.
fn spelled<'a>(question: &'a Question, resolver: &'a dyn GateResolver) -> impl Iterator<Item = PermissionCheckResult> + 'a {
    question.further.iter().filter_map(|(spelling, by)| {
        let introduced_by = question.introduced_by.or((!PACKAGE_ALIASES.contains(by)).then_some(*by));
        let alone = Question { values: vec![spelling.clone()], further: Vec::new(), introduced_by, ..question.clone() };
        let result = resolver.resolve(&alone);
        (result.state != PermissionState::Allow && !result.from_default && !result.from_catch_all).then_some(result)
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
    raised.trace.steps.push(match floor {
        FloorKind::ProtectedPath => QuestionStep::Protected,
        kind => QuestionStep::Floor { sentinel: kind.as_str(), requirement: kind.requirement() },
    });
    raised.trace.tightenings.push(Tightening {
        requirement: floor.requirement(),
        before: PermissionState::Allow,
        after: PermissionState::Ask,
        subject: result.value.clone().unwrap_or_default(),
    });
    raised
}
