//! `lint --fix`: changes that change nothing. A finding is mended only when the two files then say the same of every value, which is
//! decided as `portcullis diff` decides it; what stays is a shorter or plainer file with its comments and its layout.

use std::io::Write as _;
use std::path::Path;

use super::catalogue as lints;
use super::{Finding, judge_of};
use crate::own_policy::JudgeOptions;
use crate::policy_diff::policy_diff;

/// How many findings are tried one by one when all at once would change something.
const MOST: usize = 100;

/// A file that says the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixed {
    /// Its text.
    pub text: String,
    /// The ids of the lints that are mended, one a finding.
    pub mended: Vec<&'static str>,
}

/// Mends what can be mended safely; `None` when that is nothing. Agents' files are left as they are.
pub fn fix(path: &Path, text: &str, findings: &[Finding], options: &JudgeOptions) -> Option<Fixed> {
    let of_agent = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
    // A text that was not UTF-8 is not the file's own any more.
    if of_agent || text.contains('\u{fffd}') {
        return None;
    }
    let mut edits: Vec<(&Finding, Edit)> =
        findings.iter().filter(|finding| finding.ignored.is_none()).filter_map(|one| Some((one, edit(text, one)?))).collect();
    edits.sort_by_key(|(_, edit)| std::cmp::Reverse(edit.from));
    edits.dedup_by(|a, b| a.1.to > b.1.from);
    let says_the_same = |changed: &str| same(path, text, changed, options);
    let all = edits.iter().fold(text.to_owned(), |text, (_, edit)| edit.apply(&text));
    if !edits.is_empty() && says_the_same(&all) {
        return Some(Fixed { text: all, mended: edits.iter().map(|(finding, _)| finding.lint.id).collect() });
    }
    // From the end to the beginning, so that places stay right.
    let mut kept = text.to_owned();
    let mut mended = Vec::new();
    for (finding, edit) in edits.into_iter().take(MOST) {
        let next = edit.apply(&kept);
        if says_the_same(&next) {
            kept = next;
            mended.push(finding.lint.id);
        }
    }
    (!mended.is_empty()).then_some(Fixed { text: kept, mended })
}

/// Writes a file whole or not at all, with the rights that it had; a link stays one.
pub fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let path = std::fs::canonicalize(path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(std::fs::metadata(&path)?.permissions())?;
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

/// Whether two texts are the same policy, issues and settings included.
fn same(path: &Path, old: &str, new: &str, options: &JudgeOptions) -> bool {
    let Ok(folder) = tempfile::tempdir() else { return false };
    let name = path.file_name().unwrap_or_default();
    let judge = |which: &str, text: &str| {
        let folder = folder.path().join(which);
        std::fs::create_dir(&folder).ok()?;
        let file = folder.join(name);
        std::fs::write(&file, text).ok()?;
        Some(judge_of(&file, options))
    };
    let (Some(old), Some(new)) = (judge("old", old), judge("new", new)) else { return false };
    let issues = |judge: &crate::own_policy::Judge| judge.policy().issues.iter().map(|issue| issue.kind).collect::<Vec<_>>();
    issues(&old) == issues(&new)
        && old.policy().settings == new.policy().settings
        && policy_diff(&old, &new).is_ok_and(|diff| !diff.differs())
}

/// A stretch of the text and what comes in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Edit {
    from: usize,
    to: usize,
    with: String,
}

impl Edit {
    fn apply(&self, text: &str) -> String {
        let (head, tail) = (text.get(..self.from).unwrap_or_default(), text.get(self.to..).unwrap_or_default());
        format!("{head}{}{tail}", self.with)
    }
}

fn edit(text: &str, finding: &Finding) -> Option<Edit> {
    let from = finding.place.offset;
    let key = text.get(from..from + finding.place.length)?;
    if !key.starts_with('"') || !key.ends_with('"') {
        return None;
    }
    if std::ptr::eq(finding.lint, &lints::DOUBLE_STAR) {
        let mut with = key.to_owned();
        while with.contains("**") {
            with = with.replace("**", "*");
        }
        return Some(Edit { from, to: from + key.len(), with });
    }
    if std::ptr::eq(finding.lint, &lints::REPEATED_RULE) {
        return without_member(text, from, from + key.len());
    }
    None
}

/// Takes a member out, with one comma and, where nothing else stands there, its lines.
fn without_member(text: &str, from: usize, key_end: usize) -> Option<Edit> {
    let colon = skip_blank(text, key_end);
    if !text.get(colon..)?.starts_with(':') {
        return None;
    }
    let value = skip_blank(text, colon + 1);
    let mut to = value_end(text, value)?;
    let mut from = from;
    let after = skip_blank(text, to);
    if text.get(after..)?.starts_with(',') {
        // A comment in front of the comma is about the member.
        to = after + 1;
    } else {
        // The last member: the comma in front of it goes.
        let before = text.get(..from)?.trim_end();
        if !before.ends_with(',') {
            // The only member, or a comment between: left alone.
            return None;
        }
        from = before.len() - 1;
        return Some(Edit { from, to, with: String::new() });
    }
    let line_start = text.get(..from)?.rfind('\n').map_or(0, |at| at + 1);
    let rest = text.get(to..)?;
    let line_rest = rest.split('\n').next().unwrap_or_default();
    let alone = text.get(line_start..from)?.trim().is_empty();
    if alone && line_rest.trim().is_empty() && rest.len() > line_rest.len() {
        return Some(Edit { from: line_start, to: to + line_rest.len() + 1, with: String::new() });
    }
    // On a line with others: one blank less.
    let blanks = line_rest.len() - line_rest.trim_start_matches(' ').len();
    Some(Edit { from, to: to + blanks, with: String::new() })
}

