//! Random kernels: integers of all widths, floats, arrays in shared and global memory, every kind of control flow.

use std::fmt::Write as _;

/// A linear congruential generator (Knuth's MMIX constants).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let mut one = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d);
        one.below(2);
        one
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn one<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[usize::try_from(self.below(list.len() as u64)).unwrap()]
    }
}

/// Arrays of integers, with the mask of an index, and whether they are written with a row.
const ARRAYS: [(&str, u32); 6] = [
    ("g0", 1023),
    ("g1", 1023),
    ("g3", 1023),
    ("g4", 1023),
    ("s0", 255),
    ("s2", 127),
];
const INTEGERS: [&str; 6] = ["a", "b", "u", "w", "h", "q"];

pub(crate) struct Generator {
    random: Random,
    text: String,
    depth: usize,
    loops: u32,
    in_loop: bool,
    in_function: bool,
}

/// The text of one kernel, `k`.
pub(crate) fn kernel(seed: u64) -> String {
    let mut one = Generator {
        random: Random::new(seed),
        text: String::new(),
        depth: 1,
        loops: 0,
        in_loop: false,
        in_function: false,
    };
    one.text.push_str("__device__ int helper(int a, unsigned u, int* g0) {\n  int b = a;\n  long long w = u;\n  short h = 3;\n  unsigned char q = 5;\n");
    one.in_function = true;
    for _ in 0..2 {
        one.line("if (");
        let condition = one.condition(2);
        let value = one.integer(2);
        let _ = writeln!(one.text, "{condition}) return {value};");
        one.assignment();
    }
    one.in_function = false;
    one.text.push_str("  return b;\n}\n");
    one.text.push_str("__global__ void k(int* g0, unsigned* g1, float* g2, short* g3, unsigned char* g4, int n, unsigned m) {\n");
    for line in [
        "__shared__ int s0[256];",
        "__shared__ float s1[16][17];",
        "__shared__ short s2[128];",
        "for (int i = threadIdx.x; i < 256; i += blockDim.x) s0[i] = i * 3;",
        "for (int i = threadIdx.x; i < 272; i += blockDim.x) s1[i / 17][i % 17] = i;",
        "for (int i = threadIdx.x; i < 128; i += blockDim.x) s2[i] = 7 * i - 90;",
        "__syncthreads();",
        "int a = threadIdx.x + blockIdx.x * blockDim.x;",
        "int b = n - a;",
        "unsigned u = m ^ a;",
        "long long w = a;",
        "short h = a * 5;",
        "unsigned char q = b;",
        "float f = 0.5f * a;",
    ] {
        one.line(line);
        one.text.push('\n');
    }
    for _ in 0..3 + one.random.below(4) {
        for _ in 0..1 + one.random.below(3) {
            one.statement();
        }
        if one.random.below(3) == 0 {
            one.line("__syncthreads();\n");
        }
    }
    one.text.push_str("}\n");
    one.text
}

