//! Faults in how a policy is read: what the files say is changed on its way to the gate. JSON files only; what is no JSON is left as
//! it is.

use std::sync::Arc;

use portcullis_core::composition::Host;
use portcullis_core::host::{EntryKind, FileFault, FileStamp, FileView};
use serde_json::{Map, Value};

use crate::implementation::Observation;

type Members = Map<String, Value>;

/// Puts a change between the policy files and the gate: text in, text out.
pub(super) fn read_through(host: &mut Host, change: fn(&str) -> Option<String>) {
    host.files = Arc::new(Reading { files: Arc::clone(&host.files), change });
}

struct Reading {
    files: Arc<dyn FileView>,
    change: fn(&str) -> Option<String>,
}

impl FileView for Reading {
    fn entry(&self, path: &str) -> Result<EntryKind, FileFault> {
        self.files.entry(path)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileFault> {
        let bytes = self.files.read(path)?;
        let is_policy = path.ends_with("config.json") || path.ends_with("pi-permissions.jsonc");
        let changed = std::str::from_utf8(&bytes).ok().filter(|_| is_policy).and_then(self.change);
        Ok(changed.map_or(bytes, String::into_bytes))
    }

    fn stamp(&self, path: &str) -> Result<FileStamp, FileFault> {
        self.files.stamp(path)
    }

    fn list(&self, path: &str) -> Result<Vec<String>, FileFault> {
        self.files.list(path)
    }
}

/// Changes the members of the file. One that says the same afterwards stays as it is written, so that no place in it moves.
pub(super) fn members(text: &str, change: impl FnOnce(&mut Members)) -> Option<String> {
    let before: Value = serde_json::from_str(text).ok()?;
    let mut after = before.clone();
    if let Value::Object(members) = &mut after {
        change(members);
    }
    // The order of rules counts, which equality of objects does not see.
    let (before, after) = (before.to_string(), after.to_string());
    (before != after).then_some(after)
}

/// Changes the map of surfaces.
pub(super) fn surfaces(text: &str, change: impl FnOnce(&mut Members)) -> Option<String> {
    members(text, |members| {
        if let Some(Value::Object(surfaces)) = members.get_mut("permission") {
            change(surfaces);
        }
    })
}

/// Changes the map of patterns of each surface.
pub(super) fn patterns(text: &str, change: impl Fn(&mut Members)) -> Option<String> {
    surfaces(text, |surfaces| surfaces.values_mut().filter_map(Value::as_object_mut).for_each(change))
}

fn turned(map: &mut Members) {
    *map = std::mem::take(map).into_iter().rev().collect();
}

/// The first matching rule wins: what is written last comes first.
pub(super) fn first_match(text: &str) -> Option<String> {
    let turned_within = patterns(text, turned);
    surfaces(turned_within.as_deref().unwrap_or(text), turned).or(turned_within)
}

/// The longest pattern wins, wherever it stands.
pub(super) fn longest_wins(text: &str) -> Option<String> {
    patterns(text, |map| {
        let mut entries: Vec<_> = std::mem::take(map).into_iter().collect();
        entries.sort_by_key(|(pattern, _)| pattern.chars().count());
        *map = entries.into_iter().collect();
    })
}

/// Puts more patterns in front of each, with the same state: what the pattern itself matches is decided as before.
fn beside(text: &str, more: fn(&str) -> Vec<String>) -> Option<String> {
    patterns(text, |map| {
        let old = std::mem::take(map);
        let known: Vec<String> = old.keys().cloned().collect();
        for (pattern, state) in old {
            for extra in more(&pattern) {
                if !known.contains(&extra) && !map.contains_key(&extra) {
                    map.insert(extra, state.clone());
                }
            }
            map.insert(pattern, state);
        }
    })
}

/// Case does not count.
pub(super) fn any_case(text: &str) -> Option<String> {
    beside(text, |pattern| {
        let mut letters = pattern.chars();
        let title: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        vec![pattern.to_uppercase(), pattern.to_lowercase(), title]
    })
}

/// A pattern matches whatever begins as it does.
pub(super) fn prefix(text: &str) -> Option<String> {
    beside(text, |pattern| if pattern.ends_with('*') { Vec::new() } else { vec![format!("{pattern}*")] })
}

/// A pattern matches whatever ends as it does.
pub(super) fn suffix(text: &str) -> Option<String> {
    beside(text, |pattern| if pattern.starts_with('*') { Vec::new() } else { vec![format!("*{pattern}")] })
}

/// A question mark is a question mark. Nothing that is judged holds the letter that takes its place.
pub(super) fn question_mark(text: &str) -> Option<String> {
    patterns(text, |map| rename(map, |pattern| pattern.replace('?', QUESTION_MARK)))
}

/// Stands for a question mark that is one.
pub(super) const QUESTION_MARK: &str = "Q-MARK";

/// A blank and a star at the end want something behind the blank.
pub(super) fn blank_star(text: &str) -> Option<String> {
    patterns(text, |map| {
        rename(map, |pattern| pattern.strip_suffix(" *").map_or_else(|| pattern.to_owned(), |head| format!("{head} ?*")));
    })
}

fn rename(map: &mut Members, name: impl Fn(&str) -> String) {
    *map = std::mem::take(map).into_iter().map(|(pattern, state)| (name(&pattern), state)).collect();
}

/// What nothing says is allowed.
pub(super) fn allow_by_default(text: &str) -> Option<String> {
    surfaces(text, |surfaces| {
        if !surfaces.contains_key("*") {
            surfaces.insert("*".into(), "allow".into());
        }
    })
}

/// The boundary is open.
pub(super) fn without_boundary(text: &str) -> Option<String> {
    surfaces(text, |surfaces| {
        surfaces.retain(|name, _| !name.starts_with("external_directory"));
        surfaces.insert("external_directory".into(), "allow".into());
    })
}

/// The rules of the path surface are not read.
pub(super) fn without_paths(text: &str) -> Option<String> {
    surfaces(text, |surfaces| surfaces.retain(|name, _| !name.starts_with("path")))
}

/// Skills are always allowed.
pub(super) fn without_skills(text: &str) -> Option<String> {
    surfaces(text, |surfaces| {
        if let Some(skill) = surfaces.get_mut("skill") {
            *skill = "allow".into();
        }
    })
}

/// Rules of one direction count for both.
pub(super) fn without_directions(text: &str) -> Option<String> {
    surfaces(text, |surfaces| {
        rename(surfaces, |name| name.trim_end_matches("_read").trim_end_matches("_write").to_owned());
    })
}

/// The reason of a deny is dropped.
pub(super) fn without_reasons(text: &str) -> Option<String> {
    patterns(text, |map| {
        for state in map.values_mut().filter(|state| state.get("action").and_then(Value::as_str) == Some("deny")) {
            *state = "deny".into();
        }
    })
}

/// The permissive mode turns what is denied into a question, and so into a yes.
pub(super) fn permissive_lifts(text: &str) -> Option<String> {
    let is_on = serde_json::from_str::<Value>(text).ok()?.get("yoloMode") == Some(&Value::Bool(true));
    if !is_on {
        return None;
    }
    surfaces(text, |surfaces| {
        let deny = |state: &Value| state == "deny" || state.get("action").and_then(Value::as_str) == Some("deny");
        for value in surfaces.values_mut() {
            if deny(value) {
                *value = "ask".into();
            } else if let Value::Object(map) = value {
                map.values_mut().filter(|state| deny(state)).for_each(|state| *state = "ask".into());
            }
        }
    })
}

/// A setting is not read.
pub(super) fn without_setting(text: &str, name: &str) -> Option<String> {
    members(text, |members| members.retain(|member, _| member != name))
}

/// What cannot be read says nothing, and what is left of it holds.
pub(super) fn broken_is_empty(text: &str) -> Option<String> {
    let Ok(mut root) = serde_json::from_str::<Value>(text) else {
        // Comments are no fault.
        return (!text.contains("//") && !text.contains("/*")).then(|| "{}".to_owned());
    };
    let Value::Object(root) = &mut root else { return Some("{}".into()) };
    let good = |state: &Value| ["allow", "ask", "deny"].iter().any(|word| state == word) || state.is_object();
    root.retain(|name, value| if name == "permission" { value.is_object() } else { KNOWN.contains(&name.as_str()) });
    if let Some(Value::Object(surfaces)) = root.get_mut("permission") {
        surfaces.values_mut().filter_map(Value::as_object_mut).for_each(|map| map.retain(|_, state| good(state)));
        surfaces.retain(|_, value| good(value));
    }
    Some(Value::Object(std::mem::take(root)).to_string())
}

const KNOWN: [&str; 4] = ["yoloMode", "shellTools", "debugLog", "permissionReviewLog"];

/// Says in the words of the policy what was said in others.
pub(super) fn retell(seen: &mut Observation, words: &[(String, String)]) {
    let bare = |text: &str| {
        let quoted = Value::from(text).to_string();
        quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
    };
    // The explanation itself does not come through; its text tells the changed words, too.
    seen.write_traces();
    let Ok(mut text) = serde_json::to_string(seen) else { return };
    for (from, to) in words.iter().filter(|(from, _)| !from.is_empty()) {
        text = text.replace(&bare(from), &bare(to));
    }
    if let Ok(told) = serde_json::from_str(&text) {
        *seen = told;
    }
}
