//! A listing to kernels.

use crate::banks::{Banks, ConstantBytes};
use crate::control;
use crate::dead_code;
use crate::diagnostic::{Diagnostic, Severity};
use crate::generation::{self, Generation};
use crate::listing::{Function, Listing, MOST_BYTES, listing};
use crate::name::is_named;
use lanescope_ir::Kernel;
use lanescope_locale::other_text::OtherText;
use lanescope_locale::sass_fault::SassFault;
use std::collections::{BTreeMap, BTreeSet};

/// The architecture that a listing is taken to be for where nothing says it, `sm_90`.
const DEFAULT_ARCHITECTURE: u16 = 90;

/// What to read of a listing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Only the function of this name: mangled, demangled or plain.
    pub kernel: Option<String>,
    /// `sm_…`: which functions to take of a listing for several architectures, and what a listing is for that does
    /// not say.
    pub architecture: Option<u16>,
    /// What constant banks hold, where an object is at hand.
    pub constants: Vec<ConstantBytes>,
}

/// The names of a listing's functions, as written; empty where a function has none.
#[must_use]
pub fn functions(text: &str) -> Vec<String> {
    if text.len() > MOST_BYTES {
        return Vec::new();
    }
    let names = listing(text).functions.into_iter();
    names.map(|function| function.name.to_owned()).collect()
}

/// The architectures that a listing says its functions are for.
#[must_use]
pub fn architectures(text: &str) -> BTreeSet<u16> {
    if text.len() > MOST_BYTES {
        return BTreeSet::new();
    }
    let functions = listing(text).functions.into_iter();
    functions
        .filter_map(|function| function.architecture)
        .collect()
}

/// What a listing holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// Its kernels, in the order of the listing.
    pub kernels: Vec<Kernel>,
    /// What is to be said of it.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a listing. Parsing never fails: what cannot be read is named.
#[must_use]
pub fn read(text: &str, options: &Options) -> Parsed {
    if text.len() > MOST_BYTES {
        let mebibytes = MOST_BYTES >> 20;
        return refused(SassFault::TooLong { mebibytes });
    }
    let listing = listing(text);
    if listing.functions.is_empty() {
        return refused(SassFault::NotSass(other_text(text)));
    }
    let mut diagnostics = listing.diagnostics.clone();
    let chosen = chosen(&listing, options, &mut diagnostics);
    let default = options
        .architecture
        .or_else(|| generation::architecture(text));
    if default.is_none()
        && chosen
            .iter()
            .any(|function| function.architecture.is_none())
    {
        let taken = DEFAULT_ARCHITECTURE;
        let fault = SassFault::ArchitectureAssumed { taken };
        diagnostics.push(Diagnostic::whole(Severity::Note, fault));
    }
    let files: Vec<String> = listing
        .files
        .iter()
        .map(|file| (*file).to_owned())
        .collect();
    let kernels = chosen
        .into_iter()
        .map(|function| {
            let architecture = function
                .architecture
                .or(default)
                .unwrap_or(DEFAULT_ARCHITECTURE);
            let banks = Banks::new(function.name, &options.constants, labels(function));
            let generation = Generation::of(architecture);
            let mut kernel = control::kernel(function, generation, &banks, &mut diagnostics);
            dead_code::eliminate(&mut kernel);
            diagnostics.extend(initialised(&kernel, &banks));
            kernel.files.clone_from(&files);
            kernel
        })
        .collect();
    Parsed {
        kernels,
        diagnostics,
    }
}

/// That what decides depends on variables in constant memory, which the host may have written.
fn initialised(kernel: &Kernel, banks: &Banks) -> Option<Diagnostic> {
    let arrays = kernel.sites.iter().filter_map(|site| site.array);
    let mut names = arrays.filter_map(|id| Some(kernel.arrays.get(id.index())?.name.as_str()));
    let is_variable = |name: &str| {
        let digits = name
            .strip_prefix("c[0x")
            .and_then(|rest| rest.strip_suffix(']'));
        let bank = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        bank.is_some_and(|bank| banks.has_variables(bank))
    };
    names
        .any(is_variable)
        .then(|| Diagnostic::whole(Severity::Note, SassFault::InitialConstants))
}

fn refused(fault: SassFault) -> Parsed {
    Parsed {
        kernels: Vec::new(),
        diagnostics: vec![Diagnostic::whole(Severity::Error, fault)],
    }
}

/// Labels as code addresses, and the function's own name.
fn labels(function: &Function<'_>) -> BTreeMap<String, u64> {
    let mut labels: BTreeMap<String, u64> = function
        .labels
        .iter()
        .map(|(label, address)| ((*label).to_owned(), *address))
        .collect();
    labels.insert(function.name.to_owned(), 0);
    labels
}

/// The functions that are asked for.
fn chosen<'s, 'a>(
    listing: &'s Listing<'a>,
    options: &Options,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<&'s Function<'a>> {
    let architectures: BTreeSet<u16> = listing
        .functions
        .iter()
        .filter_map(|function| function.architecture)
        .collect();
    let mut list: Vec<&Function<'_>> = listing.functions.iter().collect();
    if architectures.len() > 1 {
        let wanted = options
            .architecture
            .filter(|one| architectures.contains(one));
        let taken = wanted.or_else(|| architectures.last().copied());
        list.retain(|function| function.architecture == taken);
        if wanted.is_none() {
            let fault = SassFault::SeveralArchitectures {
                found: architectures.into_iter().collect(),
                taken: taken.unwrap_or_default(),
            };
            diagnostics.push(Diagnostic::whole(Severity::Note, fault));
        }
    }
    let Some(wanted) = &options.kernel else {
        return list;
    };
    let exact: Vec<&Function<'_>> = list
        .iter()
        .copied()
        .filter(|function| function.name == *wanted)
        .collect();
    if !exact.is_empty() {
        return exact;
    }
    let found: Vec<&Function<'_>> = list
        .iter()
        .copied()
        .filter(|function| is_named(function.name, wanted))
        .collect();
    if found.is_empty() {
        let fault = SassFault::UnknownFunction {
            wanted: wanted.clone(),
            names: list.iter().map(|one| one.name.to_owned()).collect(),
        };
        diagnostics.push(Diagnostic::whole(Severity::Error, fault));
    }
    found
}

fn looks_like_ptx(text: &str) -> bool {
    text.contains(".visible .entry") || text.contains(".version ") && text.contains(".address_size")
}

/// What a text is that holds no instruction.
fn other_text(text: &str) -> OtherText {
    let has = |word: &str| text.contains(word);
    if text.trim().is_empty() {
        OtherText::Empty
    } else if looks_like_ptx(text) {
        OtherText::Ptx
    } else if has("amdgcn") || has("s_load_dword") || has("v_add_") || has("s_endpgm") {
        OtherText::AmdAssembly
    } else if text
        .lines()
        .filter(|line| line.trim().starts_with("/* 0x"))
        .count()
        > 1
    {
        OtherText::Encodings
    } else {
        OtherText::NoSass
    }
}
