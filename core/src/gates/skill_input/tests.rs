use pretty_assertions::assert_eq;
use serde_json::json;

use super::*;
use crate::gates::answers::Answers;
use crate::gates::test_doubles::{ASK, Dispatch, by_rule, checked};
use crate::policy::Question;

#[test]
fn the_descriptor_of_a_typed_skill() {
    let resolver = Dispatch::new(ASK, vec![("skill", "*", by_rule("skill", "l*", ASK))]);
    let mut answers = Answers::default();
    let question = Question { surface: "skill".to_owned(), values: vec!["lib".to_owned()], ..Question::default() };
    answers.ask(&resolver, &question, |result| Some(result.clone()));
    let gate = checked(describe_skill_input_gate("lib", Some("A"), None, "/w/p", answers.into_check(0).unwrap()));
    assert_eq!((gate.gate, gate.surface.as_str(), gate.value.as_str()), ("skill-input", "skill", "lib"));
    assert_eq!(gate.suggestion, None);
    let ask = &gate.ask;
    assert_eq!((ask.source, ask.skill_name.as_deref()), (AskSource::SkillInput, Some("lib")));
    assert_eq!((&ask.tool_call_id, &ask.tool_name, ask.agent_name.as_deref()), (&None, &None, Some("A")));
    let message = gate.log["message"].clone();
    assert!(message.as_str().unwrap().contains("lib"));
    let expected = json!({"source": "skill_input", "skillName": "lib", "agentName": "A", "message": message});
    assert_eq!(serde_json::Value::Object(gate.log), expected);
}
