//! What is wrong with a layout's text, in English.

pub(crate) fn expected(wanted: &str, found: &str) -> String {
    format!("expected {wanted}, found `{found}`")
}

pub(crate) fn expected_at_end(wanted: &str) -> String {
    format!("expected {wanted}, found the end of the line")
}

pub(crate) const fn wanted_number() -> &'static str {
    "a number"
}

pub(crate) const fn wanted_end_of_line() -> &'static str {
    "the end of the line"
}

pub(crate) const fn wanted_layout() -> &'static str {
    "a layout, as in `(8,4):(4,1)`"
}

pub(crate) const fn wanted_times() -> &'static str {
    "`x`, as in `8x4`"
}

pub(crate) const fn wanted_encoding() -> &'static str {
    "an encoding such as `shared`"
}

pub(crate) const fn wanted_shape() -> &'static str {
    "the tensor's shape, as in `on (64,64)`"
}

pub(crate) const fn wanted_setting() -> &'static str {
    "a setting such as `vec = 8`"
}

pub(crate) fn one_of(words: &str) -> String {
    words.into()
}

pub(crate) fn meaningless(sign: char) -> String {
    format!("`{sign}` has no meaning here")
}

pub(crate) fn number_beyond(bits: u32) -> String {
    format!("a number beyond {bits} bits")
}

pub(crate) const fn text_too_long() -> &'static str {
    "a text of more than 64 KiB; shorten it"
}

pub(crate) const fn too_much() -> &'static str {
    "too long or too deeply nested; the rest was not read"
}

pub(crate) fn too_deep(most: usize) -> String {
    format!("nested more than {most} deep")
}

pub(crate) fn too_many_compositions(most: usize) -> String {
    format!("more than {most} compositions")
}

pub(crate) const fn swizzle_unit() -> &'static str {
    "a swizzle acts on `elements` or on `bytes`"
}

pub(crate) const fn shift_convention() -> &'static str {
    "S is `relative` (CuTe) or `absolute` (M + S)"
}

pub(crate) const fn base_too_high() -> &'static str {
    "a base beyond 4 GiB"
}

pub(crate) fn unknown_type(name: &str) -> String {
    format!("unknown type `{name}`; use f8, f16, f32, f64, float2, float4, u8 and so on")
}

pub(crate) fn unknown_name(name: &str) -> String {
    format!("unknown name `{name}`; give it a layout first, as in `{name} = (8,4):(4,1)`")
}

pub(crate) fn misspelt_name(name: &str, near: &str) -> String {
    format!("unknown name `{name}`; did you mean `{near}`?")
}

pub(crate) fn unknown_function(name: &str, functions: &str) -> String {
    format!("unknown function `{name}`; there are {functions}")
}

pub(crate) fn misspelt_function(name: &str, near: &str) -> String {
    format!("unknown function `{name}`; did you mean `{near}`?")
}

pub(crate) fn arguments(name: &str) -> String {
    format!("`{name}` takes another number of arguments")
}

pub(crate) fn one_or_two_arguments(name: &str) -> String {
    format!("`{name}` takes 1 or 2 arguments")
}

pub(crate) const fn lone_swizzle() -> &'static str {
    "a swizzle alone; compose it with a layout, as in `Swizzle<3,0,3> o (8,8):(8,1)`"
}

pub(crate) const fn tiler_for_layout() -> &'static str {
    "a tiler is not a layout"
}

pub(crate) const fn lone_pointer() -> &'static str {
    "a pointer alone; a layout must follow, as in `smem_ptr[16b](unset) o (8,64):(64,1)`"
}

pub(crate) const fn dot_operand() -> &'static str {
    "how `#ttg.dot_op` is loaded is the compiler's choice, so this load is not counted; name its instruction in a line of its own, as in `ldmatrix.x4`"
}

pub(crate) const fn encoding_without_shape() -> &'static str {
    "this encoding says neither shape nor element type; add them, as in `on 64x64` after it and a line `type f16`, or paste the line with its `memdesc`"
}

pub(crate) fn narrow_address_swizzle(swizzle: &str, bytes: u64) -> String {
    format!(
        "after a pointer, {swizzle} acts on byte addresses, as in CuTe, so it moves groups of \
         {bytes} bytes; hardware swizzles move groups of 16 (M = 4)"
    )
}

pub(crate) const fn remote() -> &'static str {
    "another block's shared memory: its banks are counted as this block's, which no measurement \
     confirms"
}

pub(crate) fn encoding_lanes(lanes: u64) -> String {
    format!("an encoding of {lanes} lanes a warp; 32 or 64 are possible")
}

pub(crate) fn other_type(layout: &str, line: &str) -> String {
    format!("the layout itself is of `{layout}`, so the line `type {line}` does not count")
}

pub(crate) const fn swizzled_for_plain() -> &'static str {
    "a swizzled layout; only a plain one can stand here"
}

pub(crate) fn unknown_tma(mode: &str) -> String {
    format!("no swizzle `{mode}`; use `none`, `32B`, `64B` or `128B`")
}

pub(crate) const fn two_extents() -> &'static str {
    "expected a shape of two extents, as in `(64,64)`"
}

pub(crate) fn tma_base(base: u64) -> String {
    format!("base {base} is not aligned to 128 bytes, as TMA needs it")
}

