//! Launches in the text, changed to another shape.

use lanescope_cuda::source::{LaunchShape, applied, launch_edits};
use lanescope_syntax::Span;

const KERNEL: &str = "#define TILE 32\ntemplate <int N> __global__ void k(int *a, int n) {}\n\
    __global__ void other(int *a) {}\n";

/// The host code with the edits that take its launch from the first shape to the second, each `[grid x, block x, block y, bytes]`.
fn edited(host: &str, shapes: [[u32; 4]; 2]) -> Option<String> {
    let source = format!("{KERNEL}{host}");
    let shapes = shapes.map(|[grid, x, y, bytes]| LaunchShape {
        grid: [grid, 1, 1],
        block: [x, y, 1],
        dynamic_shared_bytes: u64::from(bytes),
    });
    let edits = launch_edits(&source, "k", &[], &[], [&shapes[0], &shapes[1]])?;
    let text = applied(&source, &edits)?;
    Some(text.strip_prefix(KERNEL)?.to_owned())
}

/// Half the threads: `256` to `128`.
fn halved(host: &str) -> Option<String> {
    edited(host, [[4, 256, 1, 0], [4, 128, 1, 0]])
}

#[test]
fn the_block_is_changed_where_it_stands() {
    for (host, expected) in [
        (
            "void f() { k<1><<<4, 256>>>(p, 7); }",
            "void f() { k<1><<<4, 128>>>(p, 7); }",
        ),
        (
            "void f() { k<1><<<4, 256u>>>(p, 7); }",
            "void f() { k<1><<<4, 128u>>>(p, 7); }",
        ),
        (
            "void f() { k<1><<<4, 0x100>>>(p, 7); }",
            "void f() { k<1><<<4, 128>>>(p, 7); }",
        ),
        (
            "void f() { k<1><<<dim3(4), dim3(256)>>>(p, 7); }",
            "void f() { k<1><<<dim3(4), dim3(128)>>>(p, 7); }",
        ),
        (
            "void f() { k<1><<<4, 8 * TILE>>>(p, 7); }",
            "void f() { k<1><<<4, (8 * TILE) / 2>>>(p, 7); }",
        ),
        (
            "void f() { int t = 256; k<1><<<4, t>>>(p, 7); }",
            "void f() { int t = 128; k<1><<<4, t>>>(p, 7); }",
        ),
        (
            "void f() { dim3 b(256), g(4); k<1><<<g, b>>>(p, 7); }",
            "void f() { dim3 b(128), g(4); k<1><<<g, b>>>(p, 7); }",
        ),
        (
            "void f() { dim3 b{256, 1}; k<1><<<4, b>>>(p, 7); }",
            "void f() { dim3 b{128, 1}; k<1><<<4, b>>>(p, 7); }",
        ),
        (
            "void f() { hipLaunchKernelGGL(k<1>, dim3(4), dim3(256), 0, 0, p, 7); }",
            "void f() { hipLaunchKernelGGL(k<1>, dim3(4), dim3(128), 0, 0, p, 7); }",
        ),
        (
            "void f() { auto run = &k; run<<<4, 256>>>(p, 7); }",
            "void f() { auto run = &k; run<<<4, 128>>>(p, 7); }",
        ),
    ] {
        assert_eq!(halved(host).as_deref(), Some(expected), "{host}");
    }
}

/// The runtime's own functions, whose kernel is an argument.
#[test]
fn launches_by_a_function_are_changed() {
    for (host, expected) in [
        (
            "void f() { cudaLaunchKernel((void*)k<1>, dim3(4), dim3(256), args, 0, s); }",
            "void f() { cudaLaunchKernel((void*)k<1>, dim3(4), dim3(128), args, 0, s); }",
        ),
        (
            "void f() { cudaLaunchKernel(&k<1>, 4, 256, args); }",
            "void f() { cudaLaunchKernel(&k<1>, 4, 128, args); }",
        ),
        (
            "void f() { dim3 g(4), b(256); cudaLaunchCooperativeKernel((const void*)k<1>, g, b, args, 0, s); }",
            "void f() { dim3 g(4), b(128); cudaLaunchCooperativeKernel((const void*)k<1>, g, b, args, 0, s); }",
        ),
        (
            "void f() { hipLaunchKernel(reinterpret_cast<void*>(k<1>), 4, 8 * TILE, args, 0, s); }",
            "void f() { hipLaunchKernel(reinterpret_cast<void*>(k<1>), 4, (8 * TILE) / 2, args, 0, s); }",
        ),
        (
            "void f() { cudaLaunchConfig_t c = {0}; c.gridDim = 4; c.blockDim = 256; cudaLaunchKernelEx(&c, k<1>, p, 9); }",
            "void f() { cudaLaunchConfig_t c = {0}; c.gridDim = 4; c.blockDim = 128; cudaLaunchKernelEx(&c, k<1>, p, 9); }",
        ),
        (
            "void f() { cudaLaunchConfig_t c{}; c.gridDim = dim3(4); c.blockDim = dim3(256, 1); cudaLaunchKernelExC(&c, (const void*)k<1>, args); }",
            "void f() { cudaLaunchConfig_t c{}; c.gridDim = dim3(4); c.blockDim = dim3(128, 1); cudaLaunchKernelExC(&c, (const void*)k<1>, args); }",
        ),
        (
            "void f() { int t = 256; cudaLaunchConfig_t c{}; c.gridDim = 1024 / t; c.blockDim = t; cudaLaunchKernelExC(&c, (void*)k<1>, args); }",
            "void f() { int t = 256; cudaLaunchConfig_t c{}; c.gridDim = 1024 / t; c.blockDim = t / 2; cudaLaunchKernelExC(&c, (void*)k<1>, args); }",
        ),
    ] {
        assert_eq!(halved(host).as_deref(), Some(expected), "{host}");
    }
    // What a list sets is not followed.
    let host = "void f() { cudaLaunchConfig_t c = {4, 256}; cudaLaunchKernelEx(&c, k<1>, p, 9); }";
    assert_eq!(halved(host), None);
}

