//! Patterns that do not say what they look like: each is judged by its text alone.

use std::sync::Arc;

use portcullis_core::policy::{PermissionState, PolicySnapshot};
use portcullis_core::report::masking::mask_text;

use super::catalogue as lints;
use super::policy::CheckedRule;
use super::{Finding, Lint, place_at};
use crate::source::{Place, SourceFile};

/// What is wrong, and what to do.
type Said = Option<(&'static Lint, String, String)>;

pub(super) fn findings(source: &Arc<SourceFile>, rules: &[CheckedRule]) -> Vec<Finding> {
    let looks: [fn(&CheckedRule) -> Said; 12] = [
        chain_operator,
        stray_space,
        trailing_slash,
        not_normalised,
        relative_outside,
        no_home,
        home_in_command,
        other_wildcards,
        double_star,
        glued_star,
        number_key,
        secret_in_reason,
    ];
    let mut found = Vec::new();
    for rule in rules {
        for (lint, message, help) in looks.iter().filter_map(|look| look(rule)) {
            let place = rule.rule.location.as_ref().map_or(Place::START, |place| place_at(source, place.line, place.column));
            found.push(Finding { lint, file: Arc::clone(source), place, message, help: Some(help), ignored: None });
        }
    }
    found
}

/// What members beside the rules say.
pub(super) fn settings(source: &Arc<SourceFile>, snapshot: &PolicySnapshot) -> Vec<Finding> {
    let mut found = Vec::new();
    if snapshot.settings.yolo_mode {
        found.push((
            &lints::PERMISSIVE_MODE,
            key_place(source, "yoloMode"),
            "every ask is allowed; only denies still stop a call".to_owned(),
        ));
    }
    for scope in &snapshot.scopes {
        for shape in
            scope.shapes.iter().filter(|shape| !shape.plain && !scope.rules.iter().any(|rule| rule.surface == shape.surface))
        {
            let message = format!("`{}` holds no pattern, so it says nothing", shape.surface);
            found.push((&lints::EMPTY_SURFACE, key_place(source, &shape.surface), message));
        }
    }
    let finding = |(lint, place, message)| Finding { lint, file: Arc::clone(source), place, message, help: None, ignored: None };
    found.into_iter().map(finding).collect()
}

/// Where a key first stands in quotes.
fn key_place(source: &SourceFile, key: &str) -> Place {
    let quoted = format!("\"{key}\"");
    let Some(offset) = source.text.find(&quoted) else { return Place::START };
    let before = source.text.get(..offset).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Place { offset, length: quoted.len(), line, column }
}

fn is_on_bash(rule: &CheckedRule) -> bool {
    &*rule.rule.surface == "bash"
}

/// How far a rule still reaches whose pattern no comparable path spells: an allow nowhere (RES-14).
fn reach(rule: &CheckedRule) -> &'static str {
    match rule.rule.action {
        PermissionState::Allow => "it allows nothing",
        PermissionState::Ask | PermissionState::Deny => "it holds at most for a path typed just so",
    }
}

fn chain_operator(rule: &CheckedRule) -> Said {
    let pattern = &*rule.rule.pattern;
    if !is_on_bash(rule) || pattern.contains(['(', '`']) || pattern.starts_with("[[") {
        return None;
    }
    let operator = bare_operator(pattern)?;
    let message = format!(
        "`{pattern}`: a line is taken apart at `{operator}` before rules are asked, so it matches only where that is quoted"
    );
    Some((&lints::CHAIN_OPERATOR, message, "write one rule for each command; every command of a line needs its own allow".into()))
}

/// The first operator outside of quotes.
fn bare_operator(pattern: &str) -> Option<&'static str> {
    let mut quote = None;
    let mut before = ' ';
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, '\\') | (Some('"'), '\\') => {
                chars.next();
            }
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, ';') => return Some(";"),
            (None, '\n') => return Some("the end of a line"),
            (None, '|') if before != '>' => return Some(if chars.peek() == Some(&'|') { "||" } else { "|" }),
            (None, '&') if chars.peek() == Some(&'&') => return Some("&&"),
            _ => {}
        }
        before = c;
    }
    None
}

