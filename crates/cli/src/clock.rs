//! The one clock over all that a command does, and what is left behind when it ends early.
//!
//! Work that can end in order looks at [`stop`] and answers with what it has found. Where it does not look in time, a
//! watchdog ends the process: no command outlives its limit by more than a tenth. Tools and folders of this process end
//! with it, on Ctrl-C too.

use crate::output;
use lanescope_query::Stop;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The exit status of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// The exit status of a command that its limit of time ended without an answer.
const NO_ANSWER: i32 = 1;

/// Parts of a hundred of the limit after which work that does not look at the clock is ended.
const PATIENCE_PERCENT: u32 = 108;

/// The least time beyond the limit that it has: a process takes some milliseconds to start.
const LEAST_PATIENCE: Duration = Duration::from_millis(50);

/// Parts of a hundred of the limit after which work that looks at it ends: the rest is for what it prints.
const WORK_PERCENT: u32 = 90;

/// How long a launch is counted whose shape or numbers were guessed.
const GUESS: Duration = Duration::from_secs(2);

struct Clock {
    stop: Stop,
    deadline: Option<Instant>,
    /// Counts the commands of this process, so that a watchdog knows its own.
    turn: usize,
    /// Process groups of tools that run.
    groups: Vec<u32>,
    folders: Vec<PathBuf>,
    /// Told which group runs, and of 0 when none does: what cleans up where this process cannot any more.
    heir: Option<Heir>,
}

/// Is told the leader of the group that runs.
type Heir = Box<dyn FnMut(u32) + Send>;

/// One of several works of a process that serves: it has a time of its own, and ends alone.
#[derive(Clone)]
struct Task {
    stop: Stop,
    deadline: Instant,
}

thread_local! {
    static TASK: RefCell<Option<Task>> = const { RefCell::new(None) };
}

fn task() -> Option<Task> {
    TASK.with_borrow(Clone::clone)
}

/// Does `work` on this thread as a task of its own: [`stop`], [`deadline`] and [`is_over`] are the task's until it is done.
pub(crate) fn as_task<T>(stop: &Stop, deadline: Instant, work: impl FnOnce() -> T) -> T {
    let stop = stop.clone();
    TASK.set(Some(Task { stop, deadline }));
    let answer = work();
    TASK.set(None);
    answer
}

/// Whether this thread works on a task, whose answer carries all that is to be said.
pub(crate) fn is_task() -> bool {
    TASK.with_borrow(Option::is_some)
}

static CLOCK: Mutex<Option<Clock>> = Mutex::new(None);
static HANDLER: Once = Once::new();
/// Parts of the work that look at [`stop`] just now.
static LOOKING: AtomicUsize = AtomicUsize::new(0);
/// Whether the answer is being printed: from then on its reader decides how long that takes.
static PRINTS: AtomicBool = AtomicBool::new(false);

fn clock() -> MutexGuard<'static, Option<Clock>> {
    CLOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins a command that may take so long.
pub(crate) fn begin(limit: Option<Duration>) {
    let started = Instant::now();
    let deadline =
        limit.and_then(|limit| started.checked_add(limit.saturating_mul(WORK_PERCENT) / 100));
    let stop = match deadline {
        Some(deadline) => Stop::when(move || Instant::now() >= deadline),
        None => Stop::default(),
    };
    let mut clock = clock();
    let turn = clock.as_ref().map_or(0, |clock| clock.turn + 1);
    *clock = Some(Clock {
        stop,
        deadline,
        turn,
        groups: Vec::new(),
        folders: Vec::new(),
        heir: None,
    });
    drop(clock);
    PRINTS.store(false, Ordering::Relaxed);
    // Somebody else may listen already, as in a program that has the command line inside.
    HANDLER.call_once(|| drop(ctrlc::set_handler(interrupt)));
    if let Some(limit) = limit {
        let _ = thread::Builder::new()
            .name("clock".to_owned())
            .spawn(move || guard(turn, started, limit));
    }
}

/// Ends the command that [`begin`] began.
pub(crate) fn end() {
    clean_up();
    *clock() = None;
}

/// What ends the command's work in order.
pub(crate) fn stop() -> Stop {
    if let Some(task) = task() {
        return task.stop;
    }
    let clock = clock();
    clock
        .as_ref()
        .map(|clock| clock.stop.clone())
        .unwrap_or_default()
}

