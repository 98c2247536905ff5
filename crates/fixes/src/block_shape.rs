//! Blocks that are wider along x, where a warp covers several short rows.
//!
//! A block `k` times as wide does the work of `k` neighbours in a grid `1 / k` as wide. Constants and arguments that are
//! the old width become the new one, where a run shows that they have to.

use lanescope_frontend::{ArgumentValue, Blocks, NamedLaunch};
use lanescope_syntax::Span;
use lanescope_syntax::tree::StmtKind;

use crate::Edit;
use crate::code::{Code, whole};

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
        let edit =
            |at: &Span| Edit::new(at.start as usize, at.end as usize, (x * times).to_string());
        let all: Vec<Edit> = constants.iter().map(edit).collect();
        let plain = widened(launch, times);
        let given = with_arguments(&plain, x, times);
        let has_given = given != plain;
        found.push(Shape {
            edits: Vec::new(),
            launch: plain.clone(),
        });
        if has_given {
            found.push(Shape {
                edits: Vec::new(),
                launch: given.clone(),
            });
        }
        if !all.is_empty() {
            found.push(Shape {
                edits: all.clone(),
                launch: given,
            });
        }
        if all.len() > 1 {
            found.extend(all.into_iter().map(|one| Shape {
                edits: vec![one],
                launch: plain.clone(),
            }));
        }
    }
    found
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
    let is_width = |text: &str| text.trim() == width.to_string();
    let mut found = Vec::new();
    for stmt in code.all_statements() {
        let StmtKind::Declare(list) = &stmt.kind else {
            continue;
        };
        for one in list {
            let is_constant = one.of.is_const || one.storage.is_constexpr;
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
