//! Sources that keep within the limits of bytes and tokens, and are meant to hurt all the same.

use super::{chain, in_kernel};

/// The numbers up to `count`, each made text and joined by commas.
fn listed(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(",")
}

/// `before` so many times, `inner`, and `after` as often.
fn nested(before: &str, inner: &str, after: &str, count: usize) -> String {
    format!("{}{inner}{}", before.repeat(count), after.repeat(count))
}

pub(super) fn bombs() -> Vec<(&'static str, String)> {
    [
        declarations(),
        structures(),
        calls(),
        control(),
        expressions(),
        names(),
        macros(),
        texts(),
    ]
    .concat()
}

fn declarations() -> Vec<(&'static str, String)> {
    vec![
        (
            "many shared arrays",
            in_kernel(
                &(chain(800, |i| format!("__shared__ float s{i}[64];"))
                    + &chain(800, |i| format!("s{i}[n] = 1;"))),
            ),
        ),
        (
            "many tables",
            chain(700, |i| format!("__constant__ int c{i}[2];\n"))
                + &in_kernel(&chain(700, |i| format!("s[0] = c{i}[1];"))),
        ),
        (
            "arrays of many dimensions",
            in_kernel(
                &(chain(120, |i| format!("__shared__ int a{i}{};", "[2]".repeat(15)))
                    + &chain(120, |i| format!("a{i}{} = 1;", "[n]".repeat(15)))),
            ),
        ),
        (
            "a giant initialiser",
            format!(
                "__constant__ int c[9000] = {{{}}};{}",
                listed(9_000, |i| i.to_string()),
                in_kernel("s[c[n]] = 1;")
            ),
        ),
        (
            "a giant initialiser of one thread's",
            in_kernel(&format!(
                "int c[9000] = {{{}}}; s[c[n]] = 1;",
                listed(9_000, |_| "n".to_owned())
            )),
        ),
        (
            "many parameters",
            format!(
                "__global__ void k({}) {{ {} }}",
                listed(1_500, |i| format!("int a{i}")),
                "a1 = a2;".repeat(2_000)
            ),
        ),
        (
            "many kernels",
            chain(700, |i| {
                format!("__global__ void k{i}(float* a) {{ a[0] = {i}; }}\n")
            }),
        ),
        (
            "constants of constants",
            in_kernel(&chain(1_500, |i| {
                let before = i
                    .checked_sub(1)
                    .map_or("1".to_owned(), |i| format!("c{i} + 1"));
                format!("const int c{i} = {before};")
            })),
        ),
        ("one variable often", in_kernel(&"int a;".repeat(4_000))),
    ]
}

fn structures() -> Vec<(&'static str, String)> {
    let fields = |count| chain(count, |i| format!("int a{i};"));
    vec![
        (
            "structures with typedef",
            chain(1_000, |i| format!("typedef struct {{ int x; }} A{i};\n")) + &in_kernel("A9 a;"),
        ),
        (
            "members of a wide structure",
            format!("struct A {{ {} }};", fields(3_000))
                + &in_kernel(&format!(
                    "A a; {}",
                    chain(700, |i| format!("s[a.a{}] = 1;", 2_999 - i))
                )),
        ),
        (
            "methods of a wide structure",
            format!("struct A {{ {} void f() {{}} }};", fields(3_000))
                + &in_kernel(&format!("A a; {}", "a.f();".repeat(800))),
        ),
        (
            "methods beside many constants",
            format!(
                "struct A {{ {} void f() {{}} }};",
                chain(1_500, |i| format!("static const int a{i} = 1;"))
            ) + &in_kernel(&format!("A a; {}", "a.f();".repeat(600))),
        ),
        (
            "a chain of bases",
            "struct A0 { int x; };".to_owned()
                + &chain(700, |i| {
                    format!("struct A{} : A{i} {{ int x{i}; }};", i + 1)
                })
                + &in_kernel("A200 a; a.x = 1;"),
        ),
        (
            "operators with many meanings",
            "struct V { int x; };".to_owned()
                + &chain(500, |_| {
                    "__device__ V operator+(int a, int b) { V v; return v; }".to_owned()
                })
                + &in_kernel(&format!("V a, b; {}", "a = a + b;".repeat(800))),
        ),
        (
            "templates in templates' arguments",
            "template <class T> struct A { T a; };".to_owned()
                + &in_kernel(&format!("{} a;", nested("A<", "int", " >", 40))),
        ),
        (
            "functions for each of many numbers",
            "template <int N> __device__ int f() { return N; }".to_owned()
                + &chain(500, |i| {
                    format!("template <> __device__ int f<{i}>() {{ return {i}; }}")
                })
                + &in_kernel(&chain(500, |i| format!("s[f<{i}>() & 63] = 1;"))),
        ),
        (
            "templates of every number",
            "template <int N> struct A { int a[N]; };".to_owned()
                + &in_kernel(&chain(2_000, |i| format!("A<{i}> a{i};"))),
        ),
    ]
}

