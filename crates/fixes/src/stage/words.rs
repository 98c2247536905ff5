//! How CUDA and WGSL name a thread's place, a tile and a barrier.

use lanescope_syntax::token::Kind;
use lanescope_syntax::{Sink, lexer};

use super::Tile;
use crate::Edit;
use crate::code::Code;
use crate::pitch::free_name;

/// The words of a text, for copies in a loop or in none.
pub(super) struct Words {
    /// The counter of the loop around the copies.
    counter: Option<String>,
    wgsl: Option<Wgsl>,
}

/// What a WGSL text calls its threads' places.
struct Wgsl {
    /// The place in the workgroup.
    local: String,
    /// Whether that is a parameter already.
    is_declared: bool,
    /// The place in the grid.
    global: Option<String>,
}

impl Words {
    /// `None` where a WGSL text has no entry point that names a thread's place.
    pub(super) fn of(code: &Code<'_>, counter: Option<&str>) -> Option<Self> {
        let counter = counter.map(str::to_owned);
        let Some(entry) = code.entry() else {
            return Some(Self {
                counter,
                wgsl: None,
            });
        };
        if entry.local.is_none() && entry.global.is_none() {
            return None;
        }
        let wgsl = Wgsl {
            is_declared: entry.local.is_some(),
            local: match &entry.local {
                Some(local) => local.clone(),
                None => free_name(code, "thread"),
            },
            global: entry.global.clone(),
        };
        Some(Self {
            counter,
            wgsl: Some(wgsl),
        })
    }

    /// A thread's column and row of the tile.
    pub(super) fn place(&self) -> [String; 2] {
        let thread = match &self.wgsl {
            None => "threadIdx",
            Some(wgsl) => &wgsl.local,
        };
        let (x, y) = (format!("{thread}.x"), format!("{thread}.y"));
        match &self.counter {
            None => [x, y],
            Some(counter) => [x, format!("{y} + {counter}")],
        }
    }

    /// What stands for a thread's column and row once they are exchanged; the loop's counter runs with the second.
    fn turned(&self, thread: &str) -> [String; 2] {
        match &self.counter {
            None => [format!("{thread}.y"), format!("{thread}.x")],
            Some(counter) => [
                format!("({thread}.y + {counter})"),
                format!("({thread}.x - {counter})"),
            ],
        }
    }

    /// The text with the two axes exchanged.
    pub(super) fn exchanged(&self, text: &str) -> String {
        let Some(wgsl) = &self.wgsl else {
            let [x, y] = self.turned("threadIdx");
            let kept = text.replace("threadIdx.x", "\u{0}");
            return kept.replace("threadIdx.y", &y).replace('\u{0}', &x);
        };
        let local = wgsl.local.as_str();
        let turned = self.turned(local);
        let tokens = lexer::lex(text, &mut Sink::deaf());
        let (mut done, mut whole) = (0, String::new());
        for three in tokens.windows(3) {
            let [Kind::Name(name), Kind::Punct("."), Kind::Name(axis)] =
                [&three[0].kind, &three[1].kind, &three[2].kind]
            else {
                continue;
            };
            let (start, end) = (three[0].span.start as usize, three[2].span.end as usize);
            let is_member = text.get(..start).unwrap_or_default().ends_with('.');
            let side = ["x", "y"].iter().position(|side| **side == **axis);
            let Some(new) = side
                .and_then(|side| turned.get(side))
                .filter(|_| !is_member)
            else {
                continue;
            };
            let new = if **name == *local {
                new.clone()
            } else if wgsl.global.as_deref() == Some(&**name) {
                format!("({name}.{axis} - {local}.{axis} + {new})")
            } else {
                continue;
            };
            whole.push_str(text.get(done..start).unwrap_or_default());
            whole.push_str(&new);
            done = end;
        }
        whole + text.get(done..).unwrap_or_default()
    }

    /// What all threads wait at.
    pub(super) const fn barrier(&self) -> &'static str {
        match self.wgsl {
            None => "__syncthreads()",
            Some(_) => "workgroupBarrier()",
        }
    }

    /// Whether a single statement needs braces.
    pub(super) const fn needs_braces(&self) -> bool {
        self.wgsl.is_some()
    }

    /// The tile's declaration where it stands before the copies, or the changes elsewhere that declare it.
    pub(super) fn declared(
        &self,
        code: &Code<'_>,
        tile: &Tile<'_>,
        count: usize,
    ) -> (Option<String>, Vec<Edit>) {
        let Tile {
            name,
            element,
            side,
        } = tile;
        let pitch = side + 1;
        let (Some(wgsl), Some(entry)) = (&self.wgsl, code.entry()) else {
            let number = match count {
                1 => String::new(),
                _ => format!("[{count}]"),
            };
            let declared = format!("__shared__ {element} {name}{number}[{side}][{pitch}];");
            return (Some(declared), Vec::new());
        };
        let one = format!("array<array<{element}, {pitch}>, {side}>");
        let of = match count {
            1 => one,
            _ => format!("array<{one}, {count}>"),
        };
        let declared = format!("var<workgroup> {name}: {of};\n");
        let mut edits = vec![Edit::new(entry.start, entry.start, declared)];
        if !wgsl.is_declared {
            let parameter = format!("@builtin(local_invocation_id) {}: vec3<u32>, ", wgsl.local);
            edits.push(Edit::new(entry.parameters, entry.parameters, parameter));
        }
        (None, edits)
    }
}
