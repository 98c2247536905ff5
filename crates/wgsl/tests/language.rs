//! What the language says, lane by lane: each case computes the index of a store, and the same is computed here.
#![allow(clippy::unwrap_used)]

use lanescope_frontend::{
    Access, ArgumentValue, Budget, End, KernelOptions, NamedLaunch, Severity, SourceOutcome,
    execute,
};
use lanescope_model::{Operation, Space};

/// Declarations, statements before the store, the index, and what it is in lane i.
struct Case {
    declarations: &'static str,
    body: &'static str,
    index: &'static str,
    expected: fn(u32) -> u32,
}

const fn case(body: &'static str, index: &'static str, expected: fn(u32) -> u32) -> Case {
    Case {
        declarations: "",
        body,
        index,
        expected,
    }
}

fn run(text: &str, launch: &NamedLaunch, observe: &mut dyn FnMut(&Access<'_>)) -> SourceOutcome {
    let parsed = lanescope_wgsl::parse(text, &KernelOptions::default());
    let errors: Vec<_> = parsed
        .diagnostics
        .iter()
        .filter(|one| one.severity() == Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{text}");
    let mut observer = |access: &Access<'_>| {
        observe(access);
        true
    };
    let outcome = execute(
        &parsed.program,
        launch,
        32,
        Budget::default(),
        &mut observer,
    );
    assert_eq!(outcome.end, End::Complete, "{text}");
    outcome
}

/// The indices that the lanes store at, and what the run found out.
fn stored(case: &Case) -> (Vec<Option<u32>>, Vec<String>, String) {
    let Case {
        declarations,
        body,
        index,
        ..
    } = case;
    let text = format!(
        "@group(0) @binding(0) var<storage, read_write> o: array<u32>;
        {declarations}
        @compute @workgroup_size(32)
        fn main(@builtin(local_invocation_index) i: u32, @builtin(local_invocation_id) at: vec3u) {{
            {body}
            o[{index}] = 1u;
        }}"
    );
    let mut found = vec![None; 32];
    let mut observe = |access: &Access<'_>| {
        let request = &access.request;
        if request.operation != Operation::Store || request.space != Space::Global {
            return;
        }
        for (lane, address) in request.addresses.iter().enumerate() {
            if request.active.0 >> lane & 1 == 1 {
                found[lane] = u32::try_from((address & 0xff_ffff) / 4).ok();
            }
        }
    };
    let outcome = run(&text, &NamedLaunch::default(), &mut observe);
    let findings = outcome.findings.iter().map(|one| format!("{:?}", one.kind));
    (found, findings.collect(), text)
}

fn check(cases: &[Case]) {
    for case in cases {
        let (found, findings, text) = stored(case);
        let expected: Vec<_> = (0..32).map(|lane| Some((case.expected)(lane))).collect();
        assert_eq!(found, expected, "{text}");
        assert_eq!(findings, [""; 0], "{text}");
    }
}

#[test]
fn operators_and_conversions() {
    check(&[
        case("", "(i * 3u + 7u) % 13u ^ (i << 2u)", |i| {
            ((i * 3 + 7) % 13) ^ (i << 2)
        }),
        case("let n = 16 - i32(i);", "u32(abs(n) / 3)", |i| {
            (16 - i32::try_from(i).unwrap()).unsigned_abs() / 3
        }),
        // A shift counts modulo the width.
        case("", "(i << (i + 32u)) & 1023u", |i| (i << i) & 1023),
        case("", "u32(-3i + i32(i)) & 63u", |i| {
            (-3 + i32::try_from(i).unwrap()).cast_unsigned() & 63
        }),
        case("let x = f32(i) * 1.5;", "u32(x)", |i| i * 3 / 2),
        case("", "u32(-1.5 * f32(i) + 20.0)", |i| {
            if i < 14 { (40 - 3 * i) / 2 } else { 0 }
        }),
        case("", "select(5u, i, i > 7u && i < 20u)", |i| {
            if i > 7 && i < 20 { i } else { 5 }
        }),
        case("", "u32(i % 2u == 0u || i > 20u) * 8u", |i| {
            if i.is_multiple_of(2) || i > 20 { 8 } else { 0 }
        }),
        case("", "bitcast<u32>(bitcast<f32>(i) )", |i| i),
        case("", "bitcast<u32>(f32(i)) >> 23u", |i| {
            #[allow(clippy::cast_precision_loss)]
            let bits = (i as f32).to_bits();
            bits >> 23
        }),
    ]);
}

