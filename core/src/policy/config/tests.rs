use pretty_assertions::assert_eq;
use rstest::rstest;

use super::super::issue::IssueKind;
use super::super::json::parse_json;
use super::super::rule::PermissionState;
use super::super::settings::ShellAlias;
use super::surface_names::near_miss;
use super::*;

fn findings(text: &str) -> Vec<Finding> {
    validate(&parse_json(text).unwrap(), &[]).0
}

fn locations(text: &str) -> Vec<(IssueKind, String)> {
    findings(text).into_iter().map(|finding| (finding.kind, finding.member)).collect()
}

fn invalid(members: &[&str]) -> Vec<(IssueKind, String)> {
    members.iter().map(|member| (IssueKind::Invalid, (*member).to_owned())).collect()
}

fn settings(text: &str) -> FileSettings {
    let (findings, mut settings) = validate(&parse_json(text).unwrap(), &[]);
    assert_eq!(findings, []);
    settings.places.clear();
    settings
}

#[rstest]
#[case("null")]
#[case("[]")]
#[case("\"x\"")]
fn cfg_009_root_must_be_an_object(#[case] text: &str) {
    assert_eq!(locations(text), invalid(&[""]));
}

#[rstest]
#[case::empty("{}")]
#[case::schema(r#"{"$schema":"anything"}"#)]
#[case::blank_path(r#"{"piInfrastructureReadPaths":[" "]}"#)]
#[case::empty_permission(r#"{"permission":{}}"#)]
#[case::cfg_010_blank_surface(r#"{"permission":{" ":"deny"}}"#)]
#[case::cfg_010_empty_map(r#"{"permission":{"bash":{}}}"#)]
#[case::cfg_010_empty_reason(r#"{"permission":{"bash":{"x":{"action":"deny","reason":""}}}}"#)]
#[case::cfg_013_no_alias(r#"{"shellTools":{}}"#)]
#[case::cfg_013_alias_for_bash(r#"{"shellTools":{"bash":{"commandArgument":"c"}}}"#)]
#[case::res_12_chain(r#"{"authorizerChain":["a","b"]}"#)]
#[case::policy_d07_special_key(r#"{"permission":{"bash":{"__proto__":"deny"}}}"#)]
fn cfg_009_accepted(#[case] text: &str) {
    assert_eq!(findings(text), []);
}

#[rstest]
#[case::schema(r#"{"$schema":1}"#, &["$schema"])]
#[case::null_member(r#"{"debugLog":null}"#, &["debugLog"])]
#[case::zero(r#"{"toolTextSummaryMaxLength":0}"#, &["toolTextSummaryMaxLength"])]
#[case::fraction(r#"{"toolTextSummaryMaxLength":1.5}"#, &["toolTextSummaryMaxLength"])]
#[case::too_large(r#"{"toolInputPreviewMaxLength":9007199254740992}"#, &["toolInputPreviewMaxLength"])]
#[case::infinite(r#"{"toolInputPreviewMaxLength":1e999}"#, &["toolInputPreviewMaxLength"])]
#[case::text_length(r#"{"toolInputPreviewMaxLength":"400"}"#, &["toolInputPreviewMaxLength"])]
#[case::empty_path(r#"{"piInfrastructureReadPaths":[""]}"#, &["piInfrastructureReadPaths.0"])]
#[case::cfg_014_index(r#"{"piInfrastructureReadPaths":["a",5]}"#, &["piInfrastructureReadPaths.1"])]
#[case::permission_word(r#"{"permission":"allow"}"#, &["permission"])]
#[case::permission_null(r#"{"permission":null}"#, &["permission"])]
#[case::permission_array(r#"{"permission":[]}"#, &["permission"])]
#[case::cfg_010_wrong_case(r#"{"permission":{"bash":"Allow"}}"#, &["permission.bash"])]
#[case::cfg_010_null(r#"{"permission":{"bash":null}}"#, &["permission.bash"])]
#[case::cfg_010_array(r#"{"permission":{"bash":[]}}"#, &["permission.bash"])]
#[case::cfg_010_empty_surface(r#"{"permission":{"":"deny"}}"#, &["permission."])]
#[case::cfg_010_empty_pattern(r#"{"permission":{"bash":{"":"deny"}}}"#, &["permission.bash"])]
#[case::cfg_010_allow_object(r#"{"permission":{"bash":{"x":{"action":"allow"}}}}"#, &["permission.bash"])]
#[case::cfg_010_null_reason(r#"{"permission":{"bash":{"x":{"action":"deny","reason":null}}}}"#, &["permission.bash"])]
#[case::cfg_010_empty_object(r#"{"permission":{"bash":{"x":{}}}}"#, &["permission.bash"])]
#[case::cfg_013_no_command(r#"{"shellTools":{"x":{}}}"#, &["shellTools.x.commandArgument"])]
#[case::cfg_013_empty_command(r#"{"shellTools":{"x":{"commandArgument":""}}}"#, &["shellTools.x.commandArgument"])]
#[case::cfg_013_word(r#"{"shellTools":{"x":"cmd"}}"#, &["shellTools.x"])]
#[case::cfg_013_empty_name(r#"{"shellTools":{"":{"commandArgument":"c"}}}"#, &["shellTools."])]
#[case::cfg_013_empty_workdir(r#"{"shellTools":{"x":{"commandArgument":"c","workdirArgument":""}}}"#, &["shellTools.x.workdirArgument"])]
#[case::cfg_013_no_object(r#"{"shellTools":[]}"#, &["shellTools"])]
#[case::res_12_chain(r#"{"authorizerChain":["a",""]}"#, &["authorizerChain.1"])]
#[case::cfg_014_two(r#"{"yoloMode":1,"permission":{"bash":{"x":"no"}}}"#, &["yoloMode", "permission.bash"])]
#[case::cfg_014_one_issue_a_map(r#"{"permission":{"bash":{"x":"no","y":5,"z":{"action":"ask"}}}}"#, &["permission.bash"])]
#[case::cfg_014_table_order(r#"{"permission":5,"yoloMode":5,"debugLog":5}"#, &["debugLog", "yoloMode", "permission"])]
fn cfg_009_rejected(#[case] text: &str, #[case] members: &[&str]) {
    assert_eq!(locations(text), invalid(members));
}

