//! Uses of one array whose indices differ by constants: `a[stem]`, `a[stem + 1]`, …

use std::collections::BTreeSet;

use lanescope_syntax::Span;
use lanescope_syntax::tree::{Expr, ExprKind, Stmt, TemplateArgument, TypeExpr, TypeKind};

use crate::code::{Code, indexed, is_name, operands, own_expressions, statements, whole};
use crate::effects::{collect_names, has_effect};

/// Types of the language's library that hold several numbers, by their bytes.
const VECTOR_BYTES: [(u64, &[&str]); 4] = [
    (2, &["char2", "uchar2"]),
    (
        4,
        &[
            "half2",
            "__half2",
            "nv_bfloat162",
            "__nv_bfloat162",
            "short2",
            "ushort2",
            "char4",
            "uchar4",
        ],
    ),
    (
        8,
        &[
            "float2", "int2", "uint2", "short4", "ushort4", "long2", "ulong2",
        ],
    ),
    (
        16,
        &[
            "float4",
            "int4",
            "uint4",
            "double2",
            "longlong2",
            "ulonglong2",
        ],
    ),
];

/// The array whose uses are looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    pub(crate) name: &'a str,
    pub(crate) element_bytes: u64,
}

/// One use `array[stem + offset]`, or `array[row][stem + offset]`.
#[derive(Clone, Debug)]
pub(crate) struct Use<'e> {
    /// From the array's name to the last bracket.
    pub(crate) span: Span,
    /// The array and the indices before the last, as written.
    pub(crate) base: String,
    /// What is added up in the last index, constants and the loop's counter left out.
    pub(crate) stem: Vec<&'e Expr>,
    /// The stem, as written.
    pub(crate) stem_text: String,
    /// The constants in the last index.
    pub(crate) offset: u64,
    /// How many elements are taken, as through `*(float2*)&`.
    pub(crate) elements: u64,
    /// Whether the element is taken as it is.
    pub(crate) is_plain: bool,
    /// Whether the loop's counter is added.
    pub(crate) counts: bool,
    /// The names that decide where it is.
    pub(crate) names: BTreeSet<String>,
}

impl Use<'_> {
    /// What two uses of neighbours have in common.
    pub(crate) fn key(&self) -> (String, String) {
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        (squeezed(&self.base), squeezed(&self.stem_text))
    }

    /// The index of the element so many behind the stem.
    pub(crate) fn index(&self, offset: u64) -> String {
        match (self.stem_text.as_str(), offset) {
            ("", _) => offset.to_string(),
            (stem, 0) => stem.to_owned(),
            (stem, _) => format!("{stem} + {offset}"),
        }
    }

    /// The stem's only factor beside `count`: `i` of `4 * i`.
    pub(crate) fn factor(&self, code: &Code<'_>, count: u64) -> Option<String> {
        let [only] = self.stem.as_slice() else {
            return None;
        };
        let ExprKind::Binary("*", left, right) = &only.kind else {
            return None;
        };
        let other = match (whole(left), whole(right)) {
            (Some(number), _) if number == count => right,
            (_, Some(number)) if number == count => left,
            _ => return None,
        };
        let is_name = matches!(other.kind, ExprKind::Name(_));
        is_name.then(|| code.at(other.span).to_owned())
    }
}

/// Finds the uses of an array in expressions.
pub(crate) struct Finder<'a, 'c> {
    pub(crate) code: &'c Code<'a>,
    pub(crate) target: Target<'c>,
    /// The counter of the loop that is looked at.
    pub(crate) counter: Option<&'c str>,
    /// Whether uses that are made under a condition count too.
    pub(crate) is_deep: bool,
}

