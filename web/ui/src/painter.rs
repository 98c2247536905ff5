//! A drawing as elements of the page: the same elements are kept from one picture to the next,
//! and only what changed is set.

use lanescope_draw::{About, Drawing, Group, GroupKind, Mark, Rect, Shape};
use lanescope_model::LaneMask;

use crate::element::{El, svg};

const MARGIN: i32 = 3;

/// Keeps an `svg` element in step with a drawing.
pub struct Painter {
    root: El,
    size: (i32, i32),
    groups: Vec<Painted>,
}

/// One group and its elements, in the order of its marks.
struct Painted {
    element: El,
    group: Group,
    marks: Vec<El>,
    lit: Vec<bool>,
}

/// Where a mark stands: its group, and its place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its group.
    pub group: usize,
    /// Its place in the group.
    pub mark: usize,
}

impl Place {
    /// As `data-mark` spells it.
    fn spelt(self) -> String {
        format!("{}.{}", self.group, self.mark)
    }

    /// Read back from `data-mark`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (group, mark) = text.split_once('.')?;
        Some(Self {
            group: group.parse().ok()?,
            mark: mark.parse().ok()?,
        })
    }
}

impl Painter {
    /// An empty picture that tests find as `testid`.
    #[must_use]
    pub fn new(testid: &str) -> Self {
        let root = svg("svg")
            .class("picture")
            .set("role", "group")
            .testid(testid);
        Self {
            root,
            size: (0, 0),
            groups: Vec::new(),
        }
    }

    /// The `svg` element.
    #[must_use]
    pub const fn root(&self) -> &El {
        &self.root
    }

    /// Shows `drawing`.
    pub fn paint(&mut self, drawing: &Drawing) {
        self.light(LaneMask::NONE);
        self.root.put("aria-label", &drawing.title);
        self.resize(drawing.width, drawing.height);
        for (index, group) in drawing.groups.iter().enumerate() {
            if self.groups.len() <= index {
                self.add_group();
            }
            self.paint_group(index, group);
        }
        while self.groups.len() > drawing.groups.len() {
            if let Some(gone) = self.groups.pop() {
                gone.element.remove();
            }
        }
        self.make_reachable();
    }

    fn resize(&mut self, width: i32, height: i32) {
        if self.size == (width, height) {
            return;
        }
        self.size = (width, height);
        let (wide, high) = (width + 2 * MARGIN, height + 2 * MARGIN);
        self.root
            .put("viewBox", &format!("{0} {0} {wide} {high}", -MARGIN));
    }

    fn add_group(&mut self) {
        let element = svg("g");
        let group = Group {
            kind: GroupKind::Legend,
            label: String::new(),
            marks: Vec::new(),
        };
        self.root.add(&element);
        self.groups.push(Painted {
            element,
            group,
            marks: Vec::new(),
            lit: Vec::new(),
        });
    }

    fn paint_group(&mut self, index: usize, group: &Group) {
        if self.groups[index].group == *group {
            return;
        }
        name_group(&self.groups[index].element, group);
        for (mark_index, mark) in group.marks.iter().enumerate() {
            self.paint_mark(
                Place {
                    group: index,
                    mark: mark_index,
                },
                mark,
            );
        }
        let painted = &mut self.groups[index];
        for gone in painted.marks.drain(group.marks.len()..) {
            gone.remove();
        }
        painted.lit.resize(group.marks.len(), false);
        painted.group.clone_from(group);
    }

    fn paint_mark(&mut self, place: Place, mark: &Mark) {
        let painted = &self.groups[place.group];
        let old = painted
            .group
            .marks
            .get(place.mark)
            .zip(painted.marks.get(place.mark));
        match old {
            Some((old, _)) if old == mark => {}
            Some((old, element)) if is_alike(old, mark) => update(element, Some(old), mark),
            _ => self.renew(place, mark),
        }
    }

    /// Makes the elements of a mark afresh.
    fn renew(&mut self, place: Place, mark: &Mark) {
        let element = build(mark);
        if mark.about.is_something() {
            element.put("data-mark", &place.spelt());
            element.put("tabindex", "-1");
            element.put("role", "img");
        }
        update(&element, None, mark);
        let painted = &mut self.groups[place.group];
        match painted.marks.get_mut(place.mark) {
            Some(slot) => {
                slot.replace_by(&element);
                *slot = element;
            }
            None => {
                painted.element.add(&element);
                painted.marks.push(element);
                painted.lit.push(false);
            }
        }
    }

    /// Exactly one mark can be reached with the Tab key; from it the arrow keys lead on.
    fn make_reachable(&self) {
        if self.root.find("[tabindex='0']").is_none()
            && let Some(first) = self.root.find("[data-mark]")
        {
            first.put("tabindex", "0");
        }
    }

