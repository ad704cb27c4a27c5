//! The order in which names are listed (MSG-002, TOOL-003): near enough to what a locale does, and the same everywhere.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Compared first by letters without case and accents (marks before digits before letters), then by accents, then small before
/// capital, then by code.
pub(super) fn sort_names(names: &mut Vec<String>) {
    names.sort_by_cached_key(|name| key(name));
    names.dedup();
}

/// Letters with their class, accents, capitals, and the name itself.
type SortKey = (Vec<(u8, char)>, Vec<char>, Vec<bool>, String);

fn key(name: &str) -> SortKey {
    let mut base = Vec::new();
    let mut accents = Vec::new();
    let mut capitals = Vec::new();
    for character in name.nfd() {
        if is_combining_mark(character) {
            accents.push(character);
            continue;
        }
        capitals.push(character.is_uppercase());
        let class = if character.is_alphabetic() {
            2
        } else if character.is_numeric() {
            1
        } else {
            0
        };
        base.extend(character.to_lowercase().map(|small| (class, small)));
    }
    (base, accents, capitals, name.to_owned())
}
