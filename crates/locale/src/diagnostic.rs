//! What is wrong with a source or a run, and how to fix it.

sentences! { diagnostic:
    /// The text has more bytes than the limit.
    fn source_too_long(limit: u64) -> String;
    /// The text has more tokens than the limit.
    fn too_many_tokens(limit: u64) -> String;
    /// Nested deeper than the limit.
    fn too_deep(limit: u64) -> String;
    /// More instructions than the limit.
    fn too_large(limit: u64) -> String;
    /// More expressions and statements than the limit.
    fn too_many_steps(limit: u64) -> String;
    /// Templates make more structures than the limit.
    fn too_many_types(limit: u64) -> String;
    /// An array of more bytes than the limit.
    fn too_many_bytes(limit: u64) -> String;
    /// A character that no token begins with, escaped.
    fn unexpected_character(character: &str) -> String;
    /// What has no end.
    fn unterminated(what: &str) -> String;
    /// A number that cannot be read.
    fn bad_number(text: &str) -> String;
    /// Something else was to come.
    fn expected(expected: &str, found: &str) -> String;
    /// A file that was not given.
    fn missing_include(name: &str) -> String;
    /// Another number of arguments.
    fn argument_count(name: &str, expected: u64, found: u64) -> String;
    /// Nothing declares the name.
    fn unknown_name(name: &str) -> String;
    /// Nothing declares the type.
    fn unknown_type(name: &str) -> String;
    /// No function is called so.
    fn unknown_function(name: &str) -> String;
    /// The type has no such field.
    fn unknown_field(of: &str, field: &str) -> String;
    /// The kernel has no such parameter.
    fn unknown_argument(name: &str) -> String;
    /// No kernel is called so.
    fn unknown_kernel(name: &str) -> String;
    /// After an unknown name: the nearest known one.
    fn meant(name: &str) -> String;
    /// A type that has no elements.
    fn not_indexable(found: &str) -> String;
    /// A type that does not point.
    fn not_a_pointer(found: &str) -> String;
    /// What holds no value is assigned to.
    fn not_assignable() -> &'static str;
    /// What must be known before the launch.
    fn not_constant(what: &str) -> String;
    /// A type where another is needed.
    fn mismatch(expected: &str, found: &str) -> String;
    /// A name declared twice in one scope.
    fn redeclared(name: &str) -> String;
    /// A function that calls itself.
    fn recursion(name: &str) -> String;
    /// A part of the language that is not read.
    fn unsupported(what: &str) -> String;
    /// Read and left out, though it makes requests.
    fn left_out(what: &str) -> String;
    /// Read and left out, without effect on addresses.
    fn ignored(what: &str) -> String;
    /// No function is a kernel.
    fn no_kernel() -> &'static str;
    /// A language that is not read.
    fn other_language(name: &str) -> String;
    /// A kernel made of a library of templates that is not read from source.
    fn needs_compiler(library: &str) -> String;
    /// Several kernels, none named.
    fn several_kernels(taken: &str) -> String;
    /// A template parameter without value.
    fn missing_template_argument(name: &str, assumed: &str) -> String;
    /// A type that another file defines, by a name that all give to one type.
    fn assumed_type(name: &str, assumed: &str) -> String;
    /// A name that the text leaves open, and what it is read as.
    fn assumed_name(name: &str, assumed: &str) -> String;
    /// A parameter without value.
    fn missing_argument(name: &str, assumed: i64) -> String;
    /// An expression that touches no memory.
    fn no_access() -> &'static str;
    /// A list of more values than the limit.
    fn too_many_values(limit: u64) -> String;
    /// Division by a constant zero.
    fn division_by_zero() -> &'static str;
    /// A block of more threads than the limit.
    fn block_too_large(threads: u64, limit: u64) -> String;
    /// `extern __shared__` memory without a size.
    fn no_dynamic_shared(name: &str) -> String;
    /// Grid and block of a launch that nobody gave; what was found under it follows.
    fn guessed_launch(shape: &str) -> String;
    /// A value that is read and never used.
    fn never_used() -> &'static str;
    /// A kernel that stores nothing outside its blocks.
    fn no_result() -> &'static str;
    /// The passes over PTX ended early.
    fn passes_cut() -> &'static str;
    /// Of an access in PTX: the assembler may treat it otherwise than is counted.
    fn assembler_choice() -> &'static str;
    /// An atomic whose address all lanes share.
    fn warp_aggregated() -> &'static str;
    /// An atomic that the hardware lacks.
    fn compare_and_swap_loop() -> &'static str;
    /// What memory holds decides.
    fn depends_on_data(array: Option<&str>, contents: &str) -> String;
    /// A value that is not known decides.
    fn depends_on_unknown(what: &str) -> String;
    /// Contents of a buffer: zeros.
    fn zeros() -> &'static str;
    /// Contents of a buffer: element i holds i.
    fn iota() -> &'static str;
    /// Contents of a buffer: random numbers.
    fn random(seed: u64) -> String;
    /// An index outside its dimension.
    fn out_of_range(array: &str, dimension: u32, index: i64, last: u64, thread: &str, lane: u32) -> String;
    /// An address outside the array.
    fn out_of_bounds(array: Option<&str>, offset: i64, bytes: u64, thread: &str, lane: u32) -> String;
    /// What stands before that where the index is wrong because 32 bits do not hold `exact`, and hold `held`.
    fn int_overflow(exact: i64, held: i64) -> String;
    /// A pointer to no array.
    fn wild_pointer(thread: &str) -> String;
    /// An address that is no multiple of the access's width.
    fn misaligned(array: Option<&str>, offset: i64, bytes: u64, thread: &str) -> String;
    /// A barrier that some threads do not reach.
    fn divergent_barrier(waits: &str, missing: &str) -> String;
    /// A barrier that threads which have returned do not reach.
    fn barrier_after_return(waits: &str, returned: &str) -> String;
    /// Two warps meet on a word of shared memory; `first` and `second` as [`reads`] and [`writes`] say them.
    fn race(array: Option<&str>, word: u64, first: &str, second: &str) -> String;
    /// One side of a race that reads.
    fn reads(line: u32, thread: &str) -> String;
    /// One side of a race that writes.
    fn writes(line: u32, thread: &str) -> String;
    /// A thread of a launch.
    fn thread(thread: [u32; 3], block: [u32; 3]) -> String;
    /// What compiled objects say, without the listing of their code.
    fn object_alone(kernels: &str, architectures: &str) -> String;
    /// Reading took too long.
    fn reader_slow() -> &'static str;
    /// What reads the text could not be loaded.
    fn reader_missing() -> &'static str;
    /// The browser starts no worker.
    fn reader_forbidden() -> &'static str;
    /// The run ended at its budget.
    fn stopped(requests: u64) -> String;
}
