//! A located complaint about a policy file (CFG-014, POLICY-D05).
//!
//! Every issue names its scope and file, so that equal faults in two files stay two issues and a person can find each.

use std::fmt;

use serde::Serialize;

use super::rule::Scope;

/// What kind of complaint an issue is. The first group breaks its file, the second does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum IssueKind {
    /// The file is there but cannot be read (CFG-004).
    Unreadable,
    /// The text does not parse (CFG-006, RES-09).
    Syntax,
    /// A key stands twice in one object (HARD-061, RES-08).
    DuplicateKey,
    /// A member that nobody knows (CFG-009, CFG-014).
    UnknownMember,
    /// A value of the wrong kind (CFG-009 to CFG-013).
    Invalid,
    /// A well-formed entry that cannot do what it says: a map under `*`, a deny object in the place of a map (RES-08).
    CannotWork,
    /// A well-known surface, misspelt (HARD-013, RES-08).
    NearMiss,
    /// An agent name that must not become part of a path (RES-10).
    AgentName,
    /// A key that no registered tool answers (HARD-013); a warning.
    UnansweredSurface,
    /// A member of an agent file that looks like `permission` but is not (POLICY-D12); a warning.
    MisspeltMember,
    /// A setting that does not count where it stands (RES-03, RES-12); a warning.
    IgnoredSetting,
    /// A file at a place of an earlier release (CFG-027); a warning.
    LegacyFile,
    /// `bash` inherits allow from the universal default (CFG-028); a warning.
    BashInheritsAllow,
    /// The project is not trusted, so its policy was not read (RES-01); a warning.
    Untrusted,
}

impl IssueKind {
    /// Whether the package, too, would reject a file for this (CFG-008). Legacy files are judged by it (CFG-027).
    pub(crate) fn is_baseline(self) -> bool {
        matches!(self, Self::Unreadable | Self::Syntax | Self::UnknownMember | Self::Invalid)
    }

    /// The requirement by which an issue of this kind breaks a configuration file that the package takes.
    pub(crate) fn beyond_the_package(self) -> Option<&'static str> {
        match self {
            Self::DuplicateKey => Some("HARD-061"),
            Self::CannotWork => Some("POLICY-D12"),
            Self::NearMiss => Some("HARD-013"),
            Self::AgentName => Some("POLICY-D16"),
            _ => None,
        }
    }

    /// Whether an issue of this kind makes its file a broken scope (RES-06).
    pub fn breaks_file(self) -> bool {
        match self {
            Self::Unreadable
            | Self::Syntax
            | Self::DuplicateKey
            | Self::UnknownMember
            | Self::Invalid
            | Self::CannotWork
            | Self::NearMiss
            | Self::AgentName => true,
            Self::UnansweredSurface
            | Self::MisspeltMember
            | Self::IgnoredSetting
            | Self::LegacyFile
            | Self::BashInheritsAllow
            | Self::Untrusted => false,
        }
    }
}

/// One complaint. [`Display`](fmt::Display) gives one line: `scope file:line:column: member: message`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct PolicyIssue {
    /// The scope of the file; `None` for legacy files and for what concerns all scopes together.
    pub scope: Option<Scope>,
    /// The file's path; empty when no file is meant.
    pub file: String,
    /// The line, from 1, when the place is known.
    pub line: Option<u32>,
    /// The column, from 1, in Unicode scalar values.
    pub column: Option<u32>,
    /// The location inside the file (CFG-014): member names and indices joined by `.`; empty for the root.
    pub member: String,
    /// The kind, for decisions.
    pub kind: IssueKind,
    /// What was expected, and what is there instead. Holds neither scope nor path.
    pub message: String,
}

impl fmt::Display for PolicyIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(scope) = self.scope {
            write!(f, "{scope} ")?;
        }
        if !self.file.is_empty() {
            f.write_str(&self.file)?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
                if let Some(column) = self.column {
                    write!(f, ":{column}")?;
                }
            }
            f.write_str(": ")?;
        }
        if !self.member.is_empty() {
            write!(f, "{}: ", self.member)?;
        }
        f.write_str(&self.message)
    }
}
