//! The narrow traits that a host offers to the gate. This room decides nothing.
//!
//! Every look at the world (files, clock, environment, randomness, the person) passes through one of these traits, one
//! role each, so that the rest of the crate is a function of its inputs. All of them are shared between threads: a host
//! may hand in tool calls in parallel.

pub(crate) mod boundary;
mod exchange;
mod file_view;
mod roles;
pub mod system;

pub use exchange::{Bell, ExchangeFault, ExchangeFaultKind, ExchangeStore, Processes, SystemBell, Waiter};
pub use file_view::{EntryKind, FileFault, FileFaultKind, FileStamp, FileStore, FileView};
pub use roles::{
    Choice, Clock, DialogOption, Environment, EventBus, HostContext, HostError, HostResult, IdSource, ListDialog, LogSink,
    LogStream, NoticeLevel, Platform, ToolRegistry, Trust, UserInterface,
};
