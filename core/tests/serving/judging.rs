//! What a serving session's own policy says of a request (HARD-009, HARD-010, RES-55 to RES-57).

use portcullis_test_fixtures::DENY;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::world::{Net, events, floored, path, unit, value};

/// How a session with this configuration takes a request: `allow`, `deny` or `ask`, and the response.
fn judged(config: &Value, request: impl FnOnce(&Net) -> Value, grants: &[(&str, &str)]) -> (String, Value) {
    let net = Net::new();
    net.global(&json!({ "yoloMode": config["yoloMode"] == true }));
    let parent = net.build("p", &json!({ "permission": config["permission"] }), Some(vec![DENY]), |builder| {
        builder.tools(["read", "bash", "mcp", "skill", "demo"].map(Value::from).to_vec())
    });
    parent.session_start("startup");
    for (surface, pattern) in grants {
        parent.system.record_session_rule(surface, pattern);
    }
    net.stage("p", &request(&net));
    parent.system.serve_forwarded();
    let verdict = events(&parent).into_iter().find_map(|event| {
        Some(match event.as_str() {
            "forwarded_permission.auto_approved" => "allow",
            "forwarded_permission.auto_denied" => "deny",
            "forwarded_permission.prompted" => "ask",
            "forwarded_permission.refused" => "refused",
            _ => return None,
        })
    });
    (verdict.unwrap_or("nothing").to_owned(), net.response("p", "r1").unwrap_or_default())
}

fn on_facts(permission: &Value, gate: &str, surface: &str, items: &Value) -> String {
    let config = json!({ "permission": permission });
    judged(&config, |net| net.request("r1", &net.facts(gate, surface, items), &[]), &[]).0
}

#[rstest]
#[case::path_deny(json!({"*": "ask", "bash": "allow", "path": {"*": "allow", "*.env": "deny"}, "external_directory": {"*": "ask"}}), "bash-path", "path", path("/w/.env"), "deny")]
#[case::boundary_ask(json!({"*": "ask", "bash": "allow", "path": {"*": "allow", "*.env": "deny"}, "external_directory": {"*": "ask"}}), "bash-external-directory", "external_directory", path("/etc/hosts"), "ask")]
#[case::boundary_deny(json!({"*": "ask", "read": "allow", "external_directory": "deny"}), "external-directory", "external_directory", path("/etc/x"), "deny")]
// INBOX-008: what the package approves on the tool's surface is asked on the gate's own.
#[case::family_over_default(json!({"*": "allow", "external_directory": "ask"}), "external-directory", "external_directory", path("/etc/hostname"), "ask")]
#[case::path_rule(json!({"*": "allow", "path": {"*.env": "ask"}}), "path", "path", path("/w/secret.env"), "ask")]
#[case::chain_with_boundary(json!({"*": "ask", "bash": {"git *": "allow", "cat *": "allow"}, "external_directory": "ask"}), "bash-external-directory", "external_directory", path("/etc/passwd"), "ask")]
#[case::mcp(json!({"*": "ask", "mcp": {"exa:search": "allow"}}), "tool", "mcp", json!({"kind": "mcp", "candidates": ["gh_delete_repo", "gh:delete_repo", "gh", "delete_repo", "mcp_call", "mcp"], "grantName": "gh:delete_repo"}), "ask")]
#[case::allowed_there(json!({"*": "ask", "external_directory_read": {"/etc/*": "allow"}}), "external-directory", "external_directory", path("/etc/hosts"), "allow")]
#[case::allowed_tool(json!({"*": "ask", "demo": "allow"}), "tool", "demo", value("*"), "allow")]
#[case::skill(json!({"*": "ask", "skill": {"deploy": "allow"}}), "skill-input", "skill", value("deploy"), "allow")]
fn hard_009_the_asking_surface_answers(
    #[case] permission: Value,
    #[case] gate: &str,
    #[case] surface: &str,
    #[case] item: Value,
    #[case] expected: &str,
) {
    assert_eq!(on_facts(&permission, gate, surface, &json!([item])), expected);
}

