//! What a fix says that each index takes more, beside what the SASS takes.

use super::totals::{Fix, Totals};
use std::fmt;

/// Instructions more for an access to shared memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct IndexPrice {
    /// At most, as the fix says.
    said: f64,
    /// In the SASS, on average over the launch.
    counted: f64,
}

impl IndexPrice {
    /// Of a fix whose SASS executes `added` instructions on whole numbers more; `None` where it says no price or the changed
    /// source was not counted.
    pub(super) fn of(fix: &Fix, added: Option<i64>, after: Option<Totals>) -> Option<Self> {
        let requests = after
            .map(|after| after.requests)
            .filter(|count| *count > 0)?;
        (fix.index_instructions > 0).then_some(Self {
            said: fix.index_instructions as f64,
            counted: added? as f64 / requests as f64,
        })
    }

    const fn is_near(&self) -> bool {
        (self.said - self.counted).abs() <= 1.0
    }

    const fn is_too_low(&self) -> bool {
        self.counted > self.said + 1.0
    }
}

impl fmt::Display for IndexPrice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { said, counted } = self;
        write!(
            f,
            "says at most {said} instructions an index, SASS {counted:.2}"
        )
    }
}

/// How often the price was near.
#[derive(Default)]
pub(super) struct Prices {
    all: usize,
    near: usize,
    too_low: usize,
}

impl Prices {
    /// Counts a price, and prints one that is not near.
    pub(super) fn add(&mut self, case: &str, fix: &str, price: IndexPrice) {
        self.all += 1;
        self.near += usize::from(price.is_near());
        self.too_low += usize::from(price.is_too_low());
        if !price.is_near() {
            println!("{case}: {fix}: {price}");
        }
    }
}

impl fmt::Display for Prices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "index instructions: {} of {} prices within one of the SASS, {} more than one too low",
            self.near, self.all, self.too_low
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_price_is_held_against_the_instructions_of_an_access() {
        let fix = Fix {
            name: String::new(),
            edits: BTreeMap::new(),
            launch_options: Vec::new(),
            index_instructions: 2,
            predicted: [Totals::default(); 2],
        };
        let after = Totals {
            requests: 64,
            ..Totals::default()
        };
        let mut prices = Prices::default();
        for (added, near, too_low) in [(128, 1, 0), (64, 2, 0), (0, 2, 0), (256, 2, 1)] {
            let price = IndexPrice::of(&fix, Some(added), Some(after)).unwrap();
            prices.add("case", "fix", price);
            assert_eq!((prices.near, prices.too_low), (near, too_low), "{added}");
        }
        assert_eq!(
            prices.to_string(),
            "index instructions: 2 of 4 prices within one of the SASS, 1 more than one too low\n"
        );
        assert_eq!(IndexPrice::of(&fix, None, Some(after)), None);
        assert_eq!(IndexPrice::of(&fix, Some(1), None), None);
    }
}
