//! Kernel launches read from host code, by constant folding over tokens.
//!
//! Host code is not parsed. Of a launch (`k<<<grid, block, shared>>>(…)`, `hipLaunchKernelGGL`, `cudaLaunchKernel`,
//! `cudaLaunchKernelEx`, `cudaLaunchKernelExC`) the arguments are folded where they are made of literals and of names whose last definition
//! before the launch is such an expression; what is not is left open. Branches and loops of the host are not followed.

use fold::Folder;
use lanescope_syntax::{
    preprocessor::preprocess_bundle,
    sink::Sink,
    token::{Kind, Token},
};
use std::ops::Range;

mod allocations;
mod deduction;
mod edits;
mod fold;
mod instances;
mod lambdas;
mod launch_bounds;
mod sizes;

pub use edits::{LaunchShape, applied, launch_edits};
pub use instances::{instance_launches, launched_instances};
pub(super) use lambdas::with_structures;
pub use launch_bounds::most_threads;

/// A launch as host code has it; `None` where a part is not constant there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostLaunch {
    /// Blocks along x, y, z.
    pub grid: Option<[u32; 3]>,
    /// Threads of a block along x, y, z.
    pub block: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared_bytes: Option<u64>,
    /// The arguments of the kernel's template, as text.
    pub template_arguments: Vec<String>,
    /// Whether all of these mean at the top of the source what they mean here: an explicit instantiation's do.
    pub is_template_known: bool,
    /// The kernel's arguments in order; whole numbers only.
    pub arguments: Vec<Option<i64>>,
    /// The bytes that the kernel's arguments point to, in order: of names of pointers that the host allocates before the
    /// launch.
    pub pointed_bytes: Vec<Option<u64>>,
}

/// The first launch of `kernel` in `source` whose grid and block are constants there, or else the first of all. Where
/// launches do not tell the template's arguments, those of an explicit instantiation (`template __global__ void k<8>(…);`)
/// are taken.
#[must_use]
pub fn host_launch(source: &str, kernel: &str, defines: &[(String, String)]) -> Option<HostLaunch> {
    let mut sink = Sink::deaf();
    let tokens = with_structures(preprocess_bundle(source, defines, &mut sink));
    let text = Text {
        source,
        tokens: &tokens,
    };
    let launches = text.all_launches(kernel);
    let is_known = |one: &&HostLaunch| one.grid.is_some() && one.block.is_some();
    let whole = launches.iter().find(is_known);
    let found = whole.or_else(|| launches.first()).cloned();
    let is_told = |one: &HostLaunch| one.is_template_known && !one.template_arguments.is_empty();
    if found.as_ref().is_some_and(is_told) {
        return found;
    }
    let Some(templates) = (0..tokens.len()).find_map(|at| text.instantiation(at, kernel)) else {
        return found;
    };
    Some(HostLaunch {
        template_arguments: templates,
        is_template_known: true,
        ..found.unwrap_or_default()
    })
}

/// The most launches of a kernel that are looked at.
const MOST_LAUNCHES: usize = 16;

/// Tokens before a name that may head its declaration.
const MOST_HEAD: usize = 64;

/// The parts of a launch, as tokens.
struct Configured {
    /// Grid, block and bytes of dynamic shared memory.
    shape: [Option<Range<usize>>; 3],
    /// The arguments of the kernel's template.
    templates: Vec<String>,
    /// The kernel's arguments, where the launch lists them.
    arguments: Option<Vec<Range<usize>>>,
}

struct Text<'a> {
    source: &'a str,
    tokens: &'a [Token],
}

