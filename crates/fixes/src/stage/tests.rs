//! Copies as they are staged.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use super::*;
use crate::apply;

/// The body of a kernel, staged.
fn staged(body: &str, wasteful: Wasteful) -> Option<String> {
    let text = format!("__global__ void t(const float* in, float* out, int n) {{ {body} }}");
    let code = Code::of(&text, &[]);
    let kernel = code.functions().next().unwrap().clone();
    let copies = Copies::find(&code, &kernel, &["in", "out"])?;
    let tile = Tile {
        name: "staged",
        element: "float",
        side: 32,
    };
    let changed = apply(&text, &copies.edits(&code, wasteful, &tile)?)?;
    let start = text.find('{').unwrap() + 2;
    let lines = changed[start..changed.len() - 2].split_whitespace();
    Some(lines.collect::<Vec<_>>().join(" "))
}

#[test]
fn copies_are_staged() {
    for line in include_str!("../stage_cases.txt").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (before, after) = line.split_once(" => ").unwrap();
        let (side, body) = before.split_once(": ").unwrap();
        let wasteful = match side {
            "load" => Wasteful::Load,
            _ => Wasteful::Store,
        };
        assert_eq!(
            staged(body, wasteful).as_deref().unwrap_or("none"),
            after,
            "{line}"
        );
    }
}
