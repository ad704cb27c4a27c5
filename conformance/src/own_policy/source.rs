//! Where the rules come from: the files that the installed extension reads, or files that somebody names in their place.

use std::path::{Path, PathBuf};

use portcullis_core::host::system::SystemFileView;
use portcullis_core::host::{EntryKind, FileFault, FileFaultKind, FileStamp, FileView};
use portcullis_core::policy::PolicyLocations;

/// Where the rules come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum PolicySource {
    /// What the installed extension would read (CFG-001 to CFG-003): global, project, agent.
    #[default]
    Installed,
    /// These files and no other.
    Files(PolicyFiles),
}

impl PolicySource {
    /// This file as the global configuration, and no other.
    pub fn global(file: impl Into<PathBuf>) -> Self {
        Self::Files(PolicyFiles { global: Some(file.into()), ..PolicyFiles::default() })
    }
}

/// Files that stand in for the configured ones. What is not named is not there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PolicyFiles {
    /// The global configuration.
    pub global: Option<PathBuf>,
    /// The project's configuration.
    pub project: Option<PathBuf>,
    /// The active agent's file.
    pub agent: Option<PathBuf>,
}

/// The real files, with the named ones at the places where the gate looks for its policy.
pub(super) struct PolicyOverlay {
    /// Place of the policy, and the file that stands in.
    named: Vec<(String, PathBuf)>,
    /// Places where nothing may be found, with everything below them.
    hidden: Vec<String>,
}

impl PolicyOverlay {
    pub(super) fn new(source: &PolicySource, places: &PolicyLocations, agent: Option<&str>) -> Self {
        let PolicySource::Files(files) = source else {
            return Self { named: Vec::new(), hidden: Vec::new() };
        };
        let named = [
            (Some(places.global_config()), &files.global),
            (places.project_config(), &files.project),
            (agent.map(|agent| places.agent_file(agent)), &files.agent),
        ];
        let hidden = [
            Some(places.global_config()),
            places.project_config(),
            Some(places.agents_dir()),
            places.project_agents_dir(),
            Some(places.mcp_servers()),
            places.project_mcp_servers(),
            Some(places.legacy_global_policy()),
            places.legacy_project_policy(),
        ];
        Self {
            named: named.into_iter().filter_map(|(place, file)| Some((place?, file.clone()?))).collect(),
            hidden: hidden.into_iter().flatten().collect(),
        }
    }

    /// The name under which a person knows a policy file.
    pub(super) fn shown<'a>(&'a self, place: &'a str) -> &'a str {
        self.named.iter().find(|(named, _)| named == place).and_then(|(_, file)| file.to_str()).unwrap_or(place)
    }

    /// The real path of this place, or that nothing is there.
    fn real(&self, path: &str) -> Result<String, FileFault> {
        if let Some((_, file)) = self.named.iter().find(|(named, _)| named == path) {
            return file.to_str().map(str::to_owned).ok_or_else(|| not_found("the name is no UTF-8"));
        }
        let under = |place: &String| path == place || Path::new(path).starts_with(place);
        if self.hidden.iter().any(under) { Err(not_found("this policy is not looked at")) } else { Ok(path.to_owned()) }
    }
}

fn not_found(why: &str) -> FileFault {
    FileFault { kind: FileFaultKind::NotFound, message: why.to_owned() }
}

impl FileView for PolicyOverlay {
    fn entry(&self, path: &str) -> Result<EntryKind, FileFault> {
        SystemFileView.entry(&self.real(path)?)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileFault> {
        SystemFileView.read(&self.real(path)?)
    }

    fn stamp(&self, path: &str) -> Result<FileStamp, FileFault> {
        SystemFileView.stamp(&self.real(path)?)
    }

    fn list(&self, path: &str) -> Result<Vec<String>, FileFault> {
        SystemFileView.list(&self.real(path)?)
    }
}
