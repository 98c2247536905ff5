//! Exports of our own kernels from an H200 (`tests/golden/profiler/README.md`).

use lanescope_profiler::{
    Export, Page, ProfilerError, Total, Value, View, detects, listing, parameter_types, read,
};

macro_rules! export {
    ($name:literal) => {
        include_str!(concat!("../../../tests/golden/profiler/", $name))
    };
}

fn export(text: &str) -> Export {
    assert!(detects(text));
    read(text).expect("an export")
}

const LAUNCHES: [&str; 9] = [
    "transpose_naive(const float *, float *, int, int)",
    "transpose_tiled(const float *, float *, int, int)",
    "void transpose_padded<float, 1>(const T1 *, T1 *, int, int)",
    "transpose_swizzled(const float *, float *, int, int)",
    "reduce_interleaved(const float *, float *)",
    "histogram(const unsigned char *, unsigned int *, int)",
    "scale_strided(float *, float, int)",
    "gather(const float *, const int *, float *)",
    "transpose_tiled(const float *, float *, int, int)",
];

#[test]
fn the_raw_page_has_every_launch() {
    let export = export(export!("raw.csv"));
    assert_eq!(export.page, Page::Raw);
    let names: Vec<&str> = export
        .kernels
        .iter()
        .map(|kernel| kernel.name.as_str())
        .collect();
    assert_eq!(names, LAUNCHES);
    let tiled = &export.kernels[1];
    assert_eq!(
        (tiled.grid, tiled.block),
        (Some([4, 4, 1]), Some([32, 32, 1]))
    );
    assert_eq!(tiled.compute_capability, Some((9, 0)));
    assert_eq!(
        tiled.metric(Total::SharedLoadWavefronts.metric()),
        Some(Value::Count(16_384))
    );
}

