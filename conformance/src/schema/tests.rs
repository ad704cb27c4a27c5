use std::path::Path;

use pretty_assertions::assert_eq;
use serde_json::Value;

use super::schema;
use crate::load::embedded_sources;
use crate::yaml;

/// The published copy; `PORTCULLIS_UPDATE=1 cargo test -p portcullis schema` writes it anew.
#[test]
fn the_published_schema_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scenario.schema.json");
    let fresh = format!("{}\n", serde_json::to_string_pretty(&schema()).unwrap());
    if std::env::var_os("PORTCULLIS_UPDATE").is_some() {
        std::fs::write(&path, &fresh).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), fresh);
}

#[test]
fn the_whole_suite_is_valid_by_the_schema() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    for source in embedded_sources() {
        let document = yaml::parse(&source).unwrap().unwrap().to_json();
        let faults: Vec<String> =
            validator.iter_errors(&document).map(|fault| format!("{}{}: {fault}", source.name, fault.instance_path())).collect();
        assert_eq!(faults, Vec::<String>::new());
    }
}

#[test]
fn what_the_loader_refuses_by_name_the_schema_refuses_too() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let good = serde_json::json!({
        "suite": "s", "level": "baseline",
        "scenarios": [{ "id": "a", "title": "t", "covers": ["CFG-001"], "steps": [{ "bash": "ls", "expect": { "prompts": [] } }] }],
    });
    assert!(validator.is_valid(&good));
    let broken = |change: &dyn Fn(&mut Value)| {
        let mut document = good.clone();
        change(&mut document);
        document
    };
    for document in [
        broken(&|document| document["scenario"] = Value::Null),
        broken(&|document| document["scenarios"] = serde_json::json!([])),
        broken(&|document| document["scenarios"][0]["steps"][0]["bsh"] = "ls".into()),
        broken(&|document| document["scenarios"][0]["steps"][0]["expect"]["promts"] = serde_json::json!([])),
        broken(&|document| document["scenarios"][0]["steps"][0]["expect"]["outcome"] = "alow".into()),
        broken(&|document| document["needs"] = serde_json::json!(["bsh"])),
    ] {
        assert!(!validator.is_valid(&document), "{document}");
    }
}
