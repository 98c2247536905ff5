//! Records from JSON.
//!
//! Fields that are not named here are passed over: recorders add their own.
//!
//! ```text
//! file     = object | { object newline }
//! object   = { "kernel" | "mangled", "template_arguments"?, "grid", "block", "dynamic_shared"?, "arguments"? }
//! argument = { "name"?, "bytes", "offset"?, "hex"?, "contents"?, "pointer"? { "base_off"?, "range", "mod"? } }
//! ```

use crate::{LaunchError, LaunchRecord, RecordedArgument, RecordedPointer};
use serde_json::{Map, Value};

/// The most arguments of a launch that are read; CUDA passes at most 32,764 bytes of them.
const MOST_ARGUMENTS: usize = 4096;
/// The most bytes of one argument.
const MOST_BYTES: u64 = 32_764;

/// Every launch of a file.
///
/// # Errors
/// When one of them cannot be read.
pub fn all(text: &str) -> Result<Vec<LaunchRecord>, LaunchError> {
    objects(text)
        .into_iter()
        .map(|(line, object)| record(&parsed(line, object)?))
        .collect()
}

/// Launch `number` of a file, counted from 1; without a number, its only one.
///
/// # Errors
/// When there is no such launch, when there are several and no number, or when it cannot be read.
pub fn nth(text: &str, number: Option<usize>) -> Result<LaunchRecord, LaunchError> {
    let objects = objects(text);
    let launches = objects.len();
    let at = match number {
        None if launches > 1 => return Err(LaunchError::SeveralLaunches { launches }),
        None => 0,
        Some(number) => number.wrapping_sub(1),
    };
    let (line, object) = objects.get(at).ok_or(LaunchError::NoSuchLaunch {
        number: number.unwrap_or(1),
        launches,
    })?;
    record(&parsed(*line, object)?)
}

/// The file's objects, each with its line: the whole text, or each line that is not blank.
fn objects(text: &str) -> Vec<(usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if serde_json::from_str::<Map<String, Value>>(text).is_ok() {
        return vec![(1, text)];
    }
    let lines: Vec<(usize, &str)> = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .collect();
    // One object over several lines that is not JSON: the error is about the whole.
    let is_object =
        |line: &str| line.trim_start().starts_with('{') && line.trim_end().ends_with('}');
    match lines.first() {
        Some((_, first)) if is_object(first) => lines,
        Some(_) => vec![(1, text)],
        None => Vec::new(),
    }
}

fn parsed(line: usize, text: &str) -> Result<Map<String, Value>, LaunchError> {
    serde_json::from_str(text).map_err(|error| LaunchError::NotJson {
        line: line + error.line().saturating_sub(1),
        message: error.to_string(),
    })
}

fn record(object: &Map<String, Value>) -> Result<LaunchRecord, LaunchError> {
    let named = |key: &str| text(object.get(key), key);
    let (kernel, mangled) = (named("kernel")?, named("mangled")?);
    if kernel.is_none() && mangled.is_none() {
        return Err(wrong("kernel", "a name (or give `mangled`)"));
    }
    let templates = list(object.get("template_arguments"), "template_arguments")?;
    let template_arguments = templates
        .iter()
        .map(template_argument)
        .collect::<Result<_, _>>()?;
    let arguments = list(object.get("arguments"), "arguments")?;
    if arguments.len() > MOST_ARGUMENTS {
        return Err(wrong("arguments", "at most 4,096"));
    }
    Ok(LaunchRecord {
        kernel,
        mangled,
        template_arguments,
        grid: extent(object.get("grid"), "grid")?,
        block: extent(object.get("block"), "block")?,
        dynamic_shared_bytes: number(object.get("dynamic_shared"), "dynamic_shared")?.unwrap_or(0),
        arguments: arguments
            .iter()
            .enumerate()
            .map(|(at, value)| argument(value, &format!("arguments[{at}]")))
            .collect::<Result<_, _>>()?,
    })
}

fn template_argument(value: &Value) -> Result<String, LaunchError> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(flag) => Ok(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => {
            Err(wrong("template_arguments", "texts or numbers"))
        }
    }
}

fn argument(value: &Value, path: &str) -> Result<RecordedArgument, LaunchError> {
    let object = value.as_object().ok_or_else(|| wrong(path, "an object"))?;
    let field = |name: &str| (object.get(name), format!("{path}.{name}"));
    let (name, name_path) = field("name");
    let (hex, hex_path) = field("hex");
    let (bytes, bytes_path) = field("bytes");
    let (offset, offset_path) = field("offset");
    let (pointer, pointer_path) = field("pointer");
    let (contents, contents_path) = field("contents");
    let hex = text(hex, &hex_path)?.unwrap_or_default();
    let hex = digits(&hex).ok_or_else(|| wrong(&hex_path, "pairs of hexadecimal digits"))?;
    let bytes = match number(bytes, &bytes_path)? {
        Some(bytes) => bytes,
        None => hex.len() as u64,
    };
    let small = u32::try_from(bytes).ok().filter(|_| bytes <= MOST_BYTES);
    let offset = match number(offset, &offset_path)? {
        Some(offset) => Some(
            u32::try_from(offset)
                .ok()
                .filter(|_| offset < MOST_BYTES)
                .ok_or_else(|| wrong(&offset_path, "below 32,764"))?,
        ),
        None => None,
    };
    Ok(RecordedArgument {
        offset,
        name: text(name, &name_path)?,
        bytes: small.ok_or_else(|| wrong(&bytes_path, "at most 32,764"))?,
        hex,
        pointer: pointer
            .filter(|pointer| !pointer.is_null())
            .map(|one| self::pointer(one, &pointer_path))
            .transpose()?,
        contents: text(contents, &contents_path)?,
    })
}

