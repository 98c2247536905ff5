//! The launch of compiled code: parameters by position or by offset.

mod value;

use crate::numba::{self, NumbaParameter};
use crate::parameters::{give_parameters, pointer_offsets, within, words};
use crate::{CompiledError, Known, Selected, demangled, roles, signature};
use lanescope_frontend::{self as source, ArgumentValue, Buffer, Parsed, Program};
use lanescope_ir::{Kernel, ScalarType, Stage};
use lanescope_launches::{LaunchRecord, RecordedArgument};
use lanescope_object::{KernelInfo, ParameterPlace};
use lanescope_sass::Argument;
use lanescope_simt::{Blocks, Contents, Launch, ParameterValue};
use std::collections::BTreeSet;
use std::sync::Arc;

use value::{element_bytes, low_bytes, pointer, real, single, unbounded};

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

/// What the array holds that a parameter points to.
#[derive(Clone, Debug)]
pub struct HeldContents {
    /// The parameter, as in [`NamedArgument::name`].
    pub name: String,
    /// Its bytes; what lies behind them is unknown.
    pub bytes: Arc<[u8]>,
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
    /// What arrays hold.
    pub contents: &'o [HeldContents],
    /// Run only so many blocks.
    pub blocks: Option<u64>,
    /// What an object says of the kernel.
    pub object: Option<&'o KernelInfo>,
    /// What its source says.
    pub known: Option<&'o Known>,
    /// Whether numbers that nobody gives stay unknown, so that each access says whether it depends on one; otherwise a
    /// value is assumed for each and named.
    pub leaves_unknown: bool,
}

/// A kernel with its parameters, and how it is launched.
#[derive(Clone, Debug)]
pub struct Launched {
    /// The kernel as a program, with what is to be said of its text.
    pub parsed: Parsed,
    /// The launch.
    pub launch: source::NamedLaunch,
}

impl Selected {
    /// The kernel of `text` launched as options and a record describe; `None` where the text has no kernel that could be
    /// read.
    ///
    /// # Errors
    /// When an argument names neither a position nor an offset, or nobody says how many threads a block has.
    pub fn launched(
        self,
        text: &str,
        options: &LaunchOptions<'_>,
    ) -> Result<Option<Launched>, CompiledError> {
        let Some(mut kernel) = self.kernel else {
            return Ok(None);
        };
        let asked = launch(options, &mut kernel)?;
        let of = |value| match value {
            ParameterValue::Missing if !options.leaves_unknown => None,
            given => Some(given),
        };
        let launch = source::NamedLaunch {
            dynamic_shared_bytes: asked.dynamic_shared_bytes,
            blocks: asked.blocks,
            values: asked.parameters.into_iter().map(of).collect(),
            ..source::NamedLaunch::new(asked.grid, asked.block)
        };
        let roles = roles::roles(&kernel, text);
        let names = vec![kernel.name.clone()];
        Ok(Some(Launched {
            parsed: Parsed {
                program: Program::new(kernel, text, names).with_roles(roles),
                diagnostics: self.diagnostics,
            },
            launch,
        }))
    }
}

/// A parameter and what it is given.
struct Slot {
    argument: Argument,
    /// Bytes of what it points to, where the source says.
    element_bytes: u64,
    /// Whether it is a floating-point number.
    is_real: bool,
    value: ParameterValue,
}

