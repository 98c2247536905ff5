//! Lists of accesses: arrays that nobody declared, and names that stand for several values.

use lanescope_frontend::{Construct, Limits, Span};
use lanescope_ir::{AddressSpace, Variable};
use lanescope_model::Operation;

use super::Step;
use crate::source::ctype::{Target, Type};
use crate::source::lower::registers::BuiltinValue;
use crate::source::lower::{Binding, Lower, Memory, Place, Value};
use crate::source::open_names::declaration;
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    scalar::Scalar,
    tree::{Expr, ExprKind, Name, TypeExpr, TypeKind, ValuePart},
};

impl Lower<'_> {
    /// A line of an expression.
    pub(crate) fn bare_access(&mut self, expr: &Expr, operation: Operation) {
        match &expr.kind {
            ExprKind::Missing => {}
            ExprKind::Assign("=", target, source) if self.is_new_name(target) => {
                let value = self.value(source);
                let value = self.variable(&value.ty.clone(), Some(&value));
                if let ExprKind::Name(name) = &target.kind {
                    self.bind(name, Binding::Place(Place::Registers(value)));
                }
            }
            ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Prefix("*", _) => {
                if let ExprKind::Index(base, index) = &expr.kind
                    && self.builtin_index(base, index, expr.span).is_some()
                {
                    return self.implied(expr, operation);
                }
                if let ExprKind::Member(object, field) = &expr.kind
                    && self.builtin_member(object, field, expr.span).is_some()
                {
                    return self.implied(expr, operation);
                }
                if let Some(Place::Memory(memory)) = self.place(expr) {
                    self.touch(&memory, operation, expr.span);
                }
            }
            ExprKind::Binary(",", a, b) => {
                self.bare_access(a, operation);
                self.bare_access(b, operation);
            }
            ExprKind::Assign(..)
            | ExprKind::Call { .. }
            | ExprKind::Postfix(..)
            | ExprKind::Prefix("++" | "--", _) => {
                self.value(expr);
            }
            _ => self.implied(expr, operation),
        }
    }

    fn is_new_name(&self, target: &Expr) -> bool {
        matches!(&target.kind, ExprKind::Name(name) if self.lookup(name).is_none())
    }

    /// A number alone is an index into an array of words of shared memory.
    fn implied(&mut self, expr: &Expr, operation: Operation) {
        let before = self.sites.len();
        let said = self.sink.len();
        let value = self.value(expr);
        if self.sites.len() > before || self.sink.len() > said || value.ty.scalar().is_none() {
            return;
        }
        let memory = self.implied_array(expr.span);
        let (_, index) = self.scalar(&value, expr.span);
        let address = self.address(memory.address, index, 4, 0);
        let memory = Memory {
            address,
            ty: Type::Scalar(Scalar::F32),
            ..memory
        };
        self.touch(&memory, operation, expr.span);
    }

    fn implied_array(&mut self, span: Span) -> Memory {
        let name: Name = "[ ]".into();
        if let Some(Binding::Place(Place::Memory(memory))) = self.scopes[0].get(&name) {
            return memory.clone();
        }
        let ty = TypeExpr {
            span,
            kind: TypeKind::Auto,
            is_const: false,
            is_volatile: false,
        };
        let one = declaration(&name, span, ty);
        let id = self.array(
            &one,
            &Type::Scalar(Scalar::F32),
            AddressSpace::Shared,
            0,
            None,
        );
        let address = self.builtin_value(BuiltinValue::Array(id));
        let memory = Memory::at(Type::Scalar(Scalar::F32), address, Target::Array(id));
        self.scopes[0].insert(name, Binding::Place(Place::Memory(memory.clone())));
        memory
    }

    /// `name = value, value … value`.
    pub(crate) fn values(&mut self, name: &Name, span: Span, list: &[ValuePart]) {
        let limit = self.values_left();
        let mut values: Vec<i64> = Vec::new();
        let mut dots: Option<Span> = None;
        for part in list {
            match part {
                ValuePart::Dots(at) => dots = Some(*at),
                ValuePart::One(expr) => {
                    let Some(value) = self.fold(expr) else {
                        self.say(
                            expr.span,
                            DiagnosticKind::NotConstant {
                                what: Construct::VariableValue,
                            },
                        );
                        continue;
                    };
                    if let Some(at) = dots.take() {
                        self.fill(&mut values, value, at, limit);
                    } else {
                        values.push(value);
                    }
                }
            }
        }
        if values.is_empty() {
            values.push(0);
        }
        if values.len() > limit {
            self.too_many_values(span, limit);
            values.truncate(limit);
        }
        self.values += values.len();
        let at = u16::try_from(self.variables.len()).unwrap_or(u16::MAX);
        let place = self.place_id(span);
        self.variables.push(Variable {
            name: name.to_string(),
            place,
            values,
        });
        let reg = self.builtin_value(BuiltinValue::Variable(at));
        self.bind(name, Binding::Value(Value::scalar(Scalar::I32, reg)));
    }

    /// How many values one more variable may have.
    fn values_left(&self) -> usize {
        let limits = Limits::DEFAULT;
        let left = limits.all_values.saturating_sub(self.values as u64);
        usize::try_from(left.clamp(1, limits.values)).unwrap_or(usize::MAX)
    }

    /// A variable has more than `limit` values, which are all that it may have, or all that are left of all variables'.
    fn too_many_values(&mut self, span: Span, limit: usize) {
        let limits = Limits::DEFAULT;
        let own = limit as u64 == limits.values;
        let limit = if own {
            limits.values
        } else {
            limits.all_values
        };
        self.say(span, DiagnosticKind::TooManyValues { limit });
    }

    /// Goes on from the last values to `last`, by the same step or the same factor.
    fn fill(&mut self, values: &mut Vec<i64>, last: i64, span: Span, limit: usize) {
        let step = match values[..] {
            [] => return values.push(last),
            [first] => Step::Add(if last >= first { 1 } else { -1 }),
            [.., a, b, c] if c.checked_sub(b) == b.checked_sub(a) => Step::Add(c.wrapping_sub(b)),
            [.., a, b] if values.len() == 2 && a.checked_mul(2) != Some(b) => {
                Step::Add(b.wrapping_sub(a))
            }
            [.., a, b] if a != 0 && b % a == 0 && (b / a).abs() > 1 => Step::Times(b / a),
            [.., a, b] if b != 0 && a % b == 0 && (a / b).abs() > 1 => Step::Divide(a / b),
            [.., a, b] => Step::Add(b.wrapping_sub(a)),
        };
        let rises = values.last().is_some_and(|now| last >= *now);
        while let Some(now) = values.last().copied() {
            let next = match step {
                Step::Add(by) => now.checked_add(by),
                Step::Times(by) => now.checked_mul(by),
                Step::Divide(by) => now.checked_div(by),
            };
            let Some(next) = next.filter(|next| {
                *next != now
                    && (*next > now) == rises
                    && if rises { *next <= last } else { *next >= last }
            }) else {
                break;
            };
            if values.len() >= limit {
                self.too_many_values(span, limit);
                break;
            }
            values.push(next);
        }
    }
}

/// The values between `<` and `>` behind a kernel's name, as in `tile<float, 32>`.
pub(super) fn named_values(name: &str) -> Vec<String> {
    let Some((_, rest)) = name.split_once('<') else {
        return Vec::new();
    };
    let rest = rest.trim_end();
    let mut depth = 0_u32;
    let parts = rest.strip_suffix('>').unwrap_or(rest).split(|c| {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(|part| part.trim().to_owned()).collect()
}

/// The names of the numbers in a value, as in `size.x` and `sides[1]`.
pub(super) fn leaf_names(ty: &Type, name: &str, list: &mut Vec<String>) {
    match ty {
        Type::Struct(structure) => {
            for field in &structure.fields {
                leaf_names(&field.ty, &format!("{name}.{}", field.name), list);
            }
        }
        Type::Array(element, count) => {
            for at in 0..(*count).min(ty.leaf_count() as u64) {
                leaf_names(element, &format!("{name}[{at}]"), list);
            }
        }
        _ => list.extend((0..ty.leaf_count()).map(|_| name.to_owned())),
    }
}
