use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::access::path::{AccessPath, ProtectedReason};
use crate::host::Platform;
use crate::policy::{MatchOptions, Pattern};

/// SESS-005 with what RES-30 and HARD-041 change.
#[rstest]
#[case::sess_005("ls", Some("ls"))]
#[case::sess_005("git", Some("git"))]
#[case::sess_005("git status", Some("git status*"))]
#[case::sess_005("git status --short", Some("git status *"))]
#[case::sess_005("npm run dev", Some("npm run dev*"))]
#[case::sess_005("npm run dev --port 3", Some("npm run dev *"))]
#[case::sess_005("npm install lodash", Some("npm install *"))]
#[case::sess_005("docker compose", Some("docker compose*"))]
#[case::sess_005("docker compose up -d", Some("docker compose up *"))]
#[case::sess_005("docker ps -a", Some("docker ps *"))]
#[case::sess_005("rm x", Some("rm *"))]
#[case::sess_005("mytool --verbose", Some("mytool *"))]
#[case::sess_005("make build", Some("make *"))]
#[case::sess_005("aws s3 ls b", Some("aws s3 ls *"))]
#[case::sess_005("# c\ngit push origin", Some("git push *"))]
#[case::sess_005_comments_only("# c", None)]
#[case::sess_005_empty("", None)]
#[case::sess_005_wrapper_text("sudo git push", Some("sudo *"))]
#[case::hard_041_assignment("FOO=1 git push x", None)]
#[case::hard_041_assignment("a[0]=1 x", None)]
#[case::res_30_option_in_prefix("git -C /x status", Some("git -C /x status"))]
#[case::res_30_option_in_prefix("npx -y foo bar", Some("npx -y foo bar"))]
#[case::sess_005_case("GIT Checkout main", Some("GIT Checkout *"))]
#[case::sess_005_two_blanks("git  status", Some("git  status*"))]
#[case::sess_005_quotes("'my tool' x", Some("'my *"))]
#[case::hard_041_shell_blanks_only("cargo build\n--release", Some("cargo build\n--release*"))]
#[case::gate_028("git checkout main", Some("git checkout *"))]
#[case::gate_028("# c\nnpm run build", Some("npm run build*"))]
#[case::gate_028_comments_only("# only", None)]
#[case::res_30_find("find . -name x", Some("find . -name x"))]
#[case::res_30_interpreter("python3 -c pass", Some("python3 -c pass"))]
#[case::res_30_interpreter("python s.py", Some("python s.py"))]
#[case::res_30_interpreter("node x.js", Some("node x.js"))]
#[case::res_30_interpreter("/usr/bin/perl5.36 x", Some("/usr/bin/perl5.36 x"))]
#[case::res_30_interpreter("gawk p f", Some("gawk p f"))]
#[case::res_30_interpreter("sed -n 1p f", Some("sed -n 1p f"))]
#[case::hard_041_script("bash s.sh", Some("bash s.sh"))]
#[case::hard_041_quoted_name("'bash' s.sh", Some("'bash' s.sh"))]
#[case::res_30_whole_with_wildcard("find . -name *.rs", None)]
#[case::res_30_whole_with_wildcard("ls*", None)]
#[case::res_30_whole_with_wildcard("git sta?us", None)]
#[case::res_30_prefix_with_wildcard("l? x", None)]
#[case::sess_009_wildcard_behind("cat ?", Some("cat *"))]
#[case::res_30_redirection("> out rm x", None)]
#[case::res_30_redirection("2>&1 x", None)]
#[case::res_30_redirection("{fd}>x y", None)]
#[case::no_redirection("{a} b", Some("{a} *"))]
#[case::policy_d07("constructor x", Some("constructor *"))]
fn bash(#[case] text: &str, #[case] expected: Option<&str>) {
    assert_eq!(suggest_bash_pattern(text).as_deref(), expected);
}

#[rstest]
#[case::sess_006(&["docker", "compose", "up", "a", "b", "c"], &["docker", "compose", "up"])]
#[case::sess_006_two_words_of_arity_two(&["bun", "add", "x"], &["bun", "add"])]
#[case::sess_006_short(&["npm", "run"], &["npm", "run"])]
#[case::sess_006_case(&["Docker", "Compose", "Up", "x"], &["Docker", "Compose", "Up"])]
#[case::sess_006_none(&[], &[])]
fn sess_006(#[case] tokens: &[&str], #[case] expected: &[&str]) {
    assert_eq!(bash_prefix(tokens), expected);
}

fn path(lexical: &str) -> AccessPath {
    AccessPath {
        typed: lexical.to_owned(),
        lexical: lexical.to_owned(),
        relative: None,
        canonical: lexical.to_owned(),
        values: vec![lexical.to_owned()],
        further: Vec::new(),
        outside: true,
        outside_by: None,
        unknown_place: false,
        is_directory: false,
        exists: false,
        protected: None,
        assumed: Vec::new(),
    }
}

