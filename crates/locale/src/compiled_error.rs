//! Why compiled code cannot be counted.

sentences! { compiled_error:
    /// Nobody says how many threads a block has.
    fn no_block() -> &'static str;
    /// An argument's name begins with `@`, and no number follows.
    fn offset(name: &str) -> String;
    /// A position has no size before it.
    fn gap(at: usize, count: usize) -> String;
    /// The code has no parameter of this name; these are there.
    fn parameter(name: &str, names: &[String]) -> String;
    /// A number for a pointer, without the size of an element.
    fn pointer(name: &str) -> String;
    /// No kernel is called so; these are there.
    fn no_kernel(wanted: &str, names: &[String]) -> String;
    /// Several kernels, and none was chosen.
    fn several_kernels(names: &[String]) -> String;
}
