//! The page's WASM and the JS glue that belongs to it.

use std::path::PathBuf;
use std::{env, fs, thread};

use anyhow::{Context, Result, anyhow};
use wasm_bindgen_cli_support::{Bindgen, Output};

use crate::{npm, process, workspace};

/// What browsers run.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Most memory that the page's WASM may have; one page of 64 KiB less than 1 GiB.
const MEMORY_MAX_BYTES: u32 = (1 << 30) - (1 << 16);

/// Vector instructions, which the model's counting is shaped for; all browsers have them.
pub(crate) const VECTORS: &str = "-Ctarget-feature=+simd128";

/// What a build is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speed {
    /// Small and fast to run.
    Published,
    /// What a first visit waits for as it is published; the modules that come later without optimization across crates,
    /// which would compile the engine anew for each of them, and without what the optimiser of WASM makes smaller.
    Tested,
    /// Fast to build.
    Fast,
}

impl Speed {
    /// As a `--fast` flag says.
    pub(crate) fn from_fast(fast: bool) -> Self {
        if fast { Self::Fast } else { Self::Published }
    }

    /// The profile of Cargo.toml that a package is built in.
    fn profile(self, package: &str) -> &'static str {
        match self {
            Self::Published => "wasm",
            Self::Tested if package == FIRST => "wasm",
            Self::Tested => "wasm-tested",
            Self::Fast => "wasm-fast",
        }
    }
}

/// A WASM module and its glue.
pub(crate) struct Module {
    /// JS that instantiates it, an ES module.
    pub(crate) glue: String,
    /// The module's bytes.
    pub(crate) wasm: Vec<u8>,
}

/// Installs what a build needs and this machine lacks.
///
/// # Errors
/// When something is missing that cannot be installed from here.
pub(crate) fn setup() -> Result<()> {
    ensure_target(TARGET)?;
    npm::install(&workspace::root())
}

/// Installs Rust's library for a target unless it is there.
///
/// # Errors
/// When it is not and rustup cannot get it.
pub(crate) fn ensure_target(target: &str) -> Result<()> {
    let ask = ["--print", "target-libdir", "--target", target];
    let library = process::output(process::command("rustc").args(ask));
    if library.is_ok_and(|folder| PathBuf::from(folder.trim()).exists()) {
        return Ok(());
    }
    process::run(process::command("rustup").args(["target", "add", target]))
        .with_context(|| format!("install Rust's target {target}"))
}

/// Compiles packages to WASM, makes their glue and, unless it is to be fast, optimises them. The modules are in the
/// packages' order.
///
/// # Errors
/// When a step fails.
pub(crate) fn build<const N: usize>(packages: [&str; N], speed: Speed) -> Result<[Module; N]> {
    compile(&packages, speed)?;
    finish(packages, speed)
}

/// As [`build`], of a `package` beside `others`: cargo chooses the features of what they have in common by the packages that
/// it is asked for, and where the others stand already, all of that stands, too.
///
/// # Errors
/// When a step fails.
pub(crate) fn build_beside(package: &str, others: &[&str], speed: Speed) -> Result<Module> {
    compile(&[&[package], others].concat(), speed)?;
    let [module] = finish([package], speed)?;
    Ok(module)
}

fn finish<const N: usize>(packages: [&str; N], speed: Speed) -> Result<[Module; N]> {
    let modules = thread::scope(|scope| {
        let finish = |package| scope.spawn(move || finished(package, speed));
        packages
            .map(finish)
            .map(|finishing| finishing.join().map_err(|_| anyhow!("a step panicked"))?)
    });
    modules
        .into_iter()
        .collect::<Result<Vec<_>>>()?
        .try_into()
        .map_err(|_| anyhow!("a module is missing"))
}

/// Compiles those of one profile in one go, so that what they have in common is compiled once and several are linked at a
/// time; but [`FIRST`], where its bytes count, by itself, without the features that the others ask of what they share.
fn compile(packages: &[&str], speed: Speed) -> Result<()> {
    let alone = |package: &&str| speed != Speed::Fast && *package == FIRST;
    let (first, others): (Vec<_>, Vec<_>) = packages.iter().copied().partition(alone);
    for packages in [first, others] {
        compile_together(&packages, speed)?;
    }
    Ok(())
}

fn compile_together(packages: &[&str], speed: Speed) -> Result<()> {
    let Some(some) = packages.first() else {
        return Ok(());
    };
    let mut build = process::cargo(&["build", "--target", TARGET]);
    build.args(["--profile", speed.profile(some)]);
    for package in packages {
        build.args(["--package", package]);
    }
    process::run(build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags()))
}

