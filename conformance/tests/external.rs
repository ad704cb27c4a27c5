//! A child that misbehaves is contained, named and started anew, and the rows around it pass. Needs `python3`.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test: whatever cannot be read is a failure")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use pretty_assertions::assert_eq;
use rstest::rstest;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/external")
}

fn portcullis() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
    command.current_dir(folder()).env_remove("NO_COLOR").stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(mode: &str, more: &[&str]) -> Output {
    let mut command = portcullis();
    command.args(["run", "three.yaml", "--jobs", "1", "--implementation", &format!("python3 fake.py {mode}")]).args(more);
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[rstest]
#[case::crash("crash", "was asked `step` (toolCall) and crashed (exit code 3)")]
#[case::signal("signal", "was asked `step` (toolCall) and crashed (signal 11)")]
#[case::exit("exit", "was asked `step` (toolCall) and ended before its time (exit code 0)")]
#[case::slow("slow", "was asked `step` (toolCall) and gave no answer within 0.2 s")]
#[case::garbage(
    "garbage",
    "was asked `step` (toolCall) and wrote a line to its standard output that is no JSON (expected value at line 1 column 1): `Traceback (most recent call last)`"
)]
#[case::binary("binary", "was asked `step` (toolCall) and wrote a line that is no UTF-8")]
#[case::half("half", "that is no JSON (EOF while parsing a string at line 1 column 13): `{\\\"id\\\":8,\\\"resu`")]
#[case::closed("closed", "was asked `step` (toolCall) and closed its standard output, but goes on")]
#[case::huge("huge", "was asked `step` (toolCall) and wrote a line of more than 16 MiB")]
#[case::endless("endless", "was asked `step` (toolCall) and wrote a line of more than 16 MiB")]
#[case::wrong_id("wrong-id", "answered request 48, which nobody made; request 8 waits")]
#[case::old_id("old-id", "answered request 7 a second time; request 8 waits")]
#[case::text_id("text-id", "has an `id` that is no whole number: \"8\"")]
#[case::twice("twice", "answered request 8 a second time; request 9 waits")]
#[case::nobody("nobody", "answered request 1000, which nobody made; request 9 waits")]
#[case::flood("flood", "answered request 0, which nobody made; request 8 waits")]
#[case::chatty("chatty", "that is no JSON (expected value at line 1 column 1): `allowing`")]
#[case::wrong_stream(
    "wrong-stream",
    "gave no answer within 0.2 s; an answer stands on its standard error, where nobody reads it"
)]
#[case::shape("shape", "answered `step` (toolCall) with a `result` of the wrong shape: unknown field `outcom`")]
#[case::both("both", "beside `id` stands exactly one of `result`, `skip` and `error`")]
#[case::error("error", "answered `step` (toolCall) with an error: the gate is out of order")]
fn a_fault_is_contained_and_named(#[case] mode: &str, #[case] words: &str) {
    // A huge line takes a while to be written; no other fault needs patience.
    let patience = if matches!(mode, "slow" | "wrong-stream") { "0.2" } else { "20" };
    let output = run(mode, &["--step-timeout", patience]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}{}", text(&output.stderr));
    assert!(shown.contains(words), "{shown}");
    assert!(shown.contains(&format!("  standard error:\n    about to: {mode}\n")), "{shown}");
    let rows: Vec<&str> = shown.lines().filter(|line| line.starts_with("passed") || line.starts_with("errored")).collect();
    assert_eq!(rows, ["passed before  allow by tool", "errored bad", "passed after  allow by tool"]);
    assert!(shown.ends_with("2 passed, 1 errored\n"), "{shown}");
}

#[test]
fn one_that_stops_reading_is_named() {
    let output = run("deaf", &["--step-timeout", "5"]);
    let shown = text(&output.stdout);
    assert!(shown.contains("does not read its standard input any more"), "{shown}");
    assert!(shown.ends_with("2 passed, 1 errored\n"), "{shown}");
}

