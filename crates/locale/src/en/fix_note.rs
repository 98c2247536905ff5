//! What else there is to say of fixes, in English.

use super::grouped;

pub(crate) const fn nothing_to_fix() -> &'static str {
    "no conflicts and no wasted sectors"
}

pub(crate) fn data_dependent(array: &str) -> String {
    format!("the addresses in `{array}` depend on the data, so no layout is best for all")
}

pub(crate) fn not_rewritable(array: &str) -> String {
    format!(
        "`{array}` is used through a pointer, a macro or without all its indices, so its layout cannot be rewritten"
    )
}

pub(crate) fn pointer_kept(array: &str, pointer: &str) -> String {
    format!(
        "no tile of `{array}` could be given longer rows: `{pointer}` would have to move along, and where it begins the text does not say as a sum of the lengths before it"
    )
}

pub(crate) fn size_kept(array: &str, pointer: &str) -> String {
    format!(
        "the tile `{pointer}` of `{array}` could not be given longer rows: the declared size of `{array}` would have to grow with them, and how long a row is the text does not say as a number"
    )
}

pub(crate) fn bound(array: &str, wavefronts: u64) -> String {
    format!("no layout of `{array}` takes fewer than {wavefronts} wavefronts")
}

pub(crate) fn nothing_found(array: &str, tried: usize) -> String {
    match tried {
        0 => format!("no layout of `{array}` could be tried"),
        1 => format!("the one layout of `{array}` that was tried is no better; there are more"),
        _ => format!(
            "none of the {} layouts of `{array}` that were tried is better; there are more",
            grouped(tried as u64)
        ),
    }
}

pub(crate) fn none_better(array: &str, wavefronts: u64, pitches: bool) -> String {
    let or_pitch = if pitches { " or pitch" } else { "" };
    format!(
        "no linear swizzle{or_pitch} of `{array}` takes fewer than {wavefronts} wavefronts: all were excluded"
    )
}

pub(crate) fn unused_padding(array: &str, declared: &str, used: &str) -> String {
    format!(
        "the padding that `{array}` declares is not used: rows of `{declared}` are indexed as rows of `{used}`"
    )
}

pub(crate) fn sectors_wasted(units: u64, ideal: u64) -> String {
    format!(
        "{units} sectors are moved where {ideal} could hold the bytes asked for; no fix for that was found"
    )
}

pub(crate) fn unknown(why: &str) -> String {
    format!("the device's rule is not known: {why}")
}

pub(crate) const fn errors() -> &'static str {
    "the source has errors; fix those first"
}

pub(crate) const fn only_in_c() -> &'static str {
    "not tried in WGSL: warp shuffles without `enable subgroups`, wider accesses of a binding that is also used otherwise, structures of arrays where structures hold more than 32-bit numbers, aligned structures and rows, exchanged loops"
}

pub(crate) const fn several_entry_points() -> &'static str {
    "not tried, since the text has several entry points: sequential addressing, first add, warp shuffles, wider workgroups, staging through workgroup memory, structures of arrays"
}

pub(crate) const fn no_layout() -> &'static str {
    "CuTe: none, this XOR is no Swizzle<B,M,S>"
}

pub(crate) const fn parameters_kept() -> &'static str {
    "a structure of arrays in global memory was not tried: it changes the kernel's parameters, and the text launches the kernel"
}

pub(crate) const fn several_instances() -> &'static str {
    "the template is launched with other arguments too: a fix other than padding is kept only where each of those launches proves it"
}

pub(crate) const fn stopped() -> &'static str {
    "the run was stopped at its budget, so nothing is proved"
}
