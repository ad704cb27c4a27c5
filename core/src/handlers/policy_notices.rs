//! What a person is told about policy files, and when (CFG-029, CFG-031, HARD-012): each issue that breaks a file by itself, once
//! as long as it lasts and anew at each session start; all other issues of a settings reload as one joined warning, once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::policy::{PolicyIssue, PolicySnapshot};
use crate::report::escape::visible_layout;

/// What was told so far.
#[derive(Default)]
pub(crate) struct PolicyNotices {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The joined warning of the last reload that a person saw (POLICY-D06: a warning without a person is not shown).
    settings: Option<String>,
    /// Issues that break their file, as last seen.
    broken: Vec<PolicyIssue>,
}

impl PolicyNotices {
    /// A session starts: every issue is news again.
    pub(crate) fn begin(&self) {
        self.lock().broken.clear();
    }

    /// Takes the joined warning of a settings reload and shows it when it is another than the last one shown. It counts as shown
    /// only when a person saw it (POLICY-D06). A reload without one clears the memory, whoever sits there.
    pub(crate) fn settings_warning(&self, snapshot: &PolicySnapshot, show: impl FnOnce(&str) -> bool) {
        let lines: Vec<String> =
            snapshot.issues.iter().filter(|issue| !issue.kind.breaks_file()).map(ToString::to_string).collect();
        let warning = (!lines.is_empty()).then(|| visible_layout(&lines.join("\n")));
        if self.lock().settings == warning {
            return;
        }
        // The host is called without the lock.
        if warning.as_deref().is_none_or(show) {
            self.lock().settings = warning;
        }
    }

    /// The issues that broke a file since the last look. One that was mended and comes back is news again; one of a file that
    /// this snapshot does not read (another agent's) keeps its mark.
    pub(crate) fn newly_broken(&self, snapshot: &PolicySnapshot) -> Vec<PolicyIssue> {
        let now: Vec<&PolicyIssue> = snapshot.issues.iter().filter(|issue| issue.kind.breaks_file()).collect();
        let mut state = self.lock();
        state.broken.retain(|known| {
            now.contains(&known)
                || !snapshot.scopes.iter().any(|scope| Some(scope.scope) == known.scope && *scope.file == known.file)
        });
        let news: Vec<PolicyIssue> = now.into_iter().filter(|issue| !state.broken.contains(issue)).cloned().collect();
        state.broken.extend(news.iter().cloned());
        news
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
