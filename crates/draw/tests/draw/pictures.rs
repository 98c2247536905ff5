//! Pictures of known requests, held as snapshots.

use crate::reports;
use lanescope_draw::{
    Card, Drawing, Mark, Shape, Theme, bank_grid, bank_legend, bank_stacks, card_svg, english,
    sector_legend, sector_map, to_animated_svg, to_svg, to_svg_in,
};
use lanescope_model::LaneMask;

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

/// Every element that draws something, less those of style sheets.
fn drawn(svg: &str) -> Vec<&str> {
    let elements = svg.split('<').filter_map(|rest| rest.split('>').next());
    let draws = |element: &&str| {
        ["rect ", "path ", "text "]
            .iter()
            .any(|name| element.starts_with(name))
    };
    elements.filter(draws).collect()
}

#[test]
fn exported_pictures_have_their_colours_written_out() {
    let strided = reports::shared(32, &strided(4));
    let shared = bank_legend(bank_stacks(&strided, &english), &english);
    let grid = bank_grid(&strided, &english);
    let sectors = sector_legend(
        sector_map(&reports::global(&[0, 64, 4096]), &english),
        &english,
    );
    let card = Card {
        verdict: "4-way bank conflict",
        code: "tile[tx]",
        drawing: Some(&shared),
        ..Card::default()
    };
    let half = [LaneMask(0xffff), LaneMask(0xffff_0000)];
    let pictures = [
        to_svg(&shared),
        to_svg(&grid),
        to_svg(&sectors),
        to_svg_in(&shared, Theme::Dark),
        to_svg_in(&sectors, Theme::Dark),
        to_animated_svg(&shared, Theme::Light, &half),
        card_svg(&card, Theme::Dark),
    ];
    for svg in pictures {
        assert!(!svg.contains("var(") && !svg.contains("currentColor"));
        let elements = drawn(&svg);
        assert!(elements.len() > 20);
        for element in elements {
            let has = |name: &str| element.contains(&format!(" {name}=\"#"));
            assert!(has("fill") || has("stroke"), "{element}");
        }
    }
    assert!(!to_svg_in(&shared, Theme::Dark).contains("<style"));
}

#[test]
fn an_animation_gives_every_wavefront_its_turn() {
    let picture = bank_stacks(&reports::shared(32, &strided(2)), &english);
    let halves = [LaneMask(0xffff), LaneMask(0xffff_0000)];
    let svg = to_animated_svg(&picture, Theme::Light, &halves);
    for step in 0..2 {
        assert!(svg.contains(&format!("@keyframes s{step}")));
        assert!(svg.contains(&format!(" s{step}\"")));
    }
    assert!(svg.contains("prefers-reduced-motion:no-preference"));
    let still = to_animated_svg(&picture, Theme::Light, &[]);
    assert!(!still.contains("@keyframes"));
}
