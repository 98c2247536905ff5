//! One row of a trace: one instruction of one warp.

use super::columns::Columns;
use super::instruction::{self, Instruction};
use super::records::Record;
use super::{Fault, FaultKind};
use lanescope_model::{AsyncCopy, Device, LaneMask, MAX_LANES, Operation, Request};

/// Offsets from here on are refused: no device has so much memory.
const MAX_OFFSET: u64 = 1 << 48;

/// What a row says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Data rows count from 1.
    pub number: usize,
    /// Its line in the text, from 1.
    pub line: usize,
    /// The instruction, as written.
    pub name: String,
    /// How the offsets were made, where the trace says so.
    pub pattern: String,
    /// `None`: the row is not answered, and a fault says why.
    pub access: Option<Access>,
    /// What hardware counted.
    pub measured: Measured,
    /// What is wrong with it.
    pub faults: Vec<Fault>,
}

/// The instruction and where each lane points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// What is done.
    pub instruction: Instruction,
    /// The lanes that take part.
    pub active: LaneMask,
    /// `[lane]`: byte offsets, of a copy those in shared memory; 0 for a lane that is off.
    pub addresses: Vec<u64>,
    /// `[lane]`: of a copy, byte offsets in global memory; empty for anything else.
    pub sources: Vec<u64>,
}

impl Access {
    /// As the model takes it, unless it is a copy.
    #[must_use]
    pub fn request(&self) -> Option<Request<'_>> {
        match self.instruction {
            Instruction::Request {
                space,
                operation,
                width,
            } => Some(Request {
                space,
                operation,
                width,
                active: self.active,
                addresses: &self.addresses,
            }),
            Instruction::Copy { .. } => None,
        }
    }

    /// As the model takes it, if it is a copy; each lane reads.
    #[must_use]
    pub fn copy(&self) -> Option<AsyncCopy<'_>> {
        match self.instruction {
            Instruction::Request { .. } => None,
            Instruction::Copy { cache, width } => Some(AsyncCopy {
                cache,
                width,
                active: self.active,
                reads: self.active,
                destinations: &self.addresses,
                sources: &self.sources,
            }),
        }
    }
}

/// What hardware counted, where the trace says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// Wavefronts of shared memory.
    pub wavefronts: Option<u64>,
    /// Bank conflicts of shared memory.
    pub conflicts: Option<u64>,
    /// Sectors of global memory; of a copy as the profiler's source page counts them.
    pub sectors: Option<u64>,
    /// Sectors of global memory as a launch's total counts them.
    pub launch_sectors: Option<u64>,
}

/// The instruction of rows that name none.
const UNNAMED: &str = "ld.shared.b32";

/// Where a fault lies: the column, and what it is.
type Wrong = (usize, FaultKind);

/// Reads the record as the data row `number`; `is_whole`: it must have all columns.
pub(super) fn row(
    number: usize,
    record: &Record,
    columns: &Columns,
    device: &Device,
    is_whole: bool,
) -> Row {
    let mut reader = Reader {
        number,
        record,
        columns,
        device,
        faults: Vec::new(),
    };
    let name = reader.cell(Some(columns.instruction));
    let name = if name.is_empty() && !is_whole {
        UNNAMED.to_owned()
    } else {
        name.to_owned()
    };
    let access = reader.access(&name, is_whole);
    let access = match access {
        Ok(access) => {
            reader.warn_of_misalignment(&access);
            Some(access)
        }
        Err(wrong) => {
            reader.fault(wrong, false);
            None
        }
    };
    let measured = if access.is_some() {
        reader.measured()
    } else {
        Measured::default()
    };
    Row {
        number,
        line: record.line,
        pattern: reader.cell(columns.pattern).to_owned(),
        name,
        access,
        measured,
        faults: reader.faults,
    }
}

struct Reader<'a> {
    number: usize,
    record: &'a Record,
    columns: &'a Columns,
    device: &'a Device,
    faults: Vec<Fault>,
}

