//! `rows`: an array over the banks: a column for each bank, lit where a word is asked for, in the colour of its warp.
//!
//! `:::rows SUBJECT.parts words=256` lights the words (`dense`: small, without digits, for many rows); `label=column` writes, in place of the word's number, which column
//! of its row of the matrix the thread had in mind (its number modulo the banks), coloured by that row.

use anyhow::{Context, Result, ensure};

use super::block::Directive;
use super::component::foot;
use super::counts::WarpRequest;
use super::expression::Scope;
use super::heat;
use super::teller::Teller;

/// Bytes of a word of a bank.
const WORD_BYTES: u64 = 4;

pub(super) fn rows(teller: &Teller<'_>, scope: Scope<'_>, directive: &Directive) -> Result<String> {
    let path = directive
        .words()
        .next()
        .context("say whose: `:::rows SUBJECT words=256`")?;
    let (subject, chosen) = scope.chosen(path)?;
    let run = scope.runs.of(subject, scope.vars)?;
    let asked = run.chosen(chosen)?;
    let device = &run.analysis.question.device;
    let banks = u64::from(device.banks().context("this device has no banks")?);
    let words = scope.integer(
        directive
            .option("words")
            .context("say how many: words=256")?,
    )?;
    let words = u64::try_from(words)?;
    let warp_lanes = u64::from(device.warp_lanes());
    // Lanes that the banks cannot serve together have colours of their own: half-warps.
    let groups = warp_lanes.div_ceil(banks).max(1);
    let by_column = directive.option("label") == Some("column");
    let mut cells = String::new();
    let lit = |word: u64| {
        asked
            .iter()
            .find_map(|one| lane_on(one, word).map(|lane| (*one, lane)))
    };
    for one in &asked {
        let past = one
            .lanes
            .iter()
            .flatten()
            .find(|address| **address / WORD_BYTES >= words);
        ensure!(
            past.is_none(),
            "a lane asks for word {:?}: say more `words=`",
            past.map(|at| at / WORD_BYTES)
        );
    }
    for word in 0..words {
        if word % banks == 0 {
            cells += &format!(
                "<i class=\"lab\"><span>{} </span>{}</i>",
                teller.words.row,
                word / banks
            );
        }
        match lit(word) {
            Some((one, lane)) if by_column => {
                let thread = u64::from(one.warp) * warp_lanes + lane;
                cells += &format!(
                    "<i class=\"on c{}\">{}</i>",
                    (thread / banks) % 8,
                    thread % banks
                );
            }
            Some((one, lane)) => {
                let colour = (u64::from(one.warp) * groups + lane / banks) % 8;
                cells += &format!("<i class=\"on c{colour}\">{word}</i>");
            }
            None => cells += &format!("<i>{word}</i>"),
        }
    }
    let costly = asked
        .iter()
        .max_by_key(|one| one.sums.wavefronts)
        .context("nothing is asked for")?;
    let per_bank = costly.bank_wavefronts(device)?;
    cells += &format!(
        "<i class=\"lab\"><span>{}</span></i>",
        teller.words.wavefronts
    );
    for count in &per_bank {
        let text = if *count == 0 {
            String::new()
        } else {
            count.to_string()
        };
        cells += &format!("<i class=\"t {}\">{text}</i>", heat(u64::from(*count)));
    }
    cells += "<i class=\"lab\"><span>bank</span></i>";
    for bank in 0..banks {
        let quarter = if bank % 4 == 0 { " q" } else { "" };
        cells += &format!("<i class=\"ax{quarter}\">{bank}</i>");
    }
    let on: u64 = asked.iter().map(|one| one.active()).sum();
    let is_dense = directive.words().any(|word| word == "dense");
    let dense = if is_dense { " dense" } else { "" };
    let label = (teller.words.rows_label)(on, costly.sums.wavefronts);
    let name = path.split('.').next().unwrap_or(path);
    let foot = foot(teller, scope, &[name], &directive.place)?;
    Ok(format!(
        "<div class=\"rows b{banks}{dense}\" role=\"img\" aria-label=\"{label}\">{cells}</div>\n{foot}"
    ))
}

/// The first lane that asks for `word`.
fn lane_on(asked: &WarpRequest, word: u64) -> Option<u64> {
    let lanes = (0..).zip(&asked.lanes);
    lanes
        .filter(|(_, address)| address.map(|at| at / WORD_BYTES) == Some(word))
        .map(|(lane, _)| lane)
        .next()
}
