//! A kernel's parameter that points to structures, as one pointer for each of their fields.

use lanescope_syntax::tree::{
    Declaration, Expr, ExprKind, Function, Stmt, StmtKind, TypeExpr, TypeKind,
};

use crate::Edit;
use crate::code::{Code, any, is_name, operands, own_expressions, statements};
use crate::origin::Origin;
use crate::rewrite::operand;

/// One field of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// Its type, as written.
    pub(crate) ty: String,
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
}

/// How a whole structure is made of its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordValue {
    /// `make_float3(x, y, z)`, of a vector that the language brings with it.
    Make,
    /// `point{x, y, z}`.
    Braces,
    /// `Point(x, y, z)`, in WGSL.
    Call,
}

/// A structure of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) name: String,
    pub(crate) fields: Vec<Field>,
    pub(crate) bytes: u64,
    /// How a value of it is written.
    pub(crate) value: RecordValue,
    /// Where `__align__` would stand; `None` where there is an alignment already, or no definition.
    pub(crate) align_at: Option<usize>,
}

/// Vectors of three components, which are no wider than the three.
const VECTORS: [(&str, &str, u64); 4] = [
    ("float3", "float", 4),
    ("int3", "int", 4),
    ("uint3", "unsigned", 4),
    ("double3", "double", 8),
];

impl Record {
    /// The structure of that name; `None` where it has anything but plain numbers.
    pub(crate) fn find(code: &Code<'_>, name: &str) -> Option<Self> {
        if let Some((_, ty, bytes)) = VECTORS.iter().find(|(known, ..)| *known == name) {
            let field = |(name, at): (&str, u64)| Field {
                name: name.to_owned(),
                ty: (*ty).to_owned(),
                offset: at * bytes,
                bytes: *bytes,
            };
            return Some(Self {
                name: name.to_owned(),
                fields: ["x", "y", "z"].into_iter().zip(0..).map(field).collect(),
                bytes: 3 * bytes,
                value: RecordValue::Make,
                align_at: None,
            });
        }
        let item = code.structure(name)?;
        let is_plain = !item.is_union
            && !item.is_special
            && !item.is_packed
            && item.pack == 0
            && item.bases.is_empty()
            && item.templates.is_empty();
        if !is_plain {
            return None;
        }
        let (mut fields, mut end, mut align) = (Vec::new(), 0_u64, 1);
        for field in &item.fields {
            let TypeKind::Scalar(scalar) = &field.ty.kind else {
                return None;
            };
            if field.bits.is_some() || field.align.is_some() || field.storage.is_static {
                return None;
            }
            let bytes = scalar.bytes();
            let offset = end.div_ceil(bytes.max(1)) * bytes;
            fields.push(Field {
                name: field.name.to_string(),
                ty: code.at(field.ty.span).to_owned(),
                offset,
                bytes,
            });
            end = offset + bytes;
            align = align.max(bytes);
        }
        let text = code.at(item.span);
        let keyword = ["struct", "class"]
            .iter()
            .find(|word| text.starts_with(**word));
        let align_at = keyword.map(|word| item.span.start as usize + word.len());
        (fields.len() > 1).then(|| Self {
            name: name.to_owned(),
            fields,
            bytes: end.div_ceil(align) * align,
            value: RecordValue::Braces,
            align_at: align_at.filter(|_| item.align.is_none()),
        })
    }

    /// The field whose own array is called `array`, where the structures' array is `base`.
    pub(crate) fn field_of(&self, array: &str, base: &str) -> Option<&Field> {
        let name = array.strip_prefix(base)?.strip_prefix('_')?;
        self.fields.iter().find(|field| field.name == name)
    }

    /// What the array `named` was, where each field of the structures' array `base` has an array of its own.
    pub(crate) fn origin<'b>(&'b self, named: &str, base: &'b str) -> Origin<'b> {
        match self.field_of(named, base) {
            Some(field) => Origin::moved(base, move |byte| {
                let element = byte / field.bytes;
                Some(element * self.bytes + field.offset + byte % field.bytes)
            }),
            None => Origin::same(named),
        }
    }

    /// A whole structure read field by field.
    fn built(&self, array: &str, index: &str) -> String {
        let fields = self.fields.iter();
        let read: Vec<_> = fields
            .map(|field| format!("{array}_{}[{index}]", field.name))
            .collect();
        let (maker, read) = (self.maker(), read.join(", "));
        match self.value {
            RecordValue::Make | RecordValue::Call => format!("{maker}({read})"),
            RecordValue::Braces => format!("{maker}{{{read}}}"),
        }
    }

    /// What makes a value of the values of the fields.
    fn maker(&self) -> String {
        match self.value {
            RecordValue::Make => format!("make_{}", self.name),
            RecordValue::Braces | RecordValue::Call => self.name.clone(),
        }
    }

