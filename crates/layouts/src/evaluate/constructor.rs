//! Functions and templates that make shapes and layouts, in CuTe's C++ and its Python.

use super::{Evaluated, Scope, Value, at, map_of};
use crate::syntax::{Expression, ExpressionKind};
use crate::{Diagnostic, Fault, Layout, LayoutError, Nest, Stage, Tiler};

/// The argument at `index`, or the one called `name`.
fn argument<'a>(arguments: &'a [Expression], index: usize, name: &str) -> Option<&'a Expression> {
    let named = arguments.iter().find_map(|argument| match &argument.kind {
        ExpressionKind::Keyword(key, value) if key == name => Some(&**value),
        _ => None,
    });
    named.or_else(|| {
        let found = arguments.get(index)?;
        (!matches!(found.kind, ExpressionKind::Keyword(..))).then_some(found)
    })
}

/// Whether an expression is one of CuTe's tags for a row-major or column-major order.
fn tag(expression: &Expression) -> Option<bool> {
    let (ExpressionKind::Name(name) | ExpressionKind::Call(name, _)) = &expression.kind else {
        return None;
    };
    match name.as_str() {
        "LayoutRight" | "GenRowMajor" => Some(true),
        "LayoutLeft" | "GenColMajor" => Some(false),
        _ => None,
    }
}

