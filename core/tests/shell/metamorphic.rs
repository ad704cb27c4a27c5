//! What is denied stays denied however it is wrapped, chained, nested or spelled (HARD-001 to HARD-003, HARD-027, HARD-031).

use std::sync::Arc;

use portcullis_core::access::path::{PathFacts, PathNormalizer};
use portcullis_core::access::shell::{BashProgram, ShellFacts};
use portcullis_core::host::Platform;
use portcullis_core::host::system::SystemFileView;
use proptest::prelude::*;

use super::laws;

/// Places where a statement runs; `@` is the statement.
const PLACES: &[&str] = &[
    "@",
    "ls; @",
    "ls && @",
    "ls || @",
    "ls | @",
    "@ | wc",
    "@ &",
    "(@)",
    "{ @; }",
    "! @",
    "if @; then ls; fi",
    "if ls; then @; fi",
    "if ls; then :; else @; fi",
    "if ls; then :; elif @; then :; fi",
    "while @; do ls; done",
    "for i in a b; do @; done",
    "for ((i=0;i<1;i++)); do @; done",
    "case x in y) @;; esac",
    "f() { @; }; f",
    "function g { @; }",
    "echo $(@)",
    "echo \"$(@)\"",
    "X=$(@)",
    "X=$(@) ls",
    "export X=$(@)",
    "[[ -n $(@) ]]",
    "[ -n \"$(@)\" ]",
    "(( $(@) ))",
    "cat < <(@)",
    "diff <(@) b",
    "ls > >(@)",
    "echo ${X:-$(@)}",
    "echo $((1+$(@)))",
    "for i in $(@); do :; done",
    "case $(@) in x) ;; esac",
    "cat <<EOF\n$(@)\nEOF",
    "cat <<< $(@)",
    "cat <<EOF && @\nbody\nEOF",
    "cat <<EOF | @\nbody\nEOF",
    "cat <<EOF\nbody\nEOF\n@",
    "a=($(@))",
    "select i in a; do @; done",
    "until @; do :; done",
    "{ @; } > out",
    "(@) 2>&1",
    "ls\n@",
    "ls # note\n@",
    "time (@)",
    "$(@) x",
    "ls \\\n && @",
    "coproc { @; }",
    "ls > $(@)",
    "echo ${X#$(@)}",
    "if ls\nthen @\nfi",
    "for i in a\ndo\n@\ndone",
    "ls;\n\n\n@",
    "true &&\n@",
    "true |\n@",
];

/// Spellings of one denied command.
const SPELLINGS: &[&str] = &[
    "rm x",
    "rm  x",
    "rm\tx",
    "\\rm x",
    "'rm' x",
    "r\"m\" x",
    "$'rm' x",
    "/bin/rm x",
    "rm x > log",
    ">log rm x",
    "rm >log x",
    "A=1 rm x",
    "rm \\\n x",
    "r\\\nm x",
    "2>&1 rm x",
    "rm x </dev/null",
    "'r'm x",
    "rm 'x'",
    "rm \"x\"",
];

/// Wrappers around a simple command.
const WRAPPERS: &[&str] = &[
    "@",
    "sudo @",
    "nohup @",
    "env A=1 @",
    "command @",
    "exec @",
    "time @",
    "timeout 5 @",
    "nice -n 5 @",
    "sudo -u me @",
    "setsid @",
    "stdbuf -oL @",
    "doas @",
    "flock l @",
];

pub(crate) fn program(command: &str) -> BashProgram {
    let normalizer = PathNormalizer::new(PathFacts {
        cwd: "/proj/app".to_owned(),
        home: Some("/home/dev".to_owned()),
        agent_dir: "/home/dev/.pi/agent".to_owned(),
        extension_root: None,
        platform: Platform::Posix,
        files: Arc::new(SystemFileView),
    });
    let facts =
        ShellFacts { resolver: &normalizer, is_promotable: &|_| false, could_hit_absolute: &|_| false, out_of_time: &|| false };
    BashProgram::parse(command, None, &facts).unwrap()
}