impl Finder<'_, '_> {
    /// The uses in statements and in all inside them.
    pub(crate) fn all<'e>(&self, list: &'e [Stmt]) -> Vec<Use<'e>> {
        let all = statements(list).into_iter().flat_map(own_expressions);
        all.flat_map(|expr| self.uses(expr)).collect()
    }

    /// The uses that an expression makes whenever it is evaluated.
    pub(crate) fn uses<'e>(&self, expr: &'e Expr) -> Vec<Use<'e>> {
        let mut found = Vec::new();
        self.gather(expr, &mut found);
        found
    }

    fn gather<'e>(&self, expr: &'e Expr, found: &mut Vec<Use<'e>>) {
        if let Some((inner, bytes)) = taken_as(expr) {
            if let Some(mut one) = self.one(inner) {
                let element = self.target.element_bytes.max(1);
                if bytes % element == 0 {
                    one.elements = bytes / element;
                    one.is_plain = false;
                    found.push(one);
                }
                return;
            }
        } else if let ExprKind::Prefix("&", inner) = &expr.kind {
            // Who takes the address may go anywhere from there.
            if indexed(inner).is_some_and(|name| name == self.target.name) {
                return;
            }
        } else if let Some(one) = self.one(expr) {
            found.push(one);
            return;
        }
        match &expr.kind {
            ExprKind::Conditional(condition, ..) if !self.is_deep => {
                self.gather(condition, found);
            }
            ExprKind::Binary("&&" | "||", first, _) if !self.is_deep => {
                self.gather(first, found);
            }
            _ => {
                for one in operands(expr) {
                    self.gather(one, found);
                }
            }
        }
    }

    fn one<'e>(&self, expr: &'e Expr) -> Option<Use<'e>> {
        let ExprKind::Index(base, index) = &expr.kind else {
            return None;
        };
        let mut root = base;
        while let ExprKind::Index(inner, _) = &root.kind {
            root = inner;
        }
        let is_root = matches!(&root.kind, ExprKind::Name(name) if **name == *self.target.name);
        if !is_root || self.code.at(root.span) != self.target.name || has_effect(expr) {
            return None;
        }
        let mut list = Vec::new();
        summands(index, &mut list);
        let (mut stem, mut offset, mut counts) = (Vec::new(), 0_u64, false);
        for one in list {
            let is_counter = self.counter.is_some_and(
                |counter| matches!(&one.kind, ExprKind::Name(name) if **name == *counter),
            );
            match whole(one) {
                Some(number) => offset = offset.checked_add(number)?,
                None if is_counter && counts => return None,
                None if is_counter => counts = true,
                None => stem.push(one),
            }
        }
        let span = self.code.bracketed(root.span, index.span)?;
        let texts: Vec<_> = stem.iter().map(|one| self.code.at(one.span)).collect();
        let mut names = BTreeSet::new();
        collect_names(expr, &mut names);
        let before = Span {
            start: root.span.start,
            end: self.code.opening(index.span)?,
        };
        Some(Use {
            span,
            base: self.code.at(before).trim_end().to_owned(),
            stem_text: texts.join(" + "),
            stem,
            offset,
            elements: 1,
            is_plain: true,
            counts,
            names,
        })
    }
}

/// The place that `*(T*)&place` or `((T*)&place)[0]` takes as another type, and that type's bytes.
fn taken_as(expr: &Expr) -> Option<(&Expr, u64)> {
    let pointer = match &expr.kind {
        ExprKind::Prefix("*", inner) => inner,
        ExprKind::Index(base, index) if whole(index) == Some(0) => base,
        _ => return None,
    };
    let (ty, inner) = cast(pointer)?;
    let ExprKind::Prefix("&", place) = &inner.kind else {
        return None;
    };
    let TypeKind::Pointer { to, .. } = &ty.kind else {
        return None;
    };
    Some((place, bytes_of(to)?))
}

/// The type that a cast is to, and what is cast.
fn cast(expr: &Expr) -> Option<(&TypeExpr, &Expr)> {
    match &expr.kind {
        ExprKind::Cast(ty, inner) => Some((ty, inner)),
        ExprKind::Call {
            callee,
            templates,
            arguments,
        } if is_name(callee, "reinterpret_cast") => {
            match (templates.as_slice(), arguments.as_slice()) {
                ([TemplateArgument::Type(ty)], [inner]) => Some((ty, inner)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn bytes_of(ty: &TypeExpr) -> Option<u64> {
    match &ty.kind {
        TypeKind::Scalar(scalar) => Some(scalar.bytes()),
        TypeKind::Named(name, _) => {
            let holds = |(_, names): &&(u64, &[&str])| names.contains(&&**name);
            VECTOR_BYTES.iter().find(holds).map(|(bytes, _)| *bytes)
        }
        TypeKind::Void
        | TypeKind::Auto
        | TypeKind::Inside(..)
        | TypeKind::Decltype(_)
        | TypeKind::Pointer { .. }
        | TypeKind::Reference { .. }
        | TypeKind::Array(..) => None,
    }
}

/// What is added up in an expression.
fn summands<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary("+", a, b) => {
            summands(a, found);
            summands(b, found);
        }
        _ => found.push(expr),
    }
}
