//! What `compare --generate --json` wrote, as a part of the page.

use std::fmt::Write as _;

use serde::Deserialize;

use crate::error::count;
use crate::implementation::Hello;
use crate::side_by_side::Tally;

/// Two or more gates on generated calls.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Compared {
    seed: u64,
    pairs: Vec<Pair>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Pair {
    implementations: Vec<Hello>,
    counts: Tally,
}

impl Compared {
    /// Reads the object.
    pub fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    pub(super) fn section(&self, text: &mut String) {
        text.push_str("\n## On generated calls\n");
        for Pair { implementations, counts } in &self.pairs {
            let names: Vec<&str> = implementations.iter().map(|hello| hello.name.as_str()).collect();
            let _ = write!(
                text,
                "\n{} on {} in {} made from seed {} ([what that is](guide/compare.md); [many more](generated-calls.md)): {} have the same\n\
                 verdict, {} differ and something explains it, {} differ and nothing does. How often a requirement explains that the first is stricter, or milder:\n\n",
                names.join(" and "),
                count(counts.calls, "call"),
                count(counts.cases, "case"),
                self.seed,
                counts.alike,
                count(counts.explained, "step"),
                counts.milder + counts.stricter + counts.otherwise,
            );
            text.push_str(&counts.table());
        }
    }
}
