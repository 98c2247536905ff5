//! What of a kernel is not emitted as WGSL, and in what the emitted text differs from it, in English.

use crate::emit::{Note, RefusalKind};

pub(crate) fn refusal(kind: &RefusalKind) -> String {
    match kind {
        RefusalKind::Double => "double has no type in WGSL; use float".to_owned(),
        RefusalKind::WideAtomic => "atomics of 64 bits do not exist in WGSL; use 32 bits".to_owned(),
        RefusalKind::NarrowAtomic { bits } => format!("atomics of {bits} bits do not exist in WGSL; use 32 bits"),
        RefusalKind::Unpredictable => "a clock or a multiprocessor's number cannot be read in WGSL".to_owned(),
        RefusalKind::Cluster => "clusters of blocks do not exist in WGSL".to_owned(),
        RefusalKind::GridBarrier => "a barrier of the whole grid does not exist in WGSL; split the kernel there".to_owned(),
        RefusalKind::NamedBarrier => "named barriers and barriers of some threads do not exist in WGSL; use __syncthreads()".to_owned(),
        RefusalKind::ObjectBarrier => "barrier objects in shared memory do not exist in WGSL".to_owned(),
        RefusalKind::Fence => "WGSL has no fence between blocks, so that what other blocks read here is not defined".to_owned(),
        RefusalKind::LockStep => "volatile shared memory relies on a warp's lanes running in step, which WGSL does not promise; use __syncthreads()".to_owned(),
        RefusalKind::SeveralBuffers { access } => format!("`{access}` may be in one of several buffers; WGSL has no pointers to choose between them"),
        RefusalKind::UnknownBuffer { access } => format!("which buffer `{access}` is in is not known before the run"),
        RefusalKind::PointersMixed => "pointers into different buffers are compared or subtracted".to_owned(),
        RefusalKind::PointerAsNumber => "a pointer is used as a number, which WGSL's buffers do not have".to_owned(),
        RefusalKind::OverlappingArrays { one, other } => format!("`{one}` and `{other}` are two names for the same shared memory; use one of them"),
        RefusalKind::UnsizedShared { array } => format!("the size of `{array}` is not known; give the bytes of dynamic shared memory"),
        RefusalKind::OutOfBounds { access } => format!("`{access}` is outside of its array; a browser would move it inside"),
        RefusalKind::IndexedParameter => "a parameter passed by value is indexed by a variable".to_owned(),
        RefusalKind::Instruction { name } => format!("`{name}` has no counterpart in WGSL"),
        RefusalKind::MachineCode => "convergence barriers are kept in registers, as only machine code does".to_owned(),
        RefusalKind::IndirectJump => "a jump or call through a register cannot be written in WGSL".to_owned(),
        RefusalKind::Irreducible => "a loop is entered in several places, as `goto` into a loop does".to_owned(),
        RefusalKind::BlockTooLarge { threads, most } => format!("a block of {threads} threads; this device takes {most}"),
        RefusalKind::SharedTooLarge { bytes, most } => format!("{bytes} bytes of shared memory; this device has {most}"),
        RefusalKind::TooManyBuffers { buffers, most } => format!("{buffers} buffers; this device binds {most} at once"),
        RefusalKind::NoBlock => "a kernel whose blocks are not known has no size in WGSL; give the block".to_owned(),
        RefusalKind::TooLarge => "the kernel's control flow is too deep or too wide to be emitted".to_owned(),
        RefusalKind::Invalid => "the kernel is not valid".to_owned(),
    }
}

pub(crate) fn note(note: &Note) -> String {
    match note {
        Note::SeveralWidths(array) => format!("`{array}` is accessed at several widths and is an array of words here: wide accesses are made word by word"),
        Note::NarrowStores(array) => format!("bytes and half words of `{array}` are stored by two atomics on their word"),
        Note::FloatAtomics(array) => format!("atomics on floats of `{array}` are loops of compare-and-swap"),
        Note::AtomicArray(array) => format!("every access to `{array}` is atomic, as some are"),
        Note::Exchanges => "shuffles and votes go through workgroup memory, with barriers".to_owned(),
        Note::Subgroups => "shuffles and votes are the GPU’s own subgroup operations".to_owned(),
        Note::Masked => "threads that are done wait at the barriers that are left, under a mask".to_owned(),
        Note::LoopVote => "a loop with barriers asks in each iteration whether any thread is left".to_owned(),
        Note::UniformLoads => "loads of shared memory that decide about barriers are made once for the block, with barriers".to_owned(),
        Note::Fused => "a device may round a fused multiplication and addition twice".to_owned(),
        Note::Halves => "half precision is computed in 32 bits and rounded".to_owned(),
        Note::Folded => "the grid is folded, as no dimension may exceed 65535 workgroups".to_owned(),
        Note::NotPrinted => "what the kernel prints is left out".to_owned(),
        Note::WatchedFirst => "that every index stays in its array is not known before the run; a first run, not timed, checks it".to_owned(),
        Note::Unwatched => "that every index stays in its array is not known, and there is no buffer left to check it with; an index outside is moved inside".to_owned(),
    }
}
