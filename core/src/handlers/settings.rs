//! When the settings of a session are read anew (CFG-029, RES-01).

use serde_json::{Map, json};

use super::services::{Services, tool_names};
use crate::host::boundary::attempt;
use crate::host::{HostError, HostResult, NoticeLevel};
use crate::policy::{SavedSettings, save_settings};
use crate::report::escape::visible_layout;
use crate::session::{ActiveAgent, Bound};

/// The key of the host's status line (CFG-029).
pub(crate) const STATUS_KEY: &str = "pi-permission-system";

/// Reads the settings anew (CFG-029): one joined warning when it differs from the last one shown, D `config.loaded`, status.
pub(crate) fn reload_settings(services: &Services, bound: &Bound, tools: &[String]) {
    let policy = services.session.policy(bound, &ActiveAgent::default(), tools);
    let settings = policy.snapshot.settings.clone();
    let warning = policy.snapshot.warning();
    services.put_in_force(&settings, Some(bound.trust), warning.as_deref());
    if let Some(ui) = bound.context.user_interface() {
        attempt(|| {
            let _ = ui.set_status(STATUS_KEY, settings.yolo_mode.then_some("yolo"));
        });
    }
    services.notices.settings_warning(&policy.snapshot, |text| services.notifier(bound).shows(text));
}

/// RES-01: when the host says otherwise about the project than at the last reload, the settings are read anew before the call.
pub(crate) fn follow_trust(services: &Services, bound: &Bound, tools: &[String]) {
    if services.session.settings_are_of_other_trust(bound.trust) {
        reload_settings(services, bound, tools);
    }
}

/// Saves the three settings of the settings command into the global file (CFG-036). On success they are in force at once and
/// D `config.saved` says so; a failure changes nothing, and is told to the person.
pub(crate) fn save(services: &Services, saved: SavedSettings) -> HostResult<()> {
    let bound = services.session.bound()?;
    let tools = tool_names(&services.host.tools.get_all().unwrap_or_default());
    let path = bound.loader.locations().global_config();
    if let Err(error) = save_settings(services.host.store.as_ref(), services.host.files.as_ref(), &path, saved, &tools) {
        let text = visible_layout(&error.to_string()).into_owned();
        if let Some(ui) = bound.context.user_interface() {
            attempt(|| {
                let _ = ui.notify(NoticeLevel::Error, &text);
            });
        }
        return Err(HostError::new(text));
    }
    let mut settings = services.session.settings();
    settings.debug_log = saved.debug_log;
    settings.permission_review_log = saved.permission_review_log;
    settings.yolo_mode = saved.yolo_mode;
    services.log.set_streams(settings.permission_review_log, settings.debug_log);
    services.session.apply_settings(settings, Some(bound.trust));
    if let Some(ui) = bound.context.user_interface() {
        attempt(|| {
            let _ = ui.set_status(STATUS_KEY, saved.yolo_mode.then_some("yolo"));
        });
    }
    let mut fields = Map::new();
    fields.insert("debugLog".to_owned(), json!(saved.debug_log));
    fields.insert("permissionReviewLog".to_owned(), json!(saved.permission_review_log));
    fields.insert("yoloMode".to_owned(), json!(saved.yolo_mode));
    services.log.debug("config.saved", &fields);
    Ok(())
}
