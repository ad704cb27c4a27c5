//! The answer as JSON: the fields of docs/spec/bash-cases.jsonl under their names, and what we know beyond them.

use portcullis_core::access::shell::{BashProgram, CandidateKind, PathWord, ShellUnit, WrapperKind};
use portcullis_core::policy::{Direction, Floor, UnitContext};
use serde::Serialize;

use super::request::Request;

/// The version of this form. It grows when a field changes its meaning or goes; a new field leaves it.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct Answer<'a> {
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    command: &'a str,
    trivial: bool,
    units: Vec<Unit<'a>>,
    external_paths: Vec<&'a str>,
    path_tokens: Vec<Token<'a>>,
}

#[derive(Serialize)]
struct Unit<'a> {
    text: &'a str,
    context: Option<UnitContext>,
    wrapper: Option<WrapperKind>,
    /// The requirement by which it is a unit, when the npm package lists none here.
    introduced_by: Option<&'a str>,
    restrict_only: bool,
    start: usize,
    spellings: Vec<Spelling<'a>>,
    floors: Vec<Raised<'a>>,
}

#[derive(Serialize)]
struct Spelling<'a> {
    text: &'a str,
    requirement: &'a str,
}

#[derive(Serialize)]
struct Raised<'a> {
    sentinel: &'a str,
    requirement: &'a str,
    baseline: bool,
}

#[derive(Serialize)]
struct Token<'a> {
    token: &'a str,
    values: &'a [String],
    further: Vec<Spelling<'a>>,
    kind: CandidateKind,
    direction: Direction,
    outside: bool,
    unknown_place: bool,
    exists: bool,
    introduced_by: Option<&'a str>,
    floors: Vec<Raised<'a>>,
}

/// The answer to one request.
pub fn answer(request: &Request, program: &BashProgram) -> serde_json::Value {
    let answer = Answer {
        version: VERSION,
        id: request.id.as_deref(),
        command: &program.command,
        trivial: program.trivial,
        units: program.units.iter().map(unit).collect(),
        external_paths: external(program),
        path_tokens: program.paths.iter().filter(|word| word.rule_candidate).map(token).collect(),
    };
    serde_json::to_value(answer).unwrap_or_default()
}

/// The line in place of an answer.
pub fn refusal(line: usize, id: Option<&str>, fault: &str) -> serde_json::Value {
    let mut value = serde_json::json!({ "version": VERSION, "line": line, "error": fault });
    if let (Some(id), Some(fields)) = (id, value.as_object_mut()) {
        fields.insert("id".into(), id.into());
    }
    value
}

fn spellings<'a>(list: &'a [(String, &'static str)]) -> Vec<Spelling<'a>> {
    list.iter().map(|(text, requirement)| Spelling { text, requirement }).collect()
}

fn floors(list: &[Floor]) -> Vec<Raised<'_>> {
    let raised = |floor: &Floor| (floor.kind.as_str(), floor.requirement, floor.baseline);
    list.iter().map(raised).map(|(sentinel, requirement, baseline)| Raised { sentinel, requirement, baseline }).collect()
}

fn unit(unit: &ShellUnit) -> Unit<'_> {
    Unit {
        text: &unit.text,
        context: unit.context,
        wrapper: unit.wrapper,
        introduced_by: unit.introduced_by,
        restrict_only: unit.restrict_only,
        start: unit.start,
        spellings: spellings(&unit.spellings),
        floors: floors(&unit.floors),
    }
}

fn token(word: &PathWord) -> Token<'_> {
    Token {
        token: &word.token,
        values: &word.path.values,
        further: spellings(&word.path.further),
        kind: word.kind,
        direction: word.direction,
        outside: word.boundary && word.path.outside,
        unknown_place: word.path.unknown_place,
        exists: word.path.exists,
        introduced_by: word.candidate_by,
        floors: floors(&word.floors),
    }
}

/// Lexical values once each; a word of an unknown directory as the package shows it, as if it stood in the session directory
/// (EXT-006).
fn external(program: &BashProgram) -> Vec<&str> {
    let mut seen: Vec<&str> = Vec::new();
    let mut shown = Vec::new();
    for word in program.paths.iter().filter(|word| word.boundary && word.path.outside) {
        let value = word.path.assumed.first().unwrap_or(&word.path.lexical);
        let same = if word.path.canonical.is_empty() { value } else { &word.path.canonical };
        if !seen.contains(&same.as_str()) {
            seen.push(same);
            shown.push(value.as_str());
        }
    }
    shown
}
