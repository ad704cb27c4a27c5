//! Programs that run another program, and shells whose program arrives as data (WRAP, HARD-032, HARD-033, RES-47).

use std::borrow::Cow;

use super::command::Simple;
use super::names::Names;
use super::program::WrapperKind;
use super::rooms::Rooms;
use super::word::Word;

/// A wrapper and the requirement that says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wrapper {
    pub(crate) kind: WrapperKind,
    pub(crate) requirement: &'static str,
    /// The package flags it too.
    pub(crate) baseline: bool,
}

/// WRAP-005.
const SHELLS: Names = Names::of(&["bash", "sh", "dash", "zsh", "ksh"]);
/// HARD-032, HARD-033.
const MORE_SHELLS: Names =
    Names::of(&["fish", "csh", "tcsh", "ash", "mksh", "pdksh", "yash", "rbash", "rksh", "pwsh", "powershell"]);
/// WRAP-006.
const INDIRECT: Names = Names::of(&[
    "sudo",
    "env",
    "xargs",
    "time",
    "nohup",
    "timeout",
    "nice",
    "parallel",
    "rust-parallel",
    "rush",
    "doas",
    "setsid",
    "stdbuf",
    "watch",
    "flock",
]);
/// HARD-032, RES-48.
const MORE_INDIRECT: Names = Names::of(&[
    "command",
    "exec",
    "builtin",
    "chroot",
    "unshare",
    "nsenter",
    "strace",
    "ltrace",
    "ionice",
    "chrt",
    "taskset",
    "su",
    "runuser",
    "pkexec",
    "systemd-run",
    "script",
    "unbuffer",
    "entr",
    "busybox",
    "toybox",
    "gxargs",
    "gtimeout",
    "gnice",
    "gtime",
    "genv",
]);
/// WRAP-007 and its kin.
const FINDERS: Names = Names::of(&["find", "gfind", "bfs", "fd", "fdfind"]);
/// Builtins whose program arrives as data.
const EVALUATORS: Names = Names::of(&["eval", "trap"]);
/// Every program that may be a wrapper.
pub(super) const LISTS: &[Names] = &[SHELLS, MORE_SHELLS, INDIRECT, MORE_INDIRECT, FINDERS, EVALUATORS];
/// WRAP-007.
const FIND_FLAGS: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];
const FD_FLAGS: &[&str] = &["-x", "--exec", "-X", "--exec-batch"];
/// Letters of `fd` whose value ends a cluster.
const FD_VALUES: &str = "detESocCj";

/// The text after the last `/`: how the package and the kernel name a program (WRAP-002).
pub(crate) fn base_name(word: &str) -> &str {
    word.bytes().rposition(|byte| byte == b'/').and_then(|slash| word.get(slash + 1..)).unwrap_or(word)
}

/// Whether this names a shell.
pub(crate) fn is_shell(name: &str) -> bool {
    SHELLS.contains(name) || MORE_SHELLS.contains(name)
}

/// What the package flags: raw texts, its own words (WRAP-001 to WRAP-008).
fn package_kind(command: &Simple<'_>) -> Option<WrapperKind> {
    if command.redirects.iter().any(|redirect| redirect.leading) {
        return None;
    }
    let (head, args) = command.words.split_first()?;
    let name = base_name(&head.raw);
    if name == "eval" || SHELLS.contains(name) && has_inline_flag(args.iter().map(|word| word.raw.as_ref())) {
        return Some(WrapperKind::OpaquePayload);
    }
    let has = |flags: &[&str]| args.iter().any(|word| flags.contains(&word.raw.as_ref()));
    let indirect = INDIRECT.contains(name) || name == "find" && has(FIND_FLAGS) || name == "fd" && has(FD_FLAGS);
    indirect.then_some(WrapperKind::Indirection)
}

/// WRAP-005: an option cluster with a `c` before `--`.
fn has_inline_flag<'t>(mut args: impl Iterator<Item = &'t str>) -> bool {
    args.find_map(|arg| match arg {
        "--" => Some(false),
        _ if arg.starts_with('-') && !arg.starts_with("--") && arg.contains('c') => Some(true),
        _ => None,
    })
    .unwrap_or(false)
}

