//! The verbs of the protocol over the shared folders: they retry what is momentary (HARD-049), make again what another session
//! swept away (FWD-022), and never leave a half-written message (FWD-007). They know no policy and read no message.

mod owners;

use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

pub use self::owners::ClaimOwner;
use super::diagnostics::ForwardingLog;
use super::location::InboxLocation;
use super::reading::MAX_MESSAGE_BYTES;
use super::retry::retrying;
use crate::host::{Clock, ExchangeFault, ExchangeFaultKind, ExchangeStore, Processes, Waiter};

/// How often a message is written, or a folder made, again after another session swept its place away. FWD-022 asks for two at
/// least; with two, six asks of 24,000 were still lost to siblings that sweep at the same moment.
const MORE_TRIES: usize = 8;

/// How many names of temporary files are tried: another thread may write the same message in the same millisecond.
const TEMPORARY_NAMES: u64 = 16;

/// How long the temporary file of a process that is gone stays, in milliseconds: the process may live where this one cannot see.
const TEMPORARY_GRACE_MS: u64 = 10_000;

/// The exchange of one session.
pub struct Exchange {
    store: Arc<dyn ExchangeStore>,
    clock: Arc<dyn Clock>,
    waiter: Arc<dyn Waiter>,
    log: Arc<dyn ForwardingLog>,
    process_id: u32,
    /// The last fault of a listing: a folder that cannot be listed stays so, and a parent looks four times a second.
    list_fault: Mutex<Option<ExchangeFault>>,
}

impl Exchange {
    /// An exchange over these roles; the number of the process is part of the names of temporary files.
    pub fn new(
        store: Arc<dyn ExchangeStore>,
        clock: Arc<dyn Clock>,
        waiter: Arc<dyn Waiter>,
        log: Arc<dyn ForwardingLog>,
        process_id: u32,
    ) -> Self {
        Self { store, clock, waiter, log, process_id, list_fault: Mutex::new(None) }
    }

    /// Where diagnostics go.
    pub fn log(&self) -> &dyn ForwardingLog {
        self.log.as_ref()
    }

    /// The time now, in milliseconds since 1970.
    pub fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    /// Lets time pass.
    pub fn wait_ms(&self, milliseconds: u64) {
        self.waiter.wait_ms(milliseconds);
    }

    /// The number of this process.
    pub fn process_id(&self) -> u32 {
        self.process_id
    }

    /// Makes the session's folder, `requests` and `responses` (FWD-002). All three are attempted, each failure is one
    /// `permission_forwarding.error`; the first one comes back.
    pub fn prepare_inbox(&self, location: &InboxLocation) -> Result<(), ExchangeFault> {
        let folders = [location.session_dir().to_owned(), location.requests(), location.responses()];
        let mut outcome = Ok(());
        for folder in folders {
            outcome = outcome.and(self.ensure_dir(&folder));
        }
        outcome
    }

    /// Makes `responses` before a pass serves anything (INBOX-003). Failures are the caller's to report.
    pub fn make_responses(&self, location: &InboxLocation) -> Result<(), ExchangeFault> {
        self.create_dir(&location.responses())
    }

    fn ensure_dir(&self, path: &str) -> Result<(), ExchangeFault> {
        self.create_dir(path).inspect_err(|fault| {
            self.log.error(&format!("could not make the folder {path}"), Some(&fault.message));
        })
    }

    fn create_dirs(&self, folders: &[String]) -> Result<(), ExchangeFault> {
        folders.iter().try_for_each(|folder| self.create_dir(folder))
    }

    fn create_dir(&self, path: &str) -> Result<(), ExchangeFault> {
        let mut outcome = self.create_dir_once(path);
        for _ in 0..MORE_TRIES {
            // Parents are made as well, so what is not found was swept away meanwhile.
            if !swept_away(&outcome) {
                break;
            }
            outcome = self.create_dir_once(path);
        }
        outcome
    }

    fn create_dir_once(&self, path: &str) -> Result<(), ExchangeFault> {
        let failed = retrying(self.waiter.as_ref(), || self.store.create_dir(path))?;
        self.note_recovery(failed, "make the folder", path);
        Ok(())
    }