    /// Whether a call's arguments are the values of the fields.
    fn is_made_by(&self, callee: &Expr) -> bool {
        is_name(callee, &self.maker())
    }
}

/// The changes that split the parameter `array` of `kernel`.
pub(crate) fn split_parameter(
    code: &Code<'_>,
    kernel: &Function,
    array: &str,
    record: &Record,
) -> Option<Vec<Edit>> {
    let parameter = kernel
        .parameters
        .iter()
        .find(|parameter| &*parameter.name == array)?;
    let mut edits = vec![declared(code, parameter, record)?];
    edits.extend(split_uses(code, kernel, array, record)?);
    Some(edits)
}

/// The changes of a function's accesses to the array `array` that is split.
pub(crate) fn split_uses(
    code: &Code<'_>,
    function: &Function,
    array: &str,
    record: &Record,
) -> Option<Vec<Edit>> {
    let mut split = Split {
        code,
        array,
        record,
        edits: Vec::new(),
    };
    for stmt in statements(&function.body) {
        split.statement(stmt)?;
    }
    Some(split.edits)
}

/// The parameter once for each field.
fn declared(code: &Code<'_>, parameter: &Declaration, record: &Record) -> Option<Edit> {
    let to = pointee(&parameter.ty)?;
    let (start, end) = (
        to.span.start.min(parameter.ty.span.start),
        parameter.span.end,
    );
    // What lies between the structure's name and the parameter's: `*`, `const`, `__restrict__`.
    let ty = code.at(to.span);
    let text = code.at(lanescope_syntax::Span { start, end });
    let head = text.strip_suffix(&*parameter.name)?;
    let place = head.rfind(&record.name)?;
    let (before, after) = (head.get(..place)?, head.get(place + record.name.len()..)?);
    let before = before
        .trim_end_matches("struct ")
        .trim_end_matches("struct");
    if ty.is_empty() || after.contains(&record.name) {
        return None;
    }
    let pieces = record.fields.iter().map(|field| {
        format!(
            "{before}{}{after}{}_{}",
            field.ty, parameter.name, field.name
        )
    });
    let text = pieces.collect::<Vec<_>>().join(", ");
    Some(Edit::new(start as usize, end as usize, text))
}

fn pointee(ty: &TypeExpr) -> Option<&TypeExpr> {
    match &ty.kind {
        TypeKind::Pointer { to, .. } => Some(to),
        _ => None,
    }
}

struct Split<'a, 'c> {
    code: &'c Code<'a>,
    array: &'c str,
    record: &'c Record,
    edits: Vec<Edit>,
}

impl Split<'_, '_> {
    fn statement(&mut self, stmt: &Stmt) -> Option<()> {
        if let StmtKind::Expr(expr) = &stmt.kind
            && let ExprKind::Assign("=", place, value) = &expr.kind
            && let Some(index) = self.index_of(place)
        {
            return self.written(expr, index, value);
        }
        for expr in own_expressions(stmt) {
            self.expression(expr)?;
        }
        Some(())
    }

