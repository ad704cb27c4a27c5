//! `portcullis demo-session`.

use std::io::{BufReader, Write, stderr, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use portcullis_core::host::ExchangeStore;
use portcullis_core::host::system::SystemExchangeStore;
use portcullis_test_fixtures::{FaultyExchange, PlannedFault};
use serde_json::{Value, json};

use super::args::{DemoSessionOptions, EndBy};
use crate::demo_session::{self, Answers, DemoSession, End, Person, Role, Teller};
use crate::error::{CliError, CliErrorKind, EXIT_FAILED};

pub(super) fn demo_session(options: &DemoSessionOptions) -> Result<u8, CliError> {
    let session = session(options)?;
    let asks = matches!(session.role, Role::Child { .. });
    let (ends, end) = channel();
    let wanted = ends.clone();
    // Without a handler the program ends as programs do: its inbox is swept by whoever serves next.
    let _ = ctrlc::set_handler(move || {
        let _ = wanted.send(End::Wanted);
    });
    let tell = teller();
    let tally = demo_session::run(session, &tell, (ends, end));
    tell(&json!({ "event": "ended", "asked": tally.asked, "allowed": tally.allowed, "early": tally.ended_early }));
    Ok(if asks && (tally.ended_early || tally.allowed < tally.asked) { EXIT_FAILED } else { 0 })
}

/// One JSON line an event. Nobody reads a closed pipe; the session goes on, because others may wait for it.
fn teller() -> Teller {
    let out = Mutex::new(stdout());
    Arc::new(move |event: &Value| {
        let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(out, "{event}").and_then(|()| out.flush());
    })
}

fn session(options: &DemoSessionOptions) -> Result<DemoSession, CliError> {
    let role = match &options.parent {
        Some(parent) => {
            let each = options.commands.iter().cloned();
            let commands: Vec<String> = each.cycle().take(options.commands.len().saturating_mul(options.repeat)).collect();
            if commands.is_empty() {
                return Err(CliError::new(
                    CliErrorKind::NothingRan,
                    "a session with a parent asks about commands, and none is given",
                ));
            }
            Role::Child { parent: parent.clone(), commands }
        }
        None if !options.commands.is_empty() => {
            return Err(CliError::new(CliErrorKind::Input, "only a session with a parent (--parent) asks about commands"));
        }
        None if options.answers.is_empty() => {
            Role::Parent(Person::Typing(Arc::new(Mutex::new((BufReader::new(stdin()), stderr())))))
        }
        None => Role::Parent(Person::Scripted(Answers { list: options.answers.clone(), after: options.after })),
    };
    Ok(DemoSession {
        session: options.session.clone(),
        agent_dir: directory(&options.agent_dir)?,
        project: directory(&options.project)?,
        trusted: options.trusted,
        waiting_time: options.waiting_time,
        exchange: exchange(options),
        role,
    })
}

fn directory(path: &Path) -> Result<PathBuf, CliError> {
    let unusable = |why: String| CliError::new(CliErrorKind::Input, format!("cannot use {}: {why}", path.display()));
    if !std::fs::metadata(path).map_err(|error| unusable(error.to_string()))?.is_dir() {
        return Err(unusable("it is no directory".into()));
    }
    let path = std::path::absolute(path).map_err(|error| unusable(error.to_string()))?;
    if path.to_str().is_none() {
        return Err(unusable("its name is no UTF-8".into()));
    }
    Ok(path)
}

/// The real folders; for tests of what a killed process leaves behind, with an end in the middle.
fn exchange(options: &DemoSessionOptions) -> Arc<dyn ExchangeStore> {
    let Some((operation, by)) = options.die_at else { return Arc::new(SystemExchangeStore) };
    let faulty = FaultyExchange::new().aborting_by(die);
    faulty.plan(
        operation,
        match by {
            EndBy::Before => PlannedFault::CrashBefore,
            EndBy::Inside => PlannedFault::CrashInside,
            EndBy::After => PlannedFault::CrashAfter,
        },
    );
    Arc::new(faulty)
}

/// Ends the process at once, with nothing put in order.
fn die() {
    #[cfg(unix)]
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    // Where there is no such signal, or it takes its time.
    std::thread::sleep(Duration::from_secs(1));
    std::process::abort();
}
