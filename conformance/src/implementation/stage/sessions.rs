//! The runner's side of a world of several sessions: their directories, what is staged between them, and whose step is whose.

use std::io;
use std::path::PathBuf;

use portcullis_test_fixtures::WorldEntry;
use serde_json::Value;

use super::{Stage, default_tools, list, trust, wall_clock};
use crate::implementation::exchange_files::{self, ExchangeView, WorldFile};
use crate::implementation::observation::ObservedGrant;
use crate::implementation::policy_files::session_policy;
use crate::implementation::world::{StepRequest, WorldMeanwhile, WorldSession};
use crate::scenario::{Action, Given, GivenSession, Meanwhile, Scenario, Staged, Step};

impl Stage {
    pub(super) fn session(&self, given: &Given, session: &GivenSession) -> WorldSession {
        let fill = |text: &str| self.places.fill(text);
        let mut env = self.variables(given);
        let elsewhere = |parent: &&GivenSession| parent.process_name() != session.process_name();
        let parent = session.child_of.as_ref().and_then(|name| given.sessions.iter().find(|known| known.name == *name));
        if let Some(id) = parent.filter(elsewhere).and_then(GivenSession::session_id) {
            // A process that was started by another learns of its parent from the environment (SUB-003, SUB-010).
            env.push(("PI_SUBAGENT_CHILD".into(), "1".into()));
            env.push(("PI_SUBAGENT_PARENT_SESSION".into(), id.to_owned()));
        }
        for (name, value) in &session.env {
            env.retain(|(known, _)| known != name);
            env.push((name.clone(), fill(value)));
        }
        let tools = session.tools.clone().or_else(|| given.tools.clone()).unwrap_or_else(default_tools);
        WorldSession {
            name: session.name.clone(),
            id: session.session_id().map(str::to_owned),
            cwd: fill(&session.directory()),
            folder: session.folder.as_deref().map(fill),
            folder_fails: session.folder_fails.clone(),
            process: session.process_name().to_owned(),
            child_of: session.child_of.clone(),
            ui: session.ui.as_ref().map(|answers| list(answers, |answer| self.answer(answer))),
            agent: session.agent.as_deref().map(fill),
            trust: trust(session.trusted.unwrap_or(given.trusted)).to_owned(),
            env,
            tools: list(&tools, |tool| self.places.fill_json(tool)),
            session_rules: list(&session.session_rules, |grant| ObservedGrant {
                surface: grant.surface.clone(),
                pattern: fill(&grant.pattern),
            }),
        }
    }

    pub(super) fn variables(&self, given: &Given) -> Vec<(String, String)> {
        let mut env = vec![
            ("HOME".to_owned(), self.places.home.clone()),
            ("PI_CODING_AGENT_DIR".to_owned(), self.places.agent_dir.clone()),
        ];
        for (name, value) in &given.env {
            env.retain(|(known, _)| known != name);
            env.push((name.clone(), self.places.fill(value)));
        }
        env
    }

    /// Where a step happens; in a world of one session nobody has to say it.
    pub(super) fn session_of(&self, step: &Step) -> Option<String> {
        let said = step.session.clone().or_else(|| self.only.clone());
        said.filter(|_| step.action.is_in_a_session())
    }

    /// Whose person gives the answers of a step: the session's own, else the only one there is.
    pub(super) fn person(&self, session: Option<&str>) -> Option<String> {
        let own = session.filter(|name| self.people.iter().any(|person| person == name));
        own.map(str::to_owned).or_else(|| self.people.first().cloned())
    }

    pub(super) fn meanwhile(&mut self, meanwhile: &Meanwhile) -> io::Result<WorldMeanwhile> {
        let session = self.session_of(&meanwhile.step);
        let step = match &meanwhile.step.action {
            Action::Stage(staged) => StepRequest::Stage { files: self.staged(staged) },
            _ => self.action(&meanwhile.step, None)?,
        };
        Ok(WorldMeanwhile { after: meanwhile.after_ms, session, step })
    }

    pub(super) fn staged(&self, staged: &[Staged]) -> Vec<WorldFile> {
        let root = self.exchange().to_string_lossy().into_owned();
        let (fill, fill_json) = (|text: &str| self.places.fill(text), |value: &Value| self.places.fill_json(value));
        list(staged, |staged| exchange_files::world_file(staged, &root, &fill, &fill_json))
    }

    /// The folder that holds those of all sessions (FWD-001).
    pub fn exchange(&self) -> PathBuf {
        self.world.agent_dir().join("sessions/permission-forwarding/sessions")
    }

    /// What stands in the shared folders.
    pub fn look(&self) -> io::Result<ExchangeView> {
        exchange_files::look(self.world.tree(), &self.exchange())
    }

    /// What the implementation says of the time; who stages something in between writes it.
    pub fn note_time(&mut self, now_ms: Option<u64>) {
        self.now_ms = now_ms.unwrap_or_else(wall_clock);
    }

    /// What happens before the first step: each session starts, in order.
    pub fn starts(&self, scenario: &Scenario) -> Vec<StepRequest> {
        let start = || StepRequest::SessionStart { reason: "startup".into() };
        if scenario.given.sessions.is_empty() {
            return vec![start()];
        }
        let ready = scenario.given.sessions.iter().filter(|session| !session.waits);
        ready
            .map(|session| StepRequest::In {
                session: Some(session.name.clone()),
                step: Box::new(start()),
                answers: None,
                meanwhile: Vec::new(),
            })
            .collect()
    }

    /// Directories and projects of sessions.
    pub(super) fn build_sessions(&mut self, given: &Given) -> io::Result<()> {
        for session in &given.sessions {
            let directory = session.directory();
            self.world.put(&self.real(&directory), &WorldEntry::Directory)?;
            if let Some(policy) = &session.policy {
                self.write(&[session_policy(&directory, policy)])?;
            }
        }
        Ok(())
    }
}
