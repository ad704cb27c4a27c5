//! Lines of strangers, fit to be shown.

/// The beginning of a line with what a terminal would obey made visible.
pub(super) fn excerpt(line: &str) -> String {
    const SHOWN: usize = 200;
    let mut text: String = line.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if line.chars().nth(SHOWN).is_some() {
        text.push('…');
    }
    format!("`{text}`")
}
