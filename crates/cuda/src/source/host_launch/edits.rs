//! Launches in the text, changed to another shape.
//!
//! Each edit is of one part of a launch, or of the definition of a name that nothing but these launches takes. What is
//! proposed is read again: all launches of the kernel fold to the wanted shape with it, or there is no edit.

use std::ops::Range;

use lanescope_syntax::Span;
use lanescope_syntax::preprocessor::preprocess_bundle;
use lanescope_syntax::sink::Sink;
use lanescope_syntax::token::{Kind, Token};

use super::{Text, with_structures};
use definitions::Definitions;

mod definitions;

/// The blocks of a launch, and what each takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchShape {
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared_bytes: u64,
}

impl LaunchShape {
    /// Grid, block and bytes, the last as the first side of three.
    fn parts(&self) -> [[u64; 3]; 3] {
        let sides = |sides: [u32; 3]| sides.map(u64::from);
        let bytes = [self.dynamic_shared_bytes, 1, 1];
        [sides(self.grid), sides(self.block), bytes]
    }
}

/// Bytes of dynamic shared memory that a kernel may have without being asked for more.
const MOST_PLAIN_BYTES: u64 = 48 * 1024;

/// The order in which parts are changed: the grid may follow from the block.
const ORDER: [usize; 3] = [1, 2, 0];
/// Which part is the shared memory.
const SHARED: usize = 2;

/// The further edits of `source` that make every launch of `kernel` in it one of the shape `to`, where it is `from`, and every
/// launch of another shape one whose blocks and threads change by the same factors; `done` are edits that are made anyhow.
/// Empty where `done` does it already; `None` where the text has no launch of the kernel, or one whose shape it takes from
/// elsewhere, or whose sides the factors do not divide.
#[must_use]
pub fn launch_edits(
    source: &str,
    kernel: &str,
    defines: &[(String, String)],
    done: &[(Span, String)],
    [from, to]: [&LaunchShape; 2],
) -> Option<Vec<(Span, String)>> {
    let tokens = tokens_of(source, defines);
    let text = Text {
        source,
        tokens: &tokens,
    };
    let launches = text.shapes(kernel);
    let (was, will) = (from.parts(), to.parts());
    let of = |launch: &Shape| wanted(&launch.values, [was, will]);
    let wanted: Vec<_> = launches.iter().map(of).collect::<Option<_>>()?;
    let is_as_told = |launch: &Shape| {
        let known = launch.values.iter().zip(was);
        known
            .into_iter()
            .all(|(value, was)| value.is_none_or(|value| value == was))
    };
    let needs_more =
        to.dynamic_shared_bytes > MOST_PLAIN_BYTES && from.dynamic_shared_bytes <= MOST_PLAIN_BYTES;
    if !launches.iter().any(is_as_told) || needs_more {
        return None;
    }
    let search = Search {
        text: &text,
        definitions: Definitions::of(&text, kernel, &launches),
        kernel,
        defines,
        wanted,
        grows: to.dynamic_shared_bytes > from.dynamic_shared_bytes,
    };
    let mut edits = done.to_vec();
    for part in ORDER {
        for at in 0..launches.len() {
            search.change(&launches, (at, part), &mut edits)?;
        }
    }
    let depends = |launch: &Shape| search.depends_on(launch, &edits);
    if launches.iter().any(depends) {
        return None;
    }
    let shapes = search.shapes_with(&edits)?;
    let is_right =
        |(at, launch): (usize, &Values)| (0..3).all(|part| search.is_right(at, launch, part));
    let is_all = shapes.len() == launches.len() && shapes.iter().enumerate().all(is_right);
    is_all.then(|| edits.split_off(done.len()))
}

/// The values of a launch's parts; `None` where one is not constant.
type Values = [Option<[u64; 3]>; 3];

