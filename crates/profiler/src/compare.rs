//! What is predicted of a launch beside what was measured, and why they differ.

use crate::error::ProfilerError;
use crate::kernel::{KernelProfile, Space};
use crate::listing::LISTING_FIRST_LINE;
use crate::total::Total;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// Arbitration adds at most so many percent to what addresses cost: the most among 589 kernels that were measured.
const MOST_ARBITRATION_PERCENT: u64 = 6;

/// How far a prediction can be relied on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// It follows from the launch.
    #[default]
    Counted,
    /// It depends on data or arguments that were assumed.
    Assumed,
    /// Something was not read or not reached.
    Partial,
}

impl Certainty {
    /// Its name in JSON.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Counted => "counted",
            Self::Assumed => "assumed",
            Self::Partial => "partial",
        }
    }
}

impl Serialize for Certainty {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.key())
    }
}

/// A number that is predicted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Predicted {
    /// How much.
    pub count: u64,
    /// How sure.
    pub certainty: Certainty,
}

impl Predicted {
    /// Adds to the number.
    pub fn add(&mut self, count: u64, certainty: Certainty) {
        self.count = self.count.saturating_add(count);
        self.certainty = self.certainty.max(certainty);
    }
}

/// What is predicted of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prediction {
    /// Of the whole.
    pub certainty: Certainty,
    /// Sums over the launch; one that is not here is 0.
    pub totals: BTreeMap<Total, Predicted>,
    /// Wavefronts of shared memory by line of the listing.
    pub wavefronts: BTreeMap<u32, Predicted>,
    /// Sectors of global memory by line of the listing.
    pub sectors: BTreeMap<u32, Predicted>,
    /// Whether lines are those of the [`listing`](crate::listing) of the profile.
    pub is_of_listing: bool,
}

/// Why prediction and measurement differ, or that they do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// They do not.
    Equal,
    /// Nothing was measured.
    NotMeasured,
    /// Wavefronts that the hardware repeats for reasons other than addresses, as the source page or the size of the
    /// difference shows.
    Arbitration,
    /// The prediction depends on data or arguments that were assumed.
    Data,
    /// The prediction is incomplete.
    NotCounted,
    /// It is not known.
    NotKnown,
}

impl Difference {
    /// Its name in JSON.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::NotMeasured => "not-measured",
            Self::Arbitration => "arbitration",
            Self::Data => "data",
            Self::NotCounted => "not-counted",
            Self::NotKnown => "not-known",
        }
    }

    /// Whether nothing is left to explain.
    #[must_use]
    pub const fn is_explained(self) -> bool {
        match self {
            Self::Equal | Self::NotMeasured | Self::Arbitration | Self::Data => true,
            Self::NotCounted | Self::NotKnown => false,
        }
    }
}

impl Serialize for Difference {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.key())
    }
}

/// A sum, predicted and measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TotalRow {
    /// Which.
    #[serde(serialize_with = "total_key")]
    pub total: Total,
    /// Where the measurement stands: a counter, or the source page.
    pub counter: &'static str,
    /// What is predicted.
    pub predicted: u64,
    /// What was measured.
    pub measured: Option<u64>,
    /// Why they differ.
    pub difference: Difference,
}

fn total_key<S: Serializer>(total: &Total, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(total.key())
}

/// An instruction, predicted and measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InstructionRow {
    /// Its line in the listing, from 1.
    pub line: u32,
    /// Bytes from the kernel's beginning.
    pub offset: u64,
    /// Its text.
    pub instruction: String,
    /// File and line of the source, where the export says.
    pub source: Option<(String, u32)>,
    /// What is counted: `wavefronts` or `sectors`.
    pub unit: &'static str,
    /// What is predicted.
    pub predicted: u64,
    /// What was measured.
    pub measured: Option<u64>,
    /// Why they differ.
    pub difference: Difference,
}

/// Prediction and measurement side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// The kernel's name in the export.
    pub kernel: String,
    /// Blocks that were launched.
    pub grid: Option<[u32; 3]>,
    /// Threads of a block.
    pub block: Option<[u32; 3]>,
    /// How far the prediction can be relied on.
    pub status: Certainty,
    /// Sums, but for those that are 0 on both sides or were not measured and are 0.
    pub totals: Vec<TotalRow>,
    /// Instructions that touch shared or global memory; empty without a source page.
    pub instructions: Vec<InstructionRow>,
}

impl Comparison {
    /// The differences of all rows.
    pub fn differences(&self) -> impl Iterator<Item = Difference> {
        let totals = self.totals.iter().map(|row| row.difference);
        totals.chain(self.instructions.iter().map(|row| row.difference))
    }

