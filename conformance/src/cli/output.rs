//! Standard output and error with or without colour. Results go to the one, complaints and progress to the other.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

use miette::{GraphicalReportHandler, GraphicalTheme};

use super::args::Color;
use crate::error::CliError;
use crate::problem::Problem;
use crate::report::Style;

/// Where the program writes.
pub struct Output {
    out: Box<dyn Write>,
    err: Box<dyn Write>,
    style: Style,
    err_style: Style,
    progress: bool,
    terminal: bool,
}

impl Output {
    /// The process's own streams.
    pub(super) fn from_process(color: Color) -> Self {
        let wanted = |terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        };
        let err_terminal = io::stderr().is_terminal();
        Self {
            out: Box::new(io::BufWriter::new(io::stdout())),
            err: Box::new(io::stderr()),
            style: Style::new(wanted(io::stdout().is_terminal())),
            err_style: Style::new(wanted(err_terminal)),
            terminal: io::stdout().is_terminal(),
            progress: err_terminal && std::env::var("TERM").is_ok_and(|term| term != "dumb"),
        }
    }

    /// How results are coloured.
    pub fn style(&self) -> Style {
        self.style
    }

    /// Whether people look at the results as they come.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Whether a progress bar may be drawn.
    pub fn shows_progress(&self) -> bool {
        self.progress
    }

    /// A line of the result. Nobody reads a closed pipe; the exit code still says how it went.
    pub fn line(&mut self, text: &str) -> Result<(), CliError> {
        closed_is_fine(writeln!(self.out, "{text}"))
    }

    /// A place in a file with what is to say about it, as a part of the result.
    pub(super) fn problem(&mut self, problem: &Problem) -> Result<(), CliError> {
        let mark = if problem.objection { self.style.yellow("•") } else { self.style.red("✗") };
        let text = render(problem, &mark, self.style);
        self.line(&text)
    }

    /// A remark beside the result.
    pub fn remark(&mut self, text: &str) {
        let _ = writeln!(self.err, "{text}");
    }

    /// Everything written so far goes out.
    pub fn flush(&mut self) -> Result<(), CliError> {
        closed_is_fine(self.out.flush())
    }

    /// What ended the program.
    pub(super) fn error(&mut self, error: &CliError) {
        let _ = self.out.flush();
        for problem in &error.problems {
            let _ = writeln!(self.err, "{}", render(problem, &self.err_style.red("✗"), self.err_style));
        }
        let word = self.err_style.red("error");
        let _ = writeln!(self.err, "{word}: {}", error.message);
    }
}

fn closed_is_fine(result: io::Result<()>) -> Result<(), CliError> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.map_err(CliError::from),
    }
}

/// One fault: a first line that editors jump to, then the text around it.
fn render(problem: &Problem, mark: &str, style: Style) -> String {
    let mut text = format!("{mark} {problem}");
    if problem.file.text.is_empty() {
        if let Some(help) = &problem.help {
            let _ = write!(text, "\n  help: {help}");
        }
        return text;
    }
    let theme = if style.colored() { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).without_cause_chain();
    let mut snippet = String::new();
    if handler.render_report(&mut snippet, problem).is_ok() {
        // The first lines repeat the message; what follows is the text with its mark and the help.
        let shown: Vec<&str> = snippet.lines().skip_while(|line| !line.contains('╭')).collect();
        let _ = write!(text, "\n{}", shown.join("\n"));
    }
    text
}
