use crate::run::lanescope;
use serde_json::Value;

fn expression(accesses: &str, declarations: &str, more: &[&str]) -> crate::run::Ran {
    let args = ["expr", accesses, "--decl", declarations, "--block", "32,32"];
    lanescope(&[&args[..], more].concat(), b"")
}

fn json(ran: &crate::run::Ran) -> Value {
    serde_json::from_str(&ran.out).expect("JSON")
}

#[test]
fn a_column_is_32_way_and_free_with_a_pitch_of_33() {
    let column = "tile[threadIdx.x][threadIdx.y]";
    let conflicting = expression(column, "float tile[32][32]", &[]);
    assert_eq!((conflicting.code, conflicting.err.as_str()), (Some(0), ""));
    assert!(conflicting.out.starts_with(
        "32-way bank conflict on line 1 (cc9.0): 1024 shared load wavefronts, ideal 32"
    ));
    let free = expression(column, "float tile[32][33]", &[]);
    assert!(
        free.out.starts_with("conflict-free (cc9.0)"),
        "{}",
        free.out
    );
}

#[test]
fn json_has_totals_lines_and_diagnostics() {
    let ran = expression(
        "tile[threadIdx.x][threadIdx.y]",
        "float tile[32][32]",
        &["--op", "store", "--format", "json"],
    );
    let json = json(&ran);
    assert_eq!(json["device"], "cc9.0");
    assert_eq!(json["exact"], true);
    assert_eq!(json["totals"]["shared_store_wavefronts"], 1024);
    assert_eq!(json["totals"]["shared_store_bank_conflicts"], 992);
    assert_eq!(json["totals"]["shared_load_wavefronts"], 0);
    let line = &json["lines"][0];
    let expected = [
        ("line", 1),
        ("requests", 32),
        ("wavefronts", 1024),
        ("ideal_wavefronts", 32),
        ("ways", 32),
    ];
    for (key, value) in expected {
        assert_eq!(line[key], value, "{key}");
    }
    assert_eq!(line["op"], "shared_store");
    assert_eq!(json["diagnostics"], serde_json::json!([]));
}

#[test]
fn diagnostics_count_lines_within_their_field() {
    let ran = expression(
        "tile[tx][ty]\ntile[tx][tz9]",
        "float tile[32][32];\nfloat other[4];",
        &["--format", "json"],
    );
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.contains("tz9"), "{}", ran.err);
    let found = &json(&ran)["diagnostics"][0];
    assert_eq!(
        (&found["within"], &found["line"]),
        (&Value::from("accesses"), &Value::from(2)),
        "{found}"
    );
    assert_eq!(found["code"], "unknown-name");
}

#[test]
fn devices_disagree_where_hardware_does() {
    let on = |device: &str| {
        let ran = lanescope(
            &[
                "expr",
                "t[16*tx]",
                "--decl",
                "int t[512]",
                "--block",
                "32",
                "--device",
                device,
                "--format",
                "json",
            ],
            b"",
        );
        json(&ran)["lines"][0]["wavefronts"].clone()
    };
    assert_eq!(on("cc9.0"), 16);
    assert_eq!(on("cc1.0"), 32);
    assert_eq!(on("custom:4,32,4,none,32,128"), 32);
}

#[test]
fn variables_are_set_by_name() {
    let ways = |value: &str| {
        let ran = expression(
            "s[2*k*tid]",
            "float s[4096]; k = 1, 2, 4, 8",
            &["--set", value, "--format", "json"],
        );
        json(&ran)["lines"][0]["ways"].clone()
    };
    assert_eq!(
        (ways("k=1"), ways("k=8")),
        (Value::from(2), Value::from(16))
    );
}

#[test]
fn the_picture_has_a_title_a_description_and_its_link() {
    let ran = expression("tile[tx][ty]", "float tile[32][33]", &["--format", "svg"]);
    assert!(ran.out.starts_with("<svg ") && ran.out.ends_with("</svg>\n"));
    assert!(ran.out.contains("<metadata>#v=1&amp;c=qr&amp;e=tile[tx][ty]&amp;d=float%20tile[32][33]&amp;b=32,32</metadata>"));
    assert!(ran.out.contains("<title") && ran.out.contains("<desc"));
    assert!(ran.out.len() < 60_000, "{}", ran.out.len());
    assert!(ran.err.contains("block (0, 0, 0), warp 0"), "{}", ran.err);
}

#[test]
fn nothing_to_analyse_is_a_failure() {
    let ran = expression("", "", &["--format", "json"]);
    assert_eq!(json(&ran)["lines"], serde_json::json!([]));
    let ran = expression("nothing[tx]", "", &["--format", "json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert_eq!(json(&ran)["diagnostics"][0]["severity"], "error");
}
