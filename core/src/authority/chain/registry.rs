//! Which links a session has. Registering gives no power (HARD-044).

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::Link;

/// A second link of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkNameTaken {
    /// The name.
    pub name: String,
}

impl fmt::Display for LinkNameTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a link of the name `{}` is registered already", self.name)
    }
}

impl std::error::Error for LinkNameTaken {}

/// A link, and on how many asks it still works that nobody waits for any more.
pub(super) struct Registered {
    pub(super) link: Arc<dyn Link>,
    pub(super) abandoned: AtomicUsize,
}

type Links = Mutex<HashMap<String, Arc<Registered>>>;

/// The links of one session, one a name. Clones share their entries.
#[derive(Clone, Default)]
pub struct LinkRegistry {
    links: Arc<Links>,
}

impl LinkRegistry {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a link under its own name; a second one of that name is refused.
    pub fn register(&self, link: Arc<dyn Link>) -> Result<LinkRegistration, LinkNameTaken> {
        let name = link.name().to_owned();
        let mut links = lock(&self.links);
        if links.contains_key(&name) {
            return Err(LinkNameTaken { name });
        }
        let registered = Arc::new(Registered { link, abandoned: AtomicUsize::new(0) });
        links.insert(name.clone(), Arc::clone(&registered));
        Ok(LinkRegistration { links: Arc::downgrade(&self.links), name, registered: Arc::downgrade(&registered) })
    }

    /// The registered names, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = lock(&self.links).keys().cloned().collect();
        names.sort();
        names
    }

    pub(super) fn get(&self, name: &str) -> Option<Arc<Registered>> {
        lock(&self.links).get(name).map(Arc::clone)
    }
}

impl fmt::Debug for LinkRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkRegistry").field("names", &self.names()).finish()
    }
}

/// One registration. Dropping it changes nothing; [`LinkRegistration::dispose`] takes the link out.
#[must_use = "keep it to take the link out again"]
pub struct LinkRegistration {
    links: Weak<Links>,
    name: String,
    registered: Weak<Registered>,
}

impl LinkRegistration {
    /// Removes this registration and no later one of the same name; may be called repeatedly.
    pub fn dispose(&self) {
        let Some(links) = self.links.upgrade() else { return };
        let mut links = lock(&links);
        if links.get(&self.name).is_some_and(|current| std::ptr::eq(Arc::as_ptr(current), self.registered.as_ptr())) {
            links.remove(&self.name);
        }
    }
}

impl fmt::Debug for LinkRegistration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkRegistration").field("name", &self.name).finish_non_exhaustive()
    }
}

fn lock(links: &Links) -> MutexGuard<'_, HashMap<String, Arc<Registered>>> {
    links.lock().unwrap_or_else(PoisonError::into_inner)
}
