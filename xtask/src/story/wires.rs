//! `wires`: an XOR as wires that cross, from logical columns to physical ones.
//!
//! `:::wires 3 of=8 lit=column`

use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};

use super::block::Directive;
use super::expression::Scope;

/// Between two columns, and from the logical ones to the physical ones.
const STEP: usize = 36;
const HEIGHT: usize = 112;
/// Where wires begin and end.
const WIRES: [usize; 2] = [24, 88];

pub(super) fn wires(scope: Scope<'_>, directive: &Directive) -> Result<String> {
    let by = directive.words().next();
    let by = by.context("say by what: `:::wires 3 of=8 lit=column`")?;
    let number = |text: &str| Ok::<_, anyhow::Error>(usize::try_from(scope.integer(text)?)?);
    let columns = directive
        .option("of")
        .context("say how many columns: of=8")?;
    let (by, columns) = (number(by)?, number(columns)?);
    ensure!(
        [2, 4, 8].contains(&columns) && by < columns,
        "wires cross among 2, 4 or 8 columns, and what they are crossed by is less"
    );
    let lit = directive.option("lit").map(number).transpose()?;
    ensure!(
        lit.is_none_or(|lit| lit < columns),
        "there are {columns} columns"
    );
    Ok(drawn(by, columns, lit))
}

/// The wires, that of column `lit` above the others.
fn drawn(by: usize, columns: usize, lit: Option<usize>) -> String {
    let bits = columns.ilog2() as usize;
    let x = |column: usize| column * STEP + STEP / 2;
    let mut order: Vec<usize> = (0..columns).collect();
    order.sort_by_key(|column| Some(*column) == lit);
    let mut out = String::new();
    let [top, bottom] = WIRES;
    let middle = top.midpoint(bottom);
    for column in order {
        let (from, to) = (x(column), x(column ^ by));
        let class = if Some(column) == lit {
            " class=\"lit\""
        } else {
            ""
        };
        // Writing to a string does not fail.
        let _ = write!(
            out,
            "<path{class} d=\"M{from} {top}C{from} {middle} {to} {middle} {to} {bottom}\"/>\
             <text{class} x=\"{from}\" y=\"{}\">{column:0bits$b}</text>\
             <text{class} x=\"{to}\" y=\"{}\">{:0bits$b}</text>",
            top - 8,
            bottom + 16,
            column ^ by
        );
    }
    let label = lit.map_or_else(
        || format!("xor {by:0bits$b}"),
        |lit| format!("{lit:0bits$b} xor {by:0bits$b} = {:0bits$b}", lit ^ by),
    );
    let width = columns * STEP;
    format!(
        "<svg class=\"drawn wires\" viewBox=\"0 0 {width} {HEIGHT}\" role=\"img\" aria-label=\"{label}\">{out}</svg>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::drawn;

    #[test]
    fn each_column_has_a_wire_to_its_own_place() {
        let svg = drawn(3, 8, Some(5));
        assert_eq!(svg.matches("<path").count(), 8);
        assert!(svg.contains("aria-label=\"101 xor 011 = 110\""), "{svg}");
        // From column 5 to column 6, drawn last.
        let last = svg.rfind("<path").unwrap();
        assert!(
            svg[last..].starts_with("<path class=\"lit\" d=\"M198 24C198 56 234 56 234 88\"/>")
        );
    }
}