    /// Writes a child's request; folders that were swept away are made again (FWD-022).
    pub fn write_request(&self, location: &InboxLocation, id: &str, message: &impl Serialize) -> Result<(), ExchangeFault> {
        let folders = [location.session_dir().to_owned(), location.requests(), location.responses()];
        self.write_below(&folders, &location.request_file(id), message)
    }

    /// Writes a server's response; `responses` is made again when it was swept away. Failures are the caller's to report.
    pub fn write_response(&self, location: &InboxLocation, id: &str, message: &impl Serialize) -> Result<(), ExchangeFault> {
        self.write_below(&[location.responses()], &location.response_file(id), message)
    }

    pub(super) fn write_below(&self, folders: &[String], path: &str, message: &impl Serialize) -> Result<(), ExchangeFault> {
        let mut outcome = self.write_message(path, message);
        for _ in 0..MORE_TRIES {
            if !swept_away(&outcome) {
                break;
            }
            outcome = self.create_dirs(folders).and_then(|()| self.write_message(path, message));
        }
        outcome
    }

    /// Writes a message so that no reader sees a part of it (FWD-007): `<path>.<pid>.<ms>.tmp` in the same folder, then a
    /// rename. On any failure the temporary file is removed. A message that no reader would take is refused.
    pub fn write_message(&self, path: &str, message: &impl Serialize) -> Result<(), ExchangeFault> {
        let bytes = serde_json::to_vec(message)
            .map_err(|error| ExchangeFault::new(ExchangeFaultKind::Other, format!("could not spell the message: {error}")))?;
        if bytes.len() as u64 > MAX_MESSAGE_BYTES {
            let text = format!("the message is {} bytes long, and at most {MAX_MESSAGE_BYTES} are passed on", bytes.len());
            return Err(ExchangeFault::new(ExchangeFaultKind::TooLarge, text));
        }
        let temporary = self.create_temporary(path, &bytes)?;
        let renamed = self.rename(&temporary, path);
        if renamed.is_err() {
            self.discard(&temporary);
        }
        renamed
    }

    fn create_temporary(&self, path: &str, bytes: &[u8]) -> Result<String, ExchangeFault> {
        let now = self.clock.now_ms();
        let mut last = ExchangeFault::new(ExchangeFaultKind::AlreadyExists, "no name is free for a temporary file");
        for offset in 0..TEMPORARY_NAMES {
            let temporary = format!("{path}.{}.{}.tmp", self.process_id, now.saturating_add(offset));
            match self.store.create_file(&temporary, bytes) {
                Ok(()) => return Ok(temporary),
                // What stands there is somebody else's; it is neither written into nor removed.
                Err(fault) if fault.kind == ExchangeFaultKind::AlreadyExists => last = fault,
                // Without its folder there is no file either.
                Err(fault) if fault.kind == ExchangeFaultKind::NotFound => return Err(fault),
                Err(fault) => {
                    self.discard(&temporary);
                    return Err(fault);
                }
            }
        }
        Err(last)
    }

    /// Removes a temporary file of one's own, best effort: the fault that made it useless is the one that matters.
    fn discard(&self, temporary: &str) {
        let _ = self.store.remove_file(temporary);
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), ExchangeFault> {
        let failed = retrying(self.waiter.as_ref(), || self.store.rename(from, to))?;
        self.note_recovery(failed, "put in place", to);
        Ok(())
    }

    fn note_recovery(&self, failed: usize, what: &str, path: &str) {
        if failed > 0 {
            self.log.recovered(&format!("could {what} {path} after {failed} failed tries"));
        }
    }

    /// Takes a listed request for oneself (5.6, 2): of two servers one gets it, the other finds nothing.
    pub fn claim(&self, location: &InboxLocation, id: &str) -> Result<(), ExchangeFault> {
        self.rename(&location.request_file(id), &location.claim_file(id))
    }

    /// Sets a claimed request aside, because no response to it can be written (5.6, 7).
    pub fn set_aside(&self, location: &InboxLocation, id: &str) -> Result<(), ExchangeFault> {
        self.rename(&location.claim_file(id), &location.aside_file(id))
    }

    /// The bytes of a message; bounded, no link followed (FWD-D10, FWD-023).
    pub fn read_message(&self, path: &str) -> Result<Vec<u8>, ExchangeFault> {
        self.store.read(path, MAX_MESSAGE_BYTES)
    }

