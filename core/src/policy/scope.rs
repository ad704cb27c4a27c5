//! One policy scope after loading: its rules in file order, and whether its file could be used.
//!
//! This file holds data only. Composition of the four scopes into one list is the ruleset's business (RES-04, RES-05).

use std::sync::Arc;

use super::rule::{PermissionState, Rule, RuleLocation, Scope};

/// What became of a scope's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScopeStatus {
    /// There is no file, or it holds no policy (CFG-004, CFG-020).
    Absent,
    /// The project is not trusted: the file was not opened (RES-01).
    NotRead,
    /// Read and valid.
    Ok,
    /// Present, but unreadable, unparsable or invalid: only its well-formed deny and ask entries count, and every composed
    /// allow becomes ask (RES-06, HARD-012).
    Broken,
}

impl ScopeStatus {
    /// The word that traces and logs use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::NotRead => "not read",
            Self::Ok => "ok",
            Self::Broken => "broken",
        }
    }
}

/// One of the four scopes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedScope {
    /// Which one.
    pub scope: Scope,
    /// The path of its file; empty when there is none (no project, no agent).
    pub file: Arc<str>,
    /// What became of the file.
    pub status: ScopeStatus,
    /// The plain state of the key `*` (RULE-009) with its place. The last scope that has one sets the universal default.
    pub default: Option<(PermissionState, RuleLocation)>,
    /// The rules in the order of the file, layer [`Config`](super::Layer::Config); never on surface `*`. A broken scope
    /// holds only its well-formed deny and ask entries (RES-06).
    pub rules: Vec<Rule>,
    /// The surfaces in file order with their shape, empty ones included. The order of rules does not need it (HARD-061);
    /// what a merge by key would have made of the same files does, and the trace compares the two. May stay empty: it is
    /// then read off `rules`.
    pub shapes: Vec<SurfaceShape>,
    /// The requirement that rejects the file where the package takes it (HARD-013, HARD-061), or by which its rules are read
    /// otherwise (POLICY-D12). The trace needs it: what the file says to the package it does not say here.
    pub rejected_by: Option<&'static str>,
}

/// How a surface was written in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurfaceShape {
    /// The surface as written.
    pub surface: Arc<str>,
    /// `"bash": "ask"`, and not `"bash": { … }`.
    pub plain: bool,
}

impl LoadedScope {
    /// A scope without any rule.
    pub fn empty(scope: Scope, file: impl Into<Arc<str>>, status: ScopeStatus) -> Self {
        Self { scope, file: file.into(), status, default: None, rules: Vec::new(), shapes: Vec::new(), rejected_by: None }
    }
}
