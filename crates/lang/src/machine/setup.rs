//! What a run needs before its first block.

use super::ghost::{Ghost, mix};
use super::memory::{Initial, Memory};
use super::races::Watch;
use super::registers::Registers;
use super::reuse::Reuse;
use super::window::Window;
use super::{Findings, Machine, Warp};
use crate::code::Preset;
use crate::launch::{ArgumentValue, Budget, Buffer, Contents, Launch};
use crate::place::{LOCAL_BASE, Region, SHARED_BASE, region};
use crate::program::Declared;
use crate::scalar::Scalar;
use crate::{ArrayId, Diagnostic, DiagnosticKind, Observer, Program, Span};
use lanescope_model::{MAX_LANES, Space};
use lanescope_syntax::Nearest;

/// The most threads of a block.
const MOST_THREADS: u64 = 1024;
/// The most bytes of shared memory that are followed.
const MOST_SHARED: u64 = 1 << 20;

pub(super) fn machine<'a>(
    program: &'a Program,
    launch: &'a Launch,
    warp_lanes: u32,
    budget: Budget,
    observer: &'a mut dyn Observer,
) -> Result<Machine<'a>, Vec<Diagnostic>> {
    let warp_lanes = (warp_lanes.max(1) as usize).min(MAX_LANES);
    let mut findings = Findings::new(budget.findings);
    let threads = launch.block_threads();
    if threads > MOST_THREADS {
        findings.say(
            Span::default(),
            1,
            1,
            DiagnosticKind::BlockTooLarge {
                threads,
                limit: MOST_THREADS,
            },
        );
        return Err(findings.list);
    }
    let warps = threads.div_ceil(warp_lanes as u64);
    let local = program.code.local_bytes as usize;
    let shared_bytes = program
        .shared_bytes
        .div_ceil(16)
        .saturating_mul(16)
        .saturating_add(launch.dynamic_shared_bytes)
        .min(MOST_SHARED);
    let bytes = Registers::bytes(&program.code, warps, warp_lanes)
        .saturating_add(threads.saturating_mul(local as u64))
        .saturating_add(shared_bytes);
    if bytes > budget.bytes {
        findings.say(
            Span::default(),
            1,
            1,
            DiagnosticKind::Stopped { requests: 0 },
        );
        return Err(findings.list);
    }
    let shared_bytes = usize::try_from(shared_bytes).unwrap_or(0);
    let warp_count = u32::try_from(warps).unwrap_or(1);
    let initial = (0..program.arrays.len())
        .map(|at| initial_of(program, launch, at))
        .collect();
    let mut machine = Machine {
        program,
        insts: &program.code.insts,
        launch,
        budget,
        observer,
        registers: Registers::new(&program.code, warp_count, warp_lanes),
        memory: Memory::new(
            shared_bytes,
            local,
            usize::try_from(threads).unwrap_or(0),
            initial,
        ),
        watch: (budget.watched_blocks > 0).then(|| Watch::new(shared_bytes)),
        findings,
        spared: vec![None; program.sites.len()],
        pending: vec![None; program.sites.len()],
        bounds: (0..program.arrays.len())
            .map(|at| bounds_of(program, launch, at))
            .collect(),
        drifts: None,
        constant: (0..program.arrays.len())
            .map(|at| {
                let is = |one: &Declared| one.constant && one.array.0 as usize == at;
                program.declared.iter().any(is)
            })
            .collect(),
        block: [0; 3],
        block_index: 0,
        first_block: 0,
        warp: 0,
        warp_lanes,
        threads,
        epoch: 0,
        steps: 0,
        requests: 0,
    };
    machine.say_of_launch();
    machine.declared_values();
    machine.presets(warp_count);
    Ok(machine)
}

fn buffer_of(program: &Program, launch: &Launch, at: usize) -> Option<Buffer> {
    let name = &program.arrays.get(at)?.name;
    let argument = launch
        .arguments
        .iter()
        .rev()
        .find(|argument| argument.name == *name)?;
    Some(match argument.value {
        ArgumentValue::Buffer(buffer) => buffer,
        ArgumentValue::Integer(elements) => Buffer {
            elements: u64::try_from(elements).ok(),
            ..Buffer::default()
        },
        ArgumentValue::Real(_) => Buffer::default(),
    })
}

fn initial_of(program: &Program, launch: &Launch, at: usize) -> Initial {
    let array = &program.arrays[at];
    let contents = buffer_of(program, launch, at).map_or(Contents::Zero, |buffer| buffer.contents);
    let is_float = ["float", "double", "half"]
        .iter()
        .any(|name| array.element.starts_with(name))
        || array.element.contains("<f");
    // A vector's elements are counted one by one.
    let element_bytes = match &array.element[..] {
        name if name.starts_with("double") || name.starts_with("long") => 8,
        name if name.starts_with("float")
            || name.starts_with("int")
            || name.starts_with("uint") =>
        {
            4
        }
        name if name.ends_with("32>") => 4,
        name if name.ends_with("16>") => 2,
        _ => array.element_bytes,
    };
    Initial {
        contents,
        base: bounds_of(program, launch, at).0,
        element_bytes,
        is_float,
    }
}

