//! Rounds through the instructions: in each, those alone are looked at for which something has changed.

use std::ops::Range;

/// The instructions that are due, in the order of the program and then again from its beginning.
///
/// What a pass finds is then what it would find if it looked at all instructions in every round,
/// until a round finds nothing new.
pub(super) struct Rounds {
    /// A bit for each instruction.
    due: Vec<u64>,
    /// Where the round is.
    at: usize,
}

impl Rounds {
    /// The first round sees all `count` instructions.
    pub(super) fn all(count: usize) -> Self {
        let mut rounds = Self {
            due: vec![0; count.div_ceil(64)],
            at: 0,
        };
        rounds.add(0..count);
        rounds
    }

    /// Instructions are to be looked at again.
    pub(super) fn add(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let (first, last) = (range.start / 64, (range.end - 1) / 64);
        for word in first..=last {
            let from = if word == first { range.start % 64 } else { 0 };
            let to = if word == last {
                (range.end - 1) % 64
            } else {
                63
            };
            self.due[word] |= (u64::MAX << from) & (u64::MAX >> (63 - to));
        }
    }

    /// One instruction is to be looked at again.
    pub(super) fn add_one(&mut self, at: usize) {
        self.due[at / 64] |= 1 << (at % 64);
    }

    /// These instructions are to be looked at again.
    pub(super) fn add_each(&mut self, list: &[usize]) {
        list.iter().for_each(|at| self.add_one(*at));
    }

    /// The next instruction that is due.
    pub(super) fn next(&mut self) -> Option<usize> {
        let at = self.from(self.at).or_else(|| self.from(0))?;
        self.due[at / 64] &= !(1 << (at % 64));
        self.at = at + 1;
        Some(at)
    }

    fn from(&self, at: usize) -> Option<usize> {
        let first = at / 64;
        let rest = self.due.get(first)? & (u64::MAX << (at % 64));
        if rest != 0 {
            return Some(first * 64 + rest.trailing_zeros() as usize);
        }
        let word = (first + 1..self.due.len()).find(|word| self.due[*word] != 0)?;
        Some(word * 64 + self.due[word].trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::Rounds;

    #[test]
    fn each_comes_once_in_order_and_again_when_it_is_due_again() {
        let mut rounds = Rounds::all(200);
        let mut seen: Vec<usize> = Vec::new();
        while let Some(at) = rounds.next() {
            seen.push(at);
            match (at, seen.len()) {
                (100, 101) => {
                    rounds.add(63..66);
                    rounds.add_one(150);
                }
                (64, 202) => rounds.add_one(64),
                _ => {}
            }
        }
        let expected: Vec<usize> = (0..200).chain([63, 64, 65, 64]).collect();
        assert_eq!(seen, expected);
        assert_eq!(Rounds::all(0).next(), None);
    }
}