/// What the parts of a launch become where one of `was` becomes one of `will`; `None` where a part that changes is not
/// constant, or is another and does not change by a factor.
fn wanted(values: &Values, [was, will]: [[[u64; 3]; 3]; 2]) -> Option<[[u64; 3]; 3]> {
    let mut wanted = will;
    let parts = values.iter().zip(was.into_iter().zip(will)).enumerate();
    for (part, (value, (was, will))) in parts {
        let Some(value) = value.filter(|value| *value != was) else {
            if value.is_none() && was != will {
                return None;
            }
            continue;
        };
        let scaled = |at: usize| {
            let [value, was, will] = [value, was, will].map(|sides| sides.get(at).copied());
            let (value, was, will) = (value?, was?, will?);
            let product = value.checked_mul(will)?;
            (was > 0 && product.is_multiple_of(was)).then(|| product / was)
        };
        // Bytes grow by what the rows of one tile take.
        let is_kept = was == will;
        let sides = match (part, is_kept) {
            (_, true) => value,
            (SHARED, false) => return None,
            (_, false) => [scaled(0)?, scaled(1)?, scaled(2)?],
        };
        *wanted.get_mut(part)? = sides;
    }
    Some(wanted)
}

/// The parts of a launch, and what they fold to.
struct Shape {
    parts: [Option<Range<usize>>; 3],
    values: Values,
}

fn tokens_of(source: &str, defines: &[(String, String)]) -> Vec<Token> {
    with_structures(preprocess_bundle(source, defines, &mut Sink::deaf()))
}

impl Text<'_> {
    /// The launches of `kernel`, or of a variable that it is assigned to where it has none of its own.
    fn shapes(&self, kernel: &str) -> Vec<Shape> {
        let of = |name: &str| -> Vec<Shape> {
            let all = (0..self.tokens.len()).filter_map(|at| self.configured(at, name));
            all.map(|one| self.shape_of(one.shape)).collect()
        };
        let own = of(kernel);
        match self.pointer_to(kernel) {
            Some(pointer) if own.is_empty() => of(pointer),
            Some(_) | None => own,
        }
    }

    fn shape_of(&self, parts: [Option<Range<usize>>; 3]) -> Shape {
        let [grid, block, shared] = &parts;
        let launch = self.of_parts(grid.as_ref(), block.as_ref(), shared.as_ref());
        let sides = |sides: Option<[u32; 3]>| sides.map(|sides| sides.map(u64::from));
        let bytes = launch.dynamic_shared_bytes.map(|bytes| [bytes, 1, 1]);
        let values = [sides(launch.grid), sides(launch.block), bytes];
        Shape { parts, values }
    }

    /// Where tokens stand: between what stands before and behind them, as macros among them have no places of their own.
    fn place(&self, part: &Range<usize>) -> Option<Span> {
        let before = self.tokens.get(part.start.checked_sub(1)?)?.span.end as usize;
        let behind = self.tokens.get(part.end)?.span.start as usize;
        let between = self.source.get(before..behind)?;
        let blanks = between.len() - between.trim_start().len();
        let (start, end) = (before + blanks, before + between.trim_end().len());
        (start < end).then(|| Span::new(start, end))
    }
}

struct Search<'a> {
    text: &'a Text<'a>,
    definitions: Definitions<'a>,
    kernel: &'a str,
    defines: &'a [(String, String)],
    /// `[launch]`: what its parts become.
    wanted: Vec<[[u64; 3]; 3]>,
    /// Whether dynamic shared memory grows.
    grows: bool,
}

