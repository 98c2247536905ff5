//! Random C++ kernels without undefined behaviour: what a compiler for the host makes of one is what it means.
//!
//! Divisors are positive, shifts are within the width, real numbers are small multiples of a power of two (no rounding)
//! and are clamped before they become whole ones, indices are masked, all is initialised and no expression changes what
//! another part of it reads.

use std::fmt::Write as _;

use crate::random::Random;

/// Types of whole numbers.
const WHOLE: [&str; 10] = [
    "int",
    "unsigned",
    "long long",
    "unsigned long long",
    "short",
    "unsigned short",
    "signed char",
    "unsigned char",
    "bool",
    "char",
];

/// Types of real numbers.
const REAL: [&str; 2] = ["float", "double"];

/// The deepest expression and the deepest nest of statements.
const DEPTH: u32 = 4;

/// A kernel: what stands before it, and its body. Its parameters are `int* out, signed char* bytes, double* wide`.
pub(crate) struct Kernel {
    /// Structures, enumerations and functions.
    pub(crate) before: String,
    /// Statements.
    pub(crate) body: String,
}

/// The kernel of this number.
pub(crate) fn kernel(seed: u64) -> Kernel {
    let maker = Maker {
        random: Random::new(seed),
        whole: vec!["t".into()],
        real: Vec::new(),
        arrays: Vec::new(),
        functions: Vec::new(),
        names: 0,
        is_function: false,
        loops: 0,
    };
    maker.make()
}

struct Maker {
    random: Random,
    /// Expressions that stand for whole numbers and can be assigned to, but for `t`.
    whole: Vec<String>,
    real: Vec<String>,
    /// Names and lengths (powers of two).
    arrays: Vec<(String, u64)>,
    /// Name, parameters.
    functions: Vec<(String, usize)>,
    names: u32,
    is_function: bool,
    loops: u32,
}

