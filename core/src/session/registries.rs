//! What other extensions registered: path extractors and formatters of inputs; and the package roots that the host named.

use std::sync::{Arc, OnceLock};

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
    /// Which sessions of this process stand above this one; set once, when the gate is built.
    pub ancestors: OnceLock<Arc<dyn Ancestors>>,
}

/// The sessions above this one in the same process, as far as facts may be looked up there (HARD-046). Nothing that decides is
/// ever taken from them.
pub trait Ancestors: Send + Sync {
    /// Their own registries, the nearest first.
    fn registries(&self) -> Vec<(ExtractorRegistry, FormatterRegistry)>;
}

impl Registries {
    /// The extractors of this session, and of those above it where it has none.
    pub fn extractors_in_force(&self) -> ExtractorRegistry {
        self.extractors.clone().inheriting(self.above().into_iter().map(|(extractors, _)| extractors).collect())
    }

    /// The formatters of this session, and of those above it where it has none.
    pub fn formatters_in_force(&self) -> FormatterRegistry {
        self.formatters.clone().inheriting(self.above().into_iter().map(|(_, formatters)| formatters).collect())
    }

    /// What of a call of this tool was looked up in a session above.
    pub fn inherited(&self, tool: &str) -> Vec<String> {
        let found = [
            (self.extractors_in_force().is_inherited(tool), "path extractor"),
            (self.formatters_in_force().is_inherited(tool), "input formatter"),
        ];
        found.into_iter().filter(|(inherited, _)| *inherited).map(|(_, what)| format!("{what} of '{tool}'")).collect()
    }

    fn above(&self) -> Vec<(ExtractorRegistry, FormatterRegistry)> {
        self.ancestors.get().map(|ancestors| ancestors.registries()).unwrap_or_default()
    }

    /// The previews of a call under the configured limits (PREV).
    pub(super) fn previews(
        &self,
        settings: &RuntimeSettings,
        context: &ToolCallContext,
        surface: &str,
    ) -> HostResult<ToolPreviews> {
        let limits = resolve_tool_preview_limits(settings.tool_input_preview_max_length, settings.tool_text_summary_max_length);
        let formatters = self.formatters_in_force();
        let formatter = ToolPreviewFormatter::new(limits, &formatters);
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
