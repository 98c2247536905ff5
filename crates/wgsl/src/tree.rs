//! A module as lang's tree: its structures, variables, functions and one of its kernels.

use crate::body::{Body, function_name, lane, thread_rank};
use crate::make;
use crate::types::{Types, override_name, scalar_of, span_of};
use crate::uses::Uses;
use crate::values::{Info, Said, Values, global_name, is_open};
use lanescope_frontend::{Construct, DiagnosticKind, Span};
use lanescope_syntax::tree::{
    Declaration, Expr, Function as Tree, Item, Name, Role, Scalar, Stmt, Tree as Whole, TypeExpr,
    TypeKind,
};
use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{
    AddressSpace, Binding, BuiltIn, EntryPoint, Function, FunctionArgument, GlobalVariable, Handle,
    Module, ScalarKind, ShaderStage, Statement, StorageAccess, TypeInner,
};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Writes a checked module.
pub(crate) struct Writer<'m> {
    module: &'m Module,
    info: &'m ModuleInfo,
    types: Types<'m>,
    said: Said,
}

impl<'m> Writer<'m> {
    pub(crate) fn new(module: &'m Module, info: &'m ModuleInfo) -> Self {
        Self {
            module,
            info,
            types: Types::new(module),
            said: Said::new(),
        }
    }

    /// The tree with the kernel named `kernel`, or the last one, and what could not be read.
    pub(crate) fn written(
        mut self,
        kernel: Option<&str>,
        defines: &[(String, String)],
    ) -> (Whole, Said) {
        let kernels = || {
            let all = self.module.entry_points.iter().enumerate();
            all.filter(|(_, one)| one.stage == ShaderStage::Compute)
        };
        let chosen = kernels()
            .find(|(_, one)| Some(one.name.as_str()) == kernel)
            .or_else(|| kernels().next_back());
        let entries: Vec<usize> = kernels().map(|(at, _)| at).collect();
        let mut items = self.overrides(defines);
        if let Some((at, entry)) = chosen {
            let info = self.info.get_entry_point(at);
            items.extend(self.globals(info));
            for function in self.called(&entry.function) {
                items.push(self.function(function));
            }
        }
        for at in entries {
            let is_chosen = chosen.is_some_and(|(chosen, _)| chosen == at);
            items.push(self.entry(at, is_chosen));
        }
        let mut all = std::mem::take(&mut self.types.items);
        all.append(&mut items);
        (Whole { items: all }, self.said)
    }

