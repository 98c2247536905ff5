use serde::{Deserialize, Serialize};

/// What the opened device allows, in bytes, invocations and workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceLimits {
    /// Largest storage binding.
    pub binding_bytes: u64,
    /// Largest buffer.
    pub buffer_bytes: u64,
    /// Workgroup memory.
    pub workgroup_bytes: u32,
    /// Invocations of a workgroup.
    pub invocations: u32,
    /// Invocations of a workgroup along x and y.
    pub workgroup_size: [u32; 2],
    /// Workgroups along one dimension.
    pub workgroups: u32,
    /// Whether subgroup operations may be used.
    pub subgroups: bool,
    /// Lanes of every subgroup, where they may be used and all are of one width; else 0.
    #[serde(default)]
    pub subgroup_lanes: u32,
    /// Whether 16-bit floats may be used.
    #[serde(default)]
    pub half: bool,
    /// Whether passes can be timed on the device.
    pub timestamps: bool,
}

impl DeviceLimits {
    /// What every WebGPU device offers.
    pub const PROMISED: Self = Self {
        binding_bytes: 128 << 20,
        buffer_bytes: 256 << 20,
        workgroup_bytes: 16_384,
        invocations: 256,
        workgroup_size: [256, 256],
        workgroups: 65_535,
        subgroups: false,
        subgroup_lanes: 0,
        half: false,
        timestamps: false,
    };

    /// The largest array one binding of one buffer takes, in bytes.
    #[must_use]
    pub fn array_bytes(&self) -> u64 {
        self.binding_bytes.min(self.buffer_bytes)
    }
}
