//! Sizes, alignments and scalars of WGSL's types.

use lanescope_frontend::cut_into_widths;
use lanescope_ir::ScalarType;
use lanescope_model::Width;
use naga::{ArraySize, Handle, Scalar, ScalarKind, StructMember, Type, TypeInner, UniqueArena};

/// The most scalars of one value.
pub(super) const MOST_LEAVES: usize = 4_096;

/// The most requests of one access.
const MOST_PIECES: usize = 256;

/// A type as far as memory and registers see it; of a pointer, what it points to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape<'m> {
    Scalar(Scalar),
    /// So many components.
    Vector(u64, Scalar),
    Matrix {
        columns: u64,
        rows: u64,
        scalar: Scalar,
    },
    Array(Handle<Type>, ArraySize),
    Struct(&'m [StructMember], u32),
    /// What nothing is computed with: textures, samplers, rays.
    Opaque,
}

impl Shape<'_> {
    pub(super) const fn is_array(self) -> bool {
        matches!(self, Self::Array(..))
    }

    /// Whether it is made of parts that are not elements of an array.
    const fn is_composite(self) -> bool {
        matches!(
            self,
            Self::Vector(..) | Self::Matrix { .. } | Self::Struct(..)
        )
    }
}

/// A scalar of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// Bytes from the value's beginning.
    pub(super) offset: u64,
    /// Its type in a register.
    pub(super) ty: ScalarType,
}

/// Bytes and alignment.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) bytes: u64,
    pub(super) align: u64,
}

/// Where the members of a structure lie, and how large it is.
struct Placed {
    offsets: Vec<u64>,
    extent: Extent,
}

/// The types of a module, its overrides known.
pub(super) struct Layouts<'m> {
    types: &'m UniqueArena<Type>,
    /// `[override]`: its value, as the number of an array's elements.
    pub(super) counts: Vec<u64>,
}

impl<'m> Layouts<'m> {
    pub(super) const fn new(types: &'m UniqueArena<Type>) -> Self {
        Self {
            types,
            counts: Vec::new(),
        }
    }

