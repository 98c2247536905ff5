//! What a page asks to be compiled, as the command line would ask it.

use super::files::Files;
use super::flags;
use super::vetting::{self, Included};
use crate::args::command::{Cli, Command};
use crate::args::kernel::KernelArgs;
use crate::compiled::{CompileAnswer, CompileJob};
use crate::{array_file, output};
use anyhow::{Context as _, bail, ensure};
use clap::Parser as _;
use lanescope_share::{self as share, Device, Launch, Source, State};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use std::path::{Path, PathBuf};

/// Requests of warps after which a count stops.
const MOST_REQUESTS: &str = "--max-requests=20000000";

/// What the page sends.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sent {
    /// The fragment of the page's address: the text and its launch.
    link: String,
    /// Flags for the compiler, as they are typed.
    #[serde(default)]
    flags: String,
    /// The tab that the text is of.
    #[serde(default)]
    file: Option<usize>,
}

/// A text that may be compiled.
pub(super) struct Job {
    args: KernelArgs,
    text: String,
    flags: Vec<String>,
    included: Included,
}

impl Job {
    /// Reads and vets what the page sends.
    ///
    /// # Errors
    /// A sentence that says what a page may not ask.
    pub(super) fn of(sent: &Sent, files: &Files) -> anyhow::Result<Self> {
        let state = opened(&sent.link)?;
        let path = match sent.file {
            Some(number) => files.path(number)?.to_owned(),
            None => PathBuf::from("kernel.cu"),
        };
        let mut args = arguments(&state, &path)?;
        args.kernel.folders = files.folders().to_vec();
        args.kernel.no_includes = sent.file.is_none();
        let Source::Kernel(text) = state.source else {
            bail!("there is no kernel to compile");
        };
        Ok(Self {
            included: vetting::included(&text, files.folders())?,
            flags: flags::allowed(&sent.flags)?,
            args,
            text,
        })
    }

    /// A digest of all that the answer depends on.
    pub(super) fn key(&self) -> [u8; 32] {
        let mut digest = Sha256::new();
        let mut add = |part: &str| {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        };
        add(&self.text);
        add(&format!("{:?} {:?}", self.flags, self.args));
        for (path, text) in &self.included {
            add(&path.to_string_lossy());
            add(text);
        }
        digest.finalize().into()
    }

    /// Compiles and counts; the answer as JSON.
    ///
    /// # Errors
    /// When there is no compiler, it was ended, or the launch cannot be read.
    pub(super) fn run(self, scratch: &Path) -> anyhow::Result<String> {
        let job = CompileJob {
            args: self.args,
            text: &self.text,
            flags: &self.flags,
            scratch,
        };
        let answer: CompileAnswer = job.run()?;
        output::json(&answer)
    }
}

/// The state of a link, one that the page keeps for itself too.
///
/// # Errors
/// When it does not open.
pub(super) fn opened(link: &str) -> anyhow::Result<State> {
    let fragment = link.trim_start_matches('#');
    Ok(share::decode_kept(fragment)?.state)
}

/// The text of a state's kernel.
///
/// # Errors
/// When it has none.
pub(super) fn kernel_text(link: &str) -> anyhow::Result<String> {
    match opened(link)?.source {
        Source::Kernel(text) => Ok(text),
        Source::Expression { .. } | Source::Layout { .. } | Source::Trace(_) => {
            bail!("there is no kernel to save")
        }
    }
}

/// The same as `lanescope kernel FILE --compile` with what the state gives.
fn arguments(state: &State, path: &Path) -> anyhow::Result<KernelArgs> {
    let mut line: Vec<String> = ["lanescope", "kernel", "--compile", MOST_REQUESTS]
        .map(str::to_owned)
        .to_vec();
    line.extend(launch_options(&state.launch)?);
    if let Device::Known(id) = &state.device {
        line.push(format!("--device={id}"));
    }
    line.push("kernel.cu".to_owned());
    let cli = Cli::try_parse_from(line)
        .map_err(|error| anyhow::anyhow!("{}", error.to_string().trim()))?;
    let Command::Kernel(mut args) = cli.command else {
        bail!("no kernel");
    };
    args.count.count_repeated_reads = state.repeated_reads;
    args.file = path.to_owned();
    Ok(args)
}

