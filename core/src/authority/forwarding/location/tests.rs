use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;

use super::*;

#[rstest]
#[case::inner_blank(Some(" a b "), Some("a b"))]
#[case::upper_case_unknown(Some(" UNKNOWN "), None)]
#[case::tab(Some("Unknown\t"), None)]
#[case::empty(Some(""), None)]
#[case::blank(Some(" \u{feff}\u{a0}"), None)]
#[case::absent(None, None)]
#[case::no_unknown(Some("unknown-1"), Some("unknown-1"))]
#[case::dot(Some("."), Some("."))]
fn sub_011_usable_session_ids(#[case] id: Option<&str>, #[case] expected: Option<&str>) {
    assert_eq!(normalize_session_id(id).as_deref(), expected);
}

#[rstest]
#[case::minted("1764500000000-vzfjsqoh-4242", true)]
#[case::skill_input("skill-input-1764500000000-vzfjsqoh-4242", true)]
#[case::seed("req-forwarded", true)]
#[case::one("a", true)]
#[case::empty("", false)]
#[case::traversal("../../../../escape", false)]
#[case::slash("a/b", false)]
#[case::nul("a\0b", false)]
#[case::dot("a.json", false)]
#[case::blank("a b", false)]
#[case::letter("é", false)]
fn fwd_d02_usable_request_ids(#[case] id: &str, #[case] usable: bool) {
    assert_eq!(usable_request_id(id), usable);
}

#[test]
fn fwd_d02_at_most_128_characters() {
    assert_eq!([128, 129, 300].map(|length| usable_request_id(&"a".repeat(length))), [true, false, false]);
}

#[rstest]
#[case("/a", "/a/sessions/permission-forwarding")]
#[case("/a/", "/a/sessions/permission-forwarding")]
#[case("/", "/sessions/permission-forwarding")]
#[case(r"C:\Users\me\.pi\agent", r"C:\Users\me\.pi\agent/sessions/permission-forwarding")]
fn fwd_001_root(#[case] agent_dir: &str, #[case] root: &str) {
    assert_eq!(ForwardingRoot::new(agent_dir).path(), root);
}

#[rstest]
#[case("p1", "p1")]
#[case(" p1 ", "p1")]
#[case("..", "%2E%2E")]
#[case(".", "%2E")]
fn fwd_001_session_folder(#[case] id: &str, #[case] name: &str) {
    let location = ForwardingRoot::at("/r").location(id).expect("a location");
    assert_eq!(location.session_dir(), format!("/r/sessions/{name}"));
}

#[rstest]
#[case("")]
#[case("unknown")]
#[case(" Unknown ")]
fn fwd_001_no_location(#[case] id: &str) {
    let fault = ForwardingRoot::at("/r").location(id).expect_err("no location");
    assert_eq!(fault, LocationFault { kind: LocationFaultKind::NoSessionId });
    assert_eq!(fault.to_string(), "the session id is blank or unknown");
}

#[test]
fn fwd_001_files_of_a_session() {
    let location = ForwardingRoot::at("/r").location("p").expect("a location");
    assert_eq!(location.requests(), "/r/sessions/p/requests");
    assert_eq!(location.responses(), "/r/sessions/p/responses");
    assert_eq!(location.request_file("1-a-2"), "/r/sessions/p/requests/1-a-2.json");
    assert_eq!(location.request_named("f.x.json"), "/r/sessions/p/requests/f.x.json");
    assert_eq!(location.claim_file("1-a-2"), "/r/sessions/p/requests/1-a-2.claim");
    assert_eq!(location.aside_file("1-a-2"), "/r/sessions/p/requests/1-a-2.aside");
    assert_eq!(location.response_file("1-a-2"), "/r/sessions/p/responses/1-a-2.json");
    assert_eq!(location.heartbeat_file(), "/r/sessions/p/heartbeat.json");
}

proptest! {
    /// FWD-018: an id that leads elsewhere was the baseline's way out of the root.
    #[test]
    fn fwd_d02_no_file_lies_outside_its_folder(id in "\\PC{0,30}|(\\.\\./){0,4}[a-z\0]{0,3}|\\.{0,3}") {
        let location = ForwardingRoot::at("/r").location("p").expect("a location");
        for path in [location.request_file(&id), location.claim_file(&id), location.request_named(&id)] {
            let name = path.strip_prefix("/r/sessions/p/requests/").expect("below the folder of requests");
            prop_assert!(!matches!(name, "" | "." | "..") && !name.contains(['/', '\0']), "{name}");
        }
        let response = location.response_file(&id);
        let name = response.strip_prefix("/r/sessions/p/responses/").expect("below the folder of responses");
        prop_assert!(!name.contains(['/', '\0']), "{name}");
    }
}
