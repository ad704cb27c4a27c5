use std::fs;
use std::path::{Path, PathBuf};

use pretty_assertions::assert_eq;
use tempfile::TempDir;

use super::*;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        text(&self.join(name))
    }
}

fn text(path: &Path) -> String {
    path.to_str().expect("a text").to_owned()
}

fn kind<T: std::fmt::Debug>(outcome: Result<T, ExchangeFault>) -> ExchangeFaultKind {
    outcome.expect_err("a fault").kind
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    fs::symlink_metadata(path).expect("an entry").permissions().mode() & 0o777
}

#[cfg(unix)]
#[test]
fn fwd_d08_folders_and_files_belong_to_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    SystemExchangeStore.create_dir(&folder.text("a/b/c")).expect("made");
    assert_eq!(["a", "a/b", "a/b/c"].map(|name| mode(&folder.join(name))), [0o700; 3]);
    SystemExchangeStore.create_file(&folder.text("a/f"), b"x").expect("made");
    assert_eq!(mode(&folder.join("a/f")), 0o600);

    fs::set_permissions(folder.join("a"), fs::Permissions::from_mode(0o755)).expect("opened up");
    SystemExchangeStore.create_dir(&folder.text("a")).expect("existing is fine");
    assert_eq!(mode(&folder.join("a")), 0o700, "and tightened");
}

#[test]
fn fwd_002_a_file_where_a_folder_should_be() {
    let folder = Folder::new();
    fs::write(folder.join("root"), "").expect("written");
    assert_eq!(kind(SystemExchangeStore.create_dir(&folder.text("root"))), ExchangeFaultKind::NotRegular);
    assert_eq!(kind(SystemExchangeStore.create_dir(&folder.text("root/below"))), ExchangeFaultKind::Other);
    let long = "%C3%A9".repeat(60);
    assert_eq!(kind(SystemExchangeStore.create_dir(&folder.text(&long))), ExchangeFaultKind::Other);
}

#[test]
fn fwd_023_only_regular_files_are_listed() {
    let folder = Folder::new();
    SystemExchangeStore.create_dir(&folder.text("in")).expect("made");
    SystemExchangeStore.create_file(&folder.text("in/a.json"), b"{}").expect("made");
    SystemExchangeStore.create_dir(&folder.text("in/sub.json")).expect("made");
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.join("in/a.json"), folder.join("in/link.json")).expect("linked");
    assert_eq!(SystemExchangeStore.list_files(&folder.text("in")), Ok(vec!["a.json".to_owned()]));
    assert_eq!(kind(SystemExchangeStore.list_files(&folder.text("none"))), ExchangeFaultKind::NotFound);
    assert_eq!(kind(SystemExchangeStore.list_files(&folder.text("in/a.json"))), ExchangeFaultKind::NotRegular);
}

#[cfg(unix)]
#[test]
fn fwd_d08_no_link_is_followed() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    fs::write(folder.join("secret"), "s").expect("written");
    fs::create_dir(folder.join("elsewhere")).expect("made");
    symlink(folder.join("secret"), folder.join("link")).expect("linked");
    symlink(folder.join("elsewhere"), folder.join("folder")).expect("linked");
    symlink(folder.join("nowhere"), folder.join("dangling")).expect("linked");

    assert_eq!(kind(SystemExchangeStore.read(&folder.text("link"), 9)), ExchangeFaultKind::NotRegular);
    assert_eq!(kind(SystemExchangeStore.create_dir(&folder.text("folder"))), ExchangeFaultKind::NotRegular);
    assert_eq!(kind(SystemExchangeStore.list_files(&folder.text("folder"))), ExchangeFaultKind::NotRegular);
    assert_eq!(kind(SystemExchangeStore.create_file(&folder.text("dangling"), b"x")), ExchangeFaultKind::AlreadyExists);
    assert!(!folder.join("nowhere").exists());
    SystemExchangeStore.remove_file(&folder.text("link")).expect("removed");
    assert!(folder.join("secret").exists(), "the link goes, not what it leads to");
}

