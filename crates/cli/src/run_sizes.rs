//! Sizes and contents of the buffers that a run was not told of: as far as the launch goes into them, filled with numbers
//! where no address depends on what they hold.

use crate::output;
use lanescope_ir::{Kernel, Parameter};
use lanescope_simt::{Budget, Contents, Launch, ParameterValue, reached_bytes};

/// Seed of the numbers that a buffer gets.
const SEED: u64 = 1;

/// Completes what the launch leaves open of its buffers, and says of each what was taken. A buffer whose size cannot be
/// found stays without one.
pub(crate) fn complete(kernel: &Kernel, launch: &mut Launch, lanes: u32, budget: Budget) {
    let open: Vec<usize> = (0..launch.parameters.len())
        .filter(|at| is_open(&launch.parameters[*at]))
        .collect();
    if !open.is_empty() {
        let contents = [Contents::Unknown, Contents::Zero];
        let found = contents.into_iter().find_map(|contents| {
            for at in &open {
                hold(&mut launch.parameters[*at], &contents);
            }
            let reached = reached_bytes(kernel, launch, lanes, budget)?;
            Some((reached, contents))
        });
        if let Some((reached, contents)) = found {
            let is_free = contents == Contents::Unknown;
            let contents = if is_free {
                Contents::Random(SEED)
            } else {
                Contents::Zero
            };
            for at in open {
                let bytes = reached.get(at).copied().unwrap_or(0);
                size(kernel, launch, at, bytes, &contents);
            }
        }
    }
    for (parameter, value) in kernel.parameters.iter().zip(&launch.parameters) {
        if *value == ParameterValue::Missing {
            output::complain(&format!(
                "note: `{}` was not given: --arg {0}=…; 0 is taken",
                parameter.name
            ));
        }
    }
}

/// Whether nobody said how large a buffer is.
fn is_open(value: &ParameterValue) -> bool {
    match value {
        ParameterValue::Buffer {
            bytes: None,
            contents,
            ..
        } => !matches!(contents, Contents::Bytes(_)),
        ParameterValue::Buffer { .. } | ParameterValue::Bytes(_) | ParameterValue::Missing => false,
    }
}

/// Gives a buffer contents, unless the launch says them.
fn hold(value: &mut ParameterValue, given: &Contents) {
    if let ParameterValue::Buffer { contents, .. } = value
        && matches!(contents, Contents::Unknown | Contents::Zero)
    {
        *contents = given.clone();
    }
}

fn size(kernel: &Kernel, launch: &mut Launch, at: usize, reached: u64, given: &Contents) {
    let (Some(parameter), Some(value)) = (kernel.parameters.get(at), launch.parameters.get_mut(at))
    else {
        return;
    };
    let element = element_bytes(kernel, parameter);
    hold(value, given);
    if let ParameterValue::Buffer {
        bytes, contents, ..
    } = value
    {
        let elements = reached.div_ceil(element).max(1);
        *bytes = Some(elements * element);
        output::complain(&format!(
            "note: `{}` was not given: {elements} elements, as far as the launch goes, {}; --arg {0}=… says otherwise",
            parameter.name,
            match contents {
                Contents::Random(_) => "random",
                Contents::Iota => "counted up",
                Contents::Zero | Contents::Unknown | Contents::Bytes(_) => "zeros",
            }
        ));
    }
}

fn element_bytes(kernel: &Kernel, parameter: &Parameter) -> u64 {
    let array = parameter.array.and_then(|id| kernel.arrays.get(id.index()));
    array.map_or(4, |array| array.element_bytes.max(1))
}
