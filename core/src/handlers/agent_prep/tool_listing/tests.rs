use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;

use super::*;

fn narrowed(prompt: &str, allowed: &[&str]) -> Option<String> {
    let allowed: Vec<String> = allowed.iter().map(|name| (*name).to_owned()).collect();
    narrow_tool_listing(prompt, &allowed)
}

#[rstest]
#[case::tool_010_indented_header("  Available tools:  \n  - bash: y\n  - read: r\nend", "  Available tools:  \n  - read: r\nend")]
#[case::tool_010_until_a_note(
    "Available tools:\n- bash: y\n- read: r\nCustom note\n- bash: z",
    "Available tools:\n- read: r\nCustom note\n- bash: z"
)]
#[case::tool_010_prose_with_colon(
    "Available tools:\n- bash: y\n- read: r\nNotes:\n- bash",
    "Available tools:\n- read: r\nNotes:\n- bash"
)]
#[case::tool_010_bullet_with_colon_is_no_header("Available tools:\n- bash:\n- read: r", "Available tools:\n- read: r")]
#[case::tool_011_first_section_only(
    "Available tools:\n- bash\n- read\n\nX\nAvailable tools:\n- bash",
    "Available tools:\n- read\n\nX\nAvailable tools:\n- bash"
)]
#[case::policy_d22_continuation_lines_go(
    "Available tools:\n- bash: y\n  more\n    - nested\n- read: r\n  stays\n  - images",
    "Available tools:\n- read: r\n  stays\n  - images"
)]
#[case::tool_011_other_markers_stay(
    "Available tools:\n- bash: y\n- read: r\n* bash: y",
    "Available tools:\n- read: r\n* bash: y"
)]
#[case::tool_011_case("Available tools:\n- Read: y\n- read: r", "Available tools:\n- read: r")]
#[case::policy_d22_names_with_dots(
    "Available tools:\n- srv.tool: y\n- bash: x\n- read: r",
    "Available tools:\n- srv.tool: y\n- read: r"
)]
#[case::policy_d22_later_prose(
    "Available tools:\n- bash: x\n- read: r\n\nEat well.\n- eat well",
    "Available tools:\n- read: r\n\nEat well.\n- eat well"
)]
#[case::marked_names("Available tools:\n- `bash`: x\n- **read**: r", "Available tools:\n- **read**: r")]
#[case::tool_011_nothing_left("You.\n\nAvailable tools:\n- bash: y\n- edit: z\n\nEnd.", "You.\n\nEnd.")]
#[case::tool_013_breaks("Available tools:\n- read\n\n- bash\n\n\n\nEnd.  \n\n", "Available tools:\n- read\n\nEnd.")]
#[case::tool_013_crlf("Available tools:\r\n- read\r\n- bash\r\nEnd.", "Available tools:\n- read\nEnd.")]
fn tools(#[case] prompt: &str, #[case] expected: &str) {
    assert_eq!(narrowed(prompt, &["read", "srv.tool"]).as_deref(), Some(expected));
}

#[rstest]
#[case::tool_010_lower_case("available tools:\n- bash")]
#[case::tool_010_text_behind("Available tools: read\n- bash")]
#[case::tool_013_nothing_denied("Available tools:\r\n- read: r\r\n\r\n\r\n\r\n")]
#[case::tool_013_empty("")]
#[case::unknown_guideline(
    "Guidelines:\n- Use bash for file operations like ls, rg, find.\n* Use bash for file operations like ls, rg, find"
)]
fn tool_013_untouched(#[case] prompt: &str) {
    assert_eq!(narrowed(prompt, &["read"]), None);
}

/// TOOL-012: the table, key by key, over the sets the requirement names.
#[rstest]
fn tool_012_table(
    #[values(
        &[], &["bash"], &["grep"], &["bash", "grep"], &["bash", "find"], &["bash", "ls"], &["read"], &["edit"], &["write"],
        &["task"], &["mcp"]
    )]
    allowed: &[&str],
) {
    let kept = |key: &str| {
        let prompt = format!("Guidelines:\n- {key}\n- Something else\nEnd.");
        narrowed(&prompt, allowed).is_none()
    };
    let has = |name: &str| allowed.contains(&name);
    let explores = has("grep") || has("find") || has("ls");
    let expected = [
        has("bash"),
        has("bash") && explores,
        has("read"),
        has("read"),
        has("edit"),
        has("write"),
        has("edit") || has("write"),
        has("task"),
        has("mcp"),
    ];
    let got: Vec<bool> = GUIDELINES.iter().map(|(key, _)| kept(key)).collect();
    assert_eq!(got, expected);
}

#[test]
fn tool_012_spelling_and_empty_section() {
    let prompt = "A\nGuidelines:\n-   Use  WRITE only\tfor new files or complete rewrites\n\nB";
    assert_eq!(narrowed(prompt, &["read"]).as_deref(), Some("A\nB"), "no bullet left: header and body go");
}

#[test]
fn tool_013_both_sections() {
    let prompt =
        "Available tools:\n- bash: b\n- read: r\nGuidelines:\n- Use bash for file operations like ls, rg, find\n- Be kind";
    assert_eq!(narrowed(prompt, &["read"]).as_deref(), Some("Available tools:\n- read: r\nGuidelines:\n- Be kind"));
}

proptest! {
    /// Invariant 6: idempotent, never adds text.
    #[test]
    fn invariant_6(lines in prop::collection::vec(
        prop::sample::select(vec![
            "Available tools:", "Guidelines:", "- read: r", "- bash: b", "  - bash", "  more", "", "Notes:", "prose",
            "- Use bash for file operations like ls, rg, find", "\r", "\t- edit x",
        ]), 0..14)) {
        // A second section of a header is text like any other until the first one is gone whole (TOOL-010).
        let mut seen = Vec::new();
        let lines = lines.into_iter().filter(|line| {
            let header = line.ends_with(':') && *line != "Notes:";
            let again = header && seen.contains(line);
            seen.push(*line);
            !again
        });
        let prompt = lines.collect::<Vec<_>>().join("\n");
        if let Some(once) = narrowed(&prompt, &["read"]) {
            prop_assert!(once.len() <= prompt.len());
            prop_assert_eq!(narrowed(&once, &["read"]), None, "{:?} -> {:?}", prompt, once);
        }
    }
}
