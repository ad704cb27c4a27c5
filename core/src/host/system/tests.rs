//! The system host against a real temporary directory.

use pretty_assertions::assert_eq;

use super::{SystemFileStore, SystemFileView};
use crate::host::{EntryKind, FileFaultKind, FileStore as _, FileView as _};

fn path(dir: &tempfile::TempDir, name: &str) -> String {
    dir.path().join(name).to_str().unwrap().to_owned()
}

#[test]
fn cfg_004_faults_are_told_apart_and_named() {
    let dir = tempfile::tempdir().unwrap();
    let missing = SystemFileView.read(&path(&dir, "none")).unwrap_err();
    assert_eq!(missing.kind, FileFaultKind::NotFound);
    let directory = SystemFileView.read(dir.path().to_str().unwrap()).unwrap_err();
    assert_eq!(directory.kind, FileFaultKind::IsADirectory);
    assert!(directory.message.contains("EISDIR"), "{directory}");
}

#[cfg(unix)]
#[test]
fn an_entry_is_told_without_following_its_link() {
    let dir = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("nowhere", dir.path().join("dangling")).unwrap();
    assert_eq!(SystemFileView.entry(&path(&dir, "dangling")).unwrap(), EntryKind::Symlink("nowhere".to_owned()));
    assert_eq!(SystemFileView.read(&path(&dir, "dangling")).unwrap_err().kind, FileFaultKind::NotFound);
}

#[cfg(unix)]
#[test]
fn hard_052_what_the_gate_writes_belongs_to_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |p: &str| std::fs::metadata(p).unwrap().permissions().mode() & 0o777;
    let dir = tempfile::tempdir().unwrap();
    let old = path(&dir, "old.jsonl");
    std::fs::write(&old, "a\n").unwrap();
    std::fs::set_permissions(&old, std::fs::Permissions::from_mode(0o644)).unwrap();
    SystemFileStore.append_private(&old, b"b\n").unwrap();
    assert_eq!((std::fs::read_to_string(&old).unwrap().as_str(), mode(&old)), ("a\nb\n", 0o600));

    let fresh = path(&dir, "logs/new.jsonl");
    SystemFileStore.append_private(&fresh, b"c\n").unwrap();
    assert_eq!((mode(&fresh), mode(&path(&dir, "logs"))), (0o600, 0o700));
}

#[test]
fn cfg_036_a_failed_replacement_leaves_no_sibling() {
    let dir = tempfile::tempdir().unwrap();
    let target = path(&dir, "config.json");
    std::fs::create_dir(&target).unwrap();
    std::fs::write(format!("{target}/inner"), "").unwrap();
    SystemFileStore.replace_private(&target, b"{}").unwrap_err();
    assert!(!std::path::Path::new(&format!("{target}.tmp")).exists());
    let fine = path(&dir, "fine.json");
    SystemFileStore.replace_private(&fine, b"{}\n").unwrap();
    assert_eq!(std::fs::read_to_string(&fine).unwrap(), "{}\n");
}

/// A link to a device or a pipe in a project must not keep the gate reading or waiting.
#[cfg(unix)]
#[test]
fn what_never_ends_is_not_read() {
    let dir = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/zero", dir.path().join("endless")).unwrap();
    let fault = SystemFileView.read(&path(&dir, "endless")).unwrap_err();
    assert_eq!((fault.kind, fault.message.as_str()), (FileFaultKind::Other, "it is no regular file"));
    let huge = std::fs::File::create(dir.path().join("huge")).unwrap();
    huge.set_len(17 * 1024 * 1024).unwrap();
    assert_eq!(SystemFileView.read(&path(&dir, "huge")).unwrap_err().message, "it is too large");
}

/// CFG-036: what stands at the sibling's place may lead elsewhere.
#[cfg(unix)]
#[test]
fn cfg_036_a_replacement_is_not_written_through_a_link() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(path(&dir, "victim"), "mine").unwrap();
    std::os::unix::fs::symlink("victim", dir.path().join("config.json.tmp")).unwrap();
    SystemFileStore.replace_private(&path(&dir, "config.json"), b"{}\n").unwrap();
    assert_eq!(std::fs::read_to_string(path(&dir, "victim")).unwrap(), "mine");
    assert_eq!(SystemFileView.entry(&path(&dir, "config.json")).unwrap(), EntryKind::File);
    assert_eq!(std::fs::read_to_string(path(&dir, "config.json")).unwrap(), "{}\n");
}
