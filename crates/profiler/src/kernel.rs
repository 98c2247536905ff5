//! A launch of a kernel as the profiler saw it.

use crate::number::Value;
use std::collections::BTreeMap;

/// One launch of a kernel, and what was measured of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelProfile {
    /// Its name: demangled with parameters, mangled or bare, as it was exported.
    pub name: String,
    /// The launch's number in the report.
    pub id: Option<u64>,
    /// Blocks; no source page says them.
    pub grid: Option<[u32; 3]>,
    /// Threads of a block.
    pub block: Option<[u32; 3]>,
    /// Major and minor number of the device's compute capability.
    pub compute_capability: Option<(u32, u32)>,
    /// Metrics of the whole kernel by name.
    pub metrics: BTreeMap<String, Value>,
    /// Its SASS, in the order of addresses; empty without a source page.
    pub instructions: Vec<Instruction>,
    /// The source's lines that its instructions come from, by file and number, of a page that has both.
    pub source_lines: BTreeMap<(String, u32), String>,
}

/// A SASS instruction, and what was measured of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instruction {
    /// Where it stood in memory.
    pub address: u64,
    /// Its text.
    pub text: String,
    /// File and line of the source, of a page that has both.
    pub source: Option<(String, u32)>,
    /// Which memory it goes to, and what it does there.
    pub access: Option<Access>,
    /// Warps that came to it, those with all lanes off included.
    pub executed: Option<u64>,
    /// Wavefronts of shared memory.
    pub wavefronts: Option<u64>,
    /// The fewest that could do.
    pub ideal_wavefronts: Option<u64>,
    /// Sectors of global memory.
    pub sectors: Option<u64>,
    /// The fewest that could do.
    pub ideal_sectors: Option<u64>,
}

/// What a memory instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Which memory.
    pub space: Space,
    /// What is done there.
    pub operation: Operation,
}

/// Which memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Shared memory.
    Shared,
    /// Global memory, or a generic address.
    Global,
    /// Any other, of which nothing is predicted.
    Other,
}

/// What is done to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A load.
    Load,
    /// A store.
    Store,
    /// An atomic operation or a reduction.
    Atomic,
}

impl KernelProfile {
    /// A metric of the whole kernel.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<Value> {
        self.metrics.get(name).copied()
    }

    /// Whether the other, of the same name, may be the same launch.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        self.id.is_none() || other.id.is_none() || self.id == other.id
    }

    /// Takes what the other says in addition.
    pub(crate) fn take(&mut self, other: Self) {
        self.id = self.id.or(other.id);
        self.grid = self.grid.or(other.grid);
        self.block = self.block.or(other.block);
        self.compute_capability = self.compute_capability.or(other.compute_capability);
        for (name, value) in other.metrics {
            self.metrics.entry(name).or_insert(value);
        }
        if self.instructions.len() < other.instructions.len() {
            self.instructions = other.instructions;
            self.source_lines = other.source_lines;
        }
    }
}

/// What the source page writes before integers among template arguments.
const CASTS: [&str; 5] = [
    "(int)",
    "(unsigned int)",
    "(bool)",
    "(long)",
    "(unsigned long)",
];

/// A name without blanks and casts: pages spell `f<(int)1>` and `f<1>`.
pub(crate) fn squeezed(name: &str) -> String {
    let mut name: String = name.chars().filter(|c| !c.is_whitespace()).collect();
    for cast in CASTS {
        name = name.replace(&cast.replace(' ', ""), "");
    }
    name
}

/// Whether somebody who writes `wanted` means the kernel: all of its name, or the name without parameters, template
/// arguments, result and namespaces.
pub(crate) fn is_named(kernel: &str, wanted: &str) -> bool {
    let (whole, wanted) = (squeezed(kernel), squeezed(wanted));
    let instance = squeezed(head(kernel));
    let bare = instance.split('<').next().unwrap_or(&instance);
    let own = bare.rsplit("::").next().unwrap_or(bare);
    [whole.as_str(), &instance, bare, own].contains(&wanted.as_str())
}

/// The kernel as its source names it: `reduce<256>` of `void reduce<(int)256>(float *)`.
#[must_use]
pub fn instance(name: &str) -> String {
    let mut name = head(name.trim()).to_owned();
    for cast in CASTS {
        name = name.replace(cast, "");
    }
    name
}

/// `reduce<256>` of `void reduce<256>(float *)`.
fn head(name: &str) -> &str {
    let (mut depth, mut start) = (0_u32, 0);
    for (at, c) in name.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => start = at + 1,
            '(' if depth == 0 && !name.get(at..).unwrap_or_default().starts_with("(anonymous") => {
                return name.get(start..at).unwrap_or(name);
            }
            _ => {}
        }
    }
    name.get(start..).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_found_by_any_of_their_names() {
        let name = "void lib::reduce<float, (int)1>(const T1 *, T1 *, int)";
        for wanted in [
            name,
            "lib::reduce<float, 1>",
            "lib::reduce",
            "reduce",
            "void lib::reduce<float,1>(const T1*, T1*, int)",
        ] {
            assert!(is_named(name, wanted), "{wanted}");
        }
        for wanted in ["reduc", "reduce<float>", ""] {
            assert!(!is_named(name, wanted), "{wanted}");
        }
        assert!(is_named("_Z1kPf", "_Z1kPf") && is_named("k", "k"));
    }
}
