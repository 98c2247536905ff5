//! A kernel's WGSL in the languages of other machines, as naga writes them.

use crate::{Interface, enable};
use naga::back::pipeline_constants::process_overrides;
use naga::back::{PipelineConstants, glsl, msl};
use naga::proc::BoundsCheckPolicies;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{AddressSpace, Module, ResourceBinding, ShaderStage, StorageAccess};

/// A shading language that naga writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShadingLanguage {
    /// Metal's, 2.4.
    Msl,
    /// OpenGL's, 4.30.
    Glsl,
}

/// One kernel of the text `wgsl` in `language`, with the values that its overrides have: the entry point of `interface`,
/// or the only one where that names none. Each buffer keeps its binding as its slot; MSL has the buffers' sizes in the slot
/// after the last.
///
/// # Errors
/// When naga cannot write it: why.
pub fn written(
    wgsl: &str,
    interface: &Interface,
    language: ShadingLanguage,
) -> Result<String, String> {
    let text = enable::without_granted(wgsl);
    let (module, info) = checked(&text)?;
    let entry = entry(&module, interface)?;
    let constants: PipelineConstants = interface.constants.iter().cloned().collect();
    let chosen = Some((ShaderStage::Compute, entry.as_str()));
    let (module, info) =
        process_overrides(&module, &info, chosen, &constants).map_err(|error| error.to_string())?;
    match language {
        ShadingLanguage::Msl => msl_text(&module, &info, entry),
        ShadingLanguage::Glsl => glsl_text(&module, &info, entry),
    }
}

fn checked(wgsl: &str) -> Result<(Module, ModuleInfo), String> {
    let module = naga::front::wgsl::parse_str(wgsl).map_err(|error| error.emit_to_string(wgsl))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .map_err(|error| error.emit_to_string(wgsl))?;
    Ok((module, info))
}

/// The name of the entry point that is asked for, or of the first.
fn entry(module: &Module, interface: &Interface) -> Result<String, String> {
    if !interface.entry.is_empty() {
        return Ok(interface.entry.clone());
    }
    let first = module.entry_points.first().ok_or("there is no kernel")?;
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

fn msl_text(module: &Module, info: &ModuleInfo, entry: String) -> Result<String, String> {
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
        per_entry_point_map: [(entry, resources)].into(),
        fake_missing_bindings: false,
        ..msl::Options::default()
    };
    let pipeline = msl::PipelineOptions::default();
    msl::write_string(module, info, &options, &pipeline)
        .map(|(text, _)| text)
        .map_err(|error| error.to_string())
}

fn glsl_text(module: &Module, info: &ModuleInfo, entry: String) -> Result<String, String> {
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
        entry_point: entry,
        multiview: None,
    };
    let mut text = String::new();
    let policies = BoundsCheckPolicies::default();
    let writer = glsl::Writer::new(&mut text, module, info, &options, &pipeline, policies);
    writer
        .and_then(|mut writer| writer.write())
        .map_err(|error| error.to_string())?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{ShadingLanguage, written};
    use crate::Interface;

    const WGSL: &str = "@group(0) @binding(0) var<storage, read> a: array<f32>;
        @group(0) @binding(3) var<storage, read_write> b: array<f32>;
        @compute @workgroup_size(64)
        fn twice(@builtin(local_invocation_id) at: vec3<u32>) { b[at.x] = 2.0 * a[at.x]; }";

    #[test]
    fn buffers_keep_their_slots() {
        let of = |language| written(WGSL, &Interface::default(), language).expect("text");
        let msl = of(ShadingLanguage::Msl);
        assert!(
            msl.contains("kernel void twice") && msl.contains("[[buffer(3)]]"),
            "{msl}"
        );
        assert!(msl.contains("[[buffer(4)]]"), "{msl}");
        let glsl = of(ShadingLanguage::Glsl);
        assert!(glsl.starts_with("#version 430 core"), "{glsl}");
        assert!(
            glsl.contains("binding = 3") && glsl.contains("local_size_x = 64"),
            "{glsl}"
        );
    }

    #[test]
    fn overrides_have_their_values_and_one_entry_point_is_written() {
        let text = "override SIDE: u32 = 8;
            @group(0) @binding(0) var<storage, read_write> b: array<u32>;
            @compute @workgroup_size(SIDE) fn one(@builtin(local_invocation_index) i: u32) { b[i] = SIDE; }
            @compute @workgroup_size(2) fn other(@builtin(local_invocation_index) i: u32) { b[i] = 7u; }";
        let interface = Interface {
            entry: "one".to_owned(),
            constants: vec![("SIDE".to_owned(), 16.0)],
            ..Interface::default()
        };
        let glsl = written(text, &interface, ShadingLanguage::Glsl).expect("GLSL");
        assert!(glsl.contains("local_size_x = 16"), "{glsl}");
        assert!(!glsl.contains("7u"), "{glsl}");
    }

    #[test]
    fn a_text_with_a_mistake_is_an_error() {
        let interface = Interface::default();
        assert!(written("fn f() { x }", &interface, ShadingLanguage::Msl).is_err());
    }
}
