use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::{load, load_all};
use crate::scenario::{Action, Capability, Scenario};
use crate::source::SourceFile;

const HEAD: &str = "suite: s\nlevel: baseline\n";

fn read(text: &str) -> (Vec<Scenario>, Vec<String>) {
    let loaded = load(&[SourceFile::new("s.yaml", text)]);
    let shown = loaded
        .problems
        .iter()
        .map(|problem| match &problem.help {
            Some(help) => format!("{problem} [{help}]"),
            None => problem.to_string(),
        })
        .collect();
    (loaded.scenarios, shown)
}

/// A file with one scenario whose steps and further keys are given.
fn one(rest: &str) -> String {
    format!("{HEAD}scenarios:\n  - id: a\n    title: t\n    covers: [CFG-001]\n{rest}\n")
}

fn problems(text: &str) -> Vec<String> {
    read(text).1
}

#[test]
fn the_example_of_the_design_loads() {
    let (scenarios, problems) = read(
        r#"
suite: chained commands
level: baseline
needs: [bash]
given:
  policy:
    bash: { "*": ask, "git status": allow, "rm *": deny }
  tools: [read, write, bash]
  ui: { answers: [approve, approve for session, deny, { deny: too risky }] }
  agent: reviewer
  files: { src/app.ts: "", out: { symlink: /etc } }
scenarios:
  - id: chain-deny-behind-allow
    title: a denied command behind an allowed one blocks the line
    covers: [CMD-014, GATE-033]
    steps:
      - bash: git status && rm -rf build
        expect:
          outcome: block
          by: { gate: tool, surface: bash, rule: "rm *", origin: global }
          reason: [rm -rf build]
          prompts: []
          decisions: [{ surface: bash, value: rm -rf build, result: deny, resolution: policy_deny }]
  - id: chain-table
    title: each command meets its rule
    covers: [CMD-014]
    each:
      - { command: "git status", outcome: allow, rule: "git status" }
      - { command: "git push",   outcome: allow, rule: "*" }
    steps:
      - { bash: "${command}", expect: { outcome: "${outcome}", by: { rule: "${rule}" } } }
"#,
    );
    assert_eq!(problems, Vec::<String>::new());
    let names: Vec<&str> = scenarios.iter().map(|scenario| scenario.name.as_str()).collect();
    assert_eq!(names, ["chain-deny-behind-allow", "chain-table/git status", "chain-table/git push"]);
    let second = &scenarios[1];
    assert_eq!(second.steps[0].action, Action::Tool { name: "bash".into(), input: json!({"command": "git status"}) });
    assert_eq!(second.needs, [Capability::Bash, Capability::Agents, Capability::Links]);
    assert_eq!(second.place.line, 28);
}

#[rstest]
#[case::empty("", &["s.yaml:1:1: the file is empty [see docs/scenarios.md]"])]
#[case::comment("# only\n", &["s.yaml:1:1: the file is empty [see docs/scenarios.md]"])]
#[case::no_scenario("suite: s\nlevel: baseline\nscenarios: []", &["s.yaml:3:12: the file has no scenario"])]
#[case::no_scenarios("suite: s\nlevel: baseline\n", &["s.yaml:1:1: the file has no `scenarios`"])]
#[case::unknown_key("suite: s\nlevel: baseline\nscenario: []", &[
    "s.yaml:3:1: a scenario file knows no key `scenario` [did you mean `scenarios`?]",
    "s.yaml:1:1: the file has no `scenarios`",
])]
#[case::wrong_type("suite: s\nlevel: baseline\nscenarios: {a: 1}", &["s.yaml:3:12: `scenarios` must be a list, this is a map"])]
#[case::not_yaml("suite: [s", &["s.yaml:1:8: this is no YAML: unclosed bracket '['"])]
fn faults_of_a_file(#[case] text: &str, #[case] expected: &[&str]) {
    assert_eq!(problems(text), expected);
}

#[rstest]
#[case::step_key("    steps: [{ bsh: ls, expect: { prompts: [] } }]",
    &["s.yaml:7:15: a step knows no key `bsh` [did you mean `bash`?]"])]
#[case::two_kinds("    steps: [{ bash: ls, read: x }]",
    &["s.yaml:7:25: a step is one thing: it cannot be `bash` and `read` [write two steps]"])]