fn calls() -> Vec<(&'static str, String)> {
    let folded = |body: &str, calls: usize| {
        format!("__device__ void f(int a, int b) {{ {body} }}")
            + &in_kernel(&"f(1, 2);".repeat(calls))
    };
    vec![
        (
            "calls of one thing that folds away",
            folded(&format!("if (0) {{ {} }}", "a = b;".repeat(1_500)), 1_000),
        ),
        (
            "calls of much that folds away",
            folded(&"if (0) a = b;".repeat(1_000), 1_000),
        ),
        (
            "calls of much without effect",
            folded(&"1;".repeat(3_000), 1_000),
        ),
        (
            "casts of calls to arrays",
            format!(
                "typedef int A[2]; {}",
                in_kernel(&format!("n = {};", nested("(A)abs(", "1", ")", 28)))
            ),
        ),
        (
            "lambdas that call lambdas",
            in_kernel(&format!(
                "auto f0 = [&](int x) {{ return x; }}; {} s[f400(1)] = 1;",
                chain(400, |i| format!(
                    "auto f{} = [&](int x) {{ return f{i}(x) + f{i}(x); }};",
                    i + 1
                ))
            )),
        ),
        (
            "a lambda that copies much",
            in_kernel(&format!(
                "auto f = [=]() {{ {} }}; f();",
                chain(3_000, |i| format!("a{i};"))
            )),
        ),
        (
            "a function of many overloads",
            chain(500, |_| {
                "__device__ int f(int a, int b) { return 1; }".to_owned()
            }) + &in_kernel(&"s[f(1)] = 1;".repeat(600)),
        ),
    ]
}

fn control() -> Vec<(&'static str, String)> {
    let shifted = chain(1_200, |i| format!("a{i} = a{};", i + 1));
    vec![
        (
            "many loops",
            in_kernel(&"for (; n < 9; n++) s[n] = n;".repeat(700)),
        ),
        (
            "many loops of few turns",
            in_kernel(&"for (int i = 0; i < 64; i++);".repeat(1_500)),
        ),
        (
            "a wholly unrolled endless loop",
            in_kernel(
                "\n#pragma unroll\nfor (unsigned i = 0; i < 4000000000u; i++) s[i & 63] = 1;",
            ),
        ),
        (
            "unrolled loops in one another",
            in_kernel(&format!(
                "{} s[0] = 1;",
                chain(40, |i| format!(
                    "\n#pragma unroll\nfor (int i{i} = 0; i{i} < 64; i{i}++)"
                ))
            )),
        ),
        (
            "loops of no turns in one another",
            in_kernel(&format!(
                "{} s[0] = 1;",
                chain(80, |i| format!("for (int i{i} = 0; i{i} < 0; i{i}++)"))
            )),
        ),
        (
            "values that wander through variables",
            in_kernel(&format!(
                "int {}; for (; n; n--) {{ s[a0] = 1; {shifted} a1200 = s[n]; }}",
                listed(1_201, |i| format!("a{i} = 0"))
            )),
        ),
        (
            "many barriers",
            in_kernel(&"s[n] = n; __syncthreads();".repeat(1_200)),
        ),
        (
            "branches with two ends",
            in_kernel(&"if (n) s[0] = 1; else s[1] = 1;".repeat(800)),
        ),
        (
            "switches of many cases",
            in_kernel(
                &format!(
                    "switch (n) {{ {} }}",
                    chain(120, |i| format!("case {i}: s[{i} % 64] = 1; break;"))
                )
                .repeat(7),
            ),
        ),
        (
            "one switch of many cases",
            in_kernel(&format!(
                "switch (n) {{ {} }}",
                chain(1_000, |i| format!("case {i}: s[{i} % 64] = 1; break;"))
            )),
        ),
        (
            "cases that fall into one another",
            in_kernel(&format!(
                "switch (n) {{ {} }}",
                chain(1_000, |i| format!("case {i}: s[{i} % 64] = 1;"))
            )),
        ),
        (
            "many labels",
            in_kernel(&format!(
                "switch (n) {{ default: s[1] = 2; {} s[0] = 1; }}",
                chain(3_000, |i| format!("case {i}:"))
            )),
        ),
        (
            "switches in one another",
            in_kernel(&nested("switch (n) { case 1: ", "s[0] = 1;", "}", 45)),
        ),
        (
            "leaving by what memory holds",
            in_kernel(&format!(
                "for (;;) {{ {} }}",
                "if (s[n]) break;".repeat(1_200)
            )),
        ),
    ]
}

