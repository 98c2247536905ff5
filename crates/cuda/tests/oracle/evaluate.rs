//! A direct evaluator of the tree: a warp walks it in lock step, statement by statement, as C defines each.

use lanescope_frontend::Lines;
use lanescope_syntax::tree::{
    Expr, ExprKind, Function, Item, Scalar, Stmt, StmtKind, SwitchPart, Tree, TypeExpr, TypeKind,
};
use std::collections::BTreeMap;
use std::rc::Rc;

pub(crate) const LANES: usize = 32;
type Lanes = [i64; LANES];
type Mask = u32;

/// A value of each lane: an integer in the range of its type, or the bits of an `f32`.
#[derive(Clone)]
struct Value {
    ty: Scalar,
    lanes: Lanes,
}

/// One request: line, whether it stores (2: atomic), array, and each lane's byte.
#[derive(Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) warp: (u64, u32),
    pub(crate) line: u32,
    pub(crate) kind: u8,
    pub(crate) bytes: u64,
    pub(crate) lanes: Vec<(usize, u64)>,
}

struct Array {
    element: Scalar,
    /// Elements of a row; 0 where there are none.
    row: i64,
    /// First byte in its space.
    base: u64,
    is_shared: bool,
    bytes: Vec<u8>,
}

#[expect(clippy::large_enum_variant, reason = "arrays are few beside variables")]
#[derive(Clone)]
enum Binding {
    Variable(Value),
    Array(usize),
}

enum Place {
    Variable(usize, String),
    /// Of an array: bytes from its first.
    Memory(usize, Lanes),
    Row(usize, Lanes),
}

struct Warp {
    number: u32,
    scopes: Vec<BTreeMap<String, Binding>>,
    alive: Mask,
}

pub(crate) struct Oracle<'t> {
    functions: BTreeMap<String, Rc<Function>>,
    kernel: Rc<Function>,
    lines: &'t Lines,
    arrays: Vec<Array>,
    shared_end: u64,
    pub(crate) seen: Vec<Seen>,
    block: u32,
    threads: u32,
    grid: u32,
    warp: u32,
    scopes: Vec<BTreeMap<String, Binding>>,
    /// Scopes below are not seen: those of the caller.
    base: usize,
    returned: Mask,
    result: Option<Value>,
    /// Lanes that broke out of each loop or `switch`, and that go on with the next turn.
    left: Vec<(Mask, Mask)>,
    /// `[array]` by name, of shared arrays that were declared.
    shared: BTreeMap<String, usize>,
}

fn each(mask: Mask) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 == 1)
}

fn is_float(ty: Scalar) -> bool {
    ty == Scalar::F32
}

fn real(bits: i64) -> f32 {
    f32::from_bits(bits as u32)
}

fn bits(value: f32) -> i64 {
    i64::from(value.to_bits())
}

/// An integer as a value of an integer type: modulo two to its width.
fn wrapped(ty: Scalar, value: i64) -> i64 {
    match ty {
        Scalar::Bool => i64::from(value != 0),
        Scalar::I8 | Scalar::SignedChar => i64::from(value as i8),
        Scalar::U8 => i64::from(value as u8),
        Scalar::I16 => i64::from(value as i16),
        Scalar::U16 => i64::from(value as u16),
        Scalar::I32 => i64::from(value as i32),
        Scalar::U32 => i64::from(value as u32),
        _ => value,
    }
}

fn converted(from: Scalar, to: Scalar, value: i64) -> i64 {
    match (is_float(from), is_float(to)) {
        (true, true) => value,
        (true, false) => match to {
            Scalar::Bool => i64::from(real(value) != 0.0),
            Scalar::I32 => i64::from(real(value) as i32),
            Scalar::U32 => i64::from(real(value) as u32),
            Scalar::I64 => real(value) as i64,
            _ => wrapped(to, i64::from(real(value) as i32)),
        },
        (false, true) => bits(value as f32),
        (false, false) => wrapped(to, value),
    }
}

fn bytes_of(ty: Scalar) -> u64 {
    match ty {
        Scalar::Bool | Scalar::I8 | Scalar::SignedChar | Scalar::U8 => 1,
        Scalar::I16 | Scalar::U16 => 2,
        Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
        _ => 8,
    }
}

