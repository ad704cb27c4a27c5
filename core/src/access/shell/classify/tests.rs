use pretty_assertions::assert_eq;

use super::*;

fn accepted(tokens: &[&str], strict: bool, platform: Platform) -> Vec<String> {
    let accepts = |token: &str| !is_rejected(token) && if strict { is_strict(token) } else { is_broad(token, platform) };
    tokens.iter().filter(|token| accepts(token)).map(|token| (*token).to_owned()).collect()
}

#[test]
fn tok_016_rejection() {
    let tokens = [
        "",
        "-/etc/a",
        "of=/etc/a",
        "./of=/etc/a",
        "Git+SSH://h/../a",
        "c://x",
        "@scope/pkg/../x",
        "@/etc/a",
        "/etc/.*",
        "/usr/g++.+x",
        "/etc/[p]asswd",
        "app/[id]/page.tsx",
        "/etc/[p",
        "x^/etc",
        "/a\\|/b",
    ];
    assert_eq!(accepted(&tokens, true, Platform::Posix), ["/etc/[p"]);
    assert_eq!(accepted(&tokens, false, Platform::Posix), ["./of=/etc/a", "@/etc/a", "/etc/[p"]);
}

#[test]
fn tok_017_tok_018() {
    let tokens = ["/", "~/a", "~", "~root/a", "$HOME/a", "main..dev", "C:\\a", "C:a", " /etc/a"];
    assert_eq!(accepted(&tokens, true, Platform::Posix), ["/", "~/a", "main..dev", "C:\\a"]);
    assert_eq!(accepted(&tokens, false, Platform::Posix), ["/", "~/a", "~root/a", "$HOME/a", "main..dev", "C:\\a", " /etc/a"]);
    let tokens = [".env", "./a", "src/a b.ts", "README.md", "dir\\file"];
    assert_eq!(accepted(&tokens, true, Platform::Posix), Vec::<String>::new());
    assert_eq!(accepted(&tokens, false, Platform::Posix), [".env", "./a", "src/a b.ts"]);
    assert_eq!(accepted(&["dir\\file"], false, Platform::Windows), ["dir\\file"]);
    assert_eq!(accepted(&["host:/etc/a"], true, Platform::Posix), Vec::<String>::new());
    assert_eq!(accepted(&["host:/etc/a"], false, Platform::Posix), ["host:/etc/a"]);
}
