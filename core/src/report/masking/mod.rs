//! Masks values that are bound to a sensitive name (HARD-052, RES-43). Only records are masked: logs, events, reasons, never a
//! prompt.
//!
//! What binds a value to a name: an object's key, an assignment (`X=v`, `export X=v`, `?x=v`, `x = v`), an option (`--x=v`,
//! `--x v`), a header or key of plain text (`X: v`), a default (`${X:-v}`), and the user part of a URL that holds a password.
//! All of it is found wherever it stands: in a payload of `sh -c`, behind wrappers, in JSON inside JSON. Which names are
//! sensitive is data (`names`).
//!
//! **No guessing by shape**: `grep sk-1 .` stays as it is, because no name says what `sk-1` is; so do `mysql -psecret` and
//! `https://token@host`. Where the quoting of a word is stitched from several pieces, so that the end of a value cannot be told
//! from the outside, the whole word is masked. In doubt this room hides more, never less.
//!
//! The scan is linear, and masking twice changes nothing.

use std::borrow::Cow;

mod names;
mod quotes;
mod scan;
mod tree;
mod values;

pub use tree::mask_value;

/// What stands in place of a masked value.
pub const MASK: &str = "[redacted]";

/// The text with every value masked that is bound to a sensitive name in it.
///
/// ```
/// use portcullis_core::report::masking::mask_text;
/// assert_eq!(mask_text("KEY=v curl https://h"), "KEY=[redacted] curl https://h");
/// assert_eq!(mask_text(r#"curl -H "Authorization: Bearer x" h"#), r#"curl -H "Authorization: [redacted]" h"#);
/// assert_eq!(mask_text("grep sk-1 ."), "grep sk-1 .");
/// ```
pub fn mask_text(text: &str) -> Cow<'_, str> {
    if !scan::may_bind(text) {
        return text.into();
    }
    let mut masked = scan::Scanner::new(text).run();
    if masked == text {
        return text.into();
    }
    // A text of broken quoting may read differently once a value is gone; what is then found goes too. A sound text needs no
    // second look, and finds nothing in it.
    for _ in 0..MOST_PASSES {
        let again = scan::Scanner::new(&masked).run();
        if again == masked {
            return masked.into();
        }
        masked = again;
    }
    MASK.into()
}

/// How often a text is looked at before it is given up and hidden whole.
const MOST_PASSES: usize = 8;

#[cfg(test)]
mod tests;
