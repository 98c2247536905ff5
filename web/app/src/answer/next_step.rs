//! Of a text without a kernel that is read: what it is, and the next step for it, with what is to be copied.

use lanescope_frontend::DiagnosticKind;
use lanescope_query::Answer;
use lanescope_share::Source;

use super::recognised::is_code;

/// What a text is instead of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// Of a language that is not read.
    Language(String),
    /// Code, none of it a kernel.
    NoKernel,
    /// No code.
    Prose,
}

/// The kind of a next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Triton,
    OpenCl,
    Numba,
    Fortran,
    Julia,
    /// A shader that a compiler translates to WGSL.
    Shader,
    /// An access of the text, as an index expression.
    ExpressionOfText,
    /// An index expression.
    Expression,
    /// A kernel.
    Kernel,
}

/// A next step, and what it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NextStep {
    pub(crate) unread: Unread,
    pub(crate) step: Step,
    /// A command, a line or a text to copy.
    pub(crate) copied: String,
}

/// An access with its declaration, as the page opens with.
const EXPRESSION: &str = "__shared__ float tile[32][32];\ntile[threadIdx.x][threadIdx.y]";
/// The shortest kernel.
const KERNEL: &str = "__global__ void f(float* a) { a[threadIdx.x] = 1; }";

/// The next step for the text of `source`, which `answer` answers; `None` where it has a kernel, or nothing.
pub(crate) fn next_step(source: &Source, answer: &Answer) -> Option<NextStep> {
    let Source::Kernel(text) = source else {
        return None;
    };
    if text.trim().is_empty() || !answer.program.sites().is_empty() {
        return None;
    }
    let unread = answer
        .text_diagnostics()
        .iter()
        .find_map(|one| match &one.kind {
            DiagnosticKind::OtherLanguage { name } => Some(Unread::Language(name.clone())),
            DiagnosticKind::NoKernel if is_code(text) => Some(Unread::NoKernel),
            DiagnosticKind::NoKernel => Some(Unread::Prose),
            _ => None,
        })?;
    let (step, copied) = match &unread {
        Unread::Language(name) => of_language(name, text),
        Unread::NoKernel => (Step::Kernel, KERNEL.to_owned()),
        Unread::Prose => (Step::Expression, EXPRESSION.to_owned()),
    };
    Some(NextStep {
        unread,
        step,
        copied,
    })
}

fn of_language(language: &str, text: &str) -> (Step, String) {
    let slang = |file: &str| {
        let entry = name_before_parenthesis(text, "void ").unwrap_or("main");
        format!("slangc {file} -entry {entry} -stage compute -target wgsl -o x.wgsl && cat x.wgsl")
    };
    match language {
        "Triton" => {
            let kernel = function_behind(text, "@triton.jit").unwrap_or("*");
            let run =
                "TRITON_ALWAYS_COMPILE=1 TRITON_KERNEL_DUMP=1 TRITON_DUMP_DIR=dump python x.py";
            (Step::Triton, format!("{run} && cat dump/*/{kernel}.ptx"))
        }
        "OpenCL C" => {
            let build = "cl.Program(cl.create_some_context(), open('x.cl').read()).build()";
            let print = "print(p.get_info(cl.program_info.BINARIES)[0].decode())";
            let program = format!("import pyopencl as cl; p = {build}; {print}");
            (Step::OpenCl, format!("python -c \"{program}\""))
        }
        "Python (Numba or CuPy)" => {
            let kernel = function_behind(text, "@cuda.jit").unwrap_or("kernel");
            let print = format!("print(*{kernel}.inspect_asm().values())");
            (Step::Numba, print)
        }
        "CUDA Fortran" => {
            let compile = "nvfortran -cuda -gpu=keepptx -c x.cuf && cat x*.ptx";
            (Step::Fortran, compile.to_owned())
        }
        "Julia" => {
            let kernel = name_before_parenthesis(text, "function ").unwrap_or("kernel");
            let launch = format!("CUDA.@device_code_ptx @cuda threads=256 {kernel}(arguments...)");
            (Step::Julia, launch)
        }
        "HLSL" => (Step::Shader, slang("x.hlsl")),
        "Slang" => (Step::Shader, slang("x.slang")),
        "GLSL" => (Step::Shader, "naga x.comp x.wgsl && cat x.wgsl".to_owned()),
        "Metal" => match of_metal(text) {
            Some(expression) => (Step::ExpressionOfText, expression),
            None => (Step::Expression, EXPRESSION.to_owned()),
        },
        _ => (Step::Expression, EXPRESSION.to_owned()),
    }
}

/// The name of the Python function that `decorator` stands before.
fn function_behind<'a>(text: &'a str, decorator: &str) -> Option<&'a str> {
    let (_, behind) = text.split_once(decorator)?;
    name_before_parenthesis(behind, "def ")
}

