use crate::run::{golden, lanescope};

/// `lanescope trace` of a text, as CSV.
fn traced(text: &str) -> crate::run::Ran {
    lanescope(&["trace", "-", "--format", "csv"], text.as_bytes())
}

#[test]
fn every_measured_row_agrees() {
    let path = golden("h200_patterns.csv");
    let ran = lanescope(
        &["trace", path.to_str().expect("a path"), "--format", "csv"],
        b"",
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let predicted: Vec<Vec<&str>> = ran
        .out
        .lines()
        .map(|line| line.split(',').collect())
        .collect();
    assert_eq!(
        predicted[0],
        ["row", "instruction", "wavefronts", "conflicts", "sectors"]
    );
    let mut reader = csv::Reader::from_path(&path).expect("the golden rows");
    let measured: Vec<csv::StringRecord> = reader
        .records()
        .map(|record| record.expect("a row"))
        .collect();
    assert_eq!(predicted.len(), measured.len() + 1);
    for (index, (row, counters)) in predicted[1..].iter().zip(&measured).enumerate() {
        assert_eq!(row[0], (index + 1).to_string());
        assert_eq!(row[1], &counters[0]);
        assert_eq!(
            row[2..5],
            [&counters[2], &counters[3], &counters[4]],
            "{row:?}"
        );
    }
}

#[test]
fn the_table_says_how_many_rows_agree() {
    let path = golden("h200_patterns.csv");
    let ran = lanescope(&["trace", path.to_str().expect("a path")], b"");
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.out
            .ends_with("2244 of 2244 rows agree with the measured columns (cc9.0)\n")
    );
}

#[test]
fn every_measured_copy_with_a_rule_agrees() {
    for (name, rows) in [("h200_cp_async.csv", 152), ("h100_cp_async.csv", 1771)] {
        let path = golden(name);
        let ran = lanescope(&["trace", path.to_str().expect("a path")], b"");
        let words = format!("{rows} of {rows} rows agree with the measured columns (cc9.0)\n");
        assert_eq!(ran.code, Some(0));
        assert!(ran.out.ends_with(&words), "{name}");
    }
}

#[test]
fn copies_have_sectors_of_the_launch_and_of_the_page() {
    // Rows of 256 bytes, written 272 bytes apart: half of a unit on either side of each row.
    let titles: String = (0..32)
        .map(|lane| format!(",lane{lane},source{lane}"))
        .collect();
    let padded = |lane: u64| format!(",{},{}", lane / 16 * 272 + lane % 16 * 16, lane * 16);
    let cells: String = (0..32).map(padded).collect();
    let text = format!("instruction{titles}\ncp.async.cg.16{cells}\ncp.async.ca.16{cells}\n");
    let ran = traced(&text);
    let expected = "row,instruction,wavefronts,conflicts,sectors,page_sectors,at_least\n\
        1,cp.async.cg.16,8,0,18,24,wavefronts\n\
        2,cp.async.ca.16,4,0,16,16,\n";
    assert_eq!(ran.out, expected);
    let json = lanescope(&["trace", "-", "--format", "json"], text.as_bytes());
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    let row = &json["rows"][0];
    assert_eq!(
        (&row["sectors"], &row["page_sectors"]),
        (&18.into(), &24.into())
    );
    assert_eq!(
        (&row["at_least"], &row["conflicts"]),
        (&true.into(), &0.into())
    );
}

#[test]
fn bad_rows_are_named_by_line_and_column_and_the_rest_is_answered() {
    let text = "instruction,lane0,lane1\n\
        ld.shared.b32,0,128\n\
        ld.shared.b32,0,x\n\
        ld.shared.b32,-4,0\n\
        ld.shared.b32,0\n\
        ld.shared.b32,0,4,8\n\
        mov.b32,0,4\n\
        ld.shared.b32,0,99999999999999999999\n\
        ld.shared.b32,1.5,0\n\
        \"ld.shared.b32,0,4\n\
        ld.shared.b32,0,2\n\
        st.shared.b32,0,4\n";
    let ran = traced(text);
    assert_eq!(ran.code, Some(3));
    insta::assert_snapshot!("trace_bad_rows", format!("{}\n{}", ran.out, ran.err));
}

