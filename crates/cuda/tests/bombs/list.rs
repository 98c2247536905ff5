//! Sources that are meant to hurt, by name.

use std::fmt::Write;

#[path = "within.rs"]
mod within;

pub(crate) fn in_kernel(body: &str) -> String {
    format!("__global__ void k(float* in, int n) {{ __shared__ float s[64]; {body} }}")
}

fn chain(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, i| {
        let _ = write!(text, "{}", one(i));
        text
    })
}

/// All of them.
pub(crate) fn bombs() -> Vec<(&'static str, String)> {
    [past_the_limits(), within::bombs()].concat()
}

/// Sources most of which are longer, deeper or larger than anything that is read to its end.
fn past_the_limits() -> Vec<(&'static str, String)> {
    let many = 30_000;
    vec![
        (
            "increments of increments",
            in_kernel(&format!("{}s[0];", "++".repeat(80))),
        ),
        (
            "assignments to assignments",
            in_kernel(&format!("{}s[0]{};", "(".repeat(80), " = 1)".repeat(80))),
        ),
        (
            "members of members of nothing",
            in_kernel(&format!("s[0] = a{};", ".b".repeat(60))),
        ),
        (
            "elements of members of nothing",
            in_kernel(&format!("s[0] = a{};", ".b[0]".repeat(30))),
        ),
        (
            "calls that double",
            chain(24, |i| {
                let below = i.saturating_sub(1);
                let body = if i == 0 {
                    String::new()
                } else {
                    format!("f{below}(); f{below}();")
                };
                format!("__device__ void f{i}() {{ {body} }}")
            }) + &in_kernel("f23();"),
        ),
        (
            "functions without a type that double",
            chain(20, |i| {
                let below = i.saturating_sub(1);
                let value = if i == 0 {
                    "1.0f".to_owned()
                } else {
                    format!("f{below}() + f{below}()")
                };
                format!(
                    "__device__ auto f{i}() {{ if (threadIdx.x > 3) return {value}; return 1.0f; }}"
                )
            }) + &in_kernel("in[0] = f19();"),
        ),
        (
            "structures that double",
            format!(
                "template <int N> struct A {{ A<2 * N> a; A<2 * N + 1> b; }}; {}",
                in_kernel("A<1> a;")
            ),
        ),
        (
            "structures that never end",
            format!(
                "template <int N> struct A {{ A<N + 1>* next; }}; {}",
                in_kernel("A<1> a; s[0] = sizeof(A<2>);")
            ),
        ),
        (
            "a template that calls itself",
            format!(
                "template <int N> __device__ int f(int x) {{ return f<N + 1>(x) + f<N + 2>(x); }} {}",
                in_kernel("s[0] = f<1>(2);")
            ),
        ),
        (
            "lambdas in lambdas",
            in_kernel(&format!(
                "auto f = {}1{};",
                "[&]() { return ".repeat(3000),
                "; }()".repeat(3000)
            )),
        ),
        (
            "a lambda that calls itself",
            in_kernel(
                "auto f = [&](auto g, int i) -> int { return g(g, i) + g(g, i + 1); }; s[f(f, 1)] = 0;",
            ),
        ),
        (
            "methods that call one another",
            format!(
                "struct A {{ int x; __device__ int f() {{ return g() + g(); }} __device__ int g() {{ return f() + f(); }} }}; {}",
                in_kernel("A a; s[0] = a.f();")
            ),
        ),
        (
            "parentheses",
            in_kernel(&format!(
                "int x = {}1{};",
                "(".repeat(many),
                ")".repeat(many)
            )),
        ),
        ("open parentheses", "(".repeat(many)),
        ("open brackets", "[".repeat(many)),
        ("open braces", in_kernel(&"{".repeat(many))),
        ("close braces", "}".repeat(many)),
        (
            "index of index",
            in_kernel(&format!("s{}0{};", "[s".repeat(many), "]".repeat(many))),
        ),
        (
            "flat sum",
            in_kernel(&format!("int x = 1{};", "+1".repeat(many))),
        ),
        (
            "flat indices",
            in_kernel(&format!("s{};", "[0]".repeat(many))),
        ),
        (
            "minus signs",
            in_kernel(&format!("int x = {}1;", "- ".repeat(many))),
        ),
        (
            "negations",
            in_kernel(&format!("int x = {}1;", "!".repeat(many))),
        ),
        (
            "stars",
            in_kernel(&format!("int x = {}in;", "*".repeat(many))),
        ),
        (
            "pointers to pointers",
            in_kernel(&format!("int {}x;", "*".repeat(many))),
        ),
        (
            "casts",
            in_kernel(&format!("int x = {}1;", "(int)".repeat(many))),
        ),
        (
            "ternaries",
            in_kernel(&format!("int x = {}1;", "n ? 1 : ".repeat(many))),
        ),
        (
            "assignments",
            in_kernel(&format!("n = {}1;", "n = ".repeat(many))),
        ),
        ("commas", in_kernel(&format!("n{};", ",n".repeat(many)))),
        (
            "else ifs",
            in_kernel(&chain(5_000, |i| format!("if (n == {i}) s[0] = 1; else "))),
        ),
        (
            "nested loops",
            in_kernel(&format!(
                "{} s[0] = 1;",
                "for (int i = 0; i < n; i++) ".repeat(2_000)
            )),
        ),
        (
            "nested blocks",
            in_kernel(&format!("{}{}", "{ ".repeat(3_000), "}".repeat(3_000))),
        ),
        ("endless loop", in_kernel("for (;;) s[threadIdx.x] = 1;")),
        ("endless empty loop", in_kernel("while (1) {}")),
        (
            "endless barrier",
            in_kernel("while (true) __syncthreads();"),
        ),
        (
            "doubling macros",
            format!(
                "#define A0 1\n{}\n{}",
                chain(30, |i| format!("#define A{} A{i} + A{i}\n", i + 1)),
                in_kernel("int x = A30;")
            ),
        ),
        (
            "doubling macro calls",
            format!(
                "#define A0(x) x\n{}\n{}",
                chain(30, |i| format!("#define A{}(x) A{i}(x) A{i}(x)\n", i + 1)),
                in_kernel("A30(s[0] = 1;)")
            ),
        ),
        (
            "macro of itself",
            format!("#define A A A\n{}", in_kernel("int x = A;")),
        ),
        (
            "macros of each other",
            format!("#define A B B\n#define B A A\n{}", in_kernel("int x = A;")),
        ),
        (
            "a long chain of macros",
            format!(
                "#define A0 1\n{}\n{}",
                chain(9_000, |i| format!("#define A{} A{i}\n", i + 1)),
                in_kernel("int x = A9000;")
            ),
        ),
        (
            "doubling functions",
            format!(
                "__device__ float f0(float* s) {{ return s[0]; }}\n{}\n{}",
                chain(20, |i| format!(
                    "__device__ float f{}(float* s) {{ return f{i}(s) + f{i}(s); }}\n",
                    i + 1
                )),
                in_kernel("f20(s);")
            ),
        ),
        (
            "recursion",
            format!(
                "__device__ int f(int n) {{ return f(n - 1); }}\n{}",
                in_kernel("f(n);")
            ),
        ),
        (
            "recursion of two",
            format!(
                "__device__ int g(int n);\n__device__ int f(int n) {{ return g(n); }}\n__device__ int g(int n) {{ return f(n); }}\n{}",
                in_kernel("f(n);")
            ),
        ),
        (
            "a chain of structures",
            format!(
                "struct A0 {{ int x; }};\n{}\n{}",
                chain(3_000, |i| format!("struct A{} {{ A{i} a; }};\n", i + 1)),
                in_kernel("__shared__ A3000 a; a;")
            ),
        ),
        (
            "doubling structures",
            format!(
                "struct A0 {{ int x; }};\n{}\n{}",
                chain(60, |i| format!("struct A{} {{ A{i} a, b; }};\n", i + 1)),
                in_kernel("__shared__ A60 a[2]; A60 c = a[0];")
            ),
        ),
        (
            "a chain of typedefs",
            format!(
                "typedef int A0;\n{}\n{}",
                chain(3_000, |i| format!("typedef A{i} A{}[2];\n", i + 1)),
                in_kernel("__shared__ A3000 a; a[0];")
            ),
        ),
        (
            "huge arrays",
            in_kernel(
                "__shared__ float a[1 << 30][1 << 30][1 << 30]; float b[1 << 30]; a[0][0][0] = b[n];",
            ),
        ),
        (
            "negative array",
            in_kernel("__shared__ float a[-1]; a[0] = 1;"),
        ),
        (
            "huge numbers",
            in_kernel(
                "int x = 99999999999999999999999999; x <<= 4294967295; s[x * x] = 1 / 0 + 1 % 0;",
            ),
        ),
        (
            "huge shifts",
            in_kernel(
                "s[n << 77] = 1 >> -5; s[0x7fffffffffffffff * 3] = 1; s[-9223372036854775807 - 1] = 2;",
            ),
        ),
        (
            "a comment without end",
            format!("/*{}", "*".repeat(100_000)),
        ),
        (
            "a string without end",
            format!("\"{}", "\\".repeat(100_000)),
        ),
        ("conditions without end", "#if 1\n".repeat(20_000)),
        ("else without if", "#else\n#endif\n".repeat(10_000)),
        ("dots", "x = 1, 2 ... 9223372036854775807\nx".to_owned()),
        ("many dots", format!("x = 1{}", " ... 4".repeat(20_000))),
        (
            "many lanes off",
            in_kernel("if (threadIdx.x > 1000) while (1) s[0] = 1;"),
        ),
        (
            "many arguments",
            in_kernel(&format!("f(1{});", ",1".repeat(many))),
        ),
        (
            "many cases",
            in_kernel(&format!(
                "switch (n) {{ {} }}",
                chain(4_000, |i| format!("case {i}: s[{i} % 64] = 1; "))
            )),
        ),
        (
            "many separate cases",
            in_kernel(&format!(
                "switch (n) {{ {} }}",
                chain(4_000, |i| format!("case {i}: s[{i} % 64] = 1; break; "))
            )),
        ),
        (
            "many names",
            in_kernel(&chain(8_000, |i| format!("int a{i} = b{i};"))),
        ),
        ("not text", "\u{0}\u{1}\u{fffd}\u{202e}💥…€".repeat(5_000)),
        ("a megabyte", " ".repeat(1 << 20)),
    ]
}
