//! The arguments.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args as ClapArgs, Parser, Subcommand, ValueEnum};

use portcullis_core::host::Platform;

use super::coverage::CoverageOptions;
use super::diff::DiffOptions;
use super::effective::EffectiveOptions;
use super::lint_args::LintOptions;
use super::man::ManOptions;
use super::replay::ReplayOptions;
use super::report::{ReportCommand, Wanted};
use crate::demo_session::Answer;
use crate::implementation::external::Limits;
use crate::protocol::Message;
use crate::report::Format;
use crate::run::Worlds;
use crate::scenario::Level;
use crate::select::{Filter, Shard};

/// Plays permission scenarios against the reference gate or any other implementation.
#[derive(Debug, Parser)]
#[command(name = "portcullis", version, about, max_term_width = 100)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Command,
    /// When to colour the output; NO_COLOR is respected.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub(super) color: Color,
}

/// When output is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Play scenarios against an implementation.
    Run(RunOptions),
    /// Play your own tests of your own policy: scenario files that name it (docs/guide/test.md).
    Test(TestOptions),
    /// Write a first test of a policy: one row a rule, filled in by the reference, to be reviewed.
    Init(InitOptions),
    /// Say what is wrong with scenario files.
    Check(Sources),
    /// List scenarios, or the requirements and what shows them.
    List(ListOptions),
    /// What concerns adapters of other implementations.
    Implementation {
        #[command(subcommand)]
        what: ImplementationCommand,
    },
    /// Show what a shell command line runs and touches, and what hides its program. Decides nothing.
    Parse(ParseOptions),
    /// Say what the gate does with one call under your own policy, and why. Executes nothing, asks nobody, writes nothing.
    Explain(ExplainOptions),
    /// List the rules of all policy files in the order in which they count. The last that matches wins.
    Effective(EffectiveOptions),
    /// Say what one policy answers otherwise than another, each kind of change with a smallest call that shows it.
    Diff(DiffOptions),
    /// Decide what review logs recorded again under another policy, and say what changes.
    Replay(ReplayOptions),
    /// Say which rules of a policy file no test reaches.
    Coverage(CoverageOptions),
    /// Say what is probably not meant in policy files.
    Lint(LintOptions),
    /// Set implementations side by side: where they part on the suite, or on calls made from a seed.
    Compare(CompareOptions),
    /// Play scenarios on gates that are wrong on purpose, and say which of them nobody notices.
    Doubles(DoublesOptions),
    /// Make a report of a saved run, or say what changed between two (docs/guide/report.md).
    Report {
        #[command(subcommand)]
        what: ReportCommand,
    },
    /// Put the results of several implementations on one page (docs/results.md).
    Results(ResultsOptions),
    /// What concerns frozen revisions of the suite.
    Revision {
        #[command(subcommand)]
        what: RevisionCommand,
    },
    /// Offer the reference to a runner: requests on the standard input, answers on the standard output.
    Serve(ServeOptions),
    /// Be one session of a tiny host, so that sessions can be watched asking each other (docs/forwarding.md). Runs no command.
    DemoSession(DemoSessionOptions),
    /// Print the JSON Schema of scenario files, of a message of the protocol, or of a line of results.
    Schema {
        /// The message: a method, `.request` or `.answer`.
        #[arg(long, value_name = "MESSAGE", value_parser = message)]
        protocol: Option<Message>,
        /// A line of `run --json-lines`.
        #[arg(long, conflicts_with = "protocol")]
        results: bool,
    },
    /// Print the manual page of the program or of one command, in the form that `man` reads; or write all of them.
    Man(ManOptions),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, ClapArgs)]
