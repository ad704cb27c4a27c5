use std::path::Path;

use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::Value;

use super::{RunReport, VERSION, line_schema, read};
use crate::report::tests::{hostile, lines_of};

#[test]
fn what_is_written_is_read_again() {
    let run = hostile();
    assert_eq!(read(&run.lines().join("\n")), Ok(vec![run.clone()]));
    let second = RunReport { not_chosen: 0, complaints: Vec::new(), revision: None, ..run.clone() };
    let both = [run.lines(), second.lines()].concat().join("\n");
    assert_eq!(read(&both), Ok(vec![run, second]));
}

#[test]
fn each_line_has_the_published_schema() {
    let validator = jsonschema::validator_for(&line_schema()).unwrap();
    for line in hostile().lines() {
        let value: Value = serde_json::from_str(&line).unwrap();
        let faults: Vec<String> = validator.iter_errors(&value).map(|fault| fault.to_string()).collect();
        assert_eq!(faults, Vec::<String>::new(), "{line}");
    }
    for wrong in [r#"{"type":"row"}"#, r#"{"type":"sum"}"#, r#"{"type":"summary","passed":"1"}"#] {
        assert!(!validator.is_valid(&serde_json::from_str(wrong).unwrap()), "{wrong}");
    }
}

/// The published copy; `PORTCULLIS_UPDATE=1 cargo test -p portcullis stream` writes it anew.
#[test]
fn the_published_schema_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/results.schema.json");
    let fresh = format!("{}\n", serde_json::to_string_pretty(&line_schema()).unwrap());
    if std::env::var_os("PORTCULLIS_UPDATE").is_some() {
        std::fs::write(&path, &fresh).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), fresh);
}

/// Members that a later program writes say nothing to this one.
#[test]
fn a_member_that_is_not_known_is_left_out() {
    let text = hostile().lines().join("\n").replace("{\"type\":", "{\"later\":[1],\"type\":");
    assert_eq!(read(&text), Ok(vec![hostile()]));
}

#[rstest]
#[case::nothing("", "1: there is no run")]
#[case::no_json("{", "1: EOF while parsing an object at line 1 column 1")]
#[case::a_row_alone("ROW", "1: a row without a run")]
#[case::sums_alone("SUMS", "1: sums without a run")]
#[case::broken_off("RUN\nROW", "2: the run before has no sums: it was broken off, or this is not all of it")]
#[case::broken_off_before_the_next("RUN\nROW\nRUN", "3: the run before has no sums: it was broken off, or this is not all of it")]
#[case::a_row_is_gone("RUN\nSUMS", "2: 0 rows of 1: this is not the whole run")]
#[case::a_row_twice("RUN2\nROW\nROW\nSUMS", "4: the row `a` is there twice")]
#[case::other_sums("RUN\nROW\nSUMS0", "3: the sums are not those of the rows")]
#[case::newer("RUN99\nROW\nSUMS", "1: the lines have version 99; this program reads 1")]
fn what_is_no_whole_run_is_refused(#[case] lines: &str, #[case] fault: &str) {
    let [run, row, sums] = lines_of("a");
    let line = |word: &str| match word {
        "RUN" => run.clone(),
        "RUN2" => run.replace("\"rows\":1", "\"rows\":2"),
        "RUN99" => run.replace(&format!("\"version\":{VERSION}"), "\"version\":99"),
        "ROW" => row.clone(),
        "SUMS" => sums.clone(),
        "SUMS0" => sums.replace("\"passed\":1", "\"passed\":0"),
        other => other.to_owned(),
    };
    let text = lines.split('\n').map(line).collect::<Vec<_>>().join("\n");
    assert_eq!(read(&text), Err(fault.to_owned()));
}