#[rstest]
#[case::location_then_unknown(r#"{"debugLo":true,"debugLog":"yes"}"#, &[(IssueKind::Invalid, "debugLog"), (IssueKind::UnknownMember, "debugLo")])]
#[case::legacy_root_keys(
    r#"{"defaultPolicy":{},"tools":{},"bash":{},"mcp":{},"skills":{},"special":{}}"#,
    &[
        (IssueKind::UnknownMember, "defaultPolicy"),
        (IssueKind::UnknownMember, "tools"),
        (IssueKind::UnknownMember, "bash"),
        (IssueKind::UnknownMember, "mcp"),
        (IssueKind::UnknownMember, "skills"),
        (IssueKind::UnknownMember, "special"),
    ]
)]
#[case::unknown_in_a_deny_object(
    r#"{"permission":{"bash":{"x":{"action":"deny","why":"q"}}}}"#,
    &[(IssueKind::UnknownMember, "why")]
)]
#[case::unknown_beside_another_fault(
    r#"{"permission":{"bash":{"x":{"action":"deny","why":"q"},"y":"no"}}}"#,
    &[(IssueKind::Invalid, "permission.bash")]
)]
#[case::unknown_in_an_alias(r#"{"shellTools":{"x":{"commandArgument":"c","z":1}}}"#, &[(IssueKind::UnknownMember, "z")])]
fn cfg_014_unknown_members(#[case] text: &str, #[case] expected: &[(IssueKind, &str)]) {
    let expected: Vec<(IssueKind, String)> = expected.iter().map(|(kind, member)| (*kind, (*member).to_owned())).collect();
    assert_eq!(locations(text), expected);
}

#[test]
fn cfg_014_issues_have_place_and_nearest_name() {
    let text = "{\n  \"debugLo\": true,\n  \"permission\": {\n    \"bash\": { \"a\": \"allow\",\n      \"x\": \"no\" }\n  }\n}";
    let shown: Vec<String> = findings(text)
        .into_iter()
        .map(|finding| finding.located(Some(super::super::rule::Scope::Project), &"/p/c.json".into()).to_string())
        .collect();
    assert_eq!(
        shown,
        [
            "project /p/c.json:5:12: permission.bash: pattern `x`: expected \"allow\", \"ask\", \"deny\" or a deny object, found \"no\"",
            "project /p/c.json:2:3: debugLo: unknown member; did you mean `debugLog`?",
        ]
    );
}

