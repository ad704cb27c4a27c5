//! Faults between sessions: how a question is put to the parent, how it is read and answered there, and what is heard of the answer.
//!
//! A question travels as files, so most of these gates are the reference before folders that do not do as they are told, or that show
//! something else than lies in them.

use std::sync::Arc;

use portcullis_core::composition::{ForwardingHost, Host};
use portcullis_core::host::{ExchangeFault, ExchangeFaultKind, ExchangeStore, Processes};
use serde_json::{Map, Value};

use crate::implementation::{Observation, StepRequest, World, WorldAnswer, WorldLinkAnswer};

type Done<T> = Result<T, ExchangeFault>;

/// What the folders do otherwise: each verb as a function of those underneath.
#[derive(Clone, Copy)]
struct Folders {
    list: fn(&dyn ExchangeStore, &str) -> Done<Vec<String>>,
    read: fn(&dyn ExchangeStore, &str, u64) -> Done<Vec<u8>>,
    create: fn(&dyn ExchangeStore, &str, &[u8]) -> Done<()>,
    rename: fn(&dyn ExchangeStore, &str, &str) -> Done<()>,
    remove: fn(&dyn ExchangeStore, &str) -> Done<()>,
    /// What becomes of a fault.
    fault: fn(ExchangeFault) -> ExchangeFault,
}

impl Folders {
    const GOOD: Self = Self {
        list: |store, path| store.list_files(path),
        read: |store, path, most| store.read(path, most),
        create: |store, path, bytes| store.create_file(path, bytes),
        rename: |store, from, to| store.rename(from, to),
        remove: |store, path| store.remove_file(path),
        fault: |fault| fault,
    };
}

struct Exchange {
    store: Arc<dyn ExchangeStore>,
    folders: Folders,
}

impl ExchangeStore for Exchange {
    fn create_dir(&self, path: &str) -> Done<()> {
        self.store.create_dir(path).map_err(self.folders.fault)
    }

    fn list_files(&self, path: &str) -> Done<Vec<String>> {
        (self.folders.list)(self.store.as_ref(), path).map_err(self.folders.fault)
    }

    fn read(&self, path: &str, max_bytes: u64) -> Done<Vec<u8>> {
        (self.folders.read)(self.store.as_ref(), path, max_bytes).map_err(self.folders.fault)
    }

    fn create_file(&self, path: &str, bytes: &[u8]) -> Done<()> {
        (self.folders.create)(self.store.as_ref(), path, bytes).map_err(self.folders.fault)
    }

    fn rename(&self, from: &str, to: &str) -> Done<()> {
        (self.folders.rename)(self.store.as_ref(), from, to).map_err(self.folders.fault)
    }

    fn remove_file(&self, path: &str) -> Done<()> {
        (self.folders.remove)(self.store.as_ref(), path).map_err(self.folders.fault)
    }

    fn remove_dir(&self, path: &str) -> Done<()> {
        self.store.remove_dir(path).map_err(self.folders.fault)
    }
}

fn behind(host: &mut Host, folders: Folders) {
    if let Some(forwarding) = &mut host.forwarding {
        forwarding.exchange = Arc::new(Exchange { store: Arc::clone(&forwarding.exchange), folders });
    }
}

/// A question, or the claim of a server to it.
fn is_request(path: &str) -> bool {
    path.rsplit('/').nth(1) == Some("requests")
}

fn is_response(path: &str) -> bool {
    path.rsplit('/').nth(1) == Some("responses")
}

/// A message with other members. What is no message stays as it is.
fn reworded(bytes: Vec<u8>, change: impl FnOnce(&mut Map<String, Value>)) -> Vec<u8> {
    let Ok(Value::Object(mut members)) = serde_json::from_slice(&bytes) else { return bytes };
    change(&mut members);
    serde_json::to_vec(&members).unwrap_or(bytes)
}

fn reads(host: &mut Host, read: fn(&dyn ExchangeStore, &str, u64) -> Done<Vec<u8>>) {
    behind(host, Folders { read, ..Folders::GOOD });
}

