//! Numbers that the reader changes.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

/// Each by its name, at one value.
pub(super) type Vars = BTreeMap<String, i128>;

/// `text` with the value of each `{name}`. Braces around anything but a name stay: they are the code's own.
pub(super) fn filled(text: &str, vars: &Vars) -> Result<String> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('{') {
        out += before;
        let name = after.split('}').next().unwrap_or_default();
        let is_name =
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_name && after.len() > name.len() {
            let value = vars.get(name).with_context(|| {
                format!("`{{{name}}}` has no value here: use this inside `:::drag {name} …`")
            })?;
            out += &value.to_string();
            rest = &after[name.len() + 1..];
        } else {
            out.push('{');
            rest = after;
        }
    }
    Ok(out + rest)
}

#[cfg(test)]
mod tests {
    use super::{Vars, filled};

    #[test]
    fn names_in_braces_are_values_and_other_braces_stay() {
        let vars = Vars::from([("stride".to_owned(), 8)]);
        assert_eq!(filled("a[{stride} * tid]", &vars).unwrap(), "a[8 * tid]");
        assert_eq!(
            filled("void f() { g(); }", &vars).unwrap(),
            "void f() { g(); }"
        );
        assert!(filled("a[{pitch}]", &vars).is_err());
    }
}
