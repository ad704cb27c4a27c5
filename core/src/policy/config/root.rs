//! Validation of the root object and its settings (CFG-009, CFG-013, CFG-014).

use super::super::issue::IssueKind;
use super::super::json::{Document, Member, Node, NodeValue, Position};
use super::super::settings::ShellAlias;
use super::finding::Finding;
use super::permission::validate_permission;

/// The settings of one file, as far as it has them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FileSettings {
    pub(crate) debug_log: Option<bool>,
    pub(crate) permission_review_log: Option<bool>,
    pub(crate) yolo_mode: Option<bool>,
    pub(crate) double_press_to_confirm: Option<bool>,
    pub(crate) tool_input_preview_max_length: Option<u64>,
    pub(crate) tool_text_summary_max_length: Option<u64>,
    pub(crate) pi_infrastructure_read_paths: Option<Vec<String>>,
    pub(crate) shell_tools: Option<Vec<(String, ShellAlias)>>,
    pub(crate) authorizer_chain: Option<Vec<String>>,
    /// Where each member stands.
    pub(crate) places: Vec<(&'static str, Position)>,
}

impl FileSettings {
    /// Where a member stands.
    pub(crate) fn place(&self, member: &str) -> Option<Position> {
        self.places.iter().find(|(name, _)| *name == member).map(|(_, at)| *at)
    }
}

/// The largest whole number that ECMAScript counts exactly.
const MAX_LENGTH: f64 = 9_007_199_254_740_991.0;

/// The members of the root in the order of CFG-009, with RES-12's behind them.
pub(crate) const ROOT_MEMBERS: [&str; 11] = [
    "$schema",
    "debugLog",
    "permissionReviewLog",
    "yoloMode",
    "doublePressToConfirm",
    "toolInputPreviewMaxLength",
    "toolTextSummaryMaxLength",
    "piInfrastructureReadPaths",
    "permission",
    "shellTools",
    "authorizerChain",
];

/// Lists every violation of a configuration file, and gives its settings.
///
/// Known members come in the order of the table, unknown ones after them, repeated keys last (CFG-014, HARD-061). The
/// settings count only when nothing is listed (CFG-008).
pub(crate) fn validate(document: &Document, known_tools: &[String]) -> (Vec<Finding>, FileSettings) {
    let mut findings = Vec::new();
    let mut settings = FileSettings::default();
    match document.root.members() {
        None => {
            findings.push(Finding::invalid(document.root.at, "", format!("expected an object, found {}", document.root.kind())));
        }
        Some(members) => {
            for name in ROOT_MEMBERS {
                for member in members.iter().filter(|member| member.key == name) {
                    settings.places.push((name, member.at));
                    read_member(name, &member.value, known_tools, &mut settings, &mut findings);
                }
            }
            findings.extend(members.iter().filter(|member| !ROOT_MEMBERS.contains(&member.key.as_str())).map(unknown));
        }
    }
    findings.extend(document.duplicates.iter().map(Finding::duplicate));
    (findings, settings)
}

fn unknown(member: &Member) -> Finding {
    let mut message = "unknown member".to_owned();
    if let Some(nearest) = nearest_member(&member.key) {
        message.push_str(&format!("; did you mean `{nearest}`?"));
    }
    Finding::new(member.at, member.key.clone(), IssueKind::UnknownMember, message)
}

