//! `portcullis replay`: recorded requests, decided again under another policy (docs/guide/replay.md).
//!
//! A log is read line by line in bounded memory. What a record does not hold is not guessed: such requests are counted by the
//! reason why they cannot be judged.

mod decide;
mod entry;
mod lines;
mod request;
mod suggest;
mod text;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead};

use serde::Serialize;

use crate::own_policy::{JudgeOptions, Verdict};
pub use decide::Answer;
use decide::Decider;
use entry::Line;
pub use entry::Reason;
pub use lines::{Lines, RawLine};
use request::{Open, Request};
pub use suggest::Suggestion;
pub use text::render;

/// The version of the JSON form.
pub const VERSION: u32 = 1;

/// How many calls that ask are kept for suggestions.
const MOST_ASKS: usize = 10_000;

/// One call as an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Example {
    /// The call, as `explain` takes it.
    pub call: [String; 2],
    /// The active agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The log and the line of its first record.
    pub log: String,
    /// The same.
    pub line: u64,
    /// How often it came.
    pub times: u64,
    /// What the policy says now.
    pub now: Answer,
}

/// Requests that went one way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Transition {
    /// Recorded, or what the baseline says.
    pub from: Verdict,
    /// What the policy says now.
    pub to: Verdict,
    /// How many requests.
    pub requests: u64,
    /// The first different ones.
    pub examples: Vec<Example>,
}

impl Transition {
    /// Whether the policy is milder here.
    pub fn is_loosened(&self) -> bool {
        self.to < self.from
    }
}

/// Requests, or lines, that cannot be judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unjudged {
    /// Why.
    pub reason: Reason,
    /// How many.
    pub number: u64,
    /// The first ones: a log's name, a line, and what it is about.
    pub examples: Vec<(String, u64, String)>,
}

/// All that a replay found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Of this form.
    pub version: u32,
    /// How many lines were read.
    pub lines: u64,
    /// How many requests they tell of.
    pub requests: u64,
    /// Whether `from` is what a baseline says, and not what was recorded.
    pub baseline: bool,
    /// From the mildest change on; requests that stay are counted, too.
    pub transitions: Vec<Transition>,
    /// What could not be judged, by reason.
    pub unjudged: Vec<Unjudged>,
    /// Rules that would have removed most prompts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestions: Option<Vec<Suggestion>>,
}

/// What is asked of a replay.
#[derive(Debug, Clone)]
pub struct Options {
    /// The policy.
    pub policy: JudgeOptions,
    /// The policy that it is compared with, instead of with what was recorded.
    pub baseline: Option<JudgeOptions>,
    /// How many different examples of each transition and reason are kept.
    pub examples: usize,
    /// At most so many rules are suggested.
    pub suggest: Option<usize>,
}

/// Calls of one kind that ask, for suggestions.
struct Asking {
    times: u64,
    grants: Vec<Vec<(String, String)>>,
}

/// A replay under way.
pub struct Replay {
    new: Decider,
    old: Option<Decider>,
    options: Options,
    logs: Vec<String>,
    open: Open,
    lines: u64,
    requests: u64,
    table: BTreeMap<(Verdict, Verdict), Transition>,
    unjudged: BTreeMap<Reason, Unjudged>,
    asking: HashMap<[String; 2], Asking>,
}

impl Replay {
    /// Nothing was read yet.
    pub fn new(options: Options) -> Result<Self, String> {
        let old = options.baseline.clone().map(Decider::new).transpose().map_err(|error| format!("the baseline: {error}"))?;
        Ok(Self {
            new: Decider::new(options.policy.clone())?,
            old,
            options,
            logs: Vec::new(),
            open: Open::default(),
            lines: 0,
            requests: 0,
            table: BTreeMap::new(),
            unjudged: BTreeMap::new(),
            asking: HashMap::new(),
        })
    }

    /// Reads one log to its end.
    pub fn read(&mut self, name: &str, input: impl BufRead) -> io::Result<()> {
        let log = self.logs.len();
        self.logs.push(name.to_owned());
        let mut lines = Lines::new(input);
        let mut number = 0;
        while let Some(raw) = lines.next_line()? {
            number += 1;
            self.lines += 1;
            match Line::read(raw) {
                Line::Other => {}
                Line::Bad(reason) => self.leave_out(reason, log, number, String::new()),
                Line::Request(entry, recorded) => {
                    if let Some(complete) = self.open.add(entry, recorded, log, number) {
                        self.decide(&complete);
                    }
                }
            }
        }
        // No call goes on in another log.
        while let Some(complete) = self.open.take_oldest() {
            self.decide(&complete);
        }
        Ok(())
    }

    fn leave_out(&mut self, reason: Reason, log: usize, line: u64, about: String) {
        let name = self.logs.get(log).cloned().unwrap_or_default();
        let kept = self.unjudged.entry(reason).or_insert_with(|| Unjudged { reason, number: 0, examples: Vec::new() });
        kept.number += 1;
        if kept.examples.len() < self.options.examples {
            kept.examples.push((name, line, about));
        }
    }

    fn decide(&mut self, request: &Request) {
        self.requests += 1;
        let old = self.old.as_mut().map(|old| old.answer(&request.entry).map(|(answer, _)| answer.verdict));
        let answers = self.new.answer(&request.entry).and_then(|new| Ok((old.unwrap_or(Ok(request.recorded))?, new)));
        let (from, (now, call)) = match answers {
            Ok(answers) => answers,
            Err(reason) => return self.leave_out(reason, request.log, request.line, request.entry.subject()),
        };
        if self.options.suggest.is_some() && now.verdict == Verdict::Ask && request.entry.agent.is_none() {
            if let Some(known) = self.asking.get_mut(&call) {
                known.times += 1;
            } else if self.asking.len() < MOST_ASKS {
                self.asking.insert(call.clone(), Asking { times: 1, grants: now.grants.clone() });
            }
        }
        let to = now.verdict;
        let row = self.table.entry((from, to)).or_insert_with(|| Transition { from, to, requests: 0, examples: Vec::new() });
        row.requests += 1;
        let same = |example: &&mut Example| example.call == call && example.agent == request.entry.agent;
        if let Some(example) = row.examples.iter_mut().find(same) {
            example.times += 1;
        } else if row.examples.len() < self.options.examples {
            let log = self.logs.get(request.log).cloned().unwrap_or_default();
            let agent = request.entry.agent.clone();
            row.examples.push(Example { call, agent, log, line: request.line, times: 1, now });
        }
    }

    /// What was found.
    pub fn finish(self) -> Result<Report, String> {
        let suggestions = match self.options.suggest {
            Some(most) => Some(suggest::suggest(self.new.options(), &self.asking, most)?),
            None => None,
        };
        let mut transitions: Vec<Transition> = self.table.into_values().collect();
        transitions.sort_by_key(|row| (row.from == row.to, !row.is_loosened(), row.to, row.from));
        Ok(Report {
            version: VERSION,
            lines: self.lines,
            requests: self.requests,
            baseline: self.old.is_some(),
            transitions,
            unjudged: self.unjudged.into_values().collect(),
            suggestions,
        })
    }
}

impl Report {
    /// Whether some request is decided milder.
    pub fn loosens(&self) -> bool {
        self.transitions.iter().any(Transition::is_loosened)
    }

    /// Whether some request is decided otherwise.
    pub fn differs(&self) -> bool {
        self.transitions.iter().any(|row| row.from != row.to)
    }

    /// Whether any request was judged at all.
    pub fn judged_any(&self) -> bool {
        !self.transitions.is_empty()
    }
}

#[cfg(test)]
mod tests;
