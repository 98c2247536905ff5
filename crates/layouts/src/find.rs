//! The cheapest swizzle or pitch that frees all accesses of a layout from bank conflicts at once,
//! or the proof that there is none.
//!
//! Swizzles `Swizzle<B,M,S>` and pitches are tried one by one, against the device's own rules.
//! Where none is free, linear swizzles are decided as a whole: each of them is, as far as banks
//! go, a linear map over F2 from the address's bits to the bank's, and free exactly where its
//! kernel holds no difference of two addresses that one phase asks for (`linear`). That covers all
//! XORs of address bits on tiles up to 64 KiB.
//!
//! The search covers layouts whose accesses stand in the text; a base that is aligned to the
//! pattern is assumed.

mod candidates;
mod linear;
mod readings;
mod spelling;
mod verdict;

use std::ops::Range;

use lanescope_model::Device;

use super::syntax::{Access, Pattern};
use super::{Diagnostic, Document, LaneRequest, Placement, Swizzle, XorMode, lanes};

pub use linear::permutation;
pub use readings::Readings;
pub use spelling::Notation;

/// The longest tile, in bytes, whose linear swizzles are decided.
pub const MAX_TILE_BYTES: u64 = 65_536;

/// What several requests cost together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Requests.
    pub requests: u64,
    /// Passes over the banks.
    pub wavefronts: u64,
    /// Passes without any conflict.
    pub ideal_wavefronts: u64,
    /// Wavefronts less ideal wavefronts.
    pub conflicts: u64,
    /// The most wavefronts of one phase.
    pub ways: u32,
}

impl Cost {
    const fn plus(self, other: Self) -> Self {
        Self {
            requests: self.requests + other.requests,
            wavefronts: self.wavefronts + other.wavefronts,
            ideal_wavefronts: self.ideal_wavefronts + other.ideal_wavefronts,
            conflicts: self.conflicts + other.conflicts,
            ways: if self.ways > other.ways {
                self.ways
            } else {
                other.ways
            },
        }
    }
}

/// What is done to a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing: rows one after another.
    Plain,
    /// A swizzle of element numbers.
    Swizzle(Swizzle),
    /// Rows so many elements apart.
    Pitch(u64),
    /// Address bits XORed as no `Swizzle<B,M,S>` does it: strides over F2 of the offset's bits.
    Linear(Vec<XorMode>),
}

impl Change {
    /// What a layout that is written already does to plain rows, where it is a swizzle.
    fn of(placement: &Placement) -> Self {
        let readings = placement.readings();
        let swizzle = readings.and_then(|readings| readings.elements);
        swizzle.map_or(Self::Plain, Self::Swizzle)
    }

    /// Index operations that it adds to each access whose address is not folded: and, shift, XOR.
    #[must_use]
    pub fn operations(&self) -> u32 {
        match self {
            Self::Plain | Self::Pitch(_) => 0,
            Self::Swizzle(_) => 3,
            Self::Linear(modes) => {
                let moved = modes.iter().filter(|mode| !mode.stride.is_power_of_two());
                u32::try_from(moved.count())
                    .unwrap_or(u32::MAX)
                    .saturating_mul(3)
            }
        }
    }
}

/// A layout that was found, and what it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// What is done to the plain layout.
    pub change: Change,
    /// The layout with it.
    pub placement: Placement,
    /// Bytes more than the plain layout takes.
    pub added_bytes: u64,
    /// What each access of the text costs, in their order.
    pub accesses: Vec<Cost>,
    /// What a warp costs that goes along a row or down a column, for each width.
    pub widths: Vec<WidthCost>,
}

impl Remedy {
    /// What all accesses cost together.
    #[must_use]
    pub fn total(&self) -> Cost {
        self.accesses
            .iter()
            .fold(Cost::default(), |sum, cost| sum.plus(*cost))
    }

    /// Whether no access conflicts.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.total().conflicts == 0
    }
}

/// What loads of one width cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WidthCost {
    /// Bits a lane.
    pub bits: u64,
    /// A warp along a row; `None` where the layout does not allow it.
    pub row: Option<Cost>,
    /// A warp down a column.
    pub column: Option<Cost>,
}

/// What is known of better answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The first remedy is free, and none of the cheaper ones that were tried is.
    Cheapest {
        /// How many swizzles and pitches were tried.
        tried: usize,
    },
    /// No linear swizzle that keeps aligned groups whole is free: all were excluded.
    NoneIsFree {
        /// How many swizzles and pitches were tried.
        tried: usize,
        /// How many bit maps were excluded, partial ones included.
        excluded: usize,
        /// Bytes of the groups.
        group_bytes: u64,
    },
    /// Nothing that was tried is free; linear swizzles were not decided, for this reason.
    Undecided {
        /// How many swizzles and pitches were tried.
        tried: usize,
        /// Why not.
        reason: Undecided,
    },
}

/// Why linear swizzles were not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// The tile is longer than [`MAX_TILE_BYTES`].
    TileTooLong,
    /// The device's banks do not look the same to all accesses.
    Device,
    /// The search ended at its limit.
    TooManyMaps,
}

/// What was found for a layout and its accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The alignment that each row or group keeps, in bytes.
    pub alignment_bytes: u64,
    /// The text of each access, by its place.
    pub accesses: Vec<Range<usize>>,
    /// What the layout costs as it is written.
    pub as_written: Remedy,
    /// Layouts that are free, cheapest first; or the nearest one, alone, where none is.
    pub remedies: Vec<Remedy>,
    /// What is known of better ones.
    pub proof: Proof,
}

