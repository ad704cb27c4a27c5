//! How each wrapper reads its own words, to find the command it runs (HARD-028). Data first; one reader for all of it.
//!
//! Checked against the manual pages of GNU coreutils and findutils, sudo, doas, util-linux and procps. An option that stands
//! in no column refuses the peel: the floor stays and no inner command is guessed.

use super::word::Word;

/// The option grammar of one wrapper.
struct Grammar {
    names: &'static [&'static str],
    /// Letters without a value.
    flags: &'static str,
    /// Letters with a value, glued or in the next word.
    values: &'static str,
    /// Letters whose value can only be glued.
    attached: &'static str,
    /// Long options without a value.
    long_flags: &'static [&'static str],
    /// Long options with a value, after `=` or in the next word.
    long_values: &'static [&'static str],
    /// Long options whose value can only stand after `=`.
    long_attached: &'static [&'static str],
    /// Long options that are known and refuse.
    long_refuse: &'static [&'static str],
    /// Long options may be cut short.
    abbreviates: bool,
    /// `NAME=value` words stand before the command.
    assignments: bool,
    /// Words of its own before the command.
    operands: usize,
}

const NONE: Grammar = Grammar {
    names: &[],
    flags: "",
    values: "",
    attached: "",
    long_flags: &[],
    long_values: &[],
    long_attached: &[],
    long_refuse: &[],
    abbreviates: true,
    assignments: false,
    operands: 0,
};

const GRAMMARS: &[Grammar] = &[
    Grammar {
        names: &["sudo"],
        flags: "AbBEHkKnNPSV",
        values: "CgprtTUu",
        long_flags: &[
            "askpass",
            "background",
            "bell",
            "set-home",
            "no-update",
            "non-interactive",
            "preserve-groups",
            "reset-timestamp",
            "remove-timestamp",
            "stdin",
        ],
        long_values: &["close-from", "command-timeout", "group", "other-user", "prompt", "role", "type", "user"],
        long_attached: &["preserve-env"],
        long_refuse: &["edit", "shell", "login", "chdir", "chroot", "host", "list", "validate", "version", "help"],
        assignments: true,
        ..NONE
    },
    Grammar {
        names: &["env", "genv"],
        flags: "i0v",
        values: "u",
        long_flags: &["ignore-environment", "null", "debug", "list-signal-handling"],
        long_values: &["unset"],
        long_attached: &["block-signal", "default-signal", "ignore-signal"],
        long_refuse: &["chdir", "split-string", "argv0", "env0-from", "help", "version"],
        assignments: true,
        ..NONE
    },
    Grammar {
        names: &["xargs", "gxargs"],
        flags: "0oprtx",
        values: "adEILnPRSs",
        attached: "eil",
        long_flags: &["null", "open-tty", "interactive", "no-run-if-empty", "verbose", "exit", "show-limits"],
        long_values: &["arg-file", "delimiter", "max-args", "max-chars", "max-procs", "process-slot-var"],
        long_attached: &["eof", "replace", "max-lines"],
        long_refuse: &["help", "version"],
        ..NONE
    },
    Grammar { names: &["doas"], flags: "nL", values: "u", abbreviates: false, ..NONE },
    Grammar {
        names: &["timeout", "gtimeout"],
        flags: "fpv",
        values: "ks",
        long_flags: &["foreground", "preserve-status", "verbose"],
        long_values: &["kill-after", "signal"],
        abbreviates: false,
        operands: 1,
        ..NONE
    },
    Grammar { names: &["nice", "gnice"], values: "n", long_values: &["adjustment"], ..NONE },
    Grammar { names: &["stdbuf"], values: "ioe", long_values: &["input", "output", "error"], ..NONE },
    Grammar {
        names: &["time", "gtime"],
        flags: "apqv",
        values: "fo",
        long_flags: &["append", "portability", "quiet", "verbose"],
        long_values: &["format"],
        long_refuse: &["output", "help", "version"],
        ..NONE
    },
    Grammar { names: &["nohup", "builtin"], ..NONE },
    Grammar { names: &["setsid"], flags: "cfw", long_flags: &["ctty", "fork", "wait"], ..NONE },
    Grammar {
        names: &["flock"],
        flags: "sxeunoFv",
        values: "wE",
        long_flags: &["shared", "exclusive", "unlock", "nonblock", "nb", "close", "no-fork", "verbose"],
        long_values: &["timeout", "wait", "conflict-exit-code"],
        long_refuse: &["command", "help", "version"],
        operands: 1,
        ..NONE
    },
    Grammar {
        names: &["ionice"],
        flags: "t",
        values: "cn",
        long_flags: &["ignore"],
        long_values: &["class", "classdata"],
        long_refuse: &["pid", "pgid", "uid"],
        ..NONE
    },
    Grammar { names: &["command"], flags: "p", ..NONE },
    Grammar { names: &["exec"], flags: "cl", values: "a", ..NONE },
    Grammar { names: &["busybox", "toybox", "unshare", "nsenter", "systemd-run", "coproc"], ..NONE },
    Grammar { names: &["chroot"], long_flags: &["skip-chdir"], long_attached: &["userspec", "groups"], operands: 1, ..NONE },
    Grammar { names: &["strace"], flags: "cCdDfFhiknqrtTvVwxyzZ", values: "abeEIoOpPsSuUX", ..NONE },
    Grammar { names: &["ltrace"], flags: "bcCfhiLrStTV", values: "aADeFlnopsuwx", ..NONE },
    Grammar {
        names: &["chrt"],
        flags: "abfimorRv",
        values: "TPD",
        long_flags: &["all-tasks", "batch", "fifo", "idle", "other", "rr", "reset-on-fork", "verbose"],
        operands: 1,
        ..NONE
    },
    Grammar { names: &["taskset"], flags: "ac", long_flags: &["all-tasks", "cpu-list"], operands: 1, ..NONE },
    Grammar { names: &["runuser"], values: "ugG", long_values: &["user", "group", "supp-group"], ..NONE },
    Grammar {
        names: &["pkexec"],
        long_flags: &["disable-internal-agent", "keep-cwd"],
        long_values: &["user"],
        abbreviates: false,
        ..NONE
    },
    Grammar { names: &["unbuffer"], flags: "p", ..NONE },
    Grammar { names: &["entr"], flags: "acdnprxz", ..NONE },
];

