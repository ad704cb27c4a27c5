//! The program's output, text by text. `PORTCULLIS_UPDATE=1 cargo test -p portcullis --test cli` writes the expected files anew.

#![expect(clippy::unwrap_used, reason = "a test: whatever cannot be read is a failure")]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli")
}

fn portcullis(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
    command.args(arguments).current_dir(folder()).env_remove("NO_COLOR");
    command.output().unwrap()
}

/// Exit code, then both streams.
fn shown(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!(
        "exit {}\n--- standard output\n{}--- standard error\n{}",
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        text(&output.stderr)
    )
}

fn compare(name: &str, text: &str) {
    let path = folder().join("golden").join(format!("{name}.txt"));
    if std::env::var_os("PORTCULLIS_UPDATE").is_some() {
        fs::write(&path, text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(&path).unwrap_or_default(), "{}", path.display());
}

#[rstest]
#[case::check_good("check-good", &["check", "good.yaml"])]
#[case::check_broken("check-broken", &["check", "broken.yaml"])]
#[case::check_duplicate_key("check-duplicate-key", &["check", "duplicate-key.yaml"])]
#[case::check_empty("check-empty", &["check", "empty.yaml"])]
#[case::check_no_scenario("check-no-scenario", &["check", "no-scenario.yaml"])]
#[case::check_missing("check-missing", &["check", "god.yaml"])]
#[case::check_same_id("check-same-id", &["check", "good.yaml", "../cli/good.yaml"])]
#[case::list("list", &["list", "good.yaml", "failing.yaml"])]
#[case::list_json("list-json", &["list", "good.yaml", "--json"])]
#[case::run_good("run-good", &["run", "good.yaml"])]
#[case::check_objection("check-objection", &["check", "objection.yaml"])]
#[case::run_objection("run-objection", &["run", "objection.yaml"])]
#[case::run_failing("run-failing", &["run", "failing.yaml", "--jobs", "1"])]
#[case::run_fail_fast("run-fail-fast", &["run", "failing.yaml", "--jobs", "1", "--fail-fast"])]
#[case::run_quiet("run-quiet", &["run", "failing.yaml", "--quiet", "--id", "right"])]
#[case::run_colored("run-colored", &["--color", "always", "run", "failing.yaml", "--id", "wrong-outcome"])]
#[case::run_json_lines("run-json-lines", &["run", "failing.yaml", "--json-lines", "-"])]
#[case::run_tap("run-tap", &["run", "failing.yaml", "--report", "tap=-"])]
#[case::run_markdown("run-markdown", &["run", "failing.yaml", "--report", "markdown=-"])]
#[case::run_github("run-github", &["run", "failing.yaml", "--report", "github=-"])]
#[case::run_badge("run-badge", &["run", "failing.yaml", "--report", "badge=-"])]
#[case::run_unknown_report("run-unknown-report", &["run", "good.yaml", "--report", "taps=-"])]
#[case::run_report_nowhere("run-report-nowhere", &["run", "good.yaml", "--report", "tap="])]
#[case::run_two_reports("run-two-reports", &["run", "good.yaml", "--report", "tap=-", "--json-lines", "-"])]
#[case::report_missing("report-missing", &["report", "tap", "gone.jsonl"])]
#[case::report_no_run("report-no-run", &["report", "junit", "good.yaml"])]
#[case::report_diff_same("report-diff-same", &["report", "diff", "before.jsonl", "before.jsonl"])]
#[case::report_diff_stdin_twice("report-diff-stdin-twice", &["report", "diff", "-", "-"])]
#[case::run_one_row("run-one-row", &["run", "good.yaml", "--id", "good-table/rm x"])]
#[case::run_by_requirement("run-by-requirement", &["run", "failing.yaml", "--requirement", "EVT-004", "--quiet"])]
#[case::run_unknown_id("run-unknown-id", &["run", "good.yaml", "--id", "god-table"])]
#[case::run_nothing_chosen("run-nothing-chosen", &["run", "good.yaml", "--level", "hardened"])]
#[case::run_all_skipped("run-all-skipped", &["run", "needs-forwarding.yaml", "--implementation", "python3 ../../adapters/python-minimal/adapter.py"])]
#[case::run_on_a_double("run-on-a-double", &["run", "good.yaml", "--implementation", "always-allow"])]
#[case::run_unknown_implementation("run-unknown-implementation", &["run", "good.yaml", "--implementation", "always-alow"])]
#[case::parse("parse", &["parse", "cd src && sudo rm -rf build > \"$LOG\" && cat ~/notes.txt"])]
#[case::parse_colored("parse-colored", &["--color", "always", "parse", "cp a .git/hooks/x; cat ../b"])]
#[case::parse_nested("parse-nested", &["parse", "if [ -f a.txt ]; then cat <<EOF | bash\nrm $(date)\nEOF\nfi; X=$(curl h)"])]
#[case::parse_payload("parse-payload", &["parse", "bash -c 'cd x; \\rm ../y > z'; A=1 $X"])]
#[case::parse_redirect("parse-redirect", &["parse", "> f"])]
#[case::parse_comment("parse-comment", &["parse", "# nothing"])]
#[case::parse_broken("parse-broken", &["parse", "echo \"a; rm x"])]
#[case::parse_invisible("parse-invisible", &["parse", "echo \u{202e}x"])]
#[case::parse_windows("parse-windows", &["parse", "--platform", "win32", "cat 'D:\\a' /c/b src/a"])]
#[case::parse_workdir("parse-workdir", &["parse", "--workdir", "../other", "--promote", "id_*", "cat id_rsa"])]
#[case::parse_json("parse-json", &["parse", "--json", "git -C . push > ../log"])]
#[case::parse_no_directory("parse-no-directory", &["parse", "--cwd", "nowhere", "ls"])]
#[case::parse_no_command("parse-no-command", &["parse"])]
#[case::run_on_a_variation("run-on-a-variation", &["run", "doubles.yaml", "--quiet", "--implementation", "double:no-chains", "--id", "chain-behind-and"])]
#[case::run_unknown_double("run-unknown-double", &["run", "good.yaml", "--implementation", "double:first-mach"])]
#[case::doubles("doubles", &["doubles", "doubles.yaml", "--name", "no-chains", "--name", "first-match"])]
#[case::doubles_caught("doubles-caught", &["doubles", "doubles.yaml", "--name", "double:no-chains"])]
#[case::doubles_whole("doubles-whole", &["doubles", "doubles.yaml", "failing.yaml", "--whole", "--name", "no-chains"])]
#[case::doubles_json("doubles-json", &["doubles", "doubles.yaml", "--json", "--name", "no-chains"])]
#[case::doubles_unknown("doubles-unknown", &["doubles", "--name", "first-mach"])]
#[case::doubles_nothing_ran("doubles-nothing-ran", &["doubles", "doubles.yaml", "--name", "no-home"])]
#[case::demo_session_help("demo-session-help", &["demo-session", "--help"])]
#[case::demo_session_nowhere("demo-session-nowhere", &["demo-session", "--session", "a", "--agent-dir", "nowhere"])]
#[case::demo_session_no_command("demo-session-no-command", &["demo-session", "--session", "a", "--agent-dir", ".", "--parent", "b"])]
#[case::demo_session_no_parent("demo-session-no-parent", &["demo-session", "--session", "a", "--agent-dir", ".", "ls"])]
#[case::demo_session_wrong_answer("demo-session-wrong-answer", &["demo-session", "--session", "a", "--agent-dir", ".", "--answer", "aprove"])]
#[case::demo_session_wrong_death("demo-session-wrong-death", &["demo-session", "--session", "a", "--agent-dir", ".", "--die-at", "3"])]
#[case::lint("lint", &["lint", "lint.json"])]
#[case::lint_json("lint-json", &["lint", "--json", "lint.json"])]
#[case::lint_sarif("lint-sarif", &["lint", "--sarif", "tools.json", "--tool", "curls"])]
#[case::lint_missing("lint-missing", &["lint", "nowhere.json"])]
#[case::lint_broken("lint-broken", &["lint", "broken.yaml"])]
#[case::wrong_shard("wrong-shard", &["run", "good.yaml", "--shard", "3/2"])]
fn output_of(#[case] name: &str, #[case] arguments: &[&str]) {
    compare(name, &shown(&portcullis(arguments)));
}

/// The same with something on the standard input.
fn fed(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
    command.args(arguments).current_dir(folder()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The answers fill the pipe while the questions are still written.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    output
}

#[rstest]
#[case::parse_stdin("parse-stdin", &["parse", "-"], b"ls\nrm x\n")]
#[case::parse_not_utf8("parse-not-utf8", &["parse", "-"], b"ls \xff")]
#[case::parse_batch("parse-batch", &["parse", "--batch", "--promote", "id_*"], b"{\"id\":\"a\",\"command\":\"cat id_rsa\"}\n\n{\"id\":\"b\",\"comand\":\"ls\"}\n{\n\xff\n{\"command\":\"cat x/y\",\"cwd\":\"C:\\\\p\",\"platform\":\"win32\",\"workdir\":\"sub\"}")]
#[case::parse_empty_batch("parse-empty-batch", &["parse", "--batch"], b"\n")]
fn output_after(#[case] name: &str, #[case] arguments: &[&str], #[case] input: &[u8]) {
    compare(name, &shown(&fed(arguments, input)));
}

/// docs/spec/README.md, section 8: where the list names no difference, the answer is the package's own.
#[test]
fn parse_gives_the_case_file_back() {
    let read = |path: &str| fs::read_to_string(folder().join("../../..").join(path)).unwrap();
    let cases = read("docs/spec/bash-cases.jsonl");
    let differs: BTreeSet<String> = read("core/tests/bash_cases_differences.txt")
        .lines()
        .filter_map(|line| line.split_once('\t').map(|(id, _)| id.to_owned()))
        .collect();
    let output = fed(&["parse", "--batch"], cases.as_bytes());
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
    let answers = String::from_utf8(output.stdout).unwrap();
    let read = |text: &str| text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
    let (cases, answers) = (read(&cases), read(&answers));
    assert_eq!(answers.len(), cases.len());
    let mut same = 0;
    for (case, answer) in cases.iter().zip(&answers) {
        assert_eq!(answer["id"], case["id"]);
        if differs.contains(case["id"].as_str().unwrap()) {
            continue;
        }
        same += 1;
        let of = |value: &Value, list: &str, fields: &[&str]| -> Vec<Vec<Value>> {
            let items = value[list].as_array().unwrap().iter();
            items.map(|item| fields.iter().map(|field| item[*field].clone()).collect()).collect()
        };
        let unit = ["text", "context", "wrapper"];
        assert_eq!(of(answer, "units", &unit), of(case, "units", &unit), "{}", case["id"]);
        assert_eq!(answer["external_paths"], case["external_paths"], "{}", case["id"]);
        let texts = |list: &Value| list.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect();
        let values = |token: &Value| -> BTreeSet<String> { texts(&token["values"]) };
        let tokens = answer["path_tokens"].as_array().unwrap();
        for token in case["path_tokens"].as_array().unwrap() {
            let listed = tokens.iter().any(|ours| {
                let further = ours["further"].as_array().unwrap().iter().map(|other| other["text"].as_str().unwrap().to_owned());
                values(token).is_subset(&values(ours).into_iter().chain(further).collect())
            });
            assert!(listed, "{}: {token}", case["id"]);
        }
    }
    assert!(same > 500, "{same} cases are compared");
}

/// The examples of these pages are what the program prints.
#[rstest]
#[case("guide/test.md")]
#[case("parse.md")]
#[case("guide/explain.md")]
#[case("guide/compare.md")]
#[case("guide/lint.md")]
#[case("guide/effective.md")]
#[case("guide/report-html.md")]
#[case("guide/coverage.md")]
#[case("guide/diff.md")]
#[case("guide/replay.md")]
#[case("guide/report.md")]
fn a_page_tells_the_truth(#[case] page: &str) {
    let page = fs::read_to_string(folder().join("../../../docs").join(page)).unwrap();
    let bin = Path::new(env!("CARGO_BIN_EXE_portcullis")).parent().unwrap().to_str().unwrap().to_owned();
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap());
    let mut examples = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let (line, expected) = block.split_once('\n').unwrap();
        let line = line.strip_prefix("$ ").unwrap();
        let output = Command::new("sh").args(["-c", line]).env("PATH", &path).current_dir(folder()).output().unwrap();
        let got = [output.stdout, output.stderr].concat();
        assert_eq!(String::from_utf8(got).unwrap(), expected, "{line}");
        examples += 1;
    }
    assert!(examples >= 3);
}

