//! Sets of lanes in few characters.

use lanescope_model::LaneMask;

/// The lanes of `mask` as ranges and numbers: `0–15, 20`; empty for no lane.
#[must_use]
pub fn lane_list(mask: LaneMask) -> String {
    pieces(mask).join(", ")
}

/// The ranges and numbers that make up `mask`, ascending.
pub(crate) fn pieces(mask: LaneMask) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = mask.0;
    while rest != 0 {
        let first = rest.trailing_zeros();
        let run = (rest >> first).trailing_ones();
        out.push(piece(first, run));
        rest = rest
            .checked_shr(first + run)
            .map_or(0, |high| high << (first + run));
    }
    out
}

fn piece(first: u32, run: u32) -> String {
    match run {
        1 => first.to_string(),
        _ => format!("{first}–{}", first + run - 1),
    }
}

/// The lanes of `mask` on at most three lines of about `columns` characters; their number where
/// they do not fit.
pub(crate) fn lane_lines(mask: LaneMask, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces(mask) {
        match lines.last_mut() {
            Some(last) if length(last) + 1 + length(&piece) <= columns => {
                last.push(',');
                last.push_str(&piece);
            }
            _ => lines.push(piece),
        }
    }
    let fits = lines.len() <= 3 && lines.iter().all(|line| length(line) <= columns.max(5));
    if fits {
        lines
    } else {
        vec![format!("×{}", mask.count())]
    }
}

/// The characters of `text`.
pub(crate) fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_ranges_and_numbers() {
        assert_eq!(lane_list(LaneMask(0)), "");
        assert_eq!(lane_list(LaneMask(0b1)), "0");
        assert_eq!(lane_list(LaneMask(0b1101_1011)), "0–1, 3–4, 6–7");
        assert_eq!(lane_list(LaneMask(u64::MAX)), "0–63");
        assert_eq!(lane_list(LaneMask(1 << 63)), "63");
    }

    #[test]
    fn lines_fit_or_count() {
        assert_eq!(lane_lines(LaneMask::first(32), 4), ["0–31"]);
        assert_eq!(lane_lines(LaneMask(1 | 1 << 16), 4), ["0,16"]);
        assert_eq!(
            lane_lines(LaneMask(1 | 1 << 8 | 1 << 16 | 1 << 24), 4),
            ["0,8", "16", "24"]
        );
        assert_eq!(lane_lines(LaneMask(0x5555), 4), ["×8"]);
    }
}
