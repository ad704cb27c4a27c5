//! What other extensions registered: path extractors and formatters of inputs; and the package roots that the host named.

use std::sync::Arc;

use crate::access::ExtractorRegistry;
use crate::access::path::InfrastructureEntries;
use crate::gates::{ToolCallContext, ToolPreviews};
use crate::host::{Clock, HostResult};
use crate::policy::RuntimeSettings;
use crate::report::previews::{FormatterRegistry, ToolPreviewFormatter, resolve_tool_preview_limits};

/// The registries of one gate.
pub struct Registries {
    /// Path extractors (SURF-014).
    pub extractors: ExtractorRegistry,
    /// Input formatters (EVT-020).
    pub formatters: FormatterRegistry,
    /// Package roots (PATH-015).
    pub package_roots: Vec<String>,
    /// The time, for the patience that one parse of a command gets (RES-54).
    pub clock: Arc<dyn Clock>,
}

impl Registries {
    /// The previews of a call under the configured limits (PREV).
    pub(super) fn previews(
        &self,
        settings: &RuntimeSettings,
        context: &ToolCallContext,
        surface: &str,
    ) -> HostResult<ToolPreviews> {
        let limits = resolve_tool_preview_limits(settings.tool_input_preview_max_length, settings.tool_text_summary_max_length);
        let formatter = ToolPreviewFormatter::new(limits, &self.formatters);
        Ok(ToolPreviews {
            prompt: formatter.format_input(&context.tool_name, &context.input)?,
            log: formatter.format_log(surface, &context.tool_name, &context.input)?,
        })
    }

    /// The places that PATH-014 exempts beside the named ones of the agent directory.
    pub(super) fn infrastructure(&self, settings: &RuntimeSettings) -> InfrastructureEntries {
        InfrastructureEntries {
            package_roots: self.package_roots.clone(),
            configured: settings.pi_infrastructure_read_paths.clone(),
        }
    }
}
