//! Lines: declarations, variables, accesses.
//!
//! ```text
//! line   = declaration | name "=" values | "if" "(" number ")" line | place [ "=" ( place | number ) ] | number
//! place  = name { "[" number "]" } { "." name }
//! ```

use crate::code::{At, Step};
use crate::declare::id;
use crate::element::Element;
use crate::read::{Meaning, Reader};
use crate::token::Kind;
use lanescope_frontend::{SourceSite, Span};
use lanescope_model::{Operation, Space, Width};

/// Most sites of a text.
const MOST_SITES: usize = 64;

/// An element of an array, or a part of one.
struct Place {
    array: usize,
    span: Span,
    of: Element,
    offset: u64,
    terms: Vec<(At, u64)>,
    bounds: Vec<(At, u64)>,
}

impl<'a> Reader<'a> {
    pub(crate) fn statements(&mut self) -> Option<()> {
        while self.token().kind != Kind::End {
            self.guards.clear();
            self.statement()?;
        }
        Some(())
    }

    pub(crate) fn at_end(&self) -> bool {
        self.token().first_on_line || self.is(";")
    }

    /// The `;` of a statement, or the line's end.
    pub(crate) fn end_statement(&mut self) -> Option<()> {
        let ends = self.at_end();
        if self.is(";") && !self.token().first_on_line {
            self.at += 1;
        }
        (ends && self.token().kind != Kind::Punct && !self.is("else")).then_some(())
    }

    fn statement(&mut self) -> Option<()> {
        if self.is("if") {
            return self.guarded();
        }
        if self.token().kind == Kind::Punct {
            return None;
        }
        if self.at_declaration() {
            return self.guards.is_empty().then(|| self.declaration())?;
        }
        let name = self.text();
        let is_new = self.token().kind == Kind::Name && self.meaning(name).is_none();
        if is_new && self.text_of(self.ahead(1)) == "=" {
            return self.guards.is_empty().then(|| self.assign_name(name))?;
        }
        match self.meaning(name) {
            Some(Meaning::Array(array)) => self.access(array),
            // A call alone is no index.
            _ if matches!(name, "min" | "max") => None,
            _ => self.implied_access(),
        }
    }

    fn assign_name(&mut self, name: &'a str) -> Option<()> {
        if self.given(name).is_some() {
            return None;
        }
        if self.values_follow() {
            return self.values();
        }
        self.at += 1;
        self.expect("=")?;
        self.local(name, None, false)?;
        self.end_statement()
    }

    /// `if (number) line`, on one line.
    fn guarded(&mut self) -> Option<()> {
        self.at += 1;
        self.expect("(")?;
        let condition = self.number()?;
        self.expect(")")?;
        let truth = self.convert(condition, crate::code::Type::Bool)?;
        match self.known(truth) {
            Some(0) => return None,
            Some(_) => {}
            None => self.guards.push(truth),
        }
        (!self.at_end() && self.guards.len() < 8).then(|| self.statement())?
    }

    /// `place`, or `place = place`, or `place = number`.
    fn access(&mut self, array: usize) -> Option<()> {
        let target = self.place(array)?;
        if !self.take("=") {
            self.touch(&target, self.bare)?;
            return self.end_statement();
        }
        match self.meaning(self.text()) {
            Some(Meaning::Array(array)) => {
                let source = self.place(array)?;
                let fits = source.of == target.of
                    || (source.of.fields.is_empty() && target.of.fields.is_empty());
                let is_whole = one_piece(&source.of) && one_piece(&target.of);
                (fits && is_whole).then(|| self.touch(&source, Operation::Load))??;
            }
            _ => {
                self.number()?;
                target.of.fields.is_empty().then_some(())?;
            }
        }
        self.touch(&target, Operation::Store)?;
        self.end_statement()
    }

    fn place(&mut self, array: usize) -> Option<Place> {
        let start = self.token().span;
        self.at += 1;
        let extents = self.glance.arrays.get(array)?.extents.clone();
        let of = self.places.get(array)?.clone();
        let mut stride = extents.iter().product::<u64>().max(1) * of.bytes;
        let mut place = Place {
            array,
            span: start,
            of,
            offset: 0,
            terms: Vec::new(),
            bounds: Vec::new(),
        };
        // A pointer is indexed once, without a bound.
        let dimensions = if extents.is_empty() {
            &[0][..]
        } else {
            &extents
        };
        for extent in dimensions {
            self.expect("[")?;
            let index = self.number()?;
            if *extent > 0 {
                stride /= extent;
                place.bounds.push((index, *extent));
            }
            place.terms.push((index, stride));
            place.span = start.to(self.token().span);
            self.expect("]")?;
        }
        while self.take(".") {
            let token = self.token();
            let name = self.name()?;
            let field = place.of.field(name)?.clone();
            place.offset += field.offset;
            place.of = field.of;
            place.span = start.to(token.span);
        }
        Some(place)
    }

    /// The requests that reading or writing a place takes: as few as its alignment allows.
    fn touch(&mut self, place: &Place, operation: Operation) -> Option<()> {
        let piece = piece(&place.of);
        let width = Width::from_bytes(piece)?;
        let base = self.glance.arrays.get(place.array)?.base;
        for part in 0..place.of.bytes / piece {
            let site = self.site(place, operation, width)?;
            self.glance.steps.push(Step {
                site,
                guards: self.guards.clone(),
                base,
                offset: place.offset + part * piece,
                terms: place.terms.clone(),
                bounds: place.bounds.clone(),
            });
        }
        Some(())
    }

    fn site(&mut self, place: &Place, operation: Operation, width: Width) -> Option<usize> {
        let (line, column) = self.lines.place(place.span.start);
        let space = self
            .glance
            .arrays
            .get(place.array)
            .map_or(Space::Shared, |array| array.space);
        self.glance.sites.push(SourceSite {
            span: place.span,
            line,
            column,
            array: Some(id(place.array)),
            space,
            operation,
            width,
            volatile: false,
            read_only: false,
            depends_on: None,
            reached_by: None,
        });
        let count = self.glance.sites.len();
        (count <= MOST_SITES).then_some(count - 1)
    }

    /// A number alone is an index into an array of words of shared memory.
    fn implied_access(&mut self) -> Option<()> {
        let start = self.token().span;
        let number = self.number()?;
        let end = self.tokens.get(self.at.checked_sub(1)?)?.span;
        let span = start.to(end);
        let array = self.implied_array(span)?;
        let place = Place {
            array,
            span,
            of: Element::named("float")?,
            offset: 0,
            terms: vec![(number, 4)],
            bounds: Vec::new(),
        };
        self.touch(&place, self.bare)?;
        self.end_statement()
    }
}

/// Bytes that one request takes of a value.
fn piece(of: &Element) -> u64 {
    if of.fields.is_empty() {
        of.bytes
    } else {
        of.align.min(16).min(of.bytes)
    }
}

fn one_piece(of: &Element) -> bool {
    piece(of) == of.bytes
}
