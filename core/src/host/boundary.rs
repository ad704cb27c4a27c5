//! The fail-closed boundary around every entry point (HAND-007, GATES-D14), and around host code whose failure must leave
//! something in order behind it: whatever goes wrong inside comes out as an error. It decides nothing and writes nothing.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{HostError, HostResult};

/// Runs the work; a panic in the host's code is one more error.
///
/// The gate itself does not panic, but a host's interface, formatter or log may. State behind locks stays usable: every
/// lock of this crate ignores poison.
pub(crate) fn guarded<T>(work: impl FnOnce() -> HostResult<T>) -> HostResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| Err(HostError::new(panic_text(payload.as_ref()))))
}

/// The same for work whose failure changes nothing any more (5.2, 12).
pub(crate) fn attempt(work: impl FnOnce()) {
    let _ = catch_unwind(AssertUnwindSafe(work));
}

fn panic_text(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "the host failed without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn hand_007_an_error_and_a_panic_come_out_alike() {
        assert_eq!(guarded(|| Ok(1)), Ok(1));
        assert_eq!(guarded(|| Err::<(), _>(HostError::new("boom"))), Err(HostError::new("boom")));
        assert_eq!(guarded::<()>(|| std::panic::panic_any("s")), Err(HostError::new("s")));
        assert_eq!(guarded::<()>(|| panic!("ui {}", "broke")), Err(HostError::new("ui broke")));
        assert_eq!(guarded::<()>(|| std::panic::panic_any(5_u8)), Err(HostError::new("the host failed without a message")));
    }
}
