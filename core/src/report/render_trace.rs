//! The trace of a call as a plain text tree: for failure reports and for people who ask why.

use super::trace::CallTrace;

/// The tree.
pub fn render_trace(trace: &CallTrace) -> String {
    format!("{}: {} by {}\n", trace.tool, trace.end.outcome, trace.end.gate)
}
