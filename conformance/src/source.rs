//! A scenario file's text, and places in it. Lines and columns count from 1; columns count Unicode scalar values.

use std::path::PathBuf;
use std::sync::Arc;

/// A file as it was read, with the name under which it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The name that messages show: the path as given, or the path inside the embedded suite.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// The folder on disk that files named in it are relative to; none for a text that came from nowhere.
    pub folder: Option<PathBuf>,
}

impl SourceFile {
    /// A source with this name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self { name: name.into(), text: text.into(), folder: None })
    }

    /// The same with the folder that it was found in.
    pub fn in_folder(name: impl Into<String>, text: impl Into<String>, folder: impl Into<PathBuf>) -> Arc<Self> {
        Arc::new(Self { name: name.into(), text: text.into(), folder: Some(folder.into()) })
    }
}

/// A stretch of a source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Place {
    /// Byte offset of its first character.
    pub offset: usize,
    /// Length in bytes.
    pub length: usize,
    /// Line of its first character.
    pub line: usize,
    /// Column of its first character.
    pub column: usize,
}

impl Place {
    /// The very beginning of a text.
    pub const START: Self = Self { offset: 0, length: 0, line: 1, column: 1 };
}
