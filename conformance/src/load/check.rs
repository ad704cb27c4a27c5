//! Whether a scenario makes sense: it can fail, it keeps to its level, it says what it needs.

use serde_json::{Map, Value};

use super::reader::Reader;
use crate::requirements;
use crate::scenario::words::{
    HARDENED_CAPABILITIES, HARDENED_DEBUG_EVENTS, HARDENED_DECISION_MEMBERS, HARDENED_ORIGINS, HARDENED_RESOLUTIONS,
    HARDENED_REVIEW_EVENTS, MEMBER_SURFACES,
};
use crate::scenario::{
    Action, Capability, EventExpectation, Expect, FileEntry, GivenSession, Level, Scenario, StagedContent, Step, Trusted,
};
use crate::source::Place;

/// Adds the capabilities that the content asks for, so that nobody has to remember them.
pub(super) fn imply_needs(scenario: &mut Scenario) {
    let mut needs = std::mem::take(&mut scenario.needs);
    given_needs(scenario, &mut needs);
    for step in &scenario.steps {
        action_needs(&step.action, &mut needs);
        for meanwhile in &step.meanwhile {
            action_needs(&meanwhile.step.action, &mut needs);
        }
        if let Some(expect) = &step.expect {
            expect_needs(expect, &mut needs);
            for (_, expect) in &expect.sessions {
                expect_needs(expect, &mut needs);
            }
        }
    }
    session_needs(scenario, &mut needs);
    needs.sort_unstable();
    needs.dedup();
    scenario.needs = needs;
}

fn given_needs(scenario: &Scenario, needs: &mut Vec<Capability>) {
    let given = &scenario.given;
    let mut when = |condition: bool, capability: Capability| {
        if condition {
            needs.push(capability);
        }
    };
    let project = given.policy.project.is_some()
        || !given.policy.project_agents.is_empty()
        || given.project_config.is_some()
        || given.texts.project.is_some()
        || !given.texts.project_agents.is_empty()
        || given.texts.legacy_project.is_some()
        || given.project_mcp_servers.is_some();
    when(project, Capability::Project);
    when(given.agent.is_some(), Capability::Agents);
    when(given.trusted != Trusted::Yes, Capability::Trust);
    when(given.windows, Capability::Windows);
    when(!given.skills.is_empty(), Capability::Skills);
    when(!given.session_rules.is_empty(), Capability::SessionRules);
    when(!given.checks.is_empty() || !given.path_checks.is_empty() || !given.bash_checks.is_empty(), Capability::MockChecks);
    when(given.files.iter().any(|(_, entry)| matches!(entry, FileEntry::Symlink(_))), Capability::Links);
    when(given.config.as_ref().is_some_and(|config| config.contains_key("shellTools")), Capability::ShellAlias);
    when(given.config.as_ref().is_some_and(|config| config.contains_key("yoloMode")), Capability::PermissiveMode);
}

/// One session that serves, and plain children of it, need `forwarding` alone: the npm package can show that much (section 7).
fn session_needs(scenario: &Scenario, needs: &mut Vec<Capability>) {
    let sessions = &scenario.given.sessions;
    if sessions.is_empty() {
        return;
    }
    needs.push(Capability::Forwarding);
    let steps = &scenario.steps;
    let expectations = || steps.iter().filter_map(|step| step.expect.as_ref());
    let plain_step = |step: &Step| {
        let kind = match &step.action {
            Action::Stage(staged) => staged.iter().all(|one| matches!(one.content, StagedContent::Request(_))),
            Action::ExchangeTrouble(_) | Action::Kill | Action::Subagent { .. } | Action::Clock(_) => false,
            _ => true,
        };
        kind && step.meanwhile.is_empty()
    };
    // The sessions of one process may share their log files.
    let logs = |expect: &Expect| !expect.review_log.is_empty() || !expect.debug_log.is_empty();
    let plain_expectation = |expect: &Expect| {
        expect.messages.is_none()
            && !logs(expect)
            && !expect.sessions.iter().any(|(_, expect)| logs(expect))
            && expect.exchange.is_none()
            && expect.modes.is_empty()
            && expect.heartbeats.is_none()
            && expect.ready.is_none()
    };
    let plain = sessions.iter().all(GivenSession::is_plain)
        && sessions.iter().filter(|session| session.ui.is_some()).count() == 1
        && steps.iter().all(plain_step)
        && expectations().all(plain_expectation);
    if !plain {
        needs.push(Capability::MultiSession);
    }
    let timed = |step: &Step| matches!(step.action, Action::Clock(_)) || !step.meanwhile.is_empty();
    if steps.iter().any(timed) || expectations().any(|expect| expect.took.is_some()) {
        needs.push(Capability::Clock);
    }
}