fn bounds_of(program: &Program, launch: &Launch, at: usize) -> (i64, Option<u64>) {
    let array = &program.arrays[at];
    match array.space {
        Space::Shared => {
            let bytes = array.bytes.or_else(|| {
                (!program.is_expression && launch.dynamic_shared_bytes > 0)
                    .then_some(launch.dynamic_shared_bytes)
            });
            (SHARED_BASE.wrapping_add(array.base.cast_signed()), bytes)
        }
        Space::Global => {
            let buffer = buffer_of(program, launch, at).unwrap_or_default();
            let bytes = array.bytes.or_else(|| {
                buffer
                    .elements
                    .map(|elements| elements.saturating_mul(array.element_bytes))
                    .map(|bytes| bytes.saturating_add(array.header_bytes))
            });
            (
                array
                    .base
                    .wrapping_add(buffer.base_offset & 0xffff_ffff)
                    .cast_signed(),
                bytes,
            )
        }
    }
}

impl Machine<'_> {
    fn say_of_launch(&mut self) {
        let names: Vec<&str> = self
            .program
            .parameters
            .iter()
            .map(|parameter| parameter.name.as_str())
            .collect();
        for argument in &self.launch.arguments {
            if !names.contains(&argument.name.as_str()) {
                let suggestion = Nearest::default().of(&argument.name, names.iter().copied());
                self.findings.say(
                    Span::default(),
                    1,
                    1,
                    DiagnosticKind::UnknownArgument {
                        name: argument.name.clone(),
                        suggestion,
                    },
                );
            }
        }
        if self.program.is_expression || self.launch.dynamic_shared_bytes > 0 {
            return;
        }
        let lines = self
            .program
            .arrays
            .iter()
            .filter(|array| array.space == Space::Shared && array.bytes.is_none());
        for array in lines {
            self.findings.say(
                array.span,
                array.line,
                array.column,
                DiagnosticKind::NoDynamicShared {
                    name: array.name.clone(),
                },
            );
        }
    }

    /// Puts into memory what the source says that its buffers hold.
    fn declared_values(&mut self) {
        for declared in &self.program.declared {
            let base = self.bounds[declared.array.0 as usize].0;
            for one in &declared.values {
                let at = base.wrapping_add(one.offset);
                self.memory.write(at, 0, one.scalar, one.value);
            }
        }
    }

    /// Fills the registers that hold the same for the whole launch.
    fn presets(&mut self, warps: u32) {
        let presets = &self.program.code.presets;
        for (at, (reg, preset)) in presets.iter().enumerate() {
            let symbol = Ghost {
                number: mix(at as u64 + 1, 0x5eed, 0),
                low: 0,
            };
            if !preset.is_of_block() {
                for warp in 0..warps {
                    self.registers.enter(warp);
                    self.thread_preset(*reg, *preset, warp, symbol);
                }
                continue;
            }
            let (value, ghost) = self.launch_preset(*preset, symbol);
            self.registers.set(*reg, value, ghost);
        }
    }

    fn thread_preset(&mut self, reg: crate::code::Reg, preset: Preset, warp: u32, symbol: Ghost) {
        let lanes = self.warp_lanes;
        let [x, y, _] = self.launch.block.map(|side| i64::from(side.max(1)));
        let first = i64::from(warp) * lanes as i64;
        match preset {
            Preset::Warp => self.registers.set(reg, i64::from(warp), symbol),
            Preset::Lane => self.registers.set_lanes(reg, symbol, |lane| lane as i64),
            Preset::ThreadIdx(axis) => self.registers.set_lanes(reg, symbol, |lane| {
                let rank = first + lane as i64;
                match axis {
                    0 => rank % x,
                    1 => rank / x % y,
                    _ => rank / x / y,
                }
            }),
            _ => self
                .registers
                .set_lanes(reg, symbol, |lane| first + lane as i64),
        }
    }

    fn launch_preset(&mut self, preset: Preset, symbol: Ghost) -> (i64, Ghost) {
        let side = |sides: [u32; 3], axis: u8| i64::from(sides[usize::from(axis.min(2))].max(1));
        match preset {
            Preset::Constant(value) => (value, Ghost::known(value)),
            Preset::BlockDim(axis) => (side(self.launch.block, axis), symbol),
            Preset::GridDim(axis) => (side(self.launch.grid, axis), symbol),
            Preset::WarpLanes => (self.warp_lanes as i64, symbol),
            Preset::Parameter(at) => (self.parameter(at), symbol),
            Preset::Array(id) => {
                let address = self.bounds[id.0 as usize].0;
                let ghost = match region(address) {
                    Region::Shared => in_shared_memory(address),
                    // The address of a buffer is a multiple of the widest access.
                    _ => aligned(symbol),
                };
                (address, ghost)
            }
            Preset::Local(base) => (LOCAL_BASE + i64::from(base), aligned(symbol)),
            Preset::Variable(at) => (self.variable(at), symbol),
            Preset::Elements(id) => (self.elements(id), symbol),
            _ => (0, symbol),
        }
    }

    /// The elements of a buffer that the launch counts; without a number, one for each thread.
    fn elements(&mut self, id: ArrayId) -> i64 {
        let at = id.0 as usize;
        let known = self.bounds.get(at).and_then(|(_, bytes)| *bytes);
        let Some(array) = self.program.arrays.get(at) else {
            return 0;
        };
        if let Some(bytes) = known {
            let elements = bytes.saturating_sub(array.header_bytes) / array.element_bytes.max(1);
            return i64::try_from(elements).unwrap_or(i64::MAX);
        }
        let assumed = self.launch.assumed(&array.name);
        let kind = DiagnosticKind::MissingArgument {
            name: array.name.clone(),
            assumed,
        };
        self.findings
            .say(array.span, array.line, array.column, kind);
        assumed
    }

    fn variable(&self, at: u16) -> i64 {
        let Some(variable) = self.program.variables.get(usize::from(at)) else {
            return 0;
        };
        let given = self
            .launch
            .variables
            .iter()
            .rev()
            .find(|(name, _)| *name == variable.name);
        given.map_or_else(
            || variable.values.first().copied().unwrap_or(0),
            |(_, value)| *value,
        )
    }

    /// The value of a number that the kernel takes; without one, what such numbers often are.
    fn parameter(&mut self, at: u16) -> i64 {
        let Some(parameter) = self.program.parameters.get(usize::from(at)) else {
            return 0;
        };
        let scalar = self
            .program
            .parameter_types
            .get(usize::from(at))
            .copied()
            .unwrap_or(Scalar::I32);
        let given = self
            .launch
            .arguments
            .iter()
            .rev()
            .find(|argument| argument.name == parameter.name);
        match given.map(|argument| &argument.value) {
            Some(ArgumentValue::Integer(value)) => super::convert_one(Scalar::I64, scalar, *value),
            Some(ArgumentValue::Real(value)) => {
                super::convert_one(Scalar::F64, scalar, value.to_bits().cast_signed())
            }
            _ => {
                let assumed = self.launch.assumed(&parameter.name);
                let kind = DiagnosticKind::MissingArgument {
                    name: parameter.name.clone(),
                    assumed,
                };
                self.findings
                    .say(parameter.span, parameter.line, parameter.column, kind);
                super::convert_one(Scalar::I64, scalar, assumed)
            }
        }
    }

    /// The warps of a block, before their first instruction.
    pub(super) fn warps(&self) -> Vec<Warp> {
        let count = self.threads.div_ceil(self.warp_lanes as u64);
        let sites = self.program.sites.len();
        (0..count)
            .map(|warp| {
                let left = self.threads - warp * self.warp_lanes as u64;
                let born = lanescope_model::LaneMask::first(
                    usize::try_from(left).unwrap_or(64).min(self.warp_lanes),
                )
                .0;
                Warp {
                    pc: 0,
                    born,
                    alive: born,
                    active: born,
                    frames: Vec::new(),
                    moved: Vec::new(),
                    waiting: false,
                    done: false,
                    reuse: Reuse::new(),
                    window: Window::default(),
                    depth: 0,
                    half: false,
                    halves: 0,
                    fresh: 0,
                    plans: Vec::new(),
                    occurrences: vec![0; sites],
                }
            })
            .collect()
    }

    /// The array with this id, if the program has it.
    pub(super) fn array_name(&self, id: ArrayId) -> String {
        self.program
            .arrays
            .get(id.0 as usize)
            .map_or_else(String::new, |array| array.name.clone())
    }
}

/// The symbol of where shared memory begins: any number that stands for nothing else.
const SHARED_SYMBOL: u64 = 0x5ead;

/// The address of an array in shared memory: compilers know where it lies from the beginning of that.
fn in_shared_memory(address: i64) -> Ghost {
    let beginning = Ghost::unknown(SHARED_SYMBOL, 0, 0).with_lowest(16, 0);
    beginning.offset(address.wrapping_sub(SHARED_BASE))
}

/// A symbol of which the eight lowest bits are known to be zero: the address of a buffer.
fn aligned(symbol: Ghost) -> Ghost {
    Ghost {
        number: symbol.number << 8,
        low: 8,
    }
}
