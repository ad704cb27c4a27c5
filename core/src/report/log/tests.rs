use std::sync::{Arc, Mutex};

use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Map, Value, json};

use super::{DEBUG_LOG_FILE, DEFAULT_VALUE_LIMIT, GateLog, REVIEW_LOG_FILE, log_line};
use crate::host::{Choice, Clock, HostError, HostResult, ListDialog, LogSink, LogStream, NoticeLevel, UserInterface};

#[derive(Default)]
struct Sink {
    lines: Mutex<Vec<(LogStream, String)>>,
    fault: Mutex<Option<String>>,
}

impl Sink {
    fn break_with(&self, fault: &str) {
        *self.fault.lock().unwrap() = Some(fault.to_owned());
    }

    fn events(&self) -> Vec<(LogStream, String)> {
        let lines = self.lines.lock().unwrap();
        lines.iter().map(|(stream, line)| (*stream, parse(line)["event"].as_str().unwrap().to_owned())).collect()
    }
}

impl LogSink for Sink {
    fn append(&self, stream: LogStream, line: &str) -> HostResult<()> {
        if let Some(fault) = self.fault.lock().unwrap().as_ref() {
            return Err(HostError::new(fault.clone()));
        }
        self.lines.lock().unwrap().push((stream, line.to_owned()));
        Ok(())
    }
}

struct Noon;

impl Clock for Noon {
    fn now_ms(&self) -> u64 {
        1_796_040_000_123
    }
}

#[derive(Default)]
struct Screen {
    notices: Mutex<Vec<String>>,
    broken: bool,
}

impl UserInterface for Screen {
    fn notify(&self, level: NoticeLevel, text: &str) -> HostResult<()> {
        if self.broken {
            return Err(HostError::new("no screen"));
        }
        self.notices.lock().unwrap().push(format!("{level:?} {text}"));
        Ok(())
    }
    fn select(&self, _: &ListDialog) -> HostResult<Option<Choice>> {
        Ok(None)
    }
    fn input(&self, _: &str) -> HostResult<Option<String>> {
        Ok(None)
    }
    fn set_status(&self, _: &str, _: Option<&str>) -> HostResult<()> {
        Ok(())
    }
}

fn log() -> (Arc<Sink>, GateLog) {
    let sink = Arc::new(Sink::default());
    (Arc::clone(&sink), GateLog::new(sink, Arc::new(Noon)))
}

fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn line(details: Value) -> String {
    log_line(1_796_040_000_123, LogStream::Review, "e", &fields(details), DEFAULT_VALUE_LIMIT)
}

