//! What is emitted, and what for.

use lanescope_ir::ArrayId;

use crate::{Field, FieldValue, Note};

/// What a device takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Threads of a block.
    pub threads: u32,
    /// Threads of a block along x, y, z.
    pub sides: [u32; 3],
    /// Bytes of workgroup memory.
    pub shared_bytes: u32,
    /// Storage buffers bound at once.
    pub buffers: u32,
    /// Workgroups along one dimension.
    pub groups: u32,
    /// Lanes of every subgroup, where the device has subgroup operations and all its subgroups are of one width; else 0.
    pub subgroup_lanes: u32,
    /// Whether the device has 16-bit floats.
    pub half: bool,
}

impl Limits {
    /// What every WebGPU device takes.
    pub const PROMISED: Self = Self {
        threads: 256,
        sides: [256, 256, 64],
        shared_bytes: 16_384,
        buffers: 8,
        groups: 65_535,
        subgroup_lanes: 0,
        half: false,
    };
}

impl Default for Limits {
    /// What large GPUs take.
    fn default() -> Self {
        Self {
            threads: 1024,
            sides: [1024, 1024, 64],
            shared_bytes: 48 << 10,
            buffers: 16,
            groups: 65_535,
            subgroup_lanes: 0,
            half: false,
        }
    }
}

/// What a text is emitted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    /// The most blocks of the grid along x, y, z that the text is to run with.
    pub grid: [u32; 3],
    /// Lanes of a warp.
    pub lanes: u32,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared_bytes: u64,
    /// What the device takes.
    pub limits: Limits,
    /// Whether the text notes in a buffer of its own what of its memory is accessed outside ([`Emitted::watch`]).
    pub is_watched: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            block: [1, 1, 1],
            grid: [65_535, 65_535, 65_535],
            lanes: 32,
            dynamic_shared_bytes: 0,
            limits: Limits::default(),
            is_watched: false,
        }
    }
}

/// Where a buffer's contents come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferSource {
    /// The buffer of a pointer parameter, by its position.
    Parameter(u32),
    /// An array that the text declares, in global or constant memory.
    Array(ArrayId),
}

/// A buffer of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Its group; of a text that is emitted 0.
    pub group: u32,
    /// Its number in the group.
    pub binding: u32,
    /// Its name in the text.
    pub name: String,
    /// What it holds.
    pub source: BufferSource,
    /// An element's type where the text is emitted, as in `vec4<f32>`.
    pub element: String,
    /// The fewest bytes that the text lets a launch bind; of a text that is emitted 0.
    pub least_bytes: u64,
    /// What the bytes are a multiple of.
    pub granule_bytes: u64,
    /// Whether it is a uniform rather than storage.
    pub is_uniform: bool,
    /// Whether the kernel reads it.
    pub is_read: bool,
    /// Whether the kernel writes it.
    pub is_written: bool,
}

/// A uniform of the text: numbers of the launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uniform {
    /// Its group.
    pub group: u32,
    /// Its number in the group.
    pub binding: u32,
    /// Its words, in order.
    pub fields: Vec<Field>,
}

impl Uniform {
    /// Its bytes for a grid and the bytes of all parameters as the kernel counts their offsets.
    #[must_use]
    pub fn bytes(&self, parameters: &[u8], grid: [u32; 3]) -> Vec<u8> {
        let word = |field: &Field| match field.value {
            FieldValue::Grid(axis) => {
                let side = grid.get(usize::from(axis)).copied().unwrap_or(1);
                side.to_le_bytes()
            }
            FieldValue::Parameter(offset) => {
                let byte = |at: usize| parameters.get(offset as usize + at).copied().unwrap_or(0);
                std::array::from_fn(byte)
            }
        };
        self.fields.iter().flat_map(word).collect()
    }
}

/// The buffer in which a text notes what of its memory is accessed outside, in words: of each memory 0, or one more than the line of
/// the source that accesses it outside; then of each memory its bytes, which a launch puts there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Its number in group 0.
    pub binding: u32,
    /// The names of all memory, and where it comes from where it is a buffer.
    pub memories: Vec<(String, Option<BufferSource>)>,
}

/// A kernel as WGSL.
#[derive(Clone, Debug, PartialEq)]
pub struct Emitted {
    /// The text.
    pub text: String,
    /// The entry point.
    pub entry: String,
    /// Values of its overrides, by name or number; an emitted text has none.
    pub constants: Vec<(String, f64)>,
    /// Its buffers.
    pub bindings: Vec<Binding>,
    /// Its uniforms of numbers; an emitted text has one at most.
    pub uniforms: Vec<Uniform>,
    /// Where it notes what is accessed outside, where that was asked for.
    pub watch: Option<Watch>,
    /// Threads of a workgroup along x, y, z.
    pub workgroup_size: [u32; 3],
    /// Bytes of workgroup memory.
    pub workgroup_bytes: u64,
    /// Whether the grid is folded into two dimensions.
    pub folds: bool,
    /// In what the text differs from the kernel.
    pub notes: Vec<Note>,
    /// `[line of the text]`: the line of the source that it is for, from 1; 0 where there is none.
    pub lines: Vec<u32>,
}

impl Emitted {
    /// Workgroups along x, y, z that run a grid, none of them above `most`; none where they cannot.
    #[must_use]
    pub fn dispatch(&self, grid: [u32; 3], most: u32) -> Option<[u32; 3]> {
        if !self.folds {
            return grid.iter().all(|side| *side <= most).then_some(grid);
        }
        let blocks = grid
            .iter()
            .try_fold(1_u32, |all, side| all.checked_mul(*side))?;
        let rows = blocks.div_ceil(most.max(1)).max(1);
        let row = blocks.div_ceil(rows);
        (rows <= most).then_some([row, rows, 1])
    }

    /// The line of the source that a line of the text (from 1) is for.
    #[must_use]
    pub fn source_line(&self, line: u32) -> Option<u32> {
        let at = usize::try_from(line.checked_sub(1)?).ok()?;
        self.lines.get(at).copied().filter(|line| *line != 0)
    }
}
