//! Reads of harness files (PATH-014, PATH-015, RES-21), asked about a path of this session.

use super::PathNormalizer;
use crate::access::path::AccessPath;
use crate::access::path::infrastructure::{HarnessPlaces, InfrastructureEntries};

impl PathNormalizer {
    /// The entry by which a read of the path needs no boundary question (PATH-014, RES-21), for the trace. A deny whose
    /// pattern is no catch-all still beats it; that is the gate's part.
    pub fn infrastructure_entry(&self, tool: &str, path: &AccessPath, entries: &InfrastructureEntries) -> Option<String> {
        // Two readings of one path: an exemption has to be right for both.
        if path.unknown_place || path.further.iter().any(|(_, by)| *by == "GATES-D07") {
            return None;
        }
        self.harness().entry(tool, &path.lexical, &path.canonical, entries)
    }

    /// Whether a read of the path needs no boundary question (PATH-014, RES-21).
    pub fn is_infrastructure_read(&self, tool: &str, path: &AccessPath, entries: &InfrastructureEntries) -> bool {
        self.infrastructure_entry(tool, path, entries).is_some()
    }

    /// Whether the package exempts the read, all of the agent directory included (PATH-014, PATH-015).
    pub fn is_baseline_infrastructure_read(&self, tool: &str, path: &AccessPath, entries: &InfrastructureEntries) -> bool {
        self.harness().baseline_entry(tool, &path.canonical, entries).is_some()
    }

    fn harness(&self) -> HarnessPlaces<'_> {
        HarnessPlaces {
            platform: self.facts.platform,
            home: self.home(),
            cwd: &self.cwd,
            agent_dir: &self.facts.agent_dir,
            canonical_agent_dir: self.canonical_agent_dir.get_or_init(|| self.canonical(&self.facts.agent_dir)),
        }
    }
}
