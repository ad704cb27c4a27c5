//! Saying that the session serves (HARD-047, RES-60): in memory to this process, by a heartbeat to others.

use super::super::heartbeat::{HEARTBEAT_INTERVAL_MS, Heartbeat, Liveness};
use super::super::location::normalize_session_id;
use super::answer::nobody;
use super::state::{Adopt, Asking};
use super::{InboxServer, Place};
use crate::report::Cause;

impl InboxServer {
    /// Announces the session; writes its heartbeat when a second has passed since the last one. Cheap when called often, and
    /// safe from any thread.
    pub fn beat(&self, session_id: &str) {
        let Some(own_id) = normalize_session_id(Some(session_id)) else { return };
        self.subagents.serving().announce(&own_id);
        let now = self.exchange.now_ms();
        let before = {
            let mut state = self.state();
            let fresh = |at: u64| at <= now && now - at < HEARTBEAT_INTERVAL_MS;
            if state.beating.as_ref().is_some_and(|(same, at)| *same == own_id && fresh(*at)) {
                return;
            }
            state.beating.replace((own_id.clone(), now)).map(|(id, _)| id)
        };
        if before.as_ref() != Some(&own_id) {
            if let Some(before) = before {
                self.withdraw_heartbeat(&before);
            }
            self.look_at_predecessor(&own_id);
        }
        self.write_heartbeat(&own_id);
    }

    /// The session ends. What its person is being asked is denied with cause `session_ended` (RES-63); the open dialog, whatever
    /// it says later, answers nothing any more.
    pub fn end_session(&self) {
        let asking = self.state().asking.take();
        if let Some(Asking { location, own_id, request }) = asking {
            let place = Place { location: &location, own_id: &own_id };
            if self.claim_stands(&location, &request.id) == Some(false) {
                self.withdrawn(&place, &request);
            } else {
                self.answer(&place, &request, &nobody(Cause::SessionEnded));
            }
        }
        self.end();
    }

    /// The session serves no longer: what could not be written is tried once more, then its signs of life are withdrawn.
    pub fn end(&self) {
        self.write_again();
        let beating = self.state().beating.take();
        if let Some((own_id, _)) = beating {
            self.withdraw_heartbeat(&own_id);
        }
    }

    fn write_heartbeat(&self, own_id: &str) {
        let Ok(location) = self.root.location(own_id) else { return };
        let written = Heartbeat::write(&self.exchange, &location, own_id);
        let news = std::mem::replace(&mut self.state().beat_failed, written.is_err()) != written.is_err();
        if let Err(fault) = written
            && news
        {
            self.exchange.log().warning("could not write the heartbeat", Some(&fault.message));
        }
    }

    fn withdraw_heartbeat(&self, own_id: &str) {
        self.subagents.serving().withdraw(own_id);
        if let Ok(location) = self.root.location(own_id) {
            Heartbeat::remove(&self.exchange, &location, own_id);
            self.exchange.clean_up(&location);
        }
    }

    /// Whoever announced itself here before is either alive, then its claims are its own, or gone, then they are taken over.
    fn look_at_predecessor(&self, own_id: &str) {
        let Ok(location) = self.root.location(own_id) else { return };
        let beat = Heartbeat::read(&self.exchange, &location);
        let state = beat.map(|beat| Liveness::of_heartbeat(&beat, self.exchange.now_ms(), self.processes.as_ref()));
        self.state().adopt = match state {
            Some(Liveness::Alive) => None,
            Some(Liveness::Dead) => Some(Adopt::OfTheDead),
            _ => Some(Adopt::All),
        };
    }
}