#[test]
fn columns_stand_in_any_order_among_others() {
    let text = "\u{feff}note,lane1,global_sectors,instruction,lane0,more\r\n\
        \"a, b\",128,,ld.shared.b32,0,1\r\n\
        \"two\r\nlines\",32,2,ld.global.b32,0,\r\n\
        ,,,ld.shared.b64,,\r\n";
    let ran = traced(text);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let expected = "row,instruction,wavefronts,conflicts,sectors\n\
        1,ld.shared.b32,2,1,\n\
        2,ld.global.b32,,,2\n\
        3,ld.shared.b64,0,0,\n";
    assert_eq!(ran.out, expected);
}

#[test]
fn instructions_of_every_kind() {
    let offsets = |stride: u32| {
        (0..32)
            .map(|lane| (lane * stride).to_string())
            .collect::<Vec<_>>()
            .join(",")
    };
    let header = (0..32)
        .map(|lane| format!("lane{lane}"))
        .collect::<Vec<_>>()
        .join(",");
    let rows = [
        ("ld.shared.b8", 1, "1,0,"),
        ("ld.shared.b16", 256, "32,31,"),
        ("ld.shared.b64", 8, "2,0,"),
        ("st.shared.b128", 16, "4,0,"),
        ("ldmatrix.x1", 16, "1,0,"),
        ("ldmatrix.x2.trans", 32, "4,2,"),
        ("ldmatrix.x4", 128, "32,28,"),
        ("stmatrix.x4.trans", 16, "4,0,"),
        ("atom.shared.add.u32", 0, "32,31,"),
        ("ld.global.b128", 16, ",,16"),
        ("st.global.b8", 32, ",,32"),
        ("red.global.add.u32", 4, ",,4"),
    ];
    let text: String = rows
        .iter()
        .map(|(name, stride, _)| format!("{name},{}\n", offsets(*stride)))
        .collect();
    let ran = traced(&format!("instruction,{header}\n{text}"));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    for ((name, _, counts), (index, line)) in rows.iter().zip(ran.out.lines().skip(1).enumerate()) {
        assert_eq!(line, format!("{},{name},{counts}", index + 1));
    }
}

#[test]
fn nothing_to_answer_is_a_failure() {
    let cases = [
        ("", "the file is empty"),
        ("lane0\n0\n", "no column `instruction`"),
        ("instruction\nld.shared.b32\n", "no column `lane0`"),
        ("instruction,lane0,lane0\n", "`lane0` stands twice"),
        ("instruction,lane0\nmov,0\n", "unknown instruction `mov`"),
    ];
    for (text, message) in cases {
        let ran = traced(text);
        assert_eq!(ran.code, Some(1), "{text:?}");
        assert!(ran.err.contains(message), "{}", ran.err);
    }
    let ran = lanescope(&["trace", "/nowhere.csv"], b"");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("cannot open /nowhere.csv"), "{}", ran.err);
}

