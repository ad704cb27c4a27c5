//! JSON lines: the source of all other reports. No times, so that two runs that went alike read alike.

use serde_json::{Value, json};

use crate::implementation::Hello;
use crate::run::{RowResult, Summary};

/// The lines: one about the run, one a row, one with the sums.
pub fn json_lines(hello: &Hello, revision: Option<&str>, results: &[RowResult]) -> Vec<String> {
    let mut head = json!({ "type": "run", "implementation": hello, "rows": results.len() });
    if let (Some(revision), Some(members)) = (revision, head.as_object_mut()) {
        members.insert("revision".into(), revision.into());
    }
    let rows = results.iter().map(|result| {
        let mut line = json!({ "type": "row" });
        if let (Some(line), Ok(Value::Object(members))) = (line.as_object_mut(), serde_json::to_value(result)) {
            line.extend(members);
        }
        line.to_string()
    });
    let mut sums = json!({ "type": "summary" });
    if let (Some(line), Ok(Value::Object(members))) = (sums.as_object_mut(), serde_json::to_value(Summary::of(results))) {
        line.extend(members);
    }
    std::iter::once(head.to_string()).chain(rows).chain(std::iter::once(sums.to_string())).collect()
}
