//! HARD-050, RES-63, PIPE-015: several calls at once, with real threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portcullis_core::handlers::ToolCallAnswer;
use portcullis_core::host::{Choice, EventBus, HostResult, ListDialog, NoticeLevel, UserInterface};
use portcullis_test_fixtures::{APPROVE, APPROVE_FOR_SESSION, RecordingBus, StartedHost, fake_host};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use crate::collaborators::{command, counts, path};

const PATIENCE: Duration = Duration::from_secs(20);

/// A person who is slow: each dialog is reported, and answered when the test says so.
struct SlowPerson {
    shown: Mutex<Sender<String>>,
    answers: Mutex<Receiver<Option<Choice>>>,
    open: AtomicUsize,
    most_open: AtomicUsize,
}

impl UserInterface for SlowPerson {
    fn notify(&self, _level: NoticeLevel, _text: &str) -> HostResult<()> {
        Ok(())
    }

    fn select(&self, dialog: &ListDialog) -> HostResult<Option<Choice>> {
        let open = self.open.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_open.fetch_max(open, Ordering::SeqCst);
        self.shown.lock().unwrap().send(dialog.message.clone()).unwrap();
        let answer = self.answers.lock().unwrap().recv_timeout(PATIENCE).unwrap();
        self.open.fetch_sub(1, Ordering::SeqCst);
        Ok(answer)
    }

    fn input(&self, _title: &str) -> HostResult<Option<String>> {
        Ok(None)
    }

    fn set_status(&self, _key: &str, _text: Option<&str>) -> HostResult<()> {
        Ok(())
    }
}

struct Seat {
    person: Arc<SlowPerson>,
    shown: Receiver<String>,
    answer: Sender<Option<Choice>>,
}

impl Seat {
    fn before(host: &StartedHost) -> Self {
        let (shown, seen) = channel();
        let (answer, answers) = channel();
        let person = Arc::new(SlowPerson {
            shown: Mutex::new(shown),
            answers: Mutex::new(answers),
            open: AtomicUsize::new(0),
            most_open: AtomicUsize::new(0),
        });
        host.context.set_ui(Some(Arc::clone(&person) as _));
        Self { person, shown: seen, answer }
    }

    fn next(&self) -> String {
        self.shown.recv_timeout(PATIENCE).unwrap()
    }
}

