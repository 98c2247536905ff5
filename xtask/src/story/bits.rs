//! `why`: the address of a lane taken apart by its bits: row, bank, byte.

use anyhow::{Context, Result};

use super::block::Directive;
use super::expression::Scope;
use super::teller::Teller;

pub(super) fn why(teller: &Teller<'_>, scope: Scope<'_>, directive: &Directive) -> Result<String> {
    let path = directive
        .words()
        .next()
        .context("say whose: `:::why SUBJECT.load lane=5`")?;
    let (subject, chosen) = scope.chosen(path)?;
    let run = scope.runs.of(subject, scope.vars)?;
    let asked = run.chosen(chosen)?;
    let banks = u64::from(
        run.analysis
            .question
            .device
            .banks()
            .context("this device has no banks")?,
    );
    anyhow::ensure!(
        banks.is_power_of_two(),
        "the bits of an address tell the bank where the banks are a power of two"
    );
    let lane = scope.integer(directive.option("lane").context("say which lane: lane=5")?)?;
    let one = asked.first().context("nothing is asked for")?;
    let address = one.lanes.get(usize::try_from(lane)?).copied().flatten();
    let address = address.with_context(|| format!("lane {lane} takes no part"))?;
    let (byte, word) = (address % 4, address / 4);
    let (bank, row) = (word % banks, word / banks);
    let others = one.lanes.iter().flatten().map(|other| other / 4);
    let mut others: Vec<u64> = others
        .filter(|other| *other != word && other % banks == bank)
        .collect();
    others.sort_unstable();
    others.dedup();
    let width = banks.ilog2() as usize;
    let bits = format!(
        "<span class=\"bits\"><u><i>{row:03b}</i>{r}</u><u class=\"bk\"><i>{bank:0width$b}</i>bank</u><u><i>{byte:02b}</i>{b}</u></span>",
        r = teller.words.row,
        b = teller.words.byte,
    );
    let remark = (teller.words.others)(others.len() as u64, bank);
    Ok(format!(
        "<p class=\"why\"><span>{lane_word} <b>{lane}</b> → {word_word} {word}</span> <span>→ {byte_word} {address} = {bits}</span> \
         <span>→ {row_word} {row}, bank <b>{bank}</b></span> <em>{remark}</em></p>\n",
        lane_word = "lane",
        word_word = teller.words.word,
        byte_word = teller.words.byte,
        row_word = teller.words.row,
    ))
}
