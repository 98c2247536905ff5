//! Version 1 of the keys. Frozen: what a key means here never changes.

mod write;

use crate::keys::KEYS;
use crate::word::{
    Ids, MAX_SHOWN, bad, is_word, read_extent, read_id, read_language, read_number, read_word,
    read_words,
};
use crate::{
    Broadcast, Compiler, CustomDevice, Device, GuessedShape, Launch, LinkError, Operation,
    Selection, Site, Source, State, Theme, View, hidden, packed,
};

pub(crate) use write::{write, write_plain};

pub(crate) const OPERATIONS: &Ids<Operation> =
    &[("load", Operation::Load), ("store", Operation::Store)];

const BROADCASTS: &Ids<Broadcast> = &[
    ("none", Broadcast::None),
    ("one", Broadcast::OneWord),
    ("any", Broadcast::Any),
];

const COMPILERS: &Ids<Compiler> = &[("none", Compiler::None), ("nvcc-13", Compiler::Nvcc13)];

const GUESSED: &Ids<GuessedShape> = &[
    ("g", guessed(true, false)),
    ("b", guessed(false, true)),
    ("gb", guessed(true, true)),
];

const fn guessed(grid: bool, block: bool) -> GuessedShape {
    GuessedShape { grid, block }
}

const VIEWS: &Ids<View> = &[
    ("analysis", View::Analysis),
    ("mend", View::Fix),
    ("devices", View::Devices),
    ("lab", View::Lab),
    ("gallery", View::Gallery),
];

pub(crate) const THEMES: &Ids<Theme> = &[("dark", Theme::Dark), ("light", Theme::Light)];

/// The most keys of other versions that are kept.
const MAX_UNKNOWN: usize = 32;

type Pairs = Vec<(String, String)>;

/// What the pairs say.
#[derive(Default)]
pub(crate) struct Read {
    pub(crate) state: State,
    /// Invisible characters found inside packed texts.
    pub(crate) hidden: usize,
    /// The first keys that are not known, whether or not they could be kept.
    pub(crate) unknown: Vec<String>,
    /// The most bytes of a packed text.
    text_limit: usize,
}

/// Reads the pairs of a link of version 1.
pub(crate) fn read(pairs: &[(String, String)], text_limit: usize) -> Result<Read, LinkError> {
    refuse_doubles(pairs)?;
    let mut read = Read {
        text_limit,
        ..Read::default()
    };
    read.state.source = empty_source(pairs)?;
    let mut lines = Lines::default();
    for (key, value) in pairs {
        match KEYS.iter().find(|known| known.name == key) {
            Some(known) => read.set(known.name, value, &mut lines)?,
            None => read.keep(key, value),
        }
    }
    if let Source::Expression {
        accesses,
        declarations,
    } = &mut read.state.source
    {
        *accesses = lines.accesses.join("\n");
        *declarations = lines.declarations.join("\n");
    }
    Ok(read)
}

/// The lines that make up an expression.
#[derive(Default)]
struct Lines<'a> {
    accesses: Vec<&'a str>,
    declarations: Vec<&'a str>,
}

fn refuse_doubles(pairs: &[(String, String)]) -> Result<(), LinkError> {
    let doubled = KEYS
        .iter()
        .filter(|key| !key.repeats)
        .find(|known| pairs.iter().filter(|(key, _)| key == known.name).count() > 1);
    doubled.map_or(Ok(()), |key| Err(LinkError::Twice { key: key.name }))
}

