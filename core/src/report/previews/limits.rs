//! How long previews may be (PREV-001). In UTF-16 units, as the settings count them.

/// The limits. An explicit 0 is honoured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolPreviewLimits {
    /// JSON of an input.
    pub input: usize,
    /// A pattern or glob.
    pub text_summary: usize,
    /// Anything in the review log.
    pub log: usize,
    /// One text among MCP arguments.
    pub mcp_argument: usize,
    /// All MCP arguments.
    pub mcp_summary: usize,
}

impl Default for ToolPreviewLimits {
    fn default() -> Self {
        Self { input: 200, text_summary: 80, log: 1000, mcp_argument: 60, mcp_summary: 160 }
    }
}

/// The defaults under the two settings `toolInputPreviewMaxLength` and `toolTextSummaryMaxLength`.
pub fn resolve_tool_preview_limits(input: Option<u64>, text_summary: Option<u64>) -> ToolPreviewLimits {
    let defaults = ToolPreviewLimits::default();
    let or = |setting: Option<u64>, default| setting.map_or(default, |value| usize::try_from(value).unwrap_or(usize::MAX));
    ToolPreviewLimits { input: or(input, defaults.input), text_summary: or(text_summary, defaults.text_summary), ..defaults }
}
