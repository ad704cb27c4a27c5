//! `portcullis init`.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};

use super::args::{InitOptions, TESTS};
use super::output::Output;
use crate::error::{CliError, CliErrorKind, EXIT_FAILED, count};
use crate::first_test::first_test;
use crate::implementation::Reference;
use crate::load;
use crate::run;

pub(super) fn init(options: &InitOptions, output: &mut Output) -> Result<u8, CliError> {
    let policy = &options.policy;
    if !fs::metadata(policy).map_err(|error| unusable(format!("cannot read {}: {error}", policy.display())))?.is_file() {
        return Err(unusable(format!("{} is no file", policy.display())));
    }
    let name = policy.file_stem().and_then(|stem| stem.to_str()).unwrap_or("policy").to_owned();
    let to = options.to.clone().unwrap_or_else(|| Path::new(TESTS).join(format!("{name}.yaml")));
    // Before anything is written; what comes into being in between is not overwritten either.
    if fs::symlink_metadata(&to).is_ok() {
        return Err(taken(&to));
    }
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| unusable(format!("cannot make {}: {error}", folder.display())))?;
    let test = first_test(policy, &relative(folder, policy)?, &name).map_err(unusable)?;
    for issue in &test.issues {
        output.remark(&format!("warning: {issue}"));
    }
    if test.rows == 0 {
        return Err(unusable(format!("{} holds no rule", policy.display())));
    }
    write_new(&to, &test.text)?;
    output.line(&format!("wrote {}: {}, one a rule", to.display(), count(test.rows, "row")))?;
    if !test.undecided.is_empty() {
        output.line("for these rules no value was found that they win for; their rows show what happens instead:")?;
        for rule in &test.undecided {
            output.line(&format!("  {}", rule))?;
        }
    }
    let wrong = wrong_rows(&to)?;
    for row in &wrong {
        output.line(&format!("this row does not hold in a world of its own, look at it first: {row}"))?;
    }
    output.line(&format!(
        "\nLook through the rows: they say what the policy does, not what you meant. Then\n\n  portcullis test {}\n",
        folder.display()
    ))?;
    output.line("and in CI, for example on GitHub:\n")?;
    output.line(&format!(
        "  - name: Permission policy\n    run: portcullis test {} --junit permission-tests.xml",
        folder.display()
    ))?;
    output.flush()?;
    Ok(if wrong.is_empty() { 0 } else { EXIT_FAILED })
}

/// The rows that do not pass: none, unless a scenario's world differs from the judge's.
fn wrong_rows(file: &Path) -> Result<Vec<String>, CliError> {
    let sources = load::read_sources(&[file.to_path_buf()]).map_err(CliError::problems)?;
    let (scenarios, _) = load::load_playable(&sources).map_err(CliError::problems)?;
    let how = run::Options::new(1);
    let results = run::run(&scenarios, &Reference, how, &|_| {}).map_err(super::run::broken)?;
    Ok(results.into_iter().filter(|result| result.verdict.is_bad()).map(|result| result.name).collect())
}

fn write_new(path: &Path, text: &str) -> Result<(), CliError> {
    let opened = OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = opened.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => taken(path),
        _ => unusable(format!("cannot write {}: {error}", path.display())),
    })?;
    file.write_all(text.as_bytes()).map_err(|error| unusable(format!("cannot write {}: {error}", path.display())))
}

/// The policy's name seen from a folder, with `/` on every platform.
fn relative(folder: &Path, policy: &Path) -> Result<String, CliError> {
    let real =
        |path: &Path| fs::canonicalize(path).map_err(|error| unusable(format!("cannot look into {}: {error}", path.display())));
    let parent = policy.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The folder is resolved, the file is not: a link that is named stays named.
    let target = real(parent)?.join(policy.file_name().unwrap_or_default());
    let from = real(folder)?;
    let same = from.components().zip(target.components()).take_while(|(a, b)| a == b).count();
    if from.components().next() != target.components().next() {
        return text(&target).map(str::to_owned);
    }
    let up = from.components().skip(same).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(target.components().skip(same)).collect();
    let parts: Vec<&str> = path.iter().map(|part| text(Path::new(part))).collect::<Result<_, _>>()?;
    Ok(parts.join("/"))
}

fn text(path: &Path) -> Result<&str, CliError> {
    path.to_str().ok_or_else(|| unusable(format!("the name {} is no UTF-8", path.display())))
}

fn taken(path: &Path) -> CliError {
    unusable(format!("{} exists and is not overwritten; `--to FILE` names another", path.display()))
}

fn unusable(message: impl Into<String>) -> CliError {
    CliError::new(CliErrorKind::Input, message)
}
