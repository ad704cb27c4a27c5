//! Which words of a command are operands that may name files: pattern-first commands and inline scripts keep theirs apart
//! (TOK-013, TOK-014, HARD-020). Also the reader core of HARD-037 (2), as data.

use std::borrow::Cow;

use super::names::Names;
use super::word::{Word, WordKind};
use super::wrappers::base_name;

/// What a word is to its command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operand {
    /// A word like any other.
    Plain,
    /// A pattern, a script, an option's plain value: no path.
    Consumed,
    /// The value of a file option: a path by its role.
    File,
    /// A file glued to an option: the value starts at this byte of the word's value.
    GluedFile(usize),
}

/// A pattern-first command: TOK-013, completed by HARD-020.
struct PatternFirst {
    names: Names,
    /// How many leading positionals are patterns.
    patterns: usize,
    /// Letters whose value is the script or a pattern.
    scripts: &'static str,
    /// Letters with a value that is neither.
    values: &'static str,
    /// Letters whose value is a file with the script or patterns.
    files: &'static str,
    /// Long options with a script.
    long_scripts: &'static [&'static str],
    /// Long options with another value in the next word.
    long_values: &'static [&'static str],
    /// Long options with a file of patterns.
    long_files: &'static [&'static str],
    /// Options that take the pattern's place away.
    no_pattern: &'static [&'static str],
    /// Letters without a value: a cluster is read only as far as it is known.
    flags: &'static str,
}

const TABLE: &[PatternFirst] = &[
    PatternFirst {
        names: Names::of(&["sed"]),
        patterns: 1,
        scripts: "e",
        values: "",
        files: "f",
        long_scripts: &["expression"],
        long_values: &["line-length"],
        long_files: &["file"],
        no_pattern: &[],
        flags: "nErsuzb",
    },
    PatternFirst {
        names: Names::of(&["awk", "gawk", "nawk"]),
        patterns: 1,
        scripts: "",
        values: "Fv",
        files: "f",
        long_scripts: &[],
        long_values: &[],
        long_files: &[],
        no_pattern: &[],
        flags: "",
    },
    PatternFirst {
        names: Names::of(&["grep", "egrep", "fgrep"]),
        patterns: 1,
        scripts: "e",
        values: "ABCmdD",
        files: "f",
        long_scripts: &["regexp"],
        long_values: &["after-context", "before-context", "max-count"],
        long_files: &["file"],
        no_pattern: &[],
        flags: "EFGPiyvwxczLlqsonHhUaTZbIrRuzV",
    },
    PatternFirst {
        names: Names::of(&["rg"]),
        patterns: 1,
        scripts: "e",
        values: "ABCmgtTjMrEd",
        files: "f",
        long_scripts: &["regexp"],
        long_values: &[
            "after-context",
            "before-context",
            "max-count",
            "glob",
            "iglob",
            "type",
            "type-not",
            "threads",
            "max-columns",
            "replace",
            "encoding",
            "max-depth",
            "color",
            "colors",
            "sort",
            "sortr",
            "engine",
            "max-filesize",
            "context-separator",
            "field-match-separator",
            "field-context-separator",
            "path-separator",
            "type-add",
            "type-clear",
            "dfa-size-limit",
            "regex-size-limit",
        ],
        long_files: &["file"],
        no_pattern: &["--files", "--type-list", "--version", "--help"],
        flags: "abchHiIlLnNopqsSuUvVwxzFP0",
    },
    PatternFirst {
        names: Names::of(&["sd"]),
        patterns: 2,
        scripts: "",
        values: "nf",
        files: "",
        long_scripts: &[],
        long_values: &["max-replacements", "flags"],
        long_files: &[],
        no_pattern: &[],
        flags: "psF",
    },
];

/// Interpreters, the letters whose value is program text, the letters that may stand before them, and long options.
const INLINE: &[(&str, &str, &str, &[&str])] = &[
    ("node", "ep", "ci", &["--eval", "--print"]),
    ("bun", "ep", "", &["--eval", "--print"]),
    ("python", "c", "bBdEiIOPqsSuvx", &[]),
    ("perl", "eE", "acflnpsStTuUwWX", &[]),
    ("ruby", "e", "acdlnpsSvw", &[]),
    ("php", "r", "", &["--run"]),
    ("lua", "e", "iEvW", &[]),
];

