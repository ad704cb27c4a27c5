//! The calls of one session, and what happens between them.

use serde_json::{Value, json};

use super::dice::Dice;
use super::paths::path;
use super::shell::line;
use super::{Abilities, answered, policy, step};
use crate::scenario::{Action, Answer, Change, ConfigTexts, Given, HostChange, Policy, SkillEntry, Step};

/// Up to six calls.
pub(super) fn steps(dice: &mut Dice, abilities: Abilities, given: &Given) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut last: Option<Action> = None;
    for _ in 0..=dice.below(6) {
        if dice.one_in(12) {
            let change = change(dice, abilities);
            let ended = change == Action::SessionShutdown;
            steps.push(step(change));
            if ended {
                steps.push(step(Action::SessionStart { reason: "new".into() }));
            }
        }
        // The same again shows what was remembered.
        let action = match last.take() {
            Some(again) if dice.one_in(6) => again,
            _ => call(dice, abilities, given),
        };
        let answer = match dice.below(10) {
            0..=2 => Answer::Approve,
            3 | 4 => Answer::ApproveForSession,
            5 => Answer::DenyWithReason("not now".into()),
            6 => Answer::Dismiss,
            7 if dice.one_in(3) => Answer::Fail("the dialog broke".into()),
            _ => Answer::Deny,
        };
        last = Some(action.clone());
        let again = (given.ui.is_some() && answer == Answer::ApproveForSession && dice.one_in(3)).then(|| action.clone());
        steps.push(if given.ui.is_some() { answered(action, &answer) } else { step(action) });
        if let Some(again) = again {
            steps.extend([step(closed()), answered(again, &answer)]);
        }
        if abilities.queries && dice.one_in(6) {
            steps.push(step(query(dice)));
        }
    }
    if dice.one_in(5) {
        steps.push(step(Action::AgentStart { system_prompt: None, active_tools: None }));
    }
    steps
}

fn tool(name: &str, input: Value) -> Action {
    Action::Tool { name: name.to_owned(), input }
}

fn call(dice: &mut Dice, abilities: Abilities, given: &Given) -> Action {
    match dice.below(40) {
        0..=20 => tool("bash", json!({ "command": line(dice) })),
        21..=24 => tool("read", json!({ "path": path(dice) })),
        25 | 26 => tool("write", json!({ "path": path(dice), "content": "x" })),
        27 => tool("edit", json!({ "path": path(dice), "edits": [] })),
        28 => tool("grep", json!({ "pattern": "key", "path": path(dice) })),
        29 => tool("find", json!({ "pattern": "*.rs", "path": path(dice) })),
        30 => tool("ls", json!({ "path": path(dice) })),
        31..=33 if abilities.mcp => mcp(dice),
        34 if abilities.skills => tool("skill", json!({ "name": dice.pick(&["docs", "deploy", "review"]) })),
        35 if abilities.skills => Action::Input(format!("/skill:{} now", dice.pick(&["docs", "deploy", "review"])).into()),
        36 => tool("deploy", json!({ "target": dice.pick(&["prod", "test"]), "path": path(dice) })),
        37 if given.config.as_ref().is_some_and(|config| config.contains_key("shellTools")) => {
            tool("terminal", json!({ "line": line(dice), "dir": path(dice) }))
        }
        38 if !given.extractors.is_empty() => tool("lint", json!({ "target": path(dice) })),
        38 => tool("unknown_tool", json!({ "path": path(dice) })),
        39 => odd(dice),
        _ => tool("bash", json!({ "command": line(dice) })),
    }
}

fn mcp(dice: &mut Dice) -> Action {
    let input = match dice.below(8) {
        0 => json!({ "tool": "exa:search" }),
        1 => json!({ "tool": "exa_search", "args": { "q": "x" } }),
        2 => json!({ "tool": "search", "server": "exa" }),
        3 => json!({ "tool": "github:delete_repo" }),
        4 => json!({ "tool": "github_delete_repo" }),
        5 => json!({ "server": "github" }),
        6 => json!({ "search": "issues" }),
        _ => json!({}),
    };
    tool("mcp", input)
}

/// An input of another shape than the tool's.
fn odd(dice: &mut Dice) -> Action {
    match dice.below(6) {
        0 => tool("bash", json!({ "command": 7 })),
        1 => tool("read", json!({})),
        2 => tool("bash", json!({ "command": "" })),
        3 => tool("write", json!({ "path": "" })),
        4 => tool("read", json!({ "file_path": path(dice) })),
        _ => tool("read", Value::Null),
    }
}

fn change(dice: &mut Dice, abilities: Abilities) -> Action {
    match dice.below(7) {
        0 if abilities.agents => agent(Some("reviewer")),
        1 if abilities.agents => agent(None),
        2 => Action::SessionReload,
        3 => Action::SessionShutdown,
        4 => {
            let texts = ConfigTexts {
                global: Some("{ \"permission\": { \"*\": \"allow\", \"bash\": 7 } }".into()),
                ..ConfigTexts::default()
            };
            Action::PolicyChange(Box::new(Change { texts, ..Change::default() }))
        }
        5 => Action::HostChange(Box::new(HostChange { ui: Some(None), ..HostChange::default() })),
        _ => Action::PolicyChange(Box::new(Change { policy: policy::policy(dice, abilities), ..Change::default() })),
    }
}

/// What was granted is denied from now on.
fn closed() -> Action {
    let policy = Policy { global: Some(json!({ "*": "deny", "bash": "deny" })), ..Policy::default() };
    Action::PolicyChange(Box::new(Change { policy, ..Change::default() }))
}

/// What another extension asks the service.
fn query(dice: &mut Dice) -> Action {
    let ask = |surface: &str, value: Option<String>| Action::Query { surface: surface.to_owned(), value, agent: None };
    match dice.below(5) {
        0 => Action::ToolPermission { tool: dice.pick(&["write", "bash", "deploy", "mcp"]).to_owned(), agent: None },
        1 => ask("read", Some(path(dice).to_owned())),
        2 => ask("path", Some(path(dice).to_owned())),
        3 => ask("mcp", Some("exa:search".to_owned())),
        _ => ask("bash", Some(line(dice))),
    }
}

fn agent(name: Option<&str>) -> Action {
    Action::HostChange(Box::new(HostChange { agent: Some(name.map(str::to_owned)), ..HostChange::default() }))
}

/// Skills that the prompt lists.
pub(super) fn skills() -> Vec<SkillEntry> {
    let skill = |name: &str| SkillEntry {
        name: name.to_owned(),
        location: format!("${{CWD}}/skills/{name}/SKILL.md"),
        description: format!("the skill {name}"),
    };
    ["docs", "deploy"].map(skill).to_vec()
}
