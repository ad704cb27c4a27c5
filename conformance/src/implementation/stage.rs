//! The runner's side of a world: the files of a scenario, the places in texts, and each step as a request.

mod sessions;

use std::io;
use std::path::{Path, PathBuf};

use portcullis_test_fixtures::{Inventory, TempWorld, Tree, WINDOWS_HOME, WorldEntry};
use serde_json::{Map, Value, json};

use super::Implementation;
use super::exchange_files;
use super::observation::ObservedGrant;
use super::policy_files::{Configs, File};
use super::prompt_text::world_prompt;
use super::world::{
    AgentChange, IdChange, PersonAnswers, StepRequest, UiChange, World, WorldAnswer, WorldCheck, WorldLinkAnswer, WorldTrouble,
};
use crate::scenario::words::DEFAULT_TOOLS;
use crate::scenario::{
    Action, Answer, Change, CheckAnswer, FileEntry, Given, LinkAnswer, Scenario, SkillEntry, Step, Template, Trusted,
};

/// Where the three places are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// `${CWD}`
    pub cwd: String,
    /// `${HOME}`
    pub home: String,
    /// `${AGENT_DIR}`
    pub agent_dir: String,
    /// Paths of Windows: case does not count in comparisons.
    pub windows: bool,
}

impl Places {
    /// The path of a place.
    pub fn get(&self, name: &str) -> String {
        match name {
            "CWD" => self.cwd.clone(),
            "HOME" => self.home.clone(),
            _ => self.agent_dir.clone(),
        }
    }

    /// A text with its places filled in.
    pub fn fill(&self, text: &str) -> String {
        if text.contains('$') { Template::parse(text).fill(&|name| self.get(name)) } else { text.to_owned() }
    }

    /// A JSON value with its places filled in, keys included. Values come from files whose depth is bounded.
    pub fn fill_json(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.fill(text)),
            Value::Array(items) => Value::Array(items.iter().map(|item| self.fill_json(item)).collect()),
            Value::Object(map) => {
                Value::Object(map.iter().map(|(key, value)| (self.fill(key), self.fill_json(value))).collect::<Map<_, _>>())
            }
            other => other.clone(),
        }
    }

    /// The other way round, for people and for comparing: real paths become places. What leads out of the home directory stays in
    /// the world, which has another path each time.
    pub fn collapse(&self, text: &str) -> String {
        let text = text.replace(&self.cwd, "${CWD}").replace(&self.agent_dir, "${AGENT_DIR}").replace(&self.home, "${HOME}");
        match self.world() {
            Some(world) => text.replace(world, "${WORLD}"),
            None => text,
        }
    }

    /// The folder that holds the home directory and nothing else; the home of Windows worlds is the same in all of them.
    fn world(&self) -> Option<&str> {
        let above = Path::new(&self.home).parent().and_then(Path::to_str);
        above.filter(|above| above.len() > 1 && !self.windows)
    }
}

/// A scenario's world. Everything is removed when it is dropped.
#[derive(Debug)]
pub struct Stage {
    world: TempWorld,
    places: Places,
    configs: Configs,
    tools: Vec<String>,
    active_tools: Option<Vec<String>>,
    skills: Vec<SkillEntry>,
    calls: u64,
    /// Whether the world has named sessions.
    named: bool,
    /// The session that steps mean which name none: there is no other.
    only: Option<String>,
    /// The sessions with a person.
    people: Vec<String>,
    now_ms: u64,
}

/// A world that stands ready, and what an implementation is told of it.
#[derive(Debug)]
pub struct Ready {
    /// The runner's side.
    pub stage: Stage,
    /// The implementation's.
    pub world: World,
}

impl Ready {
    /// Fills a fresh world for a scenario.
    pub fn build(world: TempWorld, scenario: &Scenario) -> io::Result<Self> {
        let stage = Stage::build_in(world, &scenario.given)?;
        let world = stage.world(scenario);
        Ok(Self { stage, world })
    }

    /// Builds it where the implementation can see it: in memory, if that is possible.
    pub fn build_for(implementation: &dyn Implementation, scenario: &Scenario) -> io::Result<Self> {
        let memory = implementation.memory();
        Self::build(memory.map_or_else(TempWorld::new, |memory| TempWorld::in_memory(&memory))?, scenario)
    }

    /// One that may have stood for a while: its time is now.
    #[must_use]
    pub fn begins_now(mut self) -> Self {
        self.stage.note_time(None);
        self
    }
}

fn list<T, U>(items: &[T], change: impl Fn(&T) -> U) -> Vec<U> {
    items.iter().map(change).collect()
}

