use std::sync::Mutex;

use pretty_assertions::assert_eq;
use rstest::rstest;

use super::*;
use crate::authority::{AskDetails, AskSource, DecisionState, DialogAnswer, FORWARDED_TITLE, ForwardedFrom, GateSuggestion};
use crate::host::{Choice, HostError, ListDialog, NoticeLevel};

/// A person with one answer; writes down what happened, in order.
#[derive(Default)]
struct Person {
    choice: Option<Choice>,
    /// The answer to the second question.
    scope: Option<Choice>,
    typed: Option<String>,
    fault: Option<HostError>,
    ends: Option<Arc<PromptQueue>>,
    seen: Mutex<Vec<String>>,
    dialogs: Mutex<Vec<ListDialog>>,
}

impl UserInterface for Person {
    fn notify(&self, _level: NoticeLevel, _text: &str) -> HostResult<()> {
        Ok(())
    }

    fn select(&self, dialog: &ListDialog) -> HostResult<Option<Choice>> {
        self.seen.lock().unwrap().push("select".to_owned());
        self.dialogs.lock().unwrap().push(dialog.clone());
        if let Some(queue) = &self.ends {
            queue.end_session();
        }
        let second = self.dialogs.lock().unwrap().len() > 1;
        self.fault.clone().map_or(Ok(if second { self.scope } else { self.choice }), Err)
    }

    fn input(&self, _title: &str) -> HostResult<Option<String>> {
        self.seen.lock().unwrap().push("input".to_owned());
        Ok(self.typed.clone())
    }

    fn set_status(&self, _key: &str, _text: Option<&str>) -> HostResult<()> {
        Ok(())
    }
}

impl UiPromptReporter for Person {
    fn emit_ui_prompt(&self, ask: &PromptPermissionDetails) {
        self.seen.lock().unwrap().push(format!("P {}", ask.request_id));
    }
}

fn ask(session_label: Option<&str>, both_directions_label: Option<&str>) -> PromptPermissionDetails {
    PromptPermissionDetails {
        request_id: "id".to_owned(),
        details: AskDetails {
            source: AskSource::ToolCall,
            agent_name: None,
            message: "May it?".to_owned(),
            full_message: String::new(),
            record_message: String::new(),
            tool_call_id: None,
            tool_name: None,
            skill_name: None,
            path: None,
            command: None,
            target: None,
            tool_input_preview: None,
            session_label: session_label.map(str::to_owned),
            both_directions_label: both_directions_label.map(str::to_owned),
            forwarding: None,
        },
        suggestion: None,
        facts: None,
    }
}

fn answer(person: Person, ask: &PromptPermissionDetails) -> (HostResult<PermissionPromptDecision>, Arc<Person>) {
    let person = Arc::new(person);
    let queue = person.ends.clone().unwrap_or_default();
    let authority = LocalUserAuthority::new(person.clone(), queue, person.clone());
    (authority.authorize(ask), person)
}

fn plain(state: DecisionState) -> DialogAnswer {
    DialogAnswer::plain(state)
}

#[rstest]
#[case("#1", Some(Choice::Approve), None, plain(DecisionState::Approved))]
#[case("#2", Some(Choice::ApproveForSession), None, plain(DecisionState::ApprovedForSession))]
#[case("#3", Some(Choice::Deny), None, plain(DecisionState::Denied))]
#[case("dismissed", None, None, plain(DecisionState::Denied))]
#[case("not in the list", Some(Choice::ApproveForSessionBothDirections), None, plain(DecisionState::Denied))]
#[case("#4 and text", Some(Choice::DenyWithReason), Some("  why  "), DialogAnswer::denied("why"))]
#[case("#4 and inner newline", Some(Choice::DenyWithReason), Some("a\nb"), DialogAnswer::denied("a\nb"))]
#[case("#4 and blank", Some(Choice::DenyWithReason), Some(" \n"), plain(DecisionState::Denied))]
#[case("#4 and cancelled", Some(Choice::DenyWithReason), None, plain(DecisionState::Denied))]
fn auth_008_list_dialog(
    #[case] title: &str,
    #[case] choice: Option<Choice>,
    #[case] typed: Option<&str>,
    #[case] expected: DialogAnswer,
) {
    let person = Person { choice, typed: typed.map(str::to_owned), ..Person::default() };
    let (given, person) = answer(person, &ask(None, None));
    assert_eq!(given, Ok(expected.into_decision()), "AUTH-007, AUTH-008: {title}");
    // AUTH-011: P first, then the dialog.
    let seen = person.seen.lock().unwrap();
    assert_eq!(seen.first().map(String::as_str), Some("P id"));
    assert_eq!(seen.get(1).map(String::as_str), Some("select"));
}

