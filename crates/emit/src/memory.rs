//! Memory: which buffer each access is in, and the element type that its accesses agree on.

use std::collections::BTreeMap;

use lanescope_ir::analysis::{PointsTo, UnderlyingObject};
use lanescope_ir::{
    Address, AddressSpace, ArrayId, AtomicOp, Instruction, Kernel, Op, Operand, ScalarType, Site,
    SiteId,
};

use crate::kinds::Scalar;
use crate::names::Names;
use crate::{Options, RefusalKind};

/// What an access is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Object {
    /// An array or buffer.
    Of(UnderlyingObject),
    /// A thread's own memory.
    Local,
}

/// Where it lies in WGSL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Storage,
    Workgroup,
    Function,
}

/// One variable of WGSL that holds memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(crate) object: Object,
    pub(crate) name: String,
    pub(crate) space: Space,
    /// An element's components.
    pub(crate) scalar: Scalar,
    /// Components of an element: 1, 2 or 4.
    pub(crate) components: u32,
    pub(crate) is_atomic: bool,
    pub(crate) is_read: bool,
    pub(crate) is_written: bool,
    /// Whether it is accessed at several widths.
    pub(crate) has_widths: bool,
    /// Whether bytes or half words are stored.
    pub(crate) has_narrow_stores: bool,
    /// Whether its elements are `f16`.
    pub(crate) is_half: bool,
    /// Its words, where that is known.
    pub(crate) words: Option<u64>,
}

impl Memory {
    pub(crate) const fn element_bytes(&self) -> u32 {
        if self.is_half { 2 } else { self.components * 4 }
    }

    /// The type of an element.
    pub(crate) fn element(&self) -> String {
        if self.is_half {
            return "f16".to_owned();
        }
        let scalar = self.scalar.name();
        match (self.is_atomic, self.components) {
            (true, _) => format!("atomic<{scalar}>"),
            (false, 1) => scalar.to_owned(),
            (false, components) => format!("vec{components}<{scalar}>"),
        }
    }
}

/// What all accesses to an object ask for.
#[derive(Clone, Copy, Debug, Default)]
struct Demand {
    /// Words of an access; 0: less than one.
    words: Option<u32>,
    has_widths: bool,
    /// The most words of an access.
    widest: u32,
    /// Whether an access is of less than a word.
    is_narrow: bool,
    scalar: Option<Scalar>,
    is_mixed: bool,
    is_read: bool,
    is_written: bool,
    is_atomic: bool,
    /// An atomic that compares signed numbers.
    is_signed: bool,
    is_unsigned: bool,
    has_narrow_stores: bool,
    /// Whether an access is not of one half.
    has_other_than_halves: bool,
}

/// The memory of a kernel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memories {
    pub(crate) all: Vec<Memory>,
    by_site: BTreeMap<SiteId, usize>,
}

impl Memories {
    pub(crate) fn of_site(&self, site: SiteId) -> Option<&Memory> {
        self.all.get(*self.by_site.get(&site)?)
    }
}

/// What an operand may point into.
pub(crate) fn pointee(pointees: &[PointsTo], operand: Operand) -> PointsTo {
    match operand {
        Operand::Register(register) => pointees
            .get(register.index())
            .copied()
            .unwrap_or(PointsTo::Anything),
        Operand::Constant(_) => PointsTo::Nothing,
    }
}

