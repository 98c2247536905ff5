//! What is wrong with a value that is given to a kernel's parameter, in English.

pub(crate) fn not_a_value(text: &str) -> String {
    format!("`{text}` is no value; write a number, or for a buffer as in 1048576,random:7,offset:4")
}

pub(crate) fn file_of_contents(text: &str) -> String {
    format!("`{text}` names a file of contents, which only `kernel` and `compare` of a source read")
}
