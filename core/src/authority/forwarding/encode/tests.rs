use std::collections::HashMap;

use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;

use super::*;

#[rstest]
#[case::plain("p1", "p1")]
#[case::slash("a/b", "a%2Fb")]
#[case::parent("../x", "..%2Fx")]
#[case::blank("a b", "a%20b")]
#[case::utf_8("ünï", "%C3%BCn%C3%AF")]
#[case::percent("a%2fb", "a%252fb")]
#[case::nul("\0", "%00")]
#[case::unescaped("a-_.!~'()9", "a-_.!~'()9")]
fn fwd_001_percent_encoding(#[case] id: &str, #[case] name: &str) {
    assert_eq!(encode_component(id), name);
}

#[rstest]
#[case::dot(".", "%2E")]
#[case::dots("..", "%2E%2E")]
#[case::three_dots("...", "%2E%2E%2E")]
#[case::nothing("", "%")]
#[case::star("a*", "a%2A")]
#[case::upper_case("A:B", "%41%3A%42")]
#[case::upper_case_digits("a%2Fb", "a%252%46b")]
fn fwd_d03_also_encoded(#[case] id: &str, #[case] name: &str) {
    assert_eq!(encode_component(id), name);
}

#[test]
fn fwd_d03_a_long_id_is_a_hash_and_keeps_its_folder_to_itself() {
    assert_eq!(encode_component(&"a".repeat(200)), "a".repeat(200));
    let long = encode_component(&"é".repeat(60));
    assert_eq!(long.len(), "%sha256-".len() + 64);
    assert!(long.starts_with("%sha256-"), "{long}");
    assert_eq!(long, encode_component(&"é".repeat(60)));
    assert_ne!(long, encode_component(&"é".repeat(61)));
    assert_eq!(
        encode_component(&"a".repeat(201)),
        "%sha256-a92efd82109373e58f9a2056dee01e807e216ce6075f7051207c0a9f7d666e50".to_owned(),
    );
}

proptest! {
    /// Invariant 7: a direct child of the folder of sessions, whatever the id.
    #[test]
    fn fwd_d03_a_name_is_one_path_component(id in "\\PC{1,80}|[./\\\\*:A-Z]{1,12}") {
        let name = encode_component(&id);
        prop_assert!(!name.is_empty() && name.len() <= 200);
        prop_assert!(name.bytes().any(|byte| byte != b'.'));
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~'()%".contains(&byte);
        prop_assert!(name.bytes().all(known), "{name}");
    }

    /// Two ids share no folder, on a file system that folds case neither.
    #[test]
    fn fwd_d03_encoding_is_injective_even_when_case_is_folded(
        ids in prop::collection::vec("[aA%2fF./é]{1,5}|[a-zA-Z]{198,202}", 1..40)
    ) {
        let mut seen = HashMap::new();
        for id in ids {
            let folded = encode_component(&id).to_lowercase();
            let other = seen.entry(folded).or_insert_with(|| id.clone()).clone();
            prop_assert_eq!(id, other);
        }
    }
}
