//! What the advisor says.

use std::fmt;

use lanescope_frontend::NamedLaunch;
use lanescope_locale::{Language, fix_note, hardware};
use lanescope_model::Unknown;

use crate::{Edit, Occupancy, Place, Shape, SharedTotals, Source, TileLayout, Totals};

/// How many of its runs are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Runs done.
    pub done: u32,
    /// Runs planned so far.
    pub planned: u32,
}

/// What a search tells after a run.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// How many runs are done.
    pub progress: Progress,
    /// The advice so far, where the run proved a fix: the fixes in the order in which they were proved, without what is to be
    /// said at the end.
    pub found: Option<&'a Advice>,
}

/// The fixes of one source.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The blocks that were run, before and after alike, to compare.
    pub blocks: u64,
    /// How the source is launched as it is.
    pub launch: NamedLaunch,
    /// The source as it is, over these blocks.
    pub now: Totals,
    /// The arrays with conflicts or wasted sectors, in the order of the source.
    pub arrays: Vec<ArrayAdvice>,
    /// The fixes, the simplest first of those that gain nearly as much as the best.
    pub suggestions: Vec<Suggestion>,
    /// What else there is to say.
    pub notes: Vec<Note>,
}

/// What was found out about one shared array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayAdvice {
    /// Its name.
    pub name: String,
    /// Its shape, where it could be searched.
    pub shape: Option<Shape>,
    /// All requests to it as it is.
    pub now: SharedTotals,
    /// The fewest wavefronts that any layout of it could take.
    pub bound: u64,
    /// How many places were tried.
    pub tried: usize,
}

/// One fix, proved.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// What it does.
    pub kind: FixKind,
    /// The array it is about; empty for the whole source.
    pub array: String,
    /// The changed piece of source, as a headline: `tile[32][33]`.
    pub snippet: String,
    /// The changes of the source's text.
    pub edits: Vec<Edit>,
    /// The source with the changes made.
    pub source: Source,
    /// The launch to use with it.
    pub launch: NamedLaunch,
    /// All requests to the array, before and after.
    pub array_totals: [SharedTotals; 2],
    /// `[bank]`: wavefronts that each bank takes in the costliest phase of the costliest request to
    /// the array, before and after; empty where shared memory is not asked.
    pub banks: [Vec<u32>; 2],
    /// The whole source, before and after.
    pub totals: [Totals; 2],
    /// What of an SM a block takes, before and after.
    pub occupancy: [Occupancy; 2],
    /// Instructions more for each index, at most.
    pub instructions: u32,
    /// The line of the source as it is whose accesses cost more with it, where there is one.
    pub raises: Option<Rise>,
    /// Whether the changed text launches the kernel as `launch` says; `false` where that is left to whoever launches it.
    pub is_launched_in_text: bool,
    /// Why it computes the same.
    pub proof: Proof,
    /// Where it puts the elements of shared arrays, in the notations of CuTe and Triton; empty where it moves none, or
    /// where no layout says so.
    pub layouts: Vec<TileLayout>,
}

/// What the accesses of a line cost more: a fix that moves a conflict elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rise {
    /// The line, from 1.
    pub line: u32,
    /// Wavefronts and sectors before.
    pub from: u64,
    /// And after.
    pub to: u64,
}

/// What a fix does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixKind {
    /// Puts the elements of a shared array elsewhere.
    Place(Place),
    /// Cuts unused columns off a shared array's rows, so that they are a power of two long, and
    /// puts the elements elsewhere.
    Narrowed(Place),
    /// One array for each field of a structure, in shared memory.
    SplitShared,
    /// One buffer for each field of a structure, in global memory.
    SplitGlobal,
    /// A reduction with sequential instead of interleaved addressing.
    Sequential,
    /// A reduction whose blocks have half the threads, each of which adds two elements when it loads them.
    FirstAdd,
    /// A reduction whose last steps run in one warp, by shuffles.
    WarpShuffle,
    /// Two loops, one in the other, exchanged.
    LoopOrder,
    /// `threadIdx.x` and `threadIdx.y` exchanged.
    SwapAxes,
    /// `local_invocation_id.x` and `local_invocation_id.y` exchanged: the same in WGSL.
    SwapInvocations,
    /// Blocks `width` threads wide, in a grid that is narrower.
    BlockShape {
        /// Threads of a block along x.
        width: u32,
    },
    /// A copy with exchanged axes, staged through a padded tile in shared memory.
    Stage,
    /// A structure that `__align__` makes as long as one access: `bytes` bytes.
    AlignStructure {
        /// Bytes from structure to structure.
        bytes: u64,
    },
    /// A buffer that begins at an aligned address.
    AlignBase,
    /// Rows in global memory that begin at aligned addresses: `to` elements apart instead of
    /// `from`.
    Pitch {
        /// The arrays whose rows are set apart.
        arrays: Vec<String>,
        /// Elements from row to row as it is.
        from: u64,
        /// And with the fix.
        to: u64,
    },
    /// The fixes of several arrays at once: of each its name and where its elements go.
    Together(Vec<(String, Place)>),
    /// Neighbouring elements of a thread in one access of `bytes` bytes.
    Widen {
        /// Bytes of an access.
        bytes: u64,
    },
}