/// The launch that options and a record describe; the kernel gets its parameters.
fn launch(options: &LaunchOptions<'_>, kernel: &mut Kernel) -> Result<Launch, CompiledError> {
    let record = options.record;
    let recorded = record.map(|record| record.arguments.as_slice());
    let mut slots: Vec<Slot> = recorded.unwrap_or_default().iter().map(of_record).collect();
    let is_declared = kernel.stage == Stage::Ptx;
    if is_declared {
        declare(&mut slots, kernel);
    } else if let Some(object) = options.object {
        place(&mut slots, &object.parameters, &pointer_offsets(kernel));
    } else if record.is_none()
        && let Some(places) = signature::places(&kernel.name)
    {
        place(&mut slots, &places, &pointer_offsets(kernel));
    }
    let nothing = Known::default();
    let known = options.known.unwrap_or(&nothing);
    name(&mut slots, known);
    let mut names = options
        .arguments
        .iter()
        .map(|argument| argument.name.as_str());
    if slots.is_empty() && names.all(|name| name.starts_with('@')) {
        give_parameters(kernel, &[]);
        declare(&mut slots, kernel);
    }
    mark_reals(&mut slots, kernel);
    for argument in options.arguments {
        let name = &argument.name;
        match declared_at(kernel, name).filter(|_| is_declared) {
            Some(at) => set(&mut slots, &at.to_string(), argument)?,
            None => set(&mut slots, name, argument)?,
        }
    }
    for held in options.contents {
        let declared = declared_at(kernel, &held.name).filter(|_| is_declared);
        hold(&mut slots, declared, held)?;
    }
    imply(&mut slots, numba::parameters(&kernel.name).as_deref());
    if !is_declared {
        slots = parts(slots, kernel);
        let arguments: Vec<Argument> = slots.iter().map(|slot| slot.argument.clone()).collect();
        give_parameters(kernel, &arguments);
    }
    let extent = |own: Option<[u32; 3]>, of: fn(&LaunchRecord) -> [u32; 3], other| {
        own.or_else(|| record.map(of)).or(other)
    };
    let object = options.object.and_then(|object| object.block);
    let fixed = kernel.block_size.or(object).or(known.block);
    let block = extent(options.block, |record| record.block, fixed);
    Ok(Launch {
        grid: extent(options.grid, |record| record.grid, known.grid).unwrap_or([1; 3]),
        block: block.ok_or(CompiledError::NoBlock)?,
        dynamic_shared_bytes: options
            .dynamic_shared_bytes
            .or_else(|| record.map(|record| record.dynamic_shared_bytes))
            .or(known.dynamic_shared_bytes)
            .unwrap_or(0),
        parameters: slots.into_iter().map(|slot| slot.value).collect(),
        variables: Vec::new(),
        blocks: options.blocks.map_or(Blocks::All, Blocks::First),
    })
}

fn slot_of(argument: Argument) -> Slot {
    Slot {
        value: if argument.is_pointer {
            unbounded()
        } else {
            ParameterValue::Missing
        },
        argument,
        element_bytes: 0,
        is_real: false,
    }
}

/// Marks the floating-point parameters, by what the text declares or the mangled name tells.
fn mark_reals(slots: &mut [Slot], kernel: &Kernel) {
    let full = demangled(&kernel.name);
    let types = signature::types(&full).unwrap_or_default();
    for (at, slot) in slots.iter_mut().enumerate() {
        let declared = kernel.parameters.get(at).and_then(|one| one.scalar);
        slot.is_real = match kernel.stage == Stage::Ptx {
            true => declared.is_some_and(ScalarType::is_float),
            false => matches!(types.get(at), Some(&("float" | "double"))),
        };
    }
}

/// Adds the parameters that the text declares and nobody recorded.
fn declare(slots: &mut Vec<Slot>, kernel: &Kernel) {
    for parameter in kernel.parameters.iter().skip(slots.len()) {
        slots.push(slot_of(Argument {
            name: parameter.name.clone(),
            bytes: parameter.bytes,
            offset: (kernel.stage != Stage::Ptx).then_some(parameter.offset),
            is_pointer: parameter.array.is_some(),
        }));
    }
}

/// Adds the parameters that an object has and nobody recorded, and puts all where it says.
fn place(slots: &mut Vec<Slot>, places: &[ParameterPlace], pointers: &BTreeSet<u32>) {
    for (at, place) in places.iter().enumerate() {
        match slots.get_mut(at) {
            Some(slot) => slot.argument.offset = Some(place.offset),
            None => slots.push(slot_of(Argument {
                name: format!("param_{at}"),
                bytes: place.bytes,
                offset: Some(place.offset),
                is_pointer: place.is_pointer
                    || place.bytes == 8 && pointers.contains(&place.offset),
            })),
        }
    }
}

