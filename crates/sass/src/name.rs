//! Names of functions.

use lanescope_launches::plain_name;

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
        assert!(
            is_named("_Z1kPf", "k")
                && is_named("_Z1kPf", "_Z1kPf")
                && is_named("_Z1kPf", "k(float*)")
        );
        assert!(!is_named("_Z1kPf", "_Z1kPi"));
    }
}