#[test]
fn units_change_no_number() {
    let (scaled, base) = (
        export(export!("raw.csv")),
        export(export!("raw_base_units.csv")),
    );
    let mut compared = 0;
    for (one, other) in scaled.kernels.iter().zip(&base.kernels) {
        for (name, value) in &one.metrics {
            let (Some(a), Some(b)) = (
                value.count(),
                other.metrics.get(name).and_then(|value| value.count()),
            ) else {
                continue;
            };
            assert_eq!(a, b, "{}: {name}", one.name);
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn the_profilers_own_lines_and_the_programs_output_are_passed_over() {
    let export = export(export!("raw_direct.csv"));
    let grids: Vec<_> = export.kernels.iter().map(|kernel| kernel.grid).collect();
    assert_eq!(grids, [Some([4, 4, 1]), Some([2, 2, 1])]);
}

#[test]
fn the_details_page_has_what_was_asked_for_by_name() {
    let raw = export(export!("raw.csv"));
    for (text, launches) in [
        (export!("details.csv"), &[1, 2, 4][..]),
        (export!("details_names.csv"), &[5]),
    ] {
        let details = export(text);
        assert_eq!(details.page, Page::Details);
        assert_eq!(details.kernels.len(), launches.len());
        for (kernel, launch) in details.kernels.iter().zip(launches) {
            for &total in Total::ALL {
                let name = total.metric();
                assert_eq!(
                    kernel.metric(name),
                    raw.kernels[*launch].metric(name),
                    "{name}"
                );
                assert!(
                    kernel.metric(name).is_some() || name.contains("ldgsts"),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn the_source_page_has_each_launch_once() {
    let source = export(export!("source_sass.csv"));
    assert_eq!(source.page, Page::Source(View::Sass));
    assert_eq!(source.kernels.len(), LAUNCHES.len());
    let naive = &source.kernels[0];
    assert_eq!(naive.instructions.len(), 32);
    let stores = naive
        .instructions
        .iter()
        .filter(|one| one.text.starts_with("STG"));
    let sectors: Vec<_> = stores.map(|one| (one.sectors, one.ideal_sectors)).collect();
    assert_eq!(sectors, [(Some(16_384), Some(2_048))]);
}

#[test]
fn columns_headed_by_metrics_are_read_as_those_headed_by_labels() {
    let source = export(export!("source_sass_metrics.csv"));
    let tiled = &source.kernels[0];
    let counts: Vec<_> = tiled
        .instructions
        .iter()
        .filter(|one| one.access.is_some())
        .map(|one| {
            (
                one.executed,
                one.wavefronts,
                one.ideal_wavefronts,
                one.sectors,
            )
        })
        .collect();
    let load_or_store = (Some(32_768), None, None, Some(131_072));
    let row_store = (Some(32_768), Some(32_768), Some(32_768), None);
    let column_load = (Some(32_768), Some(1_048_576), Some(32_768), None);
    assert_eq!(
        counts,
        [load_or_store, row_store, column_load, load_or_store]
    );
}

#[test]
fn source_beside_sass_has_every_instruction_and_its_line() {
    let both = export(export!("source_cuda_sass.csv"));
    assert_eq!(both.page, Page::Source(View::SourceAndSass));
    let names: Vec<&str> = both
        .kernels
        .iter()
        .map(|kernel| kernel.name.as_str())
        .collect();
    assert_eq!(names, [LAUNCHES[1], LAUNCHES[5], LAUNCHES[8]]);
    let sass = export(export!("source_sass.csv"));
    for (kernel, at) in both.kernels.iter().zip([1, 5, 8]) {
        let other = &sass.kernels[at];
        assert_eq!(
            kernel.instructions.len(),
            other.instructions.len(),
            "{}",
            kernel.name
        );
        for (one, other) in kernel.instructions.iter().zip(&other.instructions) {
            assert_eq!((one.address, &one.text), (other.address, &other.text));
            assert_eq!(one.sectors, other.sectors);
        }
    }
    let atomic = both.kernels[1]
        .instructions
        .iter()
        .find(|one| one.text.starts_with("ATOMS"));
    assert_eq!(
        atomic.and_then(|one| one.source.clone()),
        Some(("device_atomic_functions.hpp".to_owned(), 112))
    );
}

#[test]
fn pages_of_text_hold_the_text() {
    let source = export(export!("source_cuda.csv"));
    assert_eq!(source.page, Page::Source(View::Source));
    assert_eq!(source.texts[0].file, "kernels.cu");
    assert_eq!(source.texts[0].text, export!("kernels.cu"));
    let ptx = export(export!("source_ptx.csv"));
    assert_eq!(ptx.page, Page::Source(View::Ptx));
    assert!(
        ptx.texts[0]
            .text
            .contains(".visible .entry _Z15transpose_naivePKfPfii(")
    );
}

#[test]
fn pages_of_one_report_join() {
    let mut all = export(export!("source_sass.csv"));
    all.join(export(export!("raw.csv")));
    all.join(export(export!("source_sass_full.csv")));
    assert_eq!(all.kernels.len(), LAUNCHES.len());
    for kernel in &all.kernels {
        assert!(
            kernel.grid.is_some() && !kernel.instructions.is_empty(),
            "{}",
            kernel.name
        );
        assert!(parameter_types(&kernel.name).is_some(), "{}", kernel.name);
        let text = listing(kernel).expect("a listing");
        assert_eq!(text.lines().count(), kernel.instructions.len() + 2);
    }
    let second = all
        .chosen(Some("transpose_tiled"), Some(2))
        .expect("a launch");
    assert_eq!(second.grid, Some([2, 2, 1]));
    assert_eq!(
        all.chosen(Some("transpose_tiled"), None),
        Err(ProfilerError::SeveralLaunches {
            name: LAUNCHES[1].to_owned(),
            launches: 2
        })
    );
    assert!(matches!(
        all.chosen(None, None),
        Err(ProfilerError::SeveralKernels { .. })
    ));
    assert!(matches!(
        all.chosen(Some("nothing"), None),
        Err(ProfilerError::UnknownKernel { .. })
    ));
    let padded = all.chosen(Some("transpose_padded<float, 1>"), None);
    assert!(padded.is_ok());
}

#[test]
fn what_is_printed_says_what_the_raw_page_does() {
    let printed = read(export!("details.txt")).unwrap();
    assert_eq!(printed.page, Page::Printed);
    let raw = read(export!("raw.csv")).unwrap();
    assert!(!printed.kernels.is_empty());
    for one in &printed.kernels {
        let other = raw.chosen(Some(&one.name), Some(1)).unwrap();
        assert_eq!((one.grid, one.block), (other.grid, other.block));
        assert_eq!(one.compute_capability, other.compute_capability);
        let both = one.metrics.iter();
        let both = both.filter_map(|(name, value)| Some((name, *value, other.metric(name)?)));
        let both: Vec<_> = both.collect();
        assert!(both.len() >= 8, "{}", both.len());
        for (name, printed, exported) in both {
            assert_eq!(printed, exported, "{name}");
        }
    }
}

#[test]
fn what_is_no_export_is_said() {
    for (text, expected) in [
        ("", ProfilerError::NotAnExport),
        ("a,b\n1,2\n", ProfilerError::NotAnExport),
        ("NVR\0\u{1}", ProfilerError::Binary),
        ("==PROF== Connected to process 1\n", ProfilerError::NotCsv),
        ("\"Session Attribute\",\"Value\"\n", ProfilerError::Session),
        ("\"ID\",\"Kernel Name\",\"x\"\n", ProfilerError::NoKernel),
        (
            "==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM\n",
            ProfilerError::Failed {
                message: "ERR_NVGPUCTRPERM".to_owned(),
            },
        ),
    ] {
        assert_eq!(read(text), Err(expected), "{text:?}");
    }
    assert!(!detects("instruction,lane0\nld.shared.b32,0\n"));
    assert!(!detects("__global__ void k(float* a) { a[0] = 1; }"));
}
