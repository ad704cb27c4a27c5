//! What a yes "for this session" may store (table "What for this session stores", docs/spec/README.md). Nothing here is
//! wider than what its label shows (HARD-041); where nothing can be stored there is no pattern.
//!
//! On which surface it is stored is [`grant_surface`](crate::policy::surfaces::grant_surface)'s answer.

mod arity;
mod bash;
mod path;

pub use arity::bash_prefix;
pub use bash::{suggest_bash_pattern, suggest_peeled_pattern};
pub use path::suggest_path_patterns;

/// The pattern for an MCP call: exactly the name that grants are compared with (HARD-026, POLICY-D15).
pub fn suggest_mcp_pattern(grant_name: &str) -> Option<String> {
    suggest_name_pattern(grant_name)
}

/// The pattern for a `skill` tool call, or a whole unit text: the text itself.
pub fn suggest_name_pattern(name: &str) -> Option<String> {
    names_itself(name).filter(|name| !name.is_empty()).map(str::to_owned)
}

/// The pattern for an extension tool: `*` on its own name, because its rules know no other value (RES-31).
pub fn suggest_extension_pattern(tool: &str) -> Option<String> {
    suggest_name_pattern(tool).map(|_| "*".to_owned())
}

/// A text that as a pattern would mean more than itself is not stored.
fn names_itself(text: &str) -> Option<&str> {
    (!text.contains(['*', '?'])).then_some(text)
}

#[cfg(test)]
mod tests;
