//! The keys of a link: public, permanent, short enough to write by hand.

/// One key of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// As it stands in a link.
    pub name: &'static str,
    /// What its value says.
    pub meaning: &'static str,
    /// A value.
    pub example: &'static str,
    /// What holds when the key is left out.
    pub default: &'static str,
    /// Whether it may stand several times.
    pub repeats: bool,
}

/// Every key, in the order in which a canonical link has them.
pub const KEYS: &[Key] = &[
    once("v", "version of the format", "1", "1"),
    once(
        "c",
        "check: two characters over all other keys but `lang`, `theme`, `embed`",
        "qr",
        "not checked",
    ),
    many("e", "one access of an expression", "tile[tx][ty]"),
    many(
        "d",
        "declarations for expressions, one line each",
        "float tile[32][33]",
    ),
    once(
        "k",
        "source of a kernel, packed: CUDA, HIP, C++ AMP, WGSL, PTX or SASS",
        "t.__global__ void f(float* a) {}",
        "no kernel",
    ),
    once(
        "w",
        "WGSL source, packed; read as `k`, and written as that",
        "t.@compute fn main() {}",
        "no shader",
    ),
    once("y", "layout in CuTe's notation", "(8,4):(1,8)", "no layout"),
    once(
        "by",
        "how the layout is accessed",
        "ldmatrix.x4",
        "not chosen",
    ),
    once(
        "r",
        "recorded trace as CSV or JSON, packed",
        "t.instruction,lane0",
        "no trace",
    ),
    once(
        "o",
        "what expressions do: `load` or `store`",
        "store",
        "load",
    ),
    once(
        "n",
        "name of the kernel to launch",
        "transpose",
        "the first",
    ),
    many("t", "template parameter, `NAME=VALUE`", "T=float"),
    many("m", "macro, `NAME=VALUE`", "TILE=32"),
    many("a", "argument, `NAME=VALUE`", "n=1048576"),
    once("s", "bytes of dynamic shared memory", "4096", "0"),
    once("g", "grid: blocks along x,y,z", "64,64", "1"),
    once("b", "block: threads along x,y,z", "32,32", "32"),
    once(
        "guess",
        "which of grid and block nobody gave: `g`, `b` or `gb`",
        "gb",
        "neither",
    ),
    once(
        "gpu",
        "device id, or `custom:` banks, bits a bank, lanes, broadcast (`none`, `one`, `any`), sector bytes, line bytes",
        "custom:16,32,16,one,32,128",
        "cc9.0",
    ),
    once(
        "vs",
        "ids of devices to compare with",
        "cc2.0,cdna3",
        "none",
    ),
    once(
        "at",
        "the access looked into: line, or line.nth",
        "12.2",
        "the page's choice",
    ),
    once("bl", "index of the block looked into", "1,2", "0"),
    once("wp", "warp looked into", "3", "0"),
    once("it", "iteration looked into", "5", "0"),
    many("x", "value chosen for a variable, `NAME=VALUE`", "stride=4"),
    once("twice", "`1`: a value read twice counts twice", "1", "0"),
    once(
        "cc",
        "what compiles a kernel before it is counted: `none` (as written) or `nvcc-13`",
        "none",
        "the one that was measured",
    ),
    once(
        "view",
        "open part of the page: `mend`, `devices`, `lab`, `gallery`",
        "lab",
        "the analysis",
    ),
    once(
        "ab",
        "link to the state that this one is compared with, packed",
        "t.e=a[2*tid]&b=32",
        "none",
    ),
    once("lesson", "id of a gallery entry", "reduction", "none"),
    once("lab", "id of the lab's experiment", "transpose", "none"),
    once(
        "var",
        "ids of the lab's kernels",
        "padded,swizzled",
        "the lab's choice",
    ),
    once(
        "size",
        "problem sizes of the lab",
        "4096x4096",
        "the lab's choice",
    ),
    once(
        "shape",
        "block shapes of the lab",
        "32x8,64x8",
        "the lab's choice",
    ),
    once(
        "res",
        "results of the lab or of a run, packed",
        "t.{}",
        "none",
    ),
    once("lang", "language: `en` or `zh`", "zh", "the reader's"),
    once("theme", "theme: `dark` or `light`", "dark", "the reader's"),
    once(
        "embed",
        "how an embed shows it: `source` (unfolded), `bare` (no sliders)",
        "source,bare",
        "folded, with sliders",
    ),
];

const fn once(
    name: &'static str,
    meaning: &'static str,
    example: &'static str,
    default: &'static str,
) -> Key {
    Key {
        name,
        meaning,
        example,
        default,
        repeats: false,
    }
}

const fn many(name: &'static str, meaning: &'static str, example: &'static str) -> Key {
    Key {
        name,
        meaning,
        example,
        default: "none",
        repeats: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// HTML reads these after `&` even without a semicolon and with letters following.
    const ENTITIES: [&str; 24] = [
        "amp", "cent", "copy", "deg", "divide", "eth", "frac", "gt", "lt", "macr", "micro",
        "middot", "nbsp", "not", "ord", "para", "plusmn", "pound", "quot", "reg", "sect", "shy",
        "times", "uml",
    ];

    #[test]
    fn no_key_is_read_as_an_entity_where_a_link_stands_in_html() {
        for key in KEYS {
            assert!(
                !ENTITIES.iter().any(|entity| key.name.starts_with(entity)),
                "{}",
                key.name
            );
        }
    }

    #[test]
    fn no_key_stands_twice() {
        for (index, key) in KEYS.iter().enumerate() {
            assert!(
                KEYS[..index].iter().all(|other| other.name != key.name),
                "{}",
                key.name
            );
        }
    }
}
