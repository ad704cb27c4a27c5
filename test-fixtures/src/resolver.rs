//! A resolver that answers by tables (`makeResolver`, `makeSurfaceCheck`, `makePathDispatchResolver`, `makeBashCommandCheck`).

use std::sync::{Arc, Mutex, PoisonError};

use portcullis_core::gates::GateResolver;
use portcullis_core::policy::{PermissionCheckResult, PermissionState, Question};
use regex::Regex;

use crate::check::CheckAnswer;

/// Answers questions by tables and remembers them. Looked up in this order: the path among the values of a question on `path`
/// and `external_directory`; the first expression that matches the text of a command; the surface; the surface `*`; the
/// fallback.
///
/// ```
/// use portcullis_core::gates::GateResolver;
/// use portcullis_core::policy::{PermissionState::{Allow, Deny}, Question};
/// use portcullis_test_fixtures::make_resolver;
///
/// let resolver = make_resolver(Allow).on_surface("write", Deny);
/// let question = |surface: &str| Question { surface: surface.into(), values: vec!["a".into()], ..Question::default() };
/// assert_eq!(resolver.resolve(&question("write")).state, Deny);
/// assert_eq!(resolver.resolve(&question("read")).state, Allow);
/// assert_eq!(resolver.asked(), ["write a", "read a"]);
/// ```
#[derive(Debug)]
pub struct FakeResolver {
    fallback: CheckAnswer,
    surfaces: Vec<(String, CheckAnswer)>,
    paths: Vec<(String, CheckAnswer)>,
    commands: Vec<(Regex, CheckAnswer)>,
    questions: Mutex<Vec<Question>>,
}

impl FakeResolver {
    /// A resolver that gives one answer to everything.
    pub fn new(fallback: impl Into<CheckAnswer>) -> Self {
        Self {
            fallback: fallback.into(),
            surfaces: Vec::new(),
            paths: Vec::new(),
            commands: Vec::new(),
            questions: Mutex::default(),
        }
    }

    /// An answer for a surface; `*` is every surface that nothing else names.
    #[must_use]
    pub fn on_surface(mut self, surface: &str, answer: impl Into<CheckAnswer>) -> Self {
        self.surfaces.push((surface.to_owned(), answer.into()));
        self
    }

    /// An answer for a path, in any of the forms that a question carries: absolute, relative to the session directory, after
    /// links.
    #[must_use]
    pub fn on_path(mut self, path: &str, answer: impl Into<CheckAnswer>) -> Self {
        self.paths.push((path.to_owned(), answer.into()));
        self
    }

    /// An answer for commands.
    #[must_use]
    pub fn on_command(mut self, expression: Regex, answer: impl Into<CheckAnswer>) -> Self {
        self.commands.push((expression, answer.into()));
        self
    }

    /// Every question so far.
    pub fn questions(&self) -> Vec<Question> {
        self.lock().clone()
    }

    /// Every question so far as a surface and its first value.
    pub fn asked(&self) -> Vec<String> {
        let first = |question: &Question| question.values.first().cloned().unwrap_or_else(|| "*".to_owned());
        self.lock().iter().map(|question| format!("{} {}", question.surface, first(question))).collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Question>> {
        self.questions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, question: &Question) -> &CheckAnswer {
        let surface = question.surface.as_str();
        let by_path = || {
            let asked = matches!(surface, "path" | "external_directory");
            self.paths.iter().find(|(path, _)| asked && question.values.contains(path)).map(|(_, answer)| answer)
        };
        let by_command = || {
            let matches = |expression: &Regex| question.values.iter().any(|value| expression.is_match(value));
            self.commands.iter().find(|(e, _)| surface == "bash" && matches(e)).map(|(_, answer)| answer)
        };
        let by_surface = |name: &str| self.surfaces.iter().find(|(own, _)| own == name).map(|(_, answer)| answer);
        by_path().or_else(by_command).or_else(|| by_surface(surface)).or_else(|| by_surface("*")).unwrap_or(&self.fallback)
    }
}

impl GateResolver for FakeResolver {
    fn resolve(&self, question: &Question) -> PermissionCheckResult {
        self.lock().push(question.clone());
        self.find(question).answer(question)
    }
}

/// A resolver that gives one answer to everything (`makeResolver`); add tables with its methods.
pub fn make_resolver(answer: impl Into<CheckAnswer>) -> FakeResolver {
    FakeResolver::new(answer)
}

/// A resolver that answers by surface (`makeSurfaceCheck`); other surfaces have the answer of an empty policy, which is ask by
/// the universal default.
///
/// ```
/// use portcullis_core::gates::GateResolver;
/// use portcullis_core::policy::{PermissionState::{Allow, Ask}, Question};
/// use portcullis_test_fixtures::make_surface_check;
///
/// let resolver = make_surface_check([("read", Allow)]);
/// let state = |surface: &str| resolver.resolve(&Question { surface: surface.into(), ..Question::default() }).state;
/// assert_eq!((state("read"), state("write")), (Allow, Ask));
/// ```
pub fn make_surface_check<'a, A: Into<CheckAnswer>>(answers: impl IntoIterator<Item = (&'a str, A)>) -> FakeResolver {
    let empty = FakeResolver::new(CheckAnswer::universal_default(PermissionState::Ask));
    answers.into_iter().fold(empty, |resolver, (surface, answer)| resolver.on_surface(surface, answer))
}

