//! The lab's own sums, timed as the others are.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use lanescope_kernels::{Kernel, KernelId, Problem};
use lanescope_lab::{Gpu, Machine as _, Program, Variant, Verifier};

use crate::element::Element;
use crate::peer::{self, Peer};

/// Its fast sums.
pub const KERNELS: [KernelId; 3] = [
    KernelId::ReduceTwoPass,
    KernelId::ReduceSubgroup,
    KernelId::ReduceSinglePass,
];

/// One of them, of arrays of one length.
pub struct Sum {
    kernel: &'static Kernel,
    element: Element,
    gpu: Gpu,
    program: Program,
}

impl Sum {
    /// With its arrays on the device, and verified by the lab's own rules.
    pub fn new(length: u32, kernel: KernelId, element: Element) -> Result<Self> {
        let kernel = Kernel::of(kernel);
        let mut gpu = pollster::block_on(Gpu::open(None)).map_err(|fault| anyhow!("{fault:?}"))?;
        let mut variant = Variant::tuned(kernel, &gpu.limits());
        variant.element = match element {
            Element::F32 => lanescope_kernels::Element::F32,
            Element::U32 => lanescope_kernels::Element::U32,
        };
        let ready = async {
            let plan = variant.plan(Problem::Length(length.into()), &gpu.limits())?;
            let sets = u32::try_from(peer::arrays(length)).unwrap_or(1);
            let program = gpu.prepare(&plan, sets).await?;
            gpu.poison(program).await?;
            gpu.run(program, 1).await?;
            let found = gpu.read(program, 0, 1).await?;
            Verifier::default().compare(plan.check, 0, &found)?;
            Ok(program)
        };
        let program = pollster::block_on(ready)
            .map_err(|fault: lanescope_lab::Fault| anyhow!("{fault:?}"))?;
        Ok(Self {
            kernel,
            element,
            gpu,
            program,
        })
    }
}

impl Peer for Sum {
    fn name(&self) -> String {
        format!("lab, {}", self.kernel.name())
    }

    fn element(&self) -> Element {
        self.element
    }

    fn elapsed(&mut self, runs: usize) -> Result<Duration> {
        let begun = Instant::now();
        pollster::block_on(self.gpu.run(self.program, u32::try_from(runs)?))
            .map_err(|fault| anyhow!("{fault:?}"))?;
        Ok(begun.elapsed())
    }

    /// Verified when it was made, on the lab's own random numbers.
    fn is_right(&mut self, _length: u32) -> Result<bool> {
        Ok(true)
    }
}
