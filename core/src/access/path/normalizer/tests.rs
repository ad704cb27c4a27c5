//! One small file system for all tests of the normaliser.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::access::path::{Base, InfrastructureEntries, ProtectedReason, WordResolver};
use crate::host::{EntryKind, FileFault, FileFaultKind, FileStamp};

mod boundary;
mod harness;
mod lexical;
mod links;
mod properties;
mod tools;
mod windows;
mod words;

/// A small file system: what is listed exists, and so does every folder above it.
#[derive(Default)]
struct MemoryFiles {
    entries: BTreeMap<String, EntryKind>,
    refused: Vec<String>,
    folds_case: bool,
}

impl MemoryFiles {
    fn new(entries: &[(&str, &str)]) -> Self {
        let mut files = Self::default();
        for (path, content) in entries {
            let kind = match content.strip_prefix("-> ") {
                Some(target) => EntryKind::Symlink(target.to_owned()),
                None if *content == "dir" => EntryKind::Directory,
                None => EntryKind::File,
            };
            for (at, _) in path.match_indices(['/', '\\']).filter(|(at, _)| *at > 0) {
                files.entries.entry(path.get(..at).unwrap().to_owned()).or_insert(EntryKind::Directory);
            }
            files.entries.insert((*path).to_owned(), kind);
        }
        files
    }
}

impl FileView for MemoryFiles {
    fn entry(&self, path: &str) -> Result<EntryKind, FileFault> {
        let fault = |kind| Err(FileFault { kind, message: "no".into() });
        if path.contains('\0') || self.refused.iter().any(|refused| path.starts_with(refused)) {
            return fault(if path.contains('\0') { FileFaultKind::Other } else { FileFaultKind::PermissionDenied });
        }
        let found = if self.folds_case {
            self.entries.iter().find(|(entry, _)| entry.eq_ignore_ascii_case(path)).map(|(_, kind)| kind)
        } else {
            self.entries.get(path)
        };
        found.cloned().map_or_else(|| fault(FileFaultKind::NotFound), Ok)
    }

    fn read(&self, _: &str) -> Result<Vec<u8>, FileFault> {
        Ok(Vec::new())
    }

    fn stamp(&self, _: &str) -> Result<FileStamp, FileFault> {
        Err(FileFault { kind: FileFaultKind::Other, message: "no stamps".into() })
    }

    fn list(&self, path: &str) -> Result<Vec<String>, FileFault> {
        let below = |entry: &String| {
            let rest = entry.strip_prefix(path)?.trim_start_matches('/').to_owned();
            (!rest.is_empty() && !rest.contains('/')).then_some(rest)
        };
        Ok(self.entries.keys().filter_map(below).collect())
    }
}

fn posix_at(cwd: &str, files: MemoryFiles) -> PathNormalizer {
    PathNormalizer::new(PathFacts {
        cwd: cwd.into(),
        home: Some("/home/u".into()),
        agent_dir: "/home/u/.pi/agent".into(),
        extension_root: None,
        platform: Platform::Posix,
        files: Arc::new(files),
    })
}

/// A session in `/w/p`.
pub(crate) fn posix(entries: &[(&str, &str)]) -> PathNormalizer {
    posix_at("/w/p", MemoryFiles::new(entries))
}

fn windows(cwd: &str, entries: &[(&str, &str)]) -> PathNormalizer {
    PathNormalizer::new(PathFacts {
        cwd: cwd.into(),
        home: Some("C:\\Users\\u".into()),
        agent_dir: "C:\\Users\\u\\.pi\\agent".into(),
        extension_root: None,
        platform: Platform::Windows,
        files: Arc::new(MemoryFiles::new(entries)),
    })
}

fn known(base: &str) -> Base {
    Base::Known(base.to_owned())
}

/// Main form, then further spellings.
fn spellings(path: &AccessPath) -> (Vec<&str>, Vec<(&str, &str)>) {
    let further = path.further.iter().map(|(text, by)| (text.as_str(), *by)).collect();
    (path.values.iter().map(String::as_str).collect(), further)
}

/// The values that the package would list (PATH-020): the main form, and the cleaned literal.
fn package_values(path: &AccessPath) -> Vec<&str> {
    let literal = path.further.iter().find(|(_, by)| *by == "POLICY-D08").map(|(text, _)| text.as_str());
    path.values.iter().map(String::as_str).chain(literal).collect()
}
