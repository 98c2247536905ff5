//! What nvcc's SASS says of a fix.

use super::totals::{Fix, Totals};
use std::fmt;

/// What came of a fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Better in every total that it says it lowers, no worse in one that it leaves alone.
    Better,
    /// nvcc or the count refused the changed source.
    Refused(String),
    /// A total that it says it lowers is as high or higher: its name, before and after.
    NotBetter(&'static str, u64, u64),
    /// A total that it says it leaves alone is higher: its name, before and after.
    Worse(&'static str, u64, u64),
    /// The source as it is could not be compiled or counted.
    Unreadable(String),
}

impl Verdict {
    /// Judges the count of the changed source's SASS by that of the source's.
    pub(super) fn of(fix: &Fix, before: Totals, after: Result<Totals, String>) -> Self {
        let after = match after {
            Ok(after) => after,
            Err(why) => return Self::Refused(why),
        };
        let [old, new] = fix.predicted;
        let totals = [
            (
                "wavefronts",
                [old.wavefronts, new.wavefronts],
                [before.wavefronts, after.wavefronts],
            ),
            (
                "sectors",
                [old.sectors, new.sectors],
                [before.sectors, after.sectors],
            ),
        ];
        let verdicts = totals.map(|(name, [old, new], [before, after])| match new.cmp(&old) {
            std::cmp::Ordering::Less if after >= before => Self::NotBetter(name, before, after),
            std::cmp::Ordering::Equal if after > before => Self::Worse(name, before, after),
            std::cmp::Ordering::Less | std::cmp::Ordering::Equal | std::cmp::Ordering::Greater => {
                Self::Better
            }
        });
        let short = verdicts
            .into_iter()
            .find(|verdict| *verdict != Self::Better);
        short.unwrap_or(Self::Better)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Better => f.write_str("better"),
            Self::Refused(why) => write!(f, "refused: {why}"),
            Self::NotBetter(name, before, after) => {
                write!(f, "not better: {name} {before} -> {after}")
            }
            Self::Worse(name, before, after) => write!(f, "worse: {name} {before} -> {after}"),
            Self::Unreadable(why) => write!(f, "not compiled as it is: {why}"),
        }
    }
}

/// How many fixes came out how.
#[derive(Default)]
pub(super) struct Tally {
    better: usize,
    short: usize,
    unreadable: usize,
    lines: Vec<String>,
}

impl Tally {
    pub(super) fn add(&mut self, case: &str, fix: &str, verdict: Verdict) {
        match verdict {
            Verdict::Better => {
                self.better += 1;
                return;
            }
            Verdict::Unreadable(_) => self.unreadable += 1,
            Verdict::Refused(_) | Verdict::NotBetter(..) | Verdict::Worse(..) => self.short += 1,
        }
        self.lines.push(format!("{case}: {fix}: {verdict}"));
    }

    /// Whether a fix is not what it says.
    pub(super) const fn falls_short(&self) -> bool {
        self.short > 0
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        let all = self.better + self.short;
        writeln!(
            f,
            "{} of {all} fixes compile and are better in what they name, worse in nothing else",
            self.better
        )?;
        writeln!(
            f,
            "{} kernels are not compiled as they are",
            self.unreadable
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_fix_is_held_to_what_it_says() {
        let totals = |wavefronts, sectors| Totals {
            wavefronts,
            sectors,
        };
        let fix = Fix {
            name: String::new(),
            edits: BTreeMap::new(),
            launch_options: Vec::new(),
            predicted: [totals(64, 8), totals(2, 8)],
        };
        let verdict = |after| Verdict::of(&fix, totals(60, 8), Ok(after));
        assert_eq!(verdict(totals(2, 8)), Verdict::Better);
        assert_eq!(
            verdict(totals(60, 8)),
            Verdict::NotBetter("wavefronts", 60, 60)
        );
        assert_eq!(verdict(totals(2, 9)), Verdict::Worse("sectors", 8, 9));
        let refused = Verdict::of(&fix, totals(60, 8), Err("no".to_owned()));
        assert_eq!(refused, Verdict::Refused("no".to_owned()));
    }
}
