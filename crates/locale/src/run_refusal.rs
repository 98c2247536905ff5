//! Why a kernel is not run, or its run is worth nothing.

sentences! { run_refusal:
    /// The text has no kernel, or a mistake.
    fn no_kernel() -> &'static str;
    /// A buffer begins inside its memory in the launch, and at its beginning in the run.
    fn offset(name: &str) -> String;
    /// How large a buffer is cannot be found.
    fn no_size(name: &str) -> String;
    /// A buffer is larger than the device takes.
    fn large_buffer(name: &str, bytes: u64, fits_bytes: u64) -> String;
    /// All buffers together are larger than a run may have.
    fn memory(bytes: u64, fits_bytes: u64) -> String;
    /// An index is out of bounds.
    fn out_of_bounds() -> &'static str;
    /// Threads wait for each other for ever.
    fn deadlock() -> &'static str;
    /// Not even the first block ended in the simulator.
    fn endless(steps: u64) -> String;
    /// A buffer holds something else than the simulator says.
    fn wrong(name: &str, index: u64) -> String;
    /// The run itself accessed an array outside of its bounds.
    fn outside(name: &str) -> String;
    /// HIP has nothing for a name of the source.
    fn not_in_hip(name: &str) -> String;
    /// WGSL is not written anew in CUDA or HIP.
    fn only_shading() -> &'static str;
    /// The line of the source that a sentence is about.
    fn at_line(line: u32, said: &str) -> String;
}
