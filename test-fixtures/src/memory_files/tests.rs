//! Files in memory behave as this machine's do: whatever is done to both comes out alike.

use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use portcullis_core::host::system::{SystemExchangeStore, SystemFileStore, SystemFileView};
use portcullis_core::host::{ExchangeFault, ExchangeStore, FileFault, FileStore, FileView};
use pretty_assertions::assert_eq;
use proptest::prelude::*;

use crate::{Disk, MemoryFiles, TempWorld, Tree};

#[derive(Debug, Clone)]
enum Verb {
    Write(String, Vec<u8>),
    MakeDirectory(String),
    Link(String, String),
    Rename(String, String),
    Remove(String),
    PrivateDirectory(String),
    Append(String),
    Replace(String),
    CreateFolder(String),
    CreateFile(String),
    RemoveFile(String),
    RemoveFolder(String),
}

/// Few names, so that they meet; and the ways that paths are written.
fn path() -> impl Strategy<Value = String> {
    let part = prop_oneof![8 => "[abc]", 1 => Just("..".to_owned()), 1 => Just(".".to_owned()), 1 => Just(String::new())];
    prop::collection::vec(part, 1..5).prop_map(|parts| parts.join("/"))
}

/// What is changed is named: systems differ in what they say of changes to `a/` and to `a/.`.
fn named() -> impl Strategy<Value = String> {
    (prop_oneof![3 => Just(String::new()), 2 => path().prop_map(|path| path + "/")], "[abc]")
        .prop_map(|(above, name)| above + &name)
}

fn verb() -> impl Strategy<Value = Verb> {
    let target =
        prop_oneof![path(), path().prop_map(|path| format!("${{HOME}}/{path}")), Just("/etc/passwd".into()), Just("/".into())];
    prop_oneof![
        (named(), prop::collection::vec(any::<u8>(), 0..4)).prop_map(|(path, bytes)| Verb::Write(path, bytes)),
        named().prop_map(Verb::MakeDirectory),
        (target, named()).prop_map(|(target, path)| Verb::Link(target, path)),
        (named(), named()).prop_map(|(from, to)| Verb::Rename(from, to)),
        named().prop_map(Verb::Remove),
        named().prop_map(Verb::PrivateDirectory),
        named().prop_map(Verb::Append),
        named().prop_map(Verb::Replace),
        named().prop_map(Verb::CreateFolder),
        named().prop_map(Verb::CreateFile),
        named().prop_map(Verb::RemoveFile),
        named().prop_map(Verb::RemoveFolder),
    ]
}

/// A world's files in all their roles.
struct Side<'a> {
    home: &'a Path,
    tree: &'a dyn Tree,
    view: &'a dyn FileView,
    store: &'a dyn FileStore,
    exchange: &'a dyn ExchangeStore,
}

fn number<T>(result: io::Result<T>) -> Result<T, io::ErrorKind> {
    result.map_err(|error| error.kind())
}

