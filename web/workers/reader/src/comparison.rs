//! A profiler's export laid beside the prediction, as text lines of fields with tabs between.
//!
//! `kernel NAME GRID BLOCK STATUS WHENCE DEVICE` begins a launch; `parameter KEY NAME TYPE`, `total KEY COUNTER PREDICTED MEASURED DIFFERENCE` and
//! `row LINE OFFSET INSTRUCTION SOURCE UNIT PREDICTED MEASURED DIFFERENCE OPEN` follow, where OPEN is the line of the kernel that
//! is open, if the instruction comes of that text; `fault TEXT TEXT …`, in the order of
//! [`Language::ALL`](lanescope_locale::Language::ALL), says why there is none.

mod lines;

use lanescope_compiled::{
    Known, LaunchOptions, NamedArgument, SourceParameter, demangled, object_of, select,
};
use lanescope_frontend::Language;
use lanescope_ir::{Kernel, Parameter, Stage};
use lanescope_locale::measured as words;
use lanescope_profiler::{
    Certainty, Comparison, Export, KernelProfile, Page, View, instance, listing, parameter_types,
    read,
};
use lanescope_query::{Question, analyse, argument_value, device, measured};
use lanescope_share::{Device, Source, State, decode_kept};

use crate::fault::Fault;

pub(crate) use lines::field;
use lines::{kernel, open_lines, parameters, rows};

/// The most launches of an export that are compared.
const MOST_LAUNCHES: usize = 16;
/// The most requests of a launch that are counted.
const MOST_REQUESTS: u64 = 4_000_000;

/// The comparison of each launch of `export`. `link` is the state of the kernel that is open, whose code and launch
/// are taken where the export has none.
pub(crate) fn comparisons(export: &str, link: &str) -> String {
    let state = decode_kept(link)
        .map(|opened| opened.state)
        .unwrap_or_default();
    let export = match read(export) {
        Ok(export) => joined(export),
        Err(error) => return Fault::from(error).line(),
    };
    let mut out = String::new();
    let mut names: Vec<&str> = export
        .kernels
        .iter()
        .map(|kernel| kernel.name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    let are_several = names.len() > 1;
    for profile in export.kernels.iter().take(MOST_LAUNCHES) {
        let (code, whence) = match own_code(&export, profile) {
            Some(own) => own,
            None => (open_code(&state), "open"),
        };
        let kernel_name = instance(&demangled(&profile.name));
        let scope = Scope {
            kernel: &kernel_name,
            are_several,
        };
        let compared = code.and_then(|code| compared(profile, &code, scope, &state));
        let certain = compared
            .as_ref()
            .map_or(Certainty::Partial, |compared| compared.comparison.status);
        kernel(&mut out, profile, &state, (whence, certain));
        match compared {
            Ok(compared) => {
                parameters(&mut out, &compared.parameters);
                rows(&mut out, &compared.comparison, &open_lines(profile, &state));
            }
            Err(fault) => out.push_str(&fault.line()),
        }
    }
    if export.kernels.is_empty() {
        out.push_str(&Fault::fixed(words::unnamed).line());
    }
    if export.kernels.len() > MOST_LAUNCHES {
        let all = export.kernels.len();
        let fault = Fault::of(|language| words::first_launches(language, MOST_LAUNCHES, all));
        out.push_str(&fault.line());
    }
    out
}

/// The counters of whole kernels and the source page of the same launches, where one text holds both.
fn joined(export: Export) -> Export {
    let (listed, counted): (Vec<_>, Vec<_>) = export
        .kernels
        .into_iter()
        .partition(|kernel| !kernel.instructions.is_empty());
    let mut whole = Export {
        page: export.page,
        kernels: counted,
        texts: Vec::new(),
    };
    whole.join(Export {
        page: Page::Source(View::Sass),
        kernels: listed,
        texts: export.texts,
    });
    whole
}

/// What is counted.
struct Code {
    text: String,
    /// Whether it is the listing of the export's own instructions.
    is_of_listing: bool,
}

type Whence = &'static str;

/// A launch beside its prediction.
struct ComparedLaunch {
    comparison: Comparison,
    /// What can be given to compiled code.
    parameters: Vec<Settable>,
}

/// Whose arguments a name means.
#[derive(Clone, Copy)]
struct Scope<'n> {
    kernel: &'n str,
    /// Whether the export has launches of other kernels: then names of arguments begin with that of the kernel.
    are_several: bool,
}