/// Why the changed source computes the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Proof {
    /// Each thread touches the same elements in the same order; each element has moved to one
    /// place of its own. What was one structure is touched field by field, in an order of its own where it is a binding of WGSL.
    SameAccesses,
    /// Each thread touches the same elements, several at once: of an array in global memory that is only read, or only
    /// written; or of a shared array, between the same barriers and the same writes of its warp.
    SameElements,
    /// As [`Proof::SameAccesses`], threads having exchanged their numbers.
    ThreadsExchanged,
    /// Both leave the same sums in global memory: run on random data, each thread storing the
    /// sum of what it has read since its last store.
    SameSums,
    /// Both leave the same bytes in global memory: run on random data.
    SameResults,
}

/// What there is to say besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The run found nothing to fix.
    NothingToFix,
    /// The array's addresses depend on the data, so no layout is best for all data.
    DataDependent {
        /// The array.
        array: String,
    },
    /// The array is used in a way that the text cannot be rewritten for: through a pointer, a
    /// macro, or without all its indices.
    NotRewritable {
        /// The array.
        array: String,
    },
    /// A tile in the array was not given longer rows: where a pointer begins behind it, the text does not say as a sum of
    /// lengths.
    PointerKept {
        /// The array.
        array: String,
        /// The pointer that would have to move.
        pointer: String,
    },
    /// A tile in the array was not given longer rows: the size that the array is declared with would have to grow with them,
    /// and how long a row is the text does not say as a number.
    SizeKept {
        /// The array.
        array: String,
        /// The tile's pointer.
        pointer: String,
    },
    /// No layout of the array can take fewer wavefronts than this.
    Bound {
        /// The array.
        array: String,
        /// Wavefronts.
        wavefronts: u64,
    },
    /// None of the layouts that were tried is better, and there are more.
    NothingFound {
        /// The array.
        array: String,
        /// How many layouts were tried.
        tried: usize,
    },
    /// No linear swizzle of the array takes fewer wavefronts: all were excluded.
    NoneBetter {
        /// The array.
        array: String,
        /// Wavefronts.
        wavefronts: u64,
        /// Whether no longer rows do either.
        pitches: bool,
    },
    /// The array's rows are declared longer than its indices go by, so that the padding does nothing.
    UnusedPadding {
        /// The array.
        array: String,
        /// A row's length as declared.
        declared: String,
        /// As the indices have it.
        used: String,
    },
    /// Sectors (lines, transactions) are wasted, and no fix for that was found.
    SectorsWasted {
        /// Those moved.
        units: u64,
        /// The fewest that could hold the bytes asked for.
        ideal: u64,
    },
    /// The device's rule is not known.
    Unknown(Unknown),
    /// The source has errors, so nothing was run.
    Errors,
    /// The text is WGSL and still wastes something: these fixes are written for C alone.
    OnlyInC,
    /// The WGSL text has several entry points and still wastes something: what changes the whole text was not tried.
    SeveralEntryPoints,
    /// The text launches the kernel's template with several lists of arguments, so only what is right for all of them was kept.
    SeveralInstances,
    /// A structure of arrays was not tried, as the text launches the kernel with the parameters that it has.
    ParametersKept,
    /// The run was stopped at its budget, so nothing was proved.
    Stopped,
}

impl Suggestion {
    /// Whether it is a fix of this array, or of the whole source.
    #[must_use]
    pub fn is_of(&self, array: &str) -> bool {
        match &self.kind {
            FixKind::Pitch { arrays, .. } => arrays.iter().any(|one| one == array),
            FixKind::Together(parts) => parts.iter().any(|(one, _)| one == array),
            FixKind::Place(_)
            | FixKind::Narrowed(_)
            | FixKind::SplitShared
            | FixKind::SplitGlobal
            | FixKind::Sequential
            | FixKind::FirstAdd
            | FixKind::WarpShuffle
            | FixKind::LoopOrder
            | FixKind::SwapAxes
            | FixKind::SwapInvocations
            | FixKind::BlockShape { .. }
            | FixKind::Stage
            | FixKind::AlignStructure { .. }
            | FixKind::AlignBase
            | FixKind::Widen { .. } => self.array.is_empty() || self.array == array,
        }
    }

