use super::*;

fn dump(text: &str) -> String {
    let arena = tree_of(text);
    let mut out = String::new();
    let mut stack = vec![(Arena::ROOT, 0)];
    while let Some((id, depth)) = stack.pop() {
        let node = arena.get(id);
        let slice = text.get(node.start as usize..node.end as usize).unwrap();
        out.push_str(&format!(
            "{}{}{:?}{} {:?}\n",
            "  ".repeat(depth),
            if node.named { "" } else { "'" },
            node.kind,
            if node.missing { " MISSING" } else { "" },
            slice
        ));
        let mut children: Vec<_> = arena.children(id).map(|c| (c, depth + 1)).collect();
        children.reverse();
        stack.extend(children);
    }
    out
}

#[test]
#[ignore = "a lens for people: DUMP=… cargo test dump_tree -- --ignored --nocapture"]
fn dump_tree() {
    for line in std::env::var("DUMP").unwrap_or_default().split("@@") {
        let line = line.replace("\\n", "\n");
        println!("### {line:?}\n{}", dump(&line));
    }
}

/// The grammar's own scanner looked characters up in a table of 256 entries; behind a brace the process died.
#[test]
fn bash_d08_no_character_behind_a_brace_ends_the_process() {
    for character in ['\u{80}', '\u{ff}', '\u{100}', '\u{2003}', '\u{ffff}', '\u{1f600}', '\u{e0124}', '\u{10ffff}'] {
        for text in [format!("{{{character}"), format!("{{1..{character}}}; rm x"), format!("a {{{character}..2}}")] {
            let mut steps = 10_000;
            let parsed = parse(&text, &mut steps, 1, &|| false).unwrap();
            let Parsed::Tree(arena) = parsed else { panic!("{text:?} is small") };
            let inside =
                arena.ids().map(|id| arena.get(id)).all(|node| text.get(node.start as usize..node.end as usize).is_some());
            assert!(inside, "{text:?}");
        }
    }
}

/// All nodes as the grammar has them.
fn by_grammar(text: &str) -> Vec<(Kind, u32, u32)> {
    let mut parser = Parser::new();
    parser.set_language(&GRAMMAR.language).unwrap();
    let tree = parser.parse(text, None).unwrap();
    let mut out = Vec::new();
    let mut stack = vec![tree.root_node()];
    while let Some(node) = stack.pop() {
        let read = read_node(&GRAMMAR.kinds, node, NONE, true);
        out.push((read.kind, read.start, read.end));
        stack.extend((0..node.child_count()).rev().map(|at| node.child(at).unwrap()));
    }
    out
}

/// The same from the copy, in which plain strings and expansions of names have no parts.
fn by_copy(text: &str) -> Vec<(Kind, u32, u32)> {
    let arena = tree_of(text);
    let mut out = Vec::new();
    for (node, is_leaf) in arena.preorder() {
        out.push((node.kind, node.start, node.end));
        if is_leaf && node.kind == Kind::Str {
            let (start, end) = (node.start + 1, node.end - 1);
            out.extend([(Kind::Quote, node.start, start), (Kind::StringContent, start, end), (Kind::Quote, end, node.end)]);
        }
        if is_leaf && node.kind == Kind::SimpleExpansion {
            out.extend([(Kind::Dollar, node.start, node.start + 1), (Kind::VariableName, node.start + 1, node.end)]);
        }
    }
    out
}

proptest::proptest! {
    /// What the text tells of the inside of commands and strings is what the grammar has there.
    #[test]
    fn insides_that_are_not_looked_at(
        name in "[A-Za-z0-9_][A-Za-z0-9_./-]{0,8}|if|do|true|time|in|test|select|coproc|declare|let|unset|function|exec",
        inner in "[A-Za-z0-9 _./:,=#-]{0,12}",
        words in "( {1,2}(-{0,2}[A-Za-z0-9_./,:=-]{1,6}|-?[0-9]{1,4}|0x[0-9a-f]{1,3}|if|then|do|done|in|time|a=b|=~|==|-eq|\"[A-Za-z0-9 _./:,=-]{0,6}\"|'[^']{0,5}'|\"\\$[a-z][A-Z0-9_]{0,3}\")){0,4}",
        to in "( ?[0-9]?(>|>>|<|>&|>\\||<&|&>|<>) ?([a-z][a-z0-9./=:,-]{0,3}|[0-9]{1,2}|-|-a|\"\\$a\")){0,2}",
    ) {
        let command = format!("{name}{words}");
        let text = format!(
            "{command} && {name} \"{inner}\" && X=\"{inner}\" {command} a\"{inner}\"b > \"{inner}\" | $({command} x)\n\
             {command}\nif {command}; then X=1 {command} <in; fi\n! {command} &\n{command}{to} && x{to}"
        );
        proptest::prop_assert_eq!(by_copy(&text), by_grammar(&text), "{}", text);
    }
}