impl Scope<'_> {
    /// How a link names the argument at `place`: `0`, `@0x18`, or `f/0` among several kernels.
    fn key(self, place: &str) -> String {
        if self.are_several {
            format!("{}/{place}", self.kernel)
        } else {
            place.to_owned()
        }
    }

    /// The place that a name of a link means; `None` where it means another kernel's, or a parameter of a source.
    fn place(self, name: &str) -> Option<&str> {
        let place = match name.rsplit_once('/') {
            Some((kernel, place)) => (kernel == self.kernel).then_some(place)?,
            None if self.are_several => return None,
            None => name,
        };
        let is_place = place.starts_with('@') || place.bytes().all(|byte| byte.is_ascii_digit());
        is_place.then_some(place)
    }
}

/// A parameter that can be given a value.
struct Settable {
    /// How a link names it: by position, or by `@offset` where nobody says which parameters there are; see [`Scope`].
    key: String,
    name: String,
    /// Its type, or its size.
    declared: String,
}

/// The code that the export holds: SASS, else PTX, else the only source.
fn own_code(export: &Export, profile: &KernelProfile) -> Option<(Result<Code, Fault>, Whence)> {
    let of = |text: String, is_of_listing| {
        Ok(Code {
            text,
            is_of_listing,
        })
    };
    if let Some(listing) = listing(profile) {
        return Some((of(listing, true), "sass"));
    }
    if let Some(ptx) = export.texts.iter().find(|text| text.file.is_empty()) {
        return Some((of(ptx.text.clone(), false), "ptx"));
    }
    match export.texts.as_slice() {
        [only] => Some((of(only.text.clone(), false), "source")),
        _ => None,
    }
}

/// The kernel that is open.
fn open_code(state: &State) -> Result<Code, Fault> {
    match &state.source {
        Source::Kernel(text) if !text.trim().is_empty() => Ok(Code {
            text: text.clone(),
            is_of_listing: false,
        }),
        _ => Err(Fault::fixed(words::no_code)),
    }
}

fn compared(
    profile: &KernelProfile,
    code: &Code,
    scope: Scope<'_>,
    state: &State,
) -> Result<ComparedLaunch, Fault> {
    let mut state = state.clone();
    if let Some((major, minor)) = profile.compute_capability {
        let named = Device::Known(format!("cc{major}.{minor}"));
        if device(&named).is_ok() {
            state.device = named;
        }
    }
    state.launch.grid = profile.grid.unwrap_or(state.launch.grid);
    state.launch.block = profile.block.unwrap_or(state.launch.block);
    let name = Some(instance(&demangled(&profile.name)))
        .filter(|name| !code.is_of_listing && !name.is_empty());
    match Language::of(&code.text) {
        Language::Sass | Language::Ptx => {
            of_compiled(profile, code, scope, (&state, name.as_deref()))
        }
        Language::Cuda => Ok(ComparedLaunch {
            comparison: of_source(profile, code, state, name)?,
            parameters: Vec::new(),
        }),
        Language::Wgsl => Err(Fault::fixed(words::no_wgsl)),
    }
}

