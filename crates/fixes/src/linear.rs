//! Swizzles that are linear over F2: all of them at once, and the best of them as a place of an array's elements.

mod banks;
mod columns;
mod place;
mod swizzle;

use lanescope_layouts::find::permutation;
use lanescope_model::Device;

use crate::pattern::{Evaluation, evaluate};
use crate::{Pattern, Place, Shape, SharedTotals};

use banks::Banks;
use columns::Columns;

pub(crate) use place::{Decided, add_linear};
pub use swizzle::LinearSwizzle;
pub(crate) use swizzle::Term;

/// The longest array that is searched, in bytes.
pub const MOST_LINEAR_BYTES: u64 = 1 << 16;

/// What a search of all linear swizzles of one array found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinearSearch {
    /// The best of them, and what all requests cost with it, where that takes fewer wavefronts than what was to be beaten.
    pub best: Option<(LinearSwizzle, SharedTotals)>,
    /// The fewest wavefronts that any takes, or what was to be beaten where none takes fewer; `None` where that was not
    /// decided.
    pub least: Option<u64>,
}

/// Searches all linear swizzles of an array that keep aligned groups of bytes whole, a bank's word or the widest access, for
/// the one with the fewest wavefronts over all `patterns` together.
///
/// A swizzle that moves the same groups is the same to the banks where it sends the groups' numbers to the same banks, so the
/// columns of that part alone are chosen, by branch and bound. `to_beat` are the wavefronts of the best that is known already.
/// The search ends at its limit, or as soon as `is_over` says so, with what it has found until then.
#[must_use]
pub fn search_linear(
    device: &Device,
    shape: &Shape,
    patterns: &[Pattern],
    to_beat: u64,
    is_over: &dyn Fn() -> bool,
) -> LinearSearch {
    let Some(banks) = Banks::of(device, shape, patterns) else {
        return LinearSearch::default();
    };
    let mut columns = Columns::new(&banks, to_beat, is_over);
    let is_whole = columns.search();
    let Some((chosen, wavefronts)) = columns.best.take() else {
        return LinearSearch {
            best: None,
            least: is_whole.then_some(to_beat),
        };
    };
    let best = completed(shape, &banks, chosen).and_then(|swizzle| {
        let place = Place::Linear(swizzle);
        match evaluate(device, shape, patterns, place, u64::MAX) {
            Evaluation::Whole(totals) if totals.wavefronts == wavefronts => Some((swizzle, totals)),
            Evaluation::Whole(_)
            | Evaluation::TooDear
            | Evaluation::Torn
            | Evaluation::Unknown(_) => None,
        }
    });
    LinearSearch {
        best,
        least: (is_whole && best.is_some()).then_some(wavefronts),
    }
}

/// The swizzle of elements whose groups lie in the banks that the columns say; `None` where it leaves the array.
fn completed(shape: &Shape, banks: &Banks, mut columns: Vec<u64>) -> Option<LinearSwizzle> {
    let groups = permutation(&mut columns, banks.bank_bits);
    let together = banks.group_bytes / shape.element_bytes();
    let low = (0..together.ilog2()).map(|bit| 1 << bit);
    let all: Vec<u64> = low
        .chain(groups.iter().map(|group| group * together))
        .collect();
    let swizzle = LinearSwizzle::new(&all)?;
    let stays = |element| swizzle.apply(element) < shape.size();
    (0..shape.size()).all(stays).then_some(swizzle)
}