#[test]
fn dynamic_shared_memory_grows_in_a_function_too() {
    let grown = |host: &str| edited(host, [[4, 256, 1, 4096], [4, 256, 1, 4224]]);
    for (host, expected) in [
        (
            "void f() { cudaLaunchKernel((void*)k<1>, 4, 256, args, 4096, s); }",
            "void f() { cudaLaunchKernel((void*)k<1>, 4, 256, args, 4224, s); }",
        ),
        (
            "void f() { cudaLaunchConfig_t c{}; c.gridDim = 4; c.blockDim = 256; c.dynamicSmemBytes = 4096; cudaLaunchKernelExC(&c, (void*)k<1>, args); }",
            "void f() { cudaLaunchConfig_t c{}; c.gridDim = 4; c.blockDim = 256; c.dynamicSmemBytes = 4224; cudaLaunchKernelExC(&c, (void*)k<1>, args); }",
        ),
        (
            "void f() { size_t bytes = TILE * TILE * 4; cudaLaunchKernel((void*)k<1>, 4, 256, args, bytes, s); }",
            "void f() { size_t bytes = TILE * TILE * 4 + 128; cudaLaunchKernel((void*)k<1>, 4, 256, args, bytes, s); }",
        ),
    ] {
        assert_eq!(grown(host).as_deref(), Some(expected), "{host}");
    }
}

#[test]
fn a_name_that_others_take_stays() {
    for (host, expected) in [
        // The grid would double.
        (
            "void f() { int t = 256; k<1><<<1024 / t, t>>>(p, 7); }",
            "void f() { int t = 256; k<1><<<1024 / t, t / 2>>>(p, 7); }",
        ),
        (
            "void f() { int t = 256; k<1><<<4, t>>>(p, 7); other<<<1, t>>>(p); }",
            "void f() { int t = 256; k<1><<<4, t / 2>>>(p, 7); other<<<1, t>>>(p); }",
        ),
        (
            "void f() { dim3 b(256); show(b.x); k<1><<<4, b>>>(p, 7); }",
            "void f() { dim3 b(256); show(b.x); k<1><<<4, dim3(b.x / 2)>>>(p, 7); }",
        ),
    ] {
        assert_eq!(halved(host).as_deref(), Some(expected), "{host}");
    }
}

#[test]
fn a_grid_follows_from_its_block() {
    let wider = |host: &str| edited(host, [[250, 4, 64, 0], [125, 8, 64, 0]]);
    assert_eq!(
        wider("void f() { dim3 b(4, 64); dim3 g((1000 + b.x - 1) / b.x); k<1><<<g, b>>>(p, 1); }")
            .as_deref(),
        Some("void f() { dim3 b(8, 64); dim3 g((1000 + b.x - 1) / b.x); k<1><<<g, b>>>(p, 1); }")
    );
    assert_eq!(
        wider("void f() { dim3 b(4, 64); dim3 g((1000 + 3) / 4); k<1><<<g, b>>>(p, 1); }")
            .as_deref(),
        Some("void f() { dim3 b(8, 64); dim3 g(((1000 + 3) / 4) / 2); k<1><<<g, b>>>(p, 1); }")
    );
}

