//! The expressions of a story: exact arithmetic over what the engine counts.
//!
//! ```text
//! expr   = sum { "xor" sum }
//! sum    = term { ("+" | "-") term }
//! term   = power { ("*" | "/" | "div" | "mod") power }      div and mod of whole numbers
//! power  = atom [ "^" power ]
//! atom   = NUMBER | "(" expr ")" | path
//! path   = NAME                                    a number of the reader's, or a published one
//!        | SUBJECT { "." part } "." FIELD          what the engine counts
//! part   = LABEL | "load" | "store" | "step[" expr "]" | "warp[" expr "]" | "lane[" expr "]"
//! ```

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};

use super::counts::{Chosen, Runs};
use super::ratio::Ratio;
use super::subject::Subject;
use super::vars::Vars;

/// What names mean.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) subjects: &'a BTreeMap<String, Subject>,
    pub(super) published: &'a BTreeMap<String, Ratio>,
    pub(super) runs: &'a Runs,
    pub(super) vars: &'a Vars,
}

impl<'a> Scope<'a> {
    /// The same with other numbers of the reader's.
    pub(super) const fn with<'b>(self, vars: &'b Vars) -> Scope<'b>
    where
        'a: 'b,
    {
        Scope { vars, ..self }
    }

    /// The subject of this name.
    pub(super) fn subject(self, name: &str) -> Result<&'a Subject> {
        self.subjects.get(name).with_context(|| {
            let known: Vec<&str> = self.subjects.keys().map(String::as_str).collect();
            format!(
                "nothing is called `{name}`: the head has {}",
                known.join(", ")
            )
        })
    }

    /// The value of an expression.
    pub(super) fn value(self, text: &str) -> Result<Ratio> {
        let mut reader = Reader {
            rest: text,
            scope: self,
        };
        let value = reader.expr()?;
        ensure!(
            reader.peek().is_none(),
            "`{}` is too much",
            reader.rest.trim()
        );
        Ok(value)
    }

    /// A whole number that an expression gives.
    pub(super) fn integer(self, text: &str) -> Result<i128> {
        let value = self.value(text)?.integer();
        value.with_context(|| format!("`{text}` is not a whole number"))
    }

    /// A subject and which of its requests: `SUBJECT.part.part`.
    pub(super) fn chosen(self, text: &str) -> Result<(&'a Subject, Chosen)> {
        let mut reader = Reader {
            rest: text,
            scope: self,
        };
        let name = reader.name()?;
        let subject = self.subject(name)?;
        let mut chosen = Chosen::default();
        while reader.takes('.') {
            let part = reader.name()?;
            reader.part(subject, part, &mut chosen)?;
        }
        ensure!(
            reader.peek().is_none(),
            "`{}` is too much",
            reader.rest.trim()
        );
        Ok((subject, chosen))
    }
}

struct Reader<'a, 't> {
    rest: &'t str,
    scope: Scope<'a>,
}

const OVERFLOW: &str = "the number is too large, or divided by zero";

