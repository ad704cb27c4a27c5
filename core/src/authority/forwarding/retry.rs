//! Momentary faults (HARD-049): directory creation and rename are tried again after 10, 20 and 30 ms, nothing else is.

use crate::host::{ExchangeFault, ExchangeFaultKind, Waiter};

/// The waits before the second, third and fourth try, in milliseconds; together below one poll tick.
const WAITS_MS: [u64; 3] = [10, 20, 30];

/// Tries until it works, the fault is another one than a momentary refusal, or the budget is spent. A success says how many
/// tries failed before it.
pub(super) fn retrying(waiter: &dyn Waiter, mut work: impl FnMut() -> Result<(), ExchangeFault>) -> Result<usize, ExchangeFault> {
    for (failed, wait) in WAITS_MS.into_iter().enumerate() {
        match work() {
            Ok(()) => return Ok(failed),
            Err(fault) if fault.kind == ExchangeFaultKind::Transient => waiter.wait_ms(wait),
            Err(fault) => return Err(fault),
        }
    }
    work().map(|()| WAITS_MS.len())
}
