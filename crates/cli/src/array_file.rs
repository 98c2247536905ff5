//! `@FILE`: what an array holds before the launch, from a file.

use crate::input;
use anyhow::{Context as _, bail};
use lanescope_frontend::{Program, SourceArray};
use lanescope_launches::{ArrayContents, LaunchRecord, NumberKind, NumberType};
use lanescope_query::Question;
use std::path::Path;

/// A file as an option or a record names it: its path and, of raw bytes, their type.
type Named<'t> = (&'t Path, Option<NumberType>);

/// How NumPy's files begin.
const NPY_MAGIC: &[u8] = b"\x93NUMPY";

/// The file that an argument's text names, as in `@values.npy`.
pub(crate) fn named(text: &str) -> Option<&str> {
    text.trim().strip_prefix('@')
}

/// Reads `FILE.npy`, `FILE:TYPE` or `FILE`, which has the array's own type.
///
/// # Errors
/// A sentence that says what to write.
pub(crate) fn parse(text: &str) -> Result<Named<'_>, String> {
    let (path, of) = match text.rsplit_once(':') {
        Some((path, name)) if name.chars().all(|sign| sign.is_ascii_alphanumeric()) => {
            let of = NumberType::named(name).ok_or_else(|| {
                format!("`{name}` is no type of numbers; write u8, i8, u16, i16, f16, u32, i32, f32, u64, i64 or f64")
            })?;
            (path, Some(of))
        }
        _ => (text, None),
    };
    if path.is_empty() {
        return Err("write a file after `@`, as in @values.npy or @values.bin:f32".to_owned());
    }
    Ok((Path::new(path), of))
}

/// Gives the arrays of a question what the files hold that options and the record name; options win.
///
/// # Errors
/// When there is no such array, or a file cannot be read or holds other numbers than the array.
pub(crate) fn take(
    question: &mut Question,
    options: &[(String, String)],
    record: Option<&LaunchRecord>,
) -> anyhow::Result<()> {
    let is_given = |name: &str| options.iter().any(|(given, _)| given == name);
    let mut wanted = Vec::new();
    for parameter in question.parsed.program.parameters() {
        let position = parameter.passed.map(|passed| passed.position);
        let recorded = position
            .zip(record)
            .and_then(|(at, record)| record.arguments.get(usize::try_from(at).ok()?));
        let file = recorded.and_then(|one| one.contents.as_deref());
        wanted.extend(
            file.filter(|_| !is_given(&parameter.name))
                .map(|file| (parameter.name.clone(), file)),
        );
    }
    let of_options = options
        .iter()
        .filter_map(|(name, text)| Some((name.clone(), named(text)?)));
    wanted.extend(of_options);
    for (name, file) in wanted {
        let bytes = contents(&question.parsed.program, &name, file)
            .with_context(|| format!("contents of `{name}`"))?;
        question.launch.contents.push((name, bytes.into()));
    }
    Ok(())
}

/// The bytes that the file gives the parameter.
fn contents(program: &Program, name: &str, file: &str) -> anyhow::Result<Vec<u8>> {
    let array = array(program, name)?;
    let (path, of) = parse(file).map_err(anyhow::Error::msg)?;
    let read = read(path, of)?;
    if let Some(of) = read.of {
        check_type(array, of, path)?;
    }
    check_length(array, &read.bytes, path)?;
    Ok(read.bytes)
}

/// The bytes that a file gives an array of compiled code, whose type nobody knows.
///
/// # Errors
/// When the file cannot be read.
pub(crate) fn bytes(file: &str) -> anyhow::Result<Vec<u8>> {
    let (path, of) = parse(file).map_err(anyhow::Error::msg)?;
    Ok(read(path, of)?.bytes)
}

/// What a file holds.
struct Held {
    /// The type of its numbers, where the file or its name says.
    of: Option<NumberType>,
    bytes: Vec<u8>,
}

