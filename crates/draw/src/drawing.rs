//! A picture as data.

use lanescope_model::LaneMask;
use strum::VariantArray;

/// A picture: groups of marks on a plane of `width` by `height` pixels, y downwards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Width in pixels.
    pub width: i32,
    /// Height in pixels.
    pub height: i32,
    /// One line that says what the picture shows.
    pub title: String,
    /// The same in a few sentences, for those who cannot see it.
    pub description: String,
    /// Drawn in order.
    pub groups: Vec<Group>,
}

/// Marks that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What the group is.
    pub kind: GroupKind,
    /// The group in words.
    pub label: String,
    /// Drawn in order.
    pub marks: Vec<Mark>,
}

/// What a group of marks is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupKind {
    /// The strip of lanes of one phase of a request to shared memory, counted from 0.
    Lanes(usize),
    /// The banks and words of that phase.
    Phase(usize),
    /// The lines of one hardware request to global memory, counted from 0.
    Request(u32),
    /// What the colours mean.
    Legend,
}

/// One thing drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its outline and text.
    pub shape: Shape,
    /// What it looks like.
    pub style: Style,
    /// What it stands for; empty for axes and captions.
    pub about: About,
    /// It in words (a tooltip, an accessible name); empty for axes and captions.
    pub label: String,
}

/// The outline of a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A box, with up to three lines of centred text.
    Box {
        /// Where.
        rect: Rect,
        /// From top to bottom.
        lines: Vec<String>,
    },
    /// A row of equal empty boxes, `pitch` pixels apart.
    Tiles {
        /// The first of them.
        first: Rect,
        /// How many.
        count: i32,
        /// From the left side of one to that of the next.
        pitch: i32,
    },
    /// One line of text; `y` is its baseline.
    Text {
        /// Where the anchor stands.
        x: i32,
        /// The baseline.
        y: i32,
        /// Which point of the text stands at `x`.
        anchor: Anchor,
        /// The text.
        text: String,
    },
}

/// A box's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Left side.
    pub x: i32,
    /// Top side.
    pub y: i32,
    /// Width.
    pub width: i32,
    /// Height.
    pub height: i32,
}

impl Rect {
    const LINE: i32 = 11;

    /// The middle of the box, where its lines of text are anchored.
    #[must_use]
    pub const fn middle(self) -> i32 {
        self.x + self.width / 2
    }

    /// The baseline of line `line` of `lines` lines of text in the box.
    #[must_use]
    pub fn baseline(self, line: usize, lines: usize) -> i32 {
        let (line, lines) = (coordinate(line), coordinate(lines));
        self.y + (self.height - Self::LINE * lines) / 2 + 9 + Self::LINE * line
    }

    /// Whether the text needs the smaller size of type (class `tight`) to fit the box.
    #[must_use]
    pub fn is_tight(self, lines: &[String]) -> bool {
        lines
            .iter()
            .any(|line| coordinate(line.chars().count()) * 7 > self.width + 2)
    }

    /// The radius of its corners.
    #[must_use]
    pub const fn radius(self) -> i32 {
        if self.width > 12 && self.height > 12 {
            3
        } else {
            0
        }
    }

    /// The height of the line through the middle of the box, in halves of a pixel.
    #[must_use]
    pub const fn twice_centre(self) -> i32 {
        2 * self.y + self.height
    }
}

/// A count as a coordinate; bounded, so that sums of a few cannot overflow.
pub(crate) fn coordinate<N: TryInto<i32>>(number: N) -> i32 {
    number.try_into().unwrap_or(i32::MAX).min(i32::MAX / 4096)
}

/// Which point of a text stands at its x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The left end.
    Start,
    /// The middle.
    Middle,
    /// The right end.
    End,
}

impl Anchor {
    /// The anchor's class in SVG and CSS; empty for [`Anchor::Start`].
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Start => "",
            Self::Middle => "mid",
            Self::End => "end",
        }
    }
}

/// What a mark looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// A word of a bank that lanes want; coloured by the wavefronts the bank needs.
    Word(Tone),
    /// How many wavefronts a bank needs.
    Bank(Tone),
    /// A lane that takes part.
    Lane(Tone),
    /// A lane that is off.
    LaneOff,
    /// A place nobody wants.
    Empty,
    /// Rows or lines left out.
    Gap,
    /// A sector that is moved.
    Sector,
    /// A sector of the line that is not moved.
    SectorUnmoved,
    /// Bytes asked for.
    Used,
    /// How many bytes of a sector are used, written over it.
    Share,
    /// A number on an axis.
    Axis,
    /// A caption.
    Caption,
    /// A swatch of the legend.
    Swatch(Tone),
}

/// The six steps of the heat scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, VariantArray)]
pub enum Tone {
    /// No conflict.
    Way1,
    /// 2- and 3-way.
    Way2,
    /// 4- to 7-way.
    Way4,
    /// 8- to 15-way.
    Way8,
    /// 16- to 31-way.
    Way16,
    /// 32-way and more.
    Way32,
}