/// Whether a rule `rm *` would see a unit of it.
fn is_seen(command: &str) -> bool {
    program(command).units.iter().any(|unit| {
        let spellings = unit.spellings.iter().map(|(text, _)| text.as_str());
        spellings.chain([unit.text.as_str()]).any(|text| text == "rm" || text.starts_with("rm "))
    })
}

#[test]
fn every_place_and_every_spelling() {
    let unseen: Vec<String> = PLACES
        .iter()
        .flat_map(|place| SPELLINGS.iter().map(move |spelling| place.replace('@', spelling)))
        .filter(|command| !is_seen(command))
        .collect();
    assert_eq!(unseen, Vec::<String>::new());
}

#[test]
fn every_wrapper_in_every_place() {
    let unseen: Vec<String> = PLACES
        .iter()
        .flat_map(|place| WRAPPERS.iter().map(move |wrapper| place.replace('@', &wrapper.replace('@', "rm x"))))
        .filter(|command| !is_seen(command))
        .collect();
    assert_eq!(unseen, Vec::<String>::new());
}

fn place() -> impl Strategy<Value = &'static str> {
    // A here-document swallows the lines behind it: it is an outermost place only.
    let nestable: Vec<&'static str> = PLACES.iter().copied().filter(|place| !place.contains("<<EOF")).collect();
    prop::sample::select(nestable)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(300), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nested_places(outer in prop::sample::select(PLACES), middle in place(), inner in place(), spelling in prop::sample::select(SPELLINGS)) {
        // A line break would end the opener's line and start the body.
        let line = outer.contains("<<EOF &&") || outer.contains("<<EOF |");
        prop_assume!(!line || !(middle.contains('\n') || inner.contains('\n') || spelling.contains('\n')));
        let command = outer.replace('@', &middle.replace('@', &inner.replace('@', spelling)));
        // `$(` and `(` side by side begin an arithmetic expression, in which nothing runs.
        let sums = |text: &str| text.matches("((").count();
        prop_assume!(sums(&command) == sums(outer) + sums(middle) + sums(inner) + sums(spelling));
        let floored = program(&command).units.iter().any(|unit| !unit.floors.is_empty());
        prop_assert!(is_seen(&command) || floored, "{command}");
    }

    /// The laws of the fuzz target, on texts made of what shells are made of.
    #[test]
    fn any_text(command in "([a-z ]|[-\\\\'\"`$(){}|&;<>!#~*?/=.@\\n\\[\\]]|EOF|\\$\\(|<<|if |then |fi|do |done|rm x){0,40}") {
        laws::check(&command);
    }

    /// The same on bytes that nobody types.
    #[test]
    fn any_characters(command in "\\PC{0,60}") {
        laws::check(&command);
    }

    #[test]
    fn mutated_lines(place in prop::sample::select(PLACES), spelling in prop::sample::select(SPELLINGS), at in 0usize..60, with in "[-\\\\'\"`$(){}|&;<>!# \\n]{0,2}") {
        let mut command = place.replace('@', spelling);
        let at = command.char_indices().map(|(index, _)| index).nth(at).unwrap_or(command.len());
        command.insert_str(at, &with);
        laws::check(&command);
    }
}

/// Texts on which the fuzz target found a law broken.
#[test]
fn found_by_fuzzing() {
    for command in [
        ">a xm=ch <<<xm=ch <<<a=bc \nra=bAc 1r{ l\u{1b}lx",
        "ls(é);rm x",
        "%(AA",
        "csesrc{ret,x}}.tx}",
        "\u{2}\0,{rsec{ret,x}}.tx'hup 'sgh;'",
        "{a,b}{c,d}{e,f}",
        "R='x y z'; $R$R a",
        ">>>5eott>~(5>h> r>c>k>o2>>>>2>>>>5>>>hr>cksh &",
        "e{\u{e0124}T",
        "{\u{10ffff}",
        "a {1\u{e0124}..2}",
        "x {1..\u{10fffd}}; rm y",
    ] {
        laws::check(command);
    }
}
