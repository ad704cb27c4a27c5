//! The result of analysing one command line.

use std::rc::Rc;
use std::sync::Arc;

use serde::Serialize;

use super::facts::{ShellError, ShellFacts};
use super::floors;
use super::remember::Facts;
use super::walk::Walk;
use crate::access::path::{AccessPath, Base};
use crate::access::shell_tools::trimmed_command;
use crate::policy::{Direction, Floor, FloorKind, UnitContext};
use crate::text::js_trim;

/// The kind of a wrapper (WRAP).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WrapperKind {
    /// Program text that arrives as data.
    OpaquePayload,
    /// A program that runs another one.
    Indirection,
}

/// What a "for this session" yes to a unit may store ("What for this session stores", docs/spec/README.md).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum GrantWidth {
    /// The prefix suggestion of SESS-005 on the unit's text.
    Prefix,
    /// The whole unit text, no star.
    Exact,
    /// This pattern.
    Pattern(Arc<str>),
    /// A peeled wrapper: its own words, then the prefix of what it runs and ` *` (HARD-041).
    Peeled {
        /// The wrapper's own words, one blank between them.
        own: String,
        /// The inner command as typed.
        inner: String,
    },
    /// Nothing can be stored.
    Nothing,
}

/// One command that the shell would run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShellUnit {
    /// What the shell will run, as typed: assignment prefix and redirections taken out (RES-44).
    pub text: String,
    /// Further spellings with the requirement that introduced each; deny and ask rules only (RES-14).
    pub spellings: Vec<(String, &'static str)>,
    /// What it is nested in; `None` at top level.
    pub context: Option<UnitContext>,
    /// Wrapper kind, if it is one.
    pub wrapper: Option<WrapperKind>,
    /// What raises its allow to ask.
    pub floors: Vec<Floor>,
    /// Its allow counts for nothing (inner commands, salvage): only a deny or ask of it matters (RES-49).
    pub restrict_only: bool,
    /// The requirement by which the unit exists when the package would not list it.
    pub introduced_by: Option<&'static str>,
    /// What a grant of it may store.
    pub grant: GrantWidth,
    /// Byte offset of its text in the command.
    pub start: usize,
}

/// How a word became a path candidate (RES-50).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CandidateKind {
    /// It looks like a path.
    Shape,
    /// Its position makes it one: a redirect target, a file option's value.
    Role,
    /// It names an entry that exists.
    Existence,
    /// A rule spells it (TOK-021).
    Promoted,
}

/// One word of the command that is treated as a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PathWord {
    /// The raw token (TOK-004): what prompts, logs and events show.
    pub token: String,
    /// How it became a candidate.
    pub kind: CandidateKind,
    /// Meets the boundary question if it is outside (`path.outside`). False only for words that are candidates on `path` alone.
    pub boundary: bool,
    /// Is a candidate on the `path` surface. False only for a workdir (CWD-021).
    pub rule_candidate: bool,
    /// Whether the command around it is proven to only read it (RES-24): the floor of HARD-056 is withheld then.
    pub proven_read: bool,
    /// Proven direction (HARD-037 (1) for redirects; else both).
    pub direction: Direction,
    /// The requirement when the package would not list it on the boundary.
    pub boundary_by: Option<&'static str>,
    /// The requirement when the package would not list it on `path`.
    pub candidate_by: Option<&'static str>,
    /// Floors on this word (`<unknown-directory>`).
    pub floors: Vec<Floor>,
    /// Where it leads.
    pub path: AccessPath,
}

/// The analysis of one command line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BashProgram {
    /// The command, trimmed.
    pub command: String,
    /// Whether every line is empty or a comment (CMD-026).
    pub trivial: bool,
    /// Units in source order, an enclosing unit before the units inside it.
    pub units: Vec<ShellUnit>,
    /// Path words in walk order, the workdir first (CWD-021).
    pub paths: Vec<PathWord>,
}

