//! A program as bytes, to carry it from one WASM module to another of the same build.
//!
//! The bytes mean something only to the version that wrote them: they are never kept or linked.

use crate::code::{Binary, Cell, Code, Exchange, Inst, Preset, Rmw, Unary};
use crate::program::{Array, Parameter, Program, Site};
use crate::scalar::Scalar;
use crate::{ArrayId, Diagnostic, DiagnosticKind, Lines, Parsed, SiteId, Span};
use lanescope_model::{Operation, Space, Width};

/// What is written and read in the same order.
trait Carried: Sized {
    fn put(&self, out: &mut Vec<u8>);
    fn take(input: &mut &[u8]) -> Option<Self>;
}

macro_rules! numbers {
    ($($type:ty),*) => { $(
        impl Carried for $type {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn take(input: &mut &[u8]) -> Option<Self> {
                let (first, rest) = input.split_first_chunk()?;
                *input = rest;
                Some(Self::from_le_bytes(*first))
            }
        }
    )* };
}

numbers!(u8, u16, u32, u64, i32, i64);

macro_rules! structures {
    ($($name:ident { $($field:tt),* })*) => { $(
        impl Carried for $name {
            fn put(&self, out: &mut Vec<u8>) {
                $( self.$field.put(out); )*
            }
            fn take(input: &mut &[u8]) -> Option<Self> {
                Some(Self { $( $field: Carried::take(input)? ),* })
            }
        }
    )* };
}

/// Each variant by its place in the list; one that is not listed becomes the first.
macro_rules! choices {
    ($($name:ident { $($variant:ident $({ $($field:tt : $bound:ident),* })?),* $(,)? })*) => { $(
        impl Carried for $name {
            fn put(&self, out: &mut Vec<u8>) {
                let mut at = 0_u8;
                $(
                    if let Self::$variant { $( $($field: $bound,)* )? .. } = self {
                        out.push(at);
                        $( $( $bound.put(out); )* )?
                        return;
                    }
                    at += 1;
                )*
                let _ = at;
                out.push(0);
            }
            fn take(input: &mut &[u8]) -> Option<Self> {
                let found = u8::take(input)?;
                let mut at = 0_u8;
                $(
                    if found == at {
                        return Some(Self::$variant { $( $( $field: Carried::take(input)?, )* )? });
                    }
                    at += 1;
                )*
                let _ = at;
                None
            }
        }
    )* };
}

impl Carried for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        u8::take(input).map(|byte| byte != 0)
    }
}

impl<T: Carried> Carried for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        u32::try_from(self.len()).unwrap_or(u32::MAX).put(out);
        self.iter().for_each(|one| one.put(out));
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        let count = u32::take(input)?;
        (0..count).map(|_| T::take(input)).collect()
    }
}

impl Carried for String {
    fn put(&self, out: &mut Vec<u8>) {
        u32::try_from(self.len()).unwrap_or(u32::MAX).put(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        let count = u32::take(input)? as usize;
        let (text, rest) = input.split_at_checked(count)?;
        *input = rest;
        Self::from_utf8(text.to_vec()).ok()
    }
}

impl<T: Carried> Carried for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        self.iter().for_each(|one| one.put(out));
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        if bool::take(input)? {
            T::take(input).map(Some)
        } else {
            Some(None)
        }
    }
}

impl<A: Carried, B: Carried> Carried for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        Some((A::take(input)?, B::take(input)?))
    }
}

impl Carried for [u32; 3] {
    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|one| one.put(out));
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        Some([u32::take(input)?, u32::take(input)?, u32::take(input)?])
    }
}

structures! {
    Span { start, end }
    SiteId { 0 }
    ArrayId { 0 }
    Site {
        span, line, column, array, space, operation, width, volatile, read_only, merged_into,
        depends_on, is_float, warp_aggregated
    }
    Array {
        name, span, line, column, space, element, element_bytes, header_bytes, extents, bytes,
        restrict, base
    }
    Parameter { name, span, line, column, of, array }
    Cell { address, offset, scalar, array, local }
    Code { insts, presets, registers, passing, slots, local_bytes }
    Lines { starts }
    Parsed { program, diagnostics }
}

