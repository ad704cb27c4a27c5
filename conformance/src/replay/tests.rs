use std::fmt::Write as _;

use pretty_assertions::assert_eq;

use super::*;
use crate::own_policy::PolicySource;

struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn policy(&self, permission: &str) -> JudgeOptions {
        let file = self.folder.path().join(format!("{}.json", permission.len()));
        std::fs::write(&file, format!("{{\"permission\": {permission}}}")).unwrap();
        JudgeOptions::new(PolicySource::global(file), "/srv/app", "/home/user")
    }

    fn replay(&self, permission: &str, baseline: Option<&str>, suggest: Option<usize>, log: &str) -> Report {
        let baseline = baseline.map(|permission| self.policy(permission));
        let options = Options { policy: self.policy(permission), baseline, examples: 5, suggest };
        let mut replay = Replay::new(options).unwrap();
        replay.read("review.jsonl", log.as_bytes()).unwrap();
        replay.finish().unwrap()
    }
}

fn asked(id: usize, command: &str) -> String {
    let waiting = serde_json::json!({
        "timestamp": "2026-11-30T12:00:00.000Z", "extension": "pi-permission-system", "stream": "review",
        "event": "permission_request.waiting", "source": "tool_call", "agentName": null, "toolCallId": format!("c{id}"),
        "toolName": "bash", "command": command, "path": null, "resolution": null,
    });
    format!("{waiting}\n{}\n", waiting.to_string().replace("waiting", "approved"))
}

fn table(report: &Report) -> Vec<String> {
    report.transitions.iter().map(|row| format!("{} {} {}", row.from, row.to, row.requests)).collect()
}

#[test]
fn recorded_requests_are_decided_again() {
    let bench = Bench::new();
    let log = include_str!("../../tests/cli/review-package.jsonl");
    let policy = r#"{"*":"ask","bash":{"*":"ask","npm *":"allow","git push *":"ask","curl *":"deny"},"path":{"*.env":"deny"},"read":"allow"}"#;
    let report = bench.replay(policy, None, None, log);
    // ls, make and /etc/passwd, /etc/hosts stay asks; /opt/x and git push are asked now; both npm runs go ahead.
    assert_eq!(
        table(&report),
        ["ask allow 2", "deny ask 3", "ask deny 1", "ask ask 6", "deny deny 2"],
        "{:#?}",
        report.transitions
    );
    let npm = &report.transitions[0].examples;
    assert_eq!((npm.len(), npm[0].times, npm[0].line), (1, 2, 6));
    assert!(npm[0].now.rule.as_ref().unwrap().starts_with("allow bash 'npm *' (global, "), "{npm:?}");
    let left: Vec<(Reason, u64)> = report.unjudged.iter().map(|left| (left.reason, left.number)).collect();
    assert_eq!(left, [(Reason::InputNotRecorded, 4)], "write without a path, mcp, deploy, grep: {:#?}", report.unjudged);
}

/// What the reference writes is read as well; what it masked is not judged.
#[test]
fn the_reference_writes_the_same_log() {
    let bench = Bench::new();
    let policy = r#"{"*":"ask","bash":{"*":"ask","npm *":"allow","git push *":"ask"},"path":{"*.env":"deny"},"read":"allow"}"#;
    let package = bench.replay(policy, None, None, include_str!("../../tests/cli/review-package.jsonl"));
    let own = bench.replay(policy, None, None, include_str!("../../tests/cli/review-reference.jsonl"));
    let left: Vec<(Reason, u64)> = own.unjudged.iter().map(|left| (left.reason, left.number)).collect();
    assert_eq!(left[..2], [(Reason::InputNotRecorded, 4), (Reason::Masked, 1)]);
    let one_less = table(&package).into_iter().map(|row| row.replace("ask ask 7", "ask ask 6")).collect::<Vec<_>>();
    assert_eq!(table(&own), one_less);
}

#[test]
fn a_baseline_takes_the_place_of_what_was_recorded() {
    let bench = Bench::new();
    let log = [asked(1, "ls"), asked(2, "rm x")].concat();
    let report =
        bench.replay(r#"{"bash":{"*":"allow","rm *":"ask"}}"#, Some(r#"{"bash":{"*":"allow","rm *":"deny"}}"#), None, &log);
    assert_eq!(table(&report), ["deny ask 1", "allow allow 1"]);
    assert!(report.loosens() && report.differs() && report.baseline);
}

#[test]
fn lines_that_are_no_log_are_counted() {
    let bench = Bench::new();
    let log =
        format!("{}\nnot JSON\n{{\"event\":\"permission_request.new_event\"}}\n{}", asked(1, "ls"), "x".repeat(2 * 1024 * 1024));
    let report = bench.replay(r#"{"bash":"ask"}"#, None, None, &log);
    let left: Vec<(Reason, u64, u64)> =
        report.unjudged.iter().map(|left| (left.reason, left.number, left.examples[0].1)).collect();
    assert_eq!(left, [(Reason::MalformedLine, 1, 4), (Reason::LongLine, 1, 6), (Reason::UnknownEvent, 1, 5)]);
    assert_eq!((report.lines, report.requests), (6, 1));
}

#[test]
fn suggestions_remove_most_and_override_no_deny() {
    let bench = Bench::new();
    let mut log = String::new();
    for at in 0..6 {
        let _ = write!(log, "{}", asked(at, "npm test"));
    }
    for at in 6..9 {
        let _ = write!(log, "{}", asked(at, "cargo build"));
    }
    let _ = write!(log, "{}", asked(10, "git push origin"));
    let report = bench.replay(r#"{"bash":{"*":"ask","npm publish *":"deny","* --force":"deny"}}"#, None, Some(2), &log);
    let found: Vec<(String, u64)> = report
        .suggestions
        .unwrap()
        .into_iter()
        .map(|rule| (format!("{} {}", rule.surface, rule.pattern), rule.requests))
        .collect();
    // Every pattern with a star would take `… --force`, so only the calls themselves are left.
    assert_eq!(found, [("bash npm test".to_owned(), 6), ("bash cargo build".to_owned(), 3)]);

    let report = bench.replay(r#"{"bash":{"*":"ask","npm publish *":"deny"}}"#, None, Some(3), &log);
    let suggestions = report.suggestions.unwrap();
    let requests: Vec<u64> = suggestions.iter().map(|rule| rule.requests).collect();
    assert_eq!(requests, [6, 3], "{suggestions:#?}");
    for rule in &suggestions {
        let wide = rule.pattern.contains('*');
        assert_eq!(wide, !rule.also_allows.is_empty(), "{rule:?}");
    }
}

#[test]
fn a_floor_that_stands_is_no_prompt_removed() {
    let bench = Bench::new();
    let report = bench.replay(r#"{"bash":"ask"}"#, None, Some(2), &asked(1, "sudo ls"));
    assert_eq!(report.suggestions, Some(vec![]));
}

#[test]
fn a_broken_policy_decides_nothing() {
    let bench = Bench::new();
    let options = Options { policy: bench.policy(r#"{"bash":"aks"}"#), baseline: None, examples: 1, suggest: None };
    let error = Replay::new(options).err().unwrap();
    assert!(error.starts_with("the policy is broken"), "{error}");
}
