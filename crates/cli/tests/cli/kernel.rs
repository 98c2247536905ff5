use crate::run::{Ran, golden, lanescope};
use serde_json::Value;

/// `lanescope kernel` of a golden entry, as JSON.
fn analysed(entry: &Value) -> Ran {
    let file = golden(entry["file"].as_str().expect("a file"));
    let extent = |name: &str| {
        let numbers = entry[name]
            .as_array()
            .expect("numbers")
            .iter()
            .map(Value::to_string);
        numbers.collect::<Vec<_>>().join(",")
    };
    let mut args: Vec<String> = ["kernel", file.to_str().expect("a path"), "--format", "json"]
        .map(String::from)
        .into();
    args.extend([
        "--grid".to_owned(),
        extent("grid"),
        "--block".to_owned(),
        extent("block"),
    ]);
    let launch = entry["launch"]
        .as_str()
        .or(entry["kernel"].as_str())
        .expect("a name");
    args.extend(["--kernel".to_owned(), launch.to_owned()]);
    if let Some(bytes) = entry["dynamic_shared_bytes"].as_u64() {
        args.extend(["--dynamic-shared".to_owned(), bytes.to_string()]);
    }
    for argument in entry["arguments"].as_str().expect("a list").split(' ') {
        args.extend([
            "--arg".to_owned(),
            argument.replacen(':', "=", usize::from(argument.contains(':'))),
        ]);
    }
    lanescope(&args.iter().map(String::as_str).collect::<Vec<_>>(), b"")
}

fn entries(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(golden(file)).expect("the golden kernels");
    serde_json::from_str(&text).expect("JSON")
}

/// The totals that differ from what was measured.
fn differences(entry: &Value) -> Vec<String> {
    let ran = analysed(entry);
    let name = &entry["kernel"];
    let Ok(json) = serde_json::from_str::<Value>(&ran.out) else {
        return vec![format!("{name}: {:?} {}", ran.code, ran.err)];
    };
    let totals = json["totals"].as_object().expect("totals");
    let differ = totals
        .iter()
        .filter(|(key, count)| entry["measured"][key.as_str()] != **count);
    let mut found: Vec<String> = differ
        .map(|(key, count)| format!("{name}: {key} {count}, measured {}", entry["measured"][key]))
        .collect();
    if json["exact"] != true || ran.code != Some(0) {
        found.push(format!(
            "{name}: exact {}, exit {:?}, {}",
            json["exact"], ran.code, ran.err
        ));
    }
    found
}

#[test]
fn every_measured_kernel_agrees() {
    let found: Vec<String> = entries("h200_kernels.json")
        .iter()
        .flat_map(differences)
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_further_measured_kernel_agrees() {
    let found: Vec<String> = entries("h200_more_kernels.json")
        .iter()
        .flat_map(differences)
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
