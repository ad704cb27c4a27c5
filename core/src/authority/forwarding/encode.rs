//! A session id as the name of a folder (FWD-001, FWD-D03).

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// The longest name that is spelled out, in bytes; a longer one is a hash.
const MAX_NAME_BYTES: usize = 200;

/// Stands before the hash of an id that is too long. No encoded id begins like this: behind its `%` stand two digits.
const HASH_MARK: &str = "%sha256-";

/// Stands for the empty text, which names no entry. Two digits follow every other `%`, or [`HASH_MARK`]'s rest.
const EMPTY_MARK: &str = "%";

/// Encodes an id as one path component: URI-component percent-encoding of its UTF-8 bytes; hardened also of `*` and upper-case
/// letters, so that file systems which fold case keep two ids apart, and of a name made of dots alone (FWD-D03). Two ids never
/// share a name, up to the strength of the hash that stands for one longer than 200 bytes.
///
/// ```
/// use portcullis_core::authority::forwarding::encode_component;
/// assert_eq!(encode_component("a/b"), "a%2Fb");
/// assert_eq!(encode_component(".."), "%2E%2E");
/// ```
pub fn encode_component(id: &str) -> String {
    if id.is_empty() {
        return EMPTY_MARK.to_owned();
    }
    let only_dots = id.bytes().all(|byte| byte == b'.');
    if id.len() <= MAX_NAME_BYTES && !only_dots && id.bytes().all(is_plain) {
        return id.to_owned();
    }
    let mut name = String::with_capacity(id.len());
    for byte in id.bytes() {
        if is_plain(byte) && !(only_dots && byte == b'.') {
            name.push(char::from(byte));
        } else {
            // Writing into a text cannot fail.
            let _ = write!(name, "%{byte:02X}");
        }
    }
    if name.len() <= MAX_NAME_BYTES { name } else { hashed(id) }
}

fn is_plain(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'!' | b'~' | b'\'' | b'(' | b')')
}

fn hashed(id: &str) -> String {
    let mut name = HASH_MARK.to_owned();
    for byte in Sha256::digest(id.as_bytes()) {
        let _ = write!(name, "{byte:02x}");
    }
    name
}

#[cfg(test)]
mod tests;
