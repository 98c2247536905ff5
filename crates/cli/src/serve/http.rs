//! Requests as they come, and answers as they go.

use super::access::{Access, RequestHead};
use super::api::{Reply, Service, refused};
use std::borrow::Cow;
use std::io::{Read as _, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use tiny_http::{Method, Request, Server, StatusCode};

/// The most requests at a time.
const MOST_AT_A_TIME: usize = 128;

/// The most bytes that a request may send.
const MOST_SENT_BYTES: u64 = 2 << 20;

/// What every answer says: it is for this page alone, and nobody keeps it. There is no header that lets other pages in.
const HEADERS: [(&str, &str); 6] = [
    ("Cache-Control", "no-store"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("Content-Security-Policy", "frame-ancestors 'self'"),
];

/// Answers until the server ends, each request on a thread of its own: one waits for a compiler, others do not.
pub(super) fn answer_all(server: &Server, access: &Access, service: &Arc<Service>) {
    let busy = Arc::new(AtomicUsize::new(0));
    for request in server.incoming_requests() {
        let guest = Guest::of(&busy);
        let (access, service) = (access.clone(), service.clone());
        let answered = thread::Builder::new().spawn(move || {
            let mut request = request;
            let is_full = guest.0.load(Ordering::Relaxed) > MOST_AT_A_TIME;
            let reply = match is_full {
                true => refused(503, "too many requests at a time"),
                false => reply(&mut request, &access, &service),
            };
            // A visitor who went away is no reason to stop.
            let _ = write(reply, &mut *request.into_writer());
        });
        drop(answered);
    }
}

/// One of the requests that are being answered.
struct Guest(Arc<AtomicUsize>);

impl Guest {
    fn of(busy: &Arc<AtomicUsize>) -> Self {
        busy.fetch_add(1, Ordering::Relaxed);
        Self(busy.clone())
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn reply(request: &mut Request, access: &Access, service: &Service) -> Reply {
    let url = request.url().to_owned();
    let head = RequestHead {
        url: &url,
        host: header(request, "Host"),
        origin: header(request, "Origin"),
        site: header(request, "Sec-Fetch-Site"),
    };
    let Some(path) = access.path(head).map(str::to_owned) else {
        return refused(
            403,
            "this address lacks the token that `lanescope serve` printed",
        );
    };
    let path = path.as_str();
    match request.method() {
        Method::Get => service.reply(path, None),
        Method::Post => match sent(request) {
            Ok(body) => service.reply(path, Some(&body)),
            Err(reply) => reply,
        },
        Method::Head
        | Method::Put
        | Method::Delete
        | Method::Connect
        | Method::Options
        | Method::Trace
        | Method::Patch
        | Method::NonStandard(_) => refused(405, "only GET and POST are answered"),
    }
}

/// What a request sends. A form of another page cannot send this type without being asked for it first.
fn sent(request: &mut Request) -> Result<Vec<u8>, Reply> {
    let is_json = header(request, "Content-Type").is_some_and(|one| one == "application/json");
    if !is_json {
        return Err(refused(415, "only application/json is read"));
    }
    let mut body = Vec::new();
    let read = request
        .as_reader()
        .take(MOST_SENT_BYTES + 1)
        .read_to_end(&mut body);
    if read.is_err() || body.len() as u64 > MOST_SENT_BYTES {
        return Err(refused(413, "the text is too long"));
    }
    Ok(body)
}

fn header<'r>(request: &'r Request, name: &'static str) -> Option<&'r str> {
    let found = request.headers().iter().find(|one| one.field.equiv(name));
    found.map(|one| one.value.as_str())
}

/// Writes an answer as it goes over the wire. Every connection ends with its answer: the library serves few of them at a
/// time, and one that a browser keeps open would have others wait.
fn write(reply: Reply, out: &mut dyn Write) -> std::io::Result<()> {
    let (status, bytes, content_type) = match reply {
        Reply::File(file) => (200, file.bytes, file.content_type),
        Reply::Json { status, text } => {
            let bytes = Cow::Owned(text.into_bytes());
            (status, bytes, "application/json")
        }
    };
    let reason = StatusCode(status).default_reason_phrase();
    write!(out, "HTTP/1.1 {status} {reason}\r\nConnection: close\r\n")?;
    write!(out, "Content-Type: {content_type}\r\n")?;
    write!(out, "Content-Length: {}\r\n", bytes.len())?;
    for (name, value) in HEADERS {
        write!(out, "{name}: {value}\r\n")?;
    }
    write!(out, "\r\n")?;
    out.write_all(&bytes)?;
    out.flush()
}
