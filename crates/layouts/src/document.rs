//! A layout text and all that follows from it.

use std::collections::BTreeMap;

use super::element::Element;
use super::evaluate::typed::{self, Types};
use super::evaluate::{Scope, Value};
use super::syntax::{Access, AccessOf, Expression, ExpressionKind, Pattern, Statement, Tensor};
use super::{
    Diagnostic, Fault, LaneRequest, Map, Placement, Stage, TmaSwizzle, lanes, lexer, parser,
};

/// Bits of an address within the window that generic pointers see shared memory through.
const SHARED_WINDOW_BITS: u32 = 24;

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
    /// Whether the text says no element type, so that its name is a guess.
    pub is_element_assumed: bool,
    /// Whether the text says how lanes touch the layout.
    pub is_accessed: bool,
    /// The accesses of the text, each with its place.
    pub(super) accesses: Vec<(Access, Span)>,
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
    reader.fall_back();
    reader.document.is_accessed = !reader.pending.is_empty();
    for (access, span, placement) in std::mem::take(&mut reader.pending) {
        reader.access(&access, &span, placement);
    }
    reader
        .document
        .diagnostics
        .sort_by_key(|diagnostic| diagnostic.span.start);
    reader.document
}

type Span = std::ops::Range<usize>;

/// An access that waits for the layouts, and the layout where it has one of its own.
type Pending = (AccessOf<Expression>, Span, Option<Placement>);

