//! Values of the exposed registers at one point of a kernel. A block changes few of them: rows share, in chunks, what is
//! the same in both, so that a kernel of many blocks and registers is numbered in room of what its blocks change.

use crate::analysis::Value;
use std::rc::Rc;

/// Values a chunk.
const CHUNK: usize = 16;

/// Values of the exposed registers, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row(Vec<Rc<[Value]>>);

impl Row {
    /// A row of these values, which shares with `like` the chunks that are the same in both.
    pub(super) fn of(mut values: impl Iterator<Item = Value>, like: Option<&Self>) -> Self {
        let mut chunks = Vec::new();
        let mut chunk = Vec::with_capacity(CHUNK);
        loop {
            chunk.clear();
            chunk.extend(values.by_ref().take(CHUNK));
            if chunk.is_empty() {
                return Self(chunks);
            }
            let there = like.and_then(|like| like.0.get(chunks.len()));
            chunks.push(match there {
                Some(there) if there[..] == chunk[..] => Rc::clone(there),
                _ => Rc::from(chunk.as_slice()),
            });
        }
    }

    pub(super) fn get(&self, at: usize) -> Option<Value> {
        self.0.get(at / CHUNK)?.get(at % CHUNK).copied()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        self.0.iter().flat_map(|chunk| chunk.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_share_the_chunks_that_are_the_same() {
        let values = |changed: usize| {
            (0..40usize).map(move |at| Value::known(if at == changed { 99 } else { at as u64 }))
        };
        let row = Row::of(values(40), None);
        let other = Row::of(values(20), Some(&row));
        assert!(other.iter().eq(values(20)));
        let is_shared = |at: usize| Rc::ptr_eq(&row.0[at], &other.0[at]);
        assert_eq!(
            [is_shared(0), is_shared(1), is_shared(2)],
            [true, false, true]
        );
        assert_eq!(other.get(20), Some(Value::known(99)));
        assert_eq!(
            (other.get(39), other.get(40)),
            (Some(Value::known(39)), None)
        );
        assert_ne!(row, other);
        assert_eq!(Row::of(values(40), Some(&other)), row);
    }
}
