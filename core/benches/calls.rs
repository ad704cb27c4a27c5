//! Whole calls through the whole gate: `cargo bench -p portcullis-core --bench calls`.
//!
//! Absolute times belong to a machine. What counts is the ratio of two rows: a shell call against a read call, and a call
//! under many rules against one under twelve.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot build its world has nothing to measure")]

use std::hint::black_box;
use std::sync::Arc;

use divan::Bencher;
use portcullis_core::composition::{Host, HostOptions, PermissionSystem, ToolCallAnswer};
use portcullis_core::host::system::{SystemClock, SystemFileStore, SystemFileView, SystemIds};
use portcullis_core::host::{HostContext, Trust};
use portcullis_test_fixtures::{
    FakeContext, FakeEnvironment, FakeToolRegistry, Journal, RecordingBus, RecordingLog, TempWorld, WorldEntry, tool_call_event,
};
use serde_json::{Value, json};

fn main() {
    divan::main();
}

/// A gate over a world on disk; the journal is emptied after each call so that it does not grow.
struct Gate {
    system: PermissionSystem,
    context: Arc<dyn HostContext>,
    journal: Journal,
    _world: TempWorld,
}

impl Gate {
    fn under(permission: &Value) -> Self {
        let world = TempWorld::new().unwrap();
        let journal = Journal::default();
        let config = world.agent_dir().join("extensions/pi-permission-system/config.json");
        world.put(&config, &WorldEntry::Text(json!({ "permission": permission }).to_string())).unwrap();
        let context = FakeContext::new(world.cwd().to_str().unwrap());
        context.set_trust(Trust::Trusted);
        let system = PermissionSystem::new(Host {
            tools: Arc::new(FakeToolRegistry::named(&journal, &["read", "write", "bash"])),
            bus: Arc::new(RecordingBus::new(&journal)),
            files: Arc::new(SystemFileView),
            store: Arc::new(SystemFileStore),
            log: Some(Arc::new(RecordingLog::new(&journal))),
            clock: Arc::new(SystemClock),
            ids: Arc::new(SystemIds),
            environment: Arc::new(FakeEnvironment::new(world.home().to_str().unwrap())),
            trace: None,
            resolver: None,
            forwarding: None,
            options: HostOptions::default(),
        });
        let context: Arc<dyn HostContext> = Arc::new(context);
        system.handle_session_start(&json!({ "reason": "startup" }), Some(&context));
        Self { system, context, journal, _world: world }
    }

    fn call(&self, event: &Value) -> ToolCallAnswer {
        let answer = self.system.handle_tool_call(event, Some(&self.context));
        self.journal.take();
        answer
    }
}

fn twelve_rules() -> Value {
    json!({
        "*": "ask",
        "read": { "*": "allow", "*.pem": "deny", "secrets/*": "ask" },
        "bash": { "*": "ask", "git *": "allow", "cd *": "allow", "tee *": "allow", "rm *": "deny" },
        "path": { "*.env": "deny", "*.key": "ask" },
        "external_directory": { "*": "allow", "/etc/*": "deny" }
    })
}

#[divan::bench]
fn read_under_12_rules(bencher: Bencher) {
    let gate = Gate::under(&twelve_rules());
    let event = tool_call_event("read", json!({ "path": "src/app.ts" }), "c1");
    assert_eq!(gate.call(&event), ToolCallAnswer::Allow);
    bencher.bench(|| gate.call(black_box(&event)));
}

#[divan::bench]
fn bash_cd_push_pipe(bencher: Bencher) {
    let gate = Gate::under(&twelve_rules());
    let event = tool_call_event("bash", json!({ "command": "cd /repo && git push origin main | tee out.log" }), "c1");
    bencher.bench(|| gate.call(black_box(&event)));
}

#[divan::bench]
fn chain_of_300_units(bencher: Bencher) {
    let gate = Gate::under(&twelve_rules());
    let command = format!("{}git log", "git status && ".repeat(299));
    let event = tool_call_event("bash", json!({ "command": command }), "c1");
    assert_eq!(gate.call(&event), ToolCallAnswer::Allow);
    bencher.bench(|| gate.call(black_box(&event)));
}

#[divan::bench(args = [10, 100, 1_000, 10_000])]
fn read_among(bencher: Bencher, rules: usize) {
    let mut map: serde_json::Map<String, Value> =
        (0..rules).map(|n| (format!("src/module-{n}/*.ts"), json!(if n % 2 == 0 { "allow" } else { "ask" }))).collect();
    map.insert("docs/*".to_owned(), json!("deny"));
    let gate = Gate::under(&json!({ "*": "allow", "read": map }));
    let event = tool_call_event("read", json!({ "path": "src/module-4/app.ts" }), "c1");
    assert_eq!(gate.call(&event), ToolCallAnswer::Allow);
    bencher.bench(|| gate.call(black_box(&event)));
}
