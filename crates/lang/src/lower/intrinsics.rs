//! Functions that the language brings with it.

use super::places::cell;
use super::{Lower, Memory, Place, Value};
use crate::Span;
use crate::code::{Binary, Exchange, Inst, Preset, Reg, Rmw, Unary};
use crate::ctype::{Struct, Target, Type};
use crate::diagnostic::DiagnosticKind;
use crate::scalar::Scalar;
use crate::syntax::{Expr, ExprKind, TemplateArgument};
use lanescope_model::{Operation, Space, Width};
use std::rc::Rc;

/// Functions of one operand, with their operator; those of floats have several names.
const UNARY: [(&str, Unary); 42] = [
    ("abs", Unary::Abs),
    ("labs", Unary::Abs),
    ("fabs", Unary::Abs),
    ("fabsf", Unary::Abs),
    ("__popc", Unary::PopCount),
    ("__popcll", Unary::PopCount),
    ("__clz", Unary::LeadingZeros),
    ("__clzll", Unary::LeadingZeros),
    ("__ffs", Unary::FindFirst),
    ("__ffsll", Unary::FindFirst),
    ("__brev", Unary::ReverseBits),
    ("__brevll", Unary::ReverseBits),
    ("floor", Unary::Floor),
    ("floorf", Unary::Floor),
    ("ceil", Unary::Ceil),
    ("ceilf", Unary::Ceil),
    ("round", Unary::Round),
    ("roundf", Unary::Round),
    ("rintf", Unary::Round),
    ("trunc", Unary::Truncate),
    ("truncf", Unary::Truncate),
    ("sqrt", Unary::Sqrt),
    ("sqrtf", Unary::Sqrt),
    ("exp", Unary::Exp),
    ("expf", Unary::Exp),
    ("__expf", Unary::Exp),
    ("log", Unary::Log),
    ("logf", Unary::Log),
    ("__logf", Unary::Log),
    ("log2", Unary::Log2),
    ("log2f", Unary::Log2),
    ("__log2f", Unary::Log2),
    ("exp2", Unary::Exp2),
    ("exp2f", Unary::Exp2),
    ("sin", Unary::Sin),
    ("sinf", Unary::Sin),
    ("__sinf", Unary::Sin),
    ("cos", Unary::Cos),
    ("cosf", Unary::Cos),
    ("__cosf", Unary::Cos),
    ("rint", Unary::Round),
    ("nearbyintf", Unary::Round),
];

const BINARY: [(&str, Binary); 14] = [
    ("min", Binary::Minimum),
    ("max", Binary::Maximum),
    ("umin", Binary::Minimum),
    ("umax", Binary::Maximum),
    ("fmin", Binary::Minimum),
    ("fmax", Binary::Maximum),
    ("fminf", Binary::Minimum),
    ("fmaxf", Binary::Maximum),
    ("pow", Binary::Power),
    ("powf", Binary::Power),
    ("fmod", Binary::Remainder),
    ("fmodf", Binary::Remainder),
    ("__mul24", Binary::Multiply),
    ("__umul24", Binary::Multiply),
];

const ATOMICS: [(&str, Rmw); 11] = [
    ("atomicAdd", Rmw::Add),
    ("atomicSub", Rmw::Subtract),
    ("atomicExch", Rmw::Exchange),
    ("atomicMin", Rmw::Minimum),
    ("atomicMax", Rmw::Maximum),
    ("atomicAnd", Rmw::And),
    ("atomicOr", Rmw::Or),
    ("atomicXor", Rmw::Xor),
    ("atomicInc", Rmw::Increment),
    ("atomicDec", Rmw::Decrement),
    ("atomicCAS", Rmw::CompareAndSwap),
];

const EXCHANGES: [(&str, Exchange); 10] = [
    ("__shfl", Exchange::Index),
    ("__shfl_up", Exchange::Up),
    ("__shfl_down", Exchange::Down),
    ("__shfl_xor", Exchange::Xor),
    ("__ballot", Exchange::Ballot),
    ("__any", Exchange::Any),
    ("__all", Exchange::All),
    ("__activemask", Exchange::Active),
    ("__match_any", Exchange::Match),
    ("__match_all", Exchange::Match),
];

