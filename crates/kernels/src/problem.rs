/// What a kernel is asked to work on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Problem {
    /// An array of so many elements, at least 1.
    Length(u64),
    /// A matrix in row-major order, at least 1 x 1.
    Matrix {
        /// Rows of the input.
        rows: u32,
        /// Columns of the input.
        columns: u32,
    },
    /// The stride probe: so many dependent rounds of 16 loads in so many workgroups.
    Stride {
        /// Words between neighbouring lanes, 1 to 64.
        stride_words: u32,
        /// Rounds of 16 loads.
        rounds: u32,
        /// Workgroups of 64 lanes.
        workgroups: u32,
    },
}

impl Problem {
    /// Elements of the input array that hold data.
    #[must_use]
    pub fn elements(self) -> u64 {
        match self {
            Self::Length(length) => length,
            Self::Matrix { rows, columns } => u64::from(rows) * u64::from(columns),
            Self::Stride { .. } => 1,
        }
    }

    /// Whether every row, in and out, is a whole number of 16-byte quads.
    #[must_use]
    pub fn in_quads(self) -> bool {
        match self {
            Self::Matrix { rows, columns } => rows % 4 == 0 && columns % 4 == 0,
            Self::Length(_) | Self::Stride { .. } => true,
        }
    }
}
