//! A state as the keys and values of a link.

use super::{BROADCASTS, COMPILERS, GUESSED, MAX_UNKNOWN, OPERATIONS, Pairs, THEMES, VIEWS};
use crate::keys::KEYS;
use crate::word::{id_of, is_word, write_extent};
use crate::{
    CustomDevice, Device, Language, Launch, Selection, Site, Source, State, hidden, packed,
};

/// The pairs of `state` but for version and check, in the order of [`KEYS`], defaults left out.
pub(crate) fn write(state: &State) -> Pairs {
    let mut writer = Writer { pairs: Vec::new() };
    writer.source(&state.source);
    writer.operation(state);
    writer.launch(&state.launch);
    writer.unless_default("gpu", &state.device, write_device);
    writer.words("vs", &state.compared);
    writer.selection(&state.selection);
    writer.unless_default("twice", &state.repeated_reads, |_| "1".to_owned());
    if let Some(compiler) = state.compiler {
        writer.push("cc", id_of(&compiler, COMPILERS));
    }
    writer.unless_default("view", &state.view, |view| id_of(view, VIEWS).to_owned());
    if let Some(beside) = &state.beside {
        writer.packed("ab", beside);
    }
    writer.word("lesson", state.lesson.as_deref());
    writer.lab(state);
    writer.shown(state);
    writer.unknown(&state.unknown);
    writer.pairs
}

/// The same of a plain expression.
pub(crate) fn write_plain(state: &State) -> Pairs {
    let mut writer = Writer { pairs: Vec::new() };
    if let Source::Expression {
        accesses,
        declarations,
    } = &state.source
    {
        writer.lines("e", accesses);
        writer.lines("d", declarations);
    }
    writer.operation(state);
    writer.shape(&state.launch);
    if let Device::Known(id) = &state.device
        && state.device != Device::default()
    {
        writer.push("gpu", id);
    }
    writer.selection(&state.selection);
    writer.shown(state);
    writer.pairs
}

struct Writer {
    pairs: Pairs,
}

impl Writer {
    pub(super) fn push(&mut self, key: &str, value: &str) {
        self.pairs.push((key.to_owned(), hidden::shown(value).0));
    }

    fn optional(&mut self, key: &str, value: Option<String>) {
        if let Some(value) = value {
            self.push(key, &value);
        }
    }

    fn unless_default<T: Default + PartialEq>(
        &mut self,
        key: &str,
        item: &T,
        text: impl Fn(&T) -> String,
    ) {
        if *item != T::default() {
            self.push(key, &text(item));
        }
    }

    fn lines(&mut self, key: &str, text: &str) {
        if !text.is_empty() {
            text.split('\n').for_each(|line| self.push(key, line));
        }
    }

    fn packed(&mut self, key: &str, text: &str) {
        self.push(key, &packed::pack(&hidden::shown(text).0));
    }

    fn word(&mut self, key: &str, word: Option<&str>) {
        self.optional(key, word.filter(|word| is_word(word)).map(str::to_owned));
    }

    fn words(&mut self, key: &str, words: &[String]) {
        let words: Vec<&str> = words
            .iter()
            .map(String::as_str)
            .filter(|word| is_word(word))
            .collect();
        if !words.is_empty() {
            self.push(key, &words.join(","));
        }
    }

    fn named(&mut self, key: &str, list: &[(String, String)]) {
        for (name, value) in list.iter().filter(|(name, _)| is_name(name)) {
            self.push(key, &format!("{name}={value}"));
        }
    }

    pub(super) fn source(&mut self, source: &Source) {
        match source {
            Source::Expression {
                accesses,
                declarations,
            } => {
                self.lines("e", accesses);
                self.lines("d", declarations);
            }
            Source::Kernel(text) => self.packed("k", text),
            Source::Layout { layout, access } => {
                self.push("y", layout);
                self.word("by", Some(access));
            }
            Source::Trace(text) => self.packed("r", text),
        }
    }

