//! Which scenarios a run plays.

use std::hash::{Hash, Hasher};

use crate::scenario::{Level, Scenario};

/// A choice of scenarios: each list that is not empty must have a match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// Ids of scenarios, or names of rows.
    pub ids: Vec<String>,
    /// Parts of titles.
    pub titles: Vec<String>,
    /// Parts of file names.
    pub files: Vec<String>,
    /// Requirement ids.
    pub requirements: Vec<String>,
    /// The level.
    pub level: Option<Level>,
    /// One of several equal parts.
    pub shard: Option<Shard>,
}

/// Part `index` of `of`, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which part.
    pub index: u64,
    /// How many parts.
    pub of: u64,
}

impl Shard {
    /// Reads `2/3`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let fault = || format!("`{text}` is no shard: write I/N with 1 ≤ I ≤ N, such as 2/3");
        let (index, of) = text.split_once('/').ok_or_else(fault)?;
        let shard = Self { index: index.parse().map_err(|_| fault())?, of: of.parse().map_err(|_| fault())? };
        if shard.index >= 1 && shard.index <= shard.of { Ok(shard) } else { Err(fault()) }
    }

    /// Whether a scenario row belongs to the part. It depends on the name alone, so a new scenario moves no other one.
    fn holds(self, name: &str) -> bool {
        let mut hasher = Fnv::default();
        name.hash(&mut hasher);
        hasher.finish() % self.of == self.index - 1
    }
}

/// Where a name stands in the order of a seed: the same on every machine.
pub(crate) fn place_of(name: &str, seed: u64) -> u64 {
    let mut hasher = Fnv::default();
    seed.to_le_bytes().hash(&mut hasher);
    name.hash(&mut hasher);
    hasher.finish()
}

/// FNV-1a: the same on every machine and in every release.
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        // The low bits of FNV are weak; fold the high ones in.
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl Filter {
    /// Whether the scenario is chosen.
    pub fn chooses(&self, scenario: &Scenario) -> bool {
        let any = |list: &[String], test: &dyn Fn(&str) -> bool| list.is_empty() || list.iter().any(|item| test(item));
        any(&self.ids, &|id| id == scenario.id || id == scenario.name)
            && any(&self.titles, &|text| scenario.title.to_lowercase().contains(&text.to_lowercase()))
            && any(&self.files, &|text| scenario.file.name.contains(text))
            && any(&self.requirements, &|id| scenario.covers.iter().any(|covered| covered.eq_ignore_ascii_case(id)))
            && self.level.is_none_or(|level| level == scenario.level)
            && self.shard.is_none_or(|shard| shard.holds(&scenario.name))
    }

    /// Names that match nothing at all: a run by a misspelt id must not be an empty success.
    pub fn unknown<'f>(&'f self, scenarios: &[Scenario]) -> Vec<&'f str> {
        let known = |id: &String| scenarios.iter().any(|scenario| *id == scenario.id || *id == scenario.name);
        self.ids.iter().filter(|id| !known(id)).map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;
    use pretty_assertions::assert_eq;

    #[test]
    fn a_shard_reads_and_refuses() {
        assert_eq!(Shard::parse("2/3"), Ok(Shard { index: 2, of: 3 }));
        for text in ["0/3", "4/3", "x", "1/0", "-1/2", "1/2/3"] {
            assert!(Shard::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_name_is_in_exactly_one_part() {
        let mut counts = [0; 3];
        for number in 0..300 {
            let name = format!("scenario-{number}/row {number}");
            let parts: Vec<u64> = (1..=3).filter(|index| Shard { index: *index, of: 3 }.holds(&name)).collect();
            assert_eq!(parts.len(), 1);
            counts[usize::try_from(parts[0] - 1).unwrap()] += 1;
        }
        assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
    }
}
