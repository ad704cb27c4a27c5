//! Every double there is, in one list.

use super::answers::{self, Almighty, Lasting, Wide};
use super::forwarding as between;
use super::outcomes as out;
use super::policy_text::{self as policy, retell};
use super::shell::{self, Parts, Unwrapped, blind};
use super::varied::{Plan, Variation};
use super::{Always, Double, Kind, files, host_side, records};

const fn always(name: &'static str, fault: &'static str, breaks: &'static [&'static str], always: Always) -> Double {
    Double { name, fault, breaks, hidden: None, kind: Kind::Always(always) }
}

const fn varied(
    name: &'static str,
    fault: &'static str,
    breaks: &'static [&'static str],
    make: fn() -> Box<dyn Variation>,
) -> Double {
    Double { name, fault, breaks, hidden: None, kind: Kind::Varied(make) }
}

const ONE_SESSION: &str = "generated worlds have one session";
const NO_LINKS: &str = "generated worlds have no links";

/// One that errs between sessions, or between a session and its links.
const fn among(
    name: &'static str,
    fault: &'static str,
    breaks: &'static [&'static str],
    hidden: &'static str,
    make: fn() -> Box<dyn Variation>,
) -> Double {
    Double { hidden: Some(hidden), ..varied(name, fault, breaks, make) }
}

const fn apart(
    name: &'static str,
    fault: &'static str,
    breaks: &'static [&'static str],
    make: fn() -> Box<dyn Variation>,
) -> Double {
    Double { name, fault, breaks, hidden: None, kind: Kind::Apart(make) }
}

/// A plan in a box.
macro_rules! plan {
    ($($member:ident: $change:expr),+) => {
        || Box::new(Plan { $($member: $change,)+ ..Plan::NONE }) as Box<dyn Variation>
    };
}

/// A gate that reads each policy file as if it said something else.
macro_rules! reads {
    ($change:expr) => {
        plan!(host: |_, host| policy::read_through(host, $change))
    };
}

/// A gate that hears other answers of the person than were given.
macro_rules! hears {
    ($change:expr) => {
        plan!(
            world: |world| answers::of_all_people(world, $change),
            told: |request| answers::change(request, $change)
        )
    };
}

/// A gate of which something else is seen.
macro_rules! shows {
    ($change:expr) => {
        plan!(seen: $change)
    };
}

