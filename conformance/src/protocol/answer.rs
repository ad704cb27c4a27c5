//! What an implementation answers, and what is wrong with a line that is no answer.

use serde_json::{Map, Value};

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The id of the request.
    pub id: u64,
    /// What it says.
    pub reply: Reply,
}

/// Exactly one of the three.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// It did what was asked; the shape depends on the method.
    Result(Value),
    /// It does not do this, and says why.
    Skip(String),
    /// It could not do this, and says why.
    Error(String),
}

impl Answer {
    /// Reads a line, or says in words why it is no answer.
    pub fn parse(line: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(line).map_err(|error| format!("is no JSON ({error})"))?;
        let Value::Object(mut members) = value else { return Err("is JSON, but no object".into()) };
        let id = match members.shift_remove("id") {
            None => return Err("has no `id`".into()),
            Some(id) => id.as_u64().ok_or_else(|| format!("has an `id` that is no whole number: {id}"))?,
        };
        Ok(Self { id, reply: reply(members)? })
    }

    /// The line, without its end.
    pub fn line(&self) -> String {
        let (key, value) = match &self.reply {
            Reply::Result(value) => ("result", value.clone()),
            Reply::Skip(reason) => ("skip", Value::from(reason.as_str())),
            Reply::Error(message) => ("error", Value::from(message.as_str())),
        };
        let mut members = Map::new();
        members.insert("id".into(), self.id.into());
        members.insert(key.into(), value);
        Value::Object(members).to_string()
    }
}

fn reply(members: Map<String, Value>) -> Result<Reply, String> {
    let mut members = members.into_iter();
    let Some((key, value)) = members.next() else { return Err("has none of `result`, `skip` and `error`".into()) };
    if let Some((other, _)) = members.next() {
        return Err(format!("has `{key}` and `{other}`; beside `id` stands exactly one of `result`, `skip` and `error`"));
    }
    let text = |value: Value| match value {
        Value::String(text) if !text.trim().is_empty() => Ok(text),
        _ => Err(format!("has a `{key}` that is no text")),
    };
    match key.as_str() {
        "result" => Ok(Reply::Result(value)),
        "skip" => text(value).map(Reply::Skip),
        "error" => text(value).map(Reply::Error),
        _ => Err(format!("has `{key}` where one of `result`, `skip` and `error` belongs")),
    }
}