/// Ends with `whole`, and where nobody gave the command a limit, as early as an answer under guesses is worth.
pub(crate) fn stop_of_guess(whole: Stop) -> Stop {
    if deadline().is_some() {
        return whole;
    }
    let end = Instant::now() + GUESS;
    Stop::when(move || whole.is_stopped() || Instant::now() >= end)
}

/// When work that looks at the clock is to end.
pub(crate) fn deadline() -> Option<Instant> {
    if let Some(task) = task() {
        return Some(task.deadline);
    }
    clock().as_ref()?.deadline
}

/// The time is up, or somebody pressed Ctrl-C.
pub(crate) fn is_over() -> bool {
    let stop = stop();
    stop.is_stopped() || deadline().is_some_and(|deadline| Instant::now() >= deadline)
}

/// The answer is complete and begins to be printed.
pub(crate) fn prints() {
    PRINTS.store(true, Ordering::Relaxed);
}

/// Until it is dropped, the work looks at [`stop`]: Ctrl-C lets it answer with what it has.
pub(crate) struct Looking(());

/// Begins work that looks at [`stop`].
pub(crate) fn looking() -> Looking {
    LOOKING.fetch_add(1, Ordering::Relaxed);
    Looking(())
}

impl Drop for Looking {
    fn drop(&mut self) {
        LOOKING.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Clock {
    fn tell_heir(&mut self) {
        let running = self.groups.last().copied().unwrap_or(0);
        if let Some(heir) = &mut self.heir {
            heir(running);
        }
    }
}

/// From now on `heir` is told which process group runs.
pub(crate) fn set_heir(heir: Heir) {
    if let Some(clock) = &mut *clock() {
        clock.heir = Some(heir);
    }
}

/// A tool's process group: it ends with this process.
pub(crate) fn add_group(leader: u32) {
    if let Some(clock) = &mut *clock() {
        clock.groups.push(leader);
        clock.tell_heir();
    }
}

/// A tool's process group that has ended.
pub(crate) fn forget_group(leader: u32) {
    if let Some(clock) = &mut *clock() {
        clock.groups.retain(|group| *group != leader);
        clock.tell_heir();
    }
}

/// A folder that goes with this process.
pub(crate) fn add_folder(folder: &Path) {
    if let Some(clock) = &mut *clock() {
        clock.folders.push(folder.to_owned());
    }
}

/// A folder that has gone.
pub(crate) fn forget_folder(folder: &Path) {
    if let Some(clock) = &mut *clock() {
        clock.folders.retain(|one| one != folder);
    }
}

/// Ends a process group with all that it has started.
#[cfg(unix)]
pub(crate) fn kill_group(leader: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let pid = i32::try_from(leader).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // It may have ended by itself.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// Ends a tool with all that it has started.
#[cfg(not(unix))]
pub(crate) fn kill_group(leader: u32) {
    let _ = std::process::Command::new("taskkill")
        .args(["/F", "/T", "/PID", &leader.to_string()])
        .output();
}

/// Ends the tools and removes the folders of this command.
fn clean_up() {
    let (groups, folders) = match &mut *clock() {
        Some(clock) => (
            std::mem::take(&mut clock.groups),
            std::mem::take(&mut clock.folders),
        ),
        None => return,
    };
    for group in groups {
        kill_group(group);
    }
    for folder in folders {
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// Ctrl-C: lets work end that looks; a second one, and work that does not look, ends at once.
fn interrupt() {
    let stop = stop();
    if stop.is_stopped() || LOOKING.load(Ordering::Relaxed) == 0 {
        clean_up();
        exit(INTERRUPTED);
    }
    stop.stop();
}

/// Ends the process where the command of that turn outlives its limit.
fn guard(turn: usize, started: Instant, limit: Duration) {
    let patience = limit.saturating_mul(PATIENCE_PERCENT) / 100;
    let patience = patience.max(limit.saturating_add(LEAST_PATIENCE));
    while let Some(left) = patience
        .checked_sub(started.elapsed())
        .filter(|left| !left.is_zero())
    {
        thread::sleep(left.min(Duration::from_secs(1)));
        if clock().as_ref().is_none_or(|clock| clock.turn != turn) {
            return;
        }
    }
    if clock().as_ref().is_none_or(|clock| clock.turn != turn) || PRINTS.load(Ordering::Relaxed) {
        return;
    }
    output::complain(&format!(
        "error: not done within {} s; --max-seconds gives it longer",
        limit.as_secs_f64()
    ));
    clean_up();
    exit(NO_ANSWER);
}
