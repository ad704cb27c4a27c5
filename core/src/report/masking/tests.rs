use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

use super::scan::{Scanner, may_bind};
use super::{MASK, mask_text, mask_value};

/// HARD-052: what binds a value to a sensitive name. `R` stands for the mask.
#[rstest]
// The examples of the requirement.
#[case::assignment("KEY=v curl https://h", "KEY=R curl https://h")]
#[case::payload("bash -c 'TOKEN=v x'", "bash -c 'TOKEN=R x'")]
#[case::no_guessing("grep sk-1 .", "grep sk-1 .")]
// Assignments.
#[case::export("export API_KEY=v; ls", "export API_KEY=R; ls")]
#[case::env("env TOKEN=v cmd", "env TOKEN=R cmd")]
#[case::wrapper("sudo -E env TOKEN=v nohup cmd a", "sudo -E env TOKEN=R nohup cmd a")]
#[case::append("TOKEN+=v x", "TOKEN+=R x")]
#[case::quoted_value("TOKEN='a b' x", "TOKEN=R x")]
#[case::double_quoted_value(r#"TOKEN="a \" b" x"#, "TOKEN=R x")]
#[case::pieces(r#"TOKEN=a'b c'"d e"\ f x"#, "TOKEN=R x")]
#[case::computed("TOKEN=a$(cat 'x y')b x", "TOKEN=R x")]
#[case::backquoted("TOKEN=a`cat x y`b x", "TOKEN=R x")]
#[case::array("TOKENS=(a b) x", "TOKENS=R x")]
#[case::empty("TOKEN= cmd", "TOKEN= cmd")]
#[case::whole_word_quoted("env 'TOKEN=a b' cmd", "env 'TOKEN=R' cmd")]
#[case::whole_word_in_payload(r#"bash -c "env 'TOKEN=a b' x""#, r#"bash -c "env 'TOKEN=R' x""#)]
#[case::unterminated("TOKEN='a b", "TOKEN=R")]
#[case::command_follows("TOKEN=v;rm -rf x", "TOKEN=R;rm -rf x")]
#[case::here_doc("cat > .env <<EOF\nAPI_KEY=v w\nA=b\nEOF", "cat > .env <<EOF\nAPI_KEY=R w\nA=b\nEOF")]
#[case::private_key("KEY=\"-----BEGIN\nabc\n-----END\" x", "KEY=R x")]
#[case::default_value("echo ${TOKEN:-v w} x", "echo ${TOKEN:-R} x")]
#[case::default_without_colon("echo ${TOKEN-v} x", "echo ${TOKEN-R} x")]
#[case::harmless_default("echo ${HOME:-v} x", "echo ${HOME:-v} x")]
#[case::harmless("PATH=/bin FOO=bar ls", "PATH=/bin FOO=bar ls")]
#[case::monkey("monkey=1 tokenizer=2 x", "monkey=1 tokenizer=2 x")]
#[case::spaced("password = hunter2", "password = R")]
#[case::source(r#"const apiKey := "v w";"#, r#"const apiKey := "R";"#)]
#[case::arrow("'token' => 'v'", "'token' => 'R'")]
#[case::subscript("os.environ['TOKEN'] = 'v'", "os.environ['TOKEN'] = 'R'")]
#[case::form_subscript("curl -d user[password]=v h", "curl -d user[password]=R h")]
#[case::npm("npm config set //r/:_authToken=v", "npm config set //r/:_authToken=R")]
#[case::kubectl(
    "kubectl create secret generic x --from-literal=password=v",
    "kubectl create secret generic x --from-literal=password=R"
)]
// Options.
#[case::option_equals("tool --password=v x", "tool --password=R x")]
#[case::option_word("tool --token v x", "tool --token R x")]
#[case::option_quoted("tool --token 'v w' x", "tool --token R x")]
#[case::option_continued("tool --token \\\n  v x", "tool --token \\\n  R x")]
#[case::option_single_dash("tool -password v x", "tool -password R x")]
#[case::option_flag("tool --token --verbose", "tool --token --verbose")]
#[case::option_last("tool --token", "tool --token")]
#[case::option_file("tool --password-file f x", "tool --password-file f x")]
#[case::option_key("sort --key 2 x", "sort --key 2 x")]
#[case::option_whole_quoted(r#"tool "--password=a b" x"#, r#"tool "--password=R" x"#)]
#[case::option_in_list(r#"run(["--token", "v w", "x"])"#, r#"run(["--token", "R", "x"])"#)]
#[case::define("java -Dtoken=v x", "java -Dtoken=R x")]
// Headers and keys of plain text.
#[case::header(r#"curl -H "Authorization: Bearer v" h"#, r#"curl -H "Authorization: R" h"#)]
#[case::header_single("curl -H 'X-Api-Key: v' h", "curl -H 'X-Api-Key: R' h")]
#[case::header_no_blank("curl -H 'x-api-key:v' h", "curl -H 'x-api-key:R' h")]
#[case::header_equals(r#"curl --header="Authorization: Bearer v" h"#, r#"curl --header="Authorization: R" h"#)]
#[case::header_cookie("curl -H 'Cookie: a=b; c=d' h", "curl -H 'Cookie: R' h")]
#[case::header_glued("curl -HAuthorization:v h", "curl -HAuthorization:R h")]
#[case::header_escaped(r"curl -H Authorization:\ Bearer\ v h", r"curl -H Authorization:R h")]
#[case::header_httpie(r#"http h Authorization:"Bearer v" a=b"#, "http h Authorization:R a=b")]
#[case::header_in_payload(r#"bash -c "curl -H 'Authorization: Bearer v' h""#, r#"bash -c "curl -H 'Authorization: R' h""#)]
#[case::header_escaped_in_payload(
    r#"bash -c "curl -H \"Authorization: Bearer v\" h && rm x""#,
    r#"bash -c "curl -H \"Authorization: R\" h && rm x""#
)]
#[case::header_in_substitution(
    r#"x=$(curl -H "Authorization: Bearer v" h) && rm x"#,
    r#"x=$(curl -H "Authorization: R" h) && rm x"#
)]
#[case::header_harmless("curl -H 'Accept: text/html' h", "curl -H 'Accept: text/html' h")]
#[case::yaml("a: b\npassword: v w\nc: d", "a: b\npassword: R\nc: d")]
#[case::yaml_block("private_key: |\n  a\n  b\nc: d", "private_key: R\nc: d")]
#[case::echoed("echo password: v && rm x", "echo password: R && rm x")]
#[case::image("docker run my-secret:latest", "docker run my-secret:latest")]
#[case::search("rg 'password:' src", "rg 'password:' src")]
#[case::search_assignment(r#"rg "token=" src"#, r#"rg "token=" src"#)]
// JSON and form bodies.
#[case::json(r#"curl -d '{"user":"u","password":"v w","n":1}' h"#, r#"curl -d '{"user":"u","password":"R","n":1}' h"#)]
#[case::json_escaped(r#"curl -d "{\"password\": \"v w\"}" h"#, r#"curl -d "{\"password\": \"R\"}" h"#)]
#[case::json_in_json(r#"{"body":"{\"token\":\"v\"}"}"#, r#"{"body":"{\"token\":\"R\"}"}"#)]
#[case::json_object(r#"{"credentials":{"a":"b}"},"c":1}"#, r#"{"credentials":R,"c":1}"#)]
#[case::json_number(r#"{"token":12,"c":1}"#, r#"{"token":R,"c":1}"#)]
#[case::json_null(r#"{"token":null,"c":1}"#, r#"{"token":null,"c":1}"#)]
#[case::json_empty(r#"{"token":"","c":1}"#, r#"{"token":"","c":1}"#)]
#[case::json_key(r#"{"key":"Enter"}"#, r#"{"key":"Enter"}"#)]
#[case::form("curl -d 'user=u&password=v' h", "curl -d 'user=u&password=R' h")]
#[case::query("curl https://h/?a=b&access_token=v&c=d", "curl https://h/?a=b&access_token=R&c=d")]
#[case::query_key("curl 'https://h/?key=v&c=d' x", "curl 'https://h/?key=R&c=d' x")]
// URLs.
#[case::url("git clone https://u:p@h/r.git", "git clone https://R@h/r.git")]
#[case::url_quoted("psql 'postgres://u:p@h:5432/d'", "psql 'postgres://R@h:5432/d'")]
#[case::url_at_in_password("curl https://u:p@q@h/", "curl https://R@h/")]
#[case::url_no_password("git clone ssh://git@h/r", "git clone ssh://git@h/r")]
#[case::url_port("curl http://h:80/@x", "curl http://h:80/@x")]
// Stitched quoting: the whole word goes.
#[case::stitched_header(r#"curl -H 'Authorization: Bearer '"v" h"#, "curl -H R h")]
#[case::stitched(r#"bash -c 'TOKEN='"$x"' cmd' y"#, "bash -c R y")]
#[case::stitched_escape(r"bash -c 'curl -H '\''Authorization: Bearer v'\'' h' y", "bash -c R y")]
#[case::stitched_json(r#"curl -d '{"password":"'"$PW"'"}' h"#, "curl -d R h")]
#[case::stitched_behind("echo 'TOKEN=v'w x", "echo R x")]
#[case::apostrophe("it isn't; TOKEN='a b' x", "it isn't; TOKEN=R x")]
fn hard_052_masks_what_is_bound_to_a_name(#[case] text: &str, #[case] expected: &str) {
    // Only a lone capital R stands for the mask; the tables hold no other.
    let expected = expected.replace('R', MASK);
    assert_eq!(mask_text(text), expected);
    assert_eq!(mask_text(&expected), expected, "masking twice");
}

