//! `lanescope serve`: the page on this machine, with the real compiler behind it.
//!
//! A request passes [`access`] (token, host, origin), [`api`] hands it on; what is to be compiled passes [`job`], which
//! lets through only flags of [`flags`] and texts of [`vetting`], and waits its turn in [`queue`]. A server that is killed
//! leaves its cleaning to [`guard`]. Start reading at [`run`].

mod access;
mod api;
mod args;
mod browser;
mod files;
mod flags;
mod guard;
mod http;
mod job;
mod page;
mod queue;
mod tools;
mod vetting;

pub(crate) use args::ServeArgs;

use crate::compiled::Scratch;
use crate::usage::bad_usage;
use crate::{clock, output};
use access::Access;
use anyhow::anyhow;
use api::Service;
use files::Files;
use page::Page;
use queue::Queue;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tiny_http::Server;
use tools::Tools;

/// Between two looks at whether somebody has ended the server.
const PERIOD: Duration = Duration::from_millis(50);

/// Bytes of a token that nobody can guess.
const TOKEN_BYTES: usize = 16;

/// Serves until Ctrl-C.
///
/// # Errors
/// When there is no page, a file is not there, the port is taken, or other machines could reach it without a token.
pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<ExitCode> {
    if !args.host.is_loopback() && args.token.is_none() {
        return Err(bad_usage(format!(
            "--host {} lets other machines in: give --token, or forward the port through SSH",
            args.host
        )));
    }
    let token = match &args.token {
        Some(token) => token.clone(),
        None => random_token()?,
    };
    let scratch = Scratch::new()?;
    guard::start(scratch.path())?;
    let service = Arc::new(Service {
        page: Page::new(args.page.as_deref())?,
        files: Files::new(&args.files, &args.folders)?,
        tools: Tools::found(),
        queue: Queue::default(),
        scratch: scratch.path().to_owned(),
    });
    let server = Server::http((args.host, args.port)).map_err(|error| {
        anyhow!(
            "could not listen on port {} ({error}); try --port",
            args.port
        )
    })?;
    let at = server.server_addr().to_ip();
    let at = at.ok_or_else(|| anyhow!("the system named no address"))?;
    let address = format!("http://{at}/{token}/");
    output::print(&greeting(&address, at, &service.tools))?;
    let access = Access::new(token, args.host);
    let answering = service.clone();
    thread::spawn(move || http::answer_all(&server, &access, &answering));
    if args.open && !browser::open(&address) {
        output::complain("note: no browser was found; open the address yourself");
    }
    let _looking = clock::looking();
    while !clock::is_over() {
        thread::sleep(PERIOD);
    }
    Ok(ExitCode::SUCCESS)
}

/// What a terminal is told.
fn greeting(address: &str, at: SocketAddr, tools: &Tools) -> String {
    let (port, tools) = (at.port(), tools.text());
    let mut text = format!("Lanescope is at {address} (stop with Ctrl-C)\n{tools}\n");
    if at.ip().is_loopback() {
        let _ = writeln!(
            text,
            "From another machine: ssh -N -L {port}:127.0.0.1:{port} {}",
            this_machine()
        );
    }
    text
}

/// How SSH reached this machine, or a word for it.
fn this_machine() -> String {
    let connection = std::env::var("SSH_CONNECTION").unwrap_or_default();
    let host = connection.split(' ').nth(2);
    match (host, std::env::var("USER")) {
        (Some(host), Ok(user)) => format!("{user}@{host}"),
        (Some(host), Err(_)) => host.to_owned(),
        (None, _) => "HOST".to_owned(),
    }
}

fn random_token() -> anyhow::Result<String> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| anyhow!("no random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
