//! Names of kernels: mangled as objects have them, demangled as people write them.

use crate::CompiledError;

/// The name as the source has it, with template arguments and parameters; the name itself where it is not mangled.
#[must_use]
pub fn demangled(name: &str) -> String {
    cpp_demangle::Symbol::new(name)
        .ok()
        .and_then(|symbol| symbol.demangle().ok())
        .unwrap_or_else(|| name.to_owned())
}

/// Whether somebody who writes `wanted` means the function: its mangled name, its demangled one with or without
/// parameters, template arguments and namespaces.
#[must_use]
pub fn is_named(function: &str, wanted: &str) -> bool {
    let wanted = squeezed(wanted);
    if squeezed(function) == wanted {
        return true;
    }
    let full = demangled(function);
    let whole = squeezed(&full);
    let instance = squeezed(head(&full));
    let bare = instance.split('<').next().unwrap_or(&instance);
    let own = |name: &str| {
        let start = name.split('<').next().unwrap_or(name).rfind("::");
        start
            .map_or(name, |at| name.get(at + 2..).unwrap_or(name))
            .to_owned()
    };
    [whole.as_str(), &instance, bare, &own(&instance), &own(bare)].contains(&wanted.as_str())
        || whole.ends_with(&wanted) && whole.strip_suffix(&wanted) == Some("void")
}

/// `reduce<256, float>` of `void reduce<256, float>(float*)`.
fn head(full: &str) -> &str {
    let mut depth = 0_u32;
    let mut end = full.len();
    let mut start = 0;
    for (at, c) in full.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => start = at + 1,
            '(' if depth == 0 && !full.get(at..).unwrap_or_default().starts_with("(anonymous") => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    full.get(start..end).unwrap_or(full)
}

/// A name without blanks, and integers without their types: `f<256u>` and `f<(int)256>` are `f<256>`.
fn squeezed(name: &str) -> String {
    let mut name: String = name.chars().filter(|c| !c.is_whitespace()).collect();
    for cast in [
        "(int)",
        "(unsignedint)",
        "(bool)",
        "(long)",
        "(unsignedlong)",
    ] {
        name = name.replace(cast, "");
    }
    for suffix in ["ul", "u", "l"] {
        for end in [",", ">"] {
            let whole = format!("{suffix}{end}");
            let mut parts = name.split(&whole).map(str::to_owned);
            let first = parts.next().unwrap_or_default();
            name = parts.fold(first, |whole, part| {
                let is_number = whole.ends_with(|c: char| c.is_ascii_digit());
                let suffix = if is_number { "" } else { suffix };
                format!("{whole}{suffix}{end}{part}")
            });
        }
    }
    name
}

/// The one function that `wanted` means.
///
/// # Errors
/// When there is none, or several; names those that there are.
pub(crate) fn chosen(names: &[String], wanted: &str) -> Result<String, CompiledError> {
    if let Some(exact) = names.iter().find(|name| *name == wanted) {
        return Ok(exact.clone());
    }
    let found: Vec<&String> = names.iter().filter(|name| is_named(name, wanted)).collect();
    let list =
        |names: &[&String]| -> Vec<String> { names.iter().map(|name| demangled(name)).collect() };
    match found.as_slice() {
        [only] => Ok((*only).clone()),
        [] => Err(CompiledError::NoKernel {
            wanted: wanted.to_owned(),
            names: list(&names.iter().collect::<Vec<_>>()),
        }),
        several => Err(CompiledError::SeveralKernels {
            names: list(several),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_has_several_names() {
        let mangled = "_ZN4math6reduceILj256EfEEvPfi";
        assert_eq!(
            demangled(mangled),
            "void math::reduce<(unsigned int)256, float>(float*, int)"
        );
        for name in [
            mangled,
            "reduce",
            "math::reduce",
            "reduce<256, float>",
            "math::reduce<256u, float>",
            "math::reduce<256u, float>(float*, int)",
            "void math::reduce<256u, float>(float*, int)",
        ] {
            assert!(is_named(mangled, name), "{name}");
        }
        for name in ["", "duce", "reduce<128, float>", "math", "reduce(float*)"] {
            assert!(!is_named(mangled, name), "{name}");
        }
        assert!(is_named("plain", "plain") && demangled("plain") == "plain");
    }

    #[test]
    fn of_several_none_is_guessed() {
        let names = ["_Z5stepsILi4EEvPf", "_Z5stepsILi5EEvPf"].map(str::to_owned);
        assert_eq!(chosen(&names, "steps<5>").ok(), Some(names[1].clone()));
        let error = chosen(&names, "steps").unwrap_err().to_string();
        assert!(
            error.contains("steps<4>") && error.contains("steps<5>"),
            "{error}"
        );
        let error = chosen(&names, "other").unwrap_err().to_string();
        assert!(error.starts_with("no kernel `other`"), "{error}");
    }
}
