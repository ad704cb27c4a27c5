//! Calls that a rule may match: a surface says what is called, the wildcards of a pattern are filled in.

use crate::own_policy::{Call, CallFault};

/// One call of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Probe {
    /// The kind of step: `bash`, a file tool, `mcp`, `skill` or `tool`.
    pub(super) kind: &'static str,
    /// The command, path, target, skill or tool.
    pub(super) value: String,
}

impl Probe {
    pub(super) fn call(&self) -> Result<Call, String> {
        let words = [self.value.clone()];
        Call::from_words(self.kind, &words).map_err(|fault: CallFault| fault.message)
    }
}

/// What stands in the place of a `*`, in the order in which it is tried.
const FILLINGS: [&str; 5] = ["example", "", "/opt/example", "/srv/example", "--example"];

/// The calls that are tried for a rule, the likeliest first; never none.
pub(super) fn probes(surface: &str, pattern: &str) -> Vec<Probe> {
    let kind = kind(surface);
    let mut probes: Vec<Probe> = Vec::new();
    for filling in FILLINGS {
        let source = if kind == "tool" { surface } else { pattern };
        let value = filled(source, filling);
        if value.is_empty() || probes.iter().any(|known| known.value == value) {
            continue;
        }
        probes.push(Probe { kind, value });
    }
    if probes.is_empty() {
        probes.push(Probe { kind, value: "example".into() });
    }
    probes
}

fn kind(surface: &str) -> &'static str {
    match surface {
        "bash" => "bash",
        "read" | "path" | "path_read" | "external_directory" | "external_directory_read" => "read",
        "write" | "path_write" | "external_directory_write" => "write",
        "edit" => "edit",
        "grep" => "grep",
        "find" => "find",
        "ls" => "ls",
        "mcp" => "mcp",
        "skill" => "skill",
        _ => "tool",
    }
}

fn filled(pattern: &str, filling: &str) -> String {
    let mut value = String::new();
    let mut stars = false;
    for letter in pattern.chars() {
        match letter {
            '*' if stars => {}
            '*' => value.push_str(filling),
            '?' => value.push('x'),
            other => value.push(other),
        }
        stars = letter == '*';
    }
    value.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("bash", "git push *", "bash", &["git push example", "git push", "git push /opt/example", "git push /srv/example", "git push --example"])]
    #[case("path", "**/.env.?", "read", &["example/.env.x", "/.env.x", "/opt/example/.env.x", "/srv/example/.env.x", "--example/.env.x"])]
    #[case("path_write", "secret", "write", &["secret"])]
    #[case("skill", "*", "skill", &["example", "/opt/example", "/srv/example", "--example"])]
    #[case("deploy_*", "*", "tool", &["deploy_example", "deploy_", "deploy_/opt/example", "deploy_/srv/example", "deploy_--example"])]
    #[case("*", "*", "tool", &["example", "/opt/example", "/srv/example", "--example"])]
    #[case("bash", "", "bash", &["example"])]
    fn wildcards_are_filled_in(#[case] surface: &str, #[case] pattern: &str, #[case] kind: &str, #[case] expected: &[&str]) {
        let found = probes(surface, pattern);
        assert!(found.iter().all(|probe| probe.kind == kind));
        assert_eq!(found.iter().map(|probe| probe.value.as_str()).collect::<Vec<_>>(), expected);
    }
}
