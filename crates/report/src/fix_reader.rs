//! The front end of a search for fixes: what it tries is read as the count reads the source, in whatever language.

use lanescope_fixes::{Callers, Edit, Instance, Reader, Source, Version};
use lanescope_frontend::{NamedLaunch, Parsed, is_wgsl};
use lanescope_query::{Compiler, SourceReader, Stop};
use lanescope_share::State;

/// Reads changed sources.
#[derive(Debug)]
pub struct FixReader {
    reader: SourceReader,
    stop: Stop,
}

impl FixReader {
    /// As `compiler` makes what `state` asks; `stop` ends what its passes do, and the search.
    #[must_use]
    pub fn of(state: &State, compiler: Compiler, stop: Stop) -> Self {
        Self {
            reader: SourceReader::of(state, compiler).until(stop.clone()),
            stop,
        }
    }
}

impl Reader for FixReader {
    fn read(&self, source: &Source, version: Version) -> Parsed {
        match source {
            // No compiler of WGSL was measured: each version is the one as written.
            Source::Kernel { text, options } if is_wgsl(text) => {
                lanescope_wgsl::parse(text, options)
            }
            Source::Kernel { .. } | Source::Expression { .. } => self.reader.read(source, version),
        }
    }

    fn callers(&self, source: &Source, kernel: &str) -> Callers {
        match source {
            // Nothing in a text of WGSL calls its entry points.
            Source::Kernel { text, .. } if is_wgsl(text) => Callers::default(),
            Source::Kernel { .. } | Source::Expression { .. } => {
                self.reader.callers(source, kernel)
            }
        }
    }

    fn instances(&self, source: &Source, kernel: &str) -> Option<Vec<Instance>> {
        match source {
            Source::Kernel { text, .. } if is_wgsl(text) => None,
            Source::Kernel { .. } | Source::Expression { .. } => {
                self.reader.instances(source, kernel)
            }
        }
    }

    fn launch_edits(
        &self,
        source: &Source,
        kernel: &str,
        done: &[Edit],
        change: [&NamedLaunch; 2],
    ) -> Option<Vec<Edit>> {
        match source {
            Source::Kernel { text, .. } if is_wgsl(text) => None,
            Source::Kernel { .. } | Source::Expression { .. } => {
                self.reader.launch_edits(source, kernel, done, change)
            }
        }
    }

    fn is_over(&self) -> bool {
        self.stop.is_stopped_now()
    }
}
