//! Embeds what the program carries: the suite of `scenarios/`, the requirement ids of `docs/spec/`, and the unit tests of `core/` that
//! name them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let crate_dir = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let root = crate_dir.parent().map(Path::to_path_buf).unwrap_or_default();
    println!("cargo:rerun-if-changed=build.rs");
    fs::write(out_dir.join("embedded_suite.rs"), embedded(&root, "scenarios", &["yaml", "yml"])?)?;
    fs::write(out_dir.join("embedded_revisions.rs"), embedded(&root, "scenarios/revisions", &["txt"])?)?;
    fs::write(out_dir.join("requirement_list.rs"), requirements(&root)?)?;
    Ok(())
}

/// All files below a folder with one of the extensions, in order, with their name from the top of the repository.
fn files(root: &Path, folder: &str, extensions: &[&str]) -> io::Result<Vec<(String, PathBuf)>> {
    println!("cargo:rerun-if-changed={}", root.join(folder).display());
    let mut found = Vec::new();
    let mut open = vec![root.join(folder)];
    while let Some(path) = open.pop() {
        let Ok(entries) = fs::read_dir(&path) else { continue };
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                if path.file_name().is_none_or(|name| name != "target") {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|extension| extensions.iter().any(|known| extension == *known)) {
                let parts: Vec<String> = path
                    .strip_prefix(root)
                    .unwrap_or(&path)
                    .components()
                    .map(|part| part.as_os_str().to_string_lossy().into_owned())
                    .collect();
                found.push((parts.join("/"), path));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn embedded(root: &Path, folder: &str, extensions: &[&str]) -> io::Result<String> {
    let mut text = String::from("pub(super) static FILES: &[(&str, &str)] = &[\n");
    for (name, path) in files(root, folder, extensions)? {
        let _ = writeln!(text, "    ({name:?}, include_str!({:?})),", path.display().to_string());
    }
    text.push_str("];\n");
    Ok(text)
}

struct Defined {
    id: String,
    file: String,
    tier: &'static str,
    title: String,
}

fn requirements(root: &Path) -> io::Result<String> {
    let mut list: Vec<Defined> = Vec::new();
    for (name, path) in files(root, "docs/spec", &["md"])? {
        if name.ends_with("cases.md") {
            continue;
        }
        let file = name.rsplit('/').next().unwrap_or_default().to_owned();
        for line in fs::read_to_string(path)?.lines() {
            for id in defined_ids(line) {
                if list.iter().all(|known| known.id != id) {
                    let (file, tier, title) = (file.clone(), tier(line), title(line, id).to_owned());
                    list.push(Defined { id: id.to_owned(), file, tier, title });
                }
            }
        }
    }
    let ids: BTreeSet<&str> = list.iter().map(|known| known.id.as_str()).collect();
    let mut tests: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let core = files(root, "core", &["rs"])?;
    for (name, path) in core.into_iter().chain(files(root, "test-fixtures", &["rs"])?) {
        for id in tested_ids(&name, &fs::read_to_string(path)?, &ids) {
            tests.entry(id).or_default().insert(name.clone());
        }
    }
    let mut text = String::from("pub(super) static LIST: &[Requirement] = &[\n");
    for Defined { id, file, tier, title } in &list {
        let empty = BTreeSet::new();
        let named: Vec<&String> = tests.get(id.as_str()).unwrap_or(&empty).iter().collect();
        let _ = writeln!(
            text,
            "    Requirement {{ id: {id:?}, file: {file:?}, tier: {tier:?}, title: {title:?}, unit_tests: &{named:?} }},"
        );
    }
    text.push_str("];\n");
    Ok(text)
}

/// The requirements that a line of the specification defines: `**CFG-001** …` (anywhere), `### HARD-001 …`, `| RES-01 | …`, `- BASH-D01 …`.
fn defined_ids(line: &str) -> Vec<&str> {
    let item = line.strip_prefix("- ");
    let head = line.strip_prefix("### ").or_else(|| line.strip_prefix("| "));
    let plain = item.and_then(whole_id).filter(|id| id.contains("-D"));
    let bold = line.split("**").skip(1).step_by(2).filter_map(whole_id);
    head.and_then(whole_id).into_iter().chain(plain).chain(bold).collect()
}

fn whole_id(text: &str) -> Option<&str> {
    text.get(..id_length(text)?)
}

/// Length of an id such as `CFG-001`, `POLICY-D04`, `RES-26` at the start of a text.
fn id_length(text: &str) -> Option<usize> {
    let letters = text.bytes().take_while(u8::is_ascii_uppercase).count();
    let mut rest = text.get(letters..)?.strip_prefix('-')?;
    let mut length = letters + 1;
    if let Some(after) = rest.strip_prefix('D') {
        rest = after;
        length += 1;
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    (letters >= 3 && digits >= 2).then_some(length + digits)
}

/// `default`, `profile` or `skip` for hardening requirements: the first such word behind the dash.
fn tier(line: &str) -> &'static str {
    if !line.starts_with("### HARD-") {
        return "";
    }
    let tail = line.split('—').nth(1).unwrap_or_default();
    let place = |word: &str| tail.find(word).unwrap_or(usize::MAX);
    ["default", "profile", "skip"].into_iter().min_by_key(|word| place(word)).unwrap_or_default()
}

/// The few words behind the id, where a line has some: `### HARD-001 words — tier`, `**BASH-D01 words.** text`.
fn title<'l>(line: &'l str, id: &str) -> &'l str {
    let Some((before, after)) = line.split_once(id) else { return "" };
    let words = match before {
        "### " => after.split('—').next(),
        "- **" => after.split_once("**").map(|(words, _)| words),
        _ => None,
    };
    words.unwrap_or_default().trim().trim_end_matches('.')
}

/// Ids in the test code of a source file: all of `tests.rs` and of files below a `tests` folder, else what follows `#[cfg(test)]`.
fn tested_ids<'i>(name: &str, text: &str, ids: &BTreeSet<&'i str>) -> BTreeSet<&'i str> {
    let whole = name.ends_with("/tests.rs") || name.ends_with("_tests.rs") || name.contains("/tests/");
    let code = if whole { text } else { text.split_once("#[cfg(test)]").map_or("", |(_, tests)| tests) };
    let mut found = BTreeSet::new();
    let mut rest = code;
    while let Some(at) = rest.find('-') {
        let before = rest.get(..at).unwrap_or_default();
        let letters = before.bytes().rev().take_while(u8::is_ascii_uppercase).count();
        let start = at - letters;
        let tail = rest.get(start..).unwrap_or_default();
        if let Some(length) = id_length(tail)
            && let Some(id) = tail.get(..length).and_then(|id| ids.get(id))
        {
            found.insert(*id);
        }
        rest = rest.get(at + 1..).unwrap_or_default();
    }
    // Names of functions and cases cannot hold a dash: `cfg_014_…`.
    for word in code.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_') {
        let mut parts = word.split('_').collect::<Vec<_>>().into_iter().peekable();
        while let Some(part) = parts.next() {
            if let Some(next) = parts.peek()
                && next.bytes().any(|byte| byte.is_ascii_digit())
                && let Some(id) = ids.get(format!("{}-{}", part.to_uppercase(), next.to_uppercase()).as_str())
            {
                found.insert(*id);
            }
        }
    }
    found
}
