//! The options that say which policy is looked at, for every command that looks at one.

use std::path::Path;

use super::args::{PolicyOptions, Ui};
use super::lint_args::LintOptions;
use crate::error::{CliError, CliErrorKind};
use crate::own_policy::{Judge, JudgeOptions, PolicyFiles, PolicySource};

/// The judge over the policy that was named.
pub(super) fn judge(options: &PolicyOptions) -> Result<Judge, CliError> {
    Ok(Judge::new(judge_options(options)?))
}

/// The session in which policy files are looked at one by one.
pub(super) fn lint_options(options: &LintOptions) -> Result<JudgeOptions, CliError> {
    let policy = PolicyOptions {
        policy: Vec::new(),
        project: options.project.clone(),
        untrusted: false,
        agent: None,
        agent_file: None,
        ui: Ui::Person,
    };
    Ok(JudgeOptions { tools: options.tool.clone(), ..judge_options(&policy)? })
}

/// The same as options, for commands that judge one policy beside another.
pub(super) fn judge_options(options: &PolicyOptions) -> Result<JudgeOptions, CliError> {
    let home = std::env::home_dir().filter(|home| home.is_absolute()).ok_or_else(|| unusable("HOME names no directory"))?;
    let cwd = match &options.project {
        Some(dir) => directory(dir)?,
        None => text(&std::env::current_dir().map_err(|error| unusable(format!("no current directory: {error}")))?)?,
    };
    Ok(JudgeOptions {
        source: source(options)?,
        cwd,
        home: text(&home)?,
        agent_dir: std::env::var("PI_CODING_AGENT_DIR").ok().filter(|dir| !dir.is_empty()),
        trusted: !options.untrusted,
        agent: options.agent.clone(),
        has_ui: options.ui == Ui::Person,
        tools: Vec::new(),
    })
}

fn source(options: &PolicyOptions) -> Result<PolicySource, CliError> {
    for file in options.policy.iter().chain(&options.agent_file) {
        // A misspelt name must not be read as an empty policy.
        if !std::fs::metadata(file).map_err(|error| unusable(format!("cannot read {}: {error}", file.display())))?.is_file() {
            return Err(unusable(format!("{} is no file", file.display())));
        }
    }
    match options.policy.as_slice() {
        [] if options.agent_file.is_some() => {
            Ok(PolicySource::Files(PolicyFiles { agent: options.agent_file.clone(), ..PolicyFiles::default() }))
        }
        [] => Ok(PolicySource::Installed),
        [_, _, third, ..] => Err(unusable(format!(
            "{} is one --policy too many: the first is the global one, the second the project's",
            third.display()
        ))),
        [global, rest @ ..] => Ok(PolicySource::Files(PolicyFiles {
            global: Some(global.clone()),
            project: rest.first().cloned(),
            agent: options.agent_file.clone(),
        })),
    }
}

fn directory(dir: &Path) -> Result<String, CliError> {
    let cannot = |error: std::io::Error| unusable(format!("cannot look into {}: {error}", dir.display()));
    if !std::fs::metadata(dir).map_err(cannot)?.is_dir() {
        return Err(unusable(format!("{} is no directory", dir.display())));
    }
    text(&std::path::absolute(dir).map_err(cannot)?)
}

fn text(path: &Path) -> Result<String, CliError> {
    path.to_str().map(str::to_owned).ok_or_else(|| unusable(format!("the name {} is no UTF-8", path.display())))
}

fn unusable(message: impl Into<String>) -> CliError {
    CliError::new(CliErrorKind::Input, message)
}
