//! The indices of an array inside macros that look like functions: `#define tile(i, j) tile[((i) << 5) + (j)]`.

use std::rc::Rc;

use lanescope_syntax::tree::Function;

use crate::Edit;
use crate::code::Code;

/// The bodies of macros that name an array, as statements of a kernel of their own.
pub(crate) struct MacroIndices {
    /// The kernel's text.
    pub(crate) text: String,
    /// `[body]`: where it begins in that text, where in the source, and how long it is.
    bodies: Vec<[usize; 3]>,
}

impl MacroIndices {
    /// Those of the array `name`; `None` where no macro indexes it.
    pub(crate) fn of(source: &str, name: &str) -> Option<Self> {
        let all = Macro::all(source);
        let is_near = |one: &&Macro<'_>| one.is_in_index_of(source, name);
        let has_near = all.iter().any(|one| is_near(&one));
        let mut found = Self {
            text: "__global__ void macros() {\n".to_owned(),
            bodies: Vec::new(),
        };
        for one in &all {
            let [before, behind] = if one.is_named(name) {
                [String::new(), ";\n".to_owned()]
            } else if let Some(given) = one.gets(source, name) {
                [format!("auto* {given} = {name};\n"), ";\n".to_owned()]
            } else if one.is_product() && (is_near(&one) || !has_near && one.is_used(source)) {
                [format!("{name}["), "];\n".to_owned()]
            } else {
                continue;
            };
            found.text.push_str(&before);
            found
                .bodies
                .push([found.text.len(), one.start, one.body.len()]);
            // What joins two lines is a blank between tokens.
            found.text.push_str(&one.body.replace('\\', " "));
            found.text.push_str(&behind);
        }
        found.text.push('}');
        (!found.bodies.is_empty()).then_some(found)
    }

    /// Edits of the kernel's text as edits of the source; `None` where one is outside the bodies.
    pub(crate) fn in_source(&self, edits: &[Edit]) -> Option<Vec<Edit>> {
        let moved = |edit: &Edit| {
            let [start, end] = [edit.span.start as usize, edit.span.end as usize];
            let mut bodies = self.bodies.iter();
            let [own, place, _] =
                bodies.find(|[own, _, length]| *own <= start && end <= own + length)?;
            Some(Edit::new(
                start - own + place,
                end - own + place,
                edit.replacement.clone(),
            ))
        };
        edits.iter().map(moved).collect()
    }

    /// The kernel, as it is read.
    pub(crate) fn code(&self) -> Option<(Code<'_>, Rc<Function>)> {
        let code = Code::of(&self.text, &[]);
        let kernel = code.functions().next().cloned()?;
        Some((code, kernel))
    }
}

/// A macro that looks like a function.
pub(crate) struct Macro<'s> {
    name: &'s str,
    parameters: Vec<&'s str>,
    /// What it stands for, over all its lines.
    body: &'s str,
    /// Where that begins.
    start: usize,
}

impl<'s> Macro<'s> {
    pub(crate) fn all(source: &'s str) -> Vec<Self> {
        let mut found = Vec::new();
        let mut rest = source;
        while let Some(definition) = definition(rest) {
            let at = source.len() - rest.len();
            let text = rest.get(..definition).unwrap_or_default();
            found.extend(Self::of(text, at));
            rest = rest.get(definition..).unwrap_or_default();
        }
        found
    }

    /// The macro that a line defines which begins at the byte `at`; `None` where it defines none.
    fn of(line: &'s str, at: usize) -> Option<Self> {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("define")?;
        let (head, body) = rest.split_once(')')?;
        let (name, parameters) = head.split_once('(')?;
        let is_whole = name.starts_with(char::is_whitespace) && name.trim().chars().all(is_word);
        let body = body.split("//").next()?;
        let is_gap = |sign: char| sign.is_whitespace() || sign == '\\';
        let start = line.len() - rest.len() + head.len() + 1;
        let start = start + body.len() - body.trim_start_matches(is_gap).len();
        let body = body.trim_matches(is_gap);
        (is_whole && !body.is_empty()).then(|| Self {
            name: name.trim(),
            parameters: parameters.split(',').map(str::trim).collect(),
            body,
            start: at + start,
        })
    }

