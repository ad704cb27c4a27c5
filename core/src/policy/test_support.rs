//! Words for tests of this room: scopes from JSON, questions from texts.

use std::sync::Arc;

use serde_json::Value;

use super::*;

pub(crate) const HOME: &str = "/h";

pub(crate) fn posix() -> MatchOptions {
    MatchOptions { platform: crate::host::Platform::Posix, home: Some(HOME.to_owned()) }
}

pub(crate) fn windows() -> MatchOptions {
    MatchOptions { platform: crate::host::Platform::Windows, home: Some(r"C:\Users\me".to_owned()) }
}

/// A valid scope with the `permission` object of a configuration file (RULE-008).
pub(crate) fn scope(scope: Scope, permission: Value) -> LoadedScope {
    let file: Arc<str> = Arc::from(format!("{scope}.json"));
    let location = || RuleLocation { file: Arc::clone(&file), line: 1, column: 1 };
    let mut loaded = LoadedScope::empty(scope, Arc::clone(&file), ScopeStatus::Ok);
    for (surface, value) in permission.as_object().unwrap() {
        let surface: Arc<str> = Arc::from(surface.as_str());
        if &*surface == "*" {
            loaded.default = value.as_str().map(|word| (PermissionState::parse(word).unwrap(), location()));
            continue;
        }
        loaded.shapes.push(SurfaceShape { surface: Arc::clone(&surface), plain: value.is_string() });
        let mut add = |pattern: &str, action: &str, reason: Option<&str>| {
            loaded.rules.push(Rule {
                surface: Arc::clone(&surface),
                pattern: Arc::from(pattern),
                action: PermissionState::parse(action).unwrap(),
                reason: reason.map(Arc::from),
                layer: Layer::Config,
                origin: scope.into(),
                location: Some(location()),
            });
        };
        match value {
            Value::String(action) => add("*", action, None),
            Value::Object(patterns) => {
                for (pattern, action) in patterns {
                    match action {
                        Value::String(action) => add(pattern, action, None),
                        deny => add(pattern, deny["action"].as_str().unwrap(), deny["reason"].as_str()),
                    }
                }
            }
            other => panic!("no surface: {other}"),
        }
    }
    loaded
}

/// A broken scope: what is left of it are its deny and ask entries (RES-06).
pub(crate) fn broken(which: Scope, permission: Value) -> LoadedScope {
    let mut loaded = scope(which, permission);
    loaded.status = ScopeStatus::Broken;
    loaded.rules.retain(|rule| rule.action != PermissionState::Allow);
    loaded.default = loaded.default.filter(|(state, _)| *state != PermissionState::Allow);
    loaded
}

pub(crate) fn global(permission: Value) -> Ruleset {
    Ruleset::compose(&[scope(Scope::Global, permission)], posix())
}

/// Global, project, agent, project-agent, as far as given.
pub(crate) fn layered(permissions: &[Value]) -> Ruleset {
    let scopes: Vec<_> = Scope::ALL.iter().zip(permissions).map(|(which, p)| scope(*which, p.clone())).collect();
    Ruleset::compose(&scopes, posix())
}

pub(crate) fn ask(surface: &str, values: &[&str]) -> Question {
    Question {
        surface: surface.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
        ..Question::default()
    }
}

pub(crate) fn grants(pairs: &[(&str, &str)]) -> GrantSet {
    let mut set = GrantSet::new();
    for (surface, pattern) in pairs {
        set.approve(surface, pattern, &posix());
    }
    set
}

/// The answer of rules alone.
pub(crate) fn answer(rules: &Ruleset, question: &Question) -> PermissionCheckResult {
    answer_with(rules, &GrantSet::new(), question)
}

pub(crate) fn answer_with(rules: &Ruleset, session: &GrantSet, question: &Question) -> PermissionCheckResult {
    resolver(rules, session).resolve(question)
}

pub(crate) fn resolver<'a>(rules: &'a Ruleset, session: &'a GrantSet) -> PermissionResolver<'a> {
    PermissionResolver {
        rules,
        without_tag_agent: None,
        session,
        clamp: false,
        permissive: false,
        permissive_lost: None,
        detail: false,
    }
}

pub(crate) fn state(rules: &Ruleset, surface: &str, values: &[&str]) -> PermissionState {
    answer(rules, &ask(surface, values)).state
}

/// The requirements of the tightenings of an answer.
pub(crate) fn named(answer: &PermissionCheckResult) -> Vec<&'static str> {
    answer.trace.tightenings.iter().map(|tightening| tightening.requirement).collect()
}
