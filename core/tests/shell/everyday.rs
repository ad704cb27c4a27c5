//! Harmless lines of a working day must not ask.

use pretty_assertions::assert_eq;
use rstest::rstest;

use crate::judge::with_world;

#[rstest]
#[case("git status")]
#[case("git diff --stat HEAD~3")]
#[case("git log --oneline -n 20 --graph")]
#[case("git add -A && git commit -m 'wip: see docs/a.md'")]
#[case("git commit -m \"$(cat <<'EOF'\nmessage\nEOF\n)\"")]
#[case("npm ci > log 2>&1")]
#[case("npm run build -- --mode production")]
#[case("cargo test --workspace 2>&1 | tail -n 20")]
#[case("cargo build --release && ./target/release/app --help")]
#[case("pytest -q tests/unit -k 'not slow'")]
#[case("docker ps --format '{{.Names}}'")]
#[case("docker build -t app .")]
#[case("kubectl get pods -n default")]
#[case("rg -n 'fn main' src")]
#[case("grep -rn TODO src | wc -l")]
#[case("sed -n '1,20p' src/main.rs")]
#[case("awk '{print $1}' a.txt | sort | uniq -c | sort -rn | head")]
#[case("jq '.dependencies | keys' package.json")]
#[case("cd src && ls")]
#[case("cd src && cargo check 2>&1 | tee ../log.txt")]
#[case("for f in src/*.rs; do wc -l \"$f\"; done")]
#[case("while read -r line; do echo \"$line\"; done < a.txt")]
#[case("if [ -f a.txt ]; then cat a.txt; fi")]
#[case("[[ -n \"$CI\" ]] && echo ci")]
#[case("! grep -q x a.txt")]
#[case("echo \"$HOME\"")]
#[case("test -f a.txt && echo yes || echo no")]
#[case("ls -la; pwd; whoami; date +%Y")]
#[case("make -j4 test")]
#[case("mkdir -p build/out && cp a.txt build/out/")]
#[case("cat <<EOF > out.md\nhello\nEOF")]
#[case("printf '%s\\n' a b c")]
#[case("find . -name '*.rs' -not -path './target/*'")]
#[case("X=1; echo $X")]
#[case("FOO=bar npm test")]
#[case("export FOO=bar && npm test")]
#[case("python3 -c 'print(1)'")]
#[case("node -e 'console.log(1)'")]
#[case("curl -s https://example.org/x | jq .")]
#[case("echo $((1 + 2))")]
#[case("diff <(sort a.txt) <(sort b.txt)")]
#[case("git show HEAD:src/main.rs | head -n 5")]
#[case("git checkout -b feature/x")]
#[case("tar czf out.tgz src")]
#[case("(cd src && ls)")]
#[case("sleep 1 & wait")]
#[case("true")]
#[case("# just a note")]
#[case("command -v cargo >/dev/null 2>&1 || echo missing")]
#[case("set -euo pipefail; ls")]
fn nothing_asks(#[case] command: &str) {
    let policy = r#"{"*":"allow","external_directory":{"*":"ask"}}"#;
    let world = ["src/main.rs", "a.txt", "b.txt", "package.json", "tests/unit/"];
    let expected = if command == "echo \"$HOME\"" { "ask" } else { "allow" };
    assert_eq!(with_world(policy, &world, command), expected, "{command}");
}
