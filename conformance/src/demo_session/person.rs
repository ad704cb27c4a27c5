//! The person of a serving session: a list of answers, or somebody who reads and types lines.

use std::io::{BufRead, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use portcullis_core::host::{Choice, HostError, HostResult, ListDialog, NoticeLevel, UserInterface};
use serde_json::json;

use super::{Teller, lock};

/// One answer of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// This call.
    Approve,
    /// This call, and the asking session remembers.
    ForSession,
    /// This call, and this session remembers for all who ask it.
    ForWholeSession,
    /// No, with a reason or without.
    Deny(Option<String>),
    /// No answer.
    Dismiss,
}

impl Answer {
    /// The words of answers; `deny:REASON` gives a reason.
    pub const NAMES: [&'static str; 5] = ["approve", "session", "whole-session", "deny", "dismiss"];

    /// The answer of a word.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "approve" => Some(Self::Approve),
            "session" => Some(Self::ForSession),
            "whole-session" => Some(Self::ForWholeSession),
            "deny" => Some(Self::Deny(None)),
            "dismiss" => Some(Self::Dismiss),
            _ => word.strip_prefix("deny:").map(|reason| Self::Deny(Some(reason.to_owned()))),
        }
    }
}

/// Answers in order; the last one is given again and again. Without any, every dialog is dismissed.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    /// The answers.
    pub list: Vec<Answer>,
    /// How long each takes.
    pub after: Duration,
}

/// Who answers.
pub enum Person {
    /// A list.
    Scripted(Answers),
    /// Somebody who reads the one and types into the other.
    Typing(Arc<Mutex<dyn Lines>>),
}

/// A stream to read lines from and one to show texts on.
pub trait Lines: Send {
    /// One line without its end; `None` when there is none any more.
    fn ask(&mut self, text: &str) -> std::io::Result<Option<String>>;
    /// Shows a text.
    fn show(&mut self, text: &str) -> std::io::Result<()>;
}

impl<R: BufRead + Send, W: Write + Send> Lines for (R, W) {
    fn ask(&mut self, text: &str) -> std::io::Result<Option<String>> {
        write!(self.1, "{text}")?;
        self.1.flush()?;
        let mut line = String::new();
        let read = self.0.read_line(&mut line)?;
        Ok((read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned()))
    }

    fn show(&mut self, text: &str) -> std::io::Result<()> {
        writeln!(self.1, "{text}")?;
        self.1.flush()
    }
}

impl Person {
    /// The person as the gate meets them.
    pub(super) fn interface(&self, tell: &Teller) -> Arc<dyn UserInterface> {
        match self {
            Self::Scripted(answers) => {
                Arc::new(Scripted { answers: answers.clone(), state: Mutex::default(), tell: Arc::clone(tell) })
            }
            Self::Typing(lines) => Arc::new(Typing { lines: Arc::clone(lines) }),
        }
    }
}

struct Scripted {
    answers: Answers,
    state: Mutex<ScriptedState>,
    tell: Teller,
}

#[derive(Default)]
struct ScriptedState {
    given: usize,
    /// The answer of which a second question asks.
    pending: Option<Answer>,
}

impl UserInterface for Scripted {
    fn notify(&self, level: NoticeLevel, text: &str) -> HostResult<()> {
        (self.tell)(&json!({ "event": "notice", "level": format!("{level:?}").to_lowercase(), "text": text }));
        Ok(())
    }

    fn select(&self, dialog: &ListDialog) -> HostResult<Option<Choice>> {
        let offers = |choice| dialog.options.iter().any(|option| option.choice == choice);
        if offers(Choice::RequesterOnly) {
            let whole = lock(&self.state).pending.take() == Some(Answer::ForWholeSession);
            return Ok(Some(if whole { Choice::WholeSession } else { Choice::RequesterOnly }));
        }
        thread::sleep(self.answers.after);
        let mut state = lock(&self.state);
        let last = self.answers.list.len().saturating_sub(1);
        let Some(answer) = self.answers.list.get(state.given.min(last)) else { return Ok(None) };
        state.given = state.given.saturating_add(1);
        state.pending = Some(answer.clone());
        Ok(match answer {
            Answer::Approve => Some(Choice::Approve),
            Answer::ForSession | Answer::ForWholeSession => Some(Choice::ApproveForSession),
            Answer::Deny(None) => Some(Choice::Deny),
            Answer::Deny(Some(_)) => Some(Choice::DenyWithReason),
            Answer::Dismiss => None,
        })
    }

    fn input(&self, _title: &str) -> HostResult<Option<String>> {
        match lock(&self.state).pending.take() {
            Some(Answer::Deny(reason)) => Ok(reason),
            _ => Ok(None),
        }
    }