    fn values<'t>(
        &'t mut self,
        expressions: &'m naga::Arena<naga::Expression>,
        info: Info<'m>,
    ) -> Values<'t, 'm> {
        Values::new(
            self.module,
            self.info,
            expressions,
            info,
            &mut self.types,
            &mut self.said,
        )
    }

    /// Constants that the launch may give a value, as `--define NAME=VALUE` does.
    fn overrides(&mut self, defines: &[(String, String)]) -> Vec<Item> {
        let module = self.module;
        let mut items = Vec::new();
        for (handle, one) in module.overrides.iter() {
            let span = span_of(module.overrides.get_span(handle));
            let given = defines.iter().rev().find(|(name, _)| names(one, name));
            let init = match (given, one.init) {
                (Some((_, text)), _) => self.given(text, one, span),
                (None, Some(init)) => {
                    let (expressions, info) = (&module.global_expressions, self.info);
                    self.values(expressions, Info::Module(info)).of_module(init)
                }
                (None, None) => self.assumed(one, span),
            };
            let of = self.types.written(one.ty, span);
            let name: Name = override_name(handle).into();
            let mut declared = make::declaration(name, span, of);
            declared.of.is_const = true;
            declared.init = Some(init);
            items.push(Item::Stmt(make::declare(declared)));
        }
        items
    }

    fn scalar(&self, one: &naga::Override) -> naga::Scalar {
        self.types
            .inner(one.ty)
            .scalar()
            .unwrap_or(naga::Scalar::U32)
    }

    /// A value given as text.
    fn given(&mut self, text: &str, one: &naga::Override, span: Span) -> Expr {
        let scalar = self.scalar(one);
        match number(text, scalar, span) {
            Some(value) => value,
            None => {
                let name = one.name.as_deref().unwrap_or("");
                let message = format!("`{text}` is no value of the override `{name}`");
                self.said.push((span, DiagnosticKind::Wgsl { message }));
                make::unsigned(span, 1)
            }
        }
    }

    fn assumed(&mut self, one: &naga::Override, span: Span) -> Expr {
        let name = one.name.clone().unwrap_or_default();
        let assumed = "1".to_owned();
        let kind = DiagnosticKind::MissingTemplateArgument { name, assumed };
        self.said.push((span, kind));
        make::unsigned(span, 1)
    }

    /// The variables of the module that the kernel uses.
    fn globals(&mut self, used: &FunctionInfo) -> Vec<Item> {
        let module = self.module;
        let mut items = Vec::new();
        for (handle, global) in module.global_variables.iter() {
            if used[handle].is_empty() {
                continue;
            }
            let span = span_of(module.global_variables.get_span(handle));
            if let Some(one) = self.global(handle, global, span) {
                items.push(Item::Stmt(make::declare(one)));
            }
        }
        items
    }

    fn global(
        &mut self,
        handle: Handle<GlobalVariable>,
        global: &'m GlobalVariable,
        span: Span,
    ) -> Option<Declaration> {
        let of = self.types.written(global.ty, span);
        let at = span;
        let mut one = make::declaration(global_name(global, handle).into(), at, of);
        one.of.is_volatile = self.types.is_atomic(global.ty);
        match global.space {
            AddressSpace::WorkGroup => one.storage.shared = true,
            AddressSpace::Storage { access } => {
                one.storage.device = true;
                let constant = !access.contains(StorageAccess::STORE);
                one.of = self.buffer(global, one.of, constant, span);
            }
            AddressSpace::Uniform | AddressSpace::Immediate => {
                if self.types.has_array(global.ty) {
                    let what = Construct::ArrayContents(one.name.to_string());
                    self.said.push((at, DiagnosticKind::Ignored { what }));
                    one.storage.private = true;
                } else {
                    one.storage.uniform = true;
                }
            }
            AddressSpace::Private => {
                one.storage.private = true;
                let (expressions, info) = (&self.module.global_expressions, self.info);
                let mut values = self.values(expressions, Info::Module(info));
                one.init = global.init.map(|init| values.of_module(init));
            }
            _ => return None,
        }
        Some(one)
    }

    /// The type of a buffer: a pointer where the launch says its size. Bindings that a kernel
    /// writes are never the same memory as others, so each pointer is `__restrict__`.
    fn buffer(
        &mut self,
        global: &GlobalVariable,
        of: TypeExpr,
        constant: bool,
        span: Span,
    ) -> TypeExpr {
        let mut of = of;
        if !is_open(self.module, global.ty) {
            of.is_const = constant;
            return of;
        }
        let is_volatile = of.is_volatile;
        let mut to = match of.kind {
            TypeKind::Array(element, _) => *element,
            _ => of,
        };
        to.is_const = constant;
        to.is_volatile = is_volatile;
        let kind = TypeKind::Pointer {
            to: Box::new(to),
            restrict: true,
        };
        make::type_of(span, kind)
    }

    /// The functions that a function calls, itself or through others, each before its callers.
    fn called(&self, function: &Function) -> Vec<Handle<Function>> {
        let mut found = BTreeSet::new();
        let mut open = callees(&function.body);
        while let Some(one) = open.pop() {
            if found.insert(one) {
                open.extend(callees(&self.module.functions[one].body));
            }
        }
        found.into_iter().collect()
    }

    fn function(&mut self, handle: Handle<Function>) -> Item {
        let module = self.module;
        let function = &module.functions[handle];
        let span = span_of(module.functions.get_span(handle));
        let (parameters, names) = self.parameters(function, span);
        let returns = match &function.result {
            Some(result) => self.types.written(result.ty, span),
            None => make::type_of(span, TypeKind::Void),
        };
        let info = &self.info[handle];
        let body = self.body(function, info, names, Vec::new());
        Item::Function(Rc::new(Tree {
            name: function_name(handle).into(),
            span,
            role: Role::Device,
            templates: Vec::new(),
            specialised: None,
            parameters,
            returns,
            is_const: false,
            initialisers: Vec::new(),
            body,
            names: Vec::new(),
            block: None,
        }))
    }

    /// The parameters, and the name of each: pointers and arrays are other names of a place.
    fn parameters(&mut self, function: &Function, span: Span) -> (Vec<Declaration>, Vec<Name>) {
        let mut list = Vec::new();
        for (at, argument) in function.arguments.iter().enumerate() {
            let mut of = self.types.written(argument.ty, span);
            if by_place(self.types.inner(argument.ty)) {
                of = make::type_of(span, TypeKind::Reference(Box::new(of)));
            }
            list.push(make::declaration(argument_name(argument, at), span, of));
        }
        let names = list.iter().map(|one| one.name.clone()).collect();
        (list, names)
    }

    fn body(
        &mut self,
        function: &'m Function,
        info: &'m FunctionInfo,
        arguments: Vec<Name>,
        before: Vec<Stmt>,
    ) -> Vec<Stmt> {
        let uses = Uses::of(self.module, function, info);
        let mut values = self.values(&function.expressions, Info::Function(info));
        values.arguments = arguments;
        values.variables = function
            .local_variables
            .iter()
            .map(|(handle, one)| {
                let name = one.name.as_deref().unwrap_or("");
                format!("{name} var {}", handle.index()).into()
            })
            .collect();
        let mut list = before;
        list.extend(Body::new(values, function, uses).written());
        list
    }

    /// An entry point; of one that is not chosen only its name.
    fn entry(&mut self, at: usize, is_chosen: bool) -> Item {
        let module = self.module;
        let entry = &module.entry_points[at];
        let span = Span::default();
        let mut one = Tree {
            name: entry.name.as_str().into(),
            span,
            role: Role::Kernel,
            templates: Vec::new(),
            specialised: None,
            parameters: Vec::new(),
            returns: make::type_of(span, TypeKind::Void),
            is_const: false,
            initialisers: Vec::new(),
            body: Vec::new(),
            names: Vec::new(),
            block: None,
        };
        if is_chosen {
            let names: Vec<Name> = entry
                .function
                .arguments
                .iter()
                .enumerate()
                .map(|(at, argument)| argument_name(argument, at))
                .collect();
            let before = self.builtins(&entry.function, &names);
            let info = self.info.get_entry_point(at);
            one.body = self.body(&entry.function, info, names, before);
            one.block = Some(self.block(entry));
        }
        Item::Function(Rc::new(one))
    }

    /// Threads of a block along x, y and z.
    fn block(&mut self, entry: &EntryPoint) -> [Expr; 3] {
        let span = Span::default();
        let module = self.module;
        let mut at = 0;
        entry.workgroup_size.map(|side| {
            let by_override = entry.workgroup_size_overrides.and_then(|sides| sides[at]);
            at += 1;
            match by_override {
                Some(handle) => {
                    let (expressions, info) = (&module.global_expressions, self.info);
                    self.values(expressions, Info::Module(info))
                        .of_module(handle)
                }
                None => make::unsigned(span, side.into()),
            }
        })
    }

    /// The built-in values that an entry point takes, as constants before its body.
    fn builtins(&mut self, function: &Function, names: &[Name]) -> Vec<Stmt> {
        let span = Span::default();
        let mut list = Vec::new();
        for (argument, name) in function.arguments.iter().zip(names) {
            let of = self.types.written(argument.ty, span);
            let value = match (&argument.binding, self.types.inner(argument.ty)) {
                (Some(Binding::BuiltIn(builtin)), _) => self.builtin(*builtin, argument.ty, span),
                (_, TypeInner::Struct { members, .. }) => {
                    let parts = members
                        .iter()
                        .map(|one| match &one.binding {
                            Some(Binding::BuiltIn(builtin)) => self.builtin(*builtin, one.ty, span),
                            _ => make::unsigned(span, 0),
                        })
                        .collect();
                    make::construct(span, of.clone(), parts)
                }
                _ => make::unsigned(span, 0),
            };
            let mut one = make::declaration(name.clone(), span, of);
            one.of.is_const = true;
            one.init = Some(value);
            list.push(make::declare(one));
        }
        list
    }

    fn builtin(&mut self, builtin: BuiltIn, of: Handle<naga::Type>, span: Span) -> Expr {
        use BuiltIn as B;
        let along = |name: &str, axis: &str| make::member(span, make::name(span, name), axis);
        let axes = |one: &dyn Fn(&str) -> Expr| ["x", "y", "z"].map(one).to_vec();
        let lanes = || make::to_scalar(span, Scalar::U32, make::name(span, "warpSize"));
        let parts = match builtin {
            B::LocalInvocationId => axes(&|axis| along("threadIdx", axis)),
            B::WorkGroupId => axes(&|axis| along("blockIdx", axis)),
            B::WorkGroupSize => axes(&|axis| along("blockDim", axis)),
            B::NumWorkGroups => axes(&|axis| along("gridDim", axis)),
            B::GlobalInvocationId => axes(&|axis| {
                let first =
                    make::binary(span, "*", along("blockIdx", axis), along("blockDim", axis));
                make::binary(span, "+", first, along("threadIdx", axis))
            }),
            B::LocalInvocationIndex => return thread_rank(span),
            B::SubgroupInvocationId => return lane(span),
            B::SubgroupId => return make::binary(span, "/", thread_rank(span), lanes()),
            B::SubgroupSize => return lanes(),
            B::NumSubgroups => {
                let plane = make::binary(span, "*", along("blockDim", "x"), along("blockDim", "y"));
                let threads = make::binary(span, "*", plane, along("blockDim", "z"));
                let last = make::binary(span, "-", lanes(), make::unsigned(span, 1));
                let above = make::binary(span, "+", threads, last);
                return make::binary(span, "/", above, lanes());
            }
            _ => return make::unsigned(span, 0),
        };
        let of = self.types.written(of, span);
        make::construct(span, of, parts)
    }
}

