//! What a yes to a path stores (SESS-008, GATE-003, GATE-030 as HARD-041 narrows them): a file's folder, or a folder and its
//! content.

use super::names_itself;
use crate::access::path::AccessPath;
use crate::host::Platform;

/// The patterns for a path, by its lexical form. Empty: nothing can be stored, because nobody knows the place, the gate guards
/// it itself, or a name holds a wildcard.
pub fn suggest_path_patterns(path: &AccessPath, platform: Platform) -> Vec<String> {
    if path.unknown_place || path.protected.is_some() {
        return Vec::new();
    }
    patterns_for(&path.lexical, path.is_directory, platform).unwrap_or_default()
}

fn patterns_for(lexical: &str, is_directory: bool, platform: Platform) -> Option<Vec<String>> {
    let separator = match platform {
        Platform::Posix => '/',
        Platform::Windows => '\\',
    };
    let root = root_of(lexical, platform)?;
    let below = lexical.get(root.len()..)?;
    let is_directory = is_directory || below.ends_with(separator);
    let below = below.trim_end_matches(separator);
    if below.is_empty() {
        return Some(vec![root.to_owned()]);
    }
    let path = format!("{root}{below}");
    if is_directory {
        let path = names_itself(&path)?;
        return Some(vec![path.to_owned(), format!("{path}{separator}*")]);
    }
    Some(match below.rsplit_once(separator) {
        Some((folder, _)) => vec![format!("{}{separator}*", names_itself(&format!("{root}{folder}"))?)],
        // The folder would be the root: only the file itself.
        None => vec![names_itself(&path)?.to_owned()],
    })
}

/// The root that an absolute path begins with.
fn root_of(path: &str, platform: Platform) -> Option<&str> {
    match platform {
        Platform::Posix => path.starts_with('/').then_some("/"),
        Platform::Windows => {
            if let Some(share) = path.strip_prefix(r"\\") {
                // Server and share.
                let mut parts = share.split('\\');
                let length = parts.next()?.len() + 1 + parts.next()?.len();
                return path.get(..(2 + length + 1).min(path.len()));
            }
            let drive = path.starts_with(|c: char| c.is_ascii_alphabetic());
            let end = if drive { path.get(1..)?.starts_with(r":\").then_some(3)? } else { 1 };
            path.get(..end).filter(|root| root.ends_with('\\'))
        }
    }
}