#[test]
fn hard_052_masks_members_lists_and_texts() {
    let input = json!({
        "command": "TOKEN=v ls",
        "headers": {"Authorization": "Bearer v", "Accept": "x"},
        "credentials": {"a": 1},
        "list": ["--password", "v", "--token", "--x", "KEY=v"],
        "pairs": [{"name": "X-Api-Key", "value": "v"}, {"name": "Accept", "value": "w"}],
        "token": null,
        "api key": 5,
        "key": "Enter",
        "max_tokens": 4096,
    });
    let expected = json!({
        "command": "TOKEN=[redacted] ls",
        "headers": {"Authorization": "[redacted]", "Accept": "x"},
        "credentials": "[redacted]",
        "list": ["--password", "[redacted]", "--token", "--x", "KEY=[redacted]"],
        "pairs": [{"name": "X-Api-Key", "value": "[redacted]"}, {"name": "Accept", "value": "w"}],
        "token": null,
        "api key": "[redacted]",
        "key": "Enter",
        "max_tokens": 4096,
    });
    assert_eq!(mask_value(&input), expected);
    assert_eq!(mask_value(&expected), expected);
}

#[test]
fn a_value_that_is_too_deep_is_replaced() {
    let mut value = json!("TOKEN=v");
    for _ in 0..100 {
        value = json!([value]);
    }
    let text = mask_value(&value).to_string();
    assert!(text.contains("[too deep]") && !text.contains("TOKEN=v"), "{text}");
}

