//! Harness files that read-only tools may read without a boundary question (PATH-014, PATH-015, CFG-026, HARD-025, RES-21).
//! Whether a deny beats the exemption is the gate's business.

use super::containment::within;
use super::flavour::{fold, is_absolute, separator};
use super::normalise::join_home;
use crate::access::tool_kind::is_read_only_path_tool;
use crate::host::Platform;
use crate::policy::{Fold, MatchOptions, Pattern, WithoutHome};

/// The entries beside the named ones of the agent directory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InfrastructureEntries {
    /// The global modules root and the host's own package directory, as far as known.
    pub package_roots: Vec<String>,
    /// `piInfrastructureReadPaths` in force (RES-03).
    pub configured: Vec<String>,
}

/// Folders of the agent directory whose content is exempt (RES-21).
const FOLDERS: [&str; 7] = ["extensions", "skills", "prompts", "themes", "agents", "git", "npm"];
/// Files of the agent directory that are exempt (RES-21).
const FILES: [&str; 5] = ["settings.json", "AGENTS.md", "CLAUDE.md", "SYSTEM.md", "APPEND_SYSTEM.md"];
/// What no entry exempts, whoever lists it (RES-21): credentials, sessions, our logs.
const NEVER: [&[&str]; 3] = [&["auth.json"], &["sessions"], &["extensions", "pi-permission-system", "logs"]];

/// The directories that the exemption is about.
pub(crate) struct HarnessPlaces<'a> {
    pub(crate) platform: Platform,
    pub(crate) home: Option<&'a str>,
    pub(crate) cwd: &'a str,
    pub(crate) agent_dir: &'a str,
    pub(crate) canonical_agent_dir: &'a str,
}

impl HarnessPlaces<'_> {
    /// The entry that exempts a read of the path. `canonical` is the path after links, `lexical` before.
    pub(crate) fn entry(&self, tool: &str, lexical: &str, canonical: &str, entries: &InfrastructureEntries) -> Option<String> {
        if !is_read_only_path_tool(tool) || canonical.is_empty() || self.is_never_exempt(tool, lexical, canonical) {
            return None;
        }
        self.named_entry(canonical).or_else(|| self.listed_entry(canonical, &entries.package_roots, &entries.configured))
    }

    /// The package's answer (PATH-014, PATH-015): the whole agent directory, and no exceptions.
    pub(crate) fn baseline_entry(&self, tool: &str, canonical: &str, entries: &InfrastructureEntries) -> Option<String> {
        if !is_read_only_path_tool(tool) || canonical.is_empty() {
            return None;
        }
        let own = [self.agent_dir.to_owned()];
        self.listed_entry(canonical, &own, &[])
            .or_else(|| self.listed_entry(canonical, &entries.package_roots, &entries.configured))
    }

    /// Credentials, sessions and logs; for tools that walk, also every folder above them.
    fn is_never_exempt(&self, tool: &str, lexical: &str, canonical: &str) -> bool {
        let walks = matches!(tool, "grep" | "find");
        [self.agent_dir, self.canonical_agent_dir].into_iter().filter(|directory| !directory.is_empty()).any(|directory| {
            NEVER.iter().any(|names| {
                let place = self.join(directory, names);
                [lexical, canonical]
                    .into_iter()
                    .any(|path| within(self.platform, path, &place) || (walks && within(self.platform, &place, path)))
            })
        })
    }

    fn named_entry(&self, canonical: &str) -> Option<String> {
        let folder =
            FOLDERS.iter().map(|name| self.join(self.agent_dir, &[name])).find(|folder| self.is_within(canonical, folder));
        folder.or_else(|| {
            let same = |file: &String| fold(self.platform, canonical) == fold(self.platform, file);
            FILES.iter().map(|name| self.join(self.agent_dir, &[name])).find(same)
        })
    }

    fn listed_entry(&self, canonical: &str, roots: &[String], configured: &[String]) -> Option<String> {
        let listed = roots.iter().chain(configured).find(|entry| self.matches(canonical, entry)).cloned();
        listed.or_else(|| {
            let own = ["npm", "git"].map(|name| self.join(self.cwd, &[".pi", name]));
            own.into_iter().find(|folder| !self.cwd.is_empty() && self.is_within(canonical, folder))
        })
    }

    /// PATH-014 (a) and (b): a wildcard, or a directory with everything beneath. Entries are not resolved.
    fn matches(&self, canonical: &str, entry: &str) -> bool {
        if entry.contains(['*', '?']) {
            let fold = if self.platform == Platform::Windows { Fold::Windows } else { Fold::Exact };
            let options = MatchOptions { platform: self.platform, home: self.home.map(str::to_owned) };
            return Pattern::compile(entry, &options, fold, WithoutHome::MatchNothing).matches(canonical);
        }
        match self.expand_home(entry) {
            Some(directory) if is_absolute(self.platform, &directory) => self.is_within(canonical, &directory),
            _ => false,
        }
    }

    fn expand_home(&self, entry: &str) -> Option<String> {
        let rest = entry.strip_prefix('~').or_else(|| entry.strip_prefix("$HOME"));
        match rest.filter(|rest| rest.is_empty() || rest.starts_with(['/', '\\'])) {
            Some(rest) => Some(join_home(self.platform, self.home?, rest.trim_start_matches(['/', '\\']))),
            None => Some(entry.to_owned()),
        }
    }

    fn is_within(&self, path: &str, directory: &str) -> bool {
        within(self.platform, path, directory)
    }

    fn join(&self, base: &str, names: &[&str]) -> String {
        let mut path = base.to_owned();
        for name in names {
            if !path.ends_with(separator(self.platform)) {
                path.push(separator(self.platform));
            }
            path.push_str(name);
        }
        path
    }
}
