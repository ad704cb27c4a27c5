use pretty_assertions::assert_eq;
use proptest::prelude::*;
use rstest::rstest;

use super::*;

/// Plays a script: `y s n r w` are hotkeys, words are the other keys, `"text"` is submitted.
fn play(dialog: &mut KeyedDialog, script: &str) -> Option<DialogAnswer> {
    let mut answer = None;
    for word in script.split(", ") {
        let key = match word {
            "up" => DialogKey::Up,
            "down" => DialogKey::Down,
            "confirm" => DialogKey::Confirm,
            "cancel" => DialogKey::Cancel,
            text if text.starts_with('"') => DialogKey::Submit(text.trim_matches('"').to_owned()),
            letter => DialogKey::Hotkey(letter.chars().next().unwrap()),
        };
        assert_eq!(answer, None, "the dialog was done before {word}");
        answer = dialog.press(key);
    }
    answer
}

fn dialog(double_press: bool, scope_offered: bool, both_directions_offered: bool) -> KeyedDialog {
    KeyedDialog::new(KeyedDialogOptions { double_press, scope_offered, both_directions_offered })
}

#[rstest]
// AUTH-010, double press on
#[case(true, false, "y", None)]
#[case(true, false, "y, y", Some("approved"))]
#[case(true, false, "y, n, n", Some("denied"))]
#[case(true, false, "y, down, y", None)]
#[case(true, false, "n, confirm", Some("denied"))]
#[case(true, false, "confirm", Some("approved"))]
#[case(true, false, "down, confirm", Some("approved_for_session"))]
#[case(true, false, "up, confirm", None)]
#[case(true, false, "cancel", Some("denied"))]
// AUTH-010, double press off
#[case(false, false, "y", Some("approved"))]
#[case(false, false, "s", Some("approved_for_session"))]
#[case(false, false, "n", Some("denied"))]
#[case(false, false, "x", None)]
#[case(false, false, "w", None)]
#[case(false, false, "\"ignored\"", None)]
#[case(false, false, "r, \"  \"", None)]
#[case(false, false, "r, y", None)]
#[case(false, false, "r, cancel, cancel", Some("denied"))]
// AUTH-010, RES-34: with a scope
#[case(false, true, "s, confirm", Some("approved_for_session"))]
#[case(false, true, "s, down, confirm", Some("approved_for_serving_session"))]
#[case(false, true, "s, down, up, confirm", Some("approved_for_session"))]
#[case(false, true, "s, down, down, confirm", Some("approved_for_serving_session"))]
#[case(false, true, "s, cancel", None)]
#[case(false, true, "s, y", None)]
#[case(false, true, "s, \"x\"", None)]
fn auth_010_scripts(#[case] double_press: bool, #[case] scope: bool, #[case] script: &str, #[case] expected: Option<&str>) {
    let expected = expected.map(|state| DialogAnswer::plain(DecisionState::parse(state).unwrap()));
    assert_eq!(play(&mut dialog(double_press, scope, false), script), expected);
}

#[rstest]
#[case("y", DialogStep::Decision, Choice::Approve, Some(Choice::Approve))]
#[case("y, down, y", DialogStep::Decision, Choice::Approve, Some(Choice::Approve))]
#[case("n", DialogStep::Decision, Choice::Deny, Some(Choice::Deny))]
#[case("up, up", DialogStep::Decision, Choice::Deny, None)]
#[case("down, down, down, down", DialogStep::Decision, Choice::Approve, None)]
#[case("up, confirm", DialogStep::Reason, Choice::DenyWithReason, None)]
#[case("r, r, cancel", DialogStep::Decision, Choice::DenyWithReason, None)]
fn auth_010_states_with_double_press(
    #[case] script: &str,
    #[case] step: DialogStep,
    #[case] highlighted: Choice,
    #[case] armed: Option<Choice>,
) {
    let mut dialog = dialog(true, false, false);
    assert_eq!(play(&mut dialog, script), None);
    assert_eq!((dialog.step(), dialog.highlighted(), dialog.armed()), (step, highlighted, armed));
}

#[test]
fn auth_010_a_blank_reason_stays_with_an_error_and_keeps_the_draft() {
    let mut dialog = dialog(false, false, false);
    assert_eq!(play(&mut dialog, "r, \"  \""), None);
    assert_eq!((dialog.step(), dialog.reason_draft(), dialog.reason_error()), (DialogStep::Reason, "  ", true));
    assert_eq!(play(&mut dialog, "cancel"), None);
    assert_eq!((dialog.step(), dialog.reason_draft(), dialog.reason_error()), (DialogStep::Decision, "", false));
    let expected =
        DialogAnswer { state: DecisionState::DeniedWithReason, both_directions: false, denial_reason: Some("why".to_owned()) };
    assert_eq!(play(&mut dialog, "r, \" why \""), Some(expected));
}

#[test]
fn auth_010_a_cancelled_scope_goes_back_with_the_narrow_flag() {
    let mut dialog = dialog(false, true, false);
    assert_eq!(play(&mut dialog, "s, down"), None);
    assert!(dialog.serving_scope());
    assert_eq!(play(&mut dialog, "cancel, s"), None);
    assert_eq!((dialog.step(), dialog.serving_scope()), (DialogStep::Scope, false));
}

#[rstest]
#[case(false, "w")]
#[case(true, "w, w")]
#[case(true, "up, confirm")]
fn res_32_the_fifth_option_comes_last(#[case] double_press: bool, #[case] script: &str) {
    assert_eq!(play(&mut dialog(double_press, false, true), script), Some(DialogAnswer::both_directions()));
}

#[test]
fn res_32_a_forwarded_ask_has_no_fifth_option() {
    assert_eq!(play(&mut dialog(false, true, true), "w"), None);
}

fn any_key() -> impl Strategy<Value = DialogKey> {
    prop_oneof![
        Just(DialogKey::Up),
        Just(DialogKey::Down),
        Just(DialogKey::Confirm),
        Just(DialogKey::Cancel),
        any::<char>().prop_map(DialogKey::Hotkey),
        prop::sample::select(vec!['y', 's', 'n', 'r', 'w']).prop_map(DialogKey::Hotkey),
        "[ \ta]{0,3}".prop_map(DialogKey::Submit),
    ]
}

proptest! {
    /// The wide scope and the wide width are only ever chosen where they were offered; a reason is never blank.
    #[test]
    fn answers_are_offered_ones(
        double_press: bool, scope_offered: bool, both_directions_offered: bool, keys in prop::collection::vec(any_key(), 0..40),
    ) {
        let mut dialog = dialog(double_press, scope_offered, both_directions_offered);
        for key in keys {
            if let Some(answer) = dialog.press(key) {
                prop_assert!(scope_offered || answer.state != DecisionState::ApprovedForServingSession);
                prop_assert!((both_directions_offered && !scope_offered) || !answer.both_directions);
                prop_assert_eq!(answer.state == DecisionState::DeniedWithReason, answer.denial_reason.is_some());
                prop_assert!(answer.denial_reason.is_none_or(|reason| !js_trim(&reason).is_empty()));
                break;
            }
        }
    }
}
