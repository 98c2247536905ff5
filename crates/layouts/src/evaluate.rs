//! Expressions to layouts.

mod atom;
mod constructor;
mod tile_to_shape;
pub(super) mod typed;

use std::collections::BTreeMap;

use super::encoding::Encoding;
use super::fault::{FUNCTIONS, Fault};
use super::syntax::{Expression, ExpressionKind, Order, Threads};
use super::{
    Diagnostic, Layout, LayoutError, Map, Nest, ShiftConvention, Stage, Swizzle, SwizzleUnit,
    Tiler, TmaSwizzle, XorMode, algebra, divide, product,
};

/// What an expression stands for.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A shape or a number: a compact layout, an offset, or a tiler by modes.
    Shape(Nest),
    /// A layout.
    Layout(Layout),
    /// A tiler by modes.
    Tiler(Tiler),
    /// A swizzle without a layout.
    Swizzle(Swizzle),
    /// A layout and stages after it.
    Map(Map),
    /// A layout in memory of elements of a known size: a swizzle of it acts on addresses.
    InMemory(Map),
    /// A pointer without a layout.
    Pointer,
    /// An encoding of Triton's without a shape.
    Encoding(Encoding),
}

/// What an expression is read with.
pub(super) struct Scope<'a> {
    pub(super) names: &'a BTreeMap<String, Value>,
    pub(super) element_bytes: u64,
    pub(super) unit: SwizzleUnit,
    pub(super) shift: ShiftConvention,
}

type Evaluated<T> = Result<T, Diagnostic>;

