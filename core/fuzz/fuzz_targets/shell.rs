//! Any bytes as a command line: an answer without a panic, the same one twice, and never weaker than the text as a whole.
//!
//! Run with `cargo +nightly fuzz run shell -- -max_total_time=600 -max_len=512` in `core`.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use portcullis_core::access::path::{PathFacts, PathNormalizer};
use portcullis_core::access::shell::{BashProgram, ShellFacts};
use portcullis_core::host::{EntryKind, FileFault, FileFaultKind, FileStamp, FileView, Platform};

/// A file system in which every second name exists.
struct Half;

fn missing<T>() -> Result<T, FileFault> {
    Err(FileFault { kind: FileFaultKind::NotFound, message: String::new() })
}

impl FileView for Half {
    fn entry(&self, path: &str) -> Result<EntryKind, FileFault> {
        match path.len() % 4 {
            0 => Ok(EntryKind::Directory),
            1 => Ok(EntryKind::File),
            2 => Ok(EntryKind::Symlink("..".to_owned())),
            _ => missing(),
        }
    }
    fn read(&self, _: &str) -> Result<Vec<u8>, FileFault> {
        missing()
    }
    fn stamp(&self, _: &str) -> Result<FileStamp, FileFault> {
        missing()
    }
    fn list(&self, _: &str) -> Result<Vec<String>, FileFault> {
        missing()
    }
}

fn program(command: &str, platform: Platform) -> BashProgram {
    let normalizer = PathNormalizer::new(PathFacts {
        cwd: if platform == Platform::Windows { "C:\\proj\\app" } else { "/proj/app" }.to_owned(),
        home: Some("/home/dev".to_owned()),
        agent_dir: "/home/dev/.pi/agent".to_owned(),
        extension_root: None,
        platform,
        files: Arc::new(Half),
    });
    let facts = ShellFacts {
        resolver: &normalizer,
        is_promotable: &|token| token.ends_with(".key"),
        could_hit_absolute: &|token| token.len() % 2 == 0,
        out_of_time: &|| false,
    };
    BashProgram::parse(command, None, &facts).expect("the grammar loads")
}

fuzz_target!(|data: &[u8]| {
    let Ok(command) = std::str::from_utf8(data) else { return };
    for platform in [Platform::Posix, Platform::Windows] {
        let first = program(command, platform);
        assert_eq!(first, program(command, platform));
        for unit in &first.units {
            assert!(unit.start <= command.len());
        }
        // Something that says something is a unit, or the whole text is judged.
        let says_something = !first.trivial && first.units.iter().any(|unit| !unit.restrict_only);
        assert!(says_something || first.trivial || first.units.iter().all(|unit| unit.restrict_only));
    }
});
