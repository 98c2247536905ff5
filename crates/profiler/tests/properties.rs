//! No text makes the reader panic, and what it reads is bounded by the text.

use lanescope_profiler::{Prediction, compare, detects, listing, parameter_types, read};
use proptest::prelude::*;

const EXPORTS: [&str; 4] = [
    include_str!("../../../tests/golden/profiler/raw_direct.csv"),
    include_str!("../../../tests/golden/profiler/details_names.csv"),
    include_str!("../../../tests/golden/profiler/source_sass_full.csv"),
    include_str!("../../../tests/golden/profiler/source_cuda.csv"),
];

fn everything(text: &str) {
    let is_export = detects(text);
    let Ok(mut export) = read(text) else {
        return;
    };
    assert!(is_export);
    let instructions: usize = export
        .kernels
        .iter()
        .map(|kernel| kernel.instructions.len())
        .sum();
    assert!(instructions <= text.lines().count());
    for kernel in &export.kernels {
        let _ = parameter_types(&kernel.name);
        let lines = listing(kernel).map_or(0, |text| text.lines().count());
        assert!(lines == 0 || lines == kernel.instructions.len() + 2);
        let _ = compare(&Prediction::default(), kernel);
    }
    let launches = export.kernels.len();
    export.join(export.clone());
    assert_eq!(export.kernels.len(), launches);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_text(text in "\\PC*") {
        everything(&text);
    }

    #[test]
    fn rows_of_any_cells(
        title in prop::sample::select(vec![
            "\"ID\",\"Kernel Name\",\"Grid Size\",\"a__b.sum\"",
            "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"",
            "\"Kernel Name\",\"k(int *, T1)\"\n\"Address\",\"Source\",\"Address Space\",\"L1 Wavefronts Shared\"",
            "\"File Path\",\"a.cu\"\n\"Function Name\",\"k\"\n\"Line No\",\"Source\",\"Address\",\"Source\"",
            "\"Line No\",\"Source\"",
        ]),
        rows in prop::collection::vec("(\"?[0-9a-fx\",.()KM -]{0,9}\"?,){0,6}\n", 0..40),
    ) {
        everything(&format!("{title}\n{}", rows.concat()));
    }

    #[test]
    fn exports_that_were_damaged(
        which in 0..EXPORTS.len(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..400, "[\"\n,;0-9é=]{0,3}"), 0..6),
    ) {
        let mut text: Vec<char> = EXPORTS[which].chars().take(6_000).collect();
        for (at, length, put) in cuts {
            if text.is_empty() {
                break;
            }
            let start = at.index(text.len());
            let end = (start + length).min(text.len());
            text.splice(start..end, put.chars());
        }
        everything(&text.into_iter().collect::<String>());
    }
}

#[test]
fn a_long_export_takes_time_by_its_length() {
    let mut text = String::from("\"ID\",\"Kernel Name\",\"a__b.sum\"\n");
    for launch in 0..20_000 {
        text.push_str(&format!(
            "\"{launch}\",\"kernel_{launch}(int)\",\"1,024\"\n"
        ));
    }
    let mut export = read(&text).expect("an export");
    export.join(read(&text).expect("an export"));
    assert_eq!(
        (export.kernels.len(), export.names().len()),
        (20_000, 20_000)
    );
}
