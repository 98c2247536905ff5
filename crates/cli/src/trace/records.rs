//! A CSV text as records, where a record that never ends spoils no more than its own line.

/// One record and the line it begins on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// From 1.
    pub(crate) line: usize,
    pub(crate) fields: Vec<String>,
    /// A quote was opened and not closed.
    pub(crate) unclosed: bool,
}

/// How many further lines a quoted field may run over.
const MAX_JOINED: usize = 64;

/// The records of `text`; empty lines are none. A field in quotes may hold line ends, if the
/// record then has as many fields as the first one.
pub(crate) fn records(text: &str) -> Vec<Record> {
    let lines: Vec<&str> = text.lines().collect();
    let mut records: Vec<Record> = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let columns = records.first().map(|header| header.fields.len());
        let (fields, taken, unclosed) = record(line, &lines, at, columns);
        if !line.trim().is_empty() {
            records.push(Record {
                line: at + 1,
                fields,
                unclosed,
            });
        }
        at += taken;
    }
    records
}

/// The fields of the record at line `at`, how many lines it takes, and whether it never ends.
fn record(
    line: &str,
    lines: &[&str],
    at: usize,
    columns: Option<usize>,
) -> (Vec<String>, usize, bool) {
    if is_closed(line) {
        return (fields(line), 1, false);
    }
    let mut joined = line.to_owned();
    for (more, next) in lines.iter().skip(at + 1).take(MAX_JOINED).enumerate() {
        joined.push('\n');
        joined.push_str(next);
        if is_closed(&joined) {
            let found = fields(&joined);
            if columns.is_none_or(|columns| columns == found.len()) {
                return (found, more + 2, false);
            }
            break;
        }
    }
    (fields(line), 1, true)
}

fn is_closed(text: &str) -> bool {
    text.bytes().filter(|&byte| byte == b'"').count() % 2 == 0
}

fn fields(record: &str) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .buffer_capacity(record.len().max(16))
        .from_reader(record.as_bytes());
    let mut fields = csv::StringRecord::new();
    match reader.read_record(&mut fields) {
        Ok(true) => fields.iter().map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Vec<(usize, Vec<String>, bool)> {
        records(text)
            .into_iter()
            .map(|record| (record.line, record.fields, record.unclosed))
            .collect()
    }

    fn strings(fields: &[&str]) -> Vec<String> {
        fields.iter().map(|&field| field.to_owned()).collect()
    }

    #[test]
    fn quotes_commas_and_line_ends() {
        let text = "a,b\r\n\"x, y\",1\r\n\r\n\"two\nlines\",2\n\"say \"\"so\"\"\",3";
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
}