fn action_needs(action: &Action, needs: &mut Vec<Capability>) {
    match action {
        Action::Tool { name, .. } if name == "bash" => needs.push(Capability::Bash),
        Action::Tool { name, .. } if name == "mcp" || name.starts_with("mcp__") => needs.push(Capability::Mcp),
        Action::Tool { name, .. } if name == "skill" => needs.push(Capability::Skills),
        Action::RawEvent(_) => needs.push(Capability::RawEvent),
        Action::Input(_) => needs.push(Capability::SkillInput),
        Action::Query { .. } | Action::ToolPermission { .. } => needs.push(Capability::Service),
        Action::RegisterLink { .. } => needs.extend([Capability::Service, Capability::AuthorizerChain]),
        _ => {}
    }
}

fn expect_needs(expect: &Expect, needs: &mut Vec<Capability>) {
    let mut when = |condition: bool, capability: Capability| {
        if condition {
            needs.push(capability);
        }
    };
    when(expect.prompts.as_ref().is_some_and(|prompts| !prompts.is_empty()), Capability::Prompts);
    when(expect.decisions.is_some() || expect.ui_prompts.is_some(), Capability::Events);
    when(!expect.review_log.is_empty(), Capability::ReviewLog);
    when(!expect.debug_log.is_empty(), Capability::DebugLog);
    when(expect.session_rules.is_some(), Capability::SessionRules);
    when(expect.active_tools.is_some(), Capability::Exposure);
    let prompt = expect.tools_listed.is_some() || expect.skills_listed.is_some() || expect.system_prompt.is_some();
    when(prompt, Capability::PromptNarrowing);
}

/// Reports what makes no sense.
pub(super) fn check(reader: &Reader, scenario: &Scenario, place: Place) {
    if !scenario.steps.is_empty() && scenario.steps.iter().all(|step| step.expect.is_none()) {
        let help = "a scenario that cannot fail shows nothing".to_owned();
        reader.error(place, "no step expects anything", Some(help));
    }
    for step in &scenario.steps {
        if let Some(expect) = &step.expect {
            check_vacuous(reader, step, expect);
            check_kind(reader, step, expect);
            check_requirement(reader, scenario, expect);
            for (_, expect) in &expect.sessions {
                check_elsewhere(reader, expect);
                check_requirement(reader, scenario, expect);
            }
        }
    }
    match scenario.level {
        Level::Baseline => check_baseline(reader, scenario, place),
        Level::Hardened => check_hardened(reader, scenario, place),
    }
}

fn check_vacuous(reader: &Reader, step: &Step, expect: &Expect) {
    if expect.is_empty() {
        reader.error(expect.place, "`expect` expects nothing", None);
        return;
    }
    // An empty `by`, or one that could not be read, was reported by the reader.
    let decided = expect.by.is_some();
    if step.action.is_call() && expect.outcome.is_some() && !decided {
        let help =
            "say the `gate`, the `rule` or the `resolution` that you mean: the right answer for the wrong reason is no pass";
        reader.error(expect.place, "the outcome says not what decided it: add `by`", Some(help.to_owned()));
    }
    if expect.outcome.as_deref().is_some_and(|outcome| outcome == "allow") && !expect.reason.is_empty() {
        reader.error(expect.place, "an allowed call has no `reason`", None);
    }
}

/// The same for what is seen in another session.
fn check_elsewhere(reader: &Reader, expect: &Expect) {
    if expect.is_empty() {
        reader.error(expect.place, "a session of `expect.sessions` expects nothing", None);
    }
    if expect.outcome.is_some() && expect.by.is_none() {
        reader.error(expect.place, "the outcome says not what decided it: add `by`", None);
    }
}

/// Expectations that a step of this kind can never meet, or meets always.
fn check_kind(reader: &Reader, step: &Step, expect: &Expect) {
    let agent_start = matches!(step.action, Action::AgentStart { .. });
    let query = matches!(step.action, Action::Query { .. } | Action::ToolPermission { .. });
    let only = |given: bool, allowed: bool, key: &str, kind: &str| {
        if given && !allowed {
            reader.error(expect.place, format!("`{key}` is the answer of {kind}"), None);
        }
    };
    only(expect.by.is_some(), step.action.is_call(), "by", "a call");
    only(!expect.reason.is_empty(), step.action.is_call() || query, "reason", "a call");
    only(expect.tools_listed.is_some(), agent_start, "tools listed", "`agent start`");
    only(expect.skills_listed.is_some(), agent_start, "skills listed", "`agent start`");
    only(expect.system_prompt.is_some(), agent_start, "system prompt", "`agent start`");
    only(expect.source.is_some(), query, "source", "a query");
    only(expect.pattern.is_some(), query, "pattern", "a query");
}