#[test]
fn parse_looks_at_files_only_where_it_is_told_to() {
    let scratch = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/etc/passwd", scratch.path().join("link")).unwrap();
    let here = scratch.path().to_str().unwrap();
    let answer = |arguments: &[&str]| -> Value { serde_json::from_slice(&portcullis(arguments).stdout).unwrap() };
    assert_eq!(answer(&["parse", "--json", "cat link"])["external_paths"], json!([]));
    let looked = answer(&["parse", "--json", "--cwd", here, "cat link"]);
    assert_eq!(looked["external_paths"], json!([format!("{here}/link")]));
    assert_eq!(looked["path_tokens"][0]["exists"], json!(true));
}

#[test]
fn junit_has_the_same_names_in_every_run() {
    compare("run-junit", &String::from_utf8(portcullis(&["run", "failing.yaml", "--junit", "-"]).stdout).unwrap());
}

#[test]
fn times_are_said_when_they_are_asked_for() {
    let times = |arguments: &[&str]| -> Vec<Value> {
        let text =
            String::from_utf8(portcullis(&[&["run", "good.yaml", "--json-lines", "-"], arguments].concat()).stdout).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line["type"] == "row").map(|row| row["microseconds"].clone()).collect()
    };
    assert!(times(&[]).iter().all(Value::is_null));
    assert!(times(&["--timings"]).iter().all(Value::is_u64));
    let served = format!("{} serve", env!("CARGO_BIN_EXE_portcullis"));
    let run = portcullis(&["run", "good.yaml", "--quiet", "--jobs", "1", "--timings", "--implementation", &served]);
    let said = String::from_utf8(run.stderr).unwrap();
    let said: Vec<&str> = said.lines().collect();
    let [gate, workers] = said[..] else { panic!("{said:?}") };
    assert!(gate.ends_with(&format!(" s in {served}")), "{gate}");
    assert!(workers.contains(" s of 1 worker: ") && workers.ends_with(" % were added"), "{workers}");
}

