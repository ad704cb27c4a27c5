use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;

struct Told(Option<bool>);

impl Processes for Told {
    fn is_alive(&self, _process_id: u32) -> Option<bool> {
        self.0
    }
}

#[rstest]
#[case::whole(r#"{"sessionId":"p","pid":7,"time":5}"#, true)]
#[case::more(r#"{"sessionId":"p","pid":7,"time":5,"later":1}"#, true)]
#[case::no_process(r#"{"sessionId":"p","pid":0,"time":5}"#, false)]
#[case::negative(r#"{"sessionId":"p","pid":-7,"time":5}"#, false)]
#[case::large(r#"{"sessionId":"p","pid":4294967296,"time":5}"#, false)]
#[case::text(r#"{"sessionId":"p","pid":"7","time":5}"#, false)]
#[case::no_time(r#"{"sessionId":"p","pid":7}"#, false)]
#[case::no_session(r#"{"pid":7,"time":5}"#, false)]
#[case::torn(r#"{"sessionId":"p","#, false)]
#[case::null("null", false)]
fn hard_047_reading_a_heartbeat(#[case] text: &str, #[case] is_one: bool) {
    let beat = Heartbeat { session_id: "p".into(), pid: 7, time: 5 };
    assert_eq!(Heartbeat::parse(text.as_bytes()), is_one.then_some(beat));
}

#[rstest]
#[case::fresh(10_000, Some(true), Liveness::Alive)]
#[case::five_seconds(5_000, Some(true), Liveness::Alive)]
#[case::older(4_999, Some(true), Liveness::Stale)]
#[case::a_little_ahead(15_000, Some(true), Liveness::Alive)]
#[case::from_the_future(15_001, Some(true), Liveness::Stale)]
#[case::nobody_tells(10_000, None, Liveness::Alive)]
#[case::gone(10_000, Some(false), Liveness::Dead)]
#[case::long_gone(0, Some(false), Liveness::Dead)]
fn hard_047_states(#[case] time: u64, #[case] process: Option<bool>, #[case] expected: Liveness) {
    let beat = Heartbeat { session_id: "p".into(), pid: 7, time };
    assert_eq!(Liveness::of_heartbeat(&beat, 10_000, &Told(process)), expected);
}