impl BashProgram {
    /// Analyses one command line (CMD-003): one parse, of which units, paths and floors come.
    ///
    /// `workdir` is the directory argument of an aliased shell tool (CWD-020, CWD-021).
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use portcullis_core::access::path::{PathFacts, PathNormalizer};
    /// use portcullis_core::access::shell::{BashProgram, ShellFacts};
    /// use portcullis_core::host::{Platform, system::SystemFileView};
    ///
    /// let normalizer = PathNormalizer::new(PathFacts {
    ///     cwd: "/proj/app".into(),
    ///     home: Some("/home/dev".into()),
    ///     agent_dir: "/home/dev/.pi/agent".into(),
    ///     extension_root: None,
    ///     platform: Platform::Posix,
    ///     files: Arc::new(SystemFileView),
    /// });
    /// let facts = ShellFacts {
    ///     resolver: &normalizer,
    ///     is_promotable: &|_| false,
    ///     could_hit_absolute: &|_| false,
    ///     out_of_time: &|| false,
    /// };
    /// let program = BashProgram::parse("cd /srv && sudo rm a/b > log", None, &facts)?;
    /// let units: Vec<&str> = program.units.iter().map(|unit| unit.text.as_str()).collect();
    /// assert_eq!(units, ["cd /srv", "sudo rm a/b", "rm a/b"]);
    /// let paths: Vec<&str> = program.paths.iter().map(|word| word.path.lexical.as_str()).collect();
    /// assert!(paths.contains(&"/srv/a/b") && paths.contains(&"/srv/log"));
    /// # Ok::<(), portcullis_core::access::shell::ShellError>(())
    /// ```
    pub fn parse(command: &str, workdir: Option<&str>, facts: &ShellFacts<'_>) -> Result<Self, ShellError> {
        let command = trimmed_command(command);
        let memory = Facts::new(facts, command.len());
        let facts = &memory;
        let workdir = workdir.map(js_trim).filter(|dir| !dir.is_empty());
        let cwd = Base::Known(facts.resolver.cwd().to_owned());
        let base = workdir.map_or(cwd.clone(), |dir| base_of(dir, &cwd, facts));
        let mut walk = Walk::new(command, facts, base);
        if let Some(dir) = workdir.filter(|dir| dir.starts_with('~')) {
            // The package folds it as a name (BASH-D22).
            walk.package = Rc::new(facts.resolver.fold(&format!("./{dir}"), &cwd));
        }
        if let Some(dir) = workdir {
            walk.paths.workdir(facts, dir);
        }
        walk.run()?;
        if walk.late_unparsed {
            walk.mark_unparsed();
        }
        if walk.bound || facts.resolver.is_full() {
            walk.units.iter_mut().for_each(floors::bound);
        }
        drop_lone_orphans(&mut walk.units);
        let Walk { units, paths, .. } = walk;
        // Before the list is made nobody else holds its paths.
        drop(memory);
        Ok(Self { trivial: is_trivial(command), command: command.to_owned(), units, paths: paths.finish() })
    }
}

/// CMD-026: every line is empty or starts with `#`.
fn is_trivial(command: &str) -> bool {
    // To the shell an odd blank before the sign makes a word of it.
    command.split('\n').all(|line| js_trim(line).is_empty() || line.trim_start_matches([' ', '\t']).starts_with('#'))
}

/// RES-45: redirections alone are no units; the whole text is judged then.
fn drop_lone_orphans(units: &mut Vec<ShellUnit>) {
    let orphan = |unit: &ShellUnit| unit.floors.iter().any(|floor| floor.kind == FloorKind::UnparseableBashCommand);
    if units.iter().all(orphan) {
        units.clear();
    }
}

/// Where a workdir leads (CWD-020). A home form is expanded here as it is for the boundary, once and for both (BASH-D22).
fn base_of(workdir: &str, cwd: &Base, facts: &Facts<'_>) -> Base {
    match facts.resolver.resolve(workdir, cwd) {
        Some(path) if workdir.starts_with('~') && !path.unknown_place => Base::Known(path.lexical.clone()),
        _ => facts.resolver.fold(workdir, cwd),
    }
}
