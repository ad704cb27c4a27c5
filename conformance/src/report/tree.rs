//! Lines that hang below each other, drawn with rails. It knows depths, not what the lines say.

use super::Style;

/// What is drawn deeper than this stands at this depth: nobody reads further to the right.
const DEEPEST: usize = 24;

/// The lines so far.
#[derive(Debug, Default)]
pub struct Tree {
    lines: Vec<(usize, String)>,
}

impl Tree {
    /// Hangs a line at this depth below what came before.
    pub fn line(&mut self, depth: usize, text: String) {
        self.lines.push((depth, text));
    }

    /// One text line each, from the last one up, so that each knows whether another follows on its level.
    pub fn lines(&self, style: Style) -> Vec<String> {
        let mut follows: Vec<bool> = Vec::new();
        let mut drawn: Vec<String> = Vec::with_capacity(self.lines.len());
        for (depth, text) in self.lines.iter().rev() {
            let depth = (*depth).min(DEEPEST);
            let last = !follows.get(depth).copied().unwrap_or(false);
            follows.resize(depth, false);
            let mut rails: String = follows.iter().map(|follows| if *follows { "│  " } else { "   " }).collect();
            rails.push_str(if last { "└─ " } else { "├─ " });
            follows.push(true);
            drawn.push(format!("{}{text}", style.dim(&rails)));
        }
        drawn.reverse();
        drawn
    }

    /// The same as one text, without the last line end.
    pub fn draw(&self, style: Style) -> String {
        self.lines(style).join("\n")
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn rails_end_where_nothing_follows() {
        let mut tree = Tree::default();
        for (depth, text) in [(0, "a"), (1, "b"), (2, "c"), (1, "d"), (0, "e"), (1, "f")] {
            tree.line(depth, text.into());
        }
        assert_eq!(tree.draw(Style::new(false)), "├─ a\n│  ├─ b\n│  │  └─ c\n│  └─ d\n└─ e\n   └─ f");
    }
}
