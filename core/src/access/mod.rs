//! What a call touches: the kind of its tool, its input, the paths, commands and MCP names in it.
//!
//! This room turns outside data into plain facts and decides nothing: it knows no rule and no answer.

mod comment_lines;
mod extractors;
mod input;
pub mod mcp;
pub mod path;
mod registration;
mod shape;
pub mod shell;
mod shell_tools;
mod skill_name;
mod tool_kind;
mod tool_name;
mod tool_path;

pub use comment_lines::{bash_value, strip_comment_lines};
pub use extractors::{AlreadyRegistered, ExtractorRegistration, ExtractorRegistry, PathExtractor};
pub use input::{text_field, tool_call_id_of, tool_input_of};
pub use registration::{Registration, check_registration, check_registration_with};
pub use shape::{ShapeFault, ShapeFaultKind, check_shape};
pub use shell_tools::{ShellInvocation, shell_invocation};
pub use skill_name::{extract_skill_name_from_input, skill_call_name};
pub use tool_kind::{
    PATH_TOOLS, READ_ONLY_PATH_TOOLS, ToolKind, direction_of_tool, is_listing_tool, is_path_surface, is_path_tool,
    is_read_only_path_tool, tool_kind,
};
pub use tool_name::{UNKNOWN_TOOL, audited_command, audited_tool_name, tool_name_of};
pub use tool_path::{RawPath, search_operands, tool_path};
