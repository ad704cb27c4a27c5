use pretty_assertions::assert_eq;
use rstest::rstest;

use super::super::test_files::MemoryFiles;
use super::*;

const PATH: &str = "/a/config.json";

fn save(files: &MemoryFiles, debug_log: bool, permission_review_log: bool, yolo_mode: bool) -> Result<(), SaveError> {
    save_settings(files, files, PATH, SavedSettings { debug_log, permission_review_log, yolo_mode }, &[])
}

fn saved(before: &str) -> String {
    let files = MemoryFiles::with(&[(PATH, before)]);
    save(&files, false, true, true).unwrap();
    files.texts()[0].1.clone()
}

#[test]
fn cfg_036_a_new_file() {
    let files = MemoryFiles::new();
    save(&files, true, false, false).unwrap();
    let text = "{\n  \"debugLog\": true,\n  \"permissionReviewLog\": false,\n  \"yoloMode\": false\n}\n";
    assert_eq!(files.texts(), [(PATH.to_owned(), text.to_owned())]);
}

#[test]
fn cfg_036_other_members_are_kept_in_order() {
    let before = r#"{"debugLog":true,"toolInputPreviewMaxLength":9,"permission":{"bash":{"b":"ask","1":"deny"}}}"#;
    let after = r#"{
  "debugLog": false,
  "toolInputPreviewMaxLength": 9,
  "permission": {
    "bash": {
      "b": "ask",
      "1": "deny"
    }
  },
  "permissionReviewLog": true,
  "yoloMode": true
}
"#;
    assert_eq!(saved(before), after);
}

#[rstest]
#[case::values_in_place(
    "{ // mine\n  \"yoloMode\": /* no */ false, \"debugLog\":true,\n  \"permissionReviewLog\": fal/**/se // x\n}",
    "{ // mine\n  \"yoloMode\": /* no */ true, \"debugLog\":false,\n  \"permissionReviewLog\": true // x\n}\n"
)]
#[case::members_added_at_the_end(
    "// top\n{\n  \"permission\": { \"bash\": \"ask\" } // last\n}\n",
    "// top\n{\n  \"permission\": { \"bash\": \"ask\" }, // last\n  \"debugLog\": false,\n  \"permissionReviewLog\": true,\n  \"yoloMode\": true\n}\n"
)]
#[case::nothing_there_yet(
    "{} // empty",
    "{\n  \"debugLog\": false,\n  \"permissionReviewLog\": true,\n  \"yoloMode\": true\n} // empty\n"
)]
fn policy_d04_comments_are_kept(#[case] before: &str, #[case] after: &str) {
    assert_eq!(saved(before), after);
}

#[rstest]
#[case::unparsable("{")]
#[case::mistyped(r#"{"yoloMode":"x","permission":{"bash":"deny"}}"#)]
#[case::near_miss(r#"{"permission":{"path_wrote":"deny"}}"#)]
#[case::duplicate(r#"{"yoloMode":true,"yoloMode":false}"#)]
fn policy_d04_an_invalid_file_is_not_touched(#[case] before: &str) {
    let files = MemoryFiles::with(&[(PATH, before)]);
    let error = save(&files, true, true, true).unwrap_err();
    assert_eq!((error.kind, error.path.as_str()), (SaveErrorKind::Invalid, PATH));
    assert_eq!(files.texts(), [(PATH.to_owned(), before.to_owned())]);
}

#[test]
fn cfg_036_target_is_a_directory() {
    let files = MemoryFiles::new();
    files.directory(PATH);
    let error = save(&files, true, true, true).unwrap_err();
    assert_eq!(error.to_string(), "cannot save the settings to /a/config.json: the file cannot be read: EISDIR: is a directory");
}