#[case::no_kind("    steps: [{ expect: { prompts: [] } }]", &["s.yaml:7:13: the step says not what happens [one of: bash, read, write, edit, grep, find, ls, mcp, tool, skill, input, raw event, agent start, session start, session shutdown, session reload, resources reload, policy change, host change, register extractor, query, tool permission, stage, exchange trouble, clock, serve, kill, subagent created, subagent disposed, register link]"])]
#[case::vacuous("    steps: [{ bash: ls }]", &["s.yaml:4:5: no step expects anything [a scenario that cannot fail shows nothing]"])]
#[case::empty_expect("    steps: [{ bash: ls, expect: {} }]", &["s.yaml:7:25: `expect` expects nothing"])]
#[case::no_by("    steps: [{ bash: ls, expect: { outcome: allow } }]", &["s.yaml:7:25: the outcome says not what decided it: add `by` [say the `gate`, the `rule` or the `resolution` that you mean: the right answer for the wrong reason is no pass]"])]
#[case::empty_by("    steps: [{ bash: ls, expect: { outcome: allow, by: {} } }]", &[
    "s.yaml:7:55: `by` names nothing [any of: gate, surface, rule, origin, source, resolution, requirement, value]"
])]
#[case::outcome_of_another_kind("    steps: [{ bash: ls, expect: { outcome: handled, by: { gate: tool } } }]", &["s.yaml:7:44: the outcome of this step cannot be `handled` [known are: allow, block]"])]
#[case::gate("    steps: [{ bash: ls, expect: { outcome: allow, by: { gate: tol } } }]", &[
    "s.yaml:7:63: `gate` cannot be `tol` [did you mean `tool`?]"
])]
#[case::hardened_member("    steps: [{ bash: ls, expect: { decisions: [{ gate: tool }] } }]", &["s.yaml:7:25: a baseline scenario does not compare `gate` of a decision event [the npm package cannot show this: make the scenario `level: hardened`]"])]
#[case::session_rules("    steps: [{ bash: ls, expect: { session rules: [] } }]", &["s.yaml:4:5: a baseline scenario cannot need `session-rules` [the npm package cannot show this: make the scenario `level: hardened`]"])]
#[case::number_as_text("    steps: [{ bash: 42, expect: { prompts: [] } }]", &["s.yaml:7:21: `bash` must be a text or the whole input as a map, this is a number [put a text in quotes; another shape stands under `tool: { name, input }`]"])]
#[case::unknown_placeholder("    steps: [{ bash: \"ls ${CDW}\", expect: { prompts: [] } }]", &["s.yaml:7:21: unknown placeholder `${CDW}` [did you mean `CWD`?; write `$${CDW}` for the text itself]"])]
#[case::wild_in_a_step("    steps: [{ bash: \"ls ${ANY}\", expect: { prompts: [] } }]", &["s.yaml:7:21: `${ANY}` has a meaning in expectations only"])]
#[case::shell_expansions_are_text("    steps: [{ bash: \"ls $${HOMER} ${x:-y} $HOME ${#a}\", expect: { prompts: [] } }]", &[])]
#[case::file_outside("    given: { files: { /etc/x: a } }\n    steps: [{ bash: ls, expect: { prompts: [] } }]", &["s.yaml:7:23: the path `/etc/x` must be relative or begin with a place such as `${HOME}/` [files outside the world are never touched]"])]
#[case::file_above("    given: { files: { ../../x: a } }\n    steps: [{ bash: ls, expect: { prompts: [] } }]", &["s.yaml:7:23: the path `../../x` must not hold `..` [files outside the world are never touched]"])]
#[case::state_slip("    given: { policy: { bash: { x: alow } } }\n    steps: [{ bash: ls, expect: { prompts: [] } }]", &["s.yaml:7:35: `alow` is no state; did you mean `allow`? [a file that is wrong on purpose stands as a text under `policy files`]"])]
#[case::mixed_scopes("    given: { policy: { bash: ask, project: { bash: deny } } }\n    steps: [{ bash: ls, expect: { prompts: [] } }]", &["s.yaml:7:35: `project` is a scope and stands among surfaces [put the surfaces under `global:` when other scopes are given too]"])]
#[case::agent_scope("    given: { policy: { agent: { bash: deny } } }\n    steps: [{ bash: ls, expect: { prompts: [] } }]", &["s.yaml:7:24: `agent` is the file of an agent, and no `agent` is given [give `agent: NAME`, or write the scope as `agents: { NAME: … }`]"])]
#[case::answer("    given: { ui: { answers: [approved] } }\n    steps: [{ bash: ls, expect: { prompts: [] } }]", &["s.yaml:7:30: nobody can answer `approved` [did you mean `approve`?]"])]
#[case::member_surface("    given: { policy: { path_read: { x: deny } } }\n    steps: [{ bash: ls, expect: { prompts: [] } }]", &["s.yaml:4:5: a baseline policy knows no surface `path_read` [the npm package cannot show this: make the scenario `level: hardened`]"])]
fn faults_of_a_scenario(#[case] rest: &str, #[case] expected: &[&str]) {
    assert_eq!(problems(&one(rest)), expected);
}

