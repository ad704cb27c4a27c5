//! The invariants of policy.md as README section 9 amends them.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::super::test_support::*;
use super::super::*;
use crate::policy::{Direction, LoadedScope, Origin, Ruleset, Scope, Source};

const STATES: [&str; 3] = ["allow", "ask", "deny"];
const SURFACES: [&str; 9] = ["bash", "read", "mcp", "path", "path_read", "path_write", "external_directory", "b*", "*"];

fn action() -> impl Strategy<Value = Value> {
    prop::sample::select(&STATES[..]).prop_map(Value::from)
}

fn pattern() -> impl Strategy<Value = String> {
    prop_oneof!["[ab*? ]{1,4}", Just("*".to_owned()), Just("a *".to_owned()), Just("~/a*".to_owned()), Just("7".to_owned())]
}

fn policy() -> impl Strategy<Value = Value> {
    let map = prop::collection::vec((pattern(), action()), 0..5)
        .prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>()));
    let surface = prop_oneof![1 => action(), 3 => map];
    prop::collection::vec((prop::sample::select(&SURFACES[..]), surface), 0..5).prop_map(|entries| {
        let plain = |(name, value): &(&str, Value)| *name != "*" || value.is_string();
        Value::Object(entries.into_iter().filter(plain).map(|(name, value)| (name.to_owned(), value)).collect())
    })
}

fn question() -> impl Strategy<Value = Question> {
    let surface = prop::sample::select(vec!["bash", "read", "mcp", "path", "external_directory", "path_write", "other"]);
    let direction = prop::option::of(prop::sample::select(vec![Direction::Read, Direction::Write, Direction::Both]));
    let values = prop::collection::vec("[ab7 ]{0,4}|/h/a", 0..3);
    (surface, values, direction, prop::option::of("[ab]{1,3}")).prop_map(|(surface, values, direction, further)| Question {
        surface: surface.to_owned(),
        values,
        direction,
        further: further.into_iter().map(|text| (text, "HARD-027")).collect(),
        ..Question::default()
    })
}

fn scopes(policies: &[Value]) -> Vec<LoadedScope> {
    Scope::ALL.iter().zip(policies).map(|(which, policy)| scope(*which, policy.clone())).collect()
}

fn without_trace(mut answer: PermissionCheckResult) -> PermissionCheckResult {
    answer.trace = QuestionTrace::default();
    answer
}

