use std::fs;

use pretty_assertions::assert_eq;
use rstest::rstest;
use tempfile::TempDir;

use super::*;
use crate::own_policy::{Call, JudgeOptions, PolicySource};
use crate::report::Style;

const POLICY: &str = r#"{
  "permission": {
    "*": "ask",
    "bash": { "*": "ask", "git *": "allow", "git push *": { "action": "deny", "reason": "by review" }, "sudo *": "allow" },
    "path": { "*.env": "deny" },
    "read": "allow"
  }
}"#;

fn explained(policy: &str, has_ui: bool, kind: &str, word: &str) -> (TempDir, Explanation) {
    let world = tempfile::tempdir().unwrap();
    let file = world.path().join("policy.json");
    fs::write(&file, policy).unwrap();
    let cwd = world.path().to_str().unwrap().to_owned();
    let judge = Judge::new(JudgeOptions { has_ui, ..JudgeOptions::new(PolicySource::global(file), cwd.clone(), cwd) });
    let call = Call::from_words(kind, &[word.to_owned()]).unwrap();
    let judgement = judge.judge(&call).unwrap();
    let explanation = explain(&judge, &call.subject(), judgement);
    (world, explanation)
}

#[rstest]
#[case("bash", "git push -f", Verdict::Deny, "tool", Some("git push *"), Some(4))]
#[case("bash", "git status", Verdict::Allow, "tool", Some("git *"), Some(4))]
#[case("bash", "sudo git status", Verdict::Ask, "tool", Some("sudo *"), Some(4))]
#[case("bash", "git add .env", Verdict::Deny, "bash-path", Some("*.env"), Some(5))]
#[case("read", "a.txt", Verdict::Allow, "tool", Some("*"), Some(6))]
#[case("read", ".env", Verdict::Deny, "path", Some("*.env"), Some(5))]
#[case("skill", "deploy", Verdict::Ask, "skill-input", Some("*"), Some(3))]
#[case("tool", "deploy", Verdict::Ask, "tool", Some("*"), Some(3))]
fn the_verdict_with_the_rule_and_its_line(
    #[case] kind: &str,
    #[case] word: &str,
    #[case] verdict: Verdict,
    #[case] gate: &str,
    #[case] rule: Option<&str>,
    #[case] line: Option<u32>,
) {
    let (world, explanation) = explained(POLICY, true, kind, word);
    let by = &explanation.by;
    let got = (explanation.verdict, by.gate.as_str(), by.rule.as_ref().map(|r| &*r.pattern), by.snippet.as_ref().map(|s| s.line));
    assert_eq!(got, (verdict, gate, rule, line));
    let file = world.path().join("policy.json");
    assert_eq!(by.snippet.as_ref().map(|snippet| snippet.file.as_str()), file.to_str());
    let listed: Vec<_> = world.path().read_dir().unwrap().collect();
    assert_eq!(listed.len(), 1, "nothing is written");
}

#[test]
fn what_a_yes_for_the_session_stores() {
    let (_world, explanation) = explained(POLICY, true, "bash", "sudo git status");
    let grants: Vec<_> = explanation.prompts.iter().map(|prompt| (prompt.gate.as_str(), prompt.grant.clone())).collect();
    assert_eq!(grants, [("tool", vec![("bash".to_owned(), "sudo git status *".to_owned())])]);
}

#[test]
fn without_a_person_an_ask_stays_an_ask_and_says_so() {
    let (_world, explanation) = explained(POLICY, false, "bash", "make");
    assert_eq!((explanation.verdict, explanation.trace.end.outcome.as_str()), (Verdict::Ask, "block"));
    let text = render(&explanation, false, Style::new(false));
    assert!(text.contains("└─ nobody says yes: block by tool"), "{text}");
    assert!(text.contains("question 1 to a person (tool), and nobody is there"), "{text}");
}

#[test]
fn a_broken_policy_is_named_and_allows_nothing() {
    let (_world, explanation) = explained(r#"{"permission":{"bash":{"*":"alow"}}}"#, true, "bash", "ls");
    assert_eq!(explanation.verdict, Verdict::Ask);
    assert_eq!(explanation.issues.len(), 1);
    assert!(explanation.issues[0].contains("alow"), "{:?}", explanation.issues);
}
