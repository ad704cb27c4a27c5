//! Steps 2 to 7: what becomes of the answer that the rules gave.

use std::sync::Arc;

use super::super::question::{Floor, FloorKind, GrantLift};
use super::super::rule::{Layer, Origin, PermissionState, Source};
use super::super::rule_step::{Asked, RuleAnswer};
use super::super::tightening::Raises;
use super::super::trace::QuestionStep;
use super::PermissionResolver;

/// The state of one question on its way through the steps.
pub(super) struct Walk<'w> {
    resolver: &'w PermissionResolver<'w>,
    asked: &'w Asked<'w>,
    answer: &'w RuleAnswer<'w>,
    pub(super) state: PermissionState,
    /// The layer that gave the state.
    pub(super) layer: Option<Layer>,
    pub(super) source: Source,
    pub(super) origin: Origin,
    pub(super) matched_pattern: Option<String>,
    pub(super) value: String,
    pub(super) floor: Option<FloorKind>,
    pub(super) steps: Vec<QuestionStep>,
    pub(super) raises: Raises,
    /// The patterns of all grants that cover the question, latest first.
    granted: Vec<String>,
    /// The surface of the grant that decided.
    pub(super) grant_surface: Option<Arc<str>>,
}

/// A grant that covers the question.
#[derive(Clone)]
struct Covering {
    surface: Arc<str>,
    pattern: String,
    /// The value that it covers.
    value: String,
}

impl<'w> Walk<'w> {
    pub(super) fn begin(resolver: &'w PermissionResolver<'w>, asked: &'w Asked<'w>, answer: &'w RuleAnswer<'w>) -> Self {
        let rule = answer.rule;
        let config = rule.layer == Layer::Config;
        let mut raises = Raises::default();
        if let Some((requirement, spelling)) = answer.spelled_by() {
            raises.add(requirement, answer.state(), spelling);
        }
        Self {
            resolver,
            asked,
            answer,
            state: rule.action,
            layer: Some(rule.layer),
            source: source_of(asked.trimmed(), rule.layer),
            origin: rule.origin,
            matched_pattern: config.then(|| rule.pattern.to_string()),
            value: answer.shown_value(asked),
            floor: None,
            steps: vec![QuestionStep::Rules { state: rule.action }],
            raises,
            granted: Vec::new(),
            grant_surface: None,
        }
    }

    /// Steps 2 to 7.
    pub(super) fn steps(&mut self) {
        if self.state == PermissionState::Deny {
            self.refuse_grants();
            return;
        }
        self.clamp();
        self.grant();
        self.raise_by_floors();
        self.be_permissive();
        self.protect();
    }

    /// Step 2: a deny is final; what a grant would have made of it is noted (HARD-006).
    fn refuse_grants(&mut self) {
        // A grant for the other direction, or for another name of the call, is one that the package would have taken too.
        let others = self.asked.other_members();
        let elsewhere = || self.grants_on(&others, self.asked.grant_values()).next();
        let other_name = || self.grants_on(&[self.asked.name], self.asked.values()).next();
        if let Some(Covering { pattern, .. }) = self.covering_grants().next().or_else(elsewhere).or_else(other_name) {
            self.raises.add_despite_grant("HARD-006", PermissionState::Deny, &pattern);
            self.steps.push(QuestionStep::GrantRefused { pattern, requirement: "HARD-006" });
        }
    }

    /// Step 3 (HARD-012): the pattern of the raised rule stays.
    fn clamp(&mut self) {
        if self.resolver.clamp && self.state == PermissionState::Allow {
            self.state = PermissionState::Ask;
            self.origin = Origin::FailClosed;
            self.raises.add("HARD-012", self.state, "a policy file is broken");
            self.steps.push(QuestionStep::Clamp);
        }
    }

    /// Step 4: the last grant that matches gives allow; among several, the last that also lifts every floor.
    fn grant(&mut self) {
        let covering: Vec<Covering> = self.covering_grants().collect();
        let lifts_all = |grant: &&Covering| self.standing_floors(Some(&grant.pattern)).next().is_none();
        let Some(Covering { surface, pattern, value }) = covering.iter().find(lifts_all).or(covering.first()).cloned() else {
            self.note_narrower_grant();
            return;
        };
        self.granted = covering.into_iter().map(|grant| grant.pattern).collect();
        self.grant_surface = Some(surface);
        self.state = PermissionState::Allow;
        self.layer = Some(Layer::Session);
        self.source = Source::Session;
        self.origin = Origin::Session;
        self.matched_pattern = Some(pattern.clone());
        self.value = value;
        self.raises.granted();
        self.steps.push(QuestionStep::Grant { pattern });
    }

    /// A grant of the package would cover this question, ours is for another direction (HARD-040) or for the call's own name
    /// (HARD-041).
    fn note_narrower_grant(&mut self) {
        if self.state != PermissionState::Ask {
            return;
        }
        let others = self.asked.other_members();
        let other_direction = self.grants_on(&others, self.asked.grant_values()).next().map(|grant| (grant.pattern, "HARD-040"));
        let other_name =
            || self.grants_on(&[self.asked.name], self.asked.values()).next().map(|grant| (grant.pattern, "HARD-041"));
        if let Some((pattern, requirement)) = other_direction.or_else(other_name) {
            self.raises.add_despite_grant(requirement, self.state, &pattern);
            self.steps.push(QuestionStep::GrantRefused { pattern, requirement });
        }
    }