proptest! {
    /// Invariant 1: no files, every check is ask, origin `builtin`.
    #[test]
    fn invariant_1(question in question()) {
        let answer = answer(&Ruleset::compose(&[], posix()), &question);
        prop_assert_eq!((answer.state, answer.origin), (PermissionState::Ask, Origin::Builtin));
    }

    /// Invariant 2: appending a rule that does not match never changes the answer; one that matches decides.
    #[test]
    fn invariant_2(policies in prop::collection::vec(policy(), 0..3), question in question(), action in action()) {
        let mut scopes = scopes(&policies);
        let before = answer(&Ruleset::compose(&scopes, posix()), &question);
        let mut last = scopes.clone();
        last.push(scope(Scope::ProjectAgent, json!({"bash": {"zzz": action.clone()}, "zzz": "deny"})));
        prop_assert_eq!(without_trace(answer(&Ruleset::compose(&last, posix()), &question)), without_trace(before));
        let surface = question.surface.as_str();
        scopes.push(scope(Scope::ProjectAgent, json!({surface: action.clone()})));
        let decided = answer(&Ruleset::compose(&scopes, posix()), &Question { further: vec![], ..question });
        prop_assert_eq!(decided.state.as_str(), action.as_str().unwrap());
        prop_assert_eq!(decided.origin, Origin::ProjectAgent);
    }

    /// Invariant 3: a reason only with deny; a pattern exactly when config or session won, or for a floor's sentinel.
    /// Invariant 4: the permissive mode never changes a deny and never yields ask, but for a protected path; without it no
    /// answer has origin `yolo`.
    #[test]
    fn invariants_3_and_4(
        policies in prop::collection::vec(policy(), 0..4),
        question in question(),
        grant in "[ab* ]{1,4}",
        clamp: bool,
        protected: bool,
    ) {
        let rules = Ruleset::compose(&scopes(&policies), posix());
        let session = grants(&[(question.surface.as_str(), &grant)]);
        let question = Question { protected, ..question };
        let resolver = PermissionResolver { clamp, ..resolver(&rules, &session) };
        let strict = resolver.resolve(&question);
        let permissive = PermissionResolver { permissive: true, ..resolver }.resolve(&question);
        prop_assert!(strict.reason.is_none() || strict.state == PermissionState::Deny);
        let session_won = strict.source == Source::Session;
        let config_won = !strict.from_default && strict.origin != Origin::Baseline;
        prop_assert_eq!(strict.matched_pattern.is_some(), session_won || config_won || strict.floor.is_some(), "{:?}", strict);
        prop_assert_ne!(strict.origin, Origin::Yolo);
        prop_assert_eq!(strict.state == PermissionState::Deny, permissive.state == PermissionState::Deny);
        prop_assert!(permissive.state != PermissionState::Ask || protected);
        // HARD-006: a grant beats no deny.
        let ungranted = PermissionResolver { session: &GrantSet::new(), ..resolver }.resolve(&question);
        prop_assert_eq!(strict.state == PermissionState::Deny, ungranted.state == PermissionState::Deny);
    }

    /// Invariant 5: laying scopes end to end is associative, and an empty policy changes nothing. RES-06: what breaks never
    /// loosens.
    #[test]
    fn invariant_5(policies in prop::collection::vec(policy(), 1..4), at in 0_usize..4, question in question()) {
        let scopes = scopes(&policies);
        let whole = answer(&Ruleset::compose(&scopes, posix()), &question);
        let mut padded = scopes.clone();
        padded.insert(at.min(scopes.len()), LoadedScope::empty(Scope::Agent, "", crate::policy::ScopeStatus::Absent));
        prop_assert_eq!(without_trace(answer(&Ruleset::compose(&padded, posix()), &question)), without_trace(whole.clone()));
        let mut damaged = scopes;
        let which = at % damaged.len();
        damaged[which] = broken(damaged[which].scope, policies[which].clone());
        let rules = Ruleset::compose(&damaged, posix());
        let session = GrantSet::new();
        let clamped = PermissionResolver { clamp: true, ..resolver(&rules, &session) }.resolve(&question);
        prop_assert_ne!(clamped.state, PermissionState::Allow);
        prop_assert!(whole.state != PermissionState::Deny || clamped.state == PermissionState::Deny);
    }

    /// Invariant 9: asking twice gives the same, trace included. Invariant 11: grants do not touch exposure and listing.
    #[test]
    fn invariants_9_and_11(policies in prop::collection::vec(policy(), 0..4), question in question()) {
        let rules = Ruleset::compose(&scopes(&policies), posix());
        prop_assert_eq!(answer(&rules, &question), answer(&rules, &question));
        let (none, all) = (GrantSet::new(), grants(&[("bash", "*"), ("read", "*")]));
        for tool in ["bash", "read", "other"] {
            prop_assert_eq!(resolver(&rules, &none).is_hidden(tool), resolver(&rules, &all).is_hidden(tool));
            prop_assert_eq!(resolver(&rules, &none).tool_level_state(tool), resolver(&rules, &all).tool_level_state(tool));
        }
    }

    /// Invariant 6 (RES-25): what is hidden is denied as such, and so is every pattern text of its surface.
    #[test]
    fn invariant_6(policies in prop::collection::vec(policy(), 0..4)) {
        let rules = Ruleset::compose(&scopes(&policies), posix());
        let texts: Vec<String> = rules.config_rules().iter()
            .filter(|rule| ["bash", "b*"].contains(&&*rule.surface))
            .map(|rule| rule.pattern.to_string())
            .chain(["*".to_owned()])
            .collect();
        let reachable = texts.iter().any(|text| state(&rules, "bash", &[text]) != PermissionState::Deny);
        prop_assert!(!(rules.is_hidden("bash") && reachable), "{texts:?}");
    }

    /// A tightening raises, and never beyond the answer.
    #[test]
    fn tightenings_are_true(policies in prop::collection::vec(policy(), 0..4), question in question()) {
        let rules = Ruleset::compose(&scopes(&policies), posix());
        let answer = answer(&rules, &question);
        for tightening in &answer.trace.tightenings {
            prop_assert!(tightening.before < tightening.after, "{:?}", tightening);
            prop_assert!(tightening.after <= answer.state, "{:?}", tightening);
        }
    }

    /// RES-14: a further spelling never makes an answer milder.
    #[test]
    fn res_14_never_milder(policies in prop::collection::vec(policy(), 0..3), question in question()) {
        let rules = Ruleset::compose(&scopes(&policies), posix());
        let bare = answer(&rules, &Question { further: vec![], ..question.clone() });
        prop_assert!(answer(&rules, &question).state >= bare.state);
    }

    /// RES-17: a family is as strict as the stricter of its members.
    #[test]
    fn res_17_family_is_the_stricter_member(policies in prop::collection::vec(policy(), 0..3), value in "[ab]{0,3}") {
        let rules = Ruleset::compose(&scopes(&policies), posix());
        let of = |surface: &str| state(&rules, surface, &[&value]);
        prop_assert_eq!(of("path"), of("path_read").max(of("path_write")));
    }
}
