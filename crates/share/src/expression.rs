//! An expression as one text: its declarations, then what follows them.

/// The one text of both: a line feed stands between two that are not empty.
#[must_use]
pub fn joined(declarations: &str, accesses: &str) -> String {
    let is_both = !declarations.is_empty() && !accesses.is_empty();
    [declarations, if is_both { "\n" } else { "" }, accesses].concat()
}

/// The parts of `text`, to which [`joined`] parts were changed by hand: the part that is still there whole stays, and the
/// other is what is left. Where neither is, the declarations are empty.
///
/// Whichever it returns, [`joined`] makes `text` of it again.
#[must_use]
pub fn parted_as_before(text: &str, declarations: &str, accesses: &str) -> [String; 2] {
    let after = text.strip_prefix(declarations);
    let after = after.and_then(|after| after.strip_prefix('\n'));
    let before = text.strip_suffix(accesses);
    let before = before.and_then(|before| before.strip_suffix('\n'));
    let is_part = |part: &&str| !part.is_empty();
    match (after.filter(is_part), before.filter(is_part)) {
        (Some(after), _) if !declarations.is_empty() => [declarations.into(), after.into()],
        (_, Some(before)) if !accesses.is_empty() => [before.into(), accesses.into()],
        _ => [String::new(), text.into()],
    }
}

#[cfg(test)]
mod tests {
    use super::{joined, parted_as_before};
    use proptest::prelude::*;

    #[test]
    fn what_is_typed_into_a_part_changes_that_part() {
        let [declarations, accesses] = ["float tile[32][32]", "tile[tx][ty]"];
        let parts = |text: &str| parted_as_before(text, declarations, accesses);
        assert_eq!(
            parts("float tile[32][33]\ntile[tx][ty]"),
            ["float tile[32][33]", "tile[tx][ty]"]
        );
        assert_eq!(
            parts("float tile[32][32]\ntile[ty][tx]"),
            ["float tile[32][32]", "tile[ty][tx]"]
        );
        assert_eq!(
            parts("float tile[32][32]\nfloat a[8]\ntile[tx][ty]")[0],
            declarations
        );
        assert_eq!(parts("int a[8]\na[tx]"), ["", "int a[8]\na[tx]"]);
        assert_eq!(parts(""), ["", ""]);
        assert_eq!(parted_as_before("a[tx]\n", "", "a[tx]"), ["", "a[tx]\n"]);
    }

    proptest! {
        #[test]
        fn parts_make_the_text_again(
            text in "[ab\n]{0,6}", declarations in "[ab\n]{0,3}", accesses in "[ab\n]{0,3}"
        ) {
            let [first, second] = parted_as_before(&text, &declarations, &accesses);
            prop_assert_eq!(joined(&first, &second), text);
        }
    }
}
