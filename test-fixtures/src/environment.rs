//! An environment made of pairs.

use std::collections::BTreeMap;

use portcullis_core::host::{Environment, Platform};

/// Variables, a home and a platform.
///
/// ```
/// use portcullis_core::host::Environment;
/// use portcullis_test_fixtures::FakeEnvironment;
///
/// let environment = FakeEnvironment::new("/home/me").with("EDITOR", "vi");
/// assert_eq!(environment.home().as_deref(), Some("/home/me"));
/// assert_eq!(environment.var("EDITOR").as_deref(), Some("vi"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct FakeEnvironment {
    variables: BTreeMap<String, String>,
    platform: Platform,
}

impl FakeEnvironment {
    /// An environment with this `HOME`.
    pub fn new(home: &str) -> Self {
        Self::default().with("HOME", home)
    }

    /// With a variable.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    /// With path rules.
    #[must_use]
    pub fn on(mut self, platform: Platform) -> Self {
        self.platform = platform;
        self
    }
}

impl Environment for FakeEnvironment {
    fn var(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    fn home(&self) -> Option<String> {
        self.variables.get("HOME").cloned()
    }

    fn platform(&self) -> Platform {
        self.platform
    }
}
