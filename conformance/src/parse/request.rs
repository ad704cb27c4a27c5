//! One command line to look at, as a line of JSON: the input fields of docs/spec/bash-cases.jsonl.

use portcullis_core::host::Platform;
use serde_json::{Map, Value};

use crate::problem::did_you_mean;

/// What is analysed, and where.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    /// Given back with the answer.
    pub id: Option<String>,
    /// The command line.
    pub command: String,
    /// The session directory, by name only: nothing exists there.
    pub cwd: Option<String>,
    /// The home directory.
    pub home: Option<String>,
    /// The flavour of paths.
    pub platform: Option<Platform>,
    /// The directory argument of an aliased shell tool (CWD-020).
    pub workdir: Option<String>,
    /// Patterns of `path` rules that make a bare word a path (TOK-021).
    pub promote: Vec<String>,
}

/// The fields that mean something, and those of the case file that are read over.
const FIELDS: [&str; 7] = ["id", "command", "cwd", "home", "platform", "workdir", "promote"];
const READ_OVER: [&str; 4] = ["covers", "units", "external_paths", "path_tokens"];

/// Reads one line. The error is a fragment for people; beside it the id, when that much could be read.
pub fn read_request(line: &str) -> Result<Request, (Option<String>, String)> {
    let value: Value = serde_json::from_str(line.trim()).map_err(|error| (None, no_json(&error)))?;
    let Value::Object(fields) = value else { return Err((None, "a line is one JSON object".into())) };
    let id = fields.get("id").and_then(Value::as_str).map(str::to_owned);
    request(&fields).map_err(|fault| (id, fault))
}

/// The text is one line, and has another number to whoever sent it.
fn no_json(error: &serde_json::Error) -> String {
    format!("this is no JSON: {}", error.to_string().replace(" at line 1 column ", " at column "))
}

fn request(fields: &Map<String, Value>) -> Result<Request, String> {
    if let Some(key) = fields.keys().find(|key| !FIELDS.contains(&key.as_str()) && !READ_OVER.contains(&key.as_str())) {
        let help = did_you_mean(key, FIELDS).map(|help| format!("; {help}")).unwrap_or_default();
        return Err(format!("there is no field `{key}`{help}"));
    }
    let command = text(fields, "command")?.ok_or("the field `command` is missing")?;
    let platform = text(fields, "platform")?.map(|name| platform(&name)).transpose()?;
    let request = Request {
        id: text(fields, "id")?,
        command,
        cwd: text(fields, "cwd")?,
        home: text(fields, "home")?,
        platform,
        workdir: text(fields, "workdir")?,
        promote: texts(fields, "promote")?,
    };
    Ok(request)
}

/// `posix` or `win32`, as the case file writes them; `windows` as scenarios do.
pub(crate) fn platform(name: &str) -> Result<Platform, String> {
    match name {
        "posix" => Ok(Platform::Posix),
        "win32" | "windows" => Ok(Platform::Windows),
        other => Err(format!("a platform is posix or win32, not `{other}`")),
    }
}

/// An absent field and a null are the same.
fn text(fields: &Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match fields.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("`{key}` is no text")),
    }
}

fn texts(fields: &Map<String, Value>, key: &str) -> Result<Vec<String>, String> {
    let wrong = || format!("`{key}` is no list of texts");
    match fields.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => items.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong)).collect(),
        Some(_) => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    #[test]
    fn every_field_of_the_case_file_is_known() {
        let line = r#"{"id":"B1","covers":["CMD-005"],"command":"ls","cwd":"C:\\p","home":"C:\\h","platform":"win32",
            "workdir":"sub","promote":["id_*"],"units":[],"external_paths":[],"path_tokens":[]}"#;
        let expected = Request {
            id: Some("B1".into()),
            command: "ls".into(),
            cwd: Some("C:\\p".into()),
            home: Some("C:\\h".into()),
            platform: Some(Platform::Windows),
            workdir: Some("sub".into()),
            promote: vec!["id_*".into()],
        };
        assert_eq!(read_request(line), Ok(expected));
    }

    #[rstest]
    #[case("[]", None, "a line is one JSON object")]
    #[case(r#"{"id":"a"}"#, Some("a"), "the field `command` is missing")]
    #[case(r#"{"command":7}"#, None, "`command` is no text")]
    #[case(r#"{"command":"ls","promote":["a",1]}"#, None, "`promote` is no list of texts")]
    #[case(r#"{"command":"ls","platform":"dos"}"#, None, "a platform is posix or win32, not `dos`")]
    #[case(r#"{"id":"b","comand":"ls"}"#, Some("b"), "there is no field `comand`; did you mean `command`?")]
    fn a_bad_line_says_what_is_wrong(#[case] line: &str, #[case] id: Option<&str>, #[case] fault: &str) {
        assert_eq!(read_request(line), Err((id.map(str::to_owned), fault.to_owned())));
    }
}
