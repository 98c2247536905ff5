//! A JSON text as records, one row after another: what is wrong with one does not spoil the next.
//!
//! ```ebnf
//! text   = "[" row { "," row } "]" | row { row } ;
//! row    = list | "{" [ TEXT ":" ( value | list ) { "," TEXT ":" ( value | list ) } ] "}" ;
//! list   = "[" [ value { "," value } ] "]" ;
//! value  = NUMBER | TEXT | "null" | "true" | "false" ;
//! ```

use super::columns::Columns;
use super::records::Record;
use super::{FaultKind, JsonExpected};
use std::collections::BTreeSet;

/// Names of a member that lists all lanes' offsets.
const LISTS: [&str; 4] = ["lanes", "offsets", "addresses", "lane"];
/// Names of a member that lists the offsets which an asynchronous copy reads.
const SOURCES: [&str; 2] = ["sources", "source"];
/// Whether a row of `text` may have offsets that an asynchronous copy reads.
pub(super) fn has_sources(text: &str) -> bool {
    text.to_ascii_lowercase().contains("\"source")
}

/// How deep what is left out may be nested.
const MAX_DEPTH: u32 = 64;
/// The most bytes of a row.
const MAX_ROW: usize = 1 << 16;

/// Where the rows begin: behind the bracket of a list of rows; and whether they stand in one.
pub(super) fn first(text: &str) -> (usize, bool) {
    let start = text.len() - text.trim_start().len();
    let inside = text[start..].strip_prefix('[').map(str::trim_start);
    match inside.and_then(|inside| inside.chars().next()) {
        Some('[' | '{' | ']') => (start + 1, true),
        _ => (start, false),
    }
}

/// What follows a row, or the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A row that begins there.
    Row(usize),
    /// Something wrong there, and where to go on: behind the text where that is the last of it.
    Fault(usize, JsonExpected, usize),
    /// Nothing.
    End,
}

/// What follows at `at`, in a list of rows (`is_list`) or in rows one after another.
pub(super) fn next(text: &str, at: usize, is_list: bool, is_first: bool) -> Next {
    let behind = text.len() + 1;
    let Some(rest) = text.get(at..) else {
        return Next::End;
    };
    let lenient = |rest: &str, at: usize| {
        let skipped = |sign: char| sign.is_whitespace() || matches!(sign, ',' | ']');
        let start = at + rest.len() - rest.trim_start_matches(skipped).len();
        if start < text.len() {
            Next::Row(start)
        } else {
            Next::End
        }
    };
    if !is_list {
        return lenient(rest, at);
    }
    let mut commas = 0;
    for (offset, sign) in rest.char_indices() {
        let place = at + offset;
        match sign {
            ',' if commas > 0 || is_first => {
                return Next::Fault(place, JsonExpected::Row, place + 1);
            }
            ',' => commas += 1,
            ']' if commas > 0 => return Next::Fault(place, JsonExpected::Row, behind),
            ']' => return lenient(&rest[offset + 1..], place + 1),
            _ if sign.is_whitespace() => {}
            _ => return Next::Row(place),
        }
    }
    Next::Fault(text.len(), JsonExpected::End, behind)
}

/// The row at `start`, which is character `column` of its line, and where it ends; of one that cannot be read, the end of
/// its line.
pub(super) fn row(text: &str, start: usize, column: usize, columns: &Columns) -> (Record, usize) {
    let mut reader = Reader {
        text,
        start,
        column,
        passed: Passed::default(),
        at: start,
        names: BTreeSet::new(),
        columns,
        record: Record {
            fields: vec![String::new(); columns.titles.len()],
            places: vec![(0, column); columns.titles.len()],
            ..Record::default()
        },
    };
    let read = match reader.sign() {
        Some('{') => reader.object(),
        Some('[') => reader.list(),
        _ => Err(JsonExpected::Row),
    };
    if let Err(expected) = read {
        let place = reader.place();
        reader.record.places.iter_mut().for_each(|at| *at = place);
        reader.record.wrong = Some((0, FaultKind::Json(expected)));
        return (reader.record, after_fault(text, start));
    }
    (reader.record, reader.at)
}

/// A row that stands for what is wrong between rows, at character `column` of its line.
pub(super) fn fault(expected: JsonExpected, column: usize, columns: &Columns) -> Record {
    Record {
        fields: vec![String::new(); columns.titles.len()],
        places: vec![(0, column); columns.titles.len()],
        wrong: Some((0, FaultKind::Json(expected))),
        ..Record::default()
    }
}

/// Where to go on after a row that cannot be read: behind its own bracket, if that closes on its
/// line, else the next line.
fn after_fault(text: &str, start: usize) -> usize {
    let mut depth = 0_i32;
    for (at, sign) in text[start..].char_indices() {
        match sign {
            '\n' => return start + at,
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth <= 0 && matches!(sign, ']' | '}') {
            return start + at + 1;
        }
    }
    text.len()
}

/// What lies between a row's first byte and a later one.
#[derive(Clone, Copy, Default)]
struct Passed {
    bytes: usize,
    line_ends: usize,
    /// Behind the last line end.
    characters: usize,
}

struct Reader<'a> {
    text: &'a str,
    start: usize,
    /// Of the first byte, from 1.
    column: usize,
    /// As far as places have been asked for: each byte is looked at once.
    passed: Passed,
    at: usize,
    /// Of the row's members, in small letters.
    names: BTreeSet<String>,
    columns: &'a Columns,
    record: Record,
}

