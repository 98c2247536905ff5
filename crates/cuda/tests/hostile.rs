//! Sources that are meant to hurt: each ends soon, and none panics.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_cuda::{parse_expression, parse_kernel};
use lanescope_frontend::{
    Access, ArgumentValue, Blocks, Budget, Buffer, Contents, End, KernelOptions, Limits,
    NamedLaunch, Severity, Span, execute,
};
use lanescope_model::Operation;
use proptest::prelude::*;

use crate::list;

use list::{bombs, in_kernel};

fn small() -> Budget {
    Budget {
        requests: 2_000,
        steps: 200_000,
        bytes: 64 << 20,
        ..Budget::default()
    }
}

/// Parses as a kernel and as an expression, runs both, and counts what was asked for.
fn swallow(source: &str) -> u64 {
    let launch = NamedLaunch {
        blocks: Blocks::First(2),
        ..NamedLaunch::new([4, 2, 1], [33, 2, 1])
    }
    .with(
        "in",
        ArgumentValue::Buffer(Buffer {
            elements: Some(64),
            base_offset: 4,
            contents: Contents::Random(7),
        }),
    );
    let mut count = 0;
    let mut observe = |access: &Access<'_>| {
        count += u64::from(access.request.active.count());
        true
    };
    let kernel = parse_kernel(
        source,
        &KernelOptions {
            defines: vec![("N".to_owned(), "4".to_owned())],
            ..KernelOptions::default()
        },
    );
    execute(&kernel.program, &launch, 32, small(), &mut observe);
    let (declarations, accesses) = source.split_at(
        source
            .char_indices()
            .nth(source.chars().count() / 2)
            .map_or(0, |(at, _)| at),
    );
    let expression = parse_expression(declarations, accesses, Operation::Load);
    execute(&expression.program, &launch, 64, small(), &mut observe);
    for one in kernel.diagnostics.iter().chain(&expression.diagnostics) {
        assert!(!one.to_string().is_empty() && one.line > 0 && one.column > 0);
    }
    count
}

#[test]
fn bombs_end_soon() {
    let bombs = bombs();
    assert!(bombs.len() >= 40);
    for (name, source) in bombs {
        // The name of the one that hurts stands last in a failing test's output.
        println!("{name}");
        swallow(&source);
    }
}

#[test]
fn each_limit_holds_at_its_number_and_not_past_it() {
    let limits = Limits::DEFAULT;
    let says = |source: &str, code: &str| {
        parse_kernel(source, &KernelOptions::default())
            .diagnostics
            .iter()
            .any(|one| one.kind.code() == code)
    };
    let padded = |bytes: u64| {
        format!(
            "{}{}",
            in_kernel("s[0] = 1;"),
            " ".repeat(usize::try_from(bytes).unwrap() - in_kernel("s[0] = 1;").len())
        )
    };
    assert!(!says(&padded(limits.read_bytes), "source-too-long"));
    assert!(says(&padded(limits.read_bytes + 1), "source-too-long"));
    let named = |bytes: u64| {
        let name = "x".repeat(usize::try_from(bytes).unwrap() - "int;".len());
        format!("int {name};")
    };
    assert!(!says(&named(limits.source_bytes), "source-too-long"));
    assert!(says(&named(limits.source_bytes + 1), "source-too-long"));
    let tokens = |count: u64| ";".repeat(usize::try_from(count).unwrap());
    assert!(!says(&tokens(limits.tokens), "too-many-tokens"));
    assert!(says(&tokens(limits.tokens + 1), "too-many-tokens"));
    let conditions = |count: usize| "#if 1\n".repeat(count) + &"#endif\n".repeat(count);
    assert!(!says(&conditions(64), "too-deep"));
    assert!(says(&conditions(65), "too-deep"));
    let values = |count: u64| {
        let parsed = parse_expression(
            &format!("float t[4]\nx = 1 … {count}"),
            "t[x % 4]",
            Operation::Load,
        );
        (
            parsed.program.variables()[0].values.len() as u64,
            parsed
                .diagnostics
                .iter()
                .any(|one| one.kind.code() == "too-many-values"),
        )
    };
    assert_eq!(values(limits.values), (limits.values, false));
    assert_eq!(values(limits.values + 1), (limits.values, true));
    let all = |variables: u64, more: u64| {
        let many: String = (0..variables)
            .map(|i| format!("x{i} = 1 … {}\n", limits.values))
            .collect();
        let declarations = format!("float t[4]\n{many}y = 1 … {more}");
        let parsed = parse_expression(&declarations, "t[y % 4]", Operation::Load);
        let codes: Vec<_> = parsed
            .diagnostics
            .iter()
            .map(|one| one.kind.code())
            .collect();
        let given = parsed.program.variables().iter();
        (given.map(|one| one.values.len() as u64).sum::<u64>(), codes)
    };
    let most = limits.all_values / limits.values;
    assert_eq!(all(most - 1, limits.values), (limits.all_values, vec![]));
    let (given, codes) = all(most, 2);
    assert_eq!(
        (given, codes),
        (limits.all_values + 1, vec!["too-many-values"])
    );
}