impl Scope<'_> {
    /// The map of an expression that stands for a layout.
    pub(super) fn map(&self, expression: &Expression) -> Evaluated<Map> {
        let value = self.value(expression)?;
        if let Value::Encoding(encoding) = &value
            && let Some(shape) = encoding.own_shape()
        {
            return at(expression, encoding.map(&shape, self.element_bytes));
        }
        map_of(expression, value)
    }

    /// The layout of an expression that stands for one without swizzle.
    pub(super) fn layout(&self, expression: &Expression) -> Evaluated<Layout> {
        let map = self.map(expression)?;
        if map.stages.is_empty() {
            Ok(map.layout)
        } else {
            let span = expression.span.clone();
            Err(Diagnostic::error(span, Fault::SwizzledForPlain))
        }
    }

    /// The layout of an expression that says which thread holds which element.
    pub(super) fn threads(&self, expression: &Expression) -> Evaluated<Threads> {
        match self.value(expression)? {
            Value::Encoding(encoding) => Ok(Threads::Encoding(encoding)),
            _ => self.layout(expression).map(Threads::Layout),
        }
    }

    pub(super) fn value(&self, expression: &Expression) -> Evaluated<Value> {
        match &expression.kind {
            ExpressionKind::Shape(shape) => Ok(Value::Shape(shape.clone())),
            ExpressionKind::Strided(shape, stride) => {
                at(expression, Layout::new(shape, stride)).map(Value::Layout)
            }
            ExpressionKind::Xored(shape, stride) => {
                at(expression, xored(shape, stride)).map(Value::Map)
            }
            ExpressionKind::Compact(shape, Order::Row) => {
                at(expression, Layout::right(shape)).map(Value::Layout)
            }
            ExpressionKind::Compact(shape, Order::Column) => {
                at(expression, Layout::left(shape)).map(Value::Layout)
            }
            ExpressionKind::Swizzle { bits, base, shift } => {
                at(expression, self.swizzle(*bits, *base, *shift)).map(Value::Swizzle)
            }
            ExpressionKind::Name(name) => self.name(expression, name),
            ExpressionKind::Compose(left, right) => self.compose(expression, left, right),
            ExpressionKind::Call(name, arguments) => self.call(expression, name, arguments),
            ExpressionKind::Keyword(_, value) => self.value(value),
            ExpressionKind::Arithmetic(sign, left, right) => {
                self.arithmetic(expression, *sign, left, right)
            }
            ExpressionKind::Pointer { .. } => Ok(Value::Pointer),
            ExpressionKind::Encoding(encoding) => Ok(Value::Encoding(encoding.clone())),
            ExpressionKind::Encoded {
                encoding, shape, ..
            } => self.encoded(expression, encoding, shape),
            ExpressionKind::Tiler(parts) => {
                let tilers = parts
                    .iter()
                    .map(|part| self.tiler(part))
                    .collect::<Result<_, _>>()?;
                Ok(Value::Tiler(Tiler::Modes(tilers)))
            }
            ExpressionKind::Tma(mode, shape) => self.tma(expression, mode, shape),
        }
    }

    fn swizzle(&self, bits: u64, base: u64, shift: i64) -> Result<Swizzle, LayoutError> {
        let small = |value| u32::try_from(value).map_err(|_| LayoutError::BadSwizzle);
        let shift = match self.shift {
            ShiftConvention::Relative => shift,
            ShiftConvention::Absolute => shift.saturating_sub_unsigned(base),
        };
        let shift = i32::try_from(shift).map_err(|_| LayoutError::BadSwizzle)?;
        Swizzle::new(small(bits)?, small(base)?, shift)
    }

    fn name(&self, expression: &Expression, name: &str) -> Evaluated<Value> {
        if let (None, Some(atom)) = (self.names.get(name), self.atom(expression, name)) {
            return atom;
        }
        self.names.get(name).cloned().ok_or_else(|| {
            let near = self.names.keys().find(|known| near(known, name));
            let fault = Fault::UnknownName {
                name: name.to_owned(),
                near: near.cloned(),
            };
            Diagnostic::error(expression.span.clone(), fault)
        })
    }

    fn compose(
        &self,
        whole: &Expression,
        left: &Expression,
        right: &Expression,
    ) -> Evaluated<Value> {
        let right_value = self.value(right)?;
        let left_value = self.value(left)?;
        if let (Value::Layout(outer), Value::Tiler(tiler)) = (&left_value, &right_value) {
            return at(whole, tiler.apply(outer, &algebra::composition)).map(Value::Layout);
        }
        let is_in_memory = matches!(right_value, Value::InMemory(_));
        let inner = map_of(right, right_value)?;
        match left_value {
            Value::Swizzle(swizzle) if is_in_memory => {
                Ok(Value::InMemory(inner.then(Stage::SwizzleAddress(swizzle))))
            }
            Value::Swizzle(swizzle) => Ok(Value::Map(inner.then(self.swizzle_stage(swizzle)))),
            Value::Pointer => Ok(Value::InMemory(inner)),
            Value::Shape(Nest::Int(0)) if is_in_memory => Ok(Value::InMemory(inner)),
            Value::Shape(Nest::Int(offset)) => Ok(Value::Map(if offset == 0 {
                inner
            } else {
                inner.then(Stage::Offset(offset))
            })),
            Value::Tiler(_) | Value::Encoding(_) => {
                Err(Diagnostic::error(left.span.clone(), Fault::TilerForLayout))
            }
            left_value @ (Value::Shape(_)
            | Value::Layout(_)
            | Value::Map(_)
            | Value::InMemory(_)) => self.compose_maps(whole, map_of(left, left_value)?, inner),
        }
    }

    /// `left * right` and so on, of numbers.
    fn arithmetic(
        &self,
        whole: &Expression,
        sign: char,
        left: &Expression,
        right: &Expression,
    ) -> Evaluated<Value> {
        let (left, right) = (self.number(left)?, self.number(right)?);
        let result = match sign {
            '*' => left.checked_mul(right),
            '+' => left.checked_add(right),
            '-' => left.checked_sub(right),
            _ => left.checked_div(right),
        };
        let result = result.ok_or(LayoutError::TooLarge);
        at(whole, result).map(|value| Value::Shape(Nest::Int(value)))
    }

    fn number(&self, expression: &Expression) -> Evaluated<i64> {
        match self.value(expression)? {
            Value::Shape(Nest::Int(value)) => Ok(value),
            _ => {
                let fault = Fault::Expected {
                    wanted: super::Wanted::Number,
                    found: None,
                };
                Err(Diagnostic::error(expression.span.clone(), fault))
            }
        }
    }

    fn compose_maps(&self, whole: &Expression, outer: Map, inner: Map) -> Evaluated<Value> {
        if !inner.stages.is_empty() {
            let mut map = inner.then(Stage::Layout(outer.layout));
            map.stages.extend(outer.stages);
            return Ok(Value::Map(map));
        }
        let composed = at(whole, outer.compose(&inner.layout))?;
        Ok(if composed.stages.is_empty() {
            Value::Layout(composed.layout)
        } else {
            Value::Map(composed)
        })
    }

    const fn swizzle_stage(&self, swizzle: Swizzle) -> Stage {
        match self.unit {
            SwizzleUnit::Elements => Stage::Swizzle(swizzle),
            SwizzleUnit::Bytes => Stage::SwizzleBytes(swizzle),
        }
    }

    fn tiler(&self, expression: &Expression) -> Evaluated<Tiler> {
        match self.value(expression)? {
            Value::Tiler(tiler) => Ok(tiler),
            Value::Shape(shape) => at(expression, shape_tiler(&shape)),
            _ => self.layout(expression).map(Tiler::Layout),
        }
    }

    fn call(&self, whole: &Expression, name: &str, arguments: &[Expression]) -> Evaluated<Value> {
        if let Some(constructed) = self.construct(whole, name, arguments) {
            return constructed;
        }
        match arguments {
            [only] => self.call_one(whole, name, only),
            [first, second] => self.call_two(whole, name, first, second),
            _ => Err(Diagnostic::error(
                whole.span.clone(),
                Fault::OneOrTwoArguments(name.to_owned()),
            )),
        }
        .map(Value::Layout)
    }

    fn call_one(&self, whole: &Expression, name: &str, only: &Expression) -> Evaluated<Layout> {
        let layout = || self.layout(only);
        match name {
            "coalesce" => layout().map(|layout| algebra::coalesce(&layout)),
            "complement" => {
                let layout = layout()?;
                at(whole, algebra::complement(&layout, layout.cosize()))
            }
            "right_inverse" => layout().map(|layout| algebra::right_inverse(&layout)),
            "left_inverse" => at(whole, algebra::left_inverse(&layout()?)),
            _ => Err(unknown_function(whole, name)),
        }
    }

    fn call_two(
        &self,
        whole: &Expression,
        name: &str,
        first: &Expression,
        second: &Expression,
    ) -> Evaluated<Layout> {
        let layout = self.layout(first)?;
        if name == "complement" {
            let cosize = self.layout_size(second)?;
            return at(whole, algebra::complement(&layout, cosize));
        }
        if let "blocked_product" | "raked_product" = name {
            let grid = self.layout(second)?;
            let product = if name == "blocked_product" {
                product::blocked_product(&layout, &grid)
            } else {
                product::raked_product(&layout, &grid)
            };
            return at(whole, product);
        }
        let apply = by_tiler(name).ok_or_else(|| unknown_function(whole, name))?;
        at(whole, apply(&layout, &self.tiler(second)?))
    }

    fn layout_size(&self, expression: &Expression) -> Evaluated<u64> {
        self.layout(expression).map(|layout| layout.size())
    }

    fn tma(&self, whole: &Expression, mode: &str, shape: &Nest) -> Evaluated<Value> {
        let mode = TmaSwizzle::from_name(mode).ok_or_else(|| {
            let fault = Fault::UnknownTma(mode.to_owned());
            Diagnostic::error(whole.span.clone(), fault)
        })?;
        let [rows, columns] = self.rows_and_columns(whole, shape)?;
        at(whole, mode.tile(rows, columns, self.element_bytes)).map(Value::Map)
    }

    fn encoded(&self, whole: &Expression, encoding: &Expression, shape: &Nest) -> Evaluated<Value> {
        let encoding = match self.value(encoding)? {
            Value::Encoding(encoding) => encoding,
            // A padded encoding has its shape already.
            Value::Map(map) => return Ok(Value::Map(map)),
            _ => {
                let fault = Fault::Layout(LayoutError::NotInMemory);
                return Err(Diagnostic::error(encoding.span.clone(), fault));
            }
        };
        let shape = extents(shape).ok_or(LayoutError::EmptyMode);
        let map = shape.and_then(|shape| encoding.map(&shape, self.element_bytes));
        at(whole, map).map(Value::Map)
    }

    fn rows_and_columns(&self, whole: &Expression, shape: &Nest) -> Evaluated<[u64; 2]> {
        if let Nest::Tuple(parts) = shape
            && let [Nest::Int(rows), Nest::Int(columns)] = parts.as_slice()
            && let (Ok(rows), Ok(columns)) = (u64::try_from(*rows), u64::try_from(*columns))
        {
            return Ok([rows, columns]);
        }
        Err(Diagnostic::error(whole.span.clone(), Fault::TwoExtents))
    }
}

