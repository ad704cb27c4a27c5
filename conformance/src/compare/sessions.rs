//! What is expected of several sessions and of the folders between them.

use portcullis_test_fixtures::Tree;
use serde_json::{Map, Value};

use super::{Comparison, WitnessedExchange, lines, only};
use crate::implementation::Observation;
use crate::scenario::{Expect, MessageExpectation};

impl Comparison<'_> {
    pub(super) fn messages(&mut self, expect: &Expect, seen: &Observation) {
        let Some(expected) = &expect.messages else { return };
        let kind = |request: bool| if request { "request" } else { "response" };
        let fits = |expected: &MessageExpectation, got: &crate::implementation::ObservedMessage| {
            got.kind == kind(expected.request)
                && self.texts.members(&expected.members, &got.body)
                && expected.without.iter().all(|key| got.body.get(key).is_none())
        };
        let same = expected.len() == seen.messages.len()
            && expected.iter().zip(&seen.messages).all(|(expected, got)| fits(expected, got));
        if same {
            return;
        }
        let wanted: Vec<Value> = expected
            .iter()
            .map(|message| {
                let mut shown = Map::from_iter([(kind(message.request).to_owned(), Value::Object(message.members.clone()))]);
                if !message.without.is_empty() {
                    shown.insert("without".into(), Value::from(message.without.clone()));
                }
                Value::Object(shown)
            })
            .collect();
        let shown = seen.messages.iter().enumerate().map(|(index, got)| {
            let body = match expected.get(index).filter(|message| message.without.is_empty()) {
                Some(message) => only(&got.body, &message.members),
                None => got.body.clone(),
            };
            Value::Object(Map::from_iter([(got.kind.clone(), body)]))
        });
        let shown: Vec<Value> = shown.collect();
        self.miss("messages", lines(&wanted), lines(&shown));
    }

    pub(super) fn took(&mut self, expect: &Expect, seen: &Observation) {
        let Some((at_least, less_than)) = expect.took else { return };
        let fits = seen.took.is_some_and(|took| (at_least..less_than).contains(&took));
        if !fits {
            let got = seen.took.map_or_else(|| "not observed".to_owned(), |took| format!("{took} ms"));
            self.miss("took", format!("at least {at_least} ms, less than {less_than} ms"), got);
        }
    }

    pub(super) fn exchange(&mut self, expect: &Expect, witnessed: &WitnessedExchange<'_>) {
        let WitnessedExchange { view, root, tree } = witnessed;
        self.names("exchange", expect.exchange.as_deref(), Some(&view.entries));
        self.names("heartbeats", expect.heartbeats.as_deref(), Some(&view.heartbeats));
        for (path, expected) in &expect.exchange_has {
            let found = view.entries.iter().find(|entry| self.texts.equal(path, entry));
            let got = found
                .and_then(|entry| tree.read(&root.join(entry)).ok())
                .and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
            let fits = got.as_ref().is_some_and(|got| self.texts.members(&expected.members, got));
            if !fits {
                let wanted = Value::Object(expected.members.clone()).to_string();
                let shown = match &got {
                    Some(got) => only(got, &expected.members).to_string(),
                    None => format!("no such JSON file; there are: {}", view.entries.join(", ")),
                };
                self.miss(format!("exchange has {path}"), wanted, shown);
            }
        }
        for (path, expected) in &expect.modes {
            let heartbeats: Vec<String> = view.heartbeats.iter().map(|folder| format!("{folder}/heartbeat.json")).collect();
            let mut entries = view.entries.iter().chain(&view.folders).chain(&heartbeats);
            let found = entries.find(|entry| self.texts.equal(path, entry.trim_end_matches('/')));
            let got = found.map_or_else(|| "no such entry".to_owned(), |entry| mode(*tree, &root.join(entry)));
            if got != *expected {
                self.miss(format!("mode of {path}"), expected, got);
            }
        }
    }
}

fn mode(tree: &dyn Tree, path: &std::path::Path) -> String {
    match tree.mode(path) {
        Ok(Some(mode)) => format!("{mode:o}"),
        Ok(None) => "not told on this system".to_owned(),
        Err(error) => error.to_string(),
    }
}
