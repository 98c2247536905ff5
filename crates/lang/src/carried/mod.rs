//! Values as bytes, to carry them from one WASM module to another of the same build: a worker's.
//!
//! The bytes mean something only to the version that wrote them: they are never kept or linked.

mod program;
mod run;

/// What is written as bytes and read back by the same build.
///
/// ```
/// use lanescope_lang::{Carried, Launch};
///
/// let launch = Launch::new([4, 1, 1], [64, 1, 1]);
/// let bytes = launch.to_bytes();
/// assert_eq!(Launch::of_bytes(&bytes), Some(launch));
/// assert_eq!(Launch::of_bytes(&bytes[1..]), None);
/// ```
pub trait Carried: Sized {
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

    /// What [`Carried::to_bytes`] wrote; `None` for other bytes, and where some are left over.
    #[must_use]
    fn of_bytes(mut bytes: &[u8]) -> Option<Self> {
        let value = Self::take(&mut bytes)?;
        bytes.is_empty().then_some(value)
    }
}

/// Implements [`Carried`] for structures: `Name { field, field }`, each field in this order.
#[doc(hidden)]
#[macro_export]
macro_rules! carried_structures {
    ($($name:ident { $($field:tt),* $(,)? })*) => { $(
        impl $crate::Carried for $name {
            fn put(&self, out: &mut Vec<u8>) {
                $( $crate::Carried::put(&self.$field, out); )*
            }
            fn take(input: &mut &[u8]) -> Option<Self> {
                Some(Self { $( $field: $crate::Carried::take(input)? ),* })
            }
        }
    )* };
}

/// Implements [`Carried`] for enumerations: `Name { Variant, Variant { field: a } }`, each variant
/// by its place in the list; one that is not listed becomes the first.
#[doc(hidden)]
#[macro_export]
macro_rules! carried_choices {
    ($($name:ident { $($variant:ident $({ $($field:tt : $bound:ident),* $(,)? })?),* $(,)? })*) => { $(
        impl $crate::Carried for $name {
            fn put(&self, out: &mut Vec<u8>) {
                let mut at = 0_u8;
                $(
                    if let Self::$variant { $( $($field: $bound,)* )? .. } = self {
                        out.push(at);
                        $( $( $crate::Carried::put($bound, out); )* )?
                        return;
                    }
                    at += 1;
                )*
                let _ = at;
                out.push(0);
            }
            fn take(input: &mut &[u8]) -> Option<Self> {
                let found = <u8 as $crate::Carried>::take(input)?;
                let mut at = 0_u8;
                $(
                    if found == at {
                        return Some(Self::$variant {
                            $( $( $field: $crate::Carried::take(input)?, )* )?
                        });
                    }
                    at += 1;
                )*
                let _ = at;
                None
            }
        }
    )* };
}

macro_rules! numbers {
    ($($type:ty),*) => { $(
        impl Carried for $type {
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

impl Carried for usize {
    fn put(&self, out: &mut Vec<u8>) {
        (*self as u64).put(out);
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        u64::take(input)?.try_into().ok()
    }
}

impl Carried for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        u8::take(input).map(|byte| byte != 0)
    }
}

impl<T: Carried> Carried for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        u32::try_from(self.len()).unwrap_or(u32::MAX).put(out);
        self.iter().for_each(|one| one.put(out));
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        let count = u32::take(input)?;
        (0..count).map(|_| T::take(input)).collect()
    }
}

impl Carried for String {
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

impl<T: Carried> Carried for Option<T> {
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

impl<A: Carried, B: Carried> Carried for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        Some((A::take(input)?, B::take(input)?))
    }
}

impl<T: Carried, const N: usize> Carried for [T; N] {
    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|one| one.put(out));
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        let all: Option<Vec<T>> = (0..N).map(|_| T::take(input)).collect();
        all?.try_into().ok()
    }
}
