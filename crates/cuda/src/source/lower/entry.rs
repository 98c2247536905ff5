//! From a whole source to a program.

use super::calls::Habits;
use super::declarations::buffer_base;
use super::{Binding, Lower, Memory, Place, Value};
use crate::source::code::{Code, Preset};
use crate::source::ctype::{Target, Type};
use crate::source::diagnostic::DiagnosticKind;
use crate::source::program::{Parameter, Passed, Program, Variable};
use crate::source::scalar::Scalar;
use crate::source::sink::Sink;
use crate::source::syntax::{
    Declaration, Expr, ExprKind, Function, Item, Name, Role, Stmt, StmtKind, SwitchPart, Tree,
    TypeExpr, TypeKind, ValuePart,
};
use crate::source::{KernelOptions, Limits, RecordLayout, Span};
use lanescope_model::{Operation, Space};
use std::rc::Rc;

/// A program of declarations and accesses.
pub(crate) fn lower_accesses(
    list: &[Stmt],
    rank: i64,
    bare: Operation,
    sink: &mut Sink,
) -> Program {
    let mut lower = Lower::new(sink);
    lower.bare = Some(bare);
    lower.rank = rank;
    lower.survey(list);
    lower.statements(list);
    let touches = list.iter().any(|one| {
        !matches!(
            one.kind,
            StmtKind::Empty
                | StmtKind::Declare(_)
                | StmtKind::Struct(_)
                | StmtKind::Several(_)
                | StmtKind::Values { .. }
                | StmtKind::Typedef(..)
        )
    });
    if lower.sites.is_empty() && touches {
        let span = list.last().map_or_else(Span::default, |last| last.span);
        if lower.sink.is_empty() {
            lower.say(span, DiagnosticKind::NoAccess);
        }
    }
    finish(lower, String::new(), Vec::new(), true)
}

/// The program of one kernel of a source.
pub(crate) fn lower_kernel(
    tree: &Tree,
    options: &KernelOptions,
    rank: i64,
    sink: &mut Sink,
) -> Program {
    let kernels: Vec<Rc<Function>> = tree
        .items
        .iter()
        .filter_map(|item| {
            if let Item::Function(one) = item {
                Some(one.clone())
            } else {
                None
            }
        })
        .filter(|one| one.role == Role::Kernel && one.specialised.is_none())
        .collect();
    let names: Vec<String> = kernels.iter().map(|one| one.name.to_string()).collect();
    let mut lower = Lower::new(sink);
    lower.rank = rank;
    let Some(kernel) = lower.choose(&kernels, options) else {
        return finish(lower, String::new(), names, false);
    };
    lower.globals(tree);
    lower.survey(&kernel.body);
    lower.privates(tree);
    lower.kernel(&kernel, options);
    let block = lower.block_of(&kernel);
    let mut program = finish(lower, kernel.name.to_string(), names, false);
    program.block = block;
    program
}

/// The layouts of a source's structures, in their order.
pub(crate) fn lower_records(tree: &Tree, sink: &mut Sink) -> Vec<RecordLayout> {
    let mut lower = Lower::new(sink);
    lower.globals(tree);
    let structures = tree.items.iter().filter_map(|item| match item {
        Item::Stmt(Stmt {
            kind: StmtKind::Struct(item),
            ..
        }) => Some(&item.name),
        Item::Stmt(_) | Item::Function(_) => None,
    });
    structures
        .filter_map(|name| match lower.lookup(name) {
            Some(Binding::Type(Type::Struct(of))) => Some(of.record(name)),
            _ => None,
        })
        .collect()
}

