//! Runtime settings: what the files say besides rules, merged and completed with defaults (CFG-009, CFG-024, CFG-025).

use std::collections::{HashMap, HashSet};

use super::config::FileSettings;
use super::issue::IssueKind;
use super::json::Position;

/// How a tool that runs shell commands names its arguments (CFG-013, SURF-011).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellAlias {
    /// The input field with the command.
    pub command_argument: String,
    /// The input field with the working directory.
    pub workdir_argument: Option<String>,
}

/// The settings in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeSettings {
    /// Write the debug log.
    pub debug_log: bool,
    /// Write the review log.
    pub permission_review_log: bool,
    /// The permissive mode (RULE-021).
    pub yolo_mode: bool,
    /// Whether the keyed dialog wants a second press.
    pub double_press_to_confirm: bool,
    /// Length of the input preview in prompts; `None` stands for 200.
    pub tool_input_preview_max_length: Option<u64>,
    /// Length of pattern and path summaries in prompts; `None` stands for 80.
    pub tool_text_summary_max_length: Option<u64>,
    /// Further read-only infrastructure directories (CFG-026).
    pub pi_infrastructure_read_paths: Vec<String>,
    /// Tools that run shell commands, in the order in which they were configured.
    pub shell_tools: Vec<(String, ShellAlias)>,
    /// The links that answer before the person, in order (HARD-044, RES-12).
    pub authorizer_chain: Vec<String>,
}

impl Default for RuntimeSettings {
    /// The defaults of CFG-025.
    fn default() -> Self {
        Self {
            debug_log: false,
            permission_review_log: true,
            yolo_mode: false,
            double_press_to_confirm: true,
            tool_input_preview_max_length: None,
            tool_text_summary_max_length: None,
            pi_infrastructure_read_paths: Vec::new(),
            shell_tools: Vec::new(),
            authorizer_chain: Vec::new(),
        }
    }
}

/// Which file settings come from; a project's count only in part (RES-03).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SettingsSource {
    /// A file of the user.
    User,
    /// A file of a trusted project.
    Project,
}

/// A setting that does not count where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IgnoredSetting {
    /// Which layer, counted from 0.
    pub(crate) layer: usize,
    /// The member.
    pub(crate) member: &'static str,
    /// Its place.
    pub(crate) at: Option<Position>,
    /// Why.
    pub(crate) message: &'static str,
}

impl IgnoredSetting {
    /// The kind of issue it makes.
    pub(crate) const KIND: IssueKind = IssueKind::IgnoredSetting;
}

/// Merges the settings of files from lowest to highest precedence (CFG-024) and completes them (CFG-025).
///
/// A project may rule, but neither lift floors nor blind the log: of a project, `yoloMode` counts as `false` only,
/// `permissionReviewLog` as `true` only, `piInfrastructureReadPaths` keeps what the user lists too, and `debugLog` and
/// `authorizerChain` never count (RES-03, RES-12).
pub(crate) fn merge_settings(layers: &[(SettingsSource, &FileSettings)]) -> (RuntimeSettings, Vec<IgnoredSetting>) {
    let mut settings = RuntimeSettings::default();
    let mut ignored = Vec::new();
    for (index, (source, file)) in layers.iter().enumerate() {
        match source {
            SettingsSource::User => merge_user(&mut settings, file),
            SettingsSource::Project => {
                let ignored_here = merge_project(&mut settings, file);
                ignored.extend(ignored_here.into_iter().map(|(member, message)| IgnoredSetting {
                    layer: index,
                    member,
                    at: file.place(member),
                    message,
                }));
            }
        }
        merge_common(&mut settings, file);
    }
    (settings, ignored)
}

fn merge_common(settings: &mut RuntimeSettings, file: &FileSettings) {
    replace(&mut settings.double_press_to_confirm, file.double_press_to_confirm);
    settings.tool_input_preview_max_length = file.tool_input_preview_max_length.or(settings.tool_input_preview_max_length);
    settings.tool_text_summary_max_length = file.tool_text_summary_max_length.or(settings.tool_text_summary_max_length);
    if let Some(tools) = &file.shell_tools {
        merge_shell_tools(&mut settings.shell_tools, tools);
    }
}

/// Merges by tool name: an alias is replaced whole and keeps its place, a new one comes last.
fn merge_shell_tools(known: &mut Vec<(String, ShellAlias)>, tools: &[(String, ShellAlias)]) {
    let mut index: HashMap<String, usize> = known.iter().enumerate().map(|(at, (name, _))| (name.clone(), at)).collect();
    for (name, alias) in tools {
        match index.get(name).and_then(|at| known.get_mut(*at)) {
            Some((_, old)) => *old = alias.clone(),
            None => {
                index.insert(name.clone(), known.len());
                known.push((name.clone(), alias.clone()));
            }
        }
    }
}

fn merge_user(settings: &mut RuntimeSettings, file: &FileSettings) {
    replace(&mut settings.debug_log, file.debug_log);
    replace(&mut settings.permission_review_log, file.permission_review_log);
    replace(&mut settings.yolo_mode, file.yolo_mode);
    replace(&mut settings.pi_infrastructure_read_paths, file.pi_infrastructure_read_paths.clone());
    replace(&mut settings.authorizer_chain, file.authorizer_chain.clone());
}

fn merge_project(settings: &mut RuntimeSettings, file: &FileSettings) -> Vec<(&'static str, &'static str)> {
    let mut ignored = Vec::new();
    if file.debug_log.is_some() {
        ignored.push(("debugLog", "a project does not switch the debug log"));
    }
    match file.permission_review_log {
        Some(false) => ignored.push(("permissionReviewLog", "a project may switch the review log on, not off")),
        other => replace(&mut settings.permission_review_log, other),
    }
    match file.yolo_mode {
        Some(true) => ignored.push(("yoloMode", "a project may switch the permissive mode off, not on")),
        other => replace(&mut settings.yolo_mode, other),
    }
    if let Some(paths) = &file.pi_infrastructure_read_paths {
        let listed: HashSet<&String> = settings.pi_infrastructure_read_paths.iter().collect();
        if paths.iter().any(|path| !listed.contains(path)) {
            ignored.push(("piInfrastructureReadPaths", "of a project, only entries that the user lists too count"));
        }
        let wanted: HashSet<&String> = paths.iter().collect();
        settings.pi_infrastructure_read_paths.retain(|path| wanted.contains(path));
    }
    if file.authorizer_chain.is_some() {
        ignored.push(("authorizerChain", "only the global file names the links that answer asks"));
    }
    ignored
}

fn replace<T>(value: &mut T, with: Option<T>) {
    if let Some(with) = with {
        *value = with;
    }
}

#[cfg(test)]
mod tests;
