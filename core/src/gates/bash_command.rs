//! The chain check (GATE-033, CMD-025 to CMD-028): every unit of a command is resolved, the strictest answer is the check.

use super::answers::Answers;
use super::descriptor::GateCheck;
use super::inputs::GateResolver;
use super::names::BASH_SURFACE;
use crate::access::shell::{BashProgram, GrantWidth, ShellUnit};
use crate::access::{bash_value, strip_comment_lines};
use crate::policy::{
    Floor, FloorKind, GrantLift, Origin, PermissionCheckResult, PermissionState, Question, Source, Tightening, UnitContext,
};

/// The check of a command, with what prompt and grant need to know about it.
#[derive(Debug, Clone, PartialEq)]
pub struct BashCheck {
    /// The check; `check.result.command` is the text of the deciding unit.
    pub check: GateCheck,
    /// The deciding unit; `None` when the whole text was asked because it holds no command.
    pub unit: Option<ShellUnit>,
    /// Every unit that asks, in order, with its answer (RES-33). Empty unless the check asks.
    pub asking: Vec<(ShellUnit, PermissionCheckResult)>,
}

/// Resolves a command. Without a program, or when it is nothing but comments, the whole text is asked; text that runs
/// nothing although it says something is asked too, and an allow of it is raised (RES-45).
///
/// All units are resolved, there is no short cut (CMD-027). A unit that may only restrict counts unless it is allowed
/// (RES-49).
pub fn resolve_bash_command_check(
    command: &str,
    program: Option<&BashProgram>,
    resolver: &dyn GateResolver,
) -> Option<BashCheck> {
    let units = match program {
        Some(program) if !program.units.is_empty() => program.units.clone(),
        Some(program) => vec![whole_text(command, !program.trivial)],
        None => vec![whole_text(command, false)],
    };
    let no_unit = program.is_none_or(|program| program.units.is_empty());
    let only_restricting = units.iter().all(|unit| unit.restrict_only);
    let alone = units.len() == 1;
    let mut answers = Answers::default();
    let mut granted = false;
    for unit in &units {
        answers.ask(resolver, &unit_question(unit), |result| {
            if !unit.restrict_only {
                granted = result.state == PermissionState::Allow && result.source == Source::Session;
            }
            let asks_again = granted && is_inside_wrapper(unit) && result.state == PermissionState::Ask;
            let counts = only_restricting || !unit.restrict_only || result.state != PermissionState::Allow;
            (counts && !asks_again)
                .then(|| if is_unparseable(unit) { unparseable(result, command, alone) } else { result.clone() })
        });
    }
    let deciding = answers.strictest()?;
    let asks = answers.get(deciding).is_some_and(|result| result.state == PermissionState::Ask);
    let asking = answers
        .restrictive()
        .filter(|_| asks)
        .filter_map(|(index, result)| Some((units.get(index)?.clone(), result.clone())))
        .collect();
    let unit = units.get(deciding).filter(|_| !no_unit).cloned();
    let short_cut = package_short_cut(&units, &answers);
    let mut check = answers.into_check(deciding)?;
    if let Some(wrapper) = short_cut.filter(|_| asks) {
        check.baseline_state = PermissionState::Allow;
        check.tightenings.push(Tightening {
            requirement: "HARD-007",
            before: PermissionState::Allow,
            after: PermissionState::Ask,
            subject: wrapper,
        });
    }
    Some(BashCheck { check, unit, asking })
}

/// The package floors a granted wrapper again and keeps the mark of the grant: when that is the first ask of a chain, the
/// mark lets the whole chain pass (GATES-D02). Gives the text of that wrapper.
fn package_short_cut(units: &[ShellUnit], answers: &Answers) -> Option<String> {
    let floored_again = |unit: &ShellUnit, result: &PermissionCheckResult| {
        let wrapper = [FloorKind::OpaqueBashWrapper, FloorKind::IndirectionBashWrapper];
        result.source == Source::Session && unit.floors.iter().any(|floor| floor.baseline && wrapper.contains(&floor.kind))
    };
    let mut seen = units.iter().zip(answers.all()).filter(|(unit, _)| unit.introduced_by.is_none());
    let first = seen.find(|(unit, result)| result.state != PermissionState::Allow || floored_again(unit, result));
    first.filter(|(unit, result)| floored_again(unit, result)).map(|(unit, _)| unit.text.clone())
}

/// What a wrapper runs was on the screen when the wrapper was granted, and is part of the granted pattern: it is not asked about
/// again, and only a deny of it still counts (HARD-006, HARD-007).
fn is_inside_wrapper(unit: &ShellUnit) -> bool {
    unit.restrict_only && matches!(unit.context, Some(UnitContext::WrappedCommand | UnitContext::InlineProgram))
}

/// What is asked about a unit.
pub(crate) fn unit_question(unit: &ShellUnit) -> Question {
    let mut further = unit.spellings.clone();
    // The package drops lines that look like comments, inside quotes too; what denies that text still denies.
    let stripped = strip_comment_lines(&unit.text);
    if !stripped.is_empty() && stripped != unit.text {
        further.push((stripped, "BASH-D24"));
    }
    Question {
        surface: BASH_SURFACE.to_owned(),
        values: vec![unit.text.clone()],
        further,
        floors: unit.floors.clone(),
        command: Some(unit.text.clone()),
        command_context: unit.context,
        introduced_by: unit.introduced_by,
        ..Question::default()
    }
}

/// The whole text as if it were a unit.
fn whole_text(command: &str, floored: bool) -> ShellUnit {
    let floor = Floor {
        kind: FloorKind::UnparseableBashCommand,
        requirement: FloorKind::UnparseableBashCommand.requirement(),
        baseline: true,
        lift: GrantLift::WholeText(command.into()),
        void_if_rule_spells: Vec::new(),
    };
    let value = bash_value(command);
    ShellUnit {
        text: command.to_owned(),
        spellings: if value == command { Vec::new() } else { vec![(value, "SURF-005")] },
        context: None,
        wrapper: None,
        floors: if floored { vec![floor] } else { Vec::new() },
        restrict_only: false,
        introduced_by: None,
        grant: if floored || command.is_empty() { GrantWidth::Exact } else { GrantWidth::Nothing },
        start: 0,
    }
}

fn is_unparseable(unit: &ShellUnit) -> bool {
    unit.floors.iter().any(|floor| floor.kind == FloorKind::UnparseableBashCommand)
}

/// The sentinel and the rules together, the strictest first (BASH-D08): an ask is the sentinel's, whoever else asks; a deny
/// of a rule stands, where the package would only have asked.
fn unparseable(result: &PermissionCheckResult, command: &str, alone: bool) -> PermissionCheckResult {
    let mut result = result.clone();
    match result.state {
        PermissionState::Ask if result.origin != Origin::FailClosed => {
            result.floor = Some(FloorKind::UnparseableBashCommand);
            result.matched_pattern = Some(FloorKind::UnparseableBashCommand.as_str().to_owned());
            result.source = Source::Bash;
            result.origin = Origin::Builtin;
        }
        PermissionState::Deny if alone => {
            result.trace.tightenings.retain(|step| step.after != PermissionState::Deny);
            result.trace.tightenings.push(Tightening {
                requirement: "HARD-005",
                before: PermissionState::Ask,
                after: PermissionState::Deny,
                subject: command.to_owned(),
            });
        }
        PermissionState::Allow | PermissionState::Ask | PermissionState::Deny => {}
    }
    result
}

#[cfg(test)]
mod tests;
