//! The package's analysis of 1,277 command lines against ours (docs/spec/README.md, section 8).
//!
//! Every difference stands in `bash_cases_differences.txt` beside this file: case, field, change, what, requirement, words.
//! After a change of the analysis run the test with `PORTCULLIS_REWRITE_DIFFERENCES=1` and read the diff of that file.

#![expect(clippy::expect_used, clippy::indexing_slicing, clippy::string_slice, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use portcullis_core::access::path::{Base, PathFacts, PathNormalizer, WordResolver};
use portcullis_core::access::shell::{BashProgram, PathWord, ShellFacts, ShellUnit};
use portcullis_core::host::{EntryKind, FileFault, FileFaultKind, FileStamp, FileView, Platform};
use serde_json::Value;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/spec/bash-cases.jsonl");
const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bash_cases_differences.txt");

/// A unit, path or token may be missing by these only: they remove or rewrite.
const MAY_BE_MISSING: &[&str] = &["HARD-003", "HARD-020", "BASH-D04", "BASH-D05", "BASH-D17", "BASH-D22"];

/// A file system in which nothing is a link and nothing exists.
struct Nothing;

impl Nothing {
    fn fault<T>() -> Result<T, FileFault> {
        Err(FileFault { kind: FileFaultKind::NotFound, message: "nothing exists here".to_owned() })
    }
}

impl FileView for Nothing {
    fn entry(&self, _: &str) -> Result<EntryKind, FileFault> {
        Self::fault()
    }
    fn read(&self, _: &str) -> Result<Vec<u8>, FileFault> {
        Self::fault()
    }
    fn stamp(&self, _: &str) -> Result<FileStamp, FileFault> {
        Self::fault()
    }
    fn list(&self, _: &str) -> Result<Vec<String>, FileFault> {
        Self::fault()
    }
}

/// One case of the file.
struct Case {
    id: String,
    command: String,
    workdir: Option<String>,
    normalizer: PathNormalizer,
    promote: Vec<String>,
    units: Vec<(String, Option<String>, Option<String>)>,
    external: Vec<String>,
    tokens: Vec<(String, Vec<String>)>,
}

impl Case {
    /// Case does not count on Windows.
    fn fold(&self, text: &str) -> String {
        if self.normalizer.platform() == Platform::Windows { text.to_lowercase() } else { text.to_owned() }
    }
}

fn text(value: &Value, key: &str) -> Option<String> {
    value[key].as_str().map(str::to_owned)
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

fn read_case(line: &str) -> Case {
    let case: Value = serde_json::from_str(line).expect("a case is JSON");
    let home = text(&case, "home").expect("home");
    let platform = if case["platform"] == "win32" { Platform::Windows } else { Platform::Posix };
    let items = |key: &str| case[key].as_array().cloned().unwrap_or_default();
    Case {
        id: text(&case, "id").expect("id"),
        command: text(&case, "command").expect("command"),
        workdir: text(&case, "workdir"),
        normalizer: PathNormalizer::new(PathFacts {
            cwd: text(&case, "cwd").expect("cwd"),
            agent_dir: format!("{home}/.pi/agent"),
            home: Some(home),
            extension_root: None,
            platform,
            files: Arc::new(Nothing),
        }),
        promote: texts(&case["promote"]),
        units: items("units")
            .iter()
            .map(|unit| (text(unit, "text").expect("text"), text(unit, "context"), text(unit, "wrapper")))
            .collect(),
        external: texts(&case["external_paths"]),
        tokens: items("path_tokens").iter().map(|t| (text(t, "token").expect("token"), texts(&t["values"]))).collect(),
    }
}

/// `*` and `?` over the whole text: enough for the patterns of the file.
fn matches(pattern: &str, value: &str) -> bool {
    match pattern.chars().next() {
        None => value.is_empty(),
        Some('*') => (0..=value.len()).filter_map(|at| value.get(at..)).any(|rest| matches(&pattern[1..], rest)),
        Some(c) => value
            .chars()
            .next()
            .is_some_and(|v| (c == '?' || c == v) && matches(&pattern[c.len_utf8()..], &value[v.len_utf8()..])),
    }
}

fn analyse(case: &Case) -> BashProgram {
    let facts = ShellFacts {
        resolver: &case.normalizer,
        is_promotable: &|token| case.promote.iter().any(|pattern| matches(&case.fold(pattern), &case.fold(token))),
        could_hit_absolute: &|_| false,
        out_of_time: &|| false,
    };
    BashProgram::parse(&case.command, case.workdir.as_deref(), &facts).expect("the grammar loads")
}

fn context_of(unit: &ShellUnit) -> Option<String> {
    unit.context.map(|context| context.as_str().to_owned())
}

fn wrapper_of(unit: &ShellUnit) -> Option<String> {
    unit.wrapper.map(|kind| serde_json::to_value(kind).expect("a word").as_str().expect("a word").to_owned())
}

/// One line of the list.
type Difference = (String, String, String, String, String);

struct Differences<'c> {
    id: &'c str,
    /// The case's own working directory, written as `${CWD}` in the list.
    cwd: &'c str,
    out: Vec<Difference>,
}

