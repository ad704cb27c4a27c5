//! Signs of life of serving sessions (HARD-047, RES-60).

use serde::Serialize;
use serde_json::Value;

use super::exchange::Exchange;
use super::location::{InboxLocation, normalize_session_id};
use super::reading::{integer, object_of, required_text};
use super::serving_sessions::ServingSessions;
use crate::host::{ExchangeFault, ExchangeFaultKind, Processes};

/// How often a serving session refreshes its heartbeat, in milliseconds.
pub const HEARTBEAT_INTERVAL_MS: u64 = 1_000;

/// The age at which a heartbeat is still fresh, in milliseconds.
pub const HEARTBEAT_LIFE_MS: u64 = 5_000;

/// What `heartbeat.json` holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Heartbeat {
    /// The serving session.
    pub session_id: String,
    /// Its process; never zero.
    pub pid: u32,
    /// When it was written, in milliseconds since 1970.
    pub time: u64,
}

impl Heartbeat {
    /// Announces a serving session in its folder, which is made when it is missing.
    pub fn write(exchange: &Exchange, location: &InboxLocation, session_id: &str) -> Result<(), ExchangeFault> {
        let beat = Self { session_id: session_id.to_owned(), pid: exchange.process_id(), time: exchange.now_ms() };
        exchange.write_below(&[location.session_dir().to_owned()], &location.heartbeat_file(), &beat)
    }

    /// The heartbeat in a folder; `None` when there is none that can be read.
    pub fn read(exchange: &Exchange, location: &InboxLocation) -> Option<Self> {
        Self::parse(&exchange.read_message(&location.heartbeat_file()).ok()?)
    }

    /// Withdraws one's own heartbeat. Another session's stays; one that nobody can read is removed.
    pub fn remove(exchange: &Exchange, location: &InboxLocation, session_id: &str) {
        let path = location.heartbeat_file();
        let own = match exchange.read_message(&path) {
            Ok(bytes) => Self::parse(&bytes).is_none_or(|beat| {
                beat.pid == exchange.process_id()
                    && normalize_session_id(Some(&beat.session_id)) == normalize_session_id(Some(session_id))
            }),
            Err(fault) => !matches!(fault.kind, ExchangeFaultKind::NotFound | ExchangeFaultKind::ForeignOwner),
        };
        if own {
            exchange.remove(&path);
        }
    }

    /// Bytes to a heartbeat; any bytes are one or none.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let object = object_of(bytes).ok()?;
        let pid = object.get("pid").and_then(Value::as_u64).and_then(|pid| u32::try_from(pid).ok()).filter(|pid| *pid > 0)?;
        Some(Self { session_id: required_text(&object, "sessionId").ok()?, pid, time: object.get("time").and_then(integer)? })
    }
}

/// What is known of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Liveness {
    /// It serves.
    Alive,
    /// Nothing announces it.
    Absent,
    /// Its heartbeat is older than five seconds, or lies as far in the future.
    Stale,
    /// Its process is gone.
    Dead,
}

impl Liveness {
    /// The state of a target: memory tells about sessions of this process, the heartbeat about others.
    pub fn of(
        exchange: &Exchange,
        location: &InboxLocation,
        target: &str,
        serving: &ServingSessions,
        processes: &dyn Processes,
    ) -> Self {
        if serving.contains(target) {
            return Self::Alive;
        }
        match Heartbeat::read(exchange, location) {
            Some(beat) if normalize_session_id(Some(&beat.session_id)) == normalize_session_id(Some(target)) => {
                Self::of_heartbeat(&beat, exchange.now_ms(), processes)
            }
            _ => Self::Absent,
        }
    }

    /// The state that a heartbeat shows at a time. A process that is gone is dead, however fresh its last beat.
    pub fn of_heartbeat(beat: &Heartbeat, now_ms: u64, processes: &dyn Processes) -> Self {
        if processes.is_alive(beat.pid) == Some(false) {
            Self::Dead
        } else if beat.time.abs_diff(now_ms) > HEARTBEAT_LIFE_MS {
            Self::Stale
        } else {
            Self::Alive
        }
    }
}

#[cfg(test)]
mod tests;
