//! The ingredients of the two pipelines (`makeGateInputs`, `makeSkillInputInputs`).

use std::sync::Arc;

use portcullis_core::access::ExtractorRegistry;
use portcullis_core::access::path::{AccessPath, InfrastructureEntries, PathFacts, PathNormalizer};
use portcullis_core::gates::{
    CallFacts, FactSources, GateResolver, GateView, GrantSuggester, SkillInputGateInputs, SkillPromptEntry, ToolCallContext,
    ToolCallGateInputs, ToolPreviews, collect_call_facts,
};
use portcullis_core::host::{EntryKind, FileFault, FileFaultKind, FileStamp, FileView, HostResult, Platform};
use portcullis_core::policy::{PermissionState, ShellAlias};
use portcullis_core::session::suggestion;

use crate::resolver::FakeResolver;
use crate::seed::{FIXTURE_AGENT_DIR, FIXTURE_HOME};

/// A file system on which nothing exists.
///
/// ```
/// use portcullis_core::host::FileView;
/// use portcullis_test_fixtures::NoFiles;
///
/// assert!(NoFiles.entry("/").is_err());
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

fn missing<T>() -> Result<T, FileFault> {
    Err(FileFault { kind: FileFaultKind::NotFound, message: "nothing exists here".to_owned() })
}

impl FileView for NoFiles {
    fn entry(&self, _path: &str) -> Result<EntryKind, FileFault> {
        missing()
    }

    fn read(&self, _path: &str) -> Result<Vec<u8>, FileFault> {
        missing()
    }

    fn stamp(&self, _path: &str) -> Result<FileStamp, FileFault> {
        missing()
    }

    fn list(&self, _path: &str) -> Result<Vec<String>, FileFault> {
        missing()
    }
}

/// The ingredients of the tool-call pipeline: the real analysis of a call on a file system where nothing exists, answers made
/// by hand, the real suggestions.
///
/// ```
/// use portcullis_core::gates::{CallRecord, GateOutcome, ToolCallGatePipeline};
/// use portcullis_core::policy::PermissionState::{Allow, Deny};
/// use portcullis_test_fixtures::{make_gate_inputs, make_gate_runner, make_resolver, make_tcc};
/// use serde_json::json;
///
/// let inputs = make_gate_inputs(make_resolver(Allow).on_path("/etc/hosts", Deny));
/// let runner = make_gate_runner();
/// let call = make_tcc("read", json!({ "path": "/etc/hosts" }));
/// let mut record = CallRecord::default();
/// let outcome = ToolCallGatePipeline::new(&inputs).evaluate(&call, &runner.runner(), &mut record).unwrap();
///
/// assert!(matches!(outcome, GateOutcome::Block { .. }));
/// assert_eq!(runner.happened(), ["R blocked policy_denied", "E path /etc/hosts deny policy_deny"]);
/// ```
pub struct GateInputs {
    /// Who answers, and what was asked.
    pub resolver: FakeResolver,
    skills: Vec<SkillPromptEntry>,
    aliases: Vec<(String, ShellAlias)>,
    mcp_servers: Vec<String>,
    extractors: ExtractorRegistry,
    infrastructure: InfrastructureEntries,
    fault: Option<String>,
    files: Arc<dyn FileView>,
    platform: Platform,
}

/// The ingredients of the tool-call pipeline.
pub fn make_gate_inputs(resolver: FakeResolver) -> GateInputs {
    GateInputs {
        resolver,
        skills: Vec::new(),
        aliases: Vec::new(),
        mcp_servers: Vec::new(),
        extractors: ExtractorRegistry::new(),
        infrastructure: InfrastructureEntries::default(),
        fault: None,
        files: Arc::new(NoFiles),
        platform: Platform::Posix,
    }
}

impl GateInputs {
    /// A skill of the prompt.
    #[must_use]
    pub fn skill(mut self, name: &str, location: &str, state: PermissionState) -> Self {
        self.skills.push(make_skill_entry(name, location, state));
        self
    }

    /// A tool that runs a command from this argument.
    #[must_use]
    pub fn shell_tool(mut self, tool: &str, command_argument: &str) -> Self {
        let alias = ShellAlias { command_argument: command_argument.to_owned(), workdir_argument: None };
        self.aliases.push((tool.to_owned(), alias));
        self
    }

    /// A configured MCP server.
    #[must_use]
    pub fn mcp_server(mut self, name: &str) -> Self {
        self.mcp_servers.push(name.to_owned());
        self
    }

    /// A configured place whose files may be read (PATH-014).
    #[must_use]
    pub fn infrastructure_read(mut self, path: &str) -> Self {
        self.infrastructure.configured.push(path.to_owned());
        self
    }

    /// What is broken in the policy.
    #[must_use]
    pub fn fault(mut self, text: &str) -> Self {
        self.fault = Some(text.to_owned());
        self
    }

    /// Other files.
    #[must_use]
    pub fn files(mut self, files: Arc<dyn FileView>) -> Self {
        self.files = files;
        self
    }

    /// Path rules of another platform.
    #[must_use]
    pub fn platform(mut self, platform: Platform) -> Self {
        self.platform = platform;
        self
    }

