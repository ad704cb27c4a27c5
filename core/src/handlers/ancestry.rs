//! The sessions above this one in the same process (HARD-046): who is whose child is the registry's word, who is there the nodes'.

use std::sync::{Arc, Weak};

use super::services::Services;
use crate::access::ExtractorRegistry;
use crate::authority::forwarding::normalize_session_id;
use crate::report::previews::FormatterRegistry;
use crate::session::Ancestors;

/// More generations than anybody has; a circle ends here at the latest.
const MOST_GENERATIONS: usize = 16;

struct Ancestry(Weak<Services>);

impl Services {
    /// Lets facts be looked up in the sessions above, where a host has such.
    pub(crate) fn look_up_to_ancestors(self: &Arc<Self>) {
        if self.forwarding.is_some() {
            // Set once, by the one who builds the gate.
            let _ = self.registries.ancestors.set(Arc::new(Ancestry(Arc::downgrade(self))));
        }
    }
}

impl Ancestors for Ancestry {
    fn registries(&self) -> Vec<(ExtractorRegistry, FormatterRegistry)> {
        let Some(services) = self.0.upgrade() else { return Vec::new() };
        let Some(forwarding) = &services.forwarding else { return Vec::new() };
        let mut id = services.session.bound().ok().and_then(|bound| bound.context.session_id());
        let mut above = Vec::new();
        for _ in 0..MOST_GENERATIONS {
            let parent = id.and_then(|id| forwarding.host.subagents.get(&id)).flatten();
            let Some(parent) = normalize_session_id(parent.as_deref()) else { break };
            if let Some(node) = forwarding.host.nodes.services(&parent) {
                if Arc::ptr_eq(&node, &services) {
                    break;
                }
                above.push((node.registries.extractors.clone(), node.registries.formatters.clone()));
            }
            id = Some(parent);
        }
        above
    }
}