/// Each of these takes so many, and one more is too many.
#[test]
fn each_limit_of_a_program_holds_at_its_number_and_not_past_it() {
    type Source = fn(usize) -> String;
    let steps = usize::try_from(Limits::DEFAULT.steps).unwrap();
    // A call is a statement and an expression and costs 32 more; the array and every `;` are statements.
    let body = 20_000;
    let rest = steps - 1 - 3 * (2 + 32 + body);
    let cases: [(&str, usize, Source); 7] = [
        ("too-many-steps", rest, |count| {
            format!(
                "__device__ void f() {{ {} }} {}",
                ";".repeat(20_000),
                in_kernel(&format!(
                    "s[0] = 1; f(); f(); f(); {}",
                    ";".repeat(count - 4)
                ))
            )
        }),
        ("too-many-types", 256, |count| {
            let uses: String = (0..count).map(|i| format!("A<{i}> a{i};")).collect();
            format!(
                "template <int N> struct A {{ int x; }}; {}",
                in_kernel(&format!("s[0] = 1; {uses}"))
            )
        }),
        ("too-many-bytes", 1 << 16, |count| {
            in_kernel(&format!("s[0] = 1; char a[{count}];"))
        }),
        ("too-deep", 32, |count| {
            let inside: String = (1..count)
                .map(|i| format!("struct A{i} {{ A{} a; }};", i - 1))
                .collect();
            format!(
                "struct A0 {{ int x; }}; {inside} {}",
                in_kernel(&format!("s[0] = 1; A{} *a;", count - 1))
            )
        }),
        ("too-deep", 32, |count| {
            let inside: String = (0..count)
                .map(|i| format!("typedef A{i} A{}[2];", i + 1))
                .collect();
            let uses = format!("s[0] = 1; A{count} *a;");
            format!("typedef int A0; {inside} {}", in_kernel(&uses))
        }),
        ("too-deep", 256, |count| {
            let inside: String = (1..count)
                .map(|i| format!("#define A{i} A{}\n", i - 1))
                .collect();
            format!(
                "#define A0 1\n{inside}{}",
                in_kernel(&format!("s[0] = A{};", count - 1))
            )
        }),
        ("too-deep", 72, |count| {
            let inside: String = (1..count)
                .map(|i| format!("__device__ void f{i}() {{ f{}(); }}", i - 1))
                .collect();
            format!(
                "__device__ void f0() {{}} {inside} {}",
                in_kernel(&format!("s[0] = 1; f{}();", count - 1))
            )
        }),
    ];
    for (code, most, source) in cases {
        let says = |count: usize| {
            let parsed = parse_kernel(&source(count), &KernelOptions::default());
            let found = parsed.diagnostics.iter();
            let found: Vec<_> = found
                .filter(|one| one.severity() == Severity::Error)
                .map(|one| (one.kind.code(), one.span != Span::default()))
                .collect();
            (found, parsed.program.sites().len())
        };
        assert_eq!(says(most), (vec![], 1), "{code}, {most}");
        assert_eq!(says(most + 1).0, [(code, true)], "{code}, {}", most + 1);
    }
}

