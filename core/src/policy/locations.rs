//! Where policy lives (CFG-001 to CFG-003). This file joins path texts; it never looks at the disk.

use crate::host::{Environment, Platform};

/// The folder below `extensions/` that holds configuration and logs.
const EXTENSION: &str = "pi-permission-system";

/// The places of all files of one session (CFG-001).
///
/// ```
/// use portcullis_core::host::Platform;
/// use portcullis_core::policy::PolicyLocations;
///
/// let places = PolicyLocations::new("/a", Some("/p"), None, Platform::Posix);
/// assert_eq!(places.global_config(), "/a/extensions/pi-permission-system/config.json");
/// assert_eq!(places.project_config().as_deref(), Some("/p/.pi/extensions/pi-permission-system/config.json"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyLocations {
    agent_dir: String,
    cwd: Option<String>,
    extension_root: Option<String>,
    platform: Platform,
}

impl PolicyLocations {
    /// The places for an agent directory and a session directory. A missing or empty cwd means: no project (CFG-003).
    pub fn new(agent_dir: &str, cwd: Option<&str>, extension_root: Option<&str>, platform: Platform) -> Self {
        Self {
            agent_dir: agent_dir.to_owned(),
            cwd: cwd.filter(|cwd| !cwd.is_empty()).map(str::to_owned),
            extension_root: extension_root.filter(|root| !root.is_empty()).map(str::to_owned),
            platform,
        }
    }

    /// The host's agent directory.
    pub fn agent_dir(&self) -> &str {
        &self.agent_dir
    }

    /// The session's working directory, when there is a project.
    pub fn cwd(&self) -> Option<&str> {
        self.cwd.as_deref()
    }

    /// The flavour of the paths.
    pub fn platform(&self) -> Platform {
        self.platform
    }

    /// The folder of the global configuration.
    pub fn extension_dir(&self) -> String {
        self.join(&self.agent_dir, &["extensions", EXTENSION])
    }

    /// The global configuration file.
    pub fn global_config(&self) -> String {
        self.join(&self.agent_dir, &["extensions", EXTENSION, "config.json"])
    }

    /// The project's configuration file.
    pub fn project_config(&self) -> Option<String> {
        self.in_project(&[".pi", "extensions", EXTENSION, "config.json"])
    }

    /// The folder of the global agent files.
    pub fn agents_dir(&self) -> String {
        self.join(&self.agent_dir, &["agents"])
    }

    /// The folder of the project's agent files.
    pub fn project_agents_dir(&self) -> Option<String> {
        self.in_project(&[".pi", "agents"])
    }

    /// The global file of an agent. The name must be usable ([`usable_agent_name`](super::usable_agent_name)).
    pub fn agent_file(&self, agent: &str) -> String {
        self.join(&self.agents_dir(), &[&format!("{agent}.md")])
    }

    /// The project's file of an agent.
    pub fn project_agent_file(&self, agent: &str) -> Option<String> {
        Some(self.join(&self.project_agents_dir()?, &[&format!("{agent}.md")]))
    }

    /// The logs directory.
    pub fn logs_dir(&self) -> String {
        self.join(&self.agent_dir, &["extensions", EXTENSION, "logs"])
    }

    /// The debug log.
    pub fn debug_log(&self) -> String {
        self.join(&self.logs_dir(), &["pi-permission-system-debug.jsonl"])
    }

    /// The review log.
    pub fn review_log(&self) -> String {
        self.join(&self.logs_dir(), &["pi-permission-system-permission-review.jsonl"])
    }

    /// The user's list of MCP servers (POLICY-D20: of the agent directory that was injected).
    pub fn mcp_servers(&self) -> String {
        self.join(&self.agent_dir, &["mcp.json"])
    }

    /// The project's list of MCP servers (RES-16).
    pub fn project_mcp_servers(&self) -> Option<String> {
        self.in_project(&[".pi", "mcp.json"])
    }