/// Whether an argument is another name of a place: a pointer or an array.
fn by_place(of: &TypeInner) -> bool {
    matches!(
        of,
        TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. } | TypeInner::Array { .. }
    )
}

fn argument_name(argument: &FunctionArgument, at: usize) -> Name {
    let name = argument.name.as_deref().unwrap_or("");
    format!("{name} argument {at}").into()
}

/// Whether a text names an override: by its name or its `@id`.
fn names(one: &naga::Override, text: &str) -> bool {
    one.name.as_deref() == Some(text) || one.id.is_some_and(|id| id.to_string() == text)
}

/// A number of a type, from a text as in `32`, `32u`, `0x20`, `2.5f` or `true`.
fn number(text: &str, scalar: naga::Scalar, span: Span) -> Option<Expr> {
    let text = text.trim();
    let of = scalar_of(scalar);
    match (scalar.kind, text) {
        (ScalarKind::Bool, "true" | "1") => return Some(make::unsigned(span, 1)),
        (ScalarKind::Bool, "false" | "0") => return Some(make::unsigned(span, 0)),
        (ScalarKind::Bool, _) => return None,
        _ => {}
    }
    if scalar.kind == ScalarKind::Float {
        let digits = text.trim_end_matches(['f', 'h']);
        let value = digits.parse::<f64>().ok().filter(|one| one.is_finite())?;
        return Some(make::real(span, value, of));
    }
    let digits = text.trim_end_matches(['u', 'i', 'l']);
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<i64>().ok()?,
    };
    Some(make::whole(span, value.cast_unsigned(), of))
}

/// The functions that a block calls.
fn callees(block: &naga::Block) -> Vec<Handle<Function>> {
    let mut found = Vec::new();
    for statement in block {
        if let Statement::Call { function, .. } = statement {
            found.push(*function);
        }
        for inner in crate::operands::blocks(statement) {
            found.extend(callees(inner));
        }
    }
    found
}