#[test]
fn functions_of_numbers() {
    check(&[
        case("", "min(i, 9u) + max(i, 20u) + clamp(i, 4u, 6u)", |i| {
            i.min(9) + i.max(20) + i.clamp(4, 6)
        }),
        case("", "countOneBits(i) + countTrailingZeros(i) * 2u", |i| {
            i.count_ones() + i.trailing_zeros() * 2
        }),
        case("", "countLeadingZeros(i)", u32::leading_zeros),
        case("", "firstLeadingBit(i | 1u)", |i| {
            31 - (i | 1).leading_zeros()
        }),
        case("", "firstTrailingBit(i | 64u)", |i| {
            (i | 64).trailing_zeros()
        }),
        case("", "reverseBits(i) >> 24u", |i| i.reverse_bits() >> 24),
        case("", "extractBits(i, 1u, 3u)", |i| (i >> 1) & 7),
        case("", "insertBits(i, 5u, 1u, 3u)", |i| (i & !14) | 10),
        case("", "u32(sign(i32(i) - 9) + 1)", |i| match i.cmp(&9) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 2,
        }),
        // A half goes to the even one.
        case("", "u32(round(f32(i) + 0.5))", |i| i + i % 2),
        case(
            "",
            "u32(floor(f32(i) / 4.0) + fract(f32(i) / 4.0) * 100.0)",
            |i| i / 4 + 25 * (i % 4),
        ),
        case("", "u32(exp2(f32(i % 5u))) + u32(sqrt(f32(i * i)))", |i| {
            (1 << (i % 5)) + i
        }),
        case(
            "",
            "u32(mix(0.0, 64.0, f32(i) / 32.0) + step(9.0, f32(i)))",
            |i| 2 * i + u32::from(i >= 9),
        ),
        case("", "dot(vec3(i, 2u, 3u), vec3(4u, i, 1u))", |i| 6 * i + 3),
        case(
            "let c = cross(vec3(1.0, 0.0, 0.0), vec3(0.0, f32(i), 0.0));",
            "u32(c.z)",
            |i| i,
        ),
        case(
            "",
            "u32(distance(vec2(f32(i), 0.0), vec2(0.0, 0.0)))",
            |i| i,
        ),
        case("", "dot4U8Packed(i, 0x01010103u)", |i| 3 * i),
        case(
            "let b = unpack4xU8(pack4xU8(vec4(i, i + 1u, 2u, 3u)));",
            "b.x + b.y * 64u",
            |i| i + (i + 1) * 64,
        ),
        case(
            "let h = unpack2x16float(pack2x16float(vec2(f32(i), 2.0)));",
            "u32(h.x * h.y)",
            |i| 2 * i,
        ),
    ]);
}

