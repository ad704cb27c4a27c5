//! The scenario runner: model, loader and checker of scenario files, implementations under test, comparison, reports.
//!
//! | room | holds |
//! | --- | --- |
//! | [`source`], [`problem`] | texts with names and places; what is wrong with them |
//! | [`yaml`] | YAML with the place of every node |
//! | [`scenario`] | the model of docs/scenarios.md |
//! | [`load`] | files to scenarios, strictly |
//! | [`schema`] | the format as JSON Schema |
//! | [`requirements`], [`coverage`] | the ids of docs/spec; what shows which |
//! | [`implementation`] | what is under test: the reference, adapters; worlds and observations |
//! | [`doubles`] | gates that are wrong on purpose |
//! | [`protocol`] | the messages of docs/protocol.md |
//! | [`compare`] | expected against observed |
//! | [`run`] | plays scenarios, keeps results |
//! | [`own_policy`] | people's own policy files, put in front of the reference |
//! | [`mod@explain`] | what the gate says of one call, and why |
//! | [`first_test`] | the first test of a policy, one row a rule |
//! | [`mod@parse`] | the shell analysis of one command line, shown |
//! | [`demo_session`] | one session of a tiny host as a process |
//! | [`pattern_set`] | patterns as sets of values |
//! | [`policy_coverage`] | what of a policy tests reach |
//! | [`policy_diff`] | what one policy says otherwise than another |
//! | [`replay`] | recorded requests, decided again under another policy |
//! | [`effective`] | the rules of all policy files as one list |
//! | [`lint`] | what is probably not meant in a policy file |
//! | [`select`] | filters and shards |
//! | [`revision`] | what the suite was at a time |
//! | [`results`] | the results of several implementations on one page |
//! | [`side_by_side`] | several implementations: the rows and the generated calls on which they part |
//! | [`report`] | how results look |
//! | [`cli`], [`error`] | the command line and how it ends |

pub mod cli;
pub mod compare;
pub mod coverage;
pub mod demo_session;
pub mod doubles;
pub mod effective;
pub mod error;
pub mod explain;
pub mod first_test;
pub mod implementation;
pub mod lint;
pub mod load;
pub mod own_policy;
pub mod parse;
pub mod pattern_set;
pub mod policy_coverage;
pub mod policy_diff;
pub mod problem;
pub mod protocol;
pub mod replay;
pub mod report;
pub mod requirements;
pub mod results;
pub mod revision;
pub mod run;
pub mod scenario;
pub mod schema;
pub mod select;
pub mod side_by_side;
pub mod source;
pub mod yaml;