/// Whether a command is a wrapper, compared by value (HARD-027).
pub(crate) fn classify(command: &Simple<'_>, piped: bool) -> Option<Wrapper> {
    if !command.rooms.has(Rooms::RUNS) {
        return None;
    }
    if let Some(kind) = package_kind(command) {
        return Some(Wrapper { kind, requirement: "WRAP-010", baseline: true });
    }
    let (head, args) = command.words.split_first()?;
    let name = head.literal()?;
    let name = base_name(&name);
    let opaque = |requirement| Some(Wrapper { kind: WrapperKind::OpaquePayload, requirement, baseline: false });
    let indirect = |requirement| Some(Wrapper { kind: WrapperKind::Indirection, requirement, baseline: false });
    if name == "eval" {
        return opaque("HARD-027");
    }
    // A literal action is analysed; of another one nobody knows what it runs.
    if name == "trap" && trap_action(args).is_some_and(Word::is_computed) {
        return opaque("BASH-D07");
    }
    let values = || -> Vec<Cow<'_, str>> { args.iter().map(Word::value).collect() };
    if is_shell(name) {
        return shell(name, args, &values(), piped || command.is_fed()).and_then(opaque);
    }
    if INDIRECT.contains(name) {
        return indirect(if command.redirects.iter().any(|redirect| redirect.leading) { "HARD-003" } else { "HARD-027" });
    }
    if MORE_INDIRECT.contains(name) {
        return runs_something(name, args).then(|| indirect("HARD-032")).flatten();
    }
    let has = |flags: &[&str]| args.iter().any(|word| flags.contains(&word.value().as_ref()));
    match name {
        "find" | "gfind" | "bfs" if has(FIND_FLAGS) => indirect("HARD-027"),
        "fd" | "fdfind" if args.iter().any(|word| is_fd_exec(&word.value())) => indirect("HARD-032"),
        _ => None,
    }
}

/// What `trap` runs later: its first operand.
pub(crate) fn trap_action<'w, 't>(args: &'w [Word<'t>]) -> Option<&'w Word<'t>> {
    args.iter().find(|word| !word.value().starts_with('-'))
}

/// `command -v x` and a bare `exec` run nothing.
fn runs_something(name: &str, args: &[Word<'_>]) -> bool {
    let first = args.first().map(Word::value);
    let first = first.as_deref();
    match name {
        "command" => !matches!(first, None | Some("-v" | "-V" | "-pv" | "-pV")),
        "exec" | "builtin" => first.is_some(),
        _ => true,
    }
}

fn is_fd_exec(value: &str) -> bool {
    if let Some(long) = value.strip_prefix("--") {
        let name = long.split('=').next().unwrap_or(long);
        return name.len() >= 3 && "exec-batch".starts_with(name);
    }
    let Some(cluster) = value.strip_prefix('-') else { return false };
    cluster.chars().take_while(|c| !FD_VALUES.contains(*c)).any(|c| matches!(c, 'x' | 'X'))
}

/// HARD-032 and HARD-033: a shell with an inline program, with none, or fed with data.
fn shell(name: &str, args: &[Word<'_>], values: &[Cow<'_, str>], fed: bool) -> Option<&'static str> {
    if matches!(values, [only] if matches!(only.as_ref(), "--version" | "--help" | "-version" | "-help")) {
        return None;
    }
    if has_inline_flag(values.iter().map(AsRef::as_ref)) || inline_words(name, values) {
        return Some(if SHELLS.contains(name) { "HARD-027" } else { "HARD-032" });
    }
    if fed {
        return Some("HARD-033");
    }
    match script_operand(values) {
        // A computed operand may be an option (HARD-034).
        Some(at) if args.get(..=at).is_some_and(|before| before.iter().any(Word::is_unsteady)) => Some("HARD-034"),
        Some(at) if values.get(at).is_some_and(|script| is_stream(script)) => Some("HARD-033"),
        Some(_) => None,
        None => Some("HARD-033"),
    }
}

/// A file name that stands for an open stream: a program read from it is data.
pub(crate) fn is_stream(path: &str) -> bool {
    let fd = |path: &str| path.strip_prefix("/fd/").is_some_and(|fd| fd.bytes().all(|b| b.is_ascii_digit()));
    path == "/dev/stdin" || ["/dev", "/proc/self", "/proc/thread-self"].iter().any(|root| path.strip_prefix(root).is_some_and(fd))
}

fn inline_words(name: &str, values: &[Cow<'_, str>]) -> bool {
    let power = matches!(name, "pwsh" | "powershell");
    values.iter().take_while(|value| value.as_ref() != "--").any(|value| {
        let lower = value.to_ascii_lowercase();
        lower.starts_with("--command") || power && (lower.starts_with("-c") || lower.starts_with("-e") || lower.starts_with("/c"))
    })
}

/// The place of the first word that is no option; `None` also with `-s`.
pub(crate) fn script_operand(values: &[Cow<'_, str>]) -> Option<usize> {
    let mut skip = false;
    for (at, value) in values.iter().enumerate() {
        if std::mem::take(&mut skip) {
            continue;
        }
        match value.as_ref() {
            "--" => return values.get(at + 1).map(|_| at + 1),
            "-" => return values.get(at + 1).map(|_| at + 1),
            "--rcfile" | "--init-file" => skip = true,
            long if long.starts_with("--") => {}
            cluster if cluster.starts_with(['-', '+']) && cluster.len() > 1 => {
                if cluster.starts_with('-') && cluster.contains('s') {
                    return None;
                }
                skip = cluster.ends_with(['o', 'O']);
            }
            _ => return Some(at),
        }
    }
    None
}