impl Differences<'_> {
    fn add(&mut self, field: &str, change: &str, what: &str, requirement: Option<&str>) {
        let what = what.replace(self.cwd, "${CWD}").escape_debug().to_string();
        let requirement = requirement.unwrap_or("UNEXPLAINED").to_owned();
        self.out.push((self.id.to_owned(), field.to_owned(), change.to_owned(), what, requirement));
    }
}

fn compare(case: &Case) -> Vec<Difference> {
    let program = analyse(case);
    let mut out = Differences { id: &case.id, cwd: case.normalizer.cwd(), out: Vec::new() };
    compare_units(case, &program, &mut out);
    compare_external(case, &program, &mut out);
    compare_tokens(case, &program, &mut out);
    let mut floors: Vec<_> = program.units.iter().flat_map(|unit| &unit.floors).collect();
    floors.extend(program.paths.iter().flat_map(|path| &path.floors));
    let mut seen = Vec::new();
    for floor in floors.into_iter().filter(|floor| !floor.baseline) {
        if !seen.contains(&(floor.kind, floor.requirement)) {
            seen.push((floor.kind, floor.requirement));
            out.add("floors", "added", floor.kind.as_str(), Some(floor.requirement));
        }
    }
    out.out
}

fn compare_units(case: &Case, program: &BashProgram, out: &mut Differences<'_>) {
    let mut left: Vec<&ShellUnit> = program.units.iter().collect();
    for (text, context, wrapper) in &case.units {
        let exact =
            left.iter().position(|unit| unit.text == *text && context_of(unit) == *context && unit.introduced_by.is_none());
        let near = exact.or_else(|| left.iter().position(|unit| unit.text == *text && !unit.restrict_only));
        if let Some(at) = near {
            let unit = left.remove(at);
            if context_of(unit) != *context {
                out.add("units", "changed", &format!("context of {text}"), unit.introduced_by.or(Some("HARD-001")));
            }
            if wrapper_of(unit) != *wrapper {
                let requirement =
                    unit.floors.iter().find(|floor| floor.kind.as_str().ends_with("wrapper>")).map(|floor| floor.requirement);
                out.add("units", "changed", &format!("wrapper of {text}"), requirement.or(Some("HARD-003")));
            }
            continue;
        }
        let spelled = left.iter().position(|unit| unit.spellings.iter().any(|(other, by)| other == text && *by == "HARD-003"));
        match spelled {
            Some(at) => {
                let unit = left.remove(at);
                out.add("units", "changed", &format!("{text} -> {}", unit.text), Some("HARD-003"));
            }
            None => out.add("units", "missing", text, missing_unit(text, program)),
        }
    }
    for unit in left {
        out.add("units", "added", &unit.text, unit.introduced_by);
    }
}

/// A unit that is gone was cut at a line break before a backslash, or is a redirection's rest.
fn missing_unit(text: &str, program: &BashProgram) -> Option<&'static str> {
    if text.contains("\n\\") || text.contains("\n") && program.units.iter().any(|unit| unit.introduced_by == Some("BASH-D04")) {
        return Some("BASH-D04");
    }
    None
}

