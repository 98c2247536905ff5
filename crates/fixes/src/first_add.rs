//! A reduction whose threads add two elements when they load them: half the threads do the work of a block.

use lanescope_frontend::NamedLaunch;
use lanescope_syntax::Span;
use lanescope_syntax::tree::{Declaration, Expr, ExprKind, Function, Stmt};

use crate::Edit;
use crate::block_shape::{constant_of, renumbered, resized};
use crate::code::{Code, any, declared_by, is_name, operands, statements, whole};
use crate::gather::edited;
use crate::guarded_load::{GuardedLoad, assigned};
use crate::halving::{Halving, bare};
use crate::indentation::indentation;

/// The changed text and launch: blocks of half the threads, which load the same elements.
pub(crate) fn rewrite(
    code: &Code<'_>,
    function: &Function,
    halving: &Halving<'_>,
    launch: &NamedLaunch,
) -> Option<(Vec<Edit>, NamedLaunch)> {
    let all = statements(&function.body);
    let before: Vec<&Stmt> = all
        .into_iter()
        .filter(|stmt| stmt.span.end <= halving.span.start)
        .collect();
    let guarded = GuardedLoad::find(&before, &|to| is_own(code, &before, halving, to));
    let mut edits = match &guarded {
        Some(load) => behind_guard(code, &before, halving, (load, launch.block[0]))?,
        None => {
            let loaded = loaded(code, &before, halving)?;
            let place = Place::find(code, &before, &[loaded], launch.block[0])?;
            let again = place.moved(code, loaded)?;
            let own = code.at(loaded.span);
            let sum = match &loaded.kind {
                ExprKind::Index(..) => halving.combined(code, own, &again)?,
                _ => halving.combined(code, &format!("({own})"), &format!("({again})"))?,
            };
            place.edits(loaded, &sum, code)?
        }
    };
    let width = launch.block[0];
    let first = halving.first;
    edits.extend(first.and_then(|first| halved(code, first, width)));
    let size = resized(code, [width, width / 2], &edits)?;
    edits.extend(size);
    let mut halved = launch.clone();
    halved.block[0] /= 2;
    Some((edits, halved))
}

/// The changes of a load behind a guard, and of the block's width: the second element is combined behind the first.
fn behind_guard<'t>(
    code: &Code<'t>,
    before: &[&'t Stmt],
    halving: &Halving<'_>,
    (load, width): (&GuardedLoad<'t>, u32),
) -> Option<Vec<Edit>> {
    let all = [load.loaded, load.condition, load.otherwise];
    let place = Place::find(code, before, &all, width)?;
    let moved = |expr: &Expr| {
        let own = code.at(expr.span).to_owned();
        place.moved(code, expr).unwrap_or(own)
    };
    let (condition, otherwise) = (moved(load.condition), moved(load.otherwise));
    let loaded = place.moved(code, load.loaded)?;
    let again = match code.entry() {
        Some(_) => format!("select({otherwise}, {loaded}, {condition})"),
        None => format!("({condition} ? {loaded} : {otherwise})"),
    };
    let added = halving.accumulated(code, code.at(load.target.span), &again)?;
    let (start, end) = (load.stmt.span.start as usize, load.stmt.span.end as usize);
    let indent = indentation(code.text(), start);
    let mut edits = place.widths();
    edits.push(Edit::new(end, end, format!("\n{indent}{added}")));
    Some(edits)
}

/// Whether it is the thread's own element.
fn is_own(code: &Code<'_>, before: &[&Stmt], halving: &Halving<'_>, to: &Expr) -> bool {
    // A variable that is `threadIdx.x` is the same thread.
    let thread = |text: &str| {
        let name = bare(text);
        let named = declared_by(before).find(|one| *one.name == *name);
        let value = named.and_then(|declaration| declaration.init.as_ref());
        bare(value.map_or(text, |value| code.at(value.span))).to_owned()
    };
    match &to.kind {
        ExprKind::Index(base, index) => {
            is_name(base, halving.array) && thread(code.at(index.span)) == thread(halving.thread)
        }
        _ => false,
    }
}

/// What each thread puts into its element before the loop: the value, or that of the variable it is held in.
fn loaded<'t>(code: &Code<'_>, before: &[&'t Stmt], halving: &Halving<'_>) -> Option<&'t Expr> {
    let all = before.iter().filter_map(|stmt| assigned(stmt));
    let mut stores = all
        .filter(|(to, _)| is_own(code, before, halving, to))
        .map(|(_, value)| value);
    let (Some(value), None) = (stores.next(), stores.next()) else {
        return None;
    };
    match &value.kind {
        ExprKind::Name(name) => declared_by(before)
            .find(|one| one.name == *name)
            .and_then(|declaration| declaration.init.as_ref()),
        _ => Some(value),
    }
}

/// Where a thread's place among all elements is computed: `blockIdx.x * blockDim.x + threadIdx.x`.
struct Place<'t> {
    /// The variable that holds it; `None` where the load itself computes it.
    name: Option<&'t str>,
    /// The sums, each with the factor of `blockIdx.x` in it.
    sums: Vec<[Span; 2]>,
    /// The factor twice as large, as blocks are half as large.
    doubled: String,
    /// How far away the second element is.
    distance: String,
    /// The change of the constant that is the block's width.
    constant: Option<Edit>,
}

