//! Blocks that are wider along x, where a warp covers several short rows.
//!
//! A block `k` times as wide does the work of `k` neighbours in a grid `1 / k` as wide. Constants and arguments that are
//! the old width become the new one, where a run shows that they have to.

use lanescope_frontend::{ArgumentValue, Blocks, NamedLaunch};
use lanescope_syntax::Span;
use lanescope_syntax::tree::StmtKind;

use crate::Edit;
use crate::code::{Code, whole};
use crate::literal::Literal;

/// Threads of a warp: a block that is as wide covers one row with each.
const WARP: u32 = 32;
/// Threads that a block may have.
const MOST_THREADS: u64 = 1024;
/// The most constants that are changed one by one.
const MOST_CONSTANTS: usize = 3;

/// A launch with other blocks, and the text for it.
pub(crate) struct Shape {
    pub(crate) edits: Vec<Edit>,
    pub(crate) launch: NamedLaunch,
}

/// The launches with wider blocks worth trying, the widest first.
pub(crate) fn wider(code: &Code<'_>, launch: &NamedLaunch) -> Vec<Shape> {
    let [x, ..] = launch.block;
    if x == 0 || x >= WARP {
        return Vec::new();
    }
    let factors = [16, 8, 4, 2].into_iter().filter(|times| {
        let divides = launch.grid[0].is_multiple_of(*times) && blocks_divide(launch, *times);
        x * times <= WARP && launch.block_threads() * u64::from(*times) <= MOST_THREADS && divides
    });
    let constants = constants(code, x);
    let mut found = Vec::new();
    for times in factors.take(2) {
        let edit = |at: &Span| renumbered(code, *at, x * times);
        let all: Vec<Edit> = constants.iter().map(edit).collect();
        let plain = widened(launch, times);
        let given = with_arguments(&plain, x, times);
        let has_given = given != plain;
        let mut shape = |mut edits: Vec<Edit>, launch: NamedLaunch| {
            if let Some(size) = resized(code, [x, x * times], &edits) {
                edits.extend(size);
                found.push(Shape { edits, launch });
            }
        };
        shape(Vec::new(), plain.clone());
        if has_given {
            shape(Vec::new(), given.clone());
        }
        if !all.is_empty() {
            shape(all.clone(), given);
        }
        if all.len() > 1 {
            for one in all {
                shape(vec![one], plain.clone());
            }
        }
    }
    found
}

/// A number in the text as another one of its type.
pub(crate) fn renumbered(code: &Code<'_>, at: Span, value: u32) -> Edit {
    let text = match Literal::of(code.at(at)) {
        Some(number) => number.with(value.into()),
        None => value.to_string(),
    };
    Edit::new(at.start as usize, at.end as usize, text)
}

/// The change that makes a workgroup `to` threads wide instead of `from`, where the text is WGSL and `done` does not change the
/// constant that it names; `None` where the text does not say the width.
pub(crate) fn resized(
    code: &Code<'_>,
    [from, to]: [u32; 2],
    done: &[Edit],
) -> Option<Option<Edit>> {
    let Some(entry) = code.entry() else {
        return Some(None);
    };
    let side = *entry.sides.first()?;
    let text = code.at(side);
    if let Some(number) = Literal::of(text) {
        return (number.value == u64::from(from)).then(|| Some(renumbered(code, side, to)));
    }
    let constant = constant_of(code, text, from)?;
    let is_done = done.iter().any(|edit| edit.span == constant);
    Some((!is_done).then(|| renumbered(code, side, to)))
}

/// Whether the blocks that run are whole groups of so many neighbours.
fn blocks_divide(launch: &NamedLaunch, times: u32) -> bool {
    match launch.blocks {
        Blocks::All => true,
        Blocks::First(count) => count.is_multiple_of(u64::from(times)),
        Blocks::Only(_) | Blocks::Range(..) | Blocks::Alike(..) => false,
    }
}

fn widened(launch: &NamedLaunch, times: u32) -> NamedLaunch {
    let mut wider = launch.clone();
    wider.block[0] *= times;
    wider.grid[0] /= times;
    wider.dynamic_shared_bytes *= u64::from(times);
    if let Blocks::First(count) = &mut wider.blocks {
        *count /= u64::from(times);
    }
    wider
}

/// The launch with each whole number that is the old width widened too.
fn with_arguments(launch: &NamedLaunch, width: u32, times: u32) -> NamedLaunch {
    let mut given = launch.clone();
    let wider = width * times;
    for argument in &mut given.arguments {
        if argument.value == ArgumentValue::Integer(i64::from(width)) {
            argument.value = ArgumentValue::Integer(i64::from(wider));
        }
    }
    given
}

/// Where the text gives constants the value `width`.
fn constants(code: &Code<'_>, width: u32) -> Vec<Span> {
    let found = named_constants(code, width).into_iter();
    found.map(|(_, at)| at).take(MOST_CONSTANTS).collect()
}

/// Where the text gives the constant `name` the value `width`.
pub(crate) fn constant_of(code: &Code<'_>, name: &str, width: u32) -> Option<Span> {
    let mut found = named_constants(code, width).into_iter();
    found.find(|(named, _)| named == name).map(|(_, at)| at)
}

/// The constants that have the value `width`, and where the text gives it to them.
fn named_constants(code: &Code<'_>, width: u32) -> Vec<(String, Span)> {
    let is_width = |text: &str| {
        let number = Literal::of(text);
        number.is_some_and(|number| number.value == u64::from(width))
    };
    let mut found = Vec::new();
    for stmt in code.all_statements() {
        let StmtKind::Declare(list) = &stmt.kind else {
            continue;
        };
        for one in list {
            let is_constant = one.ty.is_const || one.storage.is_constexpr;
            if let Some(init) = one.init.as_ref().filter(|_| is_constant)
                && whole(init) == Some(u64::from(width))
                && is_width(code.at(init.span))
            {
                found.push((one.name.to_string(), init.span));
            }
        }
    }
    let mut at = 0;
    for line in code.text().split_inclusive('\n') {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["#define", name, value] = words.as_slice()
            && is_width(value)
            && !name.contains('(')
            && let Some(place) = line.rfind(value)
        {
            let place = Span::new(at + place, at + place + value.len());
            found.push(((*name).to_owned(), place));
        }
        at += line.len();
    }
    found
}
