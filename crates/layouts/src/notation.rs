//! A map as this tool writes it.

use std::fmt;

use super::{Map, Stage, XorMode};

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, further) = match self.stages.split_first() {
            Some((Stage::Xor(modes), further)) => (Some(modes), further),
            _ => (None, self.stages.as_slice()),
        };
        for stage in further.iter().rev() {
            stage.fmt(f)?;
            f.write_str(" o ")?;
        }
        match first {
            None => self.layout.fmt(f),
            Some(modes) => over_f2(&self.axes(), modes, f),
        }
    }
}

impl Map {
    /// The size of each mode of the first level.
    fn axes(&self) -> Vec<u64> {
        self.layout
            .modes()
            .iter()
            .map(super::Layout::size)
            .collect()
    }
}

/// `((2,8),64):((9,2),1) over F2`: the modes of each axis together.
fn over_f2(axes: &[u64], modes: &[XorMode], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut rest = modes.iter();
    let (mut shapes, mut strides) = (Vec::new(), Vec::new());
    for axis in axes {
        let (mut size, mut shape, mut stride) = (1, Vec::new(), Vec::new());
        while size < *axis
            && let Some(mode) = rest.next()
        {
            size *= mode.shape.max(2);
            shape.push(mode.shape.to_string());
            stride.push(mode.stride.to_string());
        }
        if shape.is_empty() {
            (shape, stride) = (vec!["1".to_owned()], vec!["0".to_owned()]);
        }
        shapes.push(tuple(&shape));
        strides.push(tuple(&stride));
    }
    write!(f, "{}:{} over F2", tuple(&shapes), tuple(&strides))
}

fn tuple(parts: &[String]) -> String {
    match parts {
        [only] => only.clone(),
        _ => format!("({})", parts.join(",")),
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Swizzle(swizzle) => swizzle.fmt(f),
            Self::SwizzleBytes(swizzle) => write!(f, "{swizzle} on bytes"),
            Self::SwizzleAddress(swizzle) => write!(f, "{swizzle} on addresses"),
            Self::Offset(offset) => offset.fmt(f),
            Self::Layout(layout) => layout.fmt(f),
            Self::Xor(modes) => {
                let shapes: Vec<_> = modes.iter().map(|mode| mode.shape.to_string()).collect();
                let strides: Vec<_> = modes.iter().map(|mode| mode.stride.to_string()).collect();
                write!(f, "{}:{} over F2", tuple(&shapes), tuple(&strides))
            }
            Self::Phases {
                vec,
                per_phase,
                max_phase,
                ..
            } => write!(
                f,
                "phases(vec {vec}, perPhase {per_phase}, maxPhase {max_phase})"
            ),
            Self::Padding(pads) => {
                let pads = pads.iter();
                let pads = pads.map(|(interval, padding)| format!("pad({interval}:+{padding})"));
                f.write_str(&pads.collect::<Vec<_>>().join(" o "))
            }
        }
    }
}