/// Finds the memory of all accesses.
pub(crate) fn memories<'k>(
    kernel: &'k Kernel,
    pointees: &[PointsTo],
    options: &Options,
    names: &mut Names,
) -> Result<Memories, (RefusalKind, &'k Instruction)> {
    let mut demands: BTreeMap<Object, Demand> = BTreeMap::new();
    let mut sites = Vec::new();
    for instruction in kernel.blocks.iter().flat_map(|block| &block.instructions) {
        let (address, site, atomic) = match &instruction.op {
            Op::Load { address, site, .. } | Op::Store { address, site, .. } => {
                (address, *site, None)
            }
            Op::Atomic {
                address, site, op, ..
            } => (address, *site, Some(*op)),
            // No memory is had of what else accesses it: it is refused where it would be written (`arithmetic.rs`).
            _ => continue,
        };
        let refused = |kind| (kind, instruction);
        let one = kernel
            .sites
            .get(site.index())
            .ok_or_else(|| refused(RefusalKind::Invalid))?;
        let object = object(kernel, pointees, address, one).map_err(refused)?;
        if one.is_volatile && is_shared(kernel, object) {
            return Err(refused(RefusalKind::LockStep));
        }
        let demand = demands.entry(object).or_default();
        match atomic {
            Some(op) => demand.atomic(op, one.element).map_err(refused)?,
            None => {
                let is_store = matches!(instruction.op, Op::Store { .. });
                demand.access(one, is_store).map_err(refused)?;
            }
        }
        sites.push((site, object, instruction));
    }
    let mut memories = Memories::default();
    let mut numbers = BTreeMap::new();
    for (object, demand) in demands {
        let instruction = sites.iter().find(|site| site.1 == object).map(|one| one.2);
        let memory = demand
            .memory(kernel, object, options, names)
            .map_err(|kind| (kind, instruction));
        match memory {
            Ok(memory) => {
                numbers.insert(object, memories.all.len());
                memories.all.push(memory);
            }
            Err((kind, Some(instruction))) => return Err((kind, instruction)),
            Err((_, None)) => {}
        }
    }
    for (site, object, instruction) in sites {
        let Some(number) = numbers.get(&object).copied() else {
            continue;
        };
        if memories
            .by_site
            .insert(site, number)
            .is_some_and(|before| before != number)
        {
            let access = access_text(kernel, site);
            return Err((RefusalKind::SeveralBuffers { access }, instruction));
        }
    }
    Ok(memories)
}

pub(crate) fn access_text(kernel: &Kernel, site: SiteId) -> String {
    kernel
        .sites
        .get(site.index())
        .map_or_else(String::new, |one| one.text.clone())
}

/// The object of an access.
fn object(
    kernel: &Kernel,
    pointees: &[PointsTo],
    address: &Address,
    site: &Site,
) -> Result<Object, RefusalKind> {
    match site.space {
        AddressSpace::Local => return Ok(Object::Local),
        AddressSpace::SharedCluster => return Err(RefusalKind::Cluster),
        AddressSpace::Generic
        | AddressSpace::Global
        | AddressSpace::Shared
        | AddressSpace::Constant => {}
    }
    let access = site.text.clone();
    let base = pointee(pointees, address.base);
    let index = address
        .index
        .map_or(PointsTo::Nothing, |one| pointee(pointees, one));
    let found = match (base, index) {
        (PointsTo::Nothing, other) | (other, PointsTo::Nothing) => other,
        (PointsTo::One(one), PointsTo::One(other)) if one == other => base,
        _ => PointsTo::Anything,
    };
    let declared = site.array.map(UnderlyingObject::Array);
    match (found, declared) {
        (PointsTo::One(one), Some(other)) if one != other => {
            Err(RefusalKind::SeveralBuffers { access })
        }
        (PointsTo::One(UnderlyingObject::Array(id)), _) if is_local(kernel, id) => {
            Ok(Object::Local)
        }
        (PointsTo::One(one), _) => Ok(Object::Of(one)),
        (PointsTo::Nothing, Some(UnderlyingObject::Array(id))) if is_local(kernel, id) => {
            Ok(Object::Local)
        }
        (PointsTo::Nothing, _) => Err(RefusalKind::UnknownBuffer { access }),
        (PointsTo::Anything, _) => Err(RefusalKind::SeveralBuffers { access }),
    }
}

fn is_shared(kernel: &Kernel, object: Object) -> bool {
    let array = match object {
        Object::Of(UnderlyingObject::Array(id)) => kernel.arrays.get(id.index()),
        Object::Of(UnderlyingObject::Parameter(_)) | Object::Local => None,
    };
    array.is_some_and(|array| array.space == AddressSpace::Shared)
}

fn is_local(kernel: &Kernel, id: ArrayId) -> bool {
    let array = kernel.arrays.get(id.index());
    array.is_some_and(|array| array.space == AddressSpace::Local)
}

impl Demand {
    fn join_scalar(&mut self, scalar: Scalar) {
        self.is_mixed |= self.scalar.is_some_and(|one| one != scalar);
        self.scalar = Some(scalar);
    }

    fn access(&mut self, site: &Site, is_store: bool) -> Result<(), RefusalKind> {
        if site.element == ScalarType::F64 {
            return Err(RefusalKind::Double);
        }
        let bytes = site.width.bytes();
        let words = u32::try_from(bytes / 4).unwrap_or(4);
        self.has_widths |= self.words.is_some_and(|word| word != words);
        self.words = Some(words);
        self.widest = self.widest.max(words);
        self.is_narrow |= words == 0;
        self.has_other_than_halves |= site.element != ScalarType::F16 || bytes != 2;
        self.join_scalar(Scalar::of(site.element));
        if is_store {
            self.is_written = true;
            self.has_narrow_stores |= words == 0;
        } else {
            self.is_read = true;
        }
        Ok(())
    }

