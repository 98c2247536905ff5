//! What a request to global memory moves, and what of it is used.

use crate::LaneMask;

/// The piece in which a generation of hardware counts global traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Sectors of a cache line (32 bytes from CC 5.x on, and past L1 on CC 2.x and 3.x).
    Sector,
    /// Whole cache lines (CC 2.x and 3.x through L1; AMD; Intel).
    Line,
    /// Memory transactions whose size varies (CC 1.x).
    Transaction,
}

/// The counts of one request to global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlobalCounts {
    /// What [`GlobalCounts::units`] and [`GlobalCounts::ideal_units`] count.
    pub unit: Unit,
    /// The requests the warp's instruction is split into (2 for half-warps; 0 with no lane on).
    pub requests: u32,
    /// Sectors, lines or transactions: what the generation's own counters count.
    pub units: u32,
    /// The fewest units that the distinct bytes asked for could take.
    pub ideal_units: u32,
    /// Distinct sectors touched by each hardware request, summed over them. The same as
    /// [`GlobalCounts::units`] for loads and stores from CC 5.x on; on CC 2.x and 3.x what
    /// loads that pass L1 by would move; pieces of 32 bytes on CC 1.x.
    pub sectors: u32,
    /// Distinct cache lines (CC 1.x: segments of 128 bytes) touched by each hardware request,
    /// summed over them.
    pub lines: u32,
    /// Distinct bytes the lanes asked for.
    pub bytes_used: u32,
    /// Bytes of all units.
    pub bytes_moved: u32,
}

/// Which bytes of which lines a request touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalReport {
    /// The same counts that [`crate::Device::global_counts`] gives.
    pub counts: GlobalCounts,
    /// Bytes of a line.
    pub line_bytes: u32,
    /// The lines, ascending by address within a hardware request, hardware requests in order.
    /// On CC 1.x the transactions, in the order they are issued; those that the CC 1.0 rule
    /// counts for lanes that are off have no address and are left out.
    pub lines: Vec<LineUse>,
}

/// One line (or transaction) that a request touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineUse {
    /// Byte address of its first byte.
    pub address: u64,
    /// Its size; the line's size but for CC 1.x, where a transaction has 32, 64 or 128 bytes.
    pub bytes: u32,
    /// Which of the instruction's hardware requests asked for it.
    pub request: u32,
    /// Its sectors, all of them, in order; one of the whole size where there are no sectors.
    pub sectors: Vec<SectorUse>,
}

/// One sector of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectorUse {
    /// Byte address of its first byte.
    pub address: u64,
    /// Its size in bytes.
    pub bytes: u32,
    /// Whether it is moved.
    pub moved: bool,
    /// Bit *i*: byte *i* of the sector is asked for (sectors have at most 128 bytes).
    pub used: u128,
    /// The lanes that touch it.
    pub lanes: LaneMask,
}
