use pretty_assertions::assert_eq;
use rstest::rstest;

use super::generate::{Abilities, case};
use super::{Aspect, Duel, Finding, Kind, Relation, Tally, scenario_file};
use crate::doubles::Double;
use crate::implementation::{Factory as _, Reference, Timed};
use crate::load;
use crate::own_policy::Verdict;
use crate::source::SourceFile;

const ALL: Abilities =
    Abilities { trust: true, agents: true, mcp: true, skills: true, extractors: true, queries: true, directions: true };

#[test]
fn a_seed_and_a_number_give_one_case() {
    assert_eq!(case(7, 3, ALL), case(7, 3, ALL));
    assert_ne!(case(7, 3, ALL).steps, case(8, 3, ALL).steps);
    assert_ne!(case(7, 3, ALL).steps, case(7, 4, ALL).steps);
}

/// The first verdict that is milder on a double, made small.
fn first_milder(double: &str) -> Option<Finding> {
    let double = Double::named(double).unwrap();
    let duel = Duel::new(Relation::Equality, &Reference, double);
    let mut tally = Tally::default();
    let mut found = (0..500).filter_map(|number| duel.case(number, &case(1, number, ALL), &mut tally));
    let found = found.find(|found| found.difference.kind == Kind::Stricter);
    found.map(|found| duel.small(found))
}

#[test]
fn the_reference_is_like_itself() {
    let duel = Duel::new(Relation::Equality, &Reference, &Reference);
    let mut tally = Tally::default();
    let found = (0..40).find_map(|number| duel.case(number, &case(1, number, ALL), &mut tally));
    assert_eq!(found, None);
    assert_eq!(tally.errors, Vec::<String>::new());
    assert!(tally.is_good() && tally.calls > 40, "{tally:?}");
}

#[test]
fn a_watch_changes_nothing_and_runs() {
    let watch = Timed::new(&Reference);
    let duel = Duel::new(Relation::Equality, &Reference, &watch);
    let mut tally = Tally::default();
    let found = (0..5).find_map(|number| duel.case(number, &case(2, number, ALL), &mut tally));
    assert_eq!((found, tally.cases), (None, 5));
    assert!(watch.spent() > std::time::Duration::ZERO);
}

/// What differs beside the verdict is called by its name, and stays the same while the case is made small.
#[rstest]
#[case("drops-decisions", Aspect::Event)]
#[case("no-review-log", Aspect::Record)]
#[case("no-debug-log", Aspect::Record)]
#[case("masks-nothing", Aspect::Answer)]
#[case("leaks-files", Aspect::Files)]
fn a_difference_beside_the_verdict_has_a_name(#[case] double: &str, #[case] aspect: Aspect) {
    let double = Double::named(double).unwrap();
    let duel = Duel::new(Relation::Equality, &Reference, double);
    let mut tally = Tally::default();
    let found = (0..400).find_map(|number| duel.case(number, &case(1, number, ALL), &mut tally)).unwrap();
    let number = found.number;
    let small = duel.small(found);
    assert_eq!((small.difference.kind, small.difference.aspect), (Kind::Otherwise, Some(aspect)), "case {number}");
    assert!(tally.aspects[&aspect] > 0);
}

#[test]
fn a_difference_is_made_small_and_written_as_a_scenario() {
    let found = first_milder("open-default").unwrap();
    assert_eq!((found.difference.kind, found.difference.theirs.verdict), (Kind::Stricter, Verdict::Allow));
    assert_eq!(found.scenario.steps.len(), 1, "{:#?}", found.scenario.steps);
    let text = scenario_file(&found, Relation::Equality, ["reference", "double:open-default"]);
    let scenarios =
        load::load_all(&[SourceFile::new("generated.yaml", text.clone())]).unwrap_or_else(|faults| panic!("{text}\n{faults:?}"));
    let passes = |gate: &mut dyn crate::implementation::Implementation| !crate::run::play(&scenarios[0], gate).verdict.is_bad();
    assert!(passes(Reference.start().unwrap().as_mut()), "{text}");
    assert!(!passes(Double::named("open-default").unwrap().start().unwrap().as_mut()), "{text}");
}

/// What explains a difference needs the configured rule, also where nobody came to answer the question, and beneath a grant.
#[test]
fn the_rule_beneath_is_known() {
    let text = r#"
suite: broken dialogs
level: hardened
given:
  policy: { mcp: { "exa_*": deny, exa: ask } }
  mcp servers: [exa]
  ui: { answers: [] }
scenarios:
  - id: broken
    title: the server is named behind a pattern of its tools
    covers: [HARD-026]
    steps:
      - mcp: { tool: "exa:search" }
        answers: [{ fail: it broke }]
        expect: { outcome: block, by: { gate: boundary } }
      - mcp: { tool: "exa:search" }
        answers: [approve for session]
        expect: { outcome: allow, by: { gate: tool } }
      - mcp: { tool: "exa:search" }
        expect: { outcome: allow, by: { gate: tool } }
"#;
    let scenarios = load::load_all(&[SourceFile::new("broken.yaml", text.to_owned())]).unwrap();
    let seen = super::transcript(&scenarios[0], Reference.start().unwrap().as_mut(), super::Looks::Answers).unwrap();
    let sides: Vec<_> = seen.iter().map(|step| super::relation::Side::of(&step.answer)).collect();
    // Across the protocol nothing but the rule itself is told.
    let bare = crate::implementation::Observation { explanation: None, ..seen[1].answer.clone() };
    assert_eq!(super::relation::Side::of(&bare).beneath.as_deref(), Some("exa"));
    let told: Vec<_> = sides.iter().map(|side| (side.verdict, side.rule.as_deref(), side.beneath.as_deref())).collect();
    assert_eq!(
        told,
        [
            (Verdict::Ask, None, Some("exa")),
            (Verdict::Ask, Some("exa"), Some("exa")),
            (Verdict::Allow, Some("exa:search"), Some("exa")),
        ]
    );
}
