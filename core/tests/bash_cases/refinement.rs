//! The refinement law (docs/design.md): on any line and under any policy the gate is never more permissive than the package's
//! own units and paths, judged by the same rules with the package's floors alone.
//!
//! The lines are those of the case file, alone, chained and nested; the policies are made of words of those lines. What may be
//! milder is what removes or rewrites (hardening.md, section 9): it stands, case by case, in the list of differences.

use std::sync::{Arc, LazyLock};

use portcullis_core::access::path::WordResolver;
use portcullis_core::access::strip_comment_lines;
use portcullis_core::handlers::ToolCallAnswer;
use portcullis_core::host::system::SystemFileStore;
use portcullis_core::host::{EntryKind, FileFault, FileFaultKind, FileStamp, FileView, Platform};
use portcullis_core::policy::{Fold, MatchOptions, Pattern, WithoutHome};
use portcullis_test_fixtures::{FakeHost, FakeHostBuilder};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};

use crate::CASES;
use crate::case::{Case, read_case};
use crate::compare::{as_listed, compare};

const CWD: &str = "/work/project";
const HOME: &str = "/home/dev";
const CONFIG: &str = "/home/dev/.pi/agent/extensions/pi-permission-system/config.json";

/// Nothing exists but the global configuration.
struct OnePolicy(String);

impl OnePolicy {
    fn fault<T>() -> Result<T, FileFault> {
        Err(FileFault { kind: FileFaultKind::NotFound, message: "nothing exists here".to_owned() })
    }
}

impl FileView for OnePolicy {
    fn entry(&self, path: &str) -> Result<EntryKind, FileFault> {
        match CONFIG.strip_prefix(path) {
            Some("") => Ok(EntryKind::File),
            Some(rest) if rest.starts_with('/') => Ok(EntryKind::Directory),
            _ => Self::fault(),
        }
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, FileFault> {
        if path == CONFIG { Ok(self.0.clone().into_bytes()) } else { Self::fault() }
    }
    fn stamp(&self, path: &str) -> Result<FileStamp, FileFault> {
        let size = self.0.len() as u64;
        if path == CONFIG { Ok(FileStamp { device: 1, inode: 1, size, modified_ns: 1, changed_ns: 1 }) } else { Self::fault() }
    }
    fn list(&self, _: &str) -> Result<Vec<String>, FileFault> {
        Self::fault()
    }
}

/// Later is stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Allow,
    Ask,
    Deny,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// A case with what of it may be milder.
struct Line {
    case: Case,
    /// Units that we read otherwise: their text restricts only where a rule names it (RES-14, RES-44).
    rewritten: Vec<String>,
    /// Paths that we do not list (HARD-020, BASH-D17, BASH-D22).
    gone: Vec<String>,
}

impl Line {
    fn of(case: Case) -> Self {
        let (mut rewritten, mut gone) = (Vec::new(), Vec::new());
        let differences = compare(&case);
        let says = |field: &str, changes: &[&str], text: &str| {
            let text = as_listed(text, CWD);
            differences.iter().any(|(_, at, change, what, _)| {
                at == field && changes.contains(&change.as_str()) && (*what == text || what.starts_with(&format!("{text} -> ")))
            })
        };
        for (text, ..) in case.units.iter().flatten() {
            if says("units", &["changed", "missing"], text) {
                rewritten.push(text.clone());
            }
        }
        let tokens = case.tokens.iter().flatten().map(|(token, _)| ("path_tokens", token));
        for (field, text) in case.external.iter().flatten().map(|path| ("external_paths", path)).chain(tokens) {
            if says(field, &["missing"], text) {
                gone.push(text.clone());
            }
        }
        Self { case, rewritten, gone }
    }

    /// Whether another line may stand behind it, and it inside a subshell, without a change of what it is.
    fn is_closed(&self) -> bool {
        let text = &self.case.command;
        let changes_directory = ["cd", "pushd", "popd", "CDPATH"].iter().any(|word| text.contains(word));
        !changes_directory && !text.contains(['\n', '\\', '#']) && !text.contains("<<") && self.is_whole()
    }

    /// Broken lines have another tree in another place.
    fn is_whole(&self) -> bool {
        crate::case::analyse(&self.case).units.iter().all(|unit| !unit.floors.iter().any(|floor| floor.requirement == "HARD-004"))
    }
}

/// The lines on this platform whose analysis hangs on nothing but the line.
static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| {
    let cases = std::fs::read_to_string(CASES).expect("the case file");
    let cases = cases.lines().filter(|line| !line.contains("\"promote\"") && line.contains("\"posix\"")).map(read_case);
    cases.filter(|case| case.normalizer.cwd() == CWD).map(Line::of).collect()
});

