//! A process in a group of its own, and the three threads at its streams. No thread ever waits for another: a child that does not read,
//! or writes without end, blocks nobody but itself.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::processes::{Descendants, MARK, end_adopted};
use crate::protocol::MAX_LINE;

/// What came from the child.
#[derive(Debug)]
pub(super) enum Event {
    /// A line of its standard output.
    Line(String),
    /// A line that is too long.
    Huge,
    /// A line that is no text.
    NotUtf8,
    /// The end of its standard output.
    Closed,
    /// Its standard input takes nothing more.
    Deaf(io::Error),
}

impl Event {
    /// Whether it is something that was said, and not an end.
    pub(super) fn is_stray(&self) -> bool {
        matches!(self, Self::Line(_) | Self::Huge | Self::NotUtf8)
    }
}

/// A running child.
#[derive(Debug)]
pub(super) struct Child {
    process: std::process::Child,
    input: Option<Arc<Input>>,
    lines: Option<Sender<String>>,
    /// What came, and when.
    events: Receiver<(Event, Instant)>,
    remarks: Arc<Mutex<Vec<u8>>>,
    remarks_end: Receiver<()>,
    status: Option<ExitStatus>,
    /// Where it puts its temporary files; goes away with it.
    folder: Option<TempDir>,
    descendants: Descendants,
}

/// How much of the standard error is kept: its end.
const KEPT: usize = 16 * 1024;

/// Groups that run, each with its folder, for the end of the program.
static RUNNING: Mutex<BTreeMap<u32, PathBuf>> = Mutex::new(BTreeMap::new());

/// Kills every child that runs and all that stems from it, and removes their temporary files. For a program that is about to end.
pub fn end_all() {
    for (leader, folder) in RUNNING.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        Descendants::default().end(*leader, folder, || kill_group(*leader));
        let _ = fs::remove_dir_all(folder);
    }
    end_adopted();
}

