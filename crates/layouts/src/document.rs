//! A layout text and all that follows from it.

use std::collections::BTreeMap;

use super::evaluate::{Scope, Value};
use super::syntax::{Expression, Statement};
use super::{Diagnostic, Fault, LaneRequest, Map, Placement, TmaSwizzle, lanes, lexer, parser};

/// What a `Swizzle<B,M,S>` in the text acts on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SwizzleUnit {
    /// Numbers of elements, as in a CuTe layout.
    #[default]
    Elements,
    /// Byte offsets.
    Bytes,
}

/// How S of a `Swizzle<B,M,S>` in the text is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShiftConvention {
    /// CuTe's: the distance between the two groups of bits.
    #[default]
    Relative,
    /// The position of the bits that are read: CuTe's M + S.
    Absolute,
}

/// The name, value and size of an element type.
const TYPES: &[(&str, u64)] = &[
    ("u8", 1),
    ("i8", 1),
    ("f8", 1),
    ("e4m3", 1),
    ("e5m2", 1),
    ("char", 1),
    ("int8", 1),
    ("u16", 2),
    ("i16", 2),
    ("f16", 2),
    ("bf16", 2),
    ("half", 2),
    ("half_t", 2),
    ("short", 2),
    ("u32", 4),
    ("i32", 4),
    ("f32", 4),
    ("tf32", 4),
    ("float", 4),
    ("int", 4),
    ("u64", 8),
    ("i64", 8),
    ("f64", 8),
    ("double", 8),
    ("float2", 8),
    ("float4", 16),
    ("int4", 16),
    ("uint128", 16),
];

/// A layout text, read.
#[derive(Clone, Debug)]
pub struct Document {
    /// The element type's name, as given; `f32` where none is.
    pub element: String,
    /// Bytes of an element.
    pub element_bytes: u64,
    /// What swizzles act on.
    pub swizzle_unit: SwizzleUnit,
    /// How S is meant.
    pub shift: ShiftConvention,
    /// The tile in memory: the last layout of the text.
    pub placement: Option<Placement>,
    /// Layouts with a name and those shown, as CuTe writes them: `(name or "", layout)`.
    pub values: Vec<(String, String)>,
    /// What the lanes ask memory for, in the order written.
    pub requests: Vec<LaneRequest>,
    /// What is wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a layout text: always a document, with diagnostics where something is wrong.
#[must_use]
pub fn parse(text: &str) -> Document {
    let mut diagnostics = Vec::new();
    let tokens = lexer::tokens(text, &mut diagnostics);
    let statements = parser::statements(&tokens, &mut diagnostics);
    let mut reader = Reader::new(diagnostics);
    for (statement, span) in &statements {
        reader.settle(statement, span);
    }
    for (statement, span) in &statements {
        reader.read(statement, span);
    }
    for (statement, span) in &statements {
        if let Statement::Access(access) = statement {
            reader.access(access, span);
        }
    }
    reader
        .document
        .diagnostics
        .sort_by_key(|diagnostic| diagnostic.span.start);
    reader.document
}

struct Reader {
    document: Document,
    names: BTreeMap<String, Value>,
    base: u64,
}

type Span = std::ops::Range<usize>;

impl Reader {
    fn new(diagnostics: Vec<Diagnostic>) -> Self {
        let document = Document {
            element: "f32".to_owned(),
            element_bytes: 4,
            swizzle_unit: SwizzleUnit::default(),
            shift: ShiftConvention::default(),
            placement: None,
            values: Vec::new(),
            requests: Vec::new(),
            diagnostics,
        };
        Self {
            document,
            names: BTreeMap::new(),
            base: 0,
        }
    }

    fn error(&mut self, span: &Span, fault: impl Into<Fault>) {
        self.document
            .diagnostics
            .push(Diagnostic::error(span.clone(), fault));
    }

