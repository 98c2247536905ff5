//! Pictures of known requests, held as snapshots.

use crate::reports;
use lanescope_draw::{
    Drawing, Mark, Shape, bank_grid, bank_legend, english, sector_legend, sector_map, to_svg,
};

/// Every mark on a line: its class, its text, what it says of itself.
fn outline(drawing: &Drawing) -> String {
    let head = format!(
        "{}\n{}\n{} x {}\n",
        drawing.title, drawing.description, drawing.width, drawing.height
    );
    let marks = drawing.groups.iter().flat_map(|group| &group.marks);
    head + &marks.map(line).collect::<String>()
}

fn line(mark: &Mark) -> String {
    let class = mark.style.classes();
    match &mark.shape {
        Shape::Box { rect, lines } => {
            format!(
                "{class} {},{} [{}] {}\n",
                rect.x,
                rect.y,
                lines.join("/"),
                mark.label
            )
        }
        Shape::Tiles { first, count, .. } => format!("{class} {},{} x{count}\n", first.x, first.y),
        Shape::Text { x, y, text, .. } => format!("{class} {x},{y} {text:?} {}\n", mark.label),
    }
}

fn strided(stride: u64) -> Vec<u64> {
    (0..32).map(|lane| lane * stride * 4).collect()
}

#[test]
fn column_of_an_unpadded_tile() {
    insta::assert_snapshot!(outline(&bank_grid(
        &reports::shared(32, &strided(32)),
        &english
    )));
}

#[test]
fn column_of_a_padded_tile() {
    insta::assert_snapshot!(outline(&bank_grid(
        &reports::shared(32, &strided(33)),
        &english
    )));
}

#[test]
fn rows_far_apart_leave_a_gap() {
    insta::assert_snapshot!(outline(&bank_grid(
        &reports::shared(16, &[0, 4, 6400, 6404]),
        &english
    )));
}

#[test]
fn one_word_for_all() {
    insta::assert_snapshot!(outline(&bank_grid(
        &reports::shared(32, &[12; 32]),
        &english
    )));
}

#[test]
fn sectors_of_a_stride() {
    insta::assert_snapshot!(outline(&sector_map(
        &reports::global(&strided(2)),
        &english
    )));
}

#[test]
fn svg_of_a_small_grid() {
    let drawing = bank_legend(
        bank_grid(&reports::shared(4, &[0, 16, 4]), &english),
        &english,
    );
    insta::assert_snapshot!(to_svg(&drawing));
}

#[test]
fn a_picture_of_a_warp_is_small() {
    let worst: Vec<u64> = (0..32).map(|lane| lane * 132 % 97 * 404).collect();
    for report in [
        reports::shared(32, &strided(32)),
        reports::shared(32, &worst),
        reports::shared_vectors(),
    ] {
        let svg = to_svg(&bank_legend(bank_grid(&report, &english), &english));
        assert!(svg.len() < 60_000, "{} bytes", svg.len());
    }
    let far = sector_legend(
        sector_map(&reports::global(&strided(1024)), &english),
        &english,
    );
    assert!(to_svg(&far).len() < 60_000);
}