    /// What an index that is nothing but a use of it stands for; `None` of another, and where it computes no product.
    pub(crate) fn written_out(&self, index: &str) -> Option<String> {
        let given = index.trim().strip_prefix(self.name)?.trim_start();
        let given = given.strip_prefix('(')?.strip_suffix(')')?;
        let arguments = arguments(given)?;
        let is_plain = self.is_product() && !self.body.contains('#');
        if !is_plain || arguments.len() != self.parameters.len() {
            return None;
        }
        let (mut text, mut done) = (String::new(), 0);
        for (end, word) in words(self.body) {
            let of = |name: &&&str| **name == word;
            let Some(at) = self.parameters.iter().position(|name| of(&name)) else {
                continue;
            };
            text.push_str(self.body.get(done..end - word.len())?);
            text.push_str(arguments.get(at)?);
            done = end;
        }
        text.push_str(self.body.get(done..)?);
        let lines = text.replace('\\', " ");
        Some(lines.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn is_named(&self, name: &str) -> bool {
        words(self.body).any(|(_, word)| word == name)
    }

    /// The parameter that is indexed, where some use gives it the array.
    fn gets(&self, source: &str, name: &str) -> Option<&'s str> {
        let at = self.parameters.iter().position(|parameter| {
            let mut all = words(self.body);
            all.any(|(end, word)| word == *parameter && self.follows(end, '['))
        })?;
        let mut uses = words(source).filter(|(_, word)| *word == self.name);
        let gives = |end: usize| {
            let arguments = source.get(end..)?.trim_start().strip_prefix('(')?;
            let argument = arguments.split([',', ')']).nth(at)?;
            Some(argument.trim() == name)
        };
        let is_given = uses.any(|(end, _)| gives(end) == Some(true));
        self.parameters.get(at).copied().filter(|_| is_given)
    }

    fn follows(&self, end: usize, sign: char) -> bool {
        let rest = self.body.get(end..).unwrap_or_default();
        rest.trim_start_matches([')', ' ']).starts_with(sign)
    }

    /// Whether it is an expression in which rows may be multiplied.
    fn is_product(&self) -> bool {
        let is_expression = !self.body.contains([';', '{', '=']);
        is_expression && (self.body.contains('*') || self.body.contains("<<"))
    }

    /// Whether the text uses it.
    fn is_used(&self, source: &str) -> bool {
        words(source).filter(|(_, word)| *word == self.name).count() > 1
    }

    /// Whether an index of the array uses it.
    fn is_in_index_of(&self, source: &str, name: &str) -> bool {
        let mut arrays = words(source).filter(|(_, word)| *word == name);
        arrays.any(|(end, _)| {
            let index = source.get(end..).and_then(|rest| rest.strip_prefix('['));
            let index = index.map(|rest| rest.split([']', ';']).next().unwrap_or_default());
            index.is_some_and(|index| words(index).any(|(_, word)| word == self.name))
        })
    }
}

/// How long the first line of a text is, with the lines that a `\` joins to it; `None` at its end.
fn definition(text: &str) -> Option<usize> {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end_matches(['\n', '\r']).ends_with('\\') {
            return Some(length);
        }
    }
    (length > 0).then_some(length)
}

/// The arguments in what stands between brackets; `None` where a bracket is closed that is not open.
fn arguments(given: &str) -> Option<Vec<&str>> {
    let (mut list, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, sign) in given.char_indices() {
        match sign {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                list.push(given.get(start..at)?.trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    list.push(given.get(start..)?.trim());
    (depth == 0).then_some(list)
}

/// The words of a text, each with where it ends.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut end = 0;
    text.split_inclusive(|sign| !is_word(sign))
        .filter_map(move |piece| {
            let word = piece.trim_end_matches(|sign| !is_word(sign));
            let word_end = end + word.len();
            end += piece.len();
            (!word.is_empty()).then_some((word_end, word))
        })
}

fn is_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}