type ByTiler = fn(&Layout, &Tiler) -> Result<Layout, LayoutError>;

fn by_tiler(name: &str) -> Option<ByTiler> {
    Some(match name {
        "composition" => |layout, tiler| tiler.apply(layout, &algebra::composition),
        "logical_divide" => divide::logical_divide,
        "zipped_divide" => divide::zipped_divide,
        "tiled_divide" => divide::tiled_divide,
        "flat_divide" => divide::flat_divide,
        "logical_product" => product::logical_product,
        "zipped_product" => product::zipped_product,
        "tiled_product" => product::tiled_product,
        "flat_product" => product::flat_product,
        _ => return None,
    })
}

fn unknown_function(whole: &Expression, name: &str) -> Diagnostic {
    let known = FUNCTIONS
        .split(", ")
        .map(str::trim)
        .find(|known| near(known, name));
    let name_is_known = known == Some(name);
    let name = name.to_owned();
    let fault = if name_is_known {
        Fault::Arguments(name)
    } else {
        Fault::UnknownFunction { name, near: known }
    };
    Diagnostic::error(whole.span.clone(), fault)
}

/// Whether two names are alike but for case, underscores or one letter more or less at an end.
fn near(known: &str, name: &str) -> bool {
    let plain = |text: &str| text.replace('_', "").to_lowercase();
    let (known, name) = (plain(known), plain(name));
    known == name || (name.len() >= 3 && (known.starts_with(&name) || name.starts_with(&known)))
}

