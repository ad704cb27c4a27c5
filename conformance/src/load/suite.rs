//! Reads whole files: the suite, its scenarios, their rows; and what spans files, such as ids.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::reader::{Fields, Reader};
use super::table::{self, Row};
use super::{check, given, sessions, steps};
use crate::problem::Problem;
use crate::requirements;
use crate::scenario::{Capability, Level, Scenario, Step, Written};
use crate::source::{Place, SourceFile};
use crate::yaml::{self, Entry, Node, Yaml};

/// Keys of a file.
pub(crate) const SUITE_KEYS: [&str; 6] = ["suite", "about", "level", "needs", "given", "scenarios"];
/// Keys of a scenario.
pub(crate) const SCENARIO_KEYS: [&str; 9] = ["id", "title", "covers", "note", "level", "needs", "given", "each", "steps"];

/// What loading gave: the scenarios that could be read, and everything that is wrong.
#[derive(Debug, Default)]
pub struct Loaded {
    /// Scenario rows in the order of files and texts.
    pub scenarios: Vec<Scenario>,
    /// Faults in the same order.
    pub problems: Vec<Problem>,
}

/// Loads sources. Ids are unique over all of them.
pub fn load(sources: &[Arc<SourceFile>]) -> Loaded {
    let mut loaded = Loaded::default();
    let mut ids: HashMap<String, String> = HashMap::new();
    for file in sources {
        let reader = Reader::new(file);
        match yaml::parse(file) {
            Err(problem) => loaded.problems.push(problem),
            Ok(None) => reader.error(Place::START, "the file is empty", Some("see docs/scenarios.md".into())),
            Ok(Some(root)) => loaded.scenarios.extend(suite(&reader, &root, &mut ids)),
        }
        loaded.problems.extend(reader.into_problems());
    }
    loaded
}

/// What a file says for all its scenarios.
struct Shared<'n> {
    name: Arc<str>,
    level: Option<Level>,
    needs: Vec<Capability>,
    given: Option<&'n Node>,
}

fn suite(reader: &Reader, root: &Node, ids: &mut HashMap<String, String>) -> Vec<Scenario> {
    let Some(fields) = reader.fields(root, "a scenario file", &SUITE_KEYS) else { return Vec::new() };
    let name = match fields.get("suite") {
        Some(node) => reader.name(node, "`suite`").unwrap_or_default(),
        None => {
            reader.error(root.place, "the file has no `suite`: its name", None);
            String::new()
        }
    };
    if let Some(node) = fields.get("about") {
        reader.text(node, "`about`");
    }
    let given = fields.get("given").filter(|node| reader.entries(node, "`given`").is_some());
    let shared = Shared { name: name.into(), level: level(reader, &fields), needs: needs(reader, &fields), given };
    let Some(node) = fields.get("scenarios") else {
        reader.error(root.place, "the file has no `scenarios`", None);
        return Vec::new();
    };
    let items = reader.list(node, "`scenarios`").unwrap_or_default();
    if items.is_empty() && node.as_list().is_some() {
        reader.error(node.place, "the file has no scenario", None);
    }
    items.iter().flat_map(|item| scenario(reader, item, &shared, ids)).collect()
}

fn level(reader: &Reader, fields: &Fields<'_>) -> Option<Level> {
    fields.get("level").and_then(|node| reader.word(node, "`level`", &Level::NAMES)).and_then(|word| Level::parse(&word))
}

fn needs(reader: &Reader, fields: &Fields<'_>) -> Vec<Capability> {
    let Some(items) = fields.get("needs").and_then(|node| reader.list(node, "`needs`")) else { return Vec::new() };
    items
        .iter()
        .filter_map(|item| reader.word(item, "a capability", Capability::NAMES))
        .filter_map(|word| Capability::parse(&word))
        .collect()
}

/// What is read once for all rows of a scenario.
struct Head {
    id: String,
    title: String,
    covers: Vec<String>,
    note: Option<String>,
    level: Level,
    needs: Vec<Capability>,
}

fn head(reader: &Reader, node: &Node, fields: &Fields<'_>, shared: &Shared<'_>) -> Option<Head> {
    let required = |key: &str| {
        let found = fields.get(key);
        if found.is_none() {
            reader.error(node.place, format!("the scenario has no `{key}`"), None);
        }
        found
    };
    let id = required("id").and_then(|node| id(reader, node));
    let title = required("title").and_then(|node| reader.name(node, "`title`"));
    let covers = match fields.get("covers") {
        Some(node) => covers(reader, node),
        None => {
            reader.objection(node.place, "the scenario has no `covers`", None);
            Vec::new()
        }
    };
    required("steps");
    let note = fields.get("note").and_then(|node| reader.text(node, "`note`"));
    let own = level(reader, fields);
    if own.is_none() && shared.level.is_none() {
        reader.error(node.place, "neither the file nor the scenario says its `level`", Some("baseline or hardened".into()));
    }
    let mut all = shared.needs.clone();
    all.extend(needs(reader, fields));
    Some(Head { id: id?, title: title?, covers, note, level: own.or(shared.level)?, needs: all })
}

fn id(reader: &Reader, node: &Node) -> Option<String> {
    let id = reader.text(node, "`id`")?;
    if id.is_empty() || !id.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.')) {
        reader.error(node.place, format!("`{id}` is no id"), Some("use letters, digits, `-`, `_` and `.`".into()));
        return None;
    }
    Some(id)
}

