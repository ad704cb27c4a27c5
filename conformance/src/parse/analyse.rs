//! Runs the analysis: where it looks, and what it may see there.

use std::sync::Arc;
use std::time::{Duration, Instant};

use portcullis_core::access::path::{PathFacts, PathNormalizer};
use portcullis_core::access::shell::{BashProgram, ShellError, ShellFacts};
use portcullis_core::host::system::SystemFileView;
use portcullis_core::host::{EntryKind, FileFault, FileFaultKind, FileStamp, FileView, Platform};
use portcullis_core::policy::{Fold, MatchOptions, Pattern, WithoutHome, fold_value};

use super::request::Request;

/// How long one parse may take, as in a session (RES-54).
const PATIENCE: Duration = Duration::from_secs(2);

/// A file system in which nothing exists.
struct NoFiles;

impl NoFiles {
    fn fault<T>() -> Result<T, FileFault> {
        Err(FileFault { kind: FileFaultKind::NotFound, message: "no file is looked at".into() })
    }
}

impl FileView for NoFiles {
    fn entry(&self, _: &str) -> Result<EntryKind, FileFault> {
        Self::fault()
    }
    fn read(&self, _: &str) -> Result<Vec<u8>, FileFault> {
        Self::fault()
    }
    fn stamp(&self, _: &str) -> Result<FileStamp, FileFault> {
        Self::fault()
    }
    fn list(&self, _: &str) -> Result<Vec<String>, FileFault> {
        Self::fault()
    }
}

/// Where command lines are looked at that do not say it themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// An invented directory; no file is looked at.
    Nowhere,
    /// This real directory, absolute, and this home; what exists there counts.
    Real {
        /// The session directory.
        cwd: String,
        /// The home directory.
        home: Option<String>,
    },
}

impl Place {
    fn facts(&self, request: &Request) -> PathFacts {
        let platform = request.platform.unwrap_or_default();
        let (cwd, home, files): (_, _, Arc<dyn FileView>) = match (self, &request.cwd) {
            (Self::Real { cwd, home }, None) => (cwd.clone(), home.clone(), Arc::new(SystemFileView)),
            (_, named) => {
                let (cwd, home) = match platform {
                    Platform::Posix => ("/srv/app", "/home/user"),
                    Platform::Windows => (r"C:\srv\app", r"C:\Users\user"),
                };
                (named.clone().unwrap_or_else(|| cwd.into()), Some(home.into()), Arc::new(NoFiles))
            }
        };
        let home = request.home.clone().or(home);
        let agent_dir = home.as_deref().map(|home| format!("{home}/.pi/agent")).unwrap_or_default();
        PathFacts { cwd, agent_dir, home, extension_root: None, platform, files }
    }
}

/// Analyses one command line (CMD-003). No rule is asked, so no absolute rule can be hit under an unknown directory (RES-51).
pub fn analyse(request: &Request, place: &Place) -> Result<BashProgram, ShellError> {
    let facts = place.facts(request);
    let options = MatchOptions { platform: facts.platform, home: facts.home.clone() };
    let fold = if facts.platform == Platform::Windows { Fold::Windows } else { Fold::Exact };
    let compile = |text: &String| Pattern::compile(text, &options, fold, WithoutHome::MatchAnywhere);
    let promote: Vec<Pattern> = request.promote.iter().map(compile).collect();
    let folded = |token: &str| if fold == Fold::Windows { fold_value(token) } else { token.to_owned() };
    let start = Instant::now();
    let resolver = PathNormalizer::new(facts);
    let facts = ShellFacts {
        resolver: &resolver,
        is_promotable: &|token| !promote.is_empty() && promote.iter().any(|pattern| pattern.matches(&folded(token))),
        could_hit_absolute: &|_| false,
        out_of_time: &|| start.elapsed() > PATIENCE,
    };
    BashProgram::parse(&request.command, request.workdir.as_deref(), &facts)
}