    pub(super) fn of(&self, handle: Handle<Type>) -> Shape<'m> {
        self.shape(&self.types[handle].inner)
    }

    pub(super) fn shape(&self, inner: &'m TypeInner) -> Shape<'m> {
        match *inner {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => Shape::Scalar(scalar),
            TypeInner::Vector { size, scalar } => Shape::Vector(size as u64, scalar),
            TypeInner::Matrix {
                columns,
                rows,
                scalar,
            } => Shape::Matrix {
                columns: columns as u64,
                rows: rows as u64,
                scalar,
            },
            TypeInner::Array { base, size, .. } => Shape::Array(base, size),
            TypeInner::Struct { ref members, span } => Shape::Struct(members, span),
            TypeInner::Pointer { base, .. } => self.of(base),
            TypeInner::ValuePointer { size, scalar, .. } => match size {
                Some(size) => Shape::Vector(size as u64, scalar),
                None => Shape::Scalar(scalar),
            },
            _ => Shape::Opaque,
        }
    }

    /// The number of an array's elements; 0 where the launch says it.
    pub(super) fn count(&self, size: ArraySize) -> u64 {
        match size {
            ArraySize::Constant(count) => count.get().into(),
            ArraySize::Pending(handle) => self.counts.get(handle.index()).copied().unwrap_or(1),
            ArraySize::Dynamic => 0,
        }
    }

    pub(super) fn extent(&self, shape: Shape<'m>) -> Extent {
        match shape {
            Shape::Scalar(scalar) => Extent {
                bytes: width(scalar),
                align: width(scalar),
            },
            Shape::Vector(count, scalar) => {
                let aligned = if count == 2 { 2 } else { 4 };
                Extent {
                    bytes: count * width(scalar),
                    align: aligned * width(scalar),
                }
            }
            Shape::Matrix {
                columns,
                rows,
                scalar,
            } => {
                let column = Shape::Vector(rows, scalar);
                Extent {
                    bytes: columns * self.stride(column),
                    align: self.extent(column).align,
                }
            }
            Shape::Array(base, size) => {
                let base = self.of(base);
                Extent {
                    bytes: self.stride(base).saturating_mul(self.count(size)),
                    align: self.extent(base).align,
                }
            }
            Shape::Struct(members, span) => self.placed(members, span).extent,
            Shape::Opaque => Extent { bytes: 4, align: 4 },
        }
    }

    /// Bytes from an element of an array to the next.
    pub(super) fn stride(&self, element: Shape<'m>) -> u64 {
        let Extent { bytes, align } = self.extent(element);
        bytes.checked_next_multiple_of(align).unwrap_or(bytes)
    }

    /// Where members lie: as naga says, or, where a `bool` is among them, which naga holds in one byte, one behind the
    /// other.
    fn placed(&self, members: &'m [StructMember], span: u32) -> Placed {
        let extents = members.iter().map(|member| self.extent(self.of(member.ty)));
        let extents: Vec<Extent> = extents.collect();
        let align = extents.iter().map(|extent| extent.align).max().unwrap_or(1);
        let said = members
            .iter()
            .map(|member| u64::from(member.offset))
            .collect();
        if !members
            .iter()
            .any(|member| self.holds_bool(self.of(member.ty)))
        {
            let bytes = span.into();
            return Placed {
                offsets: said,
                extent: Extent { bytes, align },
            };
        }
        let mut end = 0_u64;
        let mut offsets = Vec::new();
        for extent in extents {
            let at = end.next_multiple_of(extent.align);
            end = at + extent.bytes;
            offsets.push(at);
        }
        let bytes = end.next_multiple_of(align);
        Placed {
            offsets,
            extent: Extent { bytes, align },
        }
    }

    fn holds_bool(&self, shape: Shape<'m>) -> bool {
        match shape {
            Shape::Scalar(scalar) | Shape::Vector(_, scalar) | Shape::Matrix { scalar, .. } => {
                scalar.kind == ScalarKind::Bool
            }
            Shape::Array(base, _) => self.holds_bool(self.of(base)),
            Shape::Struct(members, _) => members
                .iter()
                .any(|member| self.holds_bool(self.of(member.ty))),
            Shape::Opaque => false,
        }
    }

    /// Whether it is or holds an array.
    pub(super) fn has_array(&self, shape: Shape<'m>) -> bool {
        match shape {
            Shape::Array(..) => true,
            Shape::Struct(members, _) => members
                .iter()
                .any(|member| self.has_array(self.of(member.ty))),
            Shape::Scalar(_) | Shape::Vector(..) | Shape::Matrix { .. } | Shape::Opaque => false,
        }
    }

    /// The array of any size that a type ends with, with its first byte.
    pub(super) fn open_tail(&self, shape: Shape<'m>) -> Option<(u64, Shape<'m>)> {
        match shape {
            Shape::Array(base, ArraySize::Dynamic) => Some((0, self.of(base))),
            Shape::Struct(members, span) => {
                let (_, element) = self.open_tail(self.of(members.last()?.ty))?;
                let first = self.placed(members, span).offsets.last().copied()?;
                Some((first, element))
            }
            Shape::Scalar(_)
            | Shape::Vector(..)
            | Shape::Matrix { .. }
            | Shape::Array(..)
            | Shape::Opaque => None,
        }
    }

    /// What an index takes of it: the element, bytes from one to the next, and how many there are (0: the launch says).
    pub(super) fn element(&self, shape: Shape<'m>) -> Option<(Shape<'m>, u64, u64)> {
        let (element, count) = match shape {
            Shape::Vector(count, scalar) => (Shape::Scalar(scalar), count),
            Shape::Matrix {
                columns,
                rows,
                scalar,
            } => (Shape::Vector(rows, scalar), columns),
            Shape::Array(base, size) => (self.of(base), self.count(size)),
            Shape::Scalar(_) | Shape::Struct(..) | Shape::Opaque => return None,
        };
        Some((element, self.stride(element), count))
    }

    /// A part by its number: its shape, its first byte, and how many scalars come before it.
    pub(super) fn part(&self, shape: Shape<'m>, at: u32) -> Option<(Shape<'m>, u64, usize)> {
        let Shape::Struct(members, span) = shape else {
            let (element, stride, _) = self.element(shape)?;
            let before = self.leaf_count(element).saturating_mul(at as usize);
            return Some((element, stride.saturating_mul(at.into()), before));
        };
        let at = at as usize;
        let member = self.of(members.get(at)?.ty);
        let before = members.iter().take(at);
        let before = before.map(|one| self.leaf_count(self.of(one.ty))).sum();
        let offset = self.placed(members, span).offsets.get(at).copied()?;
        Some((member, offset, before))
    }

    /// What is known of the address of a part `offset` bytes behind an address of which `known` is: a power of two, and
    /// the bytes behind a multiple of it. Of the first 16 bytes of a structure all, behind them pairs of words: what a
    /// compiler was seen to join.
    pub(super) fn alignment(
        &self,
        outer: Shape<'m>,
        part: Shape<'m>,
        offset: u64,
        known: Option<(u64, u64)>,
    ) -> Option<(u64, u64)> {
        let aligned = |to: u64, behind: u64| {
            let to = if behind < 16 { to } else { to.min(8) };
            (to, behind % to.max(1))
        };
        let align = self.extent(outer).align;
        match known {
            Some((to, behind)) => Some(aligned(to, behind + offset)),
            None if outer.is_array() || align < 8 => None,
            None if part.is_composite() => Some(aligned(align.min(16), offset)),
            None => Some((align.min(16), offset % 16 % align.min(16))),
        }
    }

    /// The scalars of a value, in order.
    pub(super) fn leaves(&self, shape: Shape<'m>) -> Vec<Leaf> {
        let mut list = Vec::new();
        self.collect_leaves(shape, 0, &mut list);
        list
    }

    /// How many scalars a value has; above [`MOST_LEAVES`] it is not followed.
    pub(super) fn leaf_count(&self, shape: Shape<'m>) -> usize {
        match shape {
            Shape::Scalar(_) => 1,
            Shape::Vector(count, _) => small(count),
            Shape::Matrix { columns, rows, .. } => small(columns * rows),
            Shape::Array(base, size) => {
                let each = self.leaf_count(self.of(base));
                each.saturating_mul(small(self.count(size)))
            }
            Shape::Struct(members, _) => {
                let counts = members
                    .iter()
                    .map(|member| self.leaf_count(self.of(member.ty)));
                counts.fold(0, usize::saturating_add)
            }
            Shape::Opaque => 0,
        }
    }

    fn collect_leaves(&self, shape: Shape<'m>, offset: u64, list: &mut Vec<Leaf>) {
        if list.len() >= MOST_LEAVES {
            return;
        }
        match shape {
            Shape::Scalar(scalar) => list.push(Leaf {
                offset,
                ty: scalar_type(scalar),
            }),
            Shape::Vector(..) | Shape::Matrix { .. } | Shape::Array(..) => {
                let Some((element, stride, count)) = self.element(shape) else {
                    return;
                };
                for at in 0..count.min(MOST_LEAVES as u64) {
                    self.collect_leaves(element, offset + at * stride, list);
                }
            }
            Shape::Struct(members, span) => {
                let placed = self.placed(members, span);
                for (one, at) in members.iter().zip(placed.offsets) {
                    self.collect_leaves(self.of(one.ty), offset + at, list);
                }
            }
            Shape::Opaque => {}
        }
    }

    /// The requests that reading or writing a value takes, the byte and the width of each: as wide as its alignment
    /// allows. `None` where they are too many.
    pub(super) fn pieces(&self, shape: Shape<'m>) -> Option<Vec<(u64, Width)>> {
        let mut list = Vec::new();
        self.collect_pieces(shape, 0, &mut list);
        (list.len() <= MOST_PIECES).then_some(list)
    }

    fn collect_pieces(&self, shape: Shape<'m>, offset: u64, list: &mut Vec<(u64, Width)>) {
        if let Shape::Array(base, size) = shape {
            let element = self.of(base);
            for at in 0..self.count(size) {
                if list.len() > MOST_PIECES {
                    return;
                }
                self.collect_pieces(element, offset + at * self.stride(element), list);
            }
            return;
        }
        let Extent { bytes, align } = self.extent(shape);
        let widest = if shape.is_composite() {
            align.min(16)
        } else {
            16
        };
        cut_into_widths(list, offset, bytes, widest, MOST_PIECES + 1);
    }

    /// A type's name in WGSL.
    pub(super) fn name(&self, handle: Handle<Type>) -> String {
        match (&self.types[handle].name, self.of(handle)) {
            (Some(name), _) => name.clone(),
            (None, Shape::Scalar(scalar)) => scalar_name(scalar).to_owned(),
            (None, Shape::Vector(count, scalar)) => format!("vec{count}<{}>", scalar_name(scalar)),
            (
                None,
                Shape::Matrix {
                    columns,
                    rows,
                    scalar,
                },
            ) => format!("mat{columns}x{rows}<{}>", scalar_name(scalar)),
            (None, Shape::Array(base, ArraySize::Dynamic)) => format!("array<{}>", self.name(base)),
            (None, Shape::Array(base, size)) => {
                format!("array<{}, {}>", self.name(base), self.count(size))
            }
            (None, Shape::Struct(..) | Shape::Opaque) => String::new(),
        }
    }
}

