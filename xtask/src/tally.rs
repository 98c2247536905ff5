//! How many checks passed and failed.

use std::fmt;
use std::ops::AddAssign;

/// How many checks passed and failed.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Checks that held.
    pub(crate) passed: u64,
    /// Checks that did not.
    pub(crate) failed: u64,
}

impl Tally {
    /// One check that held.
    pub(crate) const PASS: Self = Self {
        passed: 1,
        failed: 0,
    };
    /// One check that did not.
    pub(crate) const FAIL: Self = Self {
        passed: 0,
        failed: 1,
    };

    /// Reads a line of Rust's test harness, `test result: ok. 3 passed; 0 failed; …`, of Node's, `# pass 3`, of
    /// pytest's, `3 passed, 1 skipped in 0.5s`, or the last one of this program, `3 passed, 0 failed`.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| words.get(at)?.parse().ok();
        match words[..] {
            ["test", "result:", _, _, "passed;", _, "failed;", ..] => Some(Self {
                passed: number(3)?,
                failed: number(5)?,
            }),
            ["#", "pass", _] => Some(Self {
                passed: number(2)?,
                failed: 0,
            }),
            ["#", "fail" | "cancelled", _] => Some(Self {
                passed: 0,
                failed: number(2)?,
            }),
            [_, "passed,", _, "failed"] => Some(Self {
                passed: number(0)?,
                failed: number(2)?,
            }),
            _ => pytest(line),
        }
    }

    /// The sum of what `lines` tell, of a program that succeeded or not.
    pub(crate) fn of<'a>(lines: impl Iterator<Item = &'a str>, succeeded: bool) -> Self {
        let mut tally = Self::default();
        lines.filter_map(Self::read).for_each(|part| tally += part);
        tally.ended(succeeded)
    }

    /// These, of a program that succeeded or not: a failure that no line told of counts as one.
    pub(crate) fn ended(mut self, succeeded: bool) -> Self {
        if !succeeded && self.failed == 0 {
            self += Self::FAIL;
        }
        self
    }
}

/// Reads the last line of pytest, `1 failed, 3 passed, 1 skipped in 0.5s`, where it took long `… in 83.5s (0:01:23)`.
fn pytest(line: &str) -> Option<Tally> {
    let (counts, took) = line.rsplit_once(" in ")?;
    let (seconds, _) = took.split_once('s')?;
    seconds.parse::<f64>().ok()?;
    let mut tally = Tally::default();
    for count in counts.split(", ") {
        let (number, kind) = count.split_once(' ')?;
        let number: u64 = number.parse().ok()?;
        match kind {
            "passed" | "xfailed" => tally.passed += number,
            "failed" | "error" | "errors" | "xpassed" => tally.failed += number,
            "skipped" | "deselected" | "warning" | "warnings" => {}
            _ => return None,
        }
    }
    Some(tally)
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn the_harnesses_are_read() {
        let rust = "test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.5s";
        assert_eq!(
            Tally::read(rust),
            Some(Tally {
                passed: 12,
                failed: 3
            })
        );
        assert_eq!(
            Tally::read("# pass 34"),
            Some(Tally {
                passed: 34,
                failed: 0
            })
        );
        assert_eq!(
            Tally::read("# fail 2"),
            Some(Tally {
                passed: 0,
                failed: 2
            })
        );
        let pytest = "1 failed, 62 passed, 3 skipped, 1 warning in 83.50s (0:01:23)";
        assert_eq!(
            Tally::read(pytest),
            Some(Tally {
                passed: 62,
                failed: 1
            })
        );
        let own = Tally {
            passed: 12,
            failed: 3,
        };
        assert_eq!(Tally::read(&own.to_string()), Some(own));
        assert_eq!(Tally::of([].into_iter(), false), Tally::FAIL);
        assert_eq!(Tally::read("test tests::it ... ok"), None);
        assert_eq!(Tally::read("2 files in 3s"), None);
    }
}
