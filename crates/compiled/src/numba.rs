//! Parameters of kernels that Numba compiles, by their mangled names.
//!
//! Numba mangles the types of a function's arguments into its name as templates, `Array<float, 2, C, mutable, aligned>`
//! (numba, `core/itanium_mangler.py` and `types.Array.mangling_args`), behind a tag `[abi:v1]` that counts its versions
//! of a function. An array is passed as the members of a structure, each a parameter of its own: `meminfo`, `parent`,
//! `nitems`, `itemsize`, `data`, the shape, the strides (numba-cuda, `dispatcher.py`, `_prepare_args`, which passes zero
//! for the first two). Documented there and seen in PTX of numba-cuda 0.30 for sm_90.

use crate::demangled;
use crate::signature::{bytes, types};
use lanescope_frontend::Implied;
use lanescope_ir::Kernel;
use lanescope_locale::parameter_role::{ArrayMember, ParameterRole};
use lanescope_object::ParameterPlace;

/// The most axes of an array; NumPy's limit is 64.
const MOST_AXES: u32 = 64;

/// A parameter of a kernel that Numba compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NumbaParameter {
    pub(crate) role: ParameterRole,
    pub(crate) implied: Option<Implied>,
    pub(crate) bytes: u32,
}

/// The parameters that a mangled name tells of, in order; `None` where it is not Numba's, or has a type whose
/// parameters are not known here (records, tuples, complex numbers).
pub(crate) fn parameters(mangled: &str) -> Option<Vec<NumbaParameter>> {
    let full = demangled(mangled);
    if !full.contains("[abi:v") || !full.contains("Array<") {
        return None;
    }
    let mut list = Vec::new();
    for (argument, ty) in (0..).zip(types(&full)?) {
        match ty.strip_prefix("Array<") {
            Some(rest) => array(argument, rest, &mut list)?,
            None => list.push(NumbaParameter {
                role: ParameterRole::Number(argument),
                implied: None,
                bytes: bytes(ty)?,
            }),
        }
    }
    Some(list)
}

/// Adds the members of `float, 2, C, mutable, aligned>`.
fn array(argument: u32, inside: &str, list: &mut Vec<NumbaParameter>) -> Option<()> {
    let mut parts = inside.trim_end_matches('>').split(',').map(str::trim);
    let element = item_bytes(parts.next()?);
    let axes: u32 = parts.next()?.parse().ok()?;
    let layout = parts.next()?;
    if axes > MOST_AXES {
        return None;
    }
    // Behind the five members without an axis.
    let shape = u32::try_from(list.len()).ok()?.checked_add(5)?;
    let product = |factor, axes: std::ops::Range<u32>, is_certain| Implied::Product {
        factor,
        of: axes.map(|axis| shape + axis).collect(),
        is_certain,
    };
    let mut add = |member, implied| {
        list.push(NumbaParameter {
            role: ParameterRole::Member { argument, member },
            implied,
            bytes: 8,
        });
    };
    add(ArrayMember::MemoryInfo, Some(product(0, 0..0, true)));
    add(ArrayMember::Parent, Some(product(0, 0..0, true)));
    add(ArrayMember::Items, Some(product(1, 0..axes, true)));
    let item_size = element.map(|bytes| product(bytes, 0..0, true));
    add(ArrayMember::ItemSize, item_size);
    add(ArrayMember::Data, None);
    for axis in 0..axes {
        let implied = (axes > 1 && axis < 3).then_some(Implied::Threads { axis });
        add(ArrayMember::Shape(axis), implied);
    }
    for axis in 0..axes {
        // Layout `A` is any: a view that skips elements, too.
        let (inner, is_certain) = match layout {
            "F" => (0..axis, true),
            "C" => (axis + 1..axes, true),
            _ => (axis + 1..axes, false),
        };
        let implied = element.map(|bytes| product(bytes, inner, is_certain));
        add(ArrayMember::Stride(axis), implied);
    }
    Some(())
}

/// Bytes of an element; `None` of records and what else has no size by its name.
fn item_bytes(ty: &str) -> Option<i64> {
    match ty {
        "half" => Some(2),
        "complex64" => Some(8),
        "complex128" => Some(16),
        other => bytes(other).map(i64::from),
    }
}

