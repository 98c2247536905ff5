//! Rows of a shared array that is indexed flat, `s[row * PITCH + column]`, set further apart.
//!
//! The array may be declared so, or be cut out of dynamic shared memory; pointers into it count as the array, in the
//! kernel and in the functions that get them. What is multiplied by the pitch in an index, in an offset of a pointer
//! and in the declaration is multiplied by more.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use lanescope_frontend::SourceArray;
use lanescope_syntax::Span;
use lanescope_syntax::tree::{Expr, ExprKind, Function, TypeExpr, TypeKind};

use crate::code::{Code, declared_by, own_expressions, statements};
use crate::edit::apart;
use crate::literal::{Literal, grown};
use crate::products::{factors, summands};
use crate::rewrite::operand;
use crate::rooted::{Scope, is_only_inside, member_root};
use crate::shift::Shift;
use crate::skips::{Longer, Skip};
use crate::{Edit, apply};

/// The least number that counts as a pitch.
const LEAST_PITCH: u64 = 4;
/// The most calls between the kernel and a use.
const MOST_DEPTH: usize = 8;

/// The places of a text where an array's rows are multiplied by one pitch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowPitch {
    /// The pitch, as written.
    pub(crate) text: String,
    /// What it is, where the text says so.
    pub(crate) value: Option<u64>,
    /// `[summand]`: numbers in offsets that may skip whole rows.
    skips: Vec<Vec<Skip>>,
    /// Where it stands.
    factors: BTreeSet<(u32, u32)>,
    /// Where a shift stands that is one by the pitch: its sign becomes a product's.
    shifts: BTreeSet<(u32, u32)>,
    /// Names that stand for a product with it, and what to put there instead.
    products: Vec<Product>,
    /// The declaration's size, where the pitch is no factor of it.
    size: Option<Span>,
    /// The first index that changes.
    shown: Span,
    uses: usize,
}

/// A variable in an index that is set to a product with the pitch.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Product {
    /// Where the index names it.
    name: Span,
    /// What it is set to.
    value: Span,
    /// Where in that the pitch stands.
    factors: Vec<(u32, u32)>,
}

impl RowPitch {
    /// The pitches that the array's indices are written with, the most used first.
    pub(crate) fn all(code: &Code<'_>, kernel: &Rc<Function>, array: &SourceArray) -> Vec<Self> {
        let mut walk = Walk::new(code);
        walk.sided = (array.extents.len() > 1).then_some(&*array.name);
        walk.function(kernel, BTreeSet::from([array.name.clone()]), 0);
        walk.into_pitches(declared_size(code, array))
    }

    /// The pitches that a member of a structure is indexed with in functions, and in the structure's own, that is declared
    /// with the size `size`.
    pub(crate) fn of_member(
        code: &Code<'_>,
        [functions, methods]: [&[Rc<Function>]; 2],
        member: &str,
        size: Option<&Expr>,
    ) -> Vec<Self> {
        let mut walk = Walk::new(code);
        for function in functions {
            walk.function(function, BTreeSet::from([member_root(member)]), 0);
        }
        for method in methods {
            let roots = [member.to_owned(), member_root(member)];
            walk.function(method, BTreeSet::from(roots), 0);
        }
        walk.into_pitches(size)
    }

    /// The pitches that one pointer into an array is indexed with; what is made of that pointer counts as another's.
    pub(crate) fn of_tile(code: &Code<'_>, kernel: &Rc<Function>, tile: &str) -> Vec<Self> {
        let mut walk = Walk::new(code);
        walk.is_alone = true;
        walk.function(kernel, BTreeSet::from([tile.to_owned()]), 0);
        walk.into_pitches(None)
    }

    /// This pitch in the declaration of `array` alone, where that has a size.
    pub(crate) fn in_declaration(&self, code: &Code<'_>, array: &SourceArray) -> Self {
        let mut own = Self {
            factors: BTreeSet::new(),
            shifts: BTreeSet::new(),
            products: Vec::new(),
            skips: Vec::new(),
            ..self.clone()
        };
        if let Some(size) = declared_size(code, array) {
            own.declared(code, size);
        }
        own
    }

    fn declared(&mut self, code: &Code<'_>, size: &Expr) {
        let mut leaves = Vec::new();
        factors(size, &mut leaves);
        let mut last_first = leaves.iter().rev();
        let of_pitch = last_first.find(|expr| code.at(expr.span) == self.text);
        match of_pitch {
            Some(one) => {
                self.factors.insert(key(one.span));
            }
            None => self.size = Some(size.span),
        }
    }

