//! The whole text: declarations, functions of the library, the entry point.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use lanescope_ir::analysis::{PointsTo, UnderlyingObject, pointees};
use lanescope_ir::{Instruction, Kernel, Op, PlaceId, Register};

use crate::converge::{self, converge};
use crate::kinds::kinds;
use crate::memory::{Memory, Object, Space, memories};
use crate::names::Names;
use crate::node::Node;
use crate::note::Note;
use crate::ranges::intervals;
use crate::simplify::simplify;
use crate::statement::{self, Flags, flag_name};
use crate::structure::structure;
use crate::uniform_block::fields;
use crate::writer::{Facts, Writer, Written};
use crate::{Binding, BufferSource, Emitted, Options, Refusal, RefusalKind, library};

/// Texts written at most until names and what is read settle.
const MOST_TEXTS: usize = 12;

/// The kernel as WGSL.
///
/// # Errors
/// What the kernel does that WGSL has no word for, or the device no room.
pub fn emit(kernel: &Kernel, options: &Options) -> Result<Emitted, Refusal> {
    let refusal = |kind: RefusalKind, place: PlaceId| Refusal {
        kind,
        place: kernel
            .places
            .get(place.index())
            .copied()
            .unwrap_or_default(),
    };
    check(kernel, options).map_err(|kind| refusal(kind, PlaceId::default()))?;
    let code = structure(kernel).map_err(|(kind, block)| {
        let block = kernel.blocks.get(block.index());
        refusal(kind, block.map_or(PlaceId::default(), |block| block.place))
    })?;
    let mut names = Names::new();
    library::names().for_each(|name| drop(names.take(name)));
    let entry = names.take(if kernel.name.is_empty() {
        "main"
    } else {
        &kernel.name
    });
    let pointees = pointees(kernel);
    let memories = memories(kernel, &pointees, options, &mut names)
        .map_err(|(kind, instruction)| refusal(kind, instruction.place))?;
    overlap(kernel, &memories.all).map_err(|kind| refusal(kind, PlaceId::default()))?;
    let folds = options
        .grid
        .iter()
        .any(|side| *side > options.limits.groups);
    let is_pointer = |op: &Op| {
        let mut defs = op.defs().into_iter();
        defs.any(|one| matches!(pointees.get(one.index()), Some(PointsTo::One(_))))
    };
    let fields = fields(kernel, folds, &is_pointer);
    let intervals = intervals(kernel, &pointees, options);
    let code = simplify(code);
    let memory_of = |instruction: &Instruction| match &instruction.op {
        Op::Load { site, .. } => memories.of_site(*site),
        _ => None,
    };
    let is_read_only = |instruction: &Instruction| {
        memory_of(instruction).is_some_and(|one| one.space == Space::Storage && !one.is_written)
    };
    let may_be_uniform = |instruction: &Instruction| {
        let is_word = matches!(&instruction.op, Op::Load { dst, site, .. } if dst.len() == 1
            && kernel.sites.get(site.index()).is_some_and(|site| site.element.bits() == 32));
        is_word
            && memory_of(instruction).is_some_and(|one| {
                one.space == Space::Workgroup && !one.is_atomic && one.components == 1
            })
    };
    let converged = converge(
        code,
        kernel.registers.len(),
        &converge::Memory {
            is_read_only: &is_read_only,
            may_be_uniform: &may_be_uniform,
        },
    );
    let has_storage_traffic = memories
        .all
        .iter()
        .any(|one| one.space == Space::Storage && one.is_read && one.is_written);
    let (written, uses) = census(kernel);
    let facts = Facts {
        kernel,
        options: *options,
        kinds: kinds(kernel, &intervals),
        pointees,
        intervals,
        memories,
        fields,
        written,
        uses,
        uniform_loads: converged.uniform_loads,
        has_storage_traffic,
        folds,
    };
    let (mut writer, flags) =
        written_out(&facts, &converged.code).map_err(|(kind, place)| refusal(kind, place))?;
    notes(&mut writer, converged.is_masked);
    let assembly = Assembly {
        facts: &facts,
        writer,
        flags,
        entry,
    };
    assembly
        .emitted()
        .map_err(|kind| refusal(kind, PlaceId::default()))
}