/// Texts made of the pieces that matter here, so that random ones are not all dull.
fn shellish() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("TOKEN="),
        Just("--token "),
        Just("--password="),
        Just("Authorization: "),
        Just("\"password\":"),
        Just("password"),
        Just("'"),
        Just("\""),
        Just("\\"),
        Just("\\\""),
        Just("'\\''"),
        Just(" "),
        Just("\n"),
        Just("="),
        Just(": "),
        Just(":"),
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just("$("),
        Just("("),
        Just(")"),
        Just("${"),
        Just("${TOKEN:-"),
        Just(";"),
        Just("&&"),
        Just("|"),
        Just("`"),
        Just("-c "),
        Just("eval "),
        Just("x"),
        Just("é"),
        Just("://u:p@"),
        Just("-H "),
        Just("[redacted]"),
        Just(","),
        Just("cookie: a=b; c=d"),
        Just("|\n  k"),
        Just("$"),
        Just("-"),
        Just("key"),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        shellish().prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(
                (prop_oneof!["[a-z]{1,4}", Just("token".to_owned()), Just("name".to_owned()), Just("value".to_owned())], inner),
                0..4
            )
            .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

const WITHOUT_OPERATORS: &[&str] = &[
    "token", "api_key", "password", "x-token", ".-token", "a.b", "H", "c", "é", "7", " ", " ", "\t", "\n", ",", "\"", "'", "`",
    "{", "}", "[", "]", "(", ")", ";", "&", "|", "<", ">", "/", "@", "#", "?", "!", "*", "~", "%", "^",
];