    /// The same as [`Self::edits`], and what skips whole rows skips as many longer ones; `None` where nothing does. `unit`:
    /// bytes of an element where the array is one of bytes, else 1.
    pub(crate) fn edits_moving(
        &self,
        code: &Code<'_>,
        elements: u64,
        unit: u64,
    ) -> Option<Vec<Edit>> {
        let rows = Longer {
            row: self.value?,
            pitch: &self.text,
            wider: &self.wider(elements),
            more: elements,
            unit,
        };
        let of_summand =
            |summand: &Vec<Skip>| summand.iter().find_map(|one| one.edits(code, &rows));
        let moved: Vec<Edit> = self.skips.iter().filter_map(of_summand).flatten().collect();
        if moved.is_empty() {
            return None;
        }
        let mut edits = self.edits(code, elements)?;
        edits.extend(moved);
        apart(edits)
    }

    /// The changes that add `elements` to the pitch; `None` where the text does not allow them.
    pub(crate) fn edits(&self, code: &Code<'_>, elements: u64) -> Option<Vec<Edit>> {
        let wider = self.wider(elements);
        let edit = |at: &(u32, u32)| Edit::new(at.0 as usize, at.1 as usize, wider.clone());
        let mut edits: Vec<Edit> = self.factors.iter().map(edit).collect();
        let times = |at: &(u32, u32)| Edit::new(at.0 as usize, at.1 as usize, "*");
        edits.extend(self.shifts.iter().map(times));
        for Product {
            name,
            value,
            factors,
        } in &self.products
        {
            let shift = |at: &(u32, u32)| {
                Some(Edit::new(
                    (at.0.checked_sub(value.start)?) as usize,
                    (at.1.checked_sub(value.start)?) as usize,
                    wider.clone(),
                ))
            };
            let inner: Option<Vec<_>> = factors.iter().map(shift).collect();
            let text = apply(code.at(*value), &inner?)?;
            let [start, end] = [name.start as usize, name.end as usize];
            let around = (code.text().get(..start), code.text().get(end..));
            let is_alone = matches!(around, (Some(before), Some(after))
                if before.ends_with('[') && after.starts_with(']'));
            let text = if is_alone { text } else { operand(&text) };
            edits.push(Edit::new(start, end, text));
        }
        if let Some(size) = self.size {
            let text = code.at(size);
            let more = match grown(text, &self.text, elements) {
                Some(more) => more,
                None => format!("{} / {} * {wider}", operand(text), self.text),
            };
            edits.push(Edit::new(size.start as usize, size.end as usize, more));
        }
        apart(edits)
    }

    /// The first changed index, changed.
    pub(crate) fn shown(&self, code: &Code<'_>, edits: &[Edit]) -> String {
        let inside = edits
            .iter()
            .filter(|edit| edit.span.start >= self.shown.start && edit.span.end <= self.shown.end);
        let moved = inside.map(|edit| {
            Edit::new(
                (edit.span.start - self.shown.start) as usize,
                (edit.span.end - self.shown.start) as usize,
                edit.replacement.clone(),
            )
        });
        let changed = apply(code.at(self.shown), &moved.collect::<Vec<_>>()).unwrap_or_default();
        // A macro's may stand on several lines.
        let words: Vec<&str> = changed.split_whitespace().collect();
        words.join(" ")
    }

    fn wider(&self, elements: u64) -> String {
        match Literal::of(&self.text) {
            Some(literal) => literal.with(literal.value + elements),
            None => format!("({} + {elements})", self.text),
        }
    }
}

const fn key(span: Span) -> (u32, u32) {
    (span.start, span.end)
}

/// The last side of an array that is declared with sizes.
pub(crate) fn declared_size<'c>(code: &'c Code<'_>, array: &SourceArray) -> Option<&'c Expr> {
    let mut ty = &code.declared(array.span)?.ty;
    let mut last = None;
    while let TypeKind::Array(inner, size) = &ty.kind {
        last = size.as_deref();
        ty = inner;
    }
    last
}

/// A pitch's value, where the text says so, and where it stands.
type Named = (Option<u64>, Vec<(u32, u32)>);

