//! Declarations.

use crate::code::Type;
use crate::element::Element;
use crate::read::{Meaning, Reader};
use crate::token::{Kind, Token};
use lanescope_frontend::{ArrayId, SourceArray};
use lanescope_model::Space;

/// A buffer of global memory has a stretch of so many bytes, the first one of them shared memory's.
const STRETCH_BYTES: u64 = 1 << 40;

/// What stands before the names of a declaration.
struct Head {
    of: Element,
    is_shared: bool,
    is_constant: bool,
}

impl<'a> Reader<'a> {
    /// Whether a declaration begins here.
    pub(crate) fn at_declaration(&self) -> bool {
        let text = self.text();
        let is_type = Element::named(text).is_some() || matches!(text, "long" | "struct");
        let is_word = matches!(text, "__shared__" | "tile_static" | "const" | "static");
        let is_named = matches!(self.meaning(text), Some(Meaning::Element(_)));
        self.token().kind == Kind::Name && (is_type || is_word || is_named)
    }

    /// `type name[…], name[…];`
    pub(crate) fn declaration(&mut self) -> Option<()> {
        let head = self.head()?;
        if self.at_end() && self.text_of(self.tokens[self.at - 1]) == "}" {
            return self.end_statement();
        }
        loop {
            self.declarator(&head)?;
            if !self.take(",") {
                return self.end_statement();
            }
        }
    }

    fn head(&mut self) -> Option<Head> {
        let (mut is_shared, mut is_constant, mut of) = (false, false, None);
        loop {
            let text = self.text();
            match text {
                "__shared__" | "tile_static" => is_shared = true,
                "const" => is_constant = true,
                "static" => {}
                "struct" => {
                    of = Some(self.structure()?);
                    break;
                }
                _ => break,
            }
            self.next()?;
        }
        let of = match of {
            Some(of) => of,
            None => self.element()?,
        };
        if self.is("const") {
            return None;
        }
        Some(Head {
            of,
            is_shared,
            is_constant,
        })
    }

    /// A type of one or two words.
    fn element(&mut self) -> Option<Element> {
        if self.token().kind != Kind::Name {
            return None;
        }
        let text = self.text();
        self.at += 1;
        if let Some(Meaning::Element(index)) = self.meaning(text) {
            return self.elements.get(index).cloned();
        }
        let second = self.token();
        if second.kind == Kind::Name
            && !second.first_on_line
            && let Some(of) = Element::of_two(text, self.text())
        {
            self.at += 1;
            return Some(of);
        }
        if second.kind == Kind::Name
            && matches!(
                self.text(),
                "int" | "char" | "short" | "long" | "unsigned" | "signed" | "float" | "double"
            )
        {
            return None;
        }
        Element::named(text)
    }

    /// `struct [name] { type name, name; … }`, or `struct name` again.
    fn structure(&mut self) -> Option<Element> {
        self.at += 1;
        let name = self.name();
        if !self.is("{") {
            let Some(Meaning::Element(index)) = self.meaning(name?) else {
                return None;
            };
            return self.elements.get(index).cloned();
        }
        self.at += 1;
        let mut fields: Vec<(String, Element)> = Vec::new();
        while !self.is("}") {
            let of = self.element()?;
            loop {
                let field = self.name()?;
                if fields.iter().any(|(known, _)| known == field) {
                    return None;
                }
                fields.push((field.into(), of.clone()));
                if !self.take(",") {
                    break;
                }
            }
            if !self.is(";") {
                return None;
            }
            self.at += 1;
        }
        self.at += 1;
        if fields.is_empty() {
            return None;
        }
        let of = Element::structure(name.unwrap_or("struct"), fields, 1);
        if let Some(name) = name {
            if Element::named(name).is_some() {
                return None;
            }
            self.elements.push(of.clone());
            self.bind(name, Meaning::Element(self.elements.len() - 1))?;
        }
        Some(of)
    }

    fn declarator(&mut self, head: &Head) -> Option<()> {
        let is_pointer = self.take("*");
        let token = self.token();
        let name = self.name()?;
        if is_pointer {
            // Where a pointer points to shared memory only the whole language says.
            return (!head.is_shared)
                .then(|| self.array(token, name, &head.of, Vec::new(), Space::Global))?;
        }
        if self.take("=") {
            let of = match head.of.name.as_str() {
                "int" => Type::Int,
                "unsigned" => Type::Unsigned,
                _ => return None,
            };
            return (!head.is_shared).then(|| self.local(name, Some(of), head.is_constant))?;
        }
        let mut extents = Vec::new();
        while self.take("[") {
            let extent = self.number()?;
            let extent = self
                .known(extent)
                .and_then(|extent| u64::try_from(extent).ok());
            extents.push(extent.filter(|extent| (1..1 << 24).contains(extent))?);
            self.expect("]")?;
        }
        if extents.is_empty() || self.is("@") {
            return None;
        }
        self.array(token, name, &head.of, extents, Space::Shared)
    }

    fn array(
        &mut self,
        token: Token,
        name: &'a str,
        of: &Element,
        extents: Vec<u64>,
        space: Space,
    ) -> Option<()> {
        let index = self.glance.arrays.len();
        let elements = extents
            .iter()
            .try_fold(1_u64, |all, extent| all.checked_mul(*extent))?;
        let bytes = elements
            .checked_mul(of.bytes)
            .filter(|bytes| *bytes < STRETCH_BYTES / 4)?;
        let (base, bytes) = match space {
            Space::Shared => {
                let base = self.shared_bytes.next_multiple_of(of.align.max(16));
                self.shared_bytes = base.checked_add(bytes)?;
                (base, Some(bytes))
            }
            _ => ((u64::try_from(index).ok()? + 1) * STRETCH_BYTES, None),
        };
        let (line, column) = self.lines.place(token.span.start);
        self.glance.arrays.push(SourceArray {
            name: name.into(),
            span: token.span,
            line,
            column,
            space,
            element: of.name.clone(),
            element_bytes: of.bytes,
            header_bytes: 0,
            extents,
            bytes,
            restrict: false,
            base,
        });
        self.places.push(of.clone());
        (index < 64).then_some(())?;
        self.bind(name, Meaning::Array(index))
    }

    /// The array of words of shared memory that a number alone is an index into.
    pub(crate) fn implied_array(&mut self, span: lanescope_frontend::Span) -> Option<usize> {
        if self.implied.is_none() {
            let of = Element::named("float")?;
            let (line, column) = self.lines.place(span.start);
            self.implied = Some(self.glance.arrays.len());
            self.glance.arrays.push(SourceArray {
                name: "[ ]".into(),
                span,
                line,
                column,
                space: Space::Shared,
                element: of.name.clone(),
                element_bytes: of.bytes,
                header_bytes: 0,
                extents: Vec::new(),
                bytes: None,
                restrict: false,
                base: 0,
            });
            self.places.push(of);
        }
        self.implied
    }
}

/// The id of the array with this index.
pub(crate) fn id(index: usize) -> ArrayId {
    ArrayId(u32::try_from(index).unwrap_or(u32::MAX))
}
