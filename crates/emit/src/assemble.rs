//! From a kernel to a text: the analyses in their order, and the body written until what it reads settles.

use std::collections::BTreeSet;

use lanescope_ir::analysis::{PointsTo, UnderlyingObject, pointees};
use lanescope_ir::{Instruction, Kernel, Op, PlaceId, Register};

use crate::Note;
use crate::converge::{self, converge};
use crate::document::Assembly;
use crate::fences::mark_fences;
use crate::kinds::kinds;
use crate::memory::{Memory, Object, Space, memories};
use crate::names::Names;
use crate::node::Node;
use crate::ranges::intervals;
use crate::simplify::simplify;
use crate::statement::{self, Flags};
use crate::structure::structure;
use crate::uniform_block::fields;
use crate::unroll::trip_counts;
use crate::watch::WATCH_NAME;
use crate::writer::{Facts, Writer, Written};
use crate::{Emitted, Options, Refusal, RefusalKind, library};

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
    let _ = names.take(WATCH_NAME);
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
        defs.any(|def| matches!(pointees.get(def.index()), Some(PointsTo::One(_))))
    };
    let fields = fields(kernel, folds, &is_pointer);
    let intervals = intervals(kernel, &pointees, options);
    let code = simplify(code);
    let memory_of = |instruction: &Instruction| {
        let Op::Load { site, .. } = instruction.op else {
            return None;
        };
        memories.of_site(site)
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
    let mut converged = converge(
        code,
        kernel.registers.len(),
        &converge::Memory {
            is_read_only: &is_read_only,
            may_be_uniform: &may_be_uniform,
        },
    );
    let is_traffic = |instruction: &Instruction| {
        let mut sites = instruction.op.sites().into_iter();
        sites.any(|site| {
            let memory = memories.of_site(site);
            memory.is_some_and(|one| one.space == Space::Storage && one.is_read && one.is_written)
        })
    };
    mark_fences(&mut converged.code, &is_traffic);
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
        trip_counts: trip_counts(kernel, &converged.code),
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
        .filter(|memory| memory.space == Space::Workgroup)
        .filter_map(|memory| match memory.object {
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