/// A resolver that answers by path on `path` and `external_directory` (`makePathDispatchResolver`) and allows the rest, as a
/// universal default would.
///
/// ```
/// use portcullis_core::gates::GateResolver;
/// use portcullis_core::policy::{PermissionState::{Allow, Deny}, Question};
/// use portcullis_test_fixtures::make_path_dispatch_resolver;
///
/// let resolver = make_path_dispatch_resolver([("/w/.env", Deny)]);
/// let state = |surface: &str| {
///     let values = vec!["/w/.env".into(), ".env".into()];
///     resolver.resolve(&Question { surface: surface.into(), values, ..Question::default() }).state
/// };
/// assert_eq!((state("path"), state("read")), (Deny, Allow));
/// ```
pub fn make_path_dispatch_resolver<'a, A: Into<CheckAnswer>>(answers: impl IntoIterator<Item = (&'a str, A)>) -> FakeResolver {
    let silent = FakeResolver::new(CheckAnswer::universal_default(PermissionState::Allow));
    answers.into_iter().fold(silent, |resolver, (path, answer)| resolver.on_path(path, answer))
}

/// What [`make_bash_command_check`] builds: a resolver that denies commands by a regular expression and allows the others.
#[derive(Debug, Clone)]
pub struct BashCommandCheck {
    deny: Regex,
    deny_matched: Option<String>,
    allow_matched: Option<String>,
}

impl BashCommandCheck {
    /// The pattern that the denies report.
    #[must_use]
    pub fn deny_matched(mut self, pattern: &str) -> Self {
        self.deny_matched = Some(pattern.to_owned());
        self
    }

    /// The pattern that the allows report.
    #[must_use]
    pub fn allow_matched(mut self, pattern: &str) -> Self {
        self.allow_matched = Some(pattern.to_owned());
        self
    }

    /// The resolver. Other surfaces are allowed as by a universal default.
    pub fn resolver(self) -> FakeResolver {
        let answer = |state, pattern: Option<String>| {
            let answer = CheckAnswer::new(state);
            match pattern {
                Some(pattern) => answer.pattern(&pattern),
                None => answer,
            }
        };
        FakeResolver::new(CheckAnswer::universal_default(PermissionState::Allow))
            .on_command(self.deny, answer(PermissionState::Deny, self.deny_matched))
            .on_surface("bash", answer(PermissionState::Allow, self.allow_matched))
    }
}

/// A resolver that denies the commands that match an expression (`makeBashCommandCheck` with option `deny`).
///
/// ```
/// use portcullis_core::gates::GateResolver;
/// use portcullis_core::policy::{PermissionState::{Allow, Deny}, Question};
/// use portcullis_test_fixtures::make_bash_command_check;
///
/// let resolver = make_bash_command_check("^rm ").unwrap().deny_matched("rm *").allow_matched("*").resolver();
/// let answer = |command: &str| {
///     resolver.resolve(&Question { surface: "bash".into(), values: vec![command.into()], ..Question::default() })
/// };
/// assert_eq!((answer("rm x").state, answer("ls").state), (Deny, Allow));
/// assert_eq!(answer("rm x").matched_pattern.as_deref(), Some("rm *"));
/// assert_eq!(answer("ls").matched_pattern.as_deref(), Some("*"));
/// ```
pub fn make_bash_command_check(deny: &str) -> Result<BashCommandCheck, regex::Error> {
    Ok(BashCommandCheck { deny: Regex::new(deny)?, deny_matched: None, allow_matched: None })
}

/// The resolver of a scenario's `checks`, `path checks` and `bash checks`: answers by surface, by path and by expression, each
/// table in its order. What none of them names has the answer of an empty policy.
///
/// ```
/// use portcullis_core::gates::GateResolver;
/// use portcullis_core::policy::{PermissionState::{Allow, Ask, Deny}, Question};
/// use portcullis_test_fixtures::{CheckAnswer, checks_resolver};
///
/// let resolver = checks_resolver(
///     &[("read".into(), Allow.into())],
///     &[("/etc/passwd".into(), Deny.into())],
///     &[("^git ".into(), CheckAnswer::new(Allow).pattern("git *")), (".*".into(), Ask.into())],
/// )
/// .unwrap();
/// let state = |surface: &str, value: &str| {
///     resolver.resolve(&Question { surface: surface.into(), values: vec![value.into()], ..Question::default() }).state
/// };
/// assert_eq!(state("read", "a"), Allow);
/// assert_eq!(state("path", "/etc/passwd"), Deny);
/// assert_eq!(state("bash", "git log"), Allow);
/// assert_eq!(state("bash", "rm x"), Ask);
/// ```
pub fn checks_resolver(
    surfaces: &[(String, CheckAnswer)],
    paths: &[(String, CheckAnswer)],
    commands: &[(String, CheckAnswer)],
) -> Result<Arc<FakeResolver>, regex::Error> {
    let mut resolver = FakeResolver::new(CheckAnswer::universal_default(PermissionState::Ask));
    resolver.surfaces = surfaces.to_vec();
    resolver.paths = paths.to_vec();
    for (expression, answer) in commands {
        resolver = resolver.on_command(Regex::new(expression)?, answer.clone());
    }
    Ok(Arc::new(resolver))
}
