//! Variables of a function that last: `static` arrays and variables, one for all threads, in global memory.
//!
//! nvcc makes each a variable of the module (`_ZZ6kernelPfE5table`), as one that is declared outside with `__device__`.
//! A constant that is no array is its value; an array that is not `static`, `constexpr` or not, is a thread's own.

use super::counted;
use crate::source::ctype::Type;
use crate::source::lower::Lower;
use crate::source::lower::tables::{Declared, Initial};
use lanescope_frontend::{ArrayId, SourceArray};
use lanescope_model::Space;
use lanescope_syntax::tree::{Declaration, TypeKind};

impl Lower<'_> {
    /// Whether a `static` variable is one of the module's memory.
    pub(super) fn lies_in_module(&mut self, declaration: &Declaration) -> bool {
        if self.bare.is_some()
            || declaration.ty.is_deduced()
            || matches!(
                declaration.ty.kind,
                TypeKind::Reference { .. } | TypeKind::Pointer { .. }
            )
        {
            return false;
        }
        let ty = self.resolve(&declaration.ty);
        matches!(ty, Type::Array(..)) || !declaration.ty.is_const
    }

    /// Declares it where its function is first put in place; another call finds the same.
    pub(in crate::source::lower) fn declare_static(&mut self, declaration: &Declaration) {
        let mut declaration = declaration.clone();
        declaration.storage.device = true;
        let (ty, is_unread) = self.reading_types(|this| this.resolve(&declaration.ty));
        let ty = counted(ty, declaration.init.as_ref());
        let mut values = Vec::new();
        if let Some(init) = &declaration.init {
            self.initial_values(&ty, init, 0, &mut values);
        }
        if let Some(id) = self.static_before(&declaration, &ty, &values) {
            return self.bind_array(&declaration, ty, id, is_unread);
        }
        let id = self.array(&declaration, &ty, Space::Global, 0, Some(ty.bytes()));
        self.arrays[id.0 as usize].base = super::buffer_base(id);
        if !values.is_empty() {
            self.declared.push(Declared {
                array: id,
                constant: false,
                values,
            });
        }
        self.bind_array(&declaration, ty, id, is_unread);
    }

    /// The variable of the same declaration, with the same values: an instance of a template may have others.
    fn static_before(
        &self,
        declaration: &Declaration,
        ty: &Type,
        values: &[Initial],
    ) -> Option<ArrayId> {
        let is_same = |(id, array): &(ArrayId, &SourceArray)| {
            let declared = self.declared.iter().find(|declared| declared.array == *id);
            array.span == declaration.span
                && array.space == Space::Global
                && array.bytes == Some(ty.bytes())
                && declared.map_or(&[][..], |declared| &declared.values[..]) == values
        };
        let all = (0..).map(ArrayId).zip(&self.arrays);
        all.into_iter().find(is_same).map(|(id, _)| id)
    }
}
