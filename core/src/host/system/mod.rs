//! The host traits on the real operating system: what a program hands to the gate when it has nothing special to say.
//!
//! This is the only place of the crate that touches files, clock, environment and randomness; nothing else imports it.

mod exchange;
mod files;
mod processes;

pub use exchange::SystemExchangeStore;
pub use files::{SystemFileStore, SystemFileView};
pub use processes::{SystemProcesses, SystemWaiter};

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{SystemTime, UNIX_EPOCH};

use super::{Clock, Environment, IdSource, Platform};

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        // A clock before 1970 is a broken clock; zero keeps every age test on the cautious side.
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX))
    }
}

/// Random numbers from the standard library's hash seeds, which the operating system keys.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemIds;

impl IdSource for SystemIds {
    fn random(&self) -> u64 {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u64(SystemClock.now_ms());
        hasher.finish()
    }

    fn process_id(&self) -> u32 {
        std::process::id()
    }
}

/// The process environment.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemEnvironment;

impl Environment for SystemEnvironment {
    fn var(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn home(&self) -> Option<String> {
        std::env::home_dir().and_then(|home| home.into_os_string().into_string().ok())
    }

    fn platform(&self) -> Platform {
        if cfg!(windows) { Platform::Windows } else { Platform::Posix }
    }
}

#[cfg(test)]
mod tests;