#[cfg(unix)]
#[test]
fn fwd_d08_pipes_and_sockets_are_no_messages_and_nobody_waits_for_them() {
    let folder = Folder::new();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        folder.join("pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .expect("a pipe");
    let _socket = std::os::unix::net::UnixListener::bind(folder.join("socket")).expect("a socket");
    assert_eq!(kind(SystemExchangeStore.read(&folder.text("pipe"), 9)), ExchangeFaultKind::NotRegular);
    assert_eq!(kind(SystemExchangeStore.read(&folder.text("socket"), 9)), ExchangeFaultKind::NotRegular);
    assert_eq!(SystemExchangeStore.list_files(&folder.text("")), Ok(vec![]));
}

#[test]
fn fwd_d10_a_read_is_bounded() {
    let folder = Folder::new();
    fs::write(folder.join("nine"), "123456789").expect("written");
    assert_eq!(SystemExchangeStore.read(&folder.text("nine"), 9), Ok(b"123456789".to_vec()));
    assert_eq!(kind(SystemExchangeStore.read(&folder.text("nine"), 8)), ExchangeFaultKind::TooLarge);
    assert_eq!(kind(SystemExchangeStore.read(&folder.text("none"), 8)), ExchangeFaultKind::NotFound);
    assert_eq!(kind(SystemExchangeStore.read(&folder.text(""), 8)), ExchangeFaultKind::NotRegular);
}

#[test]
fn fwd_007_a_file_is_created_once_and_a_rename_replaces() {
    let folder = Folder::new();
    let (a, b) = (folder.text("a"), folder.text("b"));
    SystemExchangeStore.create_file(&a, b"1").expect("made");
    assert_eq!(kind(SystemExchangeStore.create_file(&a, b"2")), ExchangeFaultKind::AlreadyExists);
    SystemExchangeStore.create_file(&b, b"2").expect("made");
    SystemExchangeStore.rename(&b, &a).expect("replaced");
    assert_eq!(SystemExchangeStore.read(&a, 9), Ok(b"2".to_vec()));
    assert_eq!(kind(SystemExchangeStore.rename(&b, &a)), ExchangeFaultKind::NotFound);
    assert_eq!(kind(SystemExchangeStore.create_file(&folder.text("none/x"), b"")), ExchangeFaultKind::NotFound);
}

#[test]
fn fwd_014_only_an_empty_folder_goes() {
    let folder = Folder::new();
    SystemExchangeStore.create_dir(&folder.text("a/b")).expect("made");
    assert_eq!(kind(SystemExchangeStore.remove_dir(&folder.text("a"))), ExchangeFaultKind::NotEmpty);
    SystemExchangeStore.remove_dir(&folder.text("a/b")).expect("removed");
    SystemExchangeStore.remove_dir(&folder.text("a")).expect("removed");
    assert_eq!(kind(SystemExchangeStore.remove_dir(&folder.text("a"))), ExchangeFaultKind::NotFound);
    assert_eq!(kind(SystemExchangeStore.remove_file(&folder.text("a"))), ExchangeFaultKind::NotFound);
}

#[test]
fn fwd_015_a_folder_is_no_file_to_remove() {
    let folder = Folder::new();
    SystemExchangeStore.create_dir(&folder.text("a")).expect("made");
    assert!(SystemExchangeStore.remove_file(&folder.text("a")).is_err());
    assert!(folder.join("a").is_dir());
}

#[cfg(unix)]
#[test]
fn fwd_d08_what_belongs_to_somebody_else_is_not_touched() {
    // Only a test that runs as root can give a file away; elsewhere the system's own root folder belongs to somebody else.
    let foreign = if rustix::process::geteuid().is_root() {
        let folder = Folder::new();
        fs::write(folder.join("file"), "x").expect("written");
        fs::create_dir(folder.join("dir")).expect("made");
        for name in ["file", "dir"] {
            std::os::unix::fs::chown(folder.join(name), Some(12_345), None).expect("given away");
        }
        assert_eq!(kind(SystemExchangeStore.read(&folder.text("file"), 9)), ExchangeFaultKind::ForeignOwner);
        assert_eq!(kind(SystemExchangeStore.list_files(&folder.text("dir"))), ExchangeFaultKind::ForeignOwner);
        kind(SystemExchangeStore.create_dir(&folder.text("dir")))
    } else {
        kind(SystemExchangeStore.create_dir("/"))
    };
    assert_eq!(foreign, ExchangeFaultKind::ForeignOwner);
}