struct Walk<'a, 'c> {
    code: &'c Code<'a>,
    /// The array, where it has several sides: its own indices are no offsets.
    sided: Option<&'c str>,
    /// Whether pointers that the kernel makes of the array are left out.
    is_alone: bool,
    /// By the pitch's text.
    found: BTreeMap<String, RowPitch>,
    /// By where a summand stands: numbers in it that may skip rows.
    skips: BTreeMap<(u32, u32), Vec<Skip>>,
    /// Functions that have been read, with the names of the array in them.
    seen: BTreeSet<(String, Vec<String>)>,
}

impl<'a, 'c> Walk<'a, 'c> {
    const fn new(code: &'c Code<'a>) -> Self {
        Self {
            code,
            sided: None,
            is_alone: false,
            found: BTreeMap::new(),
            skips: BTreeMap::new(),
            seen: BTreeSet::new(),
        }
    }

    /// What was found, the most used first, of an array that is declared with the size `size`.
    fn into_pitches(self, size: Option<&Expr>) -> Vec<RowPitch> {
        let mut list: Vec<RowPitch> = self.found.into_values().collect();
        for one in list.iter_mut().filter(|one| one.value.is_some()) {
            let is_pitch = |skip: &Skip| one.factors.contains(&key(skip.span()));
            let others = self.skips.values();
            let others = others.filter(|summand| !summand.iter().any(is_pitch));
            one.skips = others.cloned().collect();
        }
        if let Some(size) = size {
            for one in &mut list {
                one.declared(self.code, size);
            }
        }
        list.sort_by_key(|one| std::cmp::Reverse(one.uses));
        list
    }

    /// Reads a function in which the array has the names `roots`.
    fn function(&mut self, function: &Rc<Function>, roots: BTreeSet<String>, depth: usize) {
        let seen = (function.name.to_string(), roots.iter().cloned().collect());
        if depth > MOST_DEPTH || !self.seen.insert(seen) {
            return;
        }
        let body = statements(&function.body);
        let mut scope = Scope {
            sided: self.sided,
            roots,
            variables: BTreeMap::new(),
        };
        for one in declared_by(&body) {
            if !(self.is_alone && depth == 0 && scope.is_pointer(one)) {
                scope.declare(one);
            }
        }
        let own: Vec<&Expr> = body.iter().flat_map(|stmt| own_expressions(stmt)).collect();
        let parameters = function.parameters.iter();
        let pointers = parameters.filter(|parameter| scope.is_root(&parameter.name));
        let casts = scope.casts(&own);
        let declared = declared_by(&body).filter(|one| scope.is_pointer(one));
        for ty in pointers
            .chain(declared)
            .map(|pointer| &pointer.ty)
            .chain(casts)
        {
            self.rows_of(ty);
        }
        let mut offsets = Vec::new();
        let mut calls = Vec::new();
        for expr in &own {
            scope.gather(expr, &mut offsets, &mut calls);
        }
        for (whole, offset) in &offsets {
            self.offset(&scope, &own, &offsets, *whole, offset);
        }
        for (callee, arguments) in calls {
            self.call(&scope, callee, arguments, depth);
        }
    }

    fn call(&mut self, scope: &Scope<'_>, callee: &str, arguments: &[Expr], depth: usize) {
        let code = self.code;
        let called: Vec<_> = code
            .functions()
            .filter(|one| *one.name == *callee)
            .collect();
        for function in called {
            let pairs = function.parameters.iter().zip(arguments);
            let given = pairs.filter(|(_, argument)| scope.is_rooted(argument));
            let roots: BTreeSet<_> = given.map(|(one, _)| one.name.to_string()).collect();
            if !roots.is_empty() {
                self.function(&Rc::clone(function), roots, depth + 1);
            }
        }
    }

    /// One offset from the array's beginning, part of `whole`.
    fn offset(
        &mut self,
        scope: &Scope<'_>,
        own: &[&Expr],
        offsets: &[(Span, &Expr)],
        whole: Span,
        offset: &Expr,
    ) {
        let mut products = Vec::new();
        summands(offset, &mut products);
        for product in products {
            self.shifted(product, whole);
            self.skip(product);
            let mut leaves = Vec::new();
            factors(product, &mut leaves);
            if leaves.len() > 1 {
                // Of `32 * 32` rows and columns the pitch is one.
                let mut seen = BTreeSet::new();
                for leaf in &leaves {
                    if seen.insert(self.code.at(leaf.span)) {
                        self.factor(leaf, whole);
                    }
                }
            }
            for leaf in leaves {
                let ExprKind::Name(name) = &leaf.kind else {
                    continue;
                };
                // A constant is moved where it is named.
                let is_constant = self.code.constant(leaf).is_some();
                if let Some(value) = scope.variables.get(&**name).filter(|_| !is_constant) {
                    let is_own = is_only_inside(own, name, offsets);
                    self.variable(value, leaf.span, is_own, whole);
                }
            }
        }
    }

