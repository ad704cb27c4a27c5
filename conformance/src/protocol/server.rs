//! The other side: answers requests for an implementation in this process. It is what an adapter does, in Rust.

use std::io::{self, BufRead, Read as _, Write};

use serde_json::{Value, json};

use super::{Answer, Call, HelloResult, MAX_LINE, Reply, Request, VERSION};
use crate::implementation::{Factory, Implementation, Refusal};

/// Answers requests until `bye` or the end of the input.
pub fn serve(mut input: impl BufRead, mut output: impl Write, factory: &dyn Factory) -> io::Result<()> {
    let mut server = Server { factory, implementation: None };
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        // Without an id that can be read there is nobody to answer to; 0 is no id of a request.
        let (answer, last) = match serde_json::from_slice::<Request>(&line) {
            Ok(request) => (Answer { id: request.id, reply: server.reply(&request.call) }, request.call == Call::Bye),
            Err(error) => {
                let id = serde_json::from_slice::<Value>(&line).ok().and_then(|value| value.get("id")?.as_u64());
                (Answer { id: id.unwrap_or(0), reply: Reply::Error(format!("the request cannot be read: {error}")) }, false)
            }
        };
        writeln!(output, "{}", answer.line())?;
        output.flush()?;
        if last {
            return Ok(());
        }
    }
}

struct Server<'a> {
    factory: &'a dyn Factory,
    implementation: Option<Box<dyn Implementation>>,
}

impl Server<'_> {
    fn reply(&mut self, call: &Call) -> Reply {
        self.answer(call).unwrap_or_else(|refusal| match refusal {
            Refusal::Skip(reason) => Reply::Skip(reason),
            Refusal::Error(message) => Reply::Error(message),
        })
    }

    fn answer(&mut self, call: &Call) -> Result<Reply, Refusal> {
        if let Call::Hello { protocol, .. } = call {
            if *protocol != VERSION {
                return Err(Refusal::Error(format!("protocol {protocol} is not spoken here, only {VERSION}")));
            }
            let implementation = self.implementation.insert(self.factory.start().map_err(Refusal::Error)?);
            return result(&HelloResult::from(implementation.hello()));
        }
        let first = || Refusal::Error(format!("`{}` before `hello`", call.method()));
        let implementation = self.implementation.as_mut().ok_or_else(first)?;
        match call {
            Call::Begin { world } => implementation.begin(world)?,
            Call::Step { step } => {
                let mut seen = implementation.step(step)?;
                seen.write_traces();
                return result(&seen);
            }
            Call::End => implementation.end(),
            Call::Hello { .. } | Call::Bye => {}
        }
        Ok(Reply::Result(json!({})))
    }
}

fn result(value: &impl serde::Serialize) -> Result<Reply, Refusal> {
    serde_json::to_value(value).map(Reply::Result).map_err(|error| Refusal::Error(error.to_string()))
}
