//! What a file looks like without reading it (POLICY-D19), and its text.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::host::{FileFault, FileFaultKind, FileStamp, FileView};

/// The look of one file at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Look {
    /// No such file: nothing there, a dangling link, an empty path (CFG-004).
    Missing,
    /// There; equal stamps mean equal content.
    Stamped(FileStamp),
    /// There, but the file system gives no stamp: length and a hash of the content.
    Hashed(usize, u64),
    /// There, and nothing more can be told.
    Unreadable(FileFault),
}

impl Look {
    /// Looks at a file. The stamp is taken before any reading: whatever is read later is at least as new.
    pub(crate) fn at(files: &dyn FileView, path: &str) -> Self {
        if path.is_empty() {
            return Self::Missing;
        }
        match files.stamp(path) {
            Ok(stamp) => Self::Stamped(stamp),
            Err(fault) if is_absence(&fault) => Self::Missing,
            Err(_) => match files.read(path) {
                Ok(bytes) => {
                    let mut hasher = DefaultHasher::new();
                    bytes.hash(&mut hasher);
                    Self::Hashed(bytes.len(), hasher.finish())
                }
                Err(fault) if is_absence(&fault) => Self::Missing,
                Err(fault) => Self::Unreadable(fault),
            },
        }
    }

    /// Whether something is there.
    pub(crate) fn exists(&self) -> bool {
        *self != Self::Missing
    }

    /// The text that stands for it in a stamp (CFG-033).
    pub(crate) fn stamp_text(&self) -> String {
        match self {
            Self::Missing => "missing".to_owned(),
            Self::Stamped(stamp) => {
                format!("{}:{}:{}:{}:{}", stamp.device, stamp.inode, stamp.size, stamp.modified_ns, stamp.changed_ns)
            }
            Self::Hashed(length, hash) => format!("content:{length}:{hash:016x}"),
            Self::Unreadable(_) => "unreadable".to_owned(),
        }
    }
}

/// The text of a file; invalid UTF-8 is replaced, not rejected (CFG-006).
pub(crate) enum FileText {
    /// It is gone.
    Missing,
    /// Its text.
    Text(String),
    /// Why it cannot be read.
    Unreadable(String),
}

impl FileText {
    /// Reads a file.
    pub(crate) fn of(files: &dyn FileView, path: &str) -> Self {
        match files.read(path) {
            Ok(bytes) => Self::Text(String::from_utf8_lossy(&bytes).into_owned()),
            Err(fault) if is_absence(&fault) => Self::Missing,
            Err(fault) => Self::Unreadable(format!("the file cannot be read: {}", describe(&fault))),
        }
    }
}

fn is_absence(fault: &FileFault) -> bool {
    matches!(fault.kind, FileFaultKind::NotFound | FileFaultKind::NotADirectory)
}

/// The fault in the system's words, with its short name where it has one.
pub(crate) fn describe(fault: &FileFault) -> String {
    let name = match fault.kind {
        FileFaultKind::NotFound => "ENOENT",
        FileFaultKind::NotADirectory => "ENOTDIR",
        FileFaultKind::IsADirectory => "EISDIR",
        FileFaultKind::PermissionDenied => "EACCES",
        FileFaultKind::Loop => "ELOOP",
        _ => "",
    };
    if name.is_empty() || fault.message.contains(name) { fault.message.clone() } else { format!("{name}: {}", fault.message) }
}
