//! Everything a link carries.

use crate::{Embed, Lab, Language, Launch, Selection};
use strum::VariantArray;

/// The state of the playground. [`State::default`] is the empty page, whose link is only a version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// What is analysed.
    pub source: Source,
    /// Whether the accesses of an expression read or write.
    pub operation: Operation,
    /// How the source is launched.
    pub launch: Launch,
    /// The device it is analysed for.
    pub device: Device,
    /// Ids of the devices set beside it.
    pub compared: Vec<String>,
    /// What is looked into.
    pub selection: Selection,
    /// Whether a value read twice counts twice (false: the compiler keeps it).
    pub repeated_reads: bool,
    /// What a kernel is compiled by before it is counted, only when it was chosen.
    pub compiler: Option<Compiler>,
    /// Which part of the page is open.
    pub view: View,
    /// The link to the state that stands beside this one, as [`crate::encode`] writes it.
    pub beside: Option<String>,
    /// The id of the gallery's entry that is told.
    pub lesson: Option<String>,
    /// The settings of the lab.
    pub lab: Lab,
    /// The language, only when it was chosen.
    pub language: Option<Language>,
    /// The theme, only when it was chosen.
    pub theme: Option<Theme>,
    /// How an embed shows the state.
    pub embed: Embed,
    /// Keys this version does not know, with their values, in the link's order.
    pub unknown: Vec<(String, String)>,
}

/// What is analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Index expressions over declared arrays.
    Expression {
        /// One access a line.
        accesses: String,
        /// The arrays and variables, as in CUDA.
        declarations: String,
    },
    /// A kernel: CUDA, HIP, C++ AMP, WGSL, PTX or SASS, told apart by its text.
    Kernel(String),
    /// A layout in CuTe's notation.
    Layout {
        /// The layout.
        layout: String,
        /// How it is accessed: a word such as `ldmatrix.x4`, empty when not chosen.
        access: String,
    },
    /// Recorded lane addresses, as CSV or JSON.
    Trace(String),
}

impl Default for Source {
    fn default() -> Self {
        Self::Expression {
            accesses: String::new(),
            declarations: String::new(),
        }
    }
}

/// What the accesses of an expression do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Operation {
    /// They read.
    #[default]
    Load,
    /// They write.
    Store,
}

/// The device of an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Device {
    /// A device by its permanent id, such as `cc9.0`. Whether there is one is for the reader to
    /// say; an id that is not known is an error, never another device.
    Known(String),
    /// A device of the user's own numbers.
    Custom(CustomDevice),
}

impl Default for Device {
    fn default() -> Self {
        Self::Known("cc9.0".to_owned())
    }
}

/// The numbers of a user's own device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CustomDevice {
    /// Banks of shared memory.
    pub banks: u32,
    /// Bits of one word of a bank.
    pub bank_bits: u32,
    /// Lanes served together.
    pub lanes: u32,
    /// Whether lanes on one word share it.
    pub broadcast: Broadcast,
    /// Bytes of a sector of global memory.
    pub sector_bytes: u32,
    /// Bytes of a line of global memory.
    pub line_bytes: u32,
}

/// Whether lanes on one word share it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, VariantArray)]
pub enum Broadcast {
    /// They do not.
    None,
    /// Those on one word a step do.
    OneWord,
    /// They all do.
    #[default]
    Any,
}

impl Broadcast {
    /// All of them.
    pub const ALL: &'static [Self] = Self::VARIANTS;
}

/// A model of a compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compiler {
    /// None: the kernel as written, every access where it stands.
    None,
    /// nvcc of CUDA 13.
    Nvcc13,
}

/// A part of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    /// Verdict, lines and the inside of a request.
    #[default]
    Analysis,
    /// The fixes.
    Fix,
    /// All devices side by side.
    Devices,
    /// The lab.
    Lab,
    /// The gallery.
    Gallery,
}

/// A theme of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Light text on a dark ground.
    Dark,
    /// Dark text on a light ground.
    Light,
}