proptest! {
    /// HARD-052: masking is idempotent.
    #[test]
    fn hard_052_masking_twice_changes_nothing(text in shellish()) {
        let once = mask_text(&text);
        prop_assert_eq!(mask_text(&once), &*once);
    }

    #[test]
    fn hard_052_masking_any_text_twice_changes_nothing(text in any::<String>()) {
        let once = mask_text(&text);
        prop_assert_eq!(mask_text(&once), &*once);
    }

    #[test]
    fn hard_052_masking_a_value_twice_changes_nothing(value in any_json()) {
        let once = mask_value(&value);
        prop_assert_eq!(mask_value(&once), once);
    }

    /// What is not walked is what the walk finds nothing in.
    #[test]
    fn hard_052_a_text_without_operators_binds_nothing(pieces in prop::collection::vec(prop::sample::select(WITHOUT_OPERATORS), 0..24)) {
        let text = pieces.concat();
        prop_assert!(!may_bind(&text));
        prop_assert_eq!(Scanner::new(&text).run(), text);
    }

    /// A secret behind a sensitive name never survives, whatever stands in front of it.
    #[test]
    fn hard_052_a_bound_value_is_gone(before in shellish(), name in prop_oneof![Just("TOKEN="), Just("--password="), Just("api_key=")]) {
        let text = format!("{before} {name}s3cr3tv4lue end");
        prop_assert!(!mask_text(&text).contains("s3cr3tv4lue"), "{}", mask_text(&text));
    }

    /// Nothing is invented: without a sensitive name the text stays as it is.
    #[test]
    fn hard_052_other_texts_stay(text in "[a-z '\"\\\\=:;|{}\\[\\],-]{0,40}") {
        let harmless = !["token", "secret", "pass", "key", "auth", "cookie", "credential", "bearer", "jwt", "otp", "pat", "pin", "csrf", "session"]
            .iter()
            .any(|word| text.contains(word));
        prop_assume!(harmless);
        prop_assert_eq!(mask_text(&text), &*text);
    }
}

/// The scan is linear: a text of any kind and 300,000 characters takes well under a second. A quadratic walk would take minutes.
#[rstest]
#[case("TOKEN=")]
#[case("token ")]
#[case("--token ")]
#[case("'")]
#[case("\\")]
#[case("\\\"")]
#[case("'\\''")]
#[case("\"password\":")]
#[case("${TOKEN:-")]
#[case("password: a; b=c; ")]
#[case("://a:b@")]
#[case("$(")]
#[case("x'TOKEN=")]
#[case("cookie: ")]
#[case("password: |\n  ")]
#[case("a-B_c.")]
#[case("[\"--token\", ")]
fn masking_cannot_be_made_to_stall(#[case] piece: &str) {
    let text = piece.repeat(300_000 / piece.len());
    let started = std::time::Instant::now();
    assert!(!mask_text(&text).is_empty());
    assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
}
