//! Pipelines: shaders as the GPU takes them, bound to buffers.

use std::borrow::Cow;

use lanescope_kernels::FILL_WGSL;

use crate::plan::{Checks, Role, Shader, Slot};
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

/// The text as this platform takes it: a browser wants subgroups enabled in it, naga grants them unasked and refuses the
/// word. Lines stay.
fn own_text(shader: &Shader, has_subgroups: bool) -> Cow<'static, str> {
    const ENABLED: &str = "enable subgroups;";
    let wants = cfg!(target_family = "wasm") && has_subgroups && shader.text.contains("subgroup");
    match wants && !shader.text.contains(ENABLED) {
        true => format!("{ENABLED} {}", shader.text).into(),
        false => shader.text.clone(),
    }
}

pub(super) fn pipeline(
    device: &wgpu::Device,
    shader: &Shader,
    has_subgroups: bool,
) -> wgpu::ComputePipeline {
    let text = own_text(shader, has_subgroups);
    let module = match shader.checks {
        Checks::Off => trusted::module(device, &text),
        Checks::On => device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(text),
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

/// The groups of a pipeline up to the last that binds a buffer, in order; those between that bind none are empty.
pub(super) fn bind(
    device: &wgpu::Device,
    pipeline: &wgpu::ComputePipeline,
    buffers: &[(Slot, &wgpu::Buffer)],
) -> Vec<wgpu::BindGroup> {
    let last = buffers.iter().map(|(slot, _)| slot.group).max();
    let group = |at: u32| {
        let entries: Vec<_> = buffers
            .iter()
            .filter(|(slot, _)| slot.group == at)
            .map(|(slot, buffer)| wgpu::BindGroupEntry {
                binding: slot.binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(at),
            entries: &entries,
        })
    };
    last.map_or_else(Vec::new, |last| (0..=last).map(group).collect())
}
