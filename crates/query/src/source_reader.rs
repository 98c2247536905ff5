//! The front end of a search for fixes: what it tries is read as the count reads it.

use crate::static_passes::{self, Compilation};
use crate::{Compiler, Stop};
use lanescope_cuda::source::{
    HostLaunch, LaunchShape, instance_launches, launch_edits, launched_instances,
};
use lanescope_cuda::{parse_expression, parse_kernel};
use lanescope_fixes::{Callers, Edit, Instance, Reader, Source, Version};
use lanescope_frontend::{NamedLaunch, Parsed};
use lanescope_share::State;

/// Reads what a fix makes of a source as [`crate::Read::of`] reads the source itself.
#[derive(Clone, Debug)]
pub struct SourceReader {
    compiler: Compiler,
    compilation: Compilation,
    stop: Stop,
}

impl Default for SourceReader {
    /// As what was measured compiles it.
    fn default() -> Self {
        Self {
            compiler: Compiler::Nvcc13,
            compilation: Compilation::default(),
            stop: Stop::default(),
        }
    }
}

impl SourceReader {
    /// As `compiler` makes what `state` asks.
    #[must_use]
    pub fn of(state: &State, compiler: Compiler) -> Self {
        Self {
            compiler,
            compilation: Compilation::of(state),
            stop: Stop::default(),
        }
    }

    /// The same, with passes that `stop` ends.
    #[must_use]
    pub fn until(self, stop: Stop) -> Self {
        Self { stop, ..self }
    }
}

impl Reader for SourceReader {
    fn read(&self, source: &Source, version: Version) -> Parsed {
        let (text, options) = match source {
            Source::Kernel { text, options } => (text, options),
            Source::Expression {
                declarations,
                accesses,
                bare,
            } => return parse_expression(declarations, accesses, *bare),
        };
        match (self.compiler, version) {
            (Compiler::None, _) | (Compiler::Nvcc13, Version::Written) => {
                parse_kernel(text, options)
            }
            (Compiler::Nvcc13, Version::Counted) => {
                static_passes::read_counted(text, options, self.compilation, &self.stop)
            }
            (Compiler::Nvcc13, Version::Separate) => {
                static_passes::read_separate(text, options, self.compilation, &self.stop)
            }
        }
    }

    fn callers(&self, source: &Source, kernel: &str) -> Callers {
        match source {
            Source::Kernel { text, options } => {
                let instances = launched_instances(text, kernel, &options.defines);
                let shapes = instance_launches(text, kernel, &options.defines);
                Callers {
                    is_launched: !instances.is_empty(),
                    has_instances: instances.len() > 1,
                    has_shapes: shapes.is_some_and(|shapes| shapes.len() > instances.len()),
                }
            }
            Source::Expression { .. } => Callers::default(),
        }
    }

    fn instances(&self, source: &Source, kernel: &str) -> Option<Vec<Instance>> {
        let Source::Kernel { text, options } = source else {
            return None;
        };
        let instance = |launch: HostLaunch| {
            Some(Instance {
                templates: launch.template_arguments,
                grid: launch.grid?,
                block: launch.block?,
                dynamic_shared_bytes: launch.dynamic_shared_bytes?,
                arguments: launch.arguments,
            })
        };
        let launches = instance_launches(text, kernel, &options.defines)?;
        launches.into_iter().map(instance).collect()
    }

    fn launch_edits(
        &self,
        source: &Source,
        kernel: &str,
        done: &[Edit],
        [from, to]: [&NamedLaunch; 2],
    ) -> Option<Vec<Edit>> {
        let Source::Kernel { text, options } = source else {
            return None;
        };
        let shape = |launch: &NamedLaunch| LaunchShape {
            grid: launch.grid,
            block: launch.block,
            dynamic_shared_bytes: launch.dynamic_shared_bytes,
        };
        let (from, to) = (shape(from), shape(to));
        let done = done
            .iter()
            .map(|edit| (edit.span, edit.replacement.clone()));
        let done: Vec<_> = done.collect();
        let found = launch_edits(text, kernel, &options.defines, &done, [&from, &to])?;
        let edit = |(span, replacement)| Edit { span, replacement };
        Some(found.into_iter().map(edit).collect())
    }
}
