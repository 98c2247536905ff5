//! A list of a few items, kept in place: what one instruction reads or writes is asked for at every step of every analysis.

use std::ops::Deref;

/// Items that are kept in place; a list with more of them goes to the heap. Most instructions read three registers.
const IN_PLACE: usize = 4;

/// A small vector: a list that needs no heap while it is short.
#[derive(Clone, Debug, Default)]
pub struct ShortList<T> {
    first: [T; IN_PLACE],
    count: usize,
    /// All items, once they are more.
    all: Vec<T>,
}

impl<T: Copy + Default> ShortList<T> {
    /// A list without items.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an item at the end.
    pub fn push(&mut self, item: T) {
        if self.all.is_empty() {
            if let Some(slot) = self.first.get_mut(self.count) {
                *slot = item;
                self.count += 1;
                return;
            }
            self.all.extend(self.first);
        }
        self.all.push(item);
    }
}

impl<T> Deref for ShortList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        if self.all.is_empty() {
            self.first.get(..self.count).unwrap_or_default()
        } else {
            &self.all
        }
    }
}

impl<T: Copy + Default> FromIterator<T> for ShortList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut list = Self::new();
        items.into_iter().for_each(|item| list.push(item));
        list
    }
}

impl<T: PartialEq> PartialEq for ShortList<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: PartialEq, const N: usize> PartialEq<[T; N]> for ShortList<T> {
    fn eq(&self, other: &[T; N]) -> bool {
        **self == *other
    }
}

/// The items of a [`ShortList`], one after another.
#[derive(Clone, Debug)]
pub struct Items<T> {
    list: ShortList<T>,
    next: usize,
}

impl<T: Copy> Iterator for Items<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let item = self.list.get(self.next).copied()?;
        self.next += 1;
        Some(item)
    }
}

impl<T: Copy> IntoIterator for ShortList<T> {
    type Item = T;
    type IntoIter = Items<T>;

    fn into_iter(self) -> Items<T> {
        Items {
            list: self,
            next: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_order_in_place_and_on_the_heap() {
        for count in 0..3 * IN_PLACE {
            let list: ShortList<usize> = (0..count).collect();
            assert_eq!(list.len(), count);
            assert!(list.iter().copied().eq(0..count));
            assert!(list.into_iter().eq(0..count));
        }
    }
}
