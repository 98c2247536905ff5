//! `lanescope._lanescope`: what the Python package calls. Questions and answers are JSON, addresses are NumPy arrays.
//!
//! Everything that takes long runs without the interpreter's lock and ends when the user presses Ctrl-C, or when its time
//! is up.

mod analysis;
mod comparison;
mod compiled;
mod request;
mod subject;
mod watch;

use lanescope_cli::engine::Kernels;
use lanescope_draw::{in_language, to_svg, with_link};
use lanescope_frontend::Language;
use lanescope_locale as locale;
use lanescope_model::Device;
use lanescope_query::picture;
use lanescope_share::encode;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::process::ExitCode;
use subject::Subject;
use watch::interruptible;

/// The report on a subject, both as JSON. `progress` is told the blocks that are done so far. Of compiled code names and
/// values of parameters are those of `source`, the subject that it was made of.
#[pyfunction]
#[pyo3(signature = (subject, progress=None, source=None))]
fn analyze(
    py: Python<'_>,
    subject: String,
    progress: Option<Py<PyAny>>,
    source: Option<String>,
) -> PyResult<String> {
    let limit = subject::limit(&subject);
    interruptible(py, progress, limit, move |watch| {
        let source = source.as_deref().map(Subject::of).transpose()?;
        analysis::report(Subject::of(&subject)?, source.as_ref(), watch)
    })
}

/// The fixes of a subject as JSON, each proved on the changed source; `code` is the subject of what a compiler made of it.
#[pyfunction]
#[pyo3(signature = (subject, code=None))]
fn fixes(py: Python<'_>, subject: String, code: Option<String>) -> PyResult<String> {
    let limit = subject::limit(&subject);
    interruptible(py, None, limit, move |watch| {
        let code = code.as_deref().map(Subject::of).transpose()?;
        analysis::fixes(Subject::of(&subject)?, code.as_ref(), watch)
    })
}

/// The picture of the costliest request of a subject (of those on `line`, unless that is 0) as SVG.
#[pyfunction]
fn svg(py: Python<'_>, subject: String, line: u32, language: String) -> PyResult<String> {
    let limit = subject::limit(&subject);
    interruptible(py, None, limit, move |watch| {
        let subject = Subject::of(&subject)?;
        let link = format!("#{}", encode(&subject.state()?));
        let analysis = analysis::of(subject, watch)?.0;
        let say =
            in_language(locale::Language::of_tag(&language).unwrap_or(locale::Language::DEFAULT));
        let picture = picture(&analysis, (line > 0).then_some(line), &say)?;
        Ok(with_link(&to_svg(&picture.drawing), &link))
    })
}

/// The link's fragment that opens a subject in the page.
#[pyfunction]
fn link(subject: &str) -> PyResult<String> {
    let state = Subject::of(subject).and_then(|subject| subject.state());
    state.map(|state| encode(&state)).map_err(raised)
}

/// A subject beside a profiler's exports (CSV pages of one report) as JSON. `kernel` (else `own`) and `nth` choose a
/// launch of a report with several.
#[pyfunction]
#[pyo3(signature = (subject, exports, kernel=None, own=None, nth=None))]
fn compare(
    py: Python<'_>,
    subject: String,
    exports: Vec<String>,
    kernel: Option<String>,
    own: Option<String>,
    nth: Option<usize>,
) -> PyResult<String> {
    let limit = subject::limit(&subject);
    interruptible(py, None, limit, move |watch| {
        let choice = comparison::Choice { kernel, own, nth };
        comparison::of(Subject::of(&subject)?, &exports, &choice, watch)
    })
}

/// The answers to a recorded trace as JSON.
#[pyfunction]
#[pyo3(signature = (text, device, max_seconds=None))]
fn trace(
    py: Python<'_>,
    text: String,
    device: String,
    max_seconds: Option<f64>,
) -> PyResult<String> {
    interruptible(py, None, subject::time(max_seconds), move |_| {
        lanescope_cli::engine::trace_json(&text, &request::device(&device)?)
    })
}

/// A layout with its accesses as JSON; with `find`, also what frees all of them under `alignment` bytes.
#[pyfunction]
#[pyo3(signature = (layout, accesses, device, find, alignment=None))]
fn layout(
    py: Python<'_>,
    layout: String,
    accesses: Vec<String>,
    device: String,
    find: bool,
    alignment: Option<u64>,
) -> PyResult<String> {
    interruptible(py, None, None, move |_| {
        let device = request::device(&device)?;
        lanescope_cli::engine::layout_json(&layout, &accesses, &device, find.then_some(alignment))
    })
}

/// A kernel's name, and those of its parameters.
type Named = (String, Vec<String>);

/// The kernels whose launch the subject's text has, each with the names of its parameters, and the names of the others; both
/// are empty where there are not several kernels, or no launch is known.
#[pyfunction]
fn kernels(py: Python<'_>, subject: &str) -> PyResult<(Vec<Named>, Vec<String>)> {
    let subject = Subject::of(subject).map_err(raised)?;
    let found = py
        .detach(|| Ok(Kernels::in_text(&subject.state()?)))
        .map_err(raised)?;
    Ok(found.map_or_else(Default::default, |kernels| {
        let launched = kernels.launched.into_iter();
        let launched = launched.map(|one| (one.name, one.parameters));
        (launched.collect(), kernels.unknown)
    }))
}

/// The language of a kernel's text: `cuda`, `wgsl`, `ptx` or `sass`.
#[pyfunction]
fn language(text: &str) -> String {
    Language::of(text).name().to_ascii_lowercase()
}

/// Ids and names of the devices.
#[pyfunction]
fn devices() -> Vec<(&'static str, &'static str)> {
    let all = Device::all().iter();
    all.map(|device| (device.id(), device.name())).collect()
}

/// Runs the command line; returns the exit status.
#[pyfunction]
fn command_line(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let code = py.detach(|| lanescope_cli::run(arguments));
    (0..=u8::MAX)
        .find(|status| ExitCode::from(*status) == code)
        .unwrap_or(1)
}

/// An error as the exception that the package's Python turns into its own.
fn raised(error: anyhow::Error) -> PyErr {
    PyValueError::new_err(format!("{error:#}"))
}

/// The native module.
#[pymodule]
fn _lanescope(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(analyze, module)?)?;
    module.add_function(wrap_pyfunction!(fixes, module)?)?;
    module.add_function(wrap_pyfunction!(svg, module)?)?;
    module.add_function(wrap_pyfunction!(link, module)?)?;
    module.add_function(wrap_pyfunction!(compare, module)?)?;
    module.add_function(wrap_pyfunction!(trace, module)?)?;
    module.add_function(wrap_pyfunction!(layout, module)?)?;
    module.add_function(wrap_pyfunction!(kernels, module)?)?;
    module.add_function(wrap_pyfunction!(language, module)?)?;
    module.add_function(wrap_pyfunction!(devices, module)?)?;
    module.add_function(wrap_pyfunction!(command_line, module)?)?;
    module.add_function(wrap_pyfunction!(request::request_u32, module)?)?;
    module.add_function(wrap_pyfunction!(request::request_u64, module)?)?;
    Ok(())
}
