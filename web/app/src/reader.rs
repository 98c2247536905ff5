//! WGSL, PTX and SASS as kernels: read by a worker that loads when it is wanted, run here as any kernel.

use std::cell::RefCell;
use std::sync::Arc;

use js_sys::{Function, Reflect, Uint8Array};
use lanescope_frontend::{Diagnostic, DiagnosticKind, KernelOptions, Language, Parsed, Span};
use lanescope_share::Source;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};

use crate::tasks;

/// What the worker is asked: the text, which kernel, the overrides.
type Request = (String, KernelOptions);

/// What was read, and how the worker said it.
struct Read {
    of: Request,
    parsed: Parsed,
    bytes: Arc<[u8]>,
}

thread_local! {
    static READ: RefCell<Option<Read>> = const { RefCell::new(None) };
    static REQUESTED: RefCell<Option<Request>> = const { RefCell::new(None) };
    /// The text whose language was asked last.
    static LANGUAGE: RefCell<(String, Language)> =
        const { RefCell::new((String::new(), Language::Cuda)) };
    /// How many answers have come.
    static ANSWERS: RefCell<u32> = const { RefCell::new(0) };
}

impl Read {
    fn is_of(&self, text: &str, options: &KernelOptions) -> bool {
        self.of.0 == text && self.of.1 == *options
    }
}

/// The language of `text`: of one that it is asked of again and again, as much of the page does, looked for once.
pub(crate) fn language(text: &str) -> Language {
    LANGUAGE.with_borrow_mut(|(last, language)| {
        if last != text {
            text.clone_into(last);
            *language = Language::of(text);
        }
        *language
    })
}

/// The text of a source that the worker reads.
pub(crate) fn text(source: &Source) -> Option<&str> {
    match source {
        Source::Kernel(text) => match language(text) {
            Language::Wgsl | Language::Ptx | Language::Sass => Some(text),
            Language::Cuda => None,
        },
        Source::Expression { .. } | Source::Layout { .. } | Source::Trace(_) => None,
    }
}

/// What has been read of the text; nothing while the worker reads.
pub(crate) fn read(text: &str, options: &KernelOptions) -> Parsed {
    READ.with_borrow(|read| match read {
        Some(read) if read.is_of(text, options) => read.parsed.clone(),
        _ => Parsed::default(),
    })
}

/// The same as bytes, which [`Parsed::of_wire`] takes.
pub(crate) fn read_bytes(text: &str, options: &KernelOptions) -> Arc<[u8]> {
    READ.with_borrow(|read| match read {
        Some(read) if read.is_of(text, options) => Arc::clone(&read.bytes),
        _ => Parsed::default().to_wire().into(),
    })
}

/// Keeps what was read of the text, for [`read`]; `None` where `bytes` are not the reader's.
pub(crate) fn keep(text: String, options: KernelOptions, bytes: Arc<[u8]>) -> Option<()> {
    let parsed = Parsed::of_wire(&bytes)?;
    let of = (text, options);
    READ.set(Some(Read { of, parsed, bytes }));
    Some(())
}

/// The number of answers so far, for a source that is read elsewhere; 0 for others.
pub(crate) fn answers(source: &Source) -> u32 {
    text(source).map_or(0, |_| ANSWERS.with_borrow(|answers| *answers))
}

/// Has the worker read `text`, if that is new; then does `act`.
pub(crate) fn ask_once(text: &str, options: KernelOptions, act: impl FnOnce() + 'static) {
    let request = (text.to_owned(), options);
    let is_new = REQUESTED.with_borrow(|before| before.as_ref() != Some(&request));
    if is_new {
        REQUESTED.set(Some(request.clone()));
        tasks::then(move || ask(request, act));
    }
}

/// Has the worker read `text`, for [`read`]; then does `act`.
pub(crate) fn ask_for(text: String, options: KernelOptions, act: impl FnOnce() + 'static) {
    ask((text, options), act);
}

fn ask(request: Request, act: impl FnOnce() + 'static) {
    let (text, options) = &request;
    let defines: Vec<String> = options
        .defines
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let arguments = [
        text.as_str().into(),
        options.kernel.as_deref().unwrap_or_default().into(),
        defines.join("\n").into(),
    ];
    let heard = Closure::once_into_js(move |bytes: JsValue, failure: JsValue| {
        hear(request, &bytes, &failure);
        tasks::then(act);
    });
    let reader = Reflect::get(&js_sys::global(), &"lanescopeReader".into())
        .ok()
        .and_then(|reader| reader.dyn_into::<Function>().ok());
    if let Some(reader) = reader {
        let [text, kernel, defines] = arguments;
        let list = js_sys::Array::of4(&text, &kernel, &defines, &heard);
        // It answers later, also when it fails.
        let _ = reader.apply(&JsValue::NULL, &list);
    }
}

fn hear(request: Request, bytes: &JsValue, failure: &JsValue) {
    tasks::begin();
    let (text, options) = request;
    let bytes = bytes
        .dyn_ref::<Uint8Array>()
        .map(|bytes| bytes.to_vec().into());
    let kept = bytes.and_then(|bytes| keep(text.clone(), options.clone(), bytes));
    if kept.is_none() {
        let parsed = failed(match failure.as_string().as_deref() {
            Some("slow") => DiagnosticKind::ReaderSlow,
            Some("none") => DiagnosticKind::ReaderForbidden,
            _ => DiagnosticKind::ReaderMissing,
        });
        // What only this page says crosses to no worker.
        READ.set(Some(Read {
            of: (text, options),
            parsed,
            bytes: Parsed::default().to_wire().into(),
        }));
    }
    ANSWERS.with_borrow_mut(|answers| *answers = answers.wrapping_add(1));
}

fn failed(kind: DiagnosticKind) -> Parsed {
    let diagnostic = Diagnostic {
        span: Span::default(),
        line: 1,
        column: 1,
        kind,
        fix: None,
    };
    Parsed {
        diagnostics: vec![diagnostic],
        ..Parsed::default()
    }
}
