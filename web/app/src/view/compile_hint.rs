//! How to see what the real compiler makes of a source, with the commands to copy.

use lanescope_cuda::source::Language;
use lanescope_share::{Device, Source};

use super::share_menu::copy_text;
use crate::element::{El, el};
use crate::page::Page;
use crate::session::Session;

/// One line below a kernel in CUDA; hidden beside others.
pub(super) fn build(session: Session) -> El {
    let (first, second) = (el("span"), el("span"));
    let (compile, compile_button) = command(session);
    let (disassemble, disassemble_button) = command(session);
    let line = el("p")
        .class("hint compile-hint")
        .testid("compile-hint")
        .with_all(&[
            first.clone(),
            compile.clone(),
            compile_button.clone(),
            second.clone(),
            disassemble.clone(),
            disassemble_button.clone(),
        ]);
    let followed = line.clone();
    session.follow_late(move |page, _| {
        let is_cuda = matches!(&page.state.source, Source::Kernel(text) if Language::of(text) == Language::Cuda);
        let arch = architecture(page).filter(|_| is_cuda);
        followed.show(arch.is_some());
        let Some(arch) = arch else { return };
        first.put_text(&format!("{} ", page.language.compile_it()));
        second.put_text(&format!(" {} ", page.language.or_paste_sass()));
        let [ours, theirs] = commands(page, &arch);
        compile.put_text(&ours);
        disassemble.put_text(&theirs);
        for button in [&compile_button, &disassemble_button] {
            button.put_text(page.language.copy_command());
        }
    });
    line
}

/// A command, and the button that copies it.
fn command(session: Session) -> (El, El) {
    let code = el("code");
    let button = el("button").set("type", "button").class("button small");
    let (copied, pressed) = (code.clone(), button.clone());
    let button = button.on("click", move |_| {
        let text = copied.element().and_then(|code| code.text_content());
        if copy_text(&text.unwrap_or_default()) {
            pressed.put_text(session.page().language.command_copied());
        }
    });
    (code, button)
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