#[rstest]
#[case::good("good", 0, "3 passed\n")]
#[case::skip("skip", 0, "2 passed, 1 skipped\n")]
#[case::wrong("wrong", 1, "2 passed, 1 failed\n")]
fn what_is_no_fault_is_kept_apart(#[case] mode: &str, #[case] code: i32, #[case] sums: &str) {
    let output = run(mode, &[]);
    assert_eq!(
        (output.status.code(), text(&output.stdout).lines().last().map(|line| format!("{line}\n"))),
        (Some(code), Some(sums.into()))
    );
}

#[rstest]
#[case::ends("no-hello", "was asked `hello` and crashed (exit code 9)")]
#[case::hangs("hello-hang", "was asked `hello` and gave no answer within 0.5 s")]
#[case::garbage("hello-garbage", "that is no JSON (expected value at line 1 column 1): `Welcome!`")]
#[case::capability("hello-capability", "with a `result` of the wrong shape: unknown variant `bsh`")]
#[case::version("hello-version", "it speaks protocol 2, and not 1")]
fn one_that_cannot_be_started_ends_the_run(#[case] mode: &str, #[case] words: &str) {
    let patience = if mode == "hello-hang" { "0.5" } else { "20" };
    let output = run(mode, &["--start-timeout", patience]);
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
}

#[test]
fn a_program_that_is_not_there_ends_the_run() {
    let output = portcullis().args(["run", "three.yaml", "--implementation", "./not-there.sh x"]).output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
}

