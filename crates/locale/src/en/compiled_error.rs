//! Why compiled code cannot be counted, in English.

use crate::names::listed;

const MOST_NAMES: usize = 8;

pub(crate) const fn no_block() -> &'static str {
    "give the threads of a block, as in --block 32,8"
}

pub(crate) fn offset(name: &str) -> String {
    format!("`{name}` is no offset; write as in @0x18=64")
}

pub(crate) fn gap(at: usize, count: usize) -> String {
    format!("give argument {count} before argument {at}: sizes say where it stands")
}

pub(crate) fn parameter(name: &str, names: &[String]) -> String {
    format!(
        "`{name}` is no parameter of compiled code{}; its position or offset names it too, as in 0=1024 or @0x18=64",
        there_are(names)
    )
}

pub(crate) fn pointer(name: &str) -> String {
    format!("`{name}` is a pointer; write what it points to, as in {name}=f32[1024]")
}

pub(crate) fn no_kernel(wanted: &str, names: &[String]) -> String {
    format!("no kernel `{wanted}`{}", there_are(names))
}

pub(crate) fn several_kernels(names: &[String]) -> String {
    format!(
        "several kernels; choose one: {}",
        listed(names, names.len(), ", ")
    )
}

fn there_are(names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    format!("; there are {}", listed(names, MOST_NAMES, ", "))
}
