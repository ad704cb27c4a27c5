//! Plays the suite on a double and counts who notices.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Double;
use crate::implementation::Factory;
use crate::implementation::external::{External, Limits};
use crate::run::{self, Options};
use crate::scenario::Scenario;

/// How many scenarios that name the broken requirement have to fail.
pub const WITNESSES: usize = 3;

/// What became of a double.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Caught {
    /// The double.
    pub name: &'static str,
    /// What it does wrong.
    pub fault: &'static str,
    /// The requirements that it breaks.
    pub breaks: &'static [&'static str],
    /// Scenarios that were played and cover a broken requirement.
    pub named: usize,
    /// Those among them of which a row failed.
    pub naming: Vec<String>,
    /// All scenarios that were played and of which a row failed.
    pub caught: Vec<String>,
}

impl Caught {
    /// Whether too few scenarios noticed.
    pub fn escapes(&self) -> bool {
        self.naming.len() < WITNESSES
    }
}

/// Starts doubles, those that are played apart in processes of this program.
#[derive(Debug, Clone)]
pub struct Launcher {
    /// The program `portcullis`.
    pub program: PathBuf,
    /// How long a double may take that is played apart.
    pub limits: Limits,
}

impl Launcher {
    /// What starts the double.
    pub fn factory(&self, double: &Double) -> Result<Box<dyn Factory>, String> {
        if !double.is_apart() {
            return Ok(Box::new(*double));
        }
        let command = self.command(double)?;
        let external = External::parse(&command, self.limits).ok_or_else(|| format!("there is no program `{command}`"))?;
        Ok(Box::new(external))
    }

    fn command(&self, double: &Double) -> Result<String, String> {
        let program = Path::to_str(&self.program).ok_or("the program's path is no text")?;
        let program = shlex::try_quote(program).map_err(|error| error.to_string())?;
        Ok(format!("{program} serve --implementation double:{}", double.name))
    }
}

/// The scenarios that cover a requirement which the double breaks.
pub fn naming(double: &Double, scenarios: &[Scenario]) -> Vec<Scenario> {
    scenarios.iter().filter(|scenario| double.is_named_by(scenario)).cloned().collect()
}

/// Plays scenarios, all of which pass on the reference, on a double.
pub fn judge(double: &Double, scenarios: &[Scenario], launcher: &Launcher, jobs: usize) -> Result<Caught, String> {
    let factory = launcher.factory(double)?;
    let results = run::run(scenarios, factory.as_ref(), Options::new(jobs), &|_| {})?;
    let bad = scenarios.iter().zip(&results).filter(|(_, result)| result.verdict.is_bad()).map(|(scenario, _)| scenario);
    Ok(Caught {
        name: double.name,
        fault: double.fault,
        breaks: double.breaks,
        named: ids(scenarios.iter().filter(|scenario| double.is_named_by(scenario))).len(),
        naming: ids(bad.clone().filter(|scenario| double.is_named_by(scenario))),
        caught: ids(bad),
    })
}

/// The ids of rows in the order of the suite, each once.
fn ids<'s>(rows: impl Iterator<Item = &'s Scenario>) -> Vec<String> {
    let mut known = BTreeSet::new();
    rows.filter(|row| known.insert(row.id.as_str())).map(|row| row.id.clone()).collect()
}
