//! Functions that the language brings with it.

mod numeric;

use lanescope_frontend::{Construct, Span};
use std::rc::Rc;

use lanescope_model::Space;

use super::places::through;
use super::registers::Reg;
use super::{Lower, Memory, Place, Value, atomics, warp_ops};
use crate::source::ctype::{ACTIVE, GRID, Struct, Target, Type};
use lanescope_ir::{BinaryOp, Op, Operand, UnaryOp};
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    scalar::Scalar,
    tree::{Expr, ExprKind, TemplateArgument},
};

/// Functions of one operand, with their operator; those of whole numbers, and those that round.
const UNARY: [(&str, UnaryOp); 24] = [
    ("abs", UnaryOp::Abs),
    ("labs", UnaryOp::Abs),
    ("fabs", UnaryOp::Abs),
    ("fabsf", UnaryOp::Abs),
    ("__popc", UnaryOp::PopCount),
    ("__popcll", UnaryOp::PopCount),
    ("__clz", UnaryOp::LeadingZeros),
    ("__clzll", UnaryOp::LeadingZeros),
    ("__ffs", UnaryOp::FindFirst),
    ("__ffsll", UnaryOp::FindFirst),
    ("__brev", UnaryOp::ReverseBits),
    ("__brevll", UnaryOp::ReverseBits),
    ("floor", UnaryOp::Floor),
    ("floorf", UnaryOp::Floor),
    ("ceil", UnaryOp::Ceil),
    ("ceilf", UnaryOp::Ceil),
    ("round", UnaryOp::Round),
    ("roundf", UnaryOp::Round),
    ("rintf", UnaryOp::RoundEven),
    ("trunc", UnaryOp::Truncate),
    ("truncf", UnaryOp::Truncate),
    ("rint", UnaryOp::RoundEven),
    ("nearbyint", UnaryOp::RoundEven),
    ("nearbyintf", UnaryOp::RoundEven),
];

const BINARY: [(&str, BinaryOp); 15] = [
    ("min", BinaryOp::Minimum),
    ("max", BinaryOp::Maximum),
    ("umin", BinaryOp::Minimum),
    ("umax", BinaryOp::Maximum),
    ("fmin", BinaryOp::Minimum),
    ("fmax", BinaryOp::Maximum),
    ("fminf", BinaryOp::Minimum),
    ("fmaxf", BinaryOp::Maximum),
    ("pow", BinaryOp::Power),
    ("powf", BinaryOp::Power),
    ("__powf", BinaryOp::PowerApprox),
    ("fmod", BinaryOp::Remainder),
    ("fmodf", BinaryOp::Remainder),
    ("__mul24", BinaryOp::Multiply),
    ("__umul24", BinaryOp::Multiply),
];

/// Functions that take a value's bits as another type's: of which type, and to which.
const RECASTS: [(&str, Scalar, Scalar); 6] = [
    ("__float_as_int", Scalar::F32, Scalar::I32),
    ("__float_as_uint", Scalar::F32, Scalar::U32),
    ("__int_as_float", Scalar::I32, Scalar::F32),
    ("__uint_as_float", Scalar::U32, Scalar::F32),
    ("__double_as_longlong", Scalar::F64, Scalar::I64),
    ("__longlong_as_double", Scalar::I64, Scalar::F64),
];

/// Traits of one type, less `_v`.
const TRAITS: [&str; 10] = [
    "is_integral",
    "is_floating_point",
    "is_arithmetic",
    "is_pointer",
    "is_signed",
    "is_unsigned",
    "is_class",
    "is_scalar",
    "is_void",
    "is_array",
];

/// Whether a name is that of a question about types.
pub(super) fn is_trait(name: &str) -> bool {
    let plain = name.strip_suffix("_v").unwrap_or(name);
    plain == "is_same" || TRAITS.contains(&plain)
}

/// Functions of the runtime that wait for other kernels, or tell them to begin: they touch no memory.
const DEPENDENCIES: [&str; 2] = [
    "cudaGridDependencySynchronize",
    "cudaTriggerProgrammaticLaunchCompletion",
];

/// The clocks, whose values no launch tells.
const CLOCKS: [&str; 2] = ["clock", "clock64"];

/// Functions that are read and left out.
const IGNORED: [&str; 8] = [
    "printf",
    "assert",
    "__trap",
    "__nanosleep",
    "__prefetch",
    "__builtin_assume",
    "__assume",
    "__builtin_unreachable",
];

