//! What tests of tiles of 32 x 32 ask: the padding that is found first.

use crate::asked::advised;
use lanescope_fixes::{FixKind, Place, Suggestion};
use lanescope_frontend::NamedLaunch;

/// The padding that comes first for a text whose block is 32 x 32, with so many bytes of dynamic shared memory.
pub(crate) fn padded(text: &str, dynamic: u64) -> Suggestion {
    let launch = NamedLaunch {
        dynamic_shared_bytes: dynamic,
        ..NamedLaunch::new([1, 1, 1], [32, 32, 1])
    };
    let advice = advised(text, launch, &[]);
    let is_pad = |one: &&Suggestion| matches!(one.kind, FixKind::Place(Place::Pad { .. }));
    let found = advice.suggestions.first().filter(is_pad);
    found.cloned().unwrap_or_else(|| {
        let kinds = advice.suggestions.iter().map(|one| one.kind.to_string());
        panic!("{text}\n{:?} {:?}", kinds.collect::<Vec<_>>(), advice.notes)
    })
}
