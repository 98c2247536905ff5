//! Stacks of words by bank.

use lanescope_draw::{Drawing, Rect, Shape, Style, bank_stacks, english, stack_outlines};
use lanescope_model::{LaneMask, SharedReport};

use crate::reports;

/// The boxes of all words in `bank`, from the floor up.
fn stack(drawing: &Drawing, bank: u32) -> Vec<Rect> {
    let marks = drawing.groups.iter().flat_map(|group| &group.marks);
    let words =
        marks.filter(|mark| matches!(mark.style, Style::Word(_)) && mark.about.bank == Some(bank));
    let boxes = words.filter_map(|mark| match &mark.shape {
        Shape::Box { rect, .. } => Some(*rect),
        _ => None,
    });
    boxes.collect()
}

fn column(stride: u64) -> SharedReport {
    let addresses: Vec<u64> = (0..32).map(|lane| lane * stride * 4).collect();
    reports::shared(32, &addresses)
}

#[test]
fn a_stack_is_as_high_as_its_wavefronts() {
    let drawing = bank_stacks(&column(32), &english);
    let words = stack(&drawing, 0);
    assert_eq!(words.len(), 32);
    assert!(words.windows(2).all(|pair| pair[1].y < pair[0].y));
    assert!(stack(&drawing, 1).is_empty());
    let free = bank_stacks(&column(33), &english);
    let floor = stack(&free, 0)[0].y;
    for bank in 0..32 {
        let words = stack(&free, bank);
        assert_eq!(words.len(), 1);
        assert_eq!(words[0].y, floor);
    }
}

#[test]
fn stacks_share_the_floor_and_the_unit() {
    let two = bank_stacks(&column(2), &english);
    let bottom = |rect: Rect| rect.y + rect.height;
    for bank in (0..32).step_by(2) {
        let words = stack(&two, bank);
        assert_eq!(words.len(), 2);
        assert_eq!(bottom(words[0]), bottom(stack(&two, 0)[0]));
        assert_eq!(words[0].height, words[1].height);
    }
}

#[test]
fn sixty_four_lanes_fit_the_banks() {
    let addresses: Vec<u64> = (0..64).map(|lane| lane * 4).collect();
    let drawing = bank_stacks(&reports::shared(32, &addresses), &english);
    let marks = drawing.groups.iter().flat_map(|group| &group.marks);
    let lanes = marks.filter(|mark| matches!(mark.style, Style::Lane(_)));
    let mut right = Vec::new();
    for lane in lanes {
        if let Shape::Box { rect, .. } = &lane.shape {
            right.push(rect.x + rect.width);
        }
    }
    assert_eq!(right.len(), 64);
    assert!(right.iter().all(|right| *right <= drawing.width));
}

#[test]
fn outlines_stand_where_the_words_would() {
    let before = column(32);
    let drawing = bank_stacks(&before, &english);
    let mut loads = vec![0; 32];
    loads[0] = 32;
    let outlines = stack_outlines(&before, &drawing, &loads, &[1; 32]);
    assert_eq!(outlines.len(), 32);
    let lowest = stack(&drawing, 0)[0];
    assert_eq!(outlines[0].x, lowest.x);
    assert_eq!(outlines[0].y + outlines[0].height, lowest.y + lowest.height);
    // Another request's loads say nothing of this one.
    assert!(stack_outlines(&before, &drawing, &[1; 32], &[1; 32]).is_empty());
}

#[test]
fn nobody_is_said() {
    let mut report = column(1);
    for phase in &mut report.phases {
        (phase.active, phase.wavefronts) = (LaneMask::NONE, 0);
        phase.banks.clear();
    }
    let drawing = bank_stacks(&report, &english);
    let mut marks = drawing.groups.iter().flat_map(|group| &group.marks);
    assert!(marks.any(
        |mark| matches!(&mark.shape, Shape::Text { text, .. } if text == "no lane takes part")
    ));
}
