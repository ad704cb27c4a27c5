use std::collections::BTreeSet;

use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;
use crate::own_policy::{Call, Verdict};

pub(super) fn options(folder: &std::path::Path) -> JudgeOptions {
    JudgeOptions::new(PolicySource::default(), folder.to_str().unwrap(), "/home/user")
}

fn lint_text(name: &str, text: &str) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let text = text.replace("${CWD}", folder.path().to_str().unwrap());
    std::fs::write(&path, &text).unwrap();
    lint_file(&SourceFile::new(name, text), &path, &options(folder.path()))
}

/// Lints found, with what they stand on.
fn found(permission: &str) -> Vec<(&'static str, String)> {
    let text = format!("{{\"permission\": {permission}}}");
    let report = lint_text("config.json", &text);
    let on = |finding: &Finding| text.get(finding.place.offset..finding.place.offset + finding.place.length).unwrap().to_owned();
    report.findings.iter().map(|finding| (finding.lint.id, on(finding))).collect()
}

#[rstest]
#[case::lost_deny(r#"{"bash":{"rm *":"deny","*":"allow"}}"#, "wrong-order", "rm *")]
#[case::first_match_habit(r#"{"bash":{"git status":"allow","*":"ask"}}"#, "wrong-order", "git status")]
#[case::over_surfaces(r#"{"read":{"*.env":"deny"},"re*":"allow"}"#, "wrong-order", "*.env")]
#[case::hard_035_family(r#"{"path_read":{"*.env":"deny","*":"ask"}}"#, "wrong-order", "*.env")]
#[case::together(r#"{"bash":{"a*":"deny","a":"allow","a?*":"allow"}}"#, "dead-rule", "a*")]
#[case::repeated(r#"{"bash":{"git log":"allow","git *":"allow"}}"#, "repeated-rule", "git log")]
#[case::chain(r#"{"bash":{"curl * | sh":"deny"}}"#, "chain-operator", "curl * | sh")]
#[case::chain_and(r#"{"bash":{"cd * && ls":"allow"}}"#, "chain-operator", "cd * && ls")]
#[case::blank(r#"{"bash":{"git status ":"allow"}}"#, "stray-space", "git status ")]
#[case::slash(r#"{"path":{"secrets/":"deny"}}"#, "trailing-slash", "secrets/")]
#[case::dot(r#"{"read":{"./src/*":"allow"}}"#, "not-normalised", "./src/*")]
#[case::dots(r#"{"path":{"a/../b":"deny"}}"#, "not-normalised", "a/../b")]
#[case::outside(r#"{"external_directory":{"../x/*":"allow"}}"#, "relative-outside", "../x/*")]
#[case::user(r#"{"path":{"~bob/x":"deny"}}"#, "no-home", "~bob/x")]
#[case::variable(r#"{"path":{"${HOME}/x":"deny"}}"#, "no-home", "${HOME}/x")]
#[case::windows(r#"{"path":{"%USERPROFILE%/x":"deny"}}"#, "no-home", "%USERPROFILE%/x")]
#[case::command(r#"{"bash":{"~/bin/*":"allow"}}"#, "home-in-command", "~/bin/*")]
#[case::negation(r#"{"path":{"!*.example":"allow"}}"#, "other-wildcards", "!*.example")]
#[case::class(r#"{"path":{"[a-z].env":"deny"}}"#, "other-wildcards", "[a-z].env")]
#[case::alternatives(r#"{"bash":{"git (push|pull) *":"deny"}}"#, "other-wildcards", "git (push|pull) *")]
#[case::braces(r#"{"path":{"*.{pem,key}":"deny"}}"#, "other-wildcards", "*.{pem,key}")]
#[case::two_stars(r#"{"path":{"**/*.env":"deny"}}"#, "double-star", "**/*.env")]
#[case::glued(r#"{"bash":{"npm run dev*":"allow"}}"#, "glued-star", "npm run dev*")]
#[case::wrapper(r#"{"bash":{"sudo *":"allow"}}"#, "floor-wins", "sudo *")]
#[case::boundary(r#"{"read":{"/opt/data/*":"allow"}}"#, "outside-allow", "/opt/data/*")]
#[case::empty(r#"{"skill":{}}"#, "empty-surface", "skill")]
#[case::number(r#"{"skill":{"*":"ask","42":"allow"}}"#, "number-key", "42")]
#[case::secret(r#"{"bash":{"x":{"action":"deny","reason":"run it with API_TOKEN=abcdef0123"}}}"#, "secret-in-reason", "x")]
#[case::core_near_miss(r#"{"bahs":"deny"}"#, "near-miss", "bahs")]
#[case::core_duplicate(r#"{"bash":"deny","bash":"ask"}"#, "duplicate-key", "bash")]
#[case::cfg_028(r#"{"*":"allow"}"#, "bash-inherits-allow", "*")]
fn is_found(#[case] permission: &str, #[case] lint: &str, #[case] on: &str) {
    assert_eq!(found(permission), vec![(lint, format!("\"{on}\""))]);
}