impl<'t> Reader<'_, 't> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn takes(&mut self, mark: char) -> bool {
        self.peek();
        let after = self.rest.strip_prefix(mark);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn expects(&mut self, mark: char) -> Result<()> {
        ensure!(
            self.takes(mark),
            "`{mark}` is missing before `{}`",
            self.rest
        );
        Ok(())
    }

    /// Takes an operator that is a word.
    fn takes_word(&mut self, word: &str) -> bool {
        self.peek();
        let after = self.rest.strip_prefix(word);
        let after =
            after.filter(|after| !after.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn expr(&mut self) -> Result<Ratio> {
        let mut value = self.sum()?;
        while self.takes_word("xor") {
            let other = self.sum()?;
            let both = value.whole_with(other, |a, b| Some(a ^ b));
            value = both.context("`xor` is of whole numbers")?;
        }
        Ok(value)
    }

    fn sum(&mut self) -> Result<Ratio> {
        let mut value = self.term()?;
        loop {
            value = if self.takes('+') {
                value.plus(self.term()?)
            } else if self.takes('-') {
                value.minus(self.term()?)
            } else {
                return Ok(value);
            }
            .context(OVERFLOW)?;
        }
    }

    fn term(&mut self) -> Result<Ratio> {
        let mut value = self.power()?;
        loop {
            value = if self.takes('*') {
                value.times(self.power()?)
            } else if self.takes('/') {
                value.divided_by(self.power()?)
            } else if self.takes_word("div") {
                value.whole_with(self.power()?, i128::checked_div)
            } else if self.takes_word("mod") {
                value.whole_with(self.power()?, i128::checked_rem)
            } else {
                return Ok(value);
            }
            .context(OVERFLOW)?;
        }
    }

    fn power(&mut self) -> Result<Ratio> {
        let value = self.atom()?;
        if self.takes('^') {
            let exponent = self.power()?;
            return value.power(exponent).context(OVERFLOW);
        }
        Ok(value)
    }

    fn atom(&mut self) -> Result<Ratio> {
        match self.peek() {
            Some('(') => {
                self.expects('(')?;
                let value = self.expr()?;
                self.expects(')')?;
                Ok(value)
            }
            Some(first) if first.is_ascii_digit() => {
                let number = self.taken(|c| c.is_ascii_digit() || c == '.');
                Ratio::read(number).with_context(|| format!("`{number}` is no number"))
            }
            Some(first) if first.is_ascii_alphabetic() => self.path(),
            _ => bail!("a number or a name is missing before `{}`", self.rest),
        }
    }

    fn taken(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        let length = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn name(&mut self) -> Result<&'t str> {
        self.peek();
        let name = self.taken(|c| c.is_ascii_alphanumeric() || c == '_');
        ensure!(!name.is_empty(), "a name is missing before `{}`", self.rest);
        Ok(name)
    }

    fn path(&mut self) -> Result<Ratio> {
        let name = self.name()?;
        if !self.takes('.') {
            let var = self.scope.vars.get(name).copied().map(Ratio::whole);
            let known = var.or_else(|| self.scope.published.get(name).copied());
            return known.with_context(|| {
                format!("`{name}` is no number: write `published {name}: …` into the head, or name a field as in `{name}.requests`")
            });
        }
        let subject = self.scope.subject(name)?;
        let mut chosen = Chosen::default();
        loop {
            let part = self.name()?;
            let is_last = !matches!(self.peek(), Some('.' | '['));
            if is_last {
                let run = self.scope.runs.of(subject, self.scope.vars)?;
                return run
                    .field(subject, chosen, part)
                    .with_context(|| format!("`{name} … .{part}`"));
            }
            self.part(subject, part, &mut chosen)?;
            self.expects('.')?;
        }
    }

    fn part(&mut self, subject: &Subject, part: &str, chosen: &mut Chosen) -> Result<()> {
        match part {
            "load" => chosen.is_store = Some(false),
            "store" => chosen.is_store = Some(true),
            "step" | "warp" | "lane" => {
                self.expects('[')?;
                let at = self
                    .expr()?
                    .integer()
                    .context("a step or a warp is a whole number")?;
                self.expects(']')?;
                match part {
                    "step" => chosen.step = Some(u64::try_from(at)?),
                    "warp" => chosen.warp = Some(u32::try_from(at)?),
                    _ => chosen.lane = Some(usize::try_from(at)?),
                }
            }
            label => chosen.line = Some(subject.line(label)?),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<Ratio> {
        let subjects = BTreeMap::from([(
            "strided".to_owned(),
            Subject::access("block=32 | __shared__ float a[256]; | a[{stride} * tid]").unwrap(),
        )]);
        let published = BTreeMap::from([("time".to_owned(), Ratio::read("2.5").unwrap())]);
        let vars = Vars::from([("stride".to_owned(), 8)]);
        Scope {
            subjects: &subjects,
            published: &published,
            runs: &Runs::default(),
            vars: &vars,
        }
        .value(text)
    }

    #[test]
    fn arithmetic_is_exact_and_binds_as_usual() {
        assert_eq!(value("2 + 3 * 2 ^ 3 / 4").unwrap(), Ratio::whole(8));
        assert_eq!(value("(10 - 5) / time").unwrap(), Ratio::whole(2));
        assert_eq!(value("2 xor 9 mod 8 + 21 div 8").unwrap(), Ratio::whole(1));
    }

    #[test]
    fn subjects_are_counted_by_the_engine() {
        assert_eq!(value("strided.load.wavefronts").unwrap(), Ratio::whole(8));
        assert_eq!(
            value("strided.1.step[0].conflicts + stride").unwrap(),
            Ratio::whole(15)
        );
        assert_eq!(value("strided.lanes").unwrap(), Ratio::whole(32));
    }

    #[test]
    fn faults_say_what_there_is() {
        let fault = |text| format!("{:#}", value(text).unwrap_err());
        assert!(fault("nobody.requests").contains("the head has strided"));
        assert!(fault("strided.load.speed").contains("it has requests"));
        assert!(fault("1 / 0").contains("divided by zero"));
        assert!(fault("1 +").contains("missing"));
        assert!(fault("time 3").contains("too much"));
    }
}