fn covers(reader: &Reader, node: &Node) -> Vec<String> {
    let Some(items) = reader.list(node, "`covers`") else { return Vec::new() };
    if items.is_empty() {
        reader.error(node.place, "`covers` names no requirement", None);
    }
    let mut covered = Vec::new();
    for item in items {
        let Some(id) = reader.text(item, "a requirement") else { continue };
        if requirements::find(&id).is_none() {
            let near = crate::problem::nearest(&id, requirements::all().iter().map(|known| known.id));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            reader.objection(item.place, format!("docs/spec knows no requirement `{id}`"), help);
        }
        if covered.contains(&id) {
            reader.error(item.place, format!("`{id}` stands here twice"), None);
        }
        covered.push(id);
    }
    covered
}

fn scenario(reader: &Reader, node: &Node, shared: &Shared<'_>, ids: &mut HashMap<String, String>) -> Vec<Scenario> {
    let Some(fields) = reader.fields(node, "a scenario", &SCENARIO_KEYS) else { return Vec::new() };
    let head = head(reader, node, &fields, shared);
    if let Some(head) = &head {
        let here = format!("{}:{}", reader.file.name, node.place.line);
        if let Some(first) = ids.insert(head.id.clone(), here) {
            reader.error(
                fields.key_place("id"),
                format!("the id `{}` is taken", head.id),
                Some(format!("first used at {first}")),
            );
        }
    }
    let rows = fields.get("each").map(|each| (each, table::rows(reader, each)));
    let columns: Vec<&str> = rows.as_ref().and_then(|(_, rows)| rows.first()).map(Row::columns).unwrap_or_default();
    let mut used = HashSet::new();
    let own = fields.get("given").filter(|node| reader.entries(node, "`given`").is_some());
    let given = merged(shared.given, own, node.place);
    for part in ["title", "note", "steps"].iter().filter_map(|key| fields.get(key)).chain([&given]) {
        table::scan(reader, part, &columns, &mut used);
    }
    if let Some((each, _)) = &rows {
        table::report_unused(reader, each, &columns, &used);
    }
    let template = Template { reader, shared, head: head.as_ref(), given: &given, steps: fields.get("steps") };
    match rows {
        None => template.build(node.place, None).into_iter().collect(),
        Some((_, rows)) => rows.iter().filter_map(|row| template.build(row.place, Some(row))).collect(),
    }
}

struct Template<'a, 'n> {
    reader: &'a Reader,
    shared: &'a Shared<'n>,
    head: Option<&'a Head>,
    given: &'a Node,
    steps: Option<&'n Node>,
}

impl Template<'_, '_> {
    fn build(&self, place: Place, row: Option<&Row<'_>>) -> Option<Scenario> {
        let reader = self.reader;
        let fill = |node: &Node| row.map_or_else(|| node.clone(), |row| row.fill(reader, node));
        let written = Written { given: fill(self.given), steps: fill(self.steps?) };
        let given = given::given(reader, &written.given);
        let steps = self.read_steps(&written.steps, given.agent.as_deref());
        let (head, steps) = (self.head?, steps?);
        let fill_text = |text: &str| fill(&Node::text(text, place)).scalar_text().unwrap_or_default().to_owned();
        let mut scenario = Scenario {
            name: row.map_or_else(|| head.id.clone(), |row| format!("{}/{}", head.id, row.label)),
            id: head.id.clone(),
            title: fill_text(&head.title),
            suite: Arc::clone(&self.shared.name),
            covers: head.covers.clone(),
            note: head.note.as_deref().map(fill_text),
            level: head.level,
            needs: head.needs.clone(),
            given,
            steps,
            file: Arc::clone(&reader.file),
            place,
            written: Some(Arc::new(written)),
        };
        sessions::check(reader, &scenario.given.sessions, &scenario.steps);
        check::imply_needs(&mut scenario);
        check::check(reader, &scenario, place);
        Some(scenario)
    }

    /// All steps, or `None` when one of them could not be read: what is missing must not raise further faults.
    fn read_steps(&self, node: &Node, agent: Option<&str>) -> Option<Vec<Step>> {
        let items = self.reader.list(node, "`steps`")?;
        if items.is_empty() {
            self.reader.error(node.place, "the scenario has no step", None);
        }
        let steps: Vec<Step> = items.iter().filter_map(|item| steps::step(self.reader, item, agent)).collect();
        (steps.len() == items.len()).then_some(steps)
    }
}

/// A scenario's `given` replaces whole keys of its file's. Rules and raw texts are two ways to write the same files: what the scenario
/// says of a file takes away what its file said of it in the other way.
fn merged(shared: Option<&Node>, own: Option<&Node>, place: Place) -> Node {
    let own_entries = own.and_then(Node::as_map).unwrap_or_default();
    let mut entries: Vec<Entry> = Vec::new();
    for entry in shared.and_then(Node::as_map).unwrap_or_default() {
        if own_entries.iter().any(|own| own.key == entry.key) {
            continue;
        }
        if let Some(value) =
            own.map_or_else(|| Some(entry.value.clone()), |own| given::without_replaced(&entry.key, &entry.value, own))
        {
            entries.push(Entry { value, ..entry.clone() });
        }
    }
    entries.extend(own_entries.iter().cloned());
    let place = own.or(shared).map_or(place, |node| node.place);
    Node { yaml: Yaml::Map(entries), ..Node::text("", place) }
}
