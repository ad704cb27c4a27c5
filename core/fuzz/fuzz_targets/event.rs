//! Any JSON as an event of the host, any text as a prompt: names, inputs, shapes, masks and listings come without a panic.
//!
//! Run with `cargo +nightly fuzz run event -- -max_total_time=600 -max_len=4096` in `core`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_core::access::mcp::{mcp_call, native_mcp_call};
use portcullis_core::access::{
    ExtractorRegistry, audited_command, audited_tool_name, check_registration, check_shape, extract_skill_name_from_input,
    search_operands, shell_invocation, tool_call_id_of, tool_input_of, tool_name_of, tool_path,
};
use portcullis_core::handlers::agent_prep::{filter_skills, narrow_tool_listing};
use portcullis_core::policy::PermissionState;
use portcullis_core::report::escape::{visible, visible_layout};
use portcullis_core::report::masking::{mask_text, mask_value};
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let once = mask_text(&text);
    assert_eq!(mask_text(&once), once);
    assert!(!visible(&text).chars().any(char::is_control));
    let _ = visible_layout(&text);
    let _ = extract_skill_name_from_input(&text);
    let listed = filter_skills(&text, |_| (PermissionState::Deny, None));
    let _ = narrow_tool_listing(&listed.prompt, &["read".to_owned()]);
    let Ok(event) = serde_json::from_slice::<Value>(bytes) else { return };
    let _ = (audited_tool_name(&event), audited_command(&event), tool_call_id_of(&event), mask_value(&event));
    let tools = event.as_array().cloned().unwrap_or_default();
    let name = tool_name_of(&event);
    let _ = check_registration(name.as_deref(), &tools);
    let input = tool_input_of(&event);
    for tool in ["read", "grep", "find", "bash", "mcp", "mcp__a__b", "skill", "x"] {
        let _ = (check_shape(tool, &input, &[]), shell_invocation(tool, &input, &[]), search_operands(tool, &input));
        let _ = (tool_path(tool, &input, &ExtractorRegistry::new()), native_mcp_call(tool, &[]));
    }
    let call = mcp_call(&input, &["exa".to_owned()]);
    assert!(!call.candidates.is_empty());
});
