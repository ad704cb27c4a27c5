//! The keyed dialog of a terminal (AUTH-010): a pure state machine from keys to an answer.
//!
//! It draws nothing and reads no key: a host feeds it [`DialogKey`]s and shows its state. Two things differ from the list
//! dialog: a blank reason is refused instead of degrading, and a cancelled scope goes back instead of approving (RES-34).

use super::decision::DecisionState;
use super::dialog_answer::DialogAnswer;
use crate::host::Choice;
use crate::text::js_trim;

/// What the dialog was opened with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KeyedDialogOptions {
    /// A hotkey has to be pressed twice.
    pub double_press: bool,
    /// A forwarded ask whose grant may cover the whole session: "for session" opens the scope step.
    pub scope_offered: bool,
    /// The fifth option is offered (RES-32); never together with a scope.
    pub both_directions_offered: bool,
}

/// Where the dialog stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DialogStep {
    /// Which option.
    Decision,
    /// A reason is typed.
    Reason,
    /// Which scope.
    Scope,
}

/// What the person did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DialogKey {
    /// Up.
    Up,
    /// Down.
    Down,
    /// The letter of an option.
    Hotkey(char),
    /// Takes what is highlighted.
    Confirm,
    /// Away.
    Cancel,
    /// Sends the typed reason.
    Submit(String),
}

/// The state of one keyed dialog.
///
/// ```
/// use portcullis_core::authority::{DecisionState, DialogKey, KeyedDialog, KeyedDialogOptions};
///
/// let mut dialog = KeyedDialog::new(KeyedDialogOptions { double_press: true, ..KeyedDialogOptions::default() });
/// assert_eq!(dialog.press(DialogKey::Hotkey('y')), None, "armed, and nothing more");
/// let answer = dialog.press(DialogKey::Hotkey('y')).map(|answer| answer.state);
/// assert_eq!(answer, Some(DecisionState::Approved));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedDialog {
    options: KeyedDialogOptions,
    step: DialogStep,
    highlighted: Choice,
    armed: Option<Choice>,
    reason_draft: String,
    reason_error: bool,
    serving_scope: bool,
}

const FOUR: [Choice; 4] = [Choice::Approve, Choice::ApproveForSession, Choice::Deny, Choice::DenyWithReason];
const FIVE: [Choice; 5] =
    [Choice::Approve, Choice::ApproveForSession, Choice::Deny, Choice::DenyWithReason, Choice::ApproveForSessionBothDirections];

impl KeyedDialog {
    /// A dialog at its start: decision step, the first option highlighted, nothing armed.
    pub fn new(options: KeyedDialogOptions) -> Self {
        Self {
            options,
            step: DialogStep::Decision,
            highlighted: Choice::Approve,
            armed: None,
            reason_draft: String::new(),
            reason_error: false,
            serving_scope: false,
        }
    }

    /// Where the dialog stands.
    pub fn step(&self) -> DialogStep {
        self.step
    }

    /// The option under the cursor.
    pub fn highlighted(&self) -> Choice {
        self.highlighted
    }

    /// The option whose second press is awaited.
    pub fn armed(&self) -> Option<Choice> {
        self.armed
    }

    /// The reason as last sent.
    pub fn reason_draft(&self) -> &str {
        &self.reason_draft
    }

    /// Whether a blank reason was just refused.
    pub fn reason_error(&self) -> bool {
        self.reason_error
    }

    /// In the scope step: whether the wide scope is under the cursor.
    pub fn serving_scope(&self) -> bool {
        self.serving_scope
    }

    /// Takes one key; gives the answer when the dialog is done.
    pub fn press(&mut self, key: DialogKey) -> Option<DialogAnswer> {
        match self.step {
            DialogStep::Decision => self.press_in_decision(key),
            DialogStep::Reason => self.press_in_reason(key),
            DialogStep::Scope => self.press_in_scope(&key),
        }
    }

