//! The tables of `docs/COMPILER.md`, between comments that name them.

use super::{Ablation, Measured, Shown, ablations, misses, names};
use crate::workspace;
use anyhow::{Context as _, Result};
use lanescope_optimizer::Profile;
use std::fmt::Write as _;

const DOCUMENT: &str = "docs/COMPILER.md";

/// Kernels that are named of those that a pass decides, at most.
const NAMED: usize = 4;

/// Writes the tables into the document.
pub(super) fn write(kernels: &[Measured], profile: &Profile) -> Result<()> {
    let path = workspace::root().join(DOCUMENT);
    let text = std::fs::read_to_string(&path)?;
    let none = Profile::named("none").context("no profile without passes")?;
    let missed = misses(kernels, profile, Shown::default());
    let exact = |missed: usize| kernels.len() - missed;
    let totals = format!(
        "| profile | exact of {} |\n| --- | --- |\n| `none` | {} |\n| `{}` | {} |\n\nMissed with `{}`: {}.\n",
        kernels.len(),
        exact(misses(kernels, &none, Shown::default()).len()),
        profile.name,
        exact(missed.len()),
        profile.name,
        names(&missed)
    );
    let text = replaced(&text, "exact", &totals)?;
    let passes = table(ablations(kernels, profile, &missed));
    std::fs::write(&path, replaced(&text, "ablation", &passes)?)?;
    println!("wrote the tables of {DOCUMENT}");
    Ok(())
}

fn table(ablations: impl Iterator<Item = Ablation>) -> String {
    let mut table = String::from(
        "| without | no longer exact | such as | exact only without it |\n| --- | --- | --- | --- |\n",
    );
    for ablated in ablations {
        let mut such: Vec<&str> = ablated.decided.iter().map(String::as_str).collect();
        let rest = if such.len() > NAMED { " …" } else { "" };
        such.truncate(NAMED);
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "| {} | {} | {}{rest} | {} |",
            ablated.pass.name(),
            ablated.decided.len(),
            such.join(", "),
            names(&ablated.harmed)
        );
    }
    table
}

/// The text with other lines between `<!-- NAME -->` and `<!-- /NAME -->`.
fn replaced(text: &str, name: &str, lines: &str) -> Result<String> {
    let [begin, end] = [format!("<!-- {name} -->\n"), format!("<!-- /{name} -->")];
    let missing = || format!("{DOCUMENT} has no comments {begin}{end}");
    let (before, rest) = text.split_once(&begin).with_context(missing)?;
    let (_, after) = rest.split_once(&end).with_context(missing)?;
    Ok(format!("{before}{begin}\n{lines}\n{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn lines_between_the_comments_are_replaced() {
        let text = "a\n<!-- exact -->\nold\n<!-- /exact -->\nb\n";
        assert_eq!(
            replaced(text, "exact", "new\n").expect("there"),
            "a\n<!-- exact -->\n\nnew\n\n<!-- /exact -->\nb\n"
        );
        assert!(replaced(text, "other", "new\n").is_err());
    }
}
