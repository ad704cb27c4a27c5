use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::Value;

use super::{Audit, AuditCounts, AuditEnd};

fn counts(tool_calls: u64, allowed: u64, blocked: u64, errors: u64) -> AuditCounts {
    AuditCounts { tool_calls, allowed, blocked, errors }
}

/// EVT-014: one terminal count a call; a second session's summary is cumulative.
#[test]
fn evt_014_counts_are_never_reset() {
    let audit = Audit::new();
    for end in [AuditEnd::Allowed, AuditEnd::Allowed] {
        audit.begin();
        audit.finish(end);
    }
    assert_eq!(audit.counts(), counts(2, 2, 0, 0));
    audit.begin();
    audit.finish(AuditEnd::Blocked);
    assert_eq!(audit.counts(), counts(3, 2, 1, 0));
    audit.begin();
    audit.finish(AuditEnd::Error);
    assert_eq!(audit.counts(), counts(4, 2, 1, 1));
}

/// EVT-015: the summary's four counters, and a tagged warning with all four numbers when they do not add up.
#[rstest]
#[case(
    counts(4, 1, 1, 1),
    Some(
        "[pi-permission-system] The audit of this session does not add up: 4 tool calls, but 1 allowed, 1 blocked and 1 errors."
    )
)]
#[case(counts(3, 1, 1, 1), None)]
#[case(counts(0, 0, 0, 0), None)]
#[case(
    counts(1, 1, 0, 1),
    Some(
        "[pi-permission-system] The audit of this session does not add up: 1 tool calls, but 1 allowed, 0 blocked and 1 errors."
    )
)]
fn evt_015_warns_when_the_sums_differ(#[case] counts: AuditCounts, #[case] expected: Option<&str>) {
    assert_eq!(counts.mismatch_warning().as_deref(), expected);
}

#[test]
fn evt_015_the_summary_holds_the_four_counters() {
    let summary = Value::Object(counts(3, 2, 1, 0).fields()).to_string();
    assert_eq!(summary, r#"{"toolCalls":3,"allowed":2,"blocked":1,"errors":0}"#);
}
