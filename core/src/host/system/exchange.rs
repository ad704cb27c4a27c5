//! The shared folders on the real file system: owner-only, no link followed at the last component, nothing read beyond a bound
//! (FWD-D08, FWD-023, FWD-D10).

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, Read as _, Write as _};

use super::super::{ExchangeFault, ExchangeFaultKind, ExchangeStore};

/// The folders of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemExchangeStore;

impl ExchangeStore for SystemExchangeStore {
    fn create_dir(&self, path: &str) -> Result<(), ExchangeFault> {
        private_dir_builder().create(path).map_err(|error| create_dir_fault(path, &error))?;
        tighten_own_dir(path)
    }

    fn list_files(&self, path: &str) -> Result<Vec<String>, ExchangeFault> {
        own_dir(path)?;
        let mut names = Vec::new();
        for entry in fs::read_dir(path).map_err(|error| ExchangeFault::from(&error))? {
            let entry = entry.map_err(|error| ExchangeFault::from(&error))?;
            // An entry that vanished meanwhile is no entry, and a name that is no text names no message.
            let regular = entry.file_type().is_ok_and(|kind| kind.is_file());
            if let (true, Ok(name)) = (regular, entry.file_name().into_string()) {
                names.push(name);
            }
        }
        Ok(names)
    }

    fn read(&self, path: &str, max_bytes: u64) -> Result<Vec<u8>, ExchangeFault> {
        let file = open_no_follow(path)?;
        let data = file.metadata().map_err(|error| ExchangeFault::from(&error))?;
        if !data.is_file() {
            return Err(ExchangeFault::not_regular());
        }
        check_owner(&data)?;
        if data.len() > max_bytes {
            return Err(ExchangeFault::too_large());
        }
        // A file may grow while it is read.
        let mut bytes = Vec::new();
        file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| ExchangeFault::from(&error))?;
        if bytes.len() as u64 > max_bytes { Err(ExchangeFault::too_large()) } else { Ok(bytes) }
    }

    fn create_file(&self, path: &str, bytes: &[u8]) -> Result<(), ExchangeFault> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        owner_only(&mut options);
        let mut file = options.open(path).map_err(|error| ExchangeFault::from(&error))?;
        file.write_all(bytes).map_err(|error| ExchangeFault::from(&error))
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), ExchangeFault> {
        fs::rename(from, to).map_err(|error| ExchangeFault::from(&error))
    }

    fn remove_file(&self, path: &str) -> Result<(), ExchangeFault> {
        fs::remove_file(path).map_err(|error| ExchangeFault::from(&error))
    }

    fn remove_dir(&self, path: &str) -> Result<(), ExchangeFault> {
        fs::remove_dir(path).map_err(|error| match error.kind() {
            // Some systems say so of a folder that is not empty.
            io::ErrorKind::AlreadyExists => ExchangeFault::new(ExchangeFaultKind::NotEmpty, error.to_string()),
            _ => ExchangeFault::from(&error),
        })
    }
}

impl From<&io::Error> for ExchangeFault {
    fn from(error: &io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::NotFound => ExchangeFaultKind::NotFound,
            io::ErrorKind::AlreadyExists => ExchangeFaultKind::AlreadyExists,
            io::ErrorKind::DirectoryNotEmpty => ExchangeFaultKind::NotEmpty,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ResourceBusy => ExchangeFaultKind::Transient,
            io::ErrorKind::IsADirectory => ExchangeFaultKind::NotRegular,
            _ => ExchangeFaultKind::Other,
        };
        Self::new(kind, error.to_string())
    }
}

/// Recursive creation takes any directory for granted, links to one included; what stands there else is an error of its own.
/// A folder that was there and then was not, because another session swept it away, is not found.
fn create_dir_fault(path: &str, error: &io::Error) -> ExchangeFault {
    match fs::symlink_metadata(path) {
        Ok(found) if !found.is_dir() => ExchangeFault::not_a_folder(),
        _ if error.kind() == io::ErrorKind::AlreadyExists => {
            ExchangeFault::new(ExchangeFaultKind::NotFound, format!("it was removed meanwhile: {error}"))
        }
        _ => ExchangeFault::from(error),
    }
}