#[rstest]
#[case::unused("    each: [{ a: 1, b: 2 }]\n    steps: [{ bash: \"${a}x\", expect: { prompts: [] } }]", &["s.yaml:7:20: no step uses the column `b` [use `${b}` in the scenario, or name the column `row` if it is a label]"])]
#[case::unknown("    each: [{ a: x }]\n    steps: [{ bash: \"${a} ${b}\", expect: { prompts: [] } }]", &["s.yaml:8:21: unknown placeholder `${b}` [did you mean `a`?; write `$${b}` for the text itself]"])]
#[case::missing("    each: [{ a: x, b: y }, { a: z }]\n    steps: [{ bash: \"${a} ${b}\", expect: { prompts: [] } }]", &["s.yaml:7:28: the row lacks the column `b` [all rows have the same columns; write `null` for nothing]"])]
#[case::extra("    each: [{ command: x }, { command: y, comand: z }]\n    steps: [{ bash: \"${command}\", expect: { prompts: [] } }]", &["s.yaml:7:42: the first row has no column `comand` [did you mean `command`?]"])]
#[case::empty("    each: []\n    steps: [{ bash: x, expect: { prompts: [] } }]", &["s.yaml:7:11: `each` has no row"])]
#[case::cell_type("    each: [{ a: x, o: alow }]\n    steps: [{ bash: \"${a}\", expect: { outcome: \"${o}\", by: { gate: tool } } }]", &["s.yaml:7:23: the outcome of this step cannot be `alow` [did you mean `allow`?]"])]
fn faults_of_a_table(#[case] rest: &str, #[case] expected: &[&str]) {
    assert_eq!(problems(&one(rest)), expected);
}

#[test]
fn rows_are_named_by_label_first_column_and_number() {
    let (scenarios, problems) = read(&one(
        "    each: [{ a: x, row: first }, { a: x }, { a: x }]\n    steps: [{ bash: \"${a}\", expect: { prompts: [] } }]",
    ));
    assert_eq!(problems, Vec::<String>::new());
    let names: Vec<&str> = scenarios.iter().map(|scenario| scenario.name.as_str()).collect();
    assert_eq!(names, ["a/first", "a/x", "a/x #2"]);
}

#[test]
fn a_cell_keeps_its_type_and_columns_fill_keys_too() {
    let (scenarios, problems) = read(&one(
        "    given: { policy: { bash: { \"${p}\": deny } } }\n    each: [{ p: \"rm *\", rule: null, tools: [bash, read] }]\n    steps:\n      - { tool: { name: x, input: { n: \"${tools}\" } }, expect: { outcome: block, by: { rule: \"${rule}\" } } }",
    ));
    assert_eq!(problems, Vec::<String>::new());
    let scenario = &scenarios[0];
    assert_eq!(scenario.given.policy.global, Some(json!({"bash": {"rm *": "deny"}})));
    assert_eq!(scenario.steps[0].action, Action::Tool { name: "x".into(), input: json!({"n": ["bash", "read"]}) });
    assert_eq!(scenario.steps[0].expect.as_ref().unwrap().by.as_ref().unwrap().rule, Some(None));
}

