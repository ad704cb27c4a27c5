//! The requirement ids of docs/spec, embedded when the program is built, with the unit tests of `core` that name them.

use std::collections::HashMap;
use std::sync::OnceLock;

/// One requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Requirement {
    /// Its id.
    pub id: &'static str,
    /// The file of docs/spec that defines it.
    pub file: &'static str,
    /// `default`, `profile` or `skip`, for those of hardening.md; else empty.
    pub tier: &'static str,
    /// A few words about it, where its definition begins with some.
    pub title: &'static str,
    /// Files of `core` and of the fixtures whose tests name it.
    pub unit_tests: &'static [&'static str],
}

mod generated {
    use super::Requirement;
    include!(concat!(env!("OUT_DIR"), "/requirement_list.rs"));
}

impl Requirement {
    /// Whether it goes beyond the package: a HARD id, or the advice of a Doubtful section.
    pub fn is_hardening(&self) -> bool {
        self.id.starts_with("HARD-") || self.is_advice()
    }

    /// Whether it is the advice of a Doubtful section (`…-D01`).
    pub fn is_advice(&self) -> bool {
        self.id.split_once("-D").is_some()
    }
}

/// All requirements in the order of the files.
pub fn all() -> &'static [Requirement] {
    generated::LIST
}

/// The requirement with this id.
pub fn find(id: &str) -> Option<&'static Requirement> {
    static INDEX: OnceLock<HashMap<&'static str, &'static Requirement>> = OnceLock::new();
    INDEX.get_or_init(|| all().iter().map(|requirement| (requirement.id, requirement)).collect()).get(id).copied()
}

#[cfg(test)]
mod tests {
    use super::{all, find};
    use pretty_assertions::assert_eq;

    #[test]
    fn every_family_is_there() {
        for id in ["CFG-001", "GATES-D07", "HARD-064", "RES-66", "BASH-D22", "POLICY-D12", "FWD-D11", "PREV-011", "FIX-001"] {
            assert_eq!(find(id).map(|found| found.id), Some(id));
        }
        assert!(find("CFG-999").is_none());
        assert!(all().len() > 500, "{}", all().len());
    }

    #[test]
    fn titles_are_read_where_there_are_some() {
        let title = |id| find(id).map(|found| found.title);
        assert_eq!(title("HARD-001"), Some("Every executing position is a unit"));
        assert_eq!(title("POLICY-D02"), Some("Untrusted project raises its own privileges"));
        assert_eq!(title("TOOL-007"), Some(""));
    }

    #[test]
    fn tiers_are_read_from_the_headings() {
        assert_eq!(find("HARD-029").unwrap().tier, "profile");
        assert_eq!(find("HARD-043").unwrap().tier, "skip");
        assert_eq!(find("HARD-037").unwrap().tier, "profile");
        assert_eq!(find("HARD-064").unwrap().tier, "default");
    }
}
