//! Template arguments that a launch does not write: deduced from what it gives the kernel.
//!
//! An argument tells the type of a parameter `Op op` where it is an object of a structure, made in place (`Largest()`,
//! `Less<float>{}`) or a variable, or a lambda, and that of a parameter `const T* in` where it is a variable declared as a pointer.
//! Where one of the template's parameters stays open, all do.

use lanescope_syntax::token::{Kind, Token};
use std::ops::Range;

use super::Text;

/// Types that need no declaration.
const PLAIN_TYPES: [&str; 14] = [
    "bool", "char", "double", "false", "float", "half", "int", "long", "short", "true", "uint",
    "unsigned", "const", "signed",
];

/// Tokens between `__device__` and the name of a function.
const MOST_FUNCTION_HEAD: usize = 12;

/// A parameter of the kernel whose type is a template's: that parameter, and whether it is a pointer to it.
struct Typed<'a> {
    ty: &'a str,
    is_pointer: bool,
}

/// A parameter of the kernel's template.
struct Templated<'a> {
    name: &'a str,
    is_type: bool,
    has_default: bool,
}

impl Text<'_> {
    /// Whether every name among `part` is one of a type that is declared somewhere, or is qualified.
    pub(super) fn names_declared(&self, part: Range<usize>) -> bool {
        let is_declared = |name: &str| {
            let is_here = |at: usize| {
                let before = |words: &[&str]| words.iter().any(|word| self.is_name(at, word));
                self.is_name(at + 1, name) && before(&["struct", "class", "union", "using", "enum"])
            };
            // A function that a device has.
            let is_function = |at: usize| {
                let head = at.saturating_sub(MOST_FUNCTION_HEAD)..at;
                let mut head = head
                    .rev()
                    .take_while(|at| !self.is(*at, "}") && !self.is(*at, ";"));
                self.is_name(at, name)
                    && self.is(at + 1, "(")
                    && head.any(|at| self.is_name(at, "__device__"))
            };
            PLAIN_TYPES.contains(&name)
                || (0..self.tokens.len()).any(|at| is_here(at) || is_function(at))
        };
        part.into_iter().all(|at| match self.tokens.get(at) {
            Some(Token {
                kind: Kind::Name(name),
                ..
            }) => is_declared(name) || self.is(at + 1, "::") || self.is(at.wrapping_sub(1), "::"),
            Some(_) | None => true,
        })
    }

    /// The template's arguments of `kernel`, whose launch begins at `at` and writes the first of them; `None` of one that is no
    /// template, where all are written, or where some are not told.
    pub(super) fn deduced(
        &self,
        at: usize,
        kernel: &str,
        written: &[String],
    ) -> Option<Vec<String>> {
        let (templates, parameters) = self.head(kernel)?;
        let open = self.templates(at + 1).1;
        let configured = self.is(open, "<<<").then(|| self.parts(open))??;
        let (arguments, _) = self.parts(configured.1)?;
        let names: Vec<&str> = templates.iter().map(|template| template.name).collect();
        let pairs: Vec<(Option<Typed<'_>>, &Range<usize>)> = parameters
            .iter()
            .map(|part| self.typed(part, &names))
            .zip(&arguments)
            .collect();
        let mut list = written.to_vec();
        for template in templates.get(written.len()..)? {
            let mut own = pairs.iter().filter_map(|(typed, argument)| {
                let typed = typed.as_ref().filter(|typed| typed.ty == template.name)?;
                match typed.is_pointer {
                    true => self.pointed_by(at, argument),
                    false => self.object(at, argument),
                }
            });
            match own.next().filter(|_| template.is_type) {
                Some(found) => list.push(found),
                None if template.has_default => break,
                None => return None,
            }
        }
        (list.len() > written.len()).then_some(list)
    }

    /// The parameters of the template of `kernel`, and the kernel's own.
    fn head(&self, kernel: &str) -> Option<(Vec<Templated<'_>>, Vec<Range<usize>>)> {
        let is_head = |at: &usize| {
            let words = at.saturating_sub(super::MOST_HEAD)..*at;
            let mut before = words
                .rev()
                .take_while(|at| ![";", "}", "{"].iter().any(|end| self.is(*at, end)));
            self.is_name(*at, kernel)
                && self.is(at + 1, "(")
                && before.any(|at| self.is_name(at, "__global__"))
        };
        let at = (0..self.tokens.len()).find(is_head)?;
        let begins = |at: &usize| self.is_name(*at, "template") && self.is(at + 1, "<");
        let start = (at.saturating_sub(super::MOST_HEAD)..at)
            .rev()
            .find(begins)?;
        let mut templates = Vec::new();
        let mut next = start + 2;
        loop {
            let first = next;
            let mut depth = 0_usize;
            while depth > 0 || !(self.is(next, ",") || self.is(next, ">")) {
                match &self.tokens.get(next)?.kind {
                    Kind::Punct("<" | "(") => depth += 1,
                    Kind::Punct(">" | ")") => depth = depth.saturating_sub(1),
                    Kind::Punct("..." | ";" | "{") | Kind::End => return None,
                    _ => {}
                }
                next += 1;
            }
            let default = (first..next).find(|at| self.is(*at, "="));
            let name = default.unwrap_or(next).checked_sub(1)?;
            templates.push(Templated {
                name: match &self.tokens.get(name)?.kind {
                    Kind::Name(name) => name,
                    _ => return None,
                },
                is_type: self.is_name(first, "typename") || self.is_name(first, "class"),
                has_default: default.is_some(),
            });
            if self.is(next, ">") {
                break;
            }
            next += 1;
        }
        Some((templates, self.parts(at + 1)?.0))
    }

    /// `Op op` or `const T* __restrict__ in`.
    fn typed<'t>(&self, part: &Range<usize>, templates: &[&'t str]) -> Option<Typed<'t>> {
        let mut ty = None;
        let mut is_pointer = false;
        for at in part.clone() {
            match &self.tokens.get(at)?.kind {
                Kind::Name(name) if matches!(&**name, "const" | "__restrict__") => {}
                Kind::Name(name) if ty.is_none() => {
                    ty = Some(*templates.iter().find(|template| ***template == **name)?);
                }
                // The parameter's name.
                Kind::Name(_) if at + 1 == part.end => {}
                Kind::Punct("*") if !is_pointer => is_pointer = true,
                _ => return None,
            }
        }
        ty.map(|ty| Typed { ty, is_pointer })
    }

    /// The type of an object that an argument makes, or of a variable that it names.
    fn object(&self, launch: usize, argument: &Range<usize>) -> Option<String> {
        if let Some(closure) = self.closure_type(launch, argument) {
            return Some(closure);
        }
        let (start, end) = (argument.start, argument.end);
        let name = match &self.tokens.get(start)?.kind {
            Kind::Name(name) => &**name,
            _ => return None,
        };
        if end == start + 1 {
            let ty = self.declared_before(launch, name, false)?;
            return self.is_structure(&ty).then_some(ty);
        }
        let (templates, open) = self.templates(start + 1);
        let is_made = (self.is(open, "(") || self.is(open, "{"))
            && self.parts(open).is_some_and(|(_, after)| after == end);
        let is_written = templates.is_empty() == (open == start + 1);
        (is_made && is_written && self.is_structure(name)).then(|| self.text(start..open))
    }

    /// What a variable points to that an argument names.
    fn pointed_by(&self, launch: usize, argument: &Range<usize>) -> Option<String> {
        let name = match &self.tokens.get(argument.start)?.kind {
            Kind::Name(name) if argument.len() == 1 => &**name,
            _ => return None,
        };
        let ty = self.declared_before(launch, name, true)?;
        (PLAIN_TYPES.contains(&ty.as_str()) || self.is_structure(&ty)).then_some(ty)
    }

    /// The type's name in the last declaration of a variable before a launch.
    fn declared_before(&self, launch: usize, name: &str, is_pointer: bool) -> Option<String> {
        let declares = |at: &usize| {
            let stars = usize::from(is_pointer);
            self.is_name(*at, name)
                && (!is_pointer || self.is(at.wrapping_sub(1), "*"))
                && [";", ",", ")", "=", "{", "("]
                    .iter()
                    .any(|end| self.is(at + 1, end))
                && matches!(
                    at.checked_sub(1 + stars).and_then(|ty| self.tokens.get(ty)).map(|ty| &ty.kind),
                    Some(Kind::Name(ty)) if !matches!(&**ty, "return" | "const" | "auto")
                )
        };
        let at = (0..launch).rev().find(declares)?;
        match &self.tokens.get(at - 1 - usize::from(is_pointer))?.kind {
            Kind::Name(ty) => Some(ty.to_string()),
            _ => None,
        }
    }

    fn is_structure(&self, name: &str) -> bool {
        let is_word = |at: usize| self.is_name(at, "struct") || self.is_name(at, "class");
        (1..self.tokens.len()).any(|at| self.is_name(at, name) && is_word(at - 1))
    }
}