/// Those that may stand beside others.
static CLOSED: LazyLock<Vec<usize>> = LazyLock::new(|| {
    let closed = |line: &Line| line.case.workdir.is_none() && line.is_closed();
    LINES.iter().enumerate().filter(|(_, line)| closed(line)).map(|(at, _)| at).collect()
});

struct Rule {
    surface: &'static str,
    text: String,
    pattern: Pattern,
    state: State,
}

struct Policy {
    default: State,
    rules: Vec<Rule>,
}

impl Policy {
    fn text(&self) -> String {
        let mut permission = Map::new();
        permission.insert("*".into(), json!(self.default.word()));
        for rule in &self.rules {
            let surface = permission.entry(rule.surface).or_insert_with(|| json!({}));
            surface[&rule.text] = json!(rule.state.word());
        }
        json!({ "permission": permission, "shellTools": { "run": { "commandArgument": "c", "workdirArgument": "d" } } })
            .to_string()
    }

    fn last(&self, surface: &str, values: &[String]) -> Option<&Rule> {
        self.rules.iter().rev().find(|rule| rule.surface == surface && values.iter().any(|value| rule.pattern.matches(value)))
    }

    /// The package's answer for one line (CMD-027, CMD-028, WRAP-010, EXT-016, EXT-017).
    fn package(&self, line: &Line) -> State {
        self.units(line).unwrap_or_else(|| self.nothing(&line.case.command)).max(self.paths(line))
    }

    /// Its answer for several lines in one command: what has no unit of its own asks nothing beside one that has (CMD-025).
    fn package_of_all(&self, lines: &[&Line], command: &str) -> State {
        let units = lines.iter().filter_map(|line| self.units(line)).max();
        let paths = lines.iter().map(|line| self.paths(line));
        paths.fold(units.unwrap_or_else(|| self.nothing(command)), State::max)
    }

    fn units(&self, line: &Line) -> Option<State> {
        line.case.units.iter().flatten().map(|unit| self.unit(unit, line)).max()
    }

    fn paths(&self, line: &Line) -> State {
        let mut state = State::Allow;
        let tokens = || line.case.tokens.iter().flatten().filter(|(token, _)| !line.gone.contains(token));
        for path in line.case.external.iter().flatten().filter(|path| !line.gone.contains(path)) {
            let values = tokens().find(|(_, values)| values.first() == Some(path)).map(|(_, values)| values.clone());
            let rule = self.last("external_directory", &values.unwrap_or_else(|| vec![path.clone()]));
            state = state.max(rule.map_or(self.default, |rule| rule.state));
        }
        tokens().filter_map(|(_, values)| self.last("path", values)).fold(state, |state, rule| state.max(rule.state))
    }

    fn unit(&self, (text, _, wrapper): &crate::case::Unit, line: &Line) -> State {
        let stripped = strip_comment_lines(text);
        let value = if stripped.is_empty() { text.clone() } else { stripped };
        let rule = self.last("bash", &[value]);
        let state = rule.map_or(self.default, |rule| rule.state);
        if line.rewritten.contains(text) {
            let named = rule.is_some_and(|rule| rule.text.chars().any(|c| c != '*'));
            return if named { state } else { State::Allow };
        }
        if wrapper.is_some() { state.max(State::Ask) } else { state }
    }

    /// CMD-025: no unit. A comment is judged as it stands, everything else asks.
    fn nothing(&self, command: &str) -> State {
        let trivial = command.split('\n').all(|line| line.trim().is_empty() || line.trim().starts_with('#'));
        let rule = self.last("bash", &[command.to_owned()]);
        if trivial { rule.map_or(self.default, |rule| rule.state) } else { State::Ask }
    }

    fn gate(&self) -> FakeHost {
        let files = Arc::new(OnePolicy(self.text()));
        let builder = FakeHostBuilder::new(CWD, HOME).platform(Platform::Posix, files, Arc::new(SystemFileStore));
        let tools = ["bash", "run"].iter().map(|name| Value::from(*name)).collect();
        builder.tools(tools).ui(Vec::new()).build()
    }
}

/// Our answer: nobody answers a question, so it shows as a dialog.
fn ours(gate: &FakeHost, command: &str, workdir: Option<&str>) -> State {
    gate.journal.take();
    let answer = match workdir {
        None => gate.tool_call("bash", json!({ "command": command }), "c"),
        Some(workdir) => gate.tool_call("run", json!({ "c": command, "d": workdir }), "c"),
    };
    match (answer, gate.journal.dialogs().len()) {
        (ToolCallAnswer::Allow, _) => State::Allow,
        (ToolCallAnswer::Block { .. }, 0) => State::Deny,
        (ToolCallAnswer::Block { .. }, _) => State::Ask,
    }
}

fn state() -> impl Strategy<Value = State> {
    prop_oneof![Just(State::Allow), Just(State::Ask), Just(State::Deny)]
}

