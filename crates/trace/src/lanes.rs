//! A table with one lane a row: `warp,lane,addr`, as a kernel prints it of its own threads.
//!
//! Rows of one warp (and block, program counter and instruction, where they are said) that follow each other are one
//! request, until a lane comes again. Where no column names the instruction it is a load of `bytes` (or `size`, else 4) from the
//! memory of column `space`; without that from shared memory, or from global memory where an address is beyond any shared
//! memory.

use super::records::{self, Record};
use lanescope_model::MAX_LANES;

/// What stands before the lanes in a record: the instruction, where it was.
const BEFORE: usize = 2;

/// No shared memory has so many bytes.
const BEYOND_SHARED: u64 = 1 << 18;

/// Which column holds what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LaneColumns {
    lane: usize,
    address: usize,
    instruction: Option<usize>,
    space: Option<usize>,
    bytes: Option<usize>,
    /// Block, warp, program counter.
    place: [Option<usize>; 3],
}

/// What the place is called in words.
const PLACES: [&str; 3] = ["block", "warp", "pc"];

impl LaneColumns {
    /// The columns by their titles; `None` of a table that has no lane a row.
    pub(super) fn of(titles: &[String]) -> Option<Self> {
        let one = |names: &[&str]| {
            let is_named =
                |title: &String| names.iter().any(|name| title.eq_ignore_ascii_case(name));
            titles.iter().position(is_named)
        };
        Some(Self {
            lane: one(&["lane", "lane_id", "laneid"])?,
            address: one(&["addr", "address", "offset", "byte"])?,
            instruction: one(&["instruction", "opcode", "op"]),
            space: one(&["space", "memory"]),
            bytes: one(&["bytes", "size", "width"]),
            place: [
                one(&["block", "block_id", "cta"]),
                one(&["warp", "warp_id", "warpid"]),
                one(&["pc"]),
            ],
        })
    }

    /// The request at `byte`, the byte after it, and how many lines it takes.
    pub(super) fn record(
        self,
        text: &str,
        byte: usize,
        separator: char,
    ) -> Option<(Record, usize, usize)> {
        let (line, mut next) = records::line(text, byte)?;
        let first = records::fields(line, separator);
        let mut request = Request::new(self, &first);
        request.take(&first, 0);
        let mut lines = 1;
        while let Some((line, after)) = records::line(text, next) {
            let fields = records::fields(line, separator);
            let is_blank = line.trim().is_empty();
            if !is_blank && (!self.is_of(&first, &fields) || request.has(&fields)) {
                break;
            }
            if !is_blank {
                request.take(&fields, lines);
            }
            (next, lines) = (after, lines + 1);
        }
        Some((request.record(), next, lines))
    }

    /// Whether two rows may be of one request.
    fn is_of(self, one: &[String], other: &[String]) -> bool {
        let [block, warp, pc] = self.place;
        let columns = [block, warp, pc, self.instruction, self.space, self.bytes];
        let mut columns = columns.into_iter().flatten();
        columns.all(|column| one.get(column) == other.get(column))
    }
}

/// A request that is gathered.
struct Request {
    columns: LaneColumns,
    named: String,
    bytes: String,
    space: String,
    place: String,
    /// `[lane]`: its address as written, and the line after the first that says so.
    lanes: Vec<Option<(String, usize)>>,
    /// What is no lane, and its line after the first.
    wrong: Option<(String, usize)>,
}

impl Request {
    fn new(columns: LaneColumns, first: &[String]) -> Self {
        let cell = |at: Option<usize>| at.and_then(|at| first.get(at)).cloned().unwrap_or_default();
        let place = PLACES.into_iter().zip(columns.place);
        let place = place.filter_map(|(word, at)| {
            let value = at.map(|at| cell(Some(at)))?;
            (!value.is_empty()).then(|| format!("{word} {value}"))
        });
        Self {
            columns,
            named: cell(columns.instruction),
            bytes: cell(columns.bytes),
            space: cell(columns.space),
            place: place.collect::<Vec<_>>().join(", "),
            lanes: Vec::new(),
            wrong: None,
        }
    }

    fn lane(&self, fields: &[String]) -> Option<usize> {
        let lane: usize = fields.get(self.columns.lane)?.parse().ok()?;
        (lane < MAX_LANES).then_some(lane)
    }

    /// Whether the row is of a lane that was there before, or of none.
    fn has(&self, fields: &[String]) -> bool {
        let lane = self.lane(fields);
        lane.is_none_or(|lane| self.lanes.get(lane).is_some_and(Option::is_some))
            || self.wrong.is_some()
    }

    fn take(&mut self, fields: &[String], line: usize) {
        let Some(lane) = self.lane(fields) else {
            let said = fields.get(self.columns.lane).cloned();
            self.wrong = Some((said.unwrap_or_default(), line));
            return;
        };
        if self.lanes.len() <= lane {
            self.lanes.resize(lane + 1, None);
        }
        let address = fields.get(self.columns.address).cloned();
        self.lanes[lane] = Some((decimal(address.unwrap_or_default()), line));
    }

    fn instruction(&self) -> String {
        if !self.named.is_empty() {
            return self.named.clone();
        }
        let is_far = |address: &str| address.parse().is_ok_and(|byte: u64| byte >= BEYOND_SHARED);
        let mut lanes = self.lanes.iter().flatten();
        let space = match self.space.as_str() {
            "" if lanes.any(|(address, _)| is_far(address)) => "global",
            "" => "shared",
            said => said,
        };
        let bits = self
            .bytes
            .parse::<u32>()
            .ok()
            .map(|bytes| bytes.saturating_mul(8));
        let bits = bits.map_or_else(|| self.bytes.clone(), |bits| bits.to_string());
        let bits = if bits.is_empty() { "32" } else { &bits };
        format!("ld.{}.b{bits}", space.to_ascii_lowercase())
    }

    fn record(self) -> Record {
        let mut fields = vec![self.instruction(), self.place];
        let place = |column: usize, line: usize| (line, column + 1);
        let named = self.columns.instruction.unwrap_or_default();
        let mut places = vec![place(named, 0); BEFORE];
        for lane in self.lanes {
            let (address, line) = lane.unwrap_or_default();
            fields.push(address);
            places.push(place(self.columns.address, line));
        }
        if let Some((said, line)) = self.wrong {
            fields.push(said);
            places.push(place(self.columns.lane, line));
        }
        Record {
            fields,
            places,
            ..Record::default()
        }
    }
}

/// An address as a decimal number; as it is written where it is none.
fn decimal(address: String) -> String {
    let hex = address
        .strip_prefix("0x")
        .or_else(|| address.strip_prefix("0X"));
    let number = hex.and_then(|hex| u64::from_str_radix(hex, 16).ok());
    number.map_or(address, |number| number.to_string())
}