choices! {
    Space { Shared, Global }
    Operation {
        Load, Store, Atomic, Reduction, Increment, MatrixLoad { matrices: a },
        MatrixStore { matrices: a },
    }
    Width { Bytes1, Bytes2, Bytes4, Bytes8, Bytes16 }
    Scalar { Bool, I8, U8, I16, U16, I32, U32, I64, U64, F16, F32, F64 }
    Unary {
        Negate, Not, Complement, Abs, PopCount, LeadingZeros, FindFirst, ReverseBits, Floor, Ceil,
        Round, Truncate, Sqrt, Exp, Log, Exp2, Log2, Sin, Cos, ToBits, FromBits,
    }
    Binary {
        Add, Subtract, Multiply, Divide, Remainder, ShiftLeft, ShiftRight, And, Or, Xor, Less,
        LessEqual, Equal, NotEqual, Minimum, Maximum, MultiplyHigh, Power,
    }
    Exchange {
        Index, Up, Down, Xor, Ballot, Any, All, Active, Match, ReduceAdd, ReduceMinimum,
        ReduceMaximum, ReduceAnd, ReduceOr, ReduceXor, ReduceMultiply, ScanAdd, ScanMultiply,
        BeforeAdd, BeforeMultiply,
    }
    Rmw {
        Add, Subtract, Exchange, Minimum, Maximum, And, Or, Xor, Increment, Decrement,
        CompareAndSwap,
    }
    Inst {
        Nothing,
        Unary { op: a, scalar: b, dst: c, a: d },
        Binary { op: a, scalar: b, dst: c, a: d, b: e },
        Convert { from: a, to: b, dst: c, a: d },
        Select { dst: a, condition: b, yes: c, no: d },
        Address { dst: a, base: b, index: c, scale: d, offset: e },
        Init { dst: a, src: b },
        Move { dst: a, src: b },
        Refresh { dst: a },
        Check { index: a, extent: b, array: c, dimension: d, span: e },
        Request { site: a, address: b, offset: c },
        Gather { site: a, address: b, offset: c, same: d },
        Issue { site: a },
        Read { dst: a, cell: b },
        Write { src: a, cell: b },
        Atomic { rmw: a, dst: b, a: c, b: d, cell: e },
        Exchange { exchange: a, scalar: b, dst: c, a: d, b: e, width: f },
        If { condition: a, otherwise: b },
        Else { end: a },
        EndIf,
        Scope,
        EndScope,
        Break { levels: a },
        Test { condition: a, exit: b },
        Loop { head: a },
        Return,
        Barrier { span: a },
        Fence,
        Use { src: a },
    }
    Preset {
        Constant { 0: a }, BlockDim { 0: a }, GridDim { 0: a }, BlockIdx { 0: a }, WarpLanes,
        ThreadIdx { 0: a }, ThreadRank, Lane, Warp, Parameter { 0: a }, Array { 0: a },
        Elements { 0: a }, Local { 0: a }, Variable { 0: a },
    }
}

impl Carried for Program {
    fn put(&self, out: &mut Vec<u8>) {
        self.name.put(out);
        self.sites.put(out);
        self.arrays.put(out);
        self.parameters.put(out);
        self.parameter_types.put(out);
        self.kernels.put(out);
        self.shared_bytes.put(out);
        self.block.put(out);
        self.lines.put(out);
        self.code.put(out);
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        Some(Self {
            name: Carried::take(input)?,
            sites: Carried::take(input)?,
            arrays: Carried::take(input)?,
            parameters: Carried::take(input)?,
            parameter_types: Carried::take(input)?,
            kernels: Carried::take(input)?,
            shared_bytes: Carried::take(input)?,
            block: Carried::take(input)?,
            lines: Carried::take(input)?,
            code: Carried::take(input)?,
            ..Self::default()
        })
    }
}

