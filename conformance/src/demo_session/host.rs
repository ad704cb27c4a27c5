//! What the session hands to its gate: the real system, but for one variable that names the parent.

use std::sync::{Arc, Mutex};

use portcullis_core::composition::{ForwardingHost, Host, HostOptions};
use portcullis_core::host::system::{
    SystemClock, SystemEnvironment, SystemFileStore, SystemFileView, SystemIds, SystemProcesses, SystemWaiter,
};
use portcullis_core::host::{Environment, EventBus, HostContext, HostResult, Platform, ToolRegistry, Trust, UserInterface};
use serde_json::{Value, json};

use super::{DemoSession, Role, Teller, lock};

/// The variable through which a child knows its parent (SUB-010).
const PARENT_VARIABLE: &str = "PI_AGENT_ROUTER_PARENT_SESSION_ID";

type Decisions = Arc<Mutex<Vec<Value>>>;

/// The host, the context of all its events, and where its decisions are kept.
pub(super) fn host(session: &DemoSession, tell: &Teller) -> (Host, Arc<dyn HostContext>, Decisions) {
    let decisions = Decisions::default();
    let (person, parent) = match &session.role {
        Role::Parent(person) => (Some(person.interface(tell)), None),
        Role::Child { parent, .. } => (None, Some(parent.clone())),
    };
    let host = Host {
        tools: Arc::new(Tools),
        bus: Arc::new(Bus { tell: Arc::clone(tell), decisions: Arc::clone(&decisions) }),
        files: Arc::new(SystemFileView),
        store: Arc::new(SystemFileStore),
        log: None,
        clock: Arc::new(SystemClock),
        ids: Arc::new(SystemIds),
        environment: Arc::new(Variables { parent }),
        trace: None,
        resolver: None,
        forwarding: Some(ForwardingHost {
            exchange: Arc::clone(&session.exchange),
            waiter: Arc::new(SystemWaiter),
            processes: Arc::new(SystemProcesses),
            subagents: Arc::default(),
            nodes: Arc::default(),
        }),
        options: HostOptions {
            agent_dir: Some(session.agent_dir.to_string_lossy().into_owned()),
            waiting_time_ms: u64::try_from(session.waiting_time.as_millis()).unwrap_or(u64::MAX),
            ..HostOptions::default()
        },
    };
    let context = Context {
        session: session.session.clone(),
        cwd: session.project.to_string_lossy().into_owned(),
        person,
        trust: if session.trusted { Trust::Trusted } else { Trust::Unknown },
    };
    (host, Arc::new(context), decisions)
}

/// The one tool of the session.
struct Tools;

impl ToolRegistry for Tools {
    fn get_all(&self) -> HostResult<Vec<Value>> {
        Ok(vec!["bash".into()])
    }

    fn get_active(&self) -> HostResult<Vec<Value>> {
        self.get_all()
    }

    fn set_active(&self, _names: &[String]) -> HostResult<()> {
        Ok(())
    }
}

/// Tells of questions; keeps decisions until the call is over.
struct Bus {
    tell: Teller,
    decisions: Decisions,
}

impl EventBus for Bus {
    fn emit(&self, channel: &str, payload: &Value) -> HostResult<()> {
        match channel {
            "permissions:decision" => lock(&self.decisions).push(payload.clone()),
            "permissions:ui_prompt" => {
                let member = |name: &str| payload.get(name).cloned().unwrap_or_default();
                (self.tell)(&json!({
                    "event": "prompted", "requestId": member("requestId"), "message": member("message"),
                    "forwarding": member("forwarding"),
                }));
            }
            _ => {}
        }
        Ok(())
    }
}

/// The process's variables, and the parent of this session.
struct Variables {
    parent: Option<String>,
}

impl Environment for Variables {
    fn var(&self, name: &str) -> Option<String> {
        match &self.parent {
            Some(parent) if name == PARENT_VARIABLE => Some(parent.clone()),
            _ => SystemEnvironment.var(name),
        }
    }

    fn home(&self) -> Option<String> {
        SystemEnvironment.home()
    }

    fn platform(&self) -> Platform {
        SystemEnvironment.platform()
    }
}

struct Context {
    session: String,
    cwd: String,
    person: Option<Arc<dyn UserInterface>>,
    trust: Trust,
}

impl HostContext for Context {
    fn cwd(&self) -> HostResult<String> {
        Ok(self.cwd.clone())
    }

    fn user_interface(&self) -> Option<Arc<dyn UserInterface>> {
        self.person.clone()
    }

    fn session_entries(&self) -> HostResult<Vec<Value>> {
        Ok(Vec::new())
    }

    fn session_id(&self) -> Option<String> {
        Some(self.session.clone())
    }

    fn trust(&self) -> Trust {
        self.trust
    }
}