/// Where the parameters stand, by the natural alignment of each.
pub(crate) fn places(mangled: &str) -> Option<Vec<ParameterPlace>> {
    let mut end = 0_u32;
    let places = (0..).zip(parameters(mangled)?).map(|(position, one)| {
        let offset = end.next_multiple_of(one.bytes);
        end = offset.saturating_add(one.bytes);
        ParameterPlace {
            position,
            offset,
            bytes: one.bytes,
            is_pointer: is_data(&one),
        }
    });
    Some(places.collect())
}

/// The parameters of a kernel that Numba compiled, one for each that the kernel has.
pub(crate) fn parameters_of(kernel: &Kernel) -> Option<Vec<NumbaParameter>> {
    let list = parameters(&kernel.name)?;
    let mut own = kernel.parameters.iter().map(|parameter| parameter.bytes);
    let is_same = own.len() == list.len() && list.iter().all(|one| own.next() == Some(one.bytes));
    is_same.then_some(list)
}

/// Whether it is the address of an array.
pub(crate) fn is_data(one: &NumbaParameter) -> bool {
    matches!(
        one.role,
        ParameterRole::Member {
            member: ArrayMember::Data,
            ..
        }
    )
}

#[cfg(test)]
mod tests {
    use super::{parameters, places};
    use lanescope_locale::Language;

    /// A kernel `f(dst, src)` of two arrays of two axes, as Numba mangles it.
    fn mangled(element: &str, layout: char) -> String {
        let array = format!("5ArrayI{element}Li2E1{layout}7mutable7alignedE");
        format!("_ZN8__main__1fB2v1B8cw51cXTLE{array}{array}i")
    }

    /// What each parameter stands for, and its value by a shape of 3 × 5.
    fn roles_and_values(mangled: &str) -> Vec<(String, Option<i64>)> {
        let list = parameters(mangled).expect("Numba's");
        let known = |at: u32| [3, 5].get(at.checked_sub(5)? as usize).copied();
        let pairs = list.iter().take(9).map(|one| {
            let value = one.implied.as_ref().and_then(|one| one.certain(known));
            (one.role.text(Language::English), value)
        });
        pairs.collect()
    }

    #[test]
    fn an_array_is_its_members() {
        let own = |text: &str, value| (text.to_owned(), value);
        assert_eq!(
            roles_and_values(&mangled("f", 'C')),
            [
                own("argument 0: memory info (hidden)", Some(0)),
                own("argument 0: parent (hidden)", Some(0)),
                own("argument 0: number of elements", Some(15)),
                own("argument 0: bytes per element", Some(4)),
                own("argument 0: data", None),
                own("argument 0: shape[0]", None),
                own("argument 0: shape[1]", None),
                own("argument 0: strides[0] in bytes", Some(20)),
                own("argument 0: strides[1] in bytes", Some(4)),
            ]
        );
        let strides = |mangled: &str| {
            roles_and_values(mangled)[7..]
                .iter()
                .map(|one| one.1)
                .collect::<Vec<_>>()
        };
        assert_eq!(strides(&mangled("d", 'F')), [Some(8), Some(24)]);
        assert_eq!(strides(&mangled("s", 'A')), [None, None], "a view may skip");
        let unknown = mangled("6Record", 'C');
        assert_eq!(strides(&unknown), [None, None], "a record has any size");
    }

    #[test]
    fn places_are_those_of_the_compiled_kernel() {
        let places = places(&mangled("f", 'C')).expect("Numba's");
        let last = places
            .last()
            .map(|one| (one.position, one.offset, one.bytes));
        assert_eq!((places.len(), last), (19, Some((18, 144, 4))));
        let pointers = places.iter().filter(|place| place.is_pointer);
        let pointers: Vec<u32> = pointers.map(|pointer| pointer.offset).collect();
        assert_eq!(pointers, [32, 104]);
    }

    #[test]
    fn other_names_tell_nothing() {
        let tuple = mangled("f", 'C').replace("Ei", "E8UniTupleIxLi2EE");
        for name in ["_Z1fPf", "f", "", "_Z1fB2v1i", &tuple] {
            assert_eq!(parameters(name), None, "{name}");
        }
        let many = mangled("f", 'C').replace("Li2E", "Li65E");
        assert_eq!(parameters(&many), None);
    }
}
