//! What the gallery says: its pages' words, the presets' titles, the lessons.

use crate::Language;

sentences! { gallery:
    /// An operation by its key in reports.
    fn operation(key: &str) -> String;
    /// How many lane slots of a warp are used in all lines together; `lanes` has two digits.
    fn active_in_all(lanes: &str, warp_lanes: u32) -> String;
    /// Behind a number of units other than sectors, by their key in reports.
    fn other_unit(key: &str) -> &'static str;
}

sentences! { titles:
    /// The title of the preset, or of the compiled text, of this id; empty where there is none.
    fn title(id: &str) -> &'static str;
}

/// Texts without numbers in them.
#[derive(Clone, Copy, Debug)]
pub struct GalleryWords {
    /// The page.
    pub playground: &'static str,
    /// The lab's page.
    pub lab_page: &'static str,
    /// The gallery.
    pub gallery: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// The link to the page with this preset.
    pub open: &'static str,
    /// The link to the lab.
    pub lab: &'static str,
    /// Over the counts.
    pub counts: &'static str,
    /// Over the counts on other devices.
    pub elsewhere: &'static str,
    /// The page before.
    pub previous: &'static str,
    /// The page after.
    pub next: &'static str,
    /// A column: the access.
    pub access: &'static str,
    /// A column: what it does.
    pub does: &'static str,
    /// A column: the device.
    pub device: &'static str,
    /// A column: warp instructions.
    pub requests: &'static str,
    /// A column: wavefronts.
    pub wavefronts: &'static str,
    /// A column: sectors.
    pub sectors: &'static str,
    /// A column: the fewest that could do.
    pub ideal: &'static str,
    /// A column: n of n-way.
    pub ways: &'static str,
    /// A column: lanes that take part in a request.
    pub active_lanes: &'static str,
    /// In place of a number that is not known.
    pub unknown: &'static str,
    /// Before the name of a device.
    pub on: &'static str,
    /// A subject: tiles in shared memory, and transposes.
    pub subject_tiles: &'static str,
    /// A subject: reductions of one block.
    pub subject_reductions: &'static str,
    /// A subject: structures in global memory.
    pub subject_structures: &'static str,
    /// A subject: wide accesses, swizzles and alignment.
    pub subject_vectors: &'static str,
    /// A subject: the first generation: half-warps and 16 banks.
    pub subject_half_warps: &'static str,
    /// A subject: a device described by its numbers.
    pub subject_four_numbers: &'static str,
    /// A subject: kernels from their first line to their last.
    pub subject_kernels: &'static str,
}

impl GalleryWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, gallery::WORDS)
    }
}

/// The lessons, one text: `## id`, then its paragraphs.
#[must_use]
pub const fn lessons(language: Language) -> &'static str {
    in_folder!(language, gallery::LESSONS)
}