/// A key, which of the sources it belongs to, and the empty source of its kind.
type SourceKey = (&'static str, u8, fn() -> Source);

/// The keys that carry a source. WGSL had a key of its own, and is a kernel as any other.
const SOURCE_KEYS: [SourceKey; 7] = [
    ("e", 0, Source::default),
    ("d", 0, Source::default),
    ("k", 1, || Source::Kernel(String::new())),
    ("w", 2, || Source::Kernel(String::new())),
    ("y", 3, || Source::Layout {
        layout: String::new(),
        access: String::new(),
    }),
    ("by", 3, || Source::Layout {
        layout: String::new(),
        access: String::new(),
    }),
    ("r", 4, || Source::Trace(String::new())),
];

/// A source of the kind that the pairs have, without its text.
fn empty_source(pairs: &[(String, String)]) -> Result<Source, LinkError> {
    let has = |name: &str| pairs.iter().any(|(key, _)| key == name);
    let mut present = SOURCE_KEYS.iter().filter(|(key, ..)| has(key));
    let Some(&(first, group, make)) = present.next() else {
        return Ok(Source::default());
    };
    match present.find(|(_, other, _)| *other != group) {
        Some(&(second, ..)) => Err(LinkError::TwoSources { first, second }),
        None => Ok(make()),
    }
}

impl Read {
    fn set<'a>(
        &mut self,
        key: &'static str,
        value: &'a str,
        lines: &mut Lines<'a>,
    ) -> Result<(), LinkError> {
        let limit = self.text_limit;
        let Self { state, hidden, .. } = self;
        let mut unpack = || unpack(key, value, limit, hidden);
        match key {
            "e" => lines.accesses.push(value),
            "d" => lines.declarations.push(value),
            "k" | "w" => state.source = Source::Kernel(unpack()?),
            "r" => state.source = Source::Trace(unpack()?),
            "y" | "by" => set_layout(&mut state.source, key, value)?,
            "o" => state.operation = read_id(key, value, OPERATIONS, "`load` or `store`")?,
            "n" | "t" | "m" | "a" | "s" | "g" | "b" => set_launch(&mut state.launch, key, value)?,
            "guess" => {
                state.launch.guessed = read_id(key, value, GUESSED, "`g`, `b` or `gb`")?;
            }
            "gpu" => state.device = read_device(key, value)?,
            "vs" => state.compared = read_words(key, value)?,
            "at" | "bl" | "wp" | "it" | "x" => set_selection(&mut state.selection, key, value)?,
            "twice" => {
                state.repeated_reads =
                    read_id(key, value, &[("0", false), ("1", true)], "`0` or `1`")?
            }
            "cc" => {
                state.compiler = Some(read_id(key, value, COMPILERS, "`none` or `nvcc-13`")?);
            }
            "view" => state.view = read_id(key, value, VIEWS, "a part of the page")?,
            "ab" => state.beside = Some(unpack()?),
            "lesson" => state.lesson = Some(read_word(key, value)?),
            "lab" => state.lab.experiment = Some(read_word(key, value)?),
            "var" => state.lab.variants = read_words(key, value)?,
            "size" => state.lab.sizes = read_words(key, value)?,
            "shape" => state.lab.shapes = read_words(key, value)?,
            "res" => state.lab.results = Some(unpack()?),
            "lang" => {
                state.language = Some(read_language(value, "the tag of a language: `en`, `zh`")?)
            }
            "theme" => state.theme = Some(read_id(key, value, THEMES, "`dark` or `light`")?),
            "embed" => set_embed(state, key, value)?,
            _ => {}
        }
        Ok(())
    }

    /// Says that a key is not known, and keeps it if it is made as keys are.
    fn keep(&mut self, key: &str, value: &str) {
        if self.unknown.len() >= MAX_UNKNOWN {
            return;
        }
        self.unknown.push(key.chars().take(MAX_SHOWN).collect());
        if is_word(key) {
            self.state.unknown.push((key.to_owned(), value.to_owned()));
        }
    }
}

/// A packed text, its invisible characters shown and counted.
fn unpack(
    key: &'static str,
    value: &str,
    limit: usize,
    hidden: &mut usize,
) -> Result<String, LinkError> {
    let (text, count) = hidden::shown(&packed::unpack(key, value, limit)?);
    *hidden += count;
    // What is shown for a control takes more bytes than it.
    match text.len() <= limit {
        true => Ok(text),
        false => Err(LinkError::TooLarge { key, limit }),
    }
}

fn set_layout(source: &mut Source, key: &'static str, value: &str) -> Result<(), LinkError> {
    if let Source::Layout { layout, access } = source {
        match key {
            "y" => *layout = value.to_owned(),
            _ => *access = read_word(key, value)?,
        }
    }
    Ok(())
}