/// Zombies are gone for this purpose.
fn lives(process: &str) -> bool {
    fs::read_to_string(format!("/proc/{process}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with(['Z', 'X']))
}

fn gone(processes: &str) {
    let ends = Instant::now() + Duration::from_secs(5);
    while processes.split(' ').any(lives) {
        assert!(Instant::now() < ends, "still there: {processes}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_whole_group_of_one_that_hangs_is_ended() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("pids");
    let output = run(&format!("hang {}", file.display()), &["--step-timeout", "1.5"]);
    assert!(text(&output.stdout).contains("gave no answer within 1.5 s"), "{}", text(&output.stdout));
    gone(&fs::read_to_string(&file).unwrap());
}

/// Out of its group, without its environment, without a parent, or all at once: all that stems from an implementation goes with it, and so do its
/// temporary files.
#[cfg(target_os = "linux")]
#[rstest]
#[case::it_ends_well("daemons", 0, "3 passed\n")]
#[case::it_is_ended("daemons-hang", 1, "2 passed, 1 errored\n")]
fn nothing_that_an_implementation_starts_or_writes_outlives_it(#[case] mode: &str, #[case] code: i32, #[case] sums: &str) {
    let scratch = tempfile::tempdir().unwrap();
    let (file, folder) = (scratch.path().join("pids"), scratch.path().join("tmp"));
    fs::create_dir(&folder).unwrap();
    let implementation = format!("python3 fake.py {mode} {}", file.display());
    let mut command = portcullis();
    command.args(["run", "three.yaml", "--jobs", "1", "--step-timeout", "3", "--implementation", &implementation]);
    let output = command.env("TMPDIR", &folder).output().unwrap();
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(code), "{shown}");
    assert!(shown.ends_with(sums), "{shown}");
    let processes = fs::read_to_string(&file).unwrap();
    assert_eq!(processes.split(' ').count(), 5, "{processes}");
    gone(&processes);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

/// What an implementation says after the end of a world is the fault of that world's row, whenever it comes.
#[rstest]
#[case::before_the_next_row("late", &[])]
#[case::while_the_next_row_begins("later", &[])]
#[case::after_the_last_row("late", &["--id", "bad"])]
fn a_line_after_the_end_is_the_fault_of_the_row_that_ended(#[case] mode: &str, #[case] more: &[&str]) {
    let output = run(mode, more);
    let shown = text(&output.stdout);
    let words = "after the end of this scenario the implementation ";
    assert!(shown.contains(words) && shown.contains("`one more thing`"), "{shown}");
    assert!(shown.contains("errored bad"), "{shown}");
    let rest: Vec<&str> = shown.lines().filter(|line| line.starts_with("passed")).collect();
    let passed: &[&str] = if more.is_empty() { &["passed before  allow by tool", "passed after  allow by tool"] } else { &[] };
    assert_eq!(rest, passed, "{shown}");
}

/// A gate that takes 30 ms a step and no processor: two of them take little more than half the time of one.
#[test]
fn two_jobs_nearly_halve_the_time_of_a_slow_adapter() {
    const ROWS: usize = 40;
    let scratch = tempfile::tempdir().unwrap();
    let suite = scratch.path().join("slow.yaml");
    let mut text = String::from("suite: slow\nlevel: baseline\ngiven: { policy: { \"*\": allow } }\nscenarios:\n");
    for number in 0..ROWS {
        text.push_str(&format!(
            "  - id: slow-{number}\n    title: a call\n    covers: [RULE-006]\n    \
             steps: [{{ read: a.txt, expect: {{ outcome: allow, by: {{ gate: tool }} }} }}]\n"
        ));
    }
    fs::write(&suite, text).unwrap();
    let time = |jobs: &str| {
        let mut command = portcullis();
        command.arg("run").arg(&suite).args(["--jobs", jobs, "--quiet", "--implementation", "python3 fake.py sleepy"]);
        let began = Instant::now();
        let output = command.output().unwrap();
        assert_eq!(self::text(&output.stdout), format!("{ROWS} passed\n"), "{}", self::text(&output.stderr));
        began.elapsed()
    };
    // Whatever else the machine does makes both longer, and seldom every time.
    let tries: Vec<_> = (0..5).map(|_| (time("1"), time("2"))).take_while(|(one, two)| *two >= *one * 3 / 4).collect();
    assert!(tries.len() < 5, "by one, by two: {tries:?}");
}

#[test]
fn a_scenario_has_a_time_of_its_own() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("pids");
    let output = run(&format!("hang {}", file.display()), &["--scenario-timeout", "1.5"]);
    assert!(text(&output.stdout).contains("the scenario took longer than 1.5 s"), "{}", text(&output.stdout));
}

fn names_in(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[rstest]
#[case::once(1)]
#[case::twice(2)]
fn a_signal_leaves_no_process_and_no_world(#[case] signals: usize) {
    let scratch = tempfile::tempdir().unwrap();
    let (file, worlds) = (scratch.path().join("pids"), scratch.path().join("worlds"));
    fs::create_dir(&worlds).unwrap();
    let implementation = format!("python3 fake.py hang {}", file.display());
    let mut command = portcullis();
    command.args(["run", "three.yaml", "--jobs", "1", "--implementation", &implementation]).env("TMPDIR", &worlds);
    let mut child = command.spawn().unwrap();
    let written = || fs::read_to_string(&file).is_ok_and(|text| text.contains(' '));
    // That of the row under way, and that of the next one.
    let prepared = || names_in(&worlds).iter().filter(|name| !name.starts_with("portcullis-implementation-")).count() > 1;
    let ends = Instant::now() + Duration::from_secs(20);
    while !(written() && prepared()) && child.try_wait().unwrap().is_none() && Instant::now() < ends {
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(prepared(), "{:?}", names_in(&worlds));
    for _ in 0..signals {
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    gone(&fs::read_to_string(&file).unwrap());
    assert_eq!(fs::read_dir(&worlds).unwrap().count(), 0);
    if signals == 1 {
        assert!(text(&output.stdout).contains("not run bad"), "{output:?}");
    }
}

const ENTRY: &str =
    "# What the fake cannot do.\n- id: bad\n  outcome: failed\n  reason: it says block\n  link: https://example.org/1\n";

/// Runs with a list of known failures and more arguments.
fn with_list(mode: &str, list: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let scratch = tempfile::tempdir().unwrap();
    fs::write(scratch.path().join("known.yaml"), list).unwrap();
    let implementation = format!("python3 {} {mode}", folder().join("fake.py").display());
    let suite = folder().join("three.yaml");
    let mut command = portcullis();
    command.current_dir(scratch.path()).arg("run").arg(suite).args(["--jobs", "1", "--implementation", &implementation]);
    let output = command.args(["--expected-failures", "known.yaml"]).args(more).output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_known_failure_is_no_failure() {
    let (code, out, error) = with_list("wrong", ENTRY, &[]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert_eq!(
        out,
        "passed before  allow by tool\nfailed bad (expected: it says block)\npassed after  allow by tool\n2 passed, 1 failed as expected\n"
    );
}

#[rstest]
#[case::passes("good", ENTRY, "known.yaml:2: `bad` passed, and was expected to be failed: it says block\n")]
#[case::other_kind("crash", ENTRY, "known.yaml:2: `bad` errored, and was expected to be failed: it says block\n")]
#[case::skipped("skip", ENTRY, "known.yaml:2: `bad` skipped, and was expected to be failed: it says block\n")]
#[case::names_nothing(
    "good",
    "- { id: bed, outcome: failed, reason: r, link: l }\n",
    "known.yaml:1: `bed` names no scenario and no row\n"
)]
fn an_entry_that_does_not_hold_fails_the_run(#[case] mode: &str, #[case] list: &str, #[case] words: &str) {
    let (code, out, error) = with_list(mode, list, &[]);
    assert_eq!((code, error.as_str()), (Some(1), words), "{out}");
}

#[rstest]
#[case::no_reason(
    "- { id: bad, outcome: failed, reason: \"\", link: l }",
    "known.yaml:1: `bad` has no reason: somebody has to answer for it"
)]
#[case::no_link("- { id: bad, outcome: failed, reason: r }", "known.yaml:1: missing field `link`")]
#[case::outcome("- { id: bad, outcome: skipped, reason: r, link: l }", "known.yaml:1: unknown variant `skipped`")]
#[case::twice(
    "- { id: bad, outcome: failed, reason: r, link: l }\n- { id: bad, outcome: failed, reason: r, link: l }",
    "known.yaml:2: `bad` stands in line 1 already"
)]
#[case::no_list("bad: failed", "known.yaml: is no list of entries")]
fn a_list_that_cannot_be_used_is_refused(#[case] list: &str, #[case] words: &str) {
    let (code, _, error) = with_list("wrong", list, &[]);
    assert_eq!(code, Some(2));
    assert!(error.contains(words), "{error}");
}

#[rstest]
#[case::right("wrong", ENTRY, 0, "the list of known failures is right\n")]
#[case::strike(
    "good",
    ENTRY,
    1,
    "--- known.yaml\n+++ known.yaml\n@@ -1,5 +1 @@\n # What the fake cannot do.\n-- id: bad\n-  outcome: failed\n-  reason: it says block\n-  link: https://example.org/1\n"
)]
#[case::strike_between_remarks(
    "good",
    "# One.\n- { id: bad, outcome: failed, reason: r, link: l }\n\n# Two.\n- { id: before, outcome: failed, reason: r, link: l }\n",
    1,
    "--- known.yaml\n+++ known.yaml\n@@ -1,5 +1,3 @@\n # One.\n-- { id: bad, outcome: failed, reason: r, link: l }\n \n # Two.\n-- { id: before, outcome: failed, reason: r, link: l }\n"
)]
#[case::add(
    "wrong",
    "# Nothing is known.\n",
    1,
    "--- known.yaml\n+++ known.yaml\n@@ -1 +1,5 @@\n # Nothing is known.\n+- id: \"bad\"\n+  outcome: failed\n+  reason: \"\"\n+  link: \"\"\n"
)]
fn the_list_is_proposed_as_a_diff(#[case] mode: &str, #[case] list: &str, #[case] code: i32, #[case] diff: &str) {
    let (got, out, _) = with_list(mode, list, &["--update"]);
    assert_eq!((got, out.as_str()), (Some(code), diff));
}

