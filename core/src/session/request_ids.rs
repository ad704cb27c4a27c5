//! Ids of asks (RES-37): one for each ask, the same in the log bracket, the prompt event and the decision event.

use std::sync::Arc;

use crate::gates::RequestIds;
use crate::host::{Clock, IdSource};

/// Mints ids out of time, randomness and the process number.
pub struct RequestIdMint {
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
}

impl RequestIdMint {
    /// A mint over these sources.
    pub fn new(clock: Arc<dyn Clock>, ids: Arc<dyn IdSource>) -> Self {
        Self { clock, ids }
    }

    fn mint(&self) -> String {
        // Thirteen digits until the year 2286; padded, so that the shape holds for a clock that stands at zero.
        format!("{:013}-{}-{}", self.clock.now_ms(), base_36(self.ids.random()), self.ids.process_id())
    }
}

impl RequestIds for RequestIdMint {
    fn create_request_id(&self) -> String {
        self.mint()
    }

    fn create_skill_input_request_id(&self) -> String {
        format!("skill-input-{}", self.mint())
    }
}

/// Eight characters of `[0-9a-z]`: never empty, whatever the number.
fn base_36(number: u64) -> String {
    let mut rest = number;
    (0..8)
        .map(|_| {
            let digit = u32::try_from(rest % 36).unwrap_or_default();
            rest /= 36;
            char::from_digit(digit, 36).unwrap_or('0')
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::host::system::{SystemClock, SystemIds};

    fn mint() -> RequestIdMint {
        RequestIdMint::new(Arc::new(SystemClock), Arc::new(SystemIds))
    }

    fn has_shape(id: &str) -> bool {
        let parts: Vec<&str> = id.split('-').collect();
        let all = |text: &str, test: fn(char) -> bool| !text.is_empty() && text.chars().all(test);
        parts.len() == 3
            && parts[0].len() == 13
            && all(parts[0], |c| c.is_ascii_digit())
            && (1..=8).contains(&parts[1].len())
            && all(parts[1], |c| c.is_ascii_digit() || c.is_ascii_lowercase())
            && all(parts[2], |c| c.is_ascii_digit())
    }

    #[test]
    fn fwd_003_shape_of_a_tool_call_id() {
        let id = mint().create_request_id();
        assert!(has_shape(&id), "{id}");
    }

    #[test]
    fn pipe_012_ten_thousand_skill_input_ids_differ_and_keep_their_shape() {
        let mint = mint();
        let ids: HashSet<String> = (0..10_000).map(|_| mint.create_skill_input_request_id()).collect();
        assert_eq!(ids.len(), 10_000);
        assert!(ids.iter().all(|id| id.strip_prefix("skill-input-").is_some_and(has_shape)));
    }

    #[test]
    fn a_random_part_of_zero_is_not_empty() {
        assert_eq!(base_36(0), "00000000");
        assert_eq!(base_36(u64::MAX).len(), 8);
    }
}