#[rstest]
#[case::floor_of_a_wrapper(json!({"*": "ask", "sudo *": "allow", "ls *": "allow"}), json!([floored("sudo rm x", "<indirection-bash-wrapper>")]), "ask")]
#[case::one_unit_asks(json!({"*": "ask", "sudo *": "allow", "ls *": "allow"}), json!([unit("ls a"), unit("rm -rf b")]), "ask")]
#[case::one_unit_is_denied(json!({"*": "ask", "rm *": "deny", "ls *": "allow"}), json!([unit("ls a"), unit("rm -rf b")]), "deny")]
#[case::all_are_allowed(json!({"*": "ask", "rm *": "allow", "ls *": "allow"}), json!([unit("ls a"), unit("rm -rf b")]), "allow")]
#[case::spelling_denies(json!({"*": "allow", "/bin/rm *": "deny"}), json!([{"kind": "unit", "text": "rm x", "spellings": ["/bin/rm x"]}]), "deny")]
#[case::spelling_allows_nothing(json!({"*": "ask", "rm *": "allow"}), json!([{"kind": "unit", "text": "/x/rm x", "spellings": ["rm x"]}]), "ask")]
fn hard_010_unit_by_unit(#[case] bash: Value, #[case] items: Value, #[case] expected: &str) {
    assert_eq!(on_facts(&json!({ "bash": bash }), "tool", "bash", &items), expected);
}

/// Section 6, "Floors": an allow rule of the serving session lifts none, its permissive mode all but one, a grant what the
/// table says.
#[rstest]
#[case("<unparseable-bash-command>", "x", true, true)]
#[case("<opaque-bash-wrapper>", "x *", true, true)]
#[case("<indirection-bash-wrapper>", "x *", true, true)]
#[case("<unparsed-bash-subtree>", "whole", false, true)]
#[case("<dangerous-bash-option>", "x *", false, true)]
#[case("<loader-variable>", "x *", false, true)]
#[case("<computed-command-word>", "x *", false, true)]
#[case("<unknown-directory>", "x *", false, true)]
#[case("<analysis-bound>", "x *", false, true)]
#[case("<protected-path>", "x *", false, false)]
fn hard_010_floors_on_the_wire(#[case] floor: &str, #[case] grant: &str, #[case] grant_lifts: bool, #[case] mode_lifts: bool) {
    let text = if floor == "<unparseable-bash-command>" { "x" } else { "x y" };
    let item = floored(text, floor);
    let request = |net: &Net| net.request("r1", &net.facts("tool", "bash", &json!([item])), &[]);
    let word = |lifts: bool| if lifts { "allow" } else { "ask" };
    let allowing = json!({ "permission": { "bash": "allow" } });
    assert_eq!(judged(&allowing, request, &[]).0, "ask", "an allow rule lifts no floor");
    assert_eq!(judged(&allowing, request, &[("bash", grant)]).0, word(grant_lifts), "a grant");
    let permissive = json!({ "yoloMode": true, "permission": { "bash": "ask" } });
    assert_eq!(judged(&permissive, request, &[]).0, word(mode_lifts), "the permissive mode (RES-57)");
}

#[rstest]
#[case::spelled("rg --pre *", "allow")]
#[case::not_spelled("rg *", "ask")]
fn hard_057_a_grant_that_spells_the_option(#[case] grant: &str, #[case] expected: &str) {
    let item =
        json!({"kind": "unit", "text": "rg --pre x y", "floors": [{"kind": "<dangerous-bash-option>", "options": ["--pre"]}]});
    let request = |net: &Net| net.request("r1", &net.facts("tool", "bash", &json!([item])), &[]);
    let config = json!({ "permission": { "bash": "ask" } });
    assert_eq!(judged(&config, request, &[("bash", grant)]).0, expected);
}

#[test]
fn hard_010_an_option_that_the_parents_rule_spells_is_no_grant() {
    let item =
        json!({"kind": "unit", "text": "rg --pre x y", "floors": [{"kind": "<dangerous-bash-option>", "options": ["--pre"]}]});
    assert_eq!(on_facts(&json!({"bash": {"rg --pre *": "allow"}}), "tool", "bash", &json!([item])), "ask");
}

