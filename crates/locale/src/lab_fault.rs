//! Why the lab could not run a kernel.

sentences! { lab_fault:
    /// The browser has no WebGPU.
    fn no_web_gpu() -> &'static str;
    /// The page was loaded in a way that hides WebGPU.
    fn insecure_page() -> &'static str;
    /// No GPU is offered.
    fn no_adapter() -> &'static str;
    /// The request for a GPU was never answered.
    fn adapter_silent(seconds: u32) -> String;
    /// The adapter gave no device.
    fn device_refused() -> &'static str;
    /// The device went away during a run.
    fn device_lost() -> &'static str;
    /// An allocation failed.
    fn out_of_memory(bytes: u64) -> String;
    /// A buffer exceeds what the device binds.
    fn too_large(bytes: u64, fits_bytes: u64) -> String;
    /// The kernel needs what this device does not offer.
    fn unavailable(needs: &str) -> String;
    /// The driver rejected a command.
    fn rejected(message: &str) -> String;
    /// A smaller size was already so slow that this one would hold up the machine.
    fn too_slow(predicted_ms: u64) -> String;
    /// A dispatch did not come back.
    fn timed_out(seconds: u32) -> String;
    /// The output is not what the CPU reference gives.
    fn wrong_result(index: u64) -> String;
    /// The visitor cancelled.
    fn cancelled() -> &'static str;
    /// What the worker said, or was told, cannot be read.
    fn unreadable() -> &'static str;
}