fn check(kernel: &Kernel, options: &Options) -> Result<(), RefusalKind> {
    if kernel.verify().is_err() || kernel.blocks.is_empty() {
        return Err(RefusalKind::Invalid);
    }
    let threads = options
        .block
        .iter()
        .map(|side| u64::from(*side))
        .product::<u64>();
    let limits = options.limits;
    if threads == 0 {
        return Err(RefusalKind::NoBlock);
    }
    if threads > u64::from(limits.threads) {
        let most = limits.threads;
        return Err(RefusalKind::BlockTooLarge { threads, most });
    }
    let sides = options.block.iter().zip(limits.sides);
    if let Some((side, most)) = sides.into_iter().find(|(side, most)| **side > *most) {
        let threads = u64::from(*side);
        return Err(RefusalKind::BlockTooLarge { threads, most });
    }
    Ok(())
}

/// Refuses arrays of shared memory that lie over each other.
fn overlap(kernel: &Kernel, memories: &[Memory]) -> Result<(), RefusalKind> {
    let shared: Vec<_> = memories
        .iter()
        .filter(|one| one.space == Space::Workgroup)
        .filter_map(|one| match one.object {
            Object::Of(UnderlyingObject::Array(id)) => kernel.arrays.get(id.index()),
            Object::Of(UnderlyingObject::Parameter(_)) | Object::Local => None,
        })
        .collect();
    for (at, one) in shared.iter().enumerate() {
        for other in shared.iter().skip(at + 1) {
            let end = |array: &lanescope_ir::Array| {
                array
                    .bytes
                    .map_or(u64::MAX, |bytes| array.base.saturating_add(bytes))
            };
            if one.base < end(other) && other.base < end(one) {
                return Err(RefusalKind::OverlappingArrays {
                    one: one.name.clone(),
                    other: other.name.clone(),
                });
            }
        }
    }
    Ok(())
}

/// Who writes each register, and how often it is read.
fn census(kernel: &Kernel) -> (Vec<Written<'_>>, Vec<u32>) {
    let mut written = vec![Written::default(); kernel.registers.len()];
    let mut uses = vec![0_u32; kernel.registers.len()];
    let mut read = |register: Register| {
        if let Some(one) = uses.get_mut(register.index()) {
            *one += 1;
        }
    };
    for block in &kernel.blocks {
        for instruction in &block.instructions {
            instruction.registers_read().into_iter().for_each(&mut read);
            for register in instruction.op.defs() {
                if let Some(one) = written.get_mut(register.index()) {
                    one.count += 1;
                    one.instruction = Some(instruction);
                }
            }
        }
        let operand = block.terminator.operand();
        operand
            .and_then(lanescope_ir::Operand::register)
            .into_iter()
            .for_each(&mut read);
    }
    (written, uses)
}