struct Reader {
    document: Document,
    names: BTreeMap<String, Value>,
    types: Types,
    pending: Vec<Pending>,
    /// The last layout with a name, and its place.
    defined: Option<(Expression, Span)>,
    /// The last encoding of memory with a name, which a shape may still follow, and its place.
    encoded: Option<(Expression, Span)>,
    /// What the line `type` says.
    stated: Option<Element>,
    base: u64,
}

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
            is_element_assumed: true,
            is_accessed: false,
            accesses: Vec::new(),
        };
        Self {
            document,
            names: BTreeMap::new(),
            types: Types::new(),
            pending: Vec::new(),
            defined: None,
            encoded: None,
            stated: None,
            base: 0,
        }
    }

    fn error(&mut self, span: &Span, fault: impl Into<Fault>) {
        self.document
            .diagnostics
            .push(Diagnostic::error(span.clone(), fault));
    }

    fn warn(&mut self, span: &Span, fault: Fault) {
        let warning = Diagnostic::warning(span.clone(), fault);
        if !self.document.diagnostics.contains(&warning) {
            self.document.diagnostics.push(warning);
        }
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
            Statement::Define(..)
            | Statement::Show(_)
            | Statement::Access(_)
            | Statement::Operation(..)
            | Statement::Nothing => {}
        }
    }

    fn element(&mut self, name: &str, span: &Span) {
        match Element::named(name) {
            Some(element) => {
                self.adopt(&element);
                self.stated = Some(element);
            }
            None => self.error(span, Fault::UnknownType(name.to_owned())),
        }
    }

    fn adopt(&mut self, element: &Element) {
        element.name.clone_into(&mut self.document.element);
        self.document.element_bytes = element.bytes;
        self.document.is_element_assumed = false;
    }

    fn scope(&self, element_bytes: u64) -> Scope<'_> {
        Scope {
            names: &self.names,
            element_bytes,
            unit: self.document.swizzle_unit,
            shift: self.document.shift,
        }
    }

    fn read(&mut self, statement: &Statement, span: &Span) {
        match statement {
            Statement::Define(name, expression) => self.define(name, expression, span),
            Statement::Show(expression) => match self.registers(expression) {
                Some(access) => self.pending.push((access, span.clone(), None)),
                None => {
                    self.show(expression, span);
                }
            },
            Statement::Access(access) => self.pending.push((access.clone(), span.clone(), None)),
            Statement::Operation(memory, access) => {
                let placement = self.show(memory, span);
                match (access, placement) {
                    (Tensor::Of(access), Some(placement)) => {
                        let access = access.clone();
                        self.pending.push((access, span.clone(), Some(placement)));
                    }
                    (Tensor::DotOperand, _) => self.warn(span, Fault::DotOperand),
                    (Tensor::None, _) | (Tensor::Of(_), None) => {}
                }
            }
            Statement::Type(_)
            | Statement::SwizzleUnit(_)
            | Statement::Shift(_)
            | Statement::Base(_)
            | Statement::Nothing => {}
        }
    }

    /// The access of an encoding of registers that stands alone: all of them are loaded.
    fn registers(&self, expression: &Expression) -> Option<AccessOf<Expression>> {
        let value = self.scope(4).value(expression).ok()?;
        let Value::Encoding(encoding) = value else {
            return None;
        };
        (!encoding.is_of_memory()).then(|| AccessOf {
            store: false,
            pattern: Pattern::ThreadValue(expression.clone()),
            at: (0, 0),
            bits: None,
            remote: false,
            everywhere: false,
        })
    }

    /// Bytes of the elements that an expression is of.
    fn bytes_of(&self, expression: &Expression) -> u64 {
        typed::element_of(expression, &self.types)
            .map_or(self.document.element_bytes, |element| element.bytes)
    }

    fn define(&mut self, name: &str, expression: &Expression, span: &Span) {
        if let ExpressionKind::Name(other) = &expression.kind
            && let Some(element) = Element::named(other)
        {
            self.types.insert(name.to_owned(), element);
            return;
        }
        match self.scope(self.bytes_of(expression)).value(expression) {
            Ok(value) => {
                if let Some(element) = typed::element_of(expression, &self.types) {
                    self.types.insert(name.to_owned(), element);
                }
                if let Some(text) = describe(&value) {
                    self.document.values.push((name.to_owned(), text));
                }
                if let Value::Layout(_) | Value::Map(_) | Value::InMemory(_) = value {
                    self.defined = Some((expression.clone(), span.clone()));
                }
                if let Value::Encoding(encoding) = &value
                    && encoding.is_of_memory()
                {
                    self.encoded = Some((expression.clone(), span.clone()));
                }
                self.names.insert(name.to_owned(), value);
            }
            Err(diagnostic) => self.document.diagnostics.push(diagnostic),
        }
    }

    /// The last layout with a name, where none was written to be looked at.
    fn fall_back(&mut self) {
        if self.document.placement.is_none()
            && let Some((expression, span)) = self.defined.take()
        {
            self.show(&expression, &span);
        }
        let is_wrong = !self.document.diagnostics.is_empty();
        if self.document.placement.is_none()
            && !is_wrong
            && let Some((expression, span)) = self.encoded.take()
        {
            self.show(&expression, &span);
        }
    }

    fn show(&mut self, expression: &Expression, span: &Span) -> Option<Placement> {
        let bytes = self.bytes_of(expression);
        let base = typed::address_of(expression)
            .map_or(self.base, |address| address % (1 << SHARED_WINDOW_BITS));
        let placed = self.scope(bytes).map(expression).and_then(|map| {
            Placement::new(map, bytes, base).map_err(|error| Diagnostic::error(span.clone(), error))
        });
        match placed {
            Ok(placement) => {
                self.take_type(expression, span);
                self.remark_on_base(&placement, span);
                self.document
                    .values
                    .push((String::new(), placement.map().to_string()));
                self.document.placement = Some(placement.clone());
                Some(placement)
            }
            Err(diagnostic) => {
                self.document.diagnostics.push(diagnostic);
                None
            }
        }
    }

    /// The type in a layout's text is its type.
    fn take_type(&mut self, expression: &Expression, span: &Span) {
        let Some(element) = typed::element_of(expression, &self.types) else {
            return;
        };
        if let Some(stated) = self.stated.clone() {
            if stated.bytes == element.bytes {
                return;
            }
            let (layout, line) = (element.name.clone(), stated.name);
            self.warn(span, Fault::OtherType { layout, line });
        }
        self.adopt(&element);
    }

    fn remark_on_base(&mut self, placement: &Placement, span: &Span) {
        for stage in &placement.map().stages {
            if let Stage::SwizzleAddress(swizzle) = stage
                && swizzle.bits() > 0
                && swizzle.base() < 4
            {
                let (swizzle, bytes) = (swizzle.to_string(), 1 << swizzle.base());
                self.warn(span, Fault::NarrowAddressSwizzle { swizzle, bytes });
            }
        }
        let Some(mode) = placement.map().tma() else {
            return;
        };
        let base = placement.base();
        let offset = mode.chunk_offset(base);
        if mode != TmaSwizzle::None && !base.is_multiple_of(128) {
            self.error(span, Fault::TmaBase(base));
        } else if offset != 0 {
            let repeat = mode.repeat_bytes();
            let fault = Fault::TmaOffset {
                base,
                repeat,
                offset,
            };
            self.warn(span, fault);
        }
    }

    fn access(&mut self, access: &AccessOf<Expression>, span: &Span, own: Option<Placement>) {
        let Some(placement) = own.or_else(|| self.document.placement.clone()) else {
            self.error(span, Fault::NoLayout);
            return;
        };
        let room = lanes::MAX_REQUESTS.saturating_sub(self.document.requests.len());
        let scope = self.scope(placement.element_bytes());
        let requests = access
            .resolved(|expression| scope.threads(expression))
            .and_then(|access| {
                let requests = lanes::requests(&access, span, &placement, room)?;
                Ok((access, requests))
            });
        match requests {
            Ok((access, requests)) => {
                if access.remote {
                    self.warn(span, Fault::Remote);
                }
                self.document.requests.extend(requests);
                self.document.accesses.push((access, span.clone()));
            }
            Err(diagnostic) => self.document.diagnostics.push(diagnostic),
        }
    }
}

fn describe(value: &Value) -> Option<String> {
    match value {
        Value::Layout(layout) => Some(layout.to_string()),
        Value::Map(map) | Value::InMemory(map) => Some(map.to_string()),
        Value::Swizzle(swizzle) => Some(swizzle.to_string()),
        Value::Shape(shape) => Some(shape.to_string()),
        Value::Tiler(_) | Value::Pointer | Value::Encoding(_) => None,
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
            .iter()
            .copied()
            .find(|mode| mode.swizzle() == Some(*swizzle))
    }
}