pub(super) struct ParseOptions {
    /// The command line, as one argument; `-` reads it from the standard input.
    #[arg(value_name = "COMMAND", required_unless_present = "batch", conflicts_with = "batch")]
    pub(super) command: Option<String>,
    /// Read JSON lines with the input fields of docs/spec/bash-cases.jsonl from the standard input; write one result a line.
    #[arg(long)]
    pub(super) batch: bool,
    /// Print one JSON object instead of the tree.
    #[arg(long, conflicts_with = "batch")]
    pub(super) json: bool,
    /// Look from this real directory: what exists there, and where links lead, counts. Without it no file is looked at.
    #[arg(long, value_name = "DIR")]
    pub(super) cwd: Option<PathBuf>,
    /// The home directory.
    #[arg(long, value_name = "DIR")]
    pub(super) home: Option<String>,
    /// The flavour of paths: posix or win32.
    #[arg(long, value_name = "NAME", value_parser = crate::parse::platform, conflicts_with = "cwd")]
    pub(super) platform: Option<Platform>,
    /// The directory argument of an aliased shell tool.
    #[arg(long, value_name = "DIR")]
    pub(super) workdir: Option<String>,
    /// A pattern of a deny or ask rule of `path`: bare words that it matches are paths. May be repeated.
    #[arg(long, value_name = "PATTERN", action = ArgAction::Append)]
    pub(super) promote: Vec<String>,
}

#[derive(Debug, Subcommand)]
pub(super) enum RevisionCommand {
    /// List the revisions, and say which frozen rows changed or went.
    Check,
    /// Print the file of a revision made of the suite as it is.
    Freeze {
        /// Its name: year and month, such as 2026.12.
        #[arg(value_parser = revision_name)]
        name: String,
    },
}

#[derive(Debug, ClapArgs)]
pub(super) struct ResultsOptions {
    /// What `compare --generate N --json` printed: the page then says what explains the differences.
    #[arg(long, value_name = "FILE")]
    pub(super) compared: Option<PathBuf>,
    /// Results as JSON lines (`run --json-lines FILE`). Several of one implementation are put together.
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,
}

/// Which policy, in which session.
#[derive(Debug, ClapArgs)]
pub(super) struct PolicyOptions {
    /// A configuration file in place of the installed ones: the first is the global one, the second the project's.
    #[arg(long, value_name = "FILE", action = ArgAction::Append, num_args = 1)]
    pub(super) policy: Vec<PathBuf>,
    /// The session directory; by default the current one.
    #[arg(long, value_name = "DIR")]
    pub(super) project: Option<PathBuf>,
    /// The project is not trusted: its files are not read.
    #[arg(long)]
    pub(super) untrusted: bool,
    /// The active agent.
    #[arg(long, value_name = "NAME")]
    pub(super) agent: Option<String>,
    /// The agent's file, beside `--policy`.
    #[arg(long, value_name = "FILE", requires_all = ["agent", "policy"])]
    pub(super) agent_file: Option<PathBuf>,
    /// Whether somebody is there to be asked.
    #[arg(long, value_enum, default_value_t = Ui::Person)]
    pub(super) ui: Ui,
}

/// Whether somebody is there to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Ui {
    /// A person in front of the session.
    Person,
    /// Nobody: what asks is refused.
    None,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  portcullis explain bash 'git push --force'
  portcullis explain --policy config.json read ~/.ssh/id_ed25519
  portcullis explain --project ../app --untrusted mcp exa:search
  portcullis explain tool deploy '{\"target\":\"prod\"}'
  portcullis explain --html walk.html bash 'git push --force'
  echo '{\"toolName\":\"bash\",\"input\":{\"command\":\"rm x\"}}' | portcullis explain event -")]
