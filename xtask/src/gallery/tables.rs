//! The numbers of a preset, line by line and device by device.

use lanescope_draw::escape_xml;
use lanescope_gallery::Language;
use lanescope_locale::gallery::{self, GalleryWords, operation, other_unit};
use lanescope_share::{Device, State};
use serde_json::Value;

use super::active_lanes::LaneSlots;
use super::figures::{Analysed, Figures, grouped};

/// What other machines are shown: the generations whose rules differ.
const DEVICES: [&str; 9] = [
    "cc1.0", "cc1.3", "cc2.x", "cc5.x", "cc8.0", "cc9.0", "gcn", "cdna3", "rdna3",
];

/// Each line of a report, and active lanes where any lane is idle: by line, and of all lines below the table.
pub(super) fn lines(analysed: &Analysed, language: Language) -> String {
    let words = GalleryWords::of(language);
    let heads = [
        words.access,
        words.does,
        words.requests,
        words.wavefronts,
        words.ideal,
        words.ways,
        words.sectors,
        words.ideal,
        words.active_lanes,
    ];
    let none = Vec::new();
    let warp_lanes = analysed.analysis.question.device.warp_lanes();
    let lanes = analysed.lanes().unwrap_or_default();
    let lanes = if lanes.iter().any(|line| line.has_idle(warp_lanes)) {
        lanes
    } else {
        &[]
    };
    let rows = analysed.report["lines"].as_array().unwrap_or(&none).iter();
    let rows = rows.enumerate().map(|(row, line)| {
        let mut cells = line_row(line, language);
        cells.push(
            lanes
                .get(row)
                .map_or_else(String::new, |own| own.per_request()),
        );
        cells
    });
    let table = table(&heads, rows);
    if lanes.is_empty() {
        return table;
    }
    let all = lanes.iter().copied();
    let all = all
        .fold(LaneSlots::default(), LaneSlots::plus)
        .per_request();
    let summary = gallery::active_in_all(language, &all, warp_lanes);
    format!("{table}<p class=\"device\">{summary}</p>\n")
}

fn line_row(line: &Value, language: Language) -> Vec<String> {
    let key = line["op"].as_str().unwrap_or_default();
    let is_shared = key.starts_with("shared");
    let number = |name: &str, is_there: bool| {
        let number = line[name].as_u64().filter(|_| is_there);
        number.map_or_else(String::new, grouped)
    };
    let unit = other_unit(language, line["unit"].as_str().unwrap_or_default());
    let code = escape_xml(line["text"].as_str().unwrap_or_default());
    vec![
        format!("<code>{code}</code>"),
        operation(language, key),
        number("requests", true),
        number("wavefronts", is_shared),
        number("ideal_wavefronts", is_shared),
        number("ways", is_shared),
        number("sectors", !is_shared) + if is_shared { "" } else { unit },
        number("ideal_sectors", !is_shared),
    ]
}

/// The sums on other devices; nothing for a device of one's own numbers.
pub(super) fn elsewhere(state: &State, language: Language, figures: &mut Figures) -> String {
    if matches!(state.device, Device::Custom(_)) {
        return String::new();
    }
    let words = GalleryWords::of(language);
    let heads = [
        words.device,
        words.ways,
        words.wavefronts,
        words.ideal,
        words.sectors,
        words.ideal,
    ];
    let rows: Vec<_> = DEVICES
        .iter()
        .filter_map(|id| device_row(state, id, language, figures))
        .collect();
    let title = words.elsewhere;
    let table = table(&heads, rows.into_iter());
    format!("<h2>{title}</h2>\n{table}")
}

fn device_row(
    state: &State,
    id: &str,
    language: Language,
    figures: &mut Figures,
) -> Option<Vec<String>> {
    let device = Device::Known(id.to_owned());
    let analysed = figures.of(&State {
        device,
        ..state.clone()
    })?;
    let lines = analysed.report["lines"].as_array()?;
    let name = escape_xml(analysed.analysis.question.device.name());
    let is_unknown = lines.iter().any(|line| line["unknown"].is_string());
    let mut row = vec![name];
    if is_unknown {
        row.push(GalleryWords::of(language).unknown.to_owned());
        row.resize(6, String::new());
        return Some(row);
    }
    let shared = |line: &&Value| {
        line["op"]
            .as_str()
            .is_some_and(|op| op.starts_with("shared"))
    };
    let (ours, others): (Vec<&Value>, Vec<&Value>) = lines.iter().partition(shared);
    let sum = |lines: &[&Value], name: &str| {
        let numbers = lines.iter().filter_map(|line| line[name].as_u64());
        (!lines.is_empty()).then(|| grouped(numbers.sum()))
    };
    let ways = ours.iter().filter_map(|line| line["ways"].as_u64()).max();
    let unit = others.iter().find_map(|line| line["unit"].as_str());
    let unit = other_unit(language, unit.unwrap_or_default());
    row.extend([
        ways.map(grouped).unwrap_or_default(),
        sum(&ours, "wavefronts").unwrap_or_default(),
        sum(&ours, "ideal_wavefronts").unwrap_or_default(),
        sum(&others, "sectors").map_or_else(String::new, |sum| sum + unit),
        sum(&others, "ideal_sectors").unwrap_or_default(),
    ]);
    Some(row)
}

/// A table; columns in which nothing stands are left out.
fn table(heads: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.collect();
    let is_used = |column: &usize| rows.iter().any(|row| !row[*column].is_empty());
    let columns: Vec<usize> = (0..heads.len()).filter(is_used).collect();
    let head: String = columns
        .iter()
        .map(|column| format!("<th scope=\"col\">{}</th>", heads[*column]))
        .collect();
    let row = |row: &Vec<String>| {
        let cells: String = columns
            .iter()
            .map(|column| format!("<td>{}</td>", row[*column]))
            .collect();
        format!("<tr>{cells}</tr>\n")
    };
    let body: String = rows.iter().map(row).collect();
    format!("<div class=\"wide\" tabindex=\"0\"><table>\n<tr>{head}</tr>\n{body}</table></div>\n")
}
