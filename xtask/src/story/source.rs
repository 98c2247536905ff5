//! `source`: a kernel's text, each line with what it costs; `picture`: its costliest request, drawn as the page draws it.

use anyhow::{Context, Result};
use lanescope_draw::{escape_xml, in_language, to_svg, with_link};
use lanescope_query::picture as picture_of;
use lanescope_share::encode;

use super::block::Directive;
use super::component::foot;
use super::expression::Scope;
use super::heat;
use super::teller::Teller;

/// `source SUBJECT from=LABEL to=LABEL`.
pub(super) fn source(
    teller: &Teller<'_>,
    scope: Scope<'_>,
    directive: &Directive,
) -> Result<String> {
    let name = directive
        .words()
        .next()
        .context("say which: `:::source KERNEL`")?;
    let subject = scope.subject(name)?;
    let run = scope.runs.of(subject, scope.vars)?;
    let code = subject.code(scope.vars)?;
    let end = |option: &str| {
        directive
            .option(option)
            .map(|label| subject.line(label))
            .transpose()
    };
    let (first, last) = (end("from")?.unwrap_or(1), end("to")?.unwrap_or(u32::MAX));
    let mut lines = String::new();
    for (number, line) in (1..)
        .zip(code.lines())
        .filter(|(number, _)| (first..=last).contains(number))
    {
        let own = run
            .analysis
            .lines
            .iter()
            .filter(|line| line.line == number && line.sums.requests > 0);
        let shared = own
            .clone()
            .filter(|one| one.kind.is_shared())
            .map(|one| u64::from(one.sums.ways))
            .max();
        let text = escape_xml(line);
        lines += &match shared {
            Some(ways) => format!(
                "<span class=\"line {}\"><span>{text}</span><b>{}</b></span>",
                heat(ways),
                (teller.words.ways)(ways)
            ),
            None => format!("<span class=\"line\"><span>{text}</span></span>"),
        };
        lines.push('\n');
    }
    let foot = foot(teller, scope, &[name], &directive.place)?;
    Ok(format!(
        "<pre class=\"source\" tabindex=\"0\"><code>{lines}</code></pre>\n{foot}"
    ))
}

/// `picture SUBJECT`.
pub(super) fn picture(
    teller: &Teller<'_>,
    scope: Scope<'_>,
    directive: &Directive,
) -> Result<String> {
    let name = directive
        .words()
        .next()
        .context("say which: `:::picture SUBJECT`")?;
    let subject = scope.subject(name)?;
    let run = scope.runs.of(subject, scope.vars)?;
    let drawing = picture_of(&run.analysis, None, &in_language(teller.language))?.drawing;
    let link = format!("#{}", encode(&subject.state(scope.vars)?));
    let svg = with_link(&to_svg(&drawing), &link);
    let file = format!("{name}.{}.svg", teller.language.tag());
    teller
        .files
        .borrow_mut()
        .insert(file.clone(), svg.into_bytes());
    let foot = foot(teller, scope, &[name], &directive.place)?;
    Ok(format!(
        "<figure><div class=\"wide\" tabindex=\"0\"><img src=\"{file}\" alt=\"{}\" width=\"{}\" height=\"{}\" loading=\"lazy\"></div></figure>\n{foot}",
        escape_xml(&drawing.title),
        drawing.width + 24,
        drawing.height + 24,
    ))
}