impl<'t> Place<'t> {
    /// That of what is loaded, which comes first, and of what else is computed from it.
    fn find(code: &Code<'_>, before: &[&'t Stmt], all: &[&'t Expr], width: u32) -> Option<Self> {
        let loaded = *all.first()?;
        let is_used = |declaration: &&Declaration| {
            any(loaded, &|expr: &Expr| is_name(expr, &declaration.name))
        };
        let named = declared_by(before).filter(is_used).find_map(|declaration| {
            Some((
                &*declaration.name,
                products(code, declaration.init.as_ref()?).pop()?,
            ))
        });
        let (name, found) = match named {
            Some((name, sum)) => (Some(name), vec![sum]),
            None => (
                None,
                all.iter().flat_map(|one| products(code, one)).collect(),
            ),
        };
        let (_, factor) = *found.first()?;
        let text = code.at(factor.span);
        let is_same = |one: &&(&Expr, &Expr)| code.at(one.1.span) == text;
        let sums = found.iter().filter(is_same);
        let sums = sums.map(|(sum, factor)| [sum.span, factor.span]).collect();
        let half = width / 2;
        let (doubled, distance, constant) = match &factor.kind {
            ExprKind::Name(name) => {
                let at = constant_of(code, name, width)?;
                let constant = renumbered(code, at, half);
                (format!("({text} * 2)"), text.to_owned(), Some(constant))
            }
            _ if whole(factor) == Some(u64::from(width)) => {
                (text.to_owned(), half.to_string(), None)
            }
            _ if text == "blockDim.x" => (format!("({text} * 2)"), text.to_owned(), None),
            _ if code.is_place(factor) => {
                let local = code.entry()?.local.as_ref()?;
                (format!("({text} * 2 - {local}.x)"), half.to_string(), None)
            }
            _ => return None,
        };
        Some(Self {
            name,
            sums,
            doubled,
            distance,
            constant,
        })
    }

    /// What is loaded, of the element that is further on.
    fn moved(&self, code: &Code<'_>, loaded: &Expr) -> Option<String> {
        let mut edits = Vec::new();
        self.moves(code, loaded, true, &mut edits);
        let text = edited(code, loaded.span, &edits)?;
        (!edits.is_empty()).then_some(text)
    }

    fn moves(&self, code: &Code<'_>, expr: &Expr, is_alone: bool, edits: &mut Vec<Edit>) {
        let place = match self.name {
            Some(name) => is_name(expr, name).then(|| name.to_owned()),
            None => {
                let mut sums = self.sums.iter();
                let own = sums.find(|[sum, _]| *sum == expr.span);
                own.map(|[_, factor]| {
                    edited(code, expr.span, &[self.widened(*factor)]).unwrap_or_default()
                })
            }
        };
        if let Some(own) = place {
            let moved = format!("{own} + {}", self.distance);
            let moved = if is_alone {
                moved
            } else {
                format!("({moved})")
            };
            let (start, end) = (expr.span.start as usize, expr.span.end as usize);
            return edits.push(Edit::new(start, end, moved));
        }
        let is_compared = matches!(expr.kind, ExprKind::Binary("<" | "<=", ..));
        let is_indexed = matches!(expr.kind, ExprKind::Index(..));
        for operand in operands(expr) {
            self.moves(code, operand, is_compared || is_indexed, edits);
        }
    }

    /// The changes of the text; `sum` is what is stored instead of what was loaded.
    fn edits(&self, loaded: &Expr, sum: &str, code: &Code<'_>) -> Option<Vec<Edit>> {
        let (start, end) = (loaded.span.start as usize, loaded.span.end as usize);
        let mut edits = self.widths();
        match self.name {
            Some(_) => edits.push(Edit::new(start, end, sum)),
            None => {
                let own = code.at(loaded.span);
                let widened: Vec<Edit> = edits.drain(..self.sums.len()).collect();
                let doubled = edited(code, loaded.span, &widened)?;
                edits.push(Edit::new(start, end, sum.replacen(own, &doubled, 1)));
            }
        }
        Some(edits)
    }

    /// A factor twice as large.
    fn widened(&self, factor: Span) -> Edit {
        let (start, end) = (factor.start as usize, factor.end as usize);
        Edit::new(start, end, self.doubled.clone())
    }

    /// The changes of the factors, first, and of the constant that is the block's width.
    fn widths(&self) -> Vec<Edit> {
        let factors = self.sums.iter();
        let mut edits: Vec<Edit> = factors.map(|[_, factor]| self.widened(*factor)).collect();
        edits.extend(self.constant.clone());
        edits
    }
}

/// The sums in an expression that add a product with `blockIdx.x`, each with the other factor; in WGSL also a thread's place in
/// the grid, which is both.
fn products<'e>(code: &Code<'_>, expr: &'e Expr) -> Vec<(&'e Expr, &'e Expr)> {
    if code.is_place(expr) {
        return vec![(expr, expr)];
    }
    if let ExprKind::Binary("+", a, b) = &expr.kind {
        for side in [a, b] {
            if let ExprKind::Binary("*", left, right) = &side.kind {
                if code.is_block(left) {
                    return vec![(expr, right)];
                }
                if code.is_block(right) {
                    return vec![(expr, left)];
                }
            }
        }
    }
    let inside = operands(expr).into_iter();
    inside.flat_map(|one| products(code, one)).collect()
}

/// The change of a first step that is written as a number.
fn halved(code: &Code<'_>, first: &Expr, width: u32) -> Option<Edit> {
    let of = |expr: &Expr, value: u32| {
        let is_it = whole(expr) == Some(u64::from(value));
        is_it.then(|| renumbered(code, expr.span, value / 2))
    };
    match &first.kind {
        ExprKind::Binary("/" | ">>", left, _) => of(left, width),
        _ => of(first, width / 2),
    }
}