#[test]
fn a_text_past_a_limit_says_that_alone() {
    let kernel = in_kernel("s[0] = unknown;");
    let doubling = "#define A (A0 A0)\n#define A0 (A1 A1)\n".to_owned()
        + &(1..20).fold(String::new(), |text, i| {
            text + &format!("#define A{i} (A{0} A{0})\n", i + 1)
        });
    let long = in_kernel(&format!("s[0] = unknown; {}", ";".repeat(40_000)));
    for (source, code) in [
        (long, "too-many-tokens"),
        (format!("{doubling}{kernel} A"), "too-many-tokens"),
        (format!("{kernel}{}", "#if 1\n".repeat(100)), "too-deep"),
    ] {
        let parsed = parse_kernel(&source, &KernelOptions::default());
        let codes: Vec<_> = parsed
            .diagnostics
            .iter()
            .map(|one| one.kind.code())
            .collect();
        assert_eq!(codes.first(), Some(&code));
        assert!(!codes.contains(&"unknown-name"), "{codes:?}");
        assert!(parsed.program.sites().is_empty());
    }
}

/// What the kernel `k` needs is counted, however long or deep or wrong the rest is.
#[test]
fn limits_count_what_the_kernel_needs_alone() {
    let kernel = "__device__ float twice(float x) { return 2 * x; } \
        __global__ void k(float *a) { a[threadIdx.x] = twice(1); }";
    let table = |name: &str| {
        let rows = "{ 1, 2.5f, 0x3 }, ".repeat(6_000);
        format!("const struct {{ int a; float b; int c; }} {name}[] = {{ {rows} }};")
    };
    let deep = format!(
        "int deep(int x) {{ return {}x{}; }}",
        "(".repeat(200),
        ")".repeat(200)
    );
    let host: String = (0..2_000)
        .map(|i| {
            format!("float host{i}(float x) {{ float y = x * {i}; return y + unknown{i}; }}\n")
        })
        .collect();
    let others: String = (0..2_000)
        .map(|i| format!("__global__ void other{i}(float *a) {{ a[0] = twice({i}) + unknown; }}\n"))
        .collect();
    let raw = "const char *text = R\"x(it's \" not )\" C\n#if 0\n(((((((()x\";\n";
    for (what, rest) in [
        ("a table", table("rows")),
        ("a deep function of the host", deep),
        ("functions of the host", host),
        ("other kernels", others),
        ("a raw literal", raw.to_owned()),
    ] {
        for source in [format!("{rest}\n{kernel}"), format!("{kernel}\n{rest}")] {
            let options = KernelOptions {
                kernel: Some("k".to_owned()),
                ..KernelOptions::default()
            };
            let parsed = parse_kernel(&source, &options);
            let errors = parsed.diagnostics.iter();
            let errors: Vec<_> = errors
                .filter(|one| one.severity() == Severity::Error)
                .collect();
            assert!(errors.is_empty(), "{what}: {errors:?}");
            assert_eq!(parsed.program.sites().len(), 1, "{what}");
            assert!(
                parsed.program.kernels().iter().any(|name| **name == *"k"),
                "{what}"
            );
        }
    }
    // What the kernel does need counts.
    let uses = format!(
        "{} __global__ void k(float *a) {{ a[threadIdx.x] = rows[1].b; }}",
        table("rows")
    );
    let codes: Vec<_> = parse_kernel(&uses, &KernelOptions::default())
        .diagnostics
        .iter()
        .map(|one| one.kind.code())
        .collect();
    assert_eq!(codes, ["too-many-tokens"]);
}

