//! The values of a variable: `s = 1, 2, 4 … 128`.

use crate::code::{Given, Rule, Type};
use crate::read::{Meaning, Reader};
use crate::token::Kind;
use lanescope_frontend::{Limits, SourceVariable};

impl<'a> Reader<'a> {
    /// Whether `name = …` up to the line's end is a list of values.
    pub(crate) fn values_follow(&self) -> bool {
        let (mut at, mut is_list) = (2, false);
        loop {
            let token = self.ahead(at);
            let text = self.text_of(token);
            if token.kind == Kind::End || token.first_on_line || text == ";" {
                break;
            }
            // A list holds nothing in brackets that this crate reads.
            is_list |= matches!(text, "," | "..." | "…");
            at += 1;
        }
        is_list || (at == 3 && matches!(self.ahead(2).kind, Kind::Whole { .. }))
    }

    /// `name = value, value … value`.
    pub(crate) fn values(&mut self) -> Option<()> {
        let token = self.token();
        let name = self.text();
        self.at += 1;
        self.expect("=")?;
        let (mut values, mut dots) = (Vec::new(), false);
        while !self.at_end() {
            if self.take("...") || self.take("…") {
                dots = true;
            } else {
                let value = self.number()?;
                let value = self.known(value)?;
                if std::mem::take(&mut dots) {
                    fill(&mut values, value)?;
                } else {
                    values.push(value);
                }
            }
            self.take(",");
        }
        self.end_statement()?;
        let index = self.glance.variables.len();
        self.glance.variables.push(SourceVariable {
            name: name.into(),
            span: token.span,
            values: (!values.is_empty()).then_some(values)?,
        });
        let number = self.push(Rule::Given(Given::Variable(index)), Type::Int)?;
        self.bind(name, Meaning::Number(number))
    }

    /// `name = number` gives a new name to a number.
    pub(crate) fn local(&mut self, name: &'a str, of: Option<Type>, constant: bool) -> Option<()> {
        let number = self.number()?;
        let number = match of {
            Some(of) => self.convert(number, of)?,
            None => number,
        };
        let number = match self.known(number) {
            Some(_) if constant => number,
            // A variable, which the compiler does not look through.
            _ => self.push(Rule::Convert(number), self.type_of(number))?,
        };
        self.bind(name, Meaning::Number(number))
    }
}

/// Goes on from the last values to `last`, by the same step or the same factor.
fn fill(values: &mut Vec<i64>, last: i64) -> Option<()> {
    let &[.., b] = values.as_slice() else {
        values.push(last);
        return Some(());
    };
    let before = values.len().checked_sub(2).map(|at| values[at]);
    let step = step(values, before, b, last);
    let rises = last >= b;
    let mut now = b;
    loop {
        let next = match step {
            Step::Add(by) => now.checked_add(by),
            Step::Times(by) => now.checked_mul(by),
            Step::Divide(by) => now.checked_div(by),
        };
        let is_onward = |next: &i64| {
            *next != now
                && (*next > now) == rises
                && if rises { *next <= last } else { *next >= last }
        };
        let Some(next) = next.filter(is_onward) else {
            return Some(());
        };
        // More than are kept: there would be something to say.
        if values.len() as u64 >= Limits::DEFAULT.values {
            return None;
        }
        values.push(next);
        now = next;
    }
}

enum Step {
    Add(i64),
    Times(i64),
    Divide(i64),
}

fn step(values: &[i64], before: Option<i64>, b: i64, last: i64) -> Step {
    let Some(a) = before else {
        return Step::Add(if last >= b { 1 } else { -1 });
    };
    let is_even = |first: i64| b.checked_sub(a) == a.checked_sub(first);
    let third = values.len().checked_sub(3).map(|at| values[at]);
    if third.is_some_and(is_even) || (values.len() == 2 && a.checked_mul(2) != Some(b)) {
        return Step::Add(b.wrapping_sub(a));
    }
    if a != 0 && b % a == 0 && (b / a).abs() > 1 {
        return Step::Times(b / a);
    }
    if b != 0 && a % b == 0 && (a / b).abs() > 1 {
        return Step::Divide(a / b);
    }
    Step::Add(b.wrapping_sub(a))
}