    /// The index of an access to the array.
    fn index_of<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        match &expr.kind {
            ExprKind::Index(base, index) => match &base.kind {
                ExprKind::Name(name) if **name == *self.array => Some(index),
                _ => None,
            },
            _ => None,
        }
    }

    fn expression(&mut self, expr: &Expr) -> Option<()> {
        if let ExprKind::Member(object, field) = &expr.kind
            && self.index_of(object).is_some()
        {
            let is_field = self.record.fields.iter().any(|one| *one.name == **field);
            let at = object.span.start as usize + self.array.len();
            self.edits.push(Edit::new(at, at, format!("_{field}")));
            let (from, to) = (object.span.end as usize, expr.span.end as usize);
            self.edits.push(Edit::new(from, to, String::new()));
            let index = self.index_of(object)?;
            self.expression(index)?;
            return is_field.then_some(());
        }
        if let Some(index) = self.index_of(expr) {
            if !is_pure(index) || self.mentions(index) {
                return None;
            }
            let built = self.record.built(self.array, self.code.at(index.span));
            let (from, to) = (expr.span.start as usize, expr.span.end as usize);
            self.edits.push(Edit::new(from, to, built));
            return Some(());
        }
        if let Some(pointed) = self.measured(expr) {
            let end = pointed.span.end as usize;
            let first = self.record.fields.first()?;
            self.edits
                .push(Edit::new(end, end, format!("_{}", first.name)));
            return Some(());
        }
        match &expr.kind {
            ExprKind::Name(name) if **name == *self.array => None,
            // An assignment of a whole structure inside an expression has a value of its own.
            ExprKind::Assign(_, place, _) if self.index_of(place).is_some() => None,
            ExprKind::Prefix("&", inner) if self.mentions(inner) => None,
            _ => operands(expr)
                .into_iter()
                .try_for_each(|one| self.expression(one)),
        }
    }

    /// The array in WGSL's `arrayLength(&array)`: each of its pieces is as long.
    fn measured<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        let ExprKind::Call {
            callee, arguments, ..
        } = &expr.kind
        else {
            return None;
        };
        let [argument] = arguments.as_slice() else {
            return None;
        };
        let is_length = matches!(&callee.kind, ExprKind::Name(name) if &**name == "arrayLength");
        match &argument.kind {
            ExprKind::Prefix("&", array) if is_length => {
                matches!(&array.kind, ExprKind::Name(name) if **name == *self.array)
                    .then_some(array)
            }
            _ => None,
        }
    }

    fn mentions(&self, expr: &Expr) -> bool {
        any(expr, &|one| is_name(one, self.array))
    }

    /// Whether an expression calls a function that uses the array by itself, as one in WGSL may: what it reads has to be
    /// what stood there before any field is written.
    fn calls_user(&self, expr: &Expr) -> bool {
        let uses = |function: &Function| {
            let mut parameters = function.parameters.iter();
            let is_own = parameters.any(|one| *one.name == *self.array);
            let body = statements(&function.body);
            let mut own = body.iter().flat_map(|stmt| own_expressions(stmt));
            !is_own && own.any(|expr| self.mentions(expr))
        };
        self.code.functions().any(|called| {
            any(expr, &|one| is_name(one, &called.name))
                && (self.code.reached_from(called).iter()).any(|function| uses(function))
        })
    }

    /// Expressions as they are written.
    fn texts(&self, list: &[Expr]) -> Vec<String> {
        let texts = list.iter().map(|expr| self.code.at(expr.span).to_owned());
        texts.collect()
    }

    /// `array[index] = value;`, field by field.
    fn written(&mut self, whole: &Expr, index: &Expr, value: &Expr) -> Option<()> {
        let is_apart = !self.mentions(index) && !self.mentions(value) && !self.calls_user(value);
        if !is_pure(index) || !is_apart {
            return None;
        }
        let index = self.code.at(index.span);
        let fields = self.record.fields.iter();
        let values: Vec<String> = match &value.kind {
            ExprKind::Call {
                callee,
                arguments: list,
                ..
            } if list.len() == fields.len() && self.record.is_made_by(callee) => self.texts(list),
            ExprKind::Construct(_, list) if list.len() == fields.len() => self.texts(list),
            ExprKind::Name(_) | ExprKind::Index(..) if is_pure(value) => fields
                .map(|field| format!("{}.{}", operand(self.code.at(value.span)), field.name))
                .collect(),
            _ => return None,
        };
        let stores = self
            .record
            .fields
            .iter()
            .zip(values)
            .map(|(field, value)| format!("{}_{}[{index}] = {value}", self.array, field.name));
        // WGSL has no comma between expressions, and braces around all statements.
        let between = match self.record.value {
            RecordValue::Make | RecordValue::Braces => ", ",
            RecordValue::Call => "; ",
        };
        let text = stores.collect::<Vec<_>>().join(between);
        let (from, to) = (whole.span.start as usize, whole.span.end as usize);
        self.edits.push(Edit::new(from, to, text));
        Some(())
    }
}

/// Whether evaluating it twice does no harm.
fn is_pure(expr: &Expr) -> bool {
    !any(expr, &|one| {
        matches!(
            &one.kind,
            ExprKind::Assign(..)
                | ExprKind::Postfix(..)
                | ExprKind::Prefix("++" | "--", _)
                | ExprKind::Call { .. }
                | ExprKind::Lambda(..)
                | ExprKind::Missing
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply;

    #[test]
    fn layouts_follow_c() {
        let text = "typedef struct { char a; double b; unsigned short c; } mixed;";
        let record = Record::find(&Code::of(text, &[]), "mixed").unwrap();
        let offsets: Vec<_> = record.fields.iter().map(|field| field.offset).collect();
        assert_eq!((offsets.as_slice(), record.bytes), (&[0, 8, 16][..], 24));
    }

    #[test]
    fn parameters_are_split() {
        for line in include_str!("record_split_cases.txt").lines() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (before, after) = line.split_once(" => ").unwrap();
            let (name, source) = before.split_once(": ").unwrap();
            let code = Code::of(source, &[]);
            let kernel = code.functions().next().unwrap().clone();
            let changed = Record::find(&code, name)
                .and_then(|record| split_parameter(&code, &kernel, "p", &record))
                .and_then(|edits| apply(source, &edits));
            assert_eq!(changed.as_deref().unwrap_or("none"), after, "{line}");
        }
    }
}
