//! Where the time of a run went: what the gates took, and what playing them added.

use std::time::Duration;

use serde_json::json;

use crate::error::count;

/// The time of all workers.
pub(super) struct Timings {
    pub(super) workers: usize,
    /// By the clock, from the first row to the last.
    pub(super) wall: Duration,
    /// What of it workers spent on starting a gate.
    pub(super) starts: Duration,
    pub(super) gates: Vec<GateTime>,
}

/// The time of one gate, its start left out.
pub(super) struct GateTime {
    pub(super) name: String,
    pub(super) spent: Duration,
    /// It lives in another process, so that others can work while it does.
    pub(super) apart: bool,
}

impl Timings {
    /// The time of all workers together.
    fn all(&self) -> f64 {
        (self.wall.as_secs_f64() * self.workers as f64 - self.starts.as_secs_f64()).max(0.0)
    }

    /// What could not be faster: the slowest gate, when others work while one does; all, when they live in this process.
    fn least(&self) -> f64 {
        let apart = self.gates.iter().filter(|gate| gate.apart).map(|gate| gate.spent.as_secs_f64());
        apart.reduce(f64::max).unwrap_or_else(|| self.gates.iter().map(|gate| gate.spent.as_secs_f64()).sum())
    }

    /// The share that comes to it.
    fn added(&self) -> f64 {
        (self.all() - self.least()).max(0.0) / self.least().max(f64::MIN_POSITIVE)
    }

    pub(super) fn json(&self) -> serde_json::Value {
        let gates: Vec<f64> = self.gates.iter().map(|gate| gate.spent.as_secs_f64()).collect();
        json!({ "gates": gates, "workers": self.all(), "added": self.added() })
    }

    /// A line for each gate, and one for the workers.
    pub(super) fn lines(&self) -> Vec<String> {
        let gates = self.gates.iter().map(|gate| format!("{:.1} s in {}", gate.spent.as_secs_f64(), gate.name));
        let workers = count(self.workers, "worker");
        let all = format!("{:.1} s of {workers}: {:.0} % were added", self.all(), 100.0 * self.added());
        gates.chain([all]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn gate(name: &str, seconds: u64, apart: bool) -> GateTime {
        GateTime { name: name.into(), spent: Duration::from_secs(seconds), apart }
    }

    #[rstest::rstest]
    #[case::works_while_others_do(vec![gate("ours", 3, false), gate("theirs", 8, true)], ["3.0 s in ours", "8.0 s in theirs"], "25 %")]
    #[case::one_after_the_other(vec![gate("ours", 3, false), gate("theirs", 5, false)], ["3.0 s in ours", "5.0 s in theirs"], "25 %")]
    fn what_no_gate_took_was_added(#[case] gates: Vec<GateTime>, #[case] each: [&str; 2], #[case] share: &str) {
        let timings = Timings { workers: 2, wall: Duration::from_secs(6), starts: Duration::from_secs(2), gates };
        assert_eq!(timings.lines(), [each[0], each[1], &format!("10.0 s of 2 workers: {share} were added")]);
    }
}
