/// What an experiment compares a kernel with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Copies and reads that say what the memory can do.
    Ceiling,
    /// Sums of an array.
    Reduction,
    /// Transposes of a matrix, and the copies that bound them.
    Transpose,
    /// The shared-memory stride probe.
    Stride,
}