impl Generator {
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.text.push_str("  ");
        }
        self.text.push_str(text);
    }

    fn index(&mut self, mask: u32, depth: u32) -> String {
        format!("({}) & {mask}", self.integer(depth))
    }

    fn element(&mut self, depth: u32) -> String {
        if self.in_function {
            return format!("g0[{}]", self.index(1023, depth));
        }
        let at = usize::try_from(self.random.below(ARRAYS.len() as u64)).unwrap();
        let (name, mask) = ARRAYS[at];
        format!("{name}[{}]", self.index(mask, depth))
    }

    /// An expression of some integer type that is no wider than 32 bits or `w`.
    fn integer(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.random.below(4) {
                0 => format!("{}", self.random.below(40)),
                1 if !self.in_function => "threadIdx.x".into(),
                _ => self.random.one(&INTEGERS).into(),
            };
        }
        let below = depth - 1;
        match self.random.below(16) {
            0..=3 => {
                let op = self.random.one(&["+", "-", "*", "&", "|", "^"]);
                format!("({} {op} {})", self.integer(below), self.integer(below))
            }
            4 => format!("({} / {})", self.integer(below), 1 + self.random.below(9)),
            5 => format!("({} % {})", self.integer(below), 1 + self.random.below(9)),
            6 => format!("({} << {})", self.integer(below), self.random.below(6)),
            7 => format!("({} >> {})", self.integer(below), self.random.below(6)),
            8 => {
                let op = self.random.one(&["-", "~", "!"]);
                format!("({op}{})", self.integer(below))
            }
            9 => {
                let to = self.random.one(&[
                    "int",
                    "unsigned",
                    "short",
                    "unsigned char",
                    "long long",
                    "bool",
                    "signed char",
                ]);
                format!("(({to})({}))", self.integer(below))
            }
            10 => format!(
                "({} ? {} : {})",
                self.condition(below),
                self.integer(below),
                self.integer(below)
            ),
            11 if !self.in_function => format!("((int)({}) & 65535)", self.real(below)),
            12 if !self.in_function && !self.in_loop => {
                format!(
                    "helper({}, {}, g0)",
                    self.integer(below),
                    self.integer(below)
                )
            }
            13 => self.condition(below),
            _ => self.element(below),
        }
    }

    fn real(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.random.one(&["f", "1.5f", "0.25f", "f"]).into();
        }
        let below = depth - 1;
        match self.random.below(5) {
            0 => {
                let op = self.random.one(&["+", "-", "*"]);
                format!("({} {op} {})", self.real(below), self.real(below))
            }
            1 => format!("g2[{}]", self.index(1023, below)),
            2 => {
                let row = self.index(15, below);
                format!("s1[{row}][{}]", self.index(15, below))
            }
            3 => format!("(float)({})", self.integer(below)),
            _ => format!(
                "({} ? {} : {})",
                self.condition(below),
                self.real(below),
                self.real(below)
            ),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let below = depth.saturating_sub(1);
        match self.random.below(6) {
            0 if depth > 0 => format!("({} && {})", self.condition(below), self.condition(below)),
            1 if depth > 0 => format!("({} || {})", self.condition(below), self.condition(below)),
            2 if !self.in_function => format!("({} < {})", self.real(below), self.real(below)),
            _ => {
                let op = self.random.one(&["<", ">", "<=", ">=", "==", "!="]);
                format!("({} {op} {})", self.integer(below), self.integer(below))
            }
        }
    }

    fn assignment(&mut self) {
        let op = self.random.one(&["=", "+=", "-=", "^=", "*=", "|="]);
        let text = match self.random.below(7) {
            0 if !self.in_function => format!("{} {op} {};", self.element(1), self.integer(2)),
            1 if !self.in_function => {
                let op = self.random.one(&["=", "+=", "*="]);
                format!("g2[{}] {op} {};", self.index(1023, 1), self.real(2))
            }
            2 if !self.in_function => {
                let row = self.index(15, 1);
                format!("s1[{row}][{}] = {};", self.index(15, 1), self.real(2))
            }
            3 if !self.in_function => format!("f = {};", self.real(2)),
            4 => {
                let name = self.random.one(&INTEGERS);
                let step = self.random.one(&["++", "--"]);
                if self.random.below(2) == 0 {
                    format!("{name}{step};")
                } else {
                    format!("{step}{name};")
                }
            }
            5 if !self.in_function => {
                let name = self.random.one(&["g0", "s0"]);
                let mask = if name == "g0" { 1023 } else { 255 };
                format!(
                    "atomicAdd(&{name}[{}], {});",
                    self.index(mask, 1),
                    self.integer(1)
                )
            }
            _ => format!("{} {op} {};", self.random.one(&INTEGERS), self.integer(3)),
        };
        self.line(&text);
        self.text.push('\n');
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..1 + self.random.below(3) {
            self.statement();
        }
        self.depth -= 1;
    }

    fn statement(&mut self) {
        if self.depth > 4 {
            return self.assignment();
        }
        match self.random.below(12) {
            0 | 1 => self.branch(),
            2 | 3 if self.loops < 3 => self.turns(),
            4 => self.switch(),
            5 if self.in_loop => {
                let condition = self.condition(1);
                let leave = self.random.one(&["break", "continue"]);
                self.line(&format!("if ({condition}) {leave};\n"));
            }
            6 if self.random.below(3) == 0 => {
                let condition = self.condition(1);
                self.line(&format!("if ({condition}) return;\n"));
            }
            _ => self.assignment(),
        }
    }

    fn branch(&mut self) {
        let condition = self.condition(2);
        self.line(&format!("if ({condition}) {{\n"));
        self.block();
        if self.random.below(2) == 0 {
            self.line("} else {\n");
            self.block();
        }
        self.line("}\n");
    }

    fn turns(&mut self) {
        self.loops += 1;
        let outer = std::mem::replace(&mut self.in_loop, true);
        let i = format!("i{}", self.loops);
        let end = if self.random.below(2) == 0 {
            format!("{}", 1 + self.random.below(4))
        } else {
            "(a & 3)".to_owned()
        };
        match self.random.below(3) {
            0 => {
                self.line(&format!("for (int {i} = 0; {i} < {end}; ++{i}) {{\n"));
                self.block();
                self.line("}\n");
            }
            1 => {
                self.line(&format!("int {i} = 0;\n"));
                let condition = self.condition(1);
                self.line(&format!("while ({i}++ < 3 && {condition}) {{\n"));
                self.block();
                self.line("}\n");
            }
            _ => {
                self.line(&format!("int {i} = 0;\n"));
                self.line("do {\n");
                self.block();
                let condition = self.condition(1);
                self.line(&format!("}} while (++{i} < 3 && {condition});\n"));
            }
        }
        self.in_loop = outer;
    }

    fn switch(&mut self) {
        let value = self.integer(2);
        self.line(&format!("switch (({value}) & 3) {{\n"));
        let outer = std::mem::replace(&mut self.in_loop, false);
        for label in ["case 0:", "case 1: case 2:", "default:"] {
            self.line(label);
            self.text.push('\n');
            self.depth += 1;
            self.assignment();
            self.assignment();
            if self.random.below(3) > 0 {
                self.line("break;\n");
            }
            self.depth -= 1;
        }
        self.in_loop = outer;
        self.line("}\n");
    }
}
