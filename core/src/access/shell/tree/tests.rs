use super::*;

fn dump(text: &str) -> String {
    let Parsed::Tree(arena) = parse(text, &mut max_steps(text.len()), 1, &|| false).unwrap() else {
        return "too much".to_owned();
    };
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
