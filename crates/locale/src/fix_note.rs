//! What else there is to say of fixes.

sentences! { fix_note:
    /// The run found nothing to fix.
    fn nothing_to_fix() -> &'static str;
    /// The array's addresses depend on the data.
    fn data_dependent(array: &str) -> String;
    /// The text cannot be rewritten for the array.
    fn not_rewritable(array: &str) -> String;
    /// A pointer into the array cannot move, so no tile before it gets longer rows.
    fn pointer_kept(array: &str, pointer: &str) -> String;
    /// The array's declared size cannot grow with the rows of the tile that a pointer points to.
    fn size_kept(array: &str, pointer: &str) -> String;
    /// No layout of the array can take fewer wavefronts.
    fn bound(array: &str, wavefronts: u64) -> String;
    /// None of so many layouts that were tried is better, and there are more.
    fn nothing_found(array: &str, tried: usize) -> String;
    /// No linear swizzle takes fewer wavefronts; `pitches`: nor do longer rows.
    fn none_better(array: &str, wavefronts: u64, pitches: bool) -> String;
    /// A padding that no index uses.
    fn unused_padding(array: &str, declared: &str, used: &str) -> String;
    /// Sectors are wasted, and no fix for that was found.
    fn sectors_wasted(units: u64, ideal: u64) -> String;
    /// The device's rule is not known.
    fn unknown(why: &str) -> String;
    /// The source has errors, so nothing was run.
    fn errors() -> &'static str;
    /// The run was stopped at its budget, so nothing was proved.
    fn stopped() -> &'static str;
    /// The fixes that are written for C alone, of a WGSL text that still wastes something.
    fn only_in_c() -> &'static str;
    /// What was not tried of a WGSL text with several entry points.
    fn several_entry_points() -> &'static str;
    /// The kernel's template is launched with several lists of arguments.
    fn several_instances() -> &'static str;
    /// Where the elements go, CuTe and Triton cannot say.
    fn no_layout() -> &'static str;
    /// The text launches the kernel, whose parameters stay.
    fn parameters_kept() -> &'static str;
}
