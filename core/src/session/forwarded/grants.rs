//! What a yes "for the whole session" to a forwarded ask stores here (HARD-042, RES-58, FWD-D04).
//!
//! The child says what it would store; this session offers it only when it would offer the very same by itself. Anything else
//! drops the wide scope, it is never made to fit.

use super::super::call_snapshot::CallSnapshot;
use super::questions::{AskedKind, ForwardedQuestions};
use crate::access::path::AccessPath;
use crate::authority::forwarding::{AskFacts, FactItem};
use crate::gates::{GrantSuggester as _, unit_pattern, whole_text_pattern};
use crate::policy::surfaces::grant_surface;
use crate::policy::{FloorKind, GrantLift, Question};

type Pairs = Vec<(String, String)>;

/// Longer texts are no label that anybody reads to its end, and so nothing that is granted knowingly.
const LONGEST_PATTERN: usize = 1_000;
/// The same for their number.
const MOST_PAIRS: usize = 50;

impl CallSnapshot<'_> {
    /// The claimed pairs when all of them are what this session would offer; else none.
    pub(super) fn wide_grants(&self, facts: &AskFacts, asked: &ForwardedQuestions, claimed: &Pairs) -> Pairs {
        let readable = claimed.len() <= MOST_PAIRS && claimed.iter().all(|(_, pattern)| pattern.len() <= LONGEST_PATTERN);
        if claimed.is_empty() || !readable || !asked.known_surface {
            return Vec::new();
        }
        // One prompt stores what its first asking item offers, the boundary question of a command what each does (RES-33).
        let storing = if facts.gate == "bash-external-directory" { facts.items.len() } else { 1 };
        let mut rest = claimed.as_slice();
        for (item, question) in facts.items.iter().zip(&asked.questions).take(storing) {
            let offers = self.offers(facts, asked.kind, item, question);
            match offers.iter().filter(|offer| !offer.is_empty()).find_map(|offer| rest.strip_prefix(offer.as_slice())) {
                Some(behind) => rest = behind,
                None if offers.iter().any(Vec::is_empty) => {}
                None => return Vec::new(),
            }
        }
        if rest.is_empty() { claimed.clone() } else { Vec::new() }
    }

    /// What this session might offer for one item. An empty offer stands for an item that stores nothing.
    fn offers(&self, facts: &AskFacts, kind: AskedKind, item: &FactItem, question: &Question) -> Vec<Pairs> {
        let never = question.floors.iter().any(|floor| floor.lift == GrantLift::Never);
        let pair = |pattern: String| vec![(facts.surface.clone(), pattern)];
        match (kind, item) {
            _ if never => vec![Vec::new()],
            (AskedKind::Family | AskedKind::PathTool, FactItem::Path { typed, lexical, .. }) if !question.unknown_place => {
                self.path_offers(typed, lexical, grant_surface(&facts.surface, question.direction))
            }
            (AskedKind::Bash, FactItem::Unit { text, .. }) => self.unit_offers(facts, text, question).map(pair).collect(),
            (AskedKind::Mcp, FactItem::Mcp { .. }) => {
                let own = question.grant_values.iter().flatten().filter(|own| !own.contains(['*', '?']));
                own.map(|own| pair(own.clone())).collect()
            }
            (AskedKind::Skill, FactItem::Value { value }) => {
                let plain = !value.is_empty() && !value.contains(['*', '?']);
                plain.then(|| pair(value.clone())).into_iter().collect()
            }
            (AskedKind::Extension, FactItem::Value { .. }) => vec![pair("*".to_owned())],
            _ => vec![Vec::new()],
        }
    }

    /// A file's folder, or a folder with its content. Whether it is a folder is looked up; where nothing says that it is one,
    /// the folder's own two patterns are the narrower offer, and fine as well.
    fn path_offers(&self, typed: &str, lexical: &str, surface: &str) -> Vec<Pairs> {
        let is_directory = self.normalizer().search_operand(None, lexical).is_some_and(|path| path.is_directory);
        let offer = |is_directory: bool| {
            let path = AccessPath { is_directory, ..AccessPath::literal(typed, lexical) };
            let patterns = self.suggest_path(&path).into_iter();
            patterns.map(|pattern| (surface.to_owned(), pattern)).collect::<Pairs>()
        };
        if is_directory { vec![offer(true)] } else { vec![offer(true), offer(false)] }
    }

    /// The whole text, or what the unit by itself would be granted as.
    fn unit_offers(&self, facts: &AskFacts, text: &str, question: &Question) -> std::vec::IntoIter<String> {
        let has = |kind| question.floors.iter().any(|floor| floor.kind == kind);
        let offers: Vec<String> = if has(FloorKind::UnparsedBashSubtree) {
            facts.prompt.command.as_deref().and_then(whole_text_pattern).into_iter().collect()
        } else if has(FloorKind::UnparseableBashCommand) {
            whole_text_pattern(text).into_iter().collect()
        } else {
            whole_text_pattern(text).into_iter().chain(self.pattern_of_unit(text)).collect()
        };
        offers.into_iter()
    }

    fn pattern_of_unit(&self, text: &str) -> Option<String> {
        let shell = self.shell_facts(text).ok()?;
        let program = shell.program?;
        let unit = program.units.iter().find(|unit| unit.text == text && !unit.restrict_only)?;
        unit_pattern(self, unit)
    }
}
