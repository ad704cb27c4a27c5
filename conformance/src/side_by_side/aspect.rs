//! In what two gates part that give the same verdict, or in what one gate is not as expected. The keys are those of `expect` in
//! scenario files and the members of an observation.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aspect {
    /// The outcome, or the text that goes with it.
    Answer,
    /// The gate or the rule that decided.
    Decider,
    /// What the person was asked, or that somebody was.
    Question,
    /// What the person was told.
    Notice,
    /// The decision events.
    Event,
    /// The lines of a log.
    Record,
    /// What is remembered for the session.
    Memory,
    /// The tools and the prompt that the agent sees.
    Exposure,
    /// Files that a call left behind.
    Files,
    /// There is no answer.
    Silence,
    /// Anything else.
    Other,
}

impl Aspect {
    /// The aspect of a key.
    pub fn of(key: &str) -> Self {
        let plain: String = key.chars().take_while(|letter| *letter != '.').filter(|letter| *letter != ' ').collect();
        match plain.to_ascii_lowercase().as_str() {
            "outcome" | "reason" | "reasonlacks" => Self::Answer,
            "by" | "source" | "pattern" | "origin" => Self::Decider,
            "prompts" | "uiprompts" => Self::Question,
            "notifications" | "status" => Self::Notice,
            "decisions" | "ready" => Self::Event,
            "reviewlog" | "reviewloghas" | "reviewloglacks" | "debuglog" | "debugloghas" | "debugloglacks" => Self::Record,
            "sessionrules" => Self::Memory,
            "activetools" | "systemprompt" | "toolslisted" | "skillslisted" => Self::Exposure,
            "fileswritten" => Self::Files,
            _ => Self::Other,
        }
    }

    /// Its words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answer => "another answer",
            Self::Decider => "decided by another",
            Self::Question => "another question",
            Self::Notice => "another notice",
            Self::Event => "another event",
            Self::Record => "another record",
            Self::Memory => "something else remembered",
            Self::Exposure => "something else exposed",
            Self::Files => "other files left behind",
            Self::Silence => "no answer",
            Self::Other => "something else",
        }
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::Aspect;

    #[rstest]
    #[case(&["outcome", "reason"], Aspect::Answer)]
    #[case(&["by", "by.rule", "by.gate", "source", "pattern", "origin"], Aspect::Decider)]
    #[case(&["prompts", "prompts.message", "ui prompts", "uiPrompts"], Aspect::Question)]
    #[case(&["decisions", "ready"], Aspect::Event)]
    #[case(&["review log has", "reviewLog", "debug log lacks"], Aspect::Record)]
    #[case(&["session rules", "sessionRules"], Aspect::Memory)]
    #[case(&["system prompt", "activeTools"], Aspect::Exposure)]
    #[case(&["files written"], Aspect::Files)]
    #[case(&["took"], Aspect::Other)]
    fn a_key_belongs_to_an_aspect(#[case] keys: &[&str], #[case] aspect: Aspect) {
        assert_eq!(keys.iter().map(|key| Aspect::of(key)).collect::<Vec<_>>(), vec![aspect; keys.len()]);
    }
}
