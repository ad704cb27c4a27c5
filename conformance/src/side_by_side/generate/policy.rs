//! Policies as people write them: a catch-all, some tools, lists of commands, secret files, places outside.

use serde_json::{Map, Value, json};

use super::Abilities;
use super::dice::Dice;
use crate::scenario::Policy;

const STATES: [&str; 3] = ["allow", "ask", "deny"];
const COMMANDS: [&str; 40] = [
    "git *",
    "git status",
    "git status *",
    "git push *",
    "git push --force *",
    "git log *",
    "git commit *",
    "git diff*",
    "npm *",
    "npm run *",
    "npm test",
    "rm *",
    "rm -rf *",
    "cat *",
    "cat .env*",
    "ls",
    "ls *",
    "echo *",
    "sudo *",
    "curl *",
    "docker *",
    "find *",
    "grep *",
    "sed *",
    "make *",
    "make",
    "cp *",
    "mv *",
    "tee *",
    "env *",
    "xargs *",
    "sh *",
    "bash *",
    "cargo test *",
    "cargo *",
    "pwd",
    "cd *",
    "* --force",
    "python3 *",
    "* | sh",
];
const FILES: [&str; 17] = [
    "*.env",
    ".env",
    "*.env.*",
    "secrets/*",
    "src/*",
    "*.pem",
    "*.p?m",
    "*.md",
    "~/.ssh/*",
    "$HOME/.aws/*",
    "/etc/*",
    "${CWD}/src/*",
    ".git/*",
    "build/*",
    "notes/*",
    "${HOME}/notes/*",
    "docs/*",
];
const PLACES: [&str; 9] =
    ["/etc/*", "${HOME}/shared/*", "~/notes/*", "/var/log/*", "/opt/*", "~/.ssh/*", "$HOME/*", "/dev/null", "${HOME}/notes"];
const MCP: [&str; 10] = [
    "exa:*",
    "exa_*",
    "exa",
    "github_*",
    "github:delete_repo",
    "github_delete_repo",
    "mcp_status",
    "mcp_list",
    "exa:search",
    "*search*",
];
const SKILLS: [&str; 4] = ["docs", "docs*", "deploy", "re*"];

pub(super) fn policy(dice: &mut Dice, abilities: Abilities) -> Policy {
    let mut policy = Policy { global: Some(map(dice, abilities, 2)), ..Policy::default() };
    if dice.one_in(4) {
        policy.project = Some(map(dice, abilities, 4));
    }
    if abilities.agents {
        for name in ["builder", "reviewer"] {
            if dice.one_in(4) {
                policy.agents.push((name.to_owned(), map(dice, abilities, 4)));
            }
        }
        if dice.one_in(12) {
            policy.project_agents.push(("builder".to_owned(), map(dice, abilities, 5)));
        }
    }
    policy
}

/// One scope; each surface is there once in so many times.
fn map(dice: &mut Dice, abilities: Abilities, sparse: u32) -> Value {
    let mut map = Map::new();
    if !dice.one_in(4) {
        map.insert("*".into(), state(dice, "allow"));
    }
    for tool in ["read", "write", "edit", "grep", "find", "ls"] {
        if dice.one_in(sparse + 2) {
            map.insert(tool.into(), surface(dice, &FILES));
        }
    }
    if !dice.one_in(sparse.saturating_mul(2)) {
        map.insert("bash".into(), surface(dice, &COMMANDS));
    }
    if dice.one_in(sparse) {
        map.insert("path".into(), surface(dice, &FILES));
    }
    if dice.one_in(sparse) {
        map.insert("external_directory".into(), surface(dice, &PLACES));
    }
    if abilities.directions {
        for (name, patterns) in [("path_read", &FILES[..]), ("path_write", &FILES), ("external_directory_write", &PLACES)] {
            if dice.one_in(sparse + 2) {
                map.insert(name.into(), surface(dice, patterns));
            }
        }
    }
    if abilities.mcp && dice.one_in(sparse + 1) {
        map.insert("mcp".into(), surface(dice, &MCP));
    }
    if abilities.skills && dice.one_in(sparse + 1) {
        map.insert("skill".into(), surface(dice, &SKILLS));
    }
    for tool in ["deploy", "lint", "terminal"] {
        if dice.one_in(sparse + 3) {
            map.insert(tool.into(), state(dice, "ask"));
        }
    }
    if map.is_empty() {
        map.insert("*".into(), "ask".into());
    }
    Value::Object(map)
}

/// One state for all, or a list of patterns, mostly with a catch-all in front.
fn surface(dice: &mut Dice, patterns: &[&str]) -> Value {
    if dice.one_in(4) {
        return state(dice, "ask");
    }
    let mut rules = Map::new();
    if !dice.one_in(5) {
        let usual = if dice.one_in(2) { "allow" } else { "ask" };
        rules.insert("*".into(), state(dice, usual));
    }
    // People write a handful of rules, now and then in another order than from wide to narrow.
    let times = u32::try_from(patterns.len() / 6).unwrap_or(1).max(2);
    let mut chosen = dice.some(patterns, times);
    if dice.one_in(3) {
        chosen.reverse();
    }
    for pattern in chosen {
        rules.insert(pattern.to_owned(), state(dice, "deny"));
    }
    if dice.one_in(10)
        && let Some(all) = rules.shift_remove("*")
    {
        rules.insert("*".into(), all);
    }
    if rules.is_empty() {
        return state(dice, "ask");
    }
    Value::Object(rules)
}

/// A state; half of the time the usual one. A deny may give its reason.
fn state(dice: &mut Dice, usual: &str) -> Value {
    let state = if dice.one_in(2) { usual } else { dice.pick(&STATES) };
    if state == "deny" && dice.one_in(4) { json!({ "action": "deny", "reason": "ask the team first" }) } else { state.into() }
}
