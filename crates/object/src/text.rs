//! Objects as lines of text, which travel with a listing and which its readers take for comments.
//!
//! ```text
//! object    = "//@object sm_" number { kernel | constant }
//! kernel    = "//@kernel " name " shared=" bytes [ " block=" x "," y "," z ] { parameter }
//! parameter = "//@parameter " offset " " bytes [ " pointer" ]
//! constant  = "//@constant " bank " " offset " " ( "*" | function ) [ " variable" ] " " hexadecimal bytes
//! ```

use crate::{Constant, KernelInfo, Object, ParameterPlace};
use std::fmt::Write as _;

/// What each line begins with.
const MARK: &str = "//@";
/// Bytes of a constant bank on a line.
const LINE_BYTES: usize = 64;

impl Object {
    /// The object as lines, each a comment in every listing.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = format!("{MARK}object sm_{}\n", self.architecture);
        for kernel in &self.kernels {
            let _ = write!(
                out,
                "{MARK}kernel {} shared={}",
                kernel.name, kernel.shared_bytes
            );
            if let Some([x, y, z]) = kernel.block {
                let _ = write!(out, " block={x},{y},{z}");
            }
            out.push('\n');
            for parameter in &kernel.parameters {
                let pointer = if parameter.is_pointer { " pointer" } else { "" };
                let _ = writeln!(
                    out,
                    "{MARK}parameter {} {}{pointer}",
                    parameter.offset, parameter.bytes
                );
            }
        }
        for constant in &self.constants {
            put_constant(&mut out, constant);
        }
        out
    }

    /// The objects among the lines of a text; lines that are not understood are left out.
    #[must_use]
    pub fn all_of_text(text: &str) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for line in text.lines().filter_map(|line| line.strip_prefix(MARK)) {
            let mut words = line.split_ascii_whitespace();
            let head = words.next();
            if head == Some("object") {
                let number = words.next().and_then(|word| word.strip_prefix("sm_"));
                all.extend(
                    number
                        .and_then(|number| number.parse().ok())
                        .map(of_architecture),
                );
            }
            let Some(object) = all.last_mut() else {
                continue;
            };
            match head {
                Some("kernel") => object.kernels.extend(kernel(words)),
                Some("parameter") => {
                    if let Some(kernel) = object.kernels.last_mut() {
                        let position = u32::try_from(kernel.parameters.len()).unwrap_or(u32::MAX);
                        kernel.parameters.extend(parameter(position, words));
                    }
                }
                Some("constant") => take_constant(&mut object.constants, words),
                Some(_) | None => {}
            }
        }
        all
    }
}

/// Whether a line of a text says something of an object.
#[must_use]
pub fn is_object_line(line: &str) -> bool {
    let rest = line.strip_prefix(MARK).unwrap_or_default();
    ["object sm_", "kernel ", "parameter ", "constant "]
        .iter()
        .any(|word| rest.starts_with(word))
}

fn of_architecture(architecture: u16) -> Object {
    Object {
        architecture,
        ..Object::default()
    }
}

fn put_constant(out: &mut String, constant: &Constant) {
    let function = constant.function.as_deref().unwrap_or("*");
    let variable = if constant.is_variable {
        " variable"
    } else {
        ""
    };
    for (number, bytes) in (0_u32..).zip(constant.bytes.chunks(LINE_BYTES)) {
        let offset = u64::from(constant.offset) + u64::from(number) * LINE_BYTES as u64;
        let _ = write!(
            out,
            "{MARK}constant {} {offset} {function}{variable} ",
            constant.bank
        );
        for byte in bytes {
            let _ = write!(out, "{byte:02x}");
        }
        out.push('\n');
    }
}

fn kernel<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<KernelInfo> {
    let mut kernel = KernelInfo {
        name: words.next()?.to_owned(),
        ..KernelInfo::default()
    };
    for word in words {
        match word.split_once('=') {
            Some(("shared", bytes)) => kernel.shared_bytes = bytes.parse().ok()?,
            Some(("block", extents)) => {
                let extents: Option<Vec<u32>> =
                    extents.split(',').map(|one| one.parse().ok()).collect();
                kernel.block = Some(extents?.try_into().ok()?);
            }
            Some(_) | None => {}
        }
    }
    Some(kernel)
}

fn parameter<'w>(
    position: u32,
    mut words: impl Iterator<Item = &'w str>,
) -> Option<ParameterPlace> {
    Some(ParameterPlace {
        position,
        offset: words.next()?.parse().ok()?,
        bytes: words.next()?.parse().ok()?,
        is_pointer: words.next() == Some("pointer"),
    })
}

/// Adds a line's bytes to the constant that they continue, else as one of their own.
fn take_constant<'w>(constants: &mut Vec<Constant>, words: impl Iterator<Item = &'w str>) {
    let Some(next) = constant(words) else {
        return;
    };
    let continued = constants.last_mut().filter(|last| {
        let end = u64::from(last.offset) + last.bytes.len() as u64;
        let is_same = (last.bank, &last.function, last.is_variable)
            == (next.bank, &next.function, next.is_variable);
        is_same && end == u64::from(next.offset)
    });
    match continued {
        Some(last) => last.bytes.extend(next.bytes),
        None => constants.push(next),
    }
}

fn constant<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<Constant> {
    let bank = words.next()?.parse().ok()?;
    let offset = words.next()?.parse().ok()?;
    let function = Some(words.next()?).filter(|name| *name != "*");
    let mut bytes = words.next()?;
    let is_variable = bytes == "variable";
    if is_variable {
        bytes = words.next()?;
    }
    let pairs = bytes.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair)
            .ok()
            .filter(|pair| pair.len() == 2)?;
        u8::from_str_radix(pair, 16).ok()
    });
    Some(Constant {
        bank,
        function: function.map(str::to_owned),
        offset,
        bytes: pairs.collect::<Option<Vec<u8>>>()?,
        is_variable,
    })
}
