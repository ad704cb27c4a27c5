use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

use super::super::facts::{FactItem, FactPrompt};
use super::super::message::FORWARDING_VERSION;
use super::super::reading::MAX_MESSAGE_BYTES;
use super::*;

fn minimal() -> Value {
    json!({
        "id": "r",
        "createdAt": 5,
        "requesterSessionId": "c",
        "targetSessionId": "p",
        "requesterAgentName": "Explore",
        "message": "Allow git push?",
    })
}

fn with(key: &str, value: Value) -> Value {
    let mut request = minimal();
    request[key] = value;
    request
}

fn read(request: &Value) -> Result<ForwardedRequest, MessageFault> {
    read_request(request.to_string().as_bytes())
}

fn fine(request: &Value) -> ForwardedRequest {
    read(request).expect("a request")
}

fn kind(bytes: impl AsRef<[u8]>) -> MessageFaultKind {
    read_request(bytes.as_ref()).expect_err("no request").kind
}

fn plain() -> ForwardedRequest {
    ForwardedRequest {
        id: "r".into(),
        created_at: 5,
        requester_session_id: "c".into(),
        target_session_id: "p".into(),
        requester_agent_name: "Explore".into(),
        message: "Allow git push?".into(),
        source: None,
        surface: None,
        value: None,
        session_approval: None,
        version: None,
        nonce: None,
        grants: vec![],
        facts: None,
    }
}

fn facts() -> AskFacts {
    AskFacts {
        gate: "tool".into(),
        surface: "bash".into(),
        direction: None,
        cwd: "/work".into(),
        tool: Some("bash".into()),
        items: vec![FactItem::Unit { text: "git push".into(), spellings: vec![], context: None, floors: vec![] }],
        prompt: FactPrompt { command: Some("git push".into()), ..FactPrompt::default() },
    }
}

#[test]
fn fwd_005_six_keys_are_a_request() {
    assert_eq!(read(&minimal()), Ok(plain()));
}

#[rstest]
fn fwd_005_each_of_the_six_is_required(
    #[values("id", "createdAt", "requesterSessionId", "targetSessionId", "requesterAgentName", "message")] key: &str,
    #[values(None, Some(json!(null)), Some(json!([])), Some(json!(true)))] value: Option<Value>,
) {
    let mut request = minimal();
    let object = request.as_object_mut().expect("an object");
    match value {
        None => drop(object.remove(key)),
        Some(value) => drop(object.insert(key.to_owned(), value)),
    }
    assert_eq!(kind(request.to_string()), MessageFaultKind::Shape);
}

#[rstest]
#[case::text_for_a_number("createdAt", json!("1"))]
#[case::number_for_a_text("id", json!(1))]
fn fwd_005_wrong_types(#[case] key: &str, #[case] value: Value) {
    assert_eq!(kind(with(key, value).to_string()), MessageFaultKind::Shape);
}

#[rstest]
#[case(json!(-1), 0)]
#[case(json!(1.9), 1)]
#[case(json!(1e300), u64::MAX)]
#[case(json!(0), 0)]
fn fwd_005_any_number_is_a_time(#[case] value: Value, #[case] created_at: u64) {
    assert_eq!(fine(&with("createdAt", value)).created_at, created_at);
}

#[rstest]
#[case("id")]
#[case("requesterSessionId")]
#[case("message")]
fn fwd_005_empty_texts_are_texts(#[case] key: &str) {
    assert!(read(&with(key, json!(""))).is_ok());
}

#[rstest]
#[case::null("null", MessageFaultKind::Shape)]
#[case::array("[]", MessageFaultKind::Shape)]
#[case::number("3", MessageFaultKind::Shape)]
#[case::text("\"x\"", MessageFaultKind::Shape)]
#[case::empty("", MessageFaultKind::Unreadable)]
#[case::truncated("{\"id\":\"r\"", MessageFaultKind::Unreadable)]
#[case::two("{}{}", MessageFaultKind::Unreadable)]
fn fwd_005_no_request(#[case] text: &str, #[case] expected: MessageFaultKind) {
    assert_eq!(kind(text), expected);
}

#[test]
fn fwd_005_a_byte_order_mark_is_unreadable() {
    assert_eq!(kind(format!("\u{feff}{}", minimal())), MessageFaultKind::Unreadable);
}

#[test]
fn fwd_005_bytes_that_are_no_utf_8_are_replaced() {
    let text = minimal().to_string();
    let (head, tail) = text.split_once("git push").expect("the message");
    let bytes = [head.as_bytes(), b"\xff\xfe", tail.as_bytes()].concat();
    assert_eq!(read_request(&bytes).expect("a request").message, "Allow \u{fffd}\u{fffd}?");
}