pub(super) struct ExplainOptions {
    #[command(flatten)]
    pub(super) policy: PolicyOptions,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
    /// Write the walk through the gates as a page of HTML that needs nothing else; `-` is the standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub(super) html: Option<PathBuf>,
    /// List the rules that match nothing, too.
    #[arg(long)]
    pub(super) all_rules: bool,
    /// What is called: bash, read, write, edit, grep, find, ls, mcp, skill, input, tool or event.
    #[arg(value_name = "CALL")]
    pub(super) call: String,
    /// With what: a command, a path, a target, a name, a text, a tool's name and JSON, an event; `-` reads it from the standard input.
    #[arg(value_name = "ARGUMENT", allow_hyphen_values = true)]
    pub(super) arguments: Vec<String>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  portcullis compare reference 'python3 my/adapter.py'
  portcullis compare reference double:first-match --requirement RULE-012 --traces
  portcullis compare --generate 2000 --seed 7 reference conformance/adapters/pi-permission-system/start.sh
  portcullis compare --generate 500 --relation equality reference double:no-chains --write found")]
pub(super) struct CompareOptions {
    /// The implementations: `reference`, `double:NAME`, or command lines of adapters.
    #[arg(value_name = "NAME|COMMAND", required = true, num_args = 2..)]
    pub(super) implementations: Vec<String>,
    /// Play scenarios of this file or folder instead of the suite inside the program. May be repeated.
    #[arg(long, value_name = "PATH", action = ArgAction::Append, conflicts_with = "generate")]
    pub(super) scenarios: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) selection: Selection,
    /// Show each side's explanation of what they part on.
    #[arg(long)]
    pub(super) traces: bool,
    /// Play about so many generated calls instead of scenarios; the first implementation is compared with each other one.
    #[arg(long, value_name = "N")]
    pub(super) generate: Option<u64>,
    /// What the calls are made from: the same number, the same calls.
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "generate")]
    pub(super) seed: u64,
    /// What has to hold of generated calls.
    #[arg(long, value_enum, default_value_t = RelationName::Refinement, requires = "generate")]
    pub(super) relation: RelationName,
    /// Write a scenario file of each difference that nothing explains into this folder.
    #[arg(long, value_name = "DIR", requires = "generate")]
    pub(super) write: Option<PathBuf>,
    /// Make so many of the unexplained differences small and show them; all are counted.
    #[arg(long, value_name = "N", default_value_t = 20, requires = "generate")]
    pub(super) show: usize,
    /// Say how long each gate took for generated calls, and what playing and comparing added to the time of the slower one.
    #[arg(long, requires = "generate")]
    pub(super) timings: bool,
    #[command(flatten)]
    pub(super) times: Times,
    /// How many rows are played at the same time; by default one a processor.
    #[arg(long, short, value_name = "N")]
    pub(super) jobs: Option<std::num::NonZero<usize>>,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

/// What has to hold between two gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RelationName {
    /// The same in everything that can be seen.
    Equality,
    /// The first is never milder, and stricter only with a requirement that its explanation names.
    Refinement,
}

#[derive(Debug, Subcommand)]
pub(super) enum ImplementationCommand {
    /// Say what is wrong with an adapter: the protocol only, not what its gate decides.
    Check(ImplementationCheck),
}

#[derive(Debug, ClapArgs)]
pub(super) struct ImplementationCheck {
    /// The command line of the adapter.
    #[arg(value_name = "COMMAND")]
    pub(super) command: String,
    #[command(flatten)]
    pub(super) times: Times,
}

#[derive(Debug, ClapArgs)]
pub(super) struct Sources {
    /// Scenario files or folders; without any, the suite inside the program.
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
}

