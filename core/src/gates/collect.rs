//! What a call touches, put together from the access room (5.2, 6): shell resolution, host decoding, one parse.

use super::descriptor::ToolCallContext;
use super::facts::{CallFacts, CallTarget, PathOperand, ShellFacts as ShellCall};
use crate::access::mcp::{mcp_call, native_mcp_call};
use crate::access::path::{AccessPath, InfrastructureEntries, PathNormalizer, WordResolver};
use crate::access::shell::{BashProgram, ShellFacts};
use crate::access::{
    ExtractorRegistry, ToolKind, direction_of_tool, is_listing_tool, search_operands, shell_invocation, skill_call_name,
    tool_kind, tool_path,
};
use crate::host::{HostError, HostResult};
use crate::policy::ShellAlias;

/// Where the facts come from: the session's normaliser and registries, and two looks into the rules.
pub struct FactSources<'a> {
    /// The configured shell tools.
    pub shell_tools: &'a [(String, ShellAlias)],
    /// The configured MCP servers.
    pub mcp_servers: &'a [String],
    /// The registered path extractors.
    pub extractors: &'a ExtractorRegistry,
    /// Where paths lead.
    pub normalizer: &'a PathNormalizer,
    /// What PATH-014 exempts.
    pub infrastructure: &'a InfrastructureEntries,
    /// Whether a specific deny or ask rule on `path` spells this word (RULE-023).
    pub is_promotable: &'a dyn Fn(&str) -> bool,
    /// Whether an absolute deny or ask rule could match a path that ends in this word (RES-51).
    pub could_hit_absolute: &'a dyn Fn(&str) -> bool,
    /// Whether the parse of a command has taken too long (RES-54).
    pub out_of_time: &'a dyn Fn() -> bool,
}

/// Collects the facts of one call. Errors of extractors and of the parser block the call.
pub fn collect_call_facts(context: &ToolCallContext, sources: &FactSources<'_>) -> HostResult<CallFacts> {
    let normalizer = sources.normalizer;
    let target = target(context, sources)?;
    let (operands, has_path) = operands(context, sources)?;
    let known_limits = known_limits(&target);
    Ok(CallFacts {
        cwd: normalizer.cwd().to_owned(),
        canonical_cwd: normalizer.canonical_cwd().to_owned(),
        platform: normalizer.platform(),
        target,
        direction: direction_of_tool(&context.tool_name),
        operands,
        has_path,
        known_limits,
    })
}

fn target(context: &ToolCallContext, sources: &FactSources<'_>) -> HostResult<CallTarget> {
    let (tool, input) = (context.tool_name.as_str(), &context.input);
    if let Some(shell) = shell_invocation(tool, input, sources.shell_tools) {
        let program = parse(&shell.command, shell.workdir.as_deref(), sources)?;
        return Ok(CallTarget::Shell(ShellCall { command: shell.command, workdir: shell.workdir, program }));
    }
    Ok(match tool_kind(tool) {
        ToolKind::Mcp => CallTarget::Mcp(mcp_call(input, sources.mcp_servers)),
        ToolKind::Skill => CallTarget::Skill(skill_call_name(input)),
        ToolKind::Path => CallTarget::PathTool,
        ToolKind::Bash | ToolKind::Extension => {
            native_mcp_call(tool, sources.mcp_servers).map_or(CallTarget::Extension, CallTarget::Mcp)
        }
    })
}

/// Where the reader core withholds the guard of a protected path, the trace says so (RES-13).
fn known_limits(target: &CallTarget) -> Vec<&'static str> {
    let CallTarget::Shell(ShellCall { program: Some(program), .. }) = target else { return Vec::new() };
    let withheld = program.paths.iter().any(|word| word.proven_read && word.path.protected.is_some());
    if withheld { vec!["HARD-037"] } else { Vec::new() }
}

/// The one parse of the call (PIPE-005); the empty command has none.
fn parse(command: &str, workdir: Option<&str>, sources: &FactSources<'_>) -> HostResult<Option<BashProgram>> {
    if command.is_empty() {
        return Ok(None);
    }
    let facts = ShellFacts {
        resolver: sources.normalizer,
        is_promotable: sources.is_promotable,
        could_hit_absolute: sources.could_hit_absolute,
        out_of_time: sources.out_of_time,
    };
    BashProgram::parse(command, workdir, &facts).map(Some).map_err(|fault| HostError::new(fault.to_string()))
}

/// The operands of gates 2 and 3: the path first, then the operands of a search, relative to it (RES-22).
fn operands(context: &ToolCallContext, sources: &FactSources<'_>) -> HostResult<(Vec<PathOperand>, bool)> {
    let (tool, normalizer) = (context.tool_name.as_str(), sources.normalizer);
    let raw = tool_path(tool, &context.input, sources.extractors)?;
    // A host that does not trim opens another file (HARD-024): judged beside the one that is meant.
    let untrimmed = raw.as_ref().and_then(|raw| normalizer.untrimmed_tool_path(raw.untrimmed.as_deref()?));
    let own = raw.and_then(|raw| Some((normalizer.tool_path(&raw.text)?, raw.introduced_by)));
    let operand = |path: AccessPath, introduced_by| PathOperand {
        infrastructure: normalizer.is_infrastructure_read(tool, &path, sources.infrastructure),
        baseline_infrastructure: normalizer.is_baseline_infrastructure_read(tool, &path, sources.infrastructure),
        introduced_by,
        path: if is_listing_tool(tool) { normalizer.with_folder_alias(path) } else { path },
    };
    let base = own.as_ref().map(|(path, _)| path);
    let searched: Vec<AccessPath> =
        search_operands(tool, &context.input)?.iter().filter_map(|raw| normalizer.search_operand(base, raw)).collect();
    let has_path = own.is_some();
    let own = own.map(|(path, by)| operand(path, by));
    let untrimmed = untrimmed.map(|path| operand(path, Some("HARD-024")));
    let searched = searched.into_iter().map(|path| operand(path, Some("HARD-058")));
    Ok((own.into_iter().chain(untrimmed).chain(searched).collect(), has_path))
}
