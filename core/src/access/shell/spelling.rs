//! Further spellings of a command for deny and ask rules (HARD-027, HARD-055, RES-14). An allow never sees one of these.

use std::borrow::Cow;
use std::rc::Rc;

use smallvec::SmallVec;

use super::bases::Bases;
use super::classify;
use super::command::Simple;
use super::expand;
use super::options::GIT_VALUES;
use super::rebound::Rebound;
use super::remember::Facts;
use super::rooms::Rooms;
use super::walk::Walk;
use super::word::Word;
use super::wrappers::base_name;
use crate::access::path::{AccessPath, Base};

/// Arguments beyond this number are not made absolute.
const MAX_ABSOLUTE: usize = 200;

/// Words that the brace lists of a command are spelled out to.
const MAX_BRACED: usize = 200;

/// Programs with a subcommand, and their global options that take the next word.
const SUBCOMMANDS: &[(&str, &[&str])] = &[
    ("git", GIT_VALUES),
    ("docker", &["-H", "--host", "--context", "-c", "--config", "-l", "--log-level", "--tlscacert", "--tlscert", "--tlskey"]),
    ("podman", &["--connection", "-c", "--url", "--root", "--runroot", "--log-level", "--config"]),
    (
        "kubectl",
        &[
            "-n",
            "--namespace",
            "--context",
            "--cluster",
            "--kubeconfig",
            "-s",
            "--server",
            "--user",
            "--token",
            "--as",
            "--cache-dir",
            "--request-timeout",
            "-v",
        ],
    ),
    ("helm", &["-n", "--namespace", "--kube-context", "--kubeconfig"]),
    ("npm", &["--prefix", "-C", "-w", "--workspace", "--registry", "--loglevel"]),
    ("pnpm", &["-C", "--dir", "-F", "--filter", "--loglevel"]),
    ("yarn", &["--cwd"]),
    ("cargo", &["--config", "--color", "-Z", "-C"]),
    ("go", &["-C"]),
    ("gh", &["-R", "--repo"]),
    ("terraform", &[]),
    ("aws", &["--profile", "--region", "--output", "--endpoint-url", "--query"]),
    ("gcloud", &["--project", "--account", "--configuration"]),
    ("systemctl", &["-H", "--host", "-M", "--machine", "-t", "--type"]),
    ("apt-get", &["-o", "-c", "-t"]),
    ("apt", &["-o", "-c", "-t"]),
    ("make", &["-C", "--directory", "-f", "--file", "-I", "-j"]),
];

/// Every program that has subcommands.
pub(super) fn programs() -> impl Iterator<Item = &'static str> {
    SUBCOMMANDS.iter().map(|(program, _)| *program)
}

/// What spellings depend on.
pub(crate) struct Scene<'a> {
    facts: &'a Facts<'a>,
    rebound: Rebound,
    home: Option<&'a str>,
}

impl<'a> Scene<'a> {
    pub(crate) fn of(walk: &'a Walk<'_>) -> Self {
        Self { facts: walk.facts, rebound: walk.rebound, home: walk.home.as_deref() }
    }
}

/// The further spellings of a command, distinct, without its typed text.
pub(crate) fn spellings(command: &Simple<'_>, scene: &Scene<'_>, bases: &Bases) -> Vec<(String, &'static str)> {
    let mut out = Spellings { typed: &command.text, list: Vec::new() };
    if let Some(package) = command.package_text {
        out.add(package, "HARD-003");
    }
    let Some((head, args)) = command.words.split_first() else { return out.list };
    if !command.plain {
        out.add_joined(command.words.iter().map(Word::value), "HARD-027");
        if !command.words.iter().all(Word::is_bare) {
            out.add_joined(command.words.iter().map(|word| word.raw.as_ref()), "HARD-027");
        }
        braced(&mut out, &command.words);
    }
    if let Some(name) = head.literal() {
        variants(&mut out, &name, args, command.rooms);
    }
    home_spellings(&mut out, head, args, scene);
    absolute(&mut out, head, args, scene, bases);
    out.list
}

struct Spellings<'a> {
    typed: &'a str,
    list: Vec<(String, &'static str)>,
}

impl Spellings<'_> {
    fn add(&mut self, text: &str, by: &'static str) {
        if text != self.typed && !text.trim().is_empty() && !self.list.iter().any(|(known, _)| known == text) {
            self.list.push((text.to_owned(), by));
        }
    }

    /// Words with one blank between them. Most commands are typed so.
    fn add_joined(&mut self, words: impl Iterator<Item = impl AsRef<str>> + Clone, by: &'static str) {
        if !is_joined(self.typed, words.clone()) {
            self.add(&join(words), by);
        }
    }
}