#[rstest]
#[case::whole_command(Some("a; (("), "a; ((", "allow")]
#[case::a_part(Some("a; (("), "a", "ask")]
#[case::nobody_knows_it(None, "a; ((", "ask")]
fn hard_004_an_unparsed_statement_needs_the_whole_command(
    #[case] command: Option<&str>,
    #[case] grant: &str,
    #[case] expected: &str,
) {
    let mut item = floored("a; ((", "<unparsed-bash-subtree>");
    if grant == "a" {
        item["text"] = json!("a");
    }
    let request = |net: &Net| {
        let mut facts = net.facts("tool", "bash", &json!([item]));
        facts["prompt"] = json!({ "command": command });
        net.request("r1", &facts, &[])
    };
    assert_eq!(judged(&json!({ "permission": { "bash": "ask" } }), request, &[("bash", grant)]).0, expected);
}

/// HARD-007: what a granted wrapper runs was part of what was granted; nothing else rides on it.
#[rstest]
#[case::inner_of_the_granted(json!([floored("sudo rm x", "<indirection-bash-wrapper>"), {"kind": "unit", "text": "rm x", "context": "wrapped_command"}]), "allow")]
#[case::inner_of_another(json!([floored("sudo ls", "<indirection-bash-wrapper>"), {"kind": "unit", "text": "rm x", "context": "wrapped_command"}]), "ask")]
#[case::no_wrapper(json!([unit("sudo echo rm x"), {"kind": "unit", "text": "rm x", "context": "wrapped_command"}]), "ask")]
#[case::inner_alone(json!([{"kind": "unit", "text": "rm x", "context": "wrapped_command"}]), "ask")]
fn hard_007_inside_a_granted_wrapper(#[case] items: Value, #[case] expected: &str) {
    let request = |net: &Net| net.request("r1", &net.facts("tool", "bash", &items), &[]);
    assert_eq!(judged(&json!({ "permission": { "bash": "ask" } }), request, &[("bash", "sudo *")]).0, expected);
    let denying = json!({ "permission": { "bash": { "*": "ask", "rm *": "deny" } } });
    assert_eq!(judged(&denying, request, &[("bash", "sudo *")]).0, "deny", "a deny inside always counts");
}

/// RES-56: a relative value means the same file only from the same directory; else it serves deny and ask.
#[rstest]
#[case::elsewhere_allows_nothing("c", json!({"*": "ask", "src/*": "allow"}), "src/a", "ask")]
#[case::here_it_allows("p", json!({"*": "ask", "src/*": "allow"}), "src/a", "allow")]
#[case::elsewhere_denies("c", json!({"*": "allow", "src/*": "deny"}), "src/a", "deny")]
#[case::no_tail_of_the_path("p", json!({"*": "ask", "ok/*": "allow"}), "ok/a", "ask")]
fn res_56_relative_values(#[case] directory: &str, #[case] rules: Value, #[case] relative: &str, #[case] expected: &str) {
    let request = |net: &Net| {
        let place = net.cwd(directory).join("src/a");
        let mut item = path(&place.to_string_lossy());
        item["relative"] = json!(relative);
        let mut facts = net.facts("path", "path", &json!([item]));
        facts["cwd"] = json!(net.cwd(directory));
        net.request("r1", &facts, &[])
    };
    assert_eq!(judged(&json!({ "permission": { "path": rules } }), request, &[]).0, expected);
}

#[rstest]
#[case::no_absolute_path(json!({"*": "ask", "a": "allow"}), path("a"), "ask")]
#[case::catch_all_of_an_unknown_place(json!({"*": "allow"}), path("a"), "allow")]
#[case::deny_of_an_unknown_place(json!({"*": "allow", "a": "deny"}), path("a"), "deny")]
#[case::unknown_place(json!({"*": "ask", "../x": "allow"}), json!({"kind": "path", "typed": "../x", "lexical": "../x", "canonical": "", "unknownPlace": true}), "ask")]
fn res_51_words_of_an_unknown_place(#[case] rules: Value, #[case] item: Value, #[case] expected: &str) {
    assert_eq!(
        on_facts(&json!({ "external_directory": rules }), "bash-external-directory", "external_directory", &json!([item])),
        expected
    );
}

/// HARD-036: the member of the direction answers; where it is both, the stricter of the two.
#[rstest]
#[case(json!("read"), "allow")]
#[case(json!("write"), "deny")]
#[case(json!("both"), "deny")]
#[case(Value::Null, "deny")]
fn hard_036_direction(#[case] direction: Value, #[case] expected: &str) {
    let permission = json!({"path_read": "allow", "path_write": "deny"});
    let request = |net: &Net| {
        let mut facts = net.facts("path", "path", &json!([path("/w/a")]));
        facts["direction"] = direction.clone();
        net.request("r1", &facts, &[])
    };
    assert_eq!(judged(&json!({ "permission": permission }), request, &[]).0, expected);
}

