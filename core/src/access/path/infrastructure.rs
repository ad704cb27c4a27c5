//! Harness files that read-only tools may read without a boundary question (PATH-014, PATH-015, RES-21).

/// The entries beside the named ones of the agent directory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InfrastructureEntries {
    /// The global modules root and the host's own package directory, as far as known.
    pub package_roots: Vec<String>,
    /// `piInfrastructureReadPaths` in force (RES-03).
    pub configured: Vec<String>,
}
