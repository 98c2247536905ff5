//! Serving `dist/` on this machine.

use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Component, Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::{Result, anyhow};
use clap::Args;
use tiny_http::{Header, Request, Response, Server};
use walkdir::WalkDir;

use crate::bundle::Bundle;
use crate::wasm::Speed;
use crate::workspace;

const WATCHED: [&str; 4] = ["web", "crates", "index.html", "Cargo.toml"];
const WATCH_PERIOD: Duration = Duration::from_millis(500);

/// How to serve.
#[derive(Args)]
pub(crate) struct Options {
    /// The port to listen on
    #[arg(long, default_value_t = 8321)]
    port: u16,
    /// The address to listen on; the default is reached from this machine only
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Build again when a source changes
    #[arg(long)]
    watch: bool,
    /// Compile quickly rather than small
    #[arg(long)]
    fast: bool,
}

/// Builds the page and serves it until stopped.
///
/// # Errors
/// When the build fails or the port is taken.
pub(crate) fn serve(options: &Options) -> Result<()> {
    let speed = Speed::from_fast(options.fast);
    Bundle::build(speed, "")?;
    let server = listen(options.host, options.port)?;
    if options.watch {
        thread::spawn(move || watch(speed));
    }
    answer_all(&server, "");
    Ok(())
}

/// Serves `dist/` as it is until stopped, to this machine.
///
/// # Errors
/// When the port is taken.
pub(crate) fn as_it_is(page: &str, port: u16) -> Result<()> {
    answer_all(&listen(IpAddr::V4(Ipv4Addr::LOCALHOST), port)?, page);
    Ok(())
}

fn listen(host: IpAddr, port: u16) -> Result<Server> {
    Server::http((host, port))
        .map_err(|error| anyhow!("could not listen on port {port} ({error}); try --port"))
}

fn answer_all(server: &Server, page: &str) {
    println!(
        "Lanescope is at http://{}/{page} (stop with Ctrl-C)",
        server.server_addr()
    );
    for request in server.incoming_requests() {
        // A visitor who went away is no reason to stop.
        let _ = answer(request);
    }
}

fn answer(request: Request) -> std::io::Result<()> {
    let Some(bytes) = path_of(request.url()).and_then(|path| Some((fs::read(&path).ok()?, path)))
    else {
        return request.respond(Response::from_string("not here").with_status_code(404));
    };
    let (bytes, path) = bytes;
    let headers = [
        ("Content-Type", content_type(&path)),
        ("Cache-Control", "no-cache"),
        // The element and the module can be tried from a page of another port.
        ("Access-Control-Allow-Origin", "*"),
    ];
    let response = headers
        .iter()
        .fold(
            Response::from_data(bytes),
            |response, (name, value)| match Header::from_bytes(*name, *value) {
                Ok(header) => response.with_header(header),
                Err(()) => response,
            },
        );
    request.respond(response)
}

/// The file under `dist/` that an address names; a folder's is its index.
fn path_of(url: &str) -> Option<PathBuf> {
    let path = Path::new(url.split(['?', '#']).next()?.trim_start_matches('/'));
    if !path
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        return None;
    }
    let path = workspace::dist().join(path);
    Some(if path.is_dir() {
        path.join("index.html")
    } else {
        path
    })
}

fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

fn watch(speed: Speed) {
    let mut built = newest();
    loop {
        thread::sleep(WATCH_PERIOD);
        let now = newest();
        if now == built {
            continue;
        }
        built = now;
        match Bundle::build(speed, "") {
            Ok(_) => println!("built again; load the page again"),
            Err(error) => eprintln!("{error:#}"),
        }
    }
}

/// When a source was last changed.
fn newest() -> Option<SystemTime> {
    let files = WATCHED
        .iter()
        .flat_map(|path| WalkDir::new(workspace::root().join(path)));
    files
        .filter_map(|file| file.ok()?.metadata().ok()?.modified().ok())
        .max()
}

#[cfg(test)]
mod tests {
    use super::path_of;

    #[test]
    fn nothing_outside_is_served() {
        assert!(path_of("/../Cargo.toml").is_none());
        assert!(path_of("/a/../../b").is_none());
        assert!(path_of("//etc/passwd").is_some_and(|path| path.ends_with("dist/etc/passwd")));
        assert!(path_of("/index.html?a#b").is_some_and(|path| path.ends_with("dist/index.html")));
    }
}
