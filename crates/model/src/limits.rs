//! How much shared memory there is and how many warps fit.

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
