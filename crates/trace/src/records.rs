//! A CSV text as records, where a record that never ends spoils no more than its own line.

use std::cell::RefCell;

/// One record and the line it begins on.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// From 1.
    pub(super) line: usize,
    pub(super) fields: Vec<String>,
    /// `[field]`: how many lines after the first it stands, and at which character, from 1; empty
    /// for a table, whose fields are counted themselves.
    pub(super) places: Vec<(usize, usize)>,
    /// What is wrong with the record as a whole, and in which field.
    pub(super) wrong: Option<(usize, super::FaultKind)>,
}

/// How many further lines a quoted field may run over.
const MAX_JOINED: usize = 64;

/// The line that begins at byte `at`, and where the next one begins.
pub(super) fn line(text: &str, at: usize) -> Option<(&str, usize)> {
    let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
    let end = rest.find('\n').unwrap_or(rest.len());
    Some((&rest[..end], at + end + 1))
}

/// The record at byte `at`, the byte after it, and how many lines it takes. A field in quotes may
/// hold line ends, if the record then has `columns` fields.
pub(super) fn record(
    text: &str,
    at: usize,
    separator: char,
    columns: Option<usize>,
) -> Option<(Record, usize, usize)> {
    let (first, next) = line(text, at)?;
    if is_closed(first) {
        return Some((of_line(first, separator, false), next, 1));
    }
    let (mut end, mut closed) = (next, false);
    for more in 1..=MAX_JOINED {
        let Some((another, after)) = line(text, end) else {
            break;
        };
        closed ^= !is_closed(another);
        end = after;
        // The first line has an odd number of quotes: another such line closes it.
        if !closed {
            continue;
        }
        let whole = text.get(at..end).unwrap_or(first);
        let joined = of_line(whole.strip_suffix('\n').unwrap_or(whole), separator, false);
        if columns.is_none_or(|columns| columns == joined.fields.len()) {
            return Some((joined, end, more + 1));
        }
        break;
    }
    Some((of_line(first, separator, true), next, 1))
}

/// What parts the fields of a table with such a first line: commas, or where there are none semicolons or tabs.
pub(super) fn separator(line: &str) -> char {
    let found = SEPARATORS.into_iter().find(|sign| line.contains(*sign));
    found.unwrap_or(',')
}

/// What may part the fields of a table, the likeliest first.
pub(super) const SEPARATORS: [char; 3] = [',', ';', '\t'];

thread_local! {
    /// A reader for each of [`SEPARATORS`]: to build its table of states takes longer than to read a record.
    static READERS: RefCell<[csv_core::Reader; 3]> = RefCell::new(SEPARATORS.map(|separator| {
        let delimiter = u8::try_from(separator).unwrap_or(b',');
        csv_core::ReaderBuilder::new().delimiter(delimiter).build()
    }));
}

fn of_line(line: &str, separator: char, unclosed: bool) -> Record {
    let fields = fields(line, separator);
    let last = fields.len().saturating_sub(1);
    Record {
        line: 0,
        fields,
        places: Vec::new(),
        wrong: unclosed.then_some((last, super::FaultKind::OpenQuote)),
    }
}

fn is_closed(text: &str) -> bool {
    text.bytes().filter(|&byte| byte == b'"').count() % 2 == 0
}

/// The fields of one record, blanks at their ends left out.
pub(super) fn fields(record: &str, separator: char) -> Vec<String> {
    let plain = record.strip_prefix('\u{feff}').unwrap_or(record);
    if !plain.is_empty() && !plain.contains('"') {
        let fields = plain.split(separator);
        return fields.map(|field| field.trim().to_owned()).collect();
    }
    let mut out = vec![0; record.len() + 1];
    let mut ends = vec![0; record.len() + 1];
    let at = SEPARATORS.iter().position(|sign| *sign == separator);
    let (written, count) = READERS.with_borrow_mut(|readers| {
        let reader = &mut readers[at.unwrap_or_default()];
        reader.reset();
        // The second call, without input, ends a record that no line feed ends.
        let (_, read, mut written, mut count) =
            reader.read_record(record.as_bytes(), &mut out, &mut ends);
        if read == record.len() {
            let (_, _, more, ended) =
                reader.read_record(&[], &mut out[written..], &mut ends[count..]);
            written += more;
            count += ended;
        }
        (written, count)
    });
    let text = String::from_utf8_lossy(&out[..written]);
    let mut start = 0;
    let field = |end: &usize| {
        let field = text.get(start..*end).unwrap_or("").trim().to_owned();
        start = *end;
        field
    };
    ends[..count].iter().map(field).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Vec<(usize, Vec<String>, bool)> {
        let (mut at, mut line, mut columns, mut found) = (0, 1, None, Vec::new());
        while let Some((record, next, lines)) = record(text, at, ',', columns) {
            if !super::line(text, at).unwrap().0.trim().is_empty() {
                columns = columns.or(Some(record.fields.len()));
                found.push((line, record.fields, record.wrong.is_some()));
            }
            (at, line) = (next, line + lines);
        }
        found
    }

    fn strings(fields: &[&str]) -> Vec<String> {
        fields.iter().map(|&field| field.to_owned()).collect()
    }

    #[test]
    fn quotes_commas_and_line_ends() {
        let text = "a,b\n\"x, y\",1\n\n\"two\nlines\",2\n\"say \"\"so\"\"\",3";
        let expected = [
            (1, strings(&["a", "b"]), false),
            (2, strings(&["x, y", "1"]), false),
            (4, strings(&["two\nlines", "2"]), false),
            (6, strings(&["say \"so\"", "3"]), false),
        ];
        assert_eq!(plain(text), expected);
    }

    #[test]
    fn an_open_quote_spoils_its_line_alone() {
        let found = plain("a,b\n\"x,1\ny,2\n\"z\",3\nw,4\n");
        let lines: Vec<(usize, bool)> = found
            .iter()
            .map(|(line, _, unclosed)| (*line, *unclosed))
            .collect();
        assert_eq!(
            lines,
            [(1, false), (2, true), (3, false), (4, false), (5, false)]
        );
    }

    #[test]
    fn fields_are_split_as_tables_are() {
        for (record, expected) in [
            ("", &[][..]),
            ("a", &["a"]),
            ("a,", &["a", ""]),
            (",,", &["", "", ""]),
            (" a , \" b \" ", &["a", "\" b \""]),
            ("\u{feff}a,b", &["a", "b"]),
        ] {
            assert_eq!(fields(record, ','), expected, "{record:?}");
        }
    }
}
