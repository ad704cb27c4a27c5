//! Any bytes as policy files: configuration, agent file, MCP list. An answer without a panic, the same one twice; and a file
//! that cannot be used never allows anything (RES-06).
//!
//! Run with `cargo +nightly fuzz run policy -- -max_total_time=600 -max_len=4096` in `core`.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use portcullis_core::host::{EntryKind, FileFault, FileFaultKind, FileStamp, FileView, Platform, Trust};
use portcullis_core::policy::{
    GrantSet, MatchOptions, PermissionResolver, PermissionState, PolicyLoader, PolicyLocations, Question, Ruleset, ScopeStatus,
};

/// The same bytes behind every path.
struct Same(Vec<u8>);

impl FileView for Same {
    fn entry(&self, _: &str) -> Result<EntryKind, FileFault> {
        Ok(EntryKind::File)
    }
    fn read(&self, _: &str) -> Result<Vec<u8>, FileFault> {
        Ok(self.0.clone())
    }
    fn stamp(&self, _: &str) -> Result<FileStamp, FileFault> {
        Ok(FileStamp { device: 1, inode: 1, size: self.0.len() as u64, modified_ns: 1, changed_ns: 1 })
    }
    fn list(&self, _: &str) -> Result<Vec<String>, FileFault> {
        Err(FileFault { kind: FileFaultKind::NotADirectory, message: String::new() })
    }
}

fuzz_target!(|bytes: &[u8]| {
    let loader = || {
        let places = PolicyLocations::new("/a", Some("/p"), None, Platform::Posix);
        PolicyLoader::new(Arc::new(Same(bytes.to_vec())), places)
    };
    let snapshot = loader().load(Trust::Trusted, Some("rev"), &[]);
    assert_eq!(*snapshot, *loader().load(Trust::Trusted, Some("rev"), &[]));
    for scope in snapshot.scopes.iter().filter(|scope| scope.status == ScopeStatus::Broken) {
        assert!(scope.rules.iter().all(|rule| rule.action != PermissionState::Allow));
    }
    let rules = Ruleset::compose(&snapshot.scopes, MatchOptions { platform: Platform::Posix, home: Some("/h".to_owned()) });
    let grants = GrantSet::default();
    let resolver = PermissionResolver {
        rules: &rules,
        without_tag_agent: None,
        session: &grants,
        clamp: snapshot.clamp(),
        permissive: false,
        permissive_lost: None,
        detail: false,
    };
    for (surface, value) in [("bash", "rm x"), ("read", "/p/a"), ("path", "/p/.env"), ("mcp", "exa"), ("x", "*")] {
        let question = Question { surface: surface.to_owned(), values: vec![value.to_owned()], ..Question::default() };
        let answer = resolver.resolve(&question);
        assert!(!snapshot.clamp() || answer.state != PermissionState::Allow);
    }
});
