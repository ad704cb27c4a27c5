//! Finds what a child left behind: processes that went out of its group (`setsid`), and those whose parents are gone.
//!
//! A child and all that it starts inherit a mark in their environment. A process that wiped it is still found while the line of its
//! parents up to the child is unbroken, and the child is looked at before it is asked to end. Whoever breaks both comes to the program itself,
//! if that adopts orphans, and is ended when no child runs any more whose it could be.

#[cfg(target_os = "linux")]
use std::collections::BTreeSet;
#[cfg(target_os = "linux")]
use std::os::fd::OwnedFd;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(target_os = "linux")]
use std::time::Duration;

#[cfg(target_os = "linux")]
use rustix::process::{Pid, PidfdFlags, Signal, getpid, pidfd_open, pidfd_send_signal, set_child_subreaper};

/// The variable that marks a child and its descendants; its value is the child's own folder for temporary files.
pub(super) const MARK: &str = "PORTCULLIS_IMPLEMENTATION";

/// Processes that stem from a child, as they were at a time when it lived: only then its line of descent can be read.
#[derive(Debug, Default)]
pub(super) struct Descendants(#[cfg(target_os = "linux")] Vec<OwnedFd>);

impl Descendants {
    /// Those that are there now.
    #[cfg(target_os = "linux")]
    pub(super) fn of(leader: u32, folder: &Path) -> Self {
        Self(handles(leader, folder))
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn of(_leader: u32, _folder: &Path) -> Self {
        Self()
    }

    /// Ends the child's group by `end_group`, these, and all that can still be found. Looks again until nothing is found: somebody may
    /// have been starting somebody while it looked.
    #[cfg(target_os = "linux")]
    pub(super) fn end(&self, leader: u32, folder: &Path, end_group: impl FnOnce()) {
        const LOOKS: usize = 8;
        let now = handles(leader, folder);
        end_group();
        end(&self.0);
        end(&now);
        for _ in 0..LOOKS {
            let found = handles(leader, folder);
            if found.is_empty() {
                return;
            }
            end(&found);
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn end(&self, _leader: u32, _folder: &Path, end_group: impl FnOnce()) {
        end_group();
    }
}

/// Whether orphans come to this program.
#[cfg(target_os = "linux")]
static ADOPTS: AtomicBool = AtomicBool::new(false);

/// Lets orphans of implementations come to this program instead of the first process of the system, so that none is lost sight of. For a
/// program that starts nothing but implementations: at their end it ends every other child of its own as well.
#[cfg(target_os = "linux")]
pub fn adopt_orphans() {
    ADOPTS.store(set_child_subreaper(Some(getpid())).is_ok(), Ordering::Relaxed);
}

/// Other systems know no such thing.
#[cfg(not(target_os = "linux"))]
pub fn adopt_orphans() {}

/// Ends the orphans that came to this program, when no implementation runs. None is waited for, so that no number goes to somebody else.
#[cfg(target_os = "linux")]
pub(super) fn end_adopted() {
    const LOOKS: usize = 8;
    if !ADOPTS.load(Ordering::Relaxed) {
        return;
    }
    for _ in 0..LOOKS {
        let own = living().into_iter().filter(|(_, parent)| *parent == std::process::id());
        let found: Vec<OwnedFd> = own.filter_map(|(process, _)| Some(open(process)?.1)).collect();
        if found.is_empty() {
            return;
        }
        end(&found);
        // Their children come when they are gone.
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn end_adopted() {}

#[cfg(target_os = "linux")]
fn open(process: u32) -> Option<(u32, OwnedFd)> {
    let pid = i32::try_from(process).ok().and_then(Pid::from_raw)?;
    Some((process, pidfd_open(pid, PidfdFlags::empty()).ok()?))
}

#[cfg(target_os = "linux")]
fn end(handles: &[OwnedFd]) {
    for handle in handles {
        // One that has ended by itself is what is wanted.
        let _ = pidfd_send_signal(handle, Signal::KILL);
    }
}

/// A number may go to somebody else between a look and a signal, a handle does not: those are kept whose process is still one of ours
/// after they were taken.
#[cfg(target_os = "linux")]
fn handles(leader: u32, folder: &Path) -> Vec<OwnedFd> {
    let taken: Vec<(u32, OwnedFd)> = descendants(leader, folder).into_iter().filter_map(open).collect();
    if taken.is_empty() {
        return Vec::new();
    }
    let ours = descendants(leader, folder);
    taken.into_iter().filter(|(process, _)| ours.contains(process)).map(|(_, handle)| handle).collect()
}

/// Living processes with the mark, or with the child among their parents.
#[cfg(target_os = "linux")]
fn descendants(leader: u32, folder: &Path) -> BTreeSet<u32> {
    let all: Vec<(u32, u32)> = living();
    let mark = [MARK.as_bytes(), b"=", folder.as_os_str().as_encoded_bytes()].concat();
    let marked = |process: u32| {
        let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|entry| entry == mark)
    };
    let mut found: BTreeSet<u32> = all.iter().map(|(process, _)| *process).filter(|process| marked(*process)).collect();
    found.insert(leader);
    // Children of what was found, until there are no more.
    loop {
        let before = found.len();
        found.extend(all.iter().filter(|(_, parent)| found.contains(parent)).map(|(process, _)| *process).collect::<Vec<_>>());
        if found.len() == before {
            break;
        }
    }
    found.remove(&leader);
    found.remove(&std::process::id());
    found
}

/// Each process and its parent; those that have ended and wait to be asked about it left out.
#[cfg(target_os = "linux")]
fn living() -> Vec<(u32, u32)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers
        .filter_map(|process| {
            let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
            // The name in brackets may hold anything; what follows it are plain words.
            let (_, rest) = stat.rsplit_once(')')?;
            let mut words = rest.split_whitespace();
            let state = words.next()?;
            let parent = words.next()?.parse().ok()?;
            (!matches!(state, "Z" | "X")).then_some((process, parent))
        })
        .collect()
}