    /// Step 5: the first standing floor of the table is the one shown; source and origin stay.
    fn raise_by_floors(&mut self) {
        if self.state != PermissionState::Allow {
            return;
        }
        let granted = self.layer == Some(Layer::Session);
        let lifted = |floor: &&Floor| granted && self.granted.iter().any(|pattern| lifts(&floor.lift, pattern));
        let standing: Vec<Floor> = self.standing_floors(None).filter(|floor| !lifted(floor)).cloned().collect();
        let Some(shown) = standing.iter().min_by_key(|floor| floor.kind) else { return };
        self.state = PermissionState::Ask;
        self.matched_pattern = Some(shown.kind.as_str().to_owned());
        self.floor = Some(shown.kind);
        // The package has this floor too, where it has the unit; but after a grant it lets the unit pass (HARD-007).
        let introduced = self.asked.question.introduced_by;
        if granted || introduced.is_some() || standing.iter().all(|floor| !floor.baseline) {
            let own = standing.iter().filter(|floor| !floor.baseline).min_by_key(|floor| floor.kind);
            let requirement = own.map(|floor| floor.requirement).or(introduced).unwrap_or(shown.requirement);
            self.raises.add(requirement, self.state, &self.value);
        }
        self.steps.push(QuestionStep::Floor { sentinel: shown.kind.as_str(), requirement: shown.requirement });
    }

    /// The floors that stand before any grant, or that this grant does not lift.
    fn standing_floors<'f>(&'f self, grant: Option<&'f str>) -> impl Iterator<Item = &'f Floor> + 'f {
        let rule = self.answer.rule;
        let void = |floor: &Floor| {
            rule.layer == Layer::Config && self.granted.is_empty() && spells(&rule.pattern, &floor.void_if_rule_spells)
        };
        self.asked
            .question
            .floors
            .iter()
            .filter(|floor| floor.kind != FloorKind::ProtectedPath)
            .filter(move |floor| !void(floor) && grant.is_none_or(|pattern| !lifts(&floor.lift, pattern)))
    }

    /// Step 6 (HARD-054): at one place, on the finished answer.
    fn be_permissive(&mut self) {
        if self.resolver.permissive && self.state == PermissionState::Ask {
            self.state = PermissionState::Allow;
            self.origin = Origin::Yolo;
            self.floor = None;
            self.raises.granted();
            self.steps.push(QuestionStep::Permissive);
        }
    }

    /// Step 7 (HARD-056): nothing but a person lifts it.
    fn protect(&mut self) {
        if self.asked.is_protected() && self.state == PermissionState::Allow {
            self.state = PermissionState::Ask;
            self.origin = Origin::Builtin;
            self.floor = Some(FloorKind::ProtectedPath);
            self.matched_pattern = Some(FloorKind::ProtectedPath.as_str().to_owned());
            self.raises.add(FloorKind::ProtectedPath.requirement(), self.state, &self.value);
            self.steps.push(QuestionStep::Protected);
        }
    }

    fn covering_grants(&self) -> impl Iterator<Item = Covering> + use<'w> {
        self.grants_on(&self.asked.names(), self.asked.grant_values())
    }

    fn grants_on(&self, surfaces: &[&str], values: &[String]) -> std::vec::IntoIter<Covering> {
        // What is asked of an unknown place is no grant's business (RES-51).
        if self.asked.question.without_session || self.asked.question.unknown_place {
            return Vec::new().into_iter();
        }
        let covering = self.resolver.session.matching(surfaces, values);
        let covering = covering.map(|(rule, value)| Covering {
            surface: Arc::clone(&rule.surface),
            pattern: rule.pattern.to_string(),
            value: value.to_owned(),
        });
        covering.collect::<Vec<_>>().into_iter()
    }
}

fn lifts(lift: &GrantLift, pattern: &str) -> bool {
    match lift {
        GrantLift::Any => true,
        GrantLift::WholeText(text) => pattern == &**text,
        GrantLift::Spelling(options) => spells(pattern, options),
        GrantLift::Never => false,
    }
}

/// Whether a pattern names one of these options as a word of its own, with or without a value or a final star (HARD-057).
fn spells(pattern: &str, options: &[String]) -> bool {
    pattern.split([' ', '\t']).any(|word| {
        let bare = word.trim_end_matches('*');
        options.iter().any(|option| {
            !option.is_empty() && (bare == option || bare.strip_prefix(option.as_str()).is_some_and(|rest| rest.starts_with('=')))
        })
    })
}

/// RULE-018.
fn source_of(name: &str, layer: Layer) -> Source {
    let default = layer == Layer::Default;
    match name {
        _ if layer == Layer::Session => Source::Session,
        "path" | "external_directory" => Source::Special,
        "mcp" if default => Source::Default,
        "mcp" => Source::Mcp,
        "skill" => Source::Skill,
        "bash" => Source::Bash,
        _ if super::super::surfaces::PATH_TOOLS.contains(&name) => Source::Tool,
        // A member asked by its own name is still of its family.
        _ if super::super::surfaces::family_of(name).is_some() => Source::Special,
        _ if default => Source::Default,
        _ => Source::Tool,
    }
}
