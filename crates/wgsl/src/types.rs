//! naga's types as lang's, with WGSL's sizes, alignments and strides.

use crate::make;
use lanescope_frontend::Span;
use lanescope_syntax::tree::{
    Expr, Item, Name, Placed, Scalar, StmtKind, StructItem, TypeExpr, TypeKind,
};
use naga::{ArraySize, Handle, Module, ScalarKind, Type, TypeInner, VectorSize};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The names of a vector's components.
pub(crate) const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];
/// The names of a matrix's columns.
pub(crate) const COLUMNS: [&str; 4] = ["c0", "c1", "c2", "c3"];

/// Writes types, and keeps the structures that they need.
pub(crate) struct Types<'m> {
    module: &'m Module,
    known: BTreeSet<Name>,
    /// The structures, each behind those that it is made of.
    pub(crate) items: Vec<Item>,
}

/// Bytes and alignment.
type Extent = (u64, u64);

impl<'m> Types<'m> {
    pub(crate) fn new(module: &'m Module) -> Self {
        Self {
            module,
            known: BTreeSet::new(),
            items: Vec::new(),
        }
    }

    pub(crate) fn inner(&self, of: Handle<Type>) -> &'m TypeInner {
        &self.module.types[of].inner
    }

    pub(crate) fn written(&mut self, of: Handle<Type>, span: Span) -> TypeExpr {
        match self.inner(of) {
            TypeInner::Struct { .. } => {
                let name = self.structure(of);
                make::named(span, name)
            }
            inner => self.written_inner(inner, span),
        }
    }

    /// A type that has no name of its own.
    pub(crate) fn written_inner(&mut self, inner: &TypeInner, span: Span) -> TypeExpr {
        match *inner {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => {
                make::of_scalar(span, scalar_of(scalar))
            }
            TypeInner::Vector { size, scalar } => {
                let name = self.vector(size, scalar);
                make::named(span, name)
            }
            TypeInner::Matrix {
                columns,
                rows,
                scalar,
            } => {
                let name = self.matrix(columns, rows, scalar);
                make::named(span, name)
            }
            TypeInner::Array { base, size, .. } => {
                let element = self.written(base, span);
                let count = self.count(size, span);
                let kind = TypeKind::Array(Box::new(element), count.map(Box::new));
                make::type_of(span, kind)
            }
            TypeInner::Pointer { base, .. } => self.written(base, span),
            TypeInner::ValuePointer {
                size: Some(size),
                scalar,
                ..
            } => self.written_inner(&TypeInner::Vector { size, scalar }, span),
            TypeInner::ValuePointer {
                size: None, scalar, ..
            } => make::of_scalar(span, scalar_of(scalar)),
            // What nothing is computed with: textures, samplers, rays.
            _ => make::of_scalar(span, Scalar::I32),
        }
    }

    /// The number of elements; `None`: as many as there are.
    fn count(&self, size: ArraySize, span: Span) -> Option<Expr> {
        match size {
            ArraySize::Constant(count) => Some(make::unsigned(span, count.get().into())),
            ArraySize::Pending(handle) => Some(make::name(span, &override_name(handle))),
            ArraySize::Dynamic => None,
        }
    }

    /// `vec4<f32>`, known from now on.
    pub(crate) fn vector(&mut self, size: VectorSize, scalar: naga::Scalar) -> Name {
        let name: Name = format!("vec{}<{}>", size as u8, scalar_name(scalar)).into();
        let (bytes, align) = vector_extent(size, scalar);
        let width = width(scalar);
        let offsets = (0..size as u64).map(|at| at * width).collect();
        let field = |span| make::of_scalar(span, scalar_of(scalar));
        let placed = Placed {
            offsets,
            bytes,
            align,
            indexed: true,
        };
        self.indexed(name, &COMPONENTS[..size as usize], field, placed)
    }

    /// `mat4x4<f32>`: its columns one behind the other.
    fn matrix(&mut self, columns: VectorSize, rows: VectorSize, scalar: naga::Scalar) -> Name {
        let name: Name = format!(
            "mat{}x{}<{}>",
            columns as u8,
            rows as u8,
            scalar_name(scalar)
        )
        .into();
        let column = self.vector(rows, scalar);
        let (bytes, align) = vector_extent(rows, scalar);
        let stride = bytes.next_multiple_of(align);
        let count = columns as u64;
        let placed = Placed {
            offsets: (0..count).map(|at| at * stride).collect(),
            bytes: count * stride,
            align,
            indexed: true,
        };
        let field = |span| make::named(span, column.clone());
        self.indexed(name, &COLUMNS[..columns as usize], field, placed)
    }

    fn indexed(
        &mut self,
        name: Name,
        fields: &[&str],
        of: impl Fn(Span) -> TypeExpr,
        placed: Placed,
    ) -> Name {
        if self.known.insert(name.clone()) {
            let span = Span::default();
            let fields = fields
                .iter()
                .map(|field| make::declaration((*field).into(), span, of(span)))
                .collect();
            self.add(name.clone(), span, fields, placed);
        }
        name
    }

    /// A structure's name, known from now on.
    fn structure(&mut self, of: Handle<Type>) -> Name {
        let name: Name = match &self.module.types[of].name {
            Some(name) => name.as_str().into(),
            None => format!("struct {}", of.index()).into(),
        };
        let TypeInner::Struct { members, span } = self.inner(of) else {
            return name;
        };
        if !self.known.insert(name.clone()) {
            return name;
        }
        let at = span_of(self.module.types.get_span(of));
        let fields = members
            .iter()
            .enumerate()
            .map(|(i, one)| {
                let written = self.written(one.ty, at);
                make::declaration(field_name(one, i), at, written)
            })
            .collect();
        let (offsets, bytes, align) = self.placed(members, u64::from(*span));
        let placed = Placed {
            offsets,
            bytes,
            align,
            indexed: false,
        };
        self.add(name.clone(), at, fields, placed);
        name
    }

    fn add(
        &mut self,
        name: Name,
        span: Span,
        fields: Vec<lanescope_syntax::tree::Declaration>,
        placed: Placed,
    ) {
        let item = StructItem {
            name,
            span,
            align: None,
            fields,
            placed: Some(placed),
            ..StructItem::default()
        };
        let kind = StmtKind::Struct(Rc::new(item));
        self.items.push(Item::Stmt(make::statement(span, kind)));
    }

    /// Where the fields lie: as naga says, or, where a `bool` is among them, which naga holds in
    /// one byte, one behind the other.
    fn placed(&self, members: &[naga::StructMember], bytes: u64) -> (Vec<u64>, u64, u64) {
        let extents: Vec<Extent> = members.iter().map(|one| self.extent(one.ty)).collect();
        let align = extents.iter().map(|(_, align)| *align).max().unwrap_or(1);
        if !members.iter().any(|one| self.holds_bool(one.ty)) {
            let offsets = members.iter().map(|one| u64::from(one.offset)).collect();
            return (offsets, bytes, align);
        }
        let mut end = 0_u64;
        let offsets = extents
            .iter()
            .map(|(bytes, align)| {
                let at = end.next_multiple_of(*align);
                end = at + bytes;
                at
            })
            .collect();
        (offsets, end.next_multiple_of(align), align)
    }

    fn holds_bool(&self, of: Handle<Type>) -> bool {
        match self.inner(of) {
            TypeInner::Scalar(scalar) | TypeInner::Vector { scalar, .. } => {
                scalar.kind == ScalarKind::Bool
            }
            TypeInner::Array { base, .. } => self.holds_bool(*base),
            TypeInner::Struct { members, .. } => members.iter().any(|one| self.holds_bool(one.ty)),
            _ => false,
        }
    }

    fn extent(&self, of: Handle<Type>) -> Extent {
        match *self.inner(of) {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => (width(scalar), width(scalar)),
            TypeInner::Vector { size, scalar } => vector_extent(size, scalar),
            TypeInner::Matrix {
                columns,
                rows,
                scalar,
            } => {
                let (bytes, align) = vector_extent(rows, scalar);
                (columns as u64 * bytes.next_multiple_of(align), align)
            }
            TypeInner::Array { base, size, .. } => {
                let (bytes, align) = self.extent(base);
                let count = match size {
                    ArraySize::Constant(count) => count.get().into(),
                    _ => 0,
                };
                (bytes.next_multiple_of(align).saturating_mul(count), align)
            }
            TypeInner::Struct { ref members, span } => {
                let (_, bytes, align) = self.placed(members, span.into());
                (bytes, align)
            }
            _ => (4, 4),
        }
    }

    /// Whether it is or holds an array.
    pub(crate) fn has_array(&self, of: Handle<Type>) -> bool {
        match self.inner(of) {
            TypeInner::Array { .. } => true,
            TypeInner::Struct { members, .. } => members.iter().any(|one| self.has_array(one.ty)),
            _ => false,
        }
    }

    /// Whether all that is in it is atomic.
    pub(crate) fn is_atomic(&self, of: Handle<Type>) -> bool {
        match self.inner(of) {
            TypeInner::Atomic(_) => true,
            TypeInner::Array { base, .. } => self.is_atomic(*base),
            _ => false,
        }
    }
}