/// The kinds that have their own words on the page; what others say is carried as text.
impl Carried for Diagnostic {
    fn put(&self, out: &mut Vec<u8>) {
        (self.span, (self.line, self.column)).put(out);
        use DiagnosticKind as K;
        let (tag, number, text): (u8, u64, &str) = match &self.kind {
            K::SourceTooLong { limit } => (1, *limit, ""),
            K::TooManyTokens { limit } => (2, *limit, ""),
            K::TooDeep { limit } => (3, *limit, ""),
            K::TooLarge { limit } => (4, *limit, ""),
            K::NoKernel => (5, 0, ""),
            K::SeveralKernels { taken } => (6, 0, taken),
            K::Unsupported { what } => (7, 0, what),
            K::Ignored { what } => (8, 0, what),
            K::CompareAndSwapLoop => (9, 0, ""),
            K::DivisionByZero => (10, 0, ""),
            K::WarpAggregated => (12, 0, ""),
            K::MissingTemplateArgument { name, .. } => (11, 0, name),
            other => {
                (0_u8, (0_u64, other.to_string())).put(out);
                return;
            }
        };
        (tag, (number, text.to_owned())).put(out);
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        use DiagnosticKind as K;
        let (span, (line, column)) = Carried::take(input)?;
        let (tag, (limit, text)): (u8, (u64, String)) = Carried::take(input)?;
        let kind = match tag {
            0 => K::Wgsl { message: text },
            1 => K::SourceTooLong { limit },
            2 => K::TooManyTokens { limit },
            3 => K::TooDeep { limit },
            4 => K::TooLarge { limit },
            5 => K::NoKernel,
            6 => K::SeveralKernels { taken: text },
            7 => K::Unsupported { what: text },
            8 => K::Ignored { what: text },
            9 => K::CompareAndSwapLoop,
            10 => K::DivisionByZero,
            12 => K::WarpAggregated,
            _ => K::MissingTemplateArgument {
                name: text,
                assumed: "1".to_owned(),
            },
        };
        Some(Self {
            span,
            line,
            column,
            kind,
            mend: None,
        })
    }
}

impl Parsed {
    /// The program of a kernel and what is said of its source, as bytes that only
    /// [`Parsed::carried`] of the same build reads.
    #[must_use]
    pub fn to_carry(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put(&mut out);
        out
    }

    /// What [`Parsed::to_carry`] wrote; `None` for any other bytes.
    #[must_use]
    pub fn carried(mut bytes: &[u8]) -> Option<Self> {
        let parsed = Self::take(&mut bytes)?;
        (bytes.is_empty() && holds(&parsed.program)).then_some(parsed)
    }
}

/// Whether all that instructions name is there.
fn holds(program: &Program) -> bool {
    let code = &program.code;
    let register = |reg: u16| reg < code.registers;
    let site = |id: SiteId| (id.0 as usize) < program.sites.len();
    let array = |id: ArrayId| (id.0 as usize) < program.arrays.len();
    let place = |at: u32| at as usize <= code.insts.len();
    let inst = |one: &Inst| {
        let named = match *one {
            Inst::Request { site: id, .. }
            | Inst::Gather { site: id, .. }
            | Inst::Issue { site: id } => site(id),
            Inst::Check { array: id, .. } => array(id),
            Inst::If { otherwise: at, .. }
            | Inst::Else { end: at }
            | Inst::Test { exit: at, .. }
            | Inst::Loop { head: at } => place(at),
            _ => true,
        };
        named && one.target().is_none_or(register) && one.sources().all(register)
    };
    let preset = |(reg, preset): &(u16, Preset)| {
        let named = match *preset {
            Preset::Array(id) | Preset::Elements(id) => array(id),
            _ => true,
        };
        named && register(*reg)
    };
    let named = program.sites.iter().filter_map(|one| one.array);
    code.insts.iter().all(inst)
        && code.presets.iter().all(preset)
        && named.into_iter().all(array)
        && code.passing.len() == usize::from(code.registers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KernelOptions, parse_kernel};

    const SOURCE: &str = "__global__ void k(const float4* in, float* out, unsigned n) {
        __shared__ float tile[32][33];
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
        for (unsigned s = 1; s < n; s *= 2) {
            if (i % s == 0 && i < n) tile[threadIdx.y][threadIdx.x] = in[i].x;
            __syncthreads();
        }
        atomicAdd(&out[__shfl_xor_sync(~0u, i, 1)], tile[threadIdx.x][threadIdx.y]);
        printf(\"\");
    }";

    #[test]
    fn what_is_carried_is_the_same() {
        let parsed = parse_kernel(SOURCE, &KernelOptions::default());
        assert!(!parsed.diagnostics.is_empty());
        assert_eq!(Parsed::carried(&parsed.to_carry()), Some(parsed));
    }

    #[test]
    fn other_bytes_are_refused() {
        let bytes = parse_kernel(SOURCE, &KernelOptions::default()).to_carry();
        for cut in 0..bytes.len() {
            assert_eq!(Parsed::carried(&bytes[..cut]), None);
        }
        let more: Vec<u8> = bytes.iter().copied().chain([0]).collect();
        assert_eq!(Parsed::carried(&more), None);
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x55;
            // Whatever it is now, reading it does not panic.
            let _ = Parsed::carried(&changed);
        }
    }
}