impl Maker {
    fn make(mut self) -> Kernel {
        let mut before = String::from("enum Kind { RED, GREEN = 5, BLUE };\n");
        before.push_str("struct Pair { int x; short y; };\n");
        before.push_str("struct Grid { Pair at[2]; unsigned char bytes[4]; long long wide; };\n");
        before
            .push_str("union Bits { unsigned whole; unsigned char bytes[4]; short halves[2]; };\n");
        before.push_str(
            "template <typename T, int N> __device__ T scaled(T a) { return a * N + (T)1; }\n",
        );
        for _ in 0..self.random.below(3) {
            before += &self.function();
        }
        let mut body = String::from("  int t = threadIdx.x;\n");
        for _ in 0..3 + self.random.below(4) {
            body += &self.declaration(1);
        }
        for _ in 0..3 + self.random.below(5) {
            body += &self.statement(1);
        }
        body += &self.store(1);
        Kernel { before, body }
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// A name that tells whether it may be a `bool`'s, which `++` and `--` do not take.
    fn name_of(&mut self, kind: &str) -> String {
        self.names += 1;
        let letter = if ["bool", "auto"].contains(&kind) {
            'b'
        } else {
            'v'
        };
        format!("{letter}{}", self.names)
    }

    /// A device function of whole numbers, one perhaps by reference.
    fn function(&mut self) -> String {
        let name = format!("f{}", self.functions.len());
        let count = 1 + usize::try_from(self.random.below(3)).unwrap_or(0);
        let result = self.random.pick(&WHOLE);
        let mut parameters = Vec::new();
        let kept = (
            std::mem::take(&mut self.whole),
            std::mem::take(&mut self.real),
        );
        for _ in 0..count {
            let kind = self.random.pick(&WHOLE);
            let name = self.name_of(kind);
            parameters.push(format!("{kind} {name}"));
            self.whole.push(name);
        }
        let arrays = std::mem::take(&mut self.arrays);
        self.is_function = true;
        let mut text = format!("__device__ {result} {name}({}) {{\n", parameters.join(", "));
        for _ in 0..self.random.below(3) {
            text += &self.statement(DEPTH - 2);
        }
        let early = (self.whole_expr(DEPTH - 2), self.whole_expr(DEPTH - 2));
        let _ = writeln!(text, "  if ({}) return {};", early.0, early.1);
        let value = self.whole_expr(DEPTH - 3);
        let _ = writeln!(text, "  return {value};\n}}");
        self.is_function = false;
        self.arrays = arrays;
        (self.whole, self.real) = kept;
        self.functions.push((name, count));
        text
    }

    fn declaration(&mut self, depth: u32) -> String {
        let pad = "  ".repeat(depth as usize);
        let name = self.name();
        match self.random.below(9) {
            0 => {
                let value = self.real_expr(DEPTH - 1);
                let kind = self.random.pick(&REAL);
                self.real.push(name.clone());
                format!("{pad}{kind} {name} = {value};\n")
            }
            1 => {
                let length = self.random.pick(&[2_u64, 4, 8]);
                let kind = self.random.pick(&WHOLE);
                let name = self.name_of(kind);
                let given = 1 + self.random.below(length);
                let values: Vec<String> = (0..given)
                    .map(|_| format!("({kind})({})", self.whole_expr(DEPTH - 1)))
                    .collect();
                let text = format!(
                    "{pad}{kind} {name}[{length}] = {{{}}};\n",
                    values.join(", ")
                );
                self.arrays.push((name, length));
                text
            }
            2 => {
                let values: Vec<String> = (0..9).map(|_| self.whole_expr(DEPTH)).collect();
                let [a, b, c, d, e, f, g, h, i] = &values[..] else {
                    return String::new();
                };
                let list = if self.random.chance(5) {
                    format!(
                        "{{{{{{(int)({a}), (short)({b})}}, {{(int)({c}), (short)({d})}}}}, {{(unsigned char)({e}), (unsigned char)({f}), (unsigned char)({g})}}, (long long)({h})}}"
                    )
                } else {
                    format!(
                        "{{(int)({a}), (short)({b}), (int)({c}), (short)({d}), (unsigned char)({e}), (unsigned char)({f}), (unsigned char)({g}), (unsigned char)({i}), (long long)({h})}}"
                    )
                };
                let at = self.random.below(2);
                self.whole.push(format!("{name}.at[{at}].x"));
                self.whole.push(format!("{name}.at[{at}].y"));
                self.whole
                    .push(format!("{name}.bytes[{}]", self.random.below(4)));
                self.whole.push(format!("{name}.wide"));
                format!("{pad}Grid {name} = {list};\n")
            }
            3 => {
                let value = self.whole_expr(DEPTH - 1);
                self.whole
                    .push(format!("{name}.bytes[{}]", self.random.below(4)));
                self.whole
                    .push(format!("{name}.halves[{}]", self.random.below(2)));
                format!("{pad}Bits {name}; {name}.whole = (unsigned)({value});\n")
            }
            4 => {
                let value = self.whole_expr(DEPTH - 1);
                let name = self.name_of("auto");
                self.whole.push(name.clone());
                format!("{pad}auto {name} = {value} + 0;\n")
            }
            _ => {
                let value = self.whole_expr(DEPTH - 2);
                let kind = self.random.pick(&WHOLE);
                let name = self.name_of(kind);
                self.whole.push(name.clone());
                format!("{pad}{kind} {name} = {value};\n")
            }
        }
    }

    fn statement(&mut self, depth: u32) -> String {
        let pad = "  ".repeat(depth as usize);
        if depth >= DEPTH {
            return self.assignment(&pad);
        }
        match self.random.below(12) {
            0 | 1 => {
                let condition = self.whole_expr(DEPTH - 1);
                let (yes, no) = (self.block(depth), self.block(depth));
                if self.random.chance(5) {
                    format!("{pad}if ({condition}) {yes}{pad}else {no}")
                } else {
                    format!("{pad}if ({condition}) {yes}")
                }
            }
            2 | 3 if self.loops < 2 => {
                let name = self.name();
                let end = if self.random.chance(5) {
                    format!("{}", 1 + self.random.below(5))
                } else {
                    format!("(int)(({}) & 3) + 1", self.whole_expr(DEPTH))
                };
                self.loops += 1;
                let leave = self.whole_expr(DEPTH);
                let word = self.random.pick(&["break", "continue"]);
                let inside = self.block(depth);
                self.loops -= 1;
                let jump = format!("{pad}  if (({leave}) % 3 == 1) {word};\n");
                match self.random.below(3) {
                    0 => format!(
                        "{pad}for (int {name} = 0; {name} < {end}; ++{name}) {{\n{jump}{pad}  {inside}{pad}}}\n"
                    ),
                    1 => format!(
                        "{pad}{{ int {name} = 0; while ({name}++ < {end}) {{\n{jump}{pad}  {inside}{pad}}} }}\n"
                    ),
                    _ => format!(
                        "{pad}{{ int {name} = 0; do {{\n{jump}{pad}  {inside}{pad}}} while (++{name} < {end}); }}\n"
                    ),
                }
            }
            4 => {
                let value = self.whole_expr(DEPTH - 1);
                let cases: String = (0..3)
                    .map(|case| {
                        let inside = self.block(depth + 1);
                        let end = if self.random.chance(7) { "break;" } else { "" };
                        format!("{pad}  case {case}: {inside}{pad}  {end}\n")
                    })
                    .collect();
                let other = self.block(depth + 1);
                format!(
                    "{pad}switch ((int)(({value}) & 3)) {{\n{cases}{pad}  default: {other}{pad}}}\n"
                )
            }
            5 | 6 if !self.is_function => self.store(depth),
            7 => {
                let (whole, real) = (self.whole.len(), self.real.len());
                let arrays = self.arrays.len();
                let first = self.declaration(depth + 1);
                let second = self.statement(depth + 1);
                self.whole.truncate(whole);
                self.real.truncate(real);
                self.arrays.truncate(arrays);
                format!("{pad}{{\n{first}{second}{pad}}}\n")
            }
            _ => self.assignment(&pad),
        }
    }

    fn block(&mut self, depth: u32) -> String {
        let pad = "  ".repeat(depth as usize);
        let count = 1 + self.random.below(2);
        let inside: String = (0..count).map(|_| self.statement(depth + 1)).collect();
        format!("{{\n{inside}{pad}}}\n")
    }

    fn assignment(&mut self, pad: &str) -> String {
        let target = self.target();
        let value = self.whole_expr(DEPTH - 2);
        let Some(target) = target else {
            return format!("{pad};\n");
        };
        match self.random.below(8) {
            0 | 1 if target.starts_with('b') => format!("{pad}{target} = !{target};\n"),
            0 => format!("{pad}++{target};\n"),
            1 => format!("{pad}{target}--;\n"),
            2 => format!(
                "{pad}{target} {} ({value});\n",
                self.random.pick(&["+=", "-=", "*=", "&=", "|=", "^="])
            ),
            3 => format!(
                "{pad}{target} {} (({value}) & 7);\n",
                self.random.pick(&["<<=", ">>="])
            ),
            4 => format!(
                "{pad}{target} {} (int)((({value}) & 7) + 1);\n",
                self.random.pick(&["/=", "%="])
            ),
            _ => format!("{pad}{target} = {value};\n"),
        }
    }

    /// What may be assigned to: no loop's counter and not `t`.
    fn target(&mut self) -> Option<String> {
        if self.random.chance(3) && !self.arrays.is_empty() {
            let at = usize::try_from(self.random.below(self.arrays.len() as u64)).unwrap_or(0);
            let (name, length) = self.arrays[at].clone();
            let index = self.random.below(length);
            return Some(format!("{name}[{index}]"));
        }
        let all: Vec<String> = self
            .whole
            .iter()
            .filter(|name| *name != "t")
            .cloned()
            .collect();
        if all.is_empty() {
            return None;
        }
        let at = usize::try_from(self.random.below(all.len() as u64)).unwrap_or(0);
        Some(all[at].clone())
    }

    fn store(&mut self, depth: u32) -> String {
        let pad = "  ".repeat(depth as usize);
        let value = self.whole_expr(1);
        let array = self.random.pick(&["out", "bytes", "wide"]);
        match self.random.below(3) {
            0 => format!("{pad}{array}[((unsigned long long)({value}) >> 32) & 1023] = 1;\n"),
            _ => format!("{pad}{array}[({value}) & 1023] = 1;\n"),
        }
    }

    fn leaf(&mut self) -> String {
        if self.random.chance(6) && !self.whole.is_empty() {
            let at = usize::try_from(self.random.below(self.whole.len() as u64)).unwrap_or(0);
            return self.whole[at].clone();
        }
        match self.random.below(12) {
            0 => format!("{}u", self.random.below(1 << 32)),
            1 => format!("{}ll", self.random.below(1 << 40)),
            2 => format!("0x{:x}", self.random.below(1 << 31)),
            3 => self
                .random
                .pick(&["'a'", "'\\x41'", "'\\101'", "'\\n'", "'\\0'", "'\\xff'"])
                .into(),
            4 => self
                .random
                .pick(&["true", "false", "RED", "GREEN", "BLUE"])
                .into(),
            5 => format!(
                "(int)sizeof({})",
                self.random
                    .pick(&["int", "Grid", "Bits", "short", "Pair", "double"])
            ),
            6 => format!("-{}", self.random.below(100) + 1),
            _ => format!("{}", self.random.below(40)),
        }
    }

    fn whole_expr(&mut self, depth: u32) -> String {
        if depth >= DEPTH {
            return self.leaf();
        }
        let next = depth + 1;
        match self.random.below(17) {
            0..=3 => {
                let (a, b) = (self.whole_expr(next), self.whole_expr(next));
                format!(
                    "({a} {} {b})",
                    self.random.pick(&["+", "-", "*", "&", "|", "^"])
                )
            }
            4 => {
                let (a, b) = (self.whole_expr(next), self.whole_expr(next));
                format!(
                    "({a} {} (int)(({b} & 7) + 1))",
                    self.random.pick(&["/", "%"])
                )
            }
            5 => {
                let (a, b) = (self.whole_expr(next), self.whole_expr(next));
                format!("({a} {} ({b} & 15))", self.random.pick(&["<<", ">>"]))
            }
            6 | 7 => {
                let (a, b) = (self.whole_expr(next), self.whole_expr(next));
                format!(
                    "({a} {} {b})",
                    self.random.pick(&["<", ">", "<=", ">=", "==", "!="])
                )
            }
            8 => {
                let (a, b) = (self.whole_expr(next), self.whole_expr(next));
                format!("({a} {} {b})", self.random.pick(&["&&", "||"]))
            }
            9 | 10 => {
                let (c, a, b) = (
                    self.whole_expr(next),
                    self.whole_expr(next),
                    self.whole_expr(next),
                );
                format!("({c} ? {a} : {b})")
            }
            11 => {
                let a = self.whole_expr(next);
                format!("({}{a})", self.random.pick(&["~", "!", "- ", "+ "]))
            }
            12 => {
                let a = self.whole_expr(next);
                let kind = self.random.pick(&WHOLE);
                if self.random.chance(5) {
                    format!("(({kind})({a}))")
                } else {
                    format!("static_cast<{kind}>({a})")
                }
            }
            13 if !self.arrays.is_empty() => {
                let at = usize::try_from(self.random.below(self.arrays.len() as u64)).unwrap_or(0);
                let (name, length) = self.arrays[at].clone();
                let index = self.whole_expr(next);
                format!("{name}[({index}) & {}]", length - 1)
            }
            14 if !self.functions.is_empty() => {
                let at =
                    usize::try_from(self.random.below(self.functions.len() as u64)).unwrap_or(0);
                let (name, count) = self.functions[at].clone();
                let given: Vec<String> = (0..count).map(|_| self.whole_expr(next)).collect();
                format!("{name}({})", given.join(", "))
            }
            15 => {
                let a = self.real_expr(next);
                let kind = self.random.pick(&["int", "short", "long long"]);
                format!("({kind})fmin(fmax((double)({a}), -1000.0), 1000.0)")
            }
            16 => {
                let kind = self.random.pick(&WHOLE[..4]);
                let a = self.whole_expr(next);
                format!("scaled<{kind}, {}>({a})", 1 + self.random.below(6))
            }
            _ => self.leaf(),
        }
    }

    /// Real numbers that no operation rounds: few bits before and behind the point.
    fn real_expr(&mut self, depth: u32) -> String {
        if depth >= DEPTH {
            if self.random.chance(4) && !self.real.is_empty() {
                let at = usize::try_from(self.random.below(self.real.len() as u64)).unwrap_or(0);
                return format!("fmin(fmax((double){}, -64.0), 64.0)", self.real[at]);
            }
            let leaf = self.leaf();
            return match self.random.below(3) {
                0 => self
                    .random
                    .pick(&["0.5f", "1.5", "3.0f", "-2.5", "0.25"])
                    .into(),
                _ => format!("(float)(int)(({leaf}) & 15)"),
            };
        }
        let next = depth + 1;
        match self.random.below(6) {
            0 | 1 => {
                let (a, b) = (self.real_expr(next), self.real_expr(next));
                format!("({a} {} {b})", self.random.pick(&["+", "-"]))
            }
            2 => format!(
                "({} * {})",
                self.real_expr(next),
                self.random.pick(&["2", "0.5f", "-3.0", "4.0f"])
            ),
            3 => format!(
                "({} / {})",
                self.real_expr(next),
                self.random.pick(&["2", "4.0f", "0.5"])
            ),
            4 => {
                let (c, a) = (self.whole_expr(next), self.real_expr(next));
                let b = self.random.pick(&["3", "1.5", "2u", "'\\x02'"]);
                format!("({c} ? {a} : {b})")
            }
            _ => {
                let (c, a, b) = (
                    self.whole_expr(next),
                    self.real_expr(next),
                    self.real_expr(next),
                );
                format!("(({c}) > 3 ? {a} : {b})")
            }
        }
    }
}