impl Finding {
    /// How others write the swizzle of the first layout found, and that of the layout as it is written where that is another
    /// one; `None` of a layout that ends with none.
    #[must_use]
    pub fn readings(&self) -> [Option<Readings>; 2] {
        let first = self.remedies.first();
        let found = first.and_then(|remedy| remedy.placement.readings());
        let written = self.as_written.placement.readings();
        let is_another = |one: &Readings| {
            let found = found.as_ref();
            found.is_none_or(|found| found.bytes != one.bytes)
        };
        let written = written.filter(is_another);
        [found, written]
    }
}

/// Why nothing could be sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindError {
    /// The text has no layout.
    NoLayout,
    /// The text has no access.
    NoAccess,
    /// The alignment is no power of two from 1 to 1,024.
    Alignment,
    /// The device's rule for one of the accesses is not known.
    UnknownRule,
}

/// Seeks the cheapest change that frees all accesses of `document` on `device` and keeps rows and
/// groups aligned to `alignment` bytes (where none is given: to the widest access).
///
/// # Errors
/// [`FindError`] where there is nothing to seek for.
pub fn find(
    document: &Document,
    device: &Device,
    alignment: Option<u64>,
) -> Result<Finding, FindError> {
    let placement = document.placement.as_ref().ok_or(FindError::NoLayout)?;
    if document.accesses.is_empty() {
        return Err(FindError::NoAccess);
    }
    if alignment.is_some_and(|bytes| !bytes.is_power_of_two() || bytes > 1_024) {
        return Err(FindError::Alignment);
    }
    let search = Search {
        accesses: &document.accesses,
        device,
        plain: candidates::plain(placement),
        alignment_bytes: alignment
            .unwrap_or(0)
            .max(widest(&document.requests))
            .max(4),
    };
    search.finding(placement)
}

fn widest(requests: &[LaneRequest]) -> u64 {
    let widths = requests.iter().map(|request| request.width.bytes());
    widths.max().unwrap_or(4)
}

/// One question and what it is asked of.
struct Search<'a> {
    accesses: &'a [(Access, Range<usize>)],
    device: &'a Device,
    plain: Placement,
    alignment_bytes: u64,
}

impl Search<'_> {
    fn finding(&self, written: &Placement) -> Result<Finding, FindError> {
        let costs = self
            .costs(written, u64::MAX)
            .ok_or(FindError::UnknownRule)?;
        let as_written = self.remedy(Change::of(written), written.clone(), costs);
        let (mut free, nearest, tried) = self.tried();
        let mut proof = Proof::Cheapest { tried };
        if free.is_empty() {
            let (found, decided) = self.linear(tried);
            free.extend(found);
            proof = decided;
        }
        free.sort_by_key(|remedy| (remedy.added_bytes, remedy.change.operations()));
        if free.is_empty() {
            free.extend(nearest);
        }
        Ok(Finding {
            alignment_bytes: self.alignment_bytes,
            accesses: self.accesses.iter().map(|(_, span)| span.clone()).collect(),
            as_written,
            remedies: free,
            proof,
        })
    }

    /// What each access costs on `placement`; `None` where one cannot be done there, or where all
    /// together take more than `limit` wavefronts.
    fn costs(&self, placement: &Placement, limit: u64) -> Option<Vec<Cost>> {
        let (mut costs, mut wavefronts) = (Vec::new(), 0);
        for (access, span) in self.accesses {
            let cost = self.cost(access, span, placement)?;
            wavefronts += cost.wavefronts;
            if wavefronts > limit {
                return None;
            }
            costs.push(cost);
        }
        Some(costs)
    }

    fn cost(&self, access: &Access, span: &Range<usize>, placement: &Placement) -> Option<Cost> {
        let requests = requests(access, span, placement).ok()?;
        let mut sum = Cost::default();
        for request in &requests {
            let counts = self.device.shared_counts(&request.request()).ok()?;
            sum = sum.plus(Cost {
                requests: 1,
                wavefronts: counts.wavefronts.into(),
                ideal_wavefronts: counts.ideal_wavefronts.into(),
                conflicts: counts.conflicts.into(),
                ways: counts.ways,
            });
        }
        Some(sum)
    }

    fn remedy(&self, change: Change, placement: Placement, accesses: Vec<Cost>) -> Remedy {
        let plain = self.plain.extent_bytes();
        Remedy {
            change,
            added_bytes: placement.extent_bytes().saturating_sub(plain),
            accesses,
            widths: self.widths(&placement),
            placement,
        }
    }

    /// What each width costs along a row and down a column.
    fn widths(&self, placement: &Placement) -> Vec<WidthCost> {
        let element = placement.element_bytes() * 8;
        let widths = [16, 32, 64, 128];
        let of = |bits: u64, pattern: Pattern<super::syntax::Threads>| {
            let access = Access {
                store: false,
                pattern,
                at: (0, 0),
                bits: Some(bits),
                remote: false,
                everywhere: false,
            };
            self.cost(&access, &(0..0), placement)
        };
        let widths = widths.into_iter().filter(|bits| *bits >= element);
        widths
            .map(|bits| WidthCost {
                bits,
                row: of(bits, Pattern::Row),
                column: of(bits, Pattern::Column),
            })
            .collect()
    }
}

/// The requests of one access on another layout.
fn requests(
    access: &Access,
    span: &Range<usize>,
    placement: &Placement,
) -> Result<Vec<LaneRequest>, Diagnostic> {
    lanes::requests(access, span, placement, lanes::MAX_REQUESTS)
}

impl Placement {
    /// Bytes from the tile's first to its last.
    #[must_use]
    pub fn extent_bytes(&self) -> u64 {
        let addresses = (0..self.size()).filter_map(|index| self.address_of(index));
        let (mut least, mut most) = (u64::MAX, 0);
        for address in addresses {
            (least, most) = (least.min(address), most.max(address));
        }
        most.saturating_sub(least.min(most)) + self.element_bytes()
    }
}