fn parse(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

const HEAD: &str = r#"{"timestamp":"2026-11-30T12:00:00.123Z","extension":"pi-permission-system","stream":"review","event":"e""#;

/// EVT-005, EVT-006, RES-41, RES-43, GATES-D16: one line, escaped, fixed keys win, null kept.
#[rstest]
#[case::nothing(json!({}), "}")]
#[case::null_kept(json!({"n": null, "a": 1, "b": true}), r#","n":null,"a":1,"b":true}"#)]
#[case::fixed_keys_win(json!({"event": "over", "timestamp": "x", "stream": "y", "extension": "z", "k": "v"}), r#","k":"v"}"#)]
#[case::one_line(json!({"path": "a\nb\u{2028}é😀"}), r#","path":"a\\u{a}b\\u{2028}é😀"}"#)]
#[case::escape(json!({"command": "a\u{1b}[2K\tb"}), r#","command":"a\\u{1b}[2K\\u{9}b"}"#)]
#[case::masked(json!({"command": "TOKEN=v ls", "input": {"token": "v"}}), r#","command":"TOKEN=[redacted] ls","input":{"token":"[redacted]"}}"#)]
#[case::own_names(json!({"tokens": ["secrets/x"], "requesterSessionId": "s"}), r#","tokens":["secrets/x"],"requesterSessionId":"s"}"#)]
#[case::nested(json!({"input": {"a\nb": ["c\nd"]}}), r#","input":{"a\\u{a}b":["c\\u{a}d"]}}"#)]
fn evt_006_a_line(#[case] details: Value, #[case] rest: &str) {
    assert_eq!(line(details), format!("{HEAD}{rest}"));
}

/// HARD-052: masking comes first, so that no cut hides the end of a value from it; then each value is bounded.
#[test]
fn hard_052_mask_escape_bound_in_this_order() {
    let long = format!("TOKEN={} x", "v".repeat(5000));
    assert_eq!(parse(&line(json!({"command": long})))["command"], json!("TOKEN=[redacted] x"));
    let exact = "z".repeat(1000);
    assert_eq!(parse(&line(json!({"command": exact})))["command"], json!("z".repeat(1000)));
    let over = "z".repeat(1001);
    assert_eq!(parse(&line(json!({"command": over})))["command"], json!(format!("{}… [1 more character]", "z".repeat(1000))));
}

#[test]
fn hard_052_long_lists_say_how_much_is_missing() {
    let paths: Vec<String> = (0..500).map(|n| format!("/path/{n:04}")).collect();
    let kept = parse(&line(json!({"externalPaths": paths})));
    let kept = kept["externalPaths"].as_array().unwrap();
    assert_eq!(kept[0], json!("/path/0000"));
    assert_eq!(kept.last().unwrap(), &json!(format!("… [{} more items]", 500 - (kept.len() - 1))));
    assert!(kept.len() < 100);
}

#[test]
fn evt_005_file_names() {
    assert_eq!(
        [REVIEW_LOG_FILE, DEBUG_LOG_FILE],
        ["pi-permission-system-permission-review.jsonl", "pi-permission-system-debug.jsonl"]
    );
}

/// EVT-007: review on and debug off by default; both are read at each write.
#[test]
fn evt_007_streams_are_read_at_each_write() {
    let (sink, log) = log();
    log.review("r1", &Map::new());
    log.debug("d1", &Map::new());
    log.set_streams(false, true);
    log.review("r2", &Map::new());
    log.debug("d2", &Map::new());
    log.set_streams(false, false);
    log.review("r3", &Map::new());
    log.debug("d3", &Map::new());
    assert_eq!(sink.events(), [(LogStream::Review, "r1".to_owned()), (LogStream::Debug, "d2".to_owned())]);
}

/// EVT-008, GATES-D16: one warning per distinct text, shared by both streams, kept until somebody can read it.
#[test]
fn evt_008_one_warning_per_fault_and_none_is_lost() {
    let (sink, log) = log();
    log.set_streams(true, true);
    sink.break_with("disk\nfull");
    log.debug("d", &Map::new());
    log.review("r", &Map::new());
    let warning = r"[pi-permission-system] The debug log could not be written: disk\u{a}full";
    assert_eq!(log.pending_warnings(), [warning]);

    let broken = Screen { broken: true, ..Screen::default() };
    log.deliver_warnings(&broken);
    assert_eq!(log.pending_warnings(), [warning], "an undelivered warning waits on");

    let screen = Screen::default();
    log.deliver_warnings(&screen);
    log.deliver_warnings(&screen);
    log.review("r", &Map::new());
    sink.break_with("other");
    log.review("r", &Map::new());
    log.deliver_warnings(&screen);
    assert_eq!(
        *screen.notices.lock().unwrap(),
        [format!("Warning {warning}"), "Warning [pi-permission-system] The review log could not be written: other".to_owned()]
    );
}

proptest! {
    /// EVT-005: whatever comes in, a line is one line of JSON without a control character.
    #[test]
    fn evt_005_a_line_is_always_one_line_of_json(key in any::<String>(), text in any::<String>()) {
        let line = line(json!({key: [text.clone(), {text: 1}]}));
        prop_assert!(!line.chars().any(crate::report::escape::is_invisible));
        prop_assert!(serde_json::from_str::<Value>(&line).is_ok());
    }
}