#[rstest]
#[case::broad_first(r#"{"bash":{"*":"ask","git *":"allow","git push *":"deny"}}"#)]
#[case::member_after_family(r#"{"path_read":{"*":"allow"},"path":{"*.env":"deny"}}"#)]
#[case::one_member_is_not_the_family(r#"{"path":{"*.env":"deny"},"path_wr*":"allow"}"#)]
#[case::quoted(r#"{"bash":{"git log 'a && b'":"allow","find * -exec ls {} \\;":"ask"}}"#)]
#[case::test_words(r#"{"bash":{"[[ *":"allow","[ *":"allow","test *":"allow"}}"#)]
#[case::bracket_names(r#"{"path":{"*":"allow","app/[id]/*":"deny","a..b":"deny"}}"#)]
#[case::root(r#"{"external_directory":{"/":"ask","~/":"allow"}}"#)]
#[case::asks_of_longer_words(r#"{"bash":{"git push*":"ask"}}"#)]
#[case::boundary_allows_it(r#"{"read":{"/opt/data/*":"allow"},"external_directory":{"/opt/data/*":"allow"}}"#)]
#[case::everything_on_paths(r#"{"read":{"*":"allow"},"path":{"*":"allow"}}"#)]
fn is_fine(#[case] permission: &str) {
    assert_eq!(found(permission), vec![]);
}

#[test]
fn a_registered_tool_answers_its_surface() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.json");
    let text = r#"{"permission": {"deploi": "ask", "deploy": "ask"}}"#;
    std::fs::write(&path, text).unwrap();
    let options = JudgeOptions { tools: vec!["deploy".into()], ..options(folder.path()) };
    let report = lint_file(&SourceFile::new("config.json", text), &path, &options);
    let ids: Vec<_> = report.findings.iter().map(|finding| finding.lint.id).collect();
    assert_eq!(ids, ["unanswered-surface"]);
    assert!(report.findings[0].message.contains("deploy"), "{}", report.findings[0].message);
}

