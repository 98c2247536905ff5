//! What is accessed outside of its memory, noted by the text itself: for a run before those that are timed.

use crate::Watch;
use crate::document::source;
use crate::memory::{Memory, Space};
use crate::writer::{Facts, Writer};

/// The name of the buffer in which it is noted.
pub(crate) const WATCH_NAME: &str = "outside";

impl Writer<'_, '_> {
    /// Has the text note an access of `count` elements of `unit` bytes from `index` on that leaves its memory; returns the index, which
    /// is computed once.
    pub(crate) fn watched(
        &mut self,
        memory: &Memory,
        index: String,
        [count, unit]: [u32; 2],
    ) -> String {
        if !self.facts.options.is_watched {
            return index;
        }
        let all = &self.facts.memories.all;
        let number = all.iter().position(|one| one.name == memory.name);
        let number = number.unwrap_or_default();
        let elements = match (memory.space, memory.words) {
            (Space::Storage, _) => {
                let at = all.len() + number;
                format!("atomicLoad(&{WATCH_NAME}[{at}u]) / {unit}u")
            }
            (Space::Workgroup, Some(words)) => format!("{}u", words * 4 / u64::from(unit)),
            (Space::Workgroup, None) | (Space::Function, _) => return index,
        };
        let index = self.temporary(&index);
        let helper = self.helper("note_outside");
        let place = self.facts.kernel.places.get(self.place.index());
        let line = place.map_or(0, |place| place.line).saturating_add(1);
        self.line(&format!(
            "{helper}({number}u, {index}, {count}u, {elements}, {line}u);"
        ));
        index
    }
}

impl Watch {
    /// Of a text whose other bindings end before `binding`.
    pub(crate) fn of(facts: &Facts<'_>, binding: u32) -> Self {
        let named = |one: &Memory| {
            let is_buffer = one.space == Space::Storage;
            let source = source(facts.kernel, one.object).filter(|_| is_buffer);
            (one.name.clone(), source)
        };
        Self {
            binding,
            memories: facts.memories.all.iter().map(named).collect(),
        }
    }
}
