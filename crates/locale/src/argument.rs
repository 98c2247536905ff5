//! What is wrong with a value that is given to a kernel's parameter.

sentences! { argument:
    /// Neither a number nor a buffer.
    fn not_a_value(text: &str) -> String;
    /// A file of contents where none is read.
    fn file_of_contents(text: &str) -> String;
}
