//! A profiler's export beside the prediction: read and counted by a worker, whose text lines are taken apart here.

use std::cell::RefCell;

use js_sys::{Function, Reflect, Uint8Array};
use lanescope_tally::Kind;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};

/// What came of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Measured {
    /// Each launch in it.
    Launches(Vec<MeasuredLaunch>),
    /// The worker took too long.
    Slow,
    /// The worker could not be had.
    Missing,
}

/// A launch that was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MeasuredLaunch {
    /// Name, grid, block; a `?` behind an extent that the export does not say.
    pub(crate) names: [String; 3],
    /// The key of how far the prediction can be relied on.
    pub(crate) status: String,
    /// The key of where its code is from.
    pub(crate) whence: String,
    /// The device that it ran on, by its id.
    pub(crate) device: String,
    /// What can be given to the code: key, name, type.
    pub(crate) parameters: Vec<[String; 3]>,
    /// Sums.
    pub(crate) totals: Vec<MeasuredRow>,
    /// Instructions.
    pub(crate) instructions: Vec<MeasuredRow>,
    /// Why there is nothing, or not all: a sentence in each language, in the order of [`Language::ALL`].
    pub(crate) faults: Vec<Vec<String>>,
}

impl MeasuredLaunch {
    /// Grid and block; one that the export does not say is the page's.
    pub(crate) fn shape(&self) -> Option<[[u32; 3]; 2]> {
        let [_, grid, block] = &self.names;
        Some([shape(grid)?, shape(block)?])
    }
}

/// `32 × 8 × 1?`.
fn shape(text: &str) -> Option<[u32; 3]> {
    let axes = text.trim_end_matches('?').split(" × ");
    let axes: Vec<u32> = axes.map_while(|axis| axis.parse().ok()).collect();
    axes.try_into().ok()
}

/// A number, predicted and measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MeasuredRow {
    /// What it is of: the key of a sum and its counter, or an instruction and its source line.
    pub(crate) of: [String; 2],
    /// The key of what is counted; empty for sums.
    pub(crate) unit: String,
    /// What is predicted.
    pub(crate) predicted: u64,
    /// What was measured.
    pub(crate) measured: Option<u64>,
    /// The key of why they differ.
    pub(crate) difference: String,
    /// The line of the kernel that is open which the instruction comes of.
    pub(crate) open_line: Option<u32>,
}

impl MeasuredRow {
    /// What its instruction does; `None` of a sum, and of an instruction whose number is of no one thing.
    pub(crate) fn kind(&self) -> Option<Kind> {
        let mut words = self.of[0].split_whitespace();
        let first = words.find(|word| !word.starts_with('@'))?;
        let opcode = first.split('.').next()?;
        let is_shared = self.unit == "wavefronts";
        match (opcode, is_shared) {
            ("LDS", true) => Some(Kind::SharedLoad),
            ("STS", true) => Some(Kind::SharedStore),
            ("LDSM", true) => Some(Kind::MatrixLoad),
            ("STSM", true) => Some(Kind::MatrixStore),
            ("LDG", false) => Some(Kind::GlobalLoad),
            ("STG", false) => Some(Kind::GlobalStore),
            _ => None,
        }
    }
}

