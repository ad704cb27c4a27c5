//! Facts to questions. Facts that do not fit together are none: then nothing of them may be allowed (RES-55).

use super::super::call_snapshot::CallSnapshot;
use crate::access::mcp::native_mcp_call;
use crate::access::path::is_absolute;
use crate::access::{is_path_surface, is_path_tool};
use crate::authority::forwarding::{AskFacts, FactFloor, FactItem};
use crate::gates::SkillInputGateInputs as _;
use crate::policy::{Direction, Floor, FloorKind, GrantLift, Question};
use crate::text::js_trim;

/// The requirement that the further spellings of a forwarded question stand for in a trace.
const BY: &str = "HARD-009";

/// What a request asks, item by item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ForwardedQuestions {
    pub(super) kind: AskedKind,
    /// One for each item, in order.
    pub(super) questions: Vec<Question>,
    /// Whether this session knows the surface. On an unknown one rules restrict and allow nothing.
    pub(super) known_surface: bool,
}

/// What the surface of the asking gate stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AskedKind {
    /// `path` or `external_directory`.
    Family,
    /// One of the six path tools, on its own rules.
    PathTool,
    /// Units of a command.
    Bash,
    /// An MCP call.
    Mcp,
    /// The `skill` tool.
    Skill,
    /// A typed skill, or a skill's file: no grant is ever consulted (RULE-025).
    SkillByName,
    /// Any other tool.
    Extension,
}

/// The questions of these facts; `None` when gate, surface and items do not fit together.
pub(super) fn questions(snapshot: &CallSnapshot<'_>, facts: &AskFacts, tools: &[String]) -> Option<ForwardedQuestions> {
    let kind = kind_of(&facts.gate, &facts.surface)?;
    if kind == AskedKind::Extension && native_mcp_call(&facts.surface, &snapshot.policy().snapshot.mcp_servers).is_some() {
        // Rules of `mcp` answer for such a tool (RES-16); whoever does not know that knows too little.
        return None;
    }
    let place =
        Place { facts, same_directory: facts.cwd == snapshot.session_directory(), absolute: &|text| snapshot.is_absolute(text) };
    let questions = facts.items.iter().map(|item| place.question(kind, item)).collect::<Option<Vec<_>>>()?;
    let known_surface = kind != AskedKind::Extension || tools.iter().any(|tool| js_trim(tool) == facts.surface);
    (!questions.is_empty()).then_some(ForwardedQuestions { kind, questions, known_surface })
}

/// Which gates ask on which surfaces (docs/spec/README.md, section 6). A family is asked by its own gates only, so that the
/// rules of no tool answer for it.
fn kind_of(gate: &str, surface: &str) -> Option<AskedKind> {
    match (gate, surface) {
        ("path" | "bash-path", "path") => Some(AskedKind::Family),
        ("external-directory" | "bash-external-directory", "external_directory") => Some(AskedKind::Family),
        ("skill-read" | "skill-input", "skill") => Some(AskedKind::SkillByName),
        ("tool", "bash") => Some(AskedKind::Bash),
        ("tool", "mcp") => Some(AskedKind::Mcp),
        ("tool", "skill") => Some(AskedKind::Skill),
        ("tool", tool) if is_path_tool(tool) => Some(AskedKind::PathTool),
        ("tool", tool) => {
            let plain = !tool.is_empty() && js_trim(tool) == tool && !tool.contains(['*', '?']) && !is_path_surface(tool);
            plain.then_some(AskedKind::Extension)
        }
        _ => None,
    }
}

struct Place<'f> {
    facts: &'f AskFacts,
    /// Whether relative values mean here what they mean there (RES-56).
    same_directory: bool,
    absolute: &'f dyn Fn(&str) -> bool,
}

