//! The JSON Schema of the scenario format, for editors. Built from the same lists as the loader, so the two cannot drift; the loader
//! remains the judge (it knows places, tables and what makes sense).

use serde_json::{Map, Value, json};

use crate::load::keys;
use crate::scenario::words::{GATES, MEMBER_SURFACES, SOURCES, STATES, UI_PROMPT_MEMBERS};
use crate::scenario::{Answer, Capability, ExchangeTrouble, Level};

/// The schema, draft 2020-12.
pub fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Portcullis scenario file",
        "description": "One suite of permission scenarios; docs/scenarios.md describes the format.",
        "type": "object",
        "additionalProperties": false,
        "required": ["suite", "scenarios"],
        "properties": {
            "suite": text("name of the suite"),
            "about": text("why these scenarios belong together"),
            "level": reference("level"),
            "needs": reference("needs"),
            "given": reference("given"),
            "scenarios": { "type": "array", "minItems": 1, "items": reference("scenario") },
        },
        "$defs": definitions(),
    })
}

fn definitions() -> Value {
    json!({
        "level": { "enum": Level::NAMES },
        "needs": { "type": "array", "items": { "enum": Capability::NAMES } },
        "scenario": scenario(),
        "given": given(),
        "policy": policy(),
        "scope": scope(),
        "surfaces": surfaces(),
        "policyFiles": policy_files(),
        "files": files(),
        "ui": ui(),
        "answers": answers(),
        "check": check(),
        "grants": grants(),
        "session": session(),
        "staged": staged(),
        "troubles": troubles(),
        "duration": { "type": "string", "pattern": "^\\+?([0-9]+(ms|s|m|h)|\\$\\{.*\\})$" },
        "step": step(),
        "expect": expect(),
        "by": by(),
        "prompt": prompt(),
        "texts": { "type": "array", "items": { "type": "string" } },
        "textOrTexts": { "anyOf": [{ "type": "string" }, reference("texts")] },
        "textMap": { "type": "object", "additionalProperties": { "type": "string" } },
        "placeholder": { "type": "string", "pattern": "^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$" },
    })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

/// A value, or the placeholder of a column that holds one.
fn or_column(value: Value) -> Value {
    json!({ "anyOf": [value, reference("placeholder")] })
}

fn or_null(value: Value) -> Value {
    json!({ "anyOf": [value, { "type": "null" }] })
}

/// An object with exactly these keys; a key without an entry takes any value.
fn object(names: &[&str], mut known: Map<String, Value>) -> Value {
    for name in names {
        known.entry((*name).to_owned()).or_insert_with(|| json!(true));
    }
    let known: Map<String, Value> = known.into_iter().map(|(name, value)| (name, or_column(value))).collect();
    json!({ "type": "object", "additionalProperties": false, "properties": known })
}

fn entries<const N: usize>(entries: [(&str, Value); N]) -> Map<String, Value> {
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn scenario() -> Value {
    let mut schema = object(
        &keys::SCENARIO,
        entries([
            (
                "id",
                json!({ "type": "string", "pattern": "^[A-Za-z0-9._-]+$", "description": "unique in all files, never renamed" }),
            ),
            ("title", text("what the scenario shows")),
            (
                "covers",
                json!({ "type": "array", "minItems": 1, "items": { "type": "string", "pattern": "^[A-Z]{3,}-D?[0-9]+$" } }),
            ),
            ("note", text("a remark")),
            ("level", reference("level")),
            ("needs", reference("needs")),
            ("given", reference("given")),
            (
                "each",
                json!({ "type": "array", "minItems": 1, "items": { "type": "object", "minProperties": 1 }, "description": "one scenario a row" }),
            ),
            ("steps", json!({ "type": "array", "minItems": 1, "items": or_column(reference("step")) })),
        ]),
    );
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("required".into(), json!(["id", "title", "steps"]));
    }
    schema
}

fn given() -> Value {
    object(
        &keys::GIVEN,
        entries([
            ("policy", reference("policy")),
            ("policy files", reference("policyFiles")),
            ("config", json!({ "type": "object" })),
            ("project config", json!({ "type": "object" })),
            ("tools", json!({ "type": "array" })),
            ("active tools", reference("texts")),
            ("ui", reference("ui")),
            ("agent", or_null(json!({ "type": "string" }))),
            ("trusted", json!({ "enum": [true, false, "unknown"] })),
            ("platform", json!({ "enum": ["posix", "windows"] })),
            ("env", reference("textMap")),
            ("files", reference("files")),
            ("skills", skills()),
            ("mcp servers", reference("texts")),
            ("project mcp servers", reference("texts")),
            ("extractors", reference("textMap")),
            ("session rules", reference("grants")),
            ("checks", json!({ "type": "object", "additionalProperties": reference("check") })),
            ("path checks", json!({ "type": "object", "additionalProperties": reference("check") })),
            ("bash checks", json!({ "type": "array", "items": { "type": "object", "required": ["match", "state"] } })),
            (
                "sessions",
                json!({ "type": "object", "minProperties": 1, "additionalProperties": or_column(reference("session")) }),
            ),
        ]),
    )
}

fn policy() -> Value {
    let by_agent = json!({ "type": "object", "additionalProperties": reference("scope") });
    let scopes = entries([
        ("global", reference("scope")),
        ("project", reference("scope")),
        ("agents", by_agent.clone()),
        ("project-agents", by_agent),
        ("agent", reference("scope")),
        ("project-agent", reference("scope")),
    ]);
    json!({ "anyOf": [object(&keys::SCOPES, scopes), reference("scope")] })
}

/// Rules, or the file that holds them.
fn scope() -> Value {
    let file = json!({ "type": "object", "additionalProperties": false, "required": ["file"],
        "properties": { "file": text("a configuration file, or an agent's file, relative to this one") } });
    json!({ "anyOf": [file, reference("surfaces")] })
}

/// Surfaces are open (any tool name); the well-known ones are offered. States may be wrong on purpose, so values stay open too.
fn surfaces() -> Value {
    let known = ["*", "bash", "mcp", "skill", "path", "external_directory", "read", "write", "edit", "grep", "find", "ls"];
    let state = json!({ "anyOf": [{ "enum": STATES }, true] });
    let value = json!({ "anyOf": [state.clone(), { "type": "object", "additionalProperties": state }] });
    let known: Map<String, Value> =
        known.iter().chain(&MEMBER_SURFACES).map(|name| ((*name).to_owned(), value.clone())).collect();
    json!({ "type": "object", "properties": known, "additionalProperties": value })
}

fn policy_files() -> Value {
    object(&keys::POLICY_FILES, entries([("agents", reference("textMap")), ("project-agents", reference("textMap"))]))
}

fn files() -> Value {
    let entry = json!({ "anyOf": [
        { "type": ["string", "null"] },
        { "type": "object", "additionalProperties": false, "required": ["symlink"], "properties": { "symlink": { "type": "string" } } },
        { "type": "object", "additionalProperties": false, "required": ["directory"], "properties": { "directory": { "const": true } } },
        reference("placeholder"),
    ] });
    json!({ "type": "object", "additionalProperties": entry })
}

fn skills() -> Value {
    let full = object(&["name", "location", "description"], Map::new());
    json!({ "type": "array", "items": { "anyOf": [{ "type": "string" }, full] } })
}

fn ui() -> Value {
    json!({ "anyOf": [{ "const": true }, object(&["answers"], entries([("answers", reference("answers"))]))] })
}

fn answers() -> Value {
    let words = json!({ "enum": Answer::WORDS });
    let one = |key: &str| json!({ "type": "object", "additionalProperties": false, "required": [key], "properties": { key: { "type": "string" } } });
    let plain = json!({ "anyOf": [words, one("deny"), one("fail"), reference("placeholder")] });
    let later = json!({ "type": "object", "additionalProperties": false, "required": ["answer", "after"],
        "properties": { "answer": plain, "after": reference("duration") } });
    json!({ "type": "array", "items": { "anyOf": [plain, later] } })
}

fn session() -> Value {
    object(
        &keys::SESSION,
        entries([
            ("id", json!({ "type": ["string", "null"] })),
            ("child of", text("the session that started it")),
            ("process", text("sessions of one process share memory; `main` when absent")),
            ("ui", reference("ui")),
            ("agent", json!({ "type": "string" })),
            ("trusted", json!({ "enum": [true, false, "unknown"] })),
            ("cwd", json!({ "type": "string" })),
            ("folder", json!({ "anyOf": [{ "type": "string" }, object(&["fail"], Map::new())] })),
            ("policy", reference("surfaces")),
            ("env", reference("textMap")),
            ("tools", json!({ "type": "array" })),
            ("session rules", reference("grants")),
            ("waits", json!({ "type": "boolean" })),
        ]),
    )
}

/// Paths below the folder of all sessions, and what is put there.
fn staged() -> Value {
    let names: Vec<&str> = keys::STAGED.iter().chain(&keys::STAGED_SIDE).copied().collect();
    let full = object(
        &names,
        entries([
            ("request", json!({ "type": "object" })),
            ("response", json!({ "type": "object" })),
            ("text", json!({ "type": "string" })),
            ("hex", json!({ "type": "string" })),
            ("symlink", json!({ "type": "string" })),
            ("moved to", json!({ "type": "string" })),
            ("directory", json!({ "const": true })),
            ("absent", json!({ "const": true })),
            ("without", reference("texts")),
            ("times", json!({ "type": "integer", "minimum": 0 })),
        ]),
    );
    let content = json!({ "anyOf": [{ "type": ["string", "null"] }, full, reference("placeholder")] });
    json!({ "type": "object", "minProperties": 1, "additionalProperties": content })
}

fn troubles() -> Value {
    let one = object(
        &keys::TROUBLE,
        entries([
            ("operation", json!({ "enum": ExchangeTrouble::OPERATIONS })),
            ("on", json!({ "type": "string" })),
            ("error", json!({ "enum": ExchangeTrouble::ERRORS })),
            ("times", json!({ "type": "integer", "minimum": 0 })),
        ]),
    );
    json!({ "type": "array", "items": or_column(one) })
}

fn check() -> Value {
    let full = object(&["state", "pattern", "origin", "source", "reason"], entries([("state", json!({ "enum": STATES }))]));
    json!({ "anyOf": [{ "enum": STATES }, full, reference("placeholder")] })
}

fn grants() -> Value {
    let one = json!({ "type": "object", "additionalProperties": false, "required": ["surface", "pattern"],
        "properties": { "surface": { "type": "string" }, "pattern": { "type": "string" } } });
    json!({ "type": "array", "items": or_column(one) })
}

fn step() -> Value {
    let input = json!({ "type": ["string", "object"] });
    let mut known = entries([
        ("id", json!({ "type": "string" })),
        ("answers", reference("answers")),
        ("expect", reference("expect")),
        ("tool", object(&["name", "input"], Map::new())),
        ("agent start", object(&["system prompt", "active tools"], Map::new())),
        ("policy change", object(&keys::CHANGE, Map::new())),
        ("host change", object(&keys::HOST_CHANGE, Map::new())),
        ("register extractor", object(&["tool", "field", "fails"], Map::new())),
        ("query", object(&["surface", "value", "agent"], Map::new())),
        ("in", text("the session that it happens in")),
        ("meanwhile", json!({ "type": "array", "items": { "type": "object", "required": ["after"] } })),
        ("stage", reference("staged")),
        ("exchange trouble", reference("troubles")),
        ("clock", reference("duration")),
        ("register link", object(&["name", "answers"], Map::new())),
        ("subagent created", object(&["payload", "child", "parent"], Map::new())),
        ("subagent disposed", object(&["payload", "child", "parent"], Map::new())),
    ]);
    for tool in ["bash", "read", "write", "edit", "grep", "find", "ls", "mcp", "skill"] {
        known.insert(tool.to_owned(), input.clone());
    }
    object(&keys::step(), known)
}

fn expect() -> Value {
    let events = |members: &[&str]| json!({ "type": "array", "items": or_column(object(members, Map::new())) });
    let lines = |names: &[&str]| {
        let line = json!({ "type": "object", "properties": { "event": or_column(json!({ "enum": names })) } });
        json!({ "type": "array", "items": { "anyOf": [{ "enum": names }, line, reference("placeholder")] } })
    };
    let names = |names: &[&str]| json!({ "type": "array", "items": { "anyOf": [{ "enum": names }, reference("placeholder")] } });
    let review = keys::review_events();
    let debug = keys::debug_events();
    object(
        &keys::EXPECT,
        entries([
            ("outcome", json!({ "enum": ["allow", "block", "continue", "handled", "ask", "deny"] })),
            ("by", reference("by")),
            ("reason", reference("textOrTexts")),
            ("reason lacks", reference("textOrTexts")),
            ("prompts", json!({ "type": "array", "items": or_column(reference("prompt")) })),
            ("notifications", json!({ "anyOf": [{ "type": "integer", "minimum": 0 }, reference("texts")] })),
            ("decisions", events(&keys::decision_members())),
            ("ui prompts", events(&UI_PROMPT_MEMBERS)),
            ("review log", lines(&review)),
            ("review log has", lines(&review)),
            ("review log lacks", names(&review)),
            ("debug log", lines(&debug)),
            ("debug log has", lines(&debug)),
            ("debug log lacks", names(&debug)),
            ("session rules", reference("grants")),
            ("active tools", reference("texts")),
            ("tools listed", reference("texts")),
            ("skills listed", reference("texts")),
            ("system prompt", json!({ "anyOf": [{ "const": "unchanged" }, object(&["contains", "lacks"], Map::new())] })),
            ("status", json!({ "type": ["string", "null"] })),
            ("files written", reference("texts")),
            ("source", json!({ "enum": SOURCES })),
            ("pattern", json!({ "type": ["string", "null"] })),
            ("sessions", json!({ "type": "object", "additionalProperties": or_column(reference("expect")) })),
            ("messages", json!({ "type": "array", "items": or_column(message()) })),
            ("exchange", reference("texts")),
            ("exchange has", json!({ "type": "object", "additionalProperties": { "type": "object" } })),
            ("modes", reference("textMap")),
            ("heartbeats", reference("texts")),
            (
                "took",
                object(
                    &["at least", "less than"],
                    entries([("at least", reference("duration")), ("less than", reference("duration"))]),
                ),
            ),
            ("ready", events(&["sessionId", "adjudicates"])),
        ]),
    )
}

fn message() -> Value {
    let full = object(
        &keys::MESSAGE,
        entries([
            ("request", json!({ "type": "object" })),
            ("response", json!({ "type": "object" })),
            ("without", reference("texts")),
        ]),
    );
    json!({ "anyOf": [{ "enum": ["request", "response"] }, full] })
}

fn by() -> Value {
    let mut schema = object(
        &keys::BY,
        entries([
            ("gate", json!({ "enum": GATES })),
            ("rule", json!({ "type": ["string", "null"] })),
            ("origin", or_null(json!({ "enum": keys::origins() }))),
            ("source", json!({ "enum": SOURCES })),
            ("resolution", json!({ "enum": keys::resolutions() })),
            ("requirement", json!({ "type": "string" })),
        ]),
    );
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("minProperties".into(), json!(1));
    }
    schema
}

fn prompt() -> Value {
    let full = object(
        &keys::PROMPT,
        entries([
            ("surface", json!({ "type": ["string", "null"] })),
            ("value", json!({ "type": ["string", "null"] })),
            ("contains", reference("textOrTexts")),
            ("lacks", reference("textOrTexts")),
            ("options", json!({ "type": "integer" })),
            ("offers", reference("textOrTexts")),
        ]),
    );
    json!({ "anyOf": [reference("textOrTexts"), full] })
}

#[cfg(test)]
mod tests;