fn nearest_member(key: &str) -> Option<&'static str> {
    if key.len() > 64 {
        return None;
    }
    ROOT_MEMBERS
        .into_iter()
        .map(|name| (strsim::osa_distance(&key.to_lowercase(), &name.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

fn read_member(name: &str, node: &Node, known_tools: &[String], settings: &mut FileSettings, findings: &mut Vec<Finding>) {
    match name {
        "$schema" if node.as_str().is_none() => findings.push(expected(node, name, "a string")),
        "debugLog" => settings.debug_log = boolean(node, name, findings),
        "permissionReviewLog" => settings.permission_review_log = boolean(node, name, findings),
        "yoloMode" => settings.yolo_mode = boolean(node, name, findings),
        "doublePressToConfirm" => settings.double_press_to_confirm = boolean(node, name, findings),
        "toolInputPreviewMaxLength" => settings.tool_input_preview_max_length = length(node, name, findings),
        "toolTextSummaryMaxLength" => settings.tool_text_summary_max_length = length(node, name, findings),
        "piInfrastructureReadPaths" => settings.pi_infrastructure_read_paths = texts(node, name, findings),
        "permission" => findings.extend(validate_permission(node, name, known_tools)),
        "shellTools" => settings.shell_tools = shell_tools(node, name, findings),
        "authorizerChain" => settings.authorizer_chain = texts(node, name, findings),
        _ => {}
    }
}

fn expected(node: &Node, member: &str, what: &str) -> Finding {
    Finding::invalid(node.at, member, format!("expected {what}, found {}", node.kind()))
}

fn boolean(node: &Node, member: &str, findings: &mut Vec<Finding>) -> Option<bool> {
    if let NodeValue::Bool(value) = node.value {
        return Some(value);
    }
    findings.push(expected(node, member, "a boolean"));
    None
}

fn length(node: &Node, member: &str, findings: &mut Vec<Finding>) -> Option<u64> {
    let NodeValue::Number(value) = node.value else {
        findings.push(expected(node, member, "a whole number"));
        return None;
    };
    if value.fract() == 0.0 && (1.0..=MAX_LENGTH).contains(&value) {
        // Exact: a whole number below 2^53.
        return Some(value as u64);
    }
    findings.push(Finding::invalid(node.at, member, "expected a whole number from 1 to 9007199254740991"));
    None
}

fn texts(node: &Node, member: &str, findings: &mut Vec<Finding>) -> Option<Vec<String>> {
    let NodeValue::Array(items) = &node.value else {
        findings.push(expected(node, member, "an array of strings"));
        return None;
    };
    let mut texts = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        match item.as_str() {
            Some("") => findings.push(Finding::invalid(item.at, format!("{member}.{index}"), "expected at least one character")),
            Some(text) => texts.push(text.to_owned()),
            None => findings.push(expected(item, &format!("{member}.{index}"), "a string")),
        }
    }
    Some(texts)
}

fn shell_tools(node: &Node, member: &str, findings: &mut Vec<Finding>) -> Option<Vec<(String, ShellAlias)>> {
    let Some(members) = node.members() else {
        findings.push(expected(node, member, "an object from tool name to alias"));
        return None;
    };
    let mut tools = Vec::with_capacity(members.len());
    for tool in members {
        let location = format!("{member}.{}", tool.key);
        if tool.key.is_empty() {
            findings.push(Finding::invalid(tool.at, location, "expected a tool name of at least one character"));
        } else if let Some(alias) = shell_alias(&tool.value, &location, findings) {
            tools.push((tool.key.clone(), alias));
        }
    }
    Some(tools)
}

fn shell_alias(node: &Node, location: &str, findings: &mut Vec<Finding>) -> Option<ShellAlias> {
    let Some(members) = node.members() else {
        findings.push(expected(node, location, "an object with `commandArgument`"));
        return None;
    };
    let command = node.get("commandArgument");
    if command.is_none() {
        findings.push(Finding::invalid(node.at, format!("{location}.commandArgument"), "expected a string, found nothing"));
    }
    let command = command.and_then(|node| field(node, &format!("{location}.commandArgument"), findings));
    let workdir = node.get("workdirArgument").and_then(|node| field(node, &format!("{location}.workdirArgument"), findings));
    for member in members.iter().filter(|member| !matches!(member.key.as_str(), "commandArgument" | "workdirArgument")) {
        let message = format!("unknown member of `{location}`");
        findings.push(Finding::new(member.at, member.key.clone(), IssueKind::UnknownMember, message));
    }
    Some(ShellAlias { command_argument: command?, workdir_argument: workdir })
}

fn field(node: &Node, location: &str, findings: &mut Vec<Finding>) -> Option<String> {
    match node.as_str() {
        Some("") => {
            findings.push(Finding::invalid(node.at, location, "expected at least one character"));
            None
        }
        Some(text) => Some(text.to_owned()),
        None => {
            findings.push(expected(node, location, "a string"));
            None
        }
    }
}
