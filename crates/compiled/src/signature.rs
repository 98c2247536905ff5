//! Parameters that a mangled name tells of: C++ puts the types of a function's parameters into it.

use crate::{demangled, numba};
use lanescope_object::ParameterPlace;

/// The parameters of a kernel in order, where its name has their types and the size of each is known from its type.
///
/// `None` of a name that is not mangled, and where a parameter is of a type that somebody defined: nothing behind it
/// has a place then.
pub(crate) fn places(mangled: &str) -> Option<Vec<ParameterPlace>> {
    let full = demangled(mangled);
    if full == mangled {
        return None;
    }
    if let Some(places) = numba::places(mangled) {
        return Some(places);
    }
    let mut places: Vec<ParameterPlace> = Vec::new();
    let mut end = 0_u32;
    for (position, ty) in (0..).zip(types(&full)?) {
        let is_pointer = ty.ends_with('*');
        let bytes = if is_pointer { 8 } else { bytes(ty)? };
        let offset = end.next_multiple_of(bytes);
        end = offset.checked_add(bytes)?;
        places.push(ParameterPlace {
            position,
            offset,
            bytes,
            is_pointer,
        });
    }
    Some(places)
}

/// Bytes of a fundamental type on 64-bit Linux, which nvcc's devices share (CUDA C++ Programming Guide, built-in types).
pub(crate) fn bytes(ty: &str) -> Option<u32> {
    Some(match ty {
        "bool" | "char" | "signed char" | "unsigned char" => 1,
        "short" | "unsigned short" => 2,
        "int" | "unsigned int" | "float" => 4,
        "long" | "unsigned long" | "long long" | "unsigned long long" | "double" => 8,
        _ => return None,
    })
}

/// The types between the parentheses of `void f<int>(float const*, int)`.
pub(crate) fn types(full: &str) -> Option<Vec<&str>> {
    let list = full.get(list_start(full)?..)?.strip_suffix(')')?;
    if matches!(list, "" | "void") {
        return Some(Vec::new());
    }
    if list.contains(['(', ')']) {
        return None;
    }
    let mut types = Vec::new();
    let (mut start, mut depth) = (0, 0_u32);
    for (at, c) in list.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                types.push(list.get(start..at)?.trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    types.push(list.get(start..)?.trim());
    Some(types)
}

/// Where the list of parameters begins: behind the first parenthesis outside angle brackets that opens no namespace
/// without a name.
fn list_start(full: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, c) in full.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '(' if depth == 0 && !full.get(at..)?.starts_with("(anonymous") => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::places;

    /// Of each parameter its offset, its bytes, and whether it points.
    fn layout(mangled: &str) -> Option<Vec<(u32, u32, bool)>> {
        let places = places(mangled)?.into_iter();
        Some(
            places
                .map(|place| (place.offset, place.bytes, place.is_pointer))
                .collect(),
        )
    }

    #[test]
    fn fundamental_types_and_pointers_have_places() {
        // void dot<unsigned int, 1>(unsigned int const*, unsigned int*, unsigned long)
        assert_eq!(
            layout("_Z3dotIjLi1EEvPKT_PS0_m"),
            Some(vec![(0, 8, true), (8, 8, true), (16, 8, false)])
        );
        // (anonymous namespace)::f(bool, double, short, char)
        assert_eq!(
            layout("_ZN12_GLOBAL__N_11fEbdsc"),
            Some(vec![
                (0, 1, false),
                (8, 8, false),
                (16, 2, false),
                (18, 1, false)
            ])
        );
        assert_eq!(layout("_Z1fv"), Some(Vec::new()));
        // f(pair<int, float>*, int)
        assert_eq!(
            layout("_Z1fP4pairIifEi"),
            Some(vec![(0, 8, true), (8, 4, false)])
        );
    }

    #[test]
    fn types_of_unknown_size_tell_nothing() {
        for name in ["_Z1f6float2i", "_Z1fPFivE", "_Z1fRi", "kernel", ""] {
            assert_eq!(layout(name), None, "{name}");
        }
    }
}
