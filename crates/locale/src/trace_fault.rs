//! What is wrong with a recorded trace.

sentences! { trace_fault:
    /// There is nothing in it.
    fn empty() -> &'static str;
    /// No column is called `instruction`.
    fn no_instruction() -> &'static str;
    /// No column is called `lane0`.
    fn no_lanes() -> &'static str;
    /// A column stands twice.
    fn twice(title: &str) -> String;
    /// An export of a profiler's counters.
    fn profiler() -> &'static str;
    /// A quote is opened and not closed.
    fn open_quote() -> &'static str;
    /// The row has another number of columns than the first line.
    fn columns(found: usize, expected: usize) -> String;
    /// No instruction is called so.
    fn unknown_instruction(name: &str) -> String;
    /// The device's warps have fewer lanes.
    fn no_such_lane(device: &str, lanes: usize) -> String;
    /// An offset below zero.
    fn negative(text: &str) -> String;
    /// No byte offset.
    fn no_offset(text: &str) -> String;
    /// An offset of 2^48 or more.
    fn too_large(text: &str) -> String;
    /// No count, where a counter should stand.
    fn no_count(text: &str) -> String;
    /// An asynchronous copy without the offset that a lane reads.
    fn no_sources(lane: usize) -> String;
    /// An offset that is no multiple of the access's bytes.
    fn misaligned(bytes: u64) -> String;
    /// JSON without a row.
    fn expected_row() -> &'static str;
    /// JSON without a value.
    fn expected_value() -> &'static str;
    /// JSON without its end.
    fn expected_closing() -> &'static str;
    /// JSON with a name twice in one object.
    fn expected_other_name() -> &'static str;
    /// JSON whose list of rows is not closed.
    fn expected_end() -> &'static str;
}
