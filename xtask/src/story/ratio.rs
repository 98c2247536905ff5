//! Exact ratios: what the numbers of a story are computed with.

use crate::story::grouped;

/// A ratio of integers in lowest terms; the denominator is positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ratio {
    over: i128,
    under: i128,
}

impl Ratio {
    pub(super) const fn whole(number: i128) -> Self {
        Self {
            over: number,
            under: 1,
        }
    }

    /// `over / under` in lowest terms; `None` over zero.
    fn of(over: i128, under: i128) -> Option<Self> {
        if under == 0 {
            return None;
        }
        let shared = gcd(over.unsigned_abs(), under.unsigned_abs()).max(1);
        let shared = i128::try_from(shared).ok()? * under.signum();
        Some(Self {
            over: over / shared,
            under: under / shared,
        })
    }

    /// Reads digits with at most one point in them.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits: i128 = format!("{whole}{part}").parse().ok()?;
        let places = u32::try_from(part.len()).ok()?;
        Self::of(digits, 10_i128.checked_pow(places)?)
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        let left = self.over.checked_mul(other.under)?;
        let right = other.over.checked_mul(self.under)?;
        Self::of(
            left.checked_add(right)?,
            self.under.checked_mul(other.under)?,
        )
    }

    pub(super) fn minus(self, other: Self) -> Option<Self> {
        self.plus(Self {
            over: -other.over,
            under: other.under,
        })
    }

    pub(super) fn times(self, other: Self) -> Option<Self> {
        let over = self.over.checked_mul(other.over)?;
        Self::of(over, self.under.checked_mul(other.under)?)
    }

    pub(super) fn divided_by(self, other: Self) -> Option<Self> {
        let over = self.over.checked_mul(other.under)?;
        Self::of(over, self.under.checked_mul(other.over)?)
    }

    /// What `what` makes of two whole numbers that are not negative.
    pub(super) fn whole_with(
        self,
        other: Self,
        what: impl FnOnce(i128, i128) -> Option<i128>,
    ) -> Option<Self> {
        let both = self.integer().zip(other.integer());
        let (a, b) = both.filter(|(a, b)| *a >= 0 && *b >= 0)?;
        what(a, b).map(Self::whole)
    }

    pub(super) fn power(self, exponent: Self) -> Option<Self> {
        let exponent = u32::try_from(exponent.integer()?).ok()?;
        let over = self.over.checked_pow(exponent)?;
        Self::of(over, self.under.checked_pow(exponent)?)
    }

    /// The number, where it is whole.
    pub(super) const fn integer(self) -> Option<i128> {
        if self.under == 1 {
            Some(self.over)
        } else {
            None
        }
    }

    /// So many thousandths of `whole`, for lengths of bars.
    pub(super) fn thousandths_of(self, whole: Self) -> i128 {
        let share = self
            .divided_by(whole)
            .and_then(|share| share.times(Self::whole(1_000)));
        share.map_or(0, |share| share.over / share.under)
    }

    /// With so many decimals, rounded half up, digits before the point in groups of three.
    pub(super) fn decimal(self, places: u32) -> Option<String> {
        let scale = 10_i128.checked_pow(places)?;
        let scaled = self
            .over
            .checked_mul(scale)?
            .checked_mul(2)?
            .checked_add(self.under)?;
        let rounded = scaled.div_euclid(self.under.checked_mul(2)?);
        let sign = if rounded < 0 { "−" } else { "" };
        let whole = u64::try_from(rounded.abs() / scale).ok()?;
        let whole = format!("{sign}{}", grouped(whole));
        if places == 0 {
            return Some(whole);
        }
        let width = usize::try_from(places).ok()?;
        Some(format!("{whole}.{:0width$}", rounded.abs() % scale))
    }

    /// As it is typed: the fewest decimals that say it exactly; `None` where no few do.
    pub(super) fn exact(self) -> Option<String> {
        let fits = |places: &u32| 10_i128.pow(*places) % self.under == 0;
        self.decimal((0..=6).find(fits)?)
    }
}

const fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::Ratio;

    #[test]
    fn ratios_are_exact_and_rounded_once() {
        let read = |text: &str| Ratio::read(text).unwrap();
        let share = read("3118.4").divided_by(read("1475.2")).unwrap();
        assert_eq!(share.decimal(2).unwrap(), "2.11");
        assert_eq!(
            read("255")
                .divided_by(read("47"))
                .unwrap()
                .decimal(1)
                .unwrap(),
            "5.4"
        );
        assert_eq!(read("255").divided_by(read("47")).unwrap().exact(), None);
        assert_eq!(read("3118.40").exact().unwrap(), "3,118.4");
        assert_eq!(read("4587520").exact().unwrap(), "4,587,520");
        assert_eq!(
            read("1").minus(read("1.5")).unwrap().decimal(1).unwrap(),
            "−0.5"
        );
        assert_eq!(
            read("2").power(read("25")).unwrap().integer(),
            Some(33_554_432)
        );
        assert_eq!(read("1").divided_by(Ratio::whole(0)), None);
    }
}