impl Text<'_> {
    fn is(&self, at: usize, punct: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(punct))
    }

    fn is_name(&self, at: usize, name: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_name(name))
    }

    /// The first launches of `kernel`, or of a variable that it is assigned to where it has none of its own.
    fn all_launches(&self, kernel: &str) -> Vec<HostLaunch> {
        let launches = self.launches(kernel);
        match self.pointer_to(kernel) {
            Some(pointer) if launches.is_empty() => self.launches(pointer),
            Some(_) | None => launches,
        }
    }

    /// The first launches of `kernel`.
    fn launches(&self, kernel: &str) -> Vec<HostLaunch> {
        (0..self.tokens.len())
            .filter_map(|at| self.launch(at, kernel))
            .take(MOST_LAUNCHES)
            .collect()
    }

    /// The variable that `kernel` is assigned to, as in `run = &kernel;`.
    fn pointer_to(&self, kernel: &str) -> Option<&str> {
        (0..self.tokens.len()).find_map(|at| {
            if !self.is_name(at, kernel) || !self.is(at + 1, ";") {
                return None;
            }
            let before = at.checked_sub(1)?;
            let equals = if self.is(before, "&") {
                before.checked_sub(1)?
            } else {
                before
            };
            match &self.tokens.get(equals.checked_sub(1)?)?.kind {
                Kind::Name(variable) if self.is(equals, "=") => Some(&**variable),
                _ => None,
            }
        })
    }

    /// The arguments of an explicit instantiation of `kernel`'s template whose name stands at `at`.
    fn instantiation(&self, at: usize, kernel: &str) -> Option<Vec<String>> {
        if !self.is_name(at, kernel) || !self.is(at + 1, "<") {
            return None;
        }
        let head = (at.saturating_sub(MOST_HEAD)..at).rev();
        let is_end = |at: &usize| [";", "{", "}"].iter().any(|end| self.is(*at, end));
        let mut head = head.take_while(|at| !is_end(at));
        let begins = head.any(|at| self.is_name(at, "template") && !self.is(at + 1, "<"));
        let (templates, open) = self.templates(at + 1);
        (begins && self.is(open, "(") && !templates.is_empty()).then_some(templates)
    }

    /// The launch of `kernel` that begins at `at`, if one does.
    fn launch(&self, at: usize, kernel: &str) -> Option<HostLaunch> {
        let mut launch = self.launch_at(at, kernel)?;
        let ty = (at..self.tokens.len()).take(MOST_HEAD);
        let open = ty.into_iter().find(|at| self.is_name(*at, kernel))? + 1;
        let (templates, end) = self.templates(open);
        launch.is_template_known = !templates.is_empty() && self.names_declared(open..end);
        let is_known = templates.is_empty() || launch.is_template_known;
        if let Some(deduced) = self.deduced(at, kernel, &launch.template_arguments) {
            launch.template_arguments = deduced;
            launch.is_template_known = is_known;
        }
        Some(launch)
    }

    fn launch_at(&self, at: usize, kernel: &str) -> Option<HostLaunch> {
        let configured = self.configured(at, kernel)?;
        let [grid, block, shared] = &configured.shape;
        let mut launch = self.of_parts(grid.as_ref(), block.as_ref(), shared.as_ref());
        if let Some(arguments) = &configured.arguments {
            self.take_arguments(&mut launch, arguments);
        }
        launch.template_arguments = configured.templates;
        Some(launch)
    }

    /// The parts of the launch of `kernel` that begins at `at`, if one does.
    fn configured(&self, at: usize, kernel: &str) -> Option<Configured> {
        if self.is_name(at, kernel) {
            let (templates, open) = self.templates(at + 1);
            let (parts, after) = self.is(open, "<<<").then(|| self.parts(open))??;
            let arguments = self.is(after, "(").then(|| self.parts(after)).flatten();
            return Some(Configured {
                shape: [0, 1, 2].map(|part| parts.get(part).cloned()),
                templates,
                arguments: arguments.map(|(list, _)| list),
            });
        }
        let name = match &self.tokens.get(at)?.kind {
            Kind::Name(name) if self.is(at + 1, "(") => name,
            _ => return None,
        };
        let (parts, _) = self.parts(at + 1)?;
        let named = |part: Option<&Range<usize>>| part.and_then(|part| self.named(part, kernel));
        let after = |first: usize| Some(parts.get(first..).unwrap_or_default().to_vec());
        match &**name {
            "hipLaunchKernelGGL" => Some(Configured {
                templates: named(parts.first())?,
                shape: [1, 2, 3].map(|part| parts.get(part).cloned()),
                arguments: after(5),
            }),
            "cudaLaunchKernel" | "cudaLaunchCooperativeKernel" | "hipLaunchKernel" => {
                Some(Configured {
                    templates: named(parts.first())?,
                    shape: [1, 2, 4].map(|part| parts.get(part).cloned()),
                    arguments: None,
                })
            }
            "cudaLaunchKernelEx" | "cudaLaunchKernelExC" => Some(Configured {
                templates: named(parts.get(1))?,
                shape: self.of_config(parts.first()?.clone())?,
                // Of `C` they are pointers in an array.
                arguments: after(2).filter(|_| &**name == "cudaLaunchKernelEx"),
            }),
            _ => None,
        }
    }

    fn of_parts(
        &self,
        grid: Option<&Range<usize>>,
        block: Option<&Range<usize>>,
        shared: Option<&Range<usize>>,
    ) -> HostLaunch {
        let sides =
            |part: Option<&Range<usize>>| part.and_then(|part| self.folder().sides(part.clone()));
        HostLaunch {
            grid: sides(grid),
            block: sides(block),
            dynamic_shared_bytes: match shared {
                None => Some(0),
                Some(part) => self.whole(part),
            },
            ..HostLaunch::default()
        }
    }

    /// `config.gridDim = …; config.blockDim = …;` before the launch, where `part` is `&config`.
    fn of_config(&self, part: Range<usize>) -> Option<[Option<Range<usize>>; 3]> {
        let Kind::Name(config) = &self.tokens.get(part.end.checked_sub(1)?)?.kind else {
            return None;
        };
        let field = |name: &str| {
            let is_set = |at: &usize| {
                self.is_name(*at, config)
                    && self.is(at + 1, ".")
                    && self.is_name(at + 2, name)
                    && self.is(at + 3, "=")
            };
            let at = (0..part.start).rev().find(is_set)?;
            let mut end = at + 4;
            while end < part.start && !self.is(end, ";") {
                end += 1;
            }
            Some(at + 4..end)
        };
        Some(["gridDim", "blockDim", "dynamicSmemBytes"].map(field))
    }

    fn folder(&self) -> Folder<'_> {
        Folder::new(self.tokens)
    }

    fn whole(&self, part: &Range<usize>) -> Option<u64> {
        self.folder()
            .whole(part.clone())
            .and_then(|value| u64::try_from(value).ok())
    }

    fn take_arguments(&self, launch: &mut HostLaunch, parts: &[Range<usize>]) {
        let whole = |part: &Range<usize>| self.folder().whole(part.clone());
        launch.arguments = parts.iter().map(whole).collect();
        launch.pointed_bytes = self.allocations(parts);
    }

    /// The template's arguments where `part` names the kernel, as in `(k<32>)` or `HIP_KERNEL_NAME(k<32>)`.
    fn named(&self, part: &Range<usize>, kernel: &str) -> Option<Vec<String>> {
        let at = part.clone().find(|at| self.is_name(*at, kernel))?;
        Some(self.templates(at + 1).0)
    }

    /// The arguments between `<` and `>` at `at`, and the token after them.
    fn templates(&self, at: usize) -> (Vec<String>, usize) {
        if !self.is(at, "<") {
            return (Vec::new(), at);
        }
        let (mut list, mut depth, mut start) = (Vec::new(), 0_usize, at + 1);
        for (now, token) in self.tokens.iter().enumerate().skip(at) {
            match &token.kind {
                Kind::Punct("<" | "(" | "[") => depth += 1,
                Kind::Punct(")" | "]") => depth = depth.saturating_sub(1),
                Kind::Punct(",") if depth == 1 => {
                    list.push(self.text(start..now));
                    start = now + 1;
                }
                Kind::Punct(">") => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        list.push(self.text(start..now));
                        return (list, now + 1);
                    }
                }
                Kind::Punct(">>") if depth == 2 => {
                    // The end of the last argument's list and of this one.
                    list.push(format!("{} >", self.text(start..now)));
                    return (list, now + 1);
                }
                Kind::Punct(">>") => depth = depth.saturating_sub(2),
                Kind::Punct(";" | "{" | "}" | "<<<") | Kind::End => break,
                _ => {}
            }
        }
        (Vec::new(), at)
    }

    /// The text of some tokens: their number where they are one, as macros and constants make it.
    fn text(&self, part: Range<usize>) -> String {
        if let Some(value) = self.folder().whole(part.clone()) {
            return value.to_string();
        }
        let tokens = self.tokens.get(part).unwrap_or_default();
        let words = tokens.iter().map(|token| token.span.text(self.source));
        words.collect::<Vec<_>>().join(" ")
    }

    /// The parts between commas inside the bracket at `open`, and the token after its end.
    fn parts(&self, open: usize) -> Option<(Vec<Range<usize>>, usize)> {
        let (mut list, mut depth, mut start) = (Vec::new(), 0_usize, open + 1);
        // The braces of a lambda hold statements.
        let mut braces = 0_usize;
        for (now, token) in self.tokens.iter().enumerate().skip(open) {
            match &token.kind {
                Kind::Punct("{") => braces += 1,
                Kind::Punct("}") => braces = braces.saturating_sub(1),
                _ => {}
            }
            match &token.kind {
                Kind::Punct("(" | "[" | "{" | "<<<") => depth += 1,
                Kind::Punct(",") if depth == 1 => {
                    list.push(start..now);
                    start = now + 1;
                }
                Kind::Punct(")" | "]" | "}" | ">>>") => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        if start < now {
                            list.push(start..now);
                        }
                        return Some((list, now + 1));
                    }
                }
                Kind::Punct(";") if braces == 0 => return None,
                Kind::End => return None,
                _ => {}
            }
        }
        None
    }
}