    fn press_in_decision(&mut self, key: DialogKey) -> Option<DialogAnswer> {
        match key {
            DialogKey::Up => self.move_highlight(self.choices().len().saturating_sub(1)),
            DialogKey::Down => self.move_highlight(1),
            DialogKey::Hotkey(letter) => return self.press_hotkey(letter),
            DialogKey::Confirm => return self.commit(self.highlighted),
            DialogKey::Cancel => return Some(DialogAnswer::plain(DecisionState::Denied)),
            DialogKey::Submit(_) => {}
        }
        None
    }

    fn press_hotkey(&mut self, letter: char) -> Option<DialogAnswer> {
        let choice = self.choices().iter().copied().find(|choice| choice.key() == letter)?;
        if !self.options.double_press || self.armed == Some(choice) {
            return self.commit(choice);
        }
        self.highlighted = choice;
        self.armed = Some(choice);
        None
    }

    fn commit(&mut self, choice: Choice) -> Option<DialogAnswer> {
        self.highlighted = choice;
        self.armed = None;
        match choice {
            Choice::Approve => Some(DialogAnswer::plain(DecisionState::Approved)),
            // The scopes are never offered in this step (AUTH-010).
            Choice::Deny | Choice::RequesterOnly | Choice::WholeSession => Some(DialogAnswer::plain(DecisionState::Denied)),
            Choice::ApproveForSessionBothDirections => Some(DialogAnswer::both_directions()),
            Choice::ApproveForSession if self.options.scope_offered => {
                self.step = DialogStep::Scope;
                self.serving_scope = false;
                None
            }
            Choice::ApproveForSession => Some(DialogAnswer::plain(DecisionState::ApprovedForSession)),
            Choice::DenyWithReason => {
                self.step = DialogStep::Reason;
                self.clear_reason();
                None
            }
        }
    }

    fn press_in_reason(&mut self, key: DialogKey) -> Option<DialogAnswer> {
        match key {
            DialogKey::Submit(text) if js_trim(&text).is_empty() => {
                self.reason_draft = text;
                self.reason_error = true;
                None
            }
            DialogKey::Submit(text) => Some(DialogAnswer::denied(&text)),
            DialogKey::Cancel => {
                self.clear_reason();
                self.back_to(Choice::DenyWithReason)
            }
            DialogKey::Up | DialogKey::Down | DialogKey::Hotkey(_) | DialogKey::Confirm => None,
        }
    }

    fn press_in_scope(&mut self, key: &DialogKey) -> Option<DialogAnswer> {
        match key {
            DialogKey::Up => self.serving_scope = false,
            DialogKey::Down => self.serving_scope = true,
            DialogKey::Confirm if self.serving_scope => {
                return Some(DialogAnswer::plain(DecisionState::ApprovedForServingSession));
            }
            DialogKey::Confirm => return Some(DialogAnswer::plain(DecisionState::ApprovedForSession)),
            DialogKey::Cancel => return self.back_to(Choice::ApproveForSession),
            DialogKey::Hotkey(_) | DialogKey::Submit(_) => {}
        }
        None
    }

    fn back_to(&mut self, choice: Choice) -> Option<DialogAnswer> {
        self.step = DialogStep::Decision;
        self.highlighted = choice;
        self.armed = None;
        None
    }

    fn clear_reason(&mut self) {
        self.reason_draft.clear();
        self.reason_error = false;
    }

    fn move_highlight(&mut self, by: usize) {
        let choices = self.choices();
        let at = choices.iter().position(|choice| *choice == self.highlighted).unwrap_or_default();
        if let Some(next) = choices.iter().cycle().nth(at + by) {
            self.highlighted = *next;
        }
        self.armed = None;
    }

    fn choices(&self) -> &'static [Choice] {
        if self.options.both_directions_offered && !self.options.scope_offered { &FIVE } else { &FOUR }
    }
}

#[cfg(test)]
mod tests;