impl Stage {
    /// Builds the world of a scenario on disk.
    pub fn build(given: &Given) -> io::Result<Self> {
        Self::build_in(TempWorld::new()?, given)
    }

    /// Fills a fresh world.
    pub fn build_in(world: TempWorld, given: &Given) -> io::Result<Self> {
        let text = |path: &std::path::Path| path.to_string_lossy().into_owned();
        let places = if given.windows {
            let home = WINDOWS_HOME.to_owned();
            Places { cwd: format!(r"{home}\work\app"), agent_dir: format!(r"{home}\.pi\agent"), home, windows: true }
        } else {
            let (cwd, home, agent_dir) = (text(world.cwd()), text(world.home()), text(world.agent_dir()));
            Places { cwd, home, agent_dir, windows: false }
        };
        let (configs, files) = Configs::of_given(given);
        let tools = given.tools.clone().unwrap_or_else(default_tools);
        let mut stage = Self {
            world,
            configs,
            tools: tools.iter().filter_map(tool_name).collect(),
            active_tools: given.active_tools.clone(),
            skills: Vec::new(),
            calls: 0,
            named: !given.sessions.is_empty(),
            only: match given.sessions.as_slice() {
                [session] => Some(session.name.clone()),
                _ => None,
            },
            people: given.sessions.iter().filter(|session| session.ui.is_some()).map(|session| session.name.clone()).collect(),
            now_ms: wall_clock(),
            places,
        };
        stage.skills = list(&given.skills, |skill| SkillEntry {
            name: stage.places.fill(&skill.name),
            location: stage.places.fill(&skill.location),
            description: stage.places.fill(&skill.description),
        });
        stage.write(&files)?;
        stage.world.settle();
        stage.put_all(&given.files)?;
        stage.build_sessions(given)?;
        Ok(stage)
    }

    /// The world for another scenario, when it can be made as it was.
    pub fn into_fresh_world(self) -> Option<TempWorld> {
        self.world.again().ok()
    }

    /// Where the places are.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Paths that came or changed since then; the gate's own logs are left out.
    pub fn written(&self, before: &Inventory) -> io::Result<Vec<String>> {
        let is_log = |path: &str| path.contains("/pi-permission-system/logs") && !path.ends_with("/pi-permission-system/logs/..");
        let after = self.inventory()?;
        let came = after.iter().filter(|(path, entry)| before.get(*path) != Some(entry) && !is_log(path));
        Ok(came.map(|(path, _)| format!("{}/{path}", self.places.home)).collect())
    }

    /// The files that it is made of.
    pub fn tree(&self) -> &dyn Tree {
        self.world.tree()
    }

    /// Everything that stands in the world, for comparisons.
    pub fn inventory(&self) -> io::Result<Inventory> {
        self.world.inventory()
    }

    /// What the implementation is told when the scenario begins.
    pub fn world(&self, scenario: &Scenario) -> World {
        let given = &scenario.given;
        let fill = |text: &String| self.places.fill(text);
        let env = self.variables(given);
        let tools = given.tools.clone().unwrap_or_else(default_tools);
        World {
            scenario: scenario.name.clone(),
            cwd: self.places.cwd.clone(),
            home: self.places.home.clone(),
            agent_dir: self.places.agent_dir.clone(),
            real_home: self.world.home().to_string_lossy().into_owned(),
            platform: if given.windows { "windows" } else { "posix" }.to_owned(),
            env,
            tools: list(&tools, |tool| self.places.fill_json(tool)),
            active_tools: given.active_tools.clone(),
            ui: given.ui.as_ref().map(|answers| list(answers, |answer| self.answer(answer))),
            agent: given.agent.as_ref().map(fill),
            trust: trust(given.trusted).to_owned(),
            session_rules: list(&given.session_rules, |grant| ObservedGrant {
                surface: grant.surface.clone(),
                pattern: fill(&grant.pattern),
            }),
            checks: self.checks(given),
            sessions: list(&given.sessions, |session| self.session(given, session)),
        }
    }

    fn checks(&self, given: &Given) -> Vec<WorldCheck> {
        let check = |on: &str, key: &str, answer: &CheckAnswer| WorldCheck {
            on: on.to_owned(),
            key: self.places.fill(key),
            state: answer.state.clone(),
            pattern: answer.pattern.clone(),
            origin: answer.origin.clone(),
            source: answer.source.clone(),
            reason: answer.reason.clone(),
        };
        let surfaces = given.checks.iter().map(|(key, answer)| check("surface", key, answer));
        let paths = given.path_checks.iter().map(|(key, answer)| check("path", key, answer));
        let commands = given.bash_checks.iter().map(|bash| check("bash", &bash.matches, &bash.answer));
        surfaces.chain(paths).chain(commands).collect()
    }