impl Side<'_> {
    fn full(&self, path: &str) -> String {
        format!("{}/{path}", self.home.display())
    }

    /// Paths of this world in a text become a place.
    fn told(&self, value: impl Debug) -> String {
        let told = format!("{value:?}").replace(&*self.home.to_string_lossy(), "${HOME}");
        told.replace(&*self.home.parent().unwrap().to_string_lossy(), "${TOP}")
    }

    fn do_it(&self, verb: &Verb) -> String {
        let file = |result: Result<(), FileFault>| self.told(result);
        let exchange = |result: Result<(), ExchangeFault>| self.told(result);
        let at = |path: &String| self.full(path);
        match verb {
            Verb::Write(path, bytes) => self.told(number(self.tree.write(Path::new(&at(path)), bytes))),
            Verb::MakeDirectory(path) => self.told(number(self.tree.make_directory(Path::new(&at(path))))),
            Verb::Link(target, path) => {
                let target = target.replace("${HOME}", &self.home.to_string_lossy());
                self.told(number(self.tree.link(&target, Path::new(&at(path)))))
            }
            Verb::Rename(from, to) => self.told(number(self.tree.rename(Path::new(&at(from)), Path::new(&at(to))))),
            Verb::Remove(path) => self.told(number(self.tree.remove(Path::new(&at(path))))),
            Verb::PrivateDirectory(path) => file(self.store.create_private_dir(&at(path))),
            Verb::Append(path) => file(self.store.append_private(&at(path), b"x\n")),
            Verb::Replace(path) => file(self.store.replace_private(&at(path), b"{}")),
            Verb::CreateFolder(path) => exchange(self.exchange.create_dir(&at(path))),
            Verb::CreateFile(path) => exchange(self.exchange.create_file(&at(path), b"m")),
            Verb::RemoveFile(path) => exchange(self.exchange.remove_file(&at(path))),
            Verb::RemoveFolder(path) => exchange(self.exchange.remove_dir(&at(path))),
        }
    }

    /// All that can be asked about a path.
    fn look(&self, path: &str) -> Vec<String> {
        let full = self.full(path);
        let sorted = |names: Vec<String>| {
            let mut names = names;
            names.sort();
            names
        };
        let tree = Path::new(&full);
        let is_own = self.tree.canonical(tree).is_ok_and(|real| real.starts_with(self.home));
        let is_private = |mode: Option<u32>| mode.map(|mode| mode & 0o077 == 0);
        vec![
            self.told(self.view.entry(&full)),
            self.told(self.view.read(&full)),
            self.told(self.view.list(&full).map(sorted)),
            self.told(self.view.stamp(&full).map(|stamp| is_own.then_some(stamp.size).filter(|_| !self.tree.is_directory(tree)))),
            self.told(self.exchange.list_files(&full).map(sorted)),
            self.told(self.exchange.read(&full, 3)),
            self.told(number(self.tree.kind(tree))),
            self.told(number(self.tree.mode(tree).map(is_private))),
            self.told(number(self.tree.list(tree).map(sorted))),
            self.told(number(self.tree.read(tree))),
            self.told(number(self.tree.canonical(tree))),
        ]
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn both_come_out_alike(verbs in prop::collection::vec(verb(), 1..12), paths in prop::collection::vec(path(), 1..8)) {
        let files = Arc::new(MemoryFiles::in_temporary_folder().unwrap());
        let (there, here) = (TempWorld::new().unwrap(), TempWorld::in_memory(&files).unwrap());
        let disk = Side {
            home: there.home(), tree: &Disk, view: &SystemFileView, store: &SystemFileStore, exchange: &SystemExchangeStore,
        };
        let memory = Side {
            home: here.home(), tree: files.as_ref(), view: files.as_ref(), store: files.as_ref(), exchange: files.as_ref(),
        };
        // What leads out of the world is refused in memory, and must not be tried on the disk.
        let stays = |verb: &Verb| !leaves(verb, &disk);
        for verb in verbs.iter().filter(|verb| stays(verb)) {
            assert_eq!(memory.do_it(verb), disk.do_it(verb), "{verb:?} of {verbs:#?}");
        }
        assert_eq!(memory.told(here.inventory().unwrap()), disk.told(there.inventory().unwrap()), "{verbs:#?}");
        // The folders above hold other things as well.
        let above = |path: &&String| {
            let real = Path::new(&disk.full(path)).canonicalize();
            real.is_ok_and(|real| disk.home.starts_with(&real) && real != disk.home)
        };
        for path in paths.iter().filter(|path| !above(path)) {
            assert_eq!(memory.look(path), disk.look(path), "{path} after {verbs:#?}");
        }
    }
}

/// Where a change is made: links followed, and of what is not there the nearest that is. Links in a circle lead nowhere.
fn nearest(path: &Path) -> Option<PathBuf> {
    let mut at = path.to_path_buf();
    for _ in 0..100 {
        if let Ok(real) = at.canonicalize() {
            return Some(real);
        }
        let parent = at.parent()?.to_path_buf();
        at = at.read_link().map_or(parent.clone(), |target| parent.join(target));
    }
    None
}

/// Whether the verb would change something outside the home, or the home itself.
fn leaves(verb: &Verb, disk: &Side<'_>) -> bool {
    let outside = |path: &String| {
        let full = disk.full(path);
        let is_home = Path::new(&full).canonicalize().is_ok_and(|real| real == *disk.home);
        is_home || nearest(Path::new(&full)).is_some_and(|real| !real.starts_with(disk.home)) || path.contains("..")
    };
    match verb {
        Verb::Rename(from, to) => outside(from) || outside(to),
        Verb::Write(path, _)
        | Verb::Link(_, path)
        | Verb::MakeDirectory(path)
        | Verb::Remove(path)
        | Verb::PrivateDirectory(path)
        | Verb::Append(path)
        | Verb::Replace(path)
        | Verb::CreateFolder(path)
        | Verb::CreateFile(path)
        | Verb::RemoveFile(path)
        | Verb::RemoveFolder(path) => outside(path),
    }
}

#[test]
fn worlds_stand_beside_each_other_and_go_away() {
    let files = Arc::new(MemoryFiles::in_temporary_folder().unwrap());
    let (one, other) = (TempWorld::in_memory(&files).unwrap(), TempWorld::in_memory(&files).unwrap());
    let (first, second) = (one.home().to_path_buf(), other.home().to_path_buf());
    assert_ne!(first, second);
    drop(one);
    assert!(!files.is_directory(&first) && files.is_directory(&second));
    let third = other.again().unwrap();
    assert!(!files.is_directory(&second) && files.is_directory(third.home()));
}

#[test]
fn what_stands_elsewhere_is_looked_at_and_not_changed() {
    let outside = tempfile::tempdir().unwrap();
    let path = outside.path().canonicalize().unwrap().join("x").to_string_lossy().into_owned();
    std::fs::write(&path, "real").unwrap();
    let files = MemoryFiles::in_temporary_folder().unwrap();
    assert_eq!(FileView::read(&files, &path).unwrap(), b"real");
    assert!(files.append_private(&path, b"x").is_err() && Tree::write(&files, Path::new(&path), b"x").is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "real");
}
