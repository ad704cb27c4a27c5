//! YAML 1.2, core schema, into the same tree as JSON (RES-09).
//!
//! The events of the parser behind `serde-saphyr` are used directly: they carry positions, keep order and duplicates, and
//! need no recursion. Aliases are expanded within bounds; nothing else of YAML is interpreted.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_saphyr::granit_parser::{self, Event, Parser, ScalarStyle, Span, Tag};

use super::super::json::{Document, Duplicate, MAX_DEPTH, Member, Node, NodeValue, Position, TextFault, find_duplicates};

/// How many nodes all aliases of one file may bring in together.
const MAX_ALIAS_NODES: usize = 10_000;

/// Parses one YAML document; `lines_before` of the file stand before it.
pub(crate) fn parse_yaml(text: &str, lines_before: u32) -> Result<Document, TextFault> {
    let options = granit_parser::options! {
        strict_indentation: false,
        emit_comments: false,
        simple_key_max_lookahead: 4096,
    };
    let parser = Parser::new_from_str_with_options(text, options);
    let mut builder = Builder::new(lines_before);
    for event in parser {
        match event {
            Ok((event, span)) => builder.event(event, &span)?,
            Err(error) => return Err(TextFault::new(builder.place(error.marker()), describe(&error.info()))),
        }
    }
    let start = Position { line: lines_before.saturating_add(1), column: 1 };
    let root = builder.root.unwrap_or(Node { value: NodeValue::Null, at: start, span: 0..0 });
    let mut duplicates = builder.duplicates;
    duplicates.sort_by_key(|duplicate| duplicate.at);
    Ok(Document { root, duplicates })
}

fn describe(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

/// A finished node with what aliases need to know of it.
#[derive(Clone)]
struct Built {
    node: Node,
    /// How many nodes it holds, itself included.
    size: usize,
    /// How many levels it has.
    depth: usize,
    /// Whether it was written without quotes: `<<` is a merge key only then.
    plain: bool,
    /// The spelling of a scalar that is no string: as a key it is that text.
    spelling: Option<String>,
}

/// A collection that is not closed yet.
struct Frame {
    at: Position,
    anchor: usize,
    size: usize,
    depth: usize,
    /// Whether it carries a tag of its own: then nobody knows what it is.
    tagged: bool,
    kind: FrameKind,
}

enum FrameKind {
    Sequence(Vec<Node>),
    /// The members so far, and the key whose value comes next.
    Mapping(Vec<Member>, Option<(String, Position)>),
}

struct Builder {
    lines_before: u32,
    documents: usize,
    stack: Vec<Frame>,
    anchors: HashMap<usize, Built>,
    alias_nodes: usize,
    duplicates: Vec<Duplicate>,
    root: Option<Node>,
}

impl Builder {
    fn new(lines_before: u32) -> Self {
        Self {
            lines_before,
            documents: 0,
            stack: Vec::new(),
            anchors: HashMap::new(),
            alias_nodes: 0,
            duplicates: Vec::new(),
            root: None,
        }
    }

    fn place(&self, marker: &granit_parser::Marker) -> Position {
        let line = u32::try_from(marker.line()).unwrap_or(u32::MAX).max(1).saturating_add(self.lines_before);
        let column = u32::try_from(marker.col()).unwrap_or(u32::MAX).saturating_add(1);
        Position { line, column }
    }

    fn event(&mut self, event: Event<'_>, span: &Span) -> Result<(), TextFault> {
        let at = self.place(&span.start);
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(TextFault::new(at, "more than one document"));
                }
                Ok(())
            }
            Event::Scalar(text, style, anchor, tag) => {
                let built = scalar(text, style, tag.as_deref(), at);
                self.remember(anchor, &built);
                self.attach(built)
            }
            Event::SequenceStart(_, anchor, tag) => self.open(at, anchor, tag.as_deref(), FrameKind::Sequence(Vec::new())),
            Event::MappingStart(_, anchor, tag) => self.open(at, anchor, tag.as_deref(), FrameKind::Mapping(Vec::new(), None)),
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::Alias(id) => self.alias(id, at),
            Event::UnresolvedAlias(_) => Err(TextFault::new(at, "an alias without its anchor")),
            _ => Ok(()),
        }
    }

    fn open(&mut self, at: Position, anchor: usize, tag: Option<&Tag>, kind: FrameKind) -> Result<(), TextFault> {
        if self.stack.len() >= MAX_DEPTH {
            return Err(TextFault::new(at, format!("nested more than {MAX_DEPTH} levels deep")));
        }
        if self.awaits_key() {
            return Err(TextFault::new(at, "a key must be a plain text"));
        }
        let tagged = tag.is_some_and(|tag| tag.core_suffix().is_none());
        self.stack.push(Frame { at, anchor, size: 1, depth: 1, tagged, kind });
        Ok(())
    }

    fn close(&mut self) -> Result<(), TextFault> {
        let Some(frame) = self.stack.pop() else { return Ok(()) };
        let value = match frame.kind {
            FrameKind::Sequence(items) => NodeValue::Array(items),
            FrameKind::Mapping(members, _) => {
                let stack = &self.stack;
                find_duplicates(&members, &|| path_of(stack), &mut self.duplicates);
                NodeValue::Object(members)
            }
        };
        let value = if frame.tagged { NodeValue::Unsupported("a tagged value") } else { value };
        let node = Node { value, at: frame.at, span: 0..0 };
        let built = Built { node, size: frame.size, depth: frame.depth, plain: false, spelling: None };
        self.remember(frame.anchor, &built);
        self.attach(built)
    }

    fn alias(&mut self, id: usize, at: Position) -> Result<(), TextFault> {
        // An anchor that is still open would hold itself.
        let Some(mut built) = self.anchors.get(&id).cloned() else {
            return Err(TextFault::new(at, "an alias inside its own anchor"));
        };
        self.alias_nodes = self.alias_nodes.saturating_add(built.size);
        if self.alias_nodes > MAX_ALIAS_NODES {
            return Err(TextFault::new(at, format!("aliases bring in more than {MAX_ALIAS_NODES} values")));
        }
        if self.stack.len() + built.depth > MAX_DEPTH {
            return Err(TextFault::new(at, format!("nested more than {MAX_DEPTH} levels deep")));
        }
        built.node.at = at;
        built.plain = false;
        self.attach(built)
    }

    fn remember(&mut self, anchor: usize, built: &Built) {
        if anchor != 0 {
            self.anchors.insert(anchor, built.clone());
        }
    }

    fn awaits_key(&self) -> bool {
        matches!(self.stack.last(), Some(Frame { kind: FrameKind::Mapping(_, None), .. }))
    }

    fn attach(&mut self, built: Built) -> Result<(), TextFault> {
        let Some(frame) = self.stack.last_mut() else {
            self.root = Some(built.node);
            return Ok(());
        };
        frame.size = frame.size.saturating_add(built.size);
        frame.depth = frame.depth.max(built.depth + 1);
        match &mut frame.kind {
            FrameKind::Sequence(items) => items.push(built.node),
            FrameKind::Mapping(members, slot) => match slot.take() {
                Some((key, at)) => members.push(Member { key, at, value: built.node }),
                None => *slot = Some(key_of(built)?),
            },
        }
        Ok(())
    }
}