    fn atomic(&mut self, op: AtomicOp, ty: ScalarType) -> Result<(), RefusalKind> {
        match ty {
            ScalarType::F64 => return Err(RefusalKind::Double),
            _ if ty.bits() == 64 => return Err(RefusalKind::WideAtomic),
            _ if ty.bits() < 32 => return Err(RefusalKind::NarrowAtomic { bits: ty.bits() }),
            _ => {}
        }
        if matches!(op, AtomicOp::Minimum | AtomicOp::Maximum) && !ty.is_float() {
            self.is_signed |= ty.is_signed();
            self.is_unsigned |= !ty.is_signed();
        }
        self.has_widths |= self.words.is_some_and(|word| word != 1);
        self.words = Some(1);
        self.join_scalar(Scalar::of(ty));
        (self.is_atomic, self.is_read, self.is_written) = (true, true, true);
        Ok(())
    }

    fn memory(
        self,
        kernel: &Kernel,
        object: Object,
        options: &Options,
        names: &mut Names,
    ) -> Result<Memory, RefusalKind> {
        let array = match object {
            Object::Of(UnderlyingObject::Array(id)) => kernel.arrays.get(id.index()),
            Object::Of(UnderlyingObject::Parameter(_)) | Object::Local => None,
        };
        let parameter = kernel
            .parameters
            .iter()
            .enumerate()
            .find(|(at, parameter)| match object {
                Object::Of(UnderlyingObject::Array(id)) => parameter.array == Some(id),
                Object::Of(UnderlyingObject::Parameter(position)) => {
                    u32::try_from(*at).ok() == Some(position)
                }
                Object::Local => false,
            });
        let is_shared = array.is_some_and(|array| array.space == AddressSpace::Shared);
        let space = match object {
            Object::Local => Space::Function,
            Object::Of(_) if is_shared => Space::Workgroup,
            Object::Of(_) => Space::Storage,
        };
        let (name, words) = match (object, array, parameter) {
            (Object::Local, ..) => ("local".to_owned(), Some(kernel.local_bytes.div_ceil(4))),
            (_, Some(array), None) => {
                let bytes = match (array.bytes, space) {
                    (None, Space::Workgroup) if options.dynamic_shared_bytes == 0 => {
                        let array = array.name.clone();
                        return Err(RefusalKind::UnsizedShared { array });
                    }
                    (None, Space::Workgroup) => Some(options.dynamic_shared_bytes),
                    (bytes, _) => bytes,
                };
                (
                    names.take(&array.name),
                    bytes.map(|bytes| bytes.div_ceil(4)),
                )
            }
            (_, _, Some((_, parameter))) => {
                let array = array.map_or("", |array| array.name.as_str());
                let name = if parameter.name.is_empty() {
                    array
                } else {
                    &parameter.name
                };
                (names.take(name), None)
            }
            (_, None, None) => (names.take("buffer"), None),
        };
        // Bytes of different lanes share words.
        let is_half = options.limits.half
            && space != Space::Function
            && !(self.has_other_than_halves || self.is_atomic);
        let has_narrow_stores = self.has_narrow_stores && !is_half && space != Space::Function;
        let is_atomic = self.is_atomic || has_narrow_stores;
        // What is only read at several widths is read whole or by component.
        let is_by_component = space == Space::Storage
            && matches!(self.widest, 2 | 4)
            && !(self.is_written || is_atomic || self.is_narrow || self.is_mixed);
        let has_widths = self.has_widths && !is_by_component;
        let is_plain = !has_widths && !is_atomic && space != Space::Function;
        let components = match self.widest {
            words @ (2 | 4) if is_plain => words,
            _ => 1,
        };
        let scalar = match self.scalar {
            _ if is_atomic && self.is_signed && !self.is_unsigned => Scalar::I32,
            Some(scalar) if !self.is_mixed && is_plain && self.words != Some(0) => scalar,
            _ => Scalar::U32,
        };
        Ok(Memory {
            object,
            name,
            space,
            scalar,
            components,
            is_atomic,
            is_read: self.is_read,
            is_written: self.is_written,
            has_widths,
            has_narrow_stores,
            is_half,
            words,
        })
    }
}
