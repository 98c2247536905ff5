//! Kernels of `ir`, run by `simt`, behind the program type that everything downstream reads.
//!
//! PTX and SASS enter here, and kernels that are counted as written. What `simt` reports becomes the requests and
//! diagnostics of this crate, one to one.

mod arguments;
mod findings;
mod parts;

use std::sync::Arc;

use lanescope_model::Space;
use {lanescope_ir as ir, lanescope_simt as simt};

use crate::{
    Diagnostic, DiagnosticKind, Lines, NamedLaunch, Omitted, Program, SiteId, SiteOrigin,
    SourceOutcome, SourceVariable,
};

use arguments::{largest_assumed, parameter_value, sizes_not_given, variable};
use findings::{at_place, doubt, finding, general};
use parts::{array_of, parameter_of, scalar_of, site_of, span_of};

pub(crate) use arguments::unknown_arguments;
pub use parts::counted_space;

/// Each buffer of global memory has a stretch of 2 to this power bytes of addresses of its own.
const BUFFER_BITS: u32 = 40;

impl Program {
    /// The program that a kernel is, whose places count in `source`; `kernels`: the names of all of the text.
    ///
    /// Sites and arrays keep their indices. A parameter of compiled code without a name is called `param_I`, I its position.
    #[must_use]
    pub fn new(kernel: ir::Kernel, source: &str, kernels: Vec<String>) -> Self {
        let lines = Lines::of(source);
        let place = |id: ir::PlaceId| kernel.places.get(id.index()).copied().unwrap_or_default();
        let sites = kernel
            .sites
            .iter()
            .map(|site| site_of(&kernel, site, place(site.place)));
        let arrays = kernel
            .arrays
            .iter()
            .map(|array| array_of(array, place(array.place)));
        let parameters = kernel.parameters.iter().enumerate();
        let parameters = parameters
            .map(|(at, parameter)| parameter_of(&kernel, at, parameter, place(parameter.place)));
        let variables = kernel.variables.iter().map(|variable| SourceVariable {
            name: variable.name.clone(),
            span: span_of(place(variable.place)),
            values: variable.values.clone(),
        });
        Self {
            name: kernel.name.clone(),
            sites: sites.collect(),
            arrays: arrays.collect(),
            parameters: parameters.collect(),
            parameter_types: kernel.parameters.iter().map(scalar_of).collect(),
            variables: variables.collect(),
            kernels,
            shared_bytes: kernel.shared_bytes.unwrap_or(0),
            block: kernel.block_size,
            lines,
            lowered: Some(Arc::new(kernel)),
            ..Self::default()
        }
    }

    /// The same program, its buffers in global memory at the addresses that a run gives them, less the launch's offset: each
    /// has a stretch of its own.
    #[must_use]
    pub fn with_buffer_addresses(mut self) -> Self {
        for (number, array) in (1..).zip(&mut self.arrays) {
            if array.space == Space::Global {
                array.base = array.base.saturating_add(number << BUFFER_BITS);
            }
        }
        self
    }

    /// The same program, told what `source`, from which its kernel comes, knows of accesses and of what a launch
    /// passes; `origins`: what a compiler has made of each site of the kernel. Sites that are not the source's own count
    /// for one that is.
    #[must_use]
    pub fn with_origins(mut self, source: &Self, origins: Vec<SiteOrigin>) -> Self {
        self.sites.truncate(source.sites.len());
        for (site, written) in self.sites.iter_mut().zip(&source.sites) {
            site.depends_on = written.depends_on;
            site.reached_by = written.reached_by;
        }
        if self.arrays.len() == source.arrays.len() {
            self.arrays.clone_from(&source.arrays);
        }
        if self.parameters.len() == source.parameters.len() {
            self.parameters.clone_from(&source.parameters);
        }
        self.origins = origins;
        self
    }

    /// The access of the source that a site of the kernel counts for.
    #[must_use]
    pub fn counted_for(&self, site: ir::SiteId) -> SiteId {
        let origin = self.origins.get(site.index());
        origin.map_or(site, |origin| origin.counts_for)
    }

    /// The launch as `simt` takes it; `None` where the program is no kernel of `ir`. A number that nobody gave has the
    /// value that [`crate::execute`] takes for it.
    #[must_use]
    pub fn simt_launch(&self, launch: &NamedLaunch) -> Option<simt::Launch> {
        let kernel = self.lowered()?;
        Some(resolve_launch(self, kernel, launch, &mut Vec::new()))
    }

    /// The kernel of `ir` that this program runs, where it is one.
    #[must_use]
    pub fn lowered(&self) -> Option<&ir::Kernel> {
        self.lowered.as_deref()
    }
}

/// What came of a run, after `findings` that were there before it.
pub(crate) fn outcome(
    program: &Program,
    kernel: &ir::Kernel,
    launch: &NamedLaunch,
    lanes: u32,
    mut findings: Vec<Diagnostic>,
    ran: &simt::Outcome,
    omitted: Vec<Option<Omitted>>,
) -> SourceOutcome {
    findings.extend(
        ran.findings
            .iter()
            .map(|found| finding(program, kernel, launch, lanes, found)),
    );
    findings.extend(
        ran.doubts
            .iter()
            .map(|doubted| doubt(program, kernel, doubted)),
    );
    if ran.end.is_cut() {
        findings.push(general(DiagnosticKind::Stopped {
            requests: ran.requests,
        }));
    }
    let mut outcome = SourceOutcome {
        end: ran.end,
        requests: ran.requests,
        steps: ran.steps,
        blocks_done: ran.blocks_done,
        blocks_total: launch.grid_blocks(),
        executed: Vec::new(),
        findings,
        omitted,
    };
    let line = |id: ir::PlaceId| kernel.places.get(id.index()).map_or(0, |place| place.line);
    let executed = ran.executed.iter();
    outcome.add_executed(executed.map(|executed| executed.at(line(executed.place))));
    outcome
}

/// The launch as `simt` takes it; what is assumed on the way goes to `findings`.
pub(crate) fn resolve_launch(
    program: &Program,
    kernel: &ir::Kernel,
    launch: &NamedLaunch,
    findings: &mut Vec<Diagnostic>,
) -> simt::Launch {
    let decides = simt::deciding_parameters(kernel);
    let largest = largest_assumed(sizes_not_given(program, kernel, launch, &decides));
    let values = (0..kernel.parameters.len()).map(|at| {
        let mut assumed = Vec::new();
        let value = parameter_value(program, kernel, launch, at, largest, &mut assumed);
        // What nothing depends on is no assumption.
        if decides.get(at) != Some(&false) {
            findings.append(&mut assumed);
        }
        value
    });
    let resolved = simt::Launch {
        grid: launch.grid.map(|side| side.max(1)),
        block: launch.block.map(|side| side.max(1)),
        dynamic_shared_bytes: launch.dynamic_shared_bytes,
        parameters: values.collect(),
        variables: program
            .variables
            .iter()
            .map(|declared| variable(declared, launch))
            .collect(),
        blocks: launch.blocks,
    };
    let arrays = simt::unsized_shared(kernel, &resolved);
    findings.extend(arrays.map(|array| {
        let name = array.name.clone();
        at_place(
            kernel,
            array.place,
            DiagnosticKind::NoDynamicShared { name },
        )
    }));
    resolved
}