impl Scope<'_> {
    /// What the function or template `name` makes; `None` where it makes nothing.
    pub(super) fn construct(
        &self,
        whole: &Expression,
        name: &str,
        arguments: &[Expression],
    ) -> Option<Evaluated<Value>> {
        Some(match name {
            "tuple" | "Shape" | "Stride" | "Tile" | "Step" | "Coord" | "make_shape"
            | "make_stride" | "make_tuple" | "make_tile" | "make_step" | "make_coord" => {
                self.tuple(arguments)
            }
            "Int" | "C" | "decltype" | "print" | "print_layout" | "print_latex" => {
                self.value(arguments.first()?)
            }
            "Swizzle" => self.computed_swizzle(whole, arguments),
            "smem_ptr_flag_bits" => Ok(Value::Pointer),
            "Layout" | "make_layout" => self.strided(whole, arguments),
            "make_ordered_layout" => self.ordered(whole, arguments),
            "composition" | "compose" | "ComposedLayout" | "make_composed_layout" => {
                return self.composed(whole, name, arguments);
            }
            "tile_to_shape" => self.tiled(whole, arguments),
            "upcast" | "downcast" => self.recast(whole, name == "upcast", arguments),
            _ => self.atom(whole, name)?,
        })
    }

    /// `Swizzle<kBits, 3, 3>`, with names for numbers.
    fn computed_swizzle(&self, whole: &Expression, arguments: &[Expression]) -> Evaluated<Value> {
        let [bits, base, shift] = arguments else {
            return Err(arguments_of(whole, "Swizzle"));
        };
        let count = |argument| self.number(argument).map(|value| u64::try_from(value).ok());
        let (bits, base, shift) = (count(bits)?, count(base)?, self.number(shift)?);
        let swizzle = match (bits, base) {
            (Some(bits), Some(base)) => self.swizzle(bits, base, shift),
            _ => Err(LayoutError::BadSwizzle),
        };
        at(whole, swizzle).map(Value::Swizzle)
    }

    /// Shapes side by side are a shape; layouts, a tiler.
    fn tuple(&self, arguments: &[Expression]) -> Evaluated<Value> {
        let values: Vec<Value> = arguments
            .iter()
            .map(|argument| self.value(argument))
            .collect::<Result<_, _>>()?;
        let shapes: Option<Vec<Nest>> = values
            .iter()
            .map(|value| match value {
                Value::Shape(shape) => Some(shape.clone()),
                _ => None,
            })
            .collect();
        match shapes {
            Some(shapes) => Ok(Value::Shape(Nest::Tuple(shapes))),
            None => {
                let tilers = arguments.iter().map(|argument| self.tiler(argument));
                Ok(Value::Tiler(Tiler::Modes(
                    tilers.collect::<Result<_, _>>()?,
                )))
            }
        }
    }

    pub(super) fn shape(&self, expression: &Expression) -> Evaluated<Nest> {
        match self.value(expression)? {
            Value::Shape(shape) => Ok(shape),
            Value::Layout(layout) => Ok(layout.shape()),
            _ => {
                let fault = Fault::Expected {
                    wanted: crate::Wanted::Shape,
                    found: None,
                };
                Err(Diagnostic::error(expression.span.clone(), fault))
            }
        }
    }

    /// `make_layout(shape)`, `make_layout(shape, stride)`, `make_layout(layout, layout, …)`.
    fn strided(&self, whole: &Expression, arguments: &[Expression]) -> Evaluated<Value> {
        let Some(first) = argument(arguments, 0, "shape") else {
            return Err(arguments_of(whole, "make_layout"));
        };
        let first_value = self.value(first)?;
        if let Value::Layout(_) = first_value {
            let modes = arguments.iter().map(|part| self.layout(part));
            let modes = Layout::Tuple(modes.collect::<Result<_, _>>()?);
            return at(whole, modes.checked()).map(Value::Layout);
        }
        let shape = self.shape(first)?;
        let layout = match argument(arguments, 1, "stride") {
            None => Layout::left(&shape),
            Some(order) if tag(order) == Some(true) => Layout::right(&shape),
            Some(order) if tag(order) == Some(false) => Layout::left(&shape),
            Some(stride) => Layout::new(&shape, &self.shape(stride)?),
        };
        at(whole, layout).map(Value::Layout)
    }

    /// `make_ordered_layout(shape, order)`.
    fn ordered(&self, whole: &Expression, arguments: &[Expression]) -> Evaluated<Value> {
        let Some(shape) = argument(arguments, 0, "shape") else {
            return Err(arguments_of(whole, "make_ordered_layout"));
        };
        let shape = self.shape(shape)?;
        self.in_order(whole, &shape, argument(arguments, 1, "order"))
            .map(Value::Layout)
    }

    /// The compact layout of `shape` whose modes run as `order` says.
    fn in_order(
        &self,
        whole: &Expression,
        shape: &Nest,
        order: Option<&Expression>,
    ) -> Evaluated<Layout> {
        let layout = match order {
            None => Layout::left(shape),
            Some(order) if tag(order) == Some(true) => Layout::right(shape),
            Some(order) if tag(order) == Some(false) => Layout::left(shape),
            Some(order) => super::tile_to_shape::ordered(shape, &self.shape(order)?),
        };
        at(whole, layout)
    }

    /// `composition(swizzle, layout)`, `ComposedLayout<swizzle, offset, layout>`; `None` where
    /// two plain layouts are composed.
    fn composed(
        &self,
        whole: &Expression,
        name: &str,
        arguments: &[Expression],
    ) -> Option<Evaluated<Value>> {
        // tensor-layouts writes the offset last, and by name.
        let offset = argument(arguments, usize::MAX, "offset");
        if let (Some(offset), [left, right, _]) = (offset, arguments) {
            let reordered = [left.clone(), offset.clone(), right.clone()];
            return self.composed(whole, name, &reordered);
        }
        match arguments {
            [left, right] => {
                let is_plain = name == "composition" || name == "compose";
                match self.value(left) {
                    Ok(Value::Layout(_) | Value::Shape(_)) if is_plain => {
                        let apply = super::by_tiler("composition")?;
                        Some(self.layout(left).and_then(|layout| {
                            at(whole, apply(&layout, &self.tiler(right)?)).map(Value::Layout)
                        }))
                    }
                    Ok(_) => Some(self.compose(whole, left, right)),
                    Err(diagnostic) => Some(Err(diagnostic)),
                }
            }
            [left, offset, right] => {
                let inner = Expression {
                    kind: ExpressionKind::Compose(
                        Box::new(offset.clone()),
                        Box::new(right.clone()),
                    ),
                    span: whole.span.clone(),
                };
                Some(self.compose(whole, left, &inner))
            }
            _ => None,
        }
    }

    /// `tile_to_shape(atom, shape, order)`.
    fn tiled(&self, whole: &Expression, arguments: &[Expression]) -> Evaluated<Value> {
        let (Some(atom), Some(shape)) = (
            argument(arguments, 0, "atom"),
            argument(arguments, 1, "trg_shape"),
        ) else {
            return Err(arguments_of(whole, "tile_to_shape"));
        };
        let (atom_value, shape) = (self.value(atom)?, self.shape(shape)?);
        let is_in_memory = matches!(atom_value, Value::InMemory(_));
        let mut map = map_of(atom, atom_value)?;
        let order = argument(arguments, 2, "order");
        let tiles = at(whole, super::tile_to_shape::tiles(&map.layout, &shape))?;
        let grid = self.in_order(whole, &tiles, order)?;
        map.layout = at(whole, super::tile_to_shape::repeated(&map.layout, &grid))?;
        Ok(match (is_in_memory, map.stages.is_empty()) {
            (true, _) => Value::InMemory(map),
            (false, true) => Value::Layout(map.layout),
            (false, false) => Value::Map(map),
        })
    }

    /// `upcast<16>(layout)`: as many neighbours as that become one element.
    fn recast(&self, whole: &Expression, up: bool, arguments: &[Expression]) -> Evaluated<Value> {
        let [factor, of] = arguments else {
            return Err(arguments_of(whole, if up { "upcast" } else { "downcast" }));
        };
        let factor = self.number(factor)?;
        let value = self.value(of)?;
        if super::atom::is_in_bits(of) {
            return Ok(value);
        }
        let mut map = map_of(of, value.clone())?;
        map.layout = at(whole, super::tile_to_shape::recast(&map.layout, factor, up))?;
        let is_on_numbers = |stage: &Stage| !matches!(stage, Stage::SwizzleAddress(_));
        if map.stages.iter().any(is_on_numbers) {
            let fault = Fault::SwizzledForPlain;
            return Err(Diagnostic::error(of.span.clone(), fault));
        }
        Ok(match value {
            Value::InMemory(_) => Value::InMemory(map),
            _ => Value::Layout(map.layout),
        })
    }
}

fn arguments_of(whole: &Expression, name: &str) -> Diagnostic {
    Diagnostic::error(whole.span.clone(), Fault::Arguments(name.to_owned()))
}