fn launch_options(launch: &Launch) -> anyhow::Result<Vec<String>> {
    let extent = |all: [u32; 3]| all.map(|one| one.to_string()).join(",");
    let mut line = Vec::new();
    line.extend(launch.kernel.iter().map(|name| format!("--kernel={name}")));
    if !launch.guessed.grid {
        line.push(format!("--grid={}", extent(launch.grid)));
    }
    if !launch.guessed.block {
        line.push(format!("--block={}", extent(launch.block)));
    }
    if launch.dynamic_shared_bytes > 0 {
        line.push(format!("--dynamic-shared={}", launch.dynamic_shared_bytes));
    }
    for (name, value) in &launch.arguments {
        ensure!(
            array_file::named(value).is_none(),
            "argument {name}: a page names no file"
        );
        line.push(format!("--arg={name}={value}"));
    }
    for (name, value) in launch.defines.iter().chain(&launch.templates) {
        ensure!(
            flags::is_definition(name, value),
            "{name}={value}: a page defines macros as plain words and numbers"
        );
        line.push(format!("--define={name}={value}"));
    }
    Ok(line)
}

/// The fragment that opens a text in the page, with the launch and the settings of `link`; where that has no kernel, with the
/// launch of the text's host code.
///
/// # Errors
/// When it is too long for an address.
pub(super) fn fragment(text: String, link: &str) -> anyhow::Result<String> {
    let mut state = match link.trim_start_matches('#') {
        "" => State::default(),
        fragment => share::decode(fragment)
            .map(|opened| opened.state)
            .unwrap_or_default(),
    };
    let is_other = !matches!(state.source, Source::Kernel(_));
    if is_other {
        state = State::default();
        // As host code of the same text launches it, or a guess that is called one.
        state.launch = lanescope_query::found_launch(&text, &state.device);
    }
    state.source = Source::Kernel(text);
    let fragment = share::encode(&state);
    let most = share::MAX_FRAGMENT_BYTES;
    (fragment.len() <= most)
        .then_some(fragment)
        .with_context(|| {
            format!("the file is too long for the page's address ({most} bytes, packed)")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(change: impl FnOnce(&mut State), flags: &str) -> anyhow::Result<Job> {
        let mut state = State {
            source: Source::Kernel(
                "__global__ void k(float* a) { a[threadIdx.x] = N; }".to_owned(),
            ),
            ..State::default()
        };
        change(&mut state);
        let files = Files::new(&[], &[]).expect("no files");
        let sent = Sent {
            link: share::encode(&state),
            flags: flags.to_owned(),
            file: None,
        };
        Job::of(&sent, &files)
    }

    fn define(name: &str, value: &str) -> anyhow::Result<Job> {
        let pair = (name.to_owned(), value.to_owned());
        job(|state| state.launch.defines.push(pair), "")
    }

    #[test]
    fn a_link_is_a_command_line() {
        let job = job(
            |state| {
                state.launch.grid = [4, 2, 1];
                state.launch.defines.push(("N".to_owned(), "3".to_owned()));
                state
                    .launch
                    .arguments
                    .push(("a".to_owned(), "1024".to_owned()));
            },
            "-O3",
        );
        let job = job.expect("a job");
        assert_eq!(
            (job.args.grid, job.flags.as_slice()),
            (Some([4, 2, 1]), &["-O3".to_owned()][..])
        );
        assert_eq!(
            job.args.kernel.arguments,
            [("a".to_owned(), "1024".to_owned())]
        );
        assert_ne!(job.key(), define("N", "4").expect("a job").key());
    }

    #[test]
    fn a_file_is_opened_in_the_launch_of_its_host_code() {
        let text = "__global__ void k(float* a, int n) { a[threadIdx.x] = n; }\n\
                    void run(float* a) { k<<<8, 64>>>(a, 3); }\n";
        let fragment = fragment(text.to_owned(), "").expect("a link");
        let launch = opened(&fragment).expect("a state").launch;
        assert_eq!((launch.grid, launch.block), ([8, 1, 1], [64, 1, 1]));
        assert!(!launch.guessed.grid && !launch.guessed.block);
        assert_eq!(launch.arguments, [("n".to_owned(), "3".to_owned())]);
    }

    #[test]
    fn what_names_a_file_or_a_command_is_refused() {
        assert!(define("N", "$(touch /tmp/x)").is_err());
        assert!(define("N", "\"; id; \"").is_err());
        assert!(job(|_| (), "-I/etc").is_err());
        let file = ("a".to_owned(), "@/etc/passwd".to_owned());
        assert!(job(|state| state.launch.arguments.push(file), "").is_err());
        let option = "x --against=/etc/passwd".to_owned();
        assert!(
            job(|state| state.launch.kernel = Some(option), "")
                .is_ok_and(|job| job.args.against.is_none())
        );
    }
}