/// Takes the worker's lines apart; what is not understood is left out.
pub(crate) fn launches(text: &str) -> Vec<MeasuredLaunch> {
    let mut all: Vec<MeasuredLaunch> = Vec::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        if let ["kernel", name, grid, block, status, whence, device] = fields.as_slice() {
            all.push(MeasuredLaunch {
                names: [name, grid, block].map(|name| (*name).to_owned()),
                status: (*status).to_owned(),
                whence: (*whence).to_owned(),
                device: (*device).to_owned(),
                ..MeasuredLaunch::default()
            });
            continue;
        }
        if all.is_empty() {
            all.push(MeasuredLaunch::default());
        }
        let Some(last) = all.last_mut() else { continue };
        match fields.as_slice() {
            ["parameter", key, name, declared] => last
                .parameters
                .push([key, name, declared].map(|text| (*text).to_owned())),
            ["total", key, counter, predicted, measured, difference] => {
                last.totals
                    .push(row([key, counter], "", [predicted, measured], difference));
            }
            [
                "row",
                _,
                _,
                text,
                source,
                unit,
                predicted,
                measured,
                difference,
                open_line,
            ] => {
                let row = row([text, source], unit, [predicted, measured], difference);
                last.instructions.push(MeasuredRow {
                    open_line: open_line.parse().ok(),
                    ..row
                });
            }
            ["fault", sentences @ ..] => {
                let sentences = sentences.iter().map(|&sentence| sentence.to_owned());
                last.faults.push(sentences.collect());
            }
            _ => {}
        }
    }
    all
}

fn row(
    of: [&str; 2],
    unit: &str,
    [predicted, measured]: [&str; 2],
    difference: &str,
) -> MeasuredRow {
    MeasuredRow {
        of: of.map(str::to_owned),
        unit: unit.to_owned(),
        predicted: predicted.parse().unwrap_or(0),
        measured: measured.parse().ok(),
        difference: difference.to_owned(),
        open_line: None,
    }
}

thread_local! {
    static REQUESTS: RefCell<u32> = const { RefCell::new(0) };
}

/// Has the worker compare `export` with the code in it, else with the kernel of `link`; an answer to an older question
/// is dropped.
pub(crate) fn ask(export: &str, link: &str, heard: impl FnOnce(Measured) + 'static) {
    let number = REQUESTS.with_borrow_mut(|requests| {
        *requests = requests.wrapping_add(1);
        *requests
    });
    let heard = Closure::once_into_js(move |bytes: JsValue, failure: JsValue| {
        if REQUESTS.with_borrow(|requests| *requests == number) {
            heard(measured_or_fault(&bytes, &failure));
        }
    });
    let worker = Reflect::get(&js_sys::global(), &"lanescopeCompare".into())
        .ok()
        .and_then(|worker| worker.dyn_into::<Function>().ok());
    if let Some(worker) = worker {
        // It answers later, also when it fails.
        let list = js_sys::Array::of4(&export.into(), &link.into(), &"".into(), &heard);
        let _ = worker.apply(&JsValue::NULL, &list);
    }
}

fn measured_or_fault(bytes: &JsValue, failure: &JsValue) -> Measured {
    let bytes = bytes.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec);
    match bytes.and_then(|bytes| String::from_utf8(bytes).ok()) {
        Some(text) => Measured::Launches(launches(&text)),
        None if failure.as_string().as_deref() == Some("slow") => Measured::Slow,
        None => Measured::Missing,
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, launches};

    #[test]
    fn lines_become_rows() {
        let text = "kernel\tf\t1 × 1 × 1\t32 × 1 × 1?\tcounted\tsass\tcc9.0\n\
                    total\tshared_load_wavefronts\tl1tex\t8\t9\tarbitration\n\
                    row\t3\t0x10\tLDS R1, [R0]\tx.cu:4\twavefronts\t8\t\tnot-measured\t4\n\
                    fault\twhy\t为什么\nother\n";
        let [launch] = &launches(text)[..] else {
            panic!("one launch")
        };
        assert_eq!(launch.shape(), Some([[1, 1, 1], [32, 1, 1]]));
        assert_eq!(launch.totals[0].measured, Some(9));
        assert_eq!(launch.instructions[0].of[1], "x.cu:4");
        assert_eq!(launch.instructions[0].measured, None);
        assert_eq!(launch.instructions[0].open_line, Some(4));
        assert_eq!(launch.instructions[0].kind(), Some(Kind::SharedLoad));
        assert_eq!(launch.faults, [["why", "为什么"]]);
        assert_eq!(launches("fault\tno table\n")[0].faults, [["no table"]]);
    }
}
