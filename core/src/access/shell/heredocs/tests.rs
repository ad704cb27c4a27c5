use pretty_assertions::assert_eq;
use rstest::rstest;

use super::super::tree::tree_of;
use super::misread;

fn rest(text: &str) -> Option<String> {
    misread(text, &tree_of(text))
}

/// Documents that every reader reads alike.
#[rstest]
#[case("cat <<E\nx\nE\nls\n")]
#[case("cat <<E\nx\nE")]
#[case("cat <<E\nE\nls")]
#[case("cat <<'EOF' > out\nx ' $(y)\nEOF\nls")]
#[case("cat <<\"EOF\"\nx\nEOF\nls")]
#[case("cat <<\\EOF\nx\nEOF\nls")]
#[case("cat << 'E F'\nx\nE F\nls")]
#[case("cat <<-EOF\n\tx\n\tEOF\nls")]
#[case("cat <<E && ls 2>&1 | wc\nx\nE")]
#[case("cat <<E >o 2>&1\nx\nE\n")]
#[case("git commit -m \"$(cat <<'EOF'\nFix\n\nIt's done\nEOF\n)\" && ls")]
#[case("cat <<E\n$(cat <<F\nx\nF\n)\nE\nls")]
#[case("cat <<E\na\nE\ncat <<F\nb\nF\nls")]
#[case("if cat <<E\nx\nE\nthen ls; fi")]
#[case("echo $((1<<2)) 'a <<E'\nls")]
#[case("cat <<E # it's\nx\nE\nls")]
fn hard_004_read_alike(#[case] text: &str) {
    assert_eq!(rest(text), None);
}

/// Documents of which the grammar takes another part for data than the shell.
#[rstest]
#[case::quotes_inside("cat <<E\"O\"F\nEOF\nrm x\nE\"O\"F", "cat  \nrm x\nE\"O\"F")]
#[case::ansi_c("cat <<$'EOF'\nEOF\nrm x\n$'EOF'\n", "cat  \nrm x\n$'EOF'\n")]
#[case::ansi_c_as_others_read_it("cat <<$'EOF'\n$EOF\nrm x\n$'EOF'\n", "cat  \nrm x\n$'EOF'\n")]
#[case::escape_in_quotes("cat <<'E\\F'\nE\\F\nrm x\nEF\n", "cat  \nrm x\nEF\n")]
#[case::begins_with_the_delimiter("cat <<'E'\nE; '\nE\nrm x # '", "cat  \nrm x # '")]
#[case::blank_before_the_delimiter("cat <<'E'\n E '\nE\nrm x # '", "cat  \nrm x # '")]
#[case::another_document_inside("cat <<'E'\nE <<'Q'\nE\nrm x\nQ\n", "cat  \nrm x\nQ\n")]
#[case::a_backslash_at_a_line_end("cat <<'E'\n\\\nE\nrm x\nE\n", "cat  \nrm x\nE\n")]
#[case::a_letter_beyond_ascii("cat <<'é'\nx\né\nrm x\n", "cat  \nrm x\n")]
#[case::a_separator("cat <<'E'>o;rm x\ny\nE", "cat  >o;rm x\n")]
#[case::two_documents("cat <<'A' <<'B'\nA\nq '\nB\nrm x # '", "cat    \nrm x # '")]
fn hard_004_read_otherwise(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(rest(text).as_deref(), Some(expected));
}
