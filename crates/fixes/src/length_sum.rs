//! Numbers that a text says as sums of multiples of lengths: `2 * length + 8`, `rows * pitch`.

use std::collections::BTreeMap;

use lanescope_syntax::tree::{Expr, ExprKind};

use crate::code::{Code, any, every, is_name, operands};
use crate::rewrite::operand;

/// How deep names may stand for others, and sums lie in each other.
const MOST_DEPTH: usize = 16;
/// The most summands that are looked at.
const MOST_SUMMANDS: usize = 16;

/// A polynomial in what a text names: by the factors of a product, as written and in order, how many times it is added; by no
/// factors the number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LengthSum(BTreeMap<Vec<String>, i128>);

impl LengthSum {
    /// What an expression says; with `spells_out`, variables that are set once count as what they are set to. `None` of what
    /// changes something or is too long.
    pub(crate) fn of(code: &Code<'_>, expr: &Expr, spells_out: bool) -> Option<Self> {
        let is_change = |one: &Expr| {
            matches!(
                one.kind,
                ExprKind::Assign(..) | ExprKind::Postfix(..) | ExprKind::Prefix("++" | "--", _)
            )
        };
        let read = Reading { code, spells_out };
        read.sum(expr, MOST_DEPTH)
            .filter(|_| !any(expr, &is_change))
    }

    /// A number.
    pub(crate) fn number(value: u64) -> Self {
        Self(BTreeMap::from([(Vec::new(), i128::from(value))])).without_zeros()
    }

    fn named(name: &str) -> Self {
        Self(BTreeMap::from([(vec![name.to_owned()], 1)]))
    }

    /// The sum of two.
    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        self.combined(other, i128::checked_add)
    }

    /// What is left of it without another.
    pub(crate) fn minus(&self, other: &Self) -> Option<Self> {
        self.combined(other, i128::checked_sub)
    }

    fn combined(&self, other: &Self, combine: fn(i128, i128) -> Option<i128>) -> Option<Self> {
        let mut all = self.0.clone();
        for (factors, times) in &other.0 {
            let known = all.entry(factors.clone()).or_default();
            *known = combine(*known, *times)?;
        }
        Some(Self(all).without_zeros())
    }

    /// The product of two.
    pub(crate) fn times(&self, other: &Self) -> Option<Self> {
        let mut all = Self::default();
        for (left, times) in &self.0 {
            for (right, more) in &other.0 {
                let mut factors = [left.as_slice(), right.as_slice()].concat();
                factors.sort_unstable();
                let one = Self(BTreeMap::from([(factors, times.checked_mul(*more)?)]));
                all = all.plus(&one)?;
            }
        }
        (all.0.len() <= MOST_SUMMANDS).then_some(all)
    }

    /// What it is a multiple of `by` of; `None` where it is none for certain.
    pub(crate) fn divided(&self, by: u64) -> Option<Self> {
        let by = i128::from(by);
        let divide = |(factors, times): (&Vec<String>, &i128)| {
            let is_whole = times.checked_rem(by)? == 0;
            is_whole.then(|| (factors.clone(), times / by))
        };
        self.0.iter().map(divide).collect::<Option<_>>().map(Self)
    }

    /// The same for what the text calls `name`.
    pub(crate) fn divided_by_name(&self, name: &str) -> Option<Self> {
        let divide = |(factors, times): (&Vec<String>, &i128)| {
            let at = factors.iter().position(|factor| factor == name)?;
            let mut rest = factors.clone();
            rest.remove(at);
            Some((rest, *times))
        };
        self.0.iter().map(divide).collect::<Option<_>>().map(Self)
    }

    /// The number that it is, where it names nothing.
    pub(crate) fn as_number(&self) -> Option<u64> {
        let mut all = self.0.iter();
        match (all.next(), all.next()) {
            (None, _) => Some(0),
            (Some((factors, times)), None) if factors.is_empty() => u64::try_from(*times).ok(),
            (Some(_), _) => None,
        }
    }

    /// Whether it is no larger than another, whatever lengths are.
    pub(crate) fn is_at_most(&self, other: &Self) -> bool {
        let rest = other.minus(self);
        rest.is_some_and(|rest| rest.0.values().all(|times| *times >= 0))
    }

    /// As a text says it.
    pub(crate) fn text(&self) -> String {
        // What is named comes first, the number last.
        let named = self.0.iter().filter(|(factors, _)| !factors.is_empty());
        let number = self.0.get(&Vec::new()).map(|times| (Vec::new(), *times));
        let all = named
            .map(|(factors, times)| (factors.clone(), *times))
            .chain(number);
        let mut text = String::new();
        for (factors, times) in all {
            let sign = match (text.is_empty(), times < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let size = times.unsigned_abs();
            let mut words: Vec<String> = factors.iter().map(|factor| operand(factor)).collect();
            if size != 1 || words.is_empty() {
                words.insert(0, size.to_string());
            }
            text.push_str(sign);
            text.push_str(&words.join(" * "));
        }
        match text.is_empty() {
            true => "0".to_owned(),
            false => text,
        }
    }

    /// The same as a factor of a product.
    pub(crate) fn factor(&self) -> String {
        match self.0.len() {
            0 | 1 => self.text(),
            _ => operand(&self.text()),
        }
    }

    fn without_zeros(mut self) -> Self {
        self.0.retain(|_, times| *times != 0);
        self
    }
}