#[test]
fn auth_008_the_options_and_their_order() {
    use Choice::{Approve, ApproveForSession, ApproveForSessionBothDirections, Deny, DenyWithReason};
    let (_, person) = answer(Person::default(), &ask(Some("Yes, store it"), Some("Yes, both ways")));
    let dialogs = person.dialogs.lock().unwrap();
    let labels: Vec<_> = dialogs[0].options.iter().map(|option| (option.choice, option.label.as_str())).collect();
    let expected = [
        (Approve, "Yes, this once"),
        (ApproveForSession, "Yes, store it"),
        (Deny, "No"),
        (DenyWithReason, "No, and say why"),
        (ApproveForSessionBothDirections, "Yes, both ways"),
    ];
    assert_eq!(labels, expected);
    assert_eq!((dialogs[0].title.as_str(), dialogs[0].message.as_str()), (DIRECT, "May it?"));
}

const DIRECT: &str = crate::authority::DIRECT_TITLE;

#[test]
fn res_32_four_options_without_a_second_width() {
    let (_, person) = answer(Person::default(), &ask(None, None));
    assert_eq!(person.dialogs.lock().unwrap()[0].options.len(), 4);
}

#[test]
fn res_32_both_directions_when_offered() {
    let person = Person { choice: Some(Choice::ApproveForSessionBothDirections), ..Person::default() };
    let (given, _) = answer(person, &ask(None, Some("both")));
    assert_eq!(given, Ok(DialogAnswer::both_directions().into_decision()));
}

#[test]
fn auth_016_a_failing_dialog_is_an_error() {
    let person = Person { fault: Some(HostError::new("ui broke")), ..Person::default() };
    assert_eq!(answer(person, &ask(None, None)).0, Err(HostError::new("ui broke")));
}

#[rstest]
#[case(None)]
#[case(Some(HostError::new("closed")))]
fn hard_050_a_yes_after_the_end_of_the_session_is_a_denial(#[case] fault: Option<HostError>) {
    let person = Person { choice: Some(Choice::Approve), fault, ends: Some(Arc::new(PromptQueue::new())), ..Person::default() };
    let given = answer(person, &ask(None, None)).0.unwrap();
    assert_eq!((given.is_approved(), given.decided_by.cause), (false, Some(Cause::SessionEnded)));
}

fn forwarded(label: Option<&str>, patterns: Option<&[&str]>) -> PromptPermissionDetails {
    let mut ask = ask(label, Some("never on forwarded asks"));
    ask.details.forwarding = Some(ForwardedFrom { agent_name: Some("E'".to_owned()), ..ForwardedFrom::default() });
    ask.suggestion = patterns.map(|patterns| GateSuggestion {
        pairs: patterns.iter().map(|pattern| ("bash".to_owned(), (*pattern).to_owned())).collect(),
        both_directions: Vec::new(),
    });
    ask
}

