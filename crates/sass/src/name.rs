//! Names of functions.

/// The function's own name in one that the Itanium C++ ABI mangles: without namespaces, template arguments and
/// parameters. A name that is not mangled is cut at its parameters and template arguments.
#[must_use]
pub fn plain_name(name: &str) -> &str {
    let Some(rest) = name.strip_prefix("_Z") else {
        let before = name.split(['(', '<']).next().unwrap_or(name).trim();
        let bare = before.rsplit([' ', ':']).next().unwrap_or(before);
        return if bare.is_empty() { name } else { bare };
    };
    let (mut rest, is_nested) = match rest.strip_prefix('N') {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let mut found = name;
    loop {
        rest = rest.strip_prefix('L').unwrap_or(rest);
        let Some((own, behind)) = source_name(rest) else {
            return found;
        };
        found = own;
        rest = behind;
        if !is_nested {
            return found;
        }
    }
}

/// `<length><name>` and what follows.
fn source_name(text: &str) -> Option<(&str, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let length: usize = text.get(..digits)?.parse().ok()?;
    let rest = text.get(digits..)?;
    Some((rest.get(..length)?, rest.get(length..)?))
}

/// Whether a function is the one that somebody names: by its mangled, demangled or plain name.
pub(crate) fn is_named(function: &str, wanted: &str) -> bool {
    let wanted = wanted.trim();
    function == wanted
        || plain_name(function) == wanted
        || (!wanted.starts_with("_Z") && plain_name(function) == plain_name(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_by_any_of_their_names() {
        for (name, plain) in [
            ("_Z15BlackScholesGPUP6float2S0_", "BlackScholesGPU"),
            ("_ZN3abc4defgIfEEvPT_", "defg"),
            ("_ZL4mineRi", "mine"),
            ("void reduce<256, float>(float*)", "reduce"),
            ("k(float*)", "k"),
            ("plain", "plain"),
            ("_Z", "_Z"),
            ("", ""),
            ("(", "("),
        ] {
            assert_eq!(plain_name(name), plain, "{name}");
        }
        assert!(
            is_named("_Z1kPf", "k")
                && is_named("_Z1kPf", "_Z1kPf")
                && is_named("_Z1kPf", "k(float*)")
        );
        assert!(!is_named("_Z1kPf", "_Z1kPi"));
    }
}