    /// Lets one gate look at a call.
    ///
    /// ```
    /// use portcullis_core::gates::describe_external_directory_gate;
    /// use portcullis_core::policy::PermissionState::Ask;
    /// use portcullis_test_fixtures::{make_gate_inputs, make_surface_check, make_tcc};
    /// use serde_json::json;
    ///
    /// let inputs = make_gate_inputs(make_surface_check([("external_directory", Ask)]));
    /// let outside = make_tcc("read", json!({ "path": "/etc/hosts" }));
    /// let inside = make_tcc("read", json!({ "path": "src/a.ts" }));
    /// assert!(inputs.describe(&outside, describe_external_directory_gate).unwrap().descriptor().is_some());
    /// assert!(inputs.describe(&inside, describe_external_directory_gate).unwrap().descriptor().is_none());
    /// ```
    pub fn describe<T>(&self, call: &ToolCallContext, gate: impl FnOnce(&GateView<'_>) -> T) -> HostResult<T> {
        let facts = self.call_facts(call)?;
        let previews = self.tool_previews(call, &facts)?;
        Ok(gate(&GateView {
            context: call,
            facts: &facts,
            resolver: &self.resolver,
            suggester: self,
            previews: &previews,
            policy_fault: self.fault.as_deref(),
        }))
    }
}

impl ToolCallGateInputs for GateInputs {
    fn call_facts(&self, context: &ToolCallContext) -> HostResult<CallFacts> {
        let normalizer = PathNormalizer::new(PathFacts {
            cwd: context.cwd.clone(),
            home: Some(FIXTURE_HOME.to_owned()),
            agent_dir: FIXTURE_AGENT_DIR.to_owned(),
            extension_root: None,
            platform: self.platform,
            files: Arc::clone(&self.files),
        });
        collect_call_facts(
            context,
            &FactSources {
                shell_tools: &self.aliases,
                mcp_servers: &self.mcp_servers,
                extractors: &self.extractors,
                normalizer: &normalizer,
                infrastructure: &self.infrastructure,
                is_promotable: &|_| true,
                could_hit_absolute: &|_| false,
                out_of_time: &|| false,
            },
        )
    }

    fn active_skill_entries(&self) -> Vec<SkillPromptEntry> {
        self.skills.clone()
    }

    fn tool_previews(&self, _context: &ToolCallContext, _facts: &CallFacts) -> HostResult<ToolPreviews> {
        Ok(ToolPreviews::default())
    }

    fn policy_fault(&self) -> Option<String> {
        self.fault.clone()
    }

    fn resolver(&self) -> &dyn GateResolver {
        &self.resolver
    }

    fn suggester(&self) -> &dyn GrantSuggester {
        self
    }
}

impl GrantSuggester for GateInputs {
    fn suggest_bash(&self, text: &str) -> Option<String> {
        suggestion::suggest_bash_pattern(text)
    }

    fn suggest_peeled(&self, own: &str, inner: &str) -> Option<String> {
        suggestion::suggest_peeled_pattern(own, inner)
    }

    fn suggest_path(&self, path: &AccessPath) -> Vec<String> {
        suggestion::suggest_path_patterns(path, self.platform)
    }
}

/// The ingredients of the skill-input pipeline (`makeSkillInputInputs`).
///
/// ```
/// use portcullis_core::gates::{CallRecord, SkillInputGatePipeline};
/// use portcullis_core::policy::PermissionState::Deny;
/// use portcullis_test_fixtures::{make_gate_runner, make_notifier, make_skill_input_inputs};
///
/// let (inputs, runner, notifier) = (make_skill_input_inputs(Deny), make_gate_runner(), make_notifier());
/// let mut record = CallRecord::default();
/// SkillInputGatePipeline::new(&inputs).evaluate("deploy", None, &notifier, &runner.runner(), &mut record).unwrap();
///
/// assert_eq!(notifier.warnings(), ["Skill 'deploy' is not permitted by the current skill policy."]);
/// assert_eq!(runner.happened(), ["R blocked policy_denied", "E skill deploy deny policy_deny"]);
/// assert!(inputs.resolver.questions()[0].without_session, "RULE-025");
/// ```
#[derive(Debug)]
pub struct SkillInputInputs {
    /// Who answers, and what was asked.
    pub resolver: FakeResolver,
}

/// The ingredients of the skill-input pipeline, with one answer to every skill.
pub fn make_skill_input_inputs(answer: impl Into<crate::check::CheckAnswer>) -> SkillInputInputs {
    SkillInputInputs { resolver: FakeResolver::new(answer) }
}

impl SkillInputGateInputs for SkillInputInputs {
    fn resolver(&self) -> &dyn GateResolver {
        &self.resolver
    }

    fn session_directory(&self) -> String {
        "/w/p".to_owned()
    }
}

/// A skill of the prompt, as the first gate knows it.
///
/// ```
/// use portcullis_core::policy::PermissionState::Ask;
/// use portcullis_test_fixtures::make_skill_entry;
///
/// assert_eq!(make_skill_entry("s", "/s/s/SKILL.md", Ask).base_directory, "/s/s");
/// ```
pub fn make_skill_entry(name: &str, location: &str, state: PermissionState) -> SkillPromptEntry {
    let folder = location.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    SkillPromptEntry {
        name: name.to_owned(),
        state,
        reason: None,
        location: location.to_owned(),
        base_directory: folder.clone(),
        canonical_location: location.to_owned(),
        canonical_base_directory: folder,
        baseline: state != PermissionState::Deny,
    }
}
