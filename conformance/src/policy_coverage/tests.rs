use std::path::Path;

use pretty_assertions::assert_eq;

use super::*;
use crate::load::load_playable;
use crate::own_policy::{JudgeOptions, PolicySource};
use crate::report::Style;

const POLICY: &str = "{\n  // <script>alert(1)</script>\n  \"permission\": {\n    \"*\": \"ask\",\n    \"bash\": { \"*\": \"ask\", \"git *\": \"allow\" },\n    \"path\": { \"*.env\": \"deny\" },\n    \"skill\": { \"x\": \"deny\", \"*\": \"allow\" }\n  }\n}\n";

fn judge(folder: &Path, name: &str) -> Judge {
    Judge::new(JudgeOptions::new(PolicySource::global(folder.join(name)), "/srv/app", "/home/user"))
}

fn covered(steps: &str) -> Option<Coverage> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.json"), POLICY).unwrap();
    let text = format!(
        "suite: s\nlevel: baseline\ngiven:\n  policy: {{ file: config.json }}\n  ui: true\nscenarios:\n  - id: a\n    title: t\n    steps:\n{steps}"
    );
    let (scenarios, _) = load_playable(&[SourceFile::in_folder("s.yaml", text, folder.path())]).unwrap();
    let source = SourceFile::new("config.json", POLICY);
    of_policy(&judge(folder.path(), "config.json"), &source, &scenarios)
}

#[test]
fn rules_count_the_questions_that_they_answered() {
    let coverage = covered("      - { bash: git status, expect: { outcome: allow, by: { gate: tool, rule: 'git *' } } }\n      - { read: a.env, expect: { outcome: block, by: { gate: path, rule: '*.env' } } }\n      - bash: git log\n").unwrap();
    let hits: Vec<(u32, &str, u64, Option<u32>)> = coverage
        .rules
        .iter()
        .map(|hit| (hit.rule.location.as_ref().unwrap().line, &*hit.rule.pattern, hit.hits, hit.dead_by))
        .collect();
    assert_eq!(
        hits,
        [
            (4, "*", 1, None),
            (5, "*", 0, None),
            (5, "git *", 2, None),
            (6, "*.env", 1, None),
            (7, "x", 0, Some(7)),
            (7, "*", 0, None)
        ]
    );
    assert_eq!((coverage.percent(), coverage.rows, coverage.failed.len()), (50, 1, 0));
    let never: Vec<&str> = coverage.surfaces.iter().filter(|name| name.hits == 0).map(|name| name.name.as_str()).collect();
    assert_eq!(never, ["path_write", "skill"]);
}

#[test]
fn a_row_that_fails_is_named() {
    let coverage = covered("      - { bash: ls, expect: { outcome: allow, by: { gate: tool } } }\n").unwrap();
    assert_eq!(coverage.failed, ["a"]);
}

#[test]
fn lcov_counts_the_least_reached_rule_of_a_line() {
    let coverage =
        covered("      - { bash: git status, expect: { outcome: allow, by: { gate: tool, rule: 'git *' } } }\n").unwrap();
    assert_eq!(lcov(&coverage), "TN:portcullis\nSF:config.json\nDA:4,0\nDA:5,0\nDA:6,0\nDA:7,0\nLF:4\nLH:0\nend_of_record");
}

/// What a policy holds is text on the page, whatever it looks like.
#[test]
fn the_page_holds_no_markup_of_a_policy() {
    let coverage =
        covered("      - { bash: git status, expect: { outcome: allow, by: { gate: tool, rule: 'git *' } } }\n").unwrap();
    let page = html(&coverage, &format!("{POLICY}\u{202e}\"'&"));
    assert!(!page.contains("<script"));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(page.contains("<em>U+202E</em>&quot;&#39;&amp;"));
    assert!(page.contains(
        "<tr class=\"miss\" id=\"L7\"><td class=\"hits\" title=\"deny skill &#39;x&#39;: never, line 7 matches all that it does; "
    ));
}

#[test]
fn scenarios_about_other_policies_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.json"), POLICY).unwrap();
    let text = "suite: s\nlevel: baseline\nscenarios:\n  - id: a\n    title: t\n    steps:\n      - { bash: ls, expect: { prompts: [] } }\n";
    let (scenarios, _) = load_playable(&[SourceFile::new("s.yaml", text)]).unwrap();
    assert_eq!(of_policy(&judge(folder.path(), "config.json"), &SourceFile::new("config.json", POLICY), &scenarios), None);
    let suite = of_suite(&scenarios);
    assert_eq!(suite.gates.iter().find(|gate| gate.name == "tool").map(|gate| gate.hits), Some(1));
    assert!(render(&suite, Style::new(false)).contains("no test reaches the gates skill-read"));
}