    /// The mark at `place`.
    #[must_use]
    pub fn mark(&self, place: Place) -> Option<&Mark> {
        self.groups.get(place.group)?.group.marks.get(place.mark)
    }

    /// What the first mark of just these lanes says.
    #[must_use]
    pub fn label(&self, lanes: LaneMask) -> Option<String> {
        let mut marks = self.groups.iter().flat_map(|painted| &painted.group.marks);
        let of_lanes = |mark: &&Mark| mark.about.lanes == lanes && mark.about.is_something();
        Some(marks.find(of_lanes)?.label.clone())
    }

    /// Lights every mark that shares a lane with `lanes`.
    pub fn light(&mut self, lanes: LaneMask) {
        let class = if lanes.is_empty() {
            "picture"
        } else {
            "picture pointing"
        };
        self.root.put("class", class);
        for painted in &mut self.groups {
            let marks = painted
                .group
                .marks
                .iter()
                .zip(&painted.marks)
                .zip(&mut painted.lit);
            for ((mark, element), lit) in marks {
                let is_lit = mark.about.lanes.0 & lanes.0 != 0;
                if is_lit != *lit {
                    *lit = is_lit;
                    element.put("class", &classes(mark, is_lit));
                }
            }
        }
    }

    /// Lets the Tab key reach the nearest mark in direction (`right`, `down`) from `place`, instead
    /// of the one at `place`: the element to give the focus to.
    #[must_use]
    pub fn step(&self, place: Place, right: i32, down: i32) -> Option<El> {
        self.reach(place, self.neighbour(place, right, down)?)
    }

    /// The same with the first or the last mark of the row that `place` is in.
    #[must_use]
    pub fn end(&self, place: Place, is_last: bool) -> Option<El> {
        let (_, row) = centre(self.mark(place)?)?;
        let marks = self.groups.get(place.group)?.group.marks.iter().enumerate();
        let in_row = marks.filter_map(|(mark, value)| {
            let (x, y) = centre(value)?;
            let is_there = y == row && value.about.is_something();
            let group = place.group;
            is_there.then_some((if is_last { -x } else { x }, Place { group, mark }))
        });
        let (_, next) = in_row.min_by_key(|(x, _)| *x)?;
        self.reach(place, next)
    }

    fn reach(&self, place: Place, next: Place) -> Option<El> {
        let element = |place: Place| self.groups.get(place.group)?.marks.get(place.mark);
        if let Some(old) = element(place) {
            old.put("tabindex", "-1");
        }
        let new = element(next)?;
        new.put("tabindex", "0");
        Some(new.clone())
    }

    fn neighbour(&self, from: Place, right: i32, down: i32) -> Option<Place> {
        let here = centre(self.mark(from)?)?;
        let places = self.groups.iter().enumerate().flat_map(|(group, painted)| {
            let marks = painted.group.marks.iter().enumerate();
            marks.map(move |(mark, value)| (Place { group, mark }, value))
        });
        let reachable = places.filter(|(place, mark)| *place != from && mark.about.is_something());
        let distances = reachable.filter_map(|(place, mark)| {
            let there = centre(mark)?;
            let (x, y) = (there.0 - here.0, there.1 - here.1);
            let (ahead, aside) = (x * right + y * down, (x * down).abs() + (y * right).abs());
            (ahead > 0).then_some((i64::from(ahead) + 4 * i64::from(aside), place))
        });
        distances
            .min_by_key(|(distance, _)| *distance)
            .map(|(_, place)| place)
    }
}

fn build(mark: &Mark) -> El {
    let element = svg(element_name(mark));
    if let (Shape::Box { lines, .. }, "g") = (&mark.shape, element_name(mark)) {
        element.add(&svg("rect"));
        lines.iter().for_each(|_| element.add(&svg("text")));
    }
    element
}

fn centre(mark: &Mark) -> Option<(i32, i32)> {
    match &mark.shape {
        Shape::Box { rect, .. } => Some((rect.middle(), rect.y + rect.height / 2)),
        _ => None,
    }
}

fn name_group(element: &El, group: &Group) {
    let name = match group.kind {
        GroupKind::Lanes(_) => "lane-strip",
        GroupKind::Phase(_) => "phase",
        GroupKind::Request(_) => "request",
        GroupKind::Legend => "legend",
    };
    element.put("data-testid", name);
    element.put("role", "group");
    element.put("aria-label", &group.label);
}

/// Whether the elements of one mark can become those of the other.
fn is_alike(one: &Mark, other: &Mark) -> bool {
    let lines = |mark: &Mark| match &mark.shape {
        Shape::Box { lines, .. } => lines.len(),
        _ => 0,
    };
    element_name(one) == element_name(other)
        && lines(one) == lines(other)
        && one.about.is_something() == other.about.is_something()
}

