//! The folders through which sessions ask each other: what a scenario puts there, and what stands there.
//!
//! Who writes fills in what is known only then: the time, and the id and nonce of a request that waits beside.

use std::io;
use std::path::{Component, Path, PathBuf};

use portcullis_core::host::EntryKind;
use portcullis_test_fixtures::Tree;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::scenario::{Staged, StagedContent, StagedMessage, parse_duration};

/// Something to put into the shared folders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorldFile {
    /// Where, absolute.
    pub path: String,
    /// What.
    pub content: WorldContent,
}

/// What is put there. In texts `${NOW}` (`${NOW-6s}`, `${NOW+1m}`), `${REQUEST}` and `${NONCE}` are filled in; a JSON text that is
/// nothing but a time becomes a number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WorldContent {
    /// JSON.
    Json {
        /// The value.
        value: Value,
    },
    /// A text, repeated.
    Text {
        /// The text.
        text: String,
        /// How often.
        times: u64,
    },
    /// Bytes.
    Bytes {
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// A symbolic link.
    Symlink {
        /// Its target.
        target: String,
    },
    /// An empty directory.
    Directory,
    /// What stands there goes away.
    Absent,
    /// What stands there gets another name.
    MovedTo {
        /// The new path, absolute.
        path: String,
    },
}

/// A staged entry with its defaults; places are filled in by `fill`.
pub(super) fn world_file(
    staged: &Staged,
    root: &str,
    fill: &dyn Fn(&str) -> String,
    fill_json: &dyn Fn(&Value) -> Value,
) -> WorldFile {
    let content = match &staged.content {
        StagedContent::Request(message) => WorldContent::Json { value: fill_json(&request(&staged.path, message)) },
        StagedContent::Response(message) => WorldContent::Json { value: fill_json(&response(&staged.path, message)) },
        StagedContent::Json(value) => WorldContent::Json { value: fill_json(value) },
        StagedContent::Text { text, times } => WorldContent::Text { text: fill(text), times: *times },
        StagedContent::Bytes(bytes) => WorldContent::Bytes { bytes: bytes.clone() },
        StagedContent::Symlink(target) => WorldContent::Symlink { target: fill(target) },
        StagedContent::Directory => WorldContent::Directory,
        StagedContent::Absent => WorldContent::Absent,
        StagedContent::MovedTo(path) => WorldContent::MovedTo { path: format!("{root}/{path}") },
    };
    WorldFile { path: format!("{root}/{}", staged.path), content }
}

/// The session's folder and the file's stem of `SESSION/requests/NAME.json`.
fn address(path: &str) -> (&str, &str) {
    let session = path.split('/').next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    (session, name.strip_suffix(".json").unwrap_or(name))
}

/// FIX-002: an old request without source, surface, value and suggestion.
fn request(path: &str, message: &StagedMessage) -> Value {
    let (session, id) = address(path);
    let defaults = json!({
        "id": id, "createdAt": "${NOW}", "requesterSessionId": "child-session", "targetSessionId": session,
        "requesterAgentName": "Explore", "message": "Allow git push?",
    });
    merged(defaults, message)
}

fn response(path: &str, message: &StagedMessage) -> Value {
    let (session, _) = address(path);
    let defaults = json!({ "approved": true, "state": "approved", "responderSessionId": session, "respondedAt": "${NOW}" });
    merged(defaults, message)
}

fn merged(defaults: Value, message: &StagedMessage) -> Value {
    let Value::Object(mut members) = defaults else { return defaults };
    for (key, value) in &message.members {
        members.insert(key.clone(), value.clone());
    }
    Value::Object(members.into_iter().filter(|(key, _)| !message.without.contains(key)).collect::<Map<_, _>>())
}

/// What is known at the moment of writing.
struct Moment<'a> {
    tree: &'a dyn Tree,
    now_ms: u64,
    request: Option<(String, String)>,
    path: &'a Path,
}

