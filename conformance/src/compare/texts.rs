//! Comparison of texts and JSON values with placeholders.

use serde_json::{Map, Value};

use crate::implementation::Places;
use crate::scenario::{Part, Template};

/// Compares texts in one world.
#[derive(Debug, Clone, Copy)]
pub struct Texts<'a> {
    places: &'a Places,
}

/// What a text must look like, in order.
enum Piece {
    Literal(String),
    RequestId,
    Any,
}

impl<'a> Texts<'a> {
    /// For the world with these places.
    pub fn new(places: &'a Places) -> Self {
        Self { places }
    }

    /// The places.
    pub fn places(&self) -> &'a Places {
        self.places
    }

    /// On Windows case does not count, and paths may come lowered.
    fn folded(&self, text: &str) -> String {
        if self.places.windows { text.to_lowercase() } else { text.to_owned() }
    }

    fn pieces(&self, expected: &str) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        let push = |pieces: &mut Vec<Piece>, text: &str| match pieces.last_mut() {
            Some(Piece::Literal(literal)) => literal.push_str(text),
            _ => pieces.push(Piece::Literal(text.to_owned())),
        };
        for part in Template::parse(expected).parts {
            match part {
                Part::Literal(text) => push(&mut pieces, &self.folded(&text)),
                Part::Place(name) => push(&mut pieces, &self.folded(&self.places.get(name))),
                Part::RequestId => pieces.push(Piece::RequestId),
                Part::Any => pieces.push(Piece::Any),
            }
        }
        pieces
    }

    /// Whether the whole text is as expected.
    pub fn equal(&self, expected: &str, got: &str) -> bool {
        fits(&self.pieces(expected), &self.folded(got))
    }

    /// Whether the expected text occurs in the other.
    pub fn contained(&self, expected: &str, got: &str) -> bool {
        let mut pieces = vec![Piece::Any];
        pieces.extend(self.pieces(expected));
        pieces.push(Piece::Any);
        fits(&pieces, &self.folded(got))
    }

    /// Whether a value has all expected members; a member `null` must be null or absent.
    pub fn members(&self, expected: &Map<String, Value>, got: &Value) -> bool {
        expected.iter().all(|(key, expected)| self.value(expected, got.get(key).unwrap_or(&Value::Null)))
    }

    fn value(&self, expected: &Value, got: &Value) -> bool {
        match (expected, got) {
            (Value::String(expected), Value::String(got)) => self.equal(expected, got),
            (Value::Object(expected), got) => got.is_object() && self.members(expected, got),
            (Value::Array(expected), Value::Array(got)) => {
                expected.len() == got.len() && expected.iter().zip(got).all(|(expected, got)| self.value(expected, got))
            }
            (Value::Number(expected), Value::Number(got)) => expected.as_f64() == got.as_f64(),
            (Value::String(expected), other) => expected == "${ANY}" && !other.is_null(),
            (expected, got) => expected == got,
        }
    }
}

/// Greedy from the left: literals between two wild pieces are found at their first place, which is enough for `${ANY}`; a request id
/// takes the characters of its own alphabet.
fn fits(pieces: &[Piece], text: &str) -> bool {
    let mut rest = text;
    let mut any = false;
    for (index, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Any => any = true,
            Piece::Literal(literal) => {
                let last = index + 1 == pieces.len();
                let found = if any && last {
                    rest.ends_with(literal.as_str()).then(|| rest.len() - literal.len())
                } else if any {
                    rest.find(literal.as_str())
                } else {
                    rest.starts_with(literal.as_str()).then_some(0)
                };
                let Some(at) = found else { return false };
                rest = rest.get(at + literal.len()..).unwrap_or_default();
                any = false;
            }
            Piece::RequestId => {
                let start = if any { rest.find(|letter: char| letter.is_ascii_digit()).unwrap_or(rest.len()) } else { 0 };
                let tail = rest.get(start..).unwrap_or_default();
                let Some(length) = request_id(tail) else { return false };
                rest = tail.get(length..).unwrap_or_default();
                any = false;
            }
        }
    }
    any || rest.is_empty()
}

/// Length of an id of FWD-003's shape at the start of the text: digits, up to eight base-36 characters, a process number. A typed skill's
/// id has a prefix (PIPE-012).
fn request_id(text: &str) -> Option<usize> {
    let prefix = if text.starts_with("skill-input-") { "skill-input-".len() } else { 0 };
    let rest = text.get(prefix..)?;
    let millis = rest.bytes().take_while(u8::is_ascii_digit).count();
    let rest = rest.get(millis..)?.strip_prefix('-')?;
    let random = rest.bytes().take_while(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase()).count();
    let rest = rest.get(random..)?.strip_prefix('-')?;
    let process = rest.bytes().take_while(u8::is_ascii_digit).count();
    (millis == 13 && (1..=8).contains(&random) && process > 0).then_some(prefix + millis + random + process + 2)
}
