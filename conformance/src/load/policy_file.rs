//! `policy: { file: ../config.json }`: people's own configuration files in the place of rules. The whole file counts as it stands,
//! with comments and settings; nothing in it is a placeholder.

use std::path::Path;

use super::files::read_named;
use super::given::{agent_of, is_scopes};
use super::reader::{Fields, Reader};
use crate::problem::nearest;
use crate::scenario::ConfigTexts;
use crate::scenario::words::STATES;
use crate::yaml::{Entry, Node};

/// The name of the file, when a map of rules is one. `file: allow` is a rule of a tool that is called so.
pub(super) fn named<'n>(reader: &Reader, node: &'n Node) -> Option<&'n Node> {
    let entries = node.as_map()?;
    let like_a_name = |text: &str| !STATES.contains(&text) && (text.contains('/') || Path::new(text).extension().is_some());
    for entry in entries {
        let Some(text) = entry.value.as_text() else { continue };
        if &*entry.key == "file" && !STATES.contains(&text) && entries.len() == 1 {
            return Some(&entry.value);
        }
        // No surface takes a text that is no state: these are slips.
        if &*entry.key == "file" && like_a_name(text) {
            reader.error(entry.place, "a file is the whole policy: no rule stands beside it", None);
        } else if like_a_name(text) && nearest(&entry.key, ["file"]).is_some() {
            reader.error(entry.place, format!("`{}` is given a file", entry.key), Some("did you mean `file`?".into()));
        }
    }
    None
}

/// The text of the file, relative to the scenario's own.
pub(super) fn read(reader: &Reader, named: &Node) -> Option<String> {
    let name = reader.name(named, "`file`")?;
    let Some(folder) = &reader.file.folder else {
        reader.error(named.place, "a scenario that lies in no folder can name no file", None);
        return None;
    };
    match read_named(&folder.join(&name)) {
        // A configuration knows no places of a scenario.
        Ok(text) => Some(text.replace("${", "$${")),
        Err(problem) => {
            reader.error(named.place, format!("`{name}`: {}", problem.message), problem.help);
            None
        }
    }
}

/// One scope that is a file.
pub(super) fn scope(reader: &Reader, entry: &Entry, named: &Node, agent: Option<&str>, texts: &mut ConfigTexts) {
    match &*entry.key {
        "global" => texts.global = read(reader, named),
        "project" => texts.project = read(reader, named),
        "agent" | "project-agent" => {
            let Some(name) = agent_of(reader, entry, agent) else { return };
            let list = if &*entry.key == "agent" { &mut texts.agents } else { &mut texts.project_agents };
            list.extend(read(reader, named).map(|text| (name.to_owned(), text)));
        }
        scope => {
            let help = format!("name the agent: `{scope}: {{ NAME: {{ file: … }} }}`");
            reader.error(entry.place, format!("`{scope}` is a map of agents"), Some(help));
        }
    }
}

/// A file that is named is the whole file: nothing else writes it.
pub(super) fn contradictions(reader: &Reader, fields: &Fields<'_>) {
    let Some(policy) = fields.get("policy") else { return };
    let is_file = |node: &Node| node.get("file").and_then(Node::as_text).is_some_and(|text| !STATES.contains(&text));
    for (scope, key) in [("global", "config"), ("project", "project config")] {
        let whole = if is_scopes(policy) { policy.get(scope).is_some_and(is_file) } else { scope == "global" && is_file(policy) };
        if whole && fields.get(key).is_some() {
            let help = "what `policy` names is the whole file: put the members there".to_owned();
            reader.error(fields.key_place(key), format!("`{key}` and `policy` write the same file"), Some(help));
        }
    }
}