/// The name between `before` and a parenthesis.
fn name_before_parenthesis<'a>(text: &'a str, before: &str) -> Option<&'a str> {
    text.split(before).skip(1).find_map(|rest| {
        let (name, _) = rest.split_once('(')?;
        let is_name = |name: &str| !name.is_empty() && name.chars().all(is_of_name);
        Some(name.trim()).filter(|name| is_name(name))
    })
}

fn is_of_name(one: char) -> bool {
    one.is_ascii_alphanumeric() || one == '_'
}

/// What Metal gives a kernel, and CUDA's name for it.
const METAL: [(&str, &str); 6] = [
    ("thread_position_in_threadgroup", "threadIdx"),
    ("threadgroup_position_in_grid", "blockIdx"),
    ("threads_per_threadgroup", "blockDim"),
    ("threadgroups_per_grid", "gridDim"),
    ("thread_index_in_threadgroup", "tid"),
    ("thread_index_in_simdgroup", "lane"),
];

/// The first access to a `threadgroup` array of a Metal kernel, with the array's declaration, in CUDA's names.
fn of_metal(text: &str) -> Option<String> {
    let declared = text.split("threadgroup ").skip(1).find_map(|rest| {
        let (declaration, behind) = rest.split_once(';')?;
        let is_array = declaration.ends_with(']') && !declaration.contains(['(', '*', '{', '\n']);
        is_array.then_some((declaration.trim(), behind))
    });
    let (declaration, behind) = declared?;
    let name = declaration.split('[').next()?.split_whitespace().last()?;
    let access = behind.match_indices(name).find_map(|(at, _)| {
        let before = behind.get(..at)?.chars().next_back();
        let access = behind.get(at..)?;
        let is_whole = before.is_none_or(|one| !is_of_name(one));
        let is_indexed = access.strip_prefix(name)?.starts_with('[');
        (is_whole && is_indexed).then(|| subscripted(access))
    })?;
    let mut named = access.to_owned();
    for (attribute, ours) in METAL {
        if let Some(theirs) = parameter_with(text, attribute) {
            named = renamed(&named, theirs, ours);
        }
    }
    Some(format!("__shared__ {declaration};\n{named}"))
}

/// A name and the subscripts that follow it.
fn subscripted(text: &str) -> &str {
    let mut depth = 0_usize;
    for (at, char_indice) in text.char_indices() {
        match char_indice {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && !is_of_name(char_indice) => return &text[..at],
            _ => {}
        }
    }
    text
}

/// The parameter that has an attribute.
fn parameter_with<'a>(text: &'a str, attribute: &str) -> Option<&'a str> {
    let (before, _) = text.split_once(&format!("[[{attribute}]]"))?;
    before
        .trim_end()
        .rsplit(|one: char| !is_of_name(one))
        .next()
}

/// `text` with each name `from` as `to`.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let mut all = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let (before, found) = rest.split_at(at);
        let behind = found.get(from.len()..).unwrap_or_default();
        let touches = |one: Option<char>| one.is_some_and(is_of_name);
        let is_name = !touches(before.chars().next_back()) && !touches(behind.chars().next());
        all.push_str(before);
        all.push_str(if is_name { to } else { from });
        rest = behind;
    }
    all + rest
}

#[cfg(test)]
mod tests {
    use super::{Step, of_language};

    #[test]
    fn each_step_is_for_the_text_at_hand() {
        let metal = "kernel void turn(device float* out [[buffer(0)]],\n\
                     uint2 place [[thread_position_in_threadgroup]]) {\n\
                     threadgroup float tile[32][33];\n\
                     tile[place.y][place.x] = 1;\n}";
        let expected = "__shared__ float tile[32][33];\ntile[threadIdx.y][threadIdx.x]";
        assert_eq!(
            of_language("Metal", metal),
            (Step::ExpressionOfText, expected.to_owned())
        );
        assert_eq!(
            of_language("Metal", "kernel void f() {}").0,
            Step::Expression
        );
        let triton = "@triton.jit\ndef softmax_rows(x, y):\n    pass";
        let (step, copied) = of_language("Triton", triton);
        assert!(step == Step::Triton && copied.ends_with("cat dump/*/softmax_rows.ptx"));
        let (step, copied) = of_language("HLSL", "[numthreads(64, 1, 1)]\nvoid Blur(uint3 i) {}");
        assert!(
            step == Step::Shader && copied.contains("-entry Blur "),
            "{copied}"
        );
        let numba = "@cuda.jit\ndef scale(a):\n    pass";
        assert_eq!(
            of_language("Python (Numba or CuPy)", numba).1,
            "print(*scale.inspect_asm().values())"
        );
        let julia = of_language("Julia", "using CUDA\nfunction add!(a)\nend").1;
        assert!(
            julia.contains("kernel("),
            "a name with a mark is not guessed: {julia}"
        );
    }
}
