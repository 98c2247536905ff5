//! The fix that exchanges the axes of threads.

use crate::advisor::Advisor;
use crate::change::Change;
use crate::code::Code;
use crate::record::Watch;
use crate::{FixKind, Proof, axes, wgsl_axes};

impl Advisor<'_, '_> {
    /// The thread axes of a kernel exchanged.
    pub(crate) fn swap_axes(&mut self) {
        let code = Code::of(&self.text, self.defines());
        let Some(kernel) = self.kernel(&code) else {
            return;
        };
        let reached = code.reached_from(&kernel);
        let Some((edits, launch)) = axes::swap(&code, &reached, &self.launch) else {
            return;
        };
        self.prove_swapped(Change::whole(FixKind::SwapAxes, edits, launch));
    }

    /// The same in WGSL, where a workgroup is walked against the rows.
    pub(crate) fn swap_wgsl_axes(&mut self) {
        let [x, y, _] = self.launch.block;
        let totals = self.before.totals.global;
        if x.min(y) < 2 || totals.units <= totals.ideal {
            return;
        }
        if let Some((edits, shown)) = wgsl_axes::swap(&self.text) {
            let mut swapped = self.launch.clone();
            swapped.block.swap(0, 1);
            let kind = FixKind::SwapInvocations;
            self.prove_swapped(Change {
                snippet: shown,
                ..Change::whole(kind, edits, swapped)
            });
        }
    }

    fn prove_swapped(&mut self, change: Change<'_>) {
        self.plan(1);
        let block = self.launch.block;
        let threads = usize::try_from(self.launch.block_threads())
            .unwrap_or(usize::MAX)
            .max(1);
        let renumber = move |thread: usize| {
            thread / threads * threads + axes::renumbered(thread % threads, block)
        };
        self.prove_renumbered(change, &Watch::PLAIN, &renumber, Proof::ThreadsExchanged);
    }
}