#[test]
fn dynamic_shared_memory_grows() {
    let grown = |host: &str| edited(host, [[4, 256, 1, 4096], [4, 256, 1, 4224]]);
    for (host, expected) in [
        (
            "void f() { k<1><<<4, 256, 4096>>>(p, 1); }",
            "void f() { k<1><<<4, 256, 4224>>>(p, 1); }",
        ),
        (
            "void f() { k<1><<<4, 256, 32 * 32 * sizeof(float), 0>>>(p, 1); }",
            "void f() { k<1><<<4, 256, 32 * 32 * sizeof(float) + 128, 0>>>(p, 1); }",
        ),
        (
            "void f() { size_t m = TILE * 128; cudaFuncSetAttribute(k<1>, attribute, m); k<1><<<4, 256, m>>>(p, 1); }",
            "void f() { size_t m = TILE * 128 + 128; cudaFuncSetAttribute(k<1>, attribute, m); k<1><<<4, 256, m>>>(p, 1); }",
        ),
    ] {
        assert_eq!(grown(host).as_deref(), Some(expected), "{host}");
    }
    // What grows with the structure that it is the size of has grown.
    let shape = |bytes| LaunchShape {
        grid: [4, 1, 1],
        block: [256, 1, 1],
        dynamic_shared_bytes: bytes,
    };
    let source = "struct Tile { float a[32][32]; };\n__global__ void k() {}\n\
                  void f() { k<<<4, 256, sizeof(Tile)>>>(); }";
    let at = source.rfind("[32]").unwrap() + 1;
    let done = [(Span::new(at, at + 2), "33".to_owned())];
    let grown_with = |done: &[(Span, String)]| {
        launch_edits(source, "k", &[], done, [&shape(4096), &shape(4220)])
    };
    assert_eq!(grown_with(&done), Some(Vec::new()));
    let edits = grown_with(&[]).unwrap();
    let text = applied(source, &edits).unwrap();
    assert!(text.contains("sizeof(Tile) + 124>>>"), "{text}");
    // What the attribute asks for would be too little.
    let apart =
        "void f() { cudaFuncSetAttribute(k<1>, attribute, 4096); k<1><<<4, 256, 4096>>>(p, 1); }";
    assert_eq!(grown(apart), None);
    // More than a kernel gets unasked.
    let host = "void f() { k<1><<<4, 256, 49152>>>(p, 1); }";
    assert_eq!(edited(host, [[4, 256, 1, 49152], [4, 256, 1, 49280]]), None);
}

#[test]
fn what_is_not_known_is_left_alone() {
    // The grid is not known, and stays.
    assert_eq!(
        halved("void f(int n) { k<1><<<n / 256, 256>>>(p, n); }").as_deref(),
        Some("void f(int n) { k<1><<<n / 256, 128>>>(p, n); }")
    );
    assert_eq!(
        halved("void f(int n) { int t = 256; k<1><<<n / t, t>>>(p, n); }"),
        Some("void f(int n) { int t = 256; k<1><<<n / t, t / 2>>>(p, n); }".to_owned())
    );
    for host in [
        "void f(int t) { k<1><<<4, t>>>(p, 1); }",
        "void f() { for (int t = 32; t < 512; t *= 2) k<1><<<4, t>>>(p, 1); }",
        "void f() { k<1><<<4, 64>>>(p, 1); }",
        "void f() { k<1><<<4, 64>>>(p, 1); k<2><<<4, 32>>>(p, 1); }",
        "void f() { k<1><<<4, 256>>>(p, 1); k<2><<<4, 33>>>(p, 1); }",
        "void f() { other<<<4, 256>>>(p); }",
    ] {
        assert_eq!(halved(host), None, "{host}");
    }
    // A launch of another shape changes by the same factor.
    assert_eq!(
        halved("void f() { k<1><<<4, 256>>>(p, 1); k<2><<<8, dim3(64)>>>(p, 1); }").as_deref(),
        Some("void f() { k<1><<<4, 128>>>(p, 1); k<2><<<8, dim3(32)>>>(p, 1); }")
    );
    // Launched twice alike: both change.
    assert_eq!(
        halved("void f() { k<1><<<4, 256>>>(p, 1); k<1><<<4, 256>>>(q, 1); }").as_deref(),
        Some("void f() { k<1><<<4, 128>>>(p, 1); k<1><<<4, 128>>>(q, 1); }")
    );
}

#[test]
fn edits_that_are_made_anyhow_count() {
    let source =
        "const int T = 256; __global__ void k(int* a) {} void f() { k<<<1024 / T, T>>>(p); }";
    let shape = |x| LaunchShape {
        grid: [4, 1, 1],
        block: [x, 1, 1],
        dynamic_shared_bytes: 0,
    };
    let at = source.find("256").unwrap();
    let done = [(Span::new(at, at + 3), "128".to_owned())];
    let more = launch_edits(source, "k", &[], &done, [&shape(256), &shape(128)]).unwrap();
    let text = applied(source, &[done.as_slice(), &more].concat()).unwrap();
    assert!(text.contains("k<<<(1024 / T) / 2, T>>>"), "{text}");
}
