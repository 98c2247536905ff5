//! Why a kernel is not run, or its run is worth nothing, in English.

use super::grouped;

pub(crate) const fn no_kernel() -> &'static str {
    "there is no kernel without mistakes in this text"
}

pub(crate) fn offset(name: &str) -> String {
    format!(
        "`{name}` begins inside its memory in the launch; here it begins at its start, so its addresses may be aligned otherwise than those counted"
    )
}

pub(crate) fn no_size(name: &str) -> String {
    format!("how many elements has `{name}`? give it a size, as in {name}=1048576")
}

pub(crate) fn large_buffer(name: &str, bytes: u64, fits_bytes: u64) -> String {
    format!(
        "`{name}` has {} bytes; this GPU binds at most {} in one buffer",
        grouped(bytes),
        grouped(fits_bytes)
    )
}

pub(crate) fn memory(bytes: u64, fits_bytes: u64) -> String {
    format!(
        "the launch's buffers have {} bytes in all; a run here has at most {}",
        grouped(bytes),
        grouped(fits_bytes)
    )
}

pub(crate) const fn out_of_bounds() -> &'static str {
    "an index is out of bounds; a GPU's checks would move it inside"
}

pub(crate) const fn deadlock() -> &'static str {
    "threads wait for each other for ever"
}

pub(crate) fn endless(steps: u64) -> String {
    format!(
        "not even one block ended within {} steps of the simulator: the kernel may never end, and no GPU could be stopped",
        grouped(steps)
    )
}

pub(crate) fn wrong(name: &str, index: u64) -> String {
    format!("word {index} of `{name}` is not what the simulator says")
}

pub(crate) fn outside(name: &str) -> String {
    format!(
        "the run accessed memory outside of `{name}`, which the GPU's checks moved inside; its results are not the kernel's"
    )
}

pub(crate) fn not_in_hip(name: &str) -> String {
    format!("HIP has no {name}")
}

pub(crate) const fn only_shading() -> &'static str {
    "WGSL is not translated to CUDA or HIP"
}

pub(crate) fn at_line(line: u32, said: &str) -> String {
    format!("line {line}: {said}")
}
