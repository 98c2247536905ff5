use strum::VariantArray;

/// The kernels, in the order the page lists them. A page matches on this to word
/// what each shows, so a missing text does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray)]
pub enum KernelId {
    /// Ceiling: reads and writes every byte once, 16 bytes a thread.
    CopyVec4,
    /// Ceiling: only reads.
    ReadVec4,
    /// `tid % (2 * s)`: idle lanes in every warp.
    ReduceDivergent,
    /// Packed lanes that stride over the banks.
    ReduceInterleaved,
    /// Neighbouring lanes, neighbouring words.
    ReduceSequential,
    /// Two elements a thread, added while loading.
    ReduceFirstAdd,
    /// Every step of the tree written out.
    ReduceUnrolled,
    /// Several elements a thread, a grid apart.
    ReduceGridStride,
    /// The same with 16 bytes a load.
    ReduceVec4,
    /// The tree done by subgroup adds.
    ReduceSubgroup,
    /// Many independent 16-byte loads a thread; two passes.
    ReduceTwoPass,
    /// The same in one pass, finished by the last workgroup.
    ReduceSinglePass,
    /// Copy along rows: what a transpose can at most reach.
    CopyRow,
    /// Copy along columns: what it should not fall below.
    CopyCol,
    /// Reads rows, writes columns.
    TransposeNaiveRow,
    /// Reads columns, writes rows.
    TransposeNaiveCol,
    /// Reads rows, four elements a thread.
    TransposeUnroll4Row,
    /// Reads columns, four elements a thread.
    TransposeUnroll4Col,
    /// Reads rows, workgroups in diagonal order.
    TransposeDiagonalRow,
    /// Reads columns, workgroups in diagonal order.
    TransposeDiagonalCol,
    /// Through a tile whose columns lie in one bank each.
    TransposeTiled,
    /// The tile with a word of padding a row.
    TransposePadded,
    /// The tile with XOR instead of padding.
    TransposeSwizzled,
    /// The padded tile, several rows a thread.
    TransposeRows,
    /// A tile of quads, XOR-swizzled.
    TransposeVec4,
    /// Several such tiles a workgroup.
    TransposePersistent,
    /// 4 x 4 blocks turned in registers, no tile.
    TransposeRegisters,
    /// An XOR tile of single floats, for any row length.
    TransposeScalar,
    /// The same, each output row cut at its sectors.
    TransposeSectors,
    /// Dependent shared-memory loads a stride apart.
    StrideProbe,
}

impl KernelId {
    /// Every kernel.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The stem of the kernel's files, its entry point and its name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CopyVec4 => "copy_vec4",
            Self::ReadVec4 => "read_vec4",
            Self::ReduceDivergent => "reduce_divergent",
            Self::ReduceInterleaved => "reduce_interleaved",
            Self::ReduceSequential => "reduce_sequential",
            Self::ReduceFirstAdd => "reduce_first_add",
            Self::ReduceUnrolled => "reduce_unrolled",
            Self::ReduceGridStride => "reduce_grid_stride",
            Self::ReduceVec4 => "reduce_vec4",
            Self::ReduceSubgroup => "reduce_subgroup",
            Self::ReduceTwoPass => "reduce_two_pass",
            Self::ReduceSinglePass => "reduce_single_pass",
            Self::CopyRow => "copy_row",
            Self::CopyCol => "copy_col",
            Self::TransposeNaiveRow => "transpose_naive_row",
            Self::TransposeNaiveCol => "transpose_naive_col",
            Self::TransposeUnroll4Row => "transpose_unroll4_row",
            Self::TransposeUnroll4Col => "transpose_unroll4_col",
            Self::TransposeDiagonalRow => "transpose_diagonal_row",
            Self::TransposeDiagonalCol => "transpose_diagonal_col",
            Self::TransposeTiled => "transpose_tiled",
            Self::TransposePadded => "transpose_padded",
            Self::TransposeSwizzled => "transpose_swizzled",
            Self::TransposeRows => "transpose_rows",
            Self::TransposeVec4 => "transpose_vec4",
            Self::TransposePersistent => "transpose_persistent",
            Self::TransposeRegisters => "transpose_registers",
            Self::TransposeScalar => "transpose_scalar",
            Self::TransposeSectors => "transpose_sectors",
            Self::StrideProbe => "stride_probe",
        }
    }

    /// The kernel so named.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|id| id.name() == name)
    }
}
