use std::sync::Arc;

use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

use super::super::issue::IssueKind;
use super::super::rule::{Layer, Origin, PermissionState, Rule, RuleLocation};
use super::super::scope::{LoadedScope, ScopeStatus};
use super::super::settings::RuntimeSettings;
use super::super::test_files::MemoryFiles;
use super::*;
use crate::host::Platform;

const GLOBAL: &str = "/a/extensions/pi-permission-system/config.json";
const PROJECT: &str = "/p/.pi/extensions/pi-permission-system/config.json";
const AGENT: &str = "/a/agents/rev.md";
const PROJECT_AGENT: &str = "/p/.pi/agents/rev.md";
const LEGACY_GLOBAL: &str = "/a/pi-permissions.jsonc";
const LEGACY_PROJECT: &str = "/p/.pi/agent/pi-permissions.jsonc";
const LEGACY_EXTENSION: &str = "/x/config.json";

struct World {
    files: Arc<MemoryFiles>,
    loader: PolicyLoader,
}

impl World {
    fn new(files: &[(&str, &str)]) -> Self {
        Self::of(MemoryFiles::with(files), PolicyLocations::new("/a", Some("/p"), Some("/x"), Platform::Posix))
    }

    fn of(files: MemoryFiles, locations: PolicyLocations) -> Self {
        let files = Arc::new(files);
        let loader = PolicyLoader::new(Arc::clone(&files) as Arc<dyn FileView>, locations);
        Self { files, loader }
    }

    fn load(&self) -> Arc<PolicySnapshot> {
        self.loader.load(Trust::Trusted, Some("rev"), &[])
    }
}

/// Rules as `surface/pattern=action origin`, the default as `* = state`.
fn rules(snapshot: &PolicySnapshot) -> Vec<String> {
    let scope = |scope: &LoadedScope| {
        let default = scope.default.iter().map(|(state, _)| format!("* = {state}")).collect::<Vec<_>>();
        let rules = scope.rules.iter().map(|rule| format!("{}/{}={} {}", rule.surface, rule.pattern, rule.action, rule.origin));
        default.into_iter().chain(rules).collect::<Vec<_>>()
    };
    snapshot.scopes.iter().flat_map(scope).collect()
}

fn statuses(snapshot: &PolicySnapshot) -> [ScopeStatus; 4] {
    [0, 1, 2, 3].map(|index| snapshot.scopes[index].status)
}

fn issues(snapshot: &PolicySnapshot) -> Vec<(Option<Scope>, IssueKind, String)> {
    snapshot.issues.iter().map(|issue| (issue.scope, issue.kind, issue.member.clone())).collect()
}

#[test]
fn no_files_no_policy() {
    let snapshot = World::new(&[]).load();
    assert_eq!(
        *snapshot,
        PolicySnapshot {
            scopes: [
                (Scope::Global, GLOBAL),
                (Scope::Project, PROJECT),
                (Scope::Agent, AGENT),
                (Scope::ProjectAgent, PROJECT_AGENT)
            ]
            .map(|(scope, file)| LoadedScope::empty(scope, file, ScopeStatus::Absent))
            .into(),
            settings: RuntimeSettings::default(),
            issues: Vec::new(),
            mcp_servers: Vec::new(),
            trust: Trust::Trusted,
            ignored_settings: Vec::new(),
            stamp: "missing|missing|missing|missing".to_owned(),
        }
    );
    assert!(!snapshot.clamp());
}