#[test]
fn res_08_a_map_under_the_star() {
    let report = lint_text("config.json", r#"{"permission": {"*": {"x": "deny"}, "bash": {"a": "deny", "*": "allow"}}}"#);
    let ids: Vec<_> = report.findings.iter().map(|finding| finding.lint.id).collect();
    assert_eq!(ids, ["cannot-work"], "the rules of a broken file are not looked at");
}

#[test]
fn an_agents_file_is_looked_at_too() {
    let text = "---\npermission:\n  bash:\n    'rm *': deny\n    '*': allow\n---\nbody\n";
    let report = lint_text("reviewer.md", text);
    let found: Vec<_> = report.findings.iter().map(|finding| (finding.lint.id, finding.place.line)).collect();
    assert_eq!(found, [("wrong-order", 4)]);
}

#[test]
fn a_comment_with_a_reason_silences() {
    let text = "{\"permission\": {\"bash\": {\n// portcullis-ignore wrong-order: a reminder\n\"rm *\": \"deny\",\n\"ls\": \"ask\", // portcullis-ignore wrong-order\n\"a\": \"ask\", // portcullis-ignore wrong-ordr: x\n\"*\": \"allow\"}}}";
    let report = lint_text("config.json", text);
    let found: Vec<_> =
        report.findings.iter().map(|finding| (finding.lint.id, finding.place.line, finding.ignored.as_deref())).collect();
    assert_eq!(
        found,
        [
            ("wrong-order", 3, Some("a reminder")),
            ("wrong-order", 4, None),
            ("wrong-order", 5, None),
            ("bad-ignore", 4, None),
            ("bad-ignore", 5, None)
        ]
    );
}

/// What the lints say of an allow is what the reference does.
#[rstest]
#[case::chain(r#"{"bash":{"cd src && ls":"allow"}}"#, "bash", "cd src && ls")]
#[case::blank(r#"{"bash":{"git status ":"allow"}}"#, "bash", "git status ")]
#[case::slash(r#"{"write":{"dir/":"allow"}}"#, "write", "dir/")]
#[case::slash_within(r#"{"write":{"dir/":"allow"}}"#, "write", "dir/x")]
#[case::dot(r#"{"write":{"./src/*":"allow"}}"#, "write", "./src/a")]
#[case::outside(r#"{"write":"allow","external_directory":{"../x/*":"allow"}}"#, "write", "../x/a")]
#[case::home(r#"{"bash":{"~/bin/*":"allow"}}"#, "bash", "~/bin/x")]
#[case::wrapper(r#"{"bash":{"sudo *":"allow"}}"#, "bash", "sudo x")]
#[case::boundary(r#"{"read":{"/opt/data/*":"allow"}}"#, "read", "/opt/data/x")]
#[case::braces(r#"{"write":{"*.{a,b}":"allow"}}"#, "write", "x.a")]
fn an_allow_that_is_found_does_not_allow(#[case] permission: &str, #[case] tool: &str, #[case] what: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.json");
    std::fs::write(&path, format!("{{\"permission\": {permission}}}")).unwrap();
    assert!(!found(permission).is_empty());
    let judge = judge_of(&path, &options(folder.path()));
    let call = Call::from_words(tool, &[what.to_owned()]).unwrap();
    assert_eq!(judge.judge(&call).unwrap().verdict, Verdict::Ask);
}

/// A rule that is said never to decide decides no command of a list, whatever the reference is asked.
#[test]
fn a_rule_that_is_found_dead_wins_nothing() {
    let texts = ["git *", "git s*", "git", "* status", "git status", "*", "git ?*"];
    for first in texts {
        for second in texts.iter().filter(|second| **second != first) {
            let permission = format!(r#"{{"bash":{{"{first}":"deny","{second}":"allow"}}}}"#);
            let dead = found(&permission).iter().any(|(id, _)| *id == "wrong-order");
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("config.json");
            std::fs::write(&path, format!("{{\"permission\": {permission}}}")).unwrap();
            let judge = judge_of(&path, &options(folder.path()));
            let denied = ["git", "git x", "git status", "x status", "ls", "gits", "git s"].into_iter().any(|command| {
                judge.judge(&Call::from_words("bash", &[command.to_owned()]).unwrap()).unwrap().verdict == Verdict::Deny
            });
            assert_eq!(dead, !denied, "{permission}");
        }
    }
}

/// The page has a line for each lint, with its level.
#[test]
fn the_page_lists_every_lint() {
    let page = include_str!("../../../docs/guide/lint.md");
    let listed: BTreeSet<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let wanted: BTreeSet<String> = CATALOGUE
        .iter()
        .map(|lint| format!("| `{}` | {} | {} |", lint.id, lint.level.as_str(), lint.about.replace('|', "\\|")))
        .collect();
    assert_eq!(listed, wanted.iter().map(String::as_str).collect());
}

/// Nobody who follows the recipes is told anything but that a line is not needed, and, where one says `"*": "allow"` alone,
/// what that means for the shell (CFG-028).
#[test]
fn recipes_are_clean() {
    let mut policies = BTreeSet::new();
    for source in crate::load::embedded_sources().iter().filter(|source| source.name.contains("recipes/")) {
        for scenario in crate::load::load_all(std::slice::from_ref(source)).unwrap() {
            let Some(global) = &scenario.given.policy.global else { continue };
            let text = serde_json::json!({ "permission": global }).to_string().replace("${HOME}", "/home/user");
            if !policies.insert(text.clone()) {
                continue;
            }
            for finding in lint_text("config.json", &text).findings {
                let known = ["repeated-rule", "bash-inherits-allow"].contains(&finding.lint.id);
                assert!(known, "{}: {}", source.name, finding.message);
            }
        }
    }
    assert!(policies.len() > 10, "{}", policies.len());
}
