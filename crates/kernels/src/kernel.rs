use std::borrow::Cow;

use crate::catalogue::CATALOGUE;
use crate::element::ELEMENT_BYTES;
use crate::grid::fold;
use crate::{Element, Family, Grid, KernelId, Parameter, Problem, Shape, Stage, Traffic, Values};

/// One entry of the catalogue.
///
/// Every kernel reads binding 0, writes binding 1 and takes a [`Shape`] at
/// binding 2; a single-pass reduction has its tickets at binding 3.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// Which kernel.
    pub id: KernelId,
    /// What it is compared with.
    pub family: Family,
    pub(crate) source: &'static str,
    pub(crate) twin: &'static str,
    /// The element types it comes in.
    pub elements: &'static [Element],
    /// Its tunables.
    pub parameters: &'static [Parameter],
    pub(crate) grid: Grid,
    pub(crate) workgroup: fn(&Values) -> [u32; 2],
    pub(crate) shared_words: fn(&Values) -> u32,
    /// Values that were fastest on an NVIDIA H200, where the device takes them;
    /// the defaults run on every WebGPU device. Source: docs/RESULTS.md, measured.
    pub(crate) tuned: &'static [(&'static str, u32)],
    /// It needs subgroup operations.
    pub needs_subgroups: bool,
    /// It needs rows, in and out, of whole 16-byte quads.
    pub quads: bool,
    /// It finishes in one pass, with tickets at binding 3.
    pub single_pass: bool,
    /// It copies instead of transposing.
    pub copies: bool,
}

impl Kernel {
    pub(crate) const BASE: Self = Self {
        id: KernelId::CopyVec4,
        family: Family::Ceiling,
        source: "",
        twin: "",
        elements: &[],
        parameters: &[],
        grid: Grid::Given,
        workgroup: |_| [1, 1],
        shared_words: |_| 0,
        tuned: &[],
        needs_subgroups: false,
        quads: false,
        single_pass: false,
        copies: false,
    };

