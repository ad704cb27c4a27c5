//! Long, deep and broken texts (HARD-004, RES-54): sizes, no times. A test that stalls is ended by the runner.

use portcullis_core::policy::FloorKind;
use pretty_assertions::assert_eq;
use rstest::rstest;

use crate::judge::verdict;
use crate::metamorphic::program;

/// Long and deep texts: an answer, and one that says when it did not look at everything.
#[rstest]
#[case::open_parentheses(&"(".repeat(100_000), false)]
#[case::nested_parentheses(&nested("(", "a", ")", 100_000), true)]
#[case::nested_substitutions(&format!("echo {}", nested("$(", "a", ")", 5_000)), true)]
#[case::nested_commands_in_substitutions(&nested("echo $(", "a", ")", 3_000), true)]
#[case::nested_strings(&nested("echo \"$(", "a", ")\"", 3_000), true)]
#[case::open_substitutions(&"$(".repeat(20_000), false)]
#[case::open_braces(&"{".repeat(14_000), false)]
#[case::nested_groups(&nested("{ ", "a", "; }", 14_000), true)]
#[case::nested_conditions(&nested("if a; then ", "a", "; fi", 3_600), true)]
#[case::nested_loops(&nested("while a; do ", "a", "; done", 3_600), true)]
#[case::nested_functions(&nested("f() { ", "a", "; }", 5_000), true)]
#[case::nested_cases(&nested("case a in b) ", "a", ";; esac", 3_000), true)]
#[case::a_long_word(&format!("echo {}", "x".repeat(1_000_000)), true)]
#[case::many_words(&format!("echo {}", "x ".repeat(100_000)), true)]
#[case::redirection_signs(&"<".repeat(100_000), true)]
#[case::redirection_signs_apart(&"< ".repeat(20_000), true)]
#[case::here_documents_of_one_line(&"<<a ".repeat(4_000), true)]
#[case::stray_parentheses(&"ls ) ".repeat(4_000), true)]
#[case::stray_parentheses_on_lines(&"ls )\n".repeat(4_000), true)]
#[case::closing_parentheses(&")".repeat(10_000), true)]
#[case::open_arrays(&"a=(".repeat(33_000), true)]
#[case::open_loop_heads(&"for((;;".repeat(14_000), true)]
#[case::pattern_signs(&"=~ ".repeat(33_000), true)]
#[case::closing_parentheses_of_words(&"a)".repeat(50_000), true)]
#[case::many_closing_parentheses(&")".repeat(100_000), true)]
#[case::open_here_documents(&"<<EOF\n".repeat(16_000), true)]
#[case::function_heads(&"f() ".repeat(25_000), true)]
#[case::pipes(&"|".repeat(100_000), true)]
#[case::pattern_tests(&"[[ a =~ ".repeat(12_000), true)]
#[case::words_below_a_deep_directory(&format!("cd {}; echo {}", "a/".repeat(2_000), words(15_000)), true)]
#[case::commands_below_a_deep_directory(&format!("cd {}; {}", "a/".repeat(2_000), words(7_000).replace(' ', "; cat ")), true)]
#[case::units(&"ls; ".repeat(20_000), true)]
fn hard_004_res_54_bounds(#[case] command: &str, #[case] bound: bool) {
    assert_eq!(verdict(r#"{"*":"allow"}"#, command), "ask");
    let units = program(command).units;
    let says_so = units.iter().all(|unit| unit.floors.iter().any(|floor| floor.kind == FloorKind::AnalysisBound));
    assert!(!units.is_empty() && says_so == bound, "{:?}", units.first().map(|unit| &unit.floors));
}

/// Words that have the shape of paths, each another one.
fn words(count: usize) -> String {
    (0..count).map(|n| format!("b/{n} ")).collect()
}

fn nested(open: &str, middle: &str, close: &str, depth: usize) -> String {
    format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
}

/// Long texts of usual shape are looked at whole.
#[rstest]
#[case::many_words(&format!("echo {}", "x ".repeat(20_000)))]
#[case::a_chain(&format!("{}ls", "git status && ".repeat(299)))]
#[case::a_pipeline(&format!("{}wc", "cat a | ".repeat(299)))]
#[case::a_script(&"for f in a b; do\n  cp \"$f\" out > log 2>&1 && git add -A\ndone\n".repeat(1_000))]
#[case::here_documents(&"cat <<a\nx\na\n".repeat(2_000))]
#[case::nested_a_hundred_times(&nested("(", "ls", ")", 100))]
#[case::nested_conditions(&nested("if a; then ", "a", "; fi", 40))]
fn res_54_no_bound(#[case] command: &str) {
    assert_eq!(verdict(r#"{"*":"allow"}"#, command), "allow");
    assert_eq!(verdict(r#"{"*":"allow","bash":{"*":"allow","rm *":"deny"}}"#, &format!("{command}\nrm x")), "deny");
}