    /// Whether everything that was measured is equal or explained.
    #[must_use]
    pub fn is_explained(&self) -> bool {
        self.differences().all(Difference::is_explained)
    }
}

/// Lays a prediction beside a profile.
///
/// # Errors
/// When the profile has nothing that is predicted.
pub fn compare(
    prediction: &Prediction,
    kernel: &KernelProfile,
) -> Result<Comparison, ProfilerError> {
    let totals: Vec<TotalRow> = Total::ALL
        .iter()
        .map(|total| total_row(*total, prediction, kernel))
        .collect();
    if totals.iter().all(|row| row.measured.is_none()) {
        return Err(ProfilerError::NoCounters);
    }
    let is_something =
        |row: &TotalRow| row.predicted > 0 || row.measured.is_some_and(|count| count > 0);
    Ok(Comparison {
        kernel: kernel.name.clone(),
        grid: kernel.grid,
        block: kernel.block,
        status: prediction.certainty,
        totals: totals.into_iter().filter(is_something).collect(),
        instructions: instructions(prediction, kernel),
    })
}

/// A number that nothing says is 0, as surely as all else.
fn predicted(of: Option<&Predicted>, whole: Certainty) -> Predicted {
    of.copied().unwrap_or(Predicted {
        count: 0,
        certainty: whole,
    })
}

fn total_row(total: Total, prediction: &Prediction, kernel: &KernelProfile) -> TotalRow {
    let said = predicted(prediction.totals.get(&total), prediction.certainty);
    let measured = total.measured(kernel);
    let counter = measured.map_or(total.metric(), |(_, counter)| counter);
    let measured = measured.map(|(count, _)| count);
    let difference = match difference(said, measured) {
        Difference::NotKnown if is_arbitration(total, prediction, kernel) => {
            Difference::Arbitration
        }
        other => other,
    };
    TotalRow {
        total,
        counter,
        predicted: said.count,
        measured,
        difference,
    }
}

fn difference(said: Predicted, measured: Option<u64>) -> Difference {
    match (measured, said.certainty) {
        (None, _) => Difference::NotMeasured,
        (Some(count), _) if count == said.count => Difference::Equal,
        (Some(_), Certainty::Assumed) => Difference::Data,
        (Some(_), Certainty::Partial) => Difference::NotCounted,
        (Some(_), Certainty::Counted) => Difference::NotKnown,
    }
}

/// Whether what the hardware counted more is arbitration: addresses alone cost what is predicted, or, where nothing
/// says what they cost, the difference is as small as arbitration's.
fn is_arbitration(total: Total, prediction: &Prediction, kernel: &KernelProfile) -> bool {
    let Some(wavefronts) = total.wavefronts() else {
        return false;
    };
    let count = |total: Total| prediction.totals.get(&total).map_or(0, |said| said.count);
    let said = count(wavefronts);
    let more = |total: Total| {
        total
            .measured(kernel)
            .and_then(|(measured, _)| measured.checked_sub(count(total)))
    };
    let Some(extra) = more(total) else {
        return false;
    };
    if total != wavefronts && more(wavefronts).is_some_and(|of_wavefronts| of_wavefronts != extra) {
        return false;
    }
    match wavefronts.addressed(kernel) {
        Some(addressed) => addressed == said,
        None => extra.saturating_mul(100) <= said.saturating_mul(MOST_ARBITRATION_PERCENT),
    }
}

fn instructions(prediction: &Prediction, kernel: &KernelProfile) -> Vec<InstructionRow> {
    let first = kernel.instructions.first().map_or(0, |one| one.address);
    let mut rows = Vec::new();
    if !prediction.is_of_listing {
        return rows;
    }
    for (line, one) in (LISTING_FIRST_LINE..).zip(&kernel.instructions) {
        let space = one.access.map(|access| access.space);
        let sides = [
            (
                "wavefronts",
                &prediction.wavefronts,
                one.wavefronts,
                Space::Shared,
            ),
            ("sectors", &prediction.sectors, one.sectors, Space::Global),
        ];
        for (unit, said, measured, of) in sides {
            let said = said.get(&line);
            if said.is_none() && (space != Some(of) || one.executed == Some(0)) {
                continue;
            }
            let said = predicted(said, prediction.certainty);
            rows.push(InstructionRow {
                line,
                offset: one.address.saturating_sub(first),
                instruction: one.text.clone(),
                source: one.source.clone(),
                unit,
                predicted: said.count,
                measured,
                difference: difference(said, measured),
            });
        }
    }
    rows
}
