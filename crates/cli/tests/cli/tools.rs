//! Tools that hang, print without end or leave others behind: the command line ends them, and its folders go.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A folder with a `nvdisasm` of ours, and another for temporary files.
struct Bench(PathBuf);

impl Bench {
    fn new(name: &str, script: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("lanescope-tools-{name}-{}", std::process::id()));
        let bench = Self(folder);
        fs::create_dir_all(bench.at("bin")).expect("a folder");
        fs::create_dir_all(bench.at("scratch")).expect("a folder");
        let tool = bench.at("bin/nvdisasm");
        fs::write(&tool, format!("#!/bin/sh\n{script}\n")).expect("a file");
        fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).expect("a program");
        fs::write(bench.at("k.cubin"), cubin()).expect("a file");
        bench
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn command(&self, seconds: &str) -> Command {
        let path = format!("{}:/usr/bin:/bin", self.at("bin").display());
        let mut command = Command::new(env!("CARGO_BIN_EXE_lanescope"));
        command
            .arg("kernel")
            .arg(self.at("k.cubin"))
            .args(["--max-seconds", seconds])
            .env("PATH", path)
            .env("BENCH", &self.0)
            .env("TMPDIR", self.at("scratch"))
            .stdin(Stdio::null());
        command
    }

    fn run(&self, seconds: &str) -> Output {
        self.command(seconds).output().expect("an end")
    }

    /// Nothing is left behind: no process of the tool's, no folder.
    fn check(&self) {
        let pid = fs::read_to_string(self.at("pid")).expect("the tool ran");
        for pid in pid.split_whitespace() {
            let state = || fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let is_gone = |_| {
                thread::sleep(Duration::from_millis(20));
                state().is_empty() || state().contains(") Z")
            };
            assert!((0..200).any(is_gone), "process {pid} goes on");
        }
        let left: Vec<_> = fs::read_dir(self.at("scratch"))
            .expect("a folder")
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// As much of an object as is looked at before a disassembler is asked.
fn cubin() -> Vec<u8> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../object/tests");
    let mut pending = vec![golden];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|one| one == "cubin") {
                return fs::read(path).expect("a cubin");
            }
        }
    }
    panic!("no cubin among the tests of `object`");
}

const SPINS: &str = "echo $$ > $BENCH/pid; while :; do :; done";
const FORKS: &str = "sleep 1000 & echo $$ $! > $BENCH/pid; wait";
const LEAVES: &str = "sleep 1000 & echo $! > $BENCH/pid; echo nothing";

#[test]
fn a_tool_that_spins_ends_with_the_limit() {
    for (name, script) in [("spins", SPINS), ("forks", FORKS)] {
        let bench = Bench::new(name, script);
        let started = Instant::now();
        let output = bench.run("1");
        assert!(started.elapsed() < Duration::from_millis(4_000));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("nvdisasm was stopped"), "{said}");
        bench.check();
    }
}

#[test]
fn what_a_tool_leaves_behind_ends_with_it() {
    let bench = Bench::new("leaves", LEAVES);
    let started = Instant::now();
    let _ = bench.run("20");
    assert!(started.elapsed() < Duration::from_secs(10));
    bench.check();
}

#[test]
fn an_interrupt_ends_a_tool_and_removes_its_folder() {
    for signal in ["INT", "TERM"] {
        let bench = Bench::new(&format!("interrupt-{signal}"), SPINS);
        let mut child = bench
            .command("60")
            .stderr(Stdio::null())
            .spawn()
            .expect("a start");
        let is_begun = |_| {
            thread::sleep(Duration::from_millis(20));
            bench.at("pid").metadata().is_ok_and(|data| data.len() > 0)
        };
        assert!((0..500).any(is_begun), "the tool does not begin");
        let scratch: Vec<PathBuf> = fs::read_dir(bench.at("scratch"))
            .expect("a folder")
            .map(|entry| entry.expect("a folder").path())
            .collect();
        assert_eq!(scratch.len(), 1);
        let mode = scratch[0]
            .metadata()
            .expect("a folder")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o700);
        let status = Command::new("kill")
            .args([&format!("-{signal}"), &child.id().to_string()])
            .status();
        assert!(status.is_ok_and(|status| status.success()));
        let started = Instant::now();
        let _ = child.wait().expect("an end");
        assert!(started.elapsed() < Duration::from_secs(5));
        bench.check();
    }
}
