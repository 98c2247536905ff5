//! The numbers beside the verdict, each with the profiler's name for it.

use lanescope_model::{Operation, Unit, Vendor};
use strum::EnumCount;

use crate::headline::{global_totals, shared_totals};
use crate::{Counted, GlobalTotals, SharedTotals, decimal, grouped};

/// One number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// The number.
    pub amount: Amount,
    /// What the accesses do.
    pub operation: Operation,
    /// The profiler's name; `None` where this device's profiler has none.
    pub name: Option<&'static str>,
}

/// What a metric says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Wavefronts, and the fewest where the hardware may choose.
    Wavefronts {
        /// The most it can take.
        most: u64,
        /// The fewest.
        least: u64,
    },
    /// The fewest wavefronts that could do.
    IdealWavefronts(u64),
    /// Wavefronts beyond those.
    Conflicts(u64),
    /// n of n-way, of the worst request.
    Ways(u32),
    /// Sectors, lines or transactions.
    Units {
        /// What is counted.
        unit: Unit,
        /// How many.
        count: u64,
    },
    /// The fewest of them that could do.
    IdealUnits {
        /// What is counted.
        unit: Unit,
        /// How many.
        count: u64,
    },
    /// Units a request and their ideal, in hundredths.
    UnitsPerRequest {
        /// What is counted.
        unit: Unit,
        /// Of them a request.
        hundredths: u64,
        /// Of the ideal a request.
        ideal_hundredths: u64,
    },
    /// Bytes used of bytes moved, in hundredths of a percent.
    Used {
        /// The share.
        basis_points: u64,
        /// Bytes used.
        used: u64,
        /// Bytes moved.
        moved: u64,
    },
}

impl Amount {
    /// The plain number, as text without separators.
    #[must_use]
    pub fn value(&self) -> String {
        match *self {
            Self::Wavefronts { most: count, .. }
            | Self::IdealWavefronts(count)
            | Self::Conflicts(count)
            | Self::Units { count, .. }
            | Self::IdealUnits { count, .. } => count.to_string(),
            Self::Ways(ways) => ways.to_string(),
            Self::UnitsPerRequest { hundredths, .. } => decimal(hundredths),
            Self::Used { basis_points, .. } => decimal(basis_points),
        }
    }

    /// The number as the eye reads it.
    #[must_use]
    pub fn figure(&self) -> String {
        match *self {
            Self::Wavefronts { most: count, .. }
            | Self::IdealWavefronts(count)
            | Self::Conflicts(count)
            | Self::Units { count, .. }
            | Self::IdealUnits { count, .. } => grouped(count),
            Self::Ways(ways) => ways.to_string(),
            Self::UnitsPerRequest { hundredths, .. } => decimal(hundredths),
            Self::Used { basis_points, .. } => format!("{} %", decimal(basis_points)),
        }
    }
}

/// The kinds of operation that a profiler counts apart.
#[derive(Clone, Copy, EnumCount)]
enum Kind {
    Load,
    Store,
    Atomic,
    Copy,
}

impl Kind {
    const ALL: [Self; Self::COUNT] = [Self::Load, Self::Store, Self::Atomic, Self::Copy];

    const fn has(self, operation: Operation) -> bool {
        match operation {
            Operation::Load | Operation::MatrixLoad { .. } => matches!(self, Self::Load),
            Operation::Store | Operation::MatrixStore { .. } => matches!(self, Self::Store),
            Operation::Atomic
            | Operation::Reduction
            | Operation::Increment
            | Operation::CompareAndSwap => matches!(self, Self::Atomic),
            Operation::AsyncCopy => matches!(self, Self::Copy),
        }
    }

    const fn operation(self) -> Operation {
        match self {
            Self::Load => Operation::Load,
            Self::Store => Operation::Store,
            Self::Atomic => Operation::Atomic,
            Self::Copy => Operation::AsyncCopy,
        }
    }

