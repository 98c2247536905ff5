//! Variables of a function that last: `static` arrays and variables, one for all threads, in global memory.
//!
//! nvcc makes each a variable of the module (`_ZZ6kernelPfE5table`), as one that is declared outside with `__device__`.
//! A constant that is no array is its value; an array that is not `static`, `constexpr` or not, is a thread's own.

use super::counted;
use crate::source::ctype::Type;
use crate::source::lower::Lower;
use lanescope_frontend::ArrayId;
use lanescope_ir::{AddressSpace, Array};
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
        let id = self.array(&declaration, &ty, AddressSpace::Global, 0, Some(ty.bytes()));
        self.arrays[id.0 as usize].initial = values;
        self.bind_array(&declaration, ty, id, is_unread);
    }

    /// The variable of the same declaration, with the same values: an instance of a template may have others.
    fn static_before(
        &self,
        declaration: &Declaration,
        ty: &Type,
        values: &[(u64, Vec<u8>)],
    ) -> Option<ArrayId> {
        let place = self.place_ids.get(&declaration.span);
        let is_same = |array: &Array| {
            Some(&array.place) == place
                && array.space == AddressSpace::Global
                && array.bytes == Some(ty.bytes())
                && array.initial == values
        };
        let at = self.arrays.iter().position(is_same)?;
        u32::try_from(at).ok().map(ArrayId)
    }
}
