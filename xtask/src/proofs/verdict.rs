//! What nvcc's SASS says of a fix.

use super::totals::{Fix, Totals};
use std::fmt;

/// What came of a fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Better in the total that it lowers most, and in both together; with the total that it raises, if any.
    Better(Option<Change>),
    /// nvcc or the count refused the changed source.
    Refused(String),
    /// The total that it lowers most is as high or higher.
    NotBetter(Change),
    /// Both totals together are as high or higher.
    Worse(Change),
    /// The source as it is could not be compiled, or not be counted where the fix changes something.
    Unreadable(String),
}

/// A total before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    name: &'static str,
    before: u64,
    after: u64,
}

impl Change {
    const fn is_lower(&self) -> bool {
        self.after < self.before
    }

    const fn saved(&self) -> u64 {
        self.before.saturating_sub(self.after)
    }
}

/// Wavefronts, sectors, and both together.
fn changes([before, after]: [Totals; 2]) -> [Change; 3] {
    let change = |name, of: fn(Totals) -> u64| Change {
        name,
        before: of(before),
        after: of(after),
    };
    [
        change("wavefronts", |totals| totals.wavefronts),
        change("sectors", |totals| totals.sectors),
        change("wavefronts and sectors", |totals| {
            totals.wavefronts + totals.sectors
        }),
    ]
}

impl Verdict {
    /// Judges the count of the changed source's SASS by that of the source's.
    pub(super) fn of(fix: &Fix, before: Totals, after: Result<Totals, String>) -> Self {
        let after = match after {
            Ok(after) => after,
            Err(why) => return Self::Refused(why),
        };
        let [wavefronts, sectors, both] = changes([before, after]);
        let [predicted_wavefronts, predicted_sectors, _] = changes(fix.predicted);
        let (named, other) = match predicted_wavefronts.saved() > predicted_sectors.saved() {
            true => (wavefronts, sectors),
            false => (sectors, wavefronts),
        };
        if named.before == named.after && before.is_partial {
            return Self::Unreadable(format!("{named}, but the SASS is not fully counted"));
        }
        match (named.is_lower(), both.is_lower()) {
            (false, _) => Self::NotBetter(named),
            (true, false) => Self::Worse(both),
            (true, true) => Self::Better(Some(other).filter(|one| one.after > one.before)),
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} -> {}", self.name, self.before, self.after)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Better(None) => f.write_str("better"),
            Self::Better(Some(raised)) => write!(f, "better, raises {raised}"),
            Self::Refused(why) => write!(f, "refused: {why}"),
            Self::NotBetter(change) => write!(f, "not better: {change}"),
            Self::Worse(change) => write!(f, "worse: {change}"),
            Self::Unreadable(why) => write!(f, "unknown: {why}"),
        }
    }
}

/// How many fixes came out how.
#[derive(Default)]
pub(super) struct Tally {
    better: usize,
    short: usize,
    unreadable: usize,
}

impl Tally {
    /// Counts a verdict, and prints it where there is more to it than that it is better.
    pub(super) fn add(&mut self, case: &str, fix: &str, verdict: Verdict) {
        match verdict {
            Verdict::Better(None) => {
                self.better += 1;
                return;
            }
            Verdict::Better(Some(_)) => self.better += 1,
            Verdict::Unreadable(_) => self.unreadable += 1,
            Verdict::Refused(_) | Verdict::NotBetter(_) | Verdict::Worse(_) => self.short += 1,
        }
        println!("{case}: {fix}: {verdict}");
    }

    /// Whether a fix is not what it says.
    pub(super) const fn falls_short(&self) -> bool {
        self.short > 0
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.better + self.short;
        writeln!(
            f,
            "{} of {all} fixes compile, and their SASS is better in the total that they lower most and in both together",
            self.better
        )?;
        writeln!(
            f,
            "{} are unknown: the source does not compile as it is, or its SASS is not fully counted",
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
            requests: 2,
            is_partial: false,
        };
        let fix = Fix {
            name: String::new(),
            edits: BTreeMap::new(),
            launch_options: Vec::new(),
            index_instructions: 0,
            predicted: [totals(64, 8), totals(2, 8)],
        };
        let verdict = |after| Verdict::of(&fix, totals(60, 8), Ok(after)).to_string();
        assert_eq!(verdict(totals(2, 8)), "better");
        assert_eq!(verdict(totals(60, 8)), "not better: wavefronts 60 -> 60");
        assert_eq!(verdict(totals(2, 9)), "better, raises sectors 8 -> 9");
        assert_eq!(
            verdict(totals(59, 10)),
            "worse: wavefronts and sectors 68 -> 69"
        );
        let partial = Totals {
            is_partial: true,
            ..totals(60, 8)
        };
        let unknown = Verdict::of(&fix, partial, Ok(totals(60, 8)));
        assert!(matches!(unknown, Verdict::Unreadable(_)), "{unknown}");
        let refused = Verdict::of(&fix, totals(60, 8), Err("no".to_owned()));
        assert_eq!(refused, Verdict::Refused("no".to_owned()));
    }
}