/// The same with each structure that nobody gave a value as those of its words that the kernel reads, each a parameter of
/// its own.
fn parts(slots: Vec<Slot>, kernel: &Kernel) -> Vec<Slot> {
    let (words, pointers) = (words(kernel), pointer_offsets(kernel));
    let mut all = Vec::new();
    for (position, slot) in slots.into_iter().enumerate() {
        let argument = &slot.argument;
        let (Some(start), ParameterValue::Missing, 9..) =
            (argument.offset, &slot.value, argument.bytes)
        else {
            all.push(slot);
            continue;
        };
        let word = |(offset, bytes): (u32, u32)| {
            slot_of(Argument {
                name: format!("param_{position}_{}", offset.saturating_sub(start)),
                bytes,
                offset: Some(offset),
                is_pointer: bytes == 8 && pointers.contains(&offset),
            })
        };
        all.extend(within(start, argument.bytes, &words).map(word));
    }
    all
}

/// Gives parameters of Numba's arrays that nobody gave the values that follow for certain from those that are given.
fn imply(slots: &mut [Slot], numba: Option<&[NumbaParameter]>) {
    let list = numba.filter(|list| list.len() == slots.len());
    for (at, one) in list.unwrap_or_default().iter().enumerate() {
        let known = |at: u32| match &slots.get(at as usize)?.value {
            ParameterValue::Bytes(bytes) => {
                bytes.as_slice().try_into().ok().map(i64::from_le_bytes)
            }
            ParameterValue::Buffer { .. } | ParameterValue::Missing => None,
        };
        let value = one.implied.as_ref().and_then(|one| one.certain(known));
        if let (Some(value), Some(slot)) = (value, slots.get_mut(at))
            && slot.value == ParameterValue::Missing
        {
            slot.value = ParameterValue::Bytes(low_bytes(value, one.bytes));
        }
    }
}

/// Gives parameters the names of the source, and the values that its host code passes.
fn name(slots: &mut Vec<Slot>, known: &Known) {
    let is_other = !slots.is_empty() && slots.len() != known.parameters.len();
    for (at, parameter) in known.parameters.iter().enumerate().filter(|_| !is_other) {
        if slots.len() == at {
            slots.push(slot_of(Argument {
                bytes: parameter.bytes,
                is_pointer: parameter.element_bytes.is_some(),
                ..Argument::default()
            }));
        }
        let Some(slot) = slots.get_mut(at) else {
            return;
        };
        slot.argument.name.clone_from(&parameter.name);
        slot.element_bytes = parameter.element_bytes.unwrap_or(0);
        let is_open = slot.value == ParameterValue::Missing;
        if let Some(value) = parameter.value.filter(|_| is_open) {
            slot.value = ParameterValue::Bytes(low_bytes(value, slot.argument.bytes));
        } else if is_open && parameter.element_bytes.is_some() {
            slot.argument.is_pointer = true;
            slot.value = unbounded();
        }
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
            offset: recorded.offset,
            is_pointer: recorded.pointer.is_some(),
        },
        element_bytes: 0,
        is_real: false,
        value,
    }
}

/// `--arg 0=…`, `--arg @0x18=…`, or the name that a record or the source has.
fn set(slots: &mut Vec<Slot>, name: &str, argument: &NamedArgument) -> Result<(), CompiledError> {
    let (value, text) = (argument.value.clone(), argument.text.as_str());
    let given = match name.strip_prefix('@') {
        Some(text) => Some(offset(text).ok_or_else(|| CompiledError::Offset {
            name: name.to_owned(),
        })?),
        None => None,
    };
    let named = slots.iter().position(|slot| match given {
        Some(_) => slot.argument.offset == given,
        None => !name.is_empty() && slot.argument.name == name,
    });
    let at = named.or_else(|| name.parse().ok());
    if let Some(known) = at.and_then(|at| slots.get_mut(at)) {
        return give(known, value, text, name);
    }
    let mut slot = slot(value, text);
    let count = slots.len();
    match (given, at) {
        (Some(_), _) => {
            slot.argument.offset = given;
            slots.push(slot);
        }
        (None, Some(at)) if at == count => slots.push(slot),
        (None, Some(at)) => return Err(CompiledError::Gap { at, count }),
        (None, None) => {
            let names = slots.iter().map(|slot| slot.argument.name.clone());
            return Err(CompiledError::Parameter {
                name: name.to_owned(),
                names: names.filter(|name| !name.is_empty()).collect(),
            });
        }
    }
    Ok(())
}

