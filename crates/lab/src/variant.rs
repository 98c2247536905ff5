use lanescope_kernels::{Element, Family, Fill, Kernel, Problem, Values};

use crate::plan::{BufferPlan, Check, Checks, Plan, Role, Shader, Slot, Step};
use crate::{DeviceLimits, Fault};

/// One kernel with every choice made.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The kernel, or `None` for the device's own buffer copy.
    pub kernel: Option<&'static Kernel>,
    /// The element type.
    pub element: Element,
    /// A value for each parameter.
    pub values: Values,
    /// With or without run-time checks.
    pub checks: Checks,
}

impl Variant {
    /// The kernel with its defaults, floats, and checks as in a browser.
    #[must_use]
    pub fn of(kernel: &'static Kernel) -> Self {
        Self {
            kernel: Some(kernel),
            element: kernel.elements[0],
            values: kernel.defaults(),
            checks: Checks::On,
        }
    }

    /// The same with the values that were fastest elsewhere, if this device takes
    /// them; otherwise the defaults, in smaller workgroups where even these are too large.
    #[must_use]
    pub fn tuned(kernel: &'static Kernel, limits: &DeviceLimits) -> Self {
        let with = |values| Self {
            values,
            ..Self::of(kernel)
        };
        let choices = [kernel.tuned(), kernel.defaults()]
            .into_iter()
            .chain(kernel.smaller());
        choices
            .map(with)
            .find(|variant| variant.needs(kernel, limits).is_none())
            .unwrap_or_else(|| Self::of(kernel))
    }

    /// The device's own buffer copy.
    #[must_use]
    pub fn buffer_copy() -> Self {
        Self {
            kernel: None,
            element: Element::F32,
            values: Values::default(),
            checks: Checks::On,
        }
    }

    /// The kernel's name, or `buffer_copy`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.kernel.map_or("buffer_copy", Kernel::name)
    }

    /// What `problem` takes on a device of these limits.
    ///
    /// # Errors
    /// [`Fault::Unavailable`] or [`Fault::TooLarge`] if the device cannot.
    pub fn plan(&self, problem: Problem, limits: &DeviceLimits) -> Result<Plan, Fault> {
        let array = array_bytes(problem.elements());
        if array > limits.array_bytes() {
            let fits_bytes = limits.array_bytes();
            return Err(Fault::TooLarge {
                bytes: array,
                fits_bytes,
            });
        }
        match self.kernel {
            None => Ok(buffer_copy(problem)),
            Some(kernel) => {
                self.fits(kernel, problem, limits)?;
                Draft::new(self, kernel, limits).plan(problem)
            }
        }
    }

    fn fits(&self, kernel: &Kernel, problem: Problem, limits: &DeviceLimits) -> Result<(), Fault> {
        let quads = || "row lengths that are multiples of four".to_owned();
        let needs = self.needs(kernel, limits);
        match needs.or_else(|| (!kernel.takes(problem)).then(quads)) {
            None => Ok(()),
            Some(needs) => Err(Fault::Unavailable { needs }),
        }
    }

    /// What the device lacks for this variant, if anything.
    fn needs(&self, kernel: &Kernel, limits: &DeviceLimits) -> Option<String> {
        let [x, y] = kernel.workgroup(&self.values);
        let [most_x, most_y] = limits.workgroup_size;
        let bytes = kernel.shared_bytes(&self.values);
        if kernel.needs_subgroups && !limits.subgroups {
            Some("subgroup operations".to_owned())
        } else if x * y > limits.invocations || x > most_x || y > most_y {
            Some(format!("workgroups of {x} x {y}"))
        } else if bytes > limits.workgroup_bytes {
            Some(format!("{bytes} bytes of workgroup memory"))
        } else {
            None
        }
    }
}

/// Bytes of an array, rounded up to whole quads.
fn array_bytes(elements: u64) -> u64 {
    (elements * 4).next_multiple_of(16)
}

fn buffer_copy(problem: Problem) -> Plan {
    let bytes = array_bytes(problem.elements());
    Plan {
        buffers: vec![
            BufferPlan {
                role: Role::Input(Fill::Floats),
                bytes,
            },
            BufferPlan {
                role: Role::Output(Fill::Poison, 0),
                bytes,
            },
        ],
        steps: vec![Step::Copy {
            source: 0,
            destination: 1,
        }],
        results: vec![(1, Check::Same(Fill::Floats, problem.elements()))],
        traffic: lanescope_kernels::Traffic {
            read_bytes: problem.elements() * 4,
            written_bytes: problem.elements() * 4,
        },
    }
}

/// A plan in the making.
struct Draft<'a> {
    variant: &'a Variant,
    kernel: &'static Kernel,
    limits: &'a DeviceLimits,
    buffers: Vec<BufferPlan>,
    steps: Vec<Step>,
    depth: u64,
}

