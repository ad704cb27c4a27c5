//! Several sessions of one process on one agent directory, with a clock that only waiting moves.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use portcullis_core::authority::forwarding::{ForwardingRoot, InboxLocation, SubagentRegistry};
use portcullis_core::composition::{ForwardingHost, NodeRegistry};
use portcullis_core::host::system::SystemExchangeStore;
use portcullis_core::host::{Clock, ExchangeStore, LogStream};
use portcullis_test_fixtures::{
    FakeHost, FakeHostBuilder, FakeProcesses, FaultyExchange, ScriptedAnswer, TempWorld, VirtualClock, VirtualWaiter, WorldEntry,
};
use serde_json::{Value, json};

pub(crate) const NONCE: &str = "00112233445566778899aabbccddeeff";

/// The agent directory and what its sessions share.
pub(crate) struct Net {
    pub(crate) world: TempWorld,
    pub(crate) clock: VirtualClock,
    pub(crate) waiter: Arc<VirtualWaiter>,
    pub(crate) processes: Arc<FakeProcesses>,
    pub(crate) subagents: Arc<SubagentRegistry>,
    pub(crate) nodes: Arc<NodeRegistry>,
    pub(crate) store: Arc<FaultyExchange>,
}

impl Net {
    pub(crate) fn new() -> Self {
        let clock = VirtualClock::default();
        Self {
            world: TempWorld::new().unwrap(),
            waiter: Arc::new(VirtualWaiter::new(&clock)),
            clock,
            processes: Arc::default(),
            subagents: Arc::default(),
            nodes: Arc::default(),
            store: Arc::new(FaultyExchange::over(Arc::new(SystemExchangeStore))),
        }
    }

    /// A session in a directory of its own with a policy of its own. It has started.
    pub(crate) fn session(&self, id: &str, config: &Value, answers: Option<Vec<ScriptedAnswer>>) -> Arc<FakeHost> {
        let host = self.build(id, config, answers, |builder| builder);
        host.session_start("startup");
        Arc::new(host)
    }

    /// The same, arranged further, and not started.
    pub(crate) fn build(
        &self,
        id: &str,
        config: &Value,
        answers: Option<Vec<ScriptedAnswer>>,
        change: impl FnOnce(FakeHostBuilder) -> FakeHostBuilder,
    ) -> FakeHost {
        let cwd = self.cwd(id);
        self.world.put(&cwd, &WorldEntry::Directory).unwrap();
        let file = cwd.join(".pi/extensions/pi-permission-system/config.json");
        self.world.put(&file, &WorldEntry::Text(config.to_string())).unwrap();
        let forwarding = ForwardingHost {
            exchange: Arc::clone(&self.store) as Arc<dyn ExchangeStore>,
            waiter: Arc::clone(&self.waiter) as _,
            processes: Arc::clone(&self.processes) as _,
            subagents: Arc::clone(&self.subagents),
            nodes: Arc::clone(&self.nodes),
        };
        let clock: Arc<dyn Clock> = Arc::new(self.clock.clone());
        let builder = FakeHostBuilder::new(&cwd.to_string_lossy(), &self.world.home().to_string_lossy());
        let builder = builder.change_host(move |_, host| {
            host.forwarding = Some(forwarding);
            host.clock = clock;
        });
        let builder = match answers {
            Some(answers) => builder.ui(answers),
            None => builder,
        };
        let host = change(builder).build();
        host.context.set_session_id(Some(id));
        host
    }

    /// The global file of all sessions.
    pub(crate) fn global(&self, config: &Value) {
        let file = self.world.agent_dir().join("extensions/pi-permission-system/config.json");
        self.world.put(&file, &WorldEntry::Text(config.to_string())).unwrap();
    }

    /// The directory of a session, as the sessions themselves know it.
    pub(crate) fn cwd(&self, id: &str) -> PathBuf {
        fs::canonicalize(self.world.cwd()).unwrap().join(id)
    }

    pub(crate) fn inbox(&self, id: &str) -> InboxLocation {
        ForwardingRoot::new(&self.world.agent_dir().to_string_lossy()).location(id).unwrap()
    }

    /// Writes a request for a session as a child would, without a child.
    pub(crate) fn stage(&self, target: &str, request: &Value) {
        let inbox = self.inbox(target);
        fs::create_dir_all(inbox.requests()).unwrap();
        fs::write(inbox.request_file(request["id"].as_str().unwrap()), request.to_string()).unwrap();
    }

    /// The response of a session.
    pub(crate) fn response(&self, target: &str, id: &str) -> Option<Value> {
        serde_json::from_slice(&fs::read(self.inbox(target).response_file(id)).ok()?).ok()
    }

    /// A child's request of this version about these facts.
    pub(crate) fn request(&self, id: &str, facts: &Value, grants: &[(&str, &str)]) -> Value {
        let mut request = json!({
            "id": id, "createdAt": self.clock.now_ms(), "requesterSessionId": "c", "targetSessionId": "p",
            "requesterAgentName": "Explore", "message": "May it?", "source": "tool_call", "surface": null, "value": null,
            "version": 2, "nonce": NONCE, "facts": facts,
        });
        if !grants.is_empty() {
            request["grants"] = json!(grants);
        }
        request
    }

    /// An old child's request: no facts, a display pair.
    pub(crate) fn old_request(&self, id: &str, surface: Option<&str>, value: Option<&str>) -> Value {
        json!({
            "id": id, "createdAt": self.clock.now_ms(), "requesterSessionId": "c", "targetSessionId": "p",
            "requesterAgentName": "unknown", "message": "May it?", "source": "tool_call", "surface": surface, "value": value,
        })
    }

    /// What a child in the directory of `c` says about an ask; a path is one item of that kind.
    pub(crate) fn facts(&self, gate: &str, surface: &str, items: &Value) -> Value {
        json!({
            "gate": gate, "surface": surface, "direction": "read", "cwd": self.cwd("c"), "tool": "tool", "items": items,
            "prompt": {},
        })
    }
}

/// A unit of a command.
pub(crate) fn unit(text: &str) -> Value {
    json!({ "kind": "unit", "text": text })
}

/// A unit under a floor.
pub(crate) fn floored(text: &str, floor: &str) -> Value {
    json!({ "kind": "unit", "text": text, "floors": [{ "kind": floor }] })
}

/// An absolute path that is where it says.
pub(crate) fn path(text: &str) -> Value {
    json!({ "kind": "path", "typed": text, "lexical": text, "canonical": text })
}

pub(crate) fn value(text: &str) -> Value {
    json!({ "kind": "value", "value": text })
}

/// The review lines of forwarding and of brackets, by event, without the fields.
pub(crate) fn events(host: &FakeHost) -> Vec<String> {
    let lines = host.journal.log(LogStream::Review).into_iter();
    let events = lines.map(|line| line["event"].as_str().unwrap_or_default().to_owned());
    events.filter(|event| !event.starts_with("config.")).collect()
}

/// The review lines of one event, without the common fields.
pub(crate) fn lines(host: &FakeHost, event: &str) -> Vec<Value> {
    let lines = host.journal.log(LogStream::Review).into_iter().filter(|line| line["event"] == event);
    let bare = lines.map(|mut line| {
        if let Some(members) = line.as_object_mut() {
            for common in ["timestamp", "extension", "stream", "event"] {
                members.remove(common);
            }
        }
        line
    });
    bare.collect()
}