/// Several play in turn on a gate in another process; what comes of it does not depend on who plays when.
#[test]
fn generated_calls_end_alike_for_any_number_of_workers() {
    let served = format!("{} serve", env!("CARGO_BIN_EXE_portcullis"));
    let of = |more: &[&str]| {
        let arguments = ["compare", "--generate", "60", "--show", "1", "--json", "double:no-path-rules", &served];
        portcullis(&[&arguments, more].concat())
    };
    let [one, three] = [of(&["--jobs", "1"]), of(&["--jobs", "3"])];
    assert_eq!((one.status.code(), three.status.code()), (Some(1), Some(1)));
    assert_eq!(String::from_utf8(one.stdout).unwrap(), String::from_utf8(three.stdout).unwrap());
    let timed: Value = serde_json::from_slice(&of(&["--jobs", "1", "--timings"]).stdout).unwrap();
    let seconds = &timed["pairs"][0]["seconds"];
    let [all, slower] = [&seconds["workers"], &seconds["gates"][1]].map(|span| span.as_f64().unwrap());
    assert!((seconds["added"].as_f64().unwrap() - (all / slower - 1.0)).abs() < 1e-6, "{seconds}");
}

/// What the run writes at once, and what is made of its saved lines.
#[rstest]
fn a_saved_run_gives_the_same_report(
    #[values("text", "json-lines", "junit", "tap", "markdown", "github", "badge", "badge-json")] format: &str,
) {
    let scratch = tempfile::tempdir().unwrap();
    let [lines, report] = ["lines", "report"].map(|name| scratch.path().join(name));
    let to = format!("{format}={}", report.display());
    let run = portcullis(&["run", "failing.yaml", "good.yaml", "--json-lines", lines.to_str().unwrap(), "--report", &to]);
    assert_eq!(run.status.code(), Some(1), "{run:?}");
    let written = fs::read_to_string(&report).unwrap();
    let saved = portcullis(&["report", format, lines.to_str().unwrap()]);
    assert_eq!((saved.status.code(), String::from_utf8(saved.stdout).unwrap()), (Some(0), written.clone()));
    if format == "text" {
        assert_eq!(String::from_utf8(run.stdout).unwrap(), written);
    }
    let again = scratch.path().join("again");
    let saved = portcullis(&["report", format, lines.to_str().unwrap(), "--output", again.to_str().unwrap()]);
    assert_eq!((saved.stdout, fs::read_to_string(&again).unwrap()), (Vec::new(), written));
}

