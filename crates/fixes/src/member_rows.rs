//! Rows of arrays that are members of a structure in shared memory, set further apart.

use std::collections::BTreeSet;
use std::rc::Rc;

use lanescope_frontend::SourceArray;
use lanescope_syntax::Span;
use lanescope_syntax::tree::{
    Declaration, Expr, ExprKind, Function, StructItem, TypeExpr, TypeKind,
};

use crate::advisor::Advisor;
use crate::code::{Code, every};
use crate::literal::Literal;
use crate::record::ArrayRecord;
use crate::rewrite::operand;
use crate::row_pitch::RowPitch;
use crate::{Edit, apply};

/// The most members that are tried.
const MEMBERS: usize = 8;
/// The most pitches of a member that are tried.
const PITCHES: usize = 2;

/// A member that is an array, and its structure's functions.
struct Member<'c> {
    field: &'c Declaration,
    methods: &'c [Rc<Function>],
    /// Bytes of an element.
    element: u64,
}

impl<'a> Advisor<'a, '_> {
    /// Of each member alone, and of all together that gain something alone.
    pub(crate) fn member_rows(
        &mut self,
        (code, kernel): (&Code<'_>, &Rc<Function>),
        array: &'a SourceArray,
        record: &ArrayRecord,
        found_before: usize,
    ) {
        let widths = || {
            record
                .patterns
                .all()
                .iter()
                .map(|pattern| pattern.width.bytes())
        };
        let narrowest = widths().min().unwrap_or(4);
        let widest = widths().max().unwrap_or(4);
        let functions = code.reached_from(kernel);
        let members = members(code, array, narrowest);
        let steps = members.iter().flat_map(|member| {
            let vector = widest.div_ceil(member.element.max(1));
            let all = [1, 4, vector, 16 / member.element.clamp(1, 16)];
            all.into_iter()
                .filter(move |more| more.is_multiple_of(vector))
        });
        let steps: BTreeSet<u64> = steps.collect();
        for more in steps {
            let mut gaining: Vec<Vec<Edit>> = Vec::new();
            for member in &members {
                for (edits, shown) in member.longer(code, &functions, more) {
                    let found = self.advice.suggestions.len();
                    if self.is_freed(array, found_before) {
                        return;
                    }
                    self.prove_rows(array, edits.clone(), more, shown);
                    if self.advice.suggestions.len() > found {
                        gaining.push(edits);
                        break;
                    }
                }
            }
            if gaining.len() > 1 && !self.is_freed(array, found_before) {
                let edits = gaining.concat();
                let shown = format!("{} members", gaining.len());
                self.prove_rows(array, edits, more, shown);
            }
        }
    }
}

impl Member<'_> {
    /// Its rows `more` elements longer: the edits and what shows them, one for each way to do so.
    fn longer(
        &self,
        code: &Code<'_>,
        functions: &[Rc<Function>],
        more: u64,
    ) -> Vec<(Vec<Edit>, String)> {
        let mut sizes = Vec::new();
        sides(&self.field.ty, &mut sizes);
        let Some(last) = sizes.last() else {
            return Vec::new();
        };
        if sizes.len() > 1 {
            return vec![self.declared_longer(code, last, more)];
        }
        let all = [functions, self.methods];
        let pitches = RowPitch::of_member(code, all, &self.field.name, Some(last));
        let of_pitch = |pitch: &RowPitch| {
            let moving = pitch.edits_moving(code, more, 1);
            let edits = moving.or_else(|| pitch.edits(code, more))?;
            let shown = pitch.shown(code, &edits);
            Some((edits, shown))
        };
        let tried = pitches.iter().take(PITCHES);
        tried.filter_map(of_pitch).collect()
    }

    /// The last of several sides longer, by which the compiler multiplies.
    fn declared_longer(&self, code: &Code<'_>, last: &Expr, more: u64) -> (Vec<Edit>, String) {
        let size = code.at(last.span);
        let longer = match Literal::of(size) {
            Some(number) => number.with(number.value + more),
            None => format!("{} + {more}", operand(size)),
        };
        let [start, end] = [last.span.start as usize, last.span.end as usize];
        let edit = Edit::new(start, end, longer);
        let first = self.field.span.start;
        let place = Span {
            start: first,
            end: last.span.end.saturating_add(1),
        };
        let inside = Edit::new(
            start - first as usize,
            end - first as usize,
            edit.replacement.clone(),
        );
        let shown = apply(code.at(place), &[inside]).unwrap_or_default();
        (vec![edit], shown)
    }
}

/// The sizes of an array, the outermost first, as far as they are written.
fn sides<'c>(ty: &'c TypeExpr, found: &mut Vec<&'c Expr>) {
    if let TypeKind::Array(inner, size) = &ty.kind {
        found.extend(size.as_deref());
        sides(inner, found);
    }
}

/// The arrays that are members of structures in `array` and that the text indexes.
fn members<'c>(code: &'c Code<'_>, array: &SourceArray, narrowest: u64) -> Vec<Member<'c>> {
    let expressions = every(code);
    let structures: Vec<&StructItem> = code
        .all_statements()
        .into_iter()
        .filter_map(|stmt| stmt.structure().map(|item| &**item))
        .collect();
    // A structure may be taken out of a pool through a pointer.
    let is_taken = |item: &&&StructItem| {
        expressions
            .iter()
            .any(|expr| matches!(&expr.kind, ExprKind::Cast(ty, _) if points_to(ty, &item.name)))
    };
    let is_held = array.element_bytes > 16 || code.structure(&array.element).is_some();
    let is_named = |name: &str| {
        let is_it =
            |expr: &&&Expr| matches!(&expr.kind, ExprKind::Member(_, one) if &**one == name);
        expressions.iter().any(|expr| is_it(&expr))
    };
    let own = structures.iter().filter(|item| is_held || is_taken(item));
    let fields = own.flat_map(|item| item.fields.iter().map(move |field| (field, item)));
    let arrays = fields.filter(|(field, item)| {
        let is_array = matches!(field.ty.kind, TypeKind::Array(..));
        is_array && (is_named(&field.name) || !item.methods.is_empty())
    });
    let member = |(field, item): (&'c Declaration, &&'c StructItem)| {
        let mut ty = &field.ty;
        while let TypeKind::Array(inner, _) = &ty.kind {
            ty = inner;
        }
        Member {
            field,
            methods: &item.methods,
            element: code.layout_of(ty).map_or(narrowest, |layout| layout.bytes),
        }
    };
    arrays.map(member).take(MEMBERS).collect()
}

/// Whether it is a pointer or a reference to the structure of that name.
fn points_to(ty: &TypeExpr, name: &str) -> bool {
    match &ty.kind {
        TypeKind::Pointer { to, .. } | TypeKind::Reference { to, .. } => {
            matches!(&to.kind, TypeKind::Named(one, _) if &**one == name)
        }
        TypeKind::Void
        | TypeKind::Auto
        | TypeKind::Scalar(_)
        | TypeKind::Named(..)
        | TypeKind::Inside(..)
        | TypeKind::Decltype(_)
        | TypeKind::Array(..) => false,
    }
}
