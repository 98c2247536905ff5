//! A trace read from a stream: no more of it is held than a window around the next row.

use super::decoder::Decoder;
use lanescope_model::Device;
use lanescope_trace::{Row, Trace};
use std::io::{self, Read};

/// Bytes that are read at a time, at least.
const CHUNK: usize = 1 << 20;
/// Line ends after a row that cannot be read, without which the text that was not read yet might change what is wrong
/// with it: a field in quotes runs over no more lines.
const LINES_AHEAD: usize = 65;
/// The same in bytes, for texts of long lines.
const BYTES_AHEAD: usize = 4 << 20;

/// The rows of a stream.
pub(super) struct Stream<R> {
    source: R,
    decoder: Decoder,
    is_end: bool,
    trace: Trace,
    /// The most bytes of text that were held at a time.
    most_held: usize,
}

impl<R: Read> Stream<R> {
    /// Reads as far as the columns.
    ///
    /// # Errors
    /// When the stream cannot be read, or it is no trace.
    pub(super) fn open(mut source: R) -> anyhow::Result<Self> {
        let (mut decoder, mut is_end, mut text) = (Decoder::default(), false, String::new());
        while !is_end && !has_columns(&text) {
            let more = CHUNK.max(text.len());
            text.push_str(&read(&mut source, &mut decoder, more, &mut is_end)?);
        }
        Ok(Self {
            source,
            decoder,
            is_end,
            most_held: text.len(),
            trace: Trace::open(text).map_err(|error| anyhow::anyhow!("{error}"))?,
        })
    }

    /// The trace as far as it is held: its columns.
    pub(super) const fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The next row as a warp of `device` would ask for it; `None` at the end.
    ///
    /// # Errors
    /// When the stream cannot be read.
    pub(super) fn next_row(&mut self, device: &Device) -> io::Result<Option<Row>> {
        loop {
            let mark = self.trace.mark();
            let row = self.trace.next_row(device);
            if self.is_end || row.as_ref().is_some_and(|row| self.is_certain(row)) {
                return Ok(row);
            }
            let held = self.trace.held_from(mark);
            let length = CHUNK.max(held);
            let more = read(
                &mut self.source,
                &mut self.decoder,
                length,
                &mut self.is_end,
            )?;
            self.most_held = self.most_held.max(held + more.len());
            self.trace.go_on(mark, &more);
        }
    }

    /// Whether the row would be the same if more of the text were held.
    fn is_certain(&self, row: &Row) -> bool {
        let rest = self.trace.rest();
        let mut ends = rest.bytes().filter(|byte| *byte == b'\n');
        self.trace.has_ended_row()
            && (row.faults.is_empty()
                || rest.len() >= BYTES_AHEAD
                || ends.nth(LINES_AHEAD - 1).is_some())
    }
}

/// Whether the text holds the line that names the columns, or none is needed.
fn has_columns(text: &str) -> bool {
    let begun = text.trim_start();
    begun.starts_with(['[', '{']) || begun.contains('\n')
}

/// The text of the next `length` bytes, or of those up to the end.
fn read(
    source: &mut impl Read,
    decoder: &mut Decoder,
    length: usize,
    is_end: &mut bool,
) -> io::Result<String> {
    let mut bytes = Vec::with_capacity(length);
    let most = u64::try_from(length).unwrap_or(u64::MAX);
    *is_end = source.take(most).read_to_end(&mut bytes)? < length;
    Ok(decoder.text(&bytes, *is_end))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `count` rows, made as they are read.
    struct Rows {
        made: Vec<u8>,
        next: usize,
        count: usize,
    }

    impl Read for Rows {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            while self.made.len() < buffer.len() && self.next < self.count {
                let row = self.next;
                let text = format!("ld.shared.b32,{},{}\n", row * 4 % 4096, row * 132 % 4096);
                self.made.extend_from_slice(text.as_bytes());
                self.next += 1;
            }
            let length = self.made.len().min(buffer.len());
            buffer[..length].copy_from_slice(&self.made[..length]);
            self.made.drain(..length);
            Ok(length)
        }
    }

    #[test]
    fn no_more_is_held_for_more_rows() {
        let held = [60_000, 180_000].map(|count| {
            let header = b"instruction,lane0,lane1\n".to_vec();
            let (made, next) = (header, 0);
            let mut stream = Stream::open(Rows { made, next, count }).expect("a trace");
            let mut rows = 0;
            while let Some(row) = stream.next_row(<&Device>::default()).expect("a row") {
                rows += 1;
                assert_eq!((row.number, row.faults.len()), (rows, 0));
            }
            assert_eq!(rows, count);
            stream.most_held
        });
        assert!(held.iter().all(|held| *held < CHUNK + 4_096), "{held:?}");
    }

    #[test]
    fn a_stream_reads_as_the_whole_text_does() {
        let row = "ld.shared.b32,\"a, b\",0,128\n";
        let long = format!("instruction,note,lane0,lane1\n{}", row.repeat(60_000));
        let json = format!("[{}[0,4]]", "[0,128],".repeat(150_000));
        let lanes = (0..6_000).flat_map(|warp| (0..32).map(move |lane| (warp, lane)));
        let lanes = lanes.map(|(warp, lane)| format!("{warp},{lane},{}\n", lane * 128));
        let texts = [
            format!("warp,lane,addr\n{}", lanes.collect::<String>()),
            long.replace("a, b", "two\nlines"),
            long.replacen("a, b\"", "never closed", 1),
            long.replace(",128\n", ",x\n").replace('\n', "\r\n"),
            json.replacen("128", "x!", 3),
            format!("{}0,128\n", (" ".repeat(1_023) + "\n").repeat(2_048)),
        ];
        for text in texts {
            let device = <&Device>::default();
            let mut whole = Trace::open(text.as_str()).expect("a trace");
            let mut stream = Stream::open(text.as_bytes()).expect("a trace");
            loop {
                let expected = whole.next_row(device);
                let found = stream.next_row(device).expect("a row");
                assert_eq!(found, expected);
                if expected.is_none() {
                    break;
                }
            }
        }
    }
}
