//! Faults in how a command line is taken apart: parts of it are hidden from the gate, or cut out. What is hidden is a word to it, and
//! comes back in what it says.

use std::ops::Range;

use serde_json::Value;

use super::policy_text::retell;
use super::varied::Variation;
use crate::implementation::{InProcess, Observation, StepRequest};

/// What becomes of the parts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Parts {
    /// Each is one word that means nothing.
    Hidden,
    /// They are gone.
    Cut,
}

/// A gate that is blind to parts of a command line.
pub(super) struct Blind {
    find: fn(&str) -> Vec<Range<usize>>,
    parts: Parts,
    words: Vec<(String, String)>,
}

/// A variation that hides or cuts what `find` finds.
pub(super) fn blind(find: fn(&str) -> Vec<Range<usize>>, parts: Parts) -> Box<dyn Variation> {
    Box::new(Blind { find, parts, words: Vec::new() })
}

impl Variation for Blind {
    fn told(&mut self, request: &mut StepRequest) {
        let StepRequest::ToolCall { event, .. } = request else { return };
        let is_shell = event.get("toolName").and_then(Value::as_str) == Some("bash");
        let Some(Value::String(command)) = event.pointer_mut("/input/command").filter(|_| is_shell) else { return };
        let mut text = String::new();
        let mut from = 0;
        for part in (self.find)(command) {
            if part.start < from || part.is_empty() {
                continue;
            }
            text.push_str(command.get(from..part.start).unwrap_or_default());
            if self.parts == Parts::Hidden {
                let word = format!("hidden{}part", self.words.len());
                text.push_str(&word);
                self.words.push((word, command.get(part.clone()).unwrap_or_default().to_owned()));
            }
            from = part.end;
        }
        text.push_str(command.get(from..).unwrap_or_default());
        *command = text;
    }

    fn seen(&mut self, _: &StepRequest, seen: &mut Observation, _: &InProcess) {
        if !self.words.is_empty() {
            retell(seen, &self.words);
        }
    }
}

/// The letters that stand in no quotes and behind no backslash.
fn bare(text: &str) -> Vec<(usize, char)> {
    let mut quote = None;
    let mut escaped = false;
    let mut found = Vec::new();
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, _) => found.push((at, letter)),
        }
    }
    found
}

/// `&&`, `||`, `;`, `|`, `&` between commands; those of redirections are none.
pub(super) fn separators(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, letter) in bare(text) {
        let beside =
            |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at)).is_some_and(|byte| matches!(byte, b'<' | b'>'));
        if !matches!(letter, '&' | '|' | ';') || beside(at.checked_sub(1)) || beside(Some(at + 1)) {
            continue;
        }
        match found.last_mut() {
            Some(last) if last.end == at => last.end = at + 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

/// Everything behind the first command.
pub(super) fn behind_the_first(text: &str) -> Vec<Range<usize>> {
    separators(text).first().map(|first| first.start..text.len()).into_iter().collect()
}

/// `$(…)`, `<(…)`, `>(…)`.
pub(super) fn substitutions(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = ["$(", "<(", ">("].iter().filter_map(|open| text.get(at..)?.find(open)).min().map(|next| at + next) {
        let mut depth = 0_usize;
        let end = text.get(start..).unwrap_or_default().char_indices().find_map(|(offset, letter)| {
            depth = if letter == '(' { depth + 1 } else { depth };
            depth = if letter == ')' { depth.saturating_sub(1) } else { depth };
            (letter == ')' && depth == 0).then_some(start + offset + 1)
        });
        at = end.unwrap_or(text.len());
        found.push(start..at);
    }
    found
}

/// A line that begins a loop, a condition, a group or a function: the whole of it.
pub(super) fn control_flow(text: &str) -> Vec<Range<usize>> {
    const BEGINNINGS: [&str; 10] = ["for ", "while ", "until ", "if ", "case ", "{ ", "! ", "f() ", "select ", "coproc "];
    let begins = BEGINNINGS.iter().any(|word| text.trim_start().starts_with(word));
    begins.then_some(0..text.len()).into_iter().collect()
}

/// Redirections with their targets, but for here-documents and here-strings.
pub(super) fn redirections(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, letter) in bare(text) {
        let rest = text.get(at + 1..).unwrap_or_default();
        let inside = found.last().is_some_and(|last| last.end > at);
        if !matches!(letter, '<' | '>')
            || inside
            || rest.starts_with(['(', '<'])
            || text.get(..at).is_some_and(|head| head.ends_with('<'))
        {
            continue;
        }
        let head = text.get(..at).unwrap_or_default();
        let start = head.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '&').len();
        let target = rest.trim_start_matches(['>', '|', '&']).trim_start_matches(' ');
        let length = target.find([' ', ';', '|', '&', '\n', ')']).unwrap_or(target.len());
        found.push(start..text.len() - target.len() + length);
    }
    found
}