pub(crate) fn tma_offset(base: u64, repeat: u64, offset: u64) -> String {
    format!(
        "base {base} is not aligned to the pattern's {repeat} bytes, so the chunks are offset by {offset}"
    )
}

pub(crate) const fn no_layout() -> &'static str {
    "an access without a layout; write one first, as in `(32,32):(32,1)`"
}

pub(crate) fn arrangement(down: u64, across: u64, matrices: u8) -> String {
    format!("{down}x{across} matrices are not {matrices}")
}

pub(crate) fn bits(bits: u64, element: u64) -> String {
    format!(
        "{bits} bits a lane do not suit elements of {element}; use 8, 16, 32, 64 or 128, at least the element's"
    )
}

pub(crate) fn outside_tile(lane: usize, at: [u64; 2], tile: [u64; 2]) -> String {
    let ([row, column], [rows, columns]) = (at, tile);
    format!(
        "lane {lane} asks for row {row}, column {column}, outside the tile of {rows} x {columns}"
    )
}

pub(crate) fn torn(bytes: u64, lane: usize) -> String {
    format!(
        "the {bytes} bytes of lane {lane} are not side by side in memory; use a narrower access or a layout that keeps them together"
    )
}

pub(crate) fn unaligned(bytes: u64, lane: usize) -> String {
    format!(
        "the {bytes} bytes of lane {lane} are not aligned in memory; use a narrower access or a layout that aligns them"
    )
}

pub(crate) fn lanes(down: u64, across: u64, most: u64) -> String {
    format!("{down}x{across} lanes; a warp has 1 to {most}")
}

pub(crate) const fn copy_bytes() -> &'static str {
    "cp.async copies 4, 8 or 16 bytes a lane"
}

pub(crate) fn part_of_element(bytes: u64, element: u64) -> String {
    format!("{bytes} bytes hold no whole element of {element}")
}

pub(crate) const fn thread_value_modes() -> &'static str {
    "a thread-value layout needs two modes, as in `((4,8),(2,4)):((32,1),(16,8))`"
}

pub(crate) fn values(values: u64, count: u64) -> String {
    format!("{values} values a thread are no whole accesses of {count}")
}

pub(crate) fn requests(wanted: u64, most: usize) -> String {
    format!("{wanted} requests; at most {most} a text")
}

pub(crate) fn thread_outside(thread: u64, size: u64) -> String {
    format!("thread {thread} owns an element outside the tile of {size}")
}

pub(crate) fn thread_below(thread: u64) -> String {
    format!("thread {thread} owns an element below address 0")
}

pub(crate) const fn not_congruent() -> &'static str {
    "shape and stride are nested differently; give one stride for each mode of the shape"
}

pub(crate) const fn empty_mode() -> &'static str {
    "a mode of 0 elements; every extent must be at least 1"
}

pub(crate) const fn too_large() -> &'static str {
    "too large; at most 1,048,576 elements and offsets up to 2^40"
}

pub(crate) const fn too_many_modes() -> &'static str {
    "too many modes; at most 64, nested 16 deep"
}

pub(crate) fn stride_does_not_divide(extent: u64, stride: u64) -> String {
    format!(
        "a mode of {extent} elements cannot be walked in steps of {stride}; one must divide the other"
    )
}

pub(crate) fn shape_does_not_divide(extent: u64, wanted: u64) -> String {
    format!(
        "{wanted} elements do not fill whole modes of {extent}; use a multiple or a divisor of {extent}"
    )
}

pub(crate) const fn modes_overlap() -> &'static str {
    "the modes of the right layout overlap, so the composition is not a layout"
}

pub(crate) const fn negative_stride() -> &'static str {
    "a negative stride has no meaning here"
}

pub(crate) const fn not_injective() -> &'static str {
    "two indices of this layout share a place, so it has no complement"
}

pub(crate) const fn tiler_too_long() -> &'static str {
    "the tiler has more modes than the layout"
}

pub(crate) const fn bad_swizzle() -> &'static str {
    "a swizzle needs |S| >= B, and at most 40 bits in all"
}

pub(crate) const fn swizzle_tears_element() -> &'static str {
    "this swizzle on bytes tears elements apart; M must be at least log2 of the element's bytes"
}

pub(crate) fn box_too_wide(row_bytes: u64, span_bytes: u64) -> String {
    format!("a box row of {row_bytes} bytes; this swizzle takes at most {span_bytes}")
}

pub(crate) fn box_not_in_chunks(row_bytes: u64) -> String {
    format!("a box row of {row_bytes} bytes; it must be a multiple of 16")
}

pub(crate) fn not_a_power_of_two(name: &str) -> String {
    format!("{name} must be a power of two")
}

pub(crate) const fn not_in_memory() -> &'static str {
    "an encoding of registers, not of shared memory; name it after `load` or `store`"
}

pub(crate) fn wrong_rank(rank: usize) -> String {
    format!("the encoding has {rank} axes; the shape must have as many")
}

pub(crate) fn unknown_instruction(version: u64) -> String {
    format!(
        "an mma encoding of version {version}; versions 2 (mma) and 3 (wgmma, with its instrShape) are known"
    )
}

pub(crate) const fn bad_order() -> &'static str {
    "`order` must name each axis once"
}

pub(crate) const fn bases_do_not_reach() -> &'static str {
    "the bases do not reach every element of the shape"
}
