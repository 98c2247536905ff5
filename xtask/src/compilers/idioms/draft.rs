//! A kernel while it is written: the parts that idioms add, and the templates that they add them by.

use super::super::random::Random;

/// Bytes of every array; no idiom reaches further than a fourth of its elements from the last thread's.
const ARRAY_BYTES: u64 = 1 << 23;

/// A parameter of the kernel.
pub(super) struct Parameter {
    pub(super) declared: String,
    pub(super) name: String,
    /// The value of an `int`; nothing for an array.
    pub(super) value: Option<i32>,
}

impl Parameter {
    /// Bytes of what an array parameter points to.
    pub(super) const fn array_bytes() -> u64 {
        ARRAY_BYTES
    }
}

/// How an idiom's part of the body stands to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Beside them, in any flow of control.
    Plain,
    /// All threads of the block have to reach it.
    Convergent,
    /// Around those that are plain, which take the place of [`HOLE`].
    Around,
}

/// What one idiom adds to the kernel's body.
pub(super) struct Part {
    pub(super) text: String,
    pub(super) role: Role,
}

/// Where the text of a part that goes around others holds them.
pub(super) const HOLE: &str = "$$";

/// A kernel while it is written.
pub(super) struct Draft {
    random: Random,
    number: usize,
    suffix: String,
    /// What templates call by name.
    keys: Vec<(&'static str, String)>,
    pub(super) grid: [u64; 3],
    pub(super) block: [u64; 3],
    pub(super) headers: Vec<&'static str>,
    pub(super) declarations: String,
    pub(super) attribute: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) parts: Vec<Part>,
    pub(super) dynamic_shared_bytes: u64,
}

impl Draft {
    pub(super) fn new(random: Random, number: usize, grid: [u64; 3], block: [u64; 3]) -> Self {
        Self {
            random,
            number,
            suffix: String::new(),
            keys: Vec::new(),
            grid,
            block,
            headers: Vec::new(),
            declarations: String::new(),
            attribute: String::new(),
            parameters: Vec::new(),
            parts: Vec::new(),
            dynamic_shared_bytes: 0,
        }
    }

    /// Threads of a block.
    pub(super) fn threads(&self) -> u64 {
        self.block.iter().product()
    }

    /// Threads of the grid.
    pub(super) fn all_threads(&self) -> u64 {
        self.threads() * self.grid.iter().product::<u64>()
    }

    /// Begins the part of the `place`-th idiom: `$N` is a suffix of its own.
    pub(super) fn begin(&mut self, place: usize, role: Role) {
        let letter = ["a", "b", "c", "d"][place % 4];
        self.suffix = format!("{}{letter}", self.number);
        self.keys.retain(|(name, _)| *name == "E");
        self.parts.push(Part {
            text: String::new(),
            role,
        });
    }

    /// Names one of a list for templates to come, as `$NAME`.
    pub(super) fn key(&mut self, name: &'static str, list: &[&str]) -> String {
        let word = self.random.pick(list);
        let word = self.fill(word);
        self.keys.retain(|(key, _)| *key != name);
        self.keys.push((name, word.clone()));
        word
    }

    /// A key with one value.
    pub(super) fn set(&mut self, name: &'static str, word: &str) {
        self.key(name, &[word]);
    }