fn check_requirement(reader: &Reader, scenario: &Scenario, expect: &Expect) {
    let Some(id) = expect.by.as_ref().and_then(|by| by.requirement.as_deref()) else { return };
    if requirements::find(id).is_none() {
        reader.objection(expect.place, format!("docs/spec knows no requirement `{id}`"), None);
    }
    if scenario.level == Level::Baseline {
        reader.objection(expect.place, "a baseline scenario cannot expect a tightening (`by.requirement`)", to_hardened());
    }
}

fn to_hardened() -> Option<String> {
    Some("the npm package cannot show this: make the scenario `level: hardened`".into())
}

fn check_hardened(reader: &Reader, scenario: &Scenario, place: Place) {
    let names = |id: &String| requirements::find(id).is_some_and(|found| found.is_hardening());
    if !scenario.covers.is_empty() && !scenario.covers.iter().any(names) {
        let help = "section 7 of docs/spec/README.md: it covers a HARD or a D id, by which the package fails it".to_owned();
        reader.objection(place, "a hardened scenario covers none of the requirements beyond the package", Some(help));
    }
}

fn check_baseline(reader: &Reader, scenario: &Scenario, place: Place) {
    for need in scenario.needs.iter().filter(|need| HARDENED_CAPABILITIES.contains(need)) {
        reader.objection(place, format!("a baseline scenario cannot need `{need}`"), to_hardened());
    }
    let changes = scenario.steps.iter().filter_map(|step| match &step.action {
        Action::PolicyChange(change) => Some(&change.policy),
        _ => None,
    });
    for map in scenario.given.policy.maps().chain(changes.flat_map(|policy| policy.maps())) {
        for surface in map.as_object().into_iter().flat_map(Map::keys) {
            if MEMBER_SURFACES.contains(&surface.as_str()) {
                reader.objection(place, format!("a baseline policy knows no surface `{surface}`"), to_hardened());
            }
        }
    }
    for step in &scenario.steps {
        if let Some(expect) = &step.expect {
            baseline_expect(reader, expect);
            for (_, expect) in &expect.sessions {
                baseline_expect(reader, expect);
            }
        }
    }
}

fn baseline_expect(reader: &Reader, expect: &Expect) {
    let refuse = |message: String| reader.objection(expect.place, message, to_hardened());
    if let Some(by) = &expect.by {
        if by.source.is_some() {
            refuse("a baseline scenario does not compare `source` of a decision: only a query shows it".into());
        }
        let resolution = by.resolution.as_deref();
        if let Some(word) = resolution.filter(|word| HARDENED_RESOLUTIONS.contains(word)) {
            refuse(format!("no baseline decision has the resolution `{word}`"));
        }
        if let Some(Some(word)) = &by.origin
            && HARDENED_ORIGINS.contains(&word.as_str())
        {
            refuse(format!("no baseline answer has the origin `{word}`"));
        }
    }
    if expect.prompts.iter().flatten().any(|prompt| prompt.options.is_some()) {
        refuse("a baseline scenario does not compare the number of options".into());
    }
    for event in expect.decisions.iter().flatten() {
        baseline_members(event, &HARDENED_DECISION_MEMBERS, "decision event", &refuse);
        if let Some(word) = member(event, "resolution").filter(|word| HARDENED_RESOLUTIONS.contains(word)) {
            refuse(format!("no baseline decision has the resolution `{word}`"));
        }
        if let Some(word) = member(event, "origin").filter(|word| HARDENED_ORIGINS.contains(word)) {
            refuse(format!("no baseline answer has the origin `{word}`"));
        }
    }
    for event in expect.ui_prompts.iter().flatten() {
        baseline_members(event, &["requestId"], "prompt event", &refuse);
    }
    for (log, names) in [(&expect.review_log, &HARDENED_REVIEW_EVENTS[..]), (&expect.debug_log, &HARDENED_DEBUG_EVENTS[..])] {
        for line in log.exactly.iter().flatten().chain(&log.has) {
            baseline_members(line, &["requestId"], "log line", &refuse);
            if let Some(word) = member(line, "event").filter(|word| names.contains(word)) {
                refuse(format!("no baseline log has the event `{word}`"));
            }
        }
    }
}

fn member<'e>(event: &'e EventExpectation, name: &str) -> Option<&'e str> {
    event.members.get(name).and_then(Value::as_str)
}

fn baseline_members(event: &EventExpectation, names: &[&str], what: &str, refuse: &dyn Fn(String)) {
    for name in event.members.keys().filter(|name| names.contains(&name.as_str())) {
        refuse(format!("a baseline scenario does not compare `{name}` of a {what}"));
    }
}