fn pointer(value: &Value, path: &str) -> Result<RecordedPointer, LaunchError> {
    let object = value.as_object().ok_or_else(|| wrong(path, "an object"))?;
    let field = |name: &str| number(object.get(name), &format!("{path}.{name}"));
    let base_off = field("base_off")?.unwrap_or(0);
    Ok(RecordedPointer {
        base_off,
        range: field("range")?
            .ok_or_else(|| wrong(&format!("{path}.range"), "a number of bytes"))?,
        modulo: field("mod")?.unwrap_or(base_off % 1024),
    })
}

/// `"0a1b"` as bytes.
fn digits(text: &str) -> Option<Vec<u8>> {
    let nibble = |c: u8| {
        char::from(c)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(nibble(*high)? << 4 | nibble(*low)?),
        _ => None,
    };
    text.as_bytes().chunks(2).map(pair).collect()
}

/// One to three numbers from 1; those left out are 1.
fn extent(value: Option<&Value>, path: &str) -> Result<[u32; 3], LaunchError> {
    let error = || wrong(path, "one to three numbers from 1");
    let numbers = match value {
        Some(Value::Array(numbers)) => numbers.as_slice(),
        Some(one @ Value::Number(_)) => std::slice::from_ref(one),
        _ => return Err(error()),
    };
    let mut extent = [1; 3];
    if numbers.is_empty() || numbers.len() > extent.len() {
        return Err(error());
    }
    for (slot, number) in extent.iter_mut().zip(numbers) {
        let number = number
            .as_u64()
            .and_then(|number| u32::try_from(number).ok());
        *slot = number.filter(|number| *number > 0).ok_or_else(error)?;
    }
    Ok(extent)
}

fn text(value: Option<&Value>, path: &str) -> Result<Option<String>, LaunchError> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(wrong(path, "a text")),
    }
}

fn number(value: Option<&Value>, path: &str) -> Result<Option<u64>, LaunchError> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value
            .as_u64()
            .map(Some)
            .ok_or_else(|| wrong(path, "a whole number from 0")),
    }
}

fn list<'a>(value: Option<&'a Value>, path: &str) -> Result<&'a [Value], LaunchError> {
    match value {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(list)) => Ok(list),
        Some(_) => Err(wrong(path, "a list")),
    }
}

fn wrong(field: &str, expected: &'static str) -> LaunchError {
    LaunchError::Field {
        field: field.to_owned(),
        expected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "{\"kernel\":\"a\",\"grid\":[1],\"block\":[32]}\n\n{\"mangled\":\"_Z1bv\",\"grid\":2,\"block\":[8,4],\
        \"dynamic_shared\":64,\"template_arguments\":[\"float\",3,true],\"arguments\":[{\"bytes\":8,\"pointer\":\
        {\"base_off\":4,\"range\":64,\"mod\":516}},{\"name\":\"n\",\"hex\":\"0A00\"}]}\n";

    #[test]
    fn launches_stand_one_a_line() {
        let records = all(TWO).expect("two records");
        assert_eq!(records.len(), 2);
        let [first, second] = records.as_slice() else {
            panic!("two records")
        };
        assert_eq!(first.instance().as_deref(), Some("a"));
        assert_eq!(second.instance().as_deref(), Some("b<float, 3, true>"));
        assert_eq!((second.grid, second.block), ([2, 1, 1], [8, 4, 1]));
        assert_eq!(second.dynamic_shared_bytes, 64);
        let pointer = RecordedPointer {
            base_off: 4,
            range: 64,
            modulo: 516,
        };
        assert_eq!(
            second.arguments.first().and_then(|one| one.pointer),
            Some(pointer)
        );
        assert_eq!(
            second
                .arguments
                .get(1)
                .map(|one| (one.bytes, one.integer())),
            Some((2, Some(10)))
        );
        assert_eq!(nth(TWO, Some(2)).as_ref(), Ok(second));
    }

    #[test]
    fn a_number_chooses_the_launch() {
        assert_eq!(
            nth(TWO, None),
            Err(LaunchError::SeveralLaunches { launches: 2 })
        );
        for number in [0, 3] {
            assert_eq!(
                nth(TWO, Some(number)),
                Err(LaunchError::NoSuchLaunch {
                    number,
                    launches: 2
                })
            );
        }
        assert!(
            nth(
                "{\n\"kernel\": \"a\",\n\"grid\": [1], \"block\": [1]}",
                None
            )
            .is_ok()
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        let said = |text: &str| {
            nth(text, None)
                .map(|_| ())
                .map_err(|error| error.to_string())
        };
        for (text, error) in [
            (
                "{\"grid\":[1],\"block\":[1]}",
                "`kernel` must be a name (or give `mangled`)",
            ),
            (
                "{\"kernel\":\"a\",\"block\":[1]}",
                "`grid` must be one to three numbers from 1",
            ),
            (
                "{\"kernel\":\"a\",\"grid\":[1,0],\"block\":[1]}",
                "`grid` must be one to three numbers from 1",
            ),
            (
                "{\"kernel\":\"a\",\"grid\":1,\"block\":1,\"arguments\":[{\"hex\":\"0\"}]}",
                "`arguments[0].hex` must be pairs of hexadecimal digits",
            ),
            (
                "{\"kernel\":\"a\",\"grid\":1,\"block\":1,\"arguments\":[{\"bytes\":8,\"pointer\":{}}]}",
                "`arguments[0].pointer.range` must be a number of bytes",
            ),
            ("", "no launch 1; the file has 0"),
        ] {
            assert_eq!(said(text), Err(error.to_owned()), "{text}");
        }
        assert!(said("{").is_err_and(|error| error.starts_with("line 1 is not JSON")));
    }
}
