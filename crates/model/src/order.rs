//! Sorting of the few hundred places that one request touches, in a fraction of the code that the
//! standard library's sort takes: what it weighs counts where the model is sent over a network.

/// How far apart the items are that each round compares (Ciura's distances for Shell's sort).
const GAPS: [usize; 8] = [701, 301, 132, 57, 23, 10, 4, 1];

/// Sorts `items`, ascending.
pub(crate) fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::lt);
}

/// Sorts `items` so that none stands behind one that it comes `before`.
pub(crate) fn sort_by<T>(items: &mut [T], before: impl Fn(&T, &T) -> bool) {
    for gap in GAPS {
        for end in gap..items.len() {
            let mut at = end;
            while at >= gap && before(&items[at], &items[at - gap]) {
                items.swap(at, at - gap);
                at -= gap;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sort;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(items in prop::collection::vec(0_u16..600, 0..900)) {
            let (mut mine, mut other) = (items.clone(), items);
            sort(&mut mine);
            other.sort_unstable();
            prop_assert_eq!(mine, other);
        }
    }
}
