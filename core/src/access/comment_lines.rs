//! Comment lines of a command text (SURF-005, SURF-006). Quotes and here-documents are not understood here; the shell analysis
//! is the one that does (BASH-D24).

use crate::text::js_trim;

/// The command without lines whose first visible character is `#`, trimmed (SURF-006).
///
/// ```
/// assert_eq!(portcullis_core::access::strip_comment_lines("a\n#b\nc"), "a\nc");
/// ```
pub fn strip_comment_lines(command: &str) -> String {
    let kept: Vec<&str> = command.split('\n').filter(|line| !js_trim(line).starts_with('#')).collect();
    js_trim(&kept.join("\n")).to_owned()
}

/// The value that a command is judged by when it is asked as one text (SURF-005): without its comment lines, or as it stands
/// when nothing else is left.
pub fn bash_value(command: &str) -> String {
    let value = strip_comment_lines(command);
    if value.is_empty() { command.to_owned() } else { value }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::surf_006("a\n#b\nc", "a\nc")]
    #[case::surf_006("a # b", "a # b")]
    #[case::surf_006("#!/bin/sh\nls", "ls")]
    #[case::surf_006("#", "")]
    #[case::surf_006("echo \"\n# in string\n\"", "echo \"\n\"")]
    #[case::surf_006("#a\r\nls", "ls")]
    fn strips(#[case] command: &str, #[case] rest: &str) {
        assert_eq!(strip_comment_lines(command), rest);
    }

    #[rstest]
    #[case::surf_005("# note\ngit push x", "git push x")]
    #[case::surf_005("#only", "#only")]
    #[case::surf_005("  ls  ", "ls")]
    #[case::surf_005("", "")]
    fn values(#[case] command: &str, #[case] value: &str) {
        assert_eq!(bash_value(command), value);
    }
}
