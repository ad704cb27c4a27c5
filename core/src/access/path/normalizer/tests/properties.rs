//! Invariants 7 and 8 of docs/spec/gates.md.

use super::*;

/// Entries of a small tree: links to places inside and outside, dangling ones, loops.
fn tree() -> impl Strategy<Value = Vec<(String, String)>> {
    let place = prop_oneof![Just("/w/p/"), Just("/o/"), Just("/")];
    let target =
        prop_oneof![Just("dir"), Just(""), Just("-> a"), Just("-> ../b"), Just("-> /o/c"), Just("-> /w/p/a"), Just("-> d/../e")];
    proptest::collection::vec((place, "[a-e]", target), 0..8)
        .prop_map(|entries| entries.into_iter().map(|(at, name, to)| (format!("{at}{name}"), to.to_owned())).collect())
}

fn tree_normalizer(entries: &[(String, String)]) -> PathNormalizer {
    let entries: Vec<(&str, &str)> = entries.iter().map(|(path, to)| (path.as_str(), to.as_str())).collect();
    posix(&entries)
}

proptest! {
    /// Invariant 7 of docs/spec/gates.md.
    #[test]
    fn values_are_distinct_and_hold_the_lexical_first_and_the_canonical(
        entries in tree(),
        text in "(/|\\.\\./|~/)?([a-e]|\\.\\.|\\.)(/([a-e]|\\.\\.|\\.)){0,4}/?",
    ) {
        let normalizer = tree_normalizer(&entries);
        let path = normalizer.tool_path(&text).unwrap();
        prop_assert_eq!(path.values.first(), Some(&path.lexical));
        prop_assert!(path.values.contains(&path.canonical));
        let mut all: Vec<&String> = path.values.iter().chain(path.further.iter().map(|(text, _)| text)).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        prop_assert_eq!(all.len(), count);
        prop_assert!(all.iter().all(|text| !text.is_empty()));
    }

    /// Invariant 7 of docs/spec/gates.md: the canonical value leads to itself, loops apart, whose text is all there is.
    #[test]
    fn canonical_values_are_idempotent(entries in tree(), text in "([a-e]|\\.\\.)(/([a-e]|\\.\\.)){0,4}") {
        let normalizer = tree_normalizer(&entries);
        let once = normalizer.canonical(&text);
        let reality = normalizer.place("/", &once, |place| normalizer.links().look(place)).unwrap();
        prop_assert_eq!(reality.canonical(), once);
    }

    /// Invariant 8 of docs/spec/gates.md.
    #[test]
    fn outside_paths_are_not_within(entries in tree(), text in "(/|\\.\\./)?([a-e]|\\.\\.)(/([a-e]|\\.\\.)){0,4}") {
        let normalizer = tree_normalizer(&entries);
        let path = normalizer.tool_path(&text).unwrap();
        if !path.outside {
            prop_assert!(normalizer.within(&path.canonical, normalizer.canonical_cwd()));
        }
        let package = path.further.iter().all(|(_, by)| *by == "POLICY-D08");
        if path.outside && package {
            prop_assert!(!normalizer.within(&path.canonical, normalizer.canonical_cwd()));
        }
    }

    #[test]
    fn no_text_disturbs_the_normaliser(text in "\\PC{0,40}", base in "\\PC{0,10}", on_windows in any::<bool>()) {
        let normalizer = if on_windows { windows("C:\\w", &[]) } else { posix(&[]) };
        let _ = normalizer.tool_path(&text);
        for base in [Base::Unknown, known(&base), known(normalizer.cwd())] {
            let _ = normalizer.resolve_word(&text, &base);
            let _ = normalizer.fold_directory(&text, &base);
        }
        let _ = normalizer.search_operand(normalizer.tool_path(&base).as_ref(), &text);
    }
}
