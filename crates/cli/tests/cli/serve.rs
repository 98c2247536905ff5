//! `lanescope serve` attacked: strangers, hostile texts and flags, compilers that flood, spin and fork, ends by force.

use lanescope_query::{Question, Report, analyse};
use lanescope_share::{Source, State, decode_kept, encode};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

const KERNEL: &str = "__global__ void k(float* a) { a[threadIdx.x] = 1; }\n";

/// A server with a compiler of ours, whose files are all in a folder of its own.
struct Bench {
    folder: tempfile::TempDir,
    child: Child,
    address: String,
    token: String,
}

/// An answer: its status, what stands in its head, and its body.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }
}

impl Bench {
    /// `script` is the compiler: `$OUT` is its output's path, `$SOURCE` its source's.
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["bin", "scratch", "dist", "work"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        let at = |name: &str| folder.path().join(name);
        let head = "#!/bin/sh\necho run >> $BENCH/runs\nfor one; do [ \"$last\" = -o ] && OUT=$one; last=$one; \
                    case $one in *.cu) SOURCE=$one;; esac; done\n";
        fs::write(at("bin/nvcc"), format!("{head}{script}\n")).expect("a file");
        fs::set_permissions(at("bin/nvcc"), fs::Permissions::from_mode(0o755)).expect("a program");
        fs::write(at("dist/index.html"), "<head></head><body>page</body>").expect("a file");
        fs::write(at("work/k.cu"), KERNEL).expect("a file");
        let mut child = Command::new(env!("CARGO_BIN_EXE_lanescope"))
            .arg("serve")
            .arg(at("work/k.cu"))
            .arg("--page")
            .arg(at("dist"))
            .env("PATH", format!("{}:/usr/bin:/bin", at("bin").display()))
            .env("BENCH", folder.path())
            .env("TMPDIR", at("scratch"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a start");
        let mut out = BufReader::new(child.stdout.take().expect("standard output"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        let rest = line.split("http://").nth(1).expect("an address");
        let (address, token) = rest.split_once('/').expect("a token");
        let token = token.split('/').next().expect("a token").to_owned();
        Self {
            address: address.to_owned(),
            token,
            child,
            folder,
        }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// How often the compiler was started.
    fn runs(&self) -> usize {
        fs::read_to_string(self.at("runs")).map_or(0, |text| text.lines().count())
    }

    /// Sends a request as it stands; where the server ends meanwhile, there is no answer.
    fn raw(&self, text: &str) -> Option<Answer> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream
            .set_read_timeout(Some(Duration::from_secs(100)))
            .ok()?;
        stream.write_all(text.as_bytes()).ok()?;
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n")?;
        Some(Answer {
            status: head.split(' ').nth(1)?.parse().ok()?,
            head: head.to_owned(),
            body: body.to_owned(),
        })
    }

    fn get(&self, path: &str, headers: &str) -> Answer {
        let host = match headers.contains("Host:") {
            true => String::new(),
            false => format!("Host: {}\r\n", self.address),
        };
        let text = format!("GET {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\r\n");
        self.raw(&text).expect("an answer")
    }

    fn post(&self, path: &str, body: &Value) -> Option<Answer> {
        let (address, token, body) = (&self.address, &self.token, body.to_string());
        self.raw(&format!(
            "POST /{token}/serve/{path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ))
    }

    fn compile(&self, text: &str, flags: &str) -> Option<Answer> {
        self.post(
            "compile",
            &json!({ "link": link(text), "flags": flags, "file": 0 }),
        )
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args([&format!("-{name}"), &self.child.id().to_string()])
            .status();
        assert!(status.is_ok_and(|status| status.success()));
    }

    /// Waits until the compiler has written its processes down.
    fn pids(&self) -> Vec<String> {
        let has = || fs::read_to_string(self.at("pid")).unwrap_or_default();
        assert!(
            eventually(|| has().ends_with('\n')),
            "the compiler does not begin"
        );
        has().split_whitespace().map(str::to_owned).collect()
    }

    /// No process of the compiler's is left, and no folder.
    fn check_nothing_left(&self) {
        for pid in self.pids() {
            let state = || fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let is_gone = || state().is_empty() || state().contains(") Z");
            assert!(eventually(is_gone), "process {pid} goes on");
        }
        let left = || fs::read_dir(self.at("scratch")).expect("a folder").count();
        assert!(eventually(|| left() == 0), "{} folders are left", left());
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn eventually(mut is: impl FnMut() -> bool) -> bool {
    (0..1_000).any(|_| {
        thread::sleep(Duration::from_millis(20));
        is()
    })
}

fn link(text: &str) -> String {
    encode(&State {
        source: Source::Kernel(text.to_owned()),
        ..State::default()
    })
}

#[test]
fn strangers_are_refused_and_no_other_page_is_let_in() {
    let bench = Bench::new("exit 1");
    let page = format!("/{}/", bench.token);
    let own = bench.get(&page, "");
    assert_eq!(own.status, 200);
    assert!(own.body.contains("serve/served.js"));
    let port = bench.address.rsplit(':').next().expect("a port");
    let guess = format!("/{}/", "0".repeat(bench.token.len()));
    let rebound = format!("Host: evil.example:{port}\r\n");
    for (path, headers) in [
        ("/", ""),
        ("/index.html", ""),
        ("/serve/status", ""),
        (&*guess, ""),
        (&*page, &*rebound),
        (&*page, "Host: \r\n"),
        (&*page, "Origin: https://evil.example\r\n"),
        (&*page, "Origin: null\r\n"),
        (&*page, "Sec-Fetch-Site: cross-site\r\n"),
        (
            "/serve/socket",
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAA\r\n",
        ),
    ] {
        let answer = bench.get(path, headers);
        assert_eq!(answer.status, 403, "{path} {headers}");
        let head = answer.head.to_lowercase();
        assert!(!head.contains("access-control"), "{head}");
        assert!(!answer.body.contains(&bench.token));
    }
    // A form of another page that has guessed the token, and what a browser asks before it sends JSON.
    let (address, token) = (&bench.address, &bench.token);
    let form = bench.raw(&format!(
        "POST /{token}/serve/compile HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{{}}"
    ));
    assert_eq!(form.expect("an answer").status, 415);
    let asks = bench.raw(&format!(
        "OPTIONS /{token}/serve/compile HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    ));
    assert_eq!(asks.expect("an answer").status, 405);
    for path in ["../work/k.cu", "..%2fwork%2fk.cu", "/etc/passwd"] {
        assert_eq!(
            bench.get(&format!("{page}{path}"), "").status,
            404,
            "{path}"
        );
    }
    assert_eq!(bench.runs(), 0);
}

#[test]
fn other_machines_need_a_token() {
    let output = Command::new(env!("CARGO_BIN_EXE_lanescope"))
        .args(["serve", "--host", "0.0.0.0"])
        .output()
        .expect("an end");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--token"));
}

#[test]
fn hostile_texts_and_flags_reach_no_compiler() {
    let bench = Bench::new("exit 1");
    for text in [
        "#include \"/etc/passwd\"\n",
        "#include_next <passwd>\n",
        "#if __has_include(\"/etc/passwd\")\n#endif\n",
        "#define F \"/etc/passwd\"\n#include F\n",
        "#inc\\\nlude \"../../../../../../etc/passwd\"\n",
    ] {
        let answer = bench
            .compile(&format!("{text}{KERNEL}"), "")
            .expect("an answer");
        assert_eq!(answer.status, 400, "{text}");
        assert!(
            answer.json()["error"]
                .as_str()
                .is_some_and(|why| why.contains("line")),
            "{text}"
        );
    }
    for flags in [
        "-I/etc",
        "--compiler-bindir /tmp",
        "-o /tmp/x",
        "-Xcompiler -fplugin=x.so",
        "-DX=$(id)",
    ] {
        assert_eq!(
            bench.compile(KERNEL, flags).expect("an answer").status,
            400,
            "{flags}"
        );
    }
    // A request that is too long is refused, or cut off while it is sent.
    let long = bench.compile(KERNEL, &"-O1 ".repeat(1 << 20));
    assert!(long.is_none_or(|answer| answer.status == 413));
    assert_eq!(bench.runs(), 0);
}

#[test]
fn flags_in_the_text_are_text() {
    let bench = Bench::new("for one; do echo \"$one\" >> $BENCH/flags; done; exit 1");
    let text = format!("// nvcc: -I/etc -ccbin /tmp\n#pragma nvcc -o /tmp/x\n{KERNEL}");
    assert_eq!(bench.compile(&text, "-O1").expect("an answer").status, 200);
    let flags = fs::read_to_string(bench.at("flags")).expect("flags");
    assert!(flags.lines().any(|flag| flag == "-O1"));
    assert!(
        !flags.contains("ccbin") && !flags.contains("/etc"),
        "{flags}"
    );
}

#[test]
fn errors_of_a_compiler_stand_at_their_lines() {
    let bench =
        Bench::new("echo \"$SOURCE(2): error: identifier \\\"y\\\" is undefined\" >&2; exit 2");
    let answer = bench.compile(KERNEL, "").expect("an answer").json();
    assert_eq!(answer["answer"], "refused");
    let error = json!([{ "line": 2, "text": "error: identifier \"y\" is undefined" }]);
    assert_eq!(answer["errors"], error);
}

#[test]
fn a_flood_of_output_fills_no_memory() {
    let bench = Bench::new("yes | head -c 100000000; yes | head -c 100000000 >&2; exit 1");
    let answer = bench.compile(KERNEL, "").expect("an answer");
    assert!(answer.body.len() < 1 << 20, "{}", answer.body.len());
    let status =
        fs::read_to_string(format!("/proc/{}/status", bench.child.id())).expect("a status");
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .expect("a peak");
    let kib: u64 = peak
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .expect("a number");
    assert!(kib < 200 << 10, "{kib} KiB");
    assert_eq!(bench.get(&format!("/{}/", bench.token), "").status, 200);
}

/// Notes when it begins and ends; another that runs at the same time is noted too.
const ALONE: &str = "echo $$ >> $BENCH/pid; mkdir $BENCH/busy || echo two >> $BENCH/two\n\
    trap 'rmdir $BENCH/busy' EXIT; sleep 0.2; echo \"$SOURCE(1): error: last\"; exit 1";

#[test]
fn of_a_hundred_edits_a_second_the_last_is_compiled() {
    let bench = Bench::new(ALONE);
    let answers: Vec<Answer> = thread::scope(|scope| {
        let edits: Vec<_> = (0..100)
            .map(|number| {
                // The last is the last on a busy machine too.
                let pause = if number == 99 { 500 } else { 10 };
                thread::sleep(Duration::from_millis(pause));
                let text = format!("{KERNEL}// {number}\n");
                let bench = &bench;
                scope.spawn(move || bench.compile(&text, ""))
            })
            .collect();
        edits
            .into_iter()
            .map(|one| one.join().expect("an end").expect("an answer"))
            .collect()
    });
    let last = answers.last().expect("an answer");
    assert_eq!(
        (last.status, &last.json()["answer"]),
        (200, &json!("refused"))
    );
    let done = answers.iter().filter(|one| one.status == 200).count();
    assert!(answers.iter().all(|one| matches!(one.status, 200 | 409)));
    assert!(
        done < 50 && bench.runs() < 50,
        "{done} of {} runs",
        bench.runs()
    );
    let again = bench.runs();
    let kept = bench
        .compile(&format!("{KERNEL}// 99\n"), "")
        .expect("an answer");
    assert_eq!((kept.status, bench.runs()), (200, again));
}

#[test]
fn what_is_superseded_ends_with_all_that_it_has_started() {
    let script = "[ -e $BENCH/pid ] && exit 1; sleep 1000 & echo $$ $! > $BENCH/pid; wait";
    let bench = Bench::new(script);
    thread::scope(|scope| {
        let first = scope.spawn(|| bench.compile(KERNEL, "-O1"));
        let pids = bench.pids();
        assert_eq!(pids.len(), 2);
        assert_eq!(bench.compile(KERNEL, "-O2").expect("an answer").status, 200);
        assert_eq!(
            first.join().expect("an end").expect("an answer").status,
            409
        );
        for pid in pids {
            let state = || fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            assert!(
                eventually(|| state().is_empty() || state().contains(") Z")),
                "{pid} goes on"
            );
        }
    });
}

/// The compiler of the stories, which knows one kernel.
const TOOLKIT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/e2e/toolkit");

/// A server with that compiler, and the kernel.
fn with_toolkit() -> (Bench, String) {
    let bench = Bench::new(&format!("exec {TOOLKIT}/nvcc \"$@\""));
    let disassembler = format!("#!/bin/sh\nexec {TOOLKIT}/nvdisasm \"$@\"\n");
    fs::write(bench.at("bin/nvdisasm"), disassembler).expect("a file");
    fs::set_permissions(bench.at("bin/nvdisasm"), fs::Permissions::from_mode(0o755))
        .expect("a program");
    let source = fs::read_to_string(format!("{TOOLKIT}/turn.cu")).expect("a kernel");
    (bench, source)
}

#[test]
fn the_page_gets_the_listing_in_the_launch_that_was_counted() {
    let (bench, source) = with_toolkit();
    let mut state = State {
        source: Source::Kernel(source),
        ..State::default()
    };
    (state.launch.grid, state.launch.block) = ([4, 4, 1], [32, 32, 1]);
    let n = ("n".to_owned(), "128".to_owned());
    state.launch.arguments.push(n);
    let sent = json!({ "link": encode(&state), "flags": "", "file": 0 });
    let answer = bench.post("compile", &sent).expect("an answer").json();
    assert_eq!(answer["answer"], "counted", "{answer}");
    assert_eq!(answer["compiled"]["status"], "counted", "{answer}");
    let code = answer["code"].as_str().expect("a link");
    let opened = decode_kept(code).expect("a state").state;
    let Source::Kernel(listing) = &opened.source else {
        panic!("{opened:?}");
    };
    assert_eq!(
        opened.launch.arguments,
        [("param_2".to_owned(), "128".to_owned())]
    );
    let parsed = lanescope_compiled::read(listing, opened.launch.kernel.as_deref());
    let asked = Question::with(&opened, parsed.expect("SASS"), listing.clone(), 1_000_000);
    let report = Report::of(&analyse(asked.expect("a question")));
    let page = serde_json::to_value(report).expect("JSON");
    for key in ["totals", "status", "reasons"] {
        assert_eq!(page[key], answer["compiled"][key], "{key}");
    }
    assert_eq!(page["totals"]["shared_load_wavefronts"], 16 * 32 * 32);
}

#[test]
fn compiled_code_is_counted_with_what_its_source_assumes() {
    let (bench, source) = with_toolkit();
    let kernel = source.split("void run").next().expect("a kernel");
    let mut state = State {
        source: Source::Kernel(kernel.to_owned()),
        ..State::default()
    };
    (state.launch.guessed.grid, state.launch.guessed.block) = (true, true);
    let sent = json!({ "link": encode(&state), "flags": "", "file": 0 });
    let answer = bench.post("compile", &sent).expect("an answer").json();
    assert_eq!(answer["compiled"]["status"], "assumed", "{answer}");
    assert_eq!(answer["assumed"], json!({ "n": 512 }), "{answer}");
    let said = |of: &Value| -> Vec<String> {
        let reasons = of["reasons"].as_array().into_iter().flatten();
        reasons.map(|one| one["message"].to_string()).collect()
    };
    assert_eq!(said(&answer["compiled"]), said(&answer["predicted"]));
    let code = answer["code"].as_str().expect("a link");
    let launch = decode_kept(code).expect("a state").state.launch;
    assert_eq!(launch.arguments, [("param_2".to_owned(), "512".to_owned())]);
    assert!(launch.guessed.grid && launch.guessed.block);
}

#[test]
fn an_end_by_force_leaves_nothing() {
    for signal in ["KILL", "INT", "TERM"] {
        let bench = Bench::new("sleep 1000 & echo $$ $! > $BENCH/pid; echo x > $TMPDIR/x; wait");
        thread::scope(|scope| {
            scope.spawn(|| bench.compile(KERNEL, ""));
            bench.pids();
            let scratch = fs::read_dir(bench.at("scratch")).expect("a folder");
            for entry in scratch {
                let mode = entry
                    .and_then(|one| one.metadata())
                    .expect("a folder")
                    .permissions()
                    .mode();
                assert_eq!(mode & 0o777, 0o700);
            }
            bench.signal(signal);
            bench.check_nothing_left();
        });
    }
}

#[test]
fn a_file_is_opened_and_saved_over_what_was_read() {
    let bench = Bench::new("exit 1");
    let opened = bench
        .post("open", &json!({ "file": 0 }))
        .expect("an answer")
        .json();
    let text = format!("{KERNEL}// changed\n");
    let save = |version: &Value| {
        bench.post(
            "save",
            &json!({ "file": 0, "link": link(&text), "version": version }),
        )
    };
    let saved = save(&opened["version"]).expect("an answer");
    assert_eq!(saved.status, 200, "{}", saved.body);
    assert_eq!(
        fs::read_to_string(bench.at("work/k.cu")).expect("a text"),
        text
    );
    let stale = save(&opened["version"]).expect("an answer");
    assert_eq!(stale.status, 400, "{}", stale.body);
    assert_eq!(
        bench
            .post("open", &json!({ "file": 1 }))
            .expect("an answer")
            .status,
        400
    );
    let status = bench
        .get(&format!("/{}/serve/status", bench.token), "")
        .json();
    assert_eq!(status["files"][0]["name"], "k.cu");
    assert!(
        status["tools"]["nvcc"]
            .as_str()
            .is_some_and(|path| path.ends_with("bin/nvcc"))
    );
}