impl Lower<'_> {
    pub(super) fn intrinsic(
        &mut self,
        name: &str,
        templates: &[TemplateArgument],
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        let is_discarded = std::mem::take(&mut self.is_discarded);
        let plain = super::spellings::plain(name.rsplit("::").next().unwrap_or(name));
        if let Some((_, op)) = UNARY.iter().find(|(known, _)| *known == plain) {
            return self.unary_function(plain, *op, arguments, span);
        }
        if let Some((_, op)) = BINARY.iter().find(|(known, _)| *known == plain) {
            return self.binary_function(plain, *op, arguments, span);
        }
        if let Some(rmw) = atomics::named(plain) {
            return self.atomic(rmw, arguments, is_discarded, span);
        }
        if let Some((exchange, masked)) = warp_ops::named(plain) {
            return self.exchange(exchange, masked, arguments, span);
        }
        if let Some((_, from, to)) = RECASTS.iter().find(|(known, ..)| *known == plain) {
            return self.recast(*from, *to, arguments, span);
        }
        if let ("move" | "forward" | "as_const", [one]) = (plain, arguments) {
            return self.value(one);
        }
        if let Some(vector) = plain.strip_prefix("make_").and_then(Struct::vector) {
            let values = arguments
                .iter()
                .map(|argument| self.value(argument))
                .collect();
            return self.fields_of(&Type::Struct(Rc::new(vector)), values, span);
        }
        if let Some(value) = self.real_function(plain, arguments, span) {
            return value;
        }
        if let Some(value) = self.spelled_function(plain, arguments, span) {
            return value;
        }
        self.other_function(plain, templates, arguments, span)
    }

    fn other_function(
        &mut self,
        name: &str,
        templates: &[TemplateArgument],
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        match name {
            "__syncthreads" | "barrier" | "syncthreads" => self.barrier(span),
            "__syncthreads_count" | "__syncthreads_or" | "__syncthreads_and" => {
                self.values_of(arguments);
                self.barrier(span)
            }
            _ if DEPENDENCIES.contains(&name) => {
                self.emit(Op::Fence);
                Value::void()
            }
            "__syncwarp" | "__threadfence" | "__threadfence_block" | "__threadfence_system" => {
                self.values_of(arguments);
                self.emit(Op::Fence);
                Value::void()
            }
            "sync" => {
                // `cg::sync(group)`.
                let group = arguments.first().map(|one| self.value(one));
                self.group_sync(group.as_ref(), span)
            }
            "this_thread_block" => self.group(0),
            "this_grid" => self.group(GRID),
            "coalesced_threads" => self.group(ACTIVE),
            "this_thread" => self.group(1),
            "tiled_partition" => {
                let values = self.values_of(arguments);
                let lanes = match templates.first() {
                    Some(TemplateArgument::Value(value)) => self.fold(value),
                    _ => arguments.get(1).and_then(|one| self.fold(one)),
                };
                self.tile_of(values.first(), lanes, span)
            }
            "labeled_partition" | "binary_partition" => {
                let values = self.values_of(arguments);
                self.partition(name, &values, span)
            }
            "__ldg" | "__ldcs" | "__ldca" | "__ldcg" | "__ldlu" | "__ldcv" => {
                self.load_function(arguments, span, name == "__ldg")
            }
            "__stcs" | "__stcg" | "__stwb" | "__stwt" => self.store_function(arguments, span),
            "reduce" | "inclusive_scan" | "exclusive_scan" if arguments.len() >= 2 => {
                let values = self.values_of(arguments);
                self.group_function(name, &values, span)
            }
            "__isShared" | "__isGlobal" if arguments.len() == 1 => {
                self.is_in_space(name == "__isShared", &arguments[0], span)
            }
            "__pipeline_memcpy_async" => self.pipeline_copy(arguments, span),
            "__pipeline_bulk_copy" => self.bulk_copy(arguments, span),
            "__pipeline_commit" | "__pipeline_wait_prior" => {
                self.values_of(arguments);
                self.emit(Op::Fence);
                Value::void()
            }
            _ if name.starts_with("__pipeline_") || name == "memcpy_async" => {
                let values = self.values_of(arguments);
                self.use_all(&values);
                let what = Construct::AsyncCopy;
                self.say(span, DiagnosticKind::Unsupported { what });
                Value::void()
            }
            _ if is_trait(name) && templates.len() == 1 => self.type_trait(name, &templates[0]),
            "is_same" | "is_same_v" if templates.len() == 2 => {
                let types: Vec<_> = templates
                    .iter()
                    .map(|template| match self.template_binding(template) {
                        Some(super::Binding::Type(ty)) => Some(ty),
                        _ => None,
                    })
                    .collect();
                let same = types[0].is_some() && types[0] == types[1];
                self.whole(i64::from(same), Scalar::Bool)
            }
            "sincosf" | "sincos" | "__sincosf" | "sincospi" | "sincospif"
                if arguments.len() == 3 =>
            {
                self.sine_and_cosine(name, arguments, span)
            }
            "memcpy" | "memmove" | "__builtin_memcpy" => self.copy_memory(arguments, span),
            "memset" | "__builtin_memset" => self.set_memory(arguments, span),
            "swap" if arguments.len() == 2 => self.swap(&arguments[0], &arguments[1], span),
            "fma" | "fmaf" | "__fmaf_rn" | "mad" | "__mad24" | "__umad24"
                if arguments.len() == 3 =>
            {
                let values = self.values_of(arguments);
                let product = self.binary("*", &values[0], &values[1], span);
                self.binary("+", &product, &values[2], span)
            }
            "__cvta_generic_to_shared"
            | "__builtin_assume_aligned"
            | "launder"
            | "move"
            | "forward"
            | "__builtin_expect"
                if !arguments.is_empty() =>
            {
                self.values_of(arguments).swap_remove(0)
            }
            _ => self.arithmetic_function(name, arguments, span),
        }
    }

    /// A question about a type.
    fn type_trait(&mut self, name: &str, argument: &TemplateArgument) -> Value {
        let ty = match self.template_binding(argument) {
            Some(super::Binding::Type(ty)) => ty,
            Some(super::Binding::Value(_) | super::Binding::Place(_)) | None => Type::Void,
        };
        let scalar = ty.scalar();
        let is_half = scalar == Some(Scalar::F16);
        let holds = match name.strip_suffix("_v").unwrap_or(name) {
            "is_integral" => scalar.is_some_and(|one| !one.is_float()),
            "is_floating_point" => scalar.is_some_and(Scalar::is_float) && !is_half,
            "is_arithmetic" => scalar.is_some() && !is_half,
            "is_pointer" => matches!(ty, Type::Pointer(_)),
            "is_signed" => scalar.is_some_and(Scalar::is_signed) && !is_half,
            "is_unsigned" => scalar.is_some_and(|one| !one.is_signed() && !one.is_float()),
            "is_class" => matches!(ty, Type::Struct(_)) || is_half,
            "is_scalar" => scalar.is_some() && !is_half || matches!(ty, Type::Pointer(_)),
            "is_void" => ty == Type::Void,
            _ => matches!(ty, Type::Array(..)),
        };
        self.whole(i64::from(holds), Scalar::Bool)
    }

    /// The place that a pointer points to.
    fn pointed(&mut self, pointer: &Expr) -> Option<Place> {
        let kind = ExprKind::Prefix("*", Box::new(pointer.clone()));
        self.place(&Expr {
            kind,
            ..pointer.clone()
        })
    }

    /// Marks values as used by what is not understood: a compiler keeps the loads that they come from.
    pub(super) fn use_all(&mut self, values: &[Value]) {
        for reg in values.iter().flat_map(|value| &value.regs) {
            self.escape(*reg);
        }
    }

    /// A value goes where it is not followed.
    pub(super) fn escape(&mut self, reg: Reg) {
        let ty = self.own_type(reg);
        let src = vec![self.operand_of(reg, ty)];
        self.emit(Op::Escape { src });
    }

    /// What is left out still takes the values that it is given; `printf` is a real call, which
    /// may change memory for all that the compiler knows.
    fn leave_out(&mut self, name: &str, values: &[Value], span: Span) {
        if !matches!(name, "printf" | "assert") {
            return;
        }
        self.use_all(values);
        if name == "printf" {
            self.emit(Op::Fence);
            let what = Construct::code("printf");
            self.say(span, DiagnosticKind::LeftOut { what });
        }
    }

    fn unknown_function(&mut self, name: &str, span: Span) {
        let at = Span {
            start: span.start,
            end: span
                .start
                .saturating_add(u32::try_from(name.len()).unwrap_or(0))
                .min(span.end),
        };
        let own = self.functions.keys().map(|function| &**function);
        let known = own.chain(intrinsic_names().map(|one| -> &str { one }));
        self.sink.unknown(at, name, known, |name, suggestion| {
            DiagnosticKind::UnknownFunction { name, suggestion }
        });
    }

    pub(super) fn values_of(&mut self, arguments: &[Expr]) -> Vec<Value> {
        arguments
            .iter()
            .map(|argument| self.value(argument))
            .collect()
    }

    pub(super) fn count(
        &mut self,
        name: &str,
        expected: usize,
        arguments: &[Expr],
        span: Span,
    ) -> bool {
        if arguments.len() == expected {
            return true;
        }
        self.values_of(arguments);
        let (expected, found) = (expected as u64, arguments.len() as u64);
        self.say(
            span,
            DiagnosticKind::ArgumentCount {
                name: name.to_owned(),
                expected,
                found,
            },
        );
        false
    }

    pub(super) fn barrier(&mut self, span: Span) -> Value {
        self.stand_at(span);
        self.emit(Op::Barrier {
            id: Operand::Constant(0),
            threads: None,
            arrive: false,
        });
        self.stand_nowhere();
        Value::void()
    }

    fn load_function(&mut self, arguments: &[Expr], span: Span, read_only: bool) -> Value {
        let Some(pointer) = arguments.first().map(|one| self.value(one)) else {
            return self.nothing();
        };
        let Some(mut memory) = self.pointee(&pointer, span) else {
            return self.nothing();
        };
        memory.read_only |= read_only;
        self.load(&memory, span)
    }

    fn store_function(&mut self, arguments: &[Expr], span: Span) -> Value {
        let [to, what] = arguments else {
            return self.nothing();
        };
        let (pointer, value) = (self.value(to), self.value(what));
        if let Some(memory) = self.pointee(&pointer, span) {
            let value = self.convert(value, &memory.ty.clone(), span);
            self.store(&memory, &value, span);
        }
        Value::void()
    }

    /// What a pointer points to, as a place.
    pub(super) fn pointee(&mut self, pointer: &Value, span: Span) -> Option<Memory> {
        let Type::Pointer(ty) = &pointer.ty else {
            let found = pointer.ty.shown();
            self.say(span, DiagnosticKind::NotAPointer { found });
            return None;
        };
        Some(through(ty, pointer.regs[0]))
    }

    /// Whether a pointer points to shared, or to global memory.
    fn is_in_space(&mut self, shared: bool, pointer: &Expr, span: Span) -> Value {
        let pointer = self.value(pointer);
        let Some(memory) = self.pointee(&pointer, span) else {
            return self.nothing();
        };
        let is_local = matches!(memory.target, Target::Local(_));
        let is_shared = self.space_of(&memory) == Space::Shared;
        let known = matches!(memory.target, Target::Array(_) | Target::Within(_)) || is_local;
        if !known {
            return self.opaque(&Type::INT, &[pointer]);
        }
        let is = if shared { is_shared } else { !is_shared };
        self.whole(i64::from(is && !is_local), Scalar::I32)
    }

    fn swap(&mut self, a: &Expr, b: &Expr, span: Span) -> Value {
        if let (Some(x), Some(y)) = (self.place(a), self.place(b)) {
            let (first, second) = (self.read(&x, a.span), self.read(&y, b.span));
            let first = self.copied(&first);
            let second = self.convert(second, &x.of().clone(), span);
            self.assign(&x, &second, a.span);
            self.assign(&y, &first, b.span);
        }
        Value::void()
    }
}

/// Whether the language brings a function of this name with it.
pub(super) fn is_intrinsic(name: &str) -> bool {
    intrinsic_names().any(|one| *one == *name)
        || name
            .strip_prefix("make_")
            .and_then(Struct::vector)
            .is_some()
        || RECASTS.iter().any(|(known, ..)| *known == name)
        || name
            .strip_suffix('f')
            .is_some_and(|name| super::reals::names().any(|one| one == name))
}

fn intrinsic_names() -> impl Iterator<Item = &'static str> {
    let listed = UNARY
        .iter()
        .map(|one| one.0)
        .chain(BINARY.iter().map(|one| one.0))
        .chain(atomics::ATOMICS.iter().map(|one| one.0));
    let rest = [
        "__syncthreads",
        "__syncwarp",
        "__shfl_sync",
        "__shfl_down_sync",
        "__shfl_up_sync",
        "__shfl_xor_sync",
        "__ldg",
        "__ballot_sync",
        "make_float4",
        "make_float2",
    ];
    listed
        .chain(warp_ops::REDUCES.iter().map(|one| one.0))
        .chain(CLOCKS)
        .chain(DEPENDENCIES)
        .chain(super::reals::names())
        .chain(rest)
}
