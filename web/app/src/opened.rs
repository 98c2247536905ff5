//! Programs, libraries and cubins that are dropped or chosen: read by a worker, opened here as text.

use js_sys::{Function, Reflect, Uint8Array};
use lanescope_frontend::Language;
use lanescope_object::{Object, is_object_line};
use lanescope_query::found_launch;
use lanescope_share::{Selection, Source, State};
use std::collections::BTreeSet;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};

use crate::link_notice::{Contents, FileFault};
use crate::session::Session;

/// The first bytes of what compilers write: ELF, a fat binary, an archive. A program of Windows has zeros soon.
const SIGNS: [&[u8]; 3] = [b"\x7fELF", &[0x50, 0xed, 0x55, 0xba], b"!<arch>\n"];
/// Bytes among which a text has no zero.
const HEAD_BYTES: usize = 4096;

/// Whether a file is no text.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    let head = bytes.get(..HEAD_BYTES).unwrap_or(bytes);
    let is_utf16 = head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]);
    let has_zero = !is_utf16 && head.contains(&0);
    has_zero || SIGNS.iter().any(|sign| head.starts_with(sign))
}

/// Has the worker read a file, and opens what it comes to: the listing that is open with what the file says of it, or
/// the file alone.
pub(crate) fn open(session: Session, bytes: &[u8]) {
    let beside = match &session.page().state.source {
        Source::Kernel(text) if Language::of(text) == Language::Sass => text.clone(),
        Source::Kernel(_)
        | Source::Expression { .. }
        | Source::Layout { .. }
        | Source::Trace(_) => String::new(),
    };
    let heard =
        Closure::once_into_js(move |bytes: JsValue, failure: JsValue| {
            match text_or_fault(&bytes, &failure) {
                Ok(text) => show(session, text),
                Err(fault) => session.say_file(fault),
            }
        });
    let worker = Reflect::get(&js_sys::global(), &"lanescopeOpen".into())
        .ok()
        .and_then(|worker| worker.dyn_into::<Function>().ok());
    if let Some(worker) = worker {
        let file = Uint8Array::from(bytes);
        // It answers later, also when it fails.
        let list = js_sys::Array::of4(&file, &beside.into(), &"".into(), &heard);
        let _ = worker.apply(&JsValue::NULL, &list);
    }
}

fn show(session: Session, text: String) {
    let open = session.page().state.clone();
    let launch = match &open.source {
        // The file is of the listing that is open.
        Source::Kernel(listing) if Language::of(listing) == Language::Sass => open.launch.clone(),
        Source::Kernel(_)
        | Source::Expression { .. }
        | Source::Layout { .. }
        | Source::Trace(_) => found_launch(&text, &open.device),
    };
    session.visit(State {
        launch,
        source: Source::Kernel(text),
        selection: Selection::default(),
        ..open
    });
}

fn text_or_fault(bytes: &JsValue, failure: &JsValue) -> Result<String, FileFault> {
    let bytes = bytes.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec);
    match bytes.and_then(|bytes| String::from_utf8(bytes).ok()) {
        Some(text) => answer(&text),
        None if failure.as_string().as_deref() == Some("slow") => Err(FileFault::Slow),
        None => Err(FileFault::Missing),
    }
}

/// `text`, a line break and the text; or `fault`, its key, names of kernels and architectures with tabs between.
fn answer(answer: &str) -> Result<String, FileFault> {
    if let Some(text) = answer.strip_prefix("text\n") {
        return Ok(text.to_owned());
    }
    let mut fields = answer.trim_end().split('\t').skip(1);
    let key = fields.next().unwrap_or_default();
    let mut field = || fields.next().unwrap_or_default().to_owned();
    let contents = Contents {
        kernels: field(),
        architectures: field(),
    };
    Err(match key {
        "foreign" => FileFault::Foreign,
        "no-gpu-code" => FileFault::NoGpuCode,
        "truncated" => FileFault::Truncated,
        "layout" => FileFault::Layout,
        "packed" => FileFault::Packed,
        "large" => FileFault::Large(contents),
        "other-code" => FileFault::OtherCode(contents),
        _ => FileFault::Missing,
    })
}

/// A listing that takes the place of lines about its object keeps them.
pub(crate) fn follow(session: Session) {
    session.follow(move |page, before| {
        let (Source::Kernel(now), Some(Source::Kernel(then))) = (
            &page.state.source,
            before.map(|before| &before.state.source),
        ) else {
            return;
        };
        if now != then
            && let Some(text) = with_lines(now, then)
        {
            session.edit(|state| state.source = Source::Kernel(text));
        }
    });
}

/// A SASS listing with the lines of `before` about objects, where it has none and one of them is of its code.
pub(crate) fn with_lines(listing: &str, before: &str) -> Option<String> {
    let is_alone = before
        .lines()
        .all(|line| line.is_empty() || is_object_line(line));
    if !is_alone || Language::of(listing) != Language::Sass || listing.lines().any(is_object_line) {
        return None;
    }
    let is_of_name = |one: char| one.is_ascii_alphanumeric() || matches!(one, '_' | '$');
    let names: BTreeSet<&str> = listing.split(|one| !is_of_name(one)).collect();
    let objects = Object::all_of_text(before);
    let mut kernels = objects.iter().flat_map(|object| &object.kernels);
    let is_its = kernels.any(|kernel| names.contains(kernel.name.as_str()));
    is_its.then(|| format!("{}\n\n{before}", listing.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::{FileFault, answer, is_binary, with_lines};

    const LINES: &str = "//@object sm_90\n//@kernel f shared=0\n//@parameter 0 8\n";
    const LISTING: &str = "code for sm_90\n\tFunction : f\n /*0000*/ EXIT ;\n";

    #[test]
    fn a_listing_keeps_the_lines_whose_place_it_takes() {
        let both = with_lines(LISTING, LINES).expect("its object");
        assert!(both.starts_with(LISTING.trim_end()) && both.ends_with(LINES));
        assert_eq!(with_lines(&both, LINES), None);
        assert_eq!(with_lines(&LISTING.replace(": f", ": g"), LINES), None);
        assert_eq!(
            with_lines(LISTING, &both),
            None,
            "a listing with lines is another's"
        );
    }

    #[test]
    fn answers_of_the_worker() {
        assert_eq!(answer("text\nabc\n"), Ok("abc\n".to_owned()));
        assert_eq!(answer("fault\tpacked\t\t\n"), Err(FileFault::Packed));
        let Err(FileFault::Large(contents)) = answer("fault\tlarge\tf, g\tsm_80\n") else {
            panic!("a large file")
        };
        assert_eq!(
            [contents.kernels, contents.architectures],
            ["f, g", "sm_80"]
        );
    }

    #[test]
    fn texts_are_no_binaries() {
        assert!(!is_binary(b"MZ is a text") && !is_binary(b"") && !is_binary(&[0xff, 0xfe, 65, 0]));
        assert!(is_binary(b"\x7fELF") && is_binary(b"MZ\x90\0") && is_binary(b"PNG\0"));
    }
}