type Read<T> = Result<T, JsonExpected>;

impl Reader<'_> {
    /// The next sign that is no blank.
    fn sign(&mut self) -> Option<char> {
        let rest = self.text.get(self.at..)?;
        self.at += rest.len() - rest.trim_start().len();
        self.text.get(self.at..)?.chars().next()
    }

    /// Lines after the row's first, and the character, from 1.
    fn place(&mut self) -> (usize, usize) {
        let at = self.at.min(self.text.len());
        let from = self.start + self.passed.bytes;
        for sign in self.text.get(from..at).unwrap_or("").chars() {
            let passed = &mut self.passed;
            passed.bytes += sign.len_utf8();
            passed.characters += 1;
            if sign == '\n' {
                passed.line_ends += 1;
                passed.characters = 0;
            }
        }
        let before = if self.passed.line_ends == 0 {
            self.column
        } else {
            1
        };
        (self.passed.line_ends, before + self.passed.characters)
    }

    fn takes(&mut self, wanted: char) -> bool {
        let found = self.sign() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// The members or elements between two brackets.
    fn each(&mut self, end: char, mut one: impl FnMut(&mut Self, usize) -> Read<()>) -> Read<()> {
        self.at += 1;
        let start = self.at;
        if self.takes(end) {
            return Ok(());
        }
        for index in 0.. {
            one(self, index)?;
            if self.takes(end) {
                return Ok(());
            }
            if !self.takes(',') || self.at - start > MAX_ROW {
                return Err(JsonExpected::Closing);
            }
        }
        Ok(())
    }

    fn object(&mut self) -> Read<()> {
        self.each('}', |reader, _| {
            let name = reader.quoted()?;
            if !reader.takes(':') {
                return Err(JsonExpected::Value);
            }
            let is_one_of = |names: &[&str]| names.iter().any(|of| name.eq_ignore_ascii_case(of));
            if !reader.names.insert(name.to_ascii_lowercase()) {
                return Err(JsonExpected::OtherName);
            }
            match (reader.sign(), reader.columns.place(&name)) {
                (Some('['), _) if is_one_of(&LISTS) => reader.list(),
                (Some('['), _) if is_one_of(&SOURCES) => reader.sources(),
                (_, Some(place)) => reader.put(place),
                _ => reader.skip(0),
            }
        })
    }

    /// Lanes' offsets; an instruction may stand before them.
    fn list(&mut self) -> Read<()> {
        let mut named = 0;
        self.each(']', |reader, index| {
            if index == 0 && reader.sign() == Some('"') {
                named = 1;
                return reader.put(reader.columns.instruction);
            }
            let lane = reader.columns.lanes.get(index - named).copied().flatten();
            match lane {
                Some(place) => reader.put(place),
                None => Err(JsonExpected::Closing),
            }
        })
    }

    /// The offsets that each lane reads.
    fn sources(&mut self) -> Read<()> {
        self.each(']', |reader, lane| {
            match reader.columns.sources.get(lane).copied().flatten() {
                Some(place) => reader.put(place),
                None => Err(JsonExpected::Closing),
            }
        })
    }

    fn put(&mut self, place: usize) -> Read<()> {
        let _ = self.sign();
        let place_in_text = self.place();
        let value = self.value()?;
        if let (Some(field), Some(at)) = (
            self.record.fields.get_mut(place),
            self.record.places.get_mut(place),
        ) {
            *field = value;
            *at = place_in_text;
        }
        Ok(())
    }

    /// A number, a text or a word as text; `null` as nothing.
    fn value(&mut self) -> Read<String> {
        if self.sign() == Some('"') {
            return self.quoted();
        }
        let rest = self.text.get(self.at..).unwrap_or("");
        let is_inside =
            |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '+' | '.');
        let length = rest.find(|sign| !is_inside(sign)).unwrap_or(rest.len());
        if length == 0 {
            return Err(JsonExpected::Value);
        }
        self.at += length;
        let word = &rest[..length];
        Ok(if word == "null" { "" } else { word }.to_owned())
    }

    fn quoted(&mut self) -> Read<String> {
        if !self.takes('"') {
            return Err(JsonExpected::Value);
        }
        let rest = self.text.get(self.at..).unwrap_or("");
        let mut text = String::new();
        let mut signs = rest.char_indices();
        while let Some((at, sign)) = signs.next() {
            match sign {
                '"' => {
                    self.at += at + 1;
                    return Ok(text);
                }
                '\n' => break,
                '\\' => text.extend(signs.next().map(|(_, escaped)| escaped)),
                _ => text.push(sign),
            }
        }
        Err(JsonExpected::Closing)
    }

    /// Leaves a value of any kind out.
    fn skip(&mut self, depth: u32) -> Read<()> {
        if depth > MAX_DEPTH {
            return Err(JsonExpected::Closing);
        }
        match self.sign() {
            Some('[') => self.each(']', |reader, _| reader.skip(depth + 1)),
            Some('{') => self.each('}', |reader, _| {
                reader.quoted()?;
                if !reader.takes(':') {
                    return Err(JsonExpected::Value);
                }
                reader.skip(depth + 1)
            }),
            _ => self.value().map(drop),
        }
    }
}