const REDUCES: [(&str, Exchange); 6] = [
    ("__reduce_add_sync", Exchange::ReduceAdd),
    ("__reduce_min_sync", Exchange::ReduceMinimum),
    ("__reduce_max_sync", Exchange::ReduceMaximum),
    ("__reduce_and_sync", Exchange::ReduceAnd),
    ("__reduce_or_sync", Exchange::ReduceOr),
    ("__reduce_xor_sync", Exchange::ReduceXor),
];

/// WGSL's operations of a subgroup that CUDA has no name for.
const SUBGROUP: [(&str, Exchange); 5] = [
    ("subgroupMul", Exchange::ReduceMultiply),
    ("subgroupInclusiveAdd", Exchange::ScanAdd),
    ("subgroupInclusiveMul", Exchange::ScanMultiply),
    ("subgroupExclusiveAdd", Exchange::BeforeAdd),
    ("subgroupExclusiveMul", Exchange::BeforeMultiply),
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

/// Functions of floats whose value no address needs: their operands are computed, their value is 0.
const OPAQUE: [&str; 28] = [
    "tan",
    "tanf",
    "tanh",
    "tanhf",
    "asin",
    "acos",
    "atan",
    "atan2",
    "atan2f",
    "atanf",
    "log10f",
    "rsqrtf",
    "rsqrt",
    "__frcp_rn",
    "erff",
    "erf",
    "cbrtf",
    "hypotf",
    "clock",
    "clock64",
    "__saturatef",
    "isnan",
    "isinf",
    "copysignf",
    "__frsqrt_rn",
    "exp10f",
    "sinhf",
    "coshf",
];

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
        let plain = name.rsplit("::").next().unwrap_or(name);
        if let Some((_, op)) = UNARY.iter().find(|(known, _)| *known == plain) {
            return self.unary_function(plain, *op, arguments, span);
        }
        if let Some((_, op)) = BINARY.iter().find(|(known, _)| *known == plain) {
            return self.binary_function(plain, *op, arguments, span);
        }
        if let Some((_, rmw)) = ATOMICS.iter().find(|(known, _)| {
            plain
                .strip_suffix("_block")
                .or_else(|| plain.strip_suffix("_system"))
                .unwrap_or(plain)
                == *known
        }) {
            return self.atomic(*rmw, arguments, span);
        }
        let exchange = plain.strip_suffix("_sync").unwrap_or(plain);
        if let Some((_, found)) = EXCHANGES.iter().find(|(known, _)| *known == exchange) {
            return self.exchange(*found, plain.ends_with("_sync"), arguments, span);
        }
        if let Some((_, found)) = REDUCES.iter().find(|(known, _)| *known == plain) {
            return self.exchange(*found, true, arguments, span);
        }
        if let Some((_, found)) = SUBGROUP.iter().find(|(known, _)| *known == plain) {
            return self.exchange(*found, false, arguments, span);
        }
        if let Some((_, from, to)) = RECASTS.iter().find(|(known, ..)| *known == plain) {
            return self.recast(*from, *to, arguments, span);
        }
        if let Some(vector) = plain.strip_prefix("make_").and_then(Struct::vector) {
            let values = arguments.iter().map(|one| self.value(one)).collect();
            return self.fields_of(&Type::Struct(Rc::new(vector)), values, span);
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
            "__syncwarp" | "__threadfence" | "__threadfence_block" | "__threadfence_system" => {
                self.values_of(arguments);
                self.emit(Inst::Fence);
                Value::void()
            }
            "sync" => {
                // `cg::sync(group)`.
                let group = arguments.first().map(|one| self.value(one));
                self.group_sync(group.as_ref(), span)
            }
            "this_thread_block" | "this_grid" | "coalesced_threads" => self.group(0),
            "this_thread" => self.group(1),
            "tiled_partition" => {
                self.values_of(arguments);
                let lanes = match templates.first() {
                    Some(TemplateArgument::Value(value)) => self.fold(value),
                    _ => arguments.get(1).and_then(|one| self.fold(one)),
                };
                self.group(
                    lanes
                        .and_then(|lanes| u32::try_from(lanes).ok())
                        .unwrap_or(32),
                )
            }
            "__ldg" | "__ldcs" | "__ldca" | "__ldcg" | "__ldlu" | "__ldcv" => {
                self.load_function(arguments, span, name == "__ldg")
            }
            "__stcs" | "__stcg" | "__stwb" | "__stwt" => self.store_function(arguments, span),
            "reduce" | "inclusive_scan" | "exclusive_scan" if arguments.len() >= 2 => {
                let values = self.values_of(arguments);
                self.group_function(name, &values, span)
            }
            _ if name.starts_with("__pipeline_") || name == "memcpy_async" => {
                self.values_of(arguments);
                let what = "an asynchronous copy".to_owned();
                self.say(span, DiagnosticKind::Unsupported { what });
                Value::void()
            }
            "is_same" | "is_same_v" if templates.len() == 2 => {
                let types: Vec<_> = templates
                    .iter()
                    .map(|one| match self.template_binding(one) {
                        Some(super::Binding::Type(of)) => Some(of),
                        _ => None,
                    })
                    .collect();
                let same = types[0].is_some() && types[0] == types[1];
                self.whole(i64::from(same), Scalar::Bool)
            }
            "arrayLength" if arguments.len() == 1 => self.array_length(&arguments[0]),
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

    /// Conversions between scalars by name, what is ignored, and what is unknown.
    pub(super) fn conversion(&mut self, name: &str, arguments: &[Expr], span: Span) -> Value {
        let values = self.values_of(arguments);
        if let Some(value) = self.rounded(name, &values, span) {
            return value;
        }
        let to = match name {
            "__int2float_rn" | "__uint2float_rn" | "__half2float" | "__bfloat162float" => {
                Some(Scalar::F32)
            }
            "__float2half" | "__float2half_rn" | "__float2bfloat16" | "__int2half_rn" => {
                Some(Scalar::F16)
            }
            _ => None,
        };
        if let (Some(to), Some(value)) = (to, values.first()) {
            return self.convert(value.clone(), &Type::Scalar(to), span);
        }
        if OPAQUE.contains(&name) {
            return self.whole(0, Scalar::F32);
        }
        if IGNORED.contains(&name) {
            self.leave_out(name, &values, span);
            return self.nothing();
        }
        self.unknown_function(name, span);
        self.nothing()
    }

    /// Conversions of floats to whole numbers, which say how they round.
    fn rounded(&mut self, name: &str, values: &[Value], span: Span) -> Option<Value> {
        let op = match name.rsplit('_').next()? {
            _ if matches!(name, "lroundf" | "lround" | "lrintf" | "lrint") => Some(Unary::Round),
            "rn" => Some(Unary::Round),
            "rd" => Some(Unary::Floor),
            "ru" => Some(Unary::Ceil),
            "rz" => None,
            _ => return None,
        };
        let to = match name {
            _ if name.starts_with('l') => Scalar::I64,
            _ if name.contains("2int_") => Scalar::I32,
            _ if name.contains("2uint_") => Scalar::U32,
            _ if name.contains("2ll_") => Scalar::I64,
            _ if name.contains("2ull_") => Scalar::U64,
            _ => return None,
        };
        let (from, reg) = self.scalar(values.first()?, span);
        let (from, reg) = match op {
            Some(op) if from.is_float() => (from, self.unary_reg(op, from, reg)),
            _ => (from, reg),
        };
        Some(Value::scalar(to, self.convert_reg(reg, from, to)))
    }

    /// What is left out still takes the values that it is given; `printf` is a real call, which
    /// may change memory for all that the compiler knows.
    fn leave_out(&mut self, name: &str, values: &[Value], span: Span) {
        if !matches!(name, "printf" | "assert") {
            return;
        }
        for src in values.iter().flat_map(|value| &value.regs) {
            self.emit(Inst::Use { src: *src });
        }
        if name == "printf" {
            self.emit(Inst::Fence);
            let what = "`printf`".to_owned();
            self.say(span, DiagnosticKind::Ignored { what });
        }
    }

    /// A value's bits as another type's.
    fn recast(&mut self, from: Scalar, to: Scalar, arguments: &[Expr], span: Span) -> Value {
        let Some(value) = self.values_of(arguments).into_iter().next() else {
            return self.nothing();
        };
        let value = self.convert(value, &Type::Scalar(from), span);
        let reg = if from.is_float() {
            let raw = self.unary_reg(Unary::ToBits, from, value.regs[0]);
            self.convert_reg(raw, Scalar::I64, to)
        } else {
            self.unary_reg(Unary::FromBits, to, value.regs[0])
        };
        Value::scalar(to, reg)
    }

    fn unknown_function(&mut self, name: &str, span: Span) {
        let at = Span {
            start: span.start,
            end: span
                .start
                .saturating_add(u32::try_from(name.len()).unwrap_or(0))
                .min(span.end),
        };
        let own = self.functions.keys().map(|one| &**one);
        let known = own.chain(intrinsic_names().map(|one| -> &str { one }));
        self.sink.unknown(at, name, known, |name, suggestion| {
            DiagnosticKind::UnknownFunction { name, suggestion }
        });
    }

    fn values_of(&mut self, arguments: &[Expr]) -> Vec<Value> {
        arguments.iter().map(|one| self.value(one)).collect()
    }

    fn count(&mut self, name: &str, expected: usize, arguments: &[Expr], span: Span) -> bool {
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

    fn unary_function(&mut self, name: &str, op: Unary, arguments: &[Expr], span: Span) -> Value {
        if !self.count(name, 1, arguments, span) {
            return self.nothing();
        }
        let value = self.value(&arguments[0]);
        let (from, reg) = self.scalar(&value, span);
        let (scalar, result) = match op {
            Unary::PopCount | Unary::LeadingZeros | Unary::FindFirst => (
                if name.ends_with("ll") {
                    Scalar::U64
                } else {
                    Scalar::U32
                },
                Some(Scalar::I32),
            ),
            Unary::ReverseBits => (
                if name.ends_with("ll") {
                    Scalar::U64
                } else {
                    Scalar::U32
                },
                None,
            ),
            Unary::Abs if !name.starts_with('f') => (from.promoted(), None),
            _ => (
                if name.ends_with('f') || from == Scalar::F32 {
                    Scalar::F32
                } else {
                    Scalar::F64
                },
                None,
            ),
        };
        let reg = self.convert_reg(reg, from, scalar);
        let reg = self.unary_reg(op, scalar, reg);
        Value::scalar(result.unwrap_or(scalar), reg)
    }

    fn binary_function(&mut self, name: &str, op: Binary, arguments: &[Expr], span: Span) -> Value {
        if !self.count(name, 2, arguments, span) {
            return self.nothing();
        }
        let (a, b) = (self.value(&arguments[0]), self.value(&arguments[1]));
        let (x, a) = self.scalar(&a, span);
        let (y, b) = self.scalar(&b, span);
        let common = match op {
            Binary::Power => x.common(y).common(Scalar::F32),
            Binary::Remainder => x.common(y).common(Scalar::F32),
            _ if name.starts_with('f') => x.common(y).common(Scalar::F32),
            _ => x.common(y),
        };
        let (a, b) = (
            self.convert_reg(a, x, common),
            self.convert_reg(b, y, common),
        );
        let reg = self.binary_reg(op, common, a, b);
        Value::scalar(common, reg)
    }

    fn barrier(&mut self, span: Span) -> Value {
        self.emit(Inst::Barrier { span });
        Value::void()
    }

    fn group(&mut self, lanes: u32) -> Value {
        let zero = self.constant(0);
        Value {
            of: Type::Group { lanes },
            regs: vec![zero],
        }
    }

    fn group_sync(&mut self, group: Option<&Value>, span: Span) -> Value {
        match group.map(|value| &value.of) {
            Some(Type::Group { lanes }) if *lanes > 0 => {
                self.emit(Inst::Fence);
                Value::void()
            }
            _ => self.barrier(span),
        }
    }

    /// `group.sync()`, `tile.shfl_down(v, 1)`, `tidx.barrier.wait()` and their kin.
    pub(super) fn method(&mut self, callee: &Expr, arguments: &[Expr], span: Span) -> Value {
        let ExprKind::Member(object, method) = &callee.kind else {
            self.values_of(arguments);
            if callee.kind != ExprKind::Missing {
                self.say(
                    span,
                    DiagnosticKind::Unsupported {
                        what: "a call of this kind".to_owned(),
                    },
                );
            }
            return self.nothing();
        };
        if let ExprKind::Member(_, field) = &object.kind
            && &**field == "barrier"
        {
            self.values_of(arguments);
            return if method.starts_with("wait") {
                self.barrier(span)
            } else {
                Value::void()
            };
        }
        let group = if self.is_builtin(object) {
            self.group(0)
        } else {
            self.value(object)
        };
        let Type::Group { lanes } = group.of else {
            self.values_of(arguments);
            self.say(
                span,
                DiagnosticKind::Unsupported {
                    what: format!("the member function `{method}`"),
                },
            );
            return self.nothing();
        };
        self.group_method(lanes, method, arguments, span)
    }

    fn group_method(&mut self, lanes: u32, method: &str, arguments: &[Expr], span: Span) -> Value {
        let found = match method {
            "sync" => {
                return self.group_sync(
                    Some(&Value {
                        of: Type::Group { lanes },
                        regs: Vec::new(),
                    }),
                    span,
                );
            }
            "thread_rank" => return self.thread_rank(lanes),
            "size" | "num_threads" => return self.group_size(lanes),
            "meta_group_rank" => {
                let rank = self.preset(Preset::ThreadRank);
                return self.tiles(rank, lanes);
            }
            "meta_group_size" => {
                let threads = self.group_size(0);
                let most = self.constant(i64::from(lanes.max(1)) - 1);
                let up = self.binary_reg(Binary::Add, Scalar::U32, threads.regs[0], most);
                return self.tiles(up, lanes);
            }
            "thread_index" => return self.whole_builtin("threadIdx", span),
            "group_index" => return self.whole_builtin("blockIdx", span),
            "dim_threads" => return self.whole_builtin("blockDim", span),
            "shfl" => Exchange::Index,
            "shfl_up" => Exchange::Up,
            "shfl_down" => Exchange::Down,
            "shfl_xor" => Exchange::Xor,
            "ballot" => Exchange::Ballot,
            "any" => Exchange::Any,
            "all" => Exchange::All,
            "match_any" => Exchange::Match,
            _ => {
                self.values_of(arguments);
                self.say(
                    span,
                    DiagnosticKind::Unsupported {
                        what: format!("the member function `{method}`"),
                    },
                );
                return self.nothing();
            }
        };
        let values = self.values_of(arguments);
        let width = self.constant(i64::from(if lanes == 0 { 32 } else { lanes }));
        self.exchanged(found, &values, Some(width), span)
    }

    /// So many threads in whole tiles.
    fn tiles(&mut self, threads: Reg, lanes: u32) -> Value {
        let size = self.constant(i64::from(lanes.max(1)));
        let reg = self.binary_reg(Binary::Divide, Scalar::U32, threads, size);
        Value::scalar(Scalar::U32, reg)
    }

    fn whole_builtin(&mut self, name: &str, span: Span) -> Value {
        match self.builtin_name(name, span) {
            Some(value) => value,
            None => self.nothing(),
        }
    }

    /// `cg::reduce(group, value, op)` and the scans of a group.
    pub(super) fn group_function(&mut self, name: &str, values: &[Value], span: Span) -> Value {
        let lanes = match values.first().map(|group| &group.of) {
            Some(Type::Group { lanes }) if *lanes > 0 => *lanes,
            _ => 32,
        };
        let op = match values.get(2).map(|op| &op.of) {
            Some(Type::Struct(of)) => of.name.rsplit("::").next().unwrap_or("").to_owned(),
            _ => "plus".to_owned(),
        };
        let exchange = match (name, &op[..]) {
            ("inclusive_scan", _) => Exchange::ScanAdd,
            ("exclusive_scan", _) => Exchange::BeforeAdd,
            (_, "less") => Exchange::ReduceMinimum,
            (_, "greater") => Exchange::ReduceMaximum,
            (_, "bit_and") => Exchange::ReduceAnd,
            (_, "bit_or") => Exchange::ReduceOr,
            (_, "bit_xor") => Exchange::ReduceXor,
            _ => Exchange::ReduceAdd,
        };
        let width = self.constant(i64::from(lanes));
        match values.get(1) {
            Some(value) => self.exchanged(exchange, std::slice::from_ref(value), Some(width), span),
            None => self.nothing(),
        }
    }

    fn thread_rank(&mut self, lanes: u32) -> Value {
        let rank = self.preset(Preset::ThreadRank);
        if lanes == 0 {
            return Value::scalar(Scalar::U32, rank);
        }
        let size = self.constant(i64::from(lanes));
        let reg = self.binary_reg(Binary::Remainder, Scalar::U32, rank, size);
        Value::scalar(Scalar::U32, reg)
    }

    fn group_size(&mut self, lanes: u32) -> Value {
        if lanes > 0 {
            return self.whole(i64::from(lanes), Scalar::U32);
        }
        let sides: Vec<Reg> = (0..3)
            .map(|axis| self.preset(Preset::BlockDim(axis)))
            .collect();
        let plane = self.binary_reg(Binary::Multiply, Scalar::U32, sides[0], sides[1]);
        let reg = self.binary_reg(Binary::Multiply, Scalar::U32, plane, sides[2]);
        Value::scalar(Scalar::U32, reg)
    }

    fn exchange(
        &mut self,
        exchange: Exchange,
        masked: bool,
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        let mut values = self.values_of(arguments);
        if masked && !values.is_empty() {
            values.remove(0);
        }
        self.exchanged(exchange, &values, None, span)
    }

    fn exchanged(
        &mut self,
        exchange: Exchange,
        values: &[Value],
        width: Option<Reg>,
        span: Span,
    ) -> Value {
        let zero = self.constant(0);
        let Some(value) = values.first() else {
            let dst = self.temp();
            self.emit(Inst::Exchange {
                exchange,
                scalar: Scalar::U32,
                dst,
                a: zero,
                b: zero,
                width: zero,
            });
            return Value::scalar(Scalar::U32, dst);
        };
        if let Type::Struct(_) = value.of {
            return self.exchanged_fields(exchange, values, width, span);
        }
        let (scalar, a) = self.scalar(value, span);
        let b = values
            .get(1)
            .map_or(zero, |by| by.regs.first().copied().unwrap_or(zero));
        let width = match (width, values.get(2)) {
            (Some(width), _) => width,
            (None, Some(width)) => width.regs.first().copied().unwrap_or(zero),
            (None, None) => self.preset(Preset::WarpLanes),
        };
        let dst = self.temp();
        self.emit(Inst::Exchange {
            exchange,
            scalar,
            dst,
            a,
            b,
            width,
        });
        let of = match exchange {
            Exchange::Ballot | Exchange::Active | Exchange::Match => Scalar::U32,
            Exchange::Any | Exchange::All => Scalar::I32,
            _ => scalar,
        };
        Value::scalar(of, dst)
    }

    /// A value of several numbers is exchanged number by number.
    fn exchanged_fields(
        &mut self,
        exchange: Exchange,
        values: &[Value],
        width: Option<Reg>,
        span: Span,
    ) -> Value {
        let of = values[0].of.clone();
        let leaves = of.leaves();
        let regs = leaves
            .iter()
            .zip(&values[0].regs)
            .map(|(leaf, reg)| {
                let mut each = values.to_vec();
                each[0] = Value::scalar(super::resolve::scalar_or_int(&leaf.of), *reg);
                let value = self.exchanged(exchange, &each, width, span);
                value.regs.first().copied().unwrap_or(*reg)
            })
            .collect();
        Value { of, regs }
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
            let value = self.convert(value, &memory.of.clone(), span);
            self.store(&memory, &value, span);
        }
        Value::void()
    }

    /// What a pointer points to, as a place.
    fn pointee(&mut self, pointer: &Value, span: Span) -> Option<Memory> {
        let Type::Pointer(of) = &pointer.of else {
            let found = pointer.of.shown();
            self.say(span, DiagnosticKind::NotAPointer { found });
            return None;
        };
        Some(Memory {
            of: of.to.clone(),
            address: pointer.regs[0],
            offset: 0,
            target: of.target,
            volatile: of.volatile,
            read_only: of.read_only,
            bounds: Vec::new(),
            dimension: 0,
        })
    }

    /// The elements of a buffer that the launch counts.
    fn array_length(&mut self, array: &Expr) -> Value {
        let target = match self.place(array) {
            Some(Place::Memory(memory)) => memory.target,
            Some(Place::Registers(Value {
                of: Type::Pointer(of),
                ..
            })) => of.target,
            _ => return self.nothing(),
        };
        match target {
            Target::Array(id) => {
                let reg = self.preset(Preset::Elements(id));
                Value::scalar(Scalar::U32, reg)
            }
            _ => self.nothing(),
        }
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

    fn atomic(&mut self, rmw: Rmw, arguments: &[Expr], span: Span) -> Value {
        let expected = if rmw == Rmw::CompareAndSwap { 3 } else { 2 };
        if !self.count("an atomic", expected, arguments, span) {
            return self.nothing();
        }
        let place = match &arguments[0].kind {
            ExprKind::Prefix("&", inner) => self.place(inner),
            _ => {
                let pointer = self.value(&arguments[0]);
                self.pointee(&pointer, span).map(Place::Memory)
            }
        };
        let Some(Place::Memory(memory)) = place else {
            return self.nothing();
        };
        let of = memory.of.clone();
        let mut operands: Vec<Reg> = Vec::new();
        for one in &arguments[1..] {
            let value = self.value(one);
            let value = self.convert(value, &of, one.span);
            operands.extend(value.regs.first().copied());
        }
        let a = operands.first().copied().unwrap_or(0);
        let b = operands.get(1).copied().unwrap_or(a);
        let dst = self.temp();
        let unused = self.discarded == Some(span);
        let by_one = rmw == Rmw::Add && self.known(a) == Some(1);
        let operation = match of.scalar() {
            Some(Scalar::I32 | Scalar::U32) if unused && by_one => Operation::Increment,
            // What the hardware has no instruction for is a loop of compare and swap.
            _ if rmw == Rmw::CompareAndSwap || self.swaps(&memory, rmw) => {
                Operation::CompareAndSwap
            }
            _ if unused => Operation::Reduction,
            _ => Operation::Atomic,
        };
        self.atomic_request(&memory, rmw, operation, span);
        self.emit(Inst::Atomic {
            rmw,
            dst,
            a,
            b,
            cell: cell(&memory, 0, &of),
        });
        let scalar = super::resolve::scalar_or_int(&of);
        Value::scalar(scalar, dst)
    }

    /// Whether the hardware has no instruction for `rmw` on such values of shared memory.
    fn swaps(&self, memory: &Memory, rmw: Rmw) -> bool {
        let is_float = memory.of.scalar().is_some_and(Scalar::is_float);
        self.space_of(memory) == Space::Shared
            && (is_float || memory.of.bytes() == 8)
            && !matches!(rmw, Rmw::Exchange | Rmw::CompareAndSwap)
    }

    fn atomic_request(&mut self, memory: &Memory, rmw: Rmw, operation: Operation, span: Span) {
        if matches!(memory.target, Target::Local(_)) {
            return;
        }
        self.check(memory, span);
        let Some(width) = Width::from_bytes(memory.of.bytes()) else {
            return;
        };
        let site = self.site(span, memory, operation, width);
        if self.swaps(memory, rmw) {
            self.say(span, DiagnosticKind::CompareAndSwapLoop);
        }
        let (address, offset) = self.reachable(memory.address, memory.offset);
        self.emit(Inst::Request {
            site,
            address,
            offset,
        });
    }
}

fn intrinsic_names() -> impl Iterator<Item = &'static str> {
    let listed = UNARY
        .iter()
        .map(|one| one.0)
        .chain(BINARY.iter().map(|one| one.0))
        .chain(ATOMICS.iter().map(|one| one.0));
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
        .chain(REDUCES.iter().map(|one| one.0))
        .chain(OPAQUE)
        .chain(rest)
}
