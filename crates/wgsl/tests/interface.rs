//! What a text binds.
#![allow(missing_docs, clippy::unwrap_used)]

use lanescope_frontend::{Diagnostic, KernelOptions, Severity};
use lanescope_wgsl::{Binding, Holds, Interface, read};

fn interface(text: &str, defines: &[(&str, &str)]) -> Interface {
    let pair = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
    let options = KernelOptions {
        defines: defines.iter().map(pair).collect(),
        ..KernelOptions::default()
    };
    let (parsed, interface) = read(text, &options);
    let mut errors = parsed.diagnostics.iter();
    let is_error = |one: &Diagnostic| one.severity() == Severity::Error;
    assert!(!errors.any(is_error), "{:?}", parsed.diagnostics);
    interface.unwrap()
}

const TEXT: &str = "
    @id(7) override SIDE: u32 = 4;
    override SCALE: f32;
    override TWICE = true;
    struct Shape { rows: u32, at: vec3<f32>, last: u32 }
    struct Points { count: u32, all: array<vec3<f32>> }
    @group(0) @binding(0) var<storage, read> input: Points;
    @group(1) @binding(3) var<storage, read_write> output: array<f32>;
    @group(0) @binding(1) var<uniform> scale: f32;
    @group(0) @binding(2) var<uniform> shape: Shape;
    @group(0) @binding(4) var<uniform> table: array<vec4<f32>, 3>;
    @group(0) @binding(5) var<storage, read> unused: array<u32>;
    var<workgroup> tile: array<f32, SIDE>;
    @compute @workgroup_size(SIDE, 2)
    fn k(@builtin(local_invocation_index) i: u32) {
        tile[i % SIDE] = input.all[i].x * scale * SCALE + shape.at.x + table[i % 3].x;
        workgroupBarrier();
        output[i] = tile[i % SIDE];
    }";

#[test]
fn bindings_are_those_that_the_kernel_uses_with_their_groups_and_sizes() {
    let told = interface(TEXT, &[("SCALE", "2.5")]);
    let of = |group, binding, name: &str, least_bytes, holds| Binding {
        group,
        binding,
        name: name.to_owned(),
        least_bytes,
        holds,
    };
    let read = Holds::Buffer {
        is_read: true,
        is_written: false,
    };
    let written = Holds::Buffer {
        is_read: false,
        is_written: true,
    };
    assert_eq!(
        told.bindings,
        [
            of(0, 0, "input", 32, read),
            of(1, 3, "output", 4, written),
            of(0, 1, "scale", 4, Holds::Numbers { offset: 0 }),
            of(0, 2, "shape", 32, Holds::Numbers { offset: 16 }),
            of(0, 4, "table", 48, Holds::UniformBuffer),
        ]
    );
    assert_eq!((told.entry.as_str(), told.workgroup_bytes), ("k", 16));
}

#[test]
fn overrides_that_the_launch_says_are_told_to_the_pipeline_and_sizes_follow_them() {
    let told = interface(TEXT, &[("SCALE", "2.5")]);
    assert_eq!(told.workgroup_size, [4, 2, 1]);
    assert_eq!(told.constants, [("SCALE".to_owned(), 2.5)]);
    let told = interface(
        TEXT,
        &[("SCALE", "2.5"), ("SIDE", "16"), ("TWICE", "false")],
    );
    assert_eq!(told.workgroup_size, [16, 2, 1]);
    assert_eq!(
        told.constants,
        [
            ("7".to_owned(), 16.0),
            ("SCALE".to_owned(), 2.5),
            ("TWICE".to_owned(), 0.0)
        ]
    );
    let options = KernelOptions {
        defines: vec![("SCALE".to_owned(), "2.5".to_owned())],
        ..KernelOptions::default()
    };
    let overrides = read(TEXT, &options).0.program.overrides;
    let expected = [("SIDE", "4"), ("SCALE", "2.5"), ("TWICE", "true")];
    assert_eq!(
        overrides,
        expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
    );
}

#[test]
fn a_text_with_a_mistake_binds_nothing() {
    let options = KernelOptions::default();
    assert_eq!(read("@compute fn k() { x }", &options).1, None);
    assert_eq!(read("fn k() {} // @group", &options).1, None);
}

/// The size of the workgroup of `text` with a block of another size, and what of the text says it then.
fn resized(text: &str, block: [u32; 3]) -> (String, Vec<String>) {
    let options = KernelOptions::default();
    let resized = lanescope_wgsl::resized(text, &options, block).expect("another size");
    let options = KernelOptions {
        defines: resized.defines,
        ..options
    };
    let (_, interface) = lanescope_wgsl::read(&resized.source, &options);
    assert_eq!(interface.expect("a kernel").workgroup_size, block);
    assert_eq!(resized.source.lines().count(), text.lines().count());
    (resized.source, resized.overrides)
}

#[test]
fn another_size_of_the_workgroup_is_written_or_is_an_overrides_value() {
    let text = "override SIDE = 8; // @workgroup_size(1) fn last
        @compute @workgroup_size(64) fn first(@builtin(local_invocation_index) i: u32) {}
        @compute @workgroup_size(SIDE, /* rows */ SIDE * 2) fn last(@builtin(local_invocation_index) i: u32) {}";
    let (source, overrides) = resized(text, [16, 32, 1]);
    assert_eq!(
        (source.as_str(), overrides.as_slice()),
        (text, ["SIDE".to_owned()].as_slice())
    );
    let (source, overrides) = resized(text, [8, 4, 2]);
    assert!(
        source.contains("@workgroup_size(SIDE, /* rows */ 4, 2) fn last"),
        "{source}"
    );
    assert!(source.contains("@workgroup_size(64) fn first") && overrides.is_empty());
    let plain = "@compute @workgroup_size(64,) fn k(@builtin(local_invocation_index) i: u32) {}";
    assert!(
        resized(plain, [128, 1, 1])
            .0
            .contains("@workgroup_size(128,)")
    );
    assert!(
        resized(plain, [8, 8, 2])
            .0
            .contains("@workgroup_size(8, 8, 2,)")
    );
}

#[test]
fn the_same_size_changes_nothing_and_one_that_there_cannot_be_is_refused() {
    let text = "@compute @workgroup_size(64) fn k(@builtin(local_invocation_index) i: u32) {}";
    let options = KernelOptions::default();
    assert_eq!(lanescope_wgsl::resized(text, &options, [64, 1, 1]), None);
    for block in [[0, 1, 1], [100_000, 1, 1]] {
        let resized = lanescope_wgsl::resized(text, &options, block).expect("a text");
        let (parsed, interface) = read(&resized.source, &options);
        assert!(interface.is_none() && !parsed.diagnostics.is_empty());
    }
    assert_eq!(
        lanescope_wgsl::resized("fn f() { x", &options, [32, 1, 1]),
        None
    );
}
