//! The whole kernels whose counters an H200 gave, in their launches.

use lanescope_frontend::{ArgumentValue, KernelOptions, NamedLaunch};
use serde_json::Value;
use std::path::PathBuf;

/// One of them.
pub(crate) struct Measured {
    pub(crate) name: String,
    pub(crate) source: String,
    pub(crate) options: KernelOptions,
    pub(crate) launch: NamedLaunch,
    /// All that is written of it.
    #[allow(dead_code, reason = "not every test looks at the counters")]
    pub(crate) row: Value,
}

/// The folder with what was measured.
pub(crate) fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden")
}

/// The kernels of the list `file`.
pub(crate) fn measured(file: &str) -> Vec<Measured> {
    let text = std::fs::read_to_string(golden().join(file)).unwrap();
    let rows: Vec<Value> = serde_json::from_str(&text).unwrap();
    rows.into_iter().map(one).collect()
}

fn one(row: Value) -> Measured {
    let text = |name: &str| row[name].as_str().unwrap();
    let sides = |name: &str| -> [u32; 3] {
        std::array::from_fn(|i| u32::try_from(row[name][i].as_u64().unwrap()).unwrap())
    };
    let launch = NamedLaunch::new(sides("grid"), sides("block"));
    let mut launch = arguments(launch, text("arguments"));
    launch.dynamic_shared_bytes = row["dynamic_shared_bytes"].as_u64().unwrap_or(0);
    let named = row.get("launch").unwrap_or(&row["kernel"]);
    let name = named.as_str().unwrap().to_owned();
    Measured {
        source: std::fs::read_to_string(golden().join(text("file"))).unwrap(),
        options: KernelOptions {
            kernel: Some(name.clone()),
            ..KernelOptions::default()
        },
        name,
        launch,
        row,
    }
}

/// `in:f32[1024] n=1024`: sizes of buffers and values of numbers.
fn arguments(launch: NamedLaunch, text: &str) -> NamedLaunch {
    text.split_whitespace().fold(launch, |launch, word| {
        let (name, value) = word.split_once('=').unwrap_or_else(|| {
            let (name, rest) = word.split_once(':').unwrap();
            (name, rest.split(['[', ']']).nth(1).unwrap())
        });
        let value = value.parse().map_or_else(
            |_| ArgumentValue::Real(value.parse().unwrap()),
            ArgumentValue::Integer,
        );
        launch.with(name, value)
    })
}
