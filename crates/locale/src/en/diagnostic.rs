//! What is wrong with a source or a run, and how to fix it, in English.

pub(crate) fn source_too_long(limit: u64) -> String {
    format!("the source is longer than {limit} bytes; shorten it")
}

pub(crate) fn too_many_tokens(limit: u64) -> String {
    format!("more than {limit} tokens; shorten the source or its macros")
}

pub(crate) fn too_deep(limit: u64) -> String {
    format!("nested deeper than {limit} levels; split it with variables")
}

pub(crate) fn too_large(limit: u64) -> String {
    format!(
        "more than {limit} instructions with all functions put in place; leave out what is not looked at"
    )
}

pub(crate) fn too_many_steps(limit: u64) -> String {
    format!(
        "more than {limit} expressions and statements with all functions put in place; leave out what is not looked at"
    )
}

pub(crate) fn too_many_types(limit: u64) -> String {
    format!("templates make more than {limit} structures; use fewer different arguments")
}

pub(crate) fn too_many_bytes(limit: u64) -> String {
    format!("more than {limit} bytes; make the array smaller")
}

pub(crate) fn unexpected_character(character: &str) -> String {
    format!("unexpected character `{character}`")
}

pub(crate) fn unterminated(what: &str) -> String {
    format!("{what} without its end")
}

pub(crate) fn bad_number(text: &str) -> String {
    format!("`{text}` is not a number")
}

pub(crate) fn expected(expected: &str, found: &str) -> String {
    format!("expected {expected}, found {found}")
}

pub(crate) fn missing_include(name: &str) -> String {
    format!("`{name}` is not among the files read; what it declares is not known")
}

pub(crate) fn argument_count(name: &str, expected: u64, found: u64) -> String {
    format!("`{name}` takes {expected} arguments, not {found}")
}

pub(crate) fn unknown_name(name: &str) -> String {
    format!("unknown name `{name}`")
}

pub(crate) fn unknown_type(name: &str) -> String {
    format!("unknown type `{name}`")
}

pub(crate) fn unknown_function(name: &str) -> String {
    format!("unknown function `{name}`")
}

pub(crate) fn unknown_field(of: &str, field: &str) -> String {
    format!("`{of}` has no field `{field}`")
}

pub(crate) fn unknown_argument(name: &str) -> String {
    format!("the kernel has no parameter `{name}`")
}

pub(crate) fn unknown_kernel(name: &str) -> String {
    format!("no kernel `{name}`")
}

pub(crate) fn meant(name: &str) -> String {
    format!("; did you mean `{name}`?")
}

pub(crate) fn not_indexable(found: &str) -> String {
    format!("`{found}` cannot be indexed; an array or a pointer can")
}

pub(crate) fn not_a_pointer(found: &str) -> String {
    format!("`{found}` is not a pointer")
}

pub(crate) const fn not_assignable() -> &'static str {
    "this cannot be assigned to"
}

pub(crate) fn not_constant(what: &str) -> String {
    format!("{what} must be a constant; define it with `#define` or `constexpr`")
}

pub(crate) fn mismatch(expected: &str, found: &str) -> String {
    format!("expected `{expected}`, found `{found}`")
}

pub(crate) fn redeclared(name: &str) -> String {
    format!("`{name}` is declared twice; rename one")
}

pub(crate) fn recursion(name: &str) -> String {
    format!("`{name}` calls itself; recursion is not followed, write it as a loop")
}

pub(crate) fn unsupported(what: &str) -> String {
    format!("{what} is not analysed; the other lines are")
}

pub(crate) fn left_out(what: &str) -> String {
    format!("{what} is left out; the requests that it makes are not counted")
}

pub(crate) fn ignored(what: &str) -> String {
    format!("{what} is left out")
}

pub(crate) const fn no_kernel() -> &'static str {
    "no `__global__` function here"
}

pub(crate) fn other_language(name: &str) -> String {
    format!(
        "this is {name}, which is not read; give CUDA, HIP or WGSL, or the PTX or SASS that a compiler makes of it"
    )
}

pub(crate) fn needs_compiler(library: &str) -> String {
    format!(
        "{library} is not read from source; count what nvcc makes of it with `--compile`, or paste its SASS"
    )
}

pub(crate) fn several_kernels(taken: &str) -> String {
    format!("several kernels here; `{taken}` is taken")
}

pub(crate) fn missing_template_argument(name: &str, assumed: &str) -> String {
    format!("template parameter `{name}` has no value; `{assumed}` is taken")
}

pub(crate) fn assumed_type(name: &str, assumed: &str) -> String {
    format!("type `{name}` is not defined here; `{assumed}` is taken")
}

pub(crate) fn assumed_name(name: &str, assumed: &str) -> String {
    format!("`{name}` is not defined here; read as `{assumed}`")
}

pub(crate) fn missing_argument(name: &str, assumed: i64) -> String {
    format!("parameter `{name}` has no value; {assumed} is taken")
}

pub(crate) const fn no_access() -> &'static str {
    "this touches no memory; index an array, as in `tile[threadIdx.x]`"
}

pub(crate) fn too_many_values(limit: u64) -> String {
    format!("more than {limit} values; shorten the list")
}

pub(crate) const fn division_by_zero() -> &'static str {
    "division by zero"
}