impl Search<'_> {
    /// The launches as they are with these edits; `None` where the edits overlap.
    fn shapes_with(&self, edits: &[(Span, String)]) -> Option<Vec<Values>> {
        let source = applied(self.text.source, edits)?;
        let tokens = tokens_of(&source, self.defines);
        let text = Text {
            source: &source,
            tokens: &tokens,
        };
        let shapes = text.shapes(self.kernel).into_iter();
        Some(shapes.map(|shape| shape.values).collect())
    }

    /// Whether a part is as wanted; one that is not constant stays as it is.
    fn is_right(&self, at: usize, launch: &Values, part: usize) -> bool {
        let wanted = self.wanted.get(at).and_then(|wanted| wanted.get(part));
        let (Some(value), Some(wanted)) = (launch.get(part), wanted) else {
            return false;
        };
        // A size that grows with its structure holds what is touched last, and what lies behind it.
        let is_enough = |value: &[u64; 3]| part == SHARED && self.grows && value >= wanted;
        value
            .as_ref()
            .is_none_or(|value| value == wanted || is_enough(value))
    }

    /// Adds the edits that one part of one launch takes.
    fn change(
        &self,
        launches: &[Shape],
        (at, part): (usize, usize),
        edits: &mut Vec<(Span, String)>,
    ) -> Option<()> {
        let before = self.shapes_with(edits)?;
        if self.is_right(at, before.get(at)?, part) {
            return Some(());
        }
        let tokens = launches.get(at)?.parts.get(part)?.clone()?;
        let now = (*before.get(at)?.get(part)?)?;
        let change = [now, *self.wanted.get(at)?.get(part)?];
        let candidates = match part {
            SHARED => self.bytes(&tokens, change.map(|[bytes, ..]| bytes)),
            _ => self.sides(&tokens, change),
        };
        let all = (0..launches.len()).flat_map(|launch| (0..3).map(move |part| (launch, part)));
        let all: Vec<(usize, usize)> = all.collect();
        let is_kept = |after: &[Values]| {
            let right = |list: &[Values], launch: usize, part: usize| {
                list.get(launch)
                    .is_some_and(|one| self.is_right(launch, one, part))
            };
            let mut kept = all.iter();
            after.len() == before.len()
                && right(after, at, part)
                && kept.all(|(launch, part)| {
                    right(after, *launch, *part) || !right(&before, *launch, *part)
                })
        };
        for candidate in candidates {
            let more = [edits.as_slice(), candidate.as_slice()].concat();
            if launches.iter().any(|launch| self.depends_on(launch, &more)) {
                continue;
            }
            if self.shapes_with(&more).is_some_and(|after| is_kept(&after)) {
                *edits = more;
                return Some(());
            }
        }
        None
    }

    /// Whether a part that is not constant takes anything from what is edited.
    fn depends_on(&self, launch: &Shape, edits: &[(Span, String)]) -> bool {
        let open = launch.parts.iter().zip(launch.values);
        let open = open.filter(|(_, value)| value.is_none());
        let parts = open.filter_map(|(part, _)| part.clone());
        let ranges: Vec<Range<usize>> = parts
            .flat_map(|part| self.definitions.closure(part))
            .collect();
        let is_edited = |token: &Token| {
            let (start, end) = (token.span.start, token.span.end);
            edits.iter().any(|(at, _)| at.start < end && at.end > start)
        };
        let tokens = ranges
            .into_iter()
            .filter_map(|range| self.text.tokens.get(range));
        tokens.flatten().any(is_edited)
    }

    /// The ways to change the bytes of dynamic shared memory.
    fn bytes(&self, part: &Range<usize>, change: [u64; 2]) -> Vec<Vec<(Span, String)>> {
        let mut found = self.whole(part, change, true);
        if self.definitions.asks_for_more() && part.len() > 1 {
            // What the attribute says would stay behind.
            return Vec::new();
        }
        if self.definitions.asks_for_more() && found.len() > 1 {
            found.truncate(1);
        } else if self.definitions.asks_for_more() {
            found.clear();
        }
        found
    }

    /// The ways to change three sides, the best first.
    fn sides(&self, part: &Range<usize>, [from, to]: [[u64; 3]; 2]) -> Vec<Vec<(Span, String)>> {
        let is_dim3 = |name: &Kind| match name {
            Kind::Name(name) => self.definitions.is_dim3(name, part.start),
            _ => false,
        };
        let mut tokens = self.text.tokens.get(part.clone()).into_iter().flatten();
        let is_dim3 = part.len() == 1 && tokens.any(|token| is_dim3(&token.kind));
        if !is_dim3 && self.text.folder().whole(part.clone()).is_some() {
            let is_line = from[1..] == to[1..];
            let changed = is_line.then(|| self.whole(part, [from[0], to[0]], false));
            return changed.unwrap_or_default();
        }
        let mut open = part.start;
        while self.text.is_name(open, "dim3") || self.text.is_name(open, "const") {
            open += 1;
        }
        let is_list = self.text.is(open, "(") || self.text.is(open, "{");
        if is_list {
            return self.listed(open, [from, to]).into_iter().collect();
        }
        let [token] = self.text.tokens.get(part.clone()).unwrap_or_default() else {
            return Vec::new();
        };
        let Kind::Name(name) = &token.kind else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if let Some(definition) = self.definitions.own(name, part.start, false) {
            found.extend(self.sides(&definition, [from, to]));
        }
        let side = |axis: &str, from: u64, to: u64| scaled(&format!("{name}.{axis}"), [from, to]);
        let sides = ["x", "y", "z"].into_iter().zip(from.into_iter().zip(to));
        let sides: Vec<String> = sides
            .map(|(axis, (from, to))| side(axis, from, to))
            .collect();
        let kept = (0..3)
            .rfind(|at| from.get(*at) != Some(&1))
            .map_or(1, |at| at + 1);
        let sides = sides.get(..kept).unwrap_or_default().join(", ");
        let place = self.text.place(part);
        found.extend(place.map(|place| vec![(place, format!("dim3({sides})"))]));
        found
    }

    /// The change of the sides in a list that begins at `open`.
    fn listed(&self, open: usize, [from, to]: [[u64; 3]; 2]) -> Option<Vec<(Span, String)>> {
        let (list, _) = self.text.parts(open)?;
        let mut edits = Vec::new();
        for (at, (from, to)) in from.into_iter().zip(to).enumerate() {
            if from != to {
                let side = list.get(at)?;
                edits.extend(self.whole(side, [from, to], false).into_iter().next()?);
            }
        }
        Some(edits)
    }

    /// The ways to change one number, the best first.
    fn whole(
        &self,
        part: &Range<usize>,
        change: [u64; 2],
        is_shared: bool,
    ) -> Vec<Vec<(Span, String)>> {
        let (text, mut part) = (self.text, part.clone());
        while (text.is(part.start, "(") || text.is(part.start, "{"))
            && text.folder().closing(part.start) == Some(part.end - 1)
        {
            part = part.start + 1..part.end - 1;
        }
        let mut found = Vec::new();
        if let Some([token]) = text.tokens.get(part.clone())
            && let Kind::Name(name) = &token.kind
            && let Some(definition) = self.definitions.own(name, part.start, is_shared)
        {
            found.extend(self.whole(&definition, change, is_shared));
        }
        if let Some(place) = text.place(&part) {
            found.push(vec![(place, scaled(place.text(text.source), change))]);
        }
        found
    }
}