fn finish(lower: Lower<'_>, name: String, kernels: Vec<String>, is_expression: bool) -> Program {
    let full = lower.full;
    let (code, mut parts) = lower.into_code();
    let code = if full {
        // What is cut short anywhere says nothing right.
        parts.sites.clear();
        parts.habits.clear();
        Code::default()
    } else {
        code
    };
    let mut arrays = parts.arrays;
    let dynamic_base = parts.shared_bytes.div_ceil(16).saturating_mul(16);
    for array in arrays
        .iter_mut()
        .filter(|array| array.space == Space::Shared && array.bytes.is_none())
    {
        array.base = dynamic_base;
    }
    let mut program = Program {
        name,
        sites: parts.sites,
        arrays,
        variables: parts.variables,
        parameters: parts.parameters,
        parameter_types: parts.parameter_types,
        parameter_places: parts.parameter_places,
        kernels,
        shared_bytes: parts.shared_bytes,
        is_expression,
        lines: parts.lines,
        block: None,
        code,
        recorded: Vec::new(),
        declared: parts.declared,
        habits: parts.habits,
        aligns: parts.aligns,
        lowered: None,
        fates: Vec::new(),
    };
    crate::source::data_dependence::mark(&mut program);
    program
}

impl Lower<'_> {
    fn choose(
        &mut self,
        kernels: &[Rc<Function>],
        options: &KernelOptions,
    ) -> Option<Rc<Function>> {
        let Some(last) = kernels.last() else {
            if !self.sink.met_a_limit() {
                self.say(Span::default(), DiagnosticKind::NoKernel);
            }
            return None;
        };
        if let Some(name) = &options.kernel {
            let plain = name.split('<').next().unwrap_or(name).trim();
            if let Some(found) = kernels.iter().find(|one| *one.name == *plain) {
                return Some(found.clone());
            }
            self.sink.unknown(
                Span::default(),
                plain,
                kernels.iter().map(|one| &*one.name),
                |name, suggestion| DiagnosticKind::UnknownKernel { name, suggestion },
            );
            return None;
        } else if kernels.len() > 1 {
            self.say(
                last.span,
                DiagnosticKind::SeveralKernels {
                    taken: last.name.to_string(),
                },
            );
        }
        Some(last.clone())
    }

    /// Functions, structures and constants of the whole source.
    fn globals(&mut self, tree: &Tree) {
        for item in &tree.items {
            if self.full {
                break;
            }
            match item {
                Item::Function(one) => {
                    let all = match one.specialised {
                        Some(_) => &mut self.specialised,
                        None => &mut self.functions,
                    };
                    all.entry(one.name.clone()).or_default().push(one.clone());
                    self.survey(&one.body);
                }
                Item::Stmt(Stmt {
                    kind: StmtKind::Struct(item),
                    ..
                }) => {
                    self.at = item.span;
                    if item.specialised.is_some() {
                        let all = self.specialised_structs.entry(item.name.clone());
                        all.or_default().push(item.clone());
                    } else {
                        self.structs.insert(item.name.clone(), item.clone());
                        self.resolve_struct(item);
                    }
                    for method in &item.methods {
                        self.survey(&method.body);
                    }
                }
                Item::Stmt(Stmt {
                    kind: StmtKind::Declare(list),
                    ..
                }) => {
                    for one in list {
                        self.at = one.span;
                        self.global(one);
                    }
                }
                Item::Stmt(statement) => self.statement(statement),
            }
        }
        self.insts.clear();
    }

    fn global(&mut self, one: &Declaration) {
        if one.storage.private {
            return;
        }
        if one.storage.uniform {
            let of = self.resolve(&one.of);
            let value = self.scalar_parameters(one, &of);
            self.bind(&one.name, Binding::Value(value));
            return;
        }
        if one.storage.shared || one.storage.device {
            self.declare(one);
            return;
        }
        // Only what is constant is known in a kernel.
        let Some(init) = &one.init else { return };
        let of = self.resolve(&one.of);
        match (&of, self.fold(init)) {
            (Type::Scalar(scalar), Some(value)) if !scalar.is_float() => {
                let value = self.whole(value, *scalar);
                self.bind(&one.name, Binding::Value(value));
            }
            (Type::Array(..), _) => {
                // A compiler keeps such a table where it keeps constants.
                let mut table = one.clone();
                (table.storage.device, table.storage.constant) = (true, true);
                self.declare(&table);
            }
            (Type::Scalar(_), _) => {
                let value = self.value(init);
                let value = self.convert(value, &of, init.span);
                if value.regs.iter().all(|reg| self.known(*reg).is_some()) {
                    self.bind(&one.name, Binding::Value(value));
                }
            }
            _ => {}
        }
    }

    /// Notes pointers that are assigned again, and variables whose address is taken.
    fn survey(&mut self, body: &[Stmt]) {
        let mut assigned: Vec<Name> = Vec::new();
        for statement in body {
            walk_statements(statement, &mut |one| {
                if let StmtKind::Declare(list) = &one.kind {
                    assigned.extend(
                        list.iter()
                            .filter(|one| one.init.is_some())
                            .map(|one| one.name.clone()),
                    );
                }
            });
            walk_expressions(statement, &mut |expr| match &expr.kind {
                ExprKind::Assign("=", target, _) => {
                    if let ExprKind::Name(name) = &target.kind {
                        assigned.push(name.clone());
                    }
                }
                ExprKind::Prefix("&", inner) => {
                    let mut inner = inner;
                    while let ExprKind::Member(object, _) = &inner.kind {
                        inner = object;
                    }
                    if let ExprKind::Name(name) = &inner.kind {
                        self.addressed.insert(name.clone());
                    }
                }
                _ => {}
            });
        }
        assigned.sort();
        for pair in assigned.windows(2).filter(|pair| pair[0] == pair[1]) {
            self.moving.insert(pair[0].clone());
        }
    }

    /// The variables that each thread has for itself, seen by all functions.
    fn privates(&mut self, tree: &Tree) {
        for item in &tree.items {
            if let Item::Stmt(Stmt {
                kind: StmtKind::Declare(list),
                ..
            }) = item
            {
                for one in list.iter().filter(|one| one.storage.private) {
                    self.declare(one);
                }
            }
        }
    }

    /// The threads of a block that the source itself names.
    fn block_of(&mut self, kernel: &Function) -> Option<[u32; 3]> {
        let sides = kernel.block.as_ref()?;
        Some(sides.each_ref().map(|side| {
            let known = self.fold(side).and_then(|side| u32::try_from(side).ok());
            if known.is_none() {
                let what = "the size of a block";
                self.say(side.span, DiagnosticKind::NotConstant { what });
            }
            known.unwrap_or(1)
        }))
    }

    fn kernel(&mut self, kernel: &Function, options: &KernelOptions) {
        self.scopes.push(super::Scope::new());
        self.template_values(kernel, options);
        let habits = Habits::of(&kernel.body);
        for (position, parameter) in (0..).zip(&kernel.parameters) {
            self.kernel_parameter(&habits, position, parameter);
        }
        self.scopes.push(super::Scope::new());
        self.statements(&kernel.body);
    }

    fn template_values(&mut self, kernel: &Function, options: &KernelOptions) {
        let named = options.kernel.as_deref().map(named_values);
        let inline = named.unwrap_or_default();
        for (at, parameter) in kernel.templates.iter().enumerate() {
            let given = options
                .defines
                .iter()
                .rev()
                .find(|(name, _)| *name == *parameter.name)
                .map(|(_, text)| text.clone())
                .or_else(|| options.templates.get(at).cloned())
                .or_else(|| inline.get(at).cloned());
            let binding = given
                .and_then(|text| self.template_text(&text))
                .or_else(|| {
                    parameter
                        .default
                        .as_ref()
                        .and_then(|argument| self.template_binding(argument))
                })
                .unwrap_or_else(|| {
                    self.assumed(&parameter.name, parameter.span, parameter.of.is_none())
                });
            self.bind(&parameter.name, binding);
        }
    }

    /// A template argument given as text: a type or a number.
    fn template_text(&mut self, text: &str) -> Option<Binding> {
        // An enumerator as a demangler writes it: its type in parentheses, then its number.
        let text = match text.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            Some((_, number)) if number.parse::<i64>().is_ok() => number,
            _ => text,
        };
        let mut quiet = Sink::new(text);
        let tokens = crate::source::lexer::lex(text, &mut quiet);
        let named = self.scopes.iter().flatten();
        let types = named.filter(|(_, one)| matches!(one, Binding::Type(_)));
        let own = self.structs.keys().chain(self.specialised_structs.keys());
        let mut types: Vec<Name> = own.chain(types.map(|(name, _)| name)).cloned().collect();
        // `ns::Add`: a type inside a namespace is known by its last name.
        let path = text
            .split('<')
            .next()
            .unwrap_or(text)
            .trim()
            .replace(' ', "");
        let last = path.rsplit("::").next().unwrap_or_default();
        if path.contains("::") && types.iter().any(|known| **known == *last) {
            types.push(path.into());
        }
        let argument = crate::source::parser::parse_argument(tokens, types.into_iter(), &mut quiet);
        self.template_binding(&argument)
    }

    fn kernel_parameter(&mut self, habits: &Habits, position: u32, one: &Declaration) {
        let of = self.resolve(&one.of);
        let of = if let Type::Array(element, _) = of {
            Type::pointer_to((*element).clone(), Target::Unknown)
        } else {
            of
        };
        let first = self.parameters.len();
        let value = match &of {
            Type::Pointer(pointer) => self.buffer_parameter(one, pointer),
            Type::Group { .. } => self.zero(&of),
            _ => self.scalar_parameters(one, &of),
        };
        for (parameter, leaf) in self.parameters.iter_mut().skip(first).zip(of.leaves()) {
            parameter.passed = Some(Passed {
                position,
                offset: leaf.offset,
                of_bytes: of.bytes(),
            });
        }
        if habits.changed.contains(&one.name) {
            let kept = self.variable(&value.of.clone(), Some(&value));
            self.bind(&one.name, Binding::Place(Place::Registers(kept)));
        } else {
            self.bind(&one.name, Binding::Value(value));
        }
    }

    fn buffer_parameter(
        &mut self,
        one: &Declaration,
        pointer: &crate::source::ctype::Pointer,
    ) -> Value {
        let of = shown(&one.of, pointer);
        let offset = self.place_parameter(8, 8);
        self.buffer(one, pointer, of, offset)
    }

    /// The offset of a parameter of so many bytes behind those before it.
    fn place_parameter(&mut self, bytes: u64, align: u64) -> u32 {
        let at = self
            .parameter_bytes
            .div_ceil(align.max(1))
            .saturating_mul(align.max(1));
        self.parameter_bytes = at.saturating_add(bytes);
        u32::try_from(at).unwrap_or(u32::MAX)
    }

    /// A buffer that a parameter, or a part of one, points to.
    fn buffer(
        &mut self,
        one: &Declaration,
        pointer: &crate::source::ctype::Pointer,
        of: String,
        offset: u32,
    ) -> Value {
        let id = self.array(one, &pointer.to, Space::Global, 0, None);
        self.arrays[id.0 as usize].base = buffer_base(id);
        self.arrays[id.0 as usize].extents.clear();
        self.arrays[id.0 as usize].restrict = pointer.restrict;
        let (line, column) = self.sink.lines.place(one.span.start);
        self.parameters.push(Parameter {
            name: one.name.to_string(),
            span: one.span,
            line,
            column,
            of,
            array: Some(id),
            passed: None,
        });
        self.parameter_types.push(Scalar::I64);
        self.parameter_places.push((offset, 8));
        let mut pointer = pointer.clone();
        pointer.target = Target::Array(id);
        let reg = self.preset(Preset::Array(id));
        Value {
            of: Type::Pointer(Rc::new(pointer)),
            regs: vec![reg],
        }
    }

    /// A parameter that is a number, or a structure of numbers and pointers.
    fn scalar_parameters(&mut self, one: &Declaration, of: &Type) -> Value {
        let mut names = Vec::new();
        leaf_names(of, &one.name, &mut names);
        let leaves = of.leaves();
        let first = self.place_parameter(of.bytes(), of.align());
        let regs = leaves
            .iter()
            .zip(names)
            .map(|(leaf, name)| {
                let offset = u32::try_from(leaf.offset).unwrap_or(u32::MAX);
                let offset = first.saturating_add(offset);
                if let Type::Pointer(pointer) = &leaf.of {
                    let part = Declaration {
                        name: name.into(),
                        ..one.clone()
                    };
                    let value = self.buffer(&part, pointer, leaf.of.shown(), offset);
                    return value.regs.first().copied().unwrap_or(0);
                }
                let at = u16::try_from(self.parameters.len()).unwrap_or(u16::MAX);
                let (line, column) = self.sink.lines.place(one.span.start);
                self.parameters.push(Parameter {
                    name,
                    span: one.span,
                    line,
                    column,
                    of: leaf.of.shown(),
                    array: None,
                    passed: None,
                });
                self.parameter_types
                    .push(super::resolve::scalar_or_int(&leaf.of));
                let bytes = u32::try_from(leaf.of.bytes()).unwrap_or(u32::MAX);
                self.parameter_places.push((offset, bytes));
                self.preset(Preset::Parameter(at))
            })
            .collect();
        Value {
            of: of.clone(),
            regs,
        }
    }

    /// A line of an expression.
    pub(super) fn bare_access(&mut self, expr: &Expr, operation: Operation) {
        match &expr.kind {
            ExprKind::Missing => {}
            ExprKind::Assign("=", target, source) if self.is_new_name(target) => {
                let value = self.value(source);
                let value = self.variable(&value.of.clone(), Some(&value));
                if let ExprKind::Name(name) = &target.kind {
                    self.bind(name, Binding::Place(Place::Registers(value)));
                }
            }
            ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Prefix("*", _) => {
                if let ExprKind::Index(base, index) = &expr.kind
                    && self.builtin_index(base, index, expr.span).is_some()
                {
                    return self.implied(expr, operation);
                }
                if let ExprKind::Member(object, field) = &expr.kind
                    && self.builtin_member(object, field, expr.span).is_some()
                {
                    return self.implied(expr, operation);
                }
                if let Some(Place::Memory(memory)) = self.place(expr) {
                    self.touch(&memory, operation, expr.span);
                }
            }
            ExprKind::Binary(",", a, b) => {
                self.bare_access(a, operation);
                self.bare_access(b, operation);
            }
            ExprKind::Assign(..)
            | ExprKind::Call { .. }
            | ExprKind::Postfix(..)
            | ExprKind::Prefix("++" | "--", _) => {
                self.value(expr);
            }
            _ => self.implied(expr, operation),
        }
    }

    fn is_new_name(&self, target: &Expr) -> bool {
        matches!(&target.kind, ExprKind::Name(name) if self.lookup(name).is_none())
    }

    /// A number alone is an index into an array of words of shared memory.
    fn implied(&mut self, expr: &Expr, operation: Operation) {
        let before = self.sites.len();
        let said = self.sink.len();
        let value = self.value(expr);
        if self.sites.len() > before || self.sink.len() > said || value.of.scalar().is_none() {
            return;
        }
        let memory = self.implied_array(expr.span);
        let (_, index) = self.scalar(&value, expr.span);
        let address = self.address(memory.address, index, 4, 0);
        let memory = Memory {
            address,
            of: Type::Scalar(Scalar::F32),
            ..memory
        };
        self.touch(&memory, operation, expr.span);
    }

    fn implied_array(&mut self, span: Span) -> Memory {
        let name: Name = "[ ]".into();
        if let Some(Binding::Place(Place::Memory(memory))) = self.scopes[0].get(&name) {
            return memory.clone();
        }
        let of = TypeExpr {
            span,
            kind: TypeKind::Auto,
            is_const: false,
            is_volatile: false,
        };
        let one = Declaration {
            name: name.clone(),
            span,
            of,
            storage: Default::default(),
            align: None,
            init: None,
            bits: None,
            base_offset: None,
        };
        let id = self.array(&one, &Type::Scalar(Scalar::F32), Space::Shared, 0, None);
        let address = self.preset(Preset::Array(id));
        let memory = Memory {
            of: Type::Scalar(Scalar::F32),
            address,
            offset: 0,
            target: Target::Array(id),
            volatile: false,
            read_only: false,
            bounds: Vec::new(),
            dimension: 0,
            bits: None,
            aligned: Default::default(),
        };
        self.scopes[0].insert(name, Binding::Place(Place::Memory(memory.clone())));
        memory
    }

    /// `name = value, value … value`.
    pub(super) fn values(&mut self, name: &Name, span: Span, list: &[ValuePart]) {
        let limit = self.values_left();
        let mut values: Vec<i64> = Vec::new();
        let mut dots: Option<Span> = None;
        for part in list {
            match part {
                ValuePart::Dots(at) => dots = Some(*at),
                ValuePart::One(expr) => {
                    let Some(value) = self.fold(expr) else {
                        self.say(
                            expr.span,
                            DiagnosticKind::NotConstant {
                                what: "a value of a variable",
                            },
                        );
                        continue;
                    };
                    if let Some(at) = dots.take() {
                        self.fill(&mut values, value, at, limit);
                    } else {
                        values.push(value);
                    }
                }
            }
        }
        if values.is_empty() {
            values.push(0);
        }
        if values.len() > limit {
            self.too_many_values(span, limit);
            values.truncate(limit);
        }
        self.values += values.len();
        let at = u16::try_from(self.variables.len()).unwrap_or(u16::MAX);
        self.variables.push(Variable {
            name: name.to_string(),
            span,
            values,
        });
        let reg = self.preset(Preset::Variable(at));
        self.bind(name, Binding::Value(Value::scalar(Scalar::I32, reg)));
    }

    /// How many values one more variable may have.
    fn values_left(&self) -> usize {
        let limits = Limits::DEFAULT;
        let left = limits.all_values.saturating_sub(self.values as u64);
        usize::try_from(left.clamp(1, limits.values)).unwrap_or(usize::MAX)
    }

    /// A variable has more than `limit` values, which are all that it may have, or all that are left of all variables'.
    fn too_many_values(&mut self, span: Span, limit: usize) {
        let limits = Limits::DEFAULT;
        let own = limit as u64 == limits.values;
        let limit = if own {
            limits.values
        } else {
            limits.all_values
        };
        self.say(span, DiagnosticKind::TooManyValues { limit });
    }

    /// Goes on from the last values to `last`, by the same step or the same factor.
    fn fill(&mut self, values: &mut Vec<i64>, last: i64, span: Span, limit: usize) {
        let step = match values[..] {
            [] => return values.push(last),
            [first] => Step::Add(if last >= first { 1 } else { -1 }),
            [.., a, b, c] if c.checked_sub(b) == b.checked_sub(a) => Step::Add(c.wrapping_sub(b)),
            [.., a, b] if values.len() == 2 && a.checked_mul(2) != Some(b) => {
                Step::Add(b.wrapping_sub(a))
            }
            [.., a, b] if a != 0 && b % a == 0 && (b / a).abs() > 1 => Step::Times(b / a),
            [.., a, b] if b != 0 && a % b == 0 && (a / b).abs() > 1 => Step::Divide(a / b),
            [.., a, b] => Step::Add(b.wrapping_sub(a)),
        };
        let rises = values.last().is_some_and(|now| last >= *now);
        while let Some(now) = values.last().copied() {
            let next = match step {
                Step::Add(by) => now.checked_add(by),
                Step::Times(by) => now.checked_mul(by),
                Step::Divide(by) => now.checked_div(by),
            };
            let Some(next) = next.filter(|next| {
                *next != now
                    && (*next > now) == rises
                    && if rises { *next <= last } else { *next >= last }
            }) else {
                break;
            };
            if values.len() >= limit {
                self.too_many_values(span, limit);
                break;
            }
            values.push(next);
        }
    }
}