/// Puts an entry there; nothing outside `root` is touched.
pub(super) fn put(file: &WorldFile, tree: &dyn Tree, root: &Path, now_ms: u64) -> io::Result<()> {
    let moment = Moment { tree, now_ms, request: None, path: Path::new(&file.path) };
    let moment = Moment { request: moment.pending(), ..moment };
    let path = inside(root, &moment.fill(&file.path))?;
    if matches!(file.content, WorldContent::Absent) {
        return tree.remove(&path);
    }
    if let Some(parent) = path.parent() {
        tree.make_directory(parent)?;
        if !tree.canonical(parent)?.starts_with(root) {
            let text = format!("{} lies behind a link that leads outside the world", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
    }
    match &file.content {
        WorldContent::MovedTo { path: to } => return tree.rename(&path, &inside(root, &moment.fill(to))?),
        WorldContent::Directory if tree.is_directory(&path) => return Ok(()),
        _ => tree.remove(&path)?,
    }
    match &file.content {
        WorldContent::Json { value } => tree.write(&path, moment.fill_json(value).to_string().as_bytes()),
        WorldContent::Text { text, times } => {
            let times = usize::try_from(*times).unwrap_or_default().min(64 * 1024 * 1024 / text.len().max(1) + 1);
            tree.write(&path, moment.fill(text).repeat(times).as_bytes())
        }
        WorldContent::Bytes { bytes } => tree.write(&path, bytes),
        WorldContent::Symlink { target } => tree.link(target, &path),
        WorldContent::Directory => tree.make_directory(&path),
        WorldContent::Absent | WorldContent::MovedTo { .. } => Ok(()),
    }
}

fn inside(root: &Path, path: &str) -> io::Result<PathBuf> {
    let path = PathBuf::from(path);
    if path.starts_with(root) && !path.components().any(|part| matches!(part, Component::ParentDir)) {
        return Ok(path);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{} lies outside the world", path.display())))
}

impl Moment<'_> {
    /// Id and nonce of the request that waits, claimed or not, in the folder beside; the last by name when there are several.
    fn pending(&self) -> Option<(String, String)> {
        let requests = self.path.parent()?.parent()?.join("requests");
        let mut names: Vec<PathBuf> = self.tree.list(&requests).ok()?.into_iter().map(|name| requests.join(name)).collect();
        names.sort();
        let waits = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "json" || extension == "claim");
        let text = self.tree.read(&names.into_iter().rfind(waits)?).ok()?;
        let request: Value = serde_json::from_slice(&text).ok()?;
        let member = |key: &str| request.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        Some((member("id"), member("nonce")))
    }

    fn fill(&self, text: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            filled.push_str(before);
            match after.split_once('}').and_then(|(name, tail)| Some((self.value(name)?, tail))) {
                Some((value, tail)) => {
                    filled.push_str(&value);
                    rest = tail;
                }
                None => {
                    filled.push_str("${");
                    rest = after;
                }
            }
        }
        filled.push_str(rest);
        filled
    }

    fn value(&self, name: &str) -> Option<String> {
        let (id, nonce) = self.request.as_ref().map_or(("", ""), |(id, nonce)| (id, nonce));
        match name {
            "REQUEST" => Some(id.to_owned()),
            "NONCE" => Some(nonce.to_owned()),
            _ => Some(self.time(name)?.to_string()),
        }
    }

    fn time(&self, name: &str) -> Option<u64> {
        let shift = name.strip_prefix("NOW")?;
        if shift.is_empty() {
            return Some(self.now_ms);
        }
        match (shift.strip_prefix('-'), shift.strip_prefix('+')) {
            (Some(back), _) => Some(self.now_ms.saturating_sub(parse_duration(back)?)),
            (_, Some(ahead)) => Some(self.now_ms.saturating_add(parse_duration(ahead)?)),
            _ => None,
        }
    }

    /// The depth of values is bounded by the scenario file's.
    fn fill_json(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => {
                let whole = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')).and_then(|name| self.time(name));
                whole.map_or_else(|| Value::String(self.fill(text)), Value::from)
            }
            Value::Array(items) => Value::Array(items.iter().map(|item| self.fill_json(item)).collect()),
            Value::Object(map) => {
                Value::Object(map.iter().map(|(key, value)| (self.fill(key), self.fill_json(value))).collect::<Map<_, _>>())
            }
            other => other.clone(),
        }
    }
}

