//! Elements that follow a list of values.

use lanescope_ui::element::El;

/// The children of an element, one for each value. Those whose value stays the same stay as they are: the browser need not
/// set and paint them again.
pub(crate) struct List<T> {
    parent: El,
    shown: Vec<(T, El)>,
}

impl<T: PartialEq> List<T> {
    /// No children yet, in `parent`, which nobody else adds to.
    pub(crate) const fn new(parent: El) -> Self {
        Self {
            parent,
            shown: Vec::new(),
        }
    }

    /// Shows `values`; `build` makes the element of one that is new.
    pub(crate) fn put(&mut self, values: Vec<T>, build: impl Fn(&T) -> El) {
        let kept = Kept::of(&self.shown, &values);
        let after = self.shown.split_off(self.shown.len() - kept.back);
        let gone = self.shown.split_off(kept.front);
        let new = values.len() - kept.back;
        let mut gone = gone.into_iter().map(|(_, element)| element);
        for value in values.into_iter().take(new).skip(kept.front) {
            let element = build(&value);
            match (gone.next(), after.first()) {
                (Some(old), _) => old.replace_by(&element),
                (None, Some((_, next))) => next.put_before(&element),
                (None, None) => self.parent.add(&element),
            }
            self.shown.push((value, element));
        }
        gone.for_each(|element| element.remove());
        self.shown.extend(after);
    }
}

/// How many values at both ends are as before.
#[derive(Debug, PartialEq, Eq)]
struct Kept {
    front: usize,
    back: usize,
}

impl Kept {
    fn of<T: PartialEq, E>(shown: &[(T, E)], values: &[T]) -> Self {
        let is_same = |((old, _), new): &(&(T, E), &T)| old == *new;
        let front = shown.iter().zip(values).take_while(is_same).count();
        let (shown, values) = (&shown[front..], &values[front..]);
        let pairs = shown.iter().rev().zip(values.iter().rev());
        let back = pairs.take_while(is_same).count();
        Self { front, back }
    }
}

#[cfg(test)]
mod tests {
    use super::Kept;

    fn kept(before: &str, after: &str) -> (usize, usize) {
        let shown: Vec<(char, ())> = before.chars().map(|value| (value, ())).collect();
        let values: Vec<char> = after.chars().collect();
        let kept = Kept::of(&shown, &values);
        (kept.front, kept.back)
    }

    #[test]
    fn what_is_the_same_at_both_ends_stays() {
        assert_eq!(kept("abcde", "abXde"), (2, 2));
        assert_eq!(kept("abcde", "abde"), (2, 2));
        assert_eq!(kept("abde", "abcde"), (2, 2));
        assert_eq!(kept("", "ab"), (0, 0));
        assert_eq!(kept("ab", ""), (0, 0));
    }

    #[test]
    fn no_value_is_kept_twice() {
        assert_eq!(kept("aaa", "aa"), (2, 0));
        assert_eq!(kept("aa", "aaa"), (2, 0));
        assert_eq!(kept("ab", "ab"), (2, 0));
    }
}
