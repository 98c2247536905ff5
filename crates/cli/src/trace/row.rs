//! One row of a trace: one instruction of one warp.

use super::{Columns, Fault, Record};
use crate::instruction::{self, Instruction};
use lanescope_model::{Device, LaneMask, MAX_LANES, Operation, Request};

/// Offsets from here on are refused: no device has so much memory.
const MAX_OFFSET: u64 = 1 << 48;

/// What a row says.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) number: usize,
    pub(crate) name: String,
    pub(crate) pattern: String,
    /// `None`: the row is not answered, and a fault says why.
    pub(crate) access: Option<Access>,
    pub(crate) measured: Measured,
}

/// The instruction and where each lane points.
#[derive(Debug)]
pub(crate) struct Access {
    pub(crate) instruction: Instruction,
    pub(crate) active: LaneMask,
    pub(crate) addresses: Vec<u64>,
}

impl Access {
    /// As the model takes it.
    pub(crate) fn request(&self) -> Request<'_> {
        let Instruction {
            space,
            operation,
            width,
        } = self.instruction;
        Request {
            space,
            operation,
            width,
            active: self.active,
            addresses: &self.addresses,
        }
    }
}

/// What hardware counted, where the trace says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Measured {
    pub(crate) wavefronts: Option<u64>,
    pub(crate) conflicts: Option<u64>,
    pub(crate) sectors: Option<u64>,
}

/// Reads rows, and gathers what is wrong with them.
pub(crate) struct RowReader<'a> {
    pub(crate) columns: &'a Columns,
    pub(crate) device: &'a Device,
    pub(crate) faults: Vec<Fault>,
}

/// Where a fault lies: the column, and the sentence.
type Wrong = (usize, String);

impl RowReader<'_> {
    /// Reads the record as the data row `number`.
    pub(crate) fn read(&mut self, number: usize, record: &Record) -> Row {
        let cell = |place: Option<usize>| {
            place
                .and_then(|place| record.fields.get(place))
                .map_or("", String::as_str)
        };
        let name = cell(Some(self.columns.instruction)).to_owned();
        let pattern = cell(self.columns.pattern).to_owned();
        let access = match self.access(record, &name) {
            Ok(access) => {
                self.warn_of_misalignment(number, record, &access);
                Some(access)
            }
            Err(wrong) => {
                self.fault(number, record, wrong, false);
                None
            }
        };
        let measured = if access.is_some() {
            self.measured(number, record)
        } else {
            Measured::default()
        };
        Row {
            number,
            name,
            pattern,
            access,
            measured,
        }
    }

    fn fault(&mut self, row: usize, record: &Record, (place, message): Wrong, answered: bool) {
        let title = self.columns.title(place).to_owned();
        self.faults.push(Fault {
            row,
            line: record.line,
            column: place + 1,
            title,
            message,
            answered,
        });
    }

    fn access(&self, record: &Record, name: &str) -> Result<Access, Wrong> {
        self.check_shape(record)?;
        let instruction =
            instruction::parse(name).ok_or_else(|| (self.columns.instruction, unknown(name)))?;
        let lanes = self.device.warp_lanes() as usize;
        let mut addresses = vec![0; lanes.min(MAX_LANES)];
        let mut active = 0_u64;
        for (lane, place) in self.columns.lanes.iter().enumerate() {
            let Some(place) = *place else { continue };
            let Some(offset) = offset(place, record)? else {
                continue;
            };
            match addresses.get_mut(lane) {
                Some(address) => *address = offset,
                None => {
                    return Err((
                        place,
                        format!("a warp of {} has {lanes} lanes", self.device.id()),
                    ));
                }
            }
            active |= 1 << lane;
        }
        Ok(Access {
            instruction,
            active: LaneMask(active),
            addresses,
        })
    }

    fn check_shape(&self, record: &Record) -> Result<(), Wrong> {
        let (found, expected) = (record.fields.len(), self.columns.titles.len());
        if record.unclosed {
            return Err((
                found.saturating_sub(1),
                "a quote is opened and not closed".to_owned(),
            ));
        }
        if found != expected {
            let place = found.min(expected);
            return Err((
                place,
                format!("the row has {found} columns, the first line {expected}"),
            ));
        }
        Ok(())
    }

    /// Hardware refuses such an access; what the address rule gives is answered all the same.
    fn warn_of_misalignment(&mut self, number: usize, record: &Record, access: &Access) {
        let bytes = access.instruction.width.bytes();
        let addressing = addressing_lanes(access.instruction.operation);
        let crooked = access
            .active
            .iter()
            .filter(|lane| addressing.contains(*lane))
            .find(|&lane| {
                access
                    .addresses
                    .get(lane)
                    .is_some_and(|address| address % bytes != 0)
            });
        let place = crooked.and_then(|lane| self.columns.lanes.get(lane).copied().flatten());
        if let Some(place) = place {
            let message =
                format!("the offset is no multiple of {bytes}; hardware refuses such an access");
            self.fault(number, record, (place, message), true);
        }
    }

    fn measured(&mut self, number: usize, record: &Record) -> Measured {
        let Columns {
            wavefronts,
            conflicts,
            sectors,
            ..
        } = self.columns;
        let [wavefronts, conflicts, sectors] = [*wavefronts, *conflicts, *sectors].map(|place| {
            let place = place?;
            let text = record.fields.get(place).map_or("", String::as_str);
            match text.parse() {
                Ok(count) => Some(count),
                Err(_) if text.is_empty() => None,
                Err(_) => {
                    self.fault(
                        number,
                        record,
                        (place, format!("`{}` is no count", short(text))),
                        true,
                    );
                    None
                }
            }
        });
        Measured {
            wavefronts,
            conflicts,
            sectors,
        }
    }
}

/// The lanes whose addresses count.
fn addressing_lanes(operation: Operation) -> LaneMask {
    match operation {
        Operation::MatrixLoad { matrices } | Operation::MatrixStore { matrices } => {
            LaneMask::first(8 * usize::from(matrices))
        }
        _ => LaneMask(u64::MAX),
    }
}

/// The byte offset in the column at `place`; none when the lane is off.
fn offset(place: usize, record: &Record) -> Result<Option<u64>, Wrong> {
    let text = record.fields.get(place).map_or("", String::as_str);
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = |what: &str| (place, format!("`{}` {what}", short(text)));
    if text.starts_with('-') && text.len() > 1 {
        return Err(wrong("is negative; offsets count bytes from 0"));
    }
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits {
        return Err(wrong(
            "is no byte offset; write a whole number, or nothing for a lane that is off",
        ));
    }
    let offset = text.parse().ok().filter(|offset| *offset < MAX_OFFSET);
    offset
        .map(Some)
        .ok_or_else(|| wrong("is too large; offsets end below 2^48"))
}

fn unknown(name: &str) -> String {
    let forms = "`ld.shared.b32`, `st.global.b128`, `ldmatrix.x4`, `atom.shared.add.u32`, `red.global.add.u32`";
    format!(
        "unknown instruction `{}`; there are such as {forms}",
        short(name)
    )
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
