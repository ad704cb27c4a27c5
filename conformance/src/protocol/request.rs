//! What the runner sends.

use serde::{Deserialize, Serialize};

use crate::implementation::{StepRequest, World};

/// One request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Counts up from 1 in each process; the answer repeats it.
    pub id: u64,
    /// What is asked.
    #[serde(flatten)]
    pub call: Call,
}

/// The five methods.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "lowercase")]
pub enum Call {
    /// The first request of a process.
    Hello {
        /// The version of the protocol that the runner speaks.
        protocol: u32,
        /// Name and version of the runner, for logs.
        runner: String,
    },
    /// A world stands on disk; a fresh gate is built in it, no session has started.
    Begin {
        /// The world.
        world: World,
    },
    /// One event of the host, or one change of what it reports.
    Step {
        /// What happens.
        step: StepRequest,
    },
    /// The world goes away.
    End,
    /// The process may go.
    Bye,
}

impl Call {
    /// Its word.
    pub fn method(&self) -> &'static str {
        match self {
            Self::Hello { .. } => "hello",
            Self::Begin { .. } => "begin",
            Self::Step { .. } => "step",
            Self::End => "end",
            Self::Bye => "bye",
        }
    }
}
