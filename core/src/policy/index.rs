//! The last pattern of a list that matches a value, without trying them all (HARD-064).
//!
//! Every pattern is filed under one short text that each of its values must hold: the rarest three bytes of its literal runs,
//! with marks for the start and the end of the value. A value is then compared with the patterns filed under its own
//! three-byte texts only. Short lists are simply scanned. What is found is what a scan finds; a property test says so.

use hashbrown::HashMap;

use super::wildcard::Pattern;

/// Lists up to this length are scanned.
const SCAN_LIMIT: usize = 16;

/// One pattern at its place in the list of rules.
#[derive(Debug, Clone)]
struct Entry {
    position: u32,
    pattern: Pattern,
}

/// Patterns with their places, in ascending order.
#[derive(Debug, Clone, Default)]
pub(crate) struct PatternIndex {
    entries: Vec<Entry>,
    files: Option<Files>,
}

/// The filing: numbers of entries, latest first in each list.
#[derive(Debug, Clone, Default)]
struct Files {
    /// Patterns without a wildcard, by their text.
    exact: HashMap<Box<str>, Vec<u32>>,
    /// Other patterns, by the gram they need.
    grams: HashMap<Gram, Vec<u32>>,
    /// Patterns that need nothing an index could use.
    always: Vec<u32>,
    /// Whether a gram may be in `grams`: one bit each, by a hash.
    filter: Vec<u64>,
    /// Which gram lengths are in use.
    lengths: [bool; 4],
}

/// One to three symbols, packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Gram(u32);

/// A byte of the text, or one of its two ends.
type Symbol = u16;
const START: Symbol = 256;
const END: Symbol = 257;

impl Gram {
    fn pack(symbols: &[Symbol]) -> Self {
        // 9 bits a symbol; the leading 1 tells lengths apart.
        Self(symbols.iter().fold(1, |packed, symbol| (packed << 9) | u32::from(*symbol)))
    }

    fn length(self) -> usize {
        self.0.ilog2() as usize / 9
    }

    /// The word and the bit of the filter that stand for this gram.
    fn bit(self, filter: &[u64]) -> Option<(usize, u64)> {
        // Multiplicative hashing; the length is a power of two, so the mask is exact.
        let hash = (u64::from(self.0).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize;
        let bits = filter.len().checked_mul(64).filter(|bits| *bits > 0)?;
        let bit = hash & (bits - 1);
        Some((bit / 64, 1 << (bit % 64)))
    }
}

impl PatternIndex {
    /// Takes patterns in ascending order of their places.
    pub(crate) fn build(patterns: impl IntoIterator<Item = (u32, Pattern)>) -> Self {
        let entries: Vec<Entry> = patterns.into_iter().map(|(position, pattern)| Entry { position, pattern }).collect();
        let files = (entries.len() > SCAN_LIMIT).then(|| Files::build(&entries));
        Self { entries, files }
    }

    /// The same without a filing: every look-up scans. The yardstick of tests and benchmarks.
    #[cfg(test)]
    pub(crate) fn naive(patterns: impl IntoIterator<Item = (u32, Pattern)>) -> Self {
        Self { entries: patterns.into_iter().map(|(position, pattern)| Entry { position, pattern }).collect(), files: None }
    }

    /// The last place behind `after` whose pattern matches the value and which is accepted.
    pub(crate) fn last_match(&self, value: &str, after: Option<u32>, accept: impl Fn(u32) -> bool) -> Option<u32> {
        let Some(files) = &self.files else {
            return self
                .entries
                .iter()
                .rev()
                .take_while(|entry| after.is_none_or(|after| entry.position > after))
                .find(|entry| entry.pattern.matches(value) && accept(entry.position))
                .map(|entry| entry.position);
        };
        let mut best = after;
        let mut found = None;
        files.each_list(value, |list| {
            for entry in list.iter().filter_map(|number| self.entries.get(*number as usize)) {
                if best.is_some_and(|best| entry.position <= best) {
                    break;
                }
                if entry.pattern.matches(value) && accept(entry.position) {
                    best = Some(entry.position);
                    found = best;
                    break;
                }
            }
        });
        found
    }

