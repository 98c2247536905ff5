//! WGSL that runs as it is: no translation, the text's own entry point, bindings and overrides.

use lanescope_emit::{
    Binding, BufferSource, Emitted, Field, FieldValue, RefusalKind, Scalar, Uniform,
};
use lanescope_ir::Kernel;
use lanescope_lab::Fault;
use lanescope_wgsl::{Binding as Bound, Holds, Interface};

use crate::{Refusal, Setting};

/// Bytes of a word, of which all that is bound has whole ones.
const WORD_BYTES: u64 = 4;

/// A kernel's own text with what it binds.
///
/// # Errors
/// What the device has no room for, or no launch has.
pub(crate) fn text(
    kernel: &Kernel,
    source: &str,
    interface: &Interface,
    setting: &Setting,
) -> Result<Emitted, Refusal> {
    check(interface, setting)?;
    let mut bindings = Vec::new();
    let mut uniforms = Vec::new();
    for bound in &interface.bindings {
        match bound.holds {
            Holds::Buffer {
                is_read,
                is_written,
            } => bindings.push(buffer(kernel, bound, [is_read, is_written, false])?),
            Holds::UniformBuffer => bindings.push(buffer(kernel, bound, [true, false, true])?),
            Holds::Numbers { offset } => uniforms.push(numbers(bound, offset)),
            Holds::Foreign => {
                let needs = format!("`{}`, a texture, a sampler or immediate data", bound.name);
                return Err(Refusal::Device(Fault::Unavailable { needs }));
            }
        }
    }
    let most = setting.emitted_limits().buffers;
    let storage = bindings
        .iter()
        .filter(|binding| !binding.is_uniform)
        .count();
    if storage > most as usize {
        let buffers = storage;
        return Err(untranslated(RefusalKind::TooManyBuffers { buffers, most }));
    }
    let lines = source.lines().count();
    // A browser wants an extension named that naga, which checks texts elsewhere, refuses to hear of.
    let own = match cfg!(target_family = "wasm") {
        true => source.to_owned(),
        false => lanescope_wgsl::without_granted(source).into_owned(),
    };
    Ok(Emitted {
        text: own,
        entry: interface.entry.clone(),
        constants: interface.constants.clone(),
        bindings,
        uniforms,
        watch: None,
        workgroup_size: interface.workgroup_size,
        workgroup_bytes: interface.workgroup_bytes,
        folds: false,
        notes: Vec::new(),
        lines: (1..).take(lines).collect(),
    })
}

/// Refuses a workgroup that the device has no room for.
fn check(interface: &Interface, setting: &Setting) -> Result<(), Refusal> {
    let limits = setting.emitted_limits();
    let sides = interface.workgroup_size;
    let threads = sides.iter().map(|side| u64::from(*side)).product::<u64>();
    if threads > u64::from(limits.threads) {
        let most = limits.threads;
        return Err(untranslated(RefusalKind::BlockTooLarge { threads, most }));
    }
    if let Some((side, most)) = sides
        .iter()
        .zip(limits.sides)
        .find(|(side, most)| **side > *most)
    {
        let threads = u64::from(*side);
        return Err(untranslated(RefusalKind::BlockTooLarge { threads, most }));
    }
    let (bytes, most) = (interface.workgroup_bytes, limits.shared_bytes);
    if bytes > u64::from(most) {
        return Err(untranslated(RefusalKind::SharedTooLarge { bytes, most }));
    }
    Ok(())
}

fn untranslated(kind: RefusalKind) -> Refusal {
    Refusal::Untranslated { line: 0, kind }
}

/// A buffer of the launch, as the text binds it.
fn buffer(
    kernel: &Kernel,
    bound: &Bound,
    [is_read, is_written, is_uniform]: [bool; 3],
) -> Result<Binding, Refusal> {
    let mut parameters = kernel.parameters.iter();
    let position =
        parameters.position(|parameter| parameter.array.is_some() && parameter.name == bound.name);
    let position = position.and_then(|at| u32::try_from(at).ok());
    Ok(Binding {
        group: bound.group,
        binding: bound.binding,
        name: bound.name.clone(),
        source: BufferSource::Parameter(position.ok_or(Refusal::NoKernel)?),
        element: String::new(),
        least_bytes: bound.least_bytes.next_multiple_of(WORD_BYTES),
        granule_bytes: WORD_BYTES,
        is_uniform,
        is_read,
        is_written,
    })
}

/// A uniform of numbers, which lie among the launch's as they do in it.
fn numbers(bound: &Bound, offset: u64) -> Uniform {
    let word = |at: u64| Field {
        name: format!("word_{at}"),
        scalar: Scalar::U32,
        value: FieldValue::Parameter(u32::try_from(offset + at * WORD_BYTES).unwrap_or(u32::MAX)),
    };
    Uniform {
        group: bound.group,
        binding: bound.binding,
        fields: (0..bound.least_bytes.div_ceil(WORD_BYTES))
            .map(word)
            .collect(),
    }
}
