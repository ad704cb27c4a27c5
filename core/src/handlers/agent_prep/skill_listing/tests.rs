use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

use super::*;
use crate::policy::test_support::{answer_with, ask, global, grants};
use crate::policy::{Question, Ruleset};

fn skill(name: &str) -> String {
    format!(
        "<skill>\n<name>{name}</name>\n<description>It's {name}</description>\n<location>/s/{name}/SKILL.md</location>\n</skill>\n"
    )
}

fn prompt(names: &[&str]) -> String {
    format!("pre\n\n\n<available_skills>\n{}</available_skills>\n\npost", names.iter().map(|n| skill(n)).collect::<String>())
}

/// The real question behind each entry: surface `skill`, without session rules (RULE-025).
fn by_rules(rules: &Ruleset) -> impl FnMut(&str) -> (PermissionState, Option<String>) + '_ {
    |name| {
        let session = grants(&[("skill", "*")]);
        let question = Question { without_session: true, ..ask("skill", &[name]) };
        let answer = answer_with(rules, &session, &question);
        (answer.state, answer.reason)
    }
}

#[test]
fn tool_015_states() {
    let rules = global(json!({"skill": {"*": "allow", "bad*": "deny", "q": "ask"}}));
    let listing = filter_skills(&prompt(&["good", "bad", "q"]), by_rules(&rules));
    let states: Vec<_> = listing.skills.iter().map(|skill| (skill.name.as_str(), skill.state)).collect();
    assert_eq!(
        states,
        [("good", PermissionState::Allow), ("bad", PermissionState::Deny), ("q", PermissionState::Ask)],
        "a session grant of `*` changes nothing, and the denied one is kept (POLICY-D17)"
    );
    let expected = "pre\n\n\n<available_skills>\n  <skill>\n    <name>good</name>\n    <description>It&apos;s good</description>\n    \
        <location>/s/good/SKILL.md</location>\n  </skill>\n  <skill>\n    <name>q</name>\n    <description>It&apos;s q</description>\n    \
        <location>/s/q/SKILL.md</location>\n  </skill>\n</available_skills>\n\npost";
    assert_eq!(listing.prompt, expected);
}

fn deny_bad(name: &str) -> (PermissionState, Option<String>) {
    (if name.starts_with("bad") { PermissionState::Deny } else { PermissionState::Allow }, None)
}

#[rstest]
#[case::all_denied(prompt(&["bad"]), Some("pre\n\npost".to_owned()))]
#[case::first_in_the_prompt(
    format!("<available_skills>{}</available_skills>\npost", skill("bad")), Some("\npost".to_owned()))]
#[case::malformed_and_denied(
    format!("a\n<available_skills><skill><name>x</name></skill>{}</available_skills>", skill("bad")), Some("a".to_owned()))]
#[case::malformed_and_allowed(
    format!("a\n<available_skills><skill><name>x</name></skill>{}</available_skills>", skill("good")), None)]
#[case::empty_section("a\n<available_skills></available_skills>".to_owned(), None)]
#[case::no_section("a <AVAILABLE_SKILLS> <skill>".to_owned(), None)]
#[case::two_sections(
    format!("{}\n<available_skills>{}</available_skills>", prompt(&["good"]), skill("bad")), Some(prompt(&["good"])))]
fn tool_016(#[case] text: String, #[case] expected: Option<String>) {
    assert_eq!(filter_skills(&text, deny_bad).prompt, expected.unwrap_or(text));
}

fn listed(body: &str) -> Vec<(String, String, String)> {
    let listing = filter_skills(&format!("<available_skills>{body}</available_skills>"), deny_bad);
    listing.skills.into_iter().map(|skill| (skill.name, skill.description, skill.location)).collect()
}

#[rstest]
#[case::entities(
    "<skill><name>&lt;x&gt; &quot;y&quot; &#39; &amp;amp;</name><description> </description><location>/l</location></skill>",
    &[("<x> \"y\" &#39; &amp;", "", "/l")])]
#[case::decoded_once(
    "<skill><name>a&amp;lt;b</name><description>d</description><location>/l</location></skill>", &[("a&lt;b", "d", "/l")])]
#[case::any_order(
    "<skill><location> /l </location><name> n </name><description>d</description></skill>", &[("n", "d", "/l")])]
#[case::no_description("<skill><name>n</name><location>/l</location></skill>", &[])]
#[case::blank_name("<skill><name> </name><description>d</description><location>/l</location></skill>", &[])]
#[case::attributes("<skill a=1><name>n</name><description>d</description><location>/l</location></skill>", &[])]
#[case::upper_case("<SKILL><NAME>n</NAME></SKILL>", &[])]
#[case::inner_opening_tag(
    "<available_skills><skill><name>n</name><description>d</description><location>/l</location></skill>", &[("n", "d", "/l")])]
fn tool_014(#[case] body: &str, #[case] expected: &[(&str, &str, &str)]) {
    let expected: Vec<_> = expected.iter().map(|(n, d, l)| ((*n).to_owned(), (*d).to_owned(), (*l).to_owned())).collect();
    assert_eq!(listed(body), expected);
}

#[test]
fn tool_014_unclosed_section() {
    let open = format!("<available_skills>{}", skill("bad"));
    assert_eq!(filter_skills(&open, deny_bad), FilteredSkills { prompt: open.clone(), skills: Vec::new() });
}

#[test]
fn tool_015_one_question_a_name() {
    let mut asked = Vec::new();
    filter_skills(&prompt(&["a", "b", "a"]), |name| {
        asked.push(name.to_owned());
        (PermissionState::Allow, None)
    });
    assert_eq!(asked, ["a", "b"]);
}

proptest! {
    /// Invariant 6: filtering is idempotent for a fixed policy.
    #[test]
    fn invariant_6(names in prop::collection::vec("(bad|good)[a-z<&']{0,3}", 0..5), pre in "[a\n]{0,4}") {
        let names: Vec<String> = names.iter().map(|name| encode(name)).collect();
        let text = format!("{pre}{}", prompt(&names.iter().map(String::as_str).collect::<Vec<_>>()));
        let once = filter_skills(&text, deny_bad).prompt;
        prop_assert_eq!(filter_skills(&once, deny_bad).prompt, once);
    }
}
