//! Waiting and looking at other processes on the real system (HARD-047).

use std::thread;
use std::time::Duration;

use super::super::{Processes, Waiter};

/// Sleeps.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemWaiter;

impl Waiter for SystemWaiter {
    fn wait_ms(&self, milliseconds: u64) {
        thread::sleep(Duration::from_millis(milliseconds));
    }
}

/// The processes of the machine, as far as the system tells.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemProcesses;

impl Processes for SystemProcesses {
    fn is_alive(&self, process_id: u32) -> Option<bool> {
        is_alive(process_id)
    }
}

#[cfg(unix)]
fn is_alive(process_id: u32) -> Option<bool> {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};

    let Some(pid) = i32::try_from(process_id).ok().and_then(Pid::from_raw) else {
        // No process has such a number.
        return Some(false);
    };
    match test_kill_process(pid) {
        Ok(()) => Some(!has_ended(process_id)),
        // Somebody else's.
        Err(Errno::PERM) => Some(true),
        Err(Errno::SRCH) => Some(false),
        Err(_) => None,
    }
}

/// Whether a process is over, and only waits for its parent to notice. Where nothing tells, it is not.
#[cfg(target_os = "linux")]
fn has_ended(process_id: u32) -> bool {
    let Ok(line) = std::fs::read_to_string(format!("/proc/{process_id}/stat")) else { return false };
    // The name stands in parentheses and may hold some itself; the state follows the last one.
    line.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['Z', 'X']))
}

#[cfg(all(unix, not(target_os = "linux")))]
fn has_ended(_process_id: u32) -> bool {
    false
}

#[cfg(not(unix))]
fn is_alive(_process_id: u32) -> Option<bool> {
    None
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Instant;

    use super::*;

    #[test]
    fn hard_047_own_process_lives_and_zero_does_not() {
        assert_eq!(SystemProcesses.is_alive(std::process::id()), cfg!(unix).then_some(true));
        #[cfg(unix)]
        assert_eq!((SystemProcesses.is_alive(0), SystemProcesses.is_alive(u32::MAX)), (Some(false), Some(false)));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn hard_047_a_process_that_ended_is_dead_before_and_after_it_is_reaped() {
        let mut child = Command::new("sleep").arg("600").spawn().expect("a process");
        assert_eq!(SystemProcesses.is_alive(child.id()), Some(true));
        child.kill().expect("killed");
        let end = Instant::now() + Duration::from_secs(10);
        while SystemProcesses.is_alive(child.id()) == Some(true) && Instant::now() < end {
            SystemWaiter.wait_ms(5);
        }
        assert_eq!(SystemProcesses.is_alive(child.id()), Some(false), "not reaped yet");
        child.wait().expect("reaped");
        assert_eq!(SystemProcesses.is_alive(child.id()), Some(false));
    }
}