/// The integer promotions.
fn promoted(ty: Scalar) -> Scalar {
    match ty {
        Scalar::Bool | Scalar::I8 | Scalar::SignedChar | Scalar::U8 | Scalar::I16 | Scalar::U16 => {
            Scalar::I32
        }
        other => other,
    }
}

/// The usual arithmetic conversions.
fn common(a: Scalar, b: Scalar) -> Scalar {
    let (a, b) = (promoted(a), promoted(b));
    let order = [Scalar::F32, Scalar::U64, Scalar::I64, Scalar::U32];
    let found = order.into_iter().find(|ty| a == *ty || b == *ty);
    found.unwrap_or(Scalar::I32)
}

fn scalar_of(ty: &TypeExpr) -> Scalar {
    match &ty.kind {
        TypeKind::Scalar(scalar) => *scalar,
        other => panic!("{other:?}"),
    }
}

fn calculated(op: &str, ty: Scalar, a: i64, b: i64) -> i64 {
    if is_float(ty) {
        let (x, y) = (real(a), real(b));
        return match op {
            "+" => bits(x + y),
            "-" => bits(x - y),
            "*" => bits(x * y),
            "<" => i64::from(x < y),
            ">" => i64::from(x > y),
            "<=" => i64::from(x <= y),
            ">=" => i64::from(x >= y),
            "==" => i64::from(x == y),
            "!=" => i64::from(x != y),
            _ => panic!("{op}"),
        };
    }
    match op {
        "+" => wrapped(ty, a.wrapping_add(b)),
        "-" => wrapped(ty, a.wrapping_sub(b)),
        "*" => wrapped(ty, a.wrapping_mul(b)),
        "/" => wrapped(ty, a / b),
        "%" => wrapped(ty, a % b),
        "&" => wrapped(ty, a & b),
        "|" => wrapped(ty, a | b),
        "^" => wrapped(ty, a ^ b),
        "<<" => wrapped(ty, a << b),
        ">>" => wrapped(ty, a >> b),
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        _ => panic!("{op}"),
    }
}