#[test]
fn a_row_that_got_worse_is_exit_code_1() {
    let scratch = tempfile::tempdir().unwrap();
    let lines = |name: &str, arguments: &[&str]| {
        let path = scratch.path().join(name).to_str().unwrap().to_owned();
        portcullis(&[&["run", "doubles.yaml", "--json-lines", &path], arguments].concat());
        path
    };
    let (good, bad) = (lines("good", &[]), lines("bad", &["--implementation", "double:no-chains"]));
    let part = lines("part", &["--id", "last-rule"]);
    let code = |old: &str, new: &str| portcullis(&["report", "diff", old, new]).status.code();
    assert_eq!([code(&good, &bad), code(&bad, &good), code(&good, &good), code(&good, &part)], [1, 0, 0, 1].map(Some));
    let value: Value = serde_json::from_slice(&portcullis(&["report", "diff", "--json", &good, &bad]).stdout).unwrap();
    assert_eq!((&value["worse"], value["changes"][0]["kind"].as_str()), (&json!(true), Some("newly-failing")));
}

#[test]
fn order_and_results_are_the_same_for_any_number_of_jobs() {
    let run = |jobs: &str| portcullis(&["run", "good.yaml", "failing.yaml", "--jobs", jobs, "--json-lines", "-"]).stdout;
    let one = run("1");
    for jobs in ["2", "3", "8"] {
        assert_eq!(String::from_utf8_lossy(&run(jobs)), String::from_utf8_lossy(&one));
    }
}

