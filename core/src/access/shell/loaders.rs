//! Variables that make a program load or run code (HARD-059): names as data.

/// `*` stands for any rest.
const NAMES: &[&str] = &[
    "PATH",
    "LD_*",
    "DYLD_*",
    "BASH_ENV",
    "ENV",
    "PROMPT_COMMAND",
    "IFS",
    "SHELLOPTS",
    "*PAGER",
    "*EDITOR",
    "VISUAL",
    "LESSOPEN",
    "LESSCLOSE",
    "GIT_SSH*",
    "GIT_EXTERNAL_DIFF",
    "GIT_PROXY_COMMAND",
    "GIT_EXEC_PATH",
    "GIT_CONFIG*",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "NODE_OPTIONS",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONHOME",
    "PERL5OPT",
    "PERL5LIB",
    "RUBYOPT",
    "RUBYLIB",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "RUSTC_WRAPPER",
    "RIPGREP_CONFIG_PATH",
    "MAKEFLAGS",
];

/// Pagers and editors that run nothing of their own.
const HARMLESS: &[&str] = &["cat", "true", ":", "less", ""];

/// Whether setting `name` to `value` (a literal, if known) may load code.
pub(crate) fn is_loader(name: &str, value: Option<&str>) -> bool {
    let hit = NAMES.iter().any(|pattern| match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(tail), _) => name.ends_with(tail),
        (_, Some(head)) => name.starts_with(head),
        _ => name == *pattern,
    });
    let shows = name.ends_with("PAGER") || name.ends_with("EDITOR") || name == "VISUAL";
    hit && !(shows && value.is_some_and(|value| HARMLESS.contains(&value)))
}

/// Builtins that `IFS` in front of them only tells where to split what they read.
const SPLITTERS: &[&str] = &["read", "mapfile", "readarray"];

/// Whether an assignment in front of this command only concerns how it splits its input.
pub(crate) fn only_splits(name: &str, command: &str) -> bool {
    name == "IFS" && SPLITTERS.contains(&command)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::is_loader;

    #[rstest]
    #[case("GIT_SSH_COMMAND", Some("rm x"), true)]
    #[case("LD_PRELOAD", Some("./e.so"), true)]
    #[case("FOO", Some("1"), false)]
    #[case("GIT_PAGER", Some("cat"), false)]
    #[case("GIT_PAGER", Some("sh"), true)]
    #[case("GIT_PAGER", None, true)]
    #[case("EDITOR", Some(""), false)]
    #[case("PATH", Some("cat"), true)]
    fn hard_059(#[case] name: &str, #[case] value: Option<&str>, #[case] expected: bool) {
        assert_eq!(is_loader(name, value), expected);
    }
}
