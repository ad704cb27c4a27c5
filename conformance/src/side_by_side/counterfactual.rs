//! Where the first gate is milder, or stricter without saying why, the second is asked the same in a world without the thing that is
//! known to part them. What it answers there explains the difference, or does not.
//!
//! The list is that of docs/spec/hardening.md, section 9: the places where a hardened gate may be milder than the package.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use super::relation::Side;
use crate::scenario::{Action, Answer, Policy, Scenario, Step};

/// A changed world: the requirement, and the scenario with the thing taken away (what the first gate said is known); `None`
/// where it is not there.
type Change = (&'static str, fn(&Scenario, &Side) -> Option<Scenario>);

/// All that are known.
pub(super) const ALL: [Change; 10] = [
    ("HARD-041", |scenario, _| without_grants(scenario)),
    ("HARD-024", |scenario, _| with_names_as_they_are(scenario)),
    ("POLICY-D16", |scenario, _| without_the_agent_that_went(scenario)),
    ("HARD-003", |scenario, _| without_redirections(scenario)),
    ("HARD-020", |scenario, _| without_patterns(scenario)),
    ("HARD-026", mcp_in_file_order),
    ("HARD-026", |scenario, _| with_servers_named(scenario)),
    ("HARD-026", |scenario, ours| mcp_in_file_order(&with_servers_named(scenario)?, ours)),
    ("HARD-061", |scenario, _| scopes_end_to_end(scenario)),
    ("POLICY-D09", |scenario, _| without_question_marks(scenario)),
];

/// The calls whose command is another one.
fn commands(scenario: &Scenario, change: impl Fn(&str) -> String) -> Option<Scenario> {
    let mut changed = scenario.clone();
    for step in &mut changed.steps {
        if let Action::Tool { input, .. } = &mut step.action
            && let Some(Value::String(command)) = input.get_mut("command")
        {
            *command = change(command);
        }
    }
    (changed.steps != scenario.steps).then_some(changed)
}

#[expect(clippy::unwrap_used, reason = "a pattern written here; a test compiles all of them")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

/// A redirection hid the command from its own allow.
fn without_redirections(scenario: &Scenario) -> Option<Scenario> {
    static REDIRECTION: LazyLock<Regex> = LazyLock::new(|| pattern(r"\s*(?:[0-9]?(?:>>|>|<)(?:&[0-9]|\s*[^\s;|&<>()]+))"));
    commands(scenario, |command| REDIRECTION.replace_all(command, "").into_owned())
}

/// Scripts and patterns are no paths.
fn without_patterns(scenario: &Scenario) -> Option<Scenario> {
    static SCRIPT: LazyLock<Regex> =
        LazyLock::new(|| pattern(r#"\b(sed|awk|grep|rg|jq)((?:\s+-[A-Za-z]+)*)\s+(?:'[^']*'|"[^"]*"|[^\s'"]+)"#));
    commands(scenario, |command| SCRIPT.replace_all(command, "$1$2 x").into_owned())
}

/// `?` is a wildcard; the other gate takes it for itself.
fn without_question_marks(scenario: &Scenario) -> Option<Scenario> {
    let mut changed = scenario.clone();
    let policies = changed.given.policy.maps().any(|map| map.to_string().contains('?'));
    if !policies {
        return None;
    }
    let star = |map: &mut Value| {
        if let Ok(value) = serde_json::from_str(&map.to_string().replace('?', "*")) {
            *map = value;
        }
    };
    each_map(&mut changed.given.policy, star);
    Some(changed)
}

fn each_map(policy: &mut Policy, change: impl Fn(&mut Value)) {
    let agents = policy.agents.iter_mut().chain(&mut policy.project_agents).map(|(_, map)| map);
    policy.global.iter_mut().chain(&mut policy.project).chain(agents).for_each(change);
}

/// A yes for the session was a yes for once: what the other gate remembered and this one did not.
pub(super) fn without_grants(scenario: &Scenario) -> Option<Scenario> {
    let mut changed = scenario.clone();
    for answer in changed.steps.iter_mut().filter_map(|step| step.answers.as_mut()).flatten() {
        if *answer == Answer::ApproveForSession {
            *answer = Answer::Approve;
        }
    }
    (changed.steps != scenario.steps).then_some(changed)
}

/// The permissive mode answers every question, the floors' included. Asked of the first gate: it is the mode that makes it milder, when
/// without the mode it is not.
pub(super) fn without_permissive_mode(scenario: &Scenario) -> Option<Scenario> {
    let mut changed = scenario.clone();
    let was = changed.given.config.as_mut()?.shift_remove("yoloMode")?;
    (was == Value::Bool(true)).then_some(changed)
}

/// `$HOME` in front of a path is a name like any other where no shell reads it: the host does not decode it. A file tool without `path` opens
/// its `file_path` (RES-19), which the other gate does not look at.
fn with_names_as_they_are(scenario: &Scenario) -> Option<Scenario> {
    let mut changed = scenario.clone();
    for step in &mut changed.steps {
        if let Action::Tool { input, .. } = &mut step.action {
            if let Some(members) = input.as_object_mut().filter(|members| !members.contains_key("path"))
                && let Some(path) = members.shift_remove("file_path")
            {
                members.insert("path".into(), path);
            }
            for key in ["path", "target", "dir"] {
                if let Some(Value::String(path)) = input.get_mut(key)
                    && path.starts_with("$HOME")
                {
                    path.insert_str(0, "./");
                }
            }
        }
    }
    (changed.steps != scenario.steps).then_some(changed)
}

/// A null entry ends an agent; the other gate may go on with the name.
fn without_the_agent_that_went(scenario: &Scenario) -> Option<Scenario> {
    let goes = |step: &Step| matches!(&step.action, Action::HostChange(change) if change.agent == Some(None));
    let last = scenario.steps.iter().rposition(goes)?;
    let mut changed = scenario.clone();
    changed.given.agent = None;
    for step in changed.steps.iter_mut().take(last + 1) {
        if let Action::HostChange(change) = &mut step.action {
            change.agent = None;
        }
    }
    Some(changed)
}

/// Rules of MCP names hold in the order of their file, whatever spelling they match: what stands before the rule that decided may as well
/// not be there.
fn mcp_in_file_order(scenario: &Scenario, ours: &Side) -> Option<Scenario> {
    let rule = ours.beneath.as_deref()?;
    let is_mcp = |action: &Action| matches!(action, Action::Tool { name, .. } if name == "mcp");
    if !scenario.steps.last().is_some_and(|step| is_mcp(&step.action)) {
        return None;
    }
    let agent = agent_at_the_end(scenario);
    let mut changed = scenario.clone();
    let from_rule = |map: &mut Value| {
        if let Some(Value::Object(rules)) = map.get_mut("mcp")
            && rules.contains_key(rule)
        {
            *rules = std::mem::take(rules).into_iter().skip_while(|(pattern, _)| pattern != rule).collect();
        }
    };
    for policy in std::iter::once(&mut changed.given.policy).chain(changes(&mut changed.steps)) {
        each_map(policy, from_rule);
        // What an earlier scope says of other names stands before the rule, too.
        let has_rule = |map: &Option<Value>| map.as_ref().is_some_and(|map| map["mcp"].get(rule).is_some());
        let all_agents = policy.agents.iter().chain(&policy.project_agents);
        let agents = all_agents.filter(|(name, _)| Some(name) == agent.as_ref()).any(|(_, map)| map["mcp"].get(rule).is_some());
        let without = |map: &mut Option<Value>| {
            map.as_mut().and_then(Value::as_object_mut).and_then(|map| map.shift_remove("mcp"));
        };
        if agents || has_rule(&policy.project) {
            without(&mut policy.global);
        }
        if agents {
            without(&mut policy.project);
        }
    }
    Some(changed)
}

/// `exa_search` of a known server is its tool `search`, as if the call had said `exa:search`.
fn with_servers_named(scenario: &Scenario) -> Option<Scenario> {
    let servers = scenario.given.mcp_servers.as_ref()?;
    let mut changed = scenario.clone();
    for step in &mut changed.steps {
        if let Action::Tool { name, input } = &mut step.action
            && name == "mcp"
            && let Some(Value::String(tool)) = input.get_mut("tool")
            && let Some(rest) = servers.iter().find_map(|server| tool.strip_prefix(server.as_str())?.strip_prefix('_'))
        {
            let server = tool.len() - rest.len() - 1;
            tool.replace_range(server..=server, ":");
        }
    }
    (changed.steps != scenario.steps).then_some(changed)
}

fn agent_at_the_end(scenario: &Scenario) -> Option<String> {
    let mut agents = scenario.steps.iter().filter_map(|step| match &step.action {
        Action::HostChange(change) => change.agent.clone(),
        _ => None,
    });
    agents.next_back().unwrap_or_else(|| scenario.given.agent.clone())
}

/// All scopes in one map of the global file: a later scope's rules come last. Agents count as they stand at the end.
fn scopes_end_to_end(scenario: &Scenario) -> Option<Scenario> {
    let agent = agent_at_the_end(scenario);
    let mut changed = scenario.clone();
    let mut standing = Policy::default();
    let mut several = false;
    for policy in std::iter::once(&mut changed.given.policy).chain(changes(&mut changed.steps)) {
        if policy.is_empty() {
            continue;
        }
        lay_over(&mut standing, std::mem::take(policy));
        let (map, scopes) = one_map(&standing, agent.as_deref())?;
        several |= scopes > 1;
        policy.global = Some(map);
    }
    several.then_some(changed)
}

/// The policies of later steps.
fn changes(steps: &mut [Step]) -> impl Iterator<Item = &mut Policy> {
    steps.iter_mut().filter_map(|step| match &mut step.action {
        Action::PolicyChange(change) => Some(&mut change.policy),
        _ => None,
    })
}

/// Files that are written over others.
fn lay_over(standing: &mut Policy, new: Policy) {
    standing.global = new.global.or(standing.global.take());
    standing.project = new.project.or(standing.project.take());
    for (all, more) in [(&mut standing.agents, new.agents), (&mut standing.project_agents, new.project_agents)] {
        for (name, map) in more {
            all.retain(|(known, _)| *known != name);
            all.push((name, map));
        }
    }
}

/// The scopes that count, laid end to end, and how many they are.
fn one_map(policy: &Policy, agent: Option<&str>) -> Option<(Value, usize)> {
    let of = |files: &[(String, Value)]| -> Option<Value> {
        files.iter().find(|(name, _)| Some(name.as_str()) == agent).map(|(_, map)| map.clone())
    };
    let scopes = [policy.global.clone(), policy.project.clone(), of(&policy.agents), of(&policy.project_agents)];
    let maps: Vec<Value> = scopes.into_iter().flatten().collect();
    let mut all = Map::new();
    for map in &maps {
        for (surface, rules) in map.as_object()? {
            // The universal default is a state; neither gate makes a map of it.
            if surface == "*" {
                if rules.is_string() {
                    all.shift_remove(surface);
                    all.insert(surface.clone(), rules.clone());
                }
                continue;
            }
            let mut merged = all.shift_remove(surface).map(|old| as_rules(&old)).unwrap_or_default();
            for (pattern, state) in as_rules(rules) {
                merged.shift_remove(&pattern);
                merged.insert(pattern, state);
            }
            all.insert(surface.clone(), Value::Object(merged));
        }
    }
    Some((Value::Object(all), maps.len()))
}

fn as_rules(rules: &Value) -> Map<String, Value> {
    match rules {
        Value::Object(map) => map.clone(),
        state => Map::from_iter([("*".to_owned(), state.clone())]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::side_by_side::generate::scenario_of;
    use pretty_assertions::assert_eq;
    use serde_json::json;

    fn with_command(command: &str) -> Scenario {
        let mut scenario = scenario_of("one".into(), crate::scenario::Given::default(), Vec::new());
        scenario.steps =
            vec![crate::side_by_side::generate::step(Action::Tool { name: "bash".into(), input: json!({ "command": command }) })];
        scenario
    }

    fn command(scenario: &Scenario) -> String {
        match &scenario.steps[0].action {
            Action::Tool { input, .. } => input["command"].as_str().unwrap().to_owned(),
            _ => String::new(),
        }
    }

    #[test]
    fn a_redirection_goes_and_the_rest_stays() {
        let changed = without_redirections(&with_command("cat a > b 2>&1 && ls >> c")).unwrap();
        assert_eq!(command(&changed), "cat a && ls");
        assert!(without_redirections(&with_command("cat a")).is_none());
    }

    #[test]
    fn a_file_path_becomes_the_path() {
        let mut scenario = with_command("x");
        let read = |input: Value| Action::Tool { name: "read".into(), input };
        scenario.steps[0].action = read(json!({ "file_path": "$HOME/a" }));
        let changed = with_names_as_they_are(&scenario).unwrap();
        assert_eq!(changed.steps[0].action, read(json!({ "path": "./$HOME/a" })));
        scenario.steps[0].action = read(json!({ "path": "a", "file_path": "b" }));
        assert_eq!(with_names_as_they_are(&scenario), None);
    }

    #[test]
    fn a_script_goes_and_the_files_stay() {
        assert_eq!(command(&without_patterns(&with_command("sed -n 's/a/b/' f")).unwrap()), "sed -n x f");
    }

    fn with_mcp(tool: &str) -> Scenario {
        let mut scenario = with_command("x");
        scenario.given.mcp_servers = Some(vec!["exa".into()]);
        scenario.steps[0].action = Action::Tool { name: "mcp".into(), input: json!({ "tool": tool }) };
        scenario
    }

    #[test]
    fn a_known_server_is_named() {
        let named = |tool: &str| match with_servers_named(&with_mcp(tool))?.steps.remove(0).action {
            Action::Tool { input, .. } => Some(input["tool"].as_str().unwrap().to_owned()),
            _ => None,
        };
        assert_eq!(named("exa_search").as_deref(), Some("exa:search"));
        assert_eq!([named("github_x"), named("exa:search"), named("exasearch")], [None, None, None]);
    }

    #[test]
    fn what_stands_before_the_mcp_rule_goes_in_every_scope() {
        let mut scenario = with_mcp("exa_search");
        scenario.given.policy.global = Some(json!({ "*": "ask", "mcp": { "*": "deny" } }));
        scenario.given.policy.project = Some(json!({ "mcp": { "x": "deny", "mcp_list": "ask", "y": "deny" } }));
        let rule = Some("mcp_list".to_owned());
        let ours =
            Side { verdict: crate::own_policy::Verdict::Ask, decided: None, rule: rule.clone(), beneath: rule, trace: None };
        let policy = mcp_in_file_order(&scenario, &ours).unwrap().given.policy;
        assert_eq!(policy.global, Some(json!({ "*": "ask" })));
        assert_eq!(policy.project, Some(json!({ "mcp": { "mcp_list": "ask", "y": "deny" } })));

        // Another agent's file says nothing here.
        scenario.given.policy.agents = vec![("builder".to_owned(), json!({ "mcp": { "mcp_list": "deny" } }))];
        let project = |scenario: &Scenario| mcp_in_file_order(scenario, &ours).unwrap().given.policy.project.unwrap();
        assert_eq!(project(&scenario), json!({ "mcp": { "mcp_list": "ask", "y": "deny" } }));
        scenario.given.agent = Some("builder".to_owned());
        assert_eq!(project(&scenario), json!({}));
    }

    #[test]
    fn a_default_that_is_a_map_stays_out() {
        let mut scenario = with_command("ls");
        scenario.given.policy.global = Some(json!({ "*": { "action": "deny" }, "bash": { "ls": "deny" } }));
        scenario.given.policy.project = Some(json!({ "bash": { "*": "ask" } }));
        let all = scopes_end_to_end(&scenario).unwrap().given.policy.global.unwrap();
        assert_eq!(all.to_string(), r#"{"bash":{"ls":"deny","*":"ask"}}"#);
    }

    #[test]
    fn a_later_scope_comes_last() {
        let mut scenario = with_command("ls");
        scenario.given.policy.global = Some(json!({ "*": "ask", "bash": { "ls": "deny", "*": "ask" } }));
        scenario.given.policy.project = Some(json!({ "bash": { "ls": "allow" }, "*": "deny" }));
        let all = scopes_end_to_end(&scenario).unwrap().given.policy.global.unwrap();
        assert_eq!(all.to_string(), r#"{"bash":{"*":"ask","ls":"allow"},"*":"deny"}"#);
    }
}
