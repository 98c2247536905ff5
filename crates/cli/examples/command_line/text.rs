//! Files, names and tools that are meant to hurt.

use std::collections::BTreeMap;

use crate::random::Random;

/// Tools that are found first: what a disassembler or a compiler may do at its worst.
pub(super) const TOOLS: [(&str, &str); 3] = [
    (
        "nvdisasm",
        "#!/bin/sh\ncase $$ in *[02468]) while :; do :; done ;; *) sleep 1000 & wait ;; esac\n",
    ),
    ("cuobjdump", "#!/bin/sh\nyes 'Function : k'\n"),
    ("nvcc", "#!/bin/sh\nsleep 1000 &\nsleep 1000 &\nexit 0\n"),
];

const NAMES: [&str; 8] = [
    "k",
    "k\u{1b}[2J",
    "k\u{7}",
    "k\u{7f}",
    "k\u{9b}31m",
    "k\u{202e}",
    "k\0",
    "k\u{2028}",
];

/// Writes a file and those beside it; its name.
pub(super) fn file(random: &mut Random, files: &mut BTreeMap<String, Vec<u8>>) -> String {
    let (ending, mut bytes) = match random.below(9) {
        0..=3 => ("cu", source(random).into_bytes()),
        4 => ("ptx", ptx(random).into_bytes()),
        5 => ("sass", sass(random).into_bytes()),
        6 => ("csv", trace(random).into_bytes()),
        7 => ("json", json(random).into_bytes()),
        _ => ("cubin", CUBIN.to_vec()),
    };
    let layout = random.chance(10);
    if layout {
        bytes = layouts(random).into_bytes();
    }
    if random.chance(25) {
        spoil(random, &mut bytes);
    }
    let name = if random.chance(10) {
        format!("f\u{1b}[31m.{ending}")
    } else {
        format!("f.{ending}")
    };
    files.insert(name.clone(), bytes);
    files.insert("near.h".to_owned(), b"#define STRIDE 8\n".to_vec());
    files.insert("values.bin".to_owned(), vec![0; 1_024]);
    name
}

const CUBIN: &[u8] = include_bytes!("../../../object/tests/data/tables_sm_80.cubin");