/// Gives a known parameter a value; it keeps its size.
fn give(
    known: &mut Slot,
    value: ArgumentValue,
    text: &str,
    name: &str,
) -> Result<(), CompiledError> {
    let bytes = known.argument.bytes;
    let is_bytes = |bytes| (false, ParameterValue::Bytes(bytes));
    let (is_pointer, given) = match value {
        ArgumentValue::Integer(elements @ 1..) if known.argument.is_pointer => {
            if known.element_bytes == 0 {
                return Err(CompiledError::Pointer {
                    name: name.to_owned(),
                });
            }
            let buffer = Buffer {
                elements: Some(elements.unsigned_abs()),
                ..Buffer::default()
            };
            (true, pointer(buffer, known.element_bytes))
        }
        ArgumentValue::Integer(value) if known.is_real => is_bytes(real(value as f64, bytes)),
        ArgumentValue::Real(value) if known.is_real => is_bytes(real(value, bytes)),
        ArgumentValue::Integer(value) if bytes > 0 => is_bytes(low_bytes(value, bytes)),
        ArgumentValue::Real(value) if bytes == 4 => is_bytes(single(value).to_le_bytes().to_vec()),
        ArgumentValue::Buffer(buffer)
            if element_bytes(text).is_none() && known.element_bytes > 0 =>
        {
            (true, pointer(buffer, known.element_bytes))
        }
        ArgumentValue::Integer(_) | ArgumentValue::Real(_) | ArgumentValue::Buffer(_) => {
            let slot = slot(value, text);
            (slot.argument.is_pointer, slot.value)
        }
    };
    known.argument.is_pointer = is_pointer;
    known.value = given;
    if let ParameterValue::Bytes(all) = &mut known.value
        && bytes > 0
    {
        all.resize(usize::try_from(bytes).unwrap_or(0), 0);
    }
    Ok(())
}

/// Gives the array that a parameter points to what it holds; `declared` is the parameter's position, where a text has
/// its name.
fn hold(
    slots: &mut [Slot],
    declared: Option<usize>,
    held: &HeldContents,
) -> Result<(), CompiledError> {
    let name = &held.name;
    let offset = name.strip_prefix('@').and_then(offset);
    let position = || {
        slots.iter().position(|slot| match offset {
            Some(_) => slot.argument.offset == offset,
            None => slot.argument.name == *name,
        })
    };
    let at = declared.or_else(position).or_else(|| name.parse().ok());
    match at.and_then(|at| slots.get_mut(at)) {
        Some(Slot {
            value: ParameterValue::Buffer { contents, .. },
            ..
        }) => {
            *contents = Contents::Bytes(Arc::clone(&held.bytes));
            Ok(())
        }
        _ => Err(CompiledError::Pointer { name: name.clone() }),
    }
}

/// A parameter of which nothing but its value is known.
fn slot(value: ArgumentValue, text: &str) -> Slot {
    let bytes = match value {
        ArgumentValue::Integer(value) => match i32::try_from(value) {
            Ok(_) if !text.ends_with(['l', 'L']) => low_bytes(value, 4),
            _ => low_bytes(value, 8),
        },
        ArgumentValue::Real(value) if text.ends_with(['f', 'F']) => {
            single(value).to_le_bytes().to_vec()
        }
        ArgumentValue::Real(value) => value.to_le_bytes().to_vec(),
        ArgumentValue::Buffer(buffer) => {
            return Slot {
                argument: Argument {
                    bytes: 8,
                    is_pointer: true,
                    ..Argument::default()
                },
                element_bytes: 0,
                is_real: false,
                value: pointer(buffer, element_bytes(text).unwrap_or(1)),
            };
        }
    };
    Slot {
        argument: Argument {
            bytes: u32::try_from(bytes.len()).unwrap_or(8),
            ..Argument::default()
        },
        element_bytes: 0,
        is_real: false,
        value: ParameterValue::Bytes(bytes),
    }
}
