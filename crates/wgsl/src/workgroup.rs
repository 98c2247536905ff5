//! Another size of the workgroup than the text's.

use std::ops::Range;

use lanescope_frontend::KernelOptions;

use crate::caps::{Token, tokens};
use crate::read;

/// A text whose kernel has another workgroup size than it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resized {
    /// The text: as it was where only overrides decide.
    pub source: String,
    /// Macros and overrides, `(name, value)`: those given, with the values of the overrides that are the size.
    pub defines: Vec<(String, String)>,
    /// The overrides that have another value now.
    pub overrides: Vec<String>,
    /// Threads along x, y, z as the text and the values given say it.
    pub was: [u32; 3],
}

/// The text with a workgroup of `block` threads along x, y, z: an override that is a side of it gets that value, any other
/// side is written into `@workgroup_size`, on its line. Of a size that there cannot be (0, or too many threads) it is the text
/// that whoever reads it refuses. `None` where the size is that already, where the text has a mistake, and where its size does
/// not follow what is written.
#[must_use]
pub fn resized(source: &str, options: &KernelOptions, block: [u32; 3]) -> Option<Resized> {
    let (parsed, interface) = read(source, options);
    let interface = interface?;
    let was = interface.workgroup_size;
    if was == block {
        return None;
    }
    let sides = sides(source, &interface.entry)?;
    let mut changed = Resized {
        source: source.to_owned(),
        defines: options.defines.clone(),
        overrides: Vec::new(),
        was,
    };
    for (axis, side) in sides.written.iter().enumerate() {
        let name = source.get(side.clone())?;
        let is_override = parsed.program.overrides.iter().any(|(one, _)| one == name);
        let is_free = !changed.overrides.iter().any(|one| one == name);
        let (wanted, old) = (block.get(axis)?, was.get(axis)?);
        if is_override && is_free && wanted != old {
            changed.defines.retain(|(define, _)| define != name);
            changed.defines.push((name.to_owned(), wanted.to_string()));
            changed.overrides.push(name.to_owned());
        }
    }
    // Sides that are computed of these have other values now.
    let Some(now) = changed.size(options) else {
        return Some(changed);
    };
    // From the last on, so that what stands before stays where it is.
    for axis in (0..3).rev() {
        let wanted = block.get(axis)?;
        match sides.written.get(axis) {
            Some(side) if Some(wanted) != now.get(axis) => {
                let wanted = wanted.to_string();
                changed.source.replace_range(side.clone(), &wanted);
            }
            Some(_) => {}
            None => {
                // Sides that are not written are 1; where a later one is wanted, so is this.
                if block.iter().skip(axis).any(|side| *side != 1) {
                    let side = format!(", {wanted}");
                    changed.source.insert_str(sides.end, &side);
                }
            }
        }
    }
    let is_refused_or_of_size = changed.size(options).is_none_or(|size| size == block);
    is_refused_or_of_size.then_some(changed)
}

impl Resized {
    /// Threads of its workgroup along x, y, z.
    fn size(&self, options: &KernelOptions) -> Option<[u32; 3]> {
        let options = KernelOptions {
            defines: self.defines.clone(),
            ..options.clone()
        };
        Some(read(&self.source, &options).1?.workgroup_size)
    }
}

/// Where a kernel says its workgroup's size.
struct Sides {
    /// The bytes of each side that is written.
    written: Vec<Range<usize>>,
    /// The byte behind the last.
    end: usize,
}

/// The sides of the kernel `entry`.
fn sides(source: &str, entry: &str) -> Option<Sides> {
    let tokens: Vec<Token<'_>> = tokens(source).collect();
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|one| one.text == text);
    let function = (0..tokens.len()).find(|at| is(*at, "fn") && is(at + 1, entry))?;
    let attribute = (0..function)
        .rev()
        .find(|at| is(*at, "workgroup_size") && is(at + 1, "("))?;
    let mut open = 0_usize;
    let (mut written, mut first) = (Vec::new(), attribute + 2);
    for at in attribute + 1..function {
        let text = tokens.get(at)?.text;
        open += usize::from(matches!(text, "(" | "["));
        open -= usize::from(matches!(text, ")" | "]")).min(open);
        let ends = open == 0 || (open == 1 && text == ",");
        if ends && first < at {
            let last = tokens.get(at - 1)?;
            written.push(tokens.get(first)?.at..last.at + last.text.len());
            first = at + 1;
        }
        if open == 0 {
            break;
        }
    }
    let end = written.last()?.end;
    Some(Sides { written, end })
}
