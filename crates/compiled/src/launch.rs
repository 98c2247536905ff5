//! The launch of compiled code: parameters by position or by offset.

use crate::CompiledError;
use lanescope_ir::{Kernel, Stage};
use lanescope_lang::{ArgumentValue, Buffer, Contents as Given};
use lanescope_launches::{LaunchRecord, RecordedArgument};
use lanescope_sass::{Argument, set_parameters};
use lanescope_simt::{Blocks, Contents, Launch, ParameterValue};

/// An argument by the parameter's name, position or offset.
#[derive(Clone, Debug)]
pub struct NamedArgument {
    /// `0`, `@0x18`, or the name that PTX or a record has.
    pub name: String,
    /// The value as written: suffixes and element types say how many bytes it has.
    pub text: String,
    /// The value.
    pub value: ArgumentValue,
}

/// What is given of a launch; it wins over the record.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaunchOptions<'o> {
    /// A recorded launch.
    pub record: Option<&'o LaunchRecord>,
    /// Blocks along x, y, z.
    pub grid: Option<[u32; 3]>,
    /// Threads of a block along x, y, z.
    pub block: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared_bytes: Option<u64>,
    /// Arguments.
    pub arguments: &'o [NamedArgument],
    /// Run only so many blocks.
    pub blocks: Option<u64>,
}

/// A parameter and what it is given.
struct Slot {
    argument: Argument,
    value: ParameterValue,
}

/// The launch that options and a record describe; the kernel gets its parameters.
///
/// # Errors
/// When an argument names neither a position nor an offset, or nobody says how many threads a block has.
pub fn launch(options: &LaunchOptions<'_>, kernel: &mut Kernel) -> Result<Launch, CompiledError> {
    let record = options.record;
    let recorded = record.map(|record| record.arguments.as_slice());
    let mut slots: Vec<Slot> = recorded.unwrap_or_default().iter().map(of_record).collect();
    let is_declared = kernel.stage == Stage::Ptx;
    if is_declared {
        declare(&mut slots, kernel);
    }
    for argument in options.arguments {
        let name = &argument.name;
        match declared_at(kernel, name).filter(|_| is_declared) {
            Some(at) => set(&mut slots, &at.to_string(), argument)?,
            None => set(&mut slots, name, argument)?,
        }
    }
    if !is_declared {
        let arguments: Vec<Argument> = slots.iter().map(|slot| slot.argument.clone()).collect();
        set_parameters(kernel, &arguments);
    }
    let extent =
        |own: Option<[u32; 3]>, of: fn(&LaunchRecord) -> [u32; 3]| own.or_else(|| record.map(of));
    let block = extent(options.block, |record| record.block).or(kernel.block_size);
    Ok(Launch {
        grid: extent(options.grid, |record| record.grid).unwrap_or([1; 3]),
        block: block.ok_or(CompiledError::NoBlock)?,
        dynamic_shared_bytes: options
            .dynamic_shared_bytes
            .or_else(|| record.map(|record| record.dynamic_shared_bytes))
            .unwrap_or(0),
        parameters: slots.into_iter().map(|slot| slot.value).collect(),
        variables: Vec::new(),
        blocks: options.blocks.map_or(Blocks::All, Blocks::First),
    })
}

/// Adds the parameters that the text declares and nobody recorded.
fn declare(slots: &mut Vec<Slot>, kernel: &Kernel) {
    for parameter in kernel.parameters.iter().skip(slots.len()) {
        slots.push(Slot {
            argument: Argument {
                name: parameter.name.clone(),
                bytes: parameter.bytes,
                offset: None,
                is_pointer: parameter.array.is_some(),
            },
            value: ParameterValue::Missing,
        });
    }
}

/// The position of the parameter that PTX calls so, or that begins at `@0x18`.
fn declared_at(kernel: &Kernel, name: &str) -> Option<usize> {
    let offset = name.strip_prefix('@').and_then(offset);
    kernel.parameters.iter().position(|parameter| {
        parameter.name == name || offset.is_some_and(|offset| parameter.offset == offset)
    })
}

