//! The fixes of a source as JSON.

use crate::{ChangedFile, FixReader};
use anyhow::bail;
use lanescope_fixes::{
    Advice, Edit, Note, Question, Registers, Rise, SharedTotals, Source, Suggestion, TileLayout,
    Totals,
};
use lanescope_frontend::{ArgumentValue, Budget, Buffer, Language};
use lanescope_model::Operation;
use lanescope_query::{self as query, Compiler, argument_text, kernel_options};
use lanescope_share::{self as share, State};
use serde::Serialize;

/// The fixes of what `state` asks, searched as long as `keep_going` says so.
///
/// # Errors
/// When the source is of a kind in which no fixes are searched.
pub fn advise(
    state: &State,
    asked: &query::Question,
    registers: Option<Registers>,
    keep_going: &mut dyn FnMut() -> bool,
) -> anyhow::Result<Advice> {
    let source = match &state.source {
        share::Source::Kernel(text) if !Language::of(text).is_compiled() => Source::Kernel {
            options: kernel_options(state),
            text: text.clone(),
        },
        share::Source::Expression {
            accesses,
            declarations,
        } => Source::Expression {
            declarations: declarations.clone(),
            accesses: accesses.clone(),
            bare: match state.operation {
                share::Operation::Load => Operation::Load,
                share::Operation::Store => Operation::Store,
            },
        },
        share::Source::Kernel(_) | share::Source::Layout { .. } | share::Source::Trace(_) => {
            bail!("fixes are searched in CUDA, HIP, WGSL and expressions")
        }
    };
    let question = Question {
        source: &source,
        reader: &FixReader::of(state, Compiler::of(state), asked.stop.clone()),
        launch: asked.launch.clone(),
        device: &asked.device,
        budget: Budget::default(),
        registers,
    };
    Ok(lanescope_fixes::advise(&question, &mut |_| keep_going()))
}

/// What the launch of a fix has otherwise than the source as it is, as options.
#[must_use]
pub fn launch_changes(advice: &Advice, picked: &Suggestion) -> Vec<(&'static str, String)> {
    let (old, new) = (&advice.launch, &picked.launch);
    let mut changes = Vec::new();
    if old.block != new.block {
        changes.push(("--block", extent(new.block)));
    }
    if old.grid != new.grid {
        changes.push(("--grid", extent(new.grid)));
    }
    if old.dynamic_shared_bytes != new.dynamic_shared_bytes {
        changes.push(("--dynamic-shared", new.dynamic_shared_bytes.to_string()));
    }
    for argument in &new.arguments {
        let mut given = old.arguments.iter();
        let then = given.find(|one| one.name == argument.name);
        // A buffer of which nothing is said is what everybody takes it for.
        let is_told = match then {
            Some(then) => then.value != argument.value,
            None => argument.value != ArgumentValue::Buffer(Buffer::default()),
        };
        if is_told {
            let value = argument_text(&argument.value);
            changes.push(("--arg", format!("{}={value}", argument.name)));
        }
    }
    changes
}

