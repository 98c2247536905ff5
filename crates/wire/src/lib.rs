//! A binary serialization of values, to send them between WASM modules of one build: a page and its workers.
//!
//! The bytes mean something only to the build that wrote them: they are never kept or linked.
//!
//! Left out: versions, self-description and references; what is read is checked, and anything else is `None`.

mod faults;
mod kernel;
mod model;
mod parameter_role;

use std::sync::Arc;

/// What is written as bytes and read back by the same build.
///
/// ```
/// use lanescope_wire::Wire as _;
///
/// let pair = (7_u32, "seven".to_owned());
/// let bytes = pair.to_bytes();
/// assert_eq!(<(u32, String)>::of_bytes(&bytes), Some(pair));
/// assert_eq!(<(u32, String)>::of_bytes(&bytes[1..]), None);
/// ```
pub trait Wire: Sized {
    /// Writes it behind what `out` has.
    fn put(&self, out: &mut Vec<u8>);

    /// Reads it off the front of `input`; `None` where that is not how one begins.
    fn take(input: &mut &[u8]) -> Option<Self>;

    /// It alone as bytes.
    #[must_use]
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put(&mut out);
        out
    }

    /// What [`Wire::to_bytes`] wrote; `None` for other bytes, and where some are left over.
    #[must_use]
    fn of_bytes(mut bytes: &[u8]) -> Option<Self> {
        let value = Self::take(&mut bytes)?;
        bytes.is_empty().then_some(value)
    }
}

/// Implements [`Wire`] for structures: `Name { field, field }`, each field in this order.
#[doc(hidden)]
#[macro_export]
macro_rules! wire_structs {
    ($($name:ident { $($field:tt),* $(,)? })*) => { $(
        impl $crate::Wire for $name {
            fn put(&self, out: &mut Vec<u8>) {
                $( $crate::Wire::put(&self.$field, out); )*
            }
            fn take(input: &mut &[u8]) -> Option<Self> {
                Some(Self { $( $field: $crate::Wire::take(input)? ),* })
            }
        }
    )* };
}

/// Implements [`Wire`] for enumerations: `Name { Variant, Variant { field: a } }`, each variant
/// by its place in the list. The list and the fields must be complete: the compiler says what is missing.
///
/// `open Name { … }` is for an enumeration of another crate that may grow (`#[non_exhaustive]`): a variant that is
/// not listed is written as one that no reader takes.
#[doc(hidden)]
#[macro_export]
macro_rules! wire_enums {
    () => {};
    (open $name:ident { $($list:tt)* } $($rest:tt)*) => {
        $crate::wire_enum! { [open] $name { $($list)* } }
        $crate::wire_enums! { $($rest)* }
    };
    ($name:ident { $($list:tt)* } $($rest:tt)*) => {
        $crate::wire_enum! { [] $name { $($list)* } }
        $crate::wire_enums! { $($rest)* }
    };
}

/// Implements [`Wire`] for one enumeration.
#[doc(hidden)]
#[macro_export]
macro_rules! wire_enum {
    ([$($open:ident)?] $name:ident { $($variant:ident $({ $($field:tt : $bound:ident),* $(,)? })?),* $(,)? }) => {
        impl $crate::Wire for $name {
            fn put(&self, out: &mut Vec<u8>) {
                #[repr(u8)]
                enum Tag { $($variant),* }
                match self {
                    $( Self::$variant { $( $($field: $bound,)* )? } => {
                        out.push(Tag::$variant as u8);
                        $( $( $crate::Wire::put($bound, out); )* )?
                    } )*
                    $( _ => {
                        stringify!($open);
                        out.push(u8::MAX);
                    } )?
                }
            }
            fn take(input: &mut &[u8]) -> Option<Self> {
                #[repr(u8)]
                enum Tag { $($variant),* }
                let found = <u8 as $crate::Wire>::take(input)?;
                $(
                    if found == Tag::$variant as u8 {
                        return Some(Self::$variant {
                            $( $( $field: $crate::Wire::take(input)?, )* )?
                        });
                    }
                )*
                None
            }
        }
    };
}

macro_rules! numbers {
    ($($type:ty),*) => { $(
        impl Wire for $type {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn take(input: &mut &[u8]) -> Option<Self> {
                let (first, rest) = input.split_first_chunk()?;
                *input = rest;
                Some(Self::from_le_bytes(*first))
            }
        }
    )* };
}

numbers!(u8, u16, u32, u64, i32, i64, f64);

impl Wire for usize {
    fn put(&self, out: &mut Vec<u8>) {
        (*self as u64).put(out);
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        u64::take(input)?.try_into().ok()
    }
}

impl Wire for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        u8::take(input).map(|byte| byte != 0)
    }
}

impl Wire for char {
    fn put(&self, out: &mut Vec<u8>) {
        u32::from(*self).put(out);
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        u32::take(input).and_then(Self::from_u32)
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        u32::try_from(self.len()).unwrap_or(u32::MAX).put(out);
        self.iter().for_each(|one| one.put(out));
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        let count = u32::take(input)?;
        (0..count).map(|_| T::take(input)).collect()
    }
}

impl Wire for Arc<[u8]> {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        out.extend_from_slice(self);
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        let count = usize::take(input)?;
        let (bytes, rest) = input.split_at_checked(count)?;
        *input = rest;
        Some(bytes.into())
    }
}

impl Wire for String {
    fn put(&self, out: &mut Vec<u8>) {
        u32::try_from(self.len()).unwrap_or(u32::MAX).put(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        let count = u32::take(input)? as usize;
        let (text, rest) = input.split_at_checked(count)?;
        *input = rest;
        Self::from_utf8(text.to_vec()).ok()
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        self.iter().for_each(|one| one.put(out));
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        if bool::take(input)? {
            T::take(input).map(Some)
        } else {
            Some(None)
        }
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        Some((A::take(input)?, B::take(input)?))
    }
}

impl<T: Wire, const N: usize> Wire for [T; N] {
    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|one| one.put(out));
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        let all: Option<Vec<T>> = (0..N).map(|_| T::take(input)).collect();
        all?.try_into().ok()
    }
}