/// HARD-009, RES-55: facts that do not fit together only ever ask, whatever is allowed.
#[rstest]
#[case::unknown_gate("unheard-of", "bash", unit("ls"))]
#[case::tool_gate_on_a_family("tool", "path", path("/w/a"))]
#[case::tool_gate_on_a_member("tool", "external_directory_read", path("/w/a"))]
#[case::family_gate_on_a_tool("path", "read", path("/w/a"))]
#[case::boundary_gate_on_path("external-directory", "path", path("/w/a"))]
#[case::unit_on_a_family("path", "path", unit("ls"))]
#[case::path_on_bash("tool", "bash", path("/w/a"))]
#[case::value_on_bash("tool", "bash", value("ls"))]
#[case::value_on_a_family("path", "path", value("*"))]
#[case::star_surface("tool", "*", value("*"))]
#[case::empty_surface("tool", "", value("*"))]
#[case::padded_surface("tool", " bash ", unit("ls"))]
#[case::another_value_of_an_extension("tool", "demo", value("x"))]
#[case::native_mcp_tool("tool", "mcp__gh__search", value("*"))]
#[case::unregistered_tool("tool", "nope", value("*"))]
#[case::other_case("tool", "BASH", value("*"))]
#[case::mcp_without_names("tool", "mcp", json!({"kind": "mcp", "candidates": []}))]
fn res_55_what_is_not_understood_asks(#[case] gate: &str, #[case] surface: &str, #[case] item: Value) {
    assert_eq!(on_facts(&json!({"*": "allow", "mcp": "allow"}), gate, surface, &json!([item])), "ask");
}

#[test]
fn res_55_no_items_ask_and_so_does_another_version() {
    let allowing = json!({ "permission": { "*": "allow" } });
    assert_eq!(on_facts(&allowing["permission"], "tool", "bash", &json!([])), "ask");
    for version in [json!(1), json!(3), Value::Null] {
        let request = |net: &Net| {
            let mut request = net.request("r1", &net.facts("tool", "bash", &json!([unit("ls")])), &[]);
            request["version"] = version.clone();
            request
        };
        assert_eq!(judged(&allowing, request, &[]).0, "ask", "{version}");
    }
}

#[rstest]
#[case::unknown_tool(json!({"nope": "deny"}), "deny")]
#[case::unknown_tool_asked(json!({"*": "allow"}), "ask")]
fn hard_009_an_unknown_surface_is_restricted_only(#[case] permission: Value, #[case] expected: &str) {
    assert_eq!(on_facts(&permission, "tool", "nope", &json!([value("*")])), expected);
}

/// INBOX-007, RES-55: of an old request only a deny of the display pair counts; it is never allowed by a rule, nor by the
/// permissive mode.
#[rstest]
#[case(json!({"*": "allow"}), Some("bash"), Some("git push"), "ask")]
#[case(json!({"bash": {"git *": "allow"}}), Some("bash"), Some("git push"), "ask")]
#[case(json!({"bash": {"git *": "deny"}}), Some("bash"), Some("git push"), "deny")]
#[case(json!({"bash": {"rm *": "deny"}}), Some("bash"), Some("# note\ngit status; rm -rf /"), "deny")]
#[case(json!({"demo": "deny"}), Some("demo"), Some("demo"), "deny")]
#[case(json!({"demo": "deny"}), Some("demo"), Some(""), "ask")]
#[case(json!({"demo": "deny"}), Some(""), Some("demo"), "ask")]
#[case(json!({"demo": "deny"}), None, None, "ask")]
#[case(json!({"*": "deny"}), None, None, "ask")]
#[case(json!({"read": {"*.env": "deny"}}), Some("read"), Some("x.env"), "deny")]
#[case(json!({"mcp": {"gh_*": "deny"}}), Some("mcp"), Some("gh_delete"), "deny")]
#[case(json!({"skill": {"deploy": "deny"}}), Some("skill"), Some("deploy"), "deny")]
fn res_55_old_requests(
    #[case] permission: Value,
    #[case] surface: Option<&str>,
    #[case] value: Option<&str>,
    #[case] expected: &str,
) {
    for yolo in [false, true] {
        let config = json!({ "yoloMode": yolo, "permission": permission });
        let request = |net: &Net| net.old_request("r1", surface, value);
        assert_eq!(judged(&config, request, &[("bash", "*"), ("demo", "*")]).0, expected, "permissive mode {yolo}");
    }
}