/// The values between `<` and `>` behind a kernel's name, as in `tile<float, 32>`.
fn named_values(name: &str) -> Vec<String> {
    let Some((_, rest)) = name.split_once('<') else {
        return Vec::new();
    };
    let rest = rest.trim_end();
    let mut depth = 0_u32;
    let parts = rest.strip_suffix('>').unwrap_or(rest).split(|c| {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(|part| part.trim().to_owned()).collect()
}

/// The names of the numbers in a value, as in `size.x` and `sides[1]`.
fn leaf_names(of: &Type, name: &str, list: &mut Vec<String>) {
    match of {
        Type::Struct(structure) => {
            for field in &structure.fields {
                leaf_names(&field.of, &format!("{name}.{}", field.name), list);
            }
        }
        Type::Array(element, count) => {
            for at in 0..(*count).min(of.leaf_count() as u64) {
                leaf_names(element, &format!("{name}[{at}]"), list);
            }
        }
        _ => list.extend((0..of.leaf_count()).map(|_| name.to_owned())),
    }
}

enum Step {
    Add(i64),
    Times(i64),
    Divide(i64),
}

fn shown(of: &TypeExpr, pointer: &crate::source::ctype::Pointer) -> String {
    let constant = matches!(&of.kind, TypeKind::Pointer { to, .. } if to.is_const);
    format!(
        "{}{}*",
        if constant { "const " } else { "" },
        pointer.to.shown()
    )
}

/// Calls `visit` for a statement and all inside it.
fn walk_statements(statement: &Stmt, visit: &mut dyn FnMut(&Stmt)) {
    visit(statement);
    match &statement.kind {
        StmtKind::Block(list) | StmtKind::Several(list) => {
            list.iter().for_each(|one| walk_statements(one, visit))
        }
        StmtKind::If { yes, no, .. } => {
            walk_statements(yes, visit);
            if let Some(no) = no {
                walk_statements(no, visit);
            }
        }
        StmtKind::For { init, body, .. } => {
            if let Some(init) = init {
                walk_statements(init, visit);
            }
            walk_statements(body, visit);
        }
        StmtKind::ForEach { body, .. }
        | StmtKind::While { body, .. }
        | StmtKind::Do { body, .. } => walk_statements(body, visit),
        StmtKind::Loop {
            body, continuing, ..
        } => body
            .iter()
            .chain(continuing)
            .for_each(|one| walk_statements(one, visit)),
        StmtKind::Switch { body, .. } => {
            for part in body {
                if let SwitchPart::Stmt(one) = part {
                    walk_statements(one, visit);
                }
            }
        }
        _ => {}
    }
}

/// Calls `visit` for every expression of a statement and of all inside it.
pub(super) fn walk_expressions(statement: &Stmt, visit: &mut dyn FnMut(&Expr)) {
    walk_statements(statement, &mut |one| match &one.kind {
        StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => walk_expression(expr, visit),
        StmtKind::Declare(list) => list
            .iter()
            .filter_map(|one| one.init.as_ref())
            .for_each(|expr| walk_expression(expr, visit)),
        StmtKind::If { condition, .. }
        | StmtKind::While { condition, .. }
        | StmtKind::Do { condition, .. } => walk_expression(condition, visit),
        StmtKind::For {
            condition, step, ..
        } => condition
            .iter()
            .chain(step)
            .for_each(|expr| walk_expression(expr, visit)),
        StmtKind::ForEach { item, range, .. } => {
            walk_expression(range, visit);
            if matches!(item.of.kind, TypeKind::Reference(_)) {
                visit_named_again(range, visit);
            }
        }
        StmtKind::Bind {
            init, is_reference, ..
        } => {
            walk_expression(init, visit);
            if *is_reference {
                visit_named_again(init, visit);
            }
        }
        StmtKind::Switch { value, .. }
        | StmtKind::Loop {
            break_if: Some(value),
            ..
        } => walk_expression(value, visit),
        _ => {}
    });
}

/// What is named by a reference may be changed there: it is visited as a place whose address is taken.
fn visit_named_again(place: &Expr, visit: &mut dyn FnMut(&Expr)) {
    let address = ExprKind::Prefix("&", Box::new(place.clone()));
    visit(&Expr::new(place.span, address));
}

fn walk_expression(expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
    visit(expr);
    let mut both = |a: &Expr, b: &Expr| {
        walk_expression(a, visit);
        walk_expression(b, visit);
    };
    match &expr.kind {
        ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Index(a, b) => both(a, b),
        ExprKind::Conditional(a, b, c) => {
            both(a, b);
            walk_expression(c, visit);
        }
        ExprKind::Prefix(_, a)
        | ExprKind::Postfix(_, a)
        | ExprKind::Member(a, _)
        | ExprKind::Cast(_, a) => walk_expression(a, visit),
        ExprKind::Call {
            callee, arguments, ..
        } => {
            walk_expression(callee, visit);
            arguments.iter().for_each(|one| walk_expression(one, visit));
        }
        ExprKind::Construct(_, list) | ExprKind::List(list) => {
            list.iter().for_each(|one| walk_expression(one, visit))
        }
        ExprKind::Lambda(function, _) => {
            for statement in &function.body {
                walk_expressions(statement, visit);
            }
        }
        _ => {}
    }
}
