//! The reader's state, and what it gives.

use crate::code::{At, Number, Rule, Step, Type};
use crate::element::Element;
use crate::token::{Kind, Token, tokens};
use lanescope_frontend::{Lines, SourceArray, SourceSite, SourceVariable};
use lanescope_model::Operation;

/// The most numbers of a text.
const MOST_NUMBERS: usize = 1024;

/// The deepest nesting of brackets and operators.
pub(crate) const MOST_DEPTH: u32 = 64;

/// A text that was read: the same sites, arrays and variables as `lanescope-cuda` finds in it.
#[derive(Clone, Debug)]
pub struct Glance {
    /// Every place that touches memory.
    pub sites: Vec<SourceSite>,
    /// The arrays and buffers.
    pub arrays: Vec<SourceArray>,
    /// The variables with several values, for sliders.
    pub variables: Vec<SourceVariable>,
    pub(crate) numbers: Vec<Number>,
    pub(crate) steps: Vec<Step>,
}

/// Reads declarations and a list of accesses, as `cuda` does; an access without
/// assignment does `bare`. `None` where the text holds more than this crate reads.
#[must_use]
pub fn read(declarations: &str, accesses: &str, bare: Operation) -> Option<Glance> {
    let mut source = String::from(declarations);
    source.push('\n');
    source.push_str(accesses);
    let mut reader = Reader {
        source: &source,
        tokens: tokens(&source)?,
        at: 0,
        depth: 0,
        bare,
        lines: Lines::of(&source),
        names: Vec::new(),
        elements: Vec::new(),
        places: Vec::new(),
        shared_bytes: 0,
        implied: None,
        guards: Vec::new(),
        glance: Glance {
            sites: Vec::new(),
            arrays: Vec::new(),
            variables: Vec::new(),
            numbers: Vec::new(),
            steps: Vec::new(),
        },
    };
    reader.statements()?;
    reader.place_implied();
    Some(reader.glance).filter(|glance| !glance.sites.is_empty())
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning {
    /// An array, by its index.
    Array(usize),
    Number(At),
    /// A structure, by its index among the elements.
    Element(usize),
}

pub(crate) struct Reader<'a> {
    pub(crate) source: &'a str,
    pub(crate) tokens: Vec<Token>,
    pub(crate) at: usize,
    pub(crate) depth: u32,
    pub(crate) bare: Operation,
    pub(crate) lines: Lines,
    pub(crate) names: Vec<(&'a str, Meaning)>,
    /// Structures that the text names.
    pub(crate) elements: Vec<Element>,
    /// What each array is of, by its index.
    pub(crate) places: Vec<Element>,
    pub(crate) shared_bytes: u64,
    /// The array that a number alone is an index into.
    pub(crate) implied: Option<usize>,
    pub(crate) guards: Vec<At>,
    pub(crate) glance: Glance,
}

impl<'a> Reader<'a> {
    pub(crate) fn token(&self) -> Token {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    pub(crate) fn ahead(&self, by: usize) -> Token {
        self.tokens[(self.at + by).min(self.tokens.len() - 1)]
    }

    pub(crate) fn text_of(&self, token: Token) -> &'a str {
        token.span.text(self.source)
    }

    /// The text of the token that is next.
    pub(crate) fn text(&self) -> &'a str {
        self.text_of(self.token())
    }

    pub(crate) fn is(&self, text: &str) -> bool {
        self.token().kind != Kind::End && self.text() == text
    }

    /// Goes on; inside a statement no line may end.
    pub(crate) fn next(&mut self) -> Option<()> {
        self.at += 1;
        (!self.token().first_on_line || self.ends_statement()).then_some(())
    }

    /// Whether the next token can only begin another statement.
    fn ends_statement(&self) -> bool {
        self.token().kind != Kind::Punct && !self.is("else")
    }

    pub(crate) fn take(&mut self, text: &str) -> bool {
        self.is(text) && !self.token().first_on_line && self.next().is_some()
    }

    pub(crate) fn expect(&mut self, text: &str) -> Option<()> {
        self.take(text).then_some(())
    }

    /// A name, which a line's end may not stand before.
    pub(crate) fn name(&mut self) -> Option<&'a str> {
        let token = self.token();
        let is_name = token.kind == Kind::Name && !token.first_on_line;
        self.at += usize::from(is_name);
        is_name.then(|| self.text_of(token))
    }

    /// What `name` was declared as.
    pub(crate) fn meaning(&self, name: &str) -> Option<Meaning> {
        let found = self.names.iter().find(|(known, _)| *known == name);
        found.map(|(_, meaning)| *meaning)
    }

    /// Gives a name its meaning; each name has one.
    pub(crate) fn bind(&mut self, name: &'a str, meaning: Meaning) -> Option<()> {
        let is_free = self.meaning(name).is_none() && self.given(name).is_none();
        self.names.push((name, meaning));
        is_free.then_some(())
    }

    /// One more number.
    pub(crate) fn push(&mut self, rule: Rule, of: Type) -> Option<At> {
        let numbers = &mut self.glance.numbers;
        numbers.push(Number { rule, of });
        (numbers.len() <= MOST_NUMBERS).then(|| numbers.len() - 1)
    }

    /// The value of a number that is the same in every launch, as far as a compiler folds it.
    pub(crate) fn known(&self, at: At) -> Option<i64> {
        match self.glance.numbers.get(at)?.rule {
            Rule::Constant(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn type_of(&self, at: At) -> Type {
        self.glance
            .numbers
            .get(at)
            .map_or(Type::Int, |number| number.of)
    }

    /// The implied array lies behind all others.
    fn place_implied(&mut self) {
        let Some(index) = self.implied else { return };
        let base = self.shared_bytes.next_multiple_of(16);
        self.glance.arrays[index].base = base;
        let sites = &self.glance.sites;
        let mine = |step: &&mut Step| {
            let array = sites.get(step.site).and_then(|site| site.array);
            array.is_some_and(|array| array.0 as usize == index)
        };
        self.glance
            .steps
            .iter_mut()
            .filter(mine)
            .for_each(|step| step.base = base);
    }
}
