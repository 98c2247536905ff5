//! `lanescope mcp`: the Model Context Protocol over standard input and output, for programs that ask on somebody's behalf.
//!
//! A message is a line of JSON-RPC 2.0. Calls run beside each other, each with its own time; one that is cancelled ends. When
//! standard input ends, the calls that run are answered first.
//!
//! <https://modelcontextprotocol.io/specification/2025-06-18>

mod args;
mod message;
mod tools;

pub(crate) use args::McpArgs;

use crate::clean;
use lanescope_query::Stop;
use message::{Incoming, Refusal};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// The versions of the protocol that are spoken, the newest first.
const VERSIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];

/// A message may have so many bytes: a source with its arguments, and no more.
const MESSAGE_BYTES_MAX: u32 = 4 * 1024 * 1024;

/// Calls that run at the same time.
const CALLS_MAX: usize = 8;

/// What a client shows the model that asks.
const INSTRUCTIONS: &str = "Lanescope counts what a warp's memory accesses cost on a GPU, without a GPU: shared-memory \
    wavefronts and bank conflicts, global-memory sectors, by line of a kernel's source. An answer's status says how far to \
    trust it: counted, predicted, assumed (counted if the reasons hold) or partial. Give the launch (grid, block, numeric \
    arguments by name); fixes are proved on the changed source.";

/// Answers until standard input ends.
///
/// # Errors
/// When standard input cannot be read.
pub(crate) fn run(_: &McpArgs) -> anyhow::Result<ExitCode> {
    let server = Server::default();
    let mut input = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let mut limited = (&mut input).take(MESSAGE_BYTES_MAX.into());
        if limited.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let is_cut = limited.limit() == 0;
        let is_whole = line.ends_with(b"\n") || !is_cut;
        if is_whole {
            server.hear(&line);
        } else {
            input.skip_until(b'\n')?;
            server.say(&Refusal::too_long(MESSAGE_BYTES_MAX).answer(&Value::Null));
        }
    }
    server.finish();
    Ok(ExitCode::SUCCESS)
}

/// What the threads of a session share.
#[derive(Clone, Default)]
struct Server {
    /// The calls that run, by their id as JSON writes it.
    calls: Arc<Mutex<HashMap<String, Call>>>,
    /// Held while a line is written.
    output: Arc<Mutex<()>>,
}

struct Call {
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Takes a line.
    fn hear(&self, line: &[u8]) {
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        match message::parse(line) {
            Err((id, refusal)) => self.say(&refusal.answer(&id)),
            Ok(Incoming::Notice { method, params }) => self.notice(&method, &params),
            Ok(Incoming::Answer) => {} // nothing is ever asked of the client
            Ok(Incoming::Request { id, method, params }) => self.request(id, &method, &params),
        }
    }

    fn notice(&self, method: &str, params: &Value) {
        if method != "notifications/cancelled" {
            return;
        }
        let calls = locked(&self.calls);
        if let Some(call) = calls.get(&params["requestId"].to_string()) {
            call.stop.stop();
        }
    }

    fn request(&self, id: Value, method: &str, params: &Value) {
        let answer = match method {
            "initialize" => Ok(greeting(params)),
            "ping" => Ok(json!({})),
            "tools/list" => Ok(json!({ "tools": tools::list() })),
            "tools/call" => match self.call(&id, params) {
                Ok(()) => return,
                Err(refusal) => Err(refusal),
            },
            _ => Err(Refusal::no_such_method(method)),
        };
        match answer {
            Ok(result) => self.say(&message::result(&id, result)),
            Err(refusal) => self.say(&refusal.answer(&id)),
        }
    }

    /// Starts a call on a thread of its own, which answers it.
    fn call(&self, id: &Value, params: &Value) -> Result<(), Refusal> {
        let job = tools::Job::of(params)?;
        let stop = Stop::default();
        let key = id.to_string();
        let mut calls = locked(&self.calls);
        calls.retain(|_, call| {
            call.thread
                .as_ref()
                .is_none_or(|thread| !thread.is_finished())
        });
        if calls.contains_key(&key) || calls.len() >= CALLS_MAX {
            return Err(Refusal::busy(CALLS_MAX));
        }
        let (server, id, ends) = (self.clone(), id.clone(), stop.clone());
        let work = move || {
            let result = job.run(&ends);
            if !ends.is_stopped() {
                server.say(&message::result(&id, result));
            }
        };
        let thread = thread::Builder::new().name("call".to_owned()).spawn(work);
        let thread = Some(thread.map_err(|_| Refusal::busy(CALLS_MAX))?);
        calls.insert(key, Call { stop, thread });
        Ok(())
    }

    /// Waits until every call is answered.
    fn finish(&self) {
        let calls: Vec<Call> = locked(&self.calls).drain().map(|(_, call)| call).collect();
        for thread in calls.into_iter().filter_map(|call| call.thread) {
            // A call that failed has said so.
            let _ = thread.join();
        }
    }

    /// Writes a line; a client that went away is found out when its input ends.
    fn say(&self, message: &Value) {
        let _held = locked(&self.output);
        let mut out = io::stdout().lock();
        let _ = writeln!(out, "{}", clean::json(message.to_string())).and_then(|()| out.flush());
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is said to a client that begins: the version that it speaks where it is known, otherwise the newest.
fn greeting(params: &Value) -> Value {
    let asked = params["protocolVersion"].as_str();
    let version = asked.filter(|asked| VERSIONS.contains(asked));
    json!({
        "protocolVersion": version.unwrap_or(VERSIONS[0]),
        "capabilities": { "tools": { "listChanged": false } },
        "serverInfo": { "name": "lanescope", "title": "Lanescope", "version": env!("CARGO_PKG_VERSION") },
        "instructions": INSTRUCTIONS,
    })
}
