//! `--arch`: what a compiler compiles for.

/// Reads `sm_90`, `sm_90a` or `90`.
///
/// # Errors
/// A sentence that says what to write.
pub(crate) fn parse(text: &str) -> Result<String, String> {
    let number = text.strip_prefix("sm_").unwrap_or(text);
    let digits = number.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let is_one = (2..=3).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && number.len() - digits.len() <= 1;
    match is_one {
        true => Ok(format!("sm_{number}")),
        false => Err(format!("`{text}` is no architecture; write as in sm_90")),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn architectures_are_as_the_compiler_takes_them() {
        for (text, name) in [
            ("sm_90", "sm_90"),
            ("90a", "sm_90a"),
            ("sm_120f", "sm_120f"),
        ] {
            assert_eq!(parse(text).as_deref(), Ok(name));
        }
        for text in [
            "",
            "sm_",
            "sm_9",
            "sm_90ab",
            "compute_90",
            "hopper",
            "sm_90 -o x",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
