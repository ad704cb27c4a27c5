//! A person who answers by a script.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use portcullis_core::host::{Choice, HostError, HostResult, ListDialog, NoticeLevel, UserInterface, Waiter as _};

use crate::Timeline;
use crate::journal::{Happening, Journal};

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptedAnswer {
    /// This option, when it is offered; else the dialog is closed.
    Choose(Choice),
    /// No, with this reason.
    DenyWithReason(String),
    /// The dialog is closed.
    Dismiss,
    /// The dialog raises this error.
    Fail(String),
    /// For the session, and this to the question for which one (AUTH-009); `None` closes that question.
    ForSession(Option<Choice>),
    /// The answer comes so many milliseconds after the question; see [`ScriptedUi::wait_on`].
    Later(u64, Box<ScriptedAnswer>),
}

/// A user interface with a script of answers. A question beyond the script is dismissed.
///
/// ```
/// use portcullis_core::host::{Choice, DialogOption, ListDialog, UserInterface};
/// use portcullis_test_fixtures::{Journal, ScriptedAnswer, ScriptedUi};
///
/// let journal = Journal::default();
/// let ui = ScriptedUi::new(&journal, vec![ScriptedAnswer::Choose(Choice::Approve)]);
/// let dialog = ListDialog {
///     title: "Permission".into(),
///     message: "bash: ls".into(),
///     full_message: String::new(),
///     options: vec![DialogOption { choice: Choice::Approve, label: "Yes".into() }],
/// };
/// assert_eq!(ui.select(&dialog), Ok(Some(Choice::Approve)));
/// assert_eq!(ui.select(&dialog), Ok(None));
/// assert_eq!(journal.dialogs().len(), 2);
/// ```
#[derive(Debug)]
pub struct ScriptedUi {
    journal: Journal,
    script: Mutex<Script>,
    waiter: Mutex<Option<Timeline>>,
    open: AtomicUsize,
}

#[derive(Debug, Default)]
struct Script {
    answers: VecDeque<ScriptedAnswer>,
    reason: Option<String>,
    meanwhile: Meanwhile,
    scope: Option<Option<Choice>>,
}

/// What happens while a dialog is open.
#[derive(Default)]
struct Meanwhile(Option<Box<dyn FnOnce() + Send>>);

impl std::fmt::Debug for Meanwhile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Meanwhile").field(&self.0.is_some()).finish()
    }
}

impl ScriptedUi {
    /// A person who gives these answers in order.
    pub fn new(journal: &Journal, answers: Vec<ScriptedAnswer>) -> Self {
        let script = Script { answers: answers.into(), ..Script::default() };
        Self { journal: journal.clone(), script: Mutex::new(script), waiter: Mutex::new(None), open: AtomicUsize::new(0) }
    }

    /// The person takes their time on this clock.
    pub fn wait_on(&self, timeline: &Timeline) {
        *self.waiter.lock().unwrap_or_else(PoisonError::into_inner) = Some(timeline.clone());
    }

    /// Whether a dialog is open.
    pub fn is_busy(&self) -> bool {
        self.open.load(Ordering::SeqCst) > 0
    }

    fn lock(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next answer, when its time has come.
    fn next(&self) -> Option<ScriptedAnswer> {
        let mut answer = self.lock().answers.pop_front();
        while let Some(ScriptedAnswer::Later(milliseconds, then)) = answer {
            let waiter = self.waiter.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some(timeline) = waiter {
                self.open.fetch_add(1, Ordering::SeqCst);
                timeline.wait_ms(milliseconds);
                self.open.fetch_sub(1, Ordering::SeqCst);
            }
            answer = Some(*then);
        }
        answer
    }

    /// Something that happens once, while the next dialog is open.
    pub fn on_next_dialog(&self, meanwhile: impl FnOnce() + Send + 'static) {
        self.script.lock().unwrap_or_else(PoisonError::into_inner).meanwhile = Meanwhile(Some(Box::new(meanwhile)));
    }

    /// Replaces what is left of the script, and gives it back.
    pub fn answer_with(&self, answers: Vec<ScriptedAnswer>) -> Vec<ScriptedAnswer> {
        let mut script = self.script.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut script.answers, answers.into()).into()
    }
}

impl UserInterface for ScriptedUi {
    fn notify(&self, level: NoticeLevel, text: &str) -> HostResult<()> {
        self.journal.push(Happening::Notice { level, text: text.to_owned() });
        Ok(())
    }

    fn select(&self, dialog: &ListDialog) -> HostResult<Option<Choice>> {
        self.journal.push(Happening::Dialog(dialog.clone()));
        let meanwhile = self.script.lock().unwrap_or_else(PoisonError::into_inner).meanwhile.0.take();
        if let Some(meanwhile) = meanwhile {
            meanwhile();
        }
        let offered = |choice: Choice| dialog.options.iter().any(|option| option.choice == choice).then_some(choice);
        // What was said with the yes for a session answers the question for which one, and nothing later.
        let scope = self.lock().scope.take();
        if let Some(scope) = scope.filter(|_| offered(Choice::WholeSession).is_some()) {
            return Ok(scope.and_then(offered));
        }
        match self.next() {
            None | Some(ScriptedAnswer::Dismiss | ScriptedAnswer::Later(..)) => Ok(None),
            Some(ScriptedAnswer::Choose(choice)) => Ok(offered(choice)),
            Some(ScriptedAnswer::ForSession(scope)) => {
                self.lock().scope = Some(scope);
                Ok(offered(Choice::ApproveForSession))
            }
            Some(ScriptedAnswer::Fail(text)) => Err(HostError::new(text)),
            Some(ScriptedAnswer::DenyWithReason(reason)) => {
                self.lock().reason = Some(reason);
                Ok(offered(Choice::DenyWithReason))
            }
        }
    }

    fn input(&self, title: &str) -> HostResult<Option<String>> {
        self.journal.push(Happening::Input { title: title.to_owned() });
        Ok(self.script.lock().unwrap_or_else(PoisonError::into_inner).reason.take())
    }

    fn set_status(&self, key: &str, text: Option<&str>) -> HostResult<()> {
        self.journal.push(Happening::Status { key: key.to_owned(), text: text.map(str::to_owned) });
        Ok(())
    }
}