#[cfg(unix)]
fn kill_group(leader: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        // A group that is gone already is what is wanted.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_leader: u32) {}

impl Child {
    /// Starts the command in a group of its own, with a folder of its own for temporary files.
    pub(super) fn spawn(words: &[String]) -> io::Result<Self> {
        let Some((program, arguments)) = words.split_first() else { return Err(io::Error::other("no program is named")) };
        let folder = tempfile::Builder::new().prefix("portcullis-implementation-").tempdir()?;
        let mut command = Command::new(program);
        for name in [MARK, "TMPDIR", "TMP", "TEMP"] {
            command.env(name, folder.path());
        }
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut process = command.spawn()?;
        running.insert(process.id(), folder.path().to_path_buf());
        drop(running);
        let (lines, to_write) = mpsc::channel();
        let input = process.stdin.take().map(|stream| Arc::new(Input::new(stream)));
        let (said, events) = mpsc::sync_channel(64);
        let (ended, remarks_end) = mpsc::channel();
        let remarks = Arc::new(Mutex::new(Vec::new()));
        if let Some(input) = &input {
            let (said, input) = (said.clone(), Arc::clone(input));
            thread::spawn(move || write_lines(&input, &to_write, &said));
        }
        if let Some(stream) = process.stdout.take() {
            thread::spawn(move || read_lines(stream, &said));
        }
        if let Some(stream) = process.stderr.take() {
            let remarks = Arc::clone(&remarks);
            thread::spawn(move || keep_end(stream, &remarks, &ended));
        }
        Ok(Self {
            process,
            input,
            lines: Some(lines),
            events,
            remarks,
            remarks_end,
            status: None,
            folder: Some(folder),
            descendants: Descendants::default(),
        })
    }

    /// Writes a line, some time.
    pub(super) fn write(&self, mut line: String) {
        line.push('\n');
        if let (Some(lines), Some(input)) = (&self.lines, &self.input) {
            if input.takes_at_once(line.len()) && input.write(&line).is_ok() {
                return;
            }
            input.queued.fetch_add(1, Ordering::Release);
            // The writer that is gone has said why.
            let _ = lines.send(line);
        }
    }

    /// Ends its standard input, once what was said is written.
    fn close(&mut self) {
        (self.lines, self.input) = (None, None);
    }

    /// What stands in the pipe already.
    pub(super) fn waiting(&self) -> Option<Event> {
        self.events.try_recv().ok().map(|(event, _)| event)
    }

    /// What comes next, if it comes in time, and how long it is since the last line was written.
    pub(super) fn wait(&self, time: Duration) -> Option<(Event, Duration)> {
        let (event, came) = match self.events.recv_timeout(time) {
            Ok(came) => came,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => (Event::Closed, Instant::now()),
        };
        let written = self.input.as_ref().and_then(|input| *input.written.lock().unwrap_or_else(PoisonError::into_inner));
        Some((event, written.map(|written| came.saturating_duration_since(written)).unwrap_or_default()))
    }

    /// The end of its standard error.
    pub(super) fn remarks(&self) -> String {
        String::from_utf8_lossy(&self.remarks.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }

    /// A new scenario begins.
    pub(super) fn forget_remarks(&self) {
        self.remarks.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// How it ended, after its standard output did.
    pub(super) fn end_in_words(&mut self) -> String {
        const PATIENCE: Duration = Duration::from_secs(1);
        match self.ended_within(PATIENCE) {
            None => "closed its standard output, but goes on".into(),
            Some(status) => match (status.code(), signal(status)) {
                (Some(0), _) => "ended before its time (exit code 0)".into(),
                (Some(code), _) => format!("crashed (exit code {code})"),
                (None, Some(signal)) => format!("crashed (signal {signal})"),
                (None, None) => "crashed".into(),
            },
        }
    }

    /// Whether it ended well; `None` when it goes on.
    pub(super) fn ended_by_itself(&mut self, time: Duration) -> Option<bool> {
        self.ended_within(time).map(|status| status.success())
    }

    fn ended_within(&mut self, time: Duration) -> Option<ExitStatus> {
        const SLICE: Duration = Duration::from_millis(2);
        let ends = Instant::now() + time;
        while self.status.is_none() {
            if self.has_ended() {
                self.kill();
                break;
            }
            if Instant::now() >= ends {
                break;
            }
            thread::sleep(SLICE);
        }
        self.status
    }

    /// Whether it has ended; its number is not given back yet, so that its group can still be ended safely.
    #[cfg(unix)]
    fn has_ended(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let Some(pid) = i32::try_from(self.process.id()).ok().and_then(Pid::from_raw) else { return false };
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        matches!(waitid(WaitId::Pid(pid), look), Ok(Some(_)))
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(Some(_)))
    }

    /// It will be asked to end: looks at what stems from it while that can be seen.
    pub(super) fn take_leave(&mut self) {
        if let Some(folder) = &self.folder {
            self.descendants = Descendants::of(self.process.id(), folder.path());
        }
    }

    /// Closes its standard input and waits for it to end by itself.
    pub(super) fn let_go(&mut self, time: Duration) -> Option<ExitStatus> {
        self.close();
        self.ended_within(time)
    }

    /// Ends it, its group and whatever else stems from it, removes its temporary files, and collects the rest of its standard error.
    pub(super) fn kill(&mut self) {
        const REST: Duration = Duration::from_millis(200);
        let leader = self.process.id();
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if running.remove(&leader).is_none() {
            return;
        }
        // Before the leader is waited for, so that its number cannot belong to somebody else.
        let folder = self.folder.take();
        if let Some(folder) = &folder {
            self.descendants.end(leader, folder.path(), || kill_group(leader));
        }
        drop(running);
        self.close();
        let _ = self.process.kill();
        self.status = self.process.wait().ok();
        // Nobody can start while this is held, and nobody runs whose they could be.
        let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if running.is_empty() {
            end_adopted();
        }
        drop(running);
        let _ = self.remarks_end.recv_timeout(REST);
        // What cannot be removed is not this run's failure.
        let _ = folder.map(TempDir::close);
    }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> Option<i32> {
    None
}

/// The standard input of a child. Whoever asks writes into it at once where that cannot block, which spares a change of threads; else the
/// line waits for the thread that may be blocked.
#[derive(Debug)]
struct Input {
    stream: ChildStdin,
    /// Lines that the thread has not written yet.
    queued: AtomicUsize,
    /// When the last line began to be written.
    written: Mutex<Option<Instant>>,
}

impl Input {
    fn new(stream: ChildStdin) -> Self {
        Self { stream, queued: AtomicUsize::new(0), written: Mutex::default() }
    }

    fn write(&self, line: &str) -> io::Result<()> {
        *self.written.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        let mut stream = &self.stream;
        stream.write_all(line.as_bytes()).and_then(|()| stream.flush())
    }

    /// Whether so many bytes fit: the child has read all that was written, and no pipe holds less than a page.
    #[cfg(target_os = "linux")]
    fn takes_at_once(&self, bytes: usize) -> bool {
        const PAGE: usize = 4096;
        bytes <= PAGE && self.queued.load(Ordering::Acquire) == 0 && rustix::io::ioctl_fionread(&self.stream) == Ok(0)
    }

    #[cfg(not(target_os = "linux"))]
    fn takes_at_once(&self, _bytes: usize) -> bool {
        false
    }
}

fn write_lines(input: &Input, lines: &Receiver<String>, said: &SyncSender<(Event, Instant)>) {
    for line in lines {
        let written = input.write(&line);
        input.queued.fetch_sub(1, Ordering::Release);
        if let Err(error) = written {
            // One that ended has closed both streams; the reader tells that better.
            thread::sleep(Duration::from_millis(100));
            let _ = said.send((Event::Deaf(error), Instant::now()));
            return;
        }
    }
}

fn read_lines(stream: impl Read, said: &SyncSender<(Event, Instant)>) {
    let mut stream = BufReader::new(stream);
    loop {
        let mut line = Vec::new();
        let limit = u64::try_from(MAX_LINE).unwrap_or(u64::MAX).saturating_add(1);
        let read = stream.by_ref().take(limit).read_until(b'\n', &mut line);
        let came = Instant::now();
        let event = match read {
            Ok(0) | Err(_) => Event::Closed,
            Ok(_) if line.len() > MAX_LINE => Event::Huge,
            Ok(_) => match String::from_utf8(line) {
                Ok(line) => Event::Line(line.trim_end_matches(['\n', '\r']).to_owned()),
                Err(_) => Event::NotUtf8,
            },
        };
        let last = !matches!(event, Event::Line(_));
        if said.send((event, came)).is_err() || last {
            return;
        }
    }
}

fn keep_end(mut stream: impl Read, kept: &Mutex<Vec<u8>>, ended: &Sender<()>) {
    let mut buffer = [0_u8; 4096];
    while let Ok(read @ 1..) = stream.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(buffer.get(..read).unwrap_or_default());
        let excess = kept.len().saturating_sub(KEPT);
        kept.drain(..excess);
    }
    let _ = ended.send(());
}
