//! Types with their sizes.

mod leaves;

pub(crate) use leaves::Leaf;
use leaves::MOST_LEAVES;

use crate::source::RecordLayout;
use crate::source::abi::{Empty, Frame, Layout};
use lanescope_frontend::ArrayId;
use lanescope_model::Space;
use lanescope_syntax::{parser::VECTORS, scalar::Scalar, tree::Name};
use std::rc::Rc;

/// What the names of structures, and of members, without a name begin with.
pub(crate) const UNNAMED: &str = lanescope_syntax::parser::UNNAMED;

/// Fewer fields are looked through one by one.
const FEW_FIELDS: usize = 16;

/// A type whose size is known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Type {
    Void,
    Scalar(Scalar),
    Struct(Rc<Struct>),
    Array(Rc<Type>, u64),
    Pointer(Rc<Pointer>),
    /// A function written in place, by its number.
    Closure(u32),
    /// What cooperative groups and kin are held by: a tile of so many lanes, 0 of a block, [`GRID`], [`ACTIVE`] or
    /// [`LABELED`].
    Group {
        lanes: u32,
    },
}

/// In place of a group's lanes: all threads of the launch.
pub(crate) const GRID: u32 = u32::MAX;
/// In place of a group's lanes: those that are active where the group is made.
pub(crate) const ACTIVE: u32 = u32::MAX - 1;

/// In place of a group's lanes: those of a tile that gave the same label.
pub(crate) const LABELED: u32 = u32::MAX - 2;

/// A pointer's type, and what is known of where it points.
#[derive(Clone, Debug)]
pub(crate) struct Pointer {
    pub(crate) to: Type,
    pub(crate) volatile: bool,
    /// Whether what it points to is not changed through it.
    pub(crate) constant: bool,
    /// `const` and `__restrict__`: nothing that the kernel stores changes what it reads.
    pub(crate) read_only: bool,
    pub(crate) restrict: bool,
    pub(crate) target: Target,
}

impl PartialEq for Pointer {
    fn eq(&self, other: &Self) -> bool {
        // Whether it is one to what is constant only overloads ask.
        (self.volatile, self.read_only, self.restrict, self.target)
            == (
                other.volatile,
                other.read_only,
                other.restrict,
                other.target,
            )
            && self.to == other.to
    }
}

/// Where a pointer points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Target {
    #[default]
    Unknown,
    Array(ArrayId),
    /// Into one of several arrays of a space.
    Within(Space),
    /// A thread's own array that begins at this byte, or one of several.
    Local(Option<u32>),
}

/// A structure with the places of its fields.
#[derive(Debug)]
pub(crate) struct Struct {
    pub(crate) name: Name,
    pub(crate) fields: Vec<Field>,
    pub(crate) bytes: u64,
    pub(crate) align: u64,
    /// Bytes that what follows it as a base must leave alone.
    pub(crate) data_bytes: u64,
    /// Whether it is more than plain data, so that its padding as a base is used.
    pub(crate) is_special: bool,
    /// The empty types in it, each with its byte; itself where it is one.
    pub(crate) empties: Vec<Empty>,
    /// Whether it and all in it is packed.
    pub(crate) is_packed: bool,
    /// Whether it begins with a pointer to its virtual functions.
    pub(crate) has_table: bool,
    /// Whether it has no data at all.
    pub(crate) is_empty: bool,
    /// Levels of structures and arrays inside it, itself counted.
    pub(crate) depth: u32,
    has_array: bool,
    /// Whether its fields lie in one place, and one of them at a time holds its value.
    pub(crate) is_union: bool,
    /// Whether it is or holds a union or bit-fields.
    pub(crate) shares_bytes: bool,
    /// How many scalars and pointers it has, as [`Type::leaves`] counts.
    leaves: usize,
    /// The fields of its members without a name, which are reached as its own.
    inner: Vec<Field>,
    /// Its fields by name, of those of one name the first first; empty where they are few.
    by_name: Vec<u32>,
    /// Whether the size of something in it could not be read.
    pub(crate) is_unread: bool,
}

impl PartialEq for Struct {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.bytes == other.bytes
    }
}

#[derive(Debug, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) offset: u64,
    pub(crate) ty: Type,
    /// Of a bit-field its first bit behind the offset, and its bits.
    pub(crate) bits: Option<(u32, u32)>,
    /// The scalars and pointers of the structure that come before it.
    pub(crate) leaves_before: usize,
}

