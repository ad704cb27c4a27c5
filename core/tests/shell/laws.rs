//! What holds for the analysis of any text at all. The fuzz target `core/fuzz/fuzz_targets/shell.rs` includes this file, so
//! that both check the same.

use std::sync::Arc;

use portcullis_core::access::path::{PathFacts, PathNormalizer};
use portcullis_core::access::shell::{BashProgram, ShellFacts, ShellUnit};
use portcullis_core::host::{EntryKind, FileFault, FileFaultKind, FileStamp, FileView, Platform};

/// A file system in which every second name exists, and some are links.
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

/// The laws, on both flavours. Panics at the first that does not hold.
pub(crate) fn check(command: &str) {
    for platform in [Platform::Posix, Platform::Windows] {
        let first = program(command, platform);
        assert_eq!(first, program(command, platform), "one text, one answer: {command:?}");
        for unit in &first.units {
            inside(&first, unit);
        }
        for word in &first.paths {
            assert!(!word.path.values.is_empty(), "a path has a value: {:?} in {command:?}", word.token);
            assert!(word.boundary || word.rule_candidate, "a path word is asked about: {:?} in {command:?}", word.token);
        }
        denied_as_a_whole(&first);
    }
}

/// A unit stands in the command and says something; its text is no longer than what stands there, but for the text that the
/// shell itself unquotes first.
fn inside(program: &BashProgram, unit: &ShellUnit) {
    let command = &program.command;
    assert!(unit.start <= command.len(), "{unit:?} stands in {command:?}");
    // A text that only restricts may be worked out (HARD-060), and then be longer than what stands there.
    // Blanks do not count: one comes between words that the line glues together.
    let written = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    assert!(unit.restrict_only || written(&unit.text) <= written(command), "{unit:?} is a part of {command:?}");
    let plain = !unit.restrict_only && unit.introduced_by.is_none();
    if let Some(text) = command.get(unit.start..).filter(|_| plain) {
        let first = |text: &str| text.trim_start_matches(char::is_whitespace).chars().next();
        assert!(unit.text.trim().is_empty() || first(text) == first(&unit.text), "{unit:?} stands at its place in {command:?}");
    }
}

/// No answer is weaker than a deny that matches the text as a whole: for `word *`, which it does when the text begins with
/// that word, some unit begins with it too, or the whole text is judged.
fn denied_as_a_whole(program: &BashProgram) {
    let Some((word, _)) = program.command.split_once(' ') else { return };
    if program.trivial || word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return;
    }
    let hits = |text: &str| text.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let seen = |unit: &ShellUnit| hits(&unit.text) || unit.spellings.iter().any(|(text, _)| hits(text));
    assert!(program.units.is_empty() || program.units.iter().any(seen), "`{word} *` sees a unit of {:?}", program.command);
}