#[test]
fn fwd_005_unknown_keys_are_ignored_and_the_last_of_two_counts() {
    let text = minimal().to_string().replacen('{', r#"{"id":"first","new":{"deep":[1]},"#, 1);
    assert_eq!(read_request(text.as_bytes()), Ok(plain()));
}

#[test]
fn fwd_005_optional_members_degrade_singly() {
    let mut request = minimal();
    request["source"] = json!("rpc_prompt");
    request["surface"] = json!(3);
    request["value"] = json!({});
    assert_eq!(read(&request), Ok(plain()));
    request["value"] = json!("v");
    assert_eq!(read(&request), Ok(ForwardedRequest { value: Some("v".into()), ..plain() }));
    request["surface"] = json!(null);
    request["source"] = json!("skill_read");
    let expected = ForwardedRequest { source: Some(AskSource::SkillRead), value: Some("v".into()), ..plain() };
    assert_eq!(read(&request), Ok(expected));
}

#[rstest]
#[case::one(json!({"surface": "demo", "patterns": ["*"]}), Some(("demo", vec!["*"])))]
#[case::none(json!({"surface": "demo", "patterns": []}), Some(("demo", vec![])))]
#[case::empty_texts(json!({"surface": "demo", "patterns": ["", "*"]}), Some(("demo", vec!["", "*"])))]
#[case::extra_keys(json!({"surface": "demo", "patterns": ["a"], "x": 1}), Some(("demo", vec!["a"])))]
#[case::mixed(json!({"surface": "demo", "patterns": ["a", 1]}), None)]
#[case::text(json!({"surface": "demo", "patterns": "git *"}), None)]
#[case::no_patterns(json!({"surface": "demo"}), None)]
#[case::empty_surface(json!({"surface": "", "patterns": ["a"]}), None)]
#[case::no_surface(json!({"patterns": ["a"]}), None)]
#[case::null(json!(null), None)]
#[case::array(json!([]), None)]
#[case::a_text(json!("git *"), None)]
fn fwd_005_old_suggestions(#[case] value: Value, #[case] expected: Option<(&str, Vec<&str>)>) {
    let expected = expected.map(|(surface, patterns)| LegacyApproval {
        surface: surface.to_owned(),
        patterns: patterns.into_iter().map(str::to_owned).collect(),
    });
    assert_eq!(fine(&with("sessionApproval", value)).session_approval, expected);
}

#[rstest]
#[case::pairs(json!([["bash", "git *"], ["external_directory", "/a/*"]]),
    vec![("bash", "git *"), ("external_directory", "/a/*")])]
#[case::none(json!([]), vec![])]
#[case::one_bad(json!([["bash", "git *"], ["bash"]]), vec![])]
#[case::triple(json!([["bash", "git *", "x"]]), vec![])]
#[case::old_shape(json!({"surface": "bash", "patterns": ["git *"]}), vec![])]
#[case::number(json!([["bash", 1]]), vec![])]
#[case::null(json!(null), vec![])]
fn hard_042_pairs_all_or_none(#[case] value: Value, #[case] expected: Vec<(&str, &str)>) {
    let expected: Vec<(String, String)> = expected.into_iter().map(|(s, p)| (s.to_owned(), p.to_owned())).collect();
    assert_eq!(fine(&with("grants", value)).grants, expected);
}

#[rstest]
#[case::ours(json!("0123456789abcdefABCDEF0123456789"), true)]
#[case::short(json!("0123"), false)]
#[case::other_letters(json!("0123456789abcdefghijkl0123456789"), false)]
#[case::number(json!(1), false)]
fn fwd_d08_a_nonce_is_32_hexadecimal_digits(#[case] value: Value, #[case] kept: bool) {
    assert_eq!(fine(&with("nonce", value.clone())).nonce.as_deref(), kept.then(|| value.as_str()).flatten());
}

#[test]
fn res_055_facts_are_whole_or_absent() {
    let whole = serde_json::to_value(facts()).expect("facts");
    assert_eq!(fine(&with("facts", whole.clone())).facts, Some(facts()));
    let broken: [(&str, Value); 7] = [
        ("surface", json!(1)),
        ("items", json!([{"kind": "unit"}])),
        ("items", json!([{"kind": "unit", "text": "a", "lifted": true}])),
        ("items", json!([{"kind": "later", "value": "a"}])),
        ("items", json!([{"kind": "unit", "text": "a", "floors": [{"kind": "<later>"}]}])),
        ("direction", json!("sideways")),
        ("onlyIf", json!("a member of a later version may hold back what the rest allows")),
    ];
    for (key, value) in broken {
        let mut skewed = whole.clone();
        skewed[key] = value;
        assert_eq!(fine(&with("facts", skewed.clone())), plain(), "{skewed}");
    }
    for value in [json!(null), json!([]), json!("x")] {
        assert_eq!(fine(&with("facts", value)).facts, None);
    }
}

#[test]
fn res_055_what_is_written_reads_back() {
    let request = ForwardedRequest {
        source: Some(AskSource::ToolCall),
        version: Some(FORWARDING_VERSION),
        nonce: Some("0123456789abcdef0123456789abcdef".into()),
        grants: vec![("bash".into(), "git push *".into())],
        facts: Some(facts()),
        ..plain()
    };
    let text = serde_json::to_string(&request).expect("a text");
    let keys = r#"{"id":"r","createdAt":5,"requesterSessionId":"c","targetSessionId":"p","requesterAgentName":"Explore","message":"Allow git push?","source":"tool_call","surface":null,"value":null,"version":2,"nonce":"0123456789abcdef0123456789abcdef","grants":[["bash","git push *"]],"facts":{"#;
    assert!(text.starts_with(keys), "{text}");
    assert_eq!(read_request(text.as_bytes()), Ok(request));
}