/// Every program whose operands are told apart.
pub(super) fn programs() -> impl Iterator<Item = &'static str> {
    TABLE.iter().flat_map(|row| row.names.iter()).chain(INLINE.iter().map(|(name, ..)| *name))
}

/// Says of every word behind the command word what it is, or
/// nothing for a command whose words are all plain ones.
pub(crate) fn sort(name: &str, words: &[Word<'_>]) -> Vec<Operand> {
    let args = words.get(1..).unwrap_or_default();
    if let Some(row) = TABLE.iter().find(|row| row.names.contains(name)) {
        return pattern_first(row, name, args);
    }
    let name = if is_python(name) { "python" } else { name };
    if let Some((_, letters, flags, long)) = INLINE.iter().find(|(program, ..)| name == *program) {
        return inline(args, letters, flags, long);
    }
    Vec::new()
}

fn is_python(name: &str) -> bool {
    name.strip_prefix("python").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// The word after `-e` and its like; words glued to it are options and no paths anyway.
fn inline(args: &[Word<'_>], letters: &str, flags: &str, long: &[&str]) -> Vec<Operand> {
    let mut script = false;
    let mut options = true;
    args.iter()
        .map(|word| {
            let value = word.value();
            if std::mem::take(&mut script) {
                return Operand::Consumed;
            }
            if options && value.starts_with('-') && value.len() > 1 {
                let cluster = !value.starts_with("--");
                // Only a cluster of known letters takes the next word: a wrong one would hide a file (HARD-020).
                let known = value.chars().skip(1).all(|c| flags.contains(c) || letters.contains(c));
                script = cluster && known && value.ends_with(|c| letters.contains(c)) || long.contains(&value.as_ref());
                options = value != "--";
                // Glued program text is no path.
                let glued = cluster && value.chars().nth(1).is_some_and(|c| letters.contains(c)) && value.chars().count() > 2;
                return if glued { Operand::Consumed } else { Operand::Plain };
            }
            options = false;
            Operand::Plain
        })
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pending {
    None,
    Skip,
    /// A number, or what may be one: implementations differ about a separate value.
    Number,
    File,
}

struct Scan<'r> {
    row: &'r PatternFirst,
    pending: Pending,
    explicit: bool,
    positionals: usize,
    options: bool,
}

fn pattern_first(row: &PatternFirst, name: &str, args: &[Word<'_>]) -> Vec<Operand> {
    let mut scan = Scan { row, pending: Pending::None, explicit: false, positionals: 0, options: true };
    // `awk` long forms differ between implementations (HARD-020); `sed -i` is told apart by an empty word behind it.
    let bsd_in_place = |at: usize| {
        base_name(name) == "sed"
            && args.get(at).is_some_and(|word| word.value() == "-i")
            && args.get(at + 1).is_some_and(|next| next.literal().as_deref() == Some(""))
    };
    args.iter()
        .enumerate()
        .map(|(at, word)| {
            let operand = scan.step(word);
            if bsd_in_place(at) {
                scan.pending = Pending::Skip;
            }
            operand
        })
        .collect()
}

impl Scan<'_> {
    fn step(&mut self, word: &Word<'_>) -> Operand {
        match std::mem::replace(&mut self.pending, Pending::None) {
            Pending::Skip => return Operand::Consumed,
            Pending::Number if word.is_computed() || word.value().bytes().all(|b| b.is_ascii_digit()) => {
                return Operand::Consumed;
            }
            Pending::File => return Operand::File,
            Pending::Number | Pending::None => {}
        }
        let value = word.value();
        if self.options && value.starts_with('-') && value.len() > 1 && !word.literal_prefix().is_empty() {
            return self.option(&value);
        }
        if !self.explicit && self.positionals < self.row.patterns {
            self.positionals += 1;
            return Operand::Consumed;
        }
        Operand::Plain
    }

    fn option(&mut self, value: &str) -> Operand {
        if value == "--" {
            self.options = false;
            return Operand::Consumed;
        }
        if self.row.no_pattern.contains(&value) {
            self.explicit = true;
            return Operand::Consumed;
        }
        match value.strip_prefix("--") {
            Some(body) => self.long(value, body),
            None => self.short(value),
        }
    }

    fn long(&mut self, value: &str, body: &str) -> Operand {
        let (name, glued) = body.split_once('=').map_or((body, false), |(name, _)| (name, true));
        let within = |list: &[&str]| list.contains(&name);
        if within(self.row.long_scripts) {
            self.explicit = true;
            self.pending = if glued { Pending::None } else { Pending::Skip };
            return Operand::Consumed;
        }
        if within(self.row.long_files) {
            self.explicit = true;
            if glued {
                return Operand::GluedFile(value.len() - body.len() + name.len() + 1);
            }
            self.pending = Pending::File;
            return Operand::Consumed;
        }
        if within(self.row.long_values) && !glued {
            self.pending = Pending::Skip;
            return Operand::Consumed;
        }
        Operand::Plain
    }

    /// A cluster of letters, as far as every letter is known.
    fn short(&mut self, value: &str) -> Operand {
        for (at, letter) in value.char_indices().skip(1) {
            let rest = at + letter.len_utf8();
            let glued = rest < value.len();
            if self.row.scripts.contains(letter) {
                self.explicit = true;
                self.pending = if glued { Pending::None } else { Pending::Skip };
                return Operand::Consumed;
            }
            if self.row.files.contains(letter) {
                self.explicit = true;
                if glued {
                    return Operand::GluedFile(rest);
                }
                self.pending = Pending::File;
                return Operand::Consumed;
            }
            if self.row.values.contains(letter) {
                let next = if "ABCm".contains(letter) { Pending::Number } else { Pending::Skip };
                self.pending = if glued { Pending::None } else { next };
                return Operand::Consumed;
            }
            if !self.row.flags.contains(letter) {
                return Operand::Plain;
            }
        }
        Operand::Consumed
    }
}

/// Which words the package's own scan (TOK-013, TOK-014) lists, for the words behind the command word.
/// Nothing when it lists all of them.
pub(crate) fn package_lists(words: &[Word<'_>]) -> Vec<bool> {
    let Some((head, args)) = words.split_first() else { return Vec::new() };
    let name = base_name(head.raw.trim_end_matches('/'));
    if !TABLE.iter().any(|row| row.names.contains(name)) {
        return Vec::new();
    }
    let (patterns, skip, file): (usize, &[&str], &[&str]) = match name {
        "sed" => (1, &["-e", "-i"], &["-f"]),
        "awk" | "gawk" | "nawk" => (1, &["-e", "-F", "-v"], &["-f"]),
        "grep" | "egrep" | "fgrep" => (1, &["-e", "-A", "-B", "-C", "-m"], &["-f"]),
        "rg" => (1, &["-e", "-A", "-B", "-C", "-m", "-g", "-t", "-T", "-j", "-M", "-r", "-E"], &["-f"]),
        "sd" => (2, &["-n", "-f"], &[]),
        _ => return Vec::new(),
    };
    let (mut explicit, mut positionals, mut pending, mut open) = (false, 0, Pending::None, true);
    args.iter()
        .map(|word| {
            if word.kind != WordKind::Argument {
                return true;
            }
            match std::mem::replace(&mut pending, Pending::None) {
                Pending::Skip => return false,
                Pending::File => return true,
                Pending::Number | Pending::None => {}
            }
            if open && word.plain && word.raw.starts_with('-') && word.raw.len() > 1 {
                let raw = word.raw.as_ref();
                explicit |= matches!(raw, "-e" | "-f") && (skip.contains(&raw) || file.contains(&raw));
                open = raw != "--";
                pending = match raw {
                    _ if skip.contains(&raw) => Pending::Skip,
                    _ if file.contains(&raw) => Pending::File,
                    _ => Pending::None,
                };
                return false;
            }
            if !explicit && positionals < patterns {
                positionals += 1;
                return false;
            }
            true
        })
        .collect()
}

/// HARD-037 (2): members that never write, whatever their arguments.
const CORE: Names = Names::of(&[
    ":", "basename", "cat", "cd", "diff", "dirname", "echo", "egrep", "false", "fgrep", "grep", "head", "ls", "pwd", "realpath",
    "rg", "stat", "tail", "true", "wc", "which",
]);

/// Members with guards of their own.
const GUARDED: Names = Names::of(&["find", "sort", "fd", "sed", "awk"]);

/// All of them.
pub(super) const READERS: &[Names] = &[CORE, GUARDED];

/// Whether a command belongs to the reader core: a bare literal name, its guards kept, nothing computed that could be an
/// option. It only withholds asks (RES-13).
pub(crate) fn is_reader(words: &[Word<'_>]) -> bool {
    let Some((head, args)) = words.split_first() else { return false };
    let Some(name) = head.literal() else { return false };
    let steady = || !args.iter().any(Word::is_unsteady);
    if CORE.contains(&name) {
        return name != "rg" || steady() && super::options::dangerous("rg", words).is_empty();
    }
    if !GUARDED.contains(&name) || !steady() {
        return false;
    }
    let values: Vec<Cow<'_, str>> = args.iter().map(Word::value).collect();
    match name.as_ref() {
        "find" | "sort" => {
            super::options::dangerous(&name, words).is_empty()
                && !values.iter().any(|value| matches!(value.as_ref(), "-exec" | "-execdir" | "-ok" | "-okdir"))
        }
        "fd" => !values.iter().any(|value| value.starts_with("--e") || value.starts_with('-') && value.contains(['x', 'X'])),
        "sed" => is_reading_sed(&values),
        "awk" => is_reading_awk(&values),
        _ => false,
    }
}

/// `sed -n`, `-E`, `-e` with scripts of plain addresses and `p`, `d`, `q`, `s` without flags that write or run.
fn is_reading_sed(values: &[Cow<'_, str>]) -> bool {
    let mut scripts = Vec::new();
    let mut script_next = false;
    let mut positional = false;
    for value in values {
        if std::mem::take(&mut script_next) {
            scripts.push(value.as_ref());
        } else {
            match value.as_ref() {
                "-n" | "-E" | "-r" | "-s" | "-u" | "-z" => {}
                "-e" => script_next = true,
                option if option.starts_with('-') && option.len() > 1 => return false,
                script if scripts.is_empty() && !positional => {
                    scripts.push(script);
                    positional = true;
                }
                _ => {}
            }
        }
    }
    !scripts.is_empty() && scripts.iter().all(|script| is_reading_script(script))
}

fn is_reading_script(script: &str) -> bool {
    let plain = |c: char| c.is_ascii_digit() || matches!(c, ',' | '$' | ';' | ' ' | 'p' | 'd' | 'q' | '=');
    if script.chars().all(plain) {
        return true;
    }
    let mut parts = script.split('/');
    let (head, flags) = (parts.next(), script.rsplit('/').next().unwrap_or_default());
    let count = script.matches('/').count();
    let clean = !script.contains(['\n', ';', '{', '}', '\\']);
    match head {
        Some("s") => clean && count == 3 && flags.chars().all(|c| c == 'g' || c == 'p' || c.is_ascii_digit()),
        Some("") => clean && count == 2 && matches!(flags, "p" | "d"),
        _ => false,
    }
}

fn is_reading_awk(values: &[Cow<'_, str>]) -> bool {
    let mut skip = false;
    let mut program = None;
    for value in values {
        if std::mem::take(&mut skip) || program.is_some() {
            continue;
        }
        match value.as_ref() {
            "-F" | "-v" => skip = true,
            glued if glued.starts_with("-F") || glued.starts_with("-v") => {}
            option if option.starts_with('-') && option.len() > 1 => return false,
            text => program = Some(text),
        }
    }
    program.is_some_and(|text| !text.contains(['>', '|', '@']) && !text.contains("system") && !text.contains("getline"))
}
