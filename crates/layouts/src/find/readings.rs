//! One swizzle, as CuTe, PTX, TMA and Triton each write it.

use crate::{Placement, Stage, Swizzle, TmaSwizzle};
use lanescope_locale::Language;
use lanescope_locale::layout::{Reading, no_reading, reading};

/// The same swizzle in each notation that can say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readings {
    /// CuTe's, on element numbers; `None` where it would tear an element.
    pub elements: Option<Swizzle>,
    /// On byte addresses, as after a pointer in CuTe and in PTX.
    pub bytes: Swizzle,
    /// The position of the bits that are read, as some code gives S: M + S, on element numbers.
    pub absolute_shift: Option<i64>,
    /// TMA's and `wgmma`'s mode.
    pub tma: Option<TmaSwizzle>,
    /// `[vec, perPhase, maxPhase]` of Triton's `swizzled_shared`.
    pub triton: Option<[u64; 3]>,
    /// The bits that are read and the bits that change, as masks of the byte address.
    pub masks: (u64, u64),
}

impl Readings {
    /// Who writes it, and how, a pair for each notation.
    #[must_use]
    pub fn lines(&self, language: Language) -> [(&'static str, String); 6] {
        let or_none = |text: Option<String>| text.unwrap_or_else(|| no_reading(language).into());
        let absolute = self.elements.zip(self.absolute_shift);
        let absolute = absolute.map(|(swizzle, position)| {
            format!("Swizzle<{},{},{position}>", swizzle.bits(), swizzle.base())
        });
        let mode = |mode: TmaSwizzle| format!("CU_TENSOR_MAP_SWIZZLE_{}", mode.name());
        let phases = |[vec, per_phase, max_phase]: [u64; 3]| {
            format!("vec = {vec}, perPhase = {per_phase}, maxPhase = {max_phase}")
        };
        let (reads, shift) = (self.masks.0, self.bytes.shift());
        let sign = if shift >= 0 { ">>" } else { "<<" };
        let address = format!("a ^ (a & {reads:#x}) {sign} {}", shift.unsigned_abs());
        [
            (
                Reading::Elements,
                self.elements.map(|element| element.to_string()),
            ),
            (Reading::AbsoluteShift, absolute),
            (Reading::Bytes, Some(self.bytes.to_string())),
            (Reading::Tma, self.tma.map(mode)),
            (Reading::Triton, self.triton.map(phases)),
            (Reading::Address, Some(address)),
        ]
        .map(|(of, text)| (reading(language, of), or_none(text)))
    }
}

impl Placement {
    /// How others write the swizzle that this layout ends with; `None` where it ends with none.
    #[must_use]
    pub fn readings(&self) -> Option<Readings> {
        let element = self.element_bytes();
        let bytes = match self.map().stages.last()? {
            Stage::Swizzle(swizzle) => swizzle.in_bytes(element).ok()?,
            Stage::SwizzleBytes(swizzle) | Stage::SwizzleAddress(swizzle) => *swizzle,
            Stage::Phases {
                columns,
                vec,
                per_phase,
                max_phase,
            } => from_phases([*columns, *vec, *per_phase, *max_phase])?
                .in_bytes(element)
                .ok()?,
            Stage::Offset(_) | Stage::Layout(_) | Stage::Xor(_) | Stage::Padding(_) => return None,
        };
        if bytes.bits() == 0 {
            return None;
        }
        let elements = bytes.in_elements(element).ok();
        let tma = TmaSwizzle::ALL
            .iter()
            .copied()
            .find(|mode| mode.swizzle() == Some(bytes));
        Some(Readings {
            elements,
            bytes,
            absolute_shift: elements
                .map(|swizzle| i64::from(swizzle.base()) + i64::from(swizzle.shift())),
            tma,
            triton: elements.and_then(|swizzle| self.phases(swizzle)),
            masks: bytes.masks(),
        })
    }

    /// `[vec, perPhase, maxPhase]` of a swizzle of whole rows; `None` where it reads or changes
    /// other bits.
    pub(super) fn phases(&self, swizzle: Swizzle) -> Option<[u64; 3]> {
        let row = super::candidates::Rows::of(&self.map().layout)?.pitch;
        let read = swizzle.base().checked_add_signed(swizzle.shift())?;
        let first = 1_u64.checked_shl(read)?;
        let (vec, phases) = (1_u64 << swizzle.base(), 1_u64 << swizzle.bits());
        let is_of_rows = swizzle.shift() > 0 && row.is_power_of_two() && first >= row;
        (is_of_rows && vec * phases <= row).then_some([vec, first / row, phases])
    }
}

/// The swizzle of Triton's phases; `None` where they wrap round a row.
fn from_phases([columns, vec, per_phase, max_phase]: [u64; 4]) -> Option<Swizzle> {
    if vec.checked_mul(max_phase)? > columns {
        return None;
    }
    let (base, bits) = (vec.ilog2(), max_phase.ilog2());
    let read = columns.checked_mul(per_phase)?.ilog2();
    let shift = i32::try_from(read).ok()? - i32::try_from(base).ok()?;
    Swizzle::new(bits, base, shift).ok()
}
