//! Declarators: a name with its pointers, references and extents.

use super::Parser;
use super::names::SCALARS;
use crate::Span;
use crate::token::Kind;
use crate::tree::{Name, TypeExpr, TypeKind};

/// Pointers to pointers, and dimensions of arrays, at most.
const MOST_LEVELS: usize = 16;

impl Parser<'_> {
    /// The part of a declaration that belongs to one name.
    pub(super) fn declarator(&mut self, base: TypeExpr) -> (Name, Span, TypeExpr) {
        if !self.descend() {
            return ("".into(), self.span(), base);
        }
        let found = self.declarator_inner(base);
        self.depth -= 1;
        found
    }

    fn declarator_inner(&mut self, base: TypeExpr) -> (Name, Span, TypeExpr) {
        let ty = self.pointers(base);
        if self.is("(") && (self.ahead(1).is("*") || self.ahead(1).is("&")) {
            self.next();
            let hole = self.no_type();
            let (name, span, inner) = self.declarator(hole);
            self.expect(")");
            if self.is("(") {
                // A pointer to a function: what it takes and gives is told by the function that it is given.
                self.skip_balanced();
                let kind = TypeKind::Auto;
                return (name, span, pointed(inner, TypeExpr { kind, ..ty }));
            }
            let outer = self.extents(ty);
            return (name, span, fill(inner, outer));
        }
        self.take("...");
        let span = self.span();
        let name: Name = if self.is_name("operator") {
            self.operator_name()
        } else if let Kind::Name(name) = self.token().kind.clone() {
            self.next();
            let is_inside = self.is("::");
            let is_type =
                self.types.contains(&name) || SCALARS.iter().any(|(scalar, _)| **scalar == *name);
            if is_type && !is_inside && !matches!(&*name, "bool" | "float" | "double") {
                // A variable with the name of a type hides it from here on.
                self.shadowed.insert(name.clone());
            }
            self.defined_inside(name)
        } else {
            "".into()
        };
        let ty = self.extents(ty);
        (name, span, ty)
    }

    /// The name behind `Around::`, with what stands before it, where a constant is given its value here.
    fn defined_inside(&mut self, around: Name) -> Name {
        let Kind::Name(inner) = self.ahead(1).kind.clone() else {
            return around;
        };
        if !self.is("::") || !self.ahead(2).is("=") {
            return around;
        }
        self.next();
        self.next();
        format!("{around}::{inner}").into()
    }

    /// `operator` with its sign, as in `operator()` and `operator+`.
    pub(super) fn operator_name(&mut self) -> Name {
        self.next();
        for word in ["new", "delete"] {
            if self.take_name(word) {
                let is_array = self.is("[") && self.ahead(1).is("]");
                if is_array {
                    self.skip_balanced();
                }
                let brackets = if is_array { "[]" } else { "" };
                return format!("operator {word}{brackets}").into();
            }
        }
        let Kind::Punct(first) = self.token().kind else {
            return "operator".into();
        };
        self.next();
        let sign = match first {
            "(" if self.take(")") => "()",
            "[" if self.take("]") => "[]",
            other => other,
        };
        format!("operator{sign}").into()
    }

    pub(super) fn pointers(&mut self, mut ty: TypeExpr) -> TypeExpr {
        let mut levels = 0;
        while self.is("*") || self.is("&") || self.is("&&") {
            levels += 1;
            if levels > MOST_LEVELS {
                self.give_up();
                break;
            }
            let (at, is_star) = (self.span(), self.is("*"));
            let is_rvalue = self.is("&&");
            self.next();
            let (mut restrict, mut is_const, mut is_volatile) = (false, false, false);
            loop {
                if self.take_any_name(&["__restrict__", "__restrict", "restrict"]) {
                    restrict = true;
                } else if self.take_name("const") {
                    is_const = true;
                } else if self.take_name("volatile") {
                    is_volatile = true;
                } else {
                    break;
                }
            }
            let span = ty.span.to(at);
            let kind = if is_star {
                TypeKind::Pointer {
                    to: Box::new(ty),
                    restrict,
                }
            } else {
                TypeKind::Reference {
                    to: Box::new(ty),
                    is_rvalue,
                }
            };
            ty = TypeExpr {
                span,
                kind,
                is_const,
                is_volatile,
            };
        }
        ty
    }

    fn extents(&mut self, ty: TypeExpr) -> TypeExpr {
        let mut extents = Vec::new();
        while self.is("[") && extents.len() < MOST_LEVELS {
            self.next();
            extents.push(if self.is("]") {
                None
            } else {
                Some(Box::new(self.ternary()))
            });
            self.expect("]");
        }
        extents.into_iter().rev().fold(ty, |ty, extent| {
            let (span, is_const, is_volatile) = (ty.span, ty.is_const, ty.is_volatile);
            TypeExpr {
                span,
                kind: TypeKind::Array(Box::new(ty), extent),
                is_const,
                is_volatile,
            }
        })
    }
}

/// The type whose declarator is `declared`, where the innermost pointer or reference of that is a function's: `function`.
fn pointed(declared: TypeExpr, function: TypeExpr) -> TypeExpr {
    let TypeExpr {
        span,
        kind,
        is_const,
        is_volatile,
    } = declared;
    let is_hole = |ty: &TypeExpr| matches!(ty.kind, TypeKind::Auto);
    let kind = match kind {
        TypeKind::Array(to, extent) => TypeKind::Array(Box::new(pointed(*to, function)), extent),
        TypeKind::Pointer { to, restrict } if !is_hole(&to) => TypeKind::Pointer {
            to: Box::new(pointed(*to, function)),
            restrict,
        },
        TypeKind::Reference { to, is_rvalue } if !is_hole(&to) => TypeKind::Reference {
            to: Box::new(pointed(*to, function)),
            is_rvalue,
        },
        _ => return function,
    };
    TypeExpr {
        span,
        kind,
        is_const,
        is_volatile,
    }
}

/// The type of a member: one that holds a pointer to a function is as large as any pointer.
pub(super) fn member_type(ty: TypeExpr) -> TypeExpr {
    let TypeExpr {
        span,
        kind,
        is_const,
        is_volatile,
    } = ty;
    let kind = match kind {
        TypeKind::Auto => TypeKind::Pointer {
            to: Box::new(TypeExpr {
                span,
                kind: TypeKind::Void,
                is_const: false,
                is_volatile: false,
            }),
            restrict: false,
        },
        TypeKind::Array(to, extent) => TypeKind::Array(Box::new(member_type(*to)), extent),
        other => other,
    };
    TypeExpr {
        span,
        kind,
        is_const,
        is_volatile,
    }
}

/// Puts `outer` where the innermost hole of `inner` is.
fn fill(inner: TypeExpr, outer: TypeExpr) -> TypeExpr {
    let TypeExpr {
        span,
        kind,
        is_const,
        is_volatile,
    } = inner;
    let kind = match kind {
        TypeKind::Pointer { to, restrict } => TypeKind::Pointer {
            to: Box::new(fill(*to, outer)),
            restrict,
        },
        TypeKind::Reference { to, is_rvalue } => TypeKind::Reference {
            to: Box::new(fill(*to, outer)),
            is_rvalue,
        },
        TypeKind::Array(to, extent) => TypeKind::Array(Box::new(fill(*to, outer)), extent),
        _ => return outer,
    };
    TypeExpr {
        span,
        kind,
        is_const,
        is_volatile,
    }
}
