//! Options that turn a reader into a writer or a launcher (HARD-057). The table is data; it is compared by value, in every
//! spelling: glued, with `=`, cut short, in a cluster.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::names::Names;
use super::word::Word;

/// The dangerous options of one program.
struct Danger {
    names: Names,
    /// Long options, without dashes. `find` spells its own with one dash.
    long: &'static [&'static str],
    /// Letters.
    short: &'static str,
    /// Letters that take a value, so that what follows in the cluster is no option.
    values: &'static str,
    /// Long options may be cut short.
    abbreviates: bool,
}

const DANGERS: &[Danger] = &[
    Danger { names: Names::of(&["rg"]), long: &["pre", "hostname-bin"], short: "", values: "", abbreviates: false },
    Danger {
        names: Names::of(&["sort", "gsort"]),
        long: &["output", "compress-program", "temporary-directory"],
        short: "oT",
        values: "kSt",
        abbreviates: true,
    },
    Danger {
        names: Names::of(&["tar", "gtar", "bsdtar"]),
        long: &["to-command", "checkpoint-action", "use-compress-program"],
        short: "I",
        values: "bCfFgHKLNTVX",
        abbreviates: true,
    },
];

const FIND: &[&str] = &["-delete", "-fprint", "-fprint0", "-fprintf", "-fls"];

/// Options of git before the subcommand that take the next word.
pub(crate) const GIT_VALUES: &[&str] =
    &["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env", "--attr-source"];

/// Programs that have a reader of their own, beside the table.
const OWN: Names = Names::of(&["find", "gfind", "bfs", "git"]);

/// Every program with dangerous options.
pub(super) fn programs() -> impl Iterator<Item = &'static str> {
    DANGERS.iter().flat_map(|danger| danger.names.iter()).chain(OWN.iter())
}

/// The dangerous options that a command carries, as a rule would spell them.
pub(crate) fn dangerous(name: &str, words: &[Word<'_>]) -> Vec<String> {
    let values = || -> SmallVec<[Cow<'_, str>; 8]> { words.iter().skip(1).map(Word::value).collect() };
    match name {
        "find" | "gfind" | "bfs" => {
            values().into_iter().filter(|value| FIND.contains(&value.as_ref())).map(Cow::into_owned).collect()
        }
        "git" => git(&values()),
        _ => match DANGERS.iter().find(|danger| danger.names.contains(name)) {
            Some(danger) => of_table(danger, &values()),
            None => Vec::new(),
        },
    }
}

fn of_table(danger: &Danger, values: &[Cow<'_, str>]) -> Vec<String> {
    let mut out = Vec::new();
    for (index, value) in values.iter().enumerate() {
        if value == "--" {
            break;
        }
        if let Some(body) = value.strip_prefix("--") {
            let name = body.split('=').next().unwrap_or(body);
            let hits = |full: &&&str| **full == name || danger.abbreviates && name.len() > 1 && full.starts_with(name);
            out.extend(danger.long.iter().filter(hits).map(|full| format!("--{full}")));
            if danger.abbreviates && name.len() == 1 {
                out.extend(danger.long.iter().filter(|full| full.starts_with(name)).map(|full| format!("--{full}")));
            }
            continue;
        }
        // The first word of tar may be a cluster without a dash.
        let old_style =
            index == 0 && danger.short == "I" && !value.starts_with('-') && value.bytes().all(|b| b.is_ascii_alphabetic());
        let cluster = if old_style { value.as_ref() } else { value.strip_prefix('-').unwrap_or_default() };
        for letter in cluster.chars() {
            if danger.short.contains(letter) {
                out.push(format!("-{letter}"));
                break;
            }
            if danger.values.contains(letter) && !old_style {
                break;
            }
        }
    }
    out
}

fn git(values: &[Cow<'_, str>]) -> Vec<String> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(value) = values.get(at).filter(|value| value.starts_with('-')) {
        if value == "-c" || value.starts_with("-c") && !value.starts_with("-C") {
            out.push("-c".to_owned());
        }
        for long in ["--exec-path", "--config-env"] {
            if value.split('=').next() == Some(long) && (value.contains('=') || long == "--config-env") {
                out.push(long.to_owned());
            }
        }
        at += if GIT_VALUES.contains(&value.as_ref()) && value != "--exec-path" { 2 } else { 1 };
    }
    let subcommand = values.get(at).map_or("", AsRef::as_ref);
    for value in values.iter().skip(at + 1) {
        let name = value.split('=').next().unwrap_or(value);
        for long in ["--upload-pack", "--receive-pack", "--exec", "--ext-diff", "--open-files-in-pager", "--config"] {
            let applies = match long {
                "--exec" => matches!(subcommand, "push" | "send-pack" | "archive" | "rebase" | "fetch-pack"),
                "--open-files-in-pager" => subcommand == "grep",
                "--config" => subcommand == "clone",
                _ => true,
            };
            if applies && (name == long || name.len() > 6 && long.starts_with(name)) {
                out.push(long.to_owned());
            }
        }
        match subcommand {
            "grep" if short_has(value, 'O', "ABCefmh") => out.push("-O".to_owned()),
            "clone" if short_has(value, 'u', "bocj") => out.push("-u".to_owned()),
            "clone" if short_has(value, 'c', "boj") => out.push("-c".to_owned()),
            _ => {}
        }
    }
    out
}

fn short_has(value: &str, wanted: char, values: &str) -> bool {
    value
        .strip_prefix('-')
        .filter(|cluster| !cluster.starts_with('-'))
        .is_some_and(|cluster| cluster.chars().take_while(|c| !values.contains(*c) || *c == wanted).any(|c| c == wanted))
}