#[test]
fn vectors_matrices_and_structures() {
    check(&[
        case(
            "let v = vec4(i, 1u, 2u, 3u); let w = v.wzyx * 2u;",
            "w.w + w.x",
            |i| 2 * i + 6,
        ),
        case("let v = vec4(1u, 2u, 4u, 8u);", "v[i % 4u]", |i| {
            1 << (i % 4)
        }),
        case(
            "var v = vec3(0u); v[i % 3u] = 7u; v.y += i;",
            "v.x + v.y * 8u + v.z * 64u",
            |i| match i % 3 {
                0 => 7 + i * 8,
                1 => (7 + i) * 8,
                _ => i * 8 + 7 * 64,
            },
        ),
        case(
            "let m = mat2x3(vec3(1.0, 2.0, 3.0), vec3(4.0, 5.0, f32(i))); let p = m * vec2(1.0, 2.0);",
            "u32(p.x + p.y + p.z)",
            |i| 9 + 12 + 3 + 2 * i,
        ),
        case(
            "var m = mat2x2<f32>(); m[i % 2u][1] = f32(i); let t = transpose(m);",
            "u32(t[1].x + 2.0 * t[1].y)",
            |i| if i.is_multiple_of(2) { i } else { 2 * i },
        ),
        Case {
            declarations: "struct Pair { a: u32, b: vec2<u32> }
                fn twice(p: Pair) -> Pair { return Pair(p.a * 2u, p.b * 2u); }",
            body: "var p = Pair(i, vec2(1u, 2u)); p.b.y = 5u; let q = twice(p);",
            index: "q.a + q.b.x + q.b.y",
            expected: |i| 2 * i + 12,
        },
        Case {
            declarations: "const table = array<u32, 4>(3u, 1u, 4u, 15u);",
            body: "",
            index: "table[i % 4u]",
            expected: |i| [3, 1, 4, 15][i as usize % 4],
        },
        case(
            "let a = array<u32, 3>(i, 5u, 6u);",
            "a[(i + 1u) % 3u] + a[2]",
            |i| [i, 5, 6][(i as usize + 1) % 3] + 6,
        ),
        Case {
            declarations: "fn pick(a: array<u32, 4>, k: u32) -> u32 { return a[k] + a[3]; }",
            body: "let a = array(i, 1u, 2u, 3u);",
            index: "pick(a, i % 4u) + pick(array<u32, 4>(), 0u)",
            expected: |i| [i, 1, 2, 3][i as usize % 4] + 3,
        },
        case(
            "let all = all(vec2(i > 3u, i < 9u)); let any = any(vec2(i == 0u, i == 31u));",
            "u32(all) + 2u * u32(any)",
            |i| u32::from(i > 3 && i < 9) + 2 * u32::from(i == 0 || i == 31),
        ),
    ]);
}

#[test]
fn control_flow() {
    check(&[
        case(
            "var s = 0u; for (var k = 0u; k < i; k++) { if k % 2u == 0u { continue; } s += k; }",
            "s",
            |i| (0..i).filter(|k| k % 2 == 1).sum(),
        ),
        case(
            "var s = 0u; loop { s += 3u; if s > i { break; } continuing { s += 1u; } }",
            "s",
            |i| {
                let mut s = 0;
                loop {
                    s += 3;
                    if s > i {
                        break s;
                    }
                    s += 1;
                }
            },
        ),
        case(
            "var s = 0u; loop { s += 2u; continuing { s += 1u; break if s > i; } }",
            "s",
            |i| 3 * (i / 3 + 1),
        ),
        case(
            "var s = 0u; var k = i; while k != 0u && s < 3u { k = k & (k - 1u); s++; }",
            "s",
            |i| i.count_ones().min(3),
        ),
        case(
            "var s = 0u; switch i % 5u { case 0u, 1u: { s = 7u; } case 2u: { if i > 9u { break; } s = 8u; } default: { s = 9u; } }",
            "s",
            |i| match i % 5 {
                0 | 1 => 7,
                2 if i > 9 => 0,
                2 => 8,
                _ => 9,
            },
        ),
        case(
            "var s = 0u; for (var k = 0u; k < 4u; k++) { switch k { case 1u: { continue; } case 2u: { s += i; } default: { s += 1u; } } s += 10u; }",
            "s",
            |i| 32 + i,
        ),
        // The old value stays what it was.
        case(
            "var k = i; let old = k; k += 5u; k *= 2u;",
            "old + k * 64u",
            |i| i + (i + 5) * 128,
        ),
        case(
            "var a = i; var b = 9u; let t = a; a = b; b = t;",
            "a + 64u * b",
            |i| 9 + 64 * i,
        ),
        // Values of a block before it changes them.
        case(
            "var k = i; for (var j = 0u; j < 3u; j++) { let before = k; k = before * 2u + j; }",
            "k & 1023u",
            |i| (8 * i + 4) & 1023,
        ),
        Case {
            declarations: "fn first(i: u32) -> u32 { for (var k = 0u; k < 8u; k++) { if k * k >= i { return k; } } return 99u; }",
            body: "let a = first(i); let b = first(i + 1u);",
            index: "a + 128u * b",
            expected: |i| {
                let first = |i| (0..8).find(|k| k * k >= i).unwrap_or(99);
                first(i) + 128 * first(i + 1)
            },
        },
        Case {
            declarations: "fn bump(p: ptr<function, u32>, by: u32) -> u32 { let old = *p; *p = old + by; return old; }",
            body: "var k = i; let a = bump(&k, k); let b = bump(&k, 3u);",
            index: "a + 64u * b + 4096u * k",
            expected: |i| i + 64 * 2 * i + 4096 * (2 * i + 3),
        },
        Case {
            declarations: "var<private> count: u32 = 2u; fn next() -> u32 { count += 1u; return count; }",
            body: "let a = next(); let b = next();",
            index: "a + 8u * b + 64u * count",
            expected: |_| 3 + 32 + 256,
        },
    ]);
}