#[test]
fn a_scenarios_given_replaces_whole_keys() {
    let text = "suite: s\nlevel: baseline\ngiven: { policy: { bash: deny }, agent: a }\nscenarios:\n  - id: a\n    title: t\n    covers: [CFG-001]\n    given: { policy: { read: ask } }\n    steps: [{ bash: ls, expect: { prompts: [] } }]\n";
    let (scenarios, problems) = read(text);
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(scenarios[0].given.policy.global, Some(json!({"read": "ask"})));
    assert_eq!(scenarios[0].given.agent.as_deref(), Some("a"));
}

#[test]
fn ids_are_unique_over_all_files() {
    let text = one("    steps: [{ bash: ls, expect: { prompts: [] } }]");
    let loaded = load(&[SourceFile::new("one.yaml", text.clone()), SourceFile::new("two.yaml", text)]);
    let shown: Vec<String> = loaded.problems.iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["two.yaml:4:5: the id `a` is taken"]);
    assert_eq!(loaded.problems[0].help.as_deref(), Some("first used at one.yaml:4"));
}

#[test]
fn a_baseline_scenario_compares_no_source_of_a_decision() {
    let text = one("    steps: [{ bash: ls, expect: { outcome: allow, by: { source: bash } } }]");
    assert_eq!(
        problems(&text),
        [
            "s.yaml:7:25: a baseline scenario does not compare `source` of a decision: only a query shows it [the npm package cannot show this: make the scenario `level: hardened`]"
        ]
    );
}

#[test]
fn a_hardened_scenario_covers_what_the_package_fails() {
    let text = one("    level: hardened\n    steps: [{ bash: ls, expect: { prompts: [] } }]");
    assert_eq!(
        problems(&text),
        [
            "s.yaml:4:5: a hardened scenario covers none of the requirements beyond the package [section 7 of docs/spec/README.md: it covers a HARD or a D id, by which the package fails it]"
        ]
    );
    assert_eq!(problems(&text.replace("CFG-001", "CFG-001, HARD-061")), Vec::<String>::new());
    assert_eq!(
        problems(&text.replace("CFG-001", "HARD-099")),
        [
            "s.yaml:6:14: docs/spec knows no requirement `HARD-099` [did you mean `HARD-009`?]",
            "s.yaml:4:5: a hardened scenario covers none of the requirements beyond the package [section 7 of docs/spec/README.md: it covers a HARD or a D id, by which the package fails it]"
        ]
    );
}

#[test]
fn a_files_given_takes_the_columns_of_its_scenarios() {
    let text = "suite: s\nlevel: baseline\ngiven: { policy files: { global: \"${text}\", mcp: m } }\nscenarios:\n  - id: a\n    title: t\n    covers: [CFG-001]\n    each: [{ text: one }, { text: two }]\n    steps: [{ bash: ls, expect: { prompts: [] } }]\n  - id: b\n    title: t\n    covers: [CFG-001]\n    given: { policy: { read: ask } }\n    steps: [{ bash: ls, expect: { prompts: [] } }]\n";
    let (scenarios, problems) = read(text);
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(scenarios[1].given.texts.global.as_deref(), Some("two"));
    assert_eq!((scenarios[2].given.texts.global.as_deref(), scenarios[2].given.texts.mcp.as_deref()), (None, Some("m")));
}

/// A valid file with a bit of everything, to be damaged.
const WHOLE: &str = r#"suite: s
level: hardened
needs: [bash]
given:
  policy: { global: { "*": ask, bash: { "rm *": { action: deny, reason: no } } }, agents: { a: { read: deny } } }
  ui: { answers: [approve, { deny: x }] }
  files: { a: "", b: { symlink: "${HOME}/x" }, c: { directory: true } }
scenarios:
  - id: a
    title: "t ${c}"
    covers: [HARD-001]
    each: [{ c: ls, o: allow }, { c: rm x, o: block, row: second }]
    steps:
      - bash: "${c} && $${x}"
        answers: [dismiss]
        expect: { outcome: "${o}", by: { gate: tool, rule: null }, prompts: [x, { contains: [y], options: 4 }] }
      - policy change: { remove: [a] }
      - query: { surface: bash, value: "&x" }
        expect: { outcome: ask, session rules: [{ surface: bash, pattern: "*" }], review log has: [{ event: config.resolved }] }
