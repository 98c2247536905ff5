//! The fixes of reductions whose steps are sequential already, and of the order of loops.

use std::rc::Rc;

use lanescope_frontend::Language;
use lanescope_syntax::tree::Function;

use crate::advisor::Advisor;
use crate::change::Change;
use crate::code::{Code, statements};
use crate::halving::Halving;
use crate::record::Watch;
use crate::{FixKind, Proof, first_add, loop_order, subgroup_sum, warp_shuffle};

/// Threads of a block from which on a warp is a part of it.
const LEAST_THREADS: u32 = 64;

impl Advisor<'_, '_> {
    /// A reduction that adds when it loads, and one that ends in a warp.
    pub(crate) fn reductions(&mut self) {
        let [x, y, z] = self.launch.block;
        let is_warps = self.question.device.warp_lanes() == 32;
        if !x.is_power_of_two() || x < LEAST_THREADS || y * z != 1 || !is_warps {
            return;
        }
        let text = self.text.clone();
        let Some(code) = self.as_c(&text) else {
            return;
        };
        let Some(kernel) = self.kernel(&code) else {
            return;
        };
        for function in code.reached_from(&kernel) {
            let all = statements(&function.body);
            let Some(halving) = all.iter().find_map(|stmt| Halving::of(&code, stmt, &all)) else {
                continue;
            };
            self.add_first(&code, &function, &halving);
            self.shuffle(&code, &function, &halving);
            return;
        }
    }

    fn add_first(&mut self, code: &Code<'_>, function: &Rc<Function>, halving: &Halving<'_>) {
        let Some((edits, launch)) = first_add::rewrite(code, function, halving, &self.launch)
        else {
            return;
        };
        self.plan(1);
        let change = Change::whole(FixKind::FirstAdd, edits, launch);
        self.prove(change, &Watch::PLAIN, Proof::SameResults);
    }

    fn shuffle(&mut self, code: &Code<'_>, function: &Rc<Function>, halving: &Halving<'_>) {
        let arrays = self.program.arrays();
        let Some(array) = arrays.iter().find(|array| array.name == halving.array) else {
            return;
        };
        let rewrite = match self.language {
            Language::Wgsl => subgroup_sum::rewrite,
            Language::Cuda | Language::Ptx | Language::Sass => warp_shuffle::rewrite,
        };
        let Some(edits) = rewrite(code, function, halving, &array.element) else {
            return;
        };
        self.plan(1);
        let change = Change::whole(FixKind::WarpShuffle, edits, self.launch.clone());
        self.prove(change, &Watch::PLAIN, Proof::SameResults);
    }

    /// Two loops, one in the other, exchanged.
    pub(crate) fn exchange_loops(&mut self) {
        let text = self.text.clone();
        let code = Code::of(&text, self.defines());
        let Some(kernel) = self.kernel(&code) else {
            return;
        };
        for (edits, outer) in loop_order::exchanges(&code, &kernel) {
            self.plan(1);
            let change = Change {
                snippet: Some(outer),
                ..Change::whole(FixKind::LoopOrder, edits, self.launch.clone())
            };
            self.prove(change, &Watch::PLAIN, Proof::SameResults);
        }
    }
}
