//! A second text of the kernel that is open: what a compiler made of it, or what a profiler counted of it, beside it.

use lanescope_frontend::Language;
use lanescope_query::found_launch;
use lanescope_share::{Launch, Selection, Source, State, decode};

use super::kind_menu::kernel_language;
use crate::answer::{SourceText, with_source};
use crate::beside;
use crate::compiled::Compiled;
use crate::link_notice::LinkNotice;
use crate::page::Page;
use crate::reader;
use crate::session::Session;
use leptos::prelude::Set as _;

/// Whether a text is a second one of the kernel that is open.
pub(super) fn is_second(open: &Source, text: &str) -> bool {
    let Source::Kernel(source) = open else {
        return false;
    };
    if lanescope_trace::is_export(text) {
        return !source.trim().is_empty();
    }
    reader::language(source) == Language::Cuda
        && Language::of(text).is_compiled()
        && kernel_names(source).any(|name| names_kernel(text, name))
}

/// The names of the kernels of a source.
fn kernel_names(source: &str) -> impl Iterator<Item = &str> {
    source.split("__global__").skip(1).filter_map(|rest| {
        // `__launch_bounds__(256) void name(`.
        let head = rest.split(['{', ';']).next()?;
        let behind = head.split("void").nth(1)?;
        let behind = match behind.split_once("__launch_bounds__") {
            Some((_, bounds)) => bounds.split_once(')')?.1,
            None => behind,
        };
        let name = behind.split('(').next()?.trim();
        let name = name.rsplit(char::is_whitespace).next()?;
        (!name.is_empty()).then_some(name)
    })
}

/// Whether a compiled text has a function of this name, mangled or not.
fn names_kernel(text: &str, name: &str) -> bool {
    let mangled = format!("{}{name}", name.len());
    let is_end = |rest: &str| !rest.starts_with(|one: char| one.is_ascii_alphanumeric());
    let is_plain = |at: usize| {
        let before = text[..at].chars().next_back();
        let is_start = before.is_none_or(|one| !(one.is_ascii_alphanumeric() || one == '_'));
        is_start && is_end(&text[at + name.len()..])
    };
    text.contains(&mangled) || text.match_indices(name).any(|(at, _)| is_plain(at))
}

/// Sets a second text beside the kernel that is open: in its link, as A. A listing that names lines of its source becomes a
/// column of the list; another is opened, with the source as A.
pub(super) fn take(session: Session, text: String) {
    if lanescope_trace::is_export(&text) {
        return session.set_measured(text);
    }
    let page = session.page();
    let Source::Kernel(source) = &page.state.source else {
        return;
    };
    let notice = LinkNotice::Beside {
        kernel: page.answer.program.name().to_owned(),
        kind: kernel_language(&text),
        alone: text.clone().into(),
    };
    let listing = State {
        source: Source::Kernel(with_source(
            &text,
            file_of(&text).unwrap_or("kernel.cu"),
            source,
        )),
        launch: launch_of(&page, &text),
        selection: Selection::default(),
        beside: None,
        ..page.state.clone()
    };
    let both = match file_of(&text) {
        Some(_) => State {
            beside: Some(beside::own_link(&listing)),
            ..page.state.clone()
        },
        None => State {
            beside: Some(beside::own_link(&page.state)),
            ..listing
        },
    };
    session.visit(both);
    session.notices.set(vec![notice]);
}

/// Opens a second text in place of the kernel that it stands beside.
pub(super) fn take_alone(session: Session, text: &str) {
    session.edit(|state| {
        let beside = state.beside.take();
        let beside = beside.and_then(|link| decode(&link).ok());
        // Where it stands beside its source, the launch on screen is that of the source.
        if let Some(listing) = beside.filter(|opened| reader::text(&opened.state.source).is_some())
        {
            state.launch = listing.state.launch;
        }
        state.source = Source::Kernel(text.to_owned());
    });
}

/// The listing that stands beside the source of a page, in the launch of that; `None` where none does, or where it is of
/// another text.
pub(crate) fn beside(page: &Page) -> Option<Compiled> {
    let link = page.state.beside.as_deref()?;
    let Source::Kernel(source) = &page.state.source else {
        return None;
    };
    let code = decode(link).ok()?.state;
    let Source::Kernel(text) = &code.source else {
        return None;
    };
    let own = SourceText::in_text(text, "");
    let is_source = reader::language(source) == Language::Cuda;
    let is_its = is_source && own.lines.values().eq(source.lines());
    if !is_its || !Language::of(text).is_compiled() {
        return None;
    }
    let code = State {
        launch: launch_of(page, text),
        device: page.state.device.clone(),
        repeated_reads: page.state.repeated_reads,
        ..code.clone()
    };
    Some(Compiled::pasted(&page.state, code, own.file))
}

/// The launch of the source, with its arguments by place: compiled code knows no names.
fn launch_of(page: &Page, text: &str) -> Launch {
    let open = &page.state.launch;
    let parameters = page.answer.program.parameters();
    let place = |name: &str| {
        parameters
            .iter()
            .position(|parameter| parameter.name == name)
    };
    let arguments = open
        .arguments
        .iter()
        .filter_map(|(name, value)| Some((format!("param_{}", place(name)?), value.clone())));
    Launch {
        grid: open.grid,
        block: open.block,
        guessed: open.guessed,
        dynamic_shared_bytes: open.dynamic_shared_bytes,
        arguments: arguments.collect(),
        ..found_launch(text, &page.state.device)
    }
}

/// The file of the source that a compiled text names first.
fn file_of(text: &str) -> Option<&str> {
    text.lines().find_map(|line| {
        let line = line.trim();
        let is_naming = line.starts_with("//## File") || line.starts_with(".file");
        is_naming.then(|| line.split('"').nth(1)).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::{Source, file_of, is_second};

    #[test]
    fn a_second_text_names_a_kernel_of_the_first() {
        let source =
            "template <int N>\n__global__ void __launch_bounds__(256) turn(float* a) { a[0] = N; }";
        let open = Source::Kernel(source.to_owned());
        let sass = "code for sm_90\n\tFunction : _Z4turnILi4EEvPf\n /*0000*/ EXIT ;\n";
        assert!(is_second(&open, sass));
        assert!(!is_second(&open, &sass.replace("4turn", "4burn")));
        assert!(!is_second(&open, source));
        let ptx = ".version 8.0\n.target sm_90\n.file 1 \"/a/x.cu\"\n.visible .entry turn(\n)\n{\nret;\n}";
        assert!(is_second(&open, ptx));
        assert_eq!(file_of(ptx), Some("/a/x.cu"));
        assert!(
            !is_second(&Source::Kernel(sass.to_owned()), ptx),
            "both are compiled"
        );
        let export = "\"ID\",\"Process ID\",\"Process Name\"\n\"0\",\"1\",\"a\"\n";
        assert!(is_second(&open, export));
        assert!(!is_second(&Source::Trace(String::new()), export));
    }
}