/// Waits until so many asks stand in the review log.
fn until_waiting(host: &StartedHost, number: usize) {
    let start = Instant::now();
    while host.happened().iter().filter(|text| *text == "R waiting").count() < number {
        assert!(start.elapsed() < PATIENCE, "{:#?}", host.happened());
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn hard_050_two_parallel_calls_ask_one_after_the_other() {
    let host = fake_host().policy(json!({ "bash": "ask" })).start();
    let seat = Seat::before(&host);
    host.forget();
    thread::scope(|scope| {
        let first = scope.spawn(|| host.call("bash", command("make one")));
        assert!(seat.next().contains("make one"));
        let second = scope.spawn(|| host.call("bash", command("make two")));
        until_waiting(&host, 2);
        assert_eq!(host.happened(), ["R waiting", "P bash make one", "R waiting"], "RES-63: waiting when queued, P when shown");
        seat.answer.send(Some(Choice::Approve)).unwrap();
        assert_eq!(first.join().unwrap(), ToolCallAnswer::Allow, "the answer lands on its own question");
        assert!(seat.next().contains("make two"));
        seat.answer.send(Some(Choice::Deny)).unwrap();
        assert!(matches!(second.join().unwrap(), ToolCallAnswer::Block { .. }));
    });
    assert_eq!(seat.person.most_open.load(Ordering::SeqCst), 1);
    assert_eq!(counts(&host), (2, 1, 1, 0));
}

#[test]
fn hard_050_a_session_that_ends_denies_everything_that_waits() {
    let host = fake_host().policy(json!({ "bash": "ask" })).start();
    let seat = Seat::before(&host);
    host.forget();
    thread::scope(|scope| {
        let first = scope.spawn(|| host.call("bash", command("make one")));
        seat.next();
        let second = scope.spawn(|| host.call("bash", command("make two")));
        until_waiting(&host, 2);
        host.session_shutdown();
        assert!(matches!(second.join().unwrap(), ToolCallAnswer::Block { .. }), "it does not wait for the open dialog");
        // What the person says to a dialog of an ended session counts for nothing.
        seat.answer.send(Some(Choice::ApproveForSession)).unwrap();
        assert!(matches!(first.join().unwrap(), ToolCallAnswer::Block { .. }));
    });
    let causes: Vec<_> = host.decisions().iter().map(|event| event["decidedBy"]["cause"].clone()).collect();
    assert_eq!(causes, ["session_ended", "session_ended"]);
    let resolutions: Vec<_> = host.decisions().iter().map(|event| event["resolution"].clone()).collect();
    assert_eq!(resolutions, ["confirmation_unavailable", "confirmation_unavailable"], "no user's no");
    let closed = host.happened().iter().filter(|text| *text == "R denied confirmation_unavailable").count();
    assert_eq!(closed, 2, "both brackets are closed");
    assert_eq!(host.journal.emitted("permissions:ui_prompt").len(), 1, "the second was never shown");
    assert_eq!(host.granted(), Vec::<String>::new());
    assert_eq!(counts(&host), (2, 0, 2, 0));
}

/// A bus that stops at the first decision until the test lets it go on.
struct PausingBus {
    inner: RecordingBus,
    reached: Mutex<Option<Sender<()>>>,
    go_on: Mutex<Receiver<()>>,
}

impl EventBus for PausingBus {
    fn emit(&self, channel: &str, payload: &Value) -> HostResult<()> {
        self.inner.emit(channel, payload)?;
        let first = (channel == "permissions:decision").then(|| self.reached.lock().unwrap().take()).flatten();
        if let Some(reached) = first {
            reached.send(()).unwrap();
            self.go_on.lock().unwrap().recv_timeout(PATIENCE).unwrap();
        }
        Ok(())
    }
}

/// HARD-050, HAND-018: the session ends between two questions of one call.
#[test]
fn hard_050_a_call_of_an_ended_session_asks_and_stores_nothing_more() {
    let (reached, at_the_decision) = channel();
    let (let_go, go_on) = channel();
    let host = fake_host()
        .policy(json!({ "*": "ask" }))
        .answers([APPROVE_FOR_SESSION, APPROVE])
        .with(move |builder| {
            builder.change_host(move |journal, host| {
                let inner = RecordingBus::new(journal);
                let (reached, go_on) = (Mutex::new(Some(reached)), Mutex::new(go_on));
                host.bus = Arc::new(PausingBus { inner, reached, go_on });
            })
        })
        .start();
    host.forget();
    thread::scope(|scope| {
        let call = scope.spawn(|| host.call("read", path("/etc/hosts")));
        at_the_decision.recv_timeout(PATIENCE).unwrap();
        host.session_shutdown();
        let_go.send(()).unwrap();
        assert!(matches!(call.join().unwrap(), ToolCallAnswer::Block { .. }));
    });
    assert_eq!(host.granted(), Vec::<String>::new(), "the yes belonged to the session that is gone");
    assert_eq!(host.prompts().len(), 1, "nobody is asked for it any more");
    assert_eq!(host.decisions()[1]["decidedBy"]["cause"], "session_ended");
    assert!(host.allows("read", path("a")), "the next session asks again, and gets the next answer");
}

#[test]
fn hard_050_a_deny_and_an_allow_are_not_queued() {
    let host = fake_host().policy(json!({ "bash": { "*": "ask", "ls": "allow", "rm *": "deny" } })).start();
    let seat = Seat::before(&host);
    thread::scope(|scope| {
        let asking = scope.spawn(|| host.call("bash", command("make")));
        seat.next();
        assert!(!host.allows("bash", command("rm x")));
        assert!(host.allows("bash", command("ls")));
        seat.answer.send(Some(Choice::Approve)).unwrap();
        assert_eq!(asking.join().unwrap(), ToolCallAnswer::Allow);
    });
}

#[test]
fn pipe_015_two_calls_of_one_path_are_two_questions() {
    let host = fake_host().policy(json!({ "write": "ask" })).start();
    let seat = Seat::before(&host);
    host.forget();
    thread::scope(|scope| {
        let calls = [scope.spawn(|| host.call("write", path("a"))), scope.spawn(|| host.call("write", path("a")))];
        until_waiting(&host, 2);
        for _ in 0..2 {
            seat.next();
            seat.answer.send(Some(Choice::ApproveForSession)).unwrap();
        }
        for call in calls {
            assert_eq!(call.join().unwrap(), ToolCallAnswer::Allow);
        }
    });
    let resolutions: Vec<_> = host.decisions().iter().map(|event| event["resolution"].clone()).collect();
    assert_eq!(resolutions, ["user_approved_for_session", "user_approved_for_session"], "no re-check between (RES-63)");
    assert_eq!(host.granted().len(), 2);
}

#[test]
fn res_63_many_calls_keep_their_answers() {
    let host = fake_host().policy(json!({ "bash": "ask" })).start();
    let seat = Seat::before(&host);
    thread::scope(|scope| {
        let host = &host;
        let call = |number: usize| scope.spawn(move || host.allows("bash", command(&format!("make n{number}n"))));
        let calls: Vec<_> = (0..8).map(call).collect();
        for _ in 0..8 {
            let message = seat.next();
            let even = (0..8).step_by(2).any(|number| message.contains(&format!("n{number}n")));
            seat.answer.send(Some(if even { Choice::Approve } else { Choice::Deny })).unwrap();
        }
        for (number, call) in calls.into_iter().enumerate() {
            assert_eq!(call.join().unwrap(), number % 2 == 0, "call {number}");
        }
    });
    assert_eq!(counts(&host), (8, 4, 4, 0));
}
