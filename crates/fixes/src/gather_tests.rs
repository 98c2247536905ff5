//! Bodies of kernels before and after.

use crate::apply;
use crate::code::Code;
use crate::gather::{Gathered, widened};
use crate::neighbours::Target;

const HEAD: &str = "#define PAIR(x) (*reinterpret_cast<half2*>(&(x)))\ntemplate <typename T> __global__ void body(const float* in, half* h, float* out, T* any, int n) { int i, b, a, c; ";

/// The body of a kernel with its accesses gathered.
fn gathered(body: &str) -> Option<String> {
    let text = format!("{HEAD}{body} }}");
    let code = Code::of(&text, &[]);
    let kernel = code.functions().next().unwrap().clone();
    let array = |name, element, element_bytes, is_stored| Gathered {
        target: Target {
            name,
            element_bytes,
        },
        element,
        is_stored,
        is_own: false,
        is_shared: false,
        others: &[],
    };
    let arrays = [
        array("in", "float", 4, false),
        array("h", "half", 2, false),
        array("out", "float", 4, true),
        array("any", "int", 4, false),
    ];
    let arrays: Vec<_> = arrays
        .into_iter()
        .filter(|one| body.contains(one.target.name))
        .collect();
    let changed = apply(&text, &widened(&code, &kernel, &arrays)?.edits).unwrap();
    let words = changed[HEAD.len()..changed.len() - 2].split_whitespace();
    Some(words.collect::<Vec<_>>().join(" "))
}

#[test]
fn neighbours_are_gathered() {
    for line in include_str!("gather_cases.txt").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (before, after) = line.split_once(" => ").unwrap();
        let found = gathered(before);
        assert_eq!(found.as_deref().unwrap_or("none"), after, "{line}");
    }
}
