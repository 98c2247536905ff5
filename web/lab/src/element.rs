//! A report as an element of other people's pages: what was measured and the active lanes predicted, with a link;
//! `lane-story.js` gives it its dress.

use std::fmt::Write as _;

use lanescope_draw::escape_xml;

use crate::line::Line;
use crate::settings::Experiment;
use crate::sheet::Sheet;
use crate::words::{Word, Words, size_name};

/// The columns, as the style sheet names them in each cell of a narrow screen.
const COLUMNS: [Word; 6] = [
    |words| words.kernel,
    |words| words.time,
    |words| words.times_first,
    |words| words.times_before,
    |words| words.bandwidth,
    |words| words.active_lanes_predicted,
];

/// The script, and `<lane-run>` with a table for each sheet that has results.
pub(crate) fn text(
    sheets: &[impl AsRef<Sheet>],
    (gpu, experiment): (&str, Experiment),
    link: &str,
    language: Words,
) -> String {
    let folder = link.split('#').next().unwrap_or_default();
    let folder = &folder[..=folder.rfind('/').unwrap_or(0)];
    let mut out = format!(
        "<script type=\"module\" src=\"{}lane-story.js\"></script>\n\
         <lane-run class=\"card\" lang=\"{}\">\n<p><b>{}</b></p>\n",
        escape_xml(folder),
        language.code(),
        escape_xml(gpu)
    );
    for sheet in sheets {
        table(&mut out, sheet.as_ref(), experiment, language);
    }
    // Writing to a string does not fail.
    let _ = write!(
        out,
        "<p>{}</p>\n<p class=\"foot\"><a href=\"{}\">Lanescope</a></p>\n</lane-run>\n",
        escape_xml(language.words().formula),
        escape_xml(link)
    );
    out
}

fn table(out: &mut String, sheet: &Sheet, experiment: Experiment, language: Words) {
    let steps = sheet.lines.iter().zip(sheet.steps());
    let rows: String = steps
        .filter_map(|(line, step)| row(line, step, language))
        .collect();
    if rows.is_empty() {
        return;
    }
    let head: String = COLUMNS
        .iter()
        .map(|word| {
            format!(
                "<th scope=\"col\">{}</th>",
                escape_xml(language.word(*word))
            )
        })
        .collect();
    let name = size_name(experiment, &sheet.size.spell());
    let _ = write!(
        out,
        "<div class=\"wide\"><table><caption>{}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n",
        escape_xml(&name)
    );
}

fn row(line: &Line, step: Option<[f64; 2]>, language: Words) -> Option<String> {
    let [time, first, before, bandwidth] = line.figures(step)?;
    let lanes = line.lanes(language).unwrap_or_default();
    let cells = [line.name.clone(), time, first, before, bandwidth, lanes];
    let cells = COLUMNS.iter().zip(cells).map(|(word, cell)| {
        let name = escape_xml(language.word(*word));
        format!("<td data-h=\"{name}\">{}</td>", escape_xml(&cell))
    });
    Some(format!("<tr>{}</tr>\n", cells.collect::<String>()))
}
