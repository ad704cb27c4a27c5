//! The page around the data: markup, style, scripts, and a policy that lets nothing else in. It knows nothing of what the data say.

use std::fmt::Write as _;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// A page.
pub(super) struct Document<'a> {
    /// Its title.
    pub(super) title: &'a str,
    /// The markup of its body, without data; `<!-- theme -->` in it becomes the choice of a theme.
    pub(super) body: &'a str,
    /// Its scripts, in order; together they are one.
    pub(super) scripts: &'a [&'a str],
    /// Its data.
    pub(super) parts: &'a [Part],
}

/// Data that a page carries, under an id.
pub(super) struct Part {
    id: String,
    kind: &'static str,
    text: String,
}

impl Part {
    /// Data that are read at once.
    pub(super) fn json(id: &str, value: &Value) -> Self {
        Self { id: id.into(), kind: "application/json", text: harmless(&value.to_string()) }
    }

    /// Data that are read when somebody wants them: compressed, and in letters that mean nothing to HTML.
    pub(super) fn packed(id: &str, value: &Value) -> Self {
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
        // Writing to memory cannot fail.
        let _ = packed.write_all(value.to_string().as_bytes());
        Self { id: id.into(), kind: "application/octet-stream;base64", text: BASE64.encode(packed.finish().unwrap_or_default()) }
    }
}

/// JSON that stays JSON and holds no character with a meaning in HTML: nothing in it can end the element that it stands in.
fn harmless(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            // Outside of texts JSON has none of these.
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\u{7f}'..='\u{9f}' => {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\u{:04x}", u32::from(letter));
            }
            letter => text.push(letter),
        }
    }
    text
}

impl Document<'_> {
    /// The page as text.
    pub(super) fn text(&self) -> String {
        let style = include_str!("assets/report.css");
        let script = self.scripts.join("\n");
        let hash = |text: &str| BASE64.encode(Sha256::digest(text.as_bytes()));
        let policy = format!(
            "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
            hash(&script),
            hash(style)
        );
        let body = self.body.replace("  <!-- theme -->\n", include_str!("assets/theme.html"));
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <title>{}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\
             <noscript><p>This page needs JavaScript to show what it carries. It loads nothing from anywhere.</p></noscript>\n",
            self.title
        );
        for Part { id, kind, text } in self.parts {
            let _ = writeln!(page, "<script type=\"{kind}\" id=\"{id}\">{text}</script>");
        }
        let _ = writeln!(page, "<script>{script}</script>\n</body>\n</html>");
        page
    }
}