/// Changes, drops and doubles some bytes.
fn spoil(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..=random.below(8) {
        if bytes.is_empty() {
            return;
        }
        let at = usize::try_from(random.below(bytes.len() as u64)).unwrap_or(0);
        match random.below(4) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => drop(bytes.remove(at)),
            2 => bytes.truncate(at),
            _ => {
                let piece = bytes[at..bytes.len().min(at + 64)].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
}

fn times(random: &mut Random, most: u64, one: impl Fn(u64) -> String) -> String {
    (0..random.below(most)).map(one).collect()
}

/// A CUDA source.
fn source(random: &mut Random) -> String {
    let name = random.pick(&NAMES);
    let body = match random.below(14) {
        0 => times(random, 64, |at| format!("for (int a{at} = 0; a{at} < 3; ++a{at}) ")) + "p[threadIdx.x] += 1;",
        1 => times(random, 64, |at| format!("for (int a{at} = 0; a{at} < n; ++a{at}) ")) + "p[threadIdx.x] += 1;",
        2 => times(random, 24, |at| format!("\n#pragma unroll\nfor (int a{at} = 0; a{at} < 4; ++a{at}) ")) + "p[threadIdx.x] += 1;",
        3 => format!("switch (n) {{ {} }}", times(random, 1_600, |at| format!("case {at}: p[{at}] = 1; break; "))),
        4 => times(random, 700, |at| format!("for (int i = 0; i < n; ++i) p[i + {at}] = 1;\n")),
        5 => times(random, 700, |at| format!("while (n > {at}) {{ n--; p[n] = {at}; }}\n")),
        6 => "unsigned x = threadIdx.x; for (;;) { x = x * 1664525u + 1013904223u; p[x & 1023] = 1; }".to_owned(),
        7 => "__shared__ float t[32][32]; t[threadIdx.x][threadIdx.y] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = t[threadIdx.y][threadIdx.x];".to_owned(),
        8 => times(random, 3_000, |at| format!("if (n > {at}) p[n+{at}] = p[n-{at}];\n")),
        9 => format!("p[{}0{}] = 1;", "p[(int)".repeat(80), "]".repeat(80)),
        10 => "int y = F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(1)))))))))))))))))))); p[y] = 1;".to_owned(),
        11 => "p[f<40>()] = 1;".to_owned(),
        12 => format!("p[{name}] = \"{name}\"; /* {name} */"),
        _ => "for (int i = 0; i < 1000000000; ++i) p[(threadIdx.x * n + i * i) % 4096] = i;".to_owned(),
    };
    let head = random.pick(&[
        "",
        "#include \"near.h\"\n",
        "#include \"../../../../etc/passwd\"\n",
        "#if 0\n#include \"near.h\"\n#endif\n",
        "#include \"\u{1b}[31m.h\"\n",
        "#define F(x) x+x\n",
        "template<int N> __device__ int f() { return f<N-1>() + f<N-2>(); }\n",
    ]);
    format!("{head}__global__ void {name}(float *p, int n) {{ {body} }}\n")
}

fn ptx(random: &mut Random) -> String {
    let name = random.pick(&NAMES);
    let body = times(random, 400, |at| {
        format!("add.s64 %rd1, %rd1, {at};\nst.global.f32 [%rd1], %f1;\n")
    });
    let end = random.pick(&["ret;", "L: bra L;", "bra.uni M;", "call f, ();"]);
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry {name}(.param .u64 a) {{\n.reg .b64 %rd<4>;\n.reg .f32 %f<4>;\nld.param.u64 %rd1, [a];\n{body}{end}\n}}\n"
    )
}

fn sass(random: &mut Random) -> String {
    let name = random.pick(&NAMES);
    let body = times(random, 400, |at| {
        format!(
            "        /*{:04x}*/ STG.E desc[UR4][R2.64+{at:#x}], R0 ;\n",
            at * 16
        )
    });
    let end = random.pick(&["EXIT", "BRA 0x0", "BRX R2 -0x10", name]);
    format!("\tFunction : {name}\n{body}        /*ff00*/ {end} ;\n")
}

fn trace(random: &mut Random) -> String {
    let name = random.pick(&NAMES);
    let rows = times(random, 20_000, |at| {
        format!("ld.shared.b32,{},{}\n", at * 4, at * 132)
    });
    format!("instruction,lane0,lane1\n{name},0,4\n{rows}")
}

fn json(random: &mut Random) -> String {
    let name = random.pick(&NAMES);
    let rows = times(random, 20_000, |at| format!("[{},{}],", at * 4, at * 132));
    format!("[{{\"instruction\":\"{name}\",\"lanes\":[0,4]}},{rows}[0,4]]")
}

fn layouts(random: &mut Random) -> String {
    let name = random.pick(&NAMES);
    let chain = times(random, 60, |_| "(8,32):(32,1) o ".to_owned());
    format!("type f16; {chain}Swizzle<3,3,3> o (16,64):(64,1) // {name}\nload ldmatrix.x4\n")
}

/// An expression.
pub(super) fn expression(random: &mut Random) -> String {
    let name = random.pick(&NAMES);
    let sum = times(random, 400, |at| format!("{at}*tid+"));
    match random.below(4) {
        0 => format!("a[{sum}tid]"),
        1 => format!("a[{}tid{}]", "(".repeat(100), ")".repeat(100)),
        2 => format!("a[tid] {name}"),
        _ => "a[tx*tx]".to_owned(),
    }
}

/// A declaration.
pub(super) fn declaration(random: &mut Random) -> String {
    let name = random.pick(&NAMES);
    random
        .pick(&[
            "float a[4096]",
            "float *a",
            "__device__ float4 a[1024]",
            "float a[4294967295][4294967295]",
            name,
        ])
        .to_owned()
}

/// A link.
pub(super) fn link(random: &mut Random) -> String {
    let name = random.pick(&NAMES);
    let keys = times(random, 400, |at| format!("&e=a[tid*{at}]"));
    let launch = random.pick(&[
        "&b=32",
        "&b=1024&g=4294967295,65535,65535&s=4294967295",
        "&gpu=custom:1024,8,64,none,8,8",
    ]);
    format!("#v=1&d=float a[4096]{keys}{launch}&{name}={name}")
}
