//! Names as the Itanium C++ ABI mangles them.

/// The function's own name in a mangled one: the last source name of `_Z…`, without namespaces, template arguments and
/// parameters. A name that is not mangled is its own.
#[must_use]
pub fn plain_name(mangled: &str) -> &str {
    let Some(rest) = mangled.strip_prefix("_Z") else {
        return mangled;
    };
    let (mut rest, is_nested) = match rest.strip_prefix('N') {
        Some(rest) => (rest, true),
        // A static function has an `L` before its name.
        None => (rest.strip_prefix('L').unwrap_or(rest), false),
    };
    let mut name = mangled;
    while let Some((found, after)) = source_name(rest) {
        name = found;
        rest = after;
        if !is_nested {
            break;
        }
        rest = rest.strip_prefix('L').unwrap_or(rest);
    }
    name
}

/// `<length><name>` and what follows it.
fn source_name(text: &str) -> Option<(&str, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let length: usize = text.get(..digits)?.parse().ok()?;
    let rest = text.get(digits..)?;
    Some((rest.get(..length)?, rest.get(length..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_source_name_is_the_function() {
        for (mangled, name) in [
            ("_Z15BlackScholesGPUP6float2S0_S0_ffi", "BlackScholesGPU"),
            ("_Z8reduce_vILj128ELb1EEvPf", "reduce_v"),
            ("_ZN3abc4defgIfEEvPT_", "defg"),
            ("_ZL4mineRi", "mine"),
            ("plain", "plain"),
            ("_Z", "_Z"),
            ("_Z99x", "_Z99x"),
            ("_Zé", "_Zé"),
        ] {
            assert_eq!(plain_name(mangled), name, "{mangled}");
        }
    }
}