impl Struct {
    /// Places `fields` one behind the other as C does.
    pub(crate) fn new(name: Name, fields: Vec<(Name, Type)>, least_align: u64) -> Self {
        let (mut offset, mut align) = (0_u64, least_align.max(1));
        let depth = 1 + fields.iter().map(|(_, ty)| ty.depth()).max().unwrap_or(0);
        let has_array = fields.iter().any(|(_, ty)| ty.has_array());
        let shares_bytes = fields.iter().any(|(_, ty)| ty.shares_bytes());
        let is_unread = fields.iter().any(|(_, ty)| ty.is_unread());
        let mut leaves_before = 0;
        let fields: Vec<Field> = fields
            .into_iter()
            .map(|(name, ty)| {
                let wanted = ty.align();
                align = align.max(wanted);
                offset = offset.saturating_add(wanted - 1) / wanted * wanted;
                let field = Field {
                    name,
                    offset,
                    ty,
                    bits: None,
                    leaves_before,
                };
                offset = offset.saturating_add(field.ty.bytes());
                leaves_before += field.ty.leaf_count();
                field
            })
            .collect();
        let mut by_name: Vec<u32> = Vec::new();
        if fields.len() > FEW_FIELDS {
            by_name.extend((0..).take(fields.len()));
            by_name.sort_by_key(|at| &fields[*at as usize].name);
        }
        let bytes = offset.max(1).saturating_add(align - 1) / align * align;
        Self {
            name,
            is_empty: fields.is_empty(),
            fields,
            bytes,
            align,
            data_bytes: bytes,
            is_special: false,
            is_packed: false,
            empties: Vec::new(),
            has_table: false,
            depth,
            has_array,
            is_union: false,
            shares_bytes,
            leaves: leaves_before.min(MOST_LEAVES),
            inner: Vec::new(),
            by_name,
            is_unread,
        }
        .with_inner()
    }

    /// Notes the fields of members without a name where these lie now.
    fn with_inner(mut self) -> Self {
        self.inner.clear();
        for field in &self.fields {
            let Type::Struct(ty) = &field.ty else {
                continue;
            };
            if !field.name.starts_with(UNNAMED) {
                continue;
            }
            self.inner
                .extend(ty.fields.iter().chain(&ty.inner).map(|one| Field {
                    name: one.name.clone(),
                    offset: field.offset.saturating_add(one.offset),
                    ty: one.ty.clone(),
                    bits: one.bits,
                    leaves_before: field.leaves_before + one.leaves_before,
                }));
        }
        self
    }

    /// The same fields at the bits that `bits` says, with how many each has where it is a bit-field.
    ///
    /// Where fields share bytes (of a union, or bit-fields) a value of it lies in memory, where each finds the bytes of
    /// the others.
    pub(crate) fn laid_out(
        mut self,
        bits: &[(u64, Option<u64>)],
        layout: &Layout,
        frame: Frame,
    ) -> Self {
        for (field, (bit, width)) in self.fields.iter_mut().zip(bits) {
            field.offset = bit / 8;
            if let Some(width) = width {
                let unit = field.ty.bytes().saturating_mul(8).max(1);
                let number = |bits: u64| u32::try_from(bits).unwrap_or(0);
                field.offset = bit / unit * (unit / 8);
                field.bits = Some((number(bit % unit), number(*width)));
            }
        }
        self.is_union = frame.is_union;
        self.shares_bytes |= frame.is_union || self.has_bit_fields();
        self.has_array |= self.shares_bytes;
        (self.bytes, self.align) = (layout.bytes, layout.align);
        self.data_bytes = layout.data_bytes;
        self.empties.clone_from(&layout.empties);
        (self.is_special, self.has_table) = (frame.is_special, frame.has_table);
        self.share_units();
        self.with_inner()
    }

    /// Bit-fields of one unit are read and written together: one scalar for all of them.
    fn share_units(&mut self) {
        let (mut leaves, mut last) = (0, None);
        for field in &mut self.fields {
            field.leaves_before = leaves;
            let unit = field.bits.map(|_| (field.offset, field.ty.bytes()));
            if unit.is_none() || unit != last {
                leaves += field.ty.leaf_count();
            }
            last = unit;
        }
        self.leaves = leaves.min(MOST_LEAVES);
    }

    /// Whether it has bit-fields of its own.
    pub(crate) fn has_bit_fields(&self) -> bool {
        self.fields.iter().any(|field| field.bits.is_some())
    }

    /// The same structure by another name.
    pub(crate) fn renamed(&self, name: Name) -> Self {
        let fields = self.fields.iter();
        let fields = fields.map(|field| (field.name.clone(), field.ty.clone()));
        Self::new(name, fields.collect(), self.align)
    }

    /// `float4` and its kin.
    pub(crate) fn vector(name: &str) -> Option<Self> {
        // One type has several names; that it is one type, specialisations of templates must see.
        let pair = match name {
            "half2" | "__half2" | "nv_half2" => Some("half2"),
            "__nv_bfloat162" | "nv_bfloat162" | "__hip_bfloat162" => Some("__nv_bfloat162"),
            _ => None,
        };
        if let Some(name) = pair {
            return Some(Self::of_lanes(name, Scalar::F16, 2));
        }
        if name == "dim3" {
            return Some(Self::of_lanes(name, Scalar::U32, 3));
        }
        let count = name
            .chars()
            .last()?
            .to_digit(10)
            .filter(|n| (1..=4).contains(n))?;
        let (_, scalar) = VECTORS
            .iter()
            .find(|(base, _)| *base == &name[..name.len() - 1])?;
        Some(Self::of_lanes(name, *scalar, count as usize))
    }

