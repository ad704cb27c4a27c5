//! Volumes that fold names (GATES-D19): where `.ENV` and `.env`, or two normal forms of one name, are the same file, a deny has to
//! see the other spellings. A volume is asked, never guessed by the name of the system; on one that does not fold nothing
//! is added (PATH-005). Windows values are folded anyway.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use unicode_normalization::UnicodeNormalization;

use super::flavour::{Place, is_separator, split_root};
use super::normalise::PathText;
use crate::host::{EntryKind, FileView, Platform};

/// Paths with more names than this are not looked up name by name.
const MAX_NAMES: usize = 64;

/// Remembers which directories fold case.
#[derive(Debug, Default)]
pub(crate) struct FoldingProbe {
    by_directory: Mutex<HashMap<String, bool>>,
}

impl FoldingProbe {
    /// Whether the volume of an existing directory ignores case: its own name in the other case names a directory too.
    pub(crate) fn folds_case(&self, files: &dyn FileView, directory: &str) -> bool {
        if let Some(known) = self.by_directory.lock().unwrap_or_else(PoisonError::into_inner).get(directory) {
            return *known;
        }
        let folds = swap_last_name(directory).is_some_and(|other| matches!(files.entry(&other), Ok(EntryKind::Directory)));
        self.by_directory.lock().unwrap_or_else(PoisonError::into_inner).insert(directory.to_owned(), folds);
        folds
    }
}

/// The path with the case of its last lettered name swapped.
fn swap_last_name(path: &str) -> Option<String> {
    let end = path.rfind(|c: char| c.is_ascii_alphabetic())? + 1;
    let start = path.get(..end)?.rfind('/').map_or(0, |slash| slash + 1);
    let (head, name, tail) = (path.get(..start)?, path.get(start..end)?, path.get(end..)?);
    let swapped: String =
        name.chars().map(|c| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }).collect();
    Some(format!("{head}{swapped}{tail}"))
}

/// The other spellings of a value on a volume that folds case: lower case, upper case, both normal forms.
pub(crate) fn folded_forms(value: &str) -> Vec<String> {
    let composed: String = value.nfc().collect();
    let decomposed: String = value.nfd().collect();
    let upper = composed.to_uppercase();
    // By way of the capitals, so that letters with the same capital are one (`ſ` and `s`, `K` and `k`).
    vec![upper.to_lowercase(), upper, composed, decomposed]
}

/// The other normal forms of a text, if it has any.
pub(crate) fn normal_forms(text: &str) -> Vec<String> {
    if text.is_ascii() {
        return Vec::new();
    }
    let forms = [text.nfc().collect::<String>(), text.nfd().collect()];
    forms.into_iter().filter(|form| form != text).collect()
}

/// The path as its directories spell it, when they spell a name in another case or normal form.
pub(crate) fn spelling_on_disk(files: &dyn FileView, path: &str) -> Option<String> {
    let (root, names) = split_root(Platform::Posix, path)?;
    let place =
        Place { root, names: names.split(|c| is_separator(Platform::Posix, c)).filter(|name| !name.is_empty()).collect() };
    if place.names.len() > MAX_NAMES {
        return None;
    }
    let mut spelled = PathText::at_root(Platform::Posix, place.root);
    for name in place.names {
        let listed = files.list(spelled.as_str()).unwrap_or_default();
        let same = |entry: &&String| fold_name(entry) == fold_name(name);
        let real = if listed.iter().any(|entry| entry == name) { None } else { listed.iter().find(same) };
        spelled.push(real.map_or(name, String::as_str));
    }
    (spelled.as_str() != path).then(|| spelled.into_string())
}

fn fold_name(name: &str) -> String {
    name.nfc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn gates_d19_swaps_the_last_name_with_letters() {
        assert_eq!(swap_last_name("/Users/Me/123").as_deref(), Some("/Users/mE/123"));
        assert_eq!(swap_last_name("/w").as_deref(), Some("/W"));
        assert_eq!(swap_last_name("/1/2"), None);
    }

    #[test]
    fn gates_d19_forms() {
        assert_eq!(folded_forms("/w/.Env"), ["/w/.env", "/W/.ENV", "/w/.Env", "/w/.Env"]);
        assert_eq!(folded_forms("\u{17f}ecret.\u{212a}ey").first().map(String::as_str), Some("secret.key"));
        assert_eq!(fold_name("\u{17f}ecret.\u{212a}ey"), "secret.key");
        assert_eq!(normal_forms("/e\u{301}"), ["/é"]);
        assert_eq!(normal_forms("/é"), ["/e\u{301}"]);
        assert_eq!(normal_forms("/e"), [""; 0]);
    }
}