/// SESS-008 and GATE-030 as the table after RES-34 narrows them.
#[rstest]
#[case::file("/w/src/a.ts", false, &["/w/src/*"])]
#[case::trailing_separator("/w/src/", false, &["/w/src", "/w/src/*"])]
#[case::hard_041_directory("/other/project", true, &["/other/project", "/other/project/*"])]
#[case::root("/", true, &["/"])]
#[case::below_the_root("/a", false, &["/a"])]
#[case::directory_below_the_root("/etc", true, &["/etc", "/etc/*"])]
#[case::brackets_are_literal("/w/[x]/y", false, &["/w/[x]/*"])]
#[case::folder_with_star("/w/*/y", false, &[])]
#[case::file_with_star_in_a_plain_folder("/w/src/*.ts", false, &["/w/src/*"])]
#[case::directory_with_question_mark("/w/a?", true, &[])]
#[case::name_with_star_below_the_root("/a*", false, &[])]
#[case::not_absolute("a", false, &[])]
#[case::empty("", false, &[])]
fn posix_paths(#[case] lexical: &str, #[case] is_directory: bool, #[case] expected: &[&str]) {
    let path = AccessPath { is_directory, ..path(lexical) };
    assert_eq!(suggest_path_patterns(&path, Platform::Posix), expected);
}

#[rstest]
#[case(r"c:\w\a.ts", false, &[r"c:\w\*"])]
#[case(r"c:\w", true, &[r"c:\w", r"c:\w\*"])]
#[case(r"c:\a", false, &[r"c:\a"])]
#[case(r"c:\", true, &[r"c:\"])]
#[case(r"\\s\share\d\f", false, &[r"\\s\share\d\*"])]
#[case(r"\\s\share\f", false, &[r"\\s\share\f"])]
#[case("c:x", false, &[])]
fn policy_d23_windows_paths(#[case] lexical: &str, #[case] is_directory: bool, #[case] expected: &[&str]) {
    let path = AccessPath { is_directory, ..path(lexical) };
    assert_eq!(suggest_path_patterns(&path, Platform::Windows), expected);
}

#[test]
fn res_30_nothing_for_unknown_or_guarded_places() {
    let unknown = AccessPath { unknown_place: true, ..path("/w/a/b") };
    let guarded = AccessPath { protected: Some(ProtectedReason::GitHook), ..path("/w/.git/hooks/x") };
    assert_eq!(suggest_path_patterns(&unknown, Platform::Posix), Vec::<String>::new());
    assert_eq!(suggest_path_patterns(&guarded, Platform::Posix), Vec::<String>::new());
}

#[rstest]
#[case::res_30_exact_tool("exa:search", Some("exa:search"))]
#[case::policy_d15_connect("mcp_connect_exa", Some("mcp_connect_exa"))]
#[case::policy_d15_bare("solo", Some("solo"))]
#[case::wildcard("exa:*", None)]
#[case::empty("", None)]
fn mcp(#[case] name: &str, #[case] expected: Option<&str>) {
    assert_eq!(suggest_mcp_pattern(name).as_deref(), expected);
}

#[test]
fn sess_004_names() {
    assert_eq!(suggest_name_pattern("librarian").as_deref(), Some("librarian"));
    assert_eq!(suggest_name_pattern("a*"), None, "a wildcard in a name is not stored (RES-30)");
    assert_eq!(suggest_extension_pattern("deploy").as_deref(), Some("*"));
    assert_eq!(suggest_extension_pattern("de*"), None);
}

proptest! {
    /// Invariant 10: a suggestion for a single-spaced one-line command covers it, one for an absolute path covers the path.
    #[test]
    fn invariant_10_commands(words in prop::collection::vec("[a-zA-Z0-9._/=:+-]{1,8}", 1..6)) {
        let command = words.join(" ");
        if let Some(pattern) = suggest_bash_pattern(&command) {
            let options = MatchOptions { home: Some("/h".to_owned()), ..MatchOptions::default() };
            prop_assert!(Pattern::prepare(&pattern, &options).matches(&command), "{pattern} does not cover {command}");
        }
    }

    #[test]
    fn invariant_10_paths(parts in prop::collection::vec("[a-z .\\[\\]]{1,4}", 0..5), is_directory: bool) {
        let lexical = format!("/{}", parts.join("/"));
        let path = AccessPath { is_directory, ..path(&lexical) };
        let patterns = suggest_path_patterns(&path, Platform::Posix);
        let covers = |pattern: &String| Pattern::prepare(pattern, &MatchOptions::default()).matches(&lexical);
        prop_assert!(patterns.iter().any(covers), "{patterns:?} for {lexical}");
    }

    /// Nothing that is offered reads `*` or `/*` (HARD-041), and no input makes it panic.
    #[test]
    fn hard_041_never_everything(text in "\\PC{0,20}", is_directory: bool, windows: bool) {
        let platform = if windows { Platform::Windows } else { Platform::Posix };
        let offered = suggest_bash_pattern(&text).into_iter()
            .chain(suggest_path_patterns(&AccessPath { is_directory, ..path(&text) }, platform));
        for pattern in offered {
            prop_assert!(pattern != "*" && pattern != "/*", "{pattern}");
        }
    }
}

#[rstest]
#[case::hard_041_inner_prefix("sudo", "git push x", Some("sudo git push *"))]
#[case::hard_041_plain("nohup", "tool a", Some("nohup tool *"))]
#[case::hard_041_nested("sudo -u root nohup", "tool", Some("sudo -u root nohup tool *"))]
#[case::hard_041_inner_interpreter("nohup", "python3 x.py", Some("nohup python3 x.py"))]
#[case::hard_041_inner_find("sudo", "find . -name a", Some("sudo find . -name a"))]
#[case::hard_041_star_in_the_text("sudo", "find . -name *.rs", None)]
fn hard_041_peeled(#[case] own: &str, #[case] inner: &str, #[case] expected: Option<&str>) {
    assert_eq!(suggest_peeled_pattern(own, inner).as_deref(), expected);
}