#[rstest]
#[case::emoji("😀".repeat(500), true)]
#[case::one_more_emoji("😀".repeat(501), false)]
#[case::combining_marks("e\u{301}".repeat(251), false)]
fn cfg_011_reason_counts_code_points(#[case] reason: String, #[case] accepted: bool) {
    let text = format!(r#"{{"permission":{{"bash":{{"x":{{"action":"deny","reason":"{reason}"}}}}}}}}"#);
    let expected = if accepted { Vec::new() } else { invalid(&["permission.bash.x.reason"]) };
    assert_eq!(locations(&text), expected);
}

#[rstest]
#[case::deny_object(r#"{"permission":{"bash":{"action":"deny"}}}"#, "permission.bash")]
#[case::two_patterns_by_accident(r#"{"permission":{"bash":{"action":"deny","reason":"ask"}}}"#, "permission.bash")]
#[case::map_under_the_default(r#"{"permission":{"*":{"*":"allow","x":"deny"}}}"#, "permission.*")]
fn res_08_entries_that_cannot_work(#[case] text: &str, #[case] member: &str) {
    // CFG-012 and RULE-009 accept these; RES-08 does not.
    assert_eq!(locations(text), [(IssueKind::CannotWork, member.to_owned())]);
}

#[test]
fn cfg_012_a_misplaced_deny_with_a_reason_of_words_is_one_fault_and_the_packages_too() {
    let text = r#"{"permission":{"bash":{"action":"deny","reason":"hello"}}}"#;
    assert_eq!(locations(text), [(IssueKind::Invalid, "permission.bash".to_owned())]);
}

#[test]
fn res_08_action_beside_other_patterns_is_a_pattern() {
    assert_eq!(findings(r#"{"permission":{"bash":{"action":"deny","ls":"allow"}}}"#), []);
}

#[test]
fn hard_061_duplicate_key_is_an_error() {
    let text = r#"{"permission":{"bash":{"rm *":"deny","*":"allow","rm *":"deny"}}}"#;
    assert_eq!(locations(text), [(IssueKind::DuplicateKey, "permission.bash.rm *".to_owned())]);
}

#[rstest]
#[case("path_wrote", Some("path_write"))]
#[case("external_directory_reed", Some("external_directory_read"))]
#[case("bahs", Some("bash"))]
#[case("Bash", Some("bash"))]
#[case("BASH", Some("bash"))]
#[case(" read ", Some("read"))]
#[case("external-directory", Some("external_directory"))]
#[case("externalDirectory", Some("external_directory"))]
#[case("pathRead", Some("path_read"))]
#[case("path", None)]
#[case("ls", None)]
#[case("sl", None)]
#[case("LS", Some("ls"))]
#[case("mpc", None)]
#[case("MCP", Some("mcp"))]
#[case("patch", None)]
#[case("math", None)]
#[case("skills", None)]
#[case("raed", Some("read"))]
#[case("paht", Some("path"))]
#[case("path_reads", Some("path_read"))]
#[case("path_wr", None)]
#[case("external_directry", Some("external_directory"))]
#[case("xternal_directry", Some("external_directory"))]
#[case("xternal_directr", None)]
#[case("external_directory_wrt", Some("external_directory_write"))]
#[case("bas*", None)]
#[case("bas?", None)]
#[case("exec_command", None)]
#[case("my_read", None)]
fn hard_013_near_misses(#[case] key: &str, #[case] expected: Option<&str>) {
    assert_eq!(near_miss(key, &[]), expected, "RES-08 {key}");
}

#[test]
fn hard_013_a_registered_tool_is_no_slip() {
    assert_eq!(near_miss("Bash", &["Bash".to_owned()]), None);
}

#[test]
fn hard_013_near_miss_names_place_and_name() {
    let found = findings("{\"permission\":{\n\"path_wrote\":\"deny\"}}");
    let expected = Finding::new(
        super::super::json::Position { line: 2, column: 1 },
        "permission.path_wrote",
        IssueKind::NearMiss,
        "no such surface or tool; did you mean `path_write`?",
    );
    assert_eq!(found, [expected]);
}

#[test]
fn res_08_keys_without_a_tool_are_warnings() {
    let tools = ["read".to_owned(), "exec_command".to_owned(), "mcp__exa__search".to_owned()];
    let document =
        parse_json(r#"{"exec_comand":"deny","read":"ask","zzz":"deny","ex*":"ask","yy*":"ask","*":"ask","bahs":"deny"}"#)
            .unwrap();
    let found: Vec<(IssueKind, String, String)> = unanswered_surfaces(&document.root, "permission", &tools)
        .into_iter()
        .map(|finding| (finding.kind, finding.member, finding.message))
        .collect();
    let no_tool = "no registered tool answers to this name, so its rules have no effect";
    assert_eq!(
        found,
        [
            (
                IssueKind::UnansweredSurface,
                "permission.exec_comand".to_owned(),
                format!("{no_tool}; the nearest name is `exec_command`")
            ),
            (IssueKind::UnansweredSurface, "permission.zzz".to_owned(), no_tool.to_owned()),
            (IssueKind::UnansweredSurface, "permission.yy*".to_owned(), no_tool.to_owned()),
        ]
    );
    assert_eq!(unanswered_surfaces(&document.root, "permission", &[]), []);
}

#[test]
fn cfg_009_values() {
    let text = r#"{
        "debugLog": true, "permissionReviewLog": false, "yoloMode": false, "doublePressToConfirm": true,
        "toolInputPreviewMaxLength": 2.0, "toolTextSummaryMaxLength": 1e3,
        "piInfrastructureReadPaths": ["a", "b"],
        "shellTools": {"x": {"commandArgument": "c", "workdirArgument": "w"}, "1": {"commandArgument": "d"}},
        "authorizerChain": ["l"]
    }"#;
    let alias = |command: &str, workdir: Option<&str>| ShellAlias {
        command_argument: command.to_owned(),
        workdir_argument: workdir.map(str::to_owned),
    };
    assert_eq!(
        settings(text),
        FileSettings {
            debug_log: Some(true),
            permission_review_log: Some(false),
            yolo_mode: Some(false),
            double_press_to_confirm: Some(true),
            tool_input_preview_max_length: Some(2),
            tool_text_summary_max_length: Some(1000),
            pi_infrastructure_read_paths: Some(vec!["a".to_owned(), "b".to_owned()]),
            shell_tools: Some(vec![("x".to_owned(), alias("c", Some("w"))), ("1".to_owned(), alias("d", None))]),
            authorizer_chain: Some(vec!["l".to_owned()]),
            places: Vec::new(),
        }
    );
    assert_eq!(settings("{}"), FileSettings::default());
}

/// Entries as `surface/pattern=action(reason)`.
fn entries(permission: &str, keep: Keep) -> (Option<PermissionState>, Vec<String>) {
    let mut policy = FilePolicy::default();
    policy.read(&parse_json(permission).unwrap().root, keep);
    let shown = policy.entries.iter().map(|entry| {
        let reason = entry.reason.as_ref().map(|reason| format!("({reason})")).unwrap_or_default();
        format!("{}/{}={}{reason}", entry.surface, entry.pattern, entry.action)
    });
    (policy.default.map(|(state, _)| state), shown.collect())
}

#[test]
fn rule_008_map_becomes_rules_in_order() {
    let text =
        r#"{"a":"allow","b":{"x":"ask","y":{"action":"deny","reason":"r"},"q":{"action":"allow"},"w":"nope"},"c":"bogus"}"#;
    assert_eq!(entries(text, Keep::All).1, ["a/*=allow", "b/x=ask", "b/y=deny(r)"]);
}

#[test]
fn rule_009_star_is_the_default_only() {
    assert_eq!(
        entries(r#"{"*":"ask","bash":{"*":"deny"}}"#, Keep::All),
        (Some(PermissionState::Ask), vec!["bash/*=deny".to_owned()])
    );
    assert_eq!(entries(r#"{"*":{"x":"deny"}}"#, Keep::All), (None, Vec::new()));
}

#[test]
fn res_06_only_restrictions_of_a_broken_file() {
    let long = "x".repeat(501);
    let text = format!(
        r#"{{"*":"allow","bash":{{"a":"allow","b":"ask","c":"deny","d":"no","":"deny","e":{{"action":"deny","reason":"{long}","zz":1}}}},
            "read":"allow","path_wrote":"deny","edit":5,"bash":"deny"}}"#
    );
    assert_eq!(
        entries(&text, Keep::Restrictions),
        (None, ["bash/b=ask", "bash/c=deny", "bash/e=deny", "path_wrote/*=deny", "bash/*=deny"].map(str::to_owned).into())
    );
    assert_eq!(entries(r#"{"*":"deny"}"#, Keep::Restrictions).0, Some(PermissionState::Deny));
}

#[test]
fn cfg_016_schema_has_its_definitions_and_members_in_order() {
    let schema = config_json_schema();
    let names = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(names(&schema["$defs"]), ["permissionState", "permissionMap", "denyWithReason"]);
    assert_eq!(names(&schema["properties"]), root::ROOT_MEMBERS);
    let surfaces = names(&schema["properties"]["permission"]["properties"]);
    assert_eq!(surfaces[0], "*");
    assert_eq!(surfaces[1..], WELL_KNOWN_SURFACES);
}