#[test]
fn shards_play_every_row_once() {
    let rows = |shard: &str| {
        let output = portcullis(&["list", "good.yaml", "failing.yaml", "--json", "--shard", shard]).stdout;
        String::from_utf8(output).unwrap().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let mut all: Vec<String> = ["1/3", "2/3", "3/3"].iter().flat_map(|shard| rows(shard)).collect();
    all.sort();
    let mut whole = rows("1/1");
    whole.sort();
    assert_eq!(all, whole);
}

#[test]
fn colour_comes_on_terminals_only_and_no_color_is_obeyed() {
    let plain = portcullis(&["run", "failing.yaml"]).stdout;
    assert!(!plain.contains(&0x1b));
}

#[test]
fn a_huge_file_is_refused_before_it_is_read() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("huge.yaml");
    fs::File::create(&path).unwrap().set_len(100 * 1024 * 1024).unwrap();
    let output = portcullis(&["check", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error, format!("✗ {0}:1:1: the file is larger than 4 MiB\nerror: 1 fault in 1 file\n", path.display()));
}

#[test]
fn an_alias_bomb_is_refused_at_its_place() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("bomb.yaml");
    let mut text = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for level in 1..20 {
        let before = level - 1;
        text.push_str(&format!("a{level}: &a{level} [*a{before},*a{before},*a{before},*a{before},*a{before},*a{before}]\n"));
    }
    fs::write(&path, text).unwrap();
    let output = portcullis(&["check", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains(":7:22: the file holds more than 400000 nodes, aliases written out"), "{error}");
}

#[test]
fn no_world_outlives_its_scenario() {
    let scratch = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
    command.args(["run", "failing.yaml", "good.yaml"]).current_dir(folder()).env("TMPDIR", scratch.path());
    command.output().unwrap();
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0);
}

/// A file with so many rows that a run takes a while.
fn many_rows(folder: &Path) -> PathBuf {
    let mut text = String::from(
        "suite: many\nlevel: baseline\ngiven: { policy: { bash: allow } }\nscenarios:\n  - id: many\n    title: t\n    covers: [RULE-006]\n    each:\n",
    );
    for row in 0..4000 {
        text.push_str(&format!("      - {{ command: echo {row} }}\n"));
    }
    text.push_str("    steps:\n      - { bash: \"${command}\", expect: { outcome: allow, by: { gate: tool } } }\n");
    let path = folder.join("many.yaml");
    fs::write(&path, text).unwrap();
    path
}