/// Whether the text is these words with one blank between them.
fn is_joined(text: &str, words: impl Iterator<Item = impl AsRef<str>>) -> bool {
    let mut rest = text;
    for (index, word) in words.enumerate() {
        let after = if index == 0 { Some(rest) } else { rest.strip_prefix(' ') };
        match after.and_then(|rest| rest.strip_prefix(word.as_ref())) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.is_empty()
}

fn join(words: impl Iterator<Item = impl AsRef<str>> + Clone) -> String {
    let mut out = String::with_capacity(words.clone().map(|word| word.as_ref().len() + 1).sum());
    for (index, word) in words.enumerate() {
        if index > 0 {
            out.push(' ');
        }
        out.push_str(word.as_ref());
    }
    out
}

/// HARD-019: brace lists are pure syntax, the shell runs what they stand for.
fn braced(out: &mut Spellings<'_>, words: &[Word<'_>]) {
    if !words.iter().any(Word::has_braces) {
        return;
    }
    let mut all: Vec<Cow<'_, str>> = Vec::with_capacity(words.len());
    for word in words {
        match if word.has_braces() { expand::braces(word) } else { None } {
            Some(alternatives) => all.extend(alternatives.into_iter().filter(|text| !text.is_empty()).map(Cow::Owned)),
            None => all.push(word.value()),
        }
        if all.len() > MAX_BRACED.max(words.len()) {
            return;
        }
    }
    out.add(&join(all.iter()), "HARD-019");
}

/// Basename of the program, and the words without the global options before the subcommand.
fn variants(out: &mut Spellings<'_>, name: &str, args: &[Word<'_>], rooms: Rooms) {
    let base = base_name(name);
    let behind = |from: usize| std::iter::once(Cow::Borrowed(base)).chain(args.iter().skip(from).map(Word::value));
    if base != name {
        out.add(&join(behind(0)), "HARD-027");
        out.add(&join(std::iter::once(base).chain(args.iter().map(|word| word.raw.as_ref()))), "HARD-027");
    }
    if !rooms.has(Rooms::SUBCOMMANDS) {
        return;
    }
    let Some((_, takes_value)) = SUBCOMMANDS.iter().find(|(program, _)| *program == base) else { return };
    let mut at = 0;
    while let Some(word) = args.get(at) {
        let value = word.value();
        let toolchain = base == "cargo" && value.starts_with('+');
        // What may come to nothing, or to options, is no subcommand in the likely reading (HARD-034).
        let vanishes = at + 1 < args.len() && word.is_computed() && word.may_split() && word.literal_prefix().is_empty();
        if !(value.starts_with('-') || toolchain || vanishes) || value == "--" {
            break;
        }
        at += if takes_value.contains(&value.as_ref()) { 2 } else { 1 };
    }
    if at > 0 {
        out.add(&join(behind(at)), "HARD-027");
    }
}

/// HARD-055: a program below the home directory, in every spelling of home.
fn home_spellings(out: &mut Spellings<'_>, head: &Word<'_>, args: &[Word<'_>], scene: &Scene<'_>) {
    let Some(home) = scene.home.filter(|_| !scene.rebound.home) else { return };
    // A bare name stands nowhere.
    if head.is_name() || !head.value().contains('/') {
        return;
    }
    let base = Base::Known(scene.facts.resolver.cwd().to_owned());
    let expand::Reading::Text { text, partial: false, .. } = expand::read(head, &base, scene.rebound, Some(home)) else { return };
    let Some(below) = text.strip_prefix(home).filter(|below| below.starts_with('/')) else { return };
    let rest: String = args.iter().map(|word| format!(" {}", word.value())).collect();
    for root in [home, "~", "$HOME", "${HOME}"] {
        out.add(&format!("{root}{below}{rest}"), "HARD-055");
    }
    out.add(&format!("{}{rest}", base_name(below)), "HARD-027");
}

/// HARD-055: every path argument absolute, under each known directory; not for globs, computed words and bare names that do
/// not exist.
fn absolute(out: &mut Spellings<'_>, head: &Word<'_>, args: &[Word<'_>], scene: &Scene<'_>, bases: &Bases) {
    if args.len() > MAX_ABSOLUTE {
        return;
    }
    for base in bases.known() {
        let paths: SmallVec<[Option<Rc<AccessPath>>; 8]> = args.iter().map(|word| absolute_word(word, scene, base)).collect();
        if paths.iter().all(Option::is_none) {
            continue;
        }
        let rest = paths.iter().zip(args).map(|(path, word)| match path {
            Some(path) => Cow::Borrowed(path.lexical.as_str()),
            None => word.value(),
        });
        out.add_joined(std::iter::once(head.value()).chain(rest), "HARD-055");
    }
}

fn absolute_word(word: &Word<'_>, scene: &Scene<'_>, base: &Base) -> Option<Rc<AccessPath>> {
    if word.has_glob() || word.has_braces() {
        return None;
    }
    let expand::Reading::Text { text, partial: false, .. } = expand::read(word, base, scene.rebound, scene.home) else {
        return None;
    };
    if text.is_empty() || text.starts_with('-') {
        return None;
    }
    let shaped = !word.is_name() && classify::has_path_shape(&text, scene.facts.resolver.platform());
    if !shaped && scene.facts.resolver.names_nothing(&text, base) {
        return None;
    }
    scene.facts.resolver.resolve(&text, base).filter(|path| shaped || path.exists)
}
