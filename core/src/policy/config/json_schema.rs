//! The machine-readable schema of the configuration file (CFG-016, HARD-013).

use serde_json::{Map, Value, json};

use super::surface_names::WELL_KNOWN_SURFACES;

/// The JSON Schema (draft 2020-12) of a configuration file.
///
/// ```
/// let schema = portcullis_core::policy::config_json_schema();
/// assert_eq!(schema["additionalProperties"], false);
/// assert!(schema["properties"]["permission"]["properties"].get("path_write").is_some());
/// ```
pub fn config_json_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Permission policy",
        "type": "object",
        "additionalProperties": false,
        "properties": properties(),
        "$defs": {
            "permissionState": { "type": "string", "enum": ["allow", "ask", "deny"] },
            "permissionMap": {
                "type": "object",
                "propertyNames": { "minLength": 1 },
                "additionalProperties": {
                    "anyOf": [{ "$ref": "#/$defs/permissionState" }, { "$ref": "#/$defs/denyWithReason" }],
                },
            },
            "denyWithReason": {
                "type": "object",
                "additionalProperties": false,
                "required": ["action"],
                "properties": {
                    "action": { "const": "deny" },
                    "reason": { "type": "string", "maxLength": 500 },
                },
            },
        },
    })
}

/// The members in the order of CFG-009; RES-12's comes last.
fn properties() -> Value {
    let text = || json!({ "type": "string", "minLength": 1 });
    let length =
        |default: u64| json!({ "type": "integer", "minimum": 1, "maximum": 9_007_199_254_740_991_u64, "default": default });
    json!({
        "$schema": { "type": "string" },
        "debugLog": { "type": "boolean", "default": false },
        "permissionReviewLog": { "type": "boolean", "default": true },
        "yoloMode": { "type": "boolean", "default": false },
        "doublePressToConfirm": { "type": "boolean", "default": true },
        "toolInputPreviewMaxLength": length(200),
        "toolTextSummaryMaxLength": length(80),
        "piInfrastructureReadPaths": { "type": "array", "items": text() },
        "permission": {
            "type": "object",
            "propertyNames": { "minLength": 1 },
            "properties": surfaces(),
            "additionalProperties": surface(),
        },
        "shellTools": {
            "type": "object",
            "propertyNames": { "minLength": 1 },
            "additionalProperties": {
                "type": "object",
                "additionalProperties": false,
                "required": ["commandArgument"],
                "properties": { "commandArgument": text(), "workdirArgument": text() },
            },
        },
        "authorizerChain": { "type": "array", "items": text(), "default": [] },
    })
}

/// A named entry for every well-known surface, so that editors complete and check them (HARD-013).
fn surfaces() -> Map<String, Value> {
    let mut entries = Map::new();
    entries.insert("*".to_owned(), json!({ "$ref": "#/$defs/permissionState" }));
    for name in WELL_KNOWN_SURFACES {
        entries.insert(name.to_owned(), surface());
    }
    entries
}

/// A state, or a map of patterns that is no misplaced deny object (RES-08).
fn surface() -> Value {
    json!({
        "anyOf": [
            { "$ref": "#/$defs/permissionState" },
            {
                "allOf": [
                    { "$ref": "#/$defs/permissionMap" },
                    { "not": { "required": ["action"], "propertyNames": { "enum": ["action", "reason"] } } },
                ],
            },
        ],
    })
}
