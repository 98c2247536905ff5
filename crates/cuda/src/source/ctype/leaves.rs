//! Leaves: the scalars and pointers of a type, which registers hold.

use super::Type;
use lanescope_syntax::scalar::Scalar;

/// The most scalars and pointers of a value.
pub(super) const MOST_LEAVES: usize = 256;

/// A scalar inside a type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Leaf {
    pub(crate) offset: u64,
    pub(crate) ty: Type,
}

impl Type {
    /// Its scalars and pointers, in order; those past 256 are left out.
    pub(crate) fn leaves(&self) -> Vec<Leaf> {
        let mut list = Vec::new();
        self.collect_leaves(0, &mut list);
        list
    }

    /// How many [`Self::leaves`] there are.
    pub(crate) fn leaf_count(&self) -> usize {
        match self {
            Self::Void | Self::Closure(_) => 0,
            Self::Struct(ty) => ty.leaves,
            Self::Array(ty, count) => {
                let count = usize::try_from(*count).unwrap_or(usize::MAX);
                ty.leaf_count().saturating_mul(count).min(MOST_LEAVES)
            }
            _ => 1,
        }
    }

    /// The type by which a copy moves what shares its bytes with other members: it keeps those of a `bool` as they are.
    pub(crate) fn unit(&self) -> Self {
        match self {
            Self::Scalar(Scalar::Bool) => Self::Scalar(Scalar::U8),
            Self::Void
            | Self::Scalar(_)
            | Self::Pointer(_)
            | Self::Closure(_)
            | Self::Group { .. }
            | Self::Struct(_)
            | Self::Array(..) => self.clone(),
        }
    }

    fn collect_leaves(&self, offset: u64, list: &mut Vec<Leaf>) {
        if list.len() >= MOST_LEAVES || self.leaf_count() == 0 {
            return;
        }
        match self {
            Self::Struct(ty) => {
                let (first, mut last) = (list.len(), None);
                for field in &ty.fields {
                    let unit = field.bits.map(|_| (field.offset, field.ty.bytes()));
                    if unit.is_none() || unit != last {
                        let at = list.len();
                        field.ty.collect_leaves(offset + field.offset, list);
                        if let (Some(_), Some(leaf)) = (field.bits, list.get_mut(at)) {
                            leaf.ty = leaf.ty.unit();
                        }
                    }
                    last = unit;
                }
                let inside = list.iter_mut().skip(first).filter(|_| ty.is_union);
                for leaf in inside.filter(|leaf| leaf.ty == Self::Scalar(Scalar::Bool)) {
                    leaf.ty = leaf.ty.unit();
                }
            }
            Self::Array(ty, count) => {
                for i in 0..(*count).min(MOST_LEAVES as u64) {
                    ty.collect_leaves(offset.saturating_add(i * ty.stride()), list);
                }
            }
            Self::Void => {}
            _ => list.push(Leaf {
                offset,
                ty: self.clone(),
            }),
        }
    }
}