#[test]
fn one_that_answers_nothing_at_all_is_no_implementation() {
    let output = run("error", &["--id", "bad"]);
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stdout));
}

fn checked(command: &str) -> (Option<i32>, String) {
    let output = portcullis().args(["implementation", "check", command, "--step-timeout", "5"]).output().unwrap();
    (output.status.code(), text(&output.stdout))
}

#[test]
fn the_served_reference_is_a_good_adapter() {
    let (code, shown) = checked(&format!("'{}' serve", env!("CARGO_BIN_EXE_portcullis")));
    assert!(shown.lines().rev().skip(1).all(|line| line.starts_with("good ")), "{shown}");
    assert_eq!((code, shown.lines().count(), shown.lines().last()), (Some(0), 22, Some("nothing wrong")));
}

#[test]
fn what_is_wrong_with_an_adapter_is_said_in_words() {
    let (code, shown) = checked("python3 fake.py good");
    let wrong: Vec<&str> = shown.lines().filter_map(|line| line.strip_prefix("wrong    ")).collect();
    assert_eq!(code, Some(1));
    assert_eq!(
        wrong,
        [
            "tells one world from the next: a call is answered alike in a world that allows everything and in the next one, which \
             denies everything: is the policy read from `agentDir`, and everything forgotten at `end`?",
            "answers `step` of kind input: has no `outcome`; it is one of continue, handled",
            "answers `step` of kind query: has no `outcome`; it is one of allow, ask, deny",
            "answers `step` of kind toolPermission: has no `outcome`; it is one of allow, ask, deny",
            "answers a request out of order with `error`: a `step` outside a world was not answered with `error`",
        ]
    );
}

