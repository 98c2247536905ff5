//! The sizes of types in host code.

use lanescope_cuda::source::host_launch;

/// The bytes of dynamic shared memory of a launch that says them so.
fn bytes(defined: &str, said: &str) -> Option<u64> {
    let source = format!(
        "{defined}\n__global__ void k(int* a) {{}}\nvoid f() {{ k<<<1, 32, {said}>>>(p); }}"
    );
    host_launch(&source, "k", &[])?.dynamic_shared_bytes
}

#[test]
fn structures_have_the_bytes_of_their_members() {
    for (defined, said, expected) in [
        (
            "struct S { float a[32][33]; int b; };",
            "sizeof(S)",
            4 * 32 * 33 + 4,
        ),
        (
            "#define N 8\nstruct S { char c; double d[N + 1]; };",
            "2 * sizeof(struct S)",
            160,
        ),
        (
            "struct __align__(16) S { float x, y, z; };",
            "sizeof(S)",
            16,
        ),
        ("struct alignas(32) S { float4 v; };", "sizeof(S) + 4", 36),
        (
            "struct S { float3 v; char c; float* p, *q[2]; };",
            "sizeof(S)",
            40,
        ),
        (
            "union U { float f[4]; double d; };\nstruct S { char c; U u; };",
            "sizeof(S)",
            24,
        ),
        (
            "struct S { static const int N = 4; S() : a(0) { a = 1; } float get(int i) const { return a; } float a; };",
            "sizeof(S)",
            4,
        ),
        (
            "namespace n { class T { public: unsigned char c[3]; short s; }; }",
            "sizeof(n::T)",
            6,
        ),
        ("", "sizeof(float[4][33])", 528),
        ("", "sizeof(unsigned long long) * 4", 32),
    ] {
        assert_eq!(bytes(defined, said), Some(expected), "{defined} {said}");
    }
    for (defined, said) in [
        ("struct S : T { float a; };", "sizeof(S)"),
        ("struct S { virtual void f(); float a; };", "sizeof(S)"),
        ("struct S { int a : 3; };", "sizeof(S)"),
        ("struct S { Other a; };", "sizeof(S)"),
        ("struct S { S a; };", "sizeof(S)"),
        ("template <int N> struct S { float a[N]; };", "sizeof(S<4>)"),
    ] {
        assert_eq!(bytes(defined, said), None, "{defined} {said}");
    }
}
