//! What a fix costs in shared memory and in blocks an SM.

use lanescope_model::{Device, Quantity, Value};

/// The workgroup memory that WebGPU promises on every device, in bytes.
///
/// # Source
/// WebGPU specification, `maxComputeWorkgroupStorageSize` (documented).
pub const WEBGPU_SHARED_BYTES: u64 = 16_384;

/// Registers, which only the compiler knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// Of one thread.
    pub per_thread: u32,
    /// Of one SM.
    pub per_sm: u32,
}

/// How much of an SM one block takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Bytes of shared memory of a block.
    pub shared_bytes: u64,
    /// Whether the device gives one block that much; `None` where it is not known.
    pub fits: Option<bool>,
    /// Blocks resident on one SM; `None` where a limit is not known.
    pub blocks: Option<u64>,
    /// Warps resident on one SM; `None` where a limit is not known.
    pub warps: Option<u64>,
}

impl Occupancy {
    /// Of a block of `threads` threads that takes `shared_bytes`.
    #[must_use]
    pub fn of(
        device: &Device,
        shared_bytes: u64,
        threads: u64,
        registers: Option<Registers>,
    ) -> Self {
        let limits = Limits::of(device);
        let warps = threads
            .div_ceil(u64::from(device.warp_lanes()).max(1))
            .max(1);
        let blocks = limits.blocks(shared_bytes, warps, registers, device.warp_lanes());
        Self {
            shared_bytes,
            fits: limits.per_block.map(|most| shared_bytes <= most),
            blocks,
            warps: blocks.map(|blocks| blocks * warps),
        }
    }

    /// Share of WebGPU's 16,384 bytes, in parts of 10,000.
    #[must_use]
    pub const fn webgpu_share(&self) -> u64 {
        self.shared_bytes * 10_000 / WEBGPU_SHARED_BYTES
    }
}

#[derive(Default)]
struct Limits {
    per_sm: Option<u64>,
    per_block: Option<u64>,
    reserved: Option<u64>,
    granularity: Option<u64>,
    warps: Option<u64>,
    blocks: Option<u64>,
}

impl Limits {
    fn of(device: &Device) -> Self {
        let mut limits = Self::default();
        for fact in device.facts() {
            let (Value::Bytes(value) | Value::Count(value)) = fact.value else {
                continue;
            };
            let value = Some(u64::from(value));
            match fact.quantity {
                Quantity::SharedBytesPerSm => limits.per_sm = value,
                Quantity::SharedBytesPerBlock => limits.per_block = value,
                Quantity::SharedBytesReserved => limits.reserved = value,
                Quantity::SharedGranularity => limits.granularity = value,
                Quantity::WarpsPerSm => limits.warps = value,
                Quantity::BlocksPerSm => limits.blocks = value,
                _ => {}
            }
        }
        limits
    }

    fn blocks(
        &self,
        shared: u64,
        warps: u64,
        registers: Option<Registers>,
        lanes: u32,
    ) -> Option<u64> {
        let grain = self.granularity.unwrap_or(1).max(1);
        let taken = (shared + self.reserved.unwrap_or(0)).div_ceil(grain) * grain;
        let by_shared = self.per_sm?.checked_div(taken).unwrap_or(u64::MAX);
        let by_warps = self.warps? / warps;
        let by_registers = registers.map_or(u64::MAX, |registers| {
            let of_block = u64::from(registers.per_thread) * warps * u64::from(lanes);
            u64::from(registers.per_sm) / of_block.max(1)
        });
        Some(by_shared.min(by_warps).min(by_registers).min(self.blocks?))
    }
}
