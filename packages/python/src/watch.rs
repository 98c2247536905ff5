//! Work on a thread of its own, while the interpreter's thread watches for Ctrl-C.

use crate::raised;
use lanescope_query::Stop;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Between two looks for Ctrl-C.
const PERIOD: Duration = Duration::from_millis(20);

/// Bytes of the working thread's stack: as much as a program's first thread has.
const STACK: usize = 8 << 20;

/// How far the work is, and whether it is still wanted.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    stop: Stop,
}

impl Watch {
    /// What ends the work.
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }
}

/// Parts of a hundred of its time after which work that does not look whether it is over is waited for no longer.
const PATIENCE_PERCENT: u32 = 108;

/// What `work` returns. Ctrl-C, an exception of `progress` and the end of its time end it.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    limit: Option<Duration>,
    work: impl FnOnce(&Watch) -> anyhow::Result<T> + Send + 'static,
) -> PyResult<T> {
    let watch = Arc::new(Watch::default());
    let (sender, receiver) = channel();
    let theirs = Arc::clone(&watch);
    thread::Builder::new()
        .name("lanescope".to_owned())
        .stack_size(STACK)
        .spawn(move || {
            // Nobody listens any more after Ctrl-C.
            let _ = sender.send(work(&theirs));
        })?;
    let receiver = std::sync::Mutex::new(receiver);
    let started = Instant::now();
    loop {
        let received = py.detach(|| match receiver.lock() {
            Ok(receiver) => receiver.recv_timeout(PERIOD),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        });
        match received {
            Ok(answer) => return answer.map_err(raised),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err(
                    "the analysis failed; please report it",
                ));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let done = watch.stop.blocks_done();
        let called = progress
            .as_ref()
            .filter(|_| done > 0)
            .map_or(Ok(()), |progress| progress.call1(py, (done,)).map(|_| ()));
        if let Some(limit) = limit {
            if started.elapsed() >= limit {
                watch.stop.stop();
            }
            if started.elapsed() >= limit.saturating_mul(PATIENCE_PERCENT) / 100 {
                let seconds = limit.as_secs_f64();
                return Err(raised(anyhow::anyhow!(
                    "not done within {seconds} s; max_seconds gives it longer"
                )));
            }
        }
        if let Err(error) = py.check_signals().and(called) {
            watch.stop.stop();
            return Err(error);
        }
    }
}