/// A key is a text. Keys that YAML would read as numbers or booleans keep their spelling; a collection is no key.
fn key_of(built: Built) -> Result<(String, Position), TextFault> {
    let Node { value, at, .. } = built.node;
    match (value, built.spelling) {
        (NodeValue::String(text), _) if text == "<<" && built.plain => {
            Err(TextFault::new(at, "YAML 1.2 has no merge keys; write the entries out"))
        }
        (NodeValue::String(text), _) | (_, Some(text)) => Ok((text, at)),
        _ => Err(TextFault::new(at, "a key must be a plain text")),
    }
}

fn path_of(stack: &[Frame]) -> String {
    let parts: Vec<String> = stack
        .iter()
        .map(|frame| match &frame.kind {
            FrameKind::Sequence(items) => items.len().to_string(),
            FrameKind::Mapping(_, key) => key.as_ref().map(|(key, _)| key.clone()).unwrap_or_default(),
        })
        .collect();
    parts.join(".")
}

fn scalar(text: Cow<'_, str>, style: ScalarStyle, tag: Option<&Tag>, at: Position) -> Built {
    let plain = style == ScalarStyle::Plain;
    let (value, spelling) = match tag.map(Tag::core_suffix) {
        Some(None) => (NodeValue::Unsupported("a tagged value"), None),
        Some(Some("str")) => (NodeValue::String(text.into_owned()), None),
        _ => match resolve_plain(&text).filter(|_| plain) {
            Some(value) => (value, Some(text.into_owned())),
            None => (NodeValue::String(text.into_owned()), None),
        },
    };
    Built { node: Node { value, at, span: 0..0 }, size: 1, depth: 1, plain, spelling }
}

/// The core schema (YAML 1.2.2, section 10.3.2): what a plain text means when it is no string.
fn resolve_plain(text: &str) -> Option<NodeValue> {
    match text {
        "" | "null" | "Null" | "NULL" | "~" => Some(NodeValue::Null),
        "true" | "True" | "TRUE" => Some(NodeValue::Bool(true)),
        "false" | "False" | "FALSE" => Some(NodeValue::Bool(false)),
        ".nan" | ".NaN" | ".NAN" => Some(NodeValue::Number(f64::NAN)),
        _ => number(text).map(NodeValue::Number),
    }
}

fn number(text: &str) -> Option<f64> {
    if let Some(octal) = text.strip_prefix("0o").filter(|digits| all_digits(digits, 8)) {
        return u64::from_str_radix(octal, 8).ok().map(|value| value as f64).or(Some(f64::INFINITY));
    }
    if let Some(hex) = text.strip_prefix("0x").filter(|digits| all_digits(digits, 16)) {
        return u64::from_str_radix(hex, 16).ok().map(|value| value as f64).or(Some(f64::INFINITY));
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return Some(f64::INFINITY);
    }
    // `inf`, `infinity` and `nan` are numbers to Rust but not to YAML.
    let starts_like_number = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let only_number_signs = unsigned.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'));
    if starts_like_number && only_number_signs { text.parse().ok() } else { None }
}

fn all_digits(text: &str, radix: u32) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_digit(radix))
}
