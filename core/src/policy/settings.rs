//! Runtime settings: what the files say besides rules, merged and completed with defaults (CFG-009, CFG-024, CFG-025).

/// How a tool that runs shell commands names its arguments (CFG-013, SURF-011).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellAlias {
    /// The input field with the command.
    pub command_argument: String,
    /// The input field with the working directory.
    pub workdir_argument: Option<String>,
}

/// The settings in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeSettings {
    /// Write the debug log.
    pub debug_log: bool,
    /// Write the review log.
    pub permission_review_log: bool,
    /// The permissive mode (RULE-021).
    pub yolo_mode: bool,
    /// Whether the keyed dialog wants a second press.
    pub double_press_to_confirm: bool,
    /// Length of the input preview in prompts; `None` stands for 200.
    pub tool_input_preview_max_length: Option<u64>,
    /// Length of pattern and path summaries in prompts; `None` stands for 80.
    pub tool_text_summary_max_length: Option<u64>,
    /// Further read-only infrastructure directories (CFG-026).
    pub pi_infrastructure_read_paths: Vec<String>,
    /// Tools that run shell commands, in the order in which they were configured.
    pub shell_tools: Vec<(String, ShellAlias)>,
    /// The links that answer before the person, in order (HARD-044, RES-12).
    pub authorizer_chain: Vec<String>,
}

impl Default for RuntimeSettings {
    /// The defaults of CFG-025.
    fn default() -> Self {
        Self {
            debug_log: false,
            permission_review_log: true,
            yolo_mode: false,
            double_press_to_confirm: true,
            tool_input_preview_max_length: None,
            tool_text_summary_max_length: None,
            pi_infrastructure_read_paths: Vec::new(),
            shell_tools: Vec::new(),
            authorizer_chain: Vec::new(),
        }
    }
}