    const fn wavefronts(self) -> &'static str {
        match self {
            Self::Load => "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld",
            Self::Store => "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st",
            Self::Atomic => "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom",
            Self::Copy => "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ldgsts",
        }
    }

    const fn conflicts(self) -> &'static str {
        match self {
            Self::Load => "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld",
            Self::Store => "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st",
            Self::Atomic => "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom",
            Self::Copy => "",
        }
    }

    const fn per_request(self) -> &'static str {
        match self {
            Self::Load => "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
            Self::Store => "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
            Self::Atomic => "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_red.ratio",
            Self::Copy => "",
        }
    }
}

/// The metrics of an answer: a few for each kind of access that the source makes.
#[must_use]
pub fn metrics(answer: Counted<'_>) -> Vec<Metric> {
    let is_named = answer
        .device
        .is_some_and(|device| device.vendor() == Vendor::Nvidia);
    let kinds = Kind::ALL.map(|kind| {
        let shared = shared_totals(answer, |operation| kind.has(operation));
        let global = global_totals(answer, |operation| kind.has(operation));
        (kind, shared, global)
    });
    let groups = kinds
        .iter()
        .map(|(_, shared, global)| usize::from(shared.is_some()) + usize::from(global.is_some()));
    let is_brief = groups.sum::<usize>() > 1;
    let of_kind = |(kind, shared, global): &(Kind, Option<SharedTotals>, Option<GlobalTotals>)| {
        let mut amounts = Vec::new();
        shared
            .iter()
            .for_each(|totals| amounts.extend(shared_amounts(*kind, totals, is_brief)));
        global
            .iter()
            .for_each(|totals| amounts.extend(global_amounts(*kind, totals, is_brief)));
        let operation = kind.operation();
        amounts.into_iter().map(move |(amount, name)| Metric {
            amount,
            operation,
            name: Some(name).filter(|name| is_named && !name.is_empty()),
        })
    };
    kinds.iter().flat_map(of_kind).collect()
}

fn shared_amounts(
    kind: Kind,
    totals: &SharedTotals,
    is_brief: bool,
) -> Vec<(Amount, &'static str)> {
    let (most, least) = (totals.wavefronts, totals.wavefronts_least);
    let ideal = (
        Amount::IdealWavefronts(totals.ideal),
        "memory_l1_wavefronts_shared_ideal",
    );
    let ways = (
        Amount::Ways(totals.ways),
        "derived__memory_l1_conflicts_shared_nway",
    );
    let mut amounts = vec![
        (Amount::Wavefronts { most, least }, kind.wavefronts()),
        (Amount::Conflicts(totals.conflicts), kind.conflicts()),
    ];
    if is_brief {
        amounts.retain(|(amount, _)| !matches!(amount, Amount::Conflicts(0)));
    } else {
        amounts.insert(1, ideal);
        // What the device gives no number for is n-way for no n.
        amounts.extend((totals.ways > 0).then_some(ways));
    }
    amounts
}

fn global_amounts(
    kind: Kind,
    totals: &GlobalTotals,
    is_brief: bool,
) -> Vec<(Amount, &'static str)> {
    let unit = totals.unit;
    let counts = [
        (
            Amount::Units {
                unit,
                count: totals.units,
            },
            "memory_l2_theoretical_sectors_global",
        ),
        (
            Amount::IdealUnits {
                unit,
                count: totals.ideal,
            },
            "memory_l2_theoretical_sectors_global_ideal",
        ),
    ];
    let per_request = Amount::UnitsPerRequest {
        unit,
        hundredths: totals.per_request_hundredths(),
        ideal_hundredths: totals.ideal_per_request_hundredths(),
    };
    let used = Amount::Used {
        basis_points: totals.used_basis_points(),
        used: totals.bytes_used,
        moved: totals.bytes_moved,
    };
    let mut amounts = vec![(per_request, kind.per_request()), (used, "")];
    if is_brief {
        amounts.retain(|(amount, _)| {
            !matches!(
                amount,
                Amount::Used {
                    basis_points: 10_000,
                    ..
                }
            )
        });
    } else {
        amounts.splice(0..0, counts);
    }
    amounts
}