#[test]
fn memory_of_a_thread_and_of_the_workgroup() {
    check(&[
        case(
            "var a: array<u32, 5>; for (var k = 0u; k < 5u; k++) { a[k] = k * i; }",
            "a[i % 5u]",
            |i| (i % 5) * i,
        ),
        case(
            "var a = array<vec2<u32>, 2>(vec2(1u, 2u), vec2(3u, i)); a[i % 2u].x = 9u;",
            "a[0].x + a[1].y",
            |i| i + if i.is_multiple_of(2) { 9 } else { 1 },
        ),
        Case {
            declarations: "fn fill(a: ptr<function, array<u32, 4>>, by: u32) { for (var k = 0u; k < 4u; k++) { (*a)[k] = k + by; } }",
            body: "var a: array<u32, 4>; fill(&a, i);",
            index: "a[3] + a[i % 4u]",
            expected: |i| 3 + i + i % 4 + i,
        },
        Case {
            declarations: "var<workgroup> w: array<u32, 32>;",
            body: "w[31u - i] = i; workgroupBarrier();",
            index: "w[i]",
            expected: |i| 31 - i,
        },
        Case {
            declarations: "var<workgroup> flags: array<bool, 32>;",
            body: "flags[i] = i % 3u == 0u; workgroupBarrier();",
            index: "u32(flags[i ^ 1u])",
            expected: |i| u32::from((i ^ 1).is_multiple_of(3)),
        },
        Case {
            declarations: "struct S { n: u32, v: vec3<u32>, f: f32 } var<workgroup> w: array<S, 32>;",
            body: "w[i] = S(i, vec3(1u, i, 3u), f32(i)); workgroupBarrier(); let s = w[(i + 1u) % 32u];",
            index: "s.n + 64u * s.v.y + u32(s.f)",
            expected: |i| 66 * ((i + 1) % 32),
        },
        Case {
            declarations: "var<workgroup> sum: atomic<u32>;",
            body: "atomicAdd(&sum, i); workgroupBarrier();",
            index: "atomicLoad(&sum)",
            expected: |_| 496,
        },
        // The memory of a workgroup begins as zeros.
        Case {
            declarations: "var<workgroup> w: array<u32, 64>;",
            body: "w[2u * i] = i; workgroupBarrier();",
            index: "w[i] + i",
            expected: |i| i + if i.is_multiple_of(2) { i / 2 } else { 0 },
        },
        Case {
            declarations: "var<workgroup> one: atomic<u32>;",
            body: "atomicStore(&one, 7u); workgroupBarrier(); let r = atomicCompareExchangeWeak(&one, 9u, i);",
            index: "r.old_value + u32(r.exchanged)",
            expected: |_| 7,
        },
        Case {
            declarations: "var<workgroup> n: u32;",
            body: "if i == 3u { n = 21u; }",
            index: "workgroupUniformLoad(&n) + i",
            expected: |i| 21 + i,
        },
    ]);
}

