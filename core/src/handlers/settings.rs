//! When the settings of a session are read anew (CFG-029, RES-01).

use super::services::Services;
use crate::host::boundary::attempt;
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
