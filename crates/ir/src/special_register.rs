//! The table of special registers: one row each, from which follow their names, widths and whether lanes differ in them.

use crate::ArrayId;
use crate::verify::{ADDRESS, Checked, Checker, Table, VALUE, WORD, Width};

/// The index of a special register of which there are several.
trait Index: Sized {
    fn word(&self) -> String;

    fn from_word(word: &str) -> Option<Self>;

    fn check(&self, checker: &mut Checker<'_>);
}

/// An axis: x, y, z.
impl Index for u8 {
    fn word(&self) -> String {
        match self {
            0 => "x".to_owned(),
            1 => "y".to_owned(),
            2 => "z".to_owned(),
            other => other.to_string(),
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        match word {
            "x" => Some(0),
            "y" => Some(1),
            "z" => Some(2),
            other => other.parse().ok(),
        }
    }

    fn check(&self, checker: &mut Checker<'_>) {
        checker.index(Table::Axes, u32::from(*self), 3);
    }
}

/// A variable of an expression.
impl Index for u16 {
    fn word(&self) -> String {
        self.to_string()
    }

    fn from_word(word: &str) -> Option<Self> {
        word.parse().ok()
    }

    fn check(&self, checker: &mut Checker<'_>) {
        checker.variable(*self);
    }
}

impl Index for ArrayId {
    fn word(&self) -> String {
        self.0.to_string()
    }

    fn from_word(word: &str) -> Option<Self> {
        word.parse().ok().map(Self)
    }

    fn check(&self, checker: &mut Checker<'_>) {
        checker.array(*self);
    }
}

/// What a special register differs by within a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// By lane.
    Lane,
    /// By warp at most.
    Warp,
}

/// The register of a row, if the name is the row's, with an index where there are several.
macro_rules! named {
    ($name:ident, $row:literal, $variant:path) => {
        ($name == $row).then_some($variant)
    };
    ($name:ident, $row:literal, $variant:path, $type:ty) => {
        $name
            .strip_prefix($row)
            .and_then(|rest| rest.strip_prefix('.'))
            .and_then(<$type as Index>::from_word)
            .map($variant)
    };
}

/// Declares the special registers: variant, name in the text form, width of the register it is read into, scope.
macro_rules! special_registers {
    ($(
        $(#[$doc:meta])*
        $variant:ident $(($index:ident: $type:ty))? = $name:literal, $width:ident, $scope:ident,
    )*) => {
        /// A register of the machine that a thread reads and nothing writes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum SpecialRegister {
            $($(#[$doc])* $variant $(($type))?,)*
        }

        impl SpecialRegister {
            /// Its name in the text form: words parted by points.
            #[must_use]
            pub fn name(self) -> String {
                match self {
                    $(Self::$variant $(($index))? => {
                        [$name.to_owned() $(, $index.word())?].join(".")
                    })*
                }
            }

            /// The register of that name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                None$(.or_else(|| named!(name, $name, Self::$variant $(, $type)?)))*
            }

            /// The widths of a register that it is read into.
            pub(crate) const fn width(self) -> Width {
                match self {
                    $(Self::$variant { .. } => $width,)*
                }
            }

            const fn scope(self) -> Scope {
                match self {
                    $(Self::$variant { .. } => Scope::$scope,)*
                }
            }
        }

        impl Checked for SpecialRegister {
            fn check(&self, _: Width, checker: &mut Checker<'_>) {
                match self {
                    $(Self::$variant $(($index))? => {
                        $(Index::check($index, checker);)?
                    })*
                }
            }
        }
    };
}

special_registers! {
    /// `threadIdx` along an axis (0: x).
    ThreadIndex(axis: u8) = "thread", WORD, Lane,
    /// `blockIdx`.
    BlockIndex(axis: u8) = "block", WORD, Warp,
    /// `blockDim`.
    BlockSize(axis: u8) = "block_size", WORD, Warp,
    /// `gridDim`.
    GridSize(axis: u8) = "grid_size", WORD, Warp,
    /// `threadIdx` without dimensions: x runs fastest.
    LinearThreadIndex = "thread.linear", WORD, Lane,
    /// Lane in the warp.
    Lane = "lane", WORD, Lane,
    /// Warp in the block.
    Warp = "warp", WORD, Warp,
    /// Warps of the block.
    WarpCount = "warp_count", WORD, Warp,
    /// Lanes of a warp.
    WarpSize = "warp_size", WORD, Warp,
    /// Mask of this lane.
    LaneMaskEqual = "mask_eq", ADDRESS, Lane,
    /// Mask of the lanes below.
    LaneMaskLess = "mask_lt", ADDRESS, Lane,
    /// Mask of the lanes up to this one.
    LaneMaskLessEqual = "mask_le", ADDRESS, Lane,
    /// Mask of the lanes above.
    LaneMaskGreater = "mask_gt", ADDRESS, Lane,
    /// Mask of the lanes from this one on.
    LaneMaskGreaterEqual = "mask_ge", ADDRESS, Lane,
    /// Bytes of dynamic shared memory.
    DynamicSharedBytes = "dynamic_shared", WORD, Warp,
    /// Bytes of all shared memory of the block.
    TotalSharedBytes = "total_shared", WORD, Warp,
    /// Generic address of shared memory's first byte.
    SharedWindow = "shared_window", VALUE, Warp,
    /// Generic address of local memory's first byte.
    LocalWindow = "local_window", VALUE, Warp,
    /// The block's rank in its cluster.
    ClusterRank = "cluster_rank", WORD, Warp,
    /// Blocks of a cluster along an axis.
    ClusterSize(axis: u8) = "cluster_size", WORD, Warp,
    /// The block's index in its cluster along an axis.
    ClusterIndex(axis: u8) = "cluster_index", WORD, Warp,
    /// Something that no launch says: a clock, a multiprocessor's number. Its value is unknown.
    Unpredictable = "unpredictable", VALUE, Lane,
    /// Elements of a buffer that the launch counts (`arrayLength`).
    Elements(array: ArrayId) = "elements", ADDRESS, Warp,
    /// First byte's address (generic or global) of a buffer or array.
    ArrayAddress(array: ArrayId) = "address", ADDRESS, Warp,
    /// The value of an expression's variable, by its index in [`crate::Kernel::variables`].
    Variable(variable: u16) = "variable", VALUE, Lane,
}

impl SpecialRegister {
    /// Whether the lanes of a warp may read different values.
    #[must_use]
    pub const fn differs_by_lane(self) -> bool {
        matches!(self.scope(), Scope::Lane)
    }
}
