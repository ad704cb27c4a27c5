//! Worlds and calls from a seed: a policy as people write them, a few files and links, and the calls of a short session.
//!
//! The same seed and number give the same case, whatever came before it. Texts may hold places (`${CWD}`), as in scenario files; no
//! pattern names a folder that may hold the worlds themselves.

mod calls;
mod dice;
mod paths;
mod policy;
mod shell;

use crate::implementation::Hello;
use crate::scenario::{Action, Answer, Capability, FileEntry, Given, Level, Scenario, Step, Trusted};
use crate::source::{Place, SourceFile};
use dice::Dice;

/// What both gates can do, and so may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abilities {
    /// Projects that are not trusted.
    pub trust: bool,
    /// Agents.
    pub agents: bool,
    /// MCP calls.
    pub mcp: bool,
    /// Skills.
    pub skills: bool,
    /// Other extensions' path extractors.
    pub extractors: bool,
    /// What other extensions ask the service.
    pub queries: bool,
    /// Rules about reading alone, and about writing (HARD-035). Gates that do not know them read another policy than the reference;
    /// nothing says which do, so two gates are never asked about them.
    pub directions: bool,
}

impl Abilities {
    /// What all of them can do.
    pub fn common(all: &[Hello]) -> Self {
        let can = |what: Capability| all.iter().all(|hello| hello.capabilities.contains(&what));
        Self {
            trust: can(Capability::Trust),
            agents: can(Capability::Agents),
            mcp: can(Capability::Mcp),
            skills: can(Capability::Skills),
            extractors: can(Capability::Service),
            queries: can(Capability::Service),
            directions: false,
        }
    }
}

/// The case of a seed and a number: a world and some calls.
pub fn case(seed: u64, number: u64, abilities: Abilities) -> Scenario {
    let mut dice = Dice::new(seed, number);
    let mut given = Given { policy: policy::policy(&mut dice, abilities), ..Given::default() };
    if abilities.agents && dice.one_in(3) {
        given.agent = Some((*dice.pick(&["builder", "reviewer"])).to_owned());
    }
    if !dice.one_in(8) {
        given.ui = Some(Vec::new());
    }
    if abilities.trust && dice.one_in(8) {
        given.trusted = if dice.one_in(2) { Trusted::No } else { Trusted::Unknown };
    }
    let mut config = serde_json::Map::new();
    if dice.one_in(12) {
        config.insert("yoloMode".into(), true.into());
    }
    if dice.one_in(8) {
        config.insert("debugLog".into(), true.into());
    }
    if dice.one_in(8) {
        config.insert(
            "shellTools".into(),
            serde_json::json!({ "terminal": { "commandArgument": "line", "workdirArgument": "dir" } }),
        );
    }
    given.config = (!config.is_empty()).then_some(config);
    let mut tools: Vec<serde_json::Value> = crate::scenario::words::DEFAULT_TOOLS.iter().map(|name| (*name).into()).collect();
    tools.extend(["deploy".into(), "terminal".into(), "lint".into()]);
    given.tools = Some(tools);
    given.files = files();
    if abilities.mcp {
        given.mcp_servers = Some(vec!["exa".into(), "github".into()]);
    }
    if abilities.skills && dice.one_in(4) {
        given.skills = calls::skills();
    }
    if abilities.extractors && dice.one_in(4) {
        given.extractors = vec![("lint".into(), "target".into())];
    }
    let steps = calls::steps(&mut dice, abilities, &given);
    scenario_of(format!("generated-{seed}-{number}"), given, steps)
}

fn files() -> Vec<(String, FileEntry)> {
    let text = |path: &str| (path.to_owned(), FileEntry::Text("x\n".into()));
    let link = |path: &str, target: &str| (path.to_owned(), FileEntry::Symlink(target.to_owned()));
    vec![
        text("src/main.rs"),
        text("README.md"),
        text(".env"),
        text("config/.env.local"),
        text("secrets/key.pem"),
        text("deploy.sh"),
        text("skills/docs/SKILL.md"),
        text("${HOME}/notes/a.md"),
        text("${HOME}/shared/doc.md"),
        text("${HOME}/.ssh/id_rsa"),
        link("notes", "${HOME}/notes"),
        link("settings", ".env"),
        link("src/keys", "../secrets"),
    ]
}

/// A scenario around a world and steps.
pub fn scenario_of(name: String, given: Given, steps: Vec<Step>) -> Scenario {
    Scenario {
        id: name.clone(),
        title: name.clone(),
        name,
        suite: "generated calls".into(),
        covers: Vec::new(),
        note: None,
        level: Level::Hardened,
        needs: Vec::new(),
        given,
        steps,
        file: SourceFile::new("generated", ""),
        place: Place::START,
        written: None,
    }
}

/// A step without expectations.
pub fn step(action: Action) -> Step {
    Step { action, id: None, answers: None, session: None, meanwhile: Vec::new(), expect: None, place: Place::START }
}

/// The same with the person's answers. The same answer to all questions: two gates that put a different number of them still hear alike.
pub(super) fn answered(action: Action, answer: &Answer) -> Step {
    const QUESTIONS: usize = 8;
    Step { answers: Some(vec![answer.clone(); QUESTIONS]), ..step(action) }
}
