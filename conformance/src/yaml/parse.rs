//! From text to tree, without recursion: the parser's events fill a stack of open nodes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use granit_parser::{Event, Marker, Parser, ScalarStyle, Span};

use super::node::{Entry, Node, Yaml};
use crate::problem::Problem;
use crate::source::{Place, SourceFile};

/// How deep nodes may nest.
pub const MAX_DEPTH: usize = 48;
/// How many nodes a file may hold, aliases written out.
pub const MAX_NODES: usize = 400_000;

/// An open list or map.
struct Open {
    node: Node,
    anchor: usize,
    key: Option<(Arc<str>, Place)>,
    seen: HashSet<Arc<str>>,
}

struct Builder<'a> {
    file: &'a Arc<SourceFile>,
    stack: Vec<Open>,
    anchors: HashMap<usize, Node>,
    nodes: usize,
    root: Option<Node>,
    documents: usize,
}

/// Reads one YAML document. The fault names its place; a file without any node gives `None`.
pub fn parse(file: &Arc<SourceFile>) -> Result<Option<Node>, Problem> {
    let options = granit_parser::options! { emit_comments: false, disallow_directives: true };
    let mut builder = Builder { file, stack: Vec::new(), anchors: HashMap::new(), nodes: 0, root: None, documents: 0 };
    for next in Parser::new_from_str_with_options(&file.text, options) {
        let (event, span) = next.map_err(|error| builder.syntax(&error))?;
        builder.event(event, &span)?;
    }
    Ok(builder.root)
}

impl Builder<'_> {
    fn problem(&self, place: Place, message: impl Into<String>, help: Option<&str>) -> Problem {
        Problem { file: Arc::clone(self.file), place, message: message.into(), help: help.map(Into::into), objection: false }
    }

    fn syntax(&self, error: &granit_parser::ScanError) -> Problem {
        let start = place_of(error.marker(), 0);
        let text = error.info();
        let at_star = self.file.text.get(start.offset..).is_some_and(|rest| rest.starts_with(['*', '&', '!', '%', '@', '`']));
        let help = at_star.then_some("a text that begins with one of * & ! % @ ` must stand in quotes");
        self.problem(start, format!("this is no YAML: {text}"), help)
    }

    fn event(&mut self, event: Event<'_>, span: &Span) -> Result<(), Problem> {
        let place = place_of(&span.start, span.byte_range().map_or(0, |range| range.len()));
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(self.problem(place, "a scenario file holds one YAML document", None));
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                if tag.is_some() {
                    return Err(self.tag(place));
                }
                let yaml = Yaml::Scalar { text: Arc::from(&*text), plain: style == ScalarStyle::Plain };
                self.close(Node { yaml, place, depth: 0, size: 1 }, anchor, 1)?;
            }
            Event::SequenceStart(_, anchor, tag) => self.open(Yaml::List(Vec::new()), place, anchor, tag.is_some())?,
            Event::MappingStart(_, anchor, tag) => self.open(Yaml::Map(Vec::new()), place, anchor, tag.is_some())?,
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(open) = self.stack.pop() {
                    self.close(open.node.measured(), open.anchor, 1)?;
                }
            }
            Event::Alias(id) => {
                let node = self.anchors.get(&id).cloned();
                let node = node.ok_or_else(|| self.problem(place, "an alias inside the node that it names", None))?;
                if self.nodes + node.size > MAX_NODES {
                    return Err(self.too_many(place));
                }
                let size = node.size;
                self.close(node, 0, size)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn tag(&self, place: Place) -> Problem {
        self.problem(place, "tags have no meaning in a scenario file", Some("put a text that begins with `!` in quotes"))
    }

    fn too_many(&self, place: Place) -> Problem {
        self.problem(place, format!("the file holds more than {MAX_NODES} nodes, aliases written out"), None)
    }

    fn open(&mut self, yaml: Yaml, place: Place, anchor: usize, tagged: bool) -> Result<(), Problem> {
        if tagged {
            return Err(self.tag(place));
        }
        if self.stack.last().is_some_and(|open| matches!(open.node.yaml, Yaml::Map(_)) && open.key.is_none()) {
            return Err(self.problem(
                place,
                "a key must be a plain text, not a list or map",
                Some("did you mean to quote `{…}` or `[…]`?"),
            ));
        }
        if self.stack.len() >= MAX_DEPTH {
            return Err(self.problem(place, format!("nested more than {MAX_DEPTH} levels deep"), None));
        }
        self.stack.push(Open { node: Node { yaml, place, depth: 0, size: 1 }, anchor, key: None, seen: HashSet::new() });
        Ok(())
    }

    /// A finished node goes to its parent, or is the root; `added` is what it brings beyond what was counted.
    fn close(&mut self, node: Node, anchor: usize, added: usize) -> Result<(), Problem> {
        self.nodes += added;
        if self.nodes > MAX_NODES {
            return Err(self.too_many(node.place));
        }
        if self.stack.len() + node.depth > MAX_DEPTH {
            return Err(self.problem(node.place, format!("nested more than {MAX_DEPTH} levels deep"), None));
        }
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        let Some(open) = self.stack.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        match &mut open.node.yaml {
            Yaml::List(items) => items.push(node),
            Yaml::Scalar { .. } => {}
            Yaml::Map(entries) => match open.key.take() {
                Some((key, place)) => entries.push(Entry { key, place, value: node }),
                None => return self.key(node),
            },
        }
        Ok(())
    }

    fn key(&mut self, node: Node) -> Result<(), Problem> {
        let Yaml::Scalar { text, .. } = node.yaml else {
            return Err(self.problem(node.place, "a key must be a plain text, not a list or map", None));
        };
        let Some(open) = self.stack.last_mut() else { return Ok(()) };
        if !open.seen.insert(Arc::clone(&text)) {
            let message = format!("the key `{text}` stands here twice");
            return Err(self.problem(node.place, message, Some("a map names each key once")));
        }
        open.key = Some((text, node.place));
        Ok(())
    }
}

fn place_of(marker: &Marker, length: usize) -> Place {
    Place { offset: marker.byte_offset().unwrap_or_default(), length, line: marker.line(), column: marker.col() + 1 }
}