    fn set_status(&self, _key: &str, _text: Option<&str>) -> HostResult<()> {
        Ok(())
    }
}

/// Somebody at a terminal: the options are shown with their keys, a line is read.
struct Typing {
    lines: Arc<Mutex<dyn Lines>>,
}

/// Shows the complete view of a question.
const FULL_VIEW_KEY: &str = "f";

fn host_error(error: std::io::Error) -> HostError {
    HostError::new(format!("the terminal failed: {error}"))
}

impl UserInterface for Typing {
    fn notify(&self, _level: NoticeLevel, text: &str) -> HostResult<()> {
        lock(&self.lines).show(text).map_err(host_error)
    }

    fn select(&self, dialog: &ListDialog) -> HostResult<Option<Choice>> {
        let mut lines = lock(&self.lines);
        lines.show(&format!("\n{}\n{}\n", dialog.title, dialog.message)).map_err(host_error)?;
        for option in &dialog.options {
            lines.show(&format!("  {}  {}", option.choice.key(), option.label)).map_err(host_error)?;
        }
        if !dialog.full_message.is_empty() {
            lines.show(&format!("  {FULL_VIEW_KEY}  Show everything")).map_err(host_error)?;
        }
        loop {
            let Some(line) = lines.ask("> ").map_err(host_error)? else { return Ok(None) };
            let line = line.trim();
            if line == FULL_VIEW_KEY && !dialog.full_message.is_empty() {
                lines.show(&dialog.full_message).map_err(host_error)?;
                continue;
            }
            let chosen = dialog.options.iter().find(|option| line.chars().eq([option.choice.key()]));
            if let Some(option) = chosen {
                return Ok(Some(option.choice));
            }
            lines.show("Type one of the keys, and Enter.").map_err(host_error)?;
        }
    }

    fn input(&self, title: &str) -> HostResult<Option<String>> {
        lock(&self.lines).ask(&format!("{title} ")).map_err(host_error)
    }

    fn set_status(&self, _key: &str, _text: Option<&str>) -> HostResult<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use portcullis_core::host::DialogOption;
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    fn dialog(choices: &[Choice]) -> ListDialog {
        let option = |choice: &Choice| DialogOption { choice: *choice, label: format!("{choice:?}") };
        ListDialog {
            title: "Title".into(),
            message: "May it?".into(),
            full_message: "all of it".into(),
            options: choices.iter().map(option).collect(),
        }
    }

    const ASK: [Choice; 4] = [Choice::Approve, Choice::ApproveForSession, Choice::Deny, Choice::DenyWithReason];

    #[rstest]
    #[case("y\n", Some(Choice::Approve))]
    #[case("x\nyes\n n \n", Some(Choice::Deny))]
    #[case("f\ns\n", Some(Choice::ApproveForSession))]
    #[case("", None)]
    #[case("x\n", None)]
    fn somebody_who_types(#[case] typed: &str, #[case] expected: Option<Choice>) {
        let lines: Arc<Mutex<dyn Lines>> = Arc::new(Mutex::new((Cursor::new(typed.to_owned()), Vec::new())));
        let tell: Teller = Arc::new(|_| {});
        let person = Person::Typing(lines).interface(&tell);
        assert_eq!(person.select(&dialog(&ASK)), Ok(expected));
    }

    #[test]
    fn answers_come_in_order_and_the_last_one_stays() {
        let list = ["deny:too risky", "whole-session", "session", "dismiss"].map(|word| Answer::parse(word).unwrap());
        let tell: Teller = Arc::new(|_| {});
        let person = Person::Scripted(Answers { list: list.to_vec(), after: Duration::ZERO }).interface(&tell);
        let scopes = dialog(&[Choice::RequesterOnly, Choice::WholeSession]);
        assert_eq!(person.select(&dialog(&ASK)), Ok(Some(Choice::DenyWithReason)));
        assert_eq!(person.input("Why?"), Ok(Some("too risky".into())));
        assert_eq!(person.select(&dialog(&ASK)), Ok(Some(Choice::ApproveForSession)));
        assert_eq!(person.select(&scopes), Ok(Some(Choice::WholeSession)));
        assert_eq!(person.select(&dialog(&ASK)), Ok(Some(Choice::ApproveForSession)));
        assert_eq!(person.select(&scopes), Ok(Some(Choice::RequesterOnly)));
        assert_eq!([person.select(&dialog(&ASK)), person.select(&dialog(&ASK))], [Ok(None), Ok(None)]);
        assert_eq!(Answer::parse("aprove"), None);
    }
}
