//! Finds scenario files, on disk or in the binary.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::problem::{Problem, nearest};
use crate::source::{Place, SourceFile};

/// Larger files are refused before they are read.
pub const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;
/// Folders below this many levels are not entered.
const MAX_FOLDER_DEPTH: usize = 32;

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/embedded_suite.rs"));
}

/// The suite that the binary carries.
pub fn embedded_sources() -> Vec<Arc<SourceFile>> {
    embedded::FILES.iter().map(|(name, text)| SourceFile::new(*name, *text)).collect()
}

/// Reads the files that the paths name; a folder stands for the `.yaml` and `.yml` files in it, at any depth, in order of their names.
pub fn read_sources(paths: &[PathBuf]) -> Result<Vec<Arc<SourceFile>>, Vec<Problem>> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut problems = Vec::new();
    for path in paths {
        match fs::metadata(path) {
            Err(error) => problems.push(missing(path, &error)),
            Ok(found) if found.is_dir() => {
                let before = files.len();
                folder(path, 0, &mut files, &mut problems);
                if files.len() == before && problems.is_empty() {
                    problems.push(about(path, "the folder holds no scenario file", Some("they end in `.yaml` or `.yml`".into())));
                }
            }
            Ok(_) => files.push(path.clone()),
        }
    }
    let mut sources: Vec<Arc<SourceFile>> = Vec::new();
    for file in files {
        match read(&file) {
            Ok(source) if sources.iter().all(|known| known.name != source.name) => sources.push(source),
            Ok(_) => {}
            Err(problem) => problems.push(*problem),
        }
    }
    if problems.is_empty() { Ok(sources) } else { Err(problems) }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// A fault of a file as a whole.
fn about(path: &Path, message: &str, help: Option<String>) -> Problem {
    Problem { file: SourceFile::new(shown(path), ""), place: Place::START, message: message.to_owned(), help, objection: false }
}

fn missing(path: &Path, error: &std::io::Error) -> Problem {
    if error.kind() != std::io::ErrorKind::NotFound {
        return about(path, &format!("cannot be read: {}", plain(error)), None);
    }
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names: Vec<String> = fs::read_dir(parent)
        .map(|entries| entries.flatten().take(10_000).map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
        .unwrap_or_default();
    let wrong = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let help = nearest(&wrong, names.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
    about(path, "there is no such file or folder", help)
}

fn folder(path: &Path, depth: usize, files: &mut Vec<PathBuf>, problems: &mut Vec<Problem>) {
    if depth > MAX_FOLDER_DEPTH {
        problems.push(about(path, "folders nest too deep", None));
        return;
    }
    let mut entries: Vec<PathBuf> = match fs::read_dir(path) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(error) => {
            problems.push(about(path, &format!("cannot be read: {}", plain(&error)), None));
            return;
        }
    };
    entries.sort();
    for entry in entries {
        if fs::metadata(&entry).is_ok_and(|found| found.is_dir()) {
            folder(&entry, depth + 1, files, problems);
        } else if entry.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
            files.push(entry);
        }
    }
}

/// The text of one file that a scenario names, or what is wrong with it and what to do.
pub(super) fn read_named(path: &Path) -> Result<String, Box<Problem>> {
    match fs::metadata(path) {
        Err(error) => Err(Box::new(missing(path, &error))),
        Ok(found) if found.is_dir() => Err(Box::new(about(path, "is a folder", None))),
        Ok(_) => read(path).map(|source| source.text.clone()),
    }
}

fn read(path: &Path) -> Result<Arc<SourceFile>, Box<Problem>> {
    let fault = |message: String| Box::new(about(path, &message, None));
    let cannot = |error: std::io::Error| fault(format!("cannot be read: {}", plain(&error)));
    let file = fs::File::open(path).map_err(cannot)?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(fault(format!("the file is larger than {} MiB", MAX_FILE_BYTES / 1024 / 1024)));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(SourceFile::in_folder(shown(path), text, path.parent().unwrap_or(Path::new("")))),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let before = text.get(..valid).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            let place = Place { offset: valid, length: 3, line, column };
            let file = SourceFile::new(shown(path), text);
            Err(Box::new(Problem { file, place, message: "the file is not UTF-8".into(), help: None, objection: false }))
        }
    }
}

/// The operating system's words without its number.
fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}