/// AUTH-009, RES-34: whatever is no clear yes to the wide scope is the narrow one.
#[rstest]
#[case("#2 then first", Some(Choice::ApproveForSession), Some(Choice::RequesterOnly), DecisionState::ApprovedForSession, 2)]
#[case(
    "#2 then second",
    Some(Choice::ApproveForSession),
    Some(Choice::WholeSession),
    DecisionState::ApprovedForServingSession,
    2
)]
#[case("#2 then cancelled", Some(Choice::ApproveForSession), None, DecisionState::ApprovedForSession, 2)]
#[case("#2 then unknown", Some(Choice::ApproveForSession), Some(Choice::Approve), DecisionState::ApprovedForSession, 2)]
#[case("#1", Some(Choice::Approve), Some(Choice::WholeSession), DecisionState::Approved, 1)]
#[case("#3", Some(Choice::Deny), Some(Choice::WholeSession), DecisionState::Denied, 1)]
#[case("scope out of turn", Some(Choice::WholeSession), Some(Choice::WholeSession), DecisionState::Denied, 1)]
fn auth_009_scope_question(
    #[case] title: &str,
    #[case] choice: Option<Choice>,
    #[case] scope: Option<Choice>,
    #[case] expected: DecisionState,
    #[case] dialogs: usize,
) {
    let person = Person { choice, scope, ..Person::default() };
    let (given, person) = answer(person, &forwarded(Some("label"), Some(&["git *"])));
    assert_eq!(given, Ok(plain(expected).into_decision()), "{title}");
    assert_eq!(person.dialogs.lock().unwrap().len(), dialogs, "{title}");
    // INBOX-018: P once, before the first dialog.
    let seen = person.seen.lock().unwrap();
    assert_eq!(seen.iter().filter(|line| line.as_str() == "P id").count(), 1);
    assert_eq!(seen.first().map(String::as_str), Some("P id"));
}

/// AUTH-011, AUTH-012, FWD-D04: which label and which scopes an ask brings. Every pattern is shown.
#[rstest]
#[case("plain", ask(None, None), "Yes, for this session", &[])]
#[case("label, not forwarded", ask(Some("label"), None), "label", &[])]
#[case(
    "forwarded with patterns and label", forwarded(Some("label"), Some(&["c *", "d *"])), "Yes, for this session",
    &["Only for the subagent 'E''", "For this session and all its subagents: bash 'c *' and 'd *'"]
)]
#[case("forwarded without patterns", forwarded(Some("label"), Some(&[])), "label", &[])]
#[case("forwarded with an empty pattern", forwarded(None, Some(&[""])), "Yes, for this session", &[])]
#[case("forwarded without suggestion", forwarded(None, None), "Yes, for this session", &[])]
fn auth_011_options(#[case] title: &str, #[case] ask: PromptPermissionDetails, #[case] label: &str, #[case] scopes: &[&str]) {
    let forwarded = ask.details.forwarding.is_some();
    let person = Person { choice: Some(Choice::ApproveForSession), ..Person::default() };
    let (_, person) = answer(person, &ask);
    let dialogs = person.dialogs.lock().unwrap();
    let labels = |dialog: &ListDialog| dialog.options.iter().map(|option| option.label.clone()).collect::<Vec<_>>();
    assert_eq!(dialogs[0].options.len(), 4, "{title}: four options, never a fifth");
    assert_eq!(labels(&dialogs[0])[1], label, "{title}");
    assert_eq!(dialogs[0].title, if forwarded { FORWARDED_TITLE } else { DIRECT }, "{title}");
    assert_eq!(dialogs.get(1).map(labels).unwrap_or_default(), scopes, "{title}");
}

/// FWD-D12: labels that read alike stay two options; what counts is which one was chosen.
#[rstest]
#[case::like_the_yes("Yes, this once")]
#[case::like_the_no("No")]
fn fwd_d12_options_that_read_alike(#[case] label: &str) {
    let answer = |choice| {
        let person = Person { choice: Some(choice), ..Person::default() };
        crate::authority::run_list_dialog(&person, &crate::authority::ask_dialog(&ask(Some(label), None)), None)
    };
    assert_eq!(answer(Choice::Approve), Ok(DialogAnswer::plain(DecisionState::Approved)));
    assert_eq!(answer(Choice::ApproveForSession), Ok(DialogAnswer::plain(DecisionState::ApprovedForSession)));
    assert_eq!(answer(Choice::Deny), Ok(DialogAnswer::plain(DecisionState::Denied)));
}