/// A session without a screen never asks above it.
pub(super) fn asks_nobody_above(_: &World, host: &mut Host) {
    host.forwarding = None;
}

/// Nobody looks into the inbox.
pub(super) fn inbox_unread(_: &World, host: &mut Host) {
    behind(host, Folders { list: |_, _| Ok(Vec::new()), ..Folders::GOOD });
}

/// Nothing is tidied up.
pub(super) fn keeps_messages(_: &World, host: &mut Host) {
    behind(host, Folders { remove: |_, _| Ok(()), ..Folders::GOOD });
}

/// A momentary refusal is taken for good.
pub(super) fn gives_up_at_once(_: &World, host: &mut Host) {
    let lasting = |fault: ExchangeFault| match fault.kind {
        ExchangeFaultKind::Transient => ExchangeFault { kind: ExchangeFaultKind::Other, ..fault },
        _ => fault,
    };
    behind(host, Folders { fault: lasting, ..Folders::GOOD });
}

/// A session does not show that it lives.
pub(super) fn shows_no_life(_: &World, host: &mut Host) {
    let rename = |store: &dyn ExchangeStore, from: &str, to: &str| {
        if to.ends_with("/heartbeat.json") { store.remove_file(from) } else { store.rename(from, to) }
    };
    behind(host, Folders { rename, ..Folders::GOOD });
}

/// All processes are alike.
struct All {
    alive: bool,
}

impl Processes for All {
    fn is_alive(&self, _: u32) -> Option<bool> {
        Some(self.alive)
    }
}

/// No process ever dies.
pub(super) fn believes_in_the_dead(_: &World, host: &mut Host) {
    if let Some(forwarding) = &mut host.forwarding {
        forwarding.processes = Arc::new(All { alive: true });
    }
}

/// No process lives but one's own.
pub(super) fn buries_the_living(_: &World, host: &mut Host) {
    if let Some(forwarding) = &mut host.forwarding {
        forwarding.processes = Arc::new(All { alive: false });
    }
}

/// Each session knows its own children only, and none of the others of its process.
pub(super) fn knows_no_children(_: &World, host: &mut Host) {
    if let Some(ForwardingHost { subagents, nodes, .. }) = &mut host.forwarding {
        *subagents = Arc::default();
        *nodes = Arc::default();
    }
}

/// The facts of a question are not looked at.
pub(super) fn reads_no_facts(_: &World, host: &mut Host) {
    reads(host, |store, path, most| {
        let bytes = store.read(path, most)?;
        Ok(if is_request(path) { reworded(bytes, |request| drop(request.remove("facts"))) } else { bytes })
    });
}

/// A question is to whoever finds it.
pub(super) fn answers_for_others(_: &World, host: &mut Host) {
    reads(host, |store, path, most| {
        let bytes = store.read(path, most)?;
        // `…/sessions/ID/requests/FILE`; ids that need no encoding are their folders' names.
        let here = path.rsplit('/').nth(2).unwrap_or_default().to_owned();
        let readdressed = |request: &mut Map<String, Value>| drop(request.insert("targetSessionId".into(), here.into()));
        Ok(if is_request(path) { reworded(bytes, readdressed) } else { bytes })
    });
}

/// A no is heard as a yes.
pub(super) fn hears_a_yes(_: &World, host: &mut Host) {
    reads(host, |store, path, most| {
        let bytes = store.read(path, most)?;
        let agreed = |response: &mut Map<String, Value>| {
            if response.get("approved") == Some(&Value::Bool(false)) {
                response.insert("approved".into(), true.into());
                response.insert("state".into(), "approved".into());
            }
        };
        Ok(if is_response(path) { reworded(bytes, agreed) } else { bytes })
    });
}

/// An answer that contradicts itself is a yes.
pub(super) fn yes_is_yes(_: &World, host: &mut Host) {
    reads(host, |store, path, most| {
        let bytes = store.read(path, most)?;
        let settled = |response: &mut Map<String, Value>| {
            let state = response.get("state").and_then(Value::as_str).unwrap_or_default();
            if response.get("approved") == Some(&Value::Bool(true)) && !state.starts_with("approved") {
                response.insert("state".into(), "approved".into());
            }
        };
        Ok(if is_response(path) { reworded(bytes, settled) } else { bytes })
    });
}

