//! What Python asks about.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use lanescope_cli::engine::{KernelQuestion, bundled};
use lanescope_frontend::Language as TextLanguage;
use lanescope_launches::{LaunchRecord, nth};
use lanescope_query::{Ask, Compiler, GivenShape, Stop};
use lanescope_share::{self as share, Source, State};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Language {
    Expression,
    Cuda,
    Wgsl,
    /// The layout stands in `declarations`, how it is accessed in `accesses`.
    Layout,
    Link,
    Ptx,
    Sass,
}

/// A question as the package's Python puts it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Subject {
    pub(crate) language: Language,
    pub(crate) ask: Ask,
    /// Where the text stands: files that it includes are looked for beside it.
    path: Option<PathBuf>,
    folders: Vec<PathBuf>,
    /// Recorded launches, as JSON or JSON Lines.
    record: Option<String>,
    /// Which of them, from 1.
    record_number: Option<usize>,
    grid_given: bool,
    block_given: bool,
    shared_given: bool,
    /// Run only so many blocks.
    pub(crate) blocks: Option<u64>,
    /// The time that an answer may take.
    max_seconds: Option<f64>,
    /// What arrays hold, by the parameter's name or position, in base64.
    contents: BTreeMap<String, String>,
}

/// The time that the subject in a JSON text gives an answer; `None` without limit, and where it is no subject.
pub(crate) fn limit(json: &str) -> Option<Duration> {
    time(Subject::of(json).ok()?.max_seconds)
}

/// A number of seconds.
pub(crate) fn time(seconds: Option<f64>) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds?).ok()
}

impl Default for Subject {
    fn default() -> Self {
        Self {
            language: Language::Expression,
            ask: Ask::default(),
            path: None,
            folders: Vec::new(),
            record: None,
            record_number: None,
            grid_given: false,
            block_given: false,
            shared_given: false,
            blocks: None,
            max_seconds: None,
            contents: BTreeMap::new(),
        }
    }
}

impl Subject {
    /// The subject that a JSON text describes.
    pub(crate) fn of(json: &str) -> anyhow::Result<Self> {
        Ok(serde_json::from_str(json)?)
    }

    /// As the page holds it: what a link to it opens.
    pub(crate) fn state(&self) -> anyhow::Result<State> {
        let mut state = self.ask.clone().state()?;
        let source = std::mem::take(&mut state.source);
        state.source = match (self.language, source) {
            (
                Language::Layout,
                Source::Expression {
                    accesses,
                    declarations,
                },
            ) => Source::Layout {
                layout: declarations,
                access: accesses,
            },
            (Language::Cuda, Source::Kernel(text)) => Source::Kernel(match &self.path {
                Some(path) => bundled(path, &text, &self.folders),
                None => text,
            }),
            (_, source) => source,
        };
        let Some(record) = self.launch_record()? else {
            return Ok(state);
        };
        let launch = &mut state.launch;
        launch.kernel = launch.kernel.take().or_else(|| record.instance());
        if !self.grid_given {
            launch.grid = record.grid;
        }
        if !self.block_given {
            launch.block = record.block;
        }
        if !self.shared_given {
            let bytes = u32::try_from(record.dynamic_shared_bytes);
            launch.dynamic_shared_bytes = bytes.unwrap_or(u32::MAX);
        }
        Ok(state)
    }

    /// What arrays hold, by the parameter's name or position.
    pub(crate) fn contents(&self) -> anyhow::Result<Vec<(String, Arc<[u8]>)>> {
        let decoded = self.contents.iter().map(|(name, text)| {
            let bytes = BASE64.decode(text)?;
            Ok((name.clone(), bytes.into()))
        });
        decoded.collect()
    }

    /// The recorded launch.
    pub(crate) fn launch_record(&self) -> anyhow::Result<Option<LaunchRecord>> {
        let record = self.record.as_ref();
        Ok(record
            .map(|text| nth(text, self.record_number))
            .transpose()?)
    }

    /// The name of the file where the text stands, without its folder.
    pub(crate) fn file_name(&self) -> Option<String> {
        let name = self.path.as_ref()?.file_name()?;
        Some(name.to_string_lossy().into_owned())
    }

    /// The text of compiled code.
    pub(crate) fn compiled_text<'s>(&self, state: &'s State) -> Option<&'s str> {
        match (&state.source, self.language) {
            (Source::Kernel(text), Language::Ptx | Language::Sass) => Some(text),
            (Source::Kernel(text), Language::Link) => TextLanguage::of(text)
                .is_compiled()
                .then_some(text.as_str()),
            _ => None,
        }
    }

    /// Grid, where it is given; a link gives all.
    pub(crate) fn grid(&self, state: &State) -> Option<[u32; 3]> {
        (self.grid_given || self.language == Language::Link).then_some(state.launch.grid)
    }

    /// Block, where it is given; a link gives all.
    pub(crate) fn block(&self, state: &State) -> Option<[u32; 3]> {
        (self.block_given || self.language == Language::Link).then_some(state.launch.block)
    }

    /// Bytes of dynamic shared memory, where they are given.
    pub(crate) fn shared(&self, state: &State) -> Option<u64> {
        (self.shared_given || self.language == Language::Link)
            .then_some(state.launch.dynamic_shared_bytes.into())
    }

    /// A kernel in WGSL with the block that was asked for.
    pub(crate) fn sized<'r>(
        &self,
        asked: KernelQuestion<'r>,
        complain: &mut dyn FnMut(&str),
    ) -> KernelQuestion<'r> {
        if self.block_given {
            asked.with_own_block(complain)
        } else {
            asked
        }
    }

    /// The question of a kernel's source; `None` of anything else.
    pub(crate) fn kernel<'r>(
        &self,
        state: &State,
        record: Option<&'r LaunchRecord>,
        stop: Stop,
    ) -> Option<KernelQuestion<'r>> {
        match &state.source {
            Source::Kernel(_) => {}
            Source::Expression { .. } | Source::Layout { .. } | Source::Trace(_) => return None,
        }
        let is_given = record.is_some() || self.language == Language::Link;
        Some(KernelQuestion {
            state: state.clone(),
            given: GivenShape {
                grid: self.grid_given || is_given,
                block: self.block_given || is_given,
                dynamic_shared: self.shared_given || is_given,
            },
            record,
            compiler: state.compiler.map(|chosen| match chosen {
                share::Compiler::None => Compiler::None,
                share::Compiler::Nvcc13 => Compiler::Nvcc13,
            }),
            blocks: self.blocks,
            max_requests: self.ask.max_requests(),
            stop,
        })
    }
}