/// Reads expressions of a text.
struct Reading<'c, 't> {
    code: &'c Code<'t>,
    spells_out: bool,
}

impl Reading<'_, '_> {
    fn sum(&self, expr: &Expr, depth: usize) -> Option<LengthSum> {
        let depth = depth.checked_sub(1)?;
        if let Some(number) = self.code.constant(expr) {
            return Some(LengthSum::number(number));
        }
        // What a macro writes stands where its name does, all in one place.
        let is_written = operands(expr).iter().all(|one| one.span != expr.span);
        match &expr.kind {
            ExprKind::SizeofType(ty) => self
                .code
                .layout_of(ty)
                .map(|layout| LengthSum::number(layout.bytes)),
            ExprKind::Cast(_, inner) => self.sum(inner, depth),
            ExprKind::Binary("+", a, b) if is_written => {
                self.sum(a, depth)?.plus(&self.sum(b, depth)?)
            }
            ExprKind::Binary("-", a, b) if is_written => {
                self.sum(a, depth)?.minus(&self.sum(b, depth)?)
            }
            ExprKind::Binary("*", a, b) if is_written => {
                self.sum(a, depth)?.times(&self.sum(b, depth)?)
            }
            ExprKind::Binary("<<", a, b) if is_written => {
                let by = u32::try_from(self.code.constant(b)?).ok()?;
                let factor = 1_u64.checked_shl(by)?;
                self.sum(a, depth)?.times(&LengthSum::number(factor))
            }
            ExprKind::Name(name) => match self.set_once(name) {
                Some(value) => self.sum(value, depth),
                None => Some(LengthSum::named(self.code.at(expr.span))),
            },
            // Anything else is a length of its own.
            _ => Some(LengthSum::named(self.code.at(expr.span))),
        }
    }

    /// What a variable is set to, where nothing else sets it.
    fn set_once(&self, name: &str) -> Option<&Expr> {
        let all = self.code.declarations();
        let mut named = all.into_iter().filter(|one| *one.name == *name);
        let (one, None) = (named.next()?, named.next()) else {
            return None;
        };
        let sets = |expr: &&Expr| match &expr.kind {
            ExprKind::Assign(_, to, _)
            | ExprKind::Prefix("++" | "--" | "&", to)
            | ExprKind::Postfix(_, to) => is_name(to, name),
            // Nothing else sets a variable.
            _ => false,
        };
        let is_set = self.spells_out && !every(self.code).iter().any(sets);
        one.init.as_ref().filter(|_| is_set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{declared_by, statements};

    /// The last variable of a body, as a sum.
    fn read(body: &str, spells_out: bool) -> Option<LengthSum> {
        let text = format!(
            "#define AREA (n * n)\n__global__ void k(int n, int m) {{ const int SIDE = 4; {body} }}"
        );
        let code = Code::of(&text, &[]);
        let kernel = code.functions().next().unwrap();
        let all = statements(&kernel.body);
        let init = declared_by(&all).last()?.init.as_ref()?;
        LengthSum::of(&code, init, spells_out)
    }

    #[test]
    fn sums_are_read_and_written() {
        for (value, expected) in [
            ("2 * n + 8", "2 * n + 8"),
            ("n + 3 + n * 2 - m", "-m + 3 * n + 3"),
            ("(n + m) * 4", "4 * m + 4 * n"),
            ("m * n - n * m", "0"),
            ("SIDE * (size_t)n * sizeof(float)", "16 * n"),
            ("n << 3", "8 * n"),
            ("n / 2 + n / 2", "2 * (n / 2)"),
            ("2 * AREA", "2 * AREA"),
            ("16", "16"),
            ("n * (m - 2)", "m * n - 2 * n"),
        ] {
            let sum = read(&format!("int a = {value};"), false).unwrap();
            assert_eq!(sum.text(), expected, "{value}");
        }
        assert_eq!(read("int a = n++ + 1;", false), None);
    }

    #[test]
    fn variables_that_are_set_once_are_spelled_out() {
        for (body, plain, spelled) in [
            ("int b = 2 * n; int a = b + m;", "b + m", "m + 2 * n"),
            ("int b = 2 * n; b += 1; int a = b + m;", "b + m", "b + m"),
            ("int b = n, c = b + b; int a = c;", "c", "2 * n"),
        ] {
            let [one, other] = [false, true].map(|out| read(body, out).unwrap().text());
            assert_eq!((&*one, &*other), (plain, spelled), "{body}");
        }
    }

    #[test]
    fn sums_are_compared_and_divided() {
        let sum = |value: &str| read(&format!("int a = {value};"), false).unwrap();
        assert!(sum("n").is_at_most(&sum("2 * n + m")));
        assert!(!sum("n").is_at_most(&sum("m")));
        assert!(!sum("n").is_at_most(&sum("2 * n - 1")));
        assert_eq!(sum("8 * n + 4").divided(4), Some(sum("2 * n + 1")));
        assert_eq!(sum("8 * n + 2").divided(4), None);
        assert_eq!(sum("8 * n").divided(0), None);
        assert_eq!(sum("3 * n * m").divided_by_name("m"), Some(sum("3 * n")));
        assert_eq!(sum("3 * n + m").divided_by_name("m"), None);
        assert_eq!(sum("7").as_number(), Some(7));
        assert_eq!(sum("n - n").as_number(), Some(0));
        assert_eq!(sum("n").as_number(), None);
    }
}