fn expressions() -> Vec<(&'static str, String)> {
    vec![
        (
            "choices of what to load",
            in_kernel(&"n = n ? s[n] : in[n];".repeat(800)),
        ),
        (
            "conditions that load",
            in_kernel(&"n = n && s[n];".repeat(900)),
        ),
        (
            "choices in one another",
            in_kernel(&format!("n = {};", nested("n ? (", "1", ") : 2", 60)).repeat(40)),
        ),
        (
            "sizes of elements of nothing",
            in_kernel(&format!("n = {};", nested("sizeof(q[", "1", "])", 22))),
        ),
        (
            "lists given to elements by lists",
            in_kernel(&format!(
                "__shared__ int q[4]; {};",
                nested("q[", "0", "] = {1}", 20)
            )),
        ),
        (
            "arrows",
            "struct A { A* p; int x; }; __global__ void k(A* a, int n) {".to_owned()
                + &format!("n = a{}->x;", "->p".repeat(80)).repeat(30)
                + "}",
        ),
        (
            "addresses of everything",
            in_kernel(&format!(
                "int {}; {}",
                listed(1_000, |i| format!("a{i}")),
                chain(1_000, |i| format!("f(&a{i});"))
            )),
        ),
    ]
}

fn names() -> Vec<(&'static str, String)> {
    let long = |at: usize| format!("{}{at:04}", "abcdefghij".repeat(6));
    vec![
        (
            "long names that are nearly alike",
            in_kernel(&format!(
                "int {}; {}",
                listed(1_500, long),
                chain(130, |i| long(9_000 + i) + ";")
            )),
        ),
        (
            "many functions and others of nearly their names",
            chain(1_200, |i| format!("__device__ void {}() {{}}", long(i)))
                + &in_kernel(&chain(130, |i| long(9_000 + i) + "();")),
        ),
        (
            "members that a wide structure lacks",
            format!(
                "struct A {{ {} }};",
                chain(3_000, |i| format!("int a{i:04};"))
            ) + &in_kernel(&format!("A a; {}", chain(130, |i| format!("a.b{i:04};")))),
        ),
        (
            "a name of many parts",
            in_kernel(&format!("n = {}b;", "a::".repeat(8_000))),
        ),
        (
            "many mistakes",
            in_kernel(&chain(4_000, |i| format!("q{i};"))),
        ),
        (
            "a name of 200,000 letters",
            in_kernel(&format!(
                "int {}; {}b;",
                "a".repeat(200_000),
                "a".repeat(30_000)
            )),
        ),
    ]
}

fn macros() -> Vec<(&'static str, String)> {
    vec![
        (
            "a token pasted to itself",
            format!(
                "#define P(a) a{}\n{}",
                "##a".repeat(8_000),
                in_kernel("int P(abcdefgh);")
            ),
        ),
        (
            "a macro of many parameters",
            format!(
                "#define F({}) {}\n{}",
                listed(1_500, |i| format!("a{i}")),
                chain(1_500, |i| format!("a{i} ")),
                in_kernel(&format!("F({});", listed(1_500, |_| "1".to_owned())))
            ),
        ),
        (
            "a deep macro used often",
            format!(
                "#define A0 1\n{}\n{}",
                chain(250, |i| format!("#define A{} A{i}\n", i + 1)),
                in_kernel(&"n = A249;".repeat(500))
            ),
        ),
        (
            "macros in one another's arguments",
            format!(
                "#define F(x) x x\n{}",
                in_kernel(&format!("n = {};", nested("F(", "1", ")", 40)))
            ),
        ),
        (
            "many directives",
            "#define E 1\n#undef E\n".repeat(6_000) + &in_kernel("s[0] = 1;"),
        ),
        (
            "conditions one after another",
            "#if 1 + 1\n#endif\n".repeat(3_000) + &in_kernel("s[0] = 1;"),
        ),
    ]
}

fn texts() -> Vec<(&'static str, String)> {
    vec![
        (
            "a string of 64 KiB",
            in_kernel(&format!("printf(\"{}\");", "a".repeat(1 << 16))),
        ),
        ("strings without end", "\"\n".repeat(30_000)),
        ("comments that begin and never end", "/*".repeat(100_000)),
        (
            "a number of 200,000 digits",
            in_kernel(&format!("s[0] = {};", "1".repeat(200_000))),
        ),
        (
            "lines that go on",
            "\\\n".repeat(100_000) + &in_kernel("s[0] = 1;"),
        ),
        ("dots", ".".repeat(60_000)),
        (
            "values in brackets that never end",
            "x = ((((1\n".repeat(3_000),
        ),
        (
            "variables of many values",
            chain(2_000, |i| format!("x{i} = 1 … 4096\n")),
        ),
    ]
}