/// A long source still says which kernels it has, and without a name its last one that does something is taken.
#[test]
fn a_long_source_keeps_the_names_of_its_kernels() {
    let filler: String = (0..2_000)
        .map(|i| format!("float host{i}(float x) {{ float y = x * {i}; return y + 1; }}\n"))
        .collect();
    let source = format!(
        "__global__ void first(float *a) {{ a[threadIdx.x * 2] = 1; }} {filler} \
        __global__ void second(float *a) {{ a[threadIdx.x] = 1; }} __global__ void idle(float *a) {{}}"
    );
    let parsed = parse_kernel(&source, &KernelOptions::default());
    let names: Vec<String> = parsed
        .program
        .kernels()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(names, ["first", "second", "idle"]);
    assert_eq!(
        (&*parsed.program.name, parsed.program.sites().len()),
        ("second", 1)
    );
}

#[test]
fn a_budget_holds_at_its_number_and_not_past_it() {
    let program = parse_kernel(
        &in_kernel("for (int i = 0; i < 10; i++) s[threadIdx.x + i] = i;"),
        &KernelOptions::default(),
    )
    .program;
    let run = |budget: Budget| {
        let outcome = execute(
            &program,
            &NamedLaunch::default(),
            32,
            budget,
            &mut |_: &Access<'_>| true,
        );
        (outcome.end, outcome.requests)
    };
    assert_eq!(
        run(Budget {
            requests: 10,
            ..Budget::default()
        }),
        (End::Complete, 10)
    );
    assert_eq!(
        run(Budget {
            requests: 9,
            ..Budget::default()
        }),
        (End::Requests, 9)
    );
    let steps = execute(
        &program,
        &NamedLaunch::default(),
        32,
        Budget::default(),
        &mut |_: &Access<'_>| true,
    )
    .steps;
    assert_eq!(
        run(Budget {
            steps,
            ..Budget::default()
        })
        .0,
        End::Complete
    );
    assert_eq!(
        run(Budget {
            steps: steps - 1,
            ..Budget::default()
        })
        .0,
        End::Steps
    );
    assert_eq!(
        run(Budget {
            bytes: 0,
            ..Budget::default()
        })
        .0,
        End::Bytes
    );
}

#[test]
fn blocks_without_work_take_of_the_budget() {
    let program = parse_kernel("__global__ void f() {}", &KernelOptions::default()).program;
    let launch = NamedLaunch::new([u32::MAX, 65_535, 65_535], [1024, 1, 1]);
    let outcome = execute(&program, &launch, 32, small(), &mut |_: &Access<'_>| true);
    assert_eq!(outcome.end, End::Steps);
    assert!(outcome.blocks_done > 0);
}

#[test]
fn an_observer_may_stop_the_run() {
    let program = parse_kernel(
        &in_kernel("for (int i = 0; i < 10; i++) s[threadIdx.x + i] = i;"),
        &KernelOptions::default(),
    )
    .program;
    let mut left = 3;
    let outcome = execute(
        &program,
        &NamedLaunch::default(),
        32,
        Budget::default(),
        &mut |_: &Access<'_>| {
            left -= 1;
            left > 0
        },
    );
    assert_eq!((outcome.end, outcome.requests), (End::Observer, 3));
}

const WORDS: [&str; 84] = [
    "int",
    "float",
    "unsigned",
    "float4",
    "__shared__",
    "const",
    "volatile",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "struct",
    "template",
    "<",
    ">",
    "typename",
    "T",
    "s",
    "in",
    "n",
    "x",
    "y",
    "i",
    "threadIdx",
    ".x",
    ".y",
    "blockIdx",
    "blockDim",
    "(",
    ")",
    "(",
    ")",
    "[",
    "]",
    "[",
    "]",
    "{",
    "}",
    ";",
    ";",
    ",",
    "=",
    "+=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "==",
    "!=",
    "&&",
    "||",
    "?",
    ":",
    "++",
    "--",
    "!",
    "~",
    "1",
    "0",
    "2u",
    "31",
    "1.5f",
    "__syncthreads()",
    "atomicAdd",
    "__shfl_xor_sync",
    "min",
    "sizeof",
    "\n",
    "\n#define A ",
    "...",
    "->",
];

