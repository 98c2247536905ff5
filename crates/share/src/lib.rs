//! The state of the playground as a link.
//!
//! A link's fragment is a list of short public keys that people also write by hand:
//!
//! ```
//! use lanescope_share::{Source, decode, encode};
//!
//! let opened = decode("#v=1&e=tile[tx][ty]&d=float tile[32][33]&b=32,32")?;
//! let Source::Expression { accesses, declarations } = &opened.state.source else { panic!() };
//! assert_eq!(accesses, "tile[tx][ty]");
//! assert_eq!(declarations, "float tile[32][33]");
//! assert_eq!(opened.state.launch.block, [32, 32, 1]);
//! assert!(opened.notices.is_empty());
//!
//! // The same state makes the same link, byte for byte.
//! let link = encode(&opened.state);
//! assert_eq!(link, "v=1&c=qr&e=tile[tx][ty]&d=float%20tile[32][33]&b=32,32");
//! assert_eq!(encode(&decode(&link)?.state), link);
//! # Ok::<(), lanescope_share::LinkError>(())
//! ```
//!
//! The keys are [`KEYS`]; `docs/SHARE_FORMAT.md` describes them and the rules of escaping.
//!
//! What this crate leaves out: which devices, experiments and lessons there are (their ids are
//! words here, and whoever opens a link looks them up), and whether a launch is one that a device
//! takes. Everything read is bounded: [`MAX_FRAGMENT_BYTES`] in, [`MAX_TEXT_BYTES`] for each
//! packed text.

mod check;
mod embed;
mod error;
mod escape;
mod expression;
mod hidden;
mod keys;
mod lab;
mod launch;
mod length;
mod link;
mod packed;
mod pairs;
mod plain;
mod selection;
mod state;
mod v1;
mod word;

pub use embed::Embed;
pub use error::{LinkError, Notice};
pub use expression::{joined, parted_as_before};
pub use keys::{KEYS, Key};
pub use lab::Lab;
pub use lanescope_locale::Language;
pub use launch::{GuessedShape, Launch};
pub use length::Length;
pub use link::{MAX_FRAGMENT_BYTES, MAX_KEPT_BYTES, Opened, VERSION, decode, decode_kept, encode};
pub use packed::MAX_TEXT_BYTES;
pub use plain::{decode_plain, encode_plain};
pub use selection::{Selection, Site};
pub use state::{Broadcast, Compiler, CustomDevice, Device, Operation, Source, State, Theme, View};
