//! Serving `dist/` on this machine.

use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Result, anyhow};
use clap::Args;
use tiny_http::{Header, Request, Response, Server};
use walkdir::WalkDir;

use crate::bundle::Bundle;
use crate::engine;
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
    /// Compile small, as the page is published: that takes several times as long
    #[arg(long)]
    published: bool,
}

/// How much of `dist/` is built.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing, or what was built before.
    Nothing,
    /// The page and the lab.
    Page,
    /// The gallery, the stories and the documentation, too.
    Whole,
}

/// What stands beside the page, and is built after it.
const ARTICLES: [&str; 3] = ["gallery", "stories", "docs"];

/// Serves the page until stopped, and builds it meanwhile: first what the first view needs, then what stands beside it.
///
/// # Errors
/// When the build fails or the port is taken.
pub(crate) fn serve(options: &Options) -> Result<()> {
    let started = Instant::now();
    let speed = Speed::from_fast(!options.published);
    let server = Arc::new(listen(options.host, options.port)?);
    let stage = Arc::new(Mutex::new(Stage::Nothing));
    println!(
        "Lanescope will be at http://{}/ as soon as it is built (stop with Ctrl-C)",
        server.server_addr()
    );
    let builder = thread::spawn({
        let (server, stage, watches) = (Arc::clone(&server), Arc::clone(&stage), options.watch);
        move || {
            let built = build(speed, &stage, started);
            if built.is_err() {
                server.unblock();
            } else if watches {
                watch(speed);
            }
            built
        }
    });
    for request in server.incoming_requests() {
        let stage = *stage.lock().unwrap_or_else(PoisonError::into_inner);
        // A visitor who went away is no reason to stop.
        let _ = answer(request, stage);
    }
    builder
        .join()
        .unwrap_or_else(|_| Err(anyhow!("the build ended early")))
}

fn build(speed: Speed, stage: &Mutex<Stage>, started: Instant) -> Result<()> {
    let reached = |reached: Stage, what: &str| {
        *stage.lock().unwrap_or_else(PoisonError::into_inner) = reached;
        println!("{what} after {} s", started.elapsed().as_secs());
    };
    Bundle::build_page(speed, "")?;
    reached(Stage::Page, "the page is built");
    engine::articles("")?;
    reached(
        Stage::Whole,
        "the gallery, the stories and the documentation are built",
    );
    Ok(())
}

/// Serves `dist/` as it is until stopped, to this machine.
///
/// # Errors
/// When the port is taken.
#[cfg(feature = "engine")]
pub(crate) fn as_it_is(page: &str, port: u16) -> Result<()> {
    let server = listen(IpAddr::V4(Ipv4Addr::LOCALHOST), port)?;
    println!(
        "Lanescope is at http://{}/{page} (stop with Ctrl-C)",
        server.server_addr()
    );
    for request in server.incoming_requests() {
        let _ = answer(request, Stage::Whole);
    }
    Ok(())
}

fn listen(host: IpAddr, port: u16) -> Result<Server> {
    Server::http((host, port))
        .map_err(|error| anyhow!("could not listen on port {port} ({error}); try --port"))
}

fn answer(request: Request, stage: Stage) -> std::io::Result<()> {
    if is_awaited(request.url(), stage) {
        return request.respond(awaited());
    }
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
    request.respond(with_headers(Response::from_data(bytes), &headers))
}

type InMemory = Response<std::io::Cursor<Vec<u8>>>;

fn with_headers(response: InMemory, headers: &[(&str, &str)]) -> InMemory {
    headers.iter().fold(
        response,
        |response, (name, value)| match Header::from_bytes(*name, *value) {
            Ok(header) => response.with_header(header),
            Err(()) => response,
        },
    )
}

/// Whether what an address names is yet to be built. What a former build left is not shown as today's.
fn is_awaited(url: &str, stage: Stage) -> bool {
    let first = url.trim_start_matches('/').split(['/', '?', '#']).next();
    match stage {
        Stage::Nothing => true,
        Stage::Page => first.is_some_and(|first| ARTICLES.contains(&first)),
        Stage::Whole => false,
    }
}

/// What stands in the place of a page that is being built; it asks again by itself.
fn awaited() -> InMemory {
    let page = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" \
                content=\"2\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>Lanescope is being \
                built</title>\n<p style=\"font:16px system-ui;margin:20vh auto;max-width:40ch\">This page is being \
                built, and opens by itself; the terminal says how far it is.</p>\n";
    let headers = [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Cache-Control", "no-store"),
    ];
    with_headers(Response::from_data(page), &headers).with_status_code(503)
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
    use super::{Stage, is_awaited, path_of};

    #[test]
    fn nothing_outside_is_served() {
        assert!(path_of("/../Cargo.toml").is_none());
        assert!(path_of("/a/../../b").is_none());
        assert!(path_of("//etc/passwd").is_some_and(|path| path.ends_with("dist/etc/passwd")));
        assert!(path_of("/index.html?a#b").is_some_and(|path| path.ends_with("dist/index.html")));
    }

    #[test]
    fn what_stands_beside_the_page_is_awaited_until_it_is_built() {
        for url in ["/gallery/", "/stories/en/reduction.html", "/docs"] {
            assert!(is_awaited(url, Stage::Page), "{url}");
            assert!(!is_awaited(url, Stage::Whole), "{url}");
        }
        for url in ["/", "/lab.html", "/docs-1.css", "/?gallery"] {
            assert!(is_awaited(url, Stage::Nothing), "{url}");
            assert!(!is_awaited(url, Stage::Page), "{url}");
        }
    }
}
