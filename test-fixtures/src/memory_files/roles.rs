//! The traits that a tree in memory answers: those of the gate's host, and that of whoever builds a world.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use portcullis_core::host::system::{SystemExchangeStore, SystemFileView};
use portcullis_core::host::{
    EntryKind, ExchangeFault, ExchangeFaultKind, ExchangeStore, FileFault, FileStamp, FileStore, FileView,
};

use super::nodes::{Content, Node, Nodes, Problem};
use super::{MemoryFiles, Spot, text};
use crate::tree::{Disk, Tree};

/// Owner-only, as the gate makes them (HARD-052).
const PRIVATE_DIRECTORY: u32 = 0o700;
const PRIVATE_FILE: u32 = 0o600;

impl MemoryFiles {
    /// Looks at something of this tree, links followed, or at what stands elsewhere.
    fn find<T, E: Fault>(
        &self,
        path: &str,
        here: impl FnOnce(&Nodes, &str, &Node) -> io::Result<T>,
        away: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, E> {
        let nodes = self.lock();
        let found = match self.walk(&nodes, path, true) {
            Ok(Spot::Here(place, Some(node))) => here(&nodes, &place, node),
            Ok(Spot::Here(_, None)) => Err(Problem::NotFound.error()),
            Ok(Spot::Away(path)) => return away(&path),
            Err(error) => Err(error),
        };
        found.map_err(|error| E::of(&error))
    }

    fn bytes_of(node: &Node) -> io::Result<Vec<u8>> {
        match &node.content {
            Content::File(bytes) => Ok(bytes.to_vec()),
            _ => Err(Problem::IsADirectory.error()),
        }
    }

    fn names_in(nodes: &Nodes, place: &str, node: &Node) -> io::Result<Vec<String>> {
        match node.content {
            Content::Directory => Ok(nodes.names(place)),
            _ => Err(Problem::NotADirectory.error()),
        }
    }
}

/// What is missed most often is put into words once.
trait Fault: Sized {
    fn of(error: &io::Error) -> Self;
}

impl Fault for FileFault {
    fn of(error: &io::Error) -> Self {
        static NOT_FOUND: LazyLock<FileFault> = LazyLock::new(|| FileFault::from(&Problem::NotFound.error()));
        if error.kind() == io::ErrorKind::NotFound { NOT_FOUND.clone() } else { Self::from(error) }
    }
}

impl Fault for ExchangeFault {
    fn of(error: &io::Error) -> Self {
        static NOT_FOUND: LazyLock<ExchangeFault> = LazyLock::new(|| ExchangeFault::from(&Problem::NotFound.error()));
        if error.kind() == io::ErrorKind::NotFound { NOT_FOUND.clone() } else { Self::from(error) }
    }
}

impl FileView for MemoryFiles {
    fn entry(&self, path: &str) -> Result<EntryKind, FileFault> {
        match self.look(path).map_err(|error| FileFault::of(&error))? {
            Ok((kind, _)) => Ok(kind),
            Err(above) if self.is_above(&above) => Ok(EntryKind::Directory),
            Err(away) => SystemFileView.entry(&away),
        }
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileFault> {
        self.find(path, |_, _, node| Self::bytes_of(node), |away| SystemFileView.read(away))
    }

    fn stamp(&self, path: &str) -> Result<FileStamp, FileFault> {
        let stamp = |_: &Nodes, _: &str, node: &Node| {
            let size = match &node.content {
                Content::File(bytes) => bytes.len() as u64,
                _ => 0,
            };
            Ok(FileStamp { device: 0, inode: node.inode, size, modified_ns: node.changed, changed_ns: node.changed })
        };
        self.find(path, stamp, |away| SystemFileView.stamp(away))
    }

    fn list(&self, path: &str) -> Result<Vec<String>, FileFault> {
        self.find(path, Self::names_in, |away| SystemFileView.list(away))
    }
}

impl FileStore for MemoryFiles {
    fn create_private_dir(&self, path: &str) -> Result<(), FileFault> {
        self.make_directories(path, PRIVATE_DIRECTORY).map_err(|error| FileFault::of(&error))
    }

    fn append_private(&self, path: &str, bytes: &[u8]) -> Result<(), FileFault> {
        let append = || -> io::Result<()> {
            if let Some(folder) = Path::new(path).parent().and_then(Path::to_str) {
                self.make_directories(folder, PRIVATE_DIRECTORY)?;
                self.set_mode(folder, PRIVATE_DIRECTORY)?;
            }
            self.put_bytes(path, bytes, true, Some(PRIVATE_FILE))?;
            self.set_mode(path, PRIVATE_FILE)
        };
        append().map_err(|error| FileFault::of(&error))
    }

