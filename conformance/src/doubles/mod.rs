//! Gates that are wrong on purpose: each does one thing otherwise than the reference, and the suite has to find it.
//!
//! A double is the reference with something changed around it: what it reads, what it is told, what is seen of it. A double *escapes*
//! when fewer than [`WITNESSES`] scenarios fail on it that cover a requirement which it breaks; then it is the suite that is wrong.

mod always;
mod answers;
mod files;
mod forwarding;
mod generated;
mod host_side;
mod judge;
mod outcomes;
mod page;
mod policy_text;
mod records;
mod registry;
mod shell;
mod varied;

use crate::implementation::{Factory, Implementation};
use crate::scenario::Scenario;

pub use always::Always;
pub use generated::{GENERATED_CALLS, Generated, generated};
pub use judge::{Caught, Launcher, WITNESSES, judge, naming};
pub use page::page;
pub use registry::ALL;
use varied::{Variation, Varied};

/// A gate that is wrong on purpose.
#[derive(Debug, Clone, Copy)]
pub struct Double {
    /// Its name: `double:NAME` on the command line.
    pub name: &'static str,
    /// What it does wrong, in one sentence.
    pub fault: &'static str,
    /// The requirements that it breaks.
    pub breaks: &'static [&'static str],
    /// Why generated calls cannot find it, where they cannot.
    pub hidden: Option<&'static str>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// One answer to everything.
    Always(Always),
    /// The reference under a variation.
    Varied(fn() -> Box<dyn Variation>),
    /// The same, in a process of its own: it hangs or dies.
    Apart(fn() -> Box<dyn Variation>),
}

impl Double {
    /// The double of this name, with or without `double:` in front.
    pub fn named(name: &str) -> Option<&'static Self> {
        let name = name.strip_prefix("double:").unwrap_or(name);
        ALL.iter().find(|double| double.name == name)
    }

    /// Whether the scenario covers a requirement that it breaks.
    pub fn is_named_by(&self, scenario: &Scenario) -> bool {
        scenario.covers.iter().any(|id| self.breaks.contains(&id.as_str()))
    }

    /// Whether it has to be played in a process of its own, because it takes its process with it.
    pub fn is_apart(&self) -> bool {
        matches!(self.kind, Kind::Apart(_))
    }
}

/// Starts it in this process, which is what `portcullis serve` does for one that is played apart.
impl Factory for Double {
    fn start(&self) -> Result<Box<dyn Implementation>, String> {
        match self.kind {
            Kind::Always(always) => always.start(),
            Kind::Varied(make) | Kind::Apart(make) => Ok(Box::new(Varied::new(self.name, make))),
        }
    }
}
