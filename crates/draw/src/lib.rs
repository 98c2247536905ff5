//! Pictures of what one memory request does: a report of [`lanescope_model`] in, a
//! [`Drawing`] out.
//!
//! A drawing is data: groups of marks, each with a place, a look ([`Tone`], [`Style`]) and what
//! it is about ([`About`]: phase, lanes, bank, word, sector). The command line and the exports
//! turn it into one self-contained SVG text with [`to_svg`]; the page walks the same marks to
//! keep its own elements up to date. Words come from outside as a function from [`Phrase`] to
//! text: [`english`], or [`in_language`].
//!
//! ```
//! use lanescope_draw::{bank_grid, english, to_svg};
//! use lanescope_model::{BankUse, LaneMask, PhaseReport, SharedCounts, SharedReport, WordUse};
//!
//! // Eight lanes of a device with eight banks; lane i wants word 8 * i: all of bank 0.
//! let words = (0..8).map(|lane| WordUse { address: lane * 32, lanes: LaneMask(1 << lane) });
//! let bank = BankUse { bank: 0, wavefronts: 8, words: words.collect() };
//! let all = LaneMask::first(8);
//! let phase = PhaseReport { lanes: all, active: all, wavefronts: 8, banks: vec![bank] };
//! let report = SharedReport {
//!     counts: SharedCounts {
//!         wavefronts: 8,
//!         wavefronts_least: 8,
//!         ideal_wavefronts: 1,
//!         conflicts: 7,
//!         ways: 8,
//!     },
//!     banks: 8,
//!     bank_bytes: 4,
//!     phases: vec![phase],
//! };
//! let svg = to_svg(&bank_grid(&report, &english));
//! assert!(svg.contains("8-way bank conflict"));
//! ```
//!
//! Left out: anything interactive, and any choice of what to draw.

mod bank_grid;
mod bank_pen;
mod bank_stacks;
mod card;
mod drawing;
mod equation;
mod escape;
mod ink;
mod lane_list;
mod legend;
mod note;
mod palette;
mod phrase;
mod rows;
mod sector_map;
mod svg;
mod text_picture;
mod thumbnail;
mod tile_svg;

pub use bank_grid::bank_grid;
pub use bank_stacks::{bank_stacks, stack_outlines};
pub use card::{Bar, CARD_SIZE, Card, card_svg};
pub use drawing::{About, Anchor, Drawing, Group, GroupKind, Mark, Rect, Shape, Style, Tone};
pub use equation::{ArrayPlace, Equation, LanePlace, bank_equation, sector_equation};
pub use escape::escape_xml;
pub use lane_list::lane_list;
pub use lanescope_locale::picture::Units;
pub use legend::{bank_legend, sector_legend};
pub use note::with_note;
pub use palette::{PALETTE, Swatch, Theme};
pub use phrase::{Phrase, Say, english, in_language};
pub use sector_map::sector_map;
pub use svg::{SHARED_RULES, svg_size, to_animated_svg, to_svg, to_svg_in, with_link};
pub use text_picture::{bank_text, sector_text};
pub use thumbnail::thumbnail;
pub use tile_svg::{TilePicture, TilePictureCell, bank_fill, tile_svg};
