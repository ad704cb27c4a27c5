//! The answer as a tree for people: what runs and what it is inside of, what is touched, and in words what each mark means.

use std::ops::Range;

use portcullis_core::access::shell::{BashProgram, CandidateKind, PathWord, ShellUnit};
use portcullis_core::policy::{Direction, Floor, FloorKind, UnitContext};
use portcullis_core::report::escape::{visible, visible_layout};

use crate::report::{Style, Tree};

/// The tree; several lines without the last line end.
pub fn render(program: &BashProgram, style: Style) -> String {
    let mut tree = Tree::default();
    runs(program, style, &mut tree);
    touches(program, style, &mut tree);
    let mut text: Vec<String> = visible_layout(&program.command).lines().map(|line| style.bold(line)).collect();
    text.extend(tree.lines(style));
    text.join("\n")
}

fn runs(program: &BashProgram, style: Style, tree: &mut Tree) {
    if program.units.is_empty() {
        if program.trivial {
            tree.line(0, format!("runs nothing{}", style.dim(": every line is empty or a comment")));
            return;
        }
        tree.line(0, format!("runs nothing by itself{}", style.dim(": the text is judged as a whole")));
        let kind = FloorKind::UnparseableBashCommand;
        tree.line(1, raised_line(kind, kind.requirement(), style));
        return;
    }
    tree.line(0, "runs".into());
    // The places of the enclosing units. A unit at top level encloses what follows up to the next one.
    let mut enclosing: Vec<Range<usize>> = Vec::new();
    for unit in &program.units {
        match unit.context {
            None => enclosing.clear(),
            Some(_) => {
                while enclosing.len() > 1 && enclosing.last().is_some_and(|place| !place.contains(&unit.start)) {
                    enclosing.pop();
                }
            }
        }
        let depth = 1 + enclosing.len();
        tree.line(depth, unit_line(unit, style));
        for (text, requirement) in &unit.spellings {
            let note = style.dim(&format!("(deny and ask rules only, {requirement})"));
            tree.line(depth + 1, format!("{} {} {note}", style.dim("also read as"), one_line(text, style)));
        }
        for floor in &unit.floors {
            tree.line(depth + 1, floor_line(floor, style));
        }
        enclosing.push(unit.start..unit.start + unit.text.len());
    }
}

fn unit_line(unit: &ShellUnit, style: Style) -> String {
    let mut notes: Vec<String> = Vec::new();
    notes.extend(unit.context.map(|context| inside(context).to_owned()));
    if unit.restrict_only {
        notes.push("only a deny or ask of it counts".into());
    }
    notes.extend(unit.introduced_by.map(str::to_owned));
    let text = if unit.text.is_empty() { style.dim("(an empty command)") } else { style.green(&one_line(&unit.text, style)) };
    noted(&text, &notes, style)
}

fn noted(text: &str, notes: &[String], style: Style) -> String {
    if notes.is_empty() { text.to_owned() } else { format!("{text}  {}", style.dim(&format!("({})", notes.join(", ")))) }
}

/// The first line, and how many more there are.
fn one_line(text: &str, style: Style) -> String {
    let text = visible_layout(text);
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let more = if rest.is_empty() { 0 } else { rest.lines().count() };
    let first = visible(first).into_owned();
    if more == 0 { first } else { format!("{first} {}", style.dim(&format!("[and {}]", crate::error::count(more, "more line")))) }
}

fn floor_line(floor: &Floor, style: Style) -> String {
    raised_line(floor.kind, floor.requirement, style)
}

fn raised_line(kind: FloorKind, requirement: &str, style: Style) -> String {
    let note = style.dim(&format!("{} ({requirement})", raised(kind)));
    format!("{} {note}", style.yellow(&format!("an allow asks: {}", kind.as_str())))
}

/// Why an allow becomes an ask.
fn raised(kind: FloorKind) -> &'static str {
    match kind {
        FloorKind::UnparseableBashCommand => "a redirection without a command",
        FloorKind::OpaqueBashWrapper => "its program arrives as data",
        FloorKind::IndirectionBashWrapper => "it runs another program",
        FloorKind::UnparsedBashSubtree => "a part of it was not understood",
        FloorKind::DangerousBashOption => "an option of it writes or launches",
        FloorKind::LoaderVariable => "a variable before it may load code",
        FloorKind::ComputedCommandWord => "the shell computes which program it is",
        FloorKind::UnknownDirectory => "nobody can tell the directory",
        FloorKind::AnalysisBound => "the line is too large to be seen whole",
        FloorKind::ProtectedPath => "it belongs to the gate's own rules",
    }
}

fn inside(context: UnitContext) -> &'static str {
    match context {
        UnitContext::CommandSubstitution => "in a command substitution",
        UnitContext::ProcessSubstitution => "in a process substitution",
        UnitContext::Subshell => "in a subshell",
        UnitContext::ControlFlow => "in a loop or conditional",
        UnitContext::Group => "in a group",
        UnitContext::FunctionBody => "in a function",
        UnitContext::Negation => "negated",
        UnitContext::Assignment => "in an assignment",
        UnitContext::Declaration => "in a declaration",
        UnitContext::Test => "in a test",
        UnitContext::Arithmetic => "in arithmetic",
        UnitContext::Redirect => "in a redirection",
        UnitContext::Heredoc => "in a here-document",
        UnitContext::WrappedCommand => "what the wrapper runs",
        UnitContext::InlineProgram => "in a program given as text",
        UnitContext::Salvaged => "found in a broken part",
    }
}

fn touches(program: &BashProgram, style: Style, tree: &mut Tree) {
    if program.paths.is_empty() {
        tree.line(0, format!("touches nothing{}", style.dim(" that its words show")));
        return;
    }
    tree.line(0, "touches".into());
    for word in &program.paths {
        tree.line(1, path_line(word, style));
        for floor in &word.floors {
            tree.line(2, floor_line(floor, style));
        }
    }
}

fn path_line(word: &PathWord, style: Style) -> String {
    let mut text = style.green(&one_line(&word.token, style));
    let path = &word.path;
    if path.unknown_place {
        text.push_str(&format!(" {}", style.yellow("at a place that nobody can tell")));
    } else {
        if path.lexical != word.token {
            text.push_str(&format!(" → {}", visible(&path.lexical)));
        }
        if let Some(target) = path.resolved_alias() {
            text.push_str(&format!(" → {}", visible(target)));
        }
        if word.boundary && path.outside {
            text.push_str(&format!(" {}", style.yellow("outside")));
        }
    }
    if path.protected.is_some() && !word.proven_read {
        text.push_str(&format!(" {}", style.yellow("one of the gate's own files")));
    }
    let mut notes = vec![direction(word.direction).to_owned()];
    notes.push(if word.rule_candidate { kind(word.kind) } else { "the directory it runs in" }.to_owned());
    let by = word.candidate_by.or(word.boundary_by.or(path.outside_by).filter(|_| word.boundary && path.outside));
    notes.extend(by.map(str::to_owned));
    noted(&text, &notes, style)
}

fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Read => "read",
        Direction::Write => "written",
        Direction::Both => "read or written",
    }
}

fn kind(kind: CandidateKind) -> &'static str {
    match kind {
        CandidateKind::Shape => "looks like a path",
        CandidateKind::Role => "stands where a path stands",
        CandidateKind::Existence => "exists",
        CandidateKind::Promoted => "named by a rule",
    }
}