    /// A variable in an offset that is set to `value`.
    fn variable(&mut self, value: &Expr, at: Span, is_own: bool, whole: Span) {
        let mut products = Vec::new();
        summands(value, &mut products);
        let mut by_text: BTreeMap<String, Named> = BTreeMap::new();
        for product in products {
            if is_own {
                self.skip(product);
            }
            let mut leaves = Vec::new();
            factors(product, &mut leaves);
            if leaves.len() < 2 {
                continue;
            }
            for leaf in leaves {
                let text = self.code.at(leaf.span).to_owned();
                let known = by_text.entry(text).or_default();
                known.0 = self.code.constant(leaf);
                known.1.push(key(leaf.span));
            }
        }
        for (text, (pitch, inside)) in by_text {
            let Some(found) = self.pitch(&text, pitch, whole) else {
                continue;
            };
            if is_own {
                found.factors.extend(inside);
            } else if !found.products.iter().any(|product| product.name == at) {
                found.products.push(Product {
                    name: at,
                    value: value.span,
                    factors: inside,
                });
            }
        }
    }

    /// A shift in an offset, `row << 5`: a product with 32.
    fn shifted(&mut self, product: &Expr, whole: Span) {
        let Some(Shift { sign, by, pitch }) = Shift::of(self.code, product) else {
            return;
        };
        if let Some(found) = self.pitch(&pitch.to_string(), Some(pitch), whole) {
            found.shifts.insert(key(sign));
            found.factors.insert(key(by));
        }
    }

    /// The rows of arrays that a type of a pointer points to: `float (*)[32]`.
    fn rows_of(&mut self, ty: &TypeExpr) {
        let mut to = ty;
        if let TypeKind::Pointer { to: inner, .. } | TypeKind::Reference { to: inner, .. } =
            &ty.kind
        {
            to = inner;
        }
        let mut row = None;
        while let TypeKind::Array(inner, size) = &to.kind {
            row = size.as_ref();
            to = inner;
        }
        if let Some(row) = row {
            let end = row.span.end.saturating_add(1);
            self.factor(
                row,
                Span {
                    start: to.span.start,
                    end,
                },
            );
        }
    }

    fn factor(&mut self, leaf: &Expr, whole: Span) {
        let text = self.code.at(leaf.span).to_owned();
        let value = self.code.constant(leaf);
        if let Some(found) = self.pitch(&text, value, whole) {
            found.factors.insert(key(leaf.span));
        }
    }

    /// A summand of an offset that may skip rows.
    fn skip(&mut self, summand: &Expr) {
        let found = Skip::all(self.code, summand);
        if !found.is_empty() {
            self.skips.insert(key(summand.span), found);
        }
    }

    /// The pitch of that text, one use more; `None` where that cannot be a pitch.
    fn pitch(&mut self, text: &str, value: Option<u64>, whole: Span) -> Option<&mut RowPitch> {
        let is_name = text.starts_with(|sign: char| sign.is_alphabetic() || sign == '_')
            && text
                .chars()
                .all(|sign| sign.is_alphanumeric() || sign == '_');
        let is_number = Literal::of(text).is_some_and(|literal| literal.value >= LEAST_PITCH);
        let is_sum = text.starts_with('(') && !text.contains([',', '[', '=']);
        if !(is_name || is_number || is_sum) {
            return None;
        }
        let new = || RowPitch {
            text: text.to_owned(),
            value,
            skips: Vec::new(),
            factors: BTreeSet::new(),
            shifts: BTreeSet::new(),
            products: Vec::new(),
            size: None,
            shown: whole,
            uses: 0,
        };
        let found = self.found.entry(text.to_owned()).or_insert_with(new);
        found.uses += 1;
        // An index says more than an offset of a pointer.
        let is_index = |span: Span| {
            let text = self.code.at(span);
            text.ends_with(']') && !text.starts_with('&')
        };
        if !is_index(found.shown) && is_index(whole) {
            found.shown = whole;
        }
        Some(found)
    }
}