    /// One of a list of templates, which stands for itself until it is filled.
    pub(super) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        self.random.pick(list)
    }

    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.random.chance(percent)
    }

    /// Adds to the file, before the kernel.
    pub(super) fn declare(&mut self, template: &str) {
        let text = self.fill(template);
        self.declarations.push_str(text.trim());
        self.declarations.push('\n');
    }

    /// Adds to the body.
    pub(super) fn body(&mut self, template: &str) {
        let text = self.fill(template);
        if let Some(part) = self.parts.last_mut() {
            part.text.push_str(text.trim());
            part.text.push('\n');
        }
    }

    /// Adds a parameter that points to an array; `$NAME` is its name.
    pub(super) fn array(&mut self, name: &'static str, element: &str) {
        let pointer = self.fill(element);
        let word = self.fill(&format!("{}$N", name.to_lowercase()));
        self.parameters.push(Parameter {
            declared: format!("{pointer} {word}"),
            name: word.clone(),
            value: None,
        });
        self.set(name, &word);
    }

    /// Adds an `int` parameter; `$NAME` is its name.
    pub(super) fn integer(&mut self, name: &'static str, list: &[i32]) {
        let value = self.random.pick(list);
        let word = self.fill(&format!("{}$N", name.to_lowercase()));
        self.parameters.push(Parameter {
            declared: format!("int {word}"),
            name: word.clone(),
            value: Some(value),
        });
        self.set(name, &word);
    }

    /// `«a¦b»` is one of its alternatives, `$NAME` a key, `@t` an index under the threads of a block, `@i` one into an array.
    pub(super) fn fill(&mut self, template: &str) -> String {
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = rest.find(['«', '$', '@']) {
            text.push_str(&rest[..at]);
            rest = &rest[at..];
            if rest.starts_with(HOLE) {
                text.push_str(HOLE);
                rest = &rest[HOLE.len()..];
            } else if let Some(after) = rest.strip_prefix('«') {
                let (forms, after) = alternatives(after);
                let form = self.random.pick(&forms);
                text.push_str(&self.fill(form));
                rest = after;
            } else if let Some(after) = rest.strip_prefix("@t") {
                text.push_str(&self.place_in_block());
                rest = after;
            } else if let Some(after) = rest.strip_prefix("@i") {
                text.push_str(&self.place_in_array());
                rest = after;
            } else {
                let after = &rest[1..];
                let end = after
                    .find(|c: char| !c.is_ascii_uppercase() && !c.is_ascii_digit())
                    .unwrap_or(after.len());
                text.push_str(&self.word(&after[..end]));
                rest = &after[end..];
            }
        }
        text.push_str(rest);
        text
    }

    fn word(&self, name: &str) -> String {
        match name {
            "N" => self.suffix.clone(),
            "T" => self.threads().to_string(),
            "W" => self.block[0].to_string(),
            "H" => self.block[1].to_string(),
            "ALL" => self.all_threads().to_string(),
            _ => {
                let key = self.keys.iter().find(|(key, _)| *key == name);
                key.map_or_else(|| format!("NO_KEY_{name}"), |(_, word)| word.clone())
            }
        }
    }

    fn place_in_block(&mut self) -> String {
        let end = self.threads();
        let step = self.random.pick(&[3, 5, 7, 9, 17]);
        let turn = self.random.below(end);
        let mut forms = vec![
            "t".to_owned(),
            "t".to_owned(),
            format!("{} - t", end - 1),
            format!("(t * {step}) % {end}"),
            format!("(t + {turn}) % {end}"),
            "t / 2".to_owned(),
            "(t & ~3)".to_owned(),
        ];
        if end.is_multiple_of(2) {
            forms.push("(t ^ 1)".to_owned());
        }
        if end.is_power_of_two() {
            forms.push(format!("((t * {step}) & {})", end - 1));
            forms.push(format!("((t + {turn}) & {})", end - 1));
        }
        let at = self.random.below(forms.len() as u64);
        forms.swap_remove(usize::try_from(at).unwrap_or(0))
    }

    fn place_in_array(&mut self) -> String {
        let step = self.random.pick(&[2, 3, 4, 5]);
        let offset = self.random.pick(&[1, 2, 3, 7, 8, 16, 31]);
        let forms = [
            "i".to_owned(),
            "i".to_owned(),
            "i".to_owned(),
            format!("i + {offset}"),
            format!("i * {step}"),
            format!("i * {step} + {offset}"),
            format!("i / {step}"),
            format!("(i ^ {offset})"),
            format!("(i & ~{})", self.random.pick(&[1, 3, 7])),
            format!("i % {}", self.random.pick(&[24, 32, 100])),
            format!("(i % 32) * {offset} + i / 32"),
        ];
        let at = self.random.below(forms.len() as u64);
        forms
            .into_iter()
            .nth(usize::try_from(at).unwrap_or(0))
            .unwrap_or_default()
    }
}

/// The alternatives before the `»` that ends them, and what comes after it.
fn alternatives(text: &str) -> (Vec<&str>, &str) {
    let (mut forms, mut from, mut depth) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '«' => depth += 1,
            '»' if depth > 0 => depth -= 1,
            '»' => {
                forms.push(&text[from..at]);
                return (forms, &text[at + c.len_utf8()..]);
            }
            '¦' if depth == 0 => {
                forms.push(&text[from..at]);
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    forms.push(&text[from..]);
    (forms, "")
}
