//! The known name that an unknown one may stand for.

/// Letters compared for all unknown names of a source, at most: past that, none is suggested.
const MOST_COMPARED: usize = 1 << 19;
/// What a known name costs besides its letters.
const EACH: usize = 8;
/// Bytes of a name that has others near it, at most.
const LONGEST: usize = 64;

/// Finds the names that few slips make of others.
#[derive(Clone, Debug)]
pub struct Nearest {
    /// Letters that may still be compared.
    left: usize,
}

impl Default for Nearest {
    fn default() -> Self {
        Self {
            left: MOST_COMPARED,
        }
    }
}

impl Nearest {
    /// The known name that is few slips from `name`, if there is one.
    pub fn of<'k>(&mut self, name: &str, known: impl Iterator<Item = &'k str>) -> Option<String> {
        if name.len() > LONGEST {
            return None;
        }
        let letters = lowered(name);
        let most = (letters.len() / 3).max(1);
        let close = |other: &&str| {
            other.len() <= LONGEST && other.len().abs_diff(name.len()) <= 3 * most && *other != name
        };
        let mut best: Option<(usize, usize, &str)> = None;
        for other in known.filter(close) {
            self.left = self.left.checked_sub(EACH + other.len())?;
            let limit = best.map_or(most, |(slips, ..)| slips);
            if let Some(slips) = self.slips(&letters, &lowered(other), limit)? {
                let found = (slips, other.len().abs_diff(name.len()), other);
                best = Some(best.map_or(found, |best| best.min(found)));
            }
        }
        best.map(|(.., other)| other.to_owned())
    }

    /// Letters to put in, take out, change or swap with a neighbour, if no more than `most`; nothing once too many
    /// letters have been compared.
    fn slips(&mut self, a: &[char], b: &[char], most: usize) -> Option<Option<usize>> {
        let (a, b) = apart(a, b);
        if a.len().abs_diff(b.len()) > most {
            return Some(None);
        }
        let mut before: Vec<usize> = Vec::new();
        let mut last: Vec<usize> = (0..=b.len()).collect();
        let mut least = 0;
        for i in 1..=a.len() {
            self.left = self.left.checked_sub(b.len())?;
            let mut row = vec![i; b.len() + 1];
            for j in 1..=b.len() {
                let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
                row[j] = change.min(last[j] + 1).min(row[j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    row[j] = row[j].min(before[j - 2] + 1);
                }
            }
            // What follows is made of the last two rows, and no less than the least in them.
            let here = row.iter().copied().min().unwrap_or(i);
            if here.min(least) > most {
                return Some(None);
            }
            least = here;
            before = std::mem::replace(&mut last, row);
        }
        Some(Some(last[b.len()]).filter(|slips| *slips <= most))
    }
}

/// A name's letters; another case counts as none.
fn lowered(name: &str) -> Vec<char> {
    if name.is_ascii() {
        let letters = name.bytes().map(|byte| byte.to_ascii_lowercase());
        letters.map(char::from).collect()
    } else {
        name.to_lowercase().chars().collect()
    }
}

/// Both without what they begin and end with alike.
fn apart<'l>(mut a: &'l [char], mut b: &'l [char]) -> (&'l [char], &'l [char]) {
    while let ([x, rest_of_a @ ..], [y, rest_of_b @ ..]) = (a, b)
        && x == y
    {
        (a, b) = (rest_of_a, rest_of_b);
    }
    while let ([rest_of_a @ .., x], [rest_of_b @ .., y]) = (a, b)
        && x == y
    {
        (a, b) = (rest_of_a, rest_of_b);
    }
    (a, b)
}

#[cfg(test)]
mod tests {
    use super::{MOST_COMPARED, Nearest};

    fn nearest(name: &str, known: &[&str]) -> Option<String> {
        Nearest::default().of(name, known.iter().copied())
    }

    #[test]
    fn few_slips_are_found_and_many_are_not() {
        for (name, known, found) in [
            ("lnae", vec!["line", "lane", "plane"], Some("lane")),
            (
                "THREADIDX",
                vec!["blockIdx", "threadIdx"],
                Some("threadIdx"),
            ),
            ("tille", vec!["tiles", "tile"], Some("tile")),
            ("tlie", vec!["tail", "tile"], Some("tile")),
            ("gegenüber", vec!["gegenuber"], Some("gegenuber")),
            ("abc", vec!["xyz", "abc"], None),
            ("a", vec!["b"], Some("b")),
            ("abcdef", vec!["abxyzf"], None),
            ("abcdefghi", vec!["bacdxfghi"], Some("bacdxfghi")),
        ] {
            assert_eq!(nearest(name, &known).as_deref(), found, "{name}");
        }
    }

    #[test]
    fn names_past_64_bytes_have_none() {
        let (name, other) = ("a".repeat(64), format!("{}b", "a".repeat(63)));
        assert_eq!(nearest(&name, &[&other]), Some(other.clone()));
        assert_eq!(nearest(&format!("{name}a"), &[&name]), None);
        assert_eq!(nearest(&name, &[&format!("{other}c")]), None);
    }

    #[test]
    fn what_is_compared_has_an_end() {
        let mut spent = Nearest::default();
        let known = ["b"].repeat(MOST_COMPARED / (super::EACH + 2));
        assert_eq!(spent.of("a", known.iter().copied()), Some("b".to_owned()));
        assert_eq!(spent.of("a", known.iter().copied()), None);
    }
}