fn element_name(mark: &Mark) -> &'static str {
    match &mark.shape {
        Shape::Tiles { .. } => "path",
        Shape::Text { .. } => "text",
        Shape::Box { lines, .. } if lines.is_empty() && !mark.about.is_something() => "rect",
        Shape::Box { .. } => "g",
    }
}

fn classes(mark: &Mark, is_lit: bool) -> String {
    let anchor = match &mark.shape {
        Shape::Text { anchor, .. } => anchor.class(),
        _ => "",
    };
    format!(
        "{} {anchor}{}",
        mark.style.classes(),
        if is_lit { " lit" } else { "" }
    )
}

/// Sets what differs between `old` and `mark`, which are alike.
fn update(element: &El, old: Option<&Mark>, mark: &Mark) {
    if old.is_none_or(|old| old.style != mark.style || !same_anchor(old, mark)) {
        element.write("class", &classes(mark, false));
    }
    if old.is_none_or(|old| old.shape != mark.shape) {
        update_shape(element, old, mark);
    }
    if old.map(|old| old.about) != Some(mark.about) {
        update_about(element, old.map(|old| old.about), &mark.about);
    }
    if old.map_or("", |old| old.label.as_str()) != mark.label {
        element.write("aria-label", &mark.label);
    }
}

fn same_anchor(mark: &Mark, other: &Mark) -> bool {
    match (&mark.shape, &other.shape) {
        (Shape::Text { anchor, .. }, Shape::Text { anchor: after, .. }) => anchor == after,
        _ => true,
    }
}

fn update_about(element: &El, old: Option<About>, about: &About) {
    let after = about.attributes();
    for (name, _) in old.map(|old| old.attributes()).unwrap_or_default() {
        if !after.iter().any(|(kept, _)| *kept == name) {
            element.put_option(name, None);
        }
    }
    for (name, value) in after {
        element.put(name, &value);
    }
}

fn update_shape(element: &El, old: Option<&Mark>, mark: &Mark) {
    match &mark.shape {
        shape @ Shape::Tiles { first, .. } => {
            let (path, dashes) = shape.tile_path().unwrap_or_default();
            element.put("d", &path);
            element.put("stroke-dasharray", &dashes);
            element.put("stroke-width", &first.height.to_string());
        }
        Shape::Text { x, y, text, .. } => {
            let before = old.and_then(|old| match old.shape {
                Shape::Text { x, y, .. } => Some([x, y]),
                _ => None,
            });
            place(element, PLACE, before, [*x, *y]);
            element.put_text(text);
        }
        Shape::Box { rect, .. } if element_name(mark) == "rect" => {
            place(element, RECT, old.and_then(rect_of), numbers(*rect));
        }
        Shape::Box { rect, lines } => update_box(element, old, *rect, lines),
    }
}

fn update_box(element: &El, old: Option<&Mark>, rect: Rect, lines: &[String]) {
    let before = old.and_then(|old| match &old.shape {
        Shape::Box { rect, lines } => Some((*rect, lines)),
        _ => None,
    });
    let mut parts = element.children().into_iter();
    if let Some(first) = parts.next() {
        place(&first, RECT, old.and_then(rect_of), numbers(rect));
    }
    let spot = |rect: Rect, index| [rect.middle(), rect.baseline(index, lines.len())];
    let is_tight = before.map(|(rect, lines)| rect.is_tight(lines));
    let class = if rect.is_tight(lines) { "tight" } else { "" };
    for (index, (line, text)) in lines.iter().zip(parts).enumerate() {
        let was = before.map(|(rect, _)| spot(rect, index));
        place(&text, PLACE, was, spot(rect, index));
        if is_tight != Some(rect.is_tight(lines)) {
            text.write("class", class);
        }
        if before.is_none_or(|(_, lines)| lines.get(index) != Some(line)) {
            text.put_text(line);
        }
    }
}

/// Where a text stands.
const PLACE: [&str; 2] = ["x", "y"];

/// Where a box stands, and its size.
const RECT: [&str; 5] = ["x", "y", "width", "height", "rx"];

/// What [`RECT`] names of `rect`.
fn numbers(rect: Rect) -> [i32; 5] {
    [rect.x, rect.y, rect.width, rect.height, rect.radius()]
}

fn rect_of(mark: &Mark) -> Option<[i32; 5]> {
    match &mark.shape {
        Shape::Box { rect, .. } => Some(numbers(*rect)),
        _ => None,
    }
}

/// Sets the attributes `names` to `values`, but for those that had the same value `before`.
fn place<const N: usize>(
    element: &El,
    names: [&str; N],
    before: Option<[i32; N]>,
    values: [i32; N],
) {
    for (index, (name, value)) in names.iter().zip(values).enumerate() {
        if before.is_none_or(|before| before[index] != value) {
            element.write(name, &value.to_string());
        }
    }
}
