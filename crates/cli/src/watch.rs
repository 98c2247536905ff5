//! Long work: all cores, a progress bar where somebody looks. What ends it is [`crate::clock`]'s.

use crate::clock;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lanescope_query::{Executor, Stop};
use std::io::{IsTerminal as _, stderr};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Between two looks at how far the work is.
const PERIOD: Duration = Duration::from_millis(50);

/// Work that takes no longer has no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// The stack of a thread: as deep as a main thread's, since texts are read on it too.
const STACK_BYTES: usize = 8 << 20;

/// Whether a bar of files stands, beside which the launches of each show none.
static COUNTS_FILES: AtomicBool = AtomicBool::new(false);

/// Several threads, each of which takes the next task that nobody has taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threads(NonZeroUsize);

impl Threads {
    /// As many threads as are asked for, or else as this machine runs at a time.
    pub(crate) fn of(asked: Option<NonZeroUsize>) -> Self {
        let all = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Self(asked.unwrap_or_else(all))
    }
}

impl Executor for Threads {
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= tasks {
                    return;
                }
                task(number);
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.0.get().min(tasks) {
                // One thread fewer is no reason to stop.
                let _ = thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, work);
            }
            work();
        });
    }
}

/// Does `work` on `blocks` blocks. Ctrl-C and the limit of time end it through `stop`.
pub(crate) fn watched<T>(stop: &Stop, blocks: u64, work: impl FnOnce() -> T) -> T {
    let _looking = clock::looking();
    thread::scope(|scope| {
        let (working, done) = channel::<()>();
        scope.spawn(move || watch(stop, blocks, &done));
        let answer = work();
        drop(working);
        answer
    })
}

/// Does `work` with each of `files` files' numbers on several threads, under one bar of files. Ctrl-C ends it once what
/// looks at the clock has looked.
pub(crate) fn each_file(threads: Threads, files: usize, work: impl Fn(usize) + Sync) {
    let _looking = clock::looking();
    let bar = stderr().is_terminal().then(|| {
        bar(
            files as u64,
            "{wide_bar} {human_pos} of {human_len} files, {elapsed}",
        )
    });
    COUNTS_FILES.store(true, Ordering::Relaxed);
    threads.run(files, &|file| {
        work(file);
        if let Some(bar) = &bar {
            bar.inc(1);
        }
    });
    COUNTS_FILES.store(false, Ordering::Relaxed);
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

/// Looks at the work until that is done.
fn watch(stop: &Stop, blocks: u64, done: &Receiver<()>) {
    let started = Instant::now();
    let is_shown = stderr().is_terminal() && !COUNTS_FILES.load(Ordering::Relaxed);
    let mut shown = None;
    while done.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
        if started.elapsed() >= PATIENCE && is_shown {
            let template = "{wide_bar} {human_pos} of {human_len} blocks, {elapsed}";
            let bar = shown.get_or_insert_with(|| bar(blocks, template));
            bar.set_position(stop.blocks_done().min(blocks));
        }
    }
    if let Some(bar) = shown {
        bar.finish_and_clear();
    }
}

fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// A limit of time in seconds, as the command line has it.
///
/// # Errors
/// When it is no number of seconds; none at all are no limit.
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "not a time".to_owned())
}
