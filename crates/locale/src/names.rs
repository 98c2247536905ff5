//! Lists of names inside sentences.

/// The first `most` names, quoted, with `between` among them, and an ellipsis for the others.
pub(crate) fn listed(names: &[String], most: usize, between: &str) -> String {
    let first = names.iter().take(most);
    let mut shown: Vec<String> = first.map(|name| format!("`{name}`")).collect();
    if names.len() > most {
        shown.push("…".to_owned());
    }
    shown.join(between)
}

/// `sm_80`, `sm_90` with `between` among them.
pub(crate) fn architectures(numbers: &[u16], between: &str) -> String {
    let names: Vec<String> = numbers
        .iter()
        .map(|number| format!("sm_{number}"))
        .collect();
    names.join(between)
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn what_is_left_out_is_an_ellipsis() {
        let names = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(listed(&names, 3, ", "), "`a`, `b`, `c`");
        assert_eq!(listed(&names, 2, "、"), "`a`、`b`、…");
        assert_eq!(listed(&[], 2, ", "), "");
    }
}
