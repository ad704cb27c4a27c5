//! Findings for programs: JSON, SARIF 2.1.0, annotations of GitHub.

use serde_json::{Value, json};

use super::{CATALOGUE, Finding, Level};

/// The version of the JSON form.
pub(super) const VERSION: u32 = 1;

/// One object with all findings.
pub fn json(findings: &[Finding], rules: usize, undecided: usize) -> Value {
    let one = |finding: &Finding| {
        json!({
            "lint": finding.lint.id,
            "level": finding.lint.level,
            "file": finding.file.name,
            "line": finding.place.line,
            "column": finding.place.column,
            "message": finding.message,
            "help": finding.help,
            "ignored": finding.ignored,
        })
    };
    json!({ "version": VERSION, "rules": rules, "undecided": undecided, "findings": findings.iter().map(one).collect::<Vec<_>>() })
}

/// A SARIF log.
pub fn sarif(findings: &[Finding]) -> Value {
    let rule = |lint: &&super::Lint| {
        json!({
            "id": lint.id,
            "shortDescription": { "text": lint.about },
            "defaultConfiguration": { "level": lint.level.as_str() },
        })
    };
    let result = |finding: &Finding| {
        let mut result = json!({
            "ruleId": finding.lint.id,
            "level": finding.lint.level.as_str(),
            "message": { "text": with_help(finding) },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": finding.file.name.replace('\\', "/") },
                "region": { "startLine": finding.place.line, "startColumn": finding.place.column },
            } }],
        });
        if let (Some(reason), Some(fields)) = (&finding.ignored, result.as_object_mut()) {
            fields.insert("suppressions".into(), json!([{ "kind": "inSource", "justification": reason }]));
        }
        result
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "portcullis",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": CATALOGUE.iter().map(rule).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": findings.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

/// One workflow command a finding.
pub fn github(finding: &Finding) -> String {
    let level = match finding.lint.level {
        Level::Note => "notice",
        level => level.as_str(),
    };
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    format!(
        "::{level} file={},line={},col={},title={}::{}",
        property(&finding.file.name),
        finding.place.line,
        finding.place.column,
        property(finding.lint.id),
        data(&with_help(finding))
    )
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn with_help(finding: &Finding) -> String {
    match &finding.help {
        Some(help) => format!("{}; {help}", finding.message),
        None => finding.message.clone(),
    }
}
