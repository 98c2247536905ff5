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
    /// Those of the array `name`; `None` where no macro names it.
    pub(crate) fn of(source: &str, name: &str) -> Option<Self> {
        let mut found = Self {
            text: "__global__ void macros() {\n".to_owned(),
            bodies: Vec::new(),
        };
        let mut at = 0;
        for line in source.split_inclusive('\n') {
            if let Some(body) = body_of(line).filter(|body| is_named(body, name)) {
                let start = at + line.rfind(body)?;
                found.bodies.push([found.text.len(), start, body.len()]);
                found.text.push_str(body);
                found.text.push_str(";\n");
            }
            at += line.len();
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

/// What a macro that looks like a function, defined in one line, stands for.
fn body_of(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("define")?;
    let (head, body) = rest.split_once(')')?;
    let (name, _) = head.split_once('(')?;
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
    let body = body.split("//").next().unwrap_or_default().trim();
    let is_whole = name.starts_with(char::is_whitespace) && name.trim().chars().all(is_word);
    (is_whole && !body.is_empty() && !body.ends_with('\\')).then_some(body)
}

fn is_named(body: &str, name: &str) -> bool {
    Code::of(body, &[]).has_name(name)
}
