//! The chain of links as one session configures it (HARD-044, RES-12).

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, json};

use super::services::{Services, tool_names};
use crate::access::{ToolKind, tool_kind};
use crate::authority::{AuthorizerChain, ChainSession, Link, LinkNameTaken, LinkRegistration, LinkRegistry};
use crate::gates::GateNotifier as _;
use crate::host::boundary::attempt;
use crate::report::escape::visible;
use crate::session::ActiveAgent;
use crate::text::js_trim;

/// The links of one session, and which missing ones were announced.
#[derive(Default)]
pub(crate) struct Links {
    registry: LinkRegistry,
    announced: Mutex<HashSet<String>>,
}

impl Services {
    /// The chain that stands before this session's terminal.
    pub(super) fn chain(&self) -> AuthorizerChain<'_> {
        AuthorizerChain { links: &self.links.registry, session: self, patience_ms: self.host.options.link_patience_ms }
    }

    /// Registers a link. On a session that relays it is accepted and never consulted; the log says so (HARD-046).
    pub(crate) fn register_link(&self, link: Arc<dyn Link>) -> Result<LinkRegistration, LinkNameTaken> {
        let name = link.name().to_owned();
        let registration = self.links.registry.register(link)?;
        if let Ok(bound) = self.session.bound()
            && bound.authority.relays()
        {
            let mut fields = Map::new();
            fields.insert("link".to_owned(), json!(name));
            fields.insert("sessionId".to_owned(), json!(bound.context.session_id()));
            attempt(|| self.log.review("authorizer.link_vacant", &fields));
        }
        Ok(registration)
    }
}

impl ChainSession for Services {
    /// Those of the last reload, as far as the file still names them: a link's yes loosens (RES-11).
    fn configured_links(&self) -> Vec<String> {
        let mut names = self.session.settings().authorizer_chain;
        if names.is_empty() {
            return names;
        }
        let Ok(bound) = self.session.bound() else { return Vec::new() };
        let tools = tool_names(&self.host.tools.get_all().unwrap_or_default());
        let policy = self.session.policy(&bound, &ActiveAgent::default(), &tools);
        let now = &policy.snapshot.settings.authorizer_chain;
        names.retain(|name| now.contains(name));
        names
    }

    fn knows_surface(&self, surface: &str) -> bool {
        let registered = || {
            let tools = self.host.tools.get_all().unwrap_or_default();
            tool_names(&tools).iter().any(|tool| js_trim(tool) == surface)
        };
        tool_kind(surface) != ToolKind::Extension || registered()
    }

    fn announce_missing_link(&self, name: &str) {
        let news = self.links.announced.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
        if news && let Ok(bound) = self.session.bound() {
            let text = format!("The link '{}' is configured to answer asks, but nothing registered it.", visible(name));
            self.notifier(&bound).warn(&text);
        }
    }
}