/// Reads numbers of a type, a file of NumPy's, or raw bytes.
fn read(path: &Path, of: Option<NumberType>) -> anyhow::Result<Held> {
    let bytes = input::bytes(path)?;
    let is_named_npy = path.extension().is_some_and(|extension| extension == "npy");
    let read = match of {
        Some(of) => ArrayContents::raw(of, bytes),
        None if is_named_npy || bytes.starts_with(NPY_MAGIC) => ArrayContents::of_npy(&bytes),
        None => return Ok(Held { of: None, bytes }),
    };
    let read = read.map_err(|error| anyhow::anyhow!("{} {error}", input::name(path)))?;
    Ok(Held {
        of: Some(read.of),
        bytes: read.bytes,
    })
}

/// The array that the parameter points to.
fn array<'p>(program: &'p Program, name: &str) -> anyhow::Result<&'p SourceArray> {
    let parameters = program.parameters();
    let found = parameters.iter().find(|parameter| parameter.name == name);
    let array = found
        .and_then(|one| program.array(one.array?))
        .filter(|array| array.header_bytes == 0);
    array.with_context(|| {
        let names = parameters
            .iter()
            .filter(|parameter| parameter.array.is_some());
        let names: Vec<&str> = names.map(|name| name.name.as_str()).collect();
        match names.as_slice() {
            [] => "the kernel has no array among its parameters".to_owned(),
            names => format!(
                "it is no array of the kernel; those are {}",
                names.join(", ")
            ),
        }
    })
}

/// Whether the file's numbers are those of the array's elements.
fn check_type(array: &SourceArray, of: NumberType, path: &Path) -> anyhow::Result<()> {
    let file = input::name(path);
    let element = &array.element;
    if let Some(expected) = number_type(element).filter(|expected| *expected != of) {
        let kind = match expected.kind {
            NumberKind::Float => "float",
            NumberKind::Integer if element.starts_with('u') => "uint",
            NumberKind::Integer => "int",
        };
        bail!(
            "{file} holds {of}, the array {expected} ({element}); save it with astype('{kind}{}')",
            8 * u32::from(expected.bytes)
        );
    }
    Ok(())
}

/// Whether the file has a whole number of elements.
fn check_length(array: &SourceArray, bytes: &[u8], path: &Path) -> anyhow::Result<()> {
    let (file, element) = (input::name(path), &array.element);
    let (found, each) = (bytes.len() as u64, array.element_bytes.max(1));
    if found % each != 0 {
        bail!("{file} has {found} bytes, no whole number of {element} ({each} bytes each)");
    }
    Ok(())
}

/// The type of the numbers of which an element is one or several; `None` where they may differ.
fn number_type(element: &str) -> Option<NumberType> {
    let plain = element.trim_start_matches("const ");
    // `vec4<f32>` of WGSL.
    let part = plain
        .split_once('<')
        .map(|(_, part)| part.trim_end_matches('>'));
    let plain = part.unwrap_or(plain);
    if matches!(plain, "f32" | "f16" | "i32" | "u32") {
        return NumberType::named(&plain.replace('u', "i"));
    }
    let scalar = plain.trim_end_matches(|sign: char| sign.is_ascii_digit());
    let name = match scalar {
        "float" => "f32",
        "double" => "f64",
        "half" | "__half" => "f16",
        "bool" | "char" | "signed char" | "unsigned char" | "uchar" => "i8",
        "short" | "unsigned short" | "ushort" => "i16",
        "int" | "unsigned" | "unsigned int" | "uint" => "i32",
        "long" | "unsigned long" | "long long" | "unsigned long long" | "longlong"
        | "ulonglong" => "i64",
        _ => return None,
    };
    NumberType::named(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_stands_behind_the_last_colon() {
        assert_eq!(parse("a.npy"), Ok((Path::new("a.npy"), None)));
        assert_eq!(
            parse("C:/a.bin:u8"),
            Ok((Path::new("C:/a.bin"), NumberType::named("u8")))
        );
        assert_eq!(parse("C:/a.npy"), Ok((Path::new("C:/a.npy"), None)));
        for text in ["", ":f32", "a.bin:f31", "a.bin:"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