    fn of_lanes(name: &str, scalar: Scalar, count: usize) -> Self {
        let fields = ["x", "y", "z", "w"]
            .iter()
            .take(count)
            .map(|field| ((*field).into(), Type::Scalar(scalar)))
            .collect();
        let bytes = scalar.bytes() * count as u64;
        let align = if count == 3 {
            scalar.bytes()
        } else {
            bytes.min(16)
        };
        Self::new(name.into(), fields, align)
    }

    /// Its layout, as those outside see it.
    pub(crate) fn record(&self, name: &str) -> RecordLayout {
        let fields = self.fields.iter().chain(&self.inner);
        let named = fields.filter(|field| !field.name.starts_with(UNNAMED));
        RecordLayout {
            name: name.to_owned(),
            bytes: self.bytes,
            align: self.align,
            fields: named
                .map(|field| {
                    let bit = field.bits.map_or(0, |(bit, _)| u64::from(bit));
                    (field.name.to_string(), 8 * field.offset + bit)
                })
                .collect(),
        }
    }

    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.own_field(name)
            .or_else(|| self.inner.iter().find(|field| *field.name == *name))
    }

    fn own_field(&self, name: &str) -> Option<&Field> {
        if self.by_name.is_empty() {
            return self.fields.iter().find(|field| *field.name == *name);
        }
        let of = |at: &u32| &self.fields[*at as usize];
        let at = self.by_name.partition_point(|at| *of(at).name < *name);
        self.by_name
            .get(at)
            .map(of)
            .filter(|field| *field.name == *name)
    }
}

impl Type {
    pub(crate) const INT: Self = Self::Scalar(Scalar::I32);

    /// Bytes of a value; what has no size counts 1.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Void | Self::Group { .. } | Self::Closure(_) => 1,
            Self::Scalar(scalar) => scalar.bytes(),
            Self::Struct(ty) => ty.bytes,
            Self::Array(ty, count) => ty.stride().saturating_mul(*count),
            Self::Pointer(_) => 8,
        }
    }

    /// Bytes from an element of an array to the next.
    pub(crate) fn stride(&self) -> u64 {
        let align = self.align().max(1);
        self.bytes().div_ceil(align).saturating_mul(align)
    }

    /// The array of any size that a structure ends with, and its byte.
    pub(crate) fn tail(&self) -> Option<(u64, &Self)> {
        let Self::Struct(ty) = self else { return None };
        let last = ty.fields.last()?;
        match &last.ty {
            Self::Array(element, 0) => Some((last.offset, element)),
            _ => None,
        }
    }

    pub(crate) fn align(&self) -> u64 {
        match self {
            Self::Struct(ty) => ty.align,
            Self::Array(ty, _) => ty.align(),
            other => other.bytes(),
        }
    }

    pub(crate) fn pointer_to(to: Self, target: Target) -> Self {
        Self::Pointer(Rc::new(Pointer {
            to,
            volatile: false,
            constant: false,
            read_only: false,
            restrict: false,
            target,
        }))
    }

    pub(crate) fn scalar(&self) -> Option<Scalar> {
        match self {
            Self::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    pub(crate) fn depth(&self) -> u32 {
        match self {
            Self::Struct(ty) => ty.depth,
            Self::Array(ty, _) => 1 + ty.depth(),
            Self::Pointer(ty) => 1 + ty.to.depth(),
            _ => 0,
        }
    }

    /// Whether the size of it, or of what it points to, depends on something that could not be read.
    pub(crate) fn is_unread(&self) -> bool {
        match self {
            Self::Struct(ty) => ty.is_unread,
            Self::Array(ty, _) => ty.is_unread(),
            Self::Pointer(ty) => ty.to.is_unread(),
            Self::Void | Self::Scalar(_) | Self::Closure(_) | Self::Group { .. } => false,
        }
    }

    /// Whether it is or holds an array.
    pub(crate) fn has_array(&self) -> bool {
        match self {
            Self::Array(..) => true,
            Self::Struct(ty) => ty.has_array,
            _ => false,
        }
    }

    /// Whether parts of it share bytes, as those of a union and bit-fields do: it lies in memory, where each part finds
    /// what another has written.
    pub(crate) fn shares_bytes(&self) -> bool {
        match self {
            Self::Struct(ty) => ty.shares_bytes,
            Self::Array(ty, _) => ty.shares_bytes(),
            Self::Void
            | Self::Scalar(_)
            | Self::Pointer(_)
            | Self::Closure(_)
            | Self::Group { .. } => false,
        }
    }

    /// As a message shows it.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Void => "void".to_owned(),
            Self::Scalar(scalar) => scalar.name().to_owned(),
            // One without a name has a number after the word, which tells it from others.
            Self::Struct(ty) => ty.name.split(' ').next().unwrap_or_default().to_owned(),
            Self::Array(..) => {
                let (mut inner, mut extents) = (self, String::new());
                while let Self::Array(ty, count) = inner {
                    extents.push_str(&format!("[{count}]"));
                    inner = ty;
                }
                format!("{}{extents}", inner.shown())
            }
            Self::Pointer(pointer) => format!("{}*", pointer.to.shown()),
            Self::Closure(_) => "a lambda".to_owned(),
            Self::Group { .. } => "a group of threads".to_owned(),
        }
    }
}
