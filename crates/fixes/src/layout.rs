//! Sizes and alignments of structures, as an ABI lays them out.

use lanescope_syntax::tree::{Stmt, StructItem, TypeExpr, TypeKind};

use crate::code::{Code, whole};

/// How many structures may lie in each other.
const MOST_DEPTH: u32 = 16;

/// Bytes of a type, and what its address is a multiple of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) bytes: u64,
    pub(crate) align: u64,
}

/// A structure that is as long as one access but aligned to less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnderAligned {
    /// Where `__align__` would stand.
    pub(crate) at: usize,
    pub(crate) bytes: u64,
}

impl Code<'_> {
    /// The structures of the text that are 4, 8 or 16 bytes long and aligned to less.
    pub(crate) fn under_aligned(&self) -> Vec<UnderAligned> {
        let all = self.all_statements().into_iter();
        let items = all.filter_map(Stmt::structure);
        items
            .filter_map(|item| self.under_aligned_one(item))
            .collect()
    }

    fn under_aligned_one(&self, item: &StructItem) -> Option<UnderAligned> {
        let layout = self.structure_layout(item, MOST_DEPTH)?;
        let text = self.at(item.span);
        let mut words = ["struct", "class"].into_iter();
        let word = words.find(|word| text.starts_with(word))?;
        let is_short = layout.align < layout.bytes && [4, 8, 16].contains(&layout.bytes);
        (is_short && item.align.is_none()).then_some(UnderAligned {
            at: item.span.start as usize + word.len(),
            bytes: layout.bytes,
        })
    }

    fn structure_layout(&self, item: &StructItem, depth: u32) -> Option<Layout> {
        let is_plain = !item.is_union
            && !item.is_packed
            && !item.has_virtual
            && item.pack == 0
            && item.bases.is_empty()
            && item.templates.is_empty()
            && item.alias.is_none();
        if !is_plain {
            return None;
        }
        let (mut end, mut align) = (0_u64, 1_u64);
        for field in item.fields.iter().filter(|field| !field.storage.is_static) {
            if field.bits.is_some() || field.align.is_some() {
                return None;
            }
            let one = self.type_layout(&field.ty, depth.checked_sub(1)?)?;
            end = end
                .checked_next_multiple_of(one.align)?
                .checked_add(one.bytes)?;
            align = align.max(one.align);
        }
        if let Some(given) = &item.align {
            align = align.max(whole(given)?);
        }
        let bytes = end.checked_next_multiple_of(align)?;
        Some(Layout { bytes, align })
    }

    /// That of a type; `None` where the text does not say it.
    pub(crate) fn layout_of(&self, ty: &TypeExpr) -> Option<Layout> {
        self.type_layout(ty, MOST_DEPTH)
    }

    fn type_layout(&self, ty: &TypeExpr, depth: u32) -> Option<Layout> {
        let depth = depth.checked_sub(1)?;
        match &ty.kind {
            TypeKind::Scalar(scalar) => {
                let bytes = scalar.bytes().max(1);
                Some(Layout {
                    bytes,
                    align: bytes,
                })
            }
            TypeKind::Pointer { .. } => Some(Layout { bytes: 8, align: 8 }),
            TypeKind::Array(inner, Some(count)) => {
                let one = self.type_layout(inner, depth)?;
                let bytes = one.bytes.checked_mul(whole(count)?)?;
                Some(Layout { bytes, ..one })
            }
            TypeKind::Named(name, arguments) if arguments.is_empty() => {
                let all = self.all_statements();
                let mut named = all.iter().filter_map(|stmt| stmt.typedef());
                let found = named.find_map(|(alias, to)| {
                    (alias == name).then(|| self.type_layout(to, depth))?
                });
                found.or_else(|| self.structure_layout(&*self.structure(name)?, depth))
            }
            TypeKind::Void
            | TypeKind::Auto
            | TypeKind::Named(..)
            | TypeKind::Inside(..)
            | TypeKind::Decltype(_)
            | TypeKind::Reference { .. }
            | TypeKind::Array(_, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_as_long_as_an_access_are_found() {
        for (text, expected) in [
            ("struct a { float x, y; };", vec![8]),
            ("struct a { float x, y, z; };", vec![]),
            (
                "typedef float real;\ntypedef struct { real v, x, y, z; } four;",
                vec![16],
            ),
            ("struct __align__(8) a { float x, y; };", vec![]),
            ("struct a { double x; };", vec![]),
            (
                "struct a { char x; a() { x = 0; } };\nstruct b { a x, y, z, w; };",
                vec![4],
            ),
            ("union a { float x; int y[2]; };", vec![]),
            ("struct a { short x[4]; };", vec![8]),
        ] {
            let code = Code::of(text, &[]);
            let found: Vec<u64> = code.under_aligned().iter().map(|one| one.bytes).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