#[test]
fn subgroups() {
    check(&[
        case("", "subgroupShuffleXor(i, 5u)", |i| i ^ 5),
        case("", "subgroupShuffleUp(i, 3u)", |i| {
            if i < 3 { i } else { i - 3 }
        }),
        case("", "subgroupShuffleDown(vec2(i, 2u * i), 4u).y", |i| {
            2 * if i < 28 { i + 4 } else { i }
        }),
        case(
            "",
            "subgroupBroadcast(i * 2u, 7u) + subgroupBroadcastFirst(i + 1u)",
            |_| 15,
        ),
        case(
            "",
            "subgroupAdd(i) + subgroupMax(i) + subgroupMin(i + 4u)",
            |_| 496 + 31 + 4,
        ),
        case("", "subgroupExclusiveAdd(i)", |i| {
            i * i.saturating_sub(1) / 2
        }),
        case("", "subgroupInclusiveAdd(2u)", |i| 2 * i + 2),
        case(
            "let b = subgroupBallot(i % 4u == 0u);",
            "countOneBits(b.x) + b.y",
            |_| 8,
        ),
        case(
            "",
            "u32(subgroupAny(i == 9u)) + 2u * u32(subgroupAll(i < 9u))",
            |_| 1,
        ),
        case("", "quadSwapX(i) + 64u * quadBroadcast(i, 2u)", |i| {
            (i ^ 1) + 64 * ((i & !3) | 2)
        }),
    ]);
}

#[test]
fn a_read_past_the_end_gives_an_element() {
    let past = Case {
        declarations: "var<workgroup> w: array<array<u32, 4>, 8>;",
        body: "w[i / 4u][i % 4u] = i; workgroupBarrier();",
        index: "w[i / 4u][i % 4u + 1u]",
        expected: |i| (i / 4) * 4 + (i % 4 + 1).min(3),
    };
    let below = Case {
        declarations: "var<workgroup> w: array<u32, 32>;",
        body: "w[i] = i; workgroupBarrier();",
        index: "select(40u, w[i - 1u], i > 0u)",
        expected: |i| if i > 0 { i - 1 } else { 40 },
    };
    check(&[past, below]);
}

#[test]
fn a_write_past_the_end_is_said() {
    let case = Case {
        declarations: "var<workgroup> w: array<u32, 16>;",
        body: "w[i] = i;",
        index: "i",
        expected: |i| i,
    };
    let (_, findings, text) = stored(&case);
    assert!(
        findings.iter().any(|one| one.starts_with("OutOfRange")),
        "{findings:?}\n{text}"
    );
}

#[test]
fn a_uniforms_numbers_are_arguments() {
    let text = "struct Shape { columns: u32, scale: vec2<f32> }
        @group(0) @binding(0) var<uniform> shape: Shape;
        @group(0) @binding(1) var<storage, read_write> o: array<u32>;
        @compute @workgroup_size(4)
        fn main(@builtin(global_invocation_id) at: vec3u) {
            o[at.x * shape.columns + u32(shape.scale.y)] = 1u;
        }";
    let launch = NamedLaunch::default()
        .with("shape.columns", ArgumentValue::Integer(5))
        .with("shape.scale.y", ArgumentValue::Real(3.0));
    let mut found = Vec::new();
    run(text, &launch, &mut |access| {
        found.extend(
            access.request.addresses[..4]
                .iter()
                .map(|at| (at & 0xffff) / 4),
        );
    });
    assert_eq!(found, [3, 8, 13, 18]);
}

/// An array of the program begins where the requests to it do.
#[test]
fn arrays_begin_where_the_run_has_them() {
    let text = "@group(0) @binding(0) var<storage, read> a: array<f32>;
        var<workgroup> t: array<f32, 32>;
        @group(0) @binding(1) var<storage, read_write> b: array<f32>;
        @compute @workgroup_size(32) fn main(@builtin(local_invocation_index) i: u32) {
            t[i] = a[i];
            b[i] = t[i];
        }";
    let program = lanescope_wgsl::parse(text, &KernelOptions::default()).program;
    let mut names = Vec::new();
    run(text, &NamedLaunch::default(), &mut |access| {
        let array = program
            .site(access.site)
            .and_then(|site| program.array(site.array?));
        let array = array.unwrap();
        assert_eq!(access.request.addresses[0], array.base, "{}", array.name);
        names.push(array.name.clone());
    });
    assert_eq!(names, ["a", "t", "t", "b"]);
}
