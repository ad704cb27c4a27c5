//! `portcullis parse`: the shell analysis of one command line, shown to people and programs (docs/parse.md).
//!
//! Decides nothing and knows no policy: what runs, what is touched, and what hides its program. Files are looked at only when
//! a real directory was named.

mod analyse;
mod answer;
mod request;
mod tree;

pub use analyse::{Place, analyse};
pub use answer::{VERSION, answer, refusal};
pub(crate) use request::platform;
pub use request::{Request, read_request};
pub use tree::render;
