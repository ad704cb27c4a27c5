//! Colours, or none.

/// Wraps texts in colour when colours are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    colored: bool,
}

impl Style {
    /// With or without colour.
    pub fn new(colored: bool) -> Self {
        Self { colored }
    }

    /// Whether colours are on.
    pub fn colored(self) -> bool {
        self.colored
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colored { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// Failures.
    pub fn red(self, text: &str) -> String {
        self.paint("31", text)
    }

    /// Successes.
    pub fn green(self, text: &str) -> String {
        self.paint("32", text)
    }

    /// Things to notice.
    pub fn yellow(self, text: &str) -> String {
        self.paint("33", text)
    }

    /// Headings.
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// What matters less.
    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }
}