/// Writes the body again and again, until what it reads and what must be variables is known.
fn written_out<'k, 'f>(
    facts: &'f Facts<'k>,
    code: &[Node<'k>],
) -> Result<(Writer<'k, 'f>, Flags), (RefusalKind, PlaceId)> {
    // What several instructions write is a variable.
    let several = |(index, written): (usize, &Written<'_>)| {
        let register = Register(u32::try_from(index).unwrap_or(u32::MAX));
        (written.count != 1 || written.instruction.is_some_and(|one| one.guard.is_some()))
            .then_some(register)
    };
    let mut variables: BTreeSet<_> = facts
        .written
        .iter()
        .enumerate()
        .filter_map(several)
        .collect();
    let mut wanted = None;
    for _ in 0..MOST_TEXTS {
        let mut writer = Writer::new(facts, variables.clone(), wanted.clone());
        let flags = statement::write(&mut writer, code)?;
        let is_settled = writer.variables == variables && wanted.as_ref() == Some(&writer.read);
        if is_settled {
            return Ok((writer, flags));
        }
        variables = writer.variables;
        wanted = Some(writer.read);
    }
    // What is read settles from above: one more text with all that may be read is right.
    let mut writer = Writer::new(facts, variables, None);
    let flags = statement::write(&mut writer, code)?;
    Ok((writer, flags))
}

fn notes(writer: &mut Writer<'_, '_>, is_masked: bool) {
    let mut notes = Vec::new();
    for memory in &writer.facts.memories.all {
        let name = memory.name.clone();
        if memory.has_widths && memory.space != Space::Function {
            notes.push(Note::SeveralWidths(name));
        } else if memory.is_atomic && !memory.has_narrow_stores {
            notes.push(Note::AtomicArray(name));
        }
    }
    if is_masked {
        notes.push(Note::Masked);
    }
    if writer.facts.folds {
        notes.push(Note::Folded);
    }
    writer.notes.extend(notes);
}

/// The parts of a text.
struct Assembly<'k, 'f> {
    facts: &'f Facts<'k>,
    writer: Writer<'k, 'f>,
    flags: Flags,
    entry: String,
}

impl Assembly<'_, '_> {
    fn bindings(&self) -> Vec<Binding> {
        let kernel = self.facts.kernel;
        let source = |object: Object| match object {
            Object::Of(UnderlyingObject::Parameter(position)) => {
                Some(BufferSource::Parameter(position))
            }
            Object::Of(UnderlyingObject::Array(id)) => {
                let mut parameters = kernel.parameters.iter();
                let position = parameters.position(|one| one.array == Some(id));
                Some(match position.and_then(|at| u32::try_from(at).ok()) {
                    Some(position) => BufferSource::Parameter(position),
                    None => BufferSource::Array(id),
                })
            }
            Object::Local => None,
        };
        let storage = self
            .facts
            .memories
            .all
            .iter()
            .filter(|one| one.space == Space::Storage);
        let mut buffers: Vec<_> = storage
            .filter_map(|one| source(one.object).map(|source| (source, one)))
            .collect();
        buffers.sort_by_key(|(source, _)| match source {
            BufferSource::Parameter(position) => (0, *position),
            BufferSource::Array(id) => (1, id.0),
        });
        (0..)
            .zip(buffers)
            .map(|(binding, (source, memory))| Binding {
                binding,
                name: memory.name.clone(),
                source,
                element: memory.element(),
                element_bytes: memory.element_bytes(),
                scalar: memory.scalar,
                is_read: memory.is_read,
                is_written: memory.is_written,
            })
            .collect()
    }

    fn workgroup(&self) -> (Vec<String>, u64) {
        let threads = self.facts.threads();
        let (mut lines, mut bytes) = (Vec::new(), 0);
        for memory in &self.facts.memories.all {
            if memory.space == Space::Workgroup {
                let words = memory.words.unwrap_or(1).max(1);
                let elements = words.div_ceil(u64::from(memory.components));
                bytes += elements * u64::from(memory.element_bytes());
                let (name, element) = (&memory.name, memory.element());
                lines.push(format!(
                    "var<workgroup> {name}: array<{element}, {elements}>;"
                ));
            }
        }
        let exchanged = [
            (self.writer.uses_exchange, "exchange"),
            (
                self.writer.uses_flags || self.needs("equal_lanes"),
                "exchange_flags",
            ),
        ];
        for (is_used, name) in exchanged {
            if is_used {
                bytes += u64::from(threads) * 4;
                lines.push(format!("var<workgroup> {name}: array<u32, {threads}>;"));
            }
        }
        if self.writer.uses_count {
            bytes += 8;
            lines.push("var<workgroup> block_count: atomic<u32>;".into());
            lines.push("var<workgroup> block_total: u32;".into());
        }
        (lines, bytes)
    }

    fn needs(&self, helper: &'static str) -> bool {
        self.writer.helpers.contains(helper)
    }

    fn emitted(self) -> Result<Emitted, RefusalKind> {
        let limits = self.facts.options.limits;
        let bindings = self.bindings();
        if bindings.len() > limits.buffers as usize {
            return Err(RefusalKind::TooManyBuffers {
                buffers: bindings.len(),
                most: limits.buffers,
            });
        }
        let (workgroup, workgroup_bytes) = self.workgroup();
        if workgroup_bytes > u64::from(limits.shared_bytes) {
            return Err(RefusalKind::SharedTooLarge {
                bytes: workgroup_bytes,
                most: limits.shared_bytes,
            });
        }
        let fields = self.facts.fields.all.clone();
        let uniform =
            (!fields.is_empty()).then(|| u32::try_from(bindings.len()).unwrap_or(u32::MAX));
        let mut text = Text::default();
        if let Some(binding) = uniform {
            text.line("struct Arguments {", 0);
            for field in &fields {
                text.line(&format!("    {}: {},", field.name, field.scalar.name()), 0);
            }
            text.line("}", 0);
            text.line("", 0);
            self.declare(&bindings, &mut text);
            text.line(
                &format!("@group(0) @binding({binding}) var<uniform> args: Arguments;"),
                0,
            );
        } else {
            self.declare(&bindings, &mut text);
        }
        for line in workgroup {
            text.line(&line, 0);
        }
        for bits in &self.writer.bits {
            text.line(
                &format!("var<private> bits_{bits:08x}: u32 = 0x{bits:08x}u;"),
                0,
            );
        }
        self.functions(&mut text);
        self.entry_point(&mut text);
        Ok(Emitted {
            text: text.text,
            entry: self.entry,
            bindings,
            uniform,
            fields,
            workgroup_size: self.facts.options.block,
            workgroup_bytes,
            folds: self.facts.folds,
            notes: self.writer.notes.into_iter().collect(),
            lines: text.lines,
        })
    }

    fn declare(&self, bindings: &[Binding], text: &mut Text) {
        for one in bindings {
            let Binding {
                binding,
                name,
                element,
                is_written,
                ..
            } = one;
            let access = if *is_written || element.starts_with("atomic") {
                "read_write"
            } else {
                "read"
            };
            let declared = format!("var<storage, {access}> {name}: array<{element}>;");
            text.line(&format!("@group(0) @binding({binding}) {declared}"), 0);
        }
    }

    fn functions(&self, text: &mut Text) {
        let functions = library::with_callees(&self.writer.helpers);
        let body = functions.join("\n");
        let own: String = self
            .writer
            .lines
            .iter()
            .map(|line| line.text.as_str())
            .collect();
        let uses = |name: &str| {
            let words = |text: &str| {
                text.split(|one: char| !one.is_alphanumeric() && one != '_')
                    .any(|word| word == name)
            };
            words(&body) || words(&own)
        };
        if uses("lanes") {
            text.line(
                &format!("const lanes: u32 = {}u;", self.facts.options.lanes),
                0,
            );
        }
        if uses("threads") {
            text.line(
                &format!("const threads: u32 = {}u;", self.facts.threads()),
                0,
            );
        }
        for function in functions {
            text.line("", 0);
            for line in function.lines() {
                text.line(line, 0);
            }
        }
    }

    fn entry_point(&self, text: &mut Text) {
        let body: Vec<&str> = self
            .writer
            .lines
            .iter()
            .map(|line| line.text.as_str())
            .collect();
        let body = body.join("\n");
        let folds = self.facts.folds;
        let builtins = [
            ("local_invocation_id", "thread", "vec3<u32>", "thread."),
            (
                "local_invocation_index",
                "thread_index",
                "u32",
                "thread_index",
            ),
            ("workgroup_id", "group", "vec3<u32>", "group."),
            ("num_workgroups", "groups", "vec3<u32>", "groups."),
        ];
        let used = builtins
            .iter()
            .filter(|(builtin, .., mark)| {
                body.contains(mark)
                    || folds && matches!(*builtin, "workgroup_id" | "num_workgroups")
            })
            .map(|(builtin, name, ty, _)| format!("@builtin({builtin}) {name}: {ty}"));
        let arguments = used.collect::<Vec<_>>().join(", ");
        let [x, y, z] = self.facts.options.block;
        text.line("", 0);
        text.line(&format!("@compute @workgroup_size({x}, {y}, {z})"), 0);
        text.line(&format!("fn {}({arguments}) {{", self.entry), 0);
        if folds {
            let [x, y, z] = [0, 1, 2].map(|axis| self.writer.grid_field(axis));
            text.line("    let grid_index = group.x + group.y * groups.x;", 0);
            text.line(&format!("    if grid_index >= {x} * {y} * {z} {{"), 0);
            text.line("        return;", 0);
            text.line("    }", 0);
            text.line(&format!("    let block_x = grid_index % {x};"), 0);
            text.line(&format!("    let block_y = grid_index / {x} % {y};"), 0);
            text.line(&format!("    let block_z = grid_index / ({x} * {y});"), 0);
        }
        self.variables(text);
        for line in &self.writer.lines {
            let place = self.facts.kernel.places.get(line.place.index());
            let indent = "    ".repeat(line.depth);
            text.line(
                &format!("{indent}{}", line.text),
                place.map_or(0, |place| place.line),
            );
        }
        text.line("}", 0);
    }

    fn variables(&self, text: &mut Text) {
        let local = self
            .facts
            .memories
            .all
            .iter()
            .find(|one| one.space == Space::Function);
        if let Some(local) = local {
            let words = local.words.unwrap_or(1).max(1);
            text.line(&format!("    var {}: array<u32, {words}>;", local.name), 0);
        }
        for register in &self.writer.variables {
            if self.writer.is_wanted(*register) || self.is_assigned(*register) {
                text.line(&format!("    {}", self.writer.declaration(*register)), 0);
            }
        }
        for mask in &self.flags.masks {
            text.line(&format!("    var m{} = false;", mask.0), 0);
        }
        for jump in &self.flags.jumps {
            text.line(&format!("    var {} = false;", flag_name(*jump)), 0);
        }
    }

    /// Whether a line gives a register a value.
    fn is_assigned(&self, register: Register) -> bool {
        let start = format!("r{} = ", register.0);
        self.writer
            .lines
            .iter()
            .any(|line| line.text.starts_with(&start))
    }
}

/// A text that grows by lines.
#[derive(Default)]
struct Text {
    text: String,
    lines: Vec<u32>,
}

impl Text {
    fn line(&mut self, line: &str, source: u32) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{line}");
        self.lines.push(source);
    }
}