/// The first place from here on that is neither blank nor a comment.
fn skip_blank(text: &str, mut at: usize) -> usize {
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let blank = rest.len() - rest.trim_start().len();
        at += blank;
        let rest = text.get(at..).unwrap_or_default();
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            0
        };
        if length == 0 {
            return at;
        }
        at += length;
    }
}

/// Where a value ends: a text, or an object of texts.
fn value_end(text: &str, from: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = from;
    while let Some(letter) = text.get(at..)?.chars().next() {
        match letter {
            '"' => at = text_end(text, at)?,
            '{' => {
                depth += 1;
                at += 1;
            }
            '}' => {
                depth = depth.checked_sub(1)?;
                at += 1;
            }
            '/' => at = skip_blank(text, at),
            other => at += other.len_utf8(),
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

fn text_end(text: &str, from: usize) -> Option<usize> {
    let mut escaped = false;
    let rest = text.get(from + 1..)?;
    for (at, letter) in rest.char_indices() {
        match letter {
            '"' if !escaped => return Some(from + 1 + at + 1),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::super::{lint_file, tests::options};
    use super::*;
    use crate::source::SourceFile;

    fn fixed(text: &str) -> Option<Fixed> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.json");
        std::fs::write(&path, text).unwrap();
        let options = options(folder.path());
        let report = lint_file(&SourceFile::new("config.json", text), &path, &options);
        fix(&path, text, &report.findings, &options)
    }

    #[rstest]
    #[case::lines(
        "{\"permission\": {\n  // mine\n  \"bash\": {\n    \"git log\": \"allow\", // often\n    \"gi**\": \"allow\", /* all */\n    \"x\": \"ask\"\n  }\n}}\n",
        "{\"permission\": {\n  // mine\n  \"bash\": {\n    // often\n    \"gi*\": \"allow\", /* all */\n    \"x\": \"ask\"\n  }\n}}\n",
        &["double-star", "repeated-rule"]
    )]
    #[case::one_line(
        r#"{"permission": {"bash": {"a x": "ask", "a *": "ask", "b": "deny"}}}"#,
        r#"{"permission": {"bash": {"a *": "ask", "b": "deny"}}}"#,
        &["repeated-rule"]
    )]
    #[case::object_value(
        "{\"permission\": {\"bash\": {\n\"rm a\": { \"action\": \"deny\", \"reason\": \"}\\\"\" },\n\"rm *\": \"deny\"}}}",
        "{\"permission\": {\"bash\": {\n\"rm *\": \"deny\"}}}",
        &["repeated-rule"]
    )]
    #[case::slashes_in_a_path(
        r#"{"permission": {"path": {"src/**": "ask", "a/**/b": "deny"}}}"#,
        r#"{"permission": {"path": {"src/*": "ask", "a/*/b": "deny"}}}"#,
        &["double-star", "double-star"]
    )]
    fn what_changes_nothing_is_mended(#[case] text: &str, #[case] expected: &str, #[case] mended: &[&str]) {
        let fixed = fixed(text).unwrap();
        assert_eq!((fixed.text.as_str(), fixed.mended.as_slice()), (expected, mended));
        assert_eq!(super::tests::fixed(expected), None, "once is enough");
    }

    #[rstest]
    #[case::wrong_order(r#"{"permission": {"bash": {"rm *": "deny", "*": "allow"}}}"#)]
    #[case::loosens(r#"{"permission": {"path": {"./src/*": "allow"}}}"#)]
    #[case::ignored("{\"permission\": {\"bash\": {\n// portcullis-ignore double-star: as elsewhere\n\"a**\": \"ask\"}}}")]
    #[case::becomes_a_double(r#"{"permission": {"path": {"a*": "deny", "b": "ask", "a**": "ask"}}}"#)]
    #[case::rule_003_only_one_star_may_be_nothing(r#"{"permission": {"bash": {"git **": "deny"}}}"#)]
    #[case::rule_023_names_a_word(r#"{"permission": {"*": "allow", "path": {"id_rsa": "deny", "*": "deny"}}}"#)]
    #[case::broken(r#"{"permission": {"bash": {"a**": "aks"}}}"#)]
    fn what_would_change_something_is_left(#[case] text: &str) {
        assert_eq!(fixed(text), None);
    }

    #[test]
    fn an_agents_file_is_left() {
        let text = "---\npermission:\n  bash:\n    \"a**\": ask\n---\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("reviewer.md");
        std::fs::write(&path, text).unwrap();
        let options = options(folder.path());
        let report = lint_file(&SourceFile::new("reviewer.md", text), &path, &options);
        assert!(!report.findings.is_empty());
        assert_eq!(fix(&path, text, &report.findings, &options), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_replaced_whole_with_its_rights_and_behind_its_link() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("config.json"), folder.path().join("link.json"));
        std::fs::write(&file, "old").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace(&link, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
