//! What a parameter of compiled code stands for, where the function that was compiled has no parameter of its name.

use crate::Language;

/// What a parameter of compiled code stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParameterRole {
    /// Memory that Triton hands to every kernel, and that the kernel's author never wrote.
    Scratch(Scratch),
    /// The argument at this position, from 0, of a function under Numba's `@cuda.jit`: a number.
    Number(u32),
    /// A member of Numba's structure of an array.
    Member {
        /// The array's position among the function's arguments, from 0.
        argument: u32,
        /// Which member.
        member: ArrayMember,
    },
}

/// Which of Triton's hidden pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scratch {
    /// Global memory that the compiler needs, as for descriptors that a kernel makes.
    Global,
    /// Global memory that instrumented kernels write measurements to.
    Profile,
    /// One of both: the text does not tell which.
    Either,
}

/// A member of Numba's structure of an array, in the order of the parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayMember {
    /// Who counts references; null on a device.
    MemoryInfo,
    /// The object that owns the memory; null on a device.
    Parent,
    /// Elements of the array.
    Items,
    /// Bytes of an element.
    ItemSize,
    /// The address of the first element.
    Data,
    /// Elements along an axis, from 0.
    Shape(u32),
    /// Bytes from one element along an axis, from 0, to the next.
    Stride(u32),
}

impl ParameterRole {
    /// What the parameter is, in `language`: lower case, no full stop.
    #[must_use]
    pub fn text(self, language: Language) -> String {
        in_folder!(language, parameter_role::text(self))
    }
}
