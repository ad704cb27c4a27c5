//! Windows paths over a world on this machine, so that the Windows flavour can be tested anywhere.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use portcullis_core::host::{EntryKind, FileFault, FileFaultKind, FileStamp, FileStore, FileView};

/// The home directory of a Windows world.
pub const WINDOWS_HOME: &str = r"C:\Users\me";

/// Shows the home directory of a world as `C:\Users\me`. Nothing else exists, but for the directories above it.
pub struct WindowsFiles {
    home: PathBuf,
    view: Arc<dyn FileView>,
    store: Arc<dyn FileStore>,
}

impl WindowsFiles {
    /// A view of the world whose home is this directory.
    pub fn new(home: &Path, view: Arc<dyn FileView>, store: Arc<dyn FileStore>) -> Self {
        Self { home: home.to_path_buf(), view, store }
    }

    fn below_home(path: &str) -> Option<String> {
        let path = path.replace('/', r"\");
        let head = path.get(..WINDOWS_HOME.len())?;
        if !head.eq_ignore_ascii_case(WINDOWS_HOME) {
            return None;
        }
        let rest = path.get(WINDOWS_HOME.len()..)?;
        (rest.is_empty() || rest.starts_with('\\')).then(|| rest.trim_start_matches('\\').replace('\\', "/"))
    }

    fn real(&self, path: &str) -> Result<String, FileFault> {
        let Some(rest) = Self::below_home(path) else {
            return Err(FileFault { kind: FileFaultKind::NotFound, message: "ENOENT: no such file or directory".into() });
        };
        Ok(self.home.join(self.find(&rest)).to_string_lossy().into_owned())
    }

    /// Case does not count on Windows: each part is looked up by its folded name.
    fn find(&self, rest: &str) -> PathBuf {
        let mut found = PathBuf::new();
        for part in rest.split('/').filter(|part| !part.is_empty()) {
            let folder = self.home.join(&found);
            let names = self.view.list(&folder.to_string_lossy()).unwrap_or_default();
            let exact = names.iter().any(|name| name == part);
            let folded = names.iter().find(|name| !exact && name.eq_ignore_ascii_case(part));
            found.push(folded.map_or(part, String::as_str));
        }
        found
    }

    fn is_above_home(path: &str) -> bool {
        let path = path.replace('/', r"\");
        let path = path.trim_end_matches('\\');
        ["C:", r"C:\Users"].iter().any(|above| path.eq_ignore_ascii_case(above))
    }
}

impl FileView for WindowsFiles {
    fn entry(&self, path: &str) -> Result<EntryKind, FileFault> {
        if Self::is_above_home(path) {
            return Ok(EntryKind::Directory);
        }
        let home = self.home.to_string_lossy();
        Ok(match self.view.entry(&self.real(path)?)? {
            EntryKind::Symlink(target) => match target.strip_prefix(&*home) {
                Some(rest) => EntryKind::Symlink(format!("{WINDOWS_HOME}{}", rest.replace('/', r"\"))),
                None => EntryKind::Symlink(target.replace('/', r"\")),
            },
            other => other,
        })
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileFault> {
        self.view.read(&self.real(path)?)
    }

    fn stamp(&self, path: &str) -> Result<FileStamp, FileFault> {
        self.view.stamp(&self.real(path)?)
    }

    fn list(&self, path: &str) -> Result<Vec<String>, FileFault> {
        self.view.list(&self.real(path)?)
    }
}

impl FileStore for WindowsFiles {
    fn create_private_dir(&self, path: &str) -> Result<(), FileFault> {
        self.store.create_private_dir(&self.real(path)?)
    }

    fn append_private(&self, path: &str, bytes: &[u8]) -> Result<(), FileFault> {
        self.store.append_private(&self.real(path)?, bytes)
    }

    fn replace_private(&self, path: &str, bytes: &[u8]) -> Result<(), FileFault> {
        self.store.replace_private(&self.real(path)?, bytes)
    }
}