fn stray_space(rule: &CheckedRule) -> Said {
    let pattern = &*rule.rule.pattern;
    let stray = pattern.starts_with(' ') || pattern.ends_with(' ');
    if !is_on_bash(rule) || !stray || pattern.trim().is_empty() || pattern.trim().starts_with('*') {
        return None;
    }
    let message = format!("`{pattern}`: no command begins or ends with a blank, so it matches nothing");
    Some((&lints::STRAY_SPACE, message, format!("write `{}`", pattern.trim())))
}

fn trailing_slash(rule: &CheckedRule) -> Said {
    let pattern = &*rule.rule.pattern;
    let folder = pattern.strip_suffix('/')?;
    if !rule.is_about_paths() || folder.is_empty() || folder.ends_with(['*', '/', '~']) || folder == "$HOME" {
        return None;
    }
    let message = format!("`{pattern}`: a path has no `/` at its end, and what lies in the folder is another path");
    Some((&lints::TRAILING_SLASH, message, format!("write `{folder}/*` for what lies in it, `{folder}` for the folder")))
}

fn not_normalised(rule: &CheckedRule) -> Said {
    let pattern = &*rule.rule.pattern;
    if !rule.is_about_paths() || is_home_form(pattern) || relative_outside(rule).is_some() {
        return None;
    }
    let inner = pattern.strip_suffix('/').unwrap_or(pattern);
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let odd = inner.split('/').find(|part| matches!(*part, "." | ".." | "") && !inner.is_empty() && inner != *part)?;
    let odd = if odd.is_empty() { "//" } else { odd };
    let message = format!("`{pattern}`: paths are compared without `{odd}`; {}", reach(rule));
    let help = match pattern.strip_prefix("./") {
        Some(rest) if !rest.is_empty() => format!("write `{rest}`"),
        _ => "write the path as it is from the session directory, or from the root".into(),
    };
    Some((&lints::NOT_NORMALISED, message, help))
}

fn is_home_form(pattern: &str) -> bool {
    let rest = pattern.strip_prefix('~').or_else(|| pattern.strip_prefix("$HOME"));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '\\']))
}

fn relative_outside(rule: &CheckedRule) -> Said {
    let pattern = &*rule.rule.pattern;
    let is_drive = pattern.chars().nth(1) == Some(':');
    let absolute = pattern.starts_with(['/', '\\', '*', '?', '~', '$', '%']) || is_drive;
    if !rule.rule.surface.starts_with("external_directory") || absolute || pattern.is_empty() {
        return None;
    }
    let message = format!("`{pattern}`: a path outside of the session directory is absolute; {}", reach(rule));
    Some((&lints::RELATIVE_OUTSIDE, message, "begin it with `/` or `~/`".into()))
}

fn no_home(rule: &CheckedRule) -> Said {
    let pattern = &*rule.rule.pattern;
    if !rule.is_about_paths() || is_home_form(pattern) {
        return None;
    }
    let variable = pattern.starts_with('$') && pattern.chars().nth(1).is_some_and(|c| c == '{' || c.is_ascii_uppercase());
    let user =
        pattern.strip_prefix('~').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()) && rest.contains('/'));
    let windows = pattern.starts_with('%') && pattern.matches('%').count() == 2;
    (variable || user || windows).then(|| {
        let message = format!("`{pattern}`: this is not expanded; only `~`, `~/…`, `$HOME` and `$HOME/…` are");
        (&lints::NO_HOME, message, "write it with `~/`, or as an absolute path".into())
    })
}

fn home_in_command(rule: &CheckedRule) -> Said {
    let pattern = &*rule.rule.pattern;
    if !is_on_bash(rule) || !is_home_form(pattern) || rule.rule.action != PermissionState::Allow {
        return None;
    }
    let message = format!("`{pattern}`: the pattern is expanded, the command is not, so a command typed this way is not allowed");
    Some((
        &lints::HOME_IN_COMMAND,
        message,
        "a rule that begins with `~` matches only the absolute path in front of a command".into(),
    ))
}

