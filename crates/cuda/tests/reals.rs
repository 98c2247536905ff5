//! Functions of real numbers have their values.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_cuda::{parse_expression, parse_kernel};
use lanescope_frontend::{Access, Budget, KernelOptions, NamedLaunch, execute};
use lanescope_model::{Device, Operation, Space};

/// A thousand times the value of an expression, rounded down.
fn thousandfold(expression: &str) -> u64 {
    let access = format!("a[(int)floor(1000.0 * ({expression}) + 1e-6)]");
    let parsed = parse_expression("char a[100000]", &access, Operation::Load);
    assert_eq!(parsed.diagnostics, [], "{expression}");
    let mut found = 0;
    let mut observe = |access: &Access<'_>| {
        found = access.request.addresses[0];
        true
    };
    let launch = NamedLaunch::new([1, 1, 1], [1, 1, 1]);
    execute(
        &parsed.program,
        &launch,
        32,
        Budget::default(),
        &mut observe,
    );
    found
}

#[test]
fn functions_have_their_values() {
    let values = [
        ("rsqrtf(4.0f)", 500),
        ("__frcp_rn(8.0f)", 125),
        ("rcbrt(8.0)", 500),
        ("exp10f(0.5f)", 3162),
        ("sinpi(0.5)", 1000),
        ("cospif(0.0f)", 1000),
        ("normcdf(0.0)", 500),
        ("__saturatef(3.0f)", 1000),
        ("atan2(1.0, 1.0)", 785),
        ("copysign(2.0, 1.0)", 2000),
        ("fdim(5.0, 3.0)", 2000),
        ("hypotf(3.0f, 4.0f)", 5000),
        ("rhypot(3.0, 4.0)", 200),
        ("norm3d(1.0, 2.0, 2.0)", 3000),
        ("erf(1.0)", 842),
        ("erfcf(1.0f)", 157),
        ("tgamma(5.0)", 24000),
        ("lgamma(4.0)", 1791),
        ("expm1f(1.0f)", 1718),
        ("log1p(1.0)", 693),
        ("log10f(50.0f)", 1698),
        ("cbrtf(27.0f)", 3000),
        ("sinh(1.0)", 1175),
        ("coshf(1.0f)", 1543),
        ("atanh(0.5)", 549),
        ("isnan(0.0 / 0.0)", 1000),
        ("isinf(1.0f / 0.0f)", 1000),
        ("isfinite(1.0)", 1000),
    ];
    for (expression, value) in values {
        assert_eq!(thousandfold(expression), value, "{expression}");
    }
}

#[test]
fn what_a_function_takes_is_loaded() {
    let source = "__global__ void k(float* out) {
        __shared__ float s[64];
        s[threadIdx.x] = 1;
        __syncthreads();
        out[threadIdx.x] = rsqrtf(s[63 - threadIdx.x]) * erff(s[threadIdx.x ^ 1]);
    }";
    let parsed = parse_kernel(source, &KernelOptions::default());
    assert_eq!(parsed.diagnostics, []);
    let device = Device::by_id("cc9.0").expect("the H200's profile");
    let mut wavefronts = 0;
    let mut count = |access: &Access<'_>| {
        let request = &access.request;
        if request.space == Space::Shared && request.operation == Operation::Load {
            wavefronts += device
                .shared_counts(request)
                .map_or(0, |counts| counts.wavefronts);
        }
        true
    };
    let launch = NamedLaunch::new([1, 1, 1], [64, 1, 1]);
    execute(&parsed.program, &launch, 32, Budget::default(), &mut count);
    assert_eq!(wavefronts, 4);
}
