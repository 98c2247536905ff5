//! The element type that an expression itself speaks of.

use std::collections::BTreeMap;

use crate::element::Element;
use crate::encoding::Encoding;
use crate::syntax::{Expression, ExpressionKind};

/// Types of the names defined so far.
pub(crate) type Types = BTreeMap<String, Element>;

/// `smem_ptr[16b]`, `memdesc<64x64xf16, …>`, `Layout_K_SW128_Atom<half_t>` and so on.
pub(crate) fn element_of(expression: &Expression, types: &Types) -> Option<Element> {
    match &expression.kind {
        ExpressionKind::Pointer { bits, .. } => Element::of_bits(*bits),
        ExpressionKind::Encoded {
            element: Some(name),
            ..
        } => Element::named(name),
        ExpressionKind::Encoded { encoding, .. } => element_of(encoding, types),
        ExpressionKind::Encoding(Encoding::Nvmma {
            element_bits: Some(bits),
            ..
        }) => Element::of_bits(*bits),
        ExpressionKind::Name(name) => types.get(name).cloned(),
        ExpressionKind::Compose(left, right) => {
            element_of(left, types).or_else(|| element_of(right, types))
        }
        ExpressionKind::Call(name, arguments) => of_call(name, arguments, types),
        ExpressionKind::Keyword(_, value) => element_of(value, types),
        ExpressionKind::Encoding(_)
        | ExpressionKind::Shape(_)
        | ExpressionKind::Strided(..)
        | ExpressionKind::Xored(..)
        | ExpressionKind::Compact(..)
        | ExpressionKind::Swizzle { .. }
        | ExpressionKind::Arithmetic(..)
        | ExpressionKind::Tiler(_)
        | ExpressionKind::Tma(..) => None,
    }
}

/// The address of `smem_ptr[16b](0x7f0000000400)`.
pub(crate) fn address_of(expression: &Expression) -> Option<u64> {
    match &expression.kind {
        ExpressionKind::Pointer { address, .. } => *address,
        ExpressionKind::Compose(left, right) => address_of(left).or_else(|| address_of(right)),
        _ => None,
    }
}

fn of_call(name: &str, arguments: &[Expression], types: &Types) -> Option<Element> {
    let first = arguments.first().map(|first| &first.kind);
    match first {
        Some(ExpressionKind::Name(element)) if name.ends_with("_Atom") => {
            Element::named(element).or_else(|| types.get(element).cloned())
        }
        Some(ExpressionKind::Shape(crate::Nest::Int(bits)))
            if name == "smem_ptr_flag_bits" || name == "upcast" && in_bits(arguments) =>
        {
            Element::of_bits(u64::try_from(*bits).ok()?)
        }
        _ => arguments
            .iter()
            .find_map(|argument| element_of(argument, types)),
    }
}

fn in_bits(arguments: &[Expression]) -> bool {
    arguments.get(1).is_some_and(super::atom::is_in_bits)
}