/// Bytes, decimal or with `0x`.
fn offset(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

fn of_record(recorded: &RecordedArgument) -> Slot {
    let value = match recorded.pointer {
        Some(pointer) => ParameterValue::Buffer {
            bytes: Some(pointer.range),
            base_offset: pointer.modulo.wrapping_sub(pointer.base_off) % 1024,
            contents: Contents::Unknown,
            offset_in_allocation: pointer.base_off,
        },
        None if recorded.hex.is_empty() => ParameterValue::Missing,
        None => ParameterValue::Bytes(recorded.value()),
    };
    Slot {
        argument: Argument {
            name: recorded.name.clone().unwrap_or_default(),
            bytes: recorded.bytes,
            offset: None,
            is_pointer: recorded.pointer.is_some(),
        },
        value,
    }
}

/// `--arg 0=…`, `--arg @0x18=…`, or the name that a record has.
fn set(slots: &mut Vec<Slot>, name: &str, argument: &NamedArgument) -> Result<(), CompiledError> {
    let mut slot = slot(argument);
    let named = slots
        .iter()
        .position(|slot| !name.is_empty() && slot.argument.name == name);
    if let Some(given) = name.strip_prefix('@') {
        let place = offset(given).ok_or_else(|| CompiledError::Offset {
            name: name.to_owned(),
        })?;
        slot.argument.offset = Some(place);
        slots.push(slot);
    } else if let Some(at) = named.or_else(|| name.parse().ok()) {
        let count = slots.len();
        match slots.get_mut(at) {
            Some(known) => {
                // A recorded parameter keeps its size.
                if let (ParameterValue::Bytes(bytes), false) =
                    (&mut slot.value, known.argument.bytes == 0)
                {
                    bytes.resize(usize::try_from(known.argument.bytes).unwrap_or(0), 0);
                }
                known.argument.is_pointer = slot.argument.is_pointer;
                known.value = slot.value;
            }
            None if at == count => slots.push(slot),
            None => return Err(CompiledError::Gap { at, count }),
        }
    } else {
        return Err(CompiledError::Parameter {
            name: name.to_owned(),
        });
    }
    Ok(())
}

fn slot(given: &NamedArgument) -> Slot {
    let text = given.text.as_str();
    let bytes = match given.value {
        ArgumentValue::Integer(value) => match i32::try_from(value) {
            Ok(_) if !text.ends_with(['l', 'L']) => low_bytes(value, 4),
            _ => low_bytes(value, 8),
        },
        ArgumentValue::Real(value) if text.ends_with(['f', 'F']) => {
            #[allow(clippy::cast_possible_truncation)]
            let single = value as f32;
            single.to_le_bytes().to_vec()
        }
        ArgumentValue::Real(value) => value.to_le_bytes().to_vec(),
        ArgumentValue::Buffer(buffer) => return pointer(buffer, text),
    };
    Slot {
        argument: Argument {
            bytes: u32::try_from(bytes.len()).unwrap_or(8),
            ..Argument::default()
        },
        value: ParameterValue::Bytes(bytes),
    }
}

fn low_bytes(value: i64, count: usize) -> Vec<u8> {
    value.to_le_bytes().into_iter().take(count).collect()
}

fn pointer(buffer: Buffer, text: &str) -> Slot {
    let width = text
        .split_once('[')
        .and_then(|(ty, _)| {
            ty.trim_start_matches(|c: char| !c.is_ascii_digit())
                .parse::<u64>()
                .ok()
        })
        .map_or(1, |bits| (bits / 8).max(1));
    Slot {
        argument: Argument {
            bytes: 8,
            is_pointer: true,
            ..Argument::default()
        },
        value: ParameterValue::Buffer {
            bytes: buffer
                .elements
                .map(|elements| elements.saturating_mul(width)),
            base_offset: buffer.base_offset,
            contents: match buffer.contents {
                Given::Zero => Contents::Unknown,
                Given::Iota => Contents::Iota,
                Given::Random(seed) => Contents::Random(seed),
            },
            offset_in_allocation: 0,
        },
    }
}