impl Place<'_> {
    fn question(&self, kind: AskedKind, item: &FactItem) -> Option<Question> {
        let surface = self.facts.surface.clone();
        match (kind, item) {
            (AskedKind::Family | AskedKind::PathTool, FactItem::Path { .. }) => self.path_question(kind, item),
            (AskedKind::Bash, FactItem::Unit { text, spellings, context, floors }) => Some(Question {
                surface,
                values: vec![text.clone()],
                further: further(spellings),
                floors: floors.iter().map(|fact| self.floor(fact, Some(text))).collect(),
                command: Some(text.clone()),
                command_context: *context,
                ..Question::default()
            }),
            (AskedKind::Mcp, FactItem::Mcp { candidates, spellings, grant_name, own_tool }) => {
                // A grant answers only for a name that the call has.
                let names = || candidates.iter().chain(spellings);
                let own = grant_name
                    .clone()
                    .filter(|own| names().any(|name| name == own || own.strip_prefix("mcp_call ") == Some(name)));
                (!candidates.is_empty()).then(|| Question {
                    surface,
                    values: candidates.clone(),
                    further: further(spellings),
                    also: own_tool.iter().map(|tool| (tool.clone(), "*".to_owned())).collect(),
                    grant_values: Some(own.into_iter().collect()),
                    ..Question::default()
                })
            }
            (AskedKind::Skill | AskedKind::SkillByName, FactItem::Value { value }) => Some(Question {
                surface,
                values: vec![value.clone()],
                without_session: kind == AskedKind::SkillByName,
                ..Question::default()
            }),
            // Rules of these tools know no other value (SURF-008); a path tool has this one when it has no path.
            (AskedKind::Extension | AskedKind::PathTool, FactItem::Value { value }) if value == "*" => {
                Some(Question { surface, values: vec![value.clone()], ..Question::default() })
            }
            _ => None,
        }
    }

    fn path_question(&self, kind: AskedKind, item: &FactItem) -> Option<Question> {
        let FactItem::Path { lexical, relative, canonical, spellings, unknown_place, direction, floors, .. } = item else {
            return None;
        };
        let star = lexical == "*";
        let mut values = vec![lexical.clone()];
        let mut spelled = spellings.clone();
        if let Some(relative) = relative {
            // It has to be what it is called, and to mean the same file from here (RES-56).
            let is_tail = lexical.strip_suffix(relative.as_str()).is_some_and(|head| head.ends_with(['/', '\\']));
            let list = if self.same_directory && is_tail { &mut values } else { &mut spelled };
            list.push(relative.clone());
        }
        if !canonical.is_empty() && *canonical != *lexical {
            values.push(canonical.clone());
        }
        let vague = (!star && !(self.absolute)(lexical)) || (!canonical.is_empty() && !(self.absolute)(canonical));
        Some(Question {
            surface: self.facts.surface.clone(),
            direction: (kind == AskedKind::Family).then(|| direction.or(self.facts.direction).unwrap_or(Direction::Both)),
            values,
            further: further(&spelled),
            floors: floors.iter().map(|fact| self.floor(fact, None)).collect(),
            // A value that is relative to who knows where serves deny and ask (RES-51, RES-56).
            unknown_place: *unknown_place || vague,
            ..Question::default()
        })
    }

    /// A floor on the wire holds as in section 6. What a configured allow may lift at the asking session, none lifts here
    /// (HARD-010).
    fn floor(&self, fact: &FactFloor, text: Option<&str>) -> Floor {
        let lift = match fact.kind {
            FloorKind::UnparseableBashCommand => text.map_or(GrantLift::Never, |text| GrantLift::WholeText(text.into())),
            FloorKind::UnparsedBashSubtree => {
                let whole = self.facts.prompt.command.clone();
                whole.map_or(GrantLift::Never, |text| GrantLift::WholeText(text.into()))
            }
            FloorKind::OpaqueBashWrapper | FloorKind::IndirectionBashWrapper => GrantLift::Any,
            FloorKind::DangerousBashOption => GrantLift::Spelling(fact.options.clone()),
            FloorKind::LoaderVariable
            | FloorKind::ComputedCommandWord
            | FloorKind::UnknownDirectory
            | FloorKind::AnalysisBound
            | FloorKind::ProtectedPath => GrantLift::Never,
        };
        Floor { kind: fact.kind, requirement: fact.kind.requirement(), baseline: false, lift, void_if_rule_spells: Vec::new() }
    }
}

impl CallSnapshot<'_> {
    fn is_absolute(&self, text: &str) -> bool {
        is_absolute(self.platform(), text)
    }
}

fn further(spellings: &[String]) -> Vec<(String, &'static str)> {
    spellings.iter().map(|spelling| (spelling.clone(), BY)).collect()
}