/// Any answer is the answer: its nonce is not compared.
pub(super) fn takes_any_answer(_: &World, host: &mut Host) {
    reads(host, |store, path, most| {
        let bytes = store.read(path, most)?;
        let nonce = if is_response(path) { nonce_asked_with(store, path, most) } else { None };
        Ok(reworded(bytes, |response| nonce.into_iter().for_each(|nonce| drop(response.insert("nonce".into(), nonce)))))
    });
}

/// The nonce of the question that this would answer.
fn nonce_asked_with(store: &dyn ExchangeStore, response: &str, most: u64) -> Option<Value> {
    let (folder, name) = response.rsplit_once('/')?;
    let requests = folder.replace("/responses", "/requests");
    let id = name.strip_suffix(".json")?;
    let asked = store
        .list_files(&requests)
        .ok()?
        .into_iter()
        .find(|name| name.strip_prefix(id).is_some_and(|rest| matches!(rest, ".json" | ".claim")))?;
    let request: Value = serde_json::from_slice(&store.read(&format!("{requests}/{asked}"), most).ok()?).ok()?;
    request.get("nonce").cloned()
}

/// The one who asks is called unknown.
pub(super) fn names_nobody(_: &World, host: &mut Host) {
    reads(host, |store, path, most| {
        let bytes = store.read(path, most)?;
        let nameless = |request: &mut Map<String, Value>| {
            request.insert("requesterAgentName".into(), "unknown".into());
            request.insert("requesterSessionId".into(), "unknown".into());
        };
        Ok(if is_request(path) { reworded(bytes, nameless) } else { bytes })
    });
}

/// A child waits a tenth of the time.
pub(super) fn is_impatient(_: &World, host: &mut Host) {
    host.options.waiting_time_ms /= 10;
}

/// A child waits for ever, or nearly.
pub(super) fn waits_for_ever(_: &World, host: &mut Host) {
    host.options.waiting_time_ms *= 10;
}

/// A yes for the whole session is one for the child that asked.
pub(super) fn only_for_the_child(answer: &mut WorldAnswer) {
    if *answer == WorldAnswer::ApproveForWholeSession {
        *answer = WorldAnswer::ApproveForSession;
    }
}

/// A yes for the child that asked is one for the whole session.
pub(super) fn for_everybody(answer: &mut WorldAnswer) {
    if matches!(answer, WorldAnswer::ApproveForSession | WorldAnswer::ApproveForSessionThenDismiss) {
        *answer = WorldAnswer::ApproveForWholeSession;
    }
}

/// A link that leaves the answer to others has said yes.
pub(super) fn silence_is_yes(request: &mut StepRequest) {
    if let StepRequest::RegisterLink { answers, .. } = request {
        answers
            .iter_mut()
            .filter(|answer| **answer == WorldLinkAnswer::Defer)
            .for_each(|answer| *answer = WorldLinkAnswer::Allow);
    }
}

/// A link that fails has said yes.
pub(super) fn failure_is_yes(request: &mut StepRequest) {
    if let StepRequest::RegisterLink { answers, .. } = request {
        let failed = answers.iter_mut().filter(|answer| matches!(answer, WorldLinkAnswer::Fail { .. }));
        failed.for_each(|answer| *answer = WorldLinkAnswer::Allow);
    }
}

/// A link's no stops nobody.
pub(super) fn no_of_a_link_is_silence(request: &mut StepRequest) {
    if let StepRequest::RegisterLink { answers, .. } = request {
        let denied = answers.iter_mut().filter(|answer| matches!(answer, WorldLinkAnswer::Deny { .. }));
        denied.for_each(|answer| *answer = WorldLinkAnswer::Defer);
    }
}

/// Where it was decided is not told.
pub(super) fn tells_not_where(_: &StepRequest, seen: &mut Observation) {
    for event in &mut seen.decisions {
        if let Some(Value::Object(by)) = event.get_mut("decidedBy") {
            by.insert("where".into(), "own".into());
        }
    }
}
