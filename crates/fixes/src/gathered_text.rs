//! What stands in the text for several elements at once: in CUDA an access through a pointer to a vector, in WGSL one of a
//! binding whose elements are vectors.

use lanescope_syntax::tree::TypeKind;

use crate::gather::{Gather, Gathered};
use crate::neighbours::Use;
use crate::vector_type::{moved_as, vector_of};

impl Gather<'_, '_> {
    /// A thread's own array, filled by one load; in WGSL a vector.
    pub(crate) fn loaded(
        &self,
        array: &Gathered<'_>,
        one: &Use<'_>,
        name: &str,
        first: u64,
        count: u64,
        indent: &str,
    ) -> Option<String> {
        if self.is_wgsl() {
            let from = self.wgsl_vector(one, first, count)?;
            return Some(format!("let {name} = {from};"));
        }
        let bytes = count * array.target.element_bytes;
        let raw = moved_as(array.element, count, bytes)?;
        let from = self.vector(&format!("const {raw}"), one, first, count);
        let declared = self.own(array, name, count, indent);
        Some(format!(
            "{declared}\n{indent}*reinterpret_cast<{raw}*>({name}) = {from};"
        ))
    }

    /// The declaration of a thread's own array.
    pub(crate) fn own(&self, array: &Gathered<'_>, name: &str, count: u64, indent: &str) -> String {
        if self.is_wgsl() {
            return format!("var {name}: vec{count}<{}>;", array.element);
        }
        let ty = self.element(array);
        let size = array.target.element_bytes;
        let bytes = count * size;
        let declared = format!("__align__({bytes}) {ty} {name}[{count}];");
        let mut templates = self.kernel.templates.iter();
        match templates.any(|one| *one.name == *ty) {
            // The kernel may be made for other types too.
            true => format!("static_assert(sizeof({ty}) == {size});\n{indent}{declared}"),
            false => declared,
        }
    }

    /// A thread's own array, stored at once.
    pub(crate) fn stored(
        &self,
        array: &Gathered<'_>,
        one: &Use<'_>,
        name: &str,
        first: u64,
        count: u64,
    ) -> Option<String> {
        if self.is_wgsl() {
            let to = self.wgsl_vector(one, first, count)?;
            return Some(format!("{to} = {name};"));
        }
        let raw = moved_as(array.element, count, count * array.target.element_bytes)?;
        let to = self.vector(&raw, one, first, count);
        Some(format!("{to} = *reinterpret_cast<const {raw}*>({name});"))
    }

    /// Where a vector is stored, and what makes it of its elements; `None` where there is no such vector.
    pub(crate) fn stored_and_made(
        &self,
        array: &Gathered<'_>,
        one: &Use<'_>,
        first: u64,
        count: u64,
    ) -> Option<[String; 2]> {
        if self.is_wgsl() {
            let made = format!("vec{count}<{}>", array.element);
            return Some([self.wgsl_vector(one, first, count)?, made]);
        }
        let ty = vector_of(array.element, count)?;
        let to = self.vector(&ty, one, first, count);
        Some([to, format!("make_{ty}")])
    }

    /// The vector `of` that begins `first` elements from the use's stem.
    pub(crate) fn vector(&self, ty: &str, one: &Use<'_>, first: u64, count: u64) -> String {
        let is_flat = !one.base.contains('[');
        match one.factor(self.code, count).filter(|_| is_flat) {
            Some(factor) => {
                let index = match first / count {
                    0 => factor,
                    more => format!("{factor} + {more}"),
                };
                format!("reinterpret_cast<{ty}*>({})[{index}]", one.base)
            }
            None => format!(
                "*reinterpret_cast<{ty}*>(&{}[{}])",
                one.base,
                one.index(first)
            ),
        }
    }

    /// A name for a thread's copy that stands nowhere in the text.
    pub(crate) fn name(&mut self, array: &Gathered<'_>, count: u64) -> String {
        let mut name = format!("{}{count}", array.target.name);
        let mut more = 0;
        while self.names.contains(&name) || self.code.has_name(&name) {
            more += 1;
            name = format!("{}{count}_{more}", array.target.name);
        }
        self.names.insert(name.clone());
        name
    }

    /// The type of the array's elements, as the text declares it.
    pub(crate) fn element(&self, array: &Gathered<'_>) -> String {
        let mut declared = self.kernel.parameters.iter();
        let parameter = declared.find(|one| *one.name == *array.target.name);
        let text = parameter.and_then(|one| match &one.ty.kind {
            TypeKind::Pointer { to, .. } => Some(self.code.at(to.span)),
            _ => None,
        });
        let words = text.unwrap_or(array.element).split_whitespace();
        let plain: Vec<_> = words
            .filter(|word| !["const", "volatile"].contains(word))
            .collect();
        plain.join(" ")
    }
}
