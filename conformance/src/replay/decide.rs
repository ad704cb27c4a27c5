//! What a policy says of recorded calls: the judge of all tools, and a memory for calls that come again.

use std::collections::HashMap;

use portcullis_core::policy::{Layer, RuntimeSettings};
use portcullis_core::report::GateTrace;
use portcullis_test_fixtures::FakeHost;
use serde::Serialize;

use super::entry::{Entry, Reason};
use crate::explain::deciding_gate;
use crate::own_policy::{Judge, JudgeOptions, Judgement, Verdict};

/// How many answers are remembered; then memory begins anew.
const REMEMBERED: usize = 50_000;

/// How many agents are kept ready at once.
const AGENTS: usize = 64;

/// What a policy says of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// In one word.
    pub verdict: Verdict,
    /// The gate that decided, or the end outside of the gates.
    pub gate: String,
    /// The deciding rule with its place, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What a yes for the session would store, for each question.
    #[serde(skip)]
    pub(super) grants: Vec<Vec<(String, String)>>,
}

/// One policy.
pub(super) struct Decider {
    options: JudgeOptions,
    settings: RuntimeSettings,
    sessions: HashMap<Option<String>, (Judge, FakeHost)>,
    known: HashMap<(Option<String>, [String; 2]), Answer>,
}

impl Decider {
    /// A broken policy is none to judge by.
    pub(super) fn new(options: JudgeOptions) -> Result<Self, String> {
        let judge = Judge::new(options.clone());
        let snapshot = judge.policy();
        if snapshot.clamp() {
            let issues: Vec<String> = snapshot.issues.iter().map(|issue| judge.renamed(issue)).collect();
            return Err(format!("the policy is broken: {}", issues.join("; ")));
        }
        Ok(Self { options, settings: snapshot.settings.clone(), sessions: HashMap::new(), known: HashMap::new() })
    }

    pub(super) fn options(&self) -> &JudgeOptions {
        &self.options
    }

    /// The answer, with the call as it is shown.
    pub(super) fn answer(&mut self, entry: &Entry) -> Result<(Answer, [String; 2]), Reason> {
        let (call, words) = entry.call(&self.settings)?;
        let key = (entry.agent.clone(), words);
        if let Some(answer) = self.known.get(&key) {
            return Ok((answer.clone(), key.1));
        }
        if self.sessions.len() >= AGENTS && !self.sessions.contains_key(&entry.agent) {
            self.sessions.clear();
        }
        let (judge, host) = self.sessions.entry(entry.agent.clone()).or_insert_with(|| {
            let judge = Judge::new(JudgeOptions { agent: entry.agent.clone(), ..self.options.clone() });
            let host = judge.session(self.settings.shell_tools.iter().map(|(name, _)| name.clone()));
            (judge, host)
        });
        let judgement = judge.judge_in(host, &call).map_err(|_| Reason::InputNotRecorded)?;
        let answer = Answer::of(&judgement);
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(key.clone(), answer.clone());
        Ok((answer, key.1))
    }
}

impl Answer {
    pub(super) fn of(judgement: &Judgement) -> Self {
        let gate = deciding_gate(judgement);
        let rule = gate.and_then(GateTrace::deciding).and_then(|question| question.winner.as_ref());
        let rule = rule.map(|rule| {
            let place = rule.location.as_ref().map(|place| format!(", {}:{}", place.file, place.line)).unwrap_or_default();
            if rule.layer == Layer::Default {
                return format!("no rule, so the default: {} ({}{place})", rule.action, rule.origin);
            }
            format!("{} {} '{}' ({}{place})", rule.action, rule.surface, rule.pattern, rule.origin)
        });
        Self {
            verdict: judgement.verdict,
            gate: gate.map_or_else(|| judgement.trace.end.gate.clone(), |gate| gate.gate.clone()),
            rule,
            grants: judgement.trace.gates.iter().filter_map(|gate| Some(gate.ask.as_ref()?.suggestion.clone())).collect(),
        }
    }
}
