//! Where values that are not known come from, numbered.

use std::collections::BTreeMap;

use crate::Source;
use crate::machine::register::SourceId;

/// Sources from here on are not data: of two, the higher one is told.
const FIRST_OTHER_SOURCE: u8 = 96;

/// The highest source.
const LAST_SOURCE: u8 = 250;

/// Why values are unknown, by number.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    pub(super) known: BTreeMap<Source, SourceId>,
    pub(super) list: BTreeMap<SourceId, Source>,
}

impl Sources {
    /// The number of a source. Beyond what numbers hold, the last of its kind stands for the others.
    pub(crate) fn id(&mut self, source: Source) -> SourceId {
        if let Some(id) = self.known.get(&source) {
            return *id;
        }
        let (first, last) = if source.is_data() {
            (1, FIRST_OTHER_SOURCE - 1)
        } else {
            (FIRST_OTHER_SOURCE, LAST_SOURCE)
        };
        let taken = self
            .list
            .range(first..=last)
            .next_back()
            .map_or(first - 1, |(id, _)| *id);
        let id = taken.saturating_add(1).min(last);
        self.known.insert(source, id);
        self.list.entry(id).or_insert(source);
        id
    }

    pub(crate) fn source(&self, id: SourceId) -> Source {
        self.list.get(&id).copied().unwrap_or(Source::Memory)
    }
}