fn of_compiled(
    profile: &KernelProfile,
    code: &Code,
    scope: Scope<'_>,
    (state, name): (&State, Option<&str>),
) -> Result<ComparedLaunch, Fault> {
    let selected = select(&code.text, name, None)?;
    let selected = selected.ok_or_else(|| Fault::fixed(words::unreadable))?;
    let first = selected.diagnostics.first().map(|one| one.kind.clone());
    let unread = || Fault::of_first(first.as_ref());
    let name_of = selected.kernel.as_ref().map(|kernel| kernel.name.clone());
    let own = name_of.ok_or_else(unread)?;
    let known = signature(&profile.name);
    let given = state.launch.arguments.iter().filter_map(|(name, text)| {
        let place = scope.place(name).map(str::to_owned);
        // What was given to a source by name is not meant for the listing of an export.
        let name = place.or_else(|| (!code.is_of_listing).then(|| name.clone()))?;
        Some((name, text))
    });
    let given = given.map(|(name, text)| {
        Ok(NamedArgument {
            name,
            text: text.clone(),
            value: argument_value(text)?,
        })
    });
    let given: Vec<NamedArgument> = given.collect::<Result<_, Fault>>()?;
    let object = object_of(&code.text, name);
    let kernels = object.iter().flat_map(|object| &object.kernels);
    let options = LaunchOptions {
        object: kernels.into_iter().find(|kernel| kernel.name == own),
        grid: Some(state.launch.grid),
        block: Some(state.launch.block),
        dynamic_shared_bytes: Some(state.launch.dynamic_shared_bytes.into()),
        arguments: &given,
        known: Some(&known),
        leaves_unknown: true,
        ..LaunchOptions::default()
    };
    let launched = selected.launched(&code.text, &options)?;
    let launched = launched.ok_or_else(unread)?;
    let question = Question::of_launch(
        launched.parsed,
        code.text.clone(),
        launched.launch,
        device(&state.device)?,
        MOST_REQUESTS,
    );
    let analysis = analyse(question);
    let kernel = analysis.program().lowered().ok_or_else(unread)?;
    Ok(ComparedLaunch {
        comparison: measured(&analysis, profile, code.is_of_listing)?,
        parameters: settable(kernel, scope, !known.parameters.is_empty()),
    })
}

/// What can be given to `kernel`, whose parameters are all there or, where `are_known` is false, those that it reads.
fn settable(kernel: &Kernel, scope: Scope<'_>, are_known: bool) -> Vec<Settable> {
    let by_position = are_known || kernel.stage == Stage::Ptx;
    let of = |(at, one): (usize, &Parameter)| Settable {
        key: scope.key(&if by_position {
            at.to_string()
        } else {
            format!("@{:#x}", one.offset)
        }),
        name: one.name.clone(),
        declared: match (one.declared.is_empty(), one.array) {
            (false, _) => one.declared.clone(),
            (true, Some(_)) => "pointer".to_owned(),
            (true, None) => format!("{} bytes", one.bytes),
        },
    };
    kernel.parameters.iter().enumerate().map(of).collect()
}

fn of_source(
    profile: &KernelProfile,
    code: &Code,
    mut state: State,
    name: Option<String>,
) -> Result<Comparison, Fault> {
    state.source = Source::Kernel(code.text.clone());
    state.launch.kernel = name;
    let question = Question::of(&state, MOST_REQUESTS)?;
    let analysis = analyse(question);
    if !analysis.is_answered() {
        let first = analysis.diagnostics.first();
        return Err(Fault::of_first(first.map(|one| &one.kind)));
    }
    Ok(measured(&analysis, profile, false)?)
}

/// The parameters, as the kernel's demangled name tells their types.
fn signature(name: &str) -> Known {
    let types = parameter_types(&demangled(name)).unwrap_or_default();
    let parameters = types
        .into_iter()
        .enumerate()
        .map(|(at, ty)| SourceParameter {
            name: format!("argument {at}"),
            bytes: ty.bytes,
            element_bytes: ty.element_bytes,
            value: None,
        });
    Known {
        parameters: parameters.collect(),
        ..Known::default()
    }
}