impl<'t> Oracle<'t> {
    pub(crate) fn new(tree: &Tree, lines: &'t Lines) -> Self {
        let functions: BTreeMap<String, Rc<Function>> = tree
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Function(one) => Some((one.name.to_string(), one.clone())),
                Item::Stmt(_) => None,
            })
            .collect();
        Self {
            kernel: functions["k"].clone(),
            functions,
            lines,
            arrays: Vec::new(),
            shared_end: 0,
            seen: Vec::new(),
            block: 0,
            threads: 0,
            grid: 0,
            warp: 0,
            scopes: Vec::new(),
            base: 0,
            returned: 0,
            result: None,
            left: Vec::new(),
            shared: BTreeMap::new(),
        }
    }

    /// Runs the kernel over buffers of zeros.
    pub(crate) fn run(&mut self, grid: u32, threads: u32, n: i64, m: i64) {
        (self.grid, self.threads) = (grid, threads);
        let kernel = self.kernel.clone();
        let mut parameters = BTreeMap::new();
        for one in &kernel.parameters {
            let binding = match &one.ty.kind {
                TypeKind::Pointer { to, .. } => {
                    let element = scalar_of(to);
                    self.arrays.push(Array {
                        element,
                        row: 0,
                        base: 0,
                        is_shared: false,
                        bytes: vec![0; 1024 * bytes_of(element) as usize],
                    });
                    Binding::Array(self.arrays.len() - 1)
                }
                _ => {
                    let value = if &*one.name == "n" { n } else { m };
                    Binding::Variable(Value {
                        ty: scalar_of(&one.ty),
                        lanes: [value; LANES],
                    })
                }
            };
            parameters.insert(one.name.to_string(), binding);
        }
        for block in 0..grid {
            self.block = block;
            self.run_block(&kernel, &parameters);
        }
    }

    fn run_block(&mut self, kernel: &Function, parameters: &BTreeMap<String, Binding>) {
        for array in self.arrays.iter_mut().filter(|array| array.is_shared) {
            array.bytes.fill(0);
        }
        let mut warps: Vec<Warp> = (0..self.threads.div_ceil(LANES as u32))
            .map(|number| {
                let left = self.threads - number * LANES as u32;
                let alive = if left >= 32 {
                    u32::MAX
                } else {
                    (1 << left) - 1
                };
                Warp {
                    number,
                    scopes: vec![parameters.clone(), BTreeMap::new()],
                    alive,
                }
            })
            .collect();
        let is_barrier = |one: &Stmt| match &one.kind {
            StmtKind::Expr(Expr {
                kind: ExprKind::Call { callee, .. },
                ..
            }) => matches!(&callee.kind, ExprKind::Name(name) if &**name == "__syncthreads"),
            _ => false,
        };
        for part in kernel.body.split(is_barrier) {
            for warp in &mut warps {
                self.warp = warp.number;
                self.scopes = std::mem::take(&mut warp.scopes);
                self.returned = 0;
                let left = self.statements(part, warp.alive);
                warp.alive = left;
                warp.scopes = std::mem::take(&mut self.scopes);
            }
        }
    }

    fn statements(&mut self, list: &[Stmt], mut mask: Mask) -> Mask {
        for one in list {
            if mask == 0 {
                break;
            }
            mask = self.statement(one, mask);
        }
        mask
    }

    fn scoped(&mut self, mask: Mask, inner: impl FnOnce(&mut Self) -> Mask) -> Mask {
        if mask == 0 {
            return 0;
        }
        self.scopes.push(BTreeMap::new());
        let left = inner(self);
        self.scopes.pop();
        left
    }

    /// The lanes that go on behind the statement.
    fn statement(&mut self, one: &Stmt, mask: Mask) -> Mask {
        match &one.kind {
            StmtKind::Empty => mask,
            StmtKind::Expr(expr) => {
                self.value(expr, mask);
                mask
            }
            StmtKind::Declare(list) => {
                for one in list {
                    self.declare(one, mask);
                }
                mask
            }
            StmtKind::Several(list) => self.statements(list, mask),
            StmtKind::Block(list) => self.scoped(mask, |this| this.statements(list, mask)),
            StmtKind::If {
                condition, yes, no, ..
            } => {
                let truth = self.truth(condition, mask);
                let then = self.scoped(truth, |this| this.statement(yes, truth));
                let other = mask & !truth;
                let otherwise = match no {
                    Some(no) => self.scoped(other, |this| this.statement(no, other)),
                    None => other,
                };
                then | otherwise
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
                ..
            } => self.scoped(mask, |this| {
                let mask = match init {
                    Some(init) => this.statement(init, mask),
                    None => mask,
                };
                this.turns(condition.as_ref(), step.as_ref(), body, mask)
            }),
            StmtKind::While {
                condition, body, ..
            } => self.turns(Some(condition), None, body, mask),
            StmtKind::Do { body, condition } => {
                let (mut active, mut out) = (mask, 0);
                while active != 0 {
                    let (broke, on) = self.turn(body, active);
                    active = if on == 0 {
                        0
                    } else {
                        self.truth(condition, on)
                    };
                    out |= broke | on & !active;
                }
                out
            }
            StmtKind::Switch { value, body } => self.switch(value, body, mask),
            StmtKind::Break => {
                self.left.last_mut().unwrap().0 |= mask;
                0
            }
            StmtKind::Continue => {
                self.left.last_mut().unwrap().1 |= mask;
                0
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    let value = self.value(value, mask);
                    let result = self.result.as_mut().unwrap();
                    for lane in each(mask) {
                        result.lanes[lane] = converted(value.ty, result.ty, value.lanes[lane]);
                    }
                }
                self.returned |= mask;
                0
            }
            other => panic!("{other:?}"),
        }
    }

    /// One turn: the lanes that broke out, and those that go on.
    fn turn(&mut self, body: &Stmt, active: Mask) -> (Mask, Mask) {
        self.left.push((0, 0));
        let behind = self.scoped(active, |this| this.statement(body, active));
        let (broke, continued) = self.left.pop().unwrap();
        (broke, behind | continued)
    }

    fn turns(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        mask: Mask,
    ) -> Mask {
        let (mut active, mut out) = (mask, 0);
        loop {
            if let Some(condition) = condition {
                let truth = self.truth(condition, active);
                out |= active & !truth;
                active = truth;
            }
            if active == 0 {
                return out;
            }
            let (broke, on) = self.turn(body, active);
            out |= broke;
            active = on;
            if active == 0 {
                return out;
            }
            if let Some(step) = step {
                self.value(step, active);
            }
        }
    }

    fn switch(&mut self, value: &Expr, body: &[SwitchPart], mask: Mask) -> Mask {
        let value = self.value(value, mask);
        let label = |label: &Expr| match &label.kind {
            ExprKind::Whole { value, .. } => *value as i64,
            other => panic!("{other:?}"),
        };
        let lanes = value.lanes;
        let of = |wanted: i64| each(mask).filter(move |lane| lanes[*lane] == wanted);
        let mut others = mask;
        for part in body {
            if let SwitchPart::Case(one) = part {
                of(label(one)).for_each(|lane| others &= !(1 << lane));
            }
        }
        self.left.push((0, 0));
        let mut active = 0;
        for part in body {
            match part {
                SwitchPart::Case(one) => of(label(one)).for_each(|lane| active |= 1 << lane),
                SwitchPart::Default(_) => active |= others,
                SwitchPart::Stmt(one) if active != 0 => active = self.statement(one, active),
                SwitchPart::Stmt(_) => {}
            }
        }
        let (broke, continued) = self.left.pop().unwrap();
        assert_eq!(continued, 0);
        active | broke
    }

    fn declare(&mut self, one: &lanescope_syntax::tree::Declaration, mask: Mask) {
        let name = one.name.to_string();
        if one.storage.shared {
            let at = self.shared_array(&name, &one.ty);
            self.scopes
                .last_mut()
                .unwrap()
                .insert(name, Binding::Array(at));
            return;
        }
        let ty = scalar_of(&one.ty);
        let value = self.value(one.init.as_ref().unwrap(), mask);
        let mut lanes = [0; LANES];
        for lane in each(mask) {
            lanes[lane] = converted(value.ty, ty, value.lanes[lane]);
        }
        let binding = Binding::Variable(Value { ty, lanes });
        self.scopes.last_mut().unwrap().insert(name, binding);
    }

    fn shared_array(&mut self, name: &str, ty: &TypeExpr) -> usize {
        if let Some(at) = self.shared.get(name) {
            return *at;
        }
        let mut extents = Vec::new();
        let mut ty = ty;
        while let TypeKind::Array(inner, Some(extent)) = &ty.kind {
            let ExprKind::Whole { value, .. } = extent.kind else {
                panic!("{extent:?}");
            };
            extents.push(value);
            ty = inner;
        }
        let element = scalar_of(ty);
        let size = bytes_of(element);
        let base = self.shared_end.div_ceil(size) * size;
        let bytes = extents.iter().product::<u64>() * size;
        self.shared_end = base + bytes;
        self.arrays.push(Array {
            element,
            row: extents.get(1).copied().unwrap_or(0) as i64,
            base,
            is_shared: true,
            bytes: vec![0; bytes as usize],
        });
        self.shared.insert(name.to_owned(), self.arrays.len() - 1);
        self.arrays.len() - 1
    }

    fn find(&self, name: &str) -> Option<usize> {
        let scopes = self.scopes.iter().enumerate().rev();
        let mut seen = scopes.take_while(|(at, _)| *at >= self.base);
        seen.find(|(_, scope)| scope.contains_key(name))
            .map(|(at, _)| at)
    }

    fn truth(&mut self, expr: &Expr, mask: Mask) -> Mask {
        let value = self.value(expr, mask);
        let holds = |lane: &usize| converted(value.ty, Scalar::Bool, value.lanes[*lane]) != 0;
        each(mask)
            .filter(holds)
            .fold(0, |all, lane| all | 1 << lane)
    }

    fn constant(ty: Scalar, value: i64) -> Value {
        Value {
            ty,
            lanes: [value; LANES],
        }
    }

    fn truths(mask: Mask) -> Value {
        Value {
            ty: Scalar::Bool,
            lanes: std::array::from_fn(|lane| i64::from(mask >> lane & 1)),
        }
    }

    fn value(&mut self, expr: &Expr, mask: Mask) -> Value {
        match &expr.kind {
            ExprKind::Whole { value, scalar } => {
                Self::constant(*scalar, wrapped(*scalar, *value as i64))
            }
            ExprKind::Real { value, .. } => Self::constant(Scalar::F32, bits(*value as f32)),
            ExprKind::Name(_) | ExprKind::Index(..) => {
                let place = self.place(expr, mask);
                self.read(&place, expr, mask)
            }
            ExprKind::Member(object, field) => self.builtin(object, field),
            ExprKind::Prefix(op @ ("++" | "--"), inner) => self.step(op, inner, false, mask),
            ExprKind::Postfix(op, inner) => self.step(op, inner, true, mask),
            ExprKind::Prefix(op, inner) => {
                if *op == "!" {
                    return Self::truths(!self.truth(inner, mask));
                }
                let value = self.value(inner, mask);
                let ty = promoted(value.ty);
                let with = if *op == "-" { "-" } else { "^" };
                let first = if *op == "-" { 0 } else { -1 };
                let mut lanes = [0; LANES];
                for lane in each(mask) {
                    lanes[lane] = calculated(with, ty, first, value.lanes[lane]);
                }
                Value { ty, lanes }
            }
            ExprKind::Binary("&&", a, b) => {
                let left = self.truth(a, mask);
                let right = if left == 0 { 0 } else { self.truth(b, left) };
                Self::truths(right)
            }
            ExprKind::Binary("||", a, b) => {
                let left = self.truth(a, mask);
                let rest = mask & !left;
                let right = if rest == 0 { 0 } else { self.truth(b, rest) };
                Self::truths(left | right)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(a, mask), self.value(b, mask));
                Self::binary(op, &a, &b, mask)
            }
            ExprKind::Assign(op, target, source) => self.assign(op, target, source, mask),
            ExprKind::Conditional(condition, yes, no) => {
                let truth = self.truth(condition, mask);
                let a = (truth != 0).then(|| self.value(yes, truth));
                let rest = mask & !truth;
                let b = (rest != 0).then(|| self.value(no, rest));
                let ty = common(self.type_of(yes), self.type_of(no));
                let ty = if self.type_of(yes) == self.type_of(no) {
                    self.type_of(yes)
                } else {
                    ty
                };
                let mut lanes = [0; LANES];
                for (value, mask) in [(a, truth), (b, rest)] {
                    if let Some(value) = value {
                        for lane in each(mask) {
                            lanes[lane] = converted(value.ty, ty, value.lanes[lane]);
                        }
                    }
                }
                Value { ty, lanes }
            }
            ExprKind::Cast(ty, inner) => {
                let ty = scalar_of(ty);
                let value = self.value(inner, mask);
                let lanes = std::array::from_fn(|lane| converted(value.ty, ty, value.lanes[lane]));
                Value { ty, lanes }
            }
            ExprKind::Call {
                callee, arguments, ..
            } => {
                let ExprKind::Name(name) = &callee.kind else {
                    panic!("{callee:?}");
                };
                if &**name == "atomicAdd" {
                    return self.atomic_add(arguments, expr, mask);
                }
                let function = self.functions[&**name].clone();
                self.call(&function, arguments, mask)
            }
            other => panic!("{other:?}"),
        }
    }

    /// The type of an expression, found without evaluating it.
    fn type_of(&self, expr: &Expr) -> Scalar {
        match &expr.kind {
            ExprKind::Whole { scalar, .. } => *scalar,
            ExprKind::Real { .. } => Scalar::F32,
            ExprKind::Name(name) => match &self.scopes[self.find(name).unwrap()][&**name] {
                Binding::Variable(value) => value.ty,
                Binding::Array(at) => self.arrays[*at].element,
            },
            ExprKind::Index(base, _) => self.type_of(base),
            ExprKind::Member(..) => Scalar::U32,
            ExprKind::Prefix("!", _) => Scalar::Bool,
            ExprKind::Prefix("++" | "--", inner) | ExprKind::Postfix(_, inner) => {
                self.type_of(inner)
            }
            ExprKind::Prefix(_, inner) => promoted(self.type_of(inner)),
            ExprKind::Binary("&&" | "||" | "<" | ">" | "<=" | ">=" | "==" | "!=", ..) => {
                Scalar::Bool
            }
            ExprKind::Binary("<<" | ">>", a, _) => promoted(self.type_of(a)),
            ExprKind::Binary(_, a, b) => common(self.type_of(a), self.type_of(b)),
            ExprKind::Conditional(_, a, b) => {
                let (a, b) = (self.type_of(a), self.type_of(b));
                if a == b { a } else { common(a, b) }
            }
            ExprKind::Cast(ty, _) => scalar_of(ty),
            ExprKind::Call { .. } => Scalar::I32,
            other => panic!("{other:?}"),
        }
    }

    fn binary(op: &str, a: &Value, b: &Value, mask: Mask) -> Value {
        let is_shift = matches!(op, "<<" | ">>");
        let ty = if is_shift {
            promoted(a.ty)
        } else {
            common(a.ty, b.ty)
        };
        let mut lanes = [0; LANES];
        for lane in each(mask) {
            let x = converted(a.ty, ty, a.lanes[lane]);
            let y = if is_shift {
                b.lanes[lane]
            } else {
                converted(b.ty, ty, b.lanes[lane])
            };
            lanes[lane] = calculated(op, ty, x, y);
        }
        let compares = matches!(op, "<" | ">" | "<=" | ">=" | "==" | "!=");
        let ty = if compares { Scalar::Bool } else { ty };
        Value { ty, lanes }
    }

    fn builtin(&self, object: &Expr, field: &str) -> Value {
        let ExprKind::Name(name) = &object.kind else {
            panic!("{object:?}");
        };
        assert_eq!(field, "x");
        let first = i64::from(self.warp) * LANES as i64;
        match &**name {
            "threadIdx" => Value {
                ty: Scalar::U32,
                lanes: std::array::from_fn(|lane| first + lane as i64),
            },
            "blockIdx" => Self::constant(Scalar::U32, self.block.into()),
            "blockDim" => Self::constant(Scalar::U32, self.threads.into()),
            "gridDim" => Self::constant(Scalar::U32, self.grid.into()),
            other => panic!("{other}"),
        }
    }

    fn place(&mut self, expr: &Expr, mask: Mask) -> Place {
        match &expr.kind {
            ExprKind::Name(name) => {
                let at = self.find(name).unwrap_or_else(|| panic!("{name}"));
                match &self.scopes[at][&**name] {
                    Binding::Variable(_) => Place::Variable(at, name.to_string()),
                    Binding::Array(array) => Place::Row(*array, [0; LANES]),
                }
            }
            ExprKind::Index(base, index) => {
                let Place::Row(array, mut offsets) = self.place(base, mask) else {
                    panic!("{base:?}");
                };
                let index = self.value(index, mask);
                let one = &self.arrays[array];
                let is_row = one.row > 0 && matches!(base.kind, ExprKind::Name(_));
                let stride = bytes_of(one.element) as i64 * if is_row { one.row } else { 1 };
                for lane in each(mask) {
                    offsets[lane] += index.lanes[lane] * stride;
                }
                if is_row {
                    Place::Row(array, offsets)
                } else {
                    Place::Memory(array, offsets)
                }
            }
            other => panic!("{other:?}"),
        }
    }

    fn request(&mut self, kind: u8, array: usize, offsets: &Lanes, expr: &Expr, mask: Mask) {
        let array = &self.arrays[array];
        let base = if array.is_shared { array.base } else { 0 };
        self.seen.push(Seen {
            warp: (self.block.into(), self.warp),
            line: self.lines.place(expr.span.start).0,
            kind,
            bytes: bytes_of(array.element),
            lanes: each(mask)
                .map(|lane| (lane, base + offsets[lane] as u64))
                .collect(),
        });
    }

    fn element(&self, array: usize, offset: i64) -> i64 {
        let array = &self.arrays[array];
        let size = bytes_of(array.element) as usize;
        let mut raw = [0; 8];
        raw[..size].copy_from_slice(&array.bytes[offset as usize..offset as usize + size]);
        let value = i64::from_le_bytes(raw);
        if is_float(array.element) {
            value
        } else {
            wrapped(array.element, value)
        }
    }

    fn set_element(&mut self, array: usize, offset: i64, value: i64) {
        let array = &mut self.arrays[array];
        let size = bytes_of(array.element) as usize;
        let raw = value.to_le_bytes();
        array.bytes[offset as usize..offset as usize + size].copy_from_slice(&raw[..size]);
    }

    fn read(&mut self, place: &Place, expr: &Expr, mask: Mask) -> Value {
        match place {
            Place::Variable(at, name) => match &self.scopes[*at][name] {
                Binding::Variable(value) => value.clone(),
                Binding::Array(_) => panic!("{name}"),
            },
            Place::Memory(array, offsets) => {
                self.request(0, *array, offsets, expr, mask);
                let mut lanes = [0; LANES];
                for lane in each(mask) {
                    lanes[lane] = self.element(*array, offsets[lane]);
                }
                let ty = self.arrays[*array].element;
                Value { ty, lanes }
            }
            Place::Row(..) => panic!("{expr:?}"),
        }
    }

    /// Gives a place a value; the value that the place then has.
    fn write(&mut self, place: &Place, value: &Value, expr: &Expr, mask: Mask) -> Value {
        match place {
            Place::Variable(at, name) => {
                let Some(Binding::Variable(kept)) = self.scopes[*at].get_mut(name) else {
                    panic!("{name}");
                };
                for lane in each(mask) {
                    kept.lanes[lane] = converted(value.ty, kept.ty, value.lanes[lane]);
                }
                kept.clone()
            }
            Place::Memory(array, offsets) => {
                self.request(1, *array, offsets, expr, mask);
                let ty = self.arrays[*array].element;
                let mut lanes = [0; LANES];
                for lane in each(mask) {
                    lanes[lane] = converted(value.ty, ty, value.lanes[lane]);
                    self.set_element(*array, offsets[lane], lanes[lane]);
                }
                Value { ty, lanes }
            }
            Place::Row(..) => panic!("{expr:?}"),
        }
    }

    fn assign(&mut self, op: &str, target: &Expr, source: &Expr, mask: Mask) -> Value {
        // The right operand is sequenced before the left one.
        let source = self.value(source, mask);
        let place = self.place(target, mask);
        let value = match op {
            "" | "=" => source,
            op => {
                let old = self.read(&place, target, mask);
                Self::binary(op.trim_end_matches('='), &old, &source, mask)
            }
        };
        self.write(&place, &value, target, mask)
    }

    fn step(&mut self, op: &str, target: &Expr, gives_old: bool, mask: Mask) -> Value {
        let place = self.place(target, mask);
        let old = self.read(&place, target, mask);
        let by = Self::constant(Scalar::I32, 1);
        let new = Self::binary(&op[..1], &old, &by, mask);
        let new = self.write(&place, &new, target, mask);
        if gives_old { old } else { new }
    }

    fn atomic_add(&mut self, arguments: &[Expr], call: &Expr, mask: Mask) -> Value {
        let ExprKind::Prefix("&", target) = &arguments[0].kind else {
            panic!("{arguments:?}");
        };
        let Place::Memory(array, offsets) = self.place(target, mask) else {
            panic!("{target:?}");
        };
        let value = self.value(&arguments[1], mask);
        self.request(2, array, &offsets, call, mask);
        let ty = self.arrays[array].element;
        let mut old = [0; LANES];
        for lane in each(mask) {
            old[lane] = self.element(array, offsets[lane]);
            let by = converted(value.ty, ty, value.lanes[lane]);
            self.set_element(array, offsets[lane], calculated("+", ty, old[lane], by));
        }
        Value { ty, lanes: old }
    }

    fn call(&mut self, function: &Function, arguments: &[Expr], mask: Mask) -> Value {
        let mut scope = BTreeMap::new();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let binding = if matches!(parameter.ty.kind, TypeKind::Pointer { .. }) {
                match self.place(argument, mask) {
                    Place::Row(array, _) => Binding::Array(array),
                    _ => panic!("{argument:?}"),
                }
            } else {
                let (ty, value) = (scalar_of(&parameter.ty), self.value(argument, mask));
                let lanes = std::array::from_fn(|lane| converted(value.ty, ty, value.lanes[lane]));
                Binding::Variable(Value { ty, lanes })
            };
            scope.insert(parameter.name.to_string(), binding);
        }
        let base = std::mem::replace(&mut self.base, self.scopes.len());
        let returned = std::mem::take(&mut self.returned);
        let outer = self
            .result
            .replace(Self::constant(scalar_of(&function.returns), 0));
        self.scopes.push(scope);
        self.statements(&function.body, mask);
        self.scopes.pop();
        (self.base, self.returned) = (base, returned);
        std::mem::replace(&mut self.result, outer).unwrap()
    }
}
