//! Names as the Itanium C++ ABI mangles them.

/// The function's own name in a mangled one: the last source name of `_Z…`, without namespaces, template arguments and
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
        // A static function has an `L` before its name.
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
            ("void reduce<256, float>(float*)", "reduce"),
            ("ns::k(float*)", "k"),
            ("plain", "plain"),
            ("", ""),
            ("(", "("),
            ("_Z", "_Z"),
            ("_Z99x", "_Z99x"),
            ("_Zé", "_Zé"),
        ] {
            assert_eq!(plain_name(mangled), name, "{mangled}");
        }
    }
}
