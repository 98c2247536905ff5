//! A kernel's WGSL in the languages of other machines, as naga writes them.

use anyhow::{Context as _, anyhow};
use clap::ValueEnum;
use naga::back::{glsl, msl};
use naga::proc::BoundsCheckPolicies;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{AddressSpace, Module, ResourceBinding, ShaderStage, StorageAccess};

/// A shading language that a kernel can be printed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShadingLanguage {
    /// WebGPU's
    Wgsl,
    /// Metal's, 2.4
    Msl,
    /// OpenGL's, 4.30
    Glsl,
}

/// `wgsl`, a kernel's whole text, in `language`. Each buffer keeps its binding as its slot; MSL has the buffers' sizes in
/// the slot after the last.
///
/// # Errors
/// When naga cannot write it.
pub(crate) fn written(wgsl: &str, language: ShadingLanguage) -> anyhow::Result<String> {
    match language {
        ShadingLanguage::Wgsl => Ok(wgsl.to_owned()),
        ShadingLanguage::Msl => {
            let (module, info) = checked(wgsl)?;
            msl_text(&module, &info)
        }
        ShadingLanguage::Glsl => {
            let (module, info) = checked(wgsl)?;
            glsl_text(&module, &info)
        }
    }
}

fn checked(wgsl: &str) -> anyhow::Result<(Module, ModuleInfo)> {
    let module = naga::front::wgsl::parse_str(wgsl)
        .map_err(|error| anyhow!("{}", error.emit_to_string(wgsl)))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .map_err(|error| anyhow!("{}", error.emit_to_string(wgsl)))?;
    Ok((module, info))
}

/// The name of the one entry point.
fn entry(module: &Module) -> anyhow::Result<String> {
    let first = module.entry_points.first().context("there is no kernel")?;
    Ok(first.name.clone())
}

/// Each buffer with its place in the first group, and whether it is written.
fn buffers(module: &Module) -> impl Iterator<Item = (ResourceBinding, u8, bool)> + '_ {
    module.global_variables.iter().filter_map(|(_, variable)| {
        let binding = variable.binding?;
        let is_written = match variable.space {
            AddressSpace::Storage { access } => access.contains(StorageAccess::STORE),
            _ => false,
        };
        Some((binding, u8::try_from(binding.binding).ok()?, is_written))
    })
}

fn msl_text(module: &Module, info: &ModuleInfo) -> anyhow::Result<String> {
    let mut resources = msl::EntryPointResources::default();
    for (binding, slot, mutable) in buffers(module) {
        let target = msl::BindTarget {
            buffer: Some(slot),
            mutable,
            ..msl::BindTarget::default()
        };
        resources.resources.insert(binding, target);
    }
    let last = buffers(module).map(|(_, slot, _)| slot).max();
    resources.sizes_buffer = Some(last.map_or(0, |slot| slot.saturating_add(1)));
    let options = msl::Options {
        lang_version: (2, 4),
        per_entry_point_map: [(entry(module)?, resources)].into(),
        fake_missing_bindings: false,
        ..msl::Options::default()
    };
    let (text, _) = msl::write_string(module, info, &options, &msl::PipelineOptions::default())?;
    Ok(text)
}

fn glsl_text(module: &Module, info: &ModuleInfo) -> anyhow::Result<String> {
    let options = glsl::Options {
        version: glsl::Version::Desktop(430),
        writer_flags: glsl::WriterFlags::empty(),
        binding_map: buffers(module)
            .map(|(binding, slot, _)| (binding, slot))
            .collect(),
        zero_initialize_workgroup_memory: true,
    };
    let pipeline = glsl::PipelineOptions {
        shader_stage: ShaderStage::Compute,
        entry_point: entry(module)?,
        multiview: None,
    };
    let mut text = String::new();
    let policies = BoundsCheckPolicies::default();
    glsl::Writer::new(&mut text, module, info, &options, &pipeline, policies)?.write()?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{ShadingLanguage, written};

    const WGSL: &str = "@group(0) @binding(0) var<storage, read> a: array<f32>;
        @group(0) @binding(3) var<storage, read_write> b: array<f32>;
        @compute @workgroup_size(64)
        fn twice(@builtin(local_invocation_id) at: vec3<u32>) { b[at.x] = 2.0 * a[at.x]; }";

    #[test]
    fn buffers_keep_their_slots() {
        let msl = written(WGSL, ShadingLanguage::Msl).expect("MSL");
        assert!(
            msl.contains("kernel void twice") && msl.contains("[[buffer(3)]]"),
            "{msl}"
        );
        assert!(msl.contains("[[buffer(4)]]"), "{msl}");
        let glsl = written(WGSL, ShadingLanguage::Glsl).expect("GLSL");
        assert!(glsl.starts_with("#version 430 core"), "{glsl}");
        assert!(
            glsl.contains("binding = 3") && glsl.contains("local_size_x = 64"),
            "{glsl}"
        );
        assert_eq!(written(WGSL, ShadingLanguage::Wgsl).expect("WGSL"), WGSL);
    }

    #[test]
    fn a_text_with_a_mistake_is_an_error() {
        assert!(written("fn f() { x }", ShadingLanguage::Msl).is_err());
    }
}
