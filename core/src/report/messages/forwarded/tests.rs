use pretty_assertions::assert_eq;
use rstest::rstest;

use super::{ForwardedAsk, forwarded_ask};

fn ask<'a>(agent: &'a str, session: &'a str, message: &'a str) -> ForwardedAsk<'a> {
    ForwardedAsk { agent, session, message, ..ForwardedAsk::default() }
}

/// INBOX-011 with HARD-062: control characters of a name are shown, never sent.
#[rstest]
#[case("Explore", "child-session", "Allow git push?", "Subagent 'Explore' in session 'child-session' asks:\n\nAllow git push?")]
#[case("", "", "m", "Subagent 'unknown' in session 'unknown' asks:\n\nm")]
#[case(" ", "\t", "m", "Subagent 'unknown' in session 'unknown' asks:\n\nm")]
#[case("Ex'\u{1b}[2J\nplore 日本", "s\n", "m", "Subagent 'Ex'\\u{1b}[2J\\u{a}plore 日本' in session 's\\u{a}' asks:\n\nm")]
#[case("a", "s", "", "Subagent 'a' in session 's' asks:")]
#[case("a", "s", "one\n\ttwo\u{1b}[2J\r", "Subagent 'a' in session 's' asks:\n\none\n\ttwo\\u{1b}[2J\\u{d}")]
fn inbox_011_identity_before_the_message(
    #[case] agent: &str,
    #[case] session: &str,
    #[case] message: &str,
    #[case] expected: &str,
) {
    let shown = forwarded_ask(ask(agent, session, message));
    assert_eq!((shown.message.as_str(), shown.full_message.as_str()), (expected, ""));
}

#[test]
fn fwd_d10_long_names_and_messages_are_capped_and_stay_whole_one_key_away() {
    let (agent, message) = ("a".repeat(300), "x\n".repeat(1_000));
    let shown = forwarded_ask(ask(&agent, "s", &message));
    assert!(shown.message.starts_with(&format!("Subagent '{}… [100 more characters]' in session 's' asks:", "a".repeat(200))));
    assert_eq!(shown.message.split('\n').count(), 203, "the header, an empty line, 200 lines and the mark");
    assert!(shown.message.contains("… [801 more lines]"), "{}", shown.message);
    assert!(shown.full_message.ends_with(&message));
}

#[test]
fn hard_053_the_child_s_full_view_is_kept() {
    let shown = forwarded_ask(ForwardedAsk { full_message: "everything\u{7}", ..ask("a", "s", "short") });
    assert_eq!(shown.full_message, "Subagent 'a' in session 's' asks:\n\neverything\\u{7}");
}

#[test]
fn hard_052_records_are_masked() {
    let shown = forwarded_ask(ask("a", "s", "run: TOKEN=abc git push"));
    assert!(shown.message.contains("TOKEN=abc"), "a person sees what is asked");
    assert!(shown.record_message.contains("TOKEN=[redacted]"), "{}", shown.record_message);
}

#[test]
fn res_07_the_serving_policy_s_fault_is_part_of_the_question() {
    let shown = forwarded_ask(ForwardedAsk { policy_fault: Some("global: broken"), ..ask("a", "s", "m") });
    assert_eq!(shown.message, "Subagent 'a' in session 's' asks:\nPolicy is broken: global: broken\n\nm");
}
