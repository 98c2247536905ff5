//! Why a profiler's export cannot be read or compared. Commands are given as they are typed.

sentences! { profiler_error:
    /// The text has no table of Nsight Compute.
    fn not_an_export(command: &str) -> String;
    /// The text is a report printed for people.
    fn not_csv(command: &str) -> String;
    /// The binary report; how it is exported.
    fn binary(command: &str) -> String;
    /// The profiler stopped with an error of its own.
    fn failed(message: &str) -> String;
    /// The page of the session.
    fn session() -> &'static str;
    /// The text is larger than what is read.
    fn too_large(mebibytes: usize) -> String;
    /// A table with a header and nothing in it.
    fn no_kernel() -> &'static str;
    /// No kernel is called so; these are there.
    fn unknown_kernel(name: &str, kernels: &[String]) -> String;
    /// Several kernels, and none was chosen.
    fn several_kernels(kernels: &[String]) -> String;
    /// A kernel was launched several times, and no launch was chosen.
    fn several_launches(name: &str, launches: usize) -> String;
    /// The kernel was launched less often.
    fn no_such_launch(number: usize, name: &str, launches: usize) -> String;
    /// The export holds nothing that is predicted.
    fn no_counters(command: &str) -> String;
}
