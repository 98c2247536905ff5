//! Why the lab could not run a kernel, in English.

pub(crate) const fn no_web_gpu() -> &'static str {
    "this browser has no WebGPU; try a current Chrome, Edge, Safari or Firefox"
}

pub(crate) const fn insecure_page() -> &'static str {
    "WebGPU needs a page loaded over https, or from localhost"
}

pub(crate) const fn no_adapter() -> &'static str {
    "no GPU adapter is offered; check the driver and the hardware acceleration setting"
}

pub(crate) fn adapter_silent(seconds: u32) -> String {
    format!("the GPU did not answer within {seconds} s; close other GPU programs and reload")
}

pub(crate) const fn device_refused() -> &'static str {
    "the GPU refused to open a device; reload the page or update the driver"
}

pub(crate) const fn device_lost() -> &'static str {
    "the GPU was lost during the run; results so far are kept"
}

pub(crate) fn out_of_memory(bytes: u64) -> String {
    format!("the GPU has no room for {bytes} bytes; choose a smaller size")
}

pub(crate) fn too_large(bytes: u64, fits_bytes: u64) -> String {
    format!("{bytes} bytes exceed one binding; at most {fits_bytes} bytes fit")
}

pub(crate) fn unavailable(needs: &str) -> String {
    format!("not available on this device: {needs}")
}

pub(crate) fn rejected(message: &str) -> String {
    format!("the GPU rejected the work: {message}")
}

pub(crate) fn too_slow(predicted_ms: u64) -> String {
    format!("stopped before a dispatch of about {predicted_ms} ms; choose a smaller size")
}

pub(crate) fn timed_out(seconds: u32) -> String {
    format!("the GPU did not finish within {seconds} s")
}

pub(crate) fn wrong_result(index: u64) -> String {
    format!("wrong result at element {index}")
}

pub(crate) const fn cancelled() -> &'static str {
    "cancelled"
}

pub(crate) const fn unreadable() -> &'static str {
    "the lab's worker could not be understood; reload the page"
}