"#;

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    /// Whatever is cut out, doubled or put in: loading ends, without a panic, and every fault lies inside the text.
    #[test]
    fn a_damaged_file_is_loaded_or_refused(
        cuts in proptest::collection::vec((0_usize..WHOLE.len(), 0_usize..30, "[ -~\n]{0,6}"), 1..4),
    ) {
        let mut letters: Vec<char> = WHOLE.chars().collect();
        for (at, length, put) in cuts {
            let at = at.min(letters.len());
            let end = (at + length).min(letters.len());
            letters.splice(at..end, put.chars());
        }
        let text: String = letters.into_iter().collect();
        let loaded = load(&[SourceFile::new("s.yaml", text.clone())]);
        for problem in loaded.problems {
            proptest::prop_assert!(problem.place.offset <= text.len());
            proptest::prop_assert!(problem.place.line >= 1 && problem.place.column >= 1);
        }
    }
}

#[test]
fn the_file_that_is_damaged_is_whole() {
    assert_eq!(problems(WHOLE), Vec::<String>::new());
}

const SESSIONS: &str = r#"
suite: s
level: hardened
given:
  sessions:
    parent: { ui: { answers: [approve, { answer: deny, after: 11m }] } }
    child: { child of: parent }
scenarios:
  - id: a
    title: t
    covers: [HARD-009]
    steps:
      - bash: ls
        in: child
        meanwhile: [{ after: 1s, kill: {}, in: parent }]
        expect: { outcome: allow, by: { gate: tool }, sessions: { parent: { prompts: [] } } }
"#;

#[test]
fn sessions_steps_and_what_happens_meanwhile_are_read() {
    let scenarios = load_all(&[SourceFile::new("s.yaml", SESSIONS)]).unwrap();
    let [scenario] = scenarios.as_slice() else { panic!("one scenario") };
    let later = crate::scenario::Answer::Later(660_000, Box::new(crate::scenario::Answer::Deny));
    assert_eq!(scenario.given.sessions[0].ui, Some(vec![crate::scenario::Answer::Approve, later]));
    assert_eq!(scenario.given.sessions[1].child_of.as_deref(), Some("parent"));
    let step = &scenario.steps[0];
    assert_eq!((step.session.as_deref(), step.meanwhile[0].after_ms), (Some("child"), 1_000));
    assert_eq!(step.meanwhile[0].step.action, crate::scenario::Action::Kill);
    use crate::scenario::Capability::{Bash, Clock, Forwarding, MultiSession};
    assert_eq!(scenario.needs, [Bash, Forwarding, MultiSession, Clock]);
}

#[test]
fn plain_children_need_forwarding_alone() {
    let text = SESSIONS.replace("meanwhile: [{ after: 1s, kill: {}, in: parent }]", "id: c1");
    let scenarios = load_all(&[SourceFile::new("s.yaml", text)]).unwrap();
    assert_eq!(scenarios[0].needs, [crate::scenario::Capability::Bash, crate::scenario::Capability::Forwarding]);
}

#[rstest::rstest]
#[case::unknown_session("in: child", "in: chidl", "no session is named `chidl`")]
#[case::nowhere("in: child\n", "\n", "the step says not in which session it happens")]
#[case::parent_after_child("child of: parent", "child of: paren", "no session before this one is named `paren`")]
#[case::expected_elsewhere("{ parent: { prompts", "{ praent: { prompts", "no session is named `praent`")]
#[case::world_matter("{ prompts: [] } }", "{ exchange: [] } }", "`exchange` is no matter of one session")]
#[case::no_time("after: 1s", "after: soon", "`after` cannot be `soon`")]
#[case::expectation_meanwhile("kill: {}", "kill: {}, expect: { prompts: [] }", "what happens meanwhile has no `expect`")]
#[case::world_key("  sessions:", "  ui: true\n  sessions:", "`ui` has no meaning beside `sessions`")]
#[case::session_key("{ child of", "{ childof: x, child of", "a session knows no key `childof`")]
#[case::outside("bash: ls\n        in: child", "stage: { ../x: \"\" }", "`../x` is no path in the shared folders")]
#[case::two_things(
    "bash: ls\n        in: child",
    "stage: { parent/x: { text: a, hex: \"61\" } }",
    "what is staged must be one thing"
)]
fn what_makes_no_sense_about_sessions_is_refused(#[case] from: &str, #[case] to: &str, #[case] message: &str) {
    assert!(SESSIONS.contains(from));
    let problems = load_all(&[SourceFile::new("s.yaml", SESSIONS.replacen(from, to, 1))]).unwrap_err();
    let messages: Vec<String> = problems.iter().map(|problem| problem.message.clone()).collect();
    assert!(messages.iter().any(|found| found.contains(message)), "{messages:?}");
}

