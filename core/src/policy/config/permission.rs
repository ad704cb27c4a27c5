//! Validation of the `permission` object, of config files and agent files alike (CFG-010 to CFG-012, CFG-014, RES-08).

use super::super::issue::IssueKind;
use super::super::json::{Member, Node};
use super::super::rule::PermissionState;
use super::finding::Finding;
use super::surface_names::near_miss;

/// The longest reason, in Unicode code points (CFG-011).
const MAX_REASON: usize = 500;

/// Lists every violation below `permission`. `location` is the name of the member itself.
pub(crate) fn validate_permission(node: &Node, location: &str, known_tools: &[String]) -> Vec<Finding> {
    let Some(surfaces) = node.members() else {
        return vec![Finding::invalid(
            node.at,
            location,
            format!("expected an object from surface to rules, found {}", node.kind()),
        )];
    };
    surfaces.iter().flat_map(|surface| validate_surface(surface, location, known_tools)).collect()
}

fn validate_surface(surface: &Member, location: &str, known_tools: &[String]) -> Vec<Finding> {
    let location = format!("{location}.{}", surface.key);
    if surface.key.is_empty() {
        return vec![Finding::invalid(surface.at, location, "expected a surface name of at least one character")];
    }
    if let Some(name) = near_miss(&surface.key, known_tools) {
        let message = format!("no such surface or tool; did you mean `{name}`?");
        return vec![Finding::new(surface.at, location, IssueKind::NearMiss, message)];
    }
    match surface.value.members() {
        None => state_fault(&surface.value, "or a map of patterns")
            .map(|message| Finding::invalid(surface.value.at, location, message))
            .into_iter()
            .collect(),
        Some(_) if surface.key == "*" => {
            let message = "the universal default is a plain state; a map of patterns has no effect here";
            vec![Finding::new(surface.value.at, location, IssueKind::CannotWork, message)]
        }
        Some(entries) if is_misplaced_deny(entries) => {
            let message = "a deny object belongs behind a pattern; here it would be read as the pattern `action`; \
                           write the state itself, or `{\"*\": {\"action\": \"deny\"}}`";
            // With a reason of words the package rejects it too (CFG-012): no word but a state may stand there.
            let kind = if validate_map(&surface.value, entries, location.clone()).is_empty() {
                IssueKind::CannotWork
            } else {
                IssueKind::Invalid
            };
            vec![Finding::new(surface.value.at, location, kind, message)]
        }
        Some(entries) => validate_map(&surface.value, entries, location),
    }
}

/// RES-08: a surface whose only keys are `action`, and perhaps `reason`.
fn is_misplaced_deny(entries: &[Member]) -> bool {
    entries.iter().any(|entry| entry.key == "action")
        && entries.iter().all(|entry| matches!(entry.key.as_str(), "action" | "reason"))
}

/// What is wrong with one entry of a pattern map.
enum EntryFault {
    /// Reported at the surface, together with all others of its kind (CFG-014).
    Shape(Finding),
    /// Reported by itself when the map has only faults of this kind.
    Detail(Finding),
}

/// CFG-014: the location stops at the surface, except when the only faults are over-long reasons and unknown members.
fn validate_map(map: &Node, entries: &[Member], location: String) -> Vec<Finding> {
    let mut shapes = Vec::new();
    let mut details = Vec::new();
    for fault in entries.iter().flat_map(|entry| entry_faults(entry, &location)) {
        match fault {
            EntryFault::Shape(finding) => shapes.push(finding),
            EntryFault::Detail(finding) => details.push(finding),
        }
    }
    let more = shapes.len().saturating_sub(1);
    match shapes.into_iter().next() {
        None => details,
        Some(first) => {
            let mut message = first.message;
            if more > 0 {
                message.push_str(&format!("; and {more} more in this map"));
            }
            vec![Finding::invalid(first.at.unwrap_or(map.at), location, message)]
        }
    }
}

fn entry_faults(entry: &Member, location: &str) -> Vec<EntryFault> {
    if entry.key.is_empty() {
        return vec![EntryFault::Shape(Finding::invalid(entry.at, location, "a pattern needs at least one character"))];
    }
    match entry.value.members() {
        None => state_fault(&entry.value, "or a deny object")
            .map(|message| {
                EntryFault::Shape(Finding::invalid(entry.value.at, location, format!("pattern `{}`: {message}", entry.key)))
            })
            .into_iter()
            .collect(),
        Some(members) => deny_object_faults(entry, members, location),
    }
}

fn deny_object_faults(entry: &Member, members: &[Member], location: &str) -> Vec<EntryFault> {
    let shape =
        |at, message: String| EntryFault::Shape(Finding::invalid(at, location, format!("pattern `{}`: {message}", entry.key)));
    let mut faults = Vec::new();
    if !members.iter().any(|member| member.key == "action") {
        faults.push(shape(entry.value.at, "expected an `action` of \"deny\", found nothing".to_owned()));
    }
    for member in members {
        match member.key.as_str() {
            "action" if member.value.as_str() != Some("deny") => {
                faults.push(shape(member.value.at, "an object may only say `action` \"deny\"".to_owned()));
            }
            "action" => {}
            "reason" => match member.value.as_str() {
                None => {
                    faults.push(shape(member.value.at, format!("expected a string for `reason`, found {}", member.value.kind())))
                }
                Some(reason) if reason.chars().count() > MAX_REASON => {
                    let place = format!("{location}.{}.reason", entry.key);
                    let message = format!("a reason has at most {MAX_REASON} characters");
                    faults.push(EntryFault::Detail(Finding::invalid(member.value.at, place, message)));
                }
                Some(_) => {}
            },
            _ => {
                let message = format!("unknown member of the deny object of pattern `{}` in `{location}`", entry.key);
                let finding = Finding::new(member.at, member.key.clone(), IssueKind::UnknownMember, message);
                faults.push(EntryFault::Detail(finding));
            }
        }
    }
    faults
}

/// Why a node is no state; `other` names what else could stand there.
fn state_fault(node: &Node, other: &str) -> Option<String> {
    match node.as_str() {
        Some(text) if PermissionState::parse(text).is_some() => None,
        Some(text) => {
            let shown: String = text.chars().take(40).collect();
            Some(format!("expected \"allow\", \"ask\", \"deny\" {other}, found \"{shown}\""))
        }
        None => Some(format!("expected \"allow\", \"ask\", \"deny\" {other}, found {}", node.kind())),
    }
}