#[cfg(test)]
mod tests {
    use super::comparisons;
    use lanescope_share::{Source, State, encode};

    const RAW: &str = include_str!("../../../../tests/golden/profiler/raw.csv");
    const SASS: &str = include_str!("../../../../tests/golden/profiler/source_sass.csv");
    const LINES: &str = include_str!("../../../../tests/golden/profiler/source_cuda_sass.csv");
    const SOURCE: &str = include_str!("../../../../tests/golden/profiler/kernels.cu");

    /// Of the lines that begin with `kind`: how many there are, and how many are equal.
    fn equal(text: &str, kind: &str) -> (usize, usize) {
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with(kind)).collect();
        let equal = lines.iter().filter(|line| line.contains("\tequal"));
        (lines.len(), equal.count())
    }

    #[test]
    fn one_text_gives_prediction_and_measurement() {
        let text = comparisons(&format!("{RAW}\n{SASS}"), "");
        let (rows, agreeing) = equal(&text, "row\t");
        // An address that depends on arguments that no export says has no number, and is said to have none.
        let open = text.lines().filter(|line| line.starts_with("row\t"));
        let open = open
            .filter(|line| line.ends_with("\tnot-counted\t"))
            .count();
        assert!(agreeing >= 40 && agreeing + open + 1 >= rows, "{text}");
        assert!(!text.contains("not-known"), "{text}");
    }

    #[test]
    fn arguments_of_the_listing_can_be_given() {
        let text = format!("{RAW}\n{SASS}");
        let of_scaled = |link: &str| {
            let text = comparisons(&text, link);
            let after = text.split("kernel\tscale_strided(").nth(1).unwrap();
            let end = after.find("\nkernel\t").unwrap_or(after.len());
            after[..end].to_owned()
        };
        let open = of_scaled("");
        assert!(
            open.contains("\tpartial\t") && open.contains("\tscale_strided/2\t"),
            "{open}"
        );
        let mut state = State::default();
        let given = [("scale_strided/2", "4"), ("n", "7"), ("gather/0", "7")];
        state.launch.arguments = given
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        let text = of_scaled(&encode(&state));
        let (rows, agreeing) = equal(&text, "row\t");
        assert!(!text.contains("\tpartial\t") && rows == agreeing, "{text}");
    }

    #[test]
    fn counters_alone_want_the_kernel_that_is_open() {
        let nothing = comparisons(RAW, "");
        assert!(
            nothing.contains("fault\tthe export holds no code"),
            "{nothing}"
        );
        let state = State {
            source: Source::Kernel(SOURCE.to_owned()),
            ..State::default()
        };
        let text = comparisons(RAW, &encode(&state));
        let (totals, agreeing) = equal(&text, "total\t");
        assert!(totals > 10 && agreeing * 10 >= totals * 7, "{text}");
    }

    #[test]
    fn lines_of_the_kernel_that_is_open_are_told() {
        let compare = |source: &str| {
            let state = State {
                source: Source::Kernel(source.to_owned()),
                ..State::default()
            };
            let text = comparisons(LINES, &encode(&state));
            let rows = text.lines().filter(|line| line.starts_with("row\t"));
            rows.map(|row| row.rsplit('\t').next().unwrap_or_default().to_owned())
                .collect::<Vec<_>>()
        };
        let own = compare(SOURCE);
        assert!(
            own.contains(&"13".to_owned()) && own.contains(&"15".to_owned()),
            "{own:?}"
        );
        let moved = compare(&format!("// more\n{SOURCE}"));
        assert!(
            !moved.is_empty() && moved.iter().all(String::is_empty),
            "{moved:?}"
        );
    }

    #[test]
    fn what_is_no_export_says_so() {
        assert!(comparisons("instruction,lane0\n", "").starts_with("fault\t"));
        assert!(comparisons("", "v=9").starts_with("fault\t"));
    }
}
