//! From a whole source to a program.

mod accesses;
mod parameters;
mod walk;

use lanescope_frontend::{
    Construct, KernelOptions, Program, Span, mark_data_dependence, promote_memory_to_registers,
};
use std::rc::Rc;

use lanescope_ir::Position;
use lanescope_model::Operation;

use super::calls::{FunctionEffects, names_bytes};
use super::tables::Heading;
use super::{Binding, Lower};

use super::builtins::is_known_name;
use crate::source::RecordLayout;
use crate::source::ctype::Type;
use crate::source::uses::Uses;
use lanescope_syntax::{
    Nearest,
    diagnostic::DiagnosticKind,
    scalar::Scalar,
    sink::Sink,
    tree::{
        Declaration, ExprKind, Function, Item, Name, Role, Stmt, StmtKind, Tree, TypeExpr, TypeKind,
    },
};

pub(super) use walk::is_loop;
pub(crate) use walk::{walk_expressions, walk_statements};

/// A text that is lowered.
#[derive(Clone, Copy)]
pub(crate) struct Text<'t> {
    /// What places count bytes of.
    pub(crate) source: &'t str,
    /// Dimensions of a C++ AMP index.
    pub(crate) rank: i64,
}

/// A program of declarations and accesses.
pub(crate) fn lower_accesses(
    list: &[Stmt],
    text: Text<'_>,
    bare: Operation,
    sink: &mut Sink,
) -> Program {
    let mut lower = Lower::new(sink);
    lower.bare = Some(bare);
    lower.rank = text.rank;
    lower.survey(list);
    lower.open_numbers(list);
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
    let heading = Heading {
        name: String::new(),
        is_expression: true,
        block: None,
    };
    finish(lower, &heading, Vec::new(), text.source)
}

/// The program of one kernel of a source.
pub(crate) fn lower_kernel(
    tree: &Tree,
    options: &KernelOptions,
    text: Text<'_>,
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
    let names: Vec<String> = kernels
        .iter()
        .map(|kernel| kernel.name.to_string())
        .collect();
    let mut lower = Lower::new(sink);
    lower.rank = text.rank;
    let Some(kernel) = lower.choose(&kernels, options) else {
        return Program {
            kernels: names,
            lines: lower.sink.lines.clone(),
            ..Program::default()
        };
    };
    lower.globals(tree);
    lower.survey(&kernel.body);
    lower.kernel(&kernel, options);
    let heading = Heading {
        name: kernel.name.to_string(),
        is_expression: false,
        block: lower.block_of(&kernel),
    };
    finish(lower, &heading, names, text.source)
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
            Some(Binding::Type(Type::Struct(ty))) => Some(ty.record(name)),
            _ => None,
        })
        .collect()
}

/// The program of what was lowered; `kernels`: the names of all of the source.
fn finish(mut lower: Lower<'_>, heading: &Heading, kernels: Vec<String>, source: &str) -> Program {
    if lower.full {
        // What is cut short anywhere says nothing right.
        lower.sites.clear();
        lower.uncounted.clear();
    }
    let counted = lower.sites.len();
    let shared_bytes = lower.shared_bytes;
    let passed = std::mem::take(&mut lower.passed);
    let mut kernel = lower.finished(heading, source);
    promote_memory_to_registers(&mut kernel);
    let mut program = Program {
        is_expression: heading.is_expression,
        shared_bytes,
        ..Program::new(kernel, source, kernels).with_buffer_addresses()
    };
    program.sites.truncate(counted);
    for (parameter, passed) in program.parameters.iter_mut().zip(passed) {
        parameter.passed = passed;
    }
    if let Some(kernel) = program.lowered.clone() {
        mark_data_dependence(&mut program, &kernel);
    }
    program
}