#[test]
fn fwd_d10_a_message_is_bounded() {
    let room = usize::try_from(MAX_MESSAGE_BYTES).expect("a length") - with("message", json!("")).to_string().len();
    assert!(read(&with("message", json!("x".repeat(room)))).is_ok());
    assert_eq!(kind(with("message", json!("x".repeat(room + 1))).to_string()), MessageFaultKind::TooLarge);
}

#[test]
fn fwd_d10_nesting_is_bounded() {
    assert_eq!(kind("[".repeat(200_000)), MessageFaultKind::Unreadable);
    let deep = minimal().to_string().replacen('{', &format!("{{\"x\":{}1{},", "[".repeat(9000), "]".repeat(9000)), 1);
    assert_eq!(kind(deep), MessageFaultKind::Unreadable);
}

/// The requests that docs/spec/forwarding.md captured (section 6), with ids and times filled in.
#[rstest]
#[case::c1(r#""source":"tool_call","surface":"demo","value":"demo","sessionApproval":{"surface":"demo","patterns":["*"]}"#,
    AskSource::ToolCall, "demo", "demo", Some(("demo", vec!["*"])))]
#[case::c4(r#""source":"tool_call","surface":"bash","value":"git push origin main","sessionApproval":{"surface":"bash","patterns":["git push *"]}"#,
    AskSource::ToolCall, "bash", "git push origin main", Some(("bash", vec!["git push *"])))]
#[case::c5(r#""source":"skill_input","surface":"skill","value":"deploy""#, AskSource::SkillInput, "skill", "deploy", None)]
#[case::c6(r#""source":"tool_call","surface":"bash","value":"cat /opt/aa/x /var/bb/y","sessionApproval":{"surface":"external_directory","patterns":["/opt/aa/*","/var/bb/*"]}"#,
    AskSource::ToolCall, "bash", "cat /opt/aa/x /var/bb/y", Some(("external_directory", vec!["/opt/aa/*", "/var/bb/*"])))]
#[case::c7(r#""source":"tool_call","surface":"read","value":"/etc/hostname","sessionApproval":{"surface":"external_directory","patterns":["/etc/*"]}"#,
    AskSource::ToolCall, "read", "/etc/hostname", Some(("external_directory", vec!["/etc/*"])))]
#[case::c11(
    r#""source":"skill_read","surface":"skill","value":"/w/skills/s1/SKILL.md""#,
    AskSource::SkillRead,
    "skill",
    "/w/skills/s1/SKILL.md",
    None
)]
#[case::c12(r#""source":"tool_call","surface":"edit","value":"edit","sessionApproval":{"surface":"edit","patterns":["/w/src/*"]}"#,
    AskSource::ToolCall, "edit", "edit", Some(("edit", vec!["/w/src/*"])))]
fn fwd_004_captured_requests(
    #[case] rest: &str,
    #[case] source: AskSource,
    #[case] surface: &str,
    #[case] value: &str,
    #[case] approval: Option<(&str, Vec<&str>)>,
) {
    let text = format!(
        r#"{{"id":"1764500000000-vzfjsqoh-77","createdAt":1764500000000,"requesterSessionId":"c","targetSessionId":"p","requesterAgentName":"unknown","message":"M",{rest}}}"#
    );
    let expected = ForwardedRequest {
        id: "1764500000000-vzfjsqoh-77".into(),
        created_at: 1_764_500_000_000,
        requester_agent_name: "unknown".into(),
        message: "M".into(),
        source: Some(source),
        surface: Some(surface.to_owned()),
        value: Some(value.to_owned()),
        session_approval: approval.map(|(surface, patterns)| LegacyApproval {
            surface: surface.to_owned(),
            patterns: patterns.into_iter().map(str::to_owned).collect(),
        }),
        ..plain()
    };
    assert_eq!(read_request(text.as_bytes()), Ok(expected));
}

proptest! {
    /// Invariant 6: any bytes are a request or a fault.
    #[test]
    fn fwd_005_never_fails_hard(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = read_request(&bytes);
    }

    /// Damage to a whole request: cut, a byte changed, a part doubled.
    #[test]
    fn fwd_005_a_damaged_request_is_one_or_none(cut in 0usize..400, at in 0usize..400, byte in any::<u8>()) {
        let mut whole = with("facts", serde_json::to_value(facts()).expect("facts")).to_string().into_bytes();
        whole.truncate(whole.len().saturating_sub(cut));
        if let Some(there) = whole.get_mut(at) {
            *there = byte;
        }
        if let Ok(request) = read_request(&whole) {
            let again = serde_json::to_vec(&request).expect("bytes");
            let expected = ForwardedRequest { session_approval: None, ..request };
            prop_assert_eq!(read_request(&again), Ok(expected));
        }
    }
}
