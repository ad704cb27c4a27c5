//! The lints: one id, one level, one line about each. docs/guide/lint.md lists the same.

use super::Level;

/// One lint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lint {
    /// Its name.
    pub id: &'static str,
    /// How much it matters.
    pub level: Level,
    /// What it finds.
    pub about: &'static str,
}

macro_rules! lints {
    ($($name:ident, $id:literal, $level:ident, $about:literal;)+) => {
        $(pub(crate) static $name: Lint = Lint { id: $id, level: Level::$level, about: $about };)+
        /// Every lint.
        pub static CATALOGUE: &[&Lint] = &[$(&$name),+];
    };
}

lints! {
    UNREADABLE, "unreadable", Error, "the file cannot be read";
    SYNTAX, "syntax", Error, "the file is no JSON with comments, or no front matter";
    DUPLICATE_KEY, "duplicate-key", Error, "a key stands twice in one object, and one of the two is lost";
    UNKNOWN_MEMBER, "unknown-member", Error, "a member that nobody knows; the whole file is rejected for it";
    INVALID, "invalid", Error, "a value of the wrong kind; the whole file is rejected for it";
    CANNOT_WORK, "cannot-work", Error, "a map under `*`, or a deny object in the place of a map of patterns";
    NEAR_MISS, "near-miss", Error, "a well-known surface, misspelt";
    UNANSWERED_SURFACE, "unanswered-surface", Warning, "no tool of this name (needs `--tool`)";
    MISSPELT_MEMBER, "misspelt-member", Warning, "a member of an agent's file that looks like `permission`";
    IGNORED_SETTING, "ignored-setting", Warning, "a setting that does not count where it stands";
    BASH_INHERITS_ALLOW, "bash-inherits-allow", Warning, "`bash` has no policy of its own and is allowed by `*`";
    POLICY_ISSUE, "policy-issue", Warning, "any other complaint of the loader";
    WRONG_ORDER, "wrong-order", Error, "a later rule with another answer matches all that this one does";
    DEAD_RULE, "dead-rule", Warning, "later rules together match all that this one does";
    REPEATED_RULE, "repeated-rule", Note, "a later rule with the same answer matches all that this one does";
    CHAIN_OPERATOR, "chain-operator", Warning, "`&&`, `||`, `;` or `|` in a pattern: each command of a line is judged by itself";
    STRAY_SPACE, "stray-space", Warning, "a blank at an end where no command has one";
    TRAILING_SLASH, "trailing-slash", Warning, "a folder written with `/` at its end: paths have none there, and what lies in it is another path";
    NOT_NORMALISED, "not-normalised", Warning, "`.`, `..` or `//` in a path: paths are compared without them";
    RELATIVE_OUTSIDE, "relative-outside", Warning, "a relative path on `external_directory`, where paths are absolute";
    NO_HOME, "no-home", Warning, "a form of a home or a variable that is not expanded";
    HOME_IN_COMMAND, "home-in-command", Warning, "a home form on `bash`: the pattern is expanded, the command is not";
    OTHER_WILDCARDS, "other-wildcards", Warning, "`!`, `^…$`, `(a|b)`, `{a,b}`, `[a-z]`, `\\*`: each is only its characters";
    DOUBLE_STAR, "double-star", Note, "`**` is `*`: both match `/`";
    GLUED_STAR, "glued-star", Note, "an allow that ends in `x*`: it also allows longer words";
    FLOOR_WINS, "floor-wins", Warning, "an allow of a program that runs another: it asks all the same";
    OUTSIDE_ALLOW, "outside-allow", Note, "an allow of a path outside the session directory, which `external_directory` does not allow";
    EMPTY_SURFACE, "empty-surface", Note, "a surface without any pattern";
    NUMBER_KEY, "number-key", Note, "a key that is a number: other implementations move it to the front";
    SECRET_IN_REASON, "secret-in-reason", Error, "a reason that looks like it holds a secret; reasons are shown and logged";
    PERMISSIVE_MODE, "permissive-mode", Warning, "`yoloMode` is on: what would ask is allowed";
    BAD_IGNORE, "bad-ignore", Warning, "a comment that silences a lint without saying why, or one that nobody knows";
}
