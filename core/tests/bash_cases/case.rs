//! One command line with what the package made of it: a line of the case file, or an example of docs/spec/bash.md.

use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis_core::access::path::{PathFacts, PathNormalizer, WordResolver};
use portcullis_core::access::shell::{BashProgram, ShellFacts};
use portcullis_core::host::{EntryKind, FileFault, FileFaultKind, FileStamp, FileView, Platform};
use serde_json::Value;

/// A file system in which nothing exists but these links, what they lead to, and the folders on the way.
#[derive(Default)]
struct Links(BTreeMap<String, String>);

impl Links {
    fn fault<T>() -> Result<T, FileFault> {
        Err(FileFault { kind: FileFaultKind::NotFound, message: "nothing exists here".to_owned() })
    }
}

impl FileView for Links {
    fn entry(&self, path: &str) -> Result<EntryKind, FileFault> {
        if let Some(target) = self.0.get(path) {
            return Ok(EntryKind::Symlink(target.clone()));
        }
        let above = |link: &String| link.strip_prefix(path).is_some_and(|rest| rest.starts_with('/') || path == "/");
        // What a link leads to exists.
        if self.0.keys().any(above) || self.0.values().any(|target| target == path || above(target)) {
            Ok(EntryKind::Directory)
        } else {
            Self::fault()
        }
    }
    fn read(&self, _: &str) -> Result<Vec<u8>, FileFault> {
        Self::fault()
    }
    fn stamp(&self, _: &str) -> Result<FileStamp, FileFault> {
        Self::fault()
    }
    fn list(&self, _: &str) -> Result<Vec<String>, FileFault> {
        Self::fault()
    }
}

/// A unit: text, context, wrapper.
pub(crate) type Unit = (String, Option<String>, Option<String>);

/// One case. What the package's line does not mention is not compared.
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) command: String,
    pub(crate) workdir: Option<String>,
    pub(crate) normalizer: PathNormalizer,
    promote: Vec<String>,
    pub(crate) units: Option<Vec<Unit>>,
    pub(crate) external: Option<Vec<String>>,
    /// Without values where the line gives the token alone.
    pub(crate) tokens: Option<Vec<(String, Vec<String>)>>,
}

impl Case {
    /// Case does not count on Windows.
    fn fold(&self, text: &str) -> String {
        if self.normalizer.platform() == Platform::Windows { text.to_lowercase() } else { text.to_owned() }
    }
}

fn text(value: &Value, key: &str) -> Option<String> {
    value[key].as_str().map(str::to_owned)
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

fn normalizer(cwd: String, home: String, platform: Platform, links: Links) -> PathNormalizer {
    PathNormalizer::new(PathFacts {
        cwd,
        agent_dir: format!("{home}/.pi/agent"),
        home: Some(home),
        extension_root: None,
        platform,
        files: Arc::new(links),
    })
}

pub(crate) fn read_case(line: &str) -> Case {
    let case: Value = serde_json::from_str(line).expect("a case is JSON");
    let platform = if case["platform"] == "win32" { Platform::Windows } else { Platform::Posix };
    let items = |key: &str| case[key].as_array().cloned().unwrap_or_default();
    let unit = |unit: &Value| (text(unit, "text").expect("text"), text(unit, "context"), text(unit, "wrapper"));
    let token = |token: &Value| (text(token, "token").expect("token"), texts(&token["values"]));
    Case {
        id: text(&case, "id").expect("id"),
        command: text(&case, "command").expect("command"),
        workdir: text(&case, "workdir"),
        normalizer: normalizer(text(&case, "cwd").expect("cwd"), text(&case, "home").expect("home"), platform, Links::default()),
        promote: texts(&case["promote"]),
        units: Some(items("units").iter().map(unit).collect()),
        external: Some(texts(&case["external_paths"])),
        tokens: Some(items("path_tokens").iter().map(token).collect()),
    }
}

/// An example of docs/spec/bash.md that says something about the analysis; the head of that file explains the members.
pub(crate) fn read_example(id: &str, example: &Value) -> Option<Case> {
    let says = |key: &str| example.get(key).is_some();
    if !says("u") && !says("e") && !says("t") && !says("r") {
        return None;
    }
    let links = example["fs"]
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(path, target)| Some((path.clone(), target.as_str()?.to_owned())));
    let (cwd, home, platform) = if says("win") {
        ("C:\\proj\\app", "C:\\Users\\dev", Platform::Windows)
    } else {
        ("/proj/app", "/home/dev", Platform::Posix)
    };
    let unit = |unit: &Value| match unit {
        Value::Array(parts) => (
            parts[0].as_str().expect("text").to_owned(),
            parts[1].as_str().map(str::to_owned),
            parts[2].as_str().map(str::to_owned),
        ),
        text => (text.as_str().expect("text").to_owned(), None, None),
    };
    let candidate = |parts: &Value| {
        let mut values = texts(parts);
        (values.remove(0), values)
    };
    let tokens = example["t"]
        .as_array()
        .map(|tokens| texts(&Value::Array(tokens.clone())).into_iter().map(|token| (token, Vec::new())).collect());
    Some(Case {
        id: id.to_owned(),
        command: text(example, "c").expect("command"),
        workdir: text(example, "wd"),
        normalizer: normalizer(cwd.to_owned(), home.to_owned(), platform, Links(links.collect())),
        promote: texts(&example["pr"]),
        units: example["u"].as_array().map(|units| units.iter().map(unit).collect()),
        external: example["e"].as_array().map(|paths| texts(&Value::Array(paths.clone()))),
        tokens: example["r"].as_array().map(|list| list.iter().map(candidate).collect()).or(tokens),
    })
}

/// `*` and `?` over the whole text: enough for the patterns of the file.
fn matches(pattern: &str, value: &str) -> bool {
    match pattern.chars().next() {
        None => value.is_empty(),
        Some('*') => (0..=value.len()).filter_map(|at| value.get(at..)).any(|rest| matches(&pattern[1..], rest)),
        Some(c) => value
            .chars()
            .next()
            .is_some_and(|v| (c == '?' || c == v) && matches(&pattern[c.len_utf8()..], &value[v.len_utf8()..])),
    }
}

pub(crate) fn analyse(case: &Case) -> BashProgram {
    let facts = ShellFacts {
        resolver: &case.normalizer,
        is_promotable: &|token| case.promote.iter().any(|pattern| matches(&case.fold(pattern), &case.fold(token))),
        could_hit_absolute: &|_| false,
        out_of_time: &|| false,
    };
    BashProgram::parse(&case.command, case.workdir.as_deref(), &facts).expect("the grammar loads")
}
