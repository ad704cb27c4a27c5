//! The analysis against one case, field by field (docs/spec/README.md, section 8).

use portcullis_core::access::path::WordResolver;
use portcullis_core::access::shell::{BashProgram, PathWord, ShellUnit};

use crate::case::{Case, Unit, analyse};

fn context_of(unit: &ShellUnit) -> Option<String> {
    unit.context.map(|context| context.as_str().to_owned())
}

fn wrapper_of(unit: &ShellUnit) -> Option<String> {
    unit.wrapper.map(|kind| serde_json::to_value(kind).expect("a word").as_str().expect("a word").to_owned())
}

/// A text as the list writes it: `${CWD}` is the case's own working directory, `${CWD}/../` what lies beside it.
pub(crate) fn as_listed(text: &str, cwd: &str) -> String {
    let beside = cwd.rfind('/').and_then(|at| cwd.get(..=at)).filter(|parent| parent.len() > 1);
    let text = text.replace(cwd, "${CWD}");
    beside.map_or(text.clone(), |parent| text.replace(parent, "${CWD}/../")).escape_debug().to_string()
}

/// One line of the list.
pub(crate) type Difference = (String, String, String, String, String);

struct Differences<'c> {
    id: &'c str,
    /// The case's own working directory.
    cwd: &'c str,
    out: Vec<Difference>,
}

impl Differences<'_> {
    fn add(&mut self, field: &str, change: &str, what: &str, requirement: Option<&str>) {
        let what = as_listed(what, self.cwd);
        let requirement = requirement.unwrap_or("UNEXPLAINED").to_owned();
        self.out.push((self.id.to_owned(), field.to_owned(), change.to_owned(), what, requirement));
    }
}

pub(crate) fn compare(case: &Case) -> Vec<Difference> {
    let program = analyse(case);
    let mut out = Differences { id: &case.id, cwd: case.normalizer.cwd(), out: Vec::new() };
    if let Some(external) = &case.external {
        compare_external(case, external, &program, &mut out);
    }
    if let Some(tokens) = &case.tokens {
        compare_tokens(case, tokens, &program, &mut out);
    }
    let Some(units) = &case.units else { return out.out };
    let rest = std::mem::take(&mut out.out);
    compare_units(units, &program, &mut out);
    out.out.extend(rest);
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

fn compare_units(units: &[Unit], program: &BashProgram, out: &mut Differences<'_>) {
    let mut left: Vec<&ShellUnit> = program.units.iter().collect();
    for (text, context, wrapper) in units {
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

fn compare_external(case: &Case, external: &[String], program: &BashProgram, out: &mut Differences<'_>) {
    let mut done: Vec<&str> = Vec::new();
    for path in external {
        if boundary(program).any(|word| listed(word) == path || word.path.lexical == *path) {
            done.push(path);
        } else if boundary(program).any(|word| word.token == *path) {
            done.extend(boundary(program).filter(|word| word.token == *path).map(listed));
            out.add("external_paths", "changed", path, Some("GATES-D07"));
        } else {
            out.add("external_paths", "missing", path, missing_path(case, path));
        }
    }
    // EXT-003: two names of one place are one path.
    let same_place = |word: &PathWord| {
        !word.path.canonical.is_empty()
            && boundary(program)
                .any(|other| other.path.canonical == word.path.canonical && external.contains(&other.path.lexical))
    };
    for word in boundary(program).filter(|word| !same_place(word)) {
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

fn compare_tokens(case: &Case, tokens: &[(String, Vec<String>)], program: &BashProgram, out: &mut Differences<'_>) {
    let candidates: Vec<&PathWord> = program.paths.iter().filter(|word| word.rule_candidate).collect();
    let mut used = vec![false; candidates.len()];
    for (token, values) in tokens {
        let same_values = |word: &PathWord| values.iter().all(|value| all_values(word).contains(&value.as_str()));
        let exact = candidates.iter().position(|word| word.token == *token && same_values(word));
        // A line without values names the token alone; a second spelling of one path is no word of its own here.
        let spelled = |word: &&PathWord| all_values(word).contains(&token.as_str());
        let same = |word: &&PathWord| if values.is_empty() { spelled(word) } else { same_values(word) };
        let close = exact.or_else(|| candidates.iter().position(same));
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
        let same_token = tokens.iter().any(|(token, _)| *token == word.token);
        let by = word.candidate_by.or(if same_token { Some("RES-52") } else { None });
        out.add("path_tokens", "added", &format!("{} {}", word.token, word.path.lexical), by);
    }
}