/// A statement that parses, of what programs are made of.
fn statement() -> impl Strategy<Value = String> {
    let expr = prop_oneof![
        Just("threadIdx.x".to_owned()),
        Just("i".to_owned()),
        Just("n".to_owned()),
        Just("s[i & 63]".to_owned()),
        Just("in[i]".to_owned()),
        Just("v.x".to_owned()),
        (0..70_i64).prop_map(|n| n.to_string()),
    ]
    .prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (
                inner.clone(),
                prop::sample::select(vec![
                    "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "==", "&&", "||"
                ]),
                inner.clone()
            )
                .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
            (
                inner.clone(),
                prop::sample::select(vec!["min", "max"]),
                inner.clone()
            )
                .prop_map(|(a, f, b)| format!("{f}({a}, {b})")),
            inner.prop_map(|a| format!("f((int){a})")),
        ]
    });
    let leaf = prop_oneof![
        (expr.clone(), expr.clone()).prop_map(|(a, b)| format!("s[(unsigned)({a}) % 64u] = {b};")),
        expr.clone().prop_map(|a| format!("i = {a};")),
        expr.clone().prop_map(|a| format!("i += {a};")),
        expr.clone().prop_map(|a| format!("in[{a}] += i++;")),
        expr.clone()
            .prop_map(|a| format!("v = make_float2({a}, i);")),
        expr.clone()
            .prop_map(|a| format!("local[({a}) & 3] = i; i ^= local[1];")),
        expr.clone()
            .prop_map(|a| format!("i = atomicAdd((int*)&s[({a}) & 63], 1);")),
        expr.clone()
            .prop_map(|a| format!("i += __shfl_down_sync(~0u, {a}, 3);")),
        Just("__syncthreads();".to_owned()),
        Just("break;".to_owned()),
        Just("continue;".to_owned()),
        Just("return;".to_owned()),
    ];
    let expr = expr.boxed();
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let block =
            prop::collection::vec(inner, 1..4).prop_map(|list| format!("{{ {} }}", list.join(" ")));
        prop_oneof![
            (expr.clone(), block.clone()).prop_map(|(a, b)| format!("if ({a}) {b}")),
            (expr.clone(), block.clone(), block.clone())
                .prop_map(|(a, b, c)| format!("if ({a}) {b} else {c}")),
            (expr.clone(), block.clone())
                .prop_map(|(a, b)| format!("for (int j = 0; j < 3 && {a}; j++) {b}")),
            (expr.clone(), block.clone())
                .prop_map(|(a, b)| format!("while (({a}) > i) {{ i++; {b} }}")),
            (expr.clone(), block.clone())
                .prop_map(|(a, b)| format!("do {b} while (i++ < 5 && {a});")),
            (expr.clone(), block.clone(), block).prop_map(|(a, b, c)| format!(
                "switch ({a}) {{ case 1: {b} case 2: {c} break; default: i = 3; }}"
            )),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_it_panic(source in "\\PC{0,200}") {
        swallow(&source);
    }

    #[test]
    fn no_words_make_it_panic(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..80)) {
        let text = words.join(" ");
        swallow(&text);
        swallow(&in_kernel(&text));
    }

    #[test]
    fn no_program_makes_it_panic(list in prop::collection::vec(statement(), 1..6)) {
        let body = list.join("\n");
        let source = format!("__device__ int f(int a) {{ if (a > 3) return a * 2; return a; }}\n{}", in_kernel(&format!("int i = threadIdx.x; float2 v; int local[4];\n{body}\ns[i & 63] = v.y;")));
        let parsed = parse_kernel(&source, &KernelOptions::default());
        prop_assert!(parsed.diagnostics.iter().all(|one| !matches!(one.kind.code(), "expected" | "unknown-name")), "{source}\n{:?}", parsed.diagnostics);
        swallow(&source);
    }
}