    fn answer(&self, answer: &Answer) -> WorldAnswer {
        match answer {
            Answer::Approve => WorldAnswer::Approve,
            Answer::ApproveForSession => WorldAnswer::ApproveForSession,
            Answer::ApproveBothDirections => WorldAnswer::ApproveBothDirections,
            Answer::Deny => WorldAnswer::Deny,
            Answer::DenyWithReason(reason) => WorldAnswer::DenyWithReason { reason: self.places.fill(reason) },
            Answer::Dismiss => WorldAnswer::Dismiss,
            Answer::Fail(text) => WorldAnswer::Fail { text: self.places.fill(text) },
            Answer::ApproveForWholeSession => WorldAnswer::ApproveForWholeSession,
            Answer::ApproveForSessionThenDismiss => WorldAnswer::ApproveForSessionThenDismiss,
            Answer::Later(milliseconds, then) => {
                WorldAnswer::Later { milliseconds: *milliseconds, then: Box::new(self.answer(then)) }
            }
        }
    }

    /// The agent start that a world with skills implies before the first step.
    pub fn implied_agent_start(&self) -> Option<StepRequest> {
        if self.skills.is_empty() {
            return None;
        }
        Some(StepRequest::AgentStart { system_prompt: self.prompt(), active_tools: None })
    }

    fn prompt(&self) -> String {
        world_prompt(self.active_tools.as_ref().unwrap_or(&self.tools), &self.skills)
    }

    /// Carries out what the runner does in a step, and says what the implementation is told.
    pub fn request(&mut self, step: &Step) -> io::Result<StepRequest> {
        let answers = step.answers.as_ref().map(|answers| list(answers, |answer| self.answer(answer)));
        if !self.named {
            return self.action(step, answers);
        }
        let session = self.session_of(step);
        if let Action::Stage(staged) = &step.action {
            for file in self.staged(staged) {
                exchange_files::put(&file, self.world.tree(), self.world.home(), self.now_ms)?;
            }
        }
        let answers = answers.and_then(|answers| Some(PersonAnswers { session: self.person(session.as_deref())?, answers }));
        let inner = Box::new(self.action(step, None)?);
        let meanwhile = step.meanwhile.iter().map(|meanwhile| self.meanwhile(meanwhile)).collect::<io::Result<_>>()?;
        Ok(StepRequest::In { session, step: inner, answers, meanwhile })
    }

    fn action(&mut self, step: &Step, answers: Option<Vec<WorldAnswer>>) -> io::Result<StepRequest> {
        Ok(match &step.action {
            Action::Tool { name, input } => {
                self.calls += 1;
                let id = step.id.as_ref().map_or_else(|| format!("call-{}", self.calls), |id| self.places.fill(id));
                let input = self.places.fill_json(input);
                let event = json!({ "type": "tool_call", "toolName": self.places.fill(name), "toolCallId": id, "input": input });
                StepRequest::ToolCall { event, answers }
            }
            Action::RawEvent(event) => StepRequest::ToolCall { event: self.places.fill_json(event), answers },
            Action::Input(text) => StepRequest::Input { text: self.places.fill_json(text), answers },
            Action::AgentStart { system_prompt, active_tools } => {
                if active_tools.is_some() {
                    self.active_tools.clone_from(active_tools);
                }
                let prompt = system_prompt.as_ref().map_or_else(|| self.prompt(), |text| self.places.fill(text));
                StepRequest::AgentStart { system_prompt: prompt, active_tools: active_tools.clone() }
            }
            Action::SessionStart { reason } => StepRequest::SessionStart { reason: reason.clone() },
            Action::SessionShutdown => StepRequest::SessionShutdown,
            Action::SessionReload => StepRequest::SessionStart { reason: "reload".into() },
            Action::ResourcesReload { reason } => StepRequest::ResourcesDiscover { reason: reason.clone() },
            Action::PolicyChange(change) => {
                self.change(change)?;
                StepRequest::FilesChanged
            }
            Action::HostChange(change) => {
                if let Some(tools) = &change.tools {
                    self.tools = tools.iter().filter_map(tool_name).collect();
                    self.active_tools = None;
                }
                if change.active_tools.is_some() {
                    self.active_tools.clone_from(&change.active_tools);
                }
                let ui = change
                    .ui
                    .as_ref()
                    .map(|ui| UiChange { answers: ui.as_ref().map(|answers| list(answers, |answer| self.answer(answer))) });
                StepRequest::HostChange {
                    ui,
                    agent: change.agent.as_ref().map(|name| AgentChange { name: name.clone() }),
                    tools: change.tools.as_ref().map(|tools| list(tools, |tool| self.places.fill_json(tool))),
                    active_tools: change.active_tools.clone(),
                    trust: change.trusted.map(|trusted| trust(trusted).to_owned()),
                    session_id: change.session_id.as_ref().map(|id| IdChange { id: id.clone() }),
                    env: list(&change.env, |(name, value)| (name.clone(), value.as_ref().map(|value| self.places.fill(value)))),
                }
            }
            Action::RegisterExtractor { tool, field, fails } => {
                StepRequest::RegisterExtractor { tool: tool.clone(), field: field.clone(), fails: fails.clone() }
            }
            Action::Query { surface, value, agent } => StepRequest::Query {
                surface: surface.clone(),
                value: value.as_ref().map(|text| self.places.fill(text)),
                agent: agent.clone(),
            },
            Action::ToolPermission { tool, agent } => StepRequest::ToolPermission { tool: tool.clone(), agent: agent.clone() },
            Action::Stage(_) => StepRequest::FilesChanged,
            Action::Clock(milliseconds) => StepRequest::Clock { milliseconds: *milliseconds },
            Action::Serve => StepRequest::Serve,
            Action::Kill => StepRequest::Kill,
            Action::Subagent { created, payload } => {
                StepRequest::Subagent { created: *created, payload: self.places.fill_json(payload) }
            }
            Action::RegisterLink { name, answers } => {
                StepRequest::RegisterLink { name: name.clone(), answers: list(answers, link_answer) }
            }
            Action::ExchangeTrouble(troubles) => StepRequest::ExchangeTrouble {
                troubles: list(troubles, |trouble| WorldTrouble {
                    operation: trouble.operation.clone(),
                    on: trouble.on.clone(),
                    error: trouble.error.clone(),
                    times: trouble.times,
                }),
            },
        })
    }