/// CuTe reads a shape as a tiler: each extent takes that many neighbours of its mode.
fn shape_tiler(shape: &Nest) -> Result<Tiler, LayoutError> {
    match shape {
        Nest::Int(_) => Layout::left(shape).map(Tiler::Layout),
        Nest::Tuple(parts) => parts
            .iter()
            .map(shape_tiler)
            .collect::<Result<_, _>>()
            .map(Tiler::Modes),
    }
}

fn at<T>(expression: &Expression, result: Result<T, LayoutError>) -> Evaluated<T> {
    result.map_err(|error| Diagnostic::error(expression.span.clone(), error))
}

/// The map that the value of an expression is.
fn map_of(expression: &Expression, value: Value) -> Evaluated<Map> {
    match value {
        Value::Map(map) | Value::InMemory(map) => Ok(map),
        Value::Layout(layout) => Ok(Map::of(layout)),
        Value::Shape(shape) => at(expression, Layout::left(&shape)).map(Map::of),
        Value::Swizzle(_) => Err(Diagnostic::error(
            expression.span.clone(),
            Fault::LoneSwizzle,
        )),
        Value::Tiler(_) => Err(Diagnostic::error(
            expression.span.clone(),
            Fault::TilerForLayout,
        )),
        Value::Pointer => Err(Diagnostic::error(
            expression.span.clone(),
            Fault::LonePointer,
        )),
        Value::Encoding(_) => Err(Diagnostic::error(
            expression.span.clone(),
            Fault::EncodingWithoutShape,
        )),
    }
}

/// The extents of a flat shape.
fn extents(shape: &Nest) -> Option<Vec<u64>> {
    let extent = |part: &Nest| match part {
        Nest::Int(extent) => u64::try_from(*extent).ok().filter(|extent| *extent > 0),
        Nest::Tuple(_) => None,
    };
    match shape {
        Nest::Int(_) => Some(vec![extent(shape)?]),
        Nest::Tuple(parts) => parts.iter().map(extent).collect(),
    }
}

/// `shape:stride over F2`.
fn xored(shape: &Nest, stride: &Nest) -> Result<Map, LayoutError> {
    let modes = XorMode::zipped(shape, stride)?;
    Ok(Map::of(Layout::left(shape)?).then(Stage::Xor(modes)))
}
