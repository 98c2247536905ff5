//! Work bound: how much the passes may look at before they leave the kernel as it is; and what they have found out so far.

use crate::facts::Facts;
use lanescope_ir::Kernel;
use std::rc::Rc;

/// Comparisons of two accesses, or values carried into a block, that are as much work as the analysis of an instruction.
pub(crate) const CHEAP: usize = 16;

/// Work between two questions whether to go on.
const ASKED_EVERY: u64 = 4_096;

/// Work that is left to the passes; once it is spent, no pass changes the kernel any more.
pub(crate) struct Work {
    left: u64,
    is_exhausted: bool,
    /// The caller's clock: nothing here knows the time.
    keep_going: Box<dyn Fn() -> bool>,
    /// What may be left before that is asked again.
    asked_at: u64,
    /// The kernel that was last analysed, and what was found.
    known: Option<(Kernel, Rc<Facts>)>,
}

impl Work {
    pub(crate) fn new(limit: u64, keep_going: impl Fn() -> bool + 'static) -> Self {
        Self {
            left: limit,
            is_exhausted: false,
            keep_going: Box::new(keep_going),
            asked_at: limit,
            known: None,
        }
    }

    /// The analyses of a kernel, if they are those that were made last.
    pub(crate) fn known(&self, kernel: &Kernel) -> Option<Rc<Facts>> {
        let known = self.known.as_ref().filter(|(of, _)| of == kernel);
        known.map(|(_, facts)| Rc::clone(facts))
    }

    /// Keeps the analyses of a kernel.
    pub(crate) fn know(&mut self, kernel: &Kernel, facts: &Rc<Facts>) {
        self.known = Some((kernel.clone(), Rc::clone(facts)));
    }

    /// Takes `amount` of what is left; `false` where that is not enough, now or before.
    pub(crate) fn spend(&mut self, amount: usize) -> bool {
        let left = self.left.checked_sub(amount as u64);
        match left.filter(|_| !self.is_exhausted) {
            Some(left) => self.left = left,
            None => self.is_exhausted = true,
        }
        if !self.is_exhausted && self.left <= self.asked_at {
            self.asked_at = self.left.saturating_sub(ASKED_EVERY);
            self.is_exhausted = !(self.keep_going)();
        }
        !self.is_exhausted
    }

    /// A kernel is too large for an analysis: what needs it is not done.
    pub(crate) const fn give_up(&mut self) {
        self.is_exhausted = true;
    }

    /// Whether a pass was not done, or not to its end.
    pub(crate) const fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }
}
