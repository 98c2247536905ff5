//! Sizes and contents of the buffers that a run was not told of: as far as the launch goes into them, filled with numbers
//! where no address depends on what they hold.

use lanescope_frontend::{Language, Program};
use lanescope_ir::{Kernel, Parameter};
use lanescope_simt::{Budget, Contents, Launch, ParameterValue, proved_extents, reached_bytes};
use serde::{Deserialize, Serialize};

/// Seed of the numbers that a buffer gets.
const SEED: u64 = 1;

/// Blocks of a launch that are run each to see how far they go.
const FEW_BLOCKS: u64 = 64;

/// What was taken for a parameter that nobody gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// The parameter.
    pub name: String,
    /// What it got.
    pub given: Given,
    /// Whether its size is that of host code, and only what it holds was taken.
    pub is_sized: bool,
}

/// What a parameter that nobody gave got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Given {
    /// A buffer of so many elements, which hold zeros.
    Zeros(u64),
    /// Element i of so many holds i.
    Iota(u64),
    /// Numbers drawn at random.
    Random(u64),
    /// A buffer whose bytes were given, of so many elements.
    Bytes(u64),
    /// The number 0.
    Zero,
}

/// Whether no address and no access of a program depends on what memory holds, as its text says.
pub(crate) fn is_free_of_data(program: &Program, source: &str) -> bool {
    let is_followed = !Language::of(source).is_compiled();
    let mut sites = program.sites().iter();
    is_followed && sites.all(|site| site.depends_on.is_none() && site.reached_by.is_none())
}

/// Completes what the launch leaves open, and returns what was taken. A buffer whose size cannot be found stays without
/// one.
pub(crate) fn complete(
    kernel: &Kernel,
    launch: &mut Launch,
    lanes: u32,
    budget: Budget,
) -> Vec<Taken> {
    let mut taken = sized(kernel, launch, lanes, budget);
    let values = kernel.parameters.iter().zip(&launch.parameters);
    let missing = values.filter(|(_, value)| **value == ParameterValue::Missing);
    taken.extend(missing.map(|(parameter, _)| Taken {
        name: parameter.name.clone(),
        given: Given::Zero,
        is_sized: false,
    }));
    taken
}

/// Gives contents to the buffers `named`, whose sizes are known and of which nobody said what they hold: numbers where the kernel
/// `is_free` of data in its addresses.
pub(crate) fn fill_sized(
    kernel: &Kernel,
    launch: &mut Launch,
    named: &[String],
    is_free: bool,
) -> Vec<Taken> {
    let contents = if is_free {
        Contents::Random(SEED)
    } else {
        Contents::Zero
    };
    let parameters = kernel.parameters.iter().zip(&launch.parameters).enumerate();
    let blank = parameters
        .filter(|(_, (parameter, value))| named.contains(&parameter.name) && is_blank(value));
    let blank: Vec<usize> = blank.map(|(at, _)| at).collect();
    let take = |at: usize| size(kernel, launch, at, 0, &contents);
    blank.into_iter().filter_map(take).collect()
}

/// Gives each buffer without a size one.
fn sized(kernel: &Kernel, launch: &mut Launch, lanes: u32, budget: Budget) -> Vec<Taken> {
    let all = launch.parameters.iter().enumerate();
    let open: Vec<usize> = all
        .filter(|(_, value)| is_open(value))
        .map(|(at, _)| at)
        .collect();
    if open.is_empty() {
        return Vec::new();
    }
    // Where nothing depends on what the buffers hold, they may hold anything.
    let choices = [
        (Contents::Unknown, Contents::Random(SEED)),
        (Contents::Zero, Contents::Zero),
    ];
    for (tried, contents) in choices {
        for at in &open {
            if let Some(value) = launch.parameters.get_mut(*at) {
                hold(value, &tried);
            }
        }
        if let Some(reached) = extents(kernel, launch, lanes, budget) {
            let take = |at| {
                let bytes = reached.get(at).copied().unwrap_or(0);
                size(kernel, launch, at, bytes, &contents)
            };
            return open.into_iter().filter_map(take).collect();
        }
    }
    Vec::new()
}

/// How far the launch goes into each buffer: of few blocks each is run, of many it is proved by classes where it can be.
fn extents(kernel: &Kernel, launch: &Launch, lanes: u32, budget: Budget) -> Option<Vec<u64>> {
    let each = || reached_bytes(kernel, launch, lanes, budget);
    if launch.grid_blocks() <= FEW_BLOCKS {
        return each();
    }
    proved_extents(kernel, launch, lanes, budget).or_else(each)
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

/// Whether the size of a buffer was said, and not what it holds.
const fn is_blank(value: &ParameterValue) -> bool {
    matches!(
        value,
        ParameterValue::Buffer {
            bytes: Some(_),
            contents: Contents::Unknown,
            ..
        }
    )
}

/// Gives a buffer contents, unless the launch says them.
fn hold(value: &mut ParameterValue, given: &Contents) {
    if let ParameterValue::Buffer { contents, .. } = value
        && matches!(contents, Contents::Unknown | Contents::Zero)
    {
        *contents = given.clone();
    }
}

fn size(
    kernel: &Kernel,
    launch: &mut Launch,
    at: usize,
    reached: u64,
    given: &Contents,
) -> Option<Taken> {
    let parameter = kernel.parameters.get(at)?;
    let value = launch.parameters.get_mut(at)?;
    hold(value, given);
    let ParameterValue::Buffer {
        bytes, contents, ..
    } = value
    else {
        return None;
    };
    let element = element_bytes(kernel, parameter);
    let is_sized = bytes.is_some();
    let reached = bytes.unwrap_or(reached);
    let elements = reached.div_ceil(element).max(1);
    bytes.get_or_insert(elements * element);
    Some(Taken {
        name: parameter.name.clone(),
        given: match contents {
            Contents::Random(_) => Given::Random(elements),
            Contents::Iota => Given::Iota(elements),
            Contents::Zero | Contents::Unknown => Given::Zeros(elements),
            Contents::Bytes(_) => Given::Bytes(elements),
        },
        is_sized,
    })
}

fn element_bytes(kernel: &Kernel, parameter: &Parameter) -> u64 {
    let array = parameter.array.and_then(|id| kernel.arrays.get(id.index()));
    array.map_or(4, |array| array.element_bytes.max(1))
}
