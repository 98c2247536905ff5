//! How much shared memory there is, how many warps fit, and how fast sectors come.

use crate::Confidence;
use crate::fact::Sourced;

/// What of an SM a block takes; a number that is not known is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Bytes of L1 and shared memory together, where they are one memory.
    pub(crate) l1: Option<Sourced<u32>>,
    pub(crate) shared_per_sm: Option<Sourced<u32>>,
    pub(crate) shared_per_block: Option<Sourced<u32>>,
    pub(crate) shared_reserved: Option<Sourced<u32>>,
    pub(crate) shared_granularity: Option<Sourced<u32>>,
    pub(crate) warps_per_sm: Option<Sourced<u32>>,
    pub(crate) blocks_per_sm: Option<Sourced<u32>>,
    pub(crate) threads_per_block: Option<Sourced<u32>>,
    /// Bytes that come into an SM from L2 in a cycle.
    pub(crate) fill_bytes_per_cycle: Sourced<u32>,
}

impl Limits {
    /// Nothing is known.
    pub(crate) const NONE: Self = Self {
        l1: None,
        shared_per_sm: None,
        shared_per_block: None,
        shared_reserved: None,
        shared_granularity: None,
        warps_per_sm: None,
        blocks_per_sm: None,
        threads_per_block: None,
        fill_bytes_per_cycle: Sourced::new(
            64,
            "inferred from CC 9.0 (64 bytes a cycle)",
            Confidence::Inferred,
        ),
    };

    /// The sizes of shared memory, all from one source.
    pub(crate) const fn shared(
        self,
        [per_sm, per_block, reserved, granularity]: [u32; 4],
        source: &'static str,
        confidence: Confidence,
    ) -> Self {
        Self {
            shared_per_sm: Some(Sourced::new(per_sm, source, confidence)),
            shared_per_block: Some(Sourced::new(per_block, source, confidence)),
            shared_reserved: Some(Sourced::new(reserved, source, confidence)),
            shared_granularity: Some(Sourced::new(granularity, source, confidence)),
            ..self
        }
    }

    /// Bytes that come into an SM from L2 in a cycle.
    pub(crate) const fn fill(self, source: &'static str, confidence: Confidence) -> Self {
        Self {
            fill_bytes_per_cycle: Sourced::new(64, source, confidence),
            ..self
        }
    }

    /// The memory that L1 and shared memory divide, in bytes.
    pub(crate) const fn l1(self, bytes: u32, source: &'static str, confidence: Confidence) -> Self {
        Self {
            l1: Some(Sourced::new(bytes, source, confidence)),
            ..self
        }
    }

    /// The limits on warps, blocks and threads, all from one source.
    pub(crate) const fn residency(
        self,
        [warps, blocks, threads]: [u32; 3],
        source: &'static str,
        confidence: Confidence,
    ) -> Self {
        Self {
            warps_per_sm: Some(Sourced::new(warps, source, confidence)),
            blocks_per_sm: Some(Sourced::new(blocks, source, confidence)),
            threads_per_block: Some(Sourced::new(threads, source, confidence)),
            ..self
        }
    }
}
