//! What the source of compiled code says of its launch.

use lanescope_frontend::{ArgumentValue, NamedLaunch, Program};

/// A parameter as the source declares it.
#[derive(Clone, Debug)]
pub struct SourceParameter {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub bytes: u32,
    /// Bytes of what it points to; `None` where it is no pointer.
    pub element_bytes: Option<u64>,
    /// What host code of the same text passes.
    pub value: Option<i64>,
}

/// What is known of a launch besides options and record.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Parameters of the source in order; empty where there is none, or where a parameter is not understood.
    pub parameters: Vec<SourceParameter>,
    /// Blocks, as host code launches the kernel.
    pub grid: Option<[u32; 3]>,
    /// Threads of a block.
    pub block: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared_bytes: Option<u64>,
}

impl Known {
    /// What a program says of its parameters, and `launch` of their values. Empty where one is not understood.
    #[must_use]
    pub fn of(program: &Program, launch: &NamedLaunch) -> Self {
        Self {
            parameters: parameters(program, launch).unwrap_or_default(),
            ..Self::default()
        }
    }
}

/// The kernel's parameters in order; `None` where one is not understood.
fn parameters(program: &Program, launch: &NamedLaunch) -> Option<Vec<SourceParameter>> {
    let mut list: Vec<SourceParameter> = Vec::new();
    for parameter in program.parameters() {
        let Some(passed) = parameter.passed else {
            continue;
        };
        let position = usize::try_from(passed.position).ok()?;
        if position < list.len() {
            // A further part of a structure: it has no name of its own.
            list.get_mut(position)?.name.clear();
            continue;
        }
        if position > list.len() {
            return None;
        }
        let array = parameter.array.and_then(|id| program.array(id));
        let mut values = launch.arguments.iter().rev();
        let value = values.find(|argument| argument.name == parameter.name);
        list.push(SourceParameter {
            name: parameter.name.clone(),
            bytes: u32::try_from(passed.of_bytes).ok()?,
            element_bytes: array.map(|array| array.element_bytes),
            value: value.and_then(|argument| match argument.value {
                ArgumentValue::Integer(value) if array.is_none() => Some(value),
                ArgumentValue::Integer(_) | ArgumentValue::Real(_) | ArgumentValue::Buffer(_) => {
                    None
                }
            }),
        });
    }
    Some(list)
}
