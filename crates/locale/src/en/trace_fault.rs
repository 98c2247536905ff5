//! What is wrong with a recorded trace, in English.

pub(crate) const fn empty() -> &'static str {
    "the file is empty; its first line must name the columns"
}

pub(crate) const fn no_instruction() -> &'static str {
    "no column `instruction`; the first line must name the columns"
}

pub(crate) const fn no_lanes() -> &'static str {
    "no column `lane0`; offsets stand in `lane0` … `lane31`"
}

pub(crate) fn twice(title: &str) -> String {
    format!("column `{title}` stands twice")
}

pub(crate) const fn profiler() -> &'static str {
    "it is an export of Nsight Compute, counters without lane addresses; `lanescope compare` lays it beside the prediction"
}

pub(crate) const fn open_quote() -> &'static str {
    "a quote is opened and not closed"
}

pub(crate) fn columns(found: usize, expected: usize) -> String {
    format!("the row has {found} columns, the first line {expected}")
}

pub(crate) fn unknown_instruction(name: &str) -> String {
    format!(
        "unknown instruction `{name}`; there are such as `ld.shared.b32`, `st.global.b128`, `ldmatrix.x4`, `atom.shared.add.u32`, `red.global.add.u32`"
    )
}

pub(crate) fn no_such_lane(device: &str, lanes: usize) -> String {
    format!("a warp of {device} has {lanes} lanes")
}

pub(crate) fn negative(text: &str) -> String {
    format!("`{text}` is negative; offsets count bytes from 0")
}

pub(crate) fn no_offset(text: &str) -> String {
    format!("`{text}` is no byte offset; write a whole number, or nothing for a lane that is off")
}

pub(crate) fn too_large(text: &str) -> String {
    format!("`{text}` is too large; offsets end below 2^48")
}

pub(crate) fn no_count(text: &str) -> String {
    format!("`{text}` is no count")
}

pub(crate) fn no_sources(lane: usize) -> String {
    format!(
        "an asynchronous copy needs the offset in global memory that each lane reads; lane {lane} has none in `source{lane}`"
    )
}

pub(crate) fn misaligned(bytes: u64) -> String {
    format!("the offset is no multiple of {bytes}; hardware refuses such an access")
}

pub(crate) const fn expected_row() -> &'static str {
    "expected an object or a list of offsets"
}

pub(crate) const fn expected_value() -> &'static str {
    "expected a number, a text or `null`"
}

pub(crate) const fn expected_closing() -> &'static str {
    "a bracket or a quote is opened and not closed"
}

pub(crate) const fn expected_other_name() -> &'static str {
    "this name stands twice in one object"
}

pub(crate) const fn expected_end() -> &'static str {
    "the list of rows is not closed: the text may be cut off"
}