/// What takes a warp as long as hundreds of additions counts for as many steps: else a budget of steps is no bound on time.
/// A kernel that calls `depth` functions inside one another, each of them other than the next.
fn nested_calls(depth: usize) -> String {
    let functions: String = (1..depth)
        .map(|i| {
            format!(
                "__device__ int f{i}(int n) {{ return f{}(n) + 1; }}\n",
                i - 1
            )
        })
        .collect();
    let first = "__device__ int f0(int n) { return n; }\n";
    format!(
        "{first}{functions}__global__ void k(float* a) {{ a[f{}(threadIdx.x)] = 1; }}",
        depth - 1
    )
}

/// A text that is cut short is taken for what of it could be read; a structure may then stand within itself.
#[test]
fn texts_that_are_torn_do_not_panic() {
    for torn in [
        "#include <cuda/barrier>",
        "struct B { union { signed char n; bool is; }; B { union { signed char n; bool is; }; };
         __global__ void k(const float* in, float* out) { B x[1] = {B{6}, B{4}}; out[0] = in[x[0].n]; }",
        "struct __align__(q6) Q { float a; int b; __align__(q6) Q { float a; int b; float c, #d; };
         __global__ void k(float* out, const Q* in) { Q q{1.0f, 2}; out[0] = q.a; }",
        "struct B { int n; }; struct D : E, B { int at() const { revice int n; struct E { int m; };
         struct D : E, B { int m; }; __global__ void k(int* out) { D d{{1}, 2}; out[0] = d.m; }",
        "struct B { int n; __device__ int at() const { return n; } }; struct E { int m; };
         struct D : E, B { __device__ int at() const { torn__ int at() const { return n; } }; struct E { int m; };
         struct D : E, B { __device__ int at() const { return n * 4; } };
         __device__ int f(const B& b) { return b.at(); } __device__ int g(const B* b) { return b->at(); }
         __global__ void k(const float* a, const float* b, float* out) { int t ~= threadIdx.x, i = blockIdx.xe n * 4; } };
         __device__ int f(const B& b) { return b.at(); } __device__ int g(const B* b) { return b->at(); }
         __global__ void k(const float* a, const float* b, float* out) { int t ~= threadIdx.x, i = blockIdx.x;
         D d; d.n = t; d.m = 2; out[i] = a[d.at()] + b[f(d)] + a[g(&d) * 2]; }",
    ] {
        swallow(torn);
    }
}

#[test]
fn functions_inside_one_another_are_no_recursion() {
    use lanescope_frontend::DiagnosticKind as Kind;
    let said = |depth| {
        let parsed = parse_kernel(&nested_calls(depth), &KernelOptions::default());
        let kinds = parsed.diagnostics.into_iter().map(|one| one.kind);
        kinds.collect::<Vec<_>>()
    };
    assert_eq!(said(25), []);
    assert_eq!(said(64), []);
    let deep = said(100);
    assert!(
        deep.iter().any(|kind| matches!(kind, Kind::TooDeep { .. })),
        "{deep:?}"
    );
    assert!(
        !deep
            .iter()
            .any(|kind| matches!(kind, Kind::Recursion { .. })),
        "{deep:?}"
    );
}

#[test]
fn instances_of_a_template_are_no_recursion() {
    use lanescope_frontend::DiagnosticKind as Kind;
    let source = "template <int N> __device__ int f() { return f<N + 1>(); }
__global__ void k(float* a) { a[f<0>()] = 1; }";
    let parsed = parse_kernel(source, &KernelOptions::default());
    let kinds: Vec<_> = parsed.diagnostics.into_iter().map(|one| one.kind).collect();
    let is_deep = |kind: &Kind| matches!(kind, Kind::TooDeep { .. });
    let is_recursion = |kind: &Kind| matches!(kind, Kind::Recursion { .. });
    assert!(kinds.iter().any(is_deep), "{kinds:?}");
    assert!(!kinds.iter().any(is_recursion), "{kinds:?}");
}
