//! A drawing made small: its boxes only.

use crate::drawing::{About, Drawing, Group, GroupKind, Mark, Rect, Shape, Style};

/// `drawing` without its text and its legend, cropped to what is left: lanes that are on, banks, words, lines
/// and sectors in their colours. Empty where a drawing has none of them.
#[must_use]
pub fn thumbnail(drawing: &Drawing) -> Drawing {
    let groups: Vec<Group> = drawing
        .groups
        .iter()
        .filter(|group| group.kind != GroupKind::Legend)
        .map(without_text)
        .collect();
    let Some(bounds) = bounds(&groups) else {
        return Drawing::default();
    };
    Drawing {
        width: bounds.width,
        height: bounds.height,
        title: drawing.title.clone(),
        description: drawing.description.clone(),
        groups: groups
            .into_iter()
            .map(|group| moved(group, bounds))
            .collect(),
    }
}

fn without_text(group: &Group) -> Group {
    let marks = group.marks.iter().filter_map(|mark| {
        let shape = match &mark.shape {
            Shape::Text { .. } => return None,
            Shape::Box { .. } if is_left_out(mark.style) => return None,
            Shape::Box { rect, .. } => Shape::Box {
                rect: *rect,
                lines: Vec::new(),
            },
            tiles @ Shape::Tiles { .. } => tiles.clone(),
        };
        Some(Mark {
            shape,
            style: mark.style,
            about: About::default(),
            label: String::new(),
        })
    });
    Group {
        kind: group.kind,
        label: String::new(),
        marks: marks.collect(),
    }
}

/// Numbers on an axis, and lanes that are off.
const fn is_left_out(style: Style) -> bool {
    matches!(style, Style::Axis | Style::LaneOff)
}

/// The smallest box around all boxes.
fn bounds(groups: &[Group]) -> Option<Rect> {
    let marks = groups.iter().flat_map(|group| &group.marks);
    marks
        .filter_map(|mark| extent(&mark.shape))
        .reduce(|all, one| {
            let (x, y) = (all.x.min(one.x), all.y.min(one.y));
            Rect {
                x,
                y,
                width: (all.x + all.width).max(one.x + one.width) - x,
                height: (all.y + all.height).max(one.y + one.height) - y,
            }
        })
}

/// The box around a shape; `None` for text.
fn extent(shape: &Shape) -> Option<Rect> {
    match *shape {
        Shape::Box { rect, .. } => Some(rect),
        Shape::Tiles {
            first,
            count,
            pitch,
        } => Some(Rect {
            width: pitch * (count - 1) + first.width,
            ..first
        }),
        Shape::Text { .. } => None,
    }
}

/// `group` where the corner of `bounds` is the origin.
fn moved(mut group: Group, bounds: Rect) -> Group {
    for mark in &mut group.marks {
        if let Shape::Box { rect, .. } | Shape::Tiles { first: rect, .. } = &mut mark.shape {
            rect.x -= bounds.x;
            rect.y -= bounds.y;
        }
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bank_grid, english};
    use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};

    #[test]
    fn boxes_are_left_and_begin_at_the_corner() {
        let addresses: Vec<u64> = (0..32).map(|lane| lane * 128).collect();
        let request = Request {
            space: Space::Shared,
            operation: Operation::Load,
            width: Width::Bytes4,
            active: LaneMask::first(32),
            addresses: &addresses,
        };
        let device = Device::default();
        let whole = bank_grid(&device.shared_report(&request).expect("a rule"), &english);
        let small = thumbnail(&whole);
        let marks = || small.groups.iter().flat_map(|group| &group.marks);
        assert!(marks().count() > 32);
        let extents = || marks().filter_map(|mark| extent(&mark.shape));
        assert_eq!(extents().map(|rect| rect.x).min(), Some(0));
        assert_eq!(extents().map(|rect| rect.y).min(), Some(0));
        assert_eq!(
            extents().map(|rect| rect.x + rect.width).max(),
            Some(small.width)
        );
        assert!(small.width < whole.width && small.height < whole.height);
        assert!(!marks().any(|mark| matches!(mark.shape, Shape::Text { .. })));
    }

    #[test]
    fn nothing_to_draw_is_an_empty_picture() {
        assert_eq!(thumbnail(&Drawing::default()), Drawing::default());
    }
}
