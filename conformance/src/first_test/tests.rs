use std::fs;

use pretty_assertions::assert_eq;

use super::*;
use crate::implementation::Reference;
use crate::load::load_playable;
use crate::run;
use crate::source::SourceFile;

/// The rows of a policy's first test, and whether they pass.
fn tested(policy: &str) -> (FirstTest, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.json");
    fs::write(&file, policy).unwrap();
    let test = first_test(&file, "config.json", "config").unwrap();
    let source = SourceFile::in_folder("config.yaml", test.text.clone(), folder.path());
    let (scenarios, _) = load_playable(&[source]).unwrap();
    assert_eq!(scenarios.len(), test.rows);
    let results = run::run(&scenarios, &Reference, run::Options::new(1), &|_| {}).unwrap();
    let bad = results.into_iter().filter(|result| result.verdict.is_bad()).map(|result| result.name).collect();
    (test, bad)
}

#[test]
fn each_rule_has_a_row_that_passes() {
    let policy = r#"{
      // what a person wrote, with comments
      "permission": {
        "*": "ask",
        "bash": { "*": "ask", "git *": "allow", "git push *": { "action": "deny", "reason": "why" }, "sudo *": "allow", "${HOME}/x": "deny" },
        "path": { "*.env": "deny", "~/.ssh/*": "deny" },
        "external_directory": { "*": "ask", "/opt/*": "allow" },
        "read": "allow", "write": { "*": "ask", "docs/*": "allow" }, "edit": "deny",
        "mcp": { "*": "ask", "exa_*": "allow" },
        "skill": { "deploy": "deny", "*": "ask" },
        "deploy_*": "deny"
      }
    }"#;
    let (test, bad) = tested(policy);
    assert_eq!(bad, Vec::<String>::new(), "{}", test.text);
    assert_eq!(test.rows, 19);
    // The last rule wins: nothing is left for `deploy`.
    assert_eq!(test.undecided, ["line 10: deny 'deploy' on skill"], "{}", test.text);
}

#[test]
fn what_a_rule_holds_ends_no_quote_and_no_comment() {
    let (test, bad) = tested(r##"{"permission": {"bash": {"echo \"a\" # b\n- id: x": "deny", "a'b: {c}": "ask"}}}"##);
    assert_eq!((test.rows, bad), (2, Vec::new()), "{}", test.text);
}