/// The name of a structure's field.
pub(crate) fn field_name(member: &naga::StructMember, at: usize) -> Name {
    match &member.name {
        Some(name) => name.as_str().into(),
        None => format!("field {at}").into(),
    }
}

/// The name that an override has in the tree.
pub(crate) fn override_name(handle: Handle<naga::Override>) -> String {
    format!("override {}", handle.index())
}

/// Bytes of a scalar; a `bool` takes as many as a number.
fn width(scalar: naga::Scalar) -> u64 {
    match scalar.kind {
        ScalarKind::Bool => 4,
        _ => u64::from(scalar.width).max(1),
    }
}

/// Bytes and alignment of a vector.
fn vector_extent(size: VectorSize, scalar: naga::Scalar) -> Extent {
    let width = width(scalar);
    let aligned = if size == VectorSize::Bi { 2 } else { 4 };
    (size as u64 * width, aligned * width)
}

/// The scalar that computes the same; `bool` is a number that is 0 or 1.
pub(crate) fn scalar_of(scalar: naga::Scalar) -> Scalar {
    match (scalar.kind, scalar.width) {
        (ScalarKind::Sint, 2) => Scalar::I16,
        (ScalarKind::Sint, 8) => Scalar::I64,
        (ScalarKind::Sint, _) => Scalar::I32,
        (ScalarKind::Uint, 2) => Scalar::U16,
        (ScalarKind::Uint, 8) => Scalar::U64,
        (ScalarKind::Uint | ScalarKind::Bool, _) => Scalar::U32,
        (ScalarKind::Float, 2) => Scalar::F16,
        (ScalarKind::Float, 8) | (ScalarKind::AbstractFloat, _) => Scalar::F64,
        (ScalarKind::Float, _) => Scalar::F32,
        (ScalarKind::AbstractInt, _) => Scalar::I64,
    }
}

fn scalar_name(scalar: naga::Scalar) -> &'static str {
    if scalar.kind == ScalarKind::Bool {
        return "bool";
    }
    match scalar_of(scalar) {
        Scalar::I16 => "i16",
        Scalar::U16 => "u16",
        Scalar::I64 => "i64",
        Scalar::U64 => "u64",
        Scalar::I32 => "i32",
        Scalar::F16 => "f16",
        Scalar::F32 => "f32",
        Scalar::F64 => "f64",
        _ => "u32",
    }
}

/// naga's span; where it has none, the text's beginning.
pub(crate) fn span_of(span: naga::Span) -> Span {
    span.to_range()
        .map_or_else(Span::default, |range| Span::new(range.start, range.end))
}
