//! Reports as one page of HTML that needs nothing else: no network, no server, no second file (docs/guide/report-html.md).
//!
//! `gather` puts the rows of several runs side by side, `document` writes the page around them. What a page shows of a call is the trace
//! that the core made; the page's scripts (`assets/`) lay it out and decide nothing.

mod document;
mod gather;

use portcullis_core::policy::FloorKind;
use serde_json::Value;

use crate::explain::{Explanation, floor_words};
use crate::report::RunReport;
use document::{Document, Part};
use gather::{Gathered, gather};

/// The page of a report: the matrix of areas by implementation, the rows, and each row's walk through the gates.
pub fn report_page(runs: &[RunReport]) -> String {
    let Gathered { mut index, details } = gather(runs);
    if let Some(members) = index.as_object_mut() {
        members.insert("floors".into(), floors());
    }
    let mut parts = vec![Part::json("index", &index)];
    parts.extend(details.iter().enumerate().map(|(number, rows)| Part::packed(&format!("details-{number}"), rows)));
    let document = Document {
        title: "Portcullis: conformance report",
        body: include_str!("assets/report.html"),
        scripts: &[
            include_str!("assets/dom.js"),
            include_str!("assets/written.js"),
            include_str!("assets/walk.js"),
            include_str!("assets/model.js"),
            include_str!("assets/overview.js"),
            include_str!("assets/rows.js"),
            include_str!("assets/scenario.js"),
            include_str!("assets/main.js"),
        ],
        parts: &parts,
    };
    document.text()
}

/// The page of one explanation: the verdict, the rule in its file, and the walk through the gates.
pub fn explanation_page(explanation: &Explanation) -> String {
    let explanation = serde_json::to_value(explanation).unwrap_or_default();
    let document = Document {
        title: "Portcullis: explanation",
        body: include_str!("assets/explain.html"),
        scripts: &[include_str!("assets/dom.js"), include_str!("assets/walk.js"), include_str!("assets/explain.js")],
        parts: &[Part::json("explanation", &explanation), Part::json("floors", &floors())],
    };
    document.text()
}

/// What the sentinels of floors mean, in the words of `explain`.
fn floors() -> Value {
    let word = |kind: &FloorKind| (kind.as_str().to_owned(), Value::from(floor_words(kind.as_str())));
    FloorKind::ALL.iter().map(word).collect::<serde_json::Map<_, _>>().into()
}

#[cfg(test)]
mod tests;
