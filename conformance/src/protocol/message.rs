//! The messages by name, as their schemas are published.

/// A request of a method, or an answer to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// The method.
    pub method: &'static str,
    /// An answer, not a request.
    pub answer: bool,
}

impl Message {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        ["hello", "begin", "step", "end", "bye"]
            .into_iter()
            .flat_map(|method| [false, true].map(|answer| Self { method, answer }))
    }

    /// `step.answer`
    pub fn name(self) -> String {
        format!("{}.{}", self.method, if self.answer { "answer" } else { "request" })
    }

    /// The message of a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::all().find(|message| message.name() == name)
    }
}