/// The text of a value that is `from`, as `to`.
fn scaled(text: &str, [from, to]: [u64; 2]) -> String {
    if from == to {
        return text.to_owned();
    }
    if text.starts_with(|sign: char| sign.is_ascii_digit())
        && text
            .chars()
            .all(|sign| sign.is_alphanumeric() || sign == '\'')
    {
        let suffix = text.trim_end_matches(['u', 'U', 'l', 'L']).len();
        return format!("{to}{}", text.get(suffix..).unwrap_or_default());
    }
    let is_simple = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '.' | ':');
    let operand = match text.chars().all(is_simple) {
        true => text.to_owned(),
        false => format!("({text})"),
    };
    if from > 0 && to.is_multiple_of(from) {
        format!("{operand} * {}", to / from)
    } else if to > 0 && from.is_multiple_of(to) {
        format!("{operand} / {}", from / to)
    } else if to > from {
        format!("{text} + {}", to - from)
    } else {
        format!("{text} - {}", from - to)
    }
}

/// A text with edits made, as [`launch_edits`] returns them; `None` where two overlap.
#[must_use]
pub fn applied(source: &str, edits: &[(Span, String)]) -> Option<String> {
    let mut sorted: Vec<&(Span, String)> = edits.iter().collect();
    sorted.sort_by_key(|(span, _)| (span.start, span.end));
    let (mut text, mut done) = (String::new(), 0);
    for (span, new) in sorted {
        text.push_str(source.get(done..span.start as usize)?);
        text.push_str(new);
        done = span.end as usize;
    }
    text.push_str(source.get(done..)?);
    Some(text)
}
