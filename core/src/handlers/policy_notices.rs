//! What a person is told about policy files, and when (CFG-029, CFG-031, HARD-012): each issue that breaks a file, or is about an
//! agent's file, by itself, once as long as it lasts and anew at each session start; all other issues of a settings reload as
//! one joined warning, once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::policy::{PolicyIssue, PolicySnapshot, Scope};
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
    /// Issues that are told by themselves, as last seen.
    known: Vec<Known>,
}

struct Known {
    issue: PolicyIssue,
    shown: bool,
}

/// Issues that break their file are told by themselves, and so are those of agent files: settings have no part in them.
fn stands_alone(issue: &PolicyIssue) -> bool {
    issue.kind.breaks_file() || matches!(issue.scope, Some(Scope::Agent | Scope::ProjectAgent))
}

impl PolicyNotices {
    /// A session starts: every issue is news again.
    pub(crate) fn begin(&self) {
        self.lock().known.clear();
    }

    /// Takes the joined warning of a settings reload and shows it when it is another than the last one shown. It counts as shown
    /// only when a person saw it (POLICY-D06). A reload without one clears the memory, whoever sits there.
    pub(crate) fn settings_warning(&self, snapshot: &PolicySnapshot, show: impl FnOnce(&str) -> bool) {
        let lines: Vec<String> = snapshot.issues.iter().filter(|issue| !stands_alone(issue)).map(ToString::to_string).collect();
        let warning = (!lines.is_empty()).then(|| visible_layout(&lines.join("\n")).into_owned());
        if self.lock().settings == warning {
            return;
        }
        // The host is called without the lock.
        if warning.as_deref().is_none_or(show) {
            self.lock().settings = warning;
        }
    }

    /// What has become news since the last look: issues that break a file, and everything odd about an agent's file. One that
    /// was mended and comes back is news again; one of a file that this snapshot does not read (another agent's) keeps its
    /// mark.
    pub(crate) fn news(&self, snapshot: &PolicySnapshot) -> Vec<PolicyIssue> {
        let now: Vec<&PolicyIssue> = snapshot.issues.iter().filter(|issue| stands_alone(issue)).collect();
        let mut state = self.lock();
        state.known.retain(|known| {
            let issue = &known.issue;
            now.contains(&issue)
                || !snapshot.scopes.iter().any(|scope| Some(scope.scope) == issue.scope && *scope.file == issue.file)
        });
        let is_news = |issue: &&PolicyIssue| !state.known.iter().any(|known| known.issue == **issue);
        let news: Vec<PolicyIssue> = now.into_iter().filter(is_news).cloned().collect();
        state.known.extend(news.iter().cloned().map(|issue| Known { issue, shown: false }));
        news
    }

    /// Shows what is known and was not shown yet. It counts as shown only when a person saw it (POLICY-D06).
    pub(crate) fn show_news(&self, show: impl Fn(&PolicyIssue) -> bool) {
        let waiting: Vec<PolicyIssue> =
            self.lock().known.iter().filter(|known| !known.shown).map(|known| known.issue.clone()).collect();
        // The host is called without the lock.
        for issue in waiting.into_iter().filter(show) {
            self.lock().known.iter_mut().filter(|known| known.issue == issue).for_each(|known| known.shown = true);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