pub(crate) fn set_launch(
    launch: &mut Launch,
    key: &'static str,
    value: &str,
) -> Result<(), LinkError> {
    match key {
        "n" => launch.kernel = Some(value.to_owned()).filter(|name| !name.is_empty()),
        "t" => launch.templates.push(read_named(key, value)?),
        "m" => launch.defines.push(read_named(key, value)?),
        "a" => launch.arguments.push(read_named(key, value)?),
        "s" => launch.dynamic_shared_bytes = read_number(key, value)?,
        "g" => launch.grid = read_counts(key, value)?,
        _ => launch.block = read_counts(key, value)?,
    }
    Ok(())
}

/// One to three counts, none of them 0.
fn read_counts(key: &'static str, value: &str) -> Result<[u32; 3], LinkError> {
    let counts = read_extent(key, value, 1)?;
    if counts.contains(&0) {
        Err(bad(key, value, "one to three numbers from 1"))
    } else {
        Ok(counts)
    }
}

/// `NAME=VALUE`; a name alone has an empty value.
fn read_named(key: &'static str, value: &str) -> Result<(String, String), LinkError> {
    let (name, value_of) = value.split_once('=').unwrap_or((value, ""));
    if name.is_empty() {
        return Err(bad(key, value, "`NAME=VALUE`"));
    }
    Ok((name.to_owned(), value_of.to_owned()))
}

pub(crate) fn set_selection(
    selection: &mut Selection,
    key: &'static str,
    value: &str,
) -> Result<(), LinkError> {
    match key {
        "at" => selection.site = Some(read_site(key, value)?),
        "bl" => selection.block = read_extent(key, value, 0)?,
        "wp" => selection.warp = read_number(key, value)?,
        "it" => selection.iteration = read_number(key, value)?,
        _ => selection.values.push(read_chosen(key, value)?),
    }
    Ok(())
}

/// `LINE` or `LINE.NTH`, both from 1.
fn read_site(key: &'static str, value: &str) -> Result<Site, LinkError> {
    let (line, nth) = value.split_once('.').unwrap_or((value, "1"));
    let site = Site {
        line: read_number(key, line)?,
        nth: read_number(key, nth)?,
    };
    if site.line == 0 || site.nth == 0 {
        Err(bad(key, value, "a line from 1, or line.nth"))
    } else {
        Ok(site)
    }
}

/// `NAME=INTEGER`.
fn read_chosen(key: &'static str, value: &str) -> Result<(String, i64), LinkError> {
    let (name, number) = read_named(key, value)?;
    let number = number
        .parse()
        .map_err(|_| bad(key, value, "`NAME=INTEGER`"))?;
    Ok((name, number))
}

fn read_device(key: &'static str, value: &str) -> Result<Device, LinkError> {
    match value.strip_prefix("custom:") {
        Some(numbers) => read_custom(key, numbers).map(Device::Custom),
        None => read_word(key, value).map(Device::Known),
    }
}

fn read_custom(key: &'static str, value: &str) -> Result<CustomDevice, LinkError> {
    let parts: Vec<&str> = value.split(',').take(7).collect();
    let &[banks, bits, lanes, broadcast, sector, line] = parts.as_slice() else {
        return Err(bad(key, value, "`custom:` and six values"));
    };
    Ok(CustomDevice {
        banks: read_number(key, banks)?,
        bank_bits: read_number(key, bits)?,
        lanes: read_number(key, lanes)?,
        broadcast: read_id(key, broadcast, BROADCASTS, "`none`, `one` or `any`")?,
        sector_bytes: read_number(key, sector)?,
        line_bytes: read_number(key, line)?,
    })
}

pub(crate) fn set_embed(
    state: &mut State,
    key: &'static str,
    value: &str,
) -> Result<(), LinkError> {
    for choice in value.split(',') {
        match choice {
            "source" => state.embed.source = true,
            "bare" => state.embed.bare = true,
            _ => return Err(bad(key, choice, "`source`, `bare` or both")),
        }
    }
    Ok(())
}
