use crate::Fault;

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Steps done.
    pub done: usize,
    /// Steps in all.
    pub total: usize,
    /// The kernel at work; empty while all are timed in turn.
    pub kernel: &'static str,
}

/// The visitor's side of a run.
#[expect(
    async_fn_in_trait,
    reason = "futures stay on one thread, as in a browser"
)]
pub trait Control {
    /// Whether the visitor asked to stop; asked before each submission.
    fn cancelled(&self) -> bool {
        false
    }

    /// Whether the page is hidden: samples taken then are dropped.
    fn hidden(&self) -> bool {
        false
    }

    /// Waits a moment: until the page is seen again, or a fraction of a second.
    async fn rest(&self) {}

    /// Told before each step.
    fn progress(&self, _progress: Progress) {}
}

/// Lets every run go to its end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unattended;

impl Control for Unattended {}

/// Ends the run if the visitor asked for it.
pub(crate) fn checkpoint(control: &impl Control) -> Result<(), Fault> {
    if control.cancelled() {
        return Err(Fault::Cancelled);
    }
    Ok(())
}
