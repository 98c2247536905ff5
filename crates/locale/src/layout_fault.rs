//! What is wrong with a layout's text.

sentences! { layout_fault:
    /// Something else should stand here.
    fn expected(wanted: &str, found: &str) -> String;
    /// Something should stand here, and the line ends.
    fn expected_at_end(wanted: &str) -> String;
    /// A number is wanted.
    fn wanted_number() -> &'static str;
    /// The end of the line is wanted.
    fn wanted_end_of_line() -> &'static str;
    /// A layout is wanted.
    fn wanted_layout() -> &'static str;
    /// `x` is wanted, between two numbers.
    fn wanted_times() -> &'static str;
    /// One of Triton's encodings is wanted.
    fn wanted_encoding() -> &'static str;
    /// A tensor's shape is wanted.
    fn wanted_shape() -> &'static str;
    /// A setting of an encoding is wanted.
    fn wanted_setting() -> &'static str;
    /// One of these words is wanted; they come as in `` `x1`, `x2` or `x4` ``.
    fn one_of(words: &str) -> String;
    /// A sign that no layout has.
    fn meaningless(sign: char) -> String;
    /// A number that does not fit so many bits.
    fn number_beyond(bits: u32) -> String;
    /// More than 64 KiB of text.
    fn text_too_long() -> &'static str;
    /// Too many words or brackets.
    fn too_much() -> &'static str;
    /// Nested too deep.
    fn too_deep(most: usize) -> String;
    /// Too many layouts composed.
    fn too_many_compositions(most: usize) -> String;
    /// `swizzle` without its unit.
    fn swizzle_unit() -> &'static str;
    /// `shift` without its convention.
    fn shift_convention() -> &'static str;
    /// A base beyond 4 GiB.
    fn base_too_high() -> &'static str;
    /// A type of no known size.
    fn unknown_type(name: &str) -> String;
    /// A name that stands for nothing.
    fn unknown_name(name: &str) -> String;
    /// A name that is like a known one.
    fn misspelt_name(name: &str, near: &str) -> String;
    /// A function that there is not, and all that there are.
    fn unknown_function(name: &str, functions: &str) -> String;
    /// A function that is like a known one.
    fn misspelt_function(name: &str, near: &str) -> String;
    /// A function with more or fewer arguments than it takes.
    fn arguments(name: &str) -> String;
    /// A function of one or two arguments with others.
    fn one_or_two_arguments(name: &str) -> String;
    /// A swizzle without a layout.
    fn lone_swizzle() -> &'static str;
    /// A tiler where a layout should stand.
    fn tiler_for_layout() -> &'static str;
    /// A swizzled layout where only a plain one can stand.
    fn swizzled_for_plain() -> &'static str;
    /// A pointer without a layout.
    fn lone_pointer() -> &'static str;
    /// An operand of a dot, whose loads the compiler chooses.
    fn dot_operand() -> &'static str;
    /// An encoding without a shape.
    fn encoding_without_shape() -> &'static str;
    /// A swizzle of addresses that moves groups of so many bytes, fewer than 16.
    fn narrow_address_swizzle(swizzle: &str, bytes: u64) -> String;
    /// An access of another block's memory.
    fn remote() -> &'static str;
    /// An encoding of registers whose warp has so many lanes.
    fn encoding_lanes(lanes: u64) -> String;
    /// A layout's own type, and the one that the line `type` gives.
    fn other_type(layout: &str, line: &str) -> String;
    /// No such mode of TMA.
    fn unknown_tma(mode: &str) -> String;
    /// A shape that has not two extents.
    fn two_extents() -> &'static str;
    /// A base that TMA does not take.
    fn tma_base(base: u64) -> String;
    /// A base inside TMA's pattern.
    fn tma_offset(base: u64, repeat: u64, offset: u64) -> String;
    /// An access before any layout.
    fn no_layout() -> &'static str;
    /// Matrices that cannot stand so.
    fn arrangement(down: u64, across: u64, matrices: u8) -> String;
    /// Bits a lane that do not suit the element's bits.
    fn bits(bits: u64, element: u64) -> String;
    /// A lane's row and column outside the tile of so many.
    fn outside_tile(lane: usize, at: [u64; 2], tile: [u64; 2]) -> String;
    /// A lane's bytes are not side by side.
    fn torn(bytes: u64, lane: usize) -> String;
    /// A lane's bytes are not aligned to their number.
    fn unaligned(bytes: u64, lane: usize) -> String;
    /// More or fewer lanes than a warp has.
    fn lanes(down: u64, across: u64, most: u64) -> String;
    /// Bytes that `cp.async` does not copy.
    fn copy_bytes() -> &'static str;
    /// Bytes that hold no whole element.
    fn part_of_element(bytes: u64, element: u64) -> String;
    /// A thread-value layout of one mode.
    fn thread_value_modes() -> &'static str;
    /// Values a thread that are no whole accesses.
    fn values(values: u64, count: u64) -> String;
    /// Too many requests.
    fn requests(wanted: u64, most: usize) -> String;
    /// A thread's element outside the tile of so many elements.
    fn thread_outside(thread: u64, size: u64) -> String;
    /// A thread's element below address 0.
    fn thread_below(thread: u64) -> String;
    /// Shape and stride are nested differently.
    fn not_congruent() -> &'static str;
    /// A mode has no elements.
    fn empty_mode() -> &'static str;
    /// A size or a stride passes the limits.
    fn too_large() -> &'static str;
    /// More modes or deeper nesting than is taken.
    fn too_many_modes() -> &'static str;
    /// A mode cannot be walked in such steps.
    fn stride_does_not_divide(extent: u64, stride: u64) -> String;
    /// So many elements cannot be taken from a mode.
    fn shape_does_not_divide(extent: u64, wanted: u64) -> String;
    /// The right layout's modes overlap.
    fn modes_overlap() -> &'static str;
    /// A negative stride where it means nothing.
    fn negative_stride() -> &'static str;
    /// Two indices of the layout share a place.
    fn not_injective() -> &'static str;
    /// The tiler has more modes than the layout.
    fn tiler_too_long() -> &'static str;
    /// A swizzle that moves bits onto themselves, or past 40 bits.
    fn bad_swizzle() -> &'static str;
    /// A swizzle on bytes that tears elements apart.
    fn swizzle_tears_element() -> &'static str;
    /// A box whose row is longer than the swizzle spans.
    fn box_too_wide(row_bytes: u64, span_bytes: u64) -> String;
    /// A box whose row is no multiple of 16 bytes.
    fn box_not_in_chunks(row_bytes: u64) -> String;
    /// A number of an encoding that must be a power of two.
    fn not_a_power_of_two(name: &str) -> String;
    /// An encoding of registers where one of memory should stand.
    fn not_in_memory() -> &'static str;
    /// An encoding that speaks of so many axes, on a shape of fewer.
    fn wrong_rank(rank: usize) -> String;
    /// Accumulators of an instruction that this tool does not know, by the encoding's version.
    fn unknown_instruction(version: u64) -> String;
    /// `order` that does not name each axis once.
    fn bad_order() -> &'static str;
    /// Bases of a shared linear layout that do not reach every element.
    fn bases_do_not_reach() -> &'static str;
}
