//! What is counted: a listing, and what an object adds to it.

use super::scratch::Scratch;
use super::sources::Sources;
use super::toolkit;
use crate::args::kernel::KernelArgs;
use anyhow::{Context as _, bail};
use lanescope_compiled::{is_named, object_of};
use lanescope_object::{Container, KernelInfo, Object, container};
use std::fs;
use std::path::{Path, PathBuf};

/// Compiled code.
pub(super) struct Input {
    /// PTX, or SASS as a disassembler prints it.
    pub(super) text: String,
    /// What the object says that the listing is of.
    pub(super) object: Option<Object>,
    /// The source, as far as it is at hand.
    pub(super) sources: Sources,
    /// Whether the launch that it is counted for is a guess.
    pub(super) is_launch_guessed: bool,
    /// Numbers that nobody gave and that its source is counted with, by the names of parameters.
    pub(super) assumed: Vec<(String, i64)>,
}

impl Input {
    /// A text, which may have lines about its object.
    pub(super) fn text(text: String, kernel: Option<&str>) -> Self {
        Self {
            object: object_of(&text, kernel),
            text,
            sources: Sources::default(),
            is_launch_guessed: false,
            assumed: Vec::new(),
        }
    }

    /// A cubin.
    ///
    /// # Errors
    /// When it cannot be read, or nothing here disassembles it.
    pub(super) fn cubin(path: &Path, sources: Sources) -> anyhow::Result<Self> {
        let object = lanescope_object::read(&fs::read(path)?)?;
        Ok(Self {
            text: toolkit::listing(path)?,
            object: Some(object),
            sources,
            is_launch_guessed: false,
            assumed: Vec::new(),
        })
    }

    /// A cubin, or the cubin of a fat binary, object or program that has the kernel; `None` of a text.
    ///
    /// # Errors
    /// When there is no such kernel, or nothing here disassembles it.
    pub(super) fn binary(args: &KernelArgs, bytes: &[u8]) -> anyhow::Result<Option<Self>> {
        let Some(container) = container(bytes) else {
            return Ok(None);
        };
        let scratch = Scratch::new()?;
        let file = scratch.path().join("input");
        fs::write(&file, bytes)?;
        let cubin = match container {
            Container::Cubin => file,
            Container::FatBinary | Container::Host => {
                let folder = scratch.path().join("cubins");
                fs::create_dir(&folder)?;
                toolkit::extract(&file, &folder).with_context(|| {
                    format!("no GPU code in {}", crate::input::name(&args.file))
                })?;
                chosen(args, &folder)?
            }
        };
        Self::cubin(&cubin, Sources::default()).map(Some)
    }

    /// What the object says of a kernel.
    pub(super) fn kernel(&self, mangled: &str) -> Option<&KernelInfo> {
        let kernels = &self.object.as_ref()?.kernels;
        kernels.iter().find(|kernel| kernel.name == mangled)
    }
}

/// The cubin of the architecture that is asked for, or else the newest, that has the kernel.
fn chosen(args: &KernelArgs, folder: &Path) -> anyhow::Result<PathBuf> {
    let mut cubins: Vec<(PathBuf, Object)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let object = lanescope_object::read(&fs::read(&path)?);
        cubins.extend(object.ok().map(|object| (path, object)));
    }
    cubins.sort_by(|a, b| (a.1.architecture, &a.0).cmp(&(b.1.architecture, &b.0)));
    let newest = cubins.last().map(|(_, object)| object.architecture);
    let newest = newest.context(
        "no machine code in the file; `cuobjdump -ptx` prints the PTX that it may hold instead",
    )?;
    let requested = args.arch.as_deref().and_then(|arch| {
        let digits = arch.trim_start_matches("sm_");
        digits.trim_end_matches(char::is_alphabetic).parse().ok()
    });
    let architecture = requested.unwrap_or(newest);
    let here: Vec<u16> = cubins
        .iter()
        .map(|(_, object)| object.architecture)
        .collect();
    cubins.retain(|(_, object)| object.architecture == architecture);
    if cubins.is_empty() {
        let names: Vec<String> = here.iter().map(|one| format!("sm_{one}")).collect();
        bail!(
            "no code for sm_{architecture} in the file; it has {}",
            names.join(", ")
        );
    }
    let wanted = args.kernel.kernel.as_deref();
    let has = |object: &Object| {
        let mut names = object.kernels.iter().map(|kernel| kernel.name.as_str());
        names.any(|name| wanted.is_none_or(|wanted| is_named(name, wanted)))
    };
    cubins
        .into_iter()
        .find(|(_, object)| has(object))
        .map(|(path, _)| path)
        .with_context(|| match wanted {
            Some(wanted) => format!("no kernel `{wanted}` for sm_{architecture} in the file"),
            None => format!("no kernel for sm_{architecture} in the file"),
        })
}
