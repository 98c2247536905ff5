//! What could not be read: values and addresses of which nothing is known, and whatever depends on them.

use lanescope_ir::{Op, ScalarType};

use super::registers::{Reg, scalar_type};
use super::resolve::scalar_or_int;
use super::{Lower, Value};
use crate::source::Span;
use crate::source::ctype::Type;
use lanescope_syntax::scalar::Scalar;

impl Lower<'_> {
    /// A value to go on with where there is none: what depends on it is unknown.
    pub(super) fn nothing(&mut self) -> Value {
        self.unread("", None, &Type::INT)
    }

    /// A value of type `of` that stands in the source as `name`, and of which no more is known.
    pub(super) fn unread(&mut self, name: &str, span: Option<Span>, ty: &Type) -> Value {
        if let Some(span) = span {
            self.stand_at(span);
        }
        let leaves = ty.leaves();
        let regs = leaves
            .iter()
            .map(|leaf| self.unread_register(name, scalar_type(scalar_or_int(&leaf.ty))))
            .collect();
        if span.is_some() {
            self.stand_nowhere();
        }
        Value {
            ty: ty.clone(),
            regs,
        }
    }

    fn unread_register(&mut self, name: &str, ty: ScalarType) -> Reg {
        self.define(ty, |dst| Op::Unmodelled {
            name: name.to_owned(),
            dst: vec![dst],
            src: Vec::new(),
            is_pure: true,
        })
    }

    /// The address of `name`, of which nothing is known: the layout of what lies there could not be read.
    pub(super) fn unread_address(&mut self, name: &str, span: Span) -> Reg {
        self.stand_at(span);
        let address = self.unread_register(name, ScalarType::U64);
        self.stand_nowhere();
        address
    }

    /// The bytes of a type, which is not known where something in it could not be read.
    pub(super) fn size(&mut self, ty: &Type, is_unread: bool, span: Span) -> Value {
        if is_unread || ty.is_unread() && !matches!(ty, Type::Pointer(_)) {
            return self.unread("sizeof", Some(span), &Type::Scalar(Scalar::U64));
        }
        self.whole(ty.bytes().cast_signed(), Scalar::U64)
    }

    /// The bytes of the type that `read` gives, where they are known.
    pub(super) fn fold_size(&mut self, read: impl FnOnce(&mut Self) -> Type) -> Option<i64> {
        let (ty, is_unread) = self.reading_types(read);
        let is_known = !is_unread && (!ty.is_unread() || matches!(ty, Type::Pointer(_)));
        is_known.then(|| ty.bytes().cast_signed())
    }

    /// What `read` gives, and whether it met a type whose size could not be read.
    pub(super) fn reading_types<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let before = self.unread_types;
        let result = read(self);
        (result, self.unread_types > before)
    }
}
