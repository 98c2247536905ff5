//! Where the memories lie among generic addresses, and how large they may be.

/// Generic addresses of shared memory start here.
pub(crate) const SHARED_WINDOW: u64 = 1 << 60;

/// Generic addresses of local memory start here.
pub(crate) const LOCAL_WINDOW: u64 = 1 << 61;

/// Each allocation of global memory has so many bits of addresses of its own.
pub(crate) const ALLOCATION_BITS: u32 = 40;

/// Addresses in front of a block's shared memory where compiled code keeps which columns of tensor memory are taken.
pub(crate) const SYSTEM_WORDS: std::ops::Range<u64> = 0x40..0x60;

/// Bytes of shared memory that an executor keeps at most; a block of any device has less.
pub(crate) const MOST_SHARED: u64 = 1 << 20;

/// What shared memory ends below where nothing says how much of it a block has.
pub(crate) const UNBOUNDED_SHARED: u64 = 1 << 32;