    /// Its layouts, a line each, with the name of the notation before it; that there is none, of an XOR that CuTe cannot say.
    pub fn layout_lines(&self, language: Language) -> impl Iterator<Item = String> + '_ {
        let is_other = matches!(
            self.kind,
            FixKind::Place(Place::Linear(_)) | FixKind::Narrowed(Place::Linear(_))
        );
        let is_unsaid = is_other && self.layouts.is_empty();
        let none = is_unsaid.then(|| fix_note::no_layout(language).to_owned());
        let lines = self.layouts.iter().flat_map(|layout| {
            let triton = layout.triton.iter().map(|text| format!("Triton: {text}"));
            std::iter::once(format!("CuTe: {}", layout.cute)).chain(triton)
        });
        none.into_iter().chain(lines)
    }
}

impl fmt::Display for FixKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(Place::Pad { elements, .. }) => write!(f, "pad by {elements}"),
            Self::Place(Place::PadEvery { group, elements }) => {
                write!(f, "skip {elements} after every {group}")
            }
            Self::Place(Place::Swizzle(swizzle)) => write!(f, "XOR, {swizzle}"),
            Self::Place(Place::RowXor { .. }) => f.write_str("XOR the column with the row"),
            Self::Place(Place::Transposed) => f.write_str("transpose the layout"),
            Self::Place(Place::Linear(_)) => f.write_str("XOR of shifted index bits"),
            Self::Place(Place::AsIs) => f.write_str("as it is"),
            Self::Narrowed(place) => write!(f, "drop the padding, {place}"),
            Self::SplitShared => f.write_str("structure of arrays in shared memory"),
            Self::SplitGlobal => f.write_str("structure of arrays in global memory"),
            Self::Sequential => f.write_str("sequential addressing"),
            Self::FirstAdd => f.write_str("first add while loading, blocks half as large"),
            Self::WarpShuffle => f.write_str("warp shuffles for the last steps"),
            Self::LoopOrder => f.write_str("exchange the loops"),
            Self::SwapAxes => f.write_str("swap threadIdx.x and threadIdx.y"),
            Self::SwapInvocations => {
                f.write_str("swap local_invocation_id.x and local_invocation_id.y")
            }
            Self::BlockShape { width } => write!(f, "blocks {width} threads wide"),
            Self::Stage => f.write_str("stage through shared memory"),
            Self::AlignStructure { bytes } => write!(f, "__align__({bytes}) for the structure"),
            Self::AlignBase => f.write_str("align the buffer's base"),
            Self::Pitch { arrays, from, to } => {
                write!(
                    f,
                    "rows of {} {to} apart instead of {from}",
                    arrays.join(", ")
                )
            }
            Self::Together(parts) => {
                for (at, (array, place)) in parts.iter().enumerate() {
                    let gap = if at == 0 { "" } else { "; " };
                    write!(f, "{gap}{array}: {}", Self::Place(*place))?;
                }
                Ok(())
            }
            Self::Widen { bytes } => write!(f, "wider accesses, {bytes} bytes each"),
        }
    }
}

impl Note {
    /// The note in `language`, without a full stop.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::NothingToFix => fix_note::nothing_to_fix(language).into(),
            Self::DataDependent { array } => fix_note::data_dependent(language, array),
            Self::NotRewritable { array } => fix_note::not_rewritable(language, array),
            Self::PointerKept { array, pointer } => {
                fix_note::pointer_kept(language, array, pointer)
            }
            Self::SizeKept { array, pointer } => fix_note::size_kept(language, array, pointer),
            Self::Bound { array, wavefronts } => fix_note::bound(language, array, *wavefronts),
            Self::NothingFound { array, tried } => fix_note::nothing_found(language, array, *tried),
            Self::NoneBetter {
                array,
                wavefronts,
                pitches,
            } => fix_note::none_better(language, array, *wavefronts, *pitches),
            Self::UnusedPadding {
                array,
                declared,
                used,
            } => fix_note::unused_padding(language, array, declared, used),
            Self::SectorsWasted { units, ideal } => {
                fix_note::sectors_wasted(language, *units, *ideal)
            }
            Self::Unknown(unknown) => {
                fix_note::unknown(language, &hardware::unknown(language, *unknown))
            }
            Self::Errors => fix_note::errors(language).into(),
            Self::Stopped => fix_note::stopped(language).into(),
            Self::OnlyInC => fix_note::only_in_c(language).into(),
            Self::SeveralEntryPoints => fix_note::several_entry_points(language).into(),
            Self::SeveralInstances => fix_note::several_instances(language).into(),
            Self::ParametersKept => fix_note::parameters_kept(language).into(),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::English))
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SameAccesses => "each thread touches the same elements in the same order",
            Self::SameElements => "each thread touches the same elements, several at once",
            Self::ThreadsExchanged => "the same threads' work under exchanged numbers",
            Self::SameSums => "the same sums on random data, in another order",
            Self::SameResults => "the same results on random data, bit for bit",
        })
    }
}
