use super::*;

fn dump(text: &str) -> String {
    let Parsed::Tree(arena) = parse(text).unwrap() else { return "too much".to_owned() };
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

#[test]
#[ignore = "timing"]
fn timing() {
    for (name, text) in [
        ("parens closed", format!("{}{}", "(".repeat(100_000), ")".repeat(100_000))),
        ("parens cmd", format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000))),
        ("parens open", "(".repeat(100_000)),
        ("subst", format!("{}a{}", "$(".repeat(100_000), ")".repeat(100_000))),
        ("subst open", "$(".repeat(100_000)),
        ("braces", "{ ".repeat(100_000)),
        ("backticks", "`".repeat(100_000)),
        ("chain", "a && ".repeat(50_000) + "a"),
        ("words", "echo ".to_owned() + &"word ".repeat(80_000)),
        ("lines", "echo hi there\n".repeat(30_000)),
        ("lt", "<".repeat(100_000)),
        ("heredocs", "cat <<EOF\nx\nEOF\n".repeat(10_000)),
        ("quotes", "\"a\" ".repeat(50_000)),
        ("open quotes", "\"$(".repeat(50_000)),
        ("if", "if ".repeat(50_000)),
    ] {
        let start = std::time::Instant::now();
        let parsed = parse(&text).unwrap();
        let what = match &parsed {
            Parsed::Tree(a) => format!("{} nodes cut {}", a.nodes.len(), a.cut),
            Parsed::TooMuch => "too much".into(),
        };
        println!("{name}: {} bytes {:?} {what}", text.len(), start.elapsed());
    }
}
