//! A fuzzer for the whole command line: arguments, files and names, with tools that hang.
//!
//! A run holds where it ends with a status of its own (no panic, no signal), within its limit of time and a tenth of it,
//! prints nothing that a terminal obeys, and leaves behind neither a process nor a folder. `cargo xtask fuzz-cli` runs it.

mod choice;
mod random;
mod text;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use choice::Case;
use clap::Parser;

/// What to fuzz.
#[derive(Parser)]
struct Options {
    /// How long, in seconds
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The first run's number: each makes the same run again
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// The command line
    program: PathBuf,
    /// Where the files of a find go
    #[arg(long, default_value = "target/command-line")]
    finds: PathBuf,
}

/// Starting and ending a process on a busy machine, which no limit of ours counts; a run that takes longer is told again
/// before it is a find.
const SLACK: Duration = Duration::from_millis(300);

/// How often a run is told that was too slow.
const TELLS: usize = 3;

/// The statuses that a command ends with.
const STATUSES: [i32; 5] = [0, 1, 2, 3, 4];

/// By which variable the processes of a run are known.
const MARK: &str = "LANESCOPE_FUZZ";

fn main() -> Result<()> {
    let options = Options::parse();
    let bench = Bench::new(options.program.canonicalize()?, options.finds)?;
    let started = Instant::now();
    let mut statuses: BTreeMap<i32, u64> = BTreeMap::new();
    let mut number = options.first;
    while started.elapsed() < Duration::from_secs(options.seconds) {
        let case = Case::of(number);
        let status = bench.holds(number, &case).with_context(|| {
            format!(
                "run {number}: {:?}\nfiles: {}",
                case.arguments,
                bench.kept(number, &case)
            )
        })?;
        *statuses.entry(status).or_default() += 1;
        number += 1;
    }
    let runs = number - options.first;
    println!("{runs} runs hold; by status: {statuses:?}");
    Ok(())
}

/// Where runs happen.
struct Bench {
    program: PathBuf,
    folder: PathBuf,
    finds: PathBuf,
}

impl Bench {
    fn new(program: PathBuf, finds: PathBuf) -> Result<Self> {
        let folder =
            std::env::temp_dir().join(format!("lanescope-command-line-{}", std::process::id()));
        for name in ["bin", "files", "scratch"] {
            fs::create_dir_all(folder.join(name))?;
        }
        for (name, script) in text::TOOLS {
            let path = folder.join("bin").join(name);
            fs::write(&path, script)?;
            executable(&path)?;
        }
        Ok(Self {
            program,
            folder,
            finds,
        })
    }

    /// Tells a run until it is quick enough; its status.
    fn holds(&self, number: u64, case: &Case) -> Result<i32> {
        for (name, bytes) in &case.files {
            fs::write(self.folder.join("files").join(name), bytes)?;
        }
        let most = case.limit * 11 / 10 + SLACK;
        let mut last = Duration::ZERO;
        for _ in 0..TELLS {
            let (status, took) = self.run_once(number, case, most)?;
            if took <= most {
                return Ok(status);
            }
            last = took;
        }
        bail!("it takes {last:?}, with a limit of {:?}", case.limit)
    }

    /// Runs a case once; its status and its time.
    fn run_once(&self, number: u64, case: &Case, most: Duration) -> Result<(i32, Duration)> {
        let path = format!("{}:/usr/bin:/bin", self.folder.join("bin").display());
        let mark = format!("{}-{number}", std::process::id());
        let out = self.folder.join("out");
        let err = self.folder.join("err");
        let input = fs::File::open(self.folder.join("files").join(&case.input))?;
        let started = Instant::now();
        let mut child = Command::new(&self.program)
            .args(&case.arguments)
            .current_dir(self.folder.join("files"))
            .env("PATH", path)
            .env("TMPDIR", self.folder.join("scratch"))
            .env(MARK, &mark)
            .env_remove("CUDA_HOME")
            .env_remove("CUDA_PATH")
            .stdin(input)
            .stdout(fs::File::create(&out)?)
            .stderr(fs::File::create(&err)?)
            .spawn()?;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if started.elapsed() > most * 4 + Duration::from_secs(20) {
                let _ = child.kill();
                let _ = child.wait();
                bail!("it does not end");
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let took = started.elapsed();
        let (out, err) = (fs::read(&out)?, fs::read(&err)?);
        let said = String::from_utf8_lossy(&err);
        let code = status.code().with_context(|| format!("{status}: {said}"))?;
        ensure!(STATUSES.contains(&code), "status {code}: {said}");
        ensure!(!said.contains("panicked at"), "{said}");
        check_clean("standard error", &err)?;
        if !case.is_picture {
            check_clean("standard output", &out)?;
        }
        check_gone(&mark)?;
        let left: Vec<_> = fs::read_dir(self.folder.join("scratch"))?.collect();
        ensure!(left.is_empty(), "it leaves {left:?}");
        Ok((code, took))
    }

    /// Keeps the files of a find.
    fn kept(&self, number: u64, case: &Case) -> String {
        let folder = self.finds.join(number.to_string());
        let _ = fs::create_dir_all(&folder);
        for name in case.files.keys() {
            let _ = fs::copy(self.folder.join("files").join(name), folder.join(name));
        }
        folder.display().to_string()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(unix)]
fn executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::set_permissions(
        path,
        fs::Permissions::from_mode(0o755),
    )?)
}

#[cfg(not(unix))]
fn executable(_: &Path) -> Result<()> {
    bail!("the tools of this fuzzer are shell scripts")
}

/// Nothing that a terminal obeys.
fn check_clean(stream: &str, bytes: &[u8]) -> Result<()> {
    let text = std::str::from_utf8(bytes).with_context(|| format!("{stream} is no text"))?;
    let text = text.replace("\r\n", "\n");
    let is_obeyed = |sign: char| {
        sign.is_control() && !matches!(sign, '\n' | '\t')
            || matches!(sign, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let found = text.char_indices().find(|(_, sign)| is_obeyed(*sign));
    if let Some((at, sign)) = found {
        let around: String = text[..at]
            .chars()
            .rev()
            .take(40)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect();
        bail!("{stream} has {sign:?} behind {around:?}");
    }
    Ok(())
}

/// No process of the run goes on.
fn check_gone(mark: &str) -> Result<()> {
    let wanted = format!("{MARK}={mark}\0");
    let goes_on = || {
        let all = fs::read_dir("/proc").ok()?.flatten();
        let mut all = all.map(|entry| entry.path());
        all.find(|path| {
            let environment = fs::read(path.join("environ")).unwrap_or_default();
            environment
                .windows(wanted.len())
                .any(|part| part == wanted.as_bytes())
        })
    };
    for _ in 0..50 {
        if goes_on().is_none() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    bail!("{:?} goes on", goes_on())
}
