//! The one place without run-time checks: for comparing, natively, what they cost.
#![allow(
    unsafe_code,
    reason = "wgpu marks shaders without run-time checks as unsafe"
)]

/// Compiles a text of the catalogue without index clamps and loop bounds. In a
/// browser it is an ordinary module: the browser keeps its checks.
pub(crate) fn module(device: &wgpu::Device, text: &str) -> wgpu::ShaderModule {
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(text.into()),
    };
    // SAFETY: the texts come from the catalogue alone, never from a visitor; their
    // indices are held by guards and their loops end, which the tests run through at
    // odd sizes with the checks on and compare with the CPU.
    unsafe {
        device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked())
    }
}