    /// The whole catalogue, in the order of [`KernelId::ALL`].
    #[must_use]
    pub fn all() -> &'static [Self] {
        CATALOGUE
    }

    /// The entry of this kernel.
    #[must_use]
    pub fn of(id: KernelId) -> &'static Self {
        CATALOGUE
            .iter()
            .find(|kernel| kernel.id == id)
            .unwrap_or(&CATALOGUE[0])
    }

    /// The kernels of a family, in order.
    pub fn family(family: Family) -> impl Iterator<Item = &'static Self> {
        CATALOGUE
            .iter()
            .filter(move |kernel| kernel.family == family)
    }

    /// The stem of its files, and its entry point.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.id.name()
    }

    /// The WGSL text for arrays of `element`.
    #[must_use]
    pub fn wgsl(&self, element: Element) -> Cow<'static, str> {
        element.apply(self.source)
    }

    /// The CUDA-like twin that prediction runs on: it makes the same addresses. The parameters
    /// it names are macros of these values; others follow from the launch.
    #[must_use]
    pub fn twin(&self, values: &Values) -> String {
        let line = |line: &str| match line.strip_prefix("#define ") {
            Some(rest) => {
                let name = rest.split(' ').next().unwrap_or(rest);
                format!("#define {name} {}\n", values.get(name))
            }
            None => format!("{line}\n"),
        };
        self.twin.lines().map(line).collect()
    }

    /// Columns and rows that a workgroup takes; of an array, elements and 1.
    #[must_use]
    pub fn reach(&self, values: &Values) -> [u64; 2] {
        self.grid.reach(values)
    }

    /// The default of each parameter.
    #[must_use]
    pub fn defaults(&self) -> Values {
        Values::defaults(self.parameters)
    }

    /// The defaults with the values that were fastest where they were measured.
    #[must_use]
    pub fn tuned(&self) -> Values {
        let changed = |values: Values, &(name, value): &(&str, u32)| values.with(name, value);
        self.tuned.iter().fold(self.defaults(), changed)
    }

    /// Each parameter of the pipeline at its smallest value, the others at default:
    /// for devices that the defaults are too large for.
    pub fn smaller(&self) -> impl Iterator<Item = Values> + '_ {
        let parameters = self
            .parameters
            .iter()
            .filter(|p| p.stage == Stage::Pipeline);
        parameters.map(|p| {
            self.defaults()
                .with(p.name, p.legal.first().copied().unwrap_or(p.default))
        })
    }

    /// Invocations of a workgroup along x and y.
    #[must_use]
    pub fn workgroup(&self, values: &Values) -> [u32; 2] {
        (self.workgroup)(values)
    }

    /// Bytes of workgroup memory.
    #[must_use]
    pub fn shared_bytes(&self, values: &Values) -> u32 {
        (self.shared_words)(values) * 4
    }

    /// Workgroups that have work in one pass over `problem`.
    #[must_use]
    pub fn workgroups(&self, problem: Problem, values: &Values) -> u64 {
        let [x, y] = self.grid.extent(problem, values);
        (x * y).div_ceil(u64::from(values.get("TILES"))).max(1)
    }

    /// The dispatch of one pass, or `None` if a dimension exceeds `limit` workgroups.
    #[must_use]
    pub fn dispatch(&self, problem: Problem, values: &Values, limit: u32) -> Option<[u32; 3]> {
        let [x, y] = if self.grid.folds() {
            fold(self.workgroups(problem, values), limit)
        } else {
            self.grid.extent(problem, values)
        };
        let within = |n: u64| u32::try_from(n).ok().filter(|n| *n <= limit);
        Some([within(x)?, within(y)?, 1])
    }

    /// The uniform of one pass; `None` if the problem has 2^32 elements or more.
    #[must_use]
    pub fn shape(&self, problem: Problem, values: &Values) -> Option<Shape> {
        let (columns, rows) = match problem {
            Problem::Matrix { rows, columns } => (columns, rows),
            Problem::Length(_) => (0, 0),
            Problem::Stride {
                stride_words,
                rounds,
                ..
            } => (stride_words, rounds),
        };
        Some(Shape {
            columns,
            rows,
            length: u32::try_from(problem.elements()).ok()?,
            groups: u32::try_from(self.workgroups(problem, values)).ok()?,
        })
    }

    /// Elements the output holds after one pass.
    #[must_use]
    pub fn output_elements(&self, problem: Problem, values: &Values) -> u64 {
        match self.family {
            Family::Reduction if self.single_pass => 1,
            Family::Reduction => self.workgroups(problem, values),
            Family::Stride => self.workgroups(problem, values) * 64,
            Family::Ceiling | Family::Transpose => problem.elements(),
        }
    }

    /// The bytes the whole run has to move: a reduction only reads.
    #[must_use]
    pub fn traffic(&self, problem: Problem) -> Traffic {
        let bytes = problem.elements() * ELEMENT_BYTES;
        let writes = self.family == Family::Transpose || self.id == KernelId::CopyVec4;
        Traffic {
            read_bytes: bytes,
            written_bytes: if writes { bytes } else { 0 },
        }
    }

    /// Additions that a term passes through at most in one pass of a reduction.
    #[must_use]
    pub fn sum_depth(&self, problem: Problem, values: &Values) -> u64 {
        let [x, _] = self.workgroup(values);
        let lanes = u64::from(x.max(1));
        let groups = self.workgroups(problem, values);
        let each = problem.elements().div_ceil(groups * lanes);
        let tree = u64::from(lanes.ilog2()) + 4;
        let finish = if self.single_pass {
            groups.div_ceil(lanes) + tree
        } else {
            0
        };
        each + tree + finish
    }

    /// Whether it can work on `problem` at all.
    #[must_use]
    pub fn takes(&self, problem: Problem) -> bool {
        let kind = match problem {
            Problem::Length(_) => matches!(self.family, Family::Ceiling | Family::Reduction),
            Problem::Matrix { .. } => self.family == Family::Transpose,
            Problem::Stride { .. } => self.family == Family::Stride,
        };
        kind && problem.elements() > 0 && (!self.quads || problem.in_quads())
    }
}

/// The WGSL text that fills buffers on the device; its entry point is `fill`,
/// its `shape.columns` a [`crate::Fill::code`], its workgroups of 256.
pub const FILL_WGSL: &str = include_str!("fill.wgsl");
