//! What is counted in the SASS of a whole launch.

use lanescope_compiled::computes_integers;
use lanescope_query::{Analysis, Divergence};
use serde::Serialize;

/// The counts of one launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SassCost {
    /// Of shared memory.
    pub wavefronts: u64,
    /// Of global memory.
    pub sectors: u64,
    /// Instructions that warps issue; none where a loop is not run to its end.
    pub instructions: Option<u64>,
    /// Those of them that compute whole numbers, which indices are made of.
    pub integer_instructions: Option<u64>,
}

impl SassCost {
    /// Of a launch of SASS that was counted.
    #[must_use]
    pub fn of(analysis: &Analysis) -> Self {
        let named = analysis.totals.named();
        let sum = |unit: &str| {
            let all = named.iter().filter(|(name, _)| name.ends_with(unit));
            all.map(|(_, count)| count).sum()
        };
        let executed = Divergence::of(analysis);
        let lines: Vec<&str> = analysis.question.source.lines().collect();
        let is_integer = |line: u32| {
            let at = usize::try_from(line)
                .ok()
                .and_then(|line| line.checked_sub(1));
            let text = at.and_then(|at| lines.get(at));
            text.is_some_and(|text| computes_integers(text))
        };
        let integers = executed.as_ref().map(|found| {
            let all = found.lines.iter().filter(|line| is_integer(line.line));
            all.map(|one| one.warp_instructions).sum()
        });
        Self {
            wavefronts: sum("_wavefronts"),
            sectors: sum("_sectors"),
            instructions: executed.map(|found| found.warp_instructions),
            integer_instructions: integers,
        }
    }

    /// Wavefronts, sectors, instructions and integer instructions as cells of a table.
    pub(crate) fn cells(&self) -> [String; 4] {
        let or_nothing = |count: Option<u64>| count.map_or_else(String::new, |n| n.to_string());
        [
            self.wavefronts.to_string(),
            self.sectors.to_string(),
            or_nothing(self.instructions),
            or_nothing(self.integer_instructions),
        ]
    }
}
