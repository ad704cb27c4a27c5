//! Implementations under test: what they are told, what they answer, and the ones that live in this process.
//!
//! The runner builds the world (files, links, configuration) and changes it between steps; an implementation is told where it is and
//! which events happen, and answers what could be seen. It never learns what is expected.

mod exchange_files;
pub mod external;
mod files;
mod in_process;
mod observation;
mod policy_files;
mod prompt_text;
mod scripted_link;
mod several;
mod stage;
mod step_files;
mod timed;
mod world;

use std::sync::Arc;
use std::time::Duration;

use portcullis_test_fixtures::MemoryFiles;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scenario::{Capability, Level};

pub use exchange_files::{ExchangeView, WorldContent, WorldFile};
pub use in_process::{InProcess, Reference};
pub use observation::{Observation, ObservedBy, ObservedGrant, ObservedMessage, ObservedPrompt, ObservedTightening};
pub use prompt_text::{listed_skills, listed_tools};
pub use stage::{Places, Ready, Stage};
pub use timed::Timed;
pub use world::{
    AgentChange, IdChange, PersonAnswers, StepRequest, UiChange, World, WorldAnswer, WorldCheck, WorldLinkAnswer, WorldMeanwhile,
    WorldSession, WorldTrouble,
};

/// Who an implementation is and what it can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hello {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The language it is written in.
    pub language: String,
    /// Where it lives.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub homepage: Option<String>,
    /// Where its faults are reported.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub issues: Option<String>,
    /// What it can do.
    pub capabilities: Vec<Capability>,
    /// The levels it claims.
    pub levels: Vec<Level>,
}

/// Why an implementation gave no observation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It does not do this, and says so.
    Skip(String),
    /// It broke: crash, time-out, garbage. It must be started anew.
    Error(String),
}

/// An implementation under test, one session at a time.
pub trait Implementation: Send {
    /// Who it is.
    fn hello(&self) -> Hello;
    /// Files in memory that it can look at, if it lives in this process: worlds may stand there and need no disk.
    fn memory(&self) -> Option<Arc<MemoryFiles>> {
        None
    }
    /// Whether it lives in another process, and sees no world in memory.
    fn is_apart(&self) -> bool {
        self.memory().is_none()
    }
    /// A world stands ready; the session has not started.
    fn begin(&mut self, world: &World) -> Result<(), Refusal>;
    /// One event of the host, or one change of what it reports.
    fn step(&mut self, request: &StepRequest) -> Result<Observation, Refusal>;
    /// The world goes away.
    fn end(&mut self);
    /// The same, for those that can go wrong while they do it.
    fn finish(&mut self) -> Result<(), Refusal> {
        self.end();
        Ok(())
    }
    /// What it said when nothing was asked, after the last world had ended: the fault of that world, and not of the next one.
    fn belated(&mut self) -> Option<String> {
        None
    }
    /// Nothing more will be asked. What came belatedly until then.
    fn leave(&mut self) -> Option<String> {
        self.belated()
    }
    /// How long it has been at work since it was started, where that can be told better than by whoever asks: one in another process
    /// is at work from when a request is being written to when the answer has come whole.
    fn at_work(&self) -> Option<Duration> {
        None
    }
    /// What it wrote to its standard error since the world began; the end of it, when it was much.
    fn remarks(&mut self) -> Option<String> {
        None
    }
}

/// Starts implementations, one a worker.
pub trait Factory: Sync {
    /// A fresh one.
    fn start(&self) -> Result<Box<dyn Implementation>, String>;
}