#[derive(Debug, Default, ClapArgs)]
pub(super) struct Selection {
    /// Only this scenario: its id, or the name of one row. May be repeated.
    #[arg(long, value_name = "ID", action = ArgAction::Append)]
    pub(super) id: Vec<String>,
    /// Only scenarios whose title contains this. May be repeated.
    #[arg(long, value_name = "TEXT", action = ArgAction::Append)]
    pub(super) title: Vec<String>,
    /// Only scenarios whose file name contains this. May be repeated.
    #[arg(long, value_name = "TEXT", action = ArgAction::Append)]
    pub(super) file: Vec<String>,
    /// Only scenarios that cover this requirement. May be repeated.
    #[arg(long, value_name = "ID", action = ArgAction::Append)]
    pub(super) requirement: Vec<String>,
    /// Only scenarios of this level.
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    pub(super) level: Option<Level>,
    /// Only the part `I` of `N` equal parts, counted from 1: `--shard 2/3`.
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    pub(super) shard: Option<Shard>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct RunOptions {
    #[command(flatten)]
    pub(super) sources: Sources,
    #[command(flatten)]
    pub(super) selection: Selection,
    /// What is put to the test: `reference`, `double:NAME` (a gate that is wrong on purpose), or the command line of an adapter.
    #[arg(long, value_name = "NAME|COMMAND", default_value = "reference")]
    pub(super) implementation: String,
    #[command(flatten)]
    pub(super) times: Times,
    /// A list of failures that are known, each with a reason; one that does not hold is a failure (docs/expected-failures.md).
    #[arg(long, value_name = "FILE", conflicts_with = "fail_fast")]
    pub(super) expected_failures: Option<PathBuf>,
    /// Score only the rows that this revision of the suite had, such as 2026.12; later ones are played and shown (docs/revisions.md).
    #[arg(long, value_name = "NAME", conflicts_with = "fail_fast")]
    pub(super) revision: Option<String>,
    /// Print what has to change in the list of known failures, as a diff.
    #[arg(long, requires = "expected_failures")]
    pub(super) update: bool,
    #[command(flatten)]
    pub(super) playing: Playing,
    /// The rows are people's own: they owe the suite nothing.
    #[arg(skip)]
    pub(super) own: bool,
}

/// Where worlds stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum WorldsPlace {
    /// Those of the reference in memory.
    Memory,
    /// In the folder for temporary files.
    Disk,
}

impl From<WorldsPlace> for Worlds {
    fn from(place: WorldsPlace) -> Self {
        match place {
            WorldsPlace::Memory => Self::Memory,
            WorldsPlace::Disk => Self::Disk,
        }
    }
}

