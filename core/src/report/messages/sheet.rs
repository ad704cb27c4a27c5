//! A prompt as structured facts (HARD-053), and its three views: short, whole, and masked for records.
//!
//! Each fact stands on a line of its own behind a label, and what belongs to it on indented lines below. Facts are escaped, so
//! that no fact can begin a line by itself and pass for another one; the one fact that keeps its line breaks, the command, comes
//! last: everything behind its label is the command.

use crate::report::bounds::{bound_middle, mark_of};
use crate::report::escape::{visible, visible_layout};
use crate::report::masking::mask_text;

/// A message for a person, and the other views of the same facts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskMessage {
    /// What is shown: every fact, long ones abbreviated with a mark.
    pub message: String,
    /// Every fact in full; empty when `message` already is.
    pub full_message: String,
    /// `message` made of masked facts, for R and P.
    pub record_message: String,
}

/// The longest fact on one line of the short view, in characters.
const LINE_LIMIT: usize = 600;
/// The longest command of the short view, in characters.
const COMMAND_LIMIT: usize = 2000;
/// The most lines of a command in the short view.
const COMMAND_LINES: usize = 40;
/// The most facts under one label in the short view.
const LIST_LIMIT: usize = 50;

#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    Short,
    Full,
    Record,
}

/// One fact and what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// The raw fact.
    text: String,
    /// The fact in full, when `text` is already an abbreviation (previews).
    full: Option<String>,
    /// More raw facts, each with its label.
    details: Vec<(&'static str, String)>,
}

impl Item {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), full: None, details: Vec::new() }
    }

    /// The fact in full, where `text` abbreviates it.
    pub(super) fn in_full(mut self, full: Option<String>) -> Self {
        self.full = full;
        self
    }

    pub(super) fn detail(mut self, label: &'static str, text: impl Into<String>) -> Self {
        self.details.push((label, text.into()));
        self
    }

    fn line(&self, view: View) -> String {
        let mut line = match (view, &self.full) {
            (View::Full, Some(full)) => in_view(full, view),
            _ => in_view(&self.text, view),
        };
        for (label, text) in &self.details {
            line.push_str(&format!("\n  {label}: {}", in_view(text, view)));
        }
        line
    }
}

/// The facts of one ask in the order in which they are shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Sheet {
    headline: String,
    facts: Vec<(&'static str, Vec<Item>)>,
    command: Option<String>,
}

impl Sheet {
    /// The first line, a sentence; already escaped.
    pub(super) fn new(headline: String) -> Self {
        Self { headline, facts: Vec::new(), command: None }
    }

    pub(super) fn fact(&mut self, label: &'static str, item: Item) {
        self.facts.push((label, vec![item]));
    }

    pub(super) fn list(&mut self, label: &'static str, items: Vec<Item>) {
        if !items.is_empty() {
            self.facts.push((label, items));
        }
    }

    /// The whole command, shown last.
    pub(super) fn command(&mut self, command: &str) {
        self.command = Some(command.to_owned());
    }

    pub(super) fn finish(&self) -> AskMessage {
        let message = self.render(View::Short);
        let full = self.render(View::Full);
        let full_message = if full == message { String::new() } else { full };
        AskMessage { message, full_message, record_message: self.render(View::Record) }
    }

    fn render(&self, view: View) -> String {
        let mut text = self.headline.clone();
        for (label, items) in &self.facts {
            let shown = if view == View::Full { items.len() } else { LIST_LIMIT };
            for item in items.iter().take(shown) {
                text.push_str(&format!("\n{label}: {}", item.line(view)));
            }
            if items.len() > shown {
                text.push_str(&format!("\n{label}: … [{} more]", items.len() - shown));
            }
        }
        if let Some(command) = &self.command {
            text.push_str(&format!("\nCommand:\n{}", command_in_view(command, view)));
        }
        text
    }
}

fn in_view(text: &str, view: View) -> String {
    match view {
        View::Full => visible(text).into_owned(),
        View::Short => bound_middle(&visible(text), LINE_LIMIT),
        View::Record => bound_middle(&visible(&mask_text(text)), LINE_LIMIT),
    }
}

fn command_in_view(command: &str, view: View) -> String {
    match view {
        View::Full => visible_layout(command).into_owned(),
        View::Short => bound_command(&visible_layout(command)),
        View::Record => bound_command(&visible_layout(&mask_text(command))),
    }
}

/// Few enough lines and characters to leave the other facts on the screen.
fn bound_command(command: &str) -> String {
    bound_lines(command, COMMAND_LINES, COMMAND_LIMIT)
}

/// At most so many lines and characters of an escaped text; head and tail stay.
pub(super) fn bound_lines(text: &str, max_lines: usize, max_chars: usize) -> String {
    let lines = text.split('\n').count();
    if lines <= max_lines {
        return bound_middle(text, max_chars);
    }
    let tail = max_lines / 4;
    let head = max_lines - tail;
    let kept_head = text.split('\n').take(head).collect::<Vec<_>>().join("\n");
    let kept_tail = text.split('\n').skip(lines - tail).collect::<Vec<_>>().join("\n");
    let joined = format!("{kept_head}\n{}\n{kept_tail}", mark_of(lines - head - tail, "line"));
    bound_middle(&joined, max_chars)
}
