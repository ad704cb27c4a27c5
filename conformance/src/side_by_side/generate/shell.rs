//! Command lines as agents write them, and as somebody writes them who wants to get past a gate.

use super::dice::Dice;
use super::paths::path;

const PLAIN: [&str; 28] = [
    "curl -H 'Authorization: Bearer s3cr3t' https://example.com",
    "curl -u me:s3cr3t https://example.com",
    "git status",
    "git push",
    "git push --force origin main",
    "git log --oneline",
    "git commit -m 'fix it'",
    "git diff",
    "npm test",
    "npm run build",
    "npm install left-pad",
    "make",
    "make all",
    "cargo test --all",
    "pwd",
    "ls",
    "ls -la",
    "docker ps",
    "docker run --rm alpine",
    "curl https://example.com/install.sh",
    "python3 -c 'print(1)'",
    "sudo rm -rf /opt/data",
    "echo done",
    "echo \"$HOME\"",
    "true",
    "whoami",
    "git -C ../../shared status",
    "git -c core.pager=cat log",
];
const WITH_FILE: [&str; 18] = [
    "cat",
    "rm",
    "rm -rf",
    "ls",
    "head -n 3",
    "less",
    "wc -l",
    "touch",
    "mkdir -p",
    "grep -n key",
    "grep -r TODO",
    "sed -n '1,5p'",
    "sed -i 's/a/b/'",
    "tee",
    "chmod +x",
    "source",
    "python3",
    "diff README.md",
];
const WITH_TWO: [&str; 4] = ["cp", "mv", "ln -s", "cp -r"];
const PREFIXES: [&str; 16] = [
    "sudo",
    "sudo -u root",
    "env",
    "env A=1",
    "timeout 5",
    "nohup",
    "nice -n 5",
    "command",
    "exec",
    "time",
    "FOO=1",
    "PAGER=less",
    "API_TOKEN=s3cr3t",
    "env GITHUB_TOKEN=s3cr3t",
    "xargs",
    "watch -n 1",
];
const JOINTS: [&str; 6] = [" && ", " || ", "; ", " | ", " & ", "\n"];

/// A line, nested a little.
pub(super) fn line(dice: &mut Dice) -> String {
    part(dice, 3)
}

/// `depth` bounds how much is inside of what.
fn part(dice: &mut Dice, depth: usize) -> String {
    let mut text = wrapped(dice, depth);
    if depth > 0 {
        while dice.one_in(4) {
            text.push_str(dice.pick(&JOINTS));
            text.push_str(&wrapped(dice, depth - 1));
        }
    }
    if depth == 3 && dice.one_in(10) {
        text = format!("cd {} && {text}", path(dice));
    }
    text
}

fn wrapped(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 || !dice.one_in(4) {
        return simple(dice, depth);
    }
    let inner = part(dice, depth - 1);
    match dice.below(13) {
        0 => format!("sh -c '{}'", inner.replace('\'', "")),
        1 => format!("bash -lc \"{}\"", inner.replace(['"', '\\', '`', '$'], "")),
        2 => format!("echo $({inner})"),
        3 => format!("echo `{}`", inner.replace('`', "")),
        4 => format!("({inner})"),
        5 => format!("{{ {inner}; }}"),
        6 => format!("if {inner}; then {}; fi", simple(dice, 0)),
        7 => format!("for f in *.md; do {inner}; done"),
        8 => format!("while {}; do {inner}; done", simple(dice, 0)),
        9 => format!("find {} -name '*.log' -exec {} {{}} \\;", path(dice), dice.pick(&["rm", "cat", "sh -c"])),
        10 => format!("ls | xargs {}", simple(dice, 0)),
        11 => format!("cat <<EOF\n{inner}\nEOF"),
        _ => format!("diff <({inner}) README.md"),
    }
}

fn simple(dice: &mut Dice, depth: usize) -> String {
    let mut text = match dice.below(8) {
        0..=2 => dice.pick(&PLAIN).to_owned(),
        3 => format!("{} {} {}", dice.pick(&WITH_TWO), word(dice), word(dice)),
        4 => format!("tool --file={} run", path(dice)),
        _ => format!("{} {}", dice.pick(&WITH_FILE), word(dice)),
    };
    if dice.one_in(7) {
        text = format!("{} {text}", dice.pick(&PREFIXES));
    }
    if dice.one_in(20) {
        text = quoted_head(&text);
    }
    if depth > 0 && dice.one_in(6) {
        let redirection = match dice.below(6) {
            0 => format!(" > {}", path(dice)),
            1 => format!(" >> {}", path(dice)),
            2 => format!(" < {}", path(dice)),
            3 => " 2>&1".into(),
            4 => " 2>/dev/null".into(),
            _ => format!(" > \"{}\"", path(dice)),
        };
        text.push_str(&redirection);
    }
    if dice.one_in(30) {
        text.push_str(" # just looking");
    }
    text
}

/// A path, now and then quoted, behind `--`, with a glob or from a variable.
fn word(dice: &mut Dice) -> String {
    let path = path(dice);
    let quoted = path.contains(' ');
    match dice.below(12) {
        0 => format!("\"{path}\""),
        1 if !path.contains('$') => format!("'{path}'"),
        2 => format!("-- {}", path.replace(' ', "\\ ")),
        3 => "src/*.rs".into(),
        4 => "\"$FILE\"".into(),
        5 => ".e*".into(),
        _ if quoted => format!("'{path}'"),
        _ => path.to_owned(),
    }
}

/// `"rm" x`: the same program, otherwise spelt.
fn quoted_head(text: &str) -> String {
    match text.split_once(' ') {
        Some((head, rest)) => format!("\"{head}\" {rest}"),
        None => format!("'{text}'"),
    }
}
