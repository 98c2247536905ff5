//! A machine without a GPU: a synthetic clock, right results, and faults on demand.

use std::cell::Cell;

use lanescope_kernels::Fill;
use lanescope_lab::plan::{Check, Plan};
use lanescope_lab::{Clock, Control, DeviceLimits, Fault, Machine, Program};

/// What the machine is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Prepare,
    Poison,
    Run,
    Read,
}

pub(crate) struct Fake {
    /// Nanoseconds of one run for each byte moved.
    pub(crate) ns_per_byte: f64,
    /// Nanoseconds a submission adds.
    pub(crate) overhead_ns: f64,
    /// The clock reads multiples of this.
    pub(crate) quantum_ns: f64,
    /// Relative noise of a pass, changing sign every other pass.
    pub(crate) noise: f64,
    /// Fails at the n-th such call, and ever after if it is a lost device.
    pub(crate) fault: Option<(Call, usize, Fault)>,
    /// Flips a bit of this output element.
    pub(crate) wrong_at: Option<u64>,
    pub(crate) limits: DeviceLimits,
    pub(crate) now: f64,
    pub(crate) calls: [usize; 4],
    pub(crate) plans: Vec<Plan>,
}

impl Default for Fake {
    fn default() -> Self {
        Self {
            ns_per_byte: 0.001,
            overhead_ns: 7e3,
            quantum_ns: 1.0,
            noise: 0.0,
            fault: None,
            wrong_at: None,
            limits: DeviceLimits::PROMISED,
            now: 12_345.0,
            calls: [0; 4],
            plans: Vec::new(),
        }
    }
}

impl Fake {
    pub(crate) fn calls(&self, call: Call) -> usize {
        self.calls[call as usize]
    }

    fn enter(&mut self, call: Call) -> Result<(), Fault> {
        let nth = self.calls[call as usize];
        self.calls[call as usize] += 1;
        match &self.fault {
            Some((at, n, fault))
                if *at == call && (nth == *n || (nth > *n && fault.ends_session())) =>
            {
                Err(fault.clone())
            }
            _ => Ok(()),
        }
    }

    fn stamp(&self) -> f64 {
        (self.now / self.quantum_ns).floor() * self.quantum_ns
    }
}

impl Machine for Fake {
    fn limits(&self) -> DeviceLimits {
        self.limits
    }

    fn clock(&self) -> Clock {
        Clock::Device
    }

    async fn prepare(&mut self, plan: &Plan, _sets: u32) -> Result<Program, Fault> {
        self.enter(Call::Prepare)?;
        self.plans.push(plan.clone());
        Ok(Program(self.plans.len() - 1))
    }

    async fn poison(&mut self, _program: Program) -> Result<(), Fault> {
        self.enter(Call::Poison)
    }

    async fn run(&mut self, program: Program, repeats: u32) -> Result<f64, Fault> {
        self.enter(Call::Run)?;
        let bytes = self.plans[program.0].traffic.total_bytes() as f64;
        self.now += 3_333.3;
        let begin = self.stamp();
        let sign = if self.calls(Call::Run) % 4 < 2 {
            1.0
        } else {
            -1.0
        };
        let work = bytes * self.ns_per_byte * f64::from(repeats);
        self.now += self.overhead_ns + work * (1.0 + sign * self.noise);
        Ok(self.stamp() - begin)
    }

    async fn read(
        &mut self,
        program: Program,
        buffer: usize,
        first: u64,
        elements: u64,
    ) -> Result<Vec<u32>, Fault> {
        self.enter(Call::Read)?;
        let mut results = self.plans[program.0].results.iter();
        let (_, check) = results.find(|one| one.0 == buffer).unwrap();
        let flipped = |i| u32::from(self.wrong_at == Some(i));
        Ok((first..first + elements)
            .map(|i| right(check, i) ^ flipped(i))
            .collect())
    }

    fn clear(&mut self) {
        self.plans.clear();
    }
}

/// The right output, straight from the definition.
fn right(check: &Check, i: u64) -> u32 {
    let index = |i: u64| u32::try_from(i).unwrap();
    match check {
        Check::Nothing => 0,
        Check::Same(fill, _) => fill.bits(index(i)),
        Check::Transposed(fill, rows, columns) => {
            let (rows, columns) = (u64::from(*rows), u64::from(*columns));
            fill.bits(index(i % rows * columns + i / rows))
        }
        Check::IntegerSum(n) => {
            (0..*n).fold(0, |s, i| s.wrapping_add(Fill::Integers.bits(index(i))))
        }
        Check::FloatSum { length, .. } => {
            let sum: f64 = (0..*length)
                .map(|i| f64::from(f32::from_bits(Fill::Floats.bits(index(i)))))
                .sum();
            (sum as f32).to_bits()
        }
        Check::Stride { stride_words, .. } => index(i % 64) * stride_words,
        Check::Values { expected, .. } => expected[i as usize].unwrap_or(0),
    }
}

/// A visitor who cancels after so many questions, and whose page is hidden for some of them.
#[derive(Default)]
pub(crate) struct Visitor {
    pub(crate) cancel_after: Option<usize>,
    pub(crate) hidden_until: usize,
    pub(crate) asked: Cell<usize>,
}

impl Control for Visitor {
    fn cancelled(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.cancel_after.is_some_and(|n| self.asked.get() > n)
    }

    fn hidden(&self) -> bool {
        self.asked.get() < self.hidden_until
    }
}
