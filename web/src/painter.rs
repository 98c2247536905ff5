//! A drawing as elements of the page: the same elements are kept from one picture to the next,
//! and only what changed is set.

use lanescope_draw::{About, Drawing, Group, GroupKind, Mark, Rect, Shape};
use lanescope_model::LaneMask;
use web_sys::{Document, Element};

const SVG: &str = "http://www.w3.org/2000/svg";
const MARGIN: i32 = 3;

/// Keeps an `svg` element in step with a drawing.
pub(crate) struct Painter {
    document: Document,
    root: Element,
    size: (i32, i32),
    groups: Vec<Painted>,
}

/// One group and its elements, in the order of its marks.
struct Painted {
    element: Element,
    group: Group,
    marks: Vec<Element>,
    lit: Vec<bool>,
}

/// Where a mark stands: its group, and its place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) group: usize,
    pub(crate) mark: usize,
}

impl Place {
    /// As `data-mark` spells it.
    fn spelt(self) -> String {
        format!("{}.{}", self.group, self.mark)
    }

    /// Read back from `data-mark`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (group, mark) = text.split_once('.')?;
        Some(Self {
            group: group.parse().ok()?,
            mark: mark.parse().ok()?,
        })
    }
}

impl Painter {
    /// An empty picture; `None` outside a browser.
    pub(crate) fn new() -> Option<Self> {
        let document = web_sys::window()?.document()?;
        let root = document.create_element_ns(Some(SVG), "svg").ok()?;
        set(&root, "class", "picture");
        set(&root, "role", "group");
        Some(Self {
            document,
            root,
            size: (0, 0),
            groups: Vec::new(),
        })
    }

    /// The `svg` element.
    pub(crate) fn root(&self) -> &Element {
        &self.root
    }