#[test]
fn a_header_alone_is_an_empty_answer() {
    let ran = traced("instruction,lane0\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(ran.out, "row,instruction,wavefronts,conflicts,sectors\n");
}

#[test]
fn bytes_of_any_kind_end_in_a_message() {
    let header = b"instruction,lane0\n";
    for noise in [
        &[0_u8, 255, 10, 13][..],
        b"\"\"\"\"\"",
        b"\"\n\"\n\"",
        b",,,,,\n\n\n,",
        &[b'"'; 4096],
    ] {
        let ran = lanescope(&["trace", "-"], &[&header[..], noise].concat());
        assert!(matches!(ran.code, Some(0 | 1)), "{noise:?}");
    }
}

#[test]
fn cells_that_a_spreadsheet_would_run_are_quoted() {
    let ran = traced("instruction,lane0\n=cmd(),0\nld.shared.b32,0\n");
    assert!(ran.out.contains("1,'=cmd(),,,\n"), "{}", ran.out);
}

#[test]
fn json_has_counts_and_measurements() {
    let text = "instruction,shared_wavefronts,lane0,lane1\nld.shared.b32,2,0,128\nld.shared.b32,1,0,128\nmov,1,0,0\n";
    let ran = lanescope(&["trace", "-", "--format", "json"], text.as_bytes());
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(
        json["agreement"],
        serde_json::json!({ "rows": 2, "agree": 1 })
    );
    assert_eq!(json["rows"][0]["wavefronts"], 2);
    assert_eq!(json["rows"][0]["agrees"], true);
    assert_eq!(json["rows"][1]["agrees"], false);
    assert_eq!(json["errors"][0]["row"], 3);
    assert_eq!(json["errors"][0]["line"], 4);
    assert_eq!(json["errors"][0]["title"], "instruction");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let path = golden("h200_patterns.csv");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_lanescope"))
        .args(["trace", path.to_str().expect("a path")])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}

/// The golden rows, one offset of one row and the instruction of another damaged.
fn damaged() -> String {
    let text = std::fs::read_to_string(golden("h200_patterns.csv")).expect("the golden rows");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let broken = lines[5].replacen(",,804,", ",,zero,", 1);
    assert_ne!(lines[5], broken);
    lines[5] = broken;
    lines[9] = lines[9].replacen("atom.shared.add.u32", "atom.shared.sub.u64", 1);
    lines.join("\n")
}

#[test]
fn damaged_golden_rows_are_named_in_every_format_and_the_rest_agrees() {
    for format in ["table", "csv", "json"] {
        let ran = lanescope(&["trace", "-", "--format", format], damaged().as_bytes());
        assert_eq!(ran.code, Some(3), "{format}: {}", ran.err);
        match format {
            "json" => {
                let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
                let places: Vec<_> = json["errors"]
                    .as_array()
                    .expect("a list")
                    .iter()
                    .map(|one| [&one["line"], &one["column"], &one["row"], &one["title"]])
                    .collect();
                let places = serde_json::json!(places);
                assert_eq!(
                    places,
                    serde_json::json!([[6, 6, 5, "lane0"], [10, 1, 9, "instruction"]])
                );
                let agreement = serde_json::json!({ "rows": 2242, "agree": 2242 });
                assert_eq!(json["agreement"], agreement);
            }
            _ => {
                let said = format!("{}{}", ran.out, ran.err);
                for place in [
                    "line 6, column 6 (lane0), row 5",
                    "line 10, column 1 (instruction), row 9",
                ] {
                    assert!(said.contains(place), "{format}: {said}");
                }
            }
        }
        if format == "table" {
            assert!(ran.out.contains("2242 of 2242 rows agree"), "{}", ran.out);
        }
        if format == "csv" {
            assert_eq!(ran.out.lines().count(), 2245);
        }
    }
}

#[test]
fn a_damaged_row_of_json_is_named_by_line_and_column() {
    let text = "[{\"instruction\": \"ld.shared.b32\", \"lanes\": [0, 128]},\n {\"instruction\": \"ld.shared.b32\", \"lanes\": [0, -4]}]\n";
    for format in ["table", "csv", "json"] {
        let ran = lanescope(&["trace", "-", "--format", format], text.as_bytes());
        let said = format!("{}{}", ran.out, ran.err);
        match format {
            "json" => {
                let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
                assert_eq!(json["errors"][0]["line"], 2);
                assert_eq!(json["errors"][0]["column"], 48);
                assert_eq!(json["rows"][0]["wavefronts"], 2);
            }
            _ => assert!(said.contains("line 2, column 48"), "{format}: {said}"),
        }
    }
}

#[test]
fn faults_without_end_are_counted_and_not_all_named() {
    let text = format!("instruction,lane0\n{}", "x,y\n".repeat(5_000));
    let ran = traced(&text);
    assert_eq!(ran.err.lines().count(), 101, "{:.400}", ran.err);
    let last = ran.err.lines().last().expect("a line");
    assert!(last.ends_with("more like these"), "{last}");
}

#[test]
fn a_file_reads_as_standard_input_does() {
    let rows = "ld.shared.b32,\"two\r\nlines\",0,128\r\n".repeat(40_000);
    let text = format!("instruction,pattern,lane0,lane1\r\n{rows}");
    let utf16: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("rows.csv");
    let piped = traced(&text);
    for bytes in [text.as_bytes(), &utf16] {
        std::fs::write(&path, bytes).expect("a file");
        let name = path.to_str().expect("a path");
        let ran = lanescope(&["trace", name, "--format", "csv"], b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        assert_eq!(ran.out, piped.out);
    }
    assert_eq!(piped.out.lines().count(), 40_001);
}