/// The bodies of here-documents; their last lines stay.
pub(super) fn bodies(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let Some(open) = text.find("<<") else { return found };
    let word: String = text
        .get(open + 2..)
        .unwrap_or_default()
        .trim_start_matches(['-', '\'', '"', '\\'])
        .chars()
        .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
        .collect();
    let Some(start) = text.get(open..).and_then(|rest| rest.find('\n')).map(|next| open + next + 1) else { return found };
    let end = text.get(start..).and_then(|rest| rest.find(&word)).map(|next| start + next);
    if let Some(end) = end.filter(|_| !word.is_empty()) {
        found.push(start..end);
    }
    found
}

/// A `cd` in front of the rest.
pub(super) fn leading_cd(text: &str) -> Vec<Range<usize>> {
    let head = text.trim_start();
    if !head.starts_with("cd ") {
        return Vec::new();
    }
    separators(text).first().map(|first| 0..first.end).into_iter().collect()
}

/// A command word that is spelt with quotes or backslashes.
pub(super) fn quoted_command(text: &str) -> Vec<Range<usize>> {
    let end = text.find(' ').unwrap_or(text.len());
    let word = text.get(..end).unwrap_or_default();
    word.contains(['\'', '"', '\\']).then_some(0..end).into_iter().collect()
}

/// Options that carry a value behind an equals sign.
pub(super) fn glued_options(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    for word in text.split(' ') {
        if word.starts_with('-') && word.contains('=') {
            found.push(at..at + word.len());
        }
        at += word.len() + 1;
    }
    found
}

const WRAPPERS: [&str; 18] = [
    "sudo", "env", "xargs", "nohup", "timeout", "nice", "time", "doas", "setsid", "eval", "bash", "sh", "zsh", "command", "exec",
    "find", "watch", "su",
];

/// A gate to which no program runs another. They bear other names inside it, in commands and in patterns.
pub(super) struct Unwrapped;

const OTHER: &str = "un-";

fn renamed(text: &str) -> String {
    let word = |word: &str| if WRAPPERS.contains(&word) { format!("{OTHER}{word}") } else { word.to_owned() };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// The same in the patterns of a policy.
pub(super) fn renamed_patterns(text: &str) -> Option<String> {
    super::policy_text::surfaces(text, |surfaces| {
        if let Some(Value::Object(map)) = surfaces.get_mut("bash") {
            *map = std::mem::take(map).into_iter().map(|(pattern, state)| (renamed(&pattern), state)).collect();
        }
    })
}

impl Variation for Unwrapped {
    fn host(&self) -> fn(&crate::implementation::World, &mut portcullis_core::composition::Host) {
        |_, host| super::policy_text::read_through(host, renamed_patterns)
    }

    fn told(&mut self, request: &mut StepRequest) {
        let StepRequest::ToolCall { event, .. } = request else { return };
        if event.get("toolName").and_then(Value::as_str) == Some("bash")
            && let Some(Value::String(command)) = event.pointer_mut("/input/command")
        {
            *command = renamed(command);
        }
    }

    fn seen(&mut self, _: &StepRequest, seen: &mut Observation, _: &InProcess) {
        let words = WRAPPERS.map(|word| (format!("{OTHER}{word}"), word.to_owned()));
        retell(seen, &words);
    }
}