/// A compiled package with its glue.
fn finished(package: &str, speed: Speed) -> Result<Module> {
    let target = workspace::target();
    let compiled = target
        .join(TARGET)
        .join(speed.profile(package))
        .join(format!("{package}.wasm"));
    let folder = target.join("xtask").join(package);
    let stem = bind(&compiled, &folder, package != FIRST)?;
    let wasm = folder.join(format!("{stem}_bg.wasm"));
    if let Some(passes) = passes(package, speed) {
        optimise(&wasm, passes)?;
    }
    Ok(Module {
        glue: fs::read_to_string(folder.join(format!("{stem}.js")))?,
        wasm: fs::read(wasm)?,
    })
}

/// Vectors, the memory's limit, and no paths of this machine in the messages of panics: the same source makes the same bytes.
fn flags() -> String {
    let home = env::var("CARGO_HOME")
        .ok()
        .or_else(|| Some(format!("{}/.cargo", env::var("HOME").ok()?)));
    let sysroot = process::output(process::command("rustc").args(["--print", "sysroot"])).ok();
    let library = sysroot.map(|folder| format!("{}/lib/rustlib/src/rust", folder.trim()));
    let remap = |(path, name): (Option<String>, &str)| {
        path.map(|path| format!(" --remap-path-prefix={path}={name}"))
    };
    let remaps: String = [(home, "cargo"), (library, "rust")]
        .into_iter()
        .filter_map(remap)
        .collect();
    format!("{VECTORS} -Clink-arg=--max-memory={MEMORY_MAX_BYTES}{remaps}")
}

/// Writes the glue and the module that goes with it; returns their stem. One that `starts_again` after a failure has the
/// glue for that.
fn bind(compiled: &PathBuf, folder: &PathBuf, starts_again: bool) -> Result<String> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder)?;
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(compiled)
        .web(true)?
        .typescript(false)
        .omit_default_module_path(true);
    bindgen
        .reset_state_function(starts_again)
        .remove_name_section(true)
        .remove_producers_section(true);
    let mut output = bindgen.generate_output().context("wasm-bindgen failed")?;
    if !starts_again {
        silence_panics(&mut output);
    }
    output.emit(folder)?;
    Ok(bindgen.stem()?.to_owned())
}

/// Has panics end in a trap at once: their messages would be shown nowhere.
fn silence_panics(output: &mut Output) {
    let is_panic = |name: &str| {
        name.starts_with("core[")
            && ["::panicking::", "::panic_", "_fail"]
                .iter()
                .any(|part| name.contains(part))
    };
    for function in output.wasm_mut().funcs.iter_mut() {
        if function.name.as_deref().is_some_and(is_panic) {
            let mut body = function.kind.unwrap_local_mut().builder_mut().func_body();
            body.instrs_mut().clear();
            body.unreachable();
        }
    }
}

/// The linker puts the stack first, and it grows down: nothing is at the addresses below 1,024, so that offsets may be
/// folded into loads and stores. Memory begins as zeros.
const KNOWN: [&str; 3] = [
    "--low-memory-unused",
    "--zero-filled-memory",
    "--strip-target-features",
];

/// The module that a first visit waits for.
pub(crate) const FIRST: &str = "lanescope-webpreview";

/// The passes for [`FIRST`], whose bytes count.
const FIRST_PASSES: [&str; 8] = [
    "-Oz",
    "--gufa-optimizing",
    "--dae-optimizing",
    "--flatten",
    "--rereloop",
    "-Oz",
    "-Oz",
    "--converge",
];

/// What comes later has one round of the quick ones: all of them take a fifth of the time of the whole build, as the
/// optimiser is itself compiled to JS.
const LATER_PASSES: [&str; 1] = ["-O1"];

/// The passes that the optimiser makes over a package, if it is called at all.
fn passes(package: &str, speed: Speed) -> Option<&'static [&'static str]> {
    match speed {
        Speed::Published | Speed::Tested if package == FIRST => Some(&FIRST_PASSES),
        Speed::Published => Some(&LATER_PASSES),
        Speed::Tested | Speed::Fast => None,
    }
}

fn optimise(wasm: &PathBuf, passes: &[&str]) -> Result<()> {
    let tool = workspace::root().join("node_modules/binaryen/bin/wasm-opt");
    process::run(
        process::command("node")
            .arg(tool)
            .args(KNOWN)
            .args(passes)
            .arg("-o")
            .arg(wasm)
            .arg(wasm),
    )
    .context("wasm-opt failed")
}
