//! The fixes of several shared arrays made at once: together they do what none does alone.

use crate::advisor::Advisor;
use crate::change::Change;
use crate::record::Watch;
use crate::{ArrayAdvice, Edit, FixKind, Proof, Suggestion, simplest_first};

impl Advisor<'_, '_> {
    /// Tries the best fix of each array together with those of the others.
    pub(crate) fn together(&mut self) {
        let parts = self.parts();
        if parts.len() < 2 {
            return;
        }
        let mut edits: Vec<Edit> = Vec::new();
        for edit in parts.iter().flat_map(|part| &part.edits) {
            if !edits.contains(edit) {
                edits.push(edit.clone());
            }
        }
        let places = parts.iter().filter_map(|part| match part.kind {
            FixKind::Place(place) => Some((part.array.clone(), place)),
            _ => None,
        });
        let snippets: Vec<_> = parts.iter().map(|part| part.snippet.clone()).collect();
        let kind = FixKind::Together(places.collect());
        let change = Change {
            instructions: parts
                .iter()
                .map(|part| part.instructions)
                .max()
                .unwrap_or(0),
            snippet: Some(snippets.join("; ")),
            relocates: true,
            layouts: parts.iter().flat_map(|part| part.layouts.clone()).collect(),
            ..Change::whole(kind, edits, self.launch.clone())
        };
        self.plan(1);
        self.prove(change, &Watch::PLAIN, Proof::SameAccesses);
    }

    /// The fix of each array that comes first among its own, of those that only move elements.
    fn parts(&self) -> Vec<Suggestion> {
        let moves = |one: &&Suggestion| matches!(one.kind, FixKind::Place(_));
        let best = |array: &ArrayAdvice| {
            let all = self.advice.suggestions.iter().filter(moves);
            let own: Vec<_> = all.filter(|one| one.array == array.name).cloned().collect();
            own.get(*simplest_first(&own).first()?).cloned()
        };
        self.advice.arrays.iter().filter_map(best).collect()
    }
}