impl Lower<'_> {
    /// Numbers that are added to indices alone, the same in all lanes, and that nothing near them explains: each is taken
    /// to be 0. A pitch is none: what it is decides.
    fn open_numbers(&mut self, list: &[Stmt]) {
        let uses = Uses::of(list);
        let known: Vec<&str> = uses.declared.iter().map(|name| &**name).collect();
        let built_in = self.builtin_names();
        for (name, one) in &uses.names {
            let is_term = one.terms > 0 && one.terms == one.named;
            let is_number = is_term && one.indices == 0 && !one.is_other && !one.is_stored;
            let is_known = is_known_name(name)
                || known.contains(&&**name)
                || built_in.contains(&&**name)
                || name.contains("::");
            let others = || known.iter().chain(&built_in).copied();
            if !is_number || is_known || Nearest::default().of(name, others()).is_some() {
                continue;
            }
            let assumed = DiagnosticKind::AssumedName {
                name: name.to_string(),
                assumed: "0".to_owned(),
            };
            self.say(one.span, assumed);
            let zero = self.whole(0, Scalar::I32);
            self.bind(name, Binding::Value(zero));
        }
    }

    fn choose(
        &mut self,
        kernels: &[Rc<Function>],
        options: &KernelOptions,
    ) -> Option<Rc<Function>> {
        let touching = kernels
            .iter()
            .rev()
            .find(|kernel| may_touch_memory(&kernel.body));
        let Some(last) = touching.or(kernels.last()) else {
            if !self.sink.met_a_limit() {
                self.say(Span::default(), DiagnosticKind::NoKernel);
            }
            return None;
        };
        if let Some(name) = &options.kernel {
            let plain = name.split('<').next().unwrap_or(name).trim();
            if let Some(found) = kernels.iter().find(|kernel| *kernel.name == *plain) {
                return Some(found.clone());
            }
            self.sink.unknown(
                Span::default(),
                plain,
                kernels.iter().map(|kernel| &*kernel.name),
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
                    self.has_operators |= super::objects::is_operator(&one.name);
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
        self.builder.rewind(Position::default());
    }

    fn global(&mut self, declaration: &Declaration) {
        if declaration.storage.shared || declaration.storage.device {
            self.declare(declaration);
            return;
        }
        // Only what is constant is known in a kernel.
        let Some(init) = &declaration.init else {
            return;
        };
        let ty = self.resolve(&declaration.ty);
        match (&ty, self.fold(init)) {
            (Type::Scalar(scalar), Some(value)) if !scalar.is_float() => {
                let value = self.whole(value, *scalar);
                self.bind(&declaration.name, Binding::Value(value));
            }
            (Type::Array(..), _) => {
                // A compiler keeps such a table where it keeps constants.
                let mut table = declaration.clone();
                (table.storage.device, table.storage.constant) = (true, true);
                self.declare(&table);
            }
            (Type::Scalar(_), _) => {
                let value = self.value(init);
                let value = self.convert(value, &ty, init.span);
                if value.regs.iter().all(|reg| self.known(*reg).is_some()) {
                    self.bind(&declaration.name, Binding::Value(value));
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
                ExprKind::Cast(ty, inner) if names_bytes(ty) => {
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

    /// The threads of a block that the source itself names.
    fn block_of(&mut self, kernel: &Function) -> Option<[u32; 3]> {
        let sides = kernel.block.as_ref()?;
        Some(sides.each_ref().map(|side| {
            let known = self.fold(side).and_then(|side| u32::try_from(side).ok());
            if known.is_none() {
                let what = Construct::BlockSize;
                self.say(side.span, DiagnosticKind::NotConstant { what });
            }
            known.unwrap_or(1)
        }))
    }

    fn kernel(&mut self, kernel: &Function, options: &KernelOptions) {
        self.scopes.push(super::Scope::new());
        self.template_values(kernel, options);
        let function_effects = FunctionEffects::of(&kernel.body);
        for (position, parameter) in (0..).zip(&kernel.parameters) {
            self.kernel_parameter(&function_effects, position, parameter);
        }
        self.in_scope(|lower| lower.statements(&kernel.body));
    }
}

/// Whether statements index, dereference or call anything.
fn may_touch_memory(body: &[Stmt]) -> bool {
    let mut touches = false;
    for statement in body {
        walk_expressions(statement, &mut |expr| {
            touches |= matches!(
                expr.kind,
                ExprKind::Index(..) | ExprKind::Prefix("*", _) | ExprKind::Call { .. }
            );
        });
    }
    touches
}

enum Step {
    Add(i64),
    Times(i64),
    Divide(i64),
}

fn shown(ty: &TypeExpr, pointer: &crate::source::ctype::Pointer) -> String {
    let constant = matches!(&ty.kind, TypeKind::Pointer { to, .. } if to.is_const);
    format!(
        "{}{}*",
        if constant { "const " } else { "" },
        pointer.to.shown()
    )
}