/// How rows are played, and how the results look.
#[derive(Debug, Clone, ClapArgs)]
pub(super) struct Playing {
    /// How many rows are played at the same time; by default one a processor.
    #[arg(long, short, value_name = "N")]
    pub(super) jobs: Option<std::num::NonZero<usize>>,
    /// Play in another order, made from this number; the reports stay as they are. Shows what leaks from one row into the next.
    #[arg(long, value_name = "SEED")]
    pub(super) shuffle: Option<u64>,
    /// Where the worlds stand. An adapter's are always on disk: it lives in a process of its own.
    #[arg(long, value_name = "PLACE", default_value = "memory")]
    pub(super) worlds: WorldsPlace,
    /// Stop at the first row that fails.
    #[arg(long)]
    pub(super) fail_fast: bool,
    /// Write a report: text, json-lines, junit, tap, markdown, github, badge or badge-json; `-` is the standard output. May be repeated.
    #[arg(long = "report", value_name = "FORMAT=FILE", action = ArgAction::Append, value_parser = Wanted::parse)]
    pub(super) reports: Vec<Wanted>,
    /// The same as `--report json-lines=FILE`.
    #[arg(long, value_name = "FILE")]
    pub(super) json_lines: Option<PathBuf>,
    /// Put into the lines what was given, done and seen in each row, for `portcullis report html`.
    #[arg(long)]
    pub(super) details: bool,
    /// The same as `--report junit=FILE`.
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    /// Say in the reports how long each row took, and at the end how long the gate took and what playing added to it.
    #[arg(long)]
    pub(super) timings: bool,
    /// Only failures and the sums.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  portcullis init config.json
  portcullis test
  portcullis test permission-tests/config.yaml --id config-bash-asked
  portcullis test --junit results.xml")]
pub(super) struct TestOptions {
    /// Scenario files or folders.
    #[arg(value_name = "PATH", default_value = TESTS)]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) selection: Selection,
    #[command(flatten)]
    pub(super) playing: Playing,
}

/// The folder of people's own tests.
pub(super) const TESTS: &str = "permission-tests";

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  portcullis init ~/.pi/agent/extensions/pi-permission-system/config.json
  portcullis init config.json --to tests/policy.yaml")]
pub(super) struct InitOptions {
    /// The configuration file.
    #[arg(value_name = "POLICY")]
    pub(super) policy: PathBuf,
    /// The test file, which must not exist; by default one below permission-tests that is called like the policy.
    #[arg(long, value_name = "FILE")]
    pub(super) to: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ServeOptions {
    /// What is offered: `reference`, or `double:NAME`, a gate that is wrong on purpose.
    #[arg(long, value_name = "NAME", default_value = "reference")]
    pub(super) implementation: String,
}

/// One JSON line an event: `ready`; `prompted` when the person is asked; `asked` for each command of a session with a parent;
/// `ended`. A session without a parent serves until SIGTERM or Ctrl-C.
#[derive(Debug, ClapArgs)]
#[command(after_help = DEMO_SESSION_EXAMPLES)]
pub(super) struct DemoSessionOptions {
    /// The id of the session.
    #[arg(long, value_name = "ID")]
    pub(super) session: String,
    /// The agent directory: the configuration, the logs and the inboxes of all sessions.
    #[arg(long, value_name = "DIR")]
    pub(super) agent_dir: PathBuf,
    /// The session's working directory.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(super) project: PathBuf,
    /// Read the project's own configuration.
    #[arg(long)]
    pub(super) trusted: bool,
    /// The session that answers: this one then has no person, and asks about the commands.
    #[arg(long, value_name = "ID")]
    pub(super) parent: Option<String>,
    /// The shell commands to ask about, each one argument. They are not run.
    #[arg(value_name = "COMMAND")]
    pub(super) commands: Vec<String>,
    /// How often all commands are asked about.
    #[arg(long, value_name = "N", default_value = "1", requires = "parent")]
    pub(super) repeat: usize,
    /// An answer of the person: approve, session, whole-session, deny, deny:REASON, dismiss. May be repeated: they are given in
    /// order, the last one again and again. Without any, somebody types.
    #[arg(long = "answer", value_name = "WORD", action = ArgAction::Append, value_parser = answer, conflicts_with = "parent")]
    pub(super) answers: Vec<Answer>,
    /// How long each answer takes.
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = span, requires = "answers")]
    pub(super) after: Duration,
    /// How long an ask waits for its answer.
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = time)]
    pub(super) waiting_time: Duration,
    /// Kill this process at its operation `N` on the shared folders, counted from 0: `before` it, `inside` it (half a file is
    /// written) or `after` it. For tests of what a killed session leaves behind.
    #[arg(long, value_name = "N:WHERE", value_parser = die_at)]
    pub(super) die_at: Option<(usize, EndBy)>,
}

const DEMO_SESSION_EXAMPLES: &str = "\
Examples, in two terminals:
  portcullis demo-session --agent-dir /tmp/agent --session boss
  portcullis demo-session --agent-dir /tmp/agent --session helper --parent boss 'git push' 'ls'";

/// Where in an operation a process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EndBy {
    Before,
    Inside,
    After,
}

fn die_at(text: &str) -> Result<(usize, EndBy), String> {
    let read = || {
        let (number, place) = text.split_once(':')?;
        let place = match place {
            "before" => EndBy::Before,
            "inside" => EndBy::Inside,
            "after" => EndBy::After,
            _ => return None,
        };
        Some((number.parse().ok()?, place))
    };
    read().ok_or_else(|| "a number and before, inside or after, such as 3:before".into())
}

fn answer(word: &str) -> Result<Answer, String> {
    Answer::parse(word).ok_or_else(|| format!("an answer is one of {}, or deny:REASON", Answer::NAMES.join(", ")))
}

