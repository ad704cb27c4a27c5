//! The answers that one gate collected, and the check that they come to.

use super::descriptor::GateCheck;
use super::inputs::GateResolver;
use super::most_restrictive::most_restrictive;
use crate::policy::{PermissionCheckResult, PermissionState, Question, QuestionTrace};

/// One answer.
pub(crate) struct Answer {
    /// What the resolver said, or what the gate made of it.
    pub(crate) result: PermissionCheckResult,
    /// Whether it takes part in the choice.
    pub(crate) counts: bool,
    /// What was asked, kept where the answer is an ask that counts: another session may have to judge it (HARD-009).
    pub(crate) question: Option<Question>,
}

/// All answers of a gate, in the order of its questions.
#[derive(Default)]
pub(crate) struct Answers {
    list: Vec<Answer>,
}

impl Answers {
    /// Puts a question; the gate says what it makes of the answer, `None` when it counts for nothing.
    pub(crate) fn ask(
        &mut self,
        resolver: &dyn GateResolver,
        question: &Question,
        weigh: impl FnOnce(&PermissionCheckResult) -> Option<PermissionCheckResult>,
    ) -> Option<&PermissionCheckResult> {
        let result = resolver.resolve(question);
        let weighed = weigh(&result);
        let counts = weighed.is_some();
        let result = weighed.unwrap_or(result);
        let asks = counts && result.state == PermissionState::Ask;
        self.list.push(Answer { result, counts, question: asks.then(|| question.clone()) });
        self.list.last().filter(|answer| answer.counts).map(|answer| &answer.result)
    }

    /// The answer to a question by its number.
    pub(crate) fn get(&self, index: usize) -> Option<&PermissionCheckResult> {
        self.list.get(index).map(|answer| &answer.result)
    }

    /// Every answer, counting or not.
    pub(crate) fn all(&self) -> impl Iterator<Item = &PermissionCheckResult> {
        self.list.iter().map(|answer| &answer.result)
    }

    /// The counting answers that are no allow, with their numbers.
    pub(crate) fn restrictive(&self) -> impl Iterator<Item = (usize, &PermissionCheckResult)> {
        let counting = self.list.iter().enumerate().filter(|(_, answer)| answer.counts);
        counting.map(|(index, answer)| (index, &answer.result)).filter(|(_, result)| result.state != PermissionState::Allow)
    }

    /// The questions that still ask, with their numbers.
    pub(crate) fn asking(&self) -> impl Iterator<Item = (usize, &Question)> {
        self.list.iter().enumerate().filter_map(|(index, answer)| Some((index, answer.question.as_ref()?)))
    }

    /// The number of the strictest counting answer, the first among equals.
    pub(crate) fn strictest(&self) -> Option<usize> {
        let counting: Vec<usize> =
            self.list.iter().enumerate().filter(|(_, answer)| answer.counts).map(|(index, _)| index).collect();
        let chosen = most_restrictive(counting.iter().filter_map(|index| self.get(*index)).map(|result| result.state))?;
        counting.get(chosen).copied()
    }

    /// The traces, for a gate that checks nothing.
    pub(crate) fn into_questions(self) -> Vec<QuestionTrace> {
        self.list.into_iter().map(|answer| answer.result.trace).collect()
    }

    /// The check that this answer makes.
    pub(crate) fn into_check(self, deciding: usize) -> Option<GateCheck> {
        let counting = || self.list.iter().filter(|answer| answer.counts).map(|answer| &answer.result);
        let baseline_state = counting().map(baseline_state).max().unwrap_or(PermissionState::Allow);
        let raised = counting().flat_map(|result| &result.trace.tightenings);
        let tightenings = raised.filter(|step| step.after > baseline_state).cloned().collect();
        let all_allowed = self.restrictive().next().is_none();
        let mut result = self.list.get(deciding)?.result.clone();
        result.trace = QuestionTrace::default();
        let questions = self.into_questions();
        Some(GateCheck { result, questions, deciding: Some(deciding), all_allowed, baseline_state, tightenings })
    }
}

/// The state of an answer without the steps that the package does not have.
fn baseline_state(result: &PermissionCheckResult) -> PermissionState {
    result.trace.tightenings.iter().map(|step| step.before).fold(result.state, PermissionState::min)
}
