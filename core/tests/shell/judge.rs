//! One command, one policy, one verdict.

use std::sync::Arc;

use portcullis_core::composition::{Host, HostOptions, PermissionSystem};
use portcullis_core::handlers::ToolCallAnswer;
use portcullis_core::host::HostContext;
use portcullis_core::host::system::{SystemClock, SystemFileStore, SystemFileView};
use portcullis_test_fixtures::{
    CountingIds, FakeContext, FakeEnvironment, FakeToolRegistry, Journal, RecordingBus, RecordingLog, ScriptedUi, TempWorld,
    WorldEntry, tool_call_event,
};
use serde_json::json;

/// `allow`, `ask` (a question was put), or `deny`.
pub(crate) fn verdict(policy: &str, command: &str) -> &'static str {
    with_world(policy, &[], command)
}

/// The same with entries below the session directory: `name` a file, `name/` a directory, `name -> target` a link.
pub(crate) fn with_world(policy: &str, entries: &[&str], command: &str) -> &'static str {
    let world = TempWorld::new().unwrap();
    for entry in entries {
        let (path, what) = match entry.split_once(" -> ") {
            Some((path, target)) => (path, WorldEntry::Symlink(target.to_owned())),
            None if entry.ends_with('/') => (*entry, WorldEntry::Directory),
            None => (*entry, WorldEntry::Text(String::new())),
        };
        world.put(&world.cwd().join(path), &what).unwrap();
    }
    let cwd = world.cwd().to_str().unwrap();
    let home = world.home().to_str().unwrap();
    let policy = policy.replace("<cwd>", cwd);
    let config = world.agent_dir().join("extensions/pi-permission-system/config.json");
    world.put(&config, &WorldEntry::Text(format!("{{\"permission\":{policy}}}"))).unwrap();
    let journal = Journal::default();
    let system = PermissionSystem::new(Host {
        tools: Arc::new(FakeToolRegistry::named(&journal, &["bash"])),
        bus: Arc::new(RecordingBus::new(&journal)),
        files: Arc::new(SystemFileView),
        store: Arc::new(SystemFileStore),
        log: Some(Arc::new(RecordingLog::new(&journal))),
        clock: Arc::new(SystemClock),
        ids: Arc::new(CountingIds::default()),
        environment: Arc::new(FakeEnvironment::new(home)),
        trace: None,
        resolver: None,
        forwarding: None,
        options: HostOptions { agent_dir: Some(world.agent_dir().to_str().unwrap().to_owned()), ..HostOptions::default() },
    });
    let context = FakeContext::new(cwd);
    context.set_ui(Some(Arc::new(ScriptedUi::new(&journal, Vec::new()))));
    let context: Arc<dyn HostContext> = Arc::new(context);
    let event = tool_call_event("bash", json!({ "command": command.replace("<cwd>", cwd).replace("<home>", home) }), "call-1");
    let answer = system.handle_tool_call(&event, Some(&context));
    match (answer, journal.dialogs().len()) {
        (ToolCallAnswer::Allow, 0) => "allow",
        (ToolCallAnswer::Block { .. }, 0) => "deny",
        (ToolCallAnswer::Block { .. }, _) => "ask",
        (ToolCallAnswer::Allow, _) => "allowed after a question",
    }
}