/// A scenario beside a configuration file, with this `given` and these further keys.
fn beside_a_config(given: &str) -> (Vec<Scenario>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("tests")).unwrap();
    std::fs::write(folder.path().join("config.json"), "{ /* ${HOME} */ \"permission\": {} }").unwrap();
    std::fs::write(folder.path().join("helper.md"), "---\n---\n").unwrap();
    let text = one(&format!("    given: {given}\n    steps: [{{ bash: ls, expect: {{ prompts: [] }} }}]"));
    let loaded = load(&[SourceFile::in_folder("s.yaml", text, folder.path().join("tests"))]);
    let shown = loaded.problems.iter().map(|problem| match &problem.help {
        Some(help) => format!("{problem} [{help}]"),
        None => problem.to_string(),
    });
    (loaded.scenarios, shown.collect())
}

const CONFIG: &str = "{ /* $${HOME} */ \"permission\": {} }";

#[test]
fn a_policy_may_be_a_file_beside_the_scenario() {
    let (scenarios, problems) = beside_a_config("{ policy: { file: ../config.json } }");
    assert_eq!(problems, Vec::<String>::new());
    let given = &scenarios[0].given;
    assert_eq!((given.texts.global.as_deref(), given.policy.is_empty()), (Some(CONFIG), true));
    let (scenarios, problems) = beside_a_config(
        "{ policy: { global: { bash: deny }, project: { file: ../config.json }, agents: { helper: { file: ../helper.md } } } }",
    );
    assert_eq!(problems, Vec::<String>::new());
    let given = &scenarios[0].given;
    assert_eq!(given.texts.project.as_deref(), Some(CONFIG));
    assert_eq!(given.texts.agents, [("helper".to_owned(), "---\n---\n".to_owned())]);
    assert_eq!(given.policy.global, Some(json!({ "bash": "deny" })));
}

#[rstest]
#[case::a_tool_called_file("{ policy: { file: allow } }", &[])]
#[case::missing("{ policy: { file: ../confg.json } }", &["s.yaml:7:30: `../confg.json`: there is no such file or folder [did you mean `config.json`?]"])]
#[case::folder("{ policy: { file: ../tests } }", &["s.yaml:7:30: `../tests`: is a folder"])]
#[case::slip("{ policy: { fil: ../config.json } }", &["s.yaml:7:24: `fil` is given a file [did you mean `file`?]"])]
#[case::beside_rules("{ policy: { file: ../config.json, bash: deny } }", &["s.yaml:7:24: a file is the whole policy: no rule stands beside it"])]
#[case::beside_config("{ policy: { file: ../config.json }, config: { yoloMode: true } }", &["s.yaml:7:48: `config` and `policy` write the same file [what `policy` names is the whole file: put the members there]"])]
#[case::agents("{ policy: { agents: { file: ../helper.md } } }", &["s.yaml:7:24: `agents` is a map of agents [name the agent: `agents: { NAME: { file: … } }`]"])]
#[case::no_agent("{ policy: { agent: { file: ../helper.md } } }", &["s.yaml:7:24: `agent` is the file of an agent, and no `agent` is given [give `agent: NAME`, or write the scope as `agents: { NAME: … }`]"])]
fn a_policy_file_is_named_rightly(#[case] given: &str, #[case] expected: &[&str]) {
    assert_eq!(beside_a_config(given).1, expected);
}

#[test]
fn a_text_from_nowhere_names_no_file() {
    let text = one("    given: { policy: { file: config.json } }\n    steps: [{ bash: ls, expect: { prompts: [] } }]");
    assert_eq!(problems(&text), ["s.yaml:7:30: a scenario that lies in no folder can name no file"]);
}