/// The doubles: a table, one line each.
#[rustfmt::skip]
pub const ALL: &[Double] = &[
    // One answer to everything.
    always("always-allow", "lets everything through", &["RUN-006", "RUN-015"], Always::Allow),
    always("always-deny", "refuses everything", &["RUN-007", "RUN-004", "RUN-005"], Always::Deny),
    always("always-ask", "asks about everything", &["RUN-006", "RUN-007"], Always::Ask),
    // How rules are read and matched.
    varied("first-match", "lets the first matching rule win, not the last", &["RULE-012", "HARD-061"], reads!(policy::first_match)),
    varied("longest-wins", "lets the longest pattern win, wherever it stands", &["RULE-012", "HARD-061"], reads!(policy::longest_wins)),
    varied("any-case", "ignores case when it matches", &["RULE-004"], reads!(policy::any_case)),
    varied("prefix-match", "takes whatever begins like the pattern for a match", &["RULE-001", "RULE-003"], reads!(policy::prefix)),
    varied("suffix-match", "takes whatever ends like the pattern for a match", &["RULE-001", "RULE-012"], reads!(policy::suffix)),
    varied("plain-question-mark", "takes `?` in a pattern for the character itself", &["RULE-001", "RULE-002", "POLICY-D09", "RULE-012"], plan!(host: |_, host| policy::read_through(host, policy::question_mark), seen: |_, seen| retell(seen, &[(policy::QUESTION_MARK.into(), "?".into())]) )),
    varied("strict-blank-star", "wants something behind the blank of a final ` *`", &["RULE-003"], plan!(host: |_, host| policy::read_through(host, policy::blank_star), seen: |_, seen| retell(seen, &[(" ?*".into(), " *".into())]) )),
    varied("no-home", "does not expand `~` and `$HOME` in patterns", &["RULE-005", "RULE-006", "POLICY-D10"], plan!(host: files::no_home)),
    varied("open-default", "allows what no rule speaks of", &["RULE-009"], reads!(policy::allow_by_default)),
    // Which files it reads, and what it makes of them.
    varied("no-agent-files", "does not read the files of agents", &["CFG-020", "CFG-019", "CFG-021", "HAND-016"], plan!(host: files::no_agent_files)),
    varied("no-project-files", "does not read the files of a trusted project", &["CFG-021", "CFG-001", "HARD-061"], plan!(host: files::no_project_files)),
    varied("trusts-everything", "reads the files of a project that nobody trusts", &["HARD-011", "POLICY-D02"], plan!(world: host_side::trust_the_world, told: host_side::trust_for_good)),
    varied("broken-is-empty", "takes a broken policy for an empty one, and keeps the good half", &["HARD-012", "POLICY-D03", "CFG-008"], reads!(policy::broken_is_empty)),
    varied("never-reloads", "reads a policy file once and never again", &["CFG-033", "CFG-029", "POLICY-D19", "HARD-012"], plan!(host: files::never_read_again)),
    varied("silent-about-faults", "tells nobody what is wrong with the files", &["CFG-014", "CFG-008", "HARD-013", "HARD-012", "CFG-029"], shows!(records::no_notices)),
    varied("no-permissive-mode", "does not know the permissive mode", &["RULE-021", "HARD-054", "RUN-005"], reads!(|text| policy::without_setting(text, "yoloMode"))),
    varied("permissive-lifts-deny", "lets the permissive mode lift a deny", &["RULE-021", "HARD-054"], reads!(policy::permissive_lifts)),
    // Surfaces and places.
    varied("no-boundary", "does not ask about places outside the session directory", &["GATE-013", "GATE-015"], reads!(policy::without_boundary)),
    varied("no-path-rules", "does not read the rules of the path surface", &["GATE-010", "GATE-017", "GATE-012"], reads!(policy::without_paths)),
    varied("no-directions", "takes a rule about writing for one about reading too", &["HARD-035", "HARD-036", "HARD-040"], reads!(policy::without_directions)),
    varied("links-are-files", "does not look where a link leads", &["HARD-024", "PATH-006", "PATH-012", "HARD-015"], plan!(host: files::links_are_files)),
    varied("skills-allowed", "loads a skill that is denied", &["PIPE-011", "SURF-004", "TOOL-015", "POLICY-D17"], reads!(policy::without_skills)),
    varied("typed-skills-pass", "lets a typed skill through that is denied", &["PIPE-011", "HAND-013"], shows!(out::typed_skills_pass)),
    varied("no-shell-aliases", "does not know that a tool is a shell by another name", &["SURF-011", "SURF-012", "PIPE-007", "CMD-032"], reads!(|text| policy::without_setting(text, "shellTools"))),
    varied("no-extractors", "does not ask other extensions which path a tool touches", &["SURF-013", "SURF-014", "GATE-012"], plan!(told: host_side::extractors_are_lost)),
    varied("no-servers", "does not look at the server of an MCP call", &["SURF-015", "SURF-016", "HARD-026"], plan!(told: host_side::servers_are_lost)),
    varied("own-files-open", "lets the agent write the files that rule it", &["HARD-056"], shows!(out::own_files_are_open)),
    // How a command line is taken apart.
    varied("no-chains", "takes a chain of commands for one command", &["CMD-006", "GATE-033", "CMD-028", "HARD-001"], || blind(shell::separators, Parts::Hidden)),
    varied("first-command-only", "judges the first command of a chain and no other", &["CMD-006", "GATE-033", "CMD-028", "RULE-016"], || blind(shell::behind_the_first, Parts::Cut)),
    varied("no-substitutions", "does not look into substitutions", &["CMD-014", "CMD-015", "HARD-002", "CMD-018"], || blind(shell::substitutions, Parts::Hidden)),
    varied("no-control-flow", "takes a loop, a condition or a group for one opaque command", &["HARD-001", "BASH-D01", "CMD-019", "HARD-021"], || blind(shell::control_flow, Parts::Hidden)),
    varied("no-heredocs", "does not read here-documents", &["HARD-002", "HARD-003", "HARD-033", "CMD-016"], || blind(shell::bodies, Parts::Cut)),
    varied("no-redirections", "does not see where a command reads from and writes to", &["TOK-011", "HARD-016"], || blind(shell::redirections, Parts::Cut)),
    varied("no-cd", "does not follow a `cd` in front of a command", &["CWD-001", "CWD-002", "CWD-003", "CWD-007", "HARD-023", "BASH-D16"], || blind(shell::leading_cd, Parts::Cut)),
    varied("quotes-hide", "does not take the quotes off a command's name", &["HARD-027", "BASH-D06", "HARD-055"], || blind(shell::quoted_command, Parts::Hidden)),
    varied("glued-paths", "does not see a path behind the equals sign of an option", &["HARD-017"], || blind(shell::glued_options, Parts::Hidden)),
    varied("wrappers-closed", "does not know that one program runs another", &["WRAP-006", "WRAP-010", "HARD-031", "HARD-032", "HARD-028"], || Box::new(Unwrapped)),
    varied("no-floors", "allows what only a person may allow, however suspicious the command", &["WRAP-010", "HARD-004", "HARD-005", "HARD-057", "HARD-059", "HARD-060"], shows!(out::floors_are_open)),
    // Who is asked, and what is remembered.
    varied("nobody-means-yes", "takes the absence of a person for a yes", &["RUN-015"], shows!(out::nobody_means_yes)),
    varied("closed-means-yes", "takes a closed dialog for a yes", &["AUTH-008", "RUN-008", "RUN-011", "AUTH-007"], hears!(answers::closed_is_yes)),
    varied("failed-means-yes", "takes a dialog that fails for a yes", &["HAND-007", "HAND-008", "RUN-014"], hears!(answers::failed_is_yes)),
    varied("forgets-grants", "forgets what was allowed for the session", &["SESS-003", "RUN-010", "RUN-004"], hears!(answers::forget)),
    varied("once-is-always", "remembers a yes that was for once", &["RUN-010", "SESS-003", "RUN-008"], hears!(answers::keep)),
    varied("grants-too-wide", "remembers more than the question showed", &["HARD-041", "SESS-004", "SESS-005"], || Box::<Wide>::default()),
    varied("grants-stay", "keeps grants when the session ends", &["SESS-001", "HAND-020", "HAND-018"], || Box::<Lasting>::default()),
    varied("grants-lift-denies", "lets a grant beat a deny", &["HARD-006", "POLICY-D11", "RULE-020"], || Box::<Almighty>::default()),
    varied("reasons-unheard", "does not pass on why the person said no", &["MSG-003", "RUN-008", "AUTH-008"], hears!(answers::unheard_reason)),
    varied("agent-stays", "does not hear that an agent is gone", &["TOOL-005", "TOOL-007", "POLICY-D16", "HAND-016"], plan!(told: host_side::agents_stay)),
    // How sessions ask each other.
    among("asks-nobody-above", "refuses what a child asks, and does not put it to the parent", &["FWD-010", "AUTH-001", "INBOX-010"], ONE_SESSION, plan!(host: between::asks_nobody_above)),
    among("inbox-unread", "never looks into its inbox", &["INBOX-003", "INBOX-001", "INBOX-010"], ONE_SESSION, plan!(host: between::inbox_unread)),
    among("keeps-messages", "leaves questions and answers lying in the folders", &["FWD-012", "FWD-014", "INBOX-014"], ONE_SESSION, plan!(host: between::keeps_messages)),
    among("gives-up-at-once", "takes a file system's momentary refusal for good", &["HARD-049"], ONE_SESSION, plan!(host: between::gives_up_at_once)),
    among("shows-no-life", "does not show that it lives", &["HARD-047"], ONE_SESSION, plan!(host: between::shows_no_life)),
    among("believes-in-the-dead", "takes a process that died for alive", &["HARD-047", "FWD-D09"], ONE_SESSION, plan!(host: between::believes_in_the_dead)),
    among("buries-the-living", "takes a process that lives for dead", &["HARD-047", "FWD-D09"], ONE_SESSION, plan!(host: between::buries_the_living)),
    among("knows-no-children", "knows no session of its own process but itself", &["SUB-001", "SUB-006", "SUB-007", "HARD-046"], ONE_SESSION, plan!(host: between::knows_no_children)),
    among("reads-no-facts", "does not judge what a child asks by its own policy", &["HARD-009", "RES-55", "INBOX-009"], ONE_SESSION, plan!(host: between::reads_no_facts)),
    among("answers-for-others", "answers what is addressed to another session", &["INBOX-005", "FWD-D11"], ONE_SESSION, plan!(host: between::answers_for_others)),
    among("hears-a-yes", "hears a no from above as a yes", &["FWD-006", "AUTH-005", "INBOX-009"], ONE_SESSION, plan!(host: between::hears_a_yes)),
    among("yes-is-yes", "takes an answer that contradicts itself for a yes", &["FWD-D07", "FWD-006"], ONE_SESSION, plan!(host: between::yes_is_yes)),
    among("takes-any-answer", "takes anybody's answer for the parent's", &["FWD-D08"], ONE_SESSION, plan!(host: between::takes_any_answer)),
    among("names-nobody", "asks for a child and does not say for which", &["INBOX-011", "INBOX-010"], ONE_SESSION, plan!(host: between::names_nobody)),
    among("is-impatient", "waits a tenth of the time for an answer from above", &["HARD-047", "FWD-D09"], ONE_SESSION, plan!(host: between::is_impatient)),
    among("waits-for-ever", "waits ten times as long for an answer from above", &["HARD-047", "FWD-D09"], ONE_SESSION, plan!(host: between::waits_for_ever)),
    among("only-for-the-child", "takes a yes for the whole session for one to the child that asked", &["HARD-042", "INBOX-012", "AUTH-009"], ONE_SESSION, hears!(between::only_for_the_child)),
    among("for-everybody", "takes a yes to the child that asked for one to the whole session", &["HARD-042", "INBOX-012", "AUTH-009"], ONE_SESSION, hears!(between::for_everybody)),
    among("tells-not-where", "says that a child decided what its parent did", &["HARD-048"], ONE_SESSION, shows!(between::tells_not_where)),
    among("silence-is-yes", "takes a link that leaves the answer to others for a yes", &["HARD-044", "RES-66"], NO_LINKS, plan!(told: between::silence_is_yes)),
    among("failure-is-yes", "takes a link that fails for a yes", &["HARD-044", "HARD-045"], NO_LINKS, plan!(told: between::failure_is_yes)),
    among("no-of-a-link-is-silence", "asks a person what a link has denied", &["HARD-044", "HARD-045"], NO_LINKS, plan!(told: between::no_of_a_link_is_silence)),
    among("no-links", "asks no link, whichever the settings name", &["HARD-044", "RES-66"], NO_LINKS, reads!(|text| policy::without_setting(text, "authorizerChain"))),
    // How it fails.
    varied("errors-pass", "allows when something goes wrong", &["HAND-007", "HAND-008", "MSG-004", "POLICY-D16"], shows!(out::errors_pass)),
    varied("unknown-tools-pass", "lets tools through that nobody registered", &["TOOL-003", "TOOL-004", "HAND-004"], shows!(out::unknown_tools_pass)),
    varied("odd-shapes-pass", "lets an input through whose shape it does not know", &["HARD-063", "GATES-D13", "POLICY-D14"], shows!(out::odd_shapes_pass)),
    varied("throws", "throws an error at the host where it should block", &["HARD-063", "HAND-007", "GATES-D13"], shows!(out::throws)),
    apart("dies", "ends its process at an input whose shape it does not know", &["HARD-063", "HAND-007", "GATES-D13"], shows!(out::dies)),
    apart("answers-late", "takes seconds over a pattern of many stars", &["HARD-064"], plan!(host: files::stars_take_time)),
    varied("leaks-files", "leaves a file in the project at each call", &["GATE-001", "EVT-017"], || Box::<host_side::Leaks>::default()),
    // What it says.
    varied("asks-before-a-no", "asks a person about what is denied anyway", &["HARD-008", "RUN-006"], shows!(out::asks_before_a_no)),
    varied("asks-twice", "puts each question twice", &["RUN-008", "HARD-050", "PIPE-003", "CMD-030"], shows!(records::asks_twice)),
    varied("asks-backwards", "puts the questions of a call in the wrong order", &["PIPE-001", "PIPE-002", "PIPE-003", "HARD-050"], shows!(records::asks_backwards)),
    varied("asks-without-saying-what", "asks, and does not say about what", &["MSG-005", "HARD-053", "MSG-006"], shows!(records::asks_without_saying_what)),
    varied("offers-blindly", "does not say what \"for this session\" will remember", &["SESS-010", "HARD-040", "HARD-041"], shows!(records::offers_blindly)),
    varied("shows-raw-text", "shows control characters as they are", &["HARD-062", "MSG-007"], shows!(records::shows_raw_text)),
    varied("says-only-no", "does not say why it blocks", &["MSG-003", "RULE-017"], shows!(out::says_only_no)),
    varied("loses-deny-reasons", "does not pass on the reason that a rule gives", &["RULE-017", "RULE-008", "MSG-003", "CFG-010", "CFG-011"], reads!(policy::without_reasons)),
    varied("names-the-star", "names the catch-all, whichever rule decided", &["RULE-012", "RULE-017"], shows!(out::names_the_star)),
    varied("names-another-origin", "names another file than the one that decided", &["CFG-023", "RULE-009", "RULE-017"], shows!(out::names_another_origin)),
    varied("hides-the-person", "tells what a person decided as if the policy had", &["RUN-011", "HARD-048", "RUN-015"], shows!(out::hides_the_person)),
    varied("names-one-agent", "names one agent in its events, whoever called", &["RUN-013", "EVT-003", "EVT-004", "GATE-002"], shows!(out::names_one_agent)),
    varied("drops-decisions", "sends no decision events", &["EVT-004", "EVT-003", "RUN-013"], shows!(records::drops_decisions)),
    varied("silent-blocks", "sends no event when it blocks", &["EVT-004", "RUN-006", "EVT-003"], shows!(records::silent_blocks)),
    varied("repeats-decisions", "sends each decision event twice", &["EVT-004", "EVT-003", "RUN-013"], shows!(records::doubles_decisions)),
    varied("drops-prompt-events", "does not tell other extensions that somebody is asked", &["EVT-002", "EVT-001"], shows!(records::drops_prompt_events)),
    varied("no-review-log", "writes no review log", &["EVT-009", "EVT-005", "RUN-006"], shows!(records::no_review_log)),
    varied("no-debug-log", "writes no debug log", &["EVT-011", "EVT-013", "EVT-007", "CFG-032"], shows!(records::no_debug_log)),
    varied("masks-nothing", "writes credentials into the log", &["HARD-052", "GATES-D16"], shows!(records::masks_nothing)),
    varied("cuts-nothing", "writes values of any length into the log", &["HARD-052", "EVT-010"], plan!(host: records::cuts_nothing)),
    varied("service-says-yes", "tells other extensions that everything is allowed", &["EVT-017", "EVT-019", "SURF-009"], shows!(records::service_says_yes)),
    // What the agent is shown.
    varied("tools-stay-on", "leaves tools switched on that are denied", &["TOOL-009", "HAND-022", "HARD-051"], plan!(host: host_side::tools_stay_on)),
    varied("prompt-as-it-came", "leaves tools and skills in the prompt that are denied", &["TOOL-010", "TOOL-011", "TOOL-015", "TOOL-016"], shows!(records::prompt_as_it_came)),
];
