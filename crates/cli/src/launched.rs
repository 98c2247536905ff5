//! A kernel with its launch, made ready to run on a GPU: `lanescope emit`, and the first half of `lanescope run`.

use crate::args::run::{EmitArgs, LanguageArg, LaunchedArgs};
use crate::kernel::{KernelQuestion, launched};
use crate::launch_file::LaunchFile;
use crate::{array_file, clock, diagnostics, input, output};
use anyhow::{Context as _, bail};
use lanescope_emit::{Emitted, Limits, Options, emit};
use lanescope_frontend::{Severity, is_wgsl};
use lanescope_ir::Kernel;
use lanescope_launches::LaunchRecord;
use lanescope_locale::{Language, run_refusal};
use lanescope_query::{Compiler, GivenShape, Question, kernel_options};
use lanescope_share::State;
use lanescope_syntax::{Dialect, bundled_files};
use lanescope_wgsl::{Interface, ShadingLanguage};
use std::process::ExitCode;

/// Most requests of warps that a launch is counted for.
pub(crate) const MOST_REQUESTS: u64 = 20_000_000;

/// A kernel as written, and how it is launched.
pub(crate) struct Launched {
    /// The kernel's text and launch as the page would hold them: a fix begins with it.
    #[cfg(feature = "lab")]
    pub(crate) state: State,
    pub(crate) question: Question,
    /// What a kernel in WGSL binds: its text runs as it is.
    pub(crate) interface: Option<Interface>,
}

impl Launched {
    /// Reads the file that the options name.
    ///
    /// # Errors
    /// When it cannot be read, has a mistake, or holds no kernel.
    pub(crate) fn of(args: &LaunchedArgs) -> anyhow::Result<Self> {
        let text = input::text(&args.file)?;
        let record = args.launch.as_ref().map(LaunchFile::record).transpose()?;
        let described = kernel_question(args, record.as_ref(), text);
        let state = described.state.clone();
        let mut question = launched(described, &mut |said| output::complain(said))?;
        array_file::take(&mut question, &args.kernel.arguments, record.as_ref())?;
        let errors = question.parsed.diagnostics.iter();
        diagnostics::print(
            &input::name(&args.file),
            &question.source,
            &question.parsed.diagnostics,
        );
        if errors
            .clone()
            .any(|error| error.severity() == Severity::Error)
        {
            bail!("only a text without mistakes runs");
        }
        Ok(Self {
            interface: interface(&state, &question),
            #[cfg(feature = "lab")]
            state,
            question,
        })
    }

    /// A kernel of a state, as written.
    ///
    /// # Errors
    /// When it cannot be launched so.
    pub(crate) fn as_written(state: State, given: GivenShape) -> anyhow::Result<Self> {
        let described = KernelQuestion {
            state: state.clone(),
            given,
            record: None,
            compiler: Some(Compiler::None),
            blocks: None,
            max_requests: MOST_REQUESTS,
            stop: clock::stop(),
        };
        let question = launched(described, &mut |said| output::complain(said))?;
        let interface = interface(&state, &question);
        Ok(Self {
            #[cfg(feature = "lab")]
            state,
            question,
            interface,
        })
    }

    /// The kernel.
    ///
    /// # Errors
    /// When the text has none.
    pub(crate) fn kernel(&self) -> anyhow::Result<&Kernel> {
        let program = &self.question.parsed.program;
        program.lowered().context("there is no kernel in this text")
    }

    /// The kernel as WGSL for a device; its own text where it is in WGSL.
    ///
    /// # Errors
    /// What of the kernel WGSL has no word for, with its line.
    fn wgsl(&self, limits: Limits) -> anyhow::Result<String> {
        match &self.interface {
            Some(_) => Ok(self.question.source.clone()),
            None => Ok(self.emitted(limits)?.text),
        }
    }

    /// The same in another shading language, as naga writes it.
    fn shading(&self, language: ShadingLanguage) -> anyhow::Result<String> {
        let none = Interface::default();
        let interface = self.interface.as_ref().unwrap_or(&none);
        let text = lanescope_wgsl::written(&self.wgsl(Limits::default())?, interface, language);
        text.map_err(|said| anyhow::anyhow!(said))
    }

    /// The text itself as a dialect of CUDA spells it.
    fn spelt(&self, dialect: Dialect) -> anyhow::Result<String> {
        if self.interface.is_some() {
            bail!(run_refusal::only_shading(Language::English));
        }
        let files = bundled_files(&self.question.source);
        spelt(files.first().map_or("", |file| file.text), dialect)
    }

    /// The kernel as WGSL for a device.
    ///
    /// # Errors
    /// What of the kernel WGSL has no word for, with its line.
    pub(crate) fn emitted(&self, limits: Limits) -> anyhow::Result<Emitted> {
        let launch = &self.question.launch;
        let options = Options {
            block: launch.block.map(|side| side.max(1)),
            grid: launch.grid.map(|side| side.max(1)),
            lanes: self.question.device.warp_lanes(),
            dynamic_shared_bytes: launch.dynamic_shared_bytes,
            limits,
            is_watched: false,
        };
        let emitted =
            emit(self.kernel()?, &options).map_err(|refusal| match refusal.place.line {
                0 => anyhow::anyhow!("not run: {refusal}"),
                line => anyhow::anyhow!("line {line}: not run: {refusal}"),
            })?;
        for note in &emitted.notes {
            output::complain(&format!("note: {note}"));
        }
        Ok(emitted)
    }
}

/// A text of CUDA or HIP as a dialect spells it.
///
/// # Errors
/// When it uses what that dialect has nothing for, with its line.
pub(crate) fn spelt(text: &str, dialect: Dialect) -> anyhow::Result<String> {
    match dialect.missing(text) {
        Some((line, name)) => {
            let said = run_refusal::not_in_hip(Language::English, &name);
            bail!("line {line}: {said}")
        }
        None => Ok(dialect.spelt(text)),
    }
}

/// What the kernel of a question in WGSL binds; nothing where it is in another language.
pub(crate) fn interface(state: &State, question: &Question) -> Option<Interface> {
    let options = kernel_options(state);
    is_wgsl(&question.source).then(|| lanescope_wgsl::read(&question.source, &options).1)?
}

/// The question that options, record and source ask: of the kernel as written.
fn kernel_question<'r>(
    args: &LaunchedArgs,
    record: Option<&'r LaunchRecord>,
    text: String,
) -> KernelQuestion<'r> {
    let shape = [args.grid, args.block];
    KernelQuestion {
        compiler: Some(Compiler::None),
        max_requests: MOST_REQUESTS,
        ..KernelQuestion::described((&args.file, text), shape, &args.kernel, &args.count, record)
    }
}

/// Prints the kernel in a shading language.
///
/// # Errors
/// When the file cannot be read, or the kernel is refused.
pub(crate) fn print(args: &EmitArgs) -> anyhow::Result<ExitCode> {
    let launched = Launched::of(&args.launched)?;
    output::print(&match args.language {
        LanguageArg::Wgsl => launched.wgsl(Limits::default())?,
        LanguageArg::Msl => launched.shading(ShadingLanguage::Msl)?,
        LanguageArg::Glsl => launched.shading(ShadingLanguage::Glsl)?,
        LanguageArg::Cuda => launched.spelt(Dialect::Cuda)?,
        LanguageArg::Hip => launched.spelt(Dialect::Hip)?,
    })?;
    Ok(ExitCode::SUCCESS)
}