#[test]
fn hard_061_four_scopes_each_in_file_order_with_places() {
    let world = World::new(&[
        (
            GLOBAL,
            "{\"permission\": {\n\"*\": \"deny\",\n \"bash\": {\"b\": \"ask\", \"1\": {\"action\": \"deny\", \"reason\": \"r\"}}}}",
        ),
        (PROJECT, r#"{"permission":{"bash":"allow"}}"#),
        (AGENT, "---\npermission:\n  read: deny\n---\nYou review.\n"),
        (PROJECT_AGENT, "---\npermission:\n  read: {\"*\": ask}\n---\n"),
    ]);
    let snapshot = world.load();
    assert_eq!(
        rules(&snapshot),
        [
            "* = deny",
            "bash/b=ask global",
            "bash/1=deny global",
            "bash/*=allow project",
            "read/*=deny agent",
            "read/*=ask project-agent"
        ]
    );
    assert_eq!(statuses(&snapshot), [ScopeStatus::Ok; 4]);
    let place = |line, column| RuleLocation { file: GLOBAL.into(), line, column };
    assert_eq!(snapshot.scopes[0].default, Some((PermissionState::Deny, place(2, 1))));
    assert_eq!(
        snapshot.scopes[0].rules[1],
        Rule {
            surface: "bash".into(),
            pattern: "1".into(),
            action: PermissionState::Deny,
            reason: Some("r".into()),
            layer: Layer::Config,
            origin: Origin::Global,
            location: Some(place(3, 23)),
        }
    );
}

#[rstest]
#[case::cfg_020_no_agent(None)]
#[case::cfg_020_empty_agent(Some(""))]
#[case::cfg_020_unknown_agent(Some("zz"))]
fn cfg_020_without_an_agent_file(#[case] agent: Option<&str>) {
    let world = World::new(&[(GLOBAL, r#"{"permission":{"bash":"ask"}}"#), (AGENT, "---\npermission:\n  bash: deny\n---\n")]);
    let snapshot = world.loader.load(Trust::Trusted, agent, &[]);
    assert_eq!((rules(&snapshot), snapshot.issues.len()), (vec!["bash/*=ask global".to_owned()], 0));
}

#[test]
fn cfg_004_a_directory_is_an_issue() {
    let files = MemoryFiles::new();
    files.directory(GLOBAL);
    let world = World::of(files, PolicyLocations::new("/a", None, None, Platform::Posix));
    let snapshot = world.loader.load(Trust::Unknown, None, &[]);
    let shown: Vec<String> = snapshot.issues.iter().map(ToString::to_string).collect();
    assert_eq!(shown, [format!("global {GLOBAL}: the file cannot be read: EISDIR: is a directory")]);
    assert_eq!((snapshot.broken(), snapshot.clamp()), (vec![Scope::Global], true));
}

#[test]
fn res_09_an_unreadable_agent_file_is_broken() {
    let files = MemoryFiles::new();
    files.locked(AGENT);
    let world = World::of(files, PolicyLocations::new("/a", None, None, Platform::Posix));
    assert_eq!(world.load().broken(), [Scope::Agent]);
}

#[test]
fn cfg_006_invalid_utf8_is_replaced() {
    let files = MemoryFiles::new();
    files.write_bytes(GLOBAL, b"{\"\xff\":1}");
    let world = World::of(files, PolicyLocations::new("/a", None, None, Platform::Posix));
    assert_eq!(issues(&world.load()), [(Some(Scope::Global), IssueKind::UnknownMember, "\u{fffd}".to_owned())]);
}

#[rstest]
#[case::trailing_comma("{\"yoloMode\":true,}")]
#[case::byte_order_mark("\u{feff}{}")]
#[case::empty("")]
#[case::only_a_comment("// nothing")]
fn cfg_006_a_text_that_does_not_parse(#[case] text: &str) {
    let snapshot = World::new(&[(GLOBAL, text)]).load();
    assert_eq!(issues(&snapshot), [(Some(Scope::Global), IssueKind::Syntax, String::new())]);
    assert_eq!((snapshot.broken(), snapshot.settings.yolo_mode), (vec![Scope::Global], false));
}

#[test]
fn cfg_008_a_broken_project_leaves_the_global_rules() {
    let snapshot = World::new(&[
        (GLOBAL, r#"{"permission":{"bash":{"rm *":"deny"}}}"#),
        (PROJECT, r#"{"yoloMode":"x","permission":{"bash":"allow"}}"#),
    ])
    .load();
    assert_eq!(rules(&snapshot), ["bash/rm *=deny global"]);
    assert_eq!(snapshot.broken(), [Scope::Project]);
}

#[test]
fn res_06_a_broken_global_file_keeps_its_restrictions() {
    // POLICY-D03: the package loses the deny.
    let snapshot = World::new(&[
        (GLOBAL, r#"{"x":1,"yoloMode":true,"permission":{"*":"deny","bash":{"a":"ask","b":"allow"}}}"#),
        (PROJECT, r#"{"permission":{"*":"allow"}}"#),
    ])
    .load();
    assert_eq!(rules(&snapshot), ["* = deny", "bash/a=ask global", "* = allow"]);
    assert_eq!((snapshot.broken(), snapshot.settings.yolo_mode), (vec![Scope::Global], false));
}

#[test]
fn hard_012_breaking_in_mid_session() {
    let world =
        World::new(&[(GLOBAL, r#"{"permission":{"bash":"allow"}}"#), (PROJECT, r#"{"permission":{"bash":{"x":"deny"}}}"#)]);
    assert!(!world.load().clamp());
    world.files.write(PROJECT, r#"{"permission":{"bash":{"*":"denyy"}}}"#);
    let snapshot = world.load();
    assert_eq!((snapshot.clamp(), rules(&snapshot)), (true, vec!["bash/*=allow global".to_owned()]));
    assert_eq!(
        snapshot.warning().unwrap(),
        format!(
            "project {PROJECT}:1:28: permission.bash: pattern `*`: expected \"allow\", \"ask\", \"deny\" or a deny object, found \"denyy\""
        )
    );
    world.files.write(PROJECT, "{}");
    assert!(!world.load().clamp());
}

#[rstest]
#[case(Trust::Untrusted)]
#[case(Trust::Unknown)]
fn res_01_an_untrusted_project_is_not_opened(#[case] trust: Trust) {
    let world = World::new(&[
        (GLOBAL, r#"{"permission":{"bash":{"rm *":"deny"}}}"#),
        (PROJECT, r#"{"yoloMode":true,"permission":{"*":"allow","bash":"allow"}}"#),
        (PROJECT_AGENT, "---\npermission: {bash: allow}\n---"),
        ("/p/.pi/mcp.json", r#"{"mcpServers":{"evil":{}}}"#),
        (LEGACY_PROJECT, r#"{"yoloMode":true}"#),
        ("/a/mcp.json", r#"{"mcpServers":{"mine":{}}}"#),
    ]);
    let snapshot = world.loader.load(trust, Some("rev"), &[]);
    assert_eq!(rules(&snapshot), ["bash/rm *=deny global"]);
    assert_eq!(statuses(&snapshot), [ScopeStatus::Ok, ScopeStatus::NotRead, ScopeStatus::Absent, ScopeStatus::NotRead]);
    assert_eq!(issues(&snapshot), [(Some(Scope::Project), IssueKind::Untrusted, String::new())]);
    assert_eq!((snapshot.settings.yolo_mode, snapshot.mcp_servers.clone()), (false, vec!["mine".to_owned()]));
    assert_eq!(world.files.take_reads(), [GLOBAL, "/a/mcp.json"]);
    // Trust granted later.
    let trusted = world.load();
    assert_eq!(trusted.mcp_servers, ["evil", "mine"]);
    assert_eq!(statuses(&trusted)[1], ScopeStatus::Ok);
}

#[test]
fn res_01_nothing_withheld_no_warning() {
    let world = World::new(&[(GLOBAL, "{}")]);
    assert_eq!(world.loader.load(Trust::Unknown, None, &[]).issues, []);
}

#[rstest]
#[case("reviewer", true)]
#[case("Code Review-2", true)]
#[case("a.b", true)]
#[case(&"x".repeat(128), true)]
#[case(&"é".repeat(128), true)]
#[case(&"x".repeat(129), false)]
#[case("", false)]
#[case("../../evil", false)]
#[case("a/b", false)]
#[case("a\\b", false)]
#[case("..", false)]
#[case("a\u{0}", false)]
#[case("a\nb", false)]
#[case("a\u{85}b", false)]
fn res_10_usable_names(#[case] name: &str, #[case] usable: bool) {
    assert_eq!(usable_agent_name(name), usable, "POLICY-D16");
}

#[test]
fn res_10_an_unusable_name_is_a_broken_scope() {
    let world = World::new(&[("/a/evil.md", "---\npermission: {bash: allow}\n---")]);
    let snapshot = world.loader.load(Trust::Trusted, Some("../evil"), &[]);
    assert_eq!((snapshot.broken(), rules(&snapshot)), (vec![Scope::Agent], Vec::<String>::new()));
    assert_eq!(issues(&snapshot), [(Some(Scope::Agent), IssueKind::AgentName, String::new())]);
    assert_eq!(world.files.take_reads(), Vec::<String>::new());
}

#[test]
fn policy_d05_equal_faults_in_two_files_stay_two() {
    // CFG-030: the package keeps one.
    let world = World::new(&[(GLOBAL, r#"{"x":1}"#), (PROJECT, r#"{"x":1}"#)]);
    let shown: Vec<String> = world.load().issues.iter().map(ToString::to_string).collect();
    assert_eq!(shown, [format!("global {GLOBAL}:1:2: x: unknown member"), format!("project {PROJECT}:1:2: x: unknown member")]);
}

#[test]
fn cfg_030_collected_until_the_loader_is_rebuilt() {
    let world = World::new(&[(GLOBAL, r#"{"x":1}"#)]);
    world.load();
    world.files.write(GLOBAL, "{}");
    assert_eq!((world.load().issues.len(), world.loader.collected_issues().len()), (0, 1));
    world.files.write(GLOBAL, r#"{"x":1}"#);
    world.load();
    assert_eq!(world.loader.collected_issues().len(), 1);
}

#[test]
fn res_03_ignored_settings_are_told_with_their_place() {
    let snapshot = World::new(&[(PROJECT, "{\n  \"yoloMode\": true, \"debugLog\": true\n}")]).load();
    assert_eq!(snapshot.ignored_settings, ["debugLog", "yoloMode"]);
    assert_eq!(snapshot.settings, RuntimeSettings::default());
    assert!(!snapshot.clamp(), "an issue, no violation");
    assert_eq!(
        snapshot.issues[1].to_string(),
        format!("project {PROJECT}:2:3: yoloMode: setting ignored: a project may switch the permissive mode off, not on")
    );
}

#[test]
fn cfg_024_agent_files_hold_no_settings() {
    let snapshot = World::new(&[(AGENT, "---\nyoloMode: true\npermission: {}\n---\n")]).load();
    assert_eq!((snapshot.settings.yolo_mode, snapshot.issues.len()), (false, 0));
}

#[test]
fn cfg_027_legacy_files_bring_settings_and_a_notice_but_no_rules() {
    let snapshot = World::new(&[(LEGACY_GLOBAL, r#"{"yoloMode":true,"permission":{"bash":"allow"}}"#)]).load();
    assert_eq!((snapshot.settings.yolo_mode, rules(&snapshot)), (true, Vec::<String>::new()));
    assert_eq!(issues(&snapshot), [(None, IssueKind::LegacyFile, String::new())]);
    let message = &snapshot.issues[0].message;
    assert!(message.contains(&format!("mv \"{LEGACY_GLOBAL}\" \"{GLOBAL}\"")), "{message}");
    assert!(!snapshot.clamp());
}

#[rstest]
#[case::content_issues_are_suppressed(LEGACY_GLOBAL, r#"{"defaultPolicy":{}}"#)]
#[case::unparsable(LEGACY_GLOBAL, "{")]
#[case::project(LEGACY_PROJECT, "{}")]
#[case::extension(LEGACY_EXTENSION, "{}")]
fn cfg_027_one_issue_a_legacy_file(#[case] path: &str, #[case] text: &str) {
    let snapshot = World::new(&[(path, text)]).load();
    assert_eq!(
        snapshot.issues.iter().map(|issue| (issue.file.as_str(), issue.kind)).collect::<Vec<_>>(),
        [(path, IssueKind::LegacyFile)]
    );
}

#[test]
fn cfg_027_order_of_settings() {
    let world = World::new(&[
        (LEGACY_GLOBAL, r#"{"toolInputPreviewMaxLength":1,"toolTextSummaryMaxLength":1,"debugLog":true}"#),
        (LEGACY_EXTENSION, r#"{"toolInputPreviewMaxLength":2,"toolTextSummaryMaxLength":2,"debugLog":false}"#),
        (GLOBAL, r#"{"toolInputPreviewMaxLength":3}"#),
        (LEGACY_PROJECT, r#"{"toolInputPreviewMaxLength":4}"#),
        (PROJECT, r#"{"toolInputPreviewMaxLength":5}"#),
    ]);
    let settings = &world.load().settings;
    assert_eq!(
        (settings.tool_input_preview_max_length, settings.tool_text_summary_max_length, settings.debug_log),
        (Some(5), Some(2), false)
    );
}

#[rstest]
#[case(r#"{"*":"allow"}"#, true)]
#[case(r#"{"*":"allow","bash":{}}"#, true)]
#[case(r#"{"*":"allow","bash":{"git *":"ask"}}"#, true)]
#[case(r#"{"*":"allow","bash":{"**":"ask"}}"#, true)]
#[case(r#"{"*":"allow","b*":"ask"}"#, true)]
#[case(r#"{"*":"allow","bash":"deny"}"#, false)]
#[case(r#"{"*":"allow","bash":{"*":"allow"}}"#, false)]
#[case(r#"{"*":"ask"}"#, false)]
#[case("{}", false)]
fn cfg_028_bash_inherits_allow(#[case] permission: &str, #[case] warned: bool) {
    let snapshot = World::new(&[(GLOBAL, &format!(r#"{{"permission":{permission}}}"#))]).load();
    let expected =
        if warned { vec![(Some(Scope::Global), IssueKind::BashInheritsAllow, "permission.*".to_owned())] } else { Vec::new() };
    assert_eq!(issues(&snapshot), expected);
}

#[test]
fn cfg_028_looks_at_the_merged_files_without_agents() {
    let quiet = World::new(&[(GLOBAL, r#"{"permission":{"*":"allow"}}"#), (PROJECT, r#"{"permission":{"bash":"ask"}}"#)]);
    assert_eq!(issues(&quiet.load()), []);
    let warned = World::new(&[(GLOBAL, r#"{"permission":{"*":"allow"}}"#), (AGENT, "---\npermission: {bash: ask}\n---\n")]);
    assert_eq!(issues(&warned.load()).len(), 1);
}

#[test]
fn cfg_032_resolved_paths() {
    let world =
        World::of(MemoryFiles::with(&[(GLOBAL, "{}"), (AGENT, "")]), PolicyLocations::new("/a", None, None, Platform::Posix));
    assert_eq!(
        serde_json::Value::Object(world.loader.resolved_paths(Trust::Unknown)),
        json!({
            "globalConfigPath": GLOBAL,
            "globalConfigExists": true,
            "projectConfigPath": null,
            "projectConfigExists": false,
            "agentsDir": "/a/agents",
            "agentsDirExists": true,
            "projectAgentsDir": null,
            "projectAgentsDirExists": false,
            "legacyGlobalPolicyDetected": false,
            "legacyProjectPolicyDetected": false,
            "legacyExtensionConfigDetected": false,
            "projectTrusted": false,
        })
    );
    let project =
        World::new(&[(PROJECT, "{}"), (LEGACY_PROJECT, "{}"), (LEGACY_EXTENSION, "{}")]).loader.resolved_paths(Trust::Trusted);
    assert_eq!(
        (&project["projectConfigExists"], &project["projectAgentsDir"], &project["legacyProjectPolicyDetected"]),
        (&json!(true), &json!("/p/.pi/agents"), &json!(true))
    );
    assert_eq!((&project["legacyExtensionConfigDetected"], &project["projectTrusted"]), (&json!(true), &json!(true)));
}

#[test]
fn cfg_003_without_a_project() {
    for cwd in [None, Some("")] {
        let world = World::of(MemoryFiles::new(), PolicyLocations::new("/a", cwd, None, Platform::Posix));
        assert_eq!(world.loader.resolved_paths(Trust::Trusted)["projectConfigPath"], json!(null));
        let snapshot = world.loader.load(Trust::Trusted, Some("a"), &[]);
        assert_eq!((snapshot.stamp.as_str(), &*snapshot.scopes[1].file), ("missing|none|missing|none", ""), "CFG-033");
    }
}

#[test]
fn cfg_033_stamps() {
    let world = World::new(&[]);
    assert_eq!(world.loader.load(Trust::Trusted, None, &[]).stamp, "missing|missing|missing|none");
    world.files.write(GLOBAL, "{}");
    assert_eq!(world.loader.load(Trust::Unknown, Some("rev"), &[]).stamp, "1:1:2:7:8|not-read|missing|not-read");
}

#[test]
fn policy_d19_a_change_with_the_same_time_and_size_is_seen() {
    let world = World::new(&[(GLOBAL, r#"{"permission":{"a":"deny"}}"#)]);
    let first = world.load();
    assert!(Arc::ptr_eq(&first, &world.load()), "nothing changed: the same snapshot");
    // The test file system gives every write a new inode and the same two times.
    world.files.write(GLOBAL, r#"{"permission":{"b":"deny"}}"#);
    assert_eq!(rules(&world.load()), ["b/*=deny global"]);
    world.files.remove(GLOBAL);
    assert_eq!((rules(&world.load()), statuses(&world.load())[0]), (Vec::new(), ScopeStatus::Absent));
}

#[test]
fn policy_d19_content_stands_in_for_missing_stamps() {
    let world = World::new(&[(GLOBAL, r#"{"permission":{"a":"deny"}}"#)]);
    world.files.without_stamps();
    assert_eq!(rules(&world.load()), ["a/*=deny global"]);
    world.files.write(GLOBAL, r#"{"permission":{"b":"deny"}}"#);
    assert_eq!(rules(&world.load()), ["b/*=deny global"]);
}

#[test]
fn unchanged_files_are_read_once() {
    let world = World::new(&[(GLOBAL, "{}"), (PROJECT, "{}"), (AGENT, "")]);
    world.load();
    assert_eq!(world.files.take_reads(), [GLOBAL, PROJECT, AGENT]);
    world.load();
    world.loader.load(Trust::Trusted, None, &[]);
    world.load();
    assert_eq!(world.files.take_reads(), Vec::<String>::new());
    world.files.write(PROJECT, "{ }");
    world.load();
    assert_eq!(world.files.take_reads(), [PROJECT]);
}

#[test]
fn res_08_warnings_follow_the_registered_tools() {
    let world = World::new(&[(GLOBAL, r#"{"permission":{"Bash":"deny","zzz":"ask"}}"#)]);
    let kinds = |tools: &[&str]| {
        let tools: Vec<String> = tools.iter().map(|tool| (*tool).to_owned()).collect();
        let snapshot = world.loader.load(Trust::Trusted, None, &tools);
        (snapshot.issues.iter().map(|issue| issue.kind).collect::<Vec<_>>(), snapshot.clamp())
    };
    assert_eq!(kinds(&[]), (vec![IssueKind::NearMiss], true));
    assert_eq!(kinds(&["read"]), (vec![IssueKind::NearMiss, IssueKind::UnansweredSurface], true));
    assert_eq!(kinds(&["Bash"]), (vec![IssueKind::UnansweredSurface], false));
    assert_eq!(kinds(&["Bash", "zzz"]), (vec![], false));
}

#[test]
fn policy_d20_mcp_servers_of_the_injected_folder_and_the_trusted_project() {
    let world = World::new(&[
        ("/a/mcp.json", "{\"mcpServers\": {\"b\": {}, \"exa\": {}}} // mine"),
        ("/p/.pi/mcp.json", r#"{"mcp-servers":{"long-one":{},"b":{}}}"#),
    ]);
    assert_eq!(world.load().mcp_servers, ["long-one", "exa", "b"], "RES-16");
}

#[test]
fn loaders_are_shared_between_threads() {
    let world = Arc::new(World::new(&[(GLOBAL, r#"{"permission":{"bash":"ask"}}"#)]));
    let threads: Vec<_> = (0..4)
        .map(|index| {
            let world = Arc::clone(&world);
            std::thread::spawn(move || {
                world.loader.load(Trust::Trusted, [None, Some("rev")][index % 2], &[]).scopes[0].rules.len()
            })
        })
        .collect();
    assert_eq!(threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>(), [1; 4]);
}

fn state() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("allow"), Just("ask"), Just("deny")]
}

fn permission() -> impl Strategy<Value = serde_json::Value> {
    let surface = prop_oneof![Just("bash"), Just("read"), Just("mcp"), Just("42"), Just("x*")];
    let map = proptest::collection::vec(("[a-z*]{1,3}", state()), 0..4)
        .prop_map(|entries| entries.into_iter().map(|(key, state)| (key, json!(state))).collect::<serde_json::Value>());
    let answer = prop_oneof![state().prop_map(|state| json!(state)), map];
    proptest::collection::vec((surface, answer), 0..5)
        .prop_map(|surfaces| surfaces.into_iter().map(|(surface, answer)| (surface.to_owned(), answer)).collect())
}

proptest! {
    /// Policy invariant 5 as RES-06 has it: what is left of a broken file is its restrictions, in order.
    #[test]
    fn invariant_05_a_broken_file_keeps_exactly_its_restrictions(permission in permission()) {
        let sound = World::new(&[(GLOBAL, &json!({ "permission": permission }).to_string())]).load();
        let broken = World::new(&[(GLOBAL, &json!({ "permission": permission, "zz": 1 }).to_string())]).load();
        prop_assert!(!sound.clamp());
        prop_assert!(broken.clamp());
        let strict: Vec<_> = sound.scopes[0].rules.iter().map(|rule| (&rule.surface, &rule.pattern, rule.action))
            .filter(|(_, _, action)| *action != PermissionState::Allow).collect();
        let kept: Vec<_> = broken.scopes[0].rules.iter().map(|rule| (&rule.surface, &rule.pattern, rule.action)).collect();
        prop_assert_eq!(kept, strict);
    }
}

/// Which requirement rejects a file that the package takes; the trace of a call needs it (README, section 8).
#[rstest]
#[case::hard_061_duplicate(GLOBAL, r#"{"permission":{"bash":{"a":"deny","a":"ask"}}}"#, Some("HARD-061"))]
#[case::policy_d12_map_under_star(GLOBAL, r#"{"permission":{"*":{"a":"deny"}}}"#, Some("POLICY-D12"))]
#[case::hard_013_near_miss(GLOBAL, r#"{"permission":{"path_wrote":"deny"}}"#, Some("HARD-013"))]
#[case::both_reject(GLOBAL, r#"{"x":1,"permission":{"path_wrote":"deny"}}"#, None)]
#[case::valid(GLOBAL, r#"{"permission":{"bash":"deny"}}"#, None)]
#[case::hard_012_an_agent_file_of_which_an_entry_is_wrong(
    AGENT,
    "---\npermission:\n  bash: allow\n  deploy:\n    x: no\n---\n",
    Some("HARD-012")
)]
#[case::an_agent_file_that_could_widen_nothing(AGENT, "---\npermission:\n  bash: deny\n  deploy:\n    x: no\n---\n", None)]
#[case::an_agent_file_of_which_neither_takes_a_rule(AGENT, "---\npermission:\n  bash: [deny]\n---\n", None)]
fn rejected_beyond_the_package(#[case] file: &str, #[case] text: &str, #[case] expected: Option<&str>) {
    let snapshot = World::new(&[(file, text)]).load();
    assert_eq!(snapshot.scopes.iter().find_map(|scope| scope.rejected_by), expected);
}
