//! The colours, as tokens, light and dark.

/// One colour token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swatch {
    /// The token's name in CSS, without the two dashes.
    pub token: &'static str,
    /// On a light page.
    pub light: &'static str,
    /// On a dark page.
    pub dark: &'static str,
}

/// The page's ground: light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark text on a light ground.
    #[default]
    Light,
    /// Light text on a dark ground.
    Dark,
}

impl Swatch {
    /// The colour in `theme`.
    #[must_use]
    pub const fn of(&self, theme: Theme) -> &'static str {
        match theme {
            Theme::Light => self.light,
            Theme::Dark => self.dark,
        }
    }
}

const fn swatch(token: &'static str, light: &'static str, dark: &'static str) -> Swatch {
    Swatch { token, light, dark }
}

/// Every colour a picture uses. `w1` … `w32` are the heat scale for 1-, 2-, 4-, 8-, 16- and
/// 32-way, from a cool neutral to a dark magenta; `i1` … `i32` is the ink on each.
pub const PALETTE: [Swatch; 20] = [
    swatch("surface", "#ffffff", "#161a1f"),
    swatch("ink", "#16181b", "#e9ebee"),
    swatch("muted", "#5c6470", "#a0a8b3"),
    swatch("faint", "#636a75", "#87909c"),
    swatch("edge", "#c3c8cf", "#454d58"),
    swatch("empty", "#eef1f4", "#1e242b"),
    swatch("used", "#2f7fca", "#5aa4f2"),
    swatch("moved", "#d3dbe4", "#2f3946"),
    swatch("w1", "#cfe3f5", "#23415c"),
    swatch("w2", "#fde9a9", "#6b5a1d"),
    swatch("w4", "#fbc66b", "#8f5c16"),
    swatch("w8", "#f4924f", "#b1521c"),
    swatch("w16", "#c9405c", "#b93a57"),
    swatch("w32", "#7d2568", "#a2408a"),
    swatch("i1", "#123250", "#e3f0fb"),
    swatch("i2", "#3d3100", "#fff6d6"),
    swatch("i4", "#3d2400", "#fff1dc"),
    swatch("i8", "#351400", "#ffffff"),
    swatch("i16", "#ffffff", "#ffffff"),
    swatch("i32", "#ffffff", "#ffffff"),
];