#[cfg(unix)]
#[rstest]
#[case::interrupt("-INT")]
#[case::terminate("-TERM")]
fn a_signal_ends_the_run_and_leaves_no_world(#[case] signal: &str) {
    let scratch = tempfile::tempdir().unwrap();
    let worlds = scratch.path().join("worlds");
    fs::create_dir(&worlds).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
    command.arg("run").arg(many_rows(scratch.path())).args(["--jobs", "2", "--worlds", "disk"]).env("TMPDIR", &worlds);
    let mut child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    // As soon as a world stands, the run is under way.
    while fs::read_dir(&worlds).unwrap().next().is_none() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("error: interrupted"));
    assert!(String::from_utf8_lossy(&output.stdout).contains(" not run"));
    assert_eq!(fs::read_dir(&worlds).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_changes_no_exit_code() {
    let script = format!("{} run failing.yaml | head -n 1; exit ${{PIPESTATUS[0]}}", env!("CARGO_BIN_EXE_portcullis"));
    let output = Command::new("bash").args(["-c", &script]).current_dir(folder()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

/// Rows of no revision are played, shown and not scored; nothing that counts ran.
#[test]
fn a_score_against_a_revision_leaves_later_rows_out() {
    let output = portcullis(&["run", "good.yaml", "failing.yaml", "--jobs", "1", "--revision", "2026.12"]);
    let told = shown(&output);
    assert!(told.contains("failed wrong-outcome (not scored: newer than revision 2026.12)\n"), "{told}");
    assert!(
        told.ends_with("not scored\n--- standard error\nerror: nothing ran: 5 rows chosen, 0 skipped, 5 not scored\n"),
        "{told}"
    );
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_revision_that_is_not_there_is_named() {
    let output = portcullis(&["run", "good.yaml", "--revision", "2026.13"]);
    let told = shown(&output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("scenarios/revisions/2026.13.txt:1:1: there is no revision `2026.13`"), "{told}");
    assert!(told.contains("did you mean `2026.12`?"), "{told}");
}

/// A report of a part of the suite on a gate that gets most of it wrong, so that there is much to tell.
fn report_of(more: &[&str]) -> String {
    let output = portcullis(&[&["run", "--shard", "1/40", "--implementation", "always-deny"], more].concat());
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    regex::Regex::new(r#" time="[0-9.]+"| uuid="[^"]+"| timestamp="[^"]+""#).unwrap().replace_all(&text, "").into_owned()
}

#[rstest]
#[case::for_people(&[])]
#[case::json_lines(&["--json-lines", "-"])]
#[case::junit(&["--junit", "-"])]
fn a_report_is_the_same_for_any_order_and_number_of_jobs(#[case] form: &[&str]) {
    let plain = report_of(&[form, &["--jobs", "1"]].concat());
    assert!(plain.lines().count() > 20, "{plain}");
    for how in [["--jobs", "3", "--shuffle", "1"], ["--jobs", "1", "--shuffle", "2"], ["--jobs", "2", "--shuffle", "3"]] {
        assert_eq!(report_of(&[form, &how].concat()), plain, "{how:?}");
    }
}

/// A log is read the same plain, compressed, and from the standard input.
#[test]
fn a_compressed_log_is_the_same_log() {
    let log = fs::read(folder().join("review-package.jsonl")).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let packed = scratch.path().join("packed");
    // Two members: a log that was compressed, and then appended to.
    let (head, tail) = log.split_at(log.len() / 2);
    let pack = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    fs::write(&packed, [pack(head), pack(tail)].concat()).unwrap();
    let text = |output: &Output, name: &str| {
        String::from_utf8(output.stdout.clone())
            .unwrap()
            .replace(&format!("({name}:"), "(LOG:")
            .replace(&format!("  {name}:"), "  LOG:")
    };
    let packed = packed.to_str().unwrap();
    let plain = portcullis(&["replay", "review-package.jsonl", "--policy", "new.json", "--examples", "0"]);
    assert_eq!(plain.status.code(), Some(0));
    let unpacked = portcullis(&["replay", packed, "--policy", "new.json", "--examples", "0"]);
    assert_eq!(text(&unpacked, packed), text(&plain, "review-package.jsonl"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_portcullis"))
        .args(["replay", "-", "--policy", "new.json", "--examples", "0"])
        .current_dir(folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&log).unwrap();
    assert_eq!(child.wait_with_output().unwrap().stdout, plain.stdout);
}

#[rstest]
#[case::loosened(&["diff", "policy.json", "new.json", "--fail-on", "loosened"], 1)]
#[case::differs(&["diff", "policy.json", "new.json", "--fail-on", "any"], 1)]
#[case::differs_and_nobody_minds(&["diff", "policy.json", "new.json"], 0)]
#[case::same(&["diff", "new.json", "new.json", "--fail-on", "any"], 0)]
#[case::missing(&["diff", "policy.json", "nowhere.json"], 2)]
#[case::nothing_judged(&["replay", "policy.json", "--policy", "new.json"], 3)]
#[case::no_such_log(&["replay", "nowhere.jsonl", "--policy", "new.json"], 2)]
#[case::loosened_log(&["replay", "review-package.jsonl", "--policy", "new.json", "--fail-on", "loosened"], 1)]
#[case::suggestions_need_a_policy(&["replay", "review-package.jsonl", "--suggest"], 2)]
#[case::no_page(&["man", "explian"], 2)]
#[case::page(&["man", "explain"], 0)]
fn policy_tools_end_as_they_say(#[case] arguments: &[&str], #[case] code: i32) {
    let output = portcullis(arguments);
    assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_command_has_a_manual_page() {
    let scratch = tempfile::tempdir().unwrap();
    assert_eq!(portcullis(&["man", "--to", scratch.path().to_str().unwrap()]).status.code(), Some(0));
    for command in ["explain", "diff", "replay", "coverage", "lint", "effective", "run", "test"] {
        let page = fs::read_to_string(scratch.path().join(format!("portcullis-{command}.1"))).unwrap();
        assert!(page.contains(".TH"), "{command}");
    }
    let error = String::from_utf8(portcullis(&["man", "explian"]).stderr).unwrap();
    assert!(error.contains("did you mean `explain`?"), "{error}");
}

#[test]
fn lint_fix_writes_once_and_only_what_is_asked() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("config.json");
    let text = "{\"permission\": {\n  // kept\n  \"path\": { \"src/**\": \"ask\", \"*.env\": \"deny\" }\n}}\n";
    fs::write(&file, text).unwrap();
    let name = file.to_str().unwrap();
    portcullis(&["lint", "--fix", "--dry-run", name]);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    let output = portcullis(&["lint", "--fix", name]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(fs::read_to_string(&file).unwrap(), text.replace("**", "*"));
    let again = String::from_utf8(portcullis(&["lint", "--fix", name]).stdout).unwrap();
    assert_eq!(again, "1 file, 2 rules: nothing found\n");
}

#[test]
fn coverage_below_the_threshold_is_exit_code_1() {
    let scratch = tempfile::tempdir().unwrap();
    let policy = scratch.path().join("config.json");
    fs::write(&policy, "{\"permission\": {\"bash\": {\"git *\": \"allow\"}}}").unwrap();
    let run = |arguments: &[&str]| {
        let program = env!("CARGO_BIN_EXE_portcullis");
        Command::new(program).args(arguments).current_dir(scratch.path()).output().unwrap()
    };
    assert_eq!(run(&["init", "config.json"]).status.code(), Some(0));
    assert_eq!(run(&["coverage", "config.json", "--threshold", "100"]).status.code(), Some(0));
    fs::write(&policy, "{\"permission\": {\"bash\": {\"git *\": \"allow\", \"rm *\": \"deny\"}}}").unwrap();
    assert_eq!(run(&["coverage", "config.json", "--threshold", "50"]).status.code(), Some(0));
    let below = run(&["coverage", "config.json", "--threshold", "51", "--html", "page.html", "--lcov", "lines.info"]);
    assert_eq!(below.status.code(), Some(1));
    assert_eq!(
        fs::read_to_string(scratch.path().join("lines.info")).unwrap(),
        "TN:portcullis\nSF:config.json\nDA:1,0\nLF:1\nLH:0\nend_of_record\n"
    );
    assert!(fs::read_to_string(scratch.path().join("page.html")).unwrap().starts_with("<!DOCTYPE html>"));
    assert_eq!(run(&["coverage", "--suite", "config.json"]).status.code(), Some(2));
}
