//! How to see what the real compiler makes of a source, with the commands to copy.

use lanescope_frontend::Language;
use lanescope_locale::compiler::CompilerWords;
use lanescope_share::{Device, Source};
use leptos::prelude::*;

use super::clipboard::copy_text;
use super::next_step;
use crate::page::Page;
use crate::reader;
use crate::session::Session;

/// One line below a kernel in CUDA; hidden beside others.
#[component]
pub(crate) fn CompileHint(session: Session) -> impl IntoView {
    let commands = Memo::new(move |_| session.late_pages().with(|page| commands_of(page)));
    let command = move |at: usize| {
        let text = move || commands.with(|both| both.as_ref().map(|both| both[at].clone()));
        view! { <Command session text /> }
    };
    view! {
        <p class="hint compile-hint" data-testid="compile-hint" hidden=move || commands.with(Option::is_none)>
            <span>{move || format!("{} ", CompilerWords::of(session.language()).compile_it)}</span>
            {command(0)}
            <span>{move || format!(" {} ", CompilerWords::of(session.language()).or_paste_sass)}</span>
            {command(1)}
        </p>
    }
}

/// A command, and the button that copies it.
#[component]
fn Command(
    session: Session,
    text: impl Fn() -> Option<String> + Copy + Send + 'static,
) -> impl IntoView {
    let copied = RwSignal::new(false);
    // Another command was not copied yet.
    Effect::new(move || {
        let _ = text();
        copied.set(false);
    });
    let copy = move |_| copied.set(copy_text(&text().unwrap_or_default()));
    let name = move || {
        let language = session.language();
        if copied.get() {
            CompilerWords::of(language).command_copied
        } else {
            CompilerWords::of(language).copy_command
        }
    };
    view! {
        <code>{text}</code>
        <button type="button" class="button small" on:click=copy>
            {name}
        </button>
    }
}

/// The commands for the kernel on screen; `None` beside what nvcc does not compile.
fn commands_of(page: &Page) -> Option<[String; 2]> {
    let is_cuda = matches!(&page.state.source, Source::Kernel(text) if reader::language(text) == Language::Cuda);
    let has_kernel = next_step::of(page).is_none();
    let arch = architecture(page).filter(|_| is_cuda && has_kernel)?;
    Some(commands(page, &arch))
}

/// Our command, and the compiler's own tools; for the architecture that the page counts for.
fn commands(page: &Page, arch: &str) -> [String; 2] {
    let launch = &page.state.launch;
    let axes = |size: [u32; 3]| size.map(|axis| axis.to_string()).join(",");
    [
        format!(
            "lanescope kernel x.cu --compile --arch {arch} --grid {} --block {}",
            axes(launch.grid),
            axes(launch.block)
        ),
        format!("nvcc -arch={arch} -lineinfo -cubin x.cu -o x.cubin && nvdisasm -g -c x.cubin"),
    ]
}

/// The oldest architecture that nvcc 13 compiles for.
const OLDEST: u32 = 75;

/// `sm_90` of `cc9.0`; `None` of a device that nvcc does not compile for.
fn architecture(page: &Page) -> Option<String> {
    match &page.state.device {
        Device::Known(id) => {
            let number: u32 = id.strip_prefix("cc")?.replace('.', "").parse().ok()?;
            (number >= OLDEST).then(|| format!("sm_{number}"))
        }
        Device::Custom(_) => None,
    }
}