    fn replace_private(&self, path: &str, bytes: &[u8]) -> Result<(), FileFault> {
        let temporary = format!("{path}.tmp");
        let replace = || -> io::Result<()> {
            match self.remove_one(&temporary) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            self.add_new(&temporary, Content::File(bytes.into()), Some(PRIVATE_FILE))?;
            self.rename_entry(&temporary, path)
        };
        replace().map_err(|error| {
            let _ = self.remove_one(&temporary);
            FileFault::of(&error)
        })
    }
}

impl ExchangeStore for MemoryFiles {
    fn create_dir(&self, path: &str) -> Result<(), ExchangeFault> {
        let made = self.make_directories(path, PRIVATE_DIRECTORY);
        match self.look(path) {
            Ok(Ok((EntryKind::Directory, _))) => {}
            Ok(_) => return Err(ExchangeFault::not_a_folder()),
            Err(found) => {
                let error = made.err().unwrap_or(found);
                // Such a path leads through a link that leads nowhere; the system's store takes that for a folder that went away.
                let fault = ExchangeFault::of(&error);
                return Err(match fault.kind {
                    ExchangeFaultKind::AlreadyExists => {
                        ExchangeFault::new(ExchangeFaultKind::NotFound, format!("it was removed meanwhile: {error}"))
                    }
                    _ => fault,
                });
            }
        }
        self.set_mode(path, PRIVATE_DIRECTORY).map_err(|error| ExchangeFault::of(&error))
    }

    fn list_files(&self, path: &str) -> Result<Vec<String>, ExchangeFault> {
        match self.look(path).map_err(|error| ExchangeFault::of(&error))? {
            Ok((EntryKind::Directory, _)) => {}
            Ok(_) => return Err(ExchangeFault::not_a_folder()),
            Err(away) => return SystemExchangeStore.list_files(&away),
        }
        let files = |nodes: &Nodes, place: &str, node: &Node| -> io::Result<Vec<String>> {
            let is_file = |name: &String| {
                nodes.get(&format!("{place}/{name}")).is_some_and(|node| matches!(node.content, Content::File(_)))
            };
            Ok(Self::names_in(nodes, place, node)?.into_iter().filter(is_file).collect())
        };
        self.find(path, files, |_| Err(ExchangeFault::not_a_folder()))
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, ExchangeFault> {
        match self.look(path) {
            Ok(Ok((EntryKind::File, _))) => {}
            Ok(Ok(_)) => return Err(ExchangeFault::not_regular()),
            Ok(Err(away)) => return SystemExchangeStore.read(&away, max_bytes),
            // Whoever opens a file without following links is told the same of a circle on the way.
            Err(error) if error.raw_os_error() == Problem::Loop.error().raw_os_error() => {
                return Err(ExchangeFault::not_regular());
            }
            Err(error) => return Err(ExchangeFault::of(&error)),
        }
        let bytes: Vec<u8> = self.find(path, |_, _, node| Self::bytes_of(node), |_| Err(ExchangeFault::not_regular()))?;
        if bytes.len() as u64 > max_bytes { Err(ExchangeFault::too_large()) } else { Ok(bytes) }
    }

    fn create_file(&self, path: &str, bytes: &[u8]) -> Result<(), ExchangeFault> {
        self.add_new(path, Content::File(bytes.into()), Some(PRIVATE_FILE)).map_err(|error| ExchangeFault::of(&error))
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), ExchangeFault> {
        self.rename_entry(from, to).map_err(|error| ExchangeFault::of(&error))
    }

    fn remove_file(&self, path: &str) -> Result<(), ExchangeFault> {
        self.remove_one(path).map_err(|error| ExchangeFault::of(&error))
    }

    fn remove_dir(&self, path: &str) -> Result<(), ExchangeFault> {
        self.remove_empty(path).map_err(|error| ExchangeFault::of(&error))
    }
}

impl Tree for MemoryFiles {
    fn kind(&self, path: &Path) -> io::Result<EntryKind> {
        match self.look(text(path)?)? {
            Ok((kind, _)) => Ok(kind),
            Err(away) => Disk.kind(Path::new(&*away)),
        }
    }

    fn mode(&self, path: &Path) -> io::Result<Option<u32>> {
        match self.look(text(path)?)? {
            Ok((_, mode)) => Ok(Some(mode)),
            Err(away) => Disk.mode(Path::new(&*away)),
        }
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        let nodes = self.lock();
        match self.walk(&nodes, text(path)?, true)? {
            Spot::Here(place, Some(node)) => Self::names_in(&nodes, &place, node),
            Spot::Here(_, None) => Err(Problem::NotFound.error()),
            Spot::Away(path) => Disk.list(Path::new(&*path)),
        }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let nodes = self.lock();
        match self.walk(&nodes, text(path)?, true)? {
            Spot::Here(_, Some(node)) => Self::bytes_of(node),
            Spot::Here(_, None) => Err(Problem::NotFound.error()),
            Spot::Away(path) => Disk.read(Path::new(&*path)),
        }
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.write_file(text(path)?, bytes)
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        self.make_directories(text(path)?, super::nodes::DIRECTORY_MODE)
    }

    fn link(&self, target: &str, path: &Path) -> io::Result<()> {
        if target.is_empty() {
            return Err(Problem::NotFound.error());
        }
        self.add_new(text(path)?, Content::Link(target.to_owned()), None)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.rename_entry(text(from)?, text(to)?)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.remove_all(text(path)?)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        let nodes = self.lock();
        match self.walk(&nodes, text(path)?, true)? {
            Spot::Here(place, Some(_)) => Ok(place.into_owned().into()),
            Spot::Here(_, None) => Err(Problem::NotFound.error()),
            Spot::Away(path) => Disk.canonical(Path::new(&*path)),
        }
    }
}
