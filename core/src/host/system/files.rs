//! Files of the operating system.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
#[cfg(not(unix))]
use std::time::UNIX_EPOCH;

use super::super::{EntryKind, FileFault, FileFaultKind, FileStamp, FileStore, FileView};

/// The real file system, read-only.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemFileView;

impl From<&io::Error> for FileFault {
    fn from(error: &io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::NotFound => FileFaultKind::NotFound,
            io::ErrorKind::NotADirectory => FileFaultKind::NotADirectory,
            io::ErrorKind::IsADirectory => FileFaultKind::IsADirectory,
            io::ErrorKind::PermissionDenied => FileFaultKind::PermissionDenied,
            // `io::ErrorKind::FilesystemLoop` is not stable; ELOOP is 40 on Linux and 62 on the BSDs.
            _ if matches!(error.raw_os_error(), Some(40 | 62)) => FileFaultKind::Loop,
            _ => FileFaultKind::Other,
        };
        Self { kind, message: describe(error) }
    }
}

/// The system's own words with the error's short name, so that a reader finds it in a manual (CFG-004).
fn describe(error: &io::Error) -> String {
    let name = match error.kind() {
        io::ErrorKind::NotFound => "ENOENT",
        io::ErrorKind::NotADirectory => "ENOTDIR",
        io::ErrorKind::IsADirectory => "EISDIR",
        io::ErrorKind::PermissionDenied => "EACCES",
        _ => return error.to_string(),
    };
    format!("{name}: {error}")
}

/// The largest file that is read; no policy is that long.
const MAX_READ: u64 = 16 * 1024 * 1024;

fn refused(why: &str) -> FileFault {
    FileFault { kind: FileFaultKind::Other, message: why.to_owned() }
}

impl FileView for SystemFileView {
    fn entry(&self, path: &str) -> Result<EntryKind, FileFault> {
        let kind = fs::symlink_metadata(path).map_err(|e| FileFault::from(&e))?.file_type();
        if kind.is_dir() {
            return Ok(EntryKind::Directory);
        }
        if !kind.is_symlink() {
            return Ok(EntryKind::File);
        }
        let target = fs::read_link(path).map_err(|e| FileFault::from(&e))?;
        target
            .into_os_string()
            .into_string()
            .map(EntryKind::Symlink)
            .map_err(|_| FileFault { kind: FileFaultKind::Other, message: "the link's target is no valid text".to_owned() })
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileFault> {
        let kind = fs::metadata(path).map_err(|e| FileFault::from(&e))?.file_type();
        // A pipe would be waited for, and a device never ends: a project may hold a link to either.
        if !kind.is_file() && !kind.is_dir() {
            return Err(refused("it is no regular file"));
        }
        let file = fs::File::open(path).map_err(|e| FileFault::from(&e))?;
        let mut bytes = Vec::new();
        file.take(MAX_READ + 1).read_to_end(&mut bytes).map_err(|e| FileFault::from(&e))?;
        if bytes.len() as u64 > MAX_READ {
            return Err(refused("it is too large"));
        }
        Ok(bytes)
    }

    fn stamp(&self, path: &str) -> Result<FileStamp, FileFault> {
        let data = fs::metadata(path).map_err(|e| FileFault::from(&e))?;
        Ok(stamp_of(&data))
    }

    fn list(&self, path: &str) -> Result<Vec<String>, FileFault> {
        let mut names = Vec::new();
        for entry in fs::read_dir(path).map_err(|e| FileFault::from(&e))? {
            names.push(entry.map_err(|e| FileFault::from(&e))?.file_name().to_string_lossy().into_owned());
        }
        Ok(names)
    }
}

#[cfg(unix)]
fn stamp_of(data: &fs::Metadata) -> FileStamp {
    use std::os::unix::fs::MetadataExt as _;
    let ns = |seconds: i64, nanos: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
    FileStamp {
        device: data.dev(),
        inode: data.ino(),
        size: data.size(),
        modified_ns: ns(data.mtime(), data.mtime_nsec()),
        changed_ns: ns(data.ctime(), data.ctime_nsec()),
    }
}

#[cfg(not(unix))]
fn stamp_of(data: &fs::Metadata) -> FileStamp {
    let ns = |time: io::Result<std::time::SystemTime>| {
        time.ok()
            .and_then(|t| t.duration_since(UNIX_EPOCH).ok())
            .and_then(|d| i128::try_from(d.as_nanos()).ok())
            .unwrap_or_default()
    };
    FileStamp { device: 0, inode: 0, size: data.len(), modified_ns: ns(data.modified()), changed_ns: ns(data.created()) }
}

/// The gate's own writes, owner-only where the system knows owners (HARD-052).
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemFileStore;

#[cfg(unix)]
fn tighten(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let now = fs::metadata(path)?.permissions();
    if now.mode() & 0o7777 == mode { Ok(()) } else { fs::set_permissions(path, fs::Permissions::from_mode(mode)) }
}

#[cfg(not(unix))]
fn tighten(_path: &Path, _mode: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn private_options() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

#[cfg(not(unix))]
fn private_options() -> OpenOptions {
    OpenOptions::new()
}

fn make_private_dir(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(path)
}

fn replace(path: &Path, temporary: &Path, bytes: &[u8]) -> io::Result<()> {
    // Whatever stands there is not ours to write into: it may be a link that leads elsewhere.
    match fs::remove_file(temporary) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = private_options().write(true).create_new(true).open(temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    tighten(temporary, 0o600)?;
    fs::rename(temporary, path)
}

impl FileStore for SystemFileStore {
    fn create_private_dir(&self, path: &str) -> Result<(), FileFault> {
        make_private_dir(Path::new(path)).map_err(|e| FileFault::from(&e))
    }

    fn append_private(&self, path: &str, bytes: &[u8]) -> Result<(), FileFault> {
        let path = Path::new(path);
        let append = || -> io::Result<()> {
            if let Some(parent) = path.parent() {
                make_private_dir(parent)?;
                tighten(parent, 0o700)?;
            }
            let mut file = private_options().append(true).create(true).open(path)?;
            tighten(path, 0o600)?;
            file.write_all(bytes)
        };
        append().map_err(|e| FileFault::from(&e))
    }

    fn replace_private(&self, path: &str, bytes: &[u8]) -> Result<(), FileFault> {
        let temporary = format!("{path}.tmp");
        let done = replace(Path::new(path), Path::new(&temporary), bytes);
        if done.is_err() {
            // The fault that matters is the first one; a sibling that cannot be removed was never created.
            let _ = fs::remove_file(&temporary);
        }
        done.map_err(|e| FileFault::from(&e))
    }
}
