//! Further spellings of a command for deny and ask rules (HARD-027, HARD-055, RES-14). An allow never sees one of these.

use super::bases::Bases;
use super::classify;
use super::command::Simple;
use super::expand;
use super::facts::ShellFacts;
use super::options::GIT_VALUES;
use super::rebound::Rebound;
use super::walk::Walk;
use super::word::Word;
use super::wrappers::base_name;
use crate::access::path::Base;

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

/// What spellings depend on.
pub(crate) struct Scene<'a> {
    facts: &'a ShellFacts<'a>,
    rebound: Rebound,
    home: Option<&'a str>,
}

impl<'a> Scene<'a> {
    pub(crate) fn of(walk: &'a Walk<'_>) -> Self {
        Self { facts: walk.facts, rebound: walk.rebound, home: walk.home.as_deref() }
    }
}

/// The further spellings of a command, distinct, without its typed text.
pub(crate) fn spellings(command: &Simple, scene: &Scene<'_>, bases: &Bases) -> Vec<(String, &'static str)> {
    let mut out = Spellings { typed: command.text.clone(), list: Vec::new() };
    if let Some(package) = &command.package_text {
        out.add(package.clone(), "HARD-003");
    }
    let Some((head, args)) = command.words.split_first() else { return out.list };
    let values: Vec<String> = command.words.iter().map(Word::value).collect();
    out.add(values.join(" "), "HARD-027");
    let raws: Vec<&str> = command.words.iter().map(|word| word.raw.as_str()).collect();
    out.add(raws.join(" "), "HARD-027");
    if let Some(name) = head.literal() {
        variants(&mut out, &name, &values, &raws);
    }
    home_spellings(&mut out, head, &values, scene);
    absolute(&mut out, args, &values, scene, bases);
    out.list
}

struct Spellings {
    typed: String,
    list: Vec<(String, &'static str)>,
}

impl Spellings {
    fn add(&mut self, text: String, by: &'static str) {
        if text != self.typed && !text.trim().is_empty() && !self.list.iter().any(|(known, _)| *known == text) {
            self.list.push((text, by));
        }
    }
}

/// Basename of the program, and the words without the global options before the subcommand.
fn variants(out: &mut Spellings, name: &str, values: &[String], raws: &[&str]) {
    let base = base_name(name);
    let rest = values.get(1..).unwrap_or_default();
    let with = |rest: &[String]| if rest.is_empty() { base.to_owned() } else { format!("{base} {}", rest.join(" ")) };
    if base != name {
        out.add(with(rest), "HARD-027");
        if let Some(raw_rest) = raws.get(1..).filter(|rest| !rest.is_empty()) {
            out.add(format!("{base} {}", raw_rest.join(" ")), "HARD-027");
        }
    }
    let Some((_, takes_value)) = SUBCOMMANDS.iter().find(|(program, _)| *program == base) else { return };
    let mut at = 0;
    while let Some(value) = rest.get(at) {
        let toolchain = base == "cargo" && value.starts_with('+');
        if !(value.starts_with('-') || toolchain) || value == "--" {
            break;
        }
        at += if takes_value.contains(&value.as_str()) { 2 } else { 1 };
    }
    if at > 0 {
        out.add(with(rest.get(at..).unwrap_or_default()), "HARD-027");
    }
}

/// HARD-055: a program below the home directory, in every spelling of home.
fn home_spellings(out: &mut Spellings, head: &Word, values: &[String], scene: &Scene<'_>) {
    let Some(home) = scene.home.filter(|_| !scene.rebound.home) else { return };
    let base = Base::Known(scene.facts.resolver.cwd().to_owned());
    let expand::Reading::Text { text, partial: false, .. } = expand::read(head, &base, scene.rebound, Some(home)) else { return };
    let Some(below) = text.strip_prefix(home).filter(|below| below.starts_with('/')) else { return };
    let rest: String = values.iter().skip(1).map(|value| format!(" {value}")).collect();
    for root in [home, "~", "$HOME", "${HOME}"] {
        out.add(format!("{root}{below}{rest}"), "HARD-055");
    }
    out.add(format!("{}{rest}", base_name(below)), "HARD-027");
}

/// HARD-055: every path argument absolute, under each known directory; not for globs, computed words and bare names that do
/// not exist.
fn absolute(out: &mut Spellings, args: &[Word], values: &[String], scene: &Scene<'_>, bases: &Bases) {
    if args.len() > 200 {
        return;
    }
    for dir in bases.known() {
        let base = Base::Known(dir.clone());
        let mut changed = false;
        let mut text = values.first().cloned().unwrap_or_default();
        for word in args {
            text.push(' ');
            match absolute_word(word, scene, &base) {
                Some(path) => {
                    changed = true;
                    text.push_str(&path);
                }
                None => text.push_str(&word.value()),
            }
        }
        if changed {
            out.add(text, "HARD-055");
        }
    }
}

fn absolute_word(word: &Word, scene: &Scene<'_>, base: &Base) -> Option<String> {
    if word.has_glob() || word.has_braces() {
        return None;
    }
    let expand::Reading::Text { text, partial: false, .. } = expand::read(word, base, scene.rebound, scene.home) else {
        return None;
    };
    if text.is_empty() || text.starts_with('-') {
        return None;
    }
    let shaped = classify::has_path_shape(&text, scene.facts.resolver.platform());
    let path = scene.facts.resolver.resolve_word(&text, base)?;
    (shaped || path.exists).then_some(path.lexical)
}