impl Tone {
    /// All steps, coolest first.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The step for a bank, phase or request that is `ways`-way.
    #[must_use]
    pub const fn of_ways(ways: u32) -> Self {
        match ways {
            0..=1 => Self::Way1,
            2..=3 => Self::Way2,
            4..=7 => Self::Way4,
            8..=15 => Self::Way8,
            16..=31 => Self::Way16,
            _ => Self::Way32,
        }
    }

    /// The fewest ways of this step: 1, 2, 4, 8, 16 or 32.
    #[must_use]
    pub const fn ways(self) -> u32 {
        match self {
            Self::Way1 => 1,
            Self::Way2 => 2,
            Self::Way4 => 4,
            Self::Way8 => 8,
            Self::Way16 => 16,
            Self::Way32 => 32,
        }
    }

    /// The step's class in SVG and CSS: `w1` … `w32`.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Way1 => "w1",
            Self::Way2 => "w2",
            Self::Way4 => "w4",
            Self::Way8 => "w8",
            Self::Way16 => "w16",
            Self::Way32 => "w32",
        }
    }
}

impl Shape {
    /// For [`Shape::Tiles`], the path of the dashed line that draws them (its width is the
    /// tiles' height) and its dashes; `None` for other shapes.
    #[must_use]
    pub fn tile_path(&self) -> Option<(String, String)> {
        let Self::Tiles {
            first,
            count,
            pitch,
        } = *self
        else {
            return None;
        };
        let centre = first.twice_centre();
        let half = if centre % 2 == 0 { "" } else { ".5" };
        let (y, gap) = (centre.div_euclid(2), pitch - first.width);
        let path = format!("M{} {y}{half}h{}", first.x, pitch * count - gap);
        Some((path, format!("{} {gap}", first.width)))
    }
}

impl Style {
    /// The mark's classes in SVG and CSS, separated by blanks.
    #[must_use]
    pub const fn classes(self) -> &'static str {
        match self {
            Self::Word(tone) | Self::Bank(tone) | Self::Lane(tone) | Self::Swatch(tone) => {
                tone.class()
            }
            Self::LaneOff => "off",
            Self::Empty => "empty",
            Self::Gap => "gap",
            Self::Sector => "moved",
            Self::SectorUnmoved => "unmoved",
            Self::Used => "used",
            Self::Share => "share",
            Self::Axis => "axis",
            Self::Caption => "caption",
        }
    }
}

/// What a mark stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The phase, counted from 0.
    pub phase: Option<usize>,
    /// The lanes that touch it; those of a strip's cell are the lane itself.
    pub lanes: LaneMask,
    /// The bank.
    pub bank: Option<u32>,
    /// Byte address of the word.
    pub word: Option<u64>,
    /// Byte address of the sector.
    pub sector: Option<u64>,
}

impl About {
    /// What it says of itself as attributes of an SVG element, by name and value: `data-phase`,
    /// `data-lane` (of a lane's own cell), `data-bank`, `data-word`, `data-sector` and
    /// `data-lanes` (numbers with commas between).
    #[must_use]
    pub fn attributes(&self) -> Vec<(&'static str, String)> {
        let is_lane = self.bank.is_none() && self.sector.is_none();
        let lane = self.lanes.iter().next().filter(|_| is_lane);
        let numbers = [
            ("data-phase", self.phase.map(|phase| phase.to_string())),
            ("data-lane", lane.map(|lane| lane.to_string())),
            ("data-bank", self.bank.map(|bank| bank.to_string())),
            ("data-word", self.word.map(|word| word.to_string())),
            ("data-sector", self.sector.map(|sector| sector.to_string())),
            (
                "data-lanes",
                Some(numbers(self.lanes)).filter(|text| !text.is_empty() && !is_lane),
            ),
        ];
        numbers
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
            .collect()
    }

    /// Whether the mark stands for anything that can be pointed at.
    #[must_use]
    pub const fn is_something(&self) -> bool {
        !self.lanes.is_empty()
            || self.bank.is_some()
            || self.word.is_some()
            || self.sector.is_some()
    }
}

fn numbers(lanes: LaneMask) -> String {
    lanes
        .iter()
        .map(|lane| lane.to_string())
        .collect::<Vec<_>>()
        .join(",")
}

impl Mark {
    /// A mark that stands for nothing.
    pub(crate) fn plain(shape: Shape, style: Style) -> Self {
        Self {
            shape,
            style,
            about: About::default(),
            label: String::new(),
        }
    }

    /// A line of text that stands for nothing.
    pub(crate) fn text(x: i32, y: i32, anchor: Anchor, text: String, style: Style) -> Self {
        Self::plain(Shape::Text { x, y, anchor, text }, style)
    }

    /// A box with text.
    pub(crate) fn cell(rect: Rect, lines: Vec<String>, style: Style) -> Self {
        Self::plain(Shape::Box { rect, lines }, style)
    }

    /// The same mark, standing for `about`, named `label`.
    pub(crate) fn about(self, about: About, label: String) -> Self {
        Self {
            about,
            label,
            ..self
        }
    }
}
