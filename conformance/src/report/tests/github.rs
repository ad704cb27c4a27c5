use pretty_assertions::assert_eq;

use super::{failed, hostile, row, run_of};
use crate::report::Format;
use crate::run::Verdict;

type Command = (String, Vec<(String, String)>, String);

/// As the runner of GitHub reads it: a line each, members apart by commas, and what was written for `%`, the line ends, `:` and `,`.
fn parse(text: &str) -> Vec<Command> {
    let undo = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
    let member = |text: &str| undo(&text.replace("%3A", ":").replace("%2C", ","));
    text.lines()
        .map(|line| {
            let rest = line.strip_prefix("::").unwrap_or_else(|| panic!("{line:?} is no command"));
            let (head, data) = rest.split_once("::").unwrap();
            let (level, members) = head.split_once(' ').unwrap();
            let members = members.split(',').map(|pair| pair.split_once('=').unwrap());
            (level.to_owned(), members.map(|(key, value)| (key.to_owned(), member(value))).collect(), undo(data))
        })
        .collect()
}

#[test]
fn a_failure_stands_at_its_line() {
    let commands = parse(&Format::Github.render(&run_of(vec![row("a", failed("50%0A")), row("b", Verdict::Passed)])).unwrap());
    let pairs = |members: &[(&str, &str)]| members.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let report = "FAILED a  scenarios/area/file.yaml:7\n  title of a\n  step 1 (line 9): bash: x\n    outcome:\n      - block\n      + 50%0A";
    let expected: Vec<Command> = vec![
        ("error".into(), pairs(&[("file", "scenarios/area/file.yaml"), ("line", "7"), ("title", "gate: a")]), report.into()),
        ("error".into(), pairs(&[("title", "portcullis: gate 1.2")]), "1 passed, 1 failed".into()),
    ];
    assert_eq!(commands, expected);
}

#[test]
fn hostile_texts_make_no_command_of_their_own() {
    let commands = parse(&Format::Github.render(&hostile()).unwrap());
    let shown: Vec<(&str, usize)> = commands.iter().map(|(level, members, _)| (level.as_str(), members.len())).collect();
    assert_eq!(shown, [("error", 3), ("error", 3), ("error", 1), ("error", 1)]);
}

/// GitHub shows ten and drops the rest.
#[test]
fn what_has_no_remark_of_its_own_is_named_in_the_last() {
    let rows = (0..12).map(|number| row(&format!("r{number}"), failed("allow"))).collect();
    let commands = parse(&Format::Github.render(&run_of(rows)).unwrap());
    assert_eq!(commands.len(), 10);
    assert_eq!(commands[9].2, "0 passed, 12 failed\nwithout a remark of their own: r9, r10, r11");
}
