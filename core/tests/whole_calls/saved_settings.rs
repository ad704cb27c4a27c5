//! CFG-036, POLICY-D04: the settings command through the whole gate.

use portcullis_core::policy::SavedSettings;
use portcullis_test_fixtures::fake_host;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use crate::collaborators::command;

const YOLO: SavedSettings = SavedSettings { debug_log: true, permission_review_log: true, yolo_mode: true };

fn config(host: &portcullis_test_fixtures::StartedHost) -> Value {
    let path = host.world.agent_dir().join("extensions/pi-permission-system/config.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn cfg_036_saved_settings_are_in_force_at_once_and_written_down() {
    let host = fake_host().policy(json!({ "bash": "ask" })).setting("toolInputPreviewMaxLength", json!(9)).start();
    host.blocks("bash", command("ls"));
    host.forget();
    host.system.save_settings(YOLO).unwrap();
    let saved: Vec<Value> = host.debug_log();
    assert_eq!(saved.len(), 1, "{saved:?}");
    assert_eq!(saved[0]["event"], "config.saved");
    assert_eq!(
        (&saved[0]["debugLog"], &saved[0]["permissionReviewLog"], &saved[0]["yoloMode"]),
        (&json!(true), &json!(true), &json!(true))
    );
    host.allows("bash", command("ls"));
    assert_eq!(
        config(&host),
        json!({
            "toolInputPreviewMaxLength": 9,
            "permission": { "bash": "ask" },
            "debugLog": true,
            "permissionReviewLog": true,
            "yoloMode": true
        })
    );
}

#[test]
fn policy_d04_an_invalid_file_is_not_written_over() {
    let host = fake_host().policy(json!({ "bash": "ask" })).answers([]).start();
    host.set_global_text(r#"{ "permission": { "bash": "denyy" } }"#);
    host.forget();
    let error = host.system.save_settings(YOLO).unwrap_err();
    assert!(error.message.contains("config.json"), "{error}");
    assert_eq!(host.debug_log(), Vec::<Value>::new());
    assert_eq!(config(&host), json!({ "permission": { "bash": "denyy" } }));
    host.blocks("bash", command("ls"));
}