    /// Settings count for the whole text, wherever they stand.
    fn settle(&mut self, statement: &Statement, span: &Span) {
        match statement {
            Statement::Type(name) => self.element(name, span),
            Statement::SwizzleUnit(unit) => match unit.as_str() {
                "elements" => self.document.swizzle_unit = SwizzleUnit::Elements,
                "bytes" => self.document.swizzle_unit = SwizzleUnit::Bytes,
                _ => self.error(span, Fault::SwizzleUnit),
            },
            Statement::Shift(convention) => match convention.as_str() {
                "relative" => self.document.shift = ShiftConvention::Relative,
                "absolute" => self.document.shift = ShiftConvention::Absolute,
                _ => self.error(span, Fault::ShiftConvention),
            },
            Statement::Base(base) if *base <= 1 << 32 => self.base = *base,
            Statement::Base(_) => self.error(span, Fault::BaseTooHigh),
            Statement::Define(..) | Statement::Show(_) | Statement::Access(_) => {}
        }
    }

    fn element(&mut self, name: &str, span: &Span) {
        match TYPES.iter().find(|(known, _)| *known == name) {
            Some((_, bytes)) => {
                name.clone_into(&mut self.document.element);
                self.document.element_bytes = *bytes;
            }
            None => self.error(span, Fault::UnknownType(name.to_owned())),
        }
    }

    fn scope(&self) -> Scope<'_> {
        Scope {
            names: &self.names,
            element_bytes: self.document.element_bytes,
            unit: self.document.swizzle_unit,
            shift: self.document.shift,
        }
    }

    fn read(&mut self, statement: &Statement, span: &Span) {
        match statement {
            Statement::Define(name, expression) => self.define(name, expression),
            Statement::Show(expression) => self.show(expression, span),
            _ => {}
        }
    }

    fn define(&mut self, name: &str, expression: &Expression) {
        match self.scope().value(expression) {
            Ok(value) => {
                if let Some(text) = describe(&value) {
                    self.document.values.push((name.to_owned(), text));
                }
                self.names.insert(name.to_owned(), value);
            }
            Err(diagnostic) => self.document.diagnostics.push(diagnostic),
        }
    }

    fn show(&mut self, expression: &Expression, span: &Span) {
        let placed = self.scope().map(expression).and_then(|map| {
            Placement::new(map, self.document.element_bytes, self.base)
                .map_err(|error| Diagnostic::error(span.clone(), error))
        });
        match placed {
            Ok(placement) => {
                self.remark_on_base(&placement, span);
                self.document
                    .values
                    .push((String::new(), placement.map().to_string()));
                self.document.placement = Some(placement);
            }
            Err(diagnostic) => self.document.diagnostics.push(diagnostic),
        }
    }

    fn remark_on_base(&mut self, placement: &Placement, span: &Span) {
        let Some(mode) = placement.map().tma() else {
            return;
        };
        let offset = mode.chunk_offset(self.base);
        if mode != TmaSwizzle::None && !self.base.is_multiple_of(128) {
            self.error(span, Fault::TmaBase(self.base));
        } else if offset != 0 {
            let fault = Fault::TmaOffset {
                base: self.base,
                repeat: mode.repeat_bytes(),
                offset,
            };
            self.document
                .diagnostics
                .push(Diagnostic::warning(span.clone(), fault));
        }
    }

    fn access(&mut self, access: &super::syntax::Access, span: &Span) {
        let Some(placement) = &self.document.placement else {
            self.error(span, Fault::NoLayout);
            return;
        };
        let room = lanes::MAX_REQUESTS.saturating_sub(self.document.requests.len());
        let scope = self.scope();
        let layout = |expression: &Expression| scope.layout(expression);
        match lanes::requests(access, span, placement, room, &layout) {
            Ok(requests) => self.document.requests.extend(requests),
            Err(diagnostic) => self.document.diagnostics.push(diagnostic),
        }
    }
}

fn describe(value: &Value) -> Option<String> {
    match value {
        Value::Layout(layout) => Some(layout.to_string()),
        Value::Map(map) => Some(map.to_string()),
        Value::Swizzle(swizzle) => Some(swizzle.to_string()),
        Value::Shape(shape) => Some(shape.to_string()),
        Value::Tiler(_) => None,
    }
}

impl Map {
    /// The TMA swizzle it ends with, if it does.
    #[must_use]
    pub fn tma(&self) -> Option<TmaSwizzle> {
        let super::Stage::SwizzleAddress(swizzle) = self.stages.last()? else {
            return None;
        };
        TmaSwizzle::ALL
            .into_iter()
            .find(|mode| mode.swizzle() == Some(*swizzle))
    }
}
