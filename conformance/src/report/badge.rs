//! A badge: as SVG, and as JSON for the endpoint of shields.io. Green only where every row there is was played and passed.

use portcullis_core::report::escape::visible;
use serde_json::{Value, json};

use super::{RunReport, Standing};

const LABEL: &str = "portcullis";

/// The endpoint's JSON.
pub(super) fn endpoint(run: &RunReport) -> String {
    let color = match run.standing() {
        Standing::Bad => "red",
        Standing::Nothing => "lightgrey",
        Standing::Partly => "yellow",
        Standing::Good => "brightgreen",
    };
    let mut value = json!({ "schemaVersion": 1, "label": LABEL, "message": message(run), "color": color });
    // An error is shown in its colour whatever colour the reader of the badge asks for.
    if let (Standing::Bad | Standing::Nothing, Some(members)) = (run.standing(), value.as_object_mut()) {
        members.insert("isError".into(), Value::Bool(true));
    }
    value.to_string()
}

fn message(run: &RunReport) -> String {
    if run.standing() == Standing::Nothing { "nothing ran".to_owned() } else { run.sums() }
}

/// The picture. Its text is real text; who cannot see it hears the title.
pub(super) fn svg(run: &RunReport) -> String {
    let message = message(run);
    // White on each of them is readable (contrast 4.5 and more).
    let color = match run.standing() {
        Standing::Bad => "#c62828",
        Standing::Nothing => "#616161",
        Standing::Partly => "#8a6100",
        Standing::Good => "#2e7d32",
    };
    let (left, right) = (width(LABEL) + 2 * MARGIN, width(&message) + 2 * MARGIN);
    let whole = left + right;
    let title = escaped(&format!("{} {}: {message}", run.implementation.name, run.implementation.version));
    let word = |text: &str, from: usize, room: usize| {
        let (middle, length) = (from + room / 2, room - 2 * MARGIN);
        format!("<text x=\"{middle}\" y=\"14\" textLength=\"{length}\">{}</text>", escaped(text))
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{whole}\" height=\"20\" viewBox=\"0 0 {whole} 20\" role=\"img\" aria-labelledby=\"t\">\n\
         <title id=\"t\">{title}</title>\n\
         <clipPath id=\"r\"><rect width=\"{whole}\" height=\"20\" rx=\"3\"/></clipPath>\n\
         <g clip-path=\"url(#r)\"><rect width=\"{left}\" height=\"20\" fill=\"#444\"/><rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"{color}\"/></g>\n\
         <g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana,DejaVu Sans,Geneva,sans-serif\" font-size=\"11\">\n\
         {}\n{}\n</g>\n</svg>",
        word(LABEL, 0, left),
        word(&message, left, right),
    )
}

/// Beside a word.
const MARGIN: usize = 6;

/// About how wide a text is in Verdana of 11 pixels; the text is then set to just that.
fn width(text: &str) -> usize {
    let tenths = |letter: char| match letter {
        'i' | 'j' | 'l' | '\'' => 30,
        ' ' | ',' | '.' | 'f' | 'I' | 't' => 40,
        'r' | '-' => 47,
        'm' | 'w' | 'M' | 'W' => 100,
        letter if letter.is_ascii_digit() => 70,
        letter if letter.is_ascii() => 67,
        _ => 110,
    };
    text.chars().map(tenths).sum::<usize>().div_ceil(10)
}

fn escaped(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