fn boundary(program: &BashProgram) -> impl Iterator<Item = &PathWord> {
    program.paths.iter().filter(|word| word.boundary && word.path.outside)
}

/// The value the package would list: under an unknown base as if the word stood in the session directory (EXT-006).
fn listed(word: &PathWord) -> &str {
    word.path.assumed.first().unwrap_or(&word.path.lexical)
}

fn compare_external(case: &Case, program: &BashProgram, out: &mut Differences<'_>) {
    let mut done: Vec<&str> = Vec::new();
    for path in &case.external {
        if boundary(program).any(|word| listed(word) == path || word.path.lexical == *path) {
            done.push(path);
        } else if boundary(program).any(|word| word.token == *path) {
            done.extend(boundary(program).filter(|word| word.token == *path).map(listed));
            out.add("external_paths", "changed", path, Some("GATES-D07"));
        } else {
            out.add("external_paths", "missing", path, missing_path(case, path));
        }
    }
    for word in boundary(program) {
        let shown = listed(word);
        if !done.contains(&shown) && !done.contains(&word.path.lexical.as_str()) {
            done.push(shown);
            out.add("external_paths", "added", shown, word.boundary_by.or(word.path.outside_by));
        }
    }
}

/// Why a path may be gone: a pattern that the package took for a file, the words of a cut line, `~` in a workdir.
fn missing_path(case: &Case, path: &str) -> Option<&'static str> {
    const PATTERN_FIRST: &[&str] = &["grep", "sed", "awk", "rg", "sd", "node", "python", "perl", "ruby"];
    if path.starts_with("/dev/std") {
        return Some("BASH-D17");
    }
    if case.workdir.as_deref().is_some_and(|dir| dir.starts_with('~')) {
        return Some("BASH-D22");
    }
    if case.command.contains("\n\\") {
        return Some("BASH-D04");
    }
    PATTERN_FIRST.iter().any(|name| case.command.contains(name)).then_some("HARD-020")
}

fn all_values(word: &PathWord) -> Vec<&str> {
    let further = word.path.further.iter().map(|(text, _)| text.as_str());
    word.path.values.iter().map(String::as_str).chain(further).chain([word.path.typed.as_str()]).collect()
}

fn compare_tokens(case: &Case, program: &BashProgram, out: &mut Differences<'_>) {
    let candidates: Vec<&PathWord> = program.paths.iter().filter(|word| word.rule_candidate).collect();
    let mut used = vec![false; candidates.len()];
    for (token, values) in &case.tokens {
        let same_values = |word: &PathWord| values.iter().all(|value| all_values(word).contains(&value.as_str()));
        let exact = candidates.iter().position(|word| word.token == *token && same_values(word));
        let close = exact.or_else(|| candidates.iter().position(|word| same_values(word)));
        match close.or_else(|| candidates.iter().position(|word| word.token == *token)) {
            Some(at) => {
                used[at] = true;
                if close.is_none() {
                    let by = candidates[at].candidate_by.or(candidates[at].path.outside_by).or(Some("HARD-023"));
                    out.add("path_tokens", "changed", token, by);
                }
            }
            None if token.contains("${HOME}") => out.add("path_tokens", "changed", token, Some("HARD-018")),
            None => out.add("path_tokens", "missing", token, missing_path(case, token)),
        }
    }
    for (word, _) in candidates.iter().zip(used).filter(|(_, used)| !used) {
        let same_token = case.tokens.iter().any(|(token, _)| *token == word.token);
        let by = word.candidate_by.or(if same_token { Some("RES-52") } else { None });
        out.add("path_tokens", "added", &format!("{} {}", word.token, word.path.lexical), by);
    }
}