    /// Whether nothing stands at this path. What cannot be read is there.
    pub fn is_absent(&self, path: &str) -> bool {
        matches!(self.read_message(path), Err(fault) if fault.kind == ExchangeFaultKind::NotFound)
    }

    /// Removes a file (FWD-015): one that is absent is fine, another failure is a warning. Whether nothing stands there now.
    pub fn remove(&self, path: &str) -> bool {
        match self.store.remove_file(path) {
            Ok(()) => true,
            Err(fault) if fault.kind == ExchangeFaultKind::NotFound => true,
            Err(fault) => {
                self.log.warning(&format!("could not remove {path}"), Some(&fault.message));
                false
            }
        }
    }

    /// Removes the folders of a session as far as they are empty (FWD-014): `requests`; `responses` only when `requests` is
    /// gone; the session's folder. Nothing above.
    pub fn clean_up(&self, location: &InboxLocation) {
        if self.remove_dir(&location.requests()) {
            self.remove_dir(&location.responses());
        }
        self.remove_dir(location.session_dir());
    }

    /// Whether the folder is gone.
    fn remove_dir(&self, path: &str) -> bool {
        match self.store.remove_dir(path) {
            Ok(()) => true,
            Err(fault) => match fault.kind {
                ExchangeFaultKind::NotFound => true,
                ExchangeFaultKind::NotEmpty => false,
                _ => {
                    self.log.warning(&format!("could not remove the folder {path}"), Some(&fault.message));
                    false
                }
            },
        }
    }

    /// The names of the waiting requests (FWD-009): regular files that end in `.json`, sorted by UTF-16 code unit. A missing
    /// folder is an empty inbox; another fault is a warning, once until it changes, and an empty inbox too.
    pub fn list_requests(&self, location: &InboxLocation) -> Vec<String> {
        let path = location.requests();
        let found = self.store.list_files(&path);
        let fault = found.as_ref().err().filter(|fault| fault.kind != ExchangeFaultKind::NotFound).cloned();
        self.report_listing(&path, fault);
        let mut names = found.unwrap_or_default();
        names.retain(|name| name.ends_with(".json"));
        names.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
        names
    }

    fn report_listing(&self, path: &str, fault: Option<ExchangeFault>) {
        let mut last = self.list_fault.lock().unwrap_or_else(PoisonError::into_inner);
        if *last == fault {
            return;
        }
        last.clone_from(&fault);
        drop(last);
        if let Some(fault) = fault {
            self.log.warning(&format!("could not list the folder {path}"), Some(&fault.message));
        }
    }

    /// The names of all regular files of a folder, in no order; a folder that cannot be listed has none.
    pub fn list_all(&self, folder: &str) -> Vec<String> {
        self.store.list_files(folder).unwrap_or_default()
    }

    /// Removes temporary files that nobody will put in place any more: of this age, or of a process that is gone and older than
    /// ten seconds. Whether any went. Names that are none of a temporary file stay.
    pub fn sweep_temporaries(&self, location: &InboxLocation, processes: &dyn Processes, max_age_ms: u64) -> bool {
        let now = self.now_ms();
        let mut swept = false;
        for folder in [location.session_dir().to_owned(), location.requests(), location.responses()] {
            for name in self.list_all(&folder) {
                let Some((process, created_at)) = temporary_parts(&name) else { continue };
                // Dated ahead it would outlive every other one.
                let age = now.abs_diff(created_at);
                let gone = || age >= TEMPORARY_GRACE_MS && processes.is_alive(process) == Some(false);
                if age >= max_age_ms || gone() {
                    swept |= self.remove(&format!("{folder}/{name}"));
                }
            }
        }
        swept
    }
}

fn swept_away(outcome: &Result<(), ExchangeFault>) -> bool {
    outcome.as_ref().is_err_and(|fault| fault.kind == ExchangeFaultKind::NotFound)
}

/// Process and time in the name of a temporary file.
fn temporary_parts(name: &str) -> Option<(u32, u64)> {
    let (rest, time) = name.strip_suffix(".tmp")?.rsplit_once('.')?;
    let (_, process) = rest.rsplit_once('.')?;
    Some((process.parse().ok()?, time.parse().ok()?))
}
