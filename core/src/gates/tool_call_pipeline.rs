//! The six gates of a tool call in their order, and the deny that pre-empts (5.2, 6 to 10).

use super::descriptor::{GateOutcome, ToolCallContext};
use super::inputs::ToolCallGateInputs;
use super::record::CallRecord;
use super::runner::GateRunner;
use crate::host::{HostError, HostResult};

/// Produces all gates, then tells the runner.
pub struct ToolCallGatePipeline<'a> {
    inputs: &'a dyn ToolCallGateInputs,
}

impl<'a> ToolCallGatePipeline<'a> {
    /// A pipeline over these ingredients.
    pub fn new(inputs: &'a dyn ToolCallGateInputs) -> Self {
        Self { inputs }
    }

    /// Decides one tool call. The record is filled as far as the walk came, also when it ends in an error.
    pub fn evaluate(
        &self,
        context: &ToolCallContext,
        runner: &GateRunner<'_>,
        record: &mut CallRecord,
    ) -> HostResult<GateOutcome> {
        let _ = (context, runner, record, self.inputs);
        Err(HostError::new("the pipeline is not built yet"))
    }
}