fn small(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// Bytes of a scalar in memory; a `bool` takes as many as a number.
fn width(scalar: Scalar) -> u64 {
    match scalar.kind {
        ScalarKind::Bool => 4,
        ScalarKind::Sint
        | ScalarKind::Uint
        | ScalarKind::Float
        | ScalarKind::AbstractInt
        | ScalarKind::AbstractFloat => u64::from(scalar.width).max(1),
    }
}

/// The type of a register that holds a scalar.
pub(super) const fn scalar_type(scalar: Scalar) -> ScalarType {
    match (scalar.kind, scalar.width) {
        (ScalarKind::Bool, _) => ScalarType::Bool,
        (ScalarKind::Sint, 2) => ScalarType::I16,
        (ScalarKind::Sint, 8) | (ScalarKind::AbstractInt, _) => ScalarType::I64,
        (ScalarKind::Sint, _) => ScalarType::I32,
        (ScalarKind::Uint, 2) => ScalarType::U16,
        (ScalarKind::Uint, 8) => ScalarType::U64,
        (ScalarKind::Uint, _) => ScalarType::U32,
        (ScalarKind::Float, 2) => ScalarType::F16,
        (ScalarKind::Float, 8) | (ScalarKind::AbstractFloat, _) => ScalarType::F64,
        (ScalarKind::Float, _) => ScalarType::F32,
    }
}

/// The type of a scalar in memory: a `bool` is a number that is 0 or 1.
pub(super) const fn in_memory(ty: ScalarType) -> ScalarType {
    match ty {
        ScalarType::Bool => ScalarType::U32,
        other => other,
    }
}

const fn scalar_name(scalar: Scalar) -> &'static str {
    scalar_type(scalar).name()
}