/// What was found for a source: its totals now, each array's, and the fixes, best first.
#[derive(Debug, Serialize)]
pub struct Fixes {
    blocks: u64,
    now: TotalsReport,
    arrays: Vec<ArrayReport>,
    fixes: Vec<FixReport>,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct TotalsReport {
    shared_requests: u64,
    shared_wavefronts: u64,
    shared_ideal: u64,
    shared_conflicts: u64,
    ways: u32,
    global_units: u64,
    global_ideal: u64,
}

#[derive(Debug, Serialize)]
struct ArrayReport {
    name: String,
    wavefronts: u64,
    bound: u64,
    places_tried: usize,
}

#[derive(Debug, Serialize)]
struct FixReport {
    fix: String,
    array: String,
    source: String,
    array_wavefronts: [u64; 2],
    before: TotalsReport,
    after: TotalsReport,
    shared_bytes: [u64; 2],
    blocks_per_sm: [Option<u64>; 2],
    warps_per_sm: [Option<u64>; 2],
    /// Parts of 10,000 of the 16,384 bytes that WebGPU promises.
    webgpu_share: [u64; 2],
    index_instructions: u32,
    proof: String,
    /// The line whose accesses cost more with it, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    raises: Option<RiseReport>,
    /// Options that the changed source is launched with, where they are others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    launch_options: Vec<String>,
    /// Where it puts the elements of shared arrays, as others write layouts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    layouts: Vec<LayoutReport>,
    edits: Vec<EditReport>,
}

#[derive(Debug, Serialize)]
struct LayoutReport {
    array: String,
    cute: String,
    cute_dsl: String,
    triton: Option<String>,
}

#[derive(Debug, Serialize)]
struct RiseReport {
    line: u32,
    from: u64,
    to: u64,
}

#[derive(Debug, Serialize)]
struct EditReport {
    /// The included file that it changes; none where it is the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    start: u32,
    end: u32,
    replacement: String,
}

impl Fixes {
    /// The document of `advice`; `name` is the path of the source, and `text` the source with what it includes.
    #[must_use]
    pub fn of(advice: &Advice, name: &str, text: &str) -> Self {
        let arrays = advice.arrays.iter().map(|array| ArrayReport {
            name: array.name.clone(),
            wavefronts: array.now.wavefronts,
            bound: array.bound,
            places_tried: array.tried,
        });
        let suggestions = advice.suggestions.iter();
        Self {
            blocks: advice.blocks,
            now: TotalsReport::of(&advice.now),
            arrays: arrays.collect(),
            fixes: suggestions
                .map(|suggestion| FixReport::of(advice, suggestion, name, text))
                .collect(),
            notes: advice.notes.iter().map(Note::to_string).collect(),
        }
    }
}

impl TotalsReport {
    fn of(totals: &Totals) -> Self {
        Self {
            shared_requests: totals.shared.requests,
            shared_wavefronts: totals.shared.wavefronts,
            shared_ideal: totals.shared.ideal,
            shared_conflicts: totals.shared.conflicts(),
            ways: totals.shared.ways,
            global_units: totals.global.units,
            global_ideal: totals.global.ideal,
        }
    }
}

impl LayoutReport {
    fn of(layout: &TileLayout) -> Self {
        Self {
            array: layout.array.clone(),
            cute: layout.cute.clone(),
            cute_dsl: layout.cute_dsl.clone(),
            triton: layout.triton.clone(),
        }
    }
}

impl FixReport {
    fn of(advice: &Advice, suggestion: &Suggestion, name: &str, text: &str) -> Self {
        let wavefronts = |totals: &SharedTotals| totals.wavefronts;
        let files = ChangedFile::all(name, text, &suggestion.edits).into_iter();
        let edits = files.flat_map(|file| {
            let path = (!file.is_source).then_some(file.path);
            let report = move |edit: Edit| EditReport {
                file: path.clone(),
                start: edit.span.start,
                end: edit.span.end,
                replacement: edit.replacement,
            };
            file.edits.into_iter().map(report)
        });
        Self {
            fix: suggestion.kind.to_string(),
            array: suggestion.array.clone(),
            source: suggestion.snippet.clone(),
            array_wavefronts: suggestion.array_totals.each_ref().map(wavefronts),
            before: TotalsReport::of(&suggestion.totals[0]),
            after: TotalsReport::of(&suggestion.totals[1]),
            shared_bytes: suggestion.occupancy.map(|occupancy| occupancy.shared_bytes),
            blocks_per_sm: suggestion.occupancy.map(|occupancy| occupancy.blocks),
            warps_per_sm: suggestion.occupancy.map(|occupancy| occupancy.warps),
            webgpu_share: suggestion
                .occupancy
                .map(|occupancy| occupancy.webgpu_share()),
            index_instructions: suggestion.instructions,
            proof: suggestion.proof.to_string(),
            raises: suggestion
                .raises
                .map(|Rise { line, from, to }| RiseReport { line, from, to }),
            launch_options: launch_changes(advice, suggestion)
                .into_iter()
                .flat_map(|(option, value)| [option.to_owned(), value])
                .collect(),
            layouts: suggestion.layouts.iter().map(LayoutReport::of).collect(),
            edits: edits.collect(),
        }
    }
}

fn extent([x, y, z]: [u32; 3]) -> String {
    format!("{x},{y},{z}")
}
