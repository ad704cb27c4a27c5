//! Rows as a scenario file. Everything that comes from the policy stands in double quotes: JSON's are YAML's.

use serde_json::Value;

use super::Row;
use crate::own_policy::Verdict;

pub(super) fn render(shown: &str, name: &str, rows: &[Row]) -> String {
    let shown_text = quoted(shown);
    let mut text = format!(
        "# The first test of a policy, written by `portcullis init`. Each row is what the reference says today, for one rule: look\n\
         # through them, change what you do not mean, and mend the policy until `portcullis test` passes. docs/guide/test.md says more.\n\
         suite: {}\nlevel: baseline\ngiven:\n  policy: {{ file: {shown_text} }}\n  ui: true # somebody who never says yes\n",
        quoted(name)
    );
    let tools: Vec<&str> = rows.iter().filter(|row| row.probe.kind == "tool").map(|row| row.probe.value.as_str()).collect();
    if !tools.is_empty() {
        let mut all: Vec<&str> = portcullis_test_fixtures::DEFAULT_TOOLS.to_vec();
        for tool in tools {
            if !all.contains(&tool) {
                all.push(tool);
            }
        }
        let list: Vec<String> = all.into_iter().map(quoted).collect();
        text.push_str(&format!("  tools: [{}]\n", list.join(", ")));
    }
    text.push_str("scenarios:\n");
    for (kind, column) in KINDS {
        for verdict in [Verdict::Allow, Verdict::Ask, Verdict::Deny] {
            let rows: Vec<&Row> = rows.iter().filter(|row| row.probe.kind == kind && row.verdict == verdict).collect();
            if !rows.is_empty() {
                text.push_str(&scenario(name, kind, column, verdict, &rows));
            }
        }
    }
    text
}

/// The kinds of steps, and the column that holds what is called.
const KINDS: [(&str, &str); 10] = [
    ("bash", "command"),
    ("read", "path"),
    ("write", "path"),
    ("edit", "path"),
    ("grep", "path"),
    ("find", "path"),
    ("ls", "path"),
    ("mcp", "target"),
    ("skill", "skill"),
    ("tool", "tool"),
];

fn scenario(name: &str, kind: &str, column: &str, verdict: Verdict, rows: &[&Row]) -> String {
    let (word, does) = match verdict {
        Verdict::Allow => ("allowed", "goes ahead"),
        Verdict::Ask => ("asked", "asks"),
        Verdict::Deny => ("refused", "is refused"),
    };
    let id: String = name.chars().map(|letter| if is_of_id(letter) { letter } else { '-' }).collect();
    let mut text = format!("  - id: {id}-{kind}-{word}\n    title: \"{kind} ${{{column}}} {does}\"\n    each:\n");
    for row in rows {
        let rule = row.pattern.as_deref().map_or_else(|| "null".to_owned(), quoted);
        let value = quoted(&row.probe.value);
        let about = one_line(&row.about);
        text.push_str(&format!("      - {{ {column}: {value}, gate: {}, rule: {rule} }} # {about}\n", row.gate));
    }
    let step = match kind {
        "skill" => format!("input: \"/skill:${{{column}}}\""),
        "tool" => format!("tool: {{ name: \"${{{column}}}\", input: {{}} }}"),
        _ => format!("{kind}: \"${{{column}}}\""),
    };
    let outcome = match (kind, verdict) {
        ("skill", Verdict::Allow) => "continue",
        ("skill", _) => "handled",
        (_, Verdict::Allow) => "allow",
        _ => "block",
    };
    let more = if verdict == Verdict::Ask { ", resolution: user_denied } }" } else { " }, prompts: [] }" };
    text.push_str(&format!(
        "    steps:\n      - {step}\n        expect: {{ outcome: {outcome}, by: {{ gate: \"${{gate}}\", rule: \"${{rule}}\"{more}\n"
    ));
    text
}

fn is_of_id(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.')
}

/// A text in which nothing is a placeholder.
fn quoted(text: &str) -> String {
    Value::String(text.replace("${", "$${")).to_string()
}

/// A comment ends with its line.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{85}') { ' ' } else { letter })
        .collect()
}