pub(crate) fn block_too_large(threads: u64, limit: u64) -> String {
    format!(
        "a block of {} threads does not launch; the most is {}",
        super::grouped(threads),
        super::grouped(limit)
    )
}

pub(crate) fn no_dynamic_shared(name: &str) -> String {
    format!("`{name}` has no size; give the launch its bytes of dynamic shared memory")
}

pub(crate) fn guessed_launch(shape: &str) -> String {
    format!("the launch is a guess: {shape}; what follows was found under it")
}

pub(crate) const fn never_used() -> &'static str {
    "the value is never used; a compiler leaves the access out, and it is not counted"
}

pub(crate) const fn no_result() -> &'static str {
    "the kernel stores nothing outside its blocks: nvcc would leave nothing of it; its accesses are counted as if their results were used"
}

pub(crate) const fn passes_cut() -> &'static str {
    "what ptxas makes of this kernel was worked out only in part: the work on it is bounded"
}

pub(crate) const fn assembler_choice() -> &'static str {
    "ptxas may join this access with others, repeat it or leave it out; it is counted as ptxas 13 is predicted to do it"
}

pub(crate) const fn warp_aggregated() -> &'static str {
    "all lanes share this address: the compiler adds them up first, and one lane asks"
}

pub(crate) const fn compare_and_swap_loop() -> &'static str {
    "on hardware this is a loop of compare and swap; one round is counted"
}

/// An array as a sentence names it.
fn named(array: Option<&str>) -> String {
    array.map_or_else(|| "memory".to_owned(), |array| format!("`{array}`"))
}

pub(crate) fn depends_on_data(array: Option<&str>, contents: &str) -> String {
    let array = named(array);
    format!("depends on data: computed with {contents} in {array}")
}

pub(crate) fn depends_on_unknown(what: &str) -> String {
    format!("depends on {what}: not fully counted")
}

pub(crate) const fn zeros() -> &'static str {
    "zeros"
}

pub(crate) const fn iota() -> &'static str {
    "0, 1, 2, …"
}

pub(crate) fn random(seed: u64) -> String {
    format!("random numbers (seed {seed})")
}

pub(crate) fn out_of_range(
    array: &str,
    dimension: u32,
    index: i64,
    last: u64,
    thread: &str,
    lane: u32,
) -> String {
    format!(
        "index {index} of `{array}` is out of range in dimension {dimension} (0 to {last}), {thread}, lane {lane}"
    )
}

pub(crate) fn out_of_bounds(
    array: Option<&str>,
    offset: i64,
    bytes: u64,
    thread: &str,
    lane: u32,
) -> String {
    let array = named(array);
    format!(
        "byte {offset} of {array} is out of bounds (it has {bytes} bytes), {thread}, lane {lane}"
    )
}

pub(crate) fn int_overflow(exact: i64, held: i64) -> String {
    format!("`int` overflow in the index ({exact} becomes {held}): ")
}

pub(crate) fn wild_pointer(thread: &str) -> String {
    format!("this points to no array, {thread}")
}

pub(crate) fn misaligned(array: Option<&str>, offset: i64, bytes: u64, thread: &str) -> String {
    let array = named(array);
    format!("byte {offset} of {array} is not aligned for an access of {bytes} bytes, {thread}")
}

pub(crate) fn divergent_barrier(waits: &str, missing: &str) -> String {
    format!(
        "not every thread of the block reaches this barrier: {waits} waits, {missing} does not come"
    )
}

pub(crate) fn barrier_after_return(waits: &str, returned: &str) -> String {
    format!(
        "not every thread of the block reaches this barrier: {waits} waits, {returned} has returned"
    )
}

pub(crate) fn race(array: Option<&str>, word: u64, first: &str, second: &str) -> String {
    let array = array.map_or_else(String::new, |array| format!(" (`{array}`)"));
    format!(
        "race on byte {word} of shared memory{array}: {first} and {second} with no barrier between"
    )
}

pub(crate) fn reads(line: u32, thread: &str) -> String {
    format!("line {line} reads it ({thread})")
}

pub(crate) fn writes(line: u32, thread: &str) -> String {
    format!("line {line} writes it ({thread})")
}

pub(crate) fn thread(thread: [u32; 3], block: [u32; 3]) -> String {
    let ([x, y, z], [bx, by, bz]) = (thread, block);
    format!("thread ({x}, {y}, {z}) of block ({bx}, {by}, {bz})")
}

pub(crate) fn object_alone(kernels: &str, architectures: &str) -> String {
    format!(
        "a compiled file with {kernels} for {architectures}, of which these lines keep parameters and constants; paste the output of `cuobjdump -sass FILE` below them, or drop it here, to count its code"
    )
}

pub(crate) const fn reader_slow() -> &'static str {
    "reading this text took too long and was ended"
}

pub(crate) const fn reader_missing() -> &'static str {
    "what reads WGSL, PTX and SASS could not be loaded; try again with a network"
}

pub(crate) const fn reader_forbidden() -> &'static str {
    "this browser starts no workers here, and WGSL, PTX and SASS are read in one; CUDA kernels work without"
}

pub(crate) fn stopped(requests: u64) -> String {
    format!("stopped after {requests} requests")
}