    /// The global policy of an earlier release.
    pub fn legacy_global_policy(&self) -> String {
        self.join(&self.agent_dir, &["pi-permissions.jsonc"])
    }

    /// The project policy of an earlier release.
    pub fn legacy_project_policy(&self) -> Option<String> {
        self.in_project(&[".pi", "agent", "pi-permissions.jsonc"])
    }

    /// The extension configuration of an earlier release; `None` when that is the global configuration itself (CFG-027).
    pub fn legacy_extension_config(&self) -> Option<String> {
        let path = self.join(self.extension_root.as_deref()?, &["config.json"]);
        (path != self.global_config()).then_some(path)
    }

    fn in_project(&self, parts: &[&str]) -> Option<String> {
        Some(self.join(self.cwd.as_deref()?, parts))
    }

    fn join(&self, base: &str, parts: &[&str]) -> String {
        let separator = match self.platform {
            Platform::Posix => '/',
            Platform::Windows => '\\',
        };
        let mut path = base.to_owned();
        for part in parts {
            if !path.is_empty() && !self.ends_with_separator(&path) {
                path.push(separator);
            }
            path.push_str(part);
        }
        path
    }

    fn ends_with_separator(&self, path: &str) -> bool {
        path.ends_with('/') || (self.platform == Platform::Windows && path.ends_with('\\'))
    }
}

/// The host's agent directory (CFG-002): `PI_CODING_AGENT_DIR` when set and not empty, else `<home>/.pi/agent`.
///
/// A leading `~` or `~/` of the variable is expanded and a `file://` URL converted; nothing else is touched. An empty or
/// relative home is no home (POLICY-D10): its place is taken by the root, which no project owns.
pub fn agent_dir(environment: &dyn Environment) -> String {
    let platform = environment.platform();
    let home = environment.home().filter(|home| is_absolute(home, platform)).unwrap_or_else(|| root(platform));
    match environment.var("PI_CODING_AGENT_DIR").filter(|value| !value.is_empty()) {
        Some(value) => expand(&value, &home, platform),
        None => join_home(&home, if platform == Platform::Windows { ".pi\\agent" } else { ".pi/agent" }, platform),
    }
}

fn expand(value: &str, home: &str, platform: Platform) -> String {
    if value == "~" {
        return home.to_owned();
    }
    if let Some(rest) = value.strip_prefix("~/") {
        return join_home(home, rest, platform);
    }
    if let Some(path) = value.strip_prefix("file://").and_then(|rest| file_url_path(rest, platform)) {
        return path;
    }
    value.to_owned()
}

fn join_home(home: &str, rest: &str, platform: Platform) -> String {
    let separator = if platform == Platform::Windows { '\\' } else { '/' };
    if home.ends_with('/') || (platform == Platform::Windows && home.ends_with('\\')) {
        format!("{home}{rest}")
    } else {
        format!("{home}{separator}{rest}")
    }
}

/// The path of a `file://` URL without its scheme. A host name, other than `localhost`, makes it no local file.
fn file_url_path(rest: &str, platform: Platform) -> Option<String> {
    let (host, path) = rest.split_once('/')?;
    if !(host.is_empty() || host.eq_ignore_ascii_case("localhost")) {
        return None;
    }
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let decoded = percent_decode(path)?;
    match platform {
        Platform::Posix => Some(format!("/{decoded}")),
        Platform::Windows => Some(decoded.replace('/', "\\")),
    }
}

fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let high = char::from(rest.next()?).to_digit(16)?;
        let low = char::from(rest.next()?).to_digit(16)?;
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

fn is_absolute(path: &str, platform: Platform) -> bool {
    match platform {
        Platform::Posix => path.starts_with('/'),
        Platform::Windows => {
            let mut chars = path.chars();
            let first = chars.next();
            matches!(first, Some('/' | '\\')) || (first.is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':'))
        }
    }
}

fn root(platform: Platform) -> String {
    match platform {
        Platform::Posix => "/".to_owned(),
        Platform::Windows => "C:\\".to_owned(),
    }
}

#[cfg(test)]
mod tests;