    pub(super) fn launch(&mut self, launch: &Launch) {
        self.optional("n", launch.kernel.clone().filter(|name| !name.is_empty()));
        self.named("t", &launch.templates);
        self.named("m", &launch.defines);
        self.named("a", &launch.arguments);
        self.unless_default("s", &launch.dynamic_shared_bytes, u32::to_string);
        self.shape(launch);
        self.unless_default("guess", &launch.guessed, |guessed| {
            id_of(guessed, GUESSED).to_owned()
        });
    }

    fn shape(&mut self, launch: &Launch) {
        self.counts("g", launch.grid, Launch::DEFAULT_GRID);
        self.counts("b", launch.block, Launch::DEFAULT_BLOCK);
    }

    pub(super) fn operation(&mut self, state: &State) {
        self.unless_default("o", &state.operation, |operation| {
            id_of(operation, OPERATIONS).to_owned()
        });
    }

    /// How the state is shown.
    pub(super) fn shown(&mut self, state: &State) {
        let language = state.language.map(Language::tag);
        self.optional("lang", language.map(str::to_owned));
        let theme = state.theme.map(|theme| id_of(&theme, THEMES));
        self.optional("theme", theme.map(str::to_owned));
        self.unless_default("embed", &state.embed, |embed| {
            let choices = [(embed.source, "source"), (embed.bare, "bare")];
            let chosen = choices.iter().filter(|(on, _)| *on).map(|(_, id)| *id);
            chosen.collect::<Vec<_>>().join(",")
        });
    }

    fn counts(&mut self, key: &str, counts: [u32; 3], default: [u32; 3]) {
        let counts = counts.map(|count| count.max(1));
        if counts != default {
            self.push(key, &write_extent(counts, 1));
        }
    }

    pub(super) fn selection(&mut self, selection: &Selection) {
        self.optional("at", selection.site.and_then(write_site));
        if selection.block != [0; 3] {
            self.push("bl", &write_extent(selection.block, 0));
        }
        self.unless_default("wp", &selection.warp, u32::to_string);
        self.unless_default("it", &selection.iteration, u64::to_string);
        for (name, value) in selection.values.iter().filter(|(name, _)| is_name(name)) {
            self.push("x", &format!("{name}={value}"));
        }
    }

    pub(super) fn lab(&mut self, state: &State) {
        let lab = &state.lab;
        self.word("lab", lab.experiment.as_deref());
        self.words("var", &lab.variants);
        self.words("size", &lab.sizes);
        self.words("shape", &lab.shapes);
        if let Some(results) = &lab.results {
            self.packed("res", results);
        }
    }

    pub(super) fn unknown(&mut self, unknown: &[(String, String)]) {
        let foreign = |key: &str| is_word(key) && KEYS.iter().all(|known| known.name != key);
        for (key, value) in unknown
            .iter()
            .filter(|(key, _)| foreign(key))
            .take(MAX_UNKNOWN)
        {
            self.push(key, value);
        }
    }
}

/// Whether a name can stand before `=`.
fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains('=')
}

fn write_site(site: Site) -> Option<String> {
    match site {
        Site { line: 0, .. } | Site { nth: 0, .. } => None,
        Site { line, nth: 1 } => Some(line.to_string()),
        Site { line, nth } => Some(format!("{line}.{nth}")),
    }
}

fn write_device(device: &Device) -> String {
    match device {
        Device::Known(id) => id.clone(),
        Device::Custom(custom) => write_custom(custom),
    }
}

fn write_custom(custom: &CustomDevice) -> String {
    let CustomDevice {
        banks,
        bank_bits,
        lanes,
        broadcast,
        sector_bytes,
        line_bytes,
    } = custom;
    let broadcast = id_of(broadcast, BROADCASTS);
    format!("custom:{banks},{bank_bits},{lanes},{broadcast},{sector_bytes},{line_bytes}")
}