impl<'a> Reader<'a> {
    fn cell(&self, place: Option<usize>) -> &'a str {
        let field = place.and_then(|place| self.record.fields.get(place));
        field.map_or("", String::as_str)
    }

    fn fault(&mut self, (place, kind): Wrong, answered: bool) {
        let known = self.record.places.get(place).copied();
        let (down, column) = known.unwrap_or((0, place + 1));
        self.faults.push(Fault {
            row: self.number,
            line: self.record.line + down,
            column,
            title: self.columns.title(place).to_owned(),
            kind,
            answered,
        });
    }

    fn access(&self, name: &str, is_whole: bool) -> Result<Access, Wrong> {
        self.check_shape(is_whole)?;
        let unknown = || {
            let kind = FaultKind::UnknownInstruction(short(name));
            (self.columns.instruction, kind)
        };
        let instruction = instruction::parse(name).ok_or_else(unknown)?;
        let lanes = self.device.warp_lanes() as usize;
        let mut addresses = vec![0; lanes.min(MAX_LANES)];
        let mut active = 0_u64;
        for (lane, place) in self.columns.lanes.iter().enumerate() {
            let Some(place) = *place else { continue };
            let Some(offset) = offset(place, self.record)? else {
                continue;
            };
            let Some(address) = addresses.get_mut(lane) else {
                let device = self.device.id();
                return Err((place, FaultKind::NoSuchLane { device, lanes }));
            };
            *address = offset;
            active |= 1 << lane;
        }
        let active = LaneMask(active);
        let sources = match instruction {
            Instruction::Request { .. } => Vec::new(),
            Instruction::Copy { .. } => self.sources(active, addresses.len())?,
        };
        Ok(Access {
            instruction,
            active,
            addresses,
            sources,
        })
    }

    /// `[lane]`: the offsets that a copy's lanes read; 0 for a lane that is off.
    fn sources(&self, active: LaneMask, lanes: usize) -> Result<Vec<u64>, Wrong> {
        let mut sources = vec![0; lanes];
        for lane in active.iter() {
            let place = self.columns.sources.get(lane).copied().flatten();
            let place = place.ok_or((self.columns.instruction, FaultKind::NoSources(lane)))?;
            let source = offset(place, self.record)?;
            let source = source.ok_or((place, FaultKind::NoSources(lane)))?;
            if let Some(slot) = sources.get_mut(lane) {
                *slot = source;
            }
        }
        Ok(sources)
    }

    fn check_shape(&self, is_whole: bool) -> Result<(), Wrong> {
        if let Some(wrong) = &self.record.wrong {
            return Err(wrong.clone());
        }
        let (found, expected) = (self.record.fields.len(), self.columns.titles.len());
        if found > expected || (is_whole && found != expected) {
            return Err((found.min(expected), FaultKind::Columns { found, expected }));
        }
        Ok(())
    }

    /// Hardware refuses such an access; what the address rule gives is answered all the same.
    fn warn_of_misalignment(&mut self, access: &Access) {
        let bytes = access.instruction.width().bytes();
        let addressing = addressing_lanes(access.instruction);
        let sides = [
            (&access.addresses, &self.columns.lanes),
            (&access.sources, &self.columns.sources),
        ];
        let crooked = sides.map(|(addresses, columns)| {
            let is_crooked = |lane: &usize| {
                let address = addresses.get(*lane);
                addressing.contains(*lane) && address.is_some_and(|address| address % bytes != 0)
            };
            let lane = access.active.iter().find(is_crooked);
            lane.and_then(|lane| columns.get(lane).copied().flatten())
        });
        for place in crooked.into_iter().flatten() {
            self.fault((place, FaultKind::Misaligned(bytes)), true);
        }
    }

    fn measured(&mut self) -> Measured {
        let Columns {
            wavefronts,
            conflicts,
            sectors,
            launch_sectors,
            ..
        } = self.columns;
        let [wavefronts, conflicts, sectors, launch_sectors] =
            [*wavefronts, *conflicts, *sectors, *launch_sectors].map(|place| self.count(place));
        Measured {
            wavefronts,
            conflicts,
            sectors,
            launch_sectors,
        }
    }

    fn count(&mut self, place: Option<usize>) -> Option<u64> {
        let text = self.cell(place);
        let count = text.parse().ok();
        if let (None, Some(place), false) = (count, place, text.is_empty()) {
            self.fault((place, FaultKind::NoCount(short(text))), true);
        }
        count
    }
}

/// The lanes whose addresses count.
fn addressing_lanes(instruction: Instruction) -> LaneMask {
    match instruction {
        Instruction::Request {
            operation: Operation::MatrixLoad { matrices } | Operation::MatrixStore { matrices },
            ..
        } => LaneMask::first(8 * usize::from(matrices)),
        Instruction::Request { .. } | Instruction::Copy { .. } => LaneMask(u64::MAX),
    }
}

/// The byte offset in the column at `place`; none when the lane is off.
fn offset(place: usize, record: &Record) -> Result<Option<u64>, Wrong> {
    let text = record.fields.get(place).map_or("", String::as_str);
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = |kind: fn(String) -> FaultKind| (place, kind(short(text)));
    if text.starts_with('-') && text.len() > 1 {
        return Err(wrong(FaultKind::Negative));
    }
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong(FaultKind::NoOffset));
    }
    let offset = text.parse().ok().filter(|offset| *offset < MAX_OFFSET);
    offset.map(Some).ok_or_else(|| wrong(FaultKind::TooLarge))
}

/// At most 40 characters of `text`, none of them a control.
fn short(text: &str) -> String {
    let shown = |c: char| {
        if c.is_control() {
            char::REPLACEMENT_CHARACTER
        } else {
            c
        }
    };
    text.chars().take(40).map(shown).collect()
}
