//! The steps in which CC 1.x serves a half-warp.
//!
//! A step picks one word as the broadcast word and serves every lane that wants it, and one
//! lane of each other bank. The hardware does not say which: [`steps`] gives the fewest and
//! the most steps that any choice can take. Both are found directly; a test compares them with
//! a search through all choices.

use crate::order;
use std::cmp::Reverse;

use crate::shared_walk::Touch;

/// The fewest and the most steps that serving a set of lanes can take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Steps {
    /// With the luckiest choices.
    pub(crate) least: u32,
    /// With the unluckiest.
    pub(crate) most: u32,
}

impl Steps {
    /// The hardware has no choice.
    pub(crate) fn exactly(count: usize) -> Self {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            least: count,
            most: count,
        }
    }
}

/// One word: its bank, and how many lanes still want it.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    bank: u32,
    lanes: u32,
}

/// The steps that `touches` of at most `WORDS` words, sorted by bank and row, can take.
pub(crate) fn steps<const WORDS: usize>(touches: &[Touch]) -> Steps {
    let mut words = [Word::default(); WORDS];
    let mut len = 0;
    let each_word = touches.chunk_by(|a, b| (a.bank, a.row) == (b.bank, b.row));
    for (place, word) in words.iter_mut().zip(each_word) {
        *place = Word {
            bank: word[0].bank,
            lanes: u32::try_from(word.len()).unwrap_or(u32::MAX),
        };
        len += 1;
    }
    let words = &mut words[..len];
    let key = |word: &Word| (word.bank, Reverse(word.lanes));
    order::sort_by(words, |a, b| key(a) < key(b));
    Steps {
        least: least(words),
        most: most(words),
    }
}

/// The fewest steps: the smallest number in which there are enough broadcasts to go round.
///
/// In `n` steps, `b` of them with the broadcast word in a given bank, that bank serves its `b`
/// fullest words and `n - b` further lanes.
fn least(words: &[Word]) -> u32 {
    let broadcasts = |steps: u32| -> u32 {
        words
            .chunk_by(|a, b| a.bank == b.bank)
            .map(|bank| broadcasts_needed(bank, steps))
            .sum()
    };
    let mut steps = 0;
    while broadcasts(steps) > steps {
        steps += 1;
    }
    steps
}

/// The fewest broadcasts with which one bank, its fullest words first, is served in `steps`.
fn broadcasts_needed(bank: &[Word], steps: u32) -> u32 {
    let mut lanes: u32 = bank.iter().map(|word| word.lanes).sum();
    let mut broadcasts = 0;
    for word in bank {
        if lanes + broadcasts <= steps {
            break;
        }
        lanes -= word.lanes;
        broadcasts += 1;
    }
    broadcasts
}

/// The most steps: always broadcast the least wanted word of the bank with the fewest lanes
/// left, and elsewhere serve a lane of the most wanted word.
fn most(words: &mut [Word]) -> u32 {
    let mut steps = 0;
    while let Some(bank) = emptiest(words) {
        for other in words.chunk_by_mut(|a, b| a.bank == b.bank) {
            if other[0].bank == bank {
                broadcast(other);
            } else {
                serve_one(other);
            }
        }
        steps += 1;
    }
    steps
}

/// The bank with the fewest lanes left, if any lane is left.
fn emptiest(words: &[Word]) -> Option<u32> {
    words
        .chunk_by(|a, b| a.bank == b.bank)
        .map(|bank| {
            (
                bank.iter().map(|word| word.lanes).sum::<u32>(),
                bank[0].bank,
            )
        })
        .filter(|&(lanes, _)| lanes > 0)
        .min()
        .map(|(_, bank)| bank)
}

/// Serves all lanes of the least wanted word of `bank`.
fn broadcast(bank: &mut [Word]) {
    let left = bank.iter_mut().filter(|word| word.lanes > 0);
    if let Some(word) = left.min_by_key(|word| word.lanes) {
        word.lanes = 0;
    }
}

/// Serves one lane of the most wanted word of `bank`.
fn serve_one(bank: &mut [Word]) {
    if let Some(word) = bank.iter_mut().max_by_key(|word| word.lanes) {
        word.lanes = word.lanes.saturating_sub(1);
    }
}
