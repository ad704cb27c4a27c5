//! The `jsonl` lines of docs/spec/bash.md, numbered under the requirement that they stand below.

use serde_json::Value;

const TEXT: &str = include_str!("../../../docs/spec/bash.md");

/// Every line: `CMD-005/1` and so on, and what it says.
pub(crate) fn all() -> Vec<(String, Value)> {
    let mut out: Vec<(String, Value)> = Vec::new();
    let mut heading = String::new();
    let mut number = 0;
    for line in TEXT.lines() {
        let id = line.strip_prefix("**").or_else(|| line.strip_prefix("- BASH-D").map(|_| &line[2..]));
        if let Some(id) = id {
            let id = id.split([' ', '*']).next().unwrap_or_default();
            // Two paragraphs at the head name no requirement.
            if id.contains('-') {
                heading = id.to_owned();
                number = 0;
            }
        } else if line.starts_with("{\"") {
            number += 1;
            out.push((format!("{heading}/{number}"), serde_json::from_str(line).expect("an example is JSON")));
        }
    }
    out
}

#[test]
fn no_line_is_passed_over() {
    let blocks: usize =
        TEXT.split("```jsonl\n").skip(1).map(|block| block.split("\n```").next().map_or(0, |lines| lines.lines().count())).sum();
    assert_eq!((all().len(), blocks), (183, 183));
    let (id, example) = &all()[0];
    assert_eq!((id.as_str(), example["c"].as_str()), ("CMD-001/1", Some("x")));
    assert_eq!(all().iter().filter(|(id, _)| id.is_empty() || id.starts_with('/')).count(), 0);
}