/// HARD-048: who decided goes back, with pattern and reason of a rule, and never with its file.
#[rstest]
#[case(json!({"permission": {"demo": {"*": {"action": "deny", "reason": "not here"}}}}), &[], json!({"kind": "rule", "where": "serving", "pattern": "*", "reason": "not here"}), "denied")]
#[case(json!({"permission": {"demo": "allow"}}), &[], json!({"kind": "rule", "where": "serving", "pattern": "*"}), "approved")]
#[case(json!({"permission": {"demo": "ask"}}), &[("demo", "*")], json!({"kind": "session_grant", "where": "serving", "pattern": "*"}), "approved")]
#[case(json!({"yoloMode": true, "permission": {"demo": "ask"}}), &[], json!({"kind": "permissive_mode", "where": "serving", "pattern": "*"}), "approved")]
#[case(json!({"permission": {"demo": "ask"}}), &[], json!({"kind": "user", "where": "serving"}), "denied")]
fn hard_048_who_decided(#[case] config: Value, #[case] grants: &[(&str, &str)], #[case] decided_by: Value, #[case] state: &str) {
    let request = |net: &Net| net.request("r1", &net.facts("tool", "demo", &json!([value("*")])), &[]);
    let (_, response) = judged(&config, request, grants);
    let expected = json!({
        "approved": state == "approved", "state": state, "responderSessionId": "p", "respondedAt": response["respondedAt"],
        "version": 2, "nonce": crate::world::NONCE, "decidedBy": decided_by,
    });
    assert_eq!(response, expected);
}

/// Invariant 12 with HARD-006: neither the permissive mode nor a grant takes a deny away.
#[test]
fn invariant_12_a_deny_is_final() {
    let config = json!({ "yoloMode": true, "permission": { "demo": "deny" } });
    let request = |net: &Net| net.request("r1", &net.facts("tool", "demo", &json!([value("*")])), &[]);
    assert_eq!(judged(&config, request, &[("demo", "*")]).0, "deny");
}

/// RULE-025: a typed skill and a skill's file meet no grant; the `skill` tool does.
#[rstest]
#[case("skill-input", "ask")]
#[case("skill-read", "ask")]
#[case("tool", "allow")]
fn rule_025_skills_by_name_meet_no_grant(#[case] gate: &str, #[case] expected: &str) {
    let request = |net: &Net| net.request("r1", &net.facts(gate, "skill", &json!([value("deploy")])), &[]);
    assert_eq!(judged(&json!({ "permission": { "skill": "ask" } }), request, &[("skill", "deploy")]).0, expected);
}

/// RES-30: a grant answers for the call's own name, and a name that the call does not have is nobody's.
#[rstest]
#[case("exa:search", "allow")]
#[case("gh:delete", "ask")]
fn res_30_mcp_grants(#[case] own: &str, #[case] expected: &str) {
    let item =
        json!({"kind": "mcp", "candidates": ["exa_search", "exa:search", "exa", "search", "mcp_call", "mcp"], "grantName": own});
    let request = |net: &Net| net.request("r1", &net.facts("tool", "mcp", &json!([item])), &[]);
    let grants = [("mcp", "exa:search"), ("mcp", "gh:delete")];
    assert_eq!(judged(&json!({ "permission": { "mcp": "ask" } }), request, &grants).0, expected);
}

#[test]
fn hard_012_a_broken_policy_of_the_serving_session_asks_and_says_so() {
    let net = Net::new();
    net.global(&json!({ "permission": { "demo": "allow" } }));
    let parent = net.build("p", &json!({ "nonsense": 1 }), Some(vec![DENY]), |builder| builder.tools(vec!["demo".into()]));
    parent.session_start("startup");
    net.stage("p", &net.request("r1", &net.facts("tool", "demo", &json!([value("*")])), &[]));
    parent.system.serve_forwarded();
    let dialogs = parent.journal.dialogs();
    assert_eq!(dialogs.len(), 1);
    assert!(dialogs[0].message.contains("\nPolicy is broken: "), "{}", dialogs[0].message);
}