    /// All places whose pattern matches the value, ascending.
    pub(crate) fn all_matches(&self, value: &str) -> Vec<u32> {
        let Some(files) = &self.files else {
            return self.entries.iter().filter(|entry| entry.pattern.matches(value)).map(|e| e.position).collect();
        };
        let mut places = Vec::new();
        files.each_list(value, |list| {
            let entries = list.iter().filter_map(|number| self.entries.get(*number as usize));
            places.extend(entries.filter(|entry| entry.pattern.matches(value)).map(|entry| entry.position));
        });
        places.sort_unstable();
        places
    }

    /// The pattern at a place.
    pub(crate) fn pattern(&self, position: u32) -> Option<&Pattern> {
        let at = self.entries.binary_search_by_key(&position, |entry| entry.position).ok()?;
        self.entries.get(at).map(|entry| &entry.pattern)
    }

    /// All places with their patterns, latest first.
    pub(crate) fn latest_first(&self) -> impl Iterator<Item = (u32, &Pattern)> {
        self.entries.iter().rev().map(|entry| (entry.position, &entry.pattern))
    }
}

impl Files {
    fn build(entries: &[Entry]) -> Self {
        let mut files = Self::default();
        let grams: Vec<Vec<Gram>> = entries.iter().map(|entry| grams_of(&entry.pattern)).collect();
        let mut counts: HashMap<Gram, u32> = HashMap::new();
        for gram in grams.iter().flatten() {
            *counts.entry(*gram).or_default() += 1;
        }
        // Entries come in ascending order and lists are read latest first.
        for (number, (entry, grams)) in entries.iter().zip(&grams).enumerate().rev() {
            let Ok(number) = u32::try_from(number) else { continue };
            if let Some(text) = entry.pattern.literal() {
                files.exact.entry(text.into()).or_default().push(number);
            } else if let Some(rarest) = grams.iter().min_by_key(|gram| counts.get(*gram)) {
                files.grams.entry(*rarest).or_default().push(number);
            } else {
                files.always.push(number);
            }
        }
        files.filter = vec![0; (files.grams.len() * 16 / 64).next_power_of_two()];
        for gram in files.grams.keys() {
            if let Some((word, bit)) = gram.bit(&files.filter)
                && let Some(word) = files.filter.get_mut(word)
            {
                *word |= bit;
            }
            if let Some(used) = files.lengths.get_mut(gram.length()) {
                *used = true;
            }
        }
        files
    }

    /// Calls back with each list of entries that may match; no entry comes twice.
    fn each_list(&self, value: &str, mut each: impl FnMut(&[u32])) {
        if let Some(list) = self.exact.get(value) {
            each(list);
        }
        for gram in self.grams_in(value) {
            if let Some(list) = self.grams.get(&gram) {
                each(list);
            }
        }
        each(&self.always);
    }

    fn grams_in(&self, value: &str) -> Vec<Gram> {
        let symbols = std::iter::once(START).chain(value.bytes().map(Symbol::from)).chain(std::iter::once(END));
        let mut found = Vec::new();
        let mut window: [Symbol; 3] = [0; 3];
        for (seen, symbol) in symbols.enumerate() {
            window = [window[1], window[2], symbol];
            for length in 1..=3_usize.min(seen + 1) {
                if !self.lengths.get(length).copied().unwrap_or(false) {
                    continue;
                }
                let gram = Gram::pack(window.get(3 - length..).unwrap_or_default());
                let hit = gram.bit(&self.filter).and_then(|(word, bit)| Some(self.filter.get(word)? & bit != 0));
                if hit == Some(true) {
                    found.push(gram);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The grams that every value of a pattern holds: of three symbols where there are so many, else the longest there are.
fn grams_of(pattern: &Pattern) -> Vec<Gram> {
    let mut grams = Vec::new();
    let mut longest = 0;
    pattern.literal_runs(|starts, run, ends| {
        let symbols: Vec<Symbol> =
            starts.then_some(START).into_iter().chain(run.bytes().map(Symbol::from)).chain(ends.then_some(END)).collect();
        // One end alone says nothing.
        let length = if run.is_empty() { usize::from(starts && ends) * 2 } else { symbols.len().min(3) };
        if length == 0 || length < longest {
            return;
        }
        if length > longest {
            longest = length;
            grams.clear();
        }
        grams.extend(symbols.windows(length).map(Gram::pack));
    });
    grams
}

#[cfg(test)]
mod tests;