/// What stands in the shared folders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExchangeView {
    /// Files, links and empty directories (these end in `/`), relative and in order; heartbeats left out.
    pub entries: Vec<String>,
    /// The folders that hold a heartbeat.
    pub heartbeats: Vec<String>,
    /// Every directory.
    pub folders: Vec<String>,
}

/// The name of a heartbeat (RES-60).
const HEARTBEAT: &str = "heartbeat.json";

/// Looks at everything below `root`, the folder of all sessions. No folder, no entries.
pub(super) fn look(tree: &dyn Tree, root: &Path) -> io::Result<ExchangeView> {
    let mut view = ExchangeView::default();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        let found = match tree.list(&folder) {
            Err(error) if folder == root && error.kind() == io::ErrorKind::NotFound => return Ok(view),
            other => other?,
        };
        let mut count = 0;
        for entry in found {
            let path = folder.join(entry);
            let name = relative(root, &path);
            count += 1;
            if tree.kind(&path)? == EntryKind::Directory {
                view.folders.push(name);
                open.push(path);
            } else if let Some(folder) = name.strip_suffix(HEARTBEAT) {
                view.heartbeats.push(folder.trim_end_matches('/').to_owned());
            } else {
                view.entries.push(name);
            }
        }
        if count == 0 && folder != root {
            view.entries.push(format!("{}/", relative(root, &folder)));
        }
    }
    view.entries.sort();
    view.heartbeats.sort();
    view.folders.sort();
    Ok(view)
}

fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use portcullis_test_fixtures::Disk;

    use super::{ExchangeView, WorldContent, WorldFile, look, put};

    fn write(root: &std::path::Path, path: &str, content: WorldContent) -> std::io::Result<()> {
        put(&WorldFile { path: root.join(path).to_string_lossy().into_owned(), content }, &Disk, root, 1_700_000_000_000)
    }

    #[test]
    fn what_waits_and_the_time_are_filled_in() {
        let folder = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap();
        let request = json!({ "id": "r1", "nonce": "n1", "createdAt": "${NOW-1m}" });
        write(&root, "p/requests/r1.claim", WorldContent::Json { value: request }).unwrap();
        let response = json!({ "nonce": "${NONCE}", "respondedAt": "${NOW}", "text": "${REQUEST} ${NOW+1s} ${x" });
        write(&root, "p/responses/${REQUEST}.json", WorldContent::Json { value: response }).unwrap();
        assert_eq!(
            std::fs::read_to_string(root.join("p/responses/r1.json")).unwrap(),
            r#"{"nonce":"n1","respondedAt":1700000000000,"text":"r1 1700000001000 ${x"}"#
        );
        write(&root, "p/heartbeat.json", WorldContent::Text { text: "x".into(), times: 3 }).unwrap();
        write(&root, "q/requests", WorldContent::Directory).unwrap();
        assert_eq!(
            look(&Disk, &root).unwrap(),
            ExchangeView {
                entries: vec!["p/requests/r1.claim".into(), "p/responses/r1.json".into(), "q/requests/".into()],
                heartbeats: vec!["p".into()],
                folders: ["p", "p/requests", "p/responses", "q", "q/requests"].map(String::from).to_vec(),
            }
        );
    }

    #[test]
    fn nothing_outside_the_world_is_touched() {
        let folder = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap().join("home");
        std::fs::create_dir(&root).unwrap();
        for path in ["../x", "a/../../x"] {
            assert!(write(&root, path, WorldContent::Directory).is_err(), "{path}");
        }
        write(&root, "p", WorldContent::Symlink { target: folder.path().to_string_lossy().into_owned() }).unwrap();
        assert!(write(&root, "p/x", WorldContent::Text { text: "x".into(), times: 1 }).is_err());
        assert!(!folder.path().join("x").exists());
    }
}