fn words_for(requirement: &str) -> &'static str {
    match requirement {
        "HARD-001" => "every executing position is a unit",
        "HARD-002" => "executions hosted in redirects and here-documents",
        "HARD-003" => "words and commands around a redirection or here-document",
        "HARD-004" => "an unresolved parse asks and is salvaged",
        "BASH-D07" => "the action of a trap, for restriction",
        "BASH-D04" => "a line that begins with a backslash is a statement",
        "HARD-005" => "a redirection alone is a unit beside others",
        "BASH-D10" => "resolved against its base, not judged by its looks",
        "BASH-D17" => "a standard stream is judged by its name",
        "BASH-D22" => "a workdir is expanded once",
        "HARD-015" => "a bare name that exists",
        "HARD-016" => "a redirect target by its role",
        "HARD-017" => "a value inside an option",
        "HARD-018" => "home and working directory references",
        "HARD-019" => "globs and brace lists are shell syntax",
        "HARD-020" => "pattern-first commands keep their operands",
        "HARD-021" => "operands of statements",
        "HARD-022" => "operands of hosted executions in every position",
        "HARD-023" => "an unknown directory is not a safe one",
        "HARD-027" => "compared by value",
        "HARD-031" => "the command behind a wrapper, for restriction",
        "HARD-032" => "a wider wrapper vocabulary",
        "HARD-033" => "a program that arrives as data",
        "HARD-034" => "a computed word may be any word",
        "HARD-057" => "an option that writes or launches",
        "HARD-059" => "a variable that loads code",
        "HARD-060" => "a computed command word",
        "RES-52" => "a cd that may fail leaves both directories possible",
        _ => "",
    }
}

fn render(differences: &[Difference]) -> String {
    let mut out = String::from("# case\tfield\tchange\twhat\trequirement\twords; regenerate as bash_cases.rs says\n");
    for (id, field, change, what, requirement) in differences {
        let _ = writeln!(out, "{id}\t{field}\t{change}\t{what}\t{requirement}\t{}", words_for(requirement));
    }
    out
}

#[test]
fn every_difference_from_the_package_is_listed() {
    let cases = std::fs::read_to_string(CASES).expect("the case file");
    let differences: Vec<Difference> = cases.lines().map(read_case).flat_map(|case| compare(&case)).collect();
    let rendered = render(&differences);
    if std::env::var_os("PORTCULLIS_REWRITE_DIFFERENCES").is_some() {
        std::fs::write(LIST, &rendered).expect("the list is writable");
    }
    let bad: Vec<_> = differences
        .iter()
        .filter(|(_, _, change, _, requirement)| {
            requirement == "UNEXPLAINED" || change == "missing" && !MAY_BE_MISSING.contains(&requirement.as_str())
        })
        .collect();
    let listed = std::fs::read_to_string(LIST).unwrap_or_default();
    let mut balance: BTreeMap<&str, i64> = BTreeMap::new();
    for line in rendered.lines() {
        *balance.entry(line).or_default() += 1;
    }
    for line in listed.lines() {
        *balance.entry(line).or_default() -= 1;
    }
    let unlisted: Vec<_> = balance.iter().filter(|(_, n)| **n > 0).map(|(line, _)| line).collect();
    let stale: Vec<_> = balance.iter().filter(|(_, n)| **n < 0).map(|(line, _)| line).collect();
    assert!(
        bad.is_empty() && unlisted.is_empty() && stale.is_empty(),
        "{} without a requirement or missing without one that removes: {bad:#?}\n{} unlisted: {unlisted:#?}\n{} stale: {stale:#?}",
        bad.len(),
        unlisted.len(),
        stale.len()
    );
}

#[test]
fn analysis_is_the_same_twice() {
    let cases = std::fs::read_to_string(CASES).expect("the case file");
    for case in cases.lines().map(read_case).step_by(7) {
        assert_eq!(analyse(&case), analyse(&case), "{}", case.id);
    }
}

#[test]
fn the_resolver_stands_in_for_the_package() {
    let cases = std::fs::read_to_string(CASES).expect("the case file");
    let case = read_case(cases.lines().next().expect("a case"));
    let base = Base::Known(case.normalizer.cwd().to_owned());
    assert!(case.normalizer.resolve_word("src/a", &base).is_some_and(|path| !path.exists && !path.outside));
}
