//! Rules of a scenario as the files that hold them.

use serde_json::{Map, Value, json};

use crate::scenario::{Change, ConfigTexts, Given, Policy};

/// One file to write: the path as a template, and its text.
pub(super) type File = (String, String);

const GLOBAL: &str = "${AGENT_DIR}/extensions/pi-permission-system/config.json";
const PROJECT: &str = "${CWD}/.pi/extensions/pi-permission-system/config.json";
const LEGACY_GLOBAL: &str = "${AGENT_DIR}/pi-permissions.jsonc";
const LEGACY_PROJECT: &str = "${CWD}/.pi/agent/pi-permissions.jsonc";
const MCP: &str = "${AGENT_DIR}/mcp.json";
const PROJECT_MCP: &str = "${CWD}/.pi/mcp.json";

/// What the configuration files hold by now: a change of the rules keeps the other members, and the other way round.
#[derive(Debug, Clone, Default)]
pub(super) struct Configs {
    global: (Option<Value>, Option<Map<String, Value>>),
    project: (Option<Value>, Option<Map<String, Value>>),
}

impl Configs {
    /// The files of the world before the first step.
    pub(super) fn of_given(given: &Given) -> (Self, Vec<File>) {
        let mut configs = Self::default();
        let mut files = configs.update(&given.policy, given.config.as_ref(), given.project_config.as_ref(), &given.texts);
        if let Some(servers) = &given.mcp_servers {
            files.push((MCP.into(), servers_text(servers)));
        }
        if let Some(servers) = &given.project_mcp_servers {
            files.push((PROJECT_MCP.into(), servers_text(servers)));
        }
        (configs, files)
    }

    /// The files that a change writes.
    pub(super) fn of_change(&mut self, change: &Change) -> Vec<File> {
        self.update(&change.policy, change.config.as_ref(), change.project_config.as_ref(), &change.texts)
    }

    fn update(
        &mut self,
        policy: &Policy,
        config: Option<&Map<String, Value>>,
        project_config: Option<&Map<String, Value>>,
        texts: &ConfigTexts,
    ) -> Vec<File> {
        let mut files = Vec::new();
        let mut scope = |held: &mut (Option<Value>, Option<Map<String, Value>>),
                         rules: Option<&Value>,
                         members: Option<&Map<String, Value>>,
                         path: &str| {
            if rules.is_none() && members.is_none() {
                return;
            }
            if let Some(rules) = rules {
                held.0 = Some(rules.clone());
            }
            if let Some(members) = members {
                held.1 = Some(members.clone());
            }
            files.push((path.to_owned(), config_text(held.0.as_ref(), held.1.as_ref())));
        };
        scope(&mut self.global, policy.global.as_ref(), config, GLOBAL);
        scope(&mut self.project, policy.project.as_ref(), project_config, PROJECT);
        for (name, map) in &policy.agents {
            files.push((agent_path("${AGENT_DIR}", name), front_matter(map)));
        }
        for (name, map) in &policy.project_agents {
            files.push((agent_path("${CWD}/.pi", name), front_matter(map)));
        }
        files.extend(raw_files(texts));
        files
    }
}

/// The project file of a session with rules of its own.
pub(super) fn session_policy(directory: &str, policy: &Value) -> File {
    (PROJECT.replace("${CWD}", directory), config_text(Some(policy), None))
}

fn agent_path(folder: &str, name: &str) -> String {
    format!("{folder}/agents/{name}.md")
}

fn raw_files(texts: &ConfigTexts) -> Vec<File> {
    let single = [
        (&texts.global, GLOBAL),
        (&texts.project, PROJECT),
        (&texts.legacy_global, LEGACY_GLOBAL),
        (&texts.legacy_project, LEGACY_PROJECT),
        (&texts.mcp, MCP),
        (&texts.project_mcp, PROJECT_MCP),
    ];
    let single = single.into_iter().filter_map(|(text, path)| text.clone().map(|text| (path.to_owned(), text)));
    let agents = texts.agents.iter().map(|(name, text)| (agent_path("${AGENT_DIR}", name), text.clone()));
    let project = texts.project_agents.iter().map(|(name, text)| (agent_path("${CWD}/.pi", name), text.clone()));
    single.chain(agents).chain(project).collect()
}

fn config_text(rules: Option<&Value>, members: Option<&Map<String, Value>>) -> String {
    let mut root = members.cloned().unwrap_or_default();
    if let Some(rules) = rules {
        root.insert("permission".into(), rules.clone());
    }
    serde_json::to_string_pretty(&Value::Object(root)).unwrap_or_default()
}

fn servers_text(names: &[String]) -> String {
    let servers: Map<String, Value> = names.iter().map(|name| (name.clone(), json!({ "command": name }))).collect();
    json!({ "mcpServers": servers }).to_string()
}

/// An agent file that the package's line format (CFG-018) and YAML read alike: block maps, quoted keys, bare states. A pattern with a
/// colon reads differently in the two; such scenarios are hardened (POLICY-D12).
fn front_matter(map: &Value) -> String {
    let mut text = String::from("---\npermission:\n");
    if map.as_object().is_some_and(Map::is_empty) {
        text = String::from("---\npermission: {}\n");
    }
    for (surface, value) in map.as_object().into_iter().flatten() {
        match value {
            Value::Object(patterns) if patterns.is_empty() => text.push_str(&format!("  {}: {{}}\n", key(surface))),
            Value::Object(patterns) => {
                text.push_str(&format!("  {}:\n", key(surface)));
                for (pattern, state) in patterns {
                    text.push_str(&entry(pattern, state));
                }
            }
            other => text.push_str(&format!("  {}: {}\n", key(surface), scalar(other))),
        }
    }
    text.push_str("---\nThe agent.\n");
    text
}

fn entry(pattern: &str, state: &Value) -> String {
    let Value::Object(deny) = state else { return format!("    {}: {}\n", key(pattern), scalar(state)) };
    let mut text = format!("    {}:\n", key(pattern));
    for (name, value) in deny {
        text.push_str(&format!("      {name}: {}\n", scalar(value)));
    }
    text
}

/// Single quotes keep a backslash as it is in both formats; a key that holds one is written in double quotes.
fn key(text: &str) -> String {
    if text.contains('\'') { Value::String(text.to_owned()).to_string() } else { format!("'{text}'") }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == ' ') && !text.is_empty() => {
            text.clone()
        }
        Value::String(text) => key(text),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::front_matter;
    use pretty_assertions::assert_eq;
    use serde_json::json;

    #[test]
    fn an_agent_file_is_block_yaml() {
        let text =
            front_matter(&json!({"bash": {"*": "deny", "git log*": {"action": "deny", "reason": "why not"}}, "read": "allow"}));
        assert_eq!(
            text,
            "---\npermission:\n  'bash':\n    '*': deny\n    'git log*':\n      action: deny\n      reason: why not\n  'read': allow\n---\nThe agent.\n"
        );
    }
}
