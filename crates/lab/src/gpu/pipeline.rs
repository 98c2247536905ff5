//! Pipelines: shaders as the GPU takes them, bound to buffers.

use lanescope_kernels::FILL_WGSL;

use crate::plan::{Checks, Role, Shader};
use crate::trusted;

pub(super) fn usages(role: &Role) -> wgpu::BufferUsages {
    match role {
        Role::Uniform(_) => wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        Role::Input(_) | Role::Output(..) | Role::Data(..) => {
            wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::COPY_SRC
                | wgpu::BufferUsages::COPY_DST
        }
    }
}

pub(super) fn fill_shader() -> Shader {
    Shader {
        text: FILL_WGSL.into(),
        entry: "fill".into(),
        constants: Vec::new(),
        checks: Checks::On,
    }
}

pub(super) fn pipeline(device: &wgpu::Device, shader: &Shader) -> wgpu::ComputePipeline {
    let module = match shader.checks {
        Checks::Off => trusted::module(device, &shader.text),
        Checks::On => device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(shader.text.clone()),
        }),
    };
    let constants: Vec<_> = shader
        .constants
        .iter()
        .map(|(name, value)| (name.as_ref(), *value))
        .collect();
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(&shader.entry),
        layout: None,
        module: &module,
        entry_point: Some(&shader.entry),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: &constants,
            zero_initialize_workgroup_memory: shader.checks == Checks::On,
        },
        cache: None,
    })
}

pub(super) fn bind(
    device: &wgpu::Device,
    pipeline: &wgpu::ComputePipeline,
    buffers: &[(u32, &wgpu::Buffer)],
) -> wgpu::BindGroup {
    let entries: Vec<_> = buffers
        .iter()
        .map(|(binding, buffer)| wgpu::BindGroupEntry {
            binding: *binding,
            resource: buffer.as_entire_binding(),
        })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries,
    })
}
