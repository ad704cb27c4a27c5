//! What a "for this session" yes to a unit may store (HARD-041; "What for this session stores", docs/spec/README.md).

use portcullis_core::access::shell::GrantWidth;
use pretty_assertions::assert_eq;
use rstest::rstest;

use crate::metamorphic::program;

fn peeled(own: &str, inner: &str) -> GrantWidth {
    GrantWidth::Peeled { own: own.to_owned(), inner: inner.to_owned() }
}

#[rstest]
#[case("git status", GrantWidth::Prefix)]
#[case("nohup tool a", peeled("nohup", "tool a"))]
#[case("sudo -u root nohup tool", peeled("sudo -u root nohup", "tool"))]
#[case("sudo  git push origin", peeled("sudo", "git push origin"))]
#[case("bash -c 'x'", GrantWidth::Exact)]
#[case("watch tool x", GrantWidth::Exact)]
#[case("bash s.sh", GrantWidth::Exact)]
#[case("FOO=1 sudo x", GrantWidth::Exact)]
#[case("FOO=1 git log", GrantWidth::Prefix)]
#[case("sudo -e f", GrantWidth::Exact)]
#[case("xargs -I@ rm @", GrantWidth::Exact)]
#[case("sudo rm 'a b'", GrantWidth::Exact)]
#[case("sudo rm *", GrantWidth::Nothing)]
#[case("find . -name a", GrantWidth::Exact)]
#[case("find . -delete", GrantWidth::Exact)]
#[case("python3 x.py", GrantWidth::Exact)]
#[case("node x.js", GrantWidth::Exact)]
#[case("$X y", GrantWidth::Nothing)]
#[case("LD_PRELOAD=./e.so ls", GrantWidth::Nothing)]
#[case("make &&", GrantWidth::Pattern("make &&".into()))]
fn hard_041(#[case] command: &str, #[case] expected: GrantWidth) {
    assert_eq!(program(command).units.first().map(|unit| unit.grant.clone()), Some(expected), "{command}");
}
