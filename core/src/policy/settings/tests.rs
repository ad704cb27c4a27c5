use pretty_assertions::assert_eq;
use rstest::rstest;

use super::super::config::validate;
use super::super::json::parse_json;
use super::*;

fn file(text: &str) -> FileSettings {
    let (findings, settings) = validate(&parse_json(text).unwrap(), &[]);
    assert_eq!(findings, []);
    settings
}

fn merged(user: &[&str], project: &str) -> (RuntimeSettings, Vec<&'static str>) {
    let user: Vec<FileSettings> = user.iter().map(|text| file(text)).collect();
    let project = file(project);
    let mut layers: Vec<_> = user.iter().map(|settings| (SettingsSource::User, settings)).collect();
    layers.push((SettingsSource::Project, &project));
    let (settings, ignored) = merge_settings(&layers);
    (settings, ignored.iter().map(|ignored| ignored.member).collect())
}

fn alias(command: &str, workdir: Option<&str>) -> ShellAlias {
    ShellAlias { command_argument: command.to_owned(), workdir_argument: workdir.map(str::to_owned) }
}

#[test]
fn cfg_025_defaults() {
    let expected = RuntimeSettings {
        debug_log: false,
        permission_review_log: true,
        yolo_mode: false,
        double_press_to_confirm: true,
        tool_input_preview_max_length: None,
        tool_text_summary_max_length: None,
        pi_infrastructure_read_paths: Vec::new(),
        shell_tools: Vec::new(),
        authorizer_chain: Vec::new(),
    };
    assert_eq!(merged(&["{}"], "{}"), (expected, Vec::new()));
}

#[test]
fn cfg_024_higher_file_replaces() {
    let lower = r#"{"yoloMode":true,"piInfrastructureReadPaths":["a"],"shellTools":{
        "x":{"commandArgument":"c","workdirArgument":"w"},"y":{"commandArgument":"q"}}}"#;
    let higher = r#"{"yoloMode":false,"piInfrastructureReadPaths":[],"shellTools":{"x":{"commandArgument":"d"}}}"#;
    let expected = RuntimeSettings {
        shell_tools: vec![("x".to_owned(), alias("d", None)), ("y".to_owned(), alias("q", None))],
        ..RuntimeSettings::default()
    };
    assert_eq!(merged(&[lower, higher], "{}"), (expected.clone(), Vec::new()));
    // RES-03: between a user's and a project's file the same merge holds where the project counts.
    assert_eq!(merged(&[lower], higher), (expected, Vec::new()));
}

#[test]
fn res_03_what_a_project_may_set() {
    let project = r#"{"yoloMode":false,"permissionReviewLog":true,"doublePressToConfirm":false,"toolInputPreviewMaxLength":9,
        "toolTextSummaryMaxLength":8,"piInfrastructureReadPaths":["b"],"shellTools":{"x":{"commandArgument":"c"}}}"#;
    let user = r#"{"yoloMode":true,"permissionReviewLog":false,"piInfrastructureReadPaths":["a","b"],"debugLog":true}"#;
    let expected = RuntimeSettings {
        debug_log: true,
        permission_review_log: true,
        yolo_mode: false,
        double_press_to_confirm: false,
        tool_input_preview_max_length: Some(9),
        tool_text_summary_max_length: Some(8),
        pi_infrastructure_read_paths: vec!["b".to_owned()],
        shell_tools: vec![("x".to_owned(), alias("c", None))],
        authorizer_chain: Vec::new(),
    };
    assert_eq!(merged(&[user], project), (expected, Vec::new()));
}

#[rstest]
#[case::policy_d02_permissive_mode(r#"{"yoloMode":true}"#, "yoloMode")]
#[case::review_log(r#"{"permissionReviewLog":false}"#, "permissionReviewLog")]
#[case::debug_log_on(r#"{"debugLog":true}"#, "debugLog")]
#[case::debug_log_off(r#"{"debugLog":false}"#, "debugLog")]
#[case::infrastructure(r#"{"piInfrastructureReadPaths":["/etc"]}"#, "piInfrastructureReadPaths")]
#[case::res_12_chain(r#"{"authorizerChain":["x"]}"#, "authorizerChain")]
fn res_03_what_a_project_may_not_set(#[case] project: &str, #[case] member: &'static str) {
    assert_eq!(merged(&["{}"], project), (RuntimeSettings::default(), vec![member]));
}

#[test]
fn res_12_the_global_file_names_the_chain() {
    let (settings, _) = merged(&[r#"{"authorizerChain":["a","b"]}"#], "{}");
    assert_eq!(settings.authorizer_chain, ["a", "b"]);
}
