//! Comments that silence a lint: `portcullis-ignore ID: REASON`, on the line or on the one before.

use std::collections::HashMap;
use std::sync::Arc;

use super::catalogue as lints;
use super::{CATALOGUE, Finding};
use crate::problem::nearest;
use crate::source::{Place, SourceFile};

const WORD: &str = "portcullis-ignore";

pub(super) fn apply(source: &Arc<SourceFile>, findings: &mut Vec<Finding>) {
    if !source.text.contains(WORD) {
        return;
    }
    let mut silenced: HashMap<(usize, &str), &str> = HashMap::new();
    let mut offset = 0;
    let mut bad = Vec::new();
    for (at, line) in source.text.split_inclusive('\n').enumerate() {
        let (number, start) = (at + 1, offset);
        offset += line.len();
        let Some((before, rest)) = line.split_once(WORD) else { continue };
        let comment = before.trim_start();
        if !comment.contains("//") && !comment.contains("/*") && !comment.contains('#') {
            continue;
        }
        let rest = rest.trim().trim_end_matches("*/").trim();
        let (id, reason) = rest.split_once(':').map_or((rest, ""), |(id, reason)| (id.trim(), reason.trim()));
        let known = CATALOGUE.iter().any(|lint| lint.id == id);
        if known && !reason.is_empty() {
            let alone = comment.starts_with("//") || comment.starts_with("/*") || comment.starts_with('#');
            silenced.insert((if alone { number + 1 } else { number }, id), reason);
            continue;
        }
        let message = if known {
            format!("say why: `{WORD} {id}: REASON`")
        } else {
            let hint = nearest(id, CATALOGUE.iter().map(|lint| lint.id)).map(|id| format!("; did you mean `{id}`?"));
            format!("there is no lint `{id}`{}", hint.unwrap_or_default())
        };
        let column = before.chars().count() + 1;
        let place = Place { offset: start + before.len(), length: WORD.len(), line: number, column };
        bad.push(Finding { lint: &lints::BAD_IGNORE, file: Arc::clone(source), place, message, help: None, ignored: None });
    }
    for finding in findings.iter_mut() {
        finding.ignored = silenced.get(&(finding.place.line, finding.lint.id)).map(|reason| (*reason).to_owned());
    }
    findings.extend(bad);
}
