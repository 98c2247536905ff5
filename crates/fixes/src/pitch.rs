//! Rows in global memory set further apart than they are long.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_frontend::{ArgumentValue, NamedLaunch, Program, SourceArray, SourceParameter};
use lanescope_syntax::tree::{Expr, ExprKind, Function};

use crate::code::{Code, indexed, is_name, statements, within};
use crate::origin::Origin;
use crate::{Edit, FixKind};

/// A kernel's parameter that sets rows apart, and what it should be.
pub(crate) struct Pitch<'a> {
    /// Elements from row to row as it is.
    pub(crate) from: u64,
    /// And as it should be.
    pub(crate) to: u64,
    parameter: &'a SourceParameter,
    /// Where the parameter's declaration ends.
    declared: usize,
    /// Where the parameter multiplies and is to give way.
    factors: Vec<usize>,
    /// The new parameter; `None` where the old one does nothing else.
    name: Option<String>,
    /// The arrays whose rows it sets apart.
    arrays: Vec<&'a SourceArray>,
}

/// `row` elements rounded up to whole multiples of `bytes`; `None` where they are already.
pub(crate) fn aligned(row: u64, element_bytes: u64, bytes: u64) -> Option<u64> {
    let step = bytes / element_bytes.max(1);
    let to = row.checked_next_multiple_of(step.max(1))?;
    (to > row).then_some(to)
}

impl<'a> Pitch<'a> {
    /// The first whole number among the kernel's parameters that rows of these arrays are multiplied by
    /// and that does not align them to `bytes`; looked for in the arrays' indices, or everywhere.
    pub(crate) fn find(
        (code, kernel): (&Code<'_>, &Function),
        program: &'a Program,
        launch: &NamedLaunch,
        (arrays, bytes): (&[&'a SourceArray], u64),
        in_indices: bool,
    ) -> Option<Self> {
        let element_bytes = arrays.iter().map(|array| array.element_bytes).min()?;
        let body = statements(&kernel.body);
        let all: Vec<&Expr> = body.iter().flat_map(|stmt| within(stmt)).collect();
        program.parameters().iter().find_map(|parameter| {
            let from = number(launch, &parameter.name).filter(|from| *from > 1)?;
            let to = aligned(from, element_bytes, bytes)?;
            let mut declared = kernel.parameters.iter();
            let declared = declared.find(|one| *one.name == *parameter.name)?;
            let mut pitch = Self {
                from,
                to,
                parameter,
                declared: declared.span.end as usize,
                factors: Vec::new(),
                name: None,
                arrays: arrays.to_vec(),
            };
            let is_it = |expr: &&&Expr| is_name(expr, &parameter.name);
            let uses = all.iter().filter(is_it).count();
            let found = all.iter().flat_map(|expr| factors(code, expr, parameter));
            let mut found: BTreeSet<usize> = found.collect();
            if in_indices {
                found = pitch.keep_indices(&all, &found);
            }
            pitch.name = (found.len() < uses).then(|| free_name(code, "pitch"));
            pitch.factors = found.into_iter().collect();
            (!pitch.factors.is_empty() && !pitch.arrays.is_empty()).then_some(pitch)
        })
    }

    /// The factors in an index of the arrays; keeps the arrays that have some.
    fn keep_indices(&mut self, all: &[&Expr], factors: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut kept: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for expr in all {
            let Some(name) = indexed(expr) else { continue };
            let span = expr.span.start as usize..expr.span.end as usize;
            let inside = factors.range(span).copied();
            kept.entry(name).or_default().extend(inside);
        }
        let of = |array: &SourceArray| kept.get(&*array.name).filter(|inside| !inside.is_empty());
        self.arrays.retain(|array| of(array).is_some());
        let inside = self.arrays.iter().filter_map(|array| of(array));
        inside.flatten().copied().collect()
    }

    /// The changes of the text: a new parameter, and it instead of the old one where that sets
    /// rows apart; none where another argument will do.
    pub(crate) fn edits(&self) -> Vec<Edit> {
        let Some(name) = &self.name else {
            return Vec::new();
        };
        let length = self.parameter.name.len();
        let renamed = |at: &usize| Edit::new(*at, at + length, name.clone());
        let mut edits: Vec<_> = self.factors.iter().map(renamed).collect();
        let more = format!(", {} {name}", self.parameter.ty);
        edits.push(Edit::new(self.declared, self.declared, more));
        edits
    }

    /// What it does.
    pub(crate) fn kind(&self) -> FixKind {
        FixKind::Pitch {
            arrays: self.arrays.iter().map(|array| array.name.clone()).collect(),
            from: self.from,
            to: self.to,
        }
    }

    /// The launch with the new argument, and buffers of so many elements with their rows apart.
    pub(crate) fn launch(&self, launch: &NamedLaunch) -> NamedLaunch {
        let mut launch = launch.clone();
        for argument in &mut launch.arguments {
            let padded = self.arrays.iter().any(|array| array.name == argument.name);
            if let ArgumentValue::Buffer(buffer) = &mut argument.value
                && let Some(elements) = buffer.elements.filter(|_| padded)
            {
                buffer.elements = Some(elements.div_ceil(self.from).saturating_mul(self.to));
            }
        }
        let name = self.name.as_ref().unwrap_or(&self.parameter.name);
        launch.arguments.retain(|given| given.name != *name);
        let to = i64::try_from(self.to).unwrap_or(i64::MAX);
        launch.with(name, ArgumentValue::Integer(to))
    }

    /// What the changed source's array `name` was; what lies between rows was not.
    pub(crate) fn origin(&self, name: &str) -> Origin<'_> {
        let Some(array) = self.arrays.iter().find(|array| array.name == name) else {
            return Origin::same(name);
        };
        let bytes = array.element_bytes.max(1);
        Origin::moved(name, move |byte| {
            let (element, within) = (byte / bytes, byte % bytes);
            let (row, column) = (element / self.to, element % self.to);
            (column < self.from).then(|| (row * self.from + column) * bytes + within)
        })
    }
}

/// The whole number that the launch gives a parameter.
fn number(launch: &NamedLaunch, name: &str) -> Option<u64> {
    let given = launch.arguments.iter().find(|given| given.name == name)?;
    match given.value {
        ArgumentValue::Integer(value) => u64::try_from(value).ok(),
        _ => None,
    }
}

/// Where a product names the parameter as one of its two factors, and no macro does.
fn factors(code: &Code<'_>, expr: &Expr, parameter: &SourceParameter) -> Vec<usize> {
    let ExprKind::Binary("*", a, b) = &expr.kind else {
        return Vec::new();
    };
    let factors = [&**a, &**b].into_iter();
    let named = factors.filter(|factor| {
        is_name(factor, &parameter.name) && code.at(factor.span) == parameter.name
    });
    named.map(|expr| expr.span.start as usize).collect()
}

/// `name`, or with underscores where the source uses that already.
pub(crate) fn free_name(code: &Code<'_>, name: &str) -> String {
    let mut name = name.to_owned();
    while code.has_name(&name) {
        name.push('_');
    }
    name
}