    fn change(&mut self, change: &Change) -> io::Result<()> {
        let files = self.configs.of_change(change);
        for path in &change.remove {
            self.world.remove(&self.real(path))?;
        }
        self.write(&files)?;
        self.put_all(&change.files)
    }

    fn write(&self, files: &[File]) -> io::Result<()> {
        for (path, text) in files {
            self.world.put(&self.real(path), &WorldEntry::Text(self.places.fill(text)))?;
        }
        Ok(())
    }

    fn put_all(&self, files: &[(String, FileEntry)]) -> io::Result<()> {
        for (path, entry) in files {
            let entry = match entry {
                FileEntry::Text(text) => WorldEntry::Text(self.places.fill(text)),
                FileEntry::Symlink(target) => WorldEntry::Symlink(self.link_target(target)),
                FileEntry::Directory => WorldEntry::Directory,
            };
            self.world.put(&self.real(path), &entry)?;
        }
        Ok(())
    }

    /// Links are made on this machine, whatever the flavour of the paths.
    fn link_target(&self, target: &str) -> String {
        if self.places.windows { Template::parse(target).fill(&|name| self.real_place(name)) } else { self.places.fill(target) }
    }

    fn real_place(&self, name: &str) -> String {
        let path = match name {
            "CWD" => self.world.cwd(),
            "HOME" => self.world.home(),
            _ => self.world.agent_dir(),
        };
        path.to_string_lossy().into_owned()
    }

    /// The path on this machine of a path in a scenario: relative to the session's directory.
    fn real(&self, path: &str) -> PathBuf {
        self.world.cwd().join(Template::parse(path).fill(&|name| self.real_place(name)))
    }
}

fn default_tools() -> Vec<Value> {
    DEFAULT_TOOLS.iter().map(|name| Value::from(*name)).collect()
}

fn tool_name(entry: &Value) -> Option<String> {
    entry.as_str().or_else(|| entry.get("name").and_then(Value::as_str)).map(str::to_owned)
}

fn link_answer(answer: &LinkAnswer) -> WorldLinkAnswer {
    match answer {
        LinkAnswer::Allow => WorldLinkAnswer::Allow,
        LinkAnswer::Deny(reason) => WorldLinkAnswer::Deny { reason: reason.clone() },
        LinkAnswer::Defer => WorldLinkAnswer::Defer,
        LinkAnswer::Fail(text) => WorldLinkAnswer::Fail { text: text.clone() },
    }
}

fn wall_clock() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn trust(trusted: Trusted) -> &'static str {
    match trusted {
        Trusted::Yes => "trusted",
        Trusted::No => "untrusted",
        Trusted::Unknown => "unknown",
    }
}
