//! A program, what is said of its source, and what only belongs to them.

use crate::source::code::{Binary, Cell, Code, Exchange, Inst, Preset, Rmw, Unary};
use crate::source::program::{Aligned, Array, Habit, Parameter, Passed, Program, Site};
use crate::source::{ArrayId, Implied, Parsed, SiteId};
use lanescope_wire::{Wire, wire_enums, wire_structs};

wire_structs! {
    Aligned { to, behind }
    Habit { aligned }
    Site {
        span, line, column, array, space, operation, width, volatile, read_only, depends_on
    }
    Array {
        name, span, line, column, space, element, element_bytes, header_bytes, extents, bytes,
        restrict, base
    }
    Parameter { name, span, line, column, of, array, passed, role, implied }
    Passed { position, offset, of_bytes }
    Cell { address, offset, scalar, array, local }
    Code { insts, presets, registers, passing, local_bytes }
    Parsed { program, diagnostics }
}

wire_enums! {
    Implied { Product { factor: a, of: b, is_certain: c }, Threads { axis: a } }
    Unary {
        Negate, Not, Complement, Abs, PopCount, LeadingZeros, FindFirst, ReverseBits, Floor, Ceil,
        Round, Truncate, Sqrt, Exp, Log, Exp2, Log2, Sin, Cos, Tan, Asin, Acos, Atan, Tanh, Sinh, Cosh, Asinh, Acosh, Atanh,
        Cbrt, Log10, LogPlusOne, ExpMinusOne, Erf, ErfComplement, LogGamma, Gamma, RoundEven, ToBits,
        FromBits, Opaque, SinApprox, CosApprox, TanApprox, LogApprox, Log2Approx, Log10Approx,
    }
    Binary {
        Add, Subtract, Multiply, Divide, Remainder, ShiftLeft, ShiftRight, And, Or, Xor, Less,
        LessEqual, Equal, NotEqual, Minimum, Maximum, MultiplyHigh, Power, ArcTangent,
        CopySign, PowerApprox,
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
        Unary { op: a, scalar: b, dst: c, a: d },
        Binary { op: a, scalar: b, dst: c, a: d, b: e },
        Convert { from: a, to: b, dst: c, a: d },
        Select { dst: a, condition: b, yes: c, no: d },
        Address { dst: a, base: b, index: c, scale: d, offset: e },
        Init { dst: a, src: b },
        Move { dst: a, src: b },
        Turn { every: a },
        Check { index: a, extent: b, array: c, dimension: d, span: e },
        Request { site: a, address: b, offset: c },
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
        Bulk { to: a, from: b },
    }
    Preset {
        Constant { 0: a }, BlockDim { 0: a }, GridDim { 0: a }, BlockIdx { 0: a }, WarpLanes,
        ThreadIdx { 0: a }, ThreadRank, Lane, Warp, Parameter { 0: a }, Array { 0: a },
        Elements { 0: a }, Local { 0: a }, Variable { 0: a },
    }
}

impl Wire for Program {
    fn put(&self, out: &mut Vec<u8>) {
        self.name.put(out);
        self.sites.put(out);
        self.arrays.put(out);
        self.parameters.put(out);
        self.parameter_types.put(out);
        self.parameter_places.put(out);
        self.kernels.put(out);
        self.shared_bytes.put(out);
        self.block.put(out);
        self.lines.put(out);
        self.code.put(out);
        self.habits.put(out);
        self.aligns.put(out);
        let lowered = self.lowered().map(ToString::to_string);
        lowered.put(out);
        self.fates.put(out);
    }

    fn take(input: &mut &[u8]) -> Option<Self> {
        let program = Self {
            name: Wire::take(input)?,
            sites: Wire::take(input)?,
            arrays: Wire::take(input)?,
            parameters: Wire::take(input)?,
            parameter_types: Wire::take(input)?,
            parameter_places: Wire::take(input)?,
            kernels: Wire::take(input)?,
            shared_bytes: Wire::take(input)?,
            block: Wire::take(input)?,
            lines: Wire::take(input)?,
            code: Wire::take(input)?,
            habits: Wire::take(input)?,
            aligns: Wire::take(input)?,
            ..Self::default()
        };
        let lowered: Option<String> = Wire::take(input)?;
        let lowered = lowered.map(|text| text.parse().map(std::sync::Arc::new));
        Some(Self {
            lowered: lowered.transpose().ok()?,
            fates: Wire::take(input)?,
            ..program
        })
    }
}

impl Parsed {
    /// The program of a kernel and what is said of its source, as bytes that only
    /// [`Parsed::of_wire`] of the same build reads.
    #[must_use]
    pub fn to_wire(&self) -> Vec<u8> {
        self.to_bytes()
    }

    /// What [`Parsed::to_wire`] wrote; `None` for any other bytes.
    #[must_use]
    pub fn of_wire(bytes: &[u8]) -> Option<Self> {
        Self::of_bytes(bytes).filter(|parsed| holds(&parsed.program))
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
            Inst::Request { site: id, .. } => site(id),
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
    use crate::source::{KernelOptions, parse_kernel};

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
        assert_eq!(Parsed::of_wire(&parsed.to_wire()), Some(parsed));
    }

    #[test]
    fn other_bytes_are_refused() {
        let bytes = parse_kernel(SOURCE, &KernelOptions::default()).to_wire();
        for cut in 0..bytes.len() {
            assert_eq!(Parsed::of_wire(&bytes[..cut]), None);
        }
        let more: Vec<u8> = bytes.iter().copied().chain([0]).collect();
        assert_eq!(Parsed::of_wire(&more), None);
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x55;
            // Whatever it is now, reading it does not panic.
            let _ = Parsed::of_wire(&changed);
        }
    }
}