impl<'a> Draft<'a> {
    fn new(variant: &'a Variant, kernel: &'static Kernel, limits: &'a DeviceLimits) -> Self {
        Self {
            variant,
            kernel,
            limits,
            buffers: Vec::new(),
            steps: Vec::new(),
            depth: 0,
        }
    }

    fn fill(&self) -> Fill {
        match (self.kernel.family, self.variant.element) {
            (Family::Stride, _) => Fill::Zeros,
            (_, Element::F32) => Fill::Floats,
            (_, Element::U32) => Fill::Integers,
        }
    }

    fn plan(mut self, problem: Problem) -> Result<Plan, Fault> {
        let input = self.buffer(Role::Input(self.fill()), problem.elements());
        let output = if self.kernel.family == Family::Reduction {
            self.reduce(input, problem)?
        } else {
            self.pass(input, problem)?
        };
        Ok(Plan {
            results: vec![(output, self.check(problem))],
            traffic: self.kernel.traffic(problem),
            buffers: self.buffers,
            steps: self.steps,
        })
    }

    fn buffer(&mut self, role: Role, elements: u64) -> usize {
        let bytes = array_bytes(elements);
        self.buffers.push(BufferPlan { role, bytes });
        self.buffers.len() - 1
    }

    /// Passes until one element is left; returns where it is.
    fn reduce(&mut self, input: usize, problem: Problem) -> Result<usize, Fault> {
        let (mut source, mut problem) = (input, problem);
        loop {
            source = self.pass(source, problem)?;
            let left = self.kernel.output_elements(problem, &self.variant.values);
            if left <= 1 {
                return Ok(source);
            }
            problem = Problem::Length(left);
        }
    }

    /// One dispatch from `source`; returns where its output is.
    fn pass(&mut self, source: usize, problem: Problem) -> Result<usize, Fault> {
        let kernel = self.kernel;
        let values = &self.variant.values;
        let workgroups = kernel
            .dispatch(problem, values, self.limits.workgroups)
            .ok_or_else(|| too_many_workgroups(self.limits))?;
        let shape = kernel
            .shape(problem, values)
            .ok_or_else(|| too_many_workgroups(self.limits))?;
        let ordinal = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        let output = kernel.output_elements(problem, values);
        self.depth += kernel.sum_depth(problem, values);
        let output = self.buffer(Role::Output(Fill::Poison, ordinal), output);
        let uniform = self.buffer(Role::Uniform(shape.to_bytes().into()), 4);
        let mut bindings = vec![
            (Slot::first(0), source),
            (Slot::first(1), output),
            (Slot::first(2), uniform),
        ];
        if kernel.single_pass {
            let role = Role::Output(Fill::Zeros, ordinal);
            bindings.push((
                Slot::first(3),
                self.buffer(role, 2 * u64::from(shape.groups) + 1),
            ));
        }
        self.steps.push(Step::Dispatch {
            shader: self.shader(),
            bindings,
            workgroups,
        });
        Ok(output)
    }

    fn shader(&self) -> Shader {
        let pipeline = |name: &str| {
            let mut parameters = self.kernel.parameters.iter();
            parameters.any(|p| p.name == name && p.stage == lanescope_kernels::Stage::Pipeline)
        };
        Shader {
            text: self.kernel.wgsl(self.variant.element),
            entry: self.kernel.name().into(),
            constants: self
                .variant
                .values
                .iter()
                .filter(|(n, _)| pipeline(n))
                .map(|(n, value)| (n.into(), f64::from(value)))
                .collect(),
            checks: self.variant.checks,
        }
    }

    fn check(&self, problem: Problem) -> Check {
        let length = problem.elements();
        match (self.kernel.family, problem) {
            (Family::Ceiling, _) if self.kernel.traffic(problem).written_bytes == 0 => {
                Check::Nothing
            }
            (Family::Transpose, Problem::Matrix { rows, columns }) if !self.kernel.copies => {
                Check::Transposed(self.fill(), rows, columns)
            }
            (Family::Ceiling | Family::Transpose, _) => Check::Same(self.fill(), length),
            (Family::Reduction, _) if self.variant.element == Element::U32 => {
                Check::IntegerSum(length)
            }
            (Family::Reduction, _) => Check::FloatSum {
                length,
                depth: self.depth,
            },
            (
                Family::Stride,
                Problem::Stride {
                    stride_words,
                    workgroups,
                    ..
                },
            ) => Check::Stride {
                stride_words,
                length: u64::from(workgroups) * 64,
            },
            (Family::Stride, _) => Check::Nothing,
        }
    }
}

fn too_many_workgroups(limits: &DeviceLimits) -> Fault {
    let most = limits.workgroups;
    Fault::Unavailable {
        needs: format!("more than {most} workgroups along one dimension"),
    }
}
