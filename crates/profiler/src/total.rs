//! The sums of a kernel that are predicted, and the counters that measure them.

use crate::kernel::{Access, KernelProfile, Operation, Space};
use crate::number::Value;
use strum::VariantArray;

/// A sum over a launch that is predicted and measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub enum Total {
    /// Wavefronts of loads from shared memory, matrix loads included.
    SharedLoadWavefronts,
    /// Those above the fewest that could do.
    SharedLoadBankConflicts,
    /// Wavefronts of stores to shared memory, matrix stores included.
    SharedStoreWavefronts,
    /// Those above the fewest that could do.
    SharedStoreBankConflicts,
    /// Wavefronts of atomics on shared memory.
    SharedAtomicWavefronts,
    /// Requests of loads from global memory.
    GlobalLoadRequests,
    /// Their sectors.
    GlobalLoadSectors,
    /// Requests of stores to global memory.
    GlobalStoreRequests,
    /// Their sectors.
    GlobalStoreSectors,
    /// Sectors of reductions on global memory: atomics whose result nobody takes.
    GlobalReductionSectors,
    /// Sectors of atomics on global memory whose result is taken.
    GlobalAtomicSectors,
    /// Wavefronts of asynchronous copies into shared memory.
    AsyncCopyWavefronts,
    /// Sectors that they read from global memory.
    AsyncCopySectors,
}

impl Total {
    /// All of them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Its name in JSON, as in every other answer.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::SharedLoadWavefronts => "shared_load_wavefronts",
            Self::SharedLoadBankConflicts => "shared_load_bank_conflicts",
            Self::SharedStoreWavefronts => "shared_store_wavefronts",
            Self::SharedStoreBankConflicts => "shared_store_bank_conflicts",
            Self::SharedAtomicWavefronts => "shared_atomic_wavefronts",
            Self::GlobalLoadRequests => "global_load_requests",
            Self::GlobalLoadSectors => "global_load_sectors",
            Self::GlobalStoreRequests => "global_store_requests",
            Self::GlobalStoreSectors => "global_store_sectors",
            Self::GlobalReductionSectors => "global_reduction_sectors",
            Self::GlobalAtomicSectors => "global_atomic_sectors",
            Self::AsyncCopyWavefronts => "async_copy_wavefronts",
            Self::AsyncCopySectors => "async_copy_sectors",
        }
    }

    /// The hardware's counter.
    #[must_use]
    pub const fn metric(self) -> &'static str {
        match self {
            Self::SharedLoadWavefronts => "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
            Self::SharedLoadBankConflicts => {
                "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"
            }
            Self::SharedStoreWavefronts => "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
            Self::SharedStoreBankConflicts => {
                "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"
            }
            Self::SharedAtomicWavefronts => {
                "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"
            }
            Self::GlobalLoadRequests => "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
            Self::GlobalLoadSectors => "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
            Self::GlobalStoreRequests => "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
            Self::GlobalStoreSectors => "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
            Self::GlobalReductionSectors => "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
            Self::GlobalAtomicSectors => "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
            Self::AsyncCopyWavefronts => "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum",
            Self::AsyncCopySectors => "l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts.sum",
        }
    }

    /// Counters of the same that go by address alone, where the hardware's holds arbitration too.
    const fn by_address(self) -> &'static [&'static str] {
        match self {
            Self::SharedLoadWavefronts => &[
                "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
            ],
            Self::SharedStoreWavefronts => &[
                "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
            ],
            Self::SharedLoadBankConflicts
            | Self::SharedStoreBankConflicts
            | Self::SharedAtomicWavefronts
            | Self::GlobalLoadRequests
            | Self::GlobalLoadSectors
            | Self::GlobalStoreRequests
            | Self::GlobalStoreSectors
            | Self::GlobalReductionSectors
            | Self::GlobalAtomicSectors
            | Self::AsyncCopyWavefronts
            | Self::AsyncCopySectors => &[],
        }
    }

    /// The total of wavefronts that conflicts are part of: arbitration adds the same to both.
    pub(crate) const fn wavefronts(self) -> Option<Self> {
        match self {
            Self::SharedLoadWavefronts | Self::SharedLoadBankConflicts => {
                Some(Self::SharedLoadWavefronts)
            }
            Self::SharedStoreWavefronts | Self::SharedStoreBankConflicts => {
                Some(Self::SharedStoreWavefronts)
            }
            Self::SharedAtomicWavefronts => Some(Self::SharedAtomicWavefronts),
            Self::GlobalLoadRequests
            | Self::GlobalLoadSectors
            | Self::GlobalStoreRequests
            | Self::GlobalStoreSectors
            | Self::GlobalReductionSectors
            | Self::GlobalAtomicSectors
            | Self::AsyncCopyWavefronts
            | Self::AsyncCopySectors => None,
        }
    }

    /// The hardware's counters of all totals.
    pub(crate) fn metrics() -> Vec<&'static str> {
        Self::ALL.iter().map(|total| total.metric()).collect()
    }

    /// What was measured: the hardware's counter, else the sum over the source page; and where it stands.
    pub(crate) fn measured(self, kernel: &KernelProfile) -> Option<(u64, &'static str)> {
        let counter = kernel.metric(self.metric()).and_then(Value::count);
        counter
            .map(|count| (count, self.metric()))
            .or_else(|| self.summed(kernel).map(|sum| (sum, "source page")))
    }

    /// What addresses alone cost.
    pub(crate) fn addressed(self, kernel: &KernelProfile) -> Option<u64> {
        let mut metrics = self.by_address().iter();
        let counter = metrics.find_map(|name| kernel.metric(name).and_then(Value::count));
        counter.or_else(|| self.summed(kernel))
    }

    /// The sum over the instructions of a source page; `None` where one of them has no number, and of what a page does
    /// not add up to: its ideal of wavefronts is not the counter's of conflicts, and its sectors of atomics are those of
    /// their addresses, however many lanes share one.
    fn summed(self, kernel: &KernelProfile) -> Option<u64> {
        if kernel.instructions.is_empty() {
            return None;
        }
        let of = |space, operation| Access { space, operation };
        let access = match self {
            Self::SharedLoadWavefronts => of(Space::Shared, Operation::Load),
            Self::SharedStoreWavefronts => of(Space::Shared, Operation::Store),
            Self::SharedAtomicWavefronts => of(Space::Shared, Operation::Atomic),
            Self::GlobalLoadSectors => of(Space::Global, Operation::Load),
            Self::GlobalStoreSectors => of(Space::Global, Operation::Store),
            Self::SharedLoadBankConflicts
            | Self::SharedStoreBankConflicts
            | Self::GlobalLoadRequests
            | Self::GlobalStoreRequests
            | Self::GlobalReductionSectors
            | Self::GlobalAtomicSectors
            | Self::AsyncCopyWavefronts
            | Self::AsyncCopySectors => return None,
        };
        let counts = kernel
            .instructions
            .iter()
            .filter(|instruction| instruction.access == Some(access))
            .map(|one| match access.space {
                Space::Shared => one.wavefronts,
                Space::Global | Space::Other => one.sectors,
            });
        counts.sum()
    }
}
