//! The JSON Schema of each message, made from the types that the runner itself reads and writes.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

use super::{Done, HelloResult, Message, VERSION};
use crate::implementation::{Observation, StepRequest, World};

/// The schema of a message, draft 2020-12.
pub fn schema(message: Message) -> Value {
    let settings = SchemaSettings::draft2020_12();
    let mut generator = if message.answer { settings.for_deserialize() } else { settings.for_serialize() }.into_generator();
    let mut schema =
        if message.answer { answer(message.method, &mut generator) } else { request(message.method, &mut generator) };
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        schema.insert("$defs".into(), Value::Object(definitions));
    }
    Value::Object(schema)
}

fn head(method: &str, kind: &str) -> Map<String, Value> {
    let mut schema = Map::new();
    schema.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".into(), json!(format!("Portcullis protocol {VERSION}: {kind} `{method}`")));
    schema.insert("type".into(), json!("object"));
    schema
}

fn id() -> Value {
    json!({ "type": "integer", "minimum": 0, "description": "Counts up from 1 in each process; the answer repeats it." })
}

fn request(method: &str, generator: &mut SchemaGenerator) -> Map<String, Value> {
    let mut properties = Map::new();
    properties.insert("id".into(), id());
    properties.insert("method".into(), json!({ "const": method }));
    match method {
        "hello" => {
            let version = json!({ "type": "integer", "description": "The version of the protocol that the runner speaks." });
            properties.insert("protocol".into(), version);
            properties.insert("runner".into(), json!({ "type": "string", "description": "Name and version of the runner." }));
        }
        "begin" => {
            properties.insert("world".into(), generator.subschema_for::<World>().to_value());
        }
        "step" => {
            properties.insert("step".into(), generator.subschema_for::<StepRequest>().to_value());
        }
        _ => {}
    }
    let required: Vec<String> = properties.keys().cloned().collect();
    let mut schema = head(method, "request");
    schema.insert("additionalProperties".into(), json!(false));
    schema.insert("required".into(), json!(required));
    schema.insert("properties".into(), Value::Object(properties));
    schema
}

/// `hello`, `end` and `bye` cannot be skipped.
fn answer(method: &str, generator: &mut SchemaGenerator) -> Map<String, Value> {
    let result = match method {
        "hello" => generator.subschema_for::<HelloResult>(),
        "step" => generator.subschema_for::<Observation>(),
        _ => generator.subschema_for::<Done>(),
    };
    let text = |description: &str| json!({ "type": "string", "pattern": "\\S", "description": description });
    let one = |key: &str, value: Value| json!({ "additionalProperties": false, "required": ["id", key], "properties": { "id": id(), key: value } });
    let mut kinds = vec![one("result", result.to_value())];
    if matches!(method, "begin" | "step") {
        kinds.push(one("skip", text("The implementation does not do this: why.")));
    }
    kinds.push(one("error", text("The implementation could not do this: why.")));
    let mut schema = head(method, "answer to");
    schema.insert("oneOf".into(), Value::Array(kinds));
    schema
}