#[test]
fn an_adapter_that_does_not_start_cannot_be_checked() {
    let output = portcullis().args(["implementation", "check", "python3 fake.py no-hello"]).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
}

#[test]
fn a_schema_of_a_message_is_printed() {
    let output = portcullis().args(["schema", "--protocol", "step.answer"]).output().unwrap();
    let published = folder().join("../../../docs/protocol/step.answer.schema.json");
    assert_eq!(text(&output.stdout), fs::read_to_string(published).unwrap());
    let output = portcullis().args(["schema", "--protocol", "step"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_was_found_is_kept_when_an_implementation_cannot_be_started_again() {
    let scratch = tempfile::tempdir().unwrap();
    let output = run(&format!("once {}", scratch.path().join("started").display()), &[]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(shown.contains("it could not be started again: `python3 fake.py once"), "{shown}");
    assert!(
        shown.ends_with("passed before  allow by tool\nerrored bad\nnot run after\n1 passed, 1 errored, 1 not run\n"),
        "{shown}"
    );
}

#[test]
fn a_proposal_names_whole_scenarios_where_all_rows_fail_alike() {
    let scratch = tempfile::tempdir().unwrap();
    let list = scratch.path().join("known.yaml");
    let entry = |id: &str| format!("- id: {id:?}\n  outcome: failed\n  reason: r\n  link: l\n");
    let update = |text: &str| {
        fs::write(&list, text).unwrap();
        let mut command = portcullis();
        command.args(["run", "rows.yaml", "--implementation", "python3 fake.py", "--update", "--expected-failures"]).arg(&list);
        text_of(&command.output().unwrap())
    };
    let added: Vec<String> = update("").lines().filter(|line| line.contains("id:")).map(str::to_owned).collect();
    assert_eq!(added, ["+- id: \"table\"", "+- id: \"mixed/b\""]);
    let right = "the list of known failures is right\n";
    assert_eq!(update(&(entry("table") + &entry("mixed/b"))), right);
    assert_eq!(update(&(entry("table") + &entry("table/a") + &entry("mixed/b"))), right);
}

fn text_of(output: &Output) -> String {
    text(&output.stdout)
}
