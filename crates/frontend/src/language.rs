//! Which language a pasted kernel is in, told from its text alone.

/// The language of a kernel's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// CUDA C++, HIP or C++ AMP: whatever is none of the others.
    Cuda,
    /// WGSL.
    Wgsl,
    /// PTX, as nvcc, Triton or Numba print it.
    Ptx,
    /// SASS, as cuobjdump, nvdisasm or Compiler Explorer print it.
    Sass,
}

/// Lines that are looked at.
const LINES_MAX: usize = 4_000;

impl Language {
    /// The language of `text`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        if is_wgsl(text) {
            Self::Wgsl
        } else if lines(text).any(is_sass_line) {
            Self::Sass
        } else if is_ptx(text) {
            Self::Ptx
        } else if lines(text)
            .filter(|line| is_bare_sass(line))
            .take(FEW)
            .count()
            == FEW
        {
            Self::Sass
        } else {
            Self::Cuda
        }
    }

    /// Its name, as its makers write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cuda => "CUDA",
            Self::Wgsl => "WGSL",
            Self::Ptx => "PTX",
            Self::Sass => "SASS",
        }
    }

    /// Whether it is what a compiler printed, of which no compiler's doing is left to guess.
    #[must_use]
    pub const fn is_compiled(self) -> bool {
        match self {
            Self::Ptx | Self::Sass => true,
            Self::Cuda | Self::Wgsl => false,
        }
    }
}

/// Whether a text has something for an accelerator as C++ AMP says it: `restrict(amp)`.
#[must_use]
pub fn is_amp(source: &str) -> bool {
    let mut rests = source.split("restrict").skip(1);
    rests.any(|rest| {
        let inside = rest.trim_start().strip_prefix('(');
        let inside = inside.and_then(|inside| inside.split_once(')'));
        inside.is_some_and(|(inside, _)| inside.split(',').any(|one| one.trim() == "amp"))
    })
}

/// Whether a text looks like WGSL and not like CUDA: it has an attribute or a variable as only WGSL writes them.
#[must_use]
pub fn is_wgsl(source: &str) -> bool {
    let rests = |sign: char| {
        source
            .match_indices(sign)
            .map(|(at, _)| source.split_at(at))
    };
    let is_attribute = |rest: &str| rest.starts_with("@compute") || rest.starts_with("@group");
    rests('@').any(|(_, rest)| is_attribute(rest))
        || rests('<')
            .any(|(before, rest)| before.ends_with("var") && rest.starts_with("<workgroup>"))
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().take(LINES_MAX).map(str::trim)
}

/// `/*0010*/ MOV R1, c[0x0][0x28] ;`: an instruction behind its address.
fn is_sass_line(line: &str) -> bool {
    let Some((address, rest)) = line
        .strip_prefix("/*")
        .and_then(|rest| rest.split_once("*/"))
    else {
        // The last is what an object says that has no listing yet.
        let signs = ["code for sm_", ".section\t.text.", "//@object sm_"];
        return signs.iter().any(|sign| line.starts_with(sign));
    };
    let is_address =
        (4..=8).contains(&address.len()) && address.bytes().all(|byte| byte.is_ascii_hexdigit());
    let opcode = rest.trim_start().trim_start_matches(['{', ' ']);
    let begins =
        opcode.starts_with('@') || opcode.starts_with(|first: char| first.is_ascii_uppercase());
    is_address && begins && rest.contains(';')
}

/// Rows that it takes where a single one could be chance.
const FEW: usize = 3;

/// `@P0 LDS.64 R2, [R4+0x10]`: an instruction as Compiler Explorer leaves it, without address and perhaps semicolon.
fn is_bare_sass(line: &str) -> bool {
    let line = line.trim_end_matches(';').trim();
    let (line, is_guarded) = match line.strip_prefix('@') {
        Some(rest) => (rest.split_once(' ').unwrap_or_default().1.trim(), true),
        None => (line, false),
    };
    let (opcode, operands) = line.split_once(' ').unwrap_or((line, ""));
    let is_opcode = opcode.len() >= 2
        && opcode.starts_with(|first: char| first.is_ascii_uppercase())
        && opcode.bytes().all(|byte| {
            byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'.' || byte == b'_'
        });
    let is_register = |word: &str| {
        let number = ["UR", "UP", "R", "P"]
            .iter()
            .find_map(|file| word.strip_prefix(file));
        number.is_some_and(|number| {
            let number = number.split('.').next().unwrap_or_default();
            matches!(number, "Z" | "T")
                || !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let mut words = operands.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    let is_exit = operands.is_empty() && (is_guarded || opcode == "EXIT");
    is_opcode && !operands.contains(['{', '=']) && (is_exit || words.any(is_register))
}

/// Whether a text is PTX: it has a directive that only PTX has, or a few of its instructions.
fn is_ptx(text: &str) -> bool {
    let is_instruction = |line: &&str| {
        let opcodes = [
            "mov.", "add.", "ld.", "st.", "mad.", "mul.", "setp.", "cvta.",
        ];
        line.ends_with(';')
            && line.contains('%')
            && opcodes.iter().any(|opcode| line.starts_with(opcode))
    };
    lines(text).any(is_ptx_line) || lines(text).filter(is_instruction).take(FEW).count() == FEW
}

/// A directive that only PTX has.
fn is_ptx_line(line: &str) -> bool {
    [
        ".version ",
        ".address_size ",
        ".target sm_",
        ".visible .entry",
        ".entry ",
        ".weak .entry",
    ]
    .iter()
    .any(|directive| line.starts_with(directive))
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn a_text_tells_its_language() {
        let cases = [
            ("__global__ void f(float* a) { a[0] = 1; }", Language::Cuda),
            ("/* 0010 */ __global__ void f() {}", Language::Cuda),
            ("@compute @workgroup_size(64) fn main() {}", Language::Wgsl),
            ("//\n.version 8.0\n.target sm_90\n", Language::Ptx),
            (".visible .entry f()\n{ ret; }", Language::Ptx),
            (
                "        /*0000*/                   LDC R1, c[0x0][0x28] ;",
                Language::Sass,
            ),
            (
                "        /*0030*/              @!P0 EXIT ;    /* 0x0 */",
                Language::Sass,
            ),
            ("code for sm_90\n  Function : f", Language::Sass),
            (
                "k(float*):\n S2R R0, SR_TID.X \n @P0 EXIT \n LDS.64 R2, [R0+0x10] \n EXIT \n",
                Language::Sass,
            ),
            (
                "ld.global.f32 %f1, [%rd1];\nadd.f32 %f2, %f1, %f1;\nst.global.f32 [%rd1], %f2;",
                Language::Ptx,
            ),
            (
                "#define N 4\nFOO(R1)\nBAR R2;\nenum E {\nA,\nB\n};\nEXIT\nT R3 = 4;",
                Language::Cuda,
            ),
            ("", Language::Cuda),
        ];
        for (text, language) in cases {
            assert_eq!(Language::of(text), language, "{text}");
        }
    }
}