/// What a wrapper runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peel {
    /// The words from here on are a command.
    Inner(usize),
    /// Nothing is run.
    Nothing,
    /// Nobody can tell from here.
    Refused,
}

/// Reads the words of a wrapper (the wrapper itself first).
pub(crate) fn peel(name: &str, words: &[Word<'_>]) -> Peel {
    let Some(grammar) = GRAMMARS.iter().find(|grammar| grammar.names.contains(&name)) else { return Peel::Refused };
    let mut at = 1;
    while let Some(word) = words.get(at) {
        // An option that the shell computes could be any option (HARD-034).
        if word.is_unsteady() {
            return Peel::Refused;
        }
        let value = word.value();
        match value.as_ref() {
            "--" => {
                at += 1;
                break;
            }
            "-" if grammar.assignments => at += 1,
            long if long.starts_with("--") => match long_option(grammar, long) {
                Some(width) if steady(words, at, width) => at += width,
                _ => return Peel::Refused,
            },
            old if name == "nice"
                && old.len() > 1
                && old.strip_prefix('-').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())) =>
            {
                at += 1;
            }
            cluster if cluster.starts_with('-') && cluster.len() > 1 => match short_cluster(grammar, cluster) {
                Some(width) if steady(words, at, width) => at += width,
                _ => return Peel::Refused,
            },
            _ => break,
        }
    }
    while grammar.assignments && words.get(at).is_some_and(|word| is_assignment(&word.value())) {
        at += 1;
    }
    for _ in 0..grammar.operands {
        if words.get(at).is_none_or(Word::is_unsteady) {
            return Peel::Refused;
        }
        at += 1;
    }
    match words.get(at) {
        None => Peel::Nothing,
        Some(head) if head.value().starts_with('-') => Peel::Refused,
        Some(_) => Peel::Inner(at),
    }
}

/// The value in the next word is one word, whatever the shell makes of it.
fn steady(words: &[Word<'_>], at: usize, width: usize) -> bool {
    width < 2 || words.get(at + 1).is_some_and(|word| !word.may_split())
}

/// How many words a long option takes.
fn long_option(grammar: &Grammar, text: &str) -> Option<usize> {
    let body = text.strip_prefix("--")?;
    let (name, value) = body.split_once('=').map_or((body, None), |(name, value)| (name, Some(value)));
    let columns = [grammar.long_flags, grammar.long_values, grammar.long_attached, grammar.long_refuse];
    let all = || columns.iter().flat_map(|column| column.iter().copied());
    let full = match all().find(|key| *key == name) {
        Some(exact) => exact,
        None if grammar.abbreviates => {
            let mut hits = all().filter(|key| key.starts_with(name));
            let hit = hits.next()?;
            hits.next().is_none().then_some(hit)?
        }
        None => return None,
    };
    if grammar.long_flags.contains(&full) {
        return value.is_none().then_some(1);
    }
    if grammar.long_values.contains(&full) {
        return Some(if value.is_some() { 1 } else { 2 });
    }
    grammar.long_attached.contains(&full).then_some(1)
}

/// How many words a cluster of letters takes.
fn short_cluster(grammar: &Grammar, text: &str) -> Option<usize> {
    let mut letters = text.chars().skip(1).peekable();
    while let Some(letter) = letters.next() {
        if grammar.values.contains(letter) {
            return Some(if letters.peek().is_some() { 1 } else { 2 });
        }
        if grammar.attached.contains(letter) {
            return Some(1);
        }
        if !grammar.flags.contains(letter) {
            return None;
        }
    }
    Some(1)
}

/// `NAME=value`.
pub(crate) fn is_assignment(value: &str) -> bool {
    value.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// The commands behind the exec flags of `find` and `fd`: word ranges.
pub(crate) fn exec_ranges(name: &str, words: &[Word<'_>]) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let value = word.value();
        let starts = match name {
            "fd" | "fdfind" => matches!(value.as_ref(), "-x" | "--exec" | "-X" | "--exec-batch"),
            _ => matches!(value.as_ref(), "-exec" | "-execdir" | "-ok" | "-okdir"),
        };
        at += 1;
        if !starts {
            continue;
        }
        let from = at;
        while words.get(at).is_some_and(|word| !matches!(word.value().as_ref(), ";" | "+")) {
            at += 1;
        }
        if at > from {
            out.push((from, at));
        }
    }
    out
}
