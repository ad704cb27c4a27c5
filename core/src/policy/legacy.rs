//! Files at the places of earlier releases (CFG-027): they still bring settings, never rules, and a notice to move them.

use super::config::Finding;
use super::issue::IssueKind;
use crate::host::Platform;

/// The notice for a legacy file that was found.
pub(crate) fn legacy_notice(old: &str, new: &str, platform: Platform) -> Finding {
    let command = match platform {
        Platform::Posix => "mv",
        Platform::Windows => "move",
    };
    let message = format!(
        "this is the place of an earlier release, and no rule in it has any effect; move the file to {new}: \
         {command} \"{old}\" \"{new}\""
    );
    Finding::whole(IssueKind::LegacyFile, message)
}