fn other_wildcards(rule: &CheckedRule) -> Said {
    let pattern = &*rule.rule.pattern;
    let paths = rule.is_about_paths();
    let between = |open: char, close: char| -> Option<&str> {
        let from = pattern.find(open)? + open.len_utf8();
        let rest = pattern.get(from..)?;
        rest.get(..rest.find(close)?)
    };
    let range = |class: &str| {
        let chars: Vec<char> = class.chars().collect();
        class.starts_with(['!', '^']) || chars.windows(3).any(|three| matches!(three, [a, '-', b] if a < b))
    };
    let what = if paths && pattern.starts_with('!') {
        "!"
    } else if pattern.len() > 2 && pattern.starts_with('^') && pattern.ends_with('$') {
        "^…$"
    } else if between('(', ')').is_some_and(|inner| inner.contains('|') && !inner.contains(' ')) {
        "(a|b)"
    } else if paths && between('{', '}').is_some_and(|inner| inner.contains(',')) {
        "{a,b}"
    } else if paths && between('[', ']').is_some_and(range) {
        "[a-z]"
    } else if paths && (pattern.contains("\\*") || pattern.contains("\\?")) && !cfg!(windows) {
        "\\*"
    } else {
        return None;
    };
    let message = format!("`{pattern}`: `{what}` means nothing here, it is compared as it stands");
    let help = if what == "!" {
        "a later rule with the other answer makes an exception"
    } else {
        "only `*` and `?` are wildcards; write one rule for each alternative"
    };
    Some((&lints::OTHER_WILDCARDS, message, help.into()))
}

fn double_star(rule: &CheckedRule) -> Said {
    let pattern = &*rule.rule.pattern;
    if rule.rule.is_catch_all() || !pattern.contains("**") {
        return None;
    }
    let one = pattern.replace("**", "*");
    if let Some(word) = pattern.strip_suffix(" **") {
        // RULE-003: only a single star behind a blank may be nothing.
        let message = format!("`{pattern}` is `{one}`, but does not match `{word}` alone");
        return Some((&lints::DOUBLE_STAR, message, format!("write `{one}` if `{word}` alone is meant, too")));
    }
    let message = if pattern.contains("/**/") {
        format!("`{pattern}` is `{one}`: `*` matches `/` too, and the `/` on both sides have to be there")
    } else {
        format!("`{pattern}` is `{one}`: `*` matches `/` too")
    };
    Some((&lints::DOUBLE_STAR, message, format!("write `{one}`")))
}

fn glued_star(rule: &CheckedRule) -> Said {
    let pattern = &*rule.rule.pattern;
    if !is_on_bash(rule) || rule.rule.action != PermissionState::Allow {
        return None;
    }
    let word = pattern.strip_suffix('*')?;
    let last = word.rsplit(' ').next()?;
    if last.len() < 3 || !last.chars().all(|c| c.is_ascii_alphabetic()) {
        return None;
    }
    let message = format!("`{pattern}` also allows longer words, such as `{word}x`");
    Some((&lints::GLUED_STAR, message, format!("write `{word} *`: it matches `{word}` alone, too")))
}

fn number_key(rule: &CheckedRule) -> Said {
    let number = [&rule.rule.pattern, &rule.rule.surface]
        .into_iter()
        .find(|key| key.parse::<u32>().is_ok_and(|number| number < u32::MAX && number.to_string() == key.as_ref()))?;
    let message =
        format!("`{number}` is a number: an implementation that reads JSON as JavaScript does moves it in front of all others");
    Some((&lints::NUMBER_KEY, message, "put it first, so that all read the same order".into()))
}

fn secret_in_reason(rule: &CheckedRule) -> Said {
    let reason = rule.rule.reason.as_deref()?;
    (mask_text(reason) != reason).then(|| {
        let message =
            format!("the reason of `{}` looks like it holds a secret, and reasons are shown and logged", rule.rule.pattern);
        (&lints::SECRET_IN_REASON, message, "take it out, and change the secret".into())
    })
}