    /// Shows `drawing`.
    pub(crate) fn paint(&mut self, drawing: &Drawing) {
        self.light(LaneMask::NONE);
        set(&self.root, "aria-label", &drawing.title);
        self.resize(drawing.width, drawing.height);
        for (index, group) in drawing.groups.iter().enumerate() {
            if self.groups.len() <= index && !self.add_group() {
                return;
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
        set(
            &self.root,
            "viewBox",
            &format!("{0} {0} {wide} {high}", -MARGIN),
        );
    }

    fn add_group(&mut self) -> bool {
        let Some(element) = self.create("g") else {
            return false;
        };
        let group = Group {
            kind: GroupKind::Legend,
            label: String::new(),
            marks: Vec::new(),
        };
        // An element that was just made has no reason to be refused.
        let _ = self.root.append_child(&element);
        self.groups.push(Painted {
            element,
            group,
            marks: Vec::new(),
            lit: Vec::new(),
        });
        true
    }

    fn create(&self, name: &str) -> Option<Element> {
        self.document.create_element_ns(Some(SVG), name).ok()
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
        let Some(element) = self.build(mark) else {
            return;
        };
        if mark.about.is_something() {
            set(&element, "data-mark", &place.spelt());
            set(&element, "tabindex", "-1");
            set(&element, "role", "img");
        }
        update(&element, None, mark);
        let painted = &mut self.groups[place.group];
        match painted.marks.get_mut(place.mark) {
            Some(slot) => {
                // Both are elements of this picture.
                let _ = painted.element.replace_child(&element, slot);
                *slot = element;
                if let Some(lit) = painted.lit.get_mut(place.mark) {
                    *lit = false;
                }
            }
            None => {
                let _ = painted.element.append_child(&element);
                painted.marks.push(element);
                painted.lit.push(false);
            }
        }
    }

    fn build(&self, mark: &Mark) -> Option<Element> {
        let element = self.create(element_name(mark))?;
        if let (Shape::Box { lines, .. }, "g") = (&mark.shape, element_name(mark)) {
            for name in std::iter::once("rect").chain(lines.iter().map(|_| "text")) {
                let _ = element.append_child(&*self.create(name)?);
            }
        }
        Some(element)
    }

    /// Exactly one mark can be reached with the Tab key; from it the arrow keys lead on.
    fn make_reachable(&self) {
        let reached = self.root.query_selector("[tabindex='0']").ok().flatten();
        if reached.is_none()
            && let Ok(Some(first)) = self.root.query_selector("[data-mark]")
        {
            set(&first, "tabindex", "0");
        }
    }

    /// The mark at `place`.
    pub(crate) fn mark(&self, place: Place) -> Option<&Mark> {
        self.groups.get(place.group)?.group.marks.get(place.mark)
    }

    /// Lights every mark that shares a lane with `lanes`.
    pub(crate) fn light(&mut self, lanes: LaneMask) {
        let class = if lanes.is_empty() {
            "picture"
        } else {
            "picture pointing"
        };
        set(&self.root, "class", class);
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
                    set(element, "class", &classes(mark, is_lit));
                }
            }
        }
    }

    /// Lets the Tab key reach the nearest mark in direction (`right`, `down`) from `place`, instead
    /// of the one at `place`: the element to give the focus to.
    pub(crate) fn step(&self, place: Place, right: i32, down: i32) -> Option<Element> {
        let next = self.neighbour(place, right, down)?;
        let element = |place: Place| self.groups.get(place.group)?.marks.get(place.mark);
        if let Some(old) = element(place) {
            set(old, "tabindex", "-1");
        }
        let new = element(next)?;
        set(new, "tabindex", "0");
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

fn centre(mark: &Mark) -> Option<(i32, i32)> {
    match &mark.shape {
        Shape::Box { rect, .. } => Some((rect.middle(), rect.y + rect.height / 2)),
        _ => None,
    }
}

/// Gives an element the focus.
pub(crate) fn focus(element: &Element) {
    use wasm_bindgen::JsCast as _;
    // SVG elements take the focus as HTML elements do.
    let _ = element.unchecked_ref::<web_sys::HtmlElement>().focus();
}

fn name_group(element: &Element, group: &Group) {
    let name = match group.kind {
        GroupKind::Lanes(_) => "lane-strip",
        GroupKind::Phase(_) => "phase",
        GroupKind::Request(_) => "request",
        GroupKind::Legend => "legend",
    };
    set(element, "data-testid", name);
    set(element, "role", "group");
    set(element, "aria-label", &group.label);
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

/// Sets what differs between `old` and `mark`.
fn update(element: &Element, old: Option<&Mark>, mark: &Mark) {
    if old.is_none_or(|old| old.style != mark.style || !same_anchor(old, mark)) {
        set(element, "class", &classes(mark, false));
    }
    if old.is_none_or(|old| old.shape != mark.shape) {
        update_shape(element, mark);
    }
    if old.map(|old| old.about) != Some(mark.about) {
        update_about(element, old.map(|old| old.about), &mark.about);
    }
    if old.map_or("", |old| old.label.as_str()) != mark.label {
        set(element, "aria-label", &mark.label);
    }
}

fn same_anchor(one: &Mark, other: &Mark) -> bool {
    match (&one.shape, &other.shape) {
        (Shape::Text { anchor, .. }, Shape::Text { anchor: after, .. }) => anchor == after,
        _ => true,
    }
}

fn update_about(element: &Element, old: Option<About>, about: &About) {
    let after = about.attributes();
    for (name, _) in old.map(|old| old.attributes()).unwrap_or_default() {
        if !after.iter().any(|(kept, _)| *kept == name) {
            let _ = element.remove_attribute(name);
        }
    }
    for (name, value) in after {
        set(element, name, &value);
    }
}

fn update_shape(element: &Element, mark: &Mark) {
    match &mark.shape {
        shape @ Shape::Tiles { first, .. } => {
            let (path, dashes) = shape.tile_path().unwrap_or_default();
            set(element, "d", &path);
            set(element, "stroke-dasharray", &dashes);
            set(element, "stroke-width", &first.height.to_string());
        }
        Shape::Text { x, y, text, .. } => {
            place_text(element, *x, *y);
            element.set_text_content(Some(text));
        }
        Shape::Box { rect, .. } if element_name(mark) == "rect" => place_rect(element, *rect),
        Shape::Box { rect, lines } => update_box(element, *rect, lines),
    }
}

fn update_box(element: &Element, rect: Rect, lines: &[String]) {
    let Some(first) = element.first_element_child() else {
        return;
    };
    place_rect(&first, rect);
    let class = if rect.is_tight(lines) { "tight" } else { "" };
    let mut next = first.next_element_sibling();
    for (index, line) in lines.iter().enumerate() {
        let Some(text) = next else { return };
        place_text(&text, rect.middle(), rect.baseline(index, lines.len()));
        set(&text, "class", class);
        text.set_text_content(Some(line));
        next = text.next_element_sibling();
    }
}

fn place_rect(element: &Element, rect: Rect) {
    set(element, "x", &rect.x.to_string());
    set(element, "y", &rect.y.to_string());
    set(element, "width", &rect.width.to_string());
    set(element, "height", &rect.height.to_string());
    set(element, "rx", &rect.radius().to_string());
}

fn place_text(element: &Element, x: i32, y: i32) {
    set(element, "x", &x.to_string());
    set(element, "y", &y.to_string());
}

/// Sets an attribute whose name the page itself spells.
fn set(element: &Element, name: &str, value: &str) {
    let _ = element.set_attribute(name, value);
}