#[derive(Debug, ClapArgs)]
pub(super) struct DoublesOptions {
    #[command(flatten)]
    pub(super) sources: Sources,
    /// Play the whole suite on each, not only the scenarios that name what it breaks.
    #[arg(long)]
    pub(super) whole: bool,
    /// Only this double. May be repeated.
    #[arg(long, value_name = "NAME", action = ArgAction::Append)]
    pub(super) name: Vec<String>,
    /// How many rows are played at the same time; by default one a processor.
    #[arg(long, short, value_name = "N")]
    pub(super) jobs: Option<std::num::NonZero<usize>>,
    /// Print JSON lines, with every scenario that noticed.
    #[arg(long)]
    pub(super) json: bool,
    /// Play generated calls instead of the suite, and say which doubles they give away.
    #[arg(long, conflicts_with_all = ["json", "name", "paths", "whole"])]
    pub(super) generated: bool,
    /// Play nothing; print the page docs/doubles.md.
    #[arg(long, conflicts_with_all = ["json", "name", "paths", "jobs", "whole", "generated"])]
    pub(super) page: bool,
}

/// How long an adapter may take.
#[derive(Debug, ClapArgs)]
pub(super) struct Times {
    /// How long an adapter may take to start and to answer `hello`.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = time)]
    pub(super) start_timeout: Duration,
    /// How long an adapter may take for one request.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = time)]
    pub(super) step_timeout: Duration,
    /// How long an adapter may take for one scenario.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = time)]
    pub(super) scenario_timeout: Duration,
}

impl Times {
    pub(super) fn limits(&self) -> Limits {
        Limits { start: self.start_timeout, step: self.step_timeout, scenario: self.scenario_timeout }
    }
}

/// A time that may be none.
fn span(text: &str) -> Result<Duration, String> {
    if text.parse() == Ok(0.0) { Ok(Duration::ZERO) } else { time(text) }
}

fn time(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    // A day is longer than anybody waits, and can be added to any instant.
    time.filter(|time| !time.is_zero() && time.as_secs() <= 86_400)
        .ok_or_else(|| "a time is a number of seconds above 0 and not above 86400, such as 0.5".into())
}

#[derive(Debug, ClapArgs)]
pub(super) struct ListOptions {
    #[command(flatten)]
    pub(super) sources: Sources,
    #[command(flatten)]
    pub(super) selection: Selection,
    /// Print the requirements instead, each with what shows it, and fail when one has nothing.
    #[arg(long)]
    pub(super) requirements: bool,
    /// Print JSON lines.
    #[arg(long)]
    pub(super) json: bool,
}

fn revision_name(text: &str) -> Result<String, String> {
    let digits = |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    let good = text.split_once('.').is_some_and(|(year, month)| digits(year, 4) && digits(month, 2));
    if good { Ok(text.to_owned()) } else { Err("a revision is called by year and month, such as 2026.12".into()) }
}

fn level(word: &str) -> Result<Level, String> {
    Level::parse(word).ok_or_else(|| format!("a level is {}", Level::NAMES.join(" or ")))
}

fn message(name: &str) -> Result<Message, String> {
    let known = || Message::all().map(Message::name).collect::<Vec<_>>().join(", ");
    Message::parse(name).ok_or_else(|| format!("a message is one of {}", known()))
}

impl Playing {
    /// All reports that are wanted.
    pub(super) fn wanted(&self) -> Vec<Wanted> {
        let short = |format: Format, path: &Option<PathBuf>| path.clone().map(|path| Wanted { format, path });
        let shorts = [short(Format::JsonLines, &self.json_lines), short(Format::Junit, &self.junit)];
        shorts.into_iter().flatten().chain(self.reports.iter().cloned()).collect()
    }
}

impl Selection {
    pub(super) fn filter(&self) -> Filter {
        Filter {
            ids: self.id.clone(),
            titles: self.title.clone(),
            files: self.file.clone(),
            requirements: self.requirement.clone(),
            level: self.level,
            shard: self.shard,
        }
    }
}
