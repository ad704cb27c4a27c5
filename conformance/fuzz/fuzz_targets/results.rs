//! Any text as a saved stream of results: read or refused, never a panic; what was read is the same when it is written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_conformance::report::stream;

fuzz_target!(|text: &str| {
    let Ok(runs) = stream::read(text) else { return };
    let lines = |runs: &[portcullis_conformance::report::RunReport]| {
        runs.iter().flat_map(|run| run.lines()).map(|line| format!("{line}\n")).collect::<String>()
    };
    let written = lines(&runs);
    let again = stream::read(&written).expect("what was written is a stream");
    assert_eq!(lines(&again), written);
});
