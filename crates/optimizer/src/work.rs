//! Work bound: how much the passes may look at before they leave the kernel as it is.

/// Comparisons of two accesses, or values carried into a block, that are as much work as the analysis of an instruction.
pub(crate) const CHEAP: usize = 16;

/// Work that is left to the passes; once it is spent, no pass changes the kernel any more.
#[derive(Debug)]
pub(crate) struct Work {
    left: u64,
    is_exhausted: bool,
}

impl Work {
    pub(crate) const fn new(limit: u64) -> Self {
        Self {
            left: limit,
            is_exhausted: false,
        }
    }

    /// Takes `amount` of what is left; `false` where that is not enough, now or before.
    pub(crate) fn spend(&mut self, amount: usize) -> bool {
        let left = self.left.checked_sub(amount as u64);
        match left.filter(|_| !self.is_exhausted) {
            Some(left) => self.left = left,
            None => self.is_exhausted = true,
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