/// A folder that exists, is none by a link only, and belongs to this user.
fn own_dir(path: &str) -> Result<Metadata, ExchangeFault> {
    let data = fs::symlink_metadata(path).map_err(|error| ExchangeFault::from(&error))?;
    if !data.is_dir() {
        return Err(ExchangeFault::not_a_folder());
    }
    check_owner(&data)?;
    Ok(data)
}

#[cfg(unix)]
mod platform {
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};

    use rustix::fs::OFlags;
    use rustix::io::Errno;

    use super::{DirBuilder, ExchangeFault, ExchangeFaultKind, File, Metadata, OpenOptions};

    fn flags(wanted: OFlags) -> i32 {
        // The bits of `open` fit a C integer on every system.
        i32::try_from(wanted.bits()).unwrap_or_default()
    }

    pub(super) fn private_dir_builder() -> DirBuilder {
        let mut builder = DirBuilder::new();
        builder.recursive(true).mode(0o700);
        builder
    }

    pub(super) fn owner_only(options: &mut OpenOptions) {
        options.mode(0o600).custom_flags(flags(OFlags::NOFOLLOW));
    }

    /// Opened without blocking: somebody may have put a pipe there.
    pub(super) fn open_no_follow(path: &str) -> Result<File, ExchangeFault> {
        let wanted = flags(OFlags::NOFOLLOW | OFlags::NONBLOCK);
        OpenOptions::new().read(true).custom_flags(wanted).open(path).map_err(|error| {
            match error.raw_os_error().map(Errno::from_raw_os_error) {
                // A link (the second word is FreeBSD's), a socket.
                Some(Errno::LOOP | Errno::MLINK | Errno::NXIO) => ExchangeFault::not_regular(),
                _ => ExchangeFault::from(&error),
            }
        })
    }

    pub(super) fn check_owner(data: &Metadata) -> Result<(), ExchangeFault> {
        if data.uid() == rustix::process::geteuid().as_raw() {
            return Ok(());
        }
        Err(ExchangeFault::new(ExchangeFaultKind::ForeignOwner, "it belongs to another user"))
    }

    /// Looks at and tightens the very folder that was opened, whatever stands under its name meanwhile.
    pub(super) fn tighten_own_dir(path: &str) -> Result<(), ExchangeFault> {
        let wanted = flags(OFlags::NOFOLLOW | OFlags::DIRECTORY);
        let folder = OpenOptions::new().read(true).custom_flags(wanted).open(path).map_err(|error| {
            match error.raw_os_error().map(Errno::from_raw_os_error) {
                Some(Errno::LOOP | Errno::MLINK | Errno::NOTDIR) => ExchangeFault::not_a_folder(),
                _ => ExchangeFault::from(&error),
            }
        })?;
        let data = folder.metadata().map_err(|error| ExchangeFault::from(&error))?;
        check_owner(&data)?;
        let mut mode = data.permissions();
        if mode.mode() & 0o777 == 0o700 {
            return Ok(());
        }
        mode.set_mode(0o700);
        folder.set_permissions(mode).map_err(|error| ExchangeFault::from(&error))
    }
}

/// Systems without owners in the sense of the protocol: what is a link is refused, the rest is the folder's inheritance.
#[cfg(not(unix))]
mod platform {
    use std::fs;

    use super::{DirBuilder, ExchangeFault, File, Metadata, OpenOptions, own_dir};

    pub(super) fn private_dir_builder() -> DirBuilder {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        builder
    }

    pub(super) fn owner_only(_options: &mut OpenOptions) {}

    pub(super) fn open_no_follow(path: &str) -> Result<File, ExchangeFault> {
        if !fs::symlink_metadata(path).map_err(|error| ExchangeFault::from(&error))?.is_file() {
            return Err(ExchangeFault::not_regular());
        }
        File::open(path).map_err(|error| ExchangeFault::from(&error))
    }

    #[expect(clippy::unnecessary_wraps, reason = "the other systems have owners")]
    pub(super) fn check_owner(_data: &Metadata) -> Result<(), ExchangeFault> {
        Ok(())
    }

    pub(super) fn tighten_own_dir(path: &str) -> Result<(), ExchangeFault> {
        own_dir(path).map(drop)
    }
}

use platform::{check_owner, open_no_follow, owner_only, private_dir_builder, tighten_own_dir};

#[cfg(test)]
mod tests;
