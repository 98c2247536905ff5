//! Traces as binary instrumentation writes them: NVBit's `mem_trace` and Accel-Sim's tracer.
//!
//! ```text
//! mem_trace = [ "MEMTRACE: " ] "CTX " … " - CTA " x,y,z " - warp " n " - " opcode " - " { address }
//! traceg    = { word } pc mask count { register } opcode count { register } width [ format addresses ] [ immediate ]
//! ```
//!
//! `mem_trace` prints 32 addresses, 0 for a lane that is off; a warp of nothing but zeros is taken to be on. An Accel-Sim
//! line has the addresses of the lanes of its mask: format 0 lists them, 1 has a first one and a stride, 2 a first one and
//! the steps from lane to lane. Lines without an access to memory are passed over.

use super::records::{Record, line};

/// Lanes of a warp there.
const LANES: usize = 32;
/// Lines at the beginning that tell what a text is.
const MOST_HEAD_LINES: usize = 256;

/// Whose trace it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recorder {
    /// NVBit's `mem_trace`.
    MemTrace,
    /// Accel-Sim's, with so many words before the program counter.
    AccelSim {
        /// Block, warp or line, by the version of the tracer.
        words_before: usize,
    },
}

impl Recorder {
    /// Whose a text is; `None` of any other.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut has_lines = false;
        for line in text.lines().take(MOST_HEAD_LINES) {
            if let Some(flag) = line.strip_prefix("-enable lineinfo = ") {
                has_lines = flag.trim() == "1";
            }
            if let Some(format) = line.strip_prefix("#traces format = ") {
                let before = format.split_whitespace().take_while(|word| *word != "PC");
                let is_there = |word: &&str| has_lines || !word.starts_with('[');
                return Some(Self::AccelSim {
                    words_before: before.filter(is_there).count(),
                });
            }
            if mem_trace(line).is_some() {
                return Some(Self::MemTrace);
            }
        }
        None
    }

    /// The next access at or after `byte`, the byte behind its line, and how many lines that takes.
    pub(super) fn record(self, text: &str, mut byte: usize) -> Option<(Record, usize, usize)> {
        let mut lines = 0;
        loop {
            let (line, next) = line(text, byte)?;
            (byte, lines) = (next, lines + 1);
            let access = match self {
                Self::MemTrace => mem_trace(line),
                Self::AccelSim { words_before } => accel_sim(line, words_before),
            };
            if let Some(access) = access {
                return Some((access.record(), byte, lines));
            }
        }
    }
}

/// An access as recorded.
struct Access<'a> {
    opcode: &'a str,
    /// Block and warp, or the program counter.
    place: String,
    /// `[lane]`: decimal; empty where the lane is off; what is no address as written.
    lanes: Vec<String>,
}

impl Access<'_> {
    fn record(self) -> Record {
        let mut fields = vec![self.opcode.to_owned(), self.place];
        fields.extend(self.lanes);
        Record {
            fields,
            ..Record::default()
        }
    }
}

fn mem_trace(line: &str) -> Option<Access<'_>> {
    let (before, rest) = line.split_once(" - CTA ")?;
    if !before.contains("CTX ") {
        return None;
    }
    let mut parts = rest.split(" - ");
    let block = parts.next()?;
    let warp = parts.next()?.strip_prefix("warp ")?;
    let opcode = parts.next()?.trim();
    let words: Vec<&str> = parts.next()?.split_whitespace().take(LANES).collect();
    let addresses: Vec<Option<u64>> = words.iter().map(|word| hex(word)).collect();
    let is_idle = addresses.iter().any(|address| *address != Some(0));
    let lane = |(word, address): (&&str, &Option<u64>)| match address {
        Some(0) if is_idle => String::new(),
        Some(address) => address.to_string(),
        None => (*word).to_owned(),
    };
    Some(Access {
        opcode,
        place: format!("block {block}, warp {warp}"),
        lanes: words.iter().zip(&addresses).map(lane).collect(),
    })
}

fn accel_sim(line: &str, words_before: usize) -> Option<Access<'_>> {
    let mut words = line.split_whitespace().skip(words_before);
    let pc = words.next()?;
    let mask = words.next().filter(|mask| mask.len() == LANES / 4)?;
    let mask = u32::from_str_radix(mask, 16).ok()?;
    pass_registers(&mut words)?;
    let opcode = words.next()?;
    pass_registers(&mut words)?;
    let width: u64 = words.next()?.parse().ok()?;
    if width == 0 {
        return None;
    }
    let format = words.next()?;
    Some(Access {
        opcode,
        place: format!("pc {pc}"),
        lanes: addresses(format, mask, words)
            .unwrap_or_else(|| vec![format!("addresses in format {format}")]),
    })
}

/// Passes over a count and as many registers.
fn pass_registers<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<()> {
    let count: usize = words.next()?.parse().ok()?;
    match count {
        0 => Some(()),
        count => words.nth(count - 1).map(|_| ()),
    }
}

/// The addresses by lane; `None` where they cannot be read.
fn addresses<'a>(
    format: &str,
    mask: u32,
    mut words: impl Iterator<Item = &'a str>,
) -> Option<Vec<String>> {
    let is_list = match format {
        "0" => true,
        "1" | "2" => false,
        _ => return None,
    };
    let first = if is_list { 0 } else { hex(words.next()?)? };
    let stride = match format {
        "1" => words.next()?.parse::<i64>().ok(),
        _ => None,
    };
    let (mut at, mut is_first) = (first, true);
    let mut lanes = Vec::with_capacity(LANES);
    for lane in 0..LANES {
        if mask >> lane & 1 == 0 {
            lanes.push(String::new());
            continue;
        }
        if is_list {
            at = hex(words.next()?)?;
        } else if !is_first {
            let step = match stride {
                Some(stride) => stride,
                None => words.next()?.parse().ok()?,
            };
            at = at.wrapping_add_signed(step);
        }
        is_first = false;
        lanes.push(at.to_string());
    }
    Some(lanes)
}

fn hex(word: &str) -> Option<u64> {
    u64::from_str_radix(word.strip_prefix("0x").unwrap_or(word), 16).ok()
}