/// A rule about something that one of these lines holds, or about everything.
fn rule(surface: &'static str) -> impl Strategy<Value = (&'static str, Index, Index, u8, State)> {
    (Just(surface), any::<Index>(), any::<Index>(), 0u8..6, state())
}

fn text_of(surface: &str, line: &Line, which: Index, shape: u8) -> String {
    let own = |texts: Vec<&String>| if texts.is_empty() { "*".to_owned() } else { texts[which.index(texts.len())].clone() };
    let text = match surface {
        "bash" => own(line.case.units.iter().flatten().map(|(text, ..)| text).collect()),
        "path" => own(line.case.tokens.iter().flatten().flat_map(|(_, values)| values).collect()),
        _ => own(line.case.external.iter().flatten().collect()),
    };
    let head = text.split([' ', '\n']).next().unwrap_or_default().to_owned();
    let parent = text.rsplit_once('/').map_or("*".to_owned(), |(parent, _)| format!("{parent}/*"));
    let name = format!("*{}", text.rsplit('/').next().unwrap_or_default());
    match (surface, shape) {
        (_, 0) => "*".to_owned(),
        ("bash", 1 | 2) => format!("{head} *"),
        ("bash", 3) => format!("*{head}*"),
        (_, 1) => parent,
        (_, 2) => name,
        (_, 3) => format!("{}*", text.chars().take(3).collect::<String>()),
        _ => text,
    }
}

fn policy(default: State, parts: &[(&'static str, Index, Index, u8, State)], lines: &[&Line]) -> Policy {
    let options = MatchOptions { platform: Platform::Posix, home: Some(HOME.to_owned()) };
    let mut rules: Vec<Rule> = Vec::new();
    for (surface, line, which, shape, state) in parts {
        let text = text_of(surface, lines[line.index(lines.len())], *which, *shape);
        // A key twice is an error of the file (HARD-061); the package's own file tools keep `#`, an empty key means nothing.
        if text.is_empty() || rules.iter().any(|rule| rule.surface == *surface && rule.text == text) {
            continue;
        }
        let pattern = Pattern::compile(&text, &options, Fold::Exact, WithoutHome::MatchNothing);
        rules.push(Rule { surface, text, pattern, state: *state });
    }
    // A surface stands once in a file, so its rules stand together; the order inside is kept.
    rules.sort_by_key(|rule| rule.surface);
    Policy { default, rules }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn never_milder_than_the_package(
        default in state(),
        parts in prop::collection::vec(prop_oneof![4 => rule("bash"), 2 => rule("path"), 2 => rule("external_directory")], 0..8),
        picked in prop::collection::vec(any::<Index>(), 1..6),
        joined in prop::collection::vec(any::<Index>(), 2..4),
        glue in prop::sample::select(vec!["; ", "\n", " && ", " || "]),
        nest in 0u8..3,
    ) {
        let picked: Vec<&Line> = picked.iter().map(|at| &LINES[at.index(LINES.len())]).collect();
        let joined: Vec<&Line> = joined.iter().map(|at| &LINES[CLOSED[at.index(CLOSED.len())]]).collect();
        let all: Vec<&Line> = picked.iter().chain(&joined).copied().collect();
        let policy = policy(default, &parts, &all);
        let gate = policy.gate();
        for line in &picked {
            let (package, ours) = (policy.package(line), ours(&gate, &line.case.command, line.case.workdir.as_deref()));
            prop_assert!(ours >= package, "{} {:?}: {ours:?} where the package says {package:?}\n{}", line.case.id, line.case.command, policy.text());
        }
        // The same lines beside each other: each keeps its units and paths (bash.md, invariants 3 and 4).
        let parts: Vec<&str> = joined.iter().map(|line| line.case.command.trim_end_matches([' ', ';', '&'])).collect();
        let chain = parts.join(glue);
        let command = match nest {
            0 => chain,
            1 => format!("(\n{chain}\n)"),
            _ => format!("echo $(\n{chain}\n)"),
        };
        let package = policy.package_of_all(&joined, &command);
        let ours = ours(&gate, &command, None);
        prop_assert!(ours >= package, "{command:?}: {ours:?} where the package says {package:?}\n{}", policy.text());
    }
}

#[test]
fn the_law_has_something_to_hold_on() {
    assert!(LINES.len() > 1_150 && CLOSED.len() > 400, "{} lines, {} of them closed", LINES.len(), CLOSED.len());
    let milder: usize = LINES.iter().map(|line| line.rewritten.len() + line.gone.len()).sum();
    assert!(milder < 120, "{milder} units and paths are left out");
    let deny = Policy { default: State::Allow, rules: Vec::new() };
    let gate = deny.gate();
    assert_eq!(ours(&gate, "git status", None), State::Allow);
    assert_eq!(ours(&gate, "sudo ls", None), State::Ask);
}
