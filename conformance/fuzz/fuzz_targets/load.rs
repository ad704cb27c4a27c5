//! Any text is loaded or refused, never a panic, and every fault lies inside the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_conformance::load::load;
use portcullis_conformance::source::SourceFile;

fuzz_target!(|text: &str| {
    let loaded = load(&[SourceFile::new("fuzz.yaml", text)]);
    for problem in loaded.problems {
        assert!(problem.place.offset <= text.len());
        assert!(problem.place.line >= 1 && problem.place.column >= 1);
    }
});
