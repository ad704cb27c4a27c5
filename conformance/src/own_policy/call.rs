//! One call in the words of a person: a tool with what it is called with, a typed text, or the host's event as it stands.

use std::fmt;

use portcullis_core::access::is_path_surface;
use serde_json::{Value, json};

/// What is judged.
#[derive(Debug, Clone, PartialEq)]
pub enum Call {
    /// A tool call.
    Tool(Value),
    /// What a person types.
    Input(Value),
}

/// Why words make no call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallFault {
    /// What is wrong, and what to do.
    pub message: String,
}

impl fmt::Display for CallFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CallFault {}

impl Call {
    /// A call from its words: `bash CMD`, `read PATH`, `mcp TARGET`, `skill NAME`, `input TEXT`, `tool NAME JSON`, `event JSON`.
    ///
    /// ```
    /// use portcullis_conformance::own_policy::Call;
    /// let call = Call::from_words("bash", &["git push".into()]).unwrap();
    /// assert_eq!(call.subject(), "bash: git push");
    /// ```
    pub fn from_words(kind: &str, words: &[String]) -> Result<Self, CallFault> {
        let one = || match words {
            [one] => Ok(one.as_str()),
            [] => Err(fault(format!("`{kind}` needs what it is called with"))),
            _ => Err(fault(format!("`{kind}` takes one argument; put quotes around it"))),
        };
        Ok(match kind {
            "bash" => Self::of_tool("bash", json!({ "command": one()? })),
            "mcp" => Self::of_tool("mcp", json!({ "tool": one()? })),
            "skill" => Self::Input(json!(format!("/skill:{}", one()?))),
            "input" => Self::Input(json!(one()?)),
            "event" => Self::from_event(&parse(one()?)?)?,
            "tool" => match words {
                [name] => Self::of_tool(name, json!({})),
                [name, input] => Self::of_tool(name, parse(input)?),
                _ => return Err(fault("`tool` needs a name, and the input as one JSON argument".into())),
            },
            path if is_path_surface(path) && !path.contains('_') && path != "path" => {
                Self::of_tool(path, json!({ "path": one()? }))
            }
            other => {
                let known = ["bash", "read", "write", "edit", "grep", "find", "ls", "mcp", "skill", "input", "tool", "event"];
                let nearest = crate::problem::did_you_mean(other, known).map(|hint| format!("; {hint}")).unwrap_or_default();
                return Err(fault(format!("`{other}` is no kind of call: {}{nearest}", known.join(", "))));
            }
        })
    }

    /// An event of the host: a tool call with `toolName`, or an input with `text`.
    pub fn from_event(event: &Value) -> Result<Self, CallFault> {
        if event.get("toolName").is_some() || event.get("name").is_some() {
            return Ok(Self::Tool(event.clone()));
        }
        match event.get("text") {
            Some(text) => Ok(Self::Input(text.clone())),
            None => Err(fault("the event has neither `toolName` nor `text`".into())),
        }
    }

    fn of_tool(name: &str, input: Value) -> Self {
        Self::Tool(json!({ "type": "tool_call", "toolName": name, "toolCallId": "call-1", "input": input }))
    }

    /// The tool that is called; none for a typed text.
    pub fn tool(&self) -> Option<&str> {
        match self {
            Self::Tool(event) => event.get("toolName").or_else(|| event.get("name")).and_then(Value::as_str),
            Self::Input(_) => None,
        }
    }

    /// The call in a few words.
    pub fn subject(&self) -> String {
        match self {
            Self::Input(Value::String(text)) => format!("input: {text}"),
            Self::Input(other) => format!("input: {other}"),
            Self::Tool(event) => {
                let input = event.get("input").cloned().unwrap_or_default();
                let tool = self.tool().unwrap_or("?");
                match ["command", "path", "tool"].into_iter().find_map(|key| input.get(key)).and_then(Value::as_str) {
                    Some(text) => format!("{tool}: {text}"),
                    None => format!("{tool} {input}"),
                }
            }
        }
    }
}

fn fault(message: String) -> CallFault {
    CallFault { message }
}

fn parse(text: &str) -> Result<Value, CallFault> {
    serde_json::from_str(text).map_err(|error| fault(format!("this is no JSON: {error}")))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("read", &["a b"], "read: a b")]
    #[case("mcp", &["exa:search"], "mcp: exa:search")]
    #[case("skill", &["deploy"], "input: /skill:deploy")]
    #[case("tool", &["demo", r#"{"x":1}"#], r#"demo {"x":1}"#)]
    #[case("event", &[r#"{"toolName":"ls","input":{"path":"src"}}"#], "ls: src")]
    #[case("event", &[r#"{"text":"hello"}"#], "input: hello")]
    fn words_become_a_call(#[case] kind: &str, #[case] words: &[&str], #[case] expected: &str) {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(Call::from_words(kind, &words).unwrap().subject(), expected);
    }

    #[rstest]
    #[case("bsh", &["x"], "`bsh` is no kind of call")]
    #[case("bash", &["git", "push"], "`bash` takes one argument; put quotes around it")]
    #[case("bash", &[], "`bash` needs what it is called with")]
    #[case("tool", &["demo", "{"], "this is no JSON")]
    #[case("event", &["{}"], "the event has neither `toolName` nor `text`")]
    fn other_words_say_what_to_do(#[case] kind: &str, #[case] words: &[&str], #[case] expected: &str) {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let message = Call::from_words(kind, &words).unwrap_err().message;
        assert!(message.starts_with(expected), "{message}");
    }
}
