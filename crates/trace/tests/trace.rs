//! Traces in every form, and what is wrong with them.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use lanescope_model::Device;
use lanescope_trace::{Answer, FaultKind, Row, Totals, Trace, TraceError};
use proptest::prelude::*;
use std::fmt::Write as _;

fn device() -> &'static Device {
    Default::default()
}

fn rows(text: &str) -> Vec<Row> {
    let mut trace = Trace::open(text).unwrap();
    std::iter::from_fn(|| trace.next_row(device())).collect()
}

#[test]
fn semicolons_and_tabs_part_columns_too() {
    for separator in [',', ';', '\t'] {
        let text = "instruction,lane0,lane1,lane2\nld.shared.b32,0,128,\nld.shared.b32,,4,132\n";
        let text = text.replace(',', &separator.to_string());
        assert_eq!(ways(&text), [Some(2), Some(2)], "{separator:?}");
        let bare = "0,128,\n,4,132\n".replace(',', &separator.to_string());
        assert_eq!(rows(&bare).len(), 2, "{separator:?}");
    }
    assert_eq!(ways("0;128\n0;256"), [Some(2), Some(2)]);
}

#[test]
fn places_in_json_count_characters_of_their_line() {
    let text = "[[0,\"é\"],[0, x!],\n [0,\n  -4]]";
    let places: Vec<(usize, usize)> = rows(text)
        .iter()
        .flat_map(|row| row.faults.iter().map(|fault| (fault.line, fault.column)))
        .collect();
    assert_eq!(places, [(1, 5), (1, 15), (3, 3)]);
}

#[test]
fn what_is_wrong_between_rows_of_json_is_named() {
    use lanescope_trace::JsonExpected as Expected;
    let cases = [
        ("[[0,4],[4,8]", 3, (1, 13), Expected::End),
        ("[[0,4],\n[4,8],", 3, (2, 7), Expected::End),
        ("[[0,4],[4,8],]", 3, (1, 14), Expected::Row),
        ("[[0,4],,[4,8]]", 3, (1, 8), Expected::Row),
        (
            "[{\"lanes\":[0],\"Lanes\":[4]},[4,8]]",
            2,
            (1, 23),
            Expected::OtherName,
        ),
        (
            "[{\"lane0\":0,\"lane0\":4}]",
            1,
            (1, 21),
            Expected::OtherName,
        ),
        (
            "[{\"x\":0,\"x\":4,\"lanes\":[0]}]",
            1,
            (1, 13),
            Expected::OtherName,
        ),
        ("[{\"lanes\":[0,4],}]", 1, (1, 17), Expected::Value),
        ("[[0,4,]]", 1, (1, 7), Expected::Value),
    ];
    for (text, count, place, expected) in cases {
        let all = rows(text);
        let faults: Vec<_> = all
            .iter()
            .flat_map(|row| &row.faults)
            .map(|fault| {
                (
                    (fault.line, fault.column),
                    fault.kind.clone(),
                    fault.answered,
                )
            })
            .collect();
        assert_eq!(
            faults,
            [(place, FaultKind::Json(expected), false)],
            "{text}"
        );
        assert_eq!(all.len(), count, "{text}");
    }
}

#[test]
fn json_that_is_whole_has_no_faults() {
    for text in [
        "[[0,4],[4,8]]",
        " [ [0,4] , [4,8] ] \n",
        "[]",
        "[0,4]",
        "[0,4]\n[4,8]\n",
        "{\"lanes\":[0,4]}\n{\"lanes\":[4,8]}",
        "[{\"lanes\":[0,4],\"note\":{\"a\":1,\"b\":[2,{}]}}]",
    ] {
        assert!(rows(text).iter().all(|row| row.faults.is_empty()), "{text}");
    }
}

fn ways(text: &str) -> Vec<Option<u32>> {
    let answer = |row: &Row| Answer::of(row, device()).shared().map(|counts| counts.ways);
    rows(text).iter().map(answer).collect()
}

fn totals(text: &str) -> (Totals, Trace) {
    let mut trace = Trace::open(text).unwrap();
    let mut totals = Totals::default();
    loop {
        let mark = trace.mark();
        let Some(row) = trace.next_row(device()) else {
            return (totals, trace);
        };
        totals.add(&row, mark, &Answer::of(&row, device()));
    }
}

#[test]
fn every_form_says_the_same() {
    let forms = [
        "instruction,lane0,lane1,lane2\nld.shared.b32,0,128,256\nld.shared.b32,0,,4\nst.shared.b64,0,8,\n",
        "lane2,lane1,note,lane0,instruction\r\n256,128,a,0,ld.shared.b32\r\n4,,b,0,ld.shared.b32\r\n,8,c,0,st.shared.b64\r\n",
        "0,128,256\n\n0,,4\nst.shared.b64,0,8\n",
        "ld.shared.b32 0 128 256\n0 4\nst.shared.b64 0 8",
        r#"[[0, 128, 256], [0, null, 4], ["st.shared.b64", 0, 8]]"#,
        r#"{"lanes": [0, 128, 256]} {"addresses": [0, null, 4], "more": {"a": [1, {}]}}
           {"lane1": 8, "instruction": "st.shared.b64", "lane0": 0}"#,
        "[0, 128, 256]\n[0, null, 4]\n[\"st.shared.b64\", 0, 8]\n",
    ];
    for form in forms {
        assert_eq!(ways(form), [Some(3), Some(1), Some(1)], "{form}");
        assert!(rows(form).iter().all(|row| row.faults.is_empty()), "{form}");
    }
}

#[test]
fn texts_that_are_no_trace_say_why() {
    let error = |text: &str| Trace::open(text).err();
    assert_eq!(error(""), Some(TraceError::Empty));
    assert_eq!(error(" \n\n"), Some(TraceError::Empty));
    assert_eq!(error("lane0\n0\n"), Some(TraceError::NoInstruction));
    assert_eq!(error("instruction\n"), Some(TraceError::NoLanes));
    let raw = "==PROF== Connected to process 7\n\"ID\",\"Process ID\",\"Kernel Name\"\n\"0\",\"7\",\"f\"\n";
    assert_eq!(error(raw), Some(TraceError::Profiler));
    let twice = TraceError::Twice("lane0".to_owned());
    assert_eq!(error("instruction,lane0,lane0\n"), Some(twice));
}

#[test]
fn a_bad_row_is_named_by_line_and_column_and_the_next_is_read() {
    let text = "[{\"lanes\": [0, 4]},\n {\"lanes\": [0, x!]},\n {\"lanes\": [0, -1]},\n\n {\"lanes\": [0\n {\"lanes\": [0, 8]}]";
    let found = rows(text);
    let places: Vec<_> = found
        .iter()
        .flat_map(|row| &row.faults)
        .map(|fault| (fault.row, fault.line, fault.column))
        .collect();
    assert_eq!(places, [(2, 2, 17), (3, 3, 16), (4, 6, 2)], "{found:#?}");
    let read: Vec<bool> = found.iter().map(|row| row.access.is_some()).collect();
    assert_eq!(read, [true, false, false, false, true]);
    let bare = rows("0,4\n0,x\n0,-4\n0,12");
    assert_eq!(bare[1].faults[0].column, 2);
    assert_eq!(bare[1].faults[0].title, "lane1");
    assert_eq!(bare[2].faults[0].kind, FaultKind::Negative("-4".to_owned()));
    assert!(bare[3].access.is_some());
}

#[test]
fn totals_add_up_and_know_the_worst_rows() {
    let mut text = "instruction,shared_wavefronts,global_sectors,lane0,lane1,lane2\n".to_owned();
    for row in 0..300 {
        let ways = row % 3;
        let _ = writeln!(
            text,
            "ld.shared.b32,1,,0,{},{}",
            128 * (ways / 2),
            128 * ways
        );
    }
    text.push_str("ld.global.b32,,2,0,32,0\nmov,1,1,0,0,0\n");
    let (totals, trace) = totals(&text);
    assert_eq!(
        (totals.rows, totals.answered, totals.malformed),
        (302, 301, 1)
    );
    assert_eq!(
        (totals.wavefronts, totals.ideal_wavefronts, totals.conflicts),
        (600, 300, 300)
    );
    assert_eq!((totals.units, totals.ideal_units), (2, 1));
    assert_eq!((totals.compared, totals.agreeing), (301, 101));
    let worst = totals.worst();
    assert_eq!(worst.len(), 100);
    assert!(worst.iter().all(|entry| entry.cost == 3));
    assert_eq!((worst[0].row, worst[0].line, worst[1].row), (3, 4, 6));
    assert_eq!(totals.differing()[0].row, 2);
    let again = trace.clone_at(worst[1].mark).next_row(device()).unwrap();
    assert_eq!((again.number, again.line), (6, 7));
    assert_eq!(again.access.unwrap().addresses[..3], [0, 128, 256]);
}

#[test]
fn ten_thousand_rows_are_read() {
    let lanes: Vec<_> = (0..32).map(|lane| format!("lane{lane}")).collect();
    let mut text = format!("instruction,{}\n", lanes.join(","));
    let offsets: Vec<_> = (0..32).map(|lane| (lane * 8).to_string()).collect();
    let line = format!("ld.shared.b32,{}\n", offsets.join(","));
    for _ in 0..10_000 {
        text.push_str(&line);
    }
    let (totals, trace) = totals(&text);
    assert_eq!((totals.rows, totals.wavefronts), (10_000, 20_000));
    assert_eq!(trace.progress(), (text.len(), text.len()));
}

proptest! {
    #[test]
    fn any_text_is_read_to_its_end(text in "[\\PC\n\r\"\\[\\]{},:0-9a-z. -]{0,200}") {
        if let Ok(mut trace) = Trace::open(text.as_str()) {
            let mut count = 0;
            while let Some(row) = trace.next_row(device()) {
                prop_assert!(row.access.is_some() || !row.faults.is_empty());
                count += 1;
                prop_assert!(count <= text.len() + 1);
            }
        }
    }

    #[test]
    fn likely_texts_too(parts in prop::collection::vec(prop::sample::select(vec![
        "[", "]", "{", "}", "\"lanes\"", "\"lane0\"", ":", ",", "0", "128", "null", "\n", "\"", "\\", " ",
        "instruction", "lane0", "ld.shared.b32", "-", "\u{feff}", "é",
    ]), 0..60)) {
        let text = parts.concat();
        if let Ok(mut trace) = Trace::open(text.as_str()) {
            let mut marks = vec![trace.mark()];
            while trace.next_row(device()).is_some() {
                prop_assert_ne!(marks.last(), Some(&trace.mark()));
                marks.push(trace.mark());
            }
            for mark in marks {
                let _ = trace.clone_at(mark).next_row(device());
            }
        }
    }
}

/// One access of each kind as `mem_trace` prints it: 32 addresses, 0 where the lane is off.
fn mem_trace(opcode: &str, address: impl Fn(u64) -> u64) -> String {
    let addresses: Vec<String> = (0..32)
        .map(|lane| format!("0x{:016x}", address(lane)))
        .collect();
    format!(
        "MEMTRACE: CTX 0x00005581 - grid_launch_id 0 - CTA 1,0,0 - warp 3 - {opcode} - {} \n",
        addresses.join(" ")
    )
}

#[test]
fn lines_of_mem_trace_are_rows() {
    let text = [
        "------------- NVBit loaded --------------\n\n".to_owned(),
        "MEMTRACE: CTX 0x00005581 - LAUNCH - Kernel name k(float*) - grid size 2,1,1\n".to_owned(),
        mem_trace("LDG.E", |lane| 0x7f00_0000_0000 + 4 * lane),
        "the program says something\n".to_owned(),
        mem_trace(
            "LDS.64",
            |lane| if lane < 16 { 0x400 + 256 * lane } else { 0 },
        ),
        mem_trace("LDS", |_| 0),
        mem_trace("LDC", |_| 16),
    ];
    let rows = rows(&text.concat());
    let lines: Vec<usize> = rows.iter().map(|row| row.line).collect();
    assert_eq!(lines, [4, 6, 7, 8]);
    assert_eq!(rows[0].pattern, "block 1,0,0, warp 3");
    let answers: Vec<Answer> = rows.iter().map(|row| Answer::of(row, device())).collect();
    assert_eq!(answers[0].global().map(|counts| counts.units), Some(4));
    assert_eq!(
        answers[1].shared().map(|counts| counts.wavefronts),
        Some(16)
    );
    let broadcast = rows[2].access.as_ref().unwrap();
    assert_eq!(broadcast.active.0, u64::from(u32::MAX));
    assert_eq!(
        rows[3].faults[0].kind,
        FaultKind::UnknownInstruction("LDC".to_owned())
    );
}

const TRACEG: &str = "-kernel name = _Z1kPf
-grid dim = (1,1,1)
-block dim = (32,1,1)
-enable lineinfo = 0
-accelsim tracer version = 4

#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate

#BEGIN_TB

thread block = 0,0,0

warp = 0
insts = 6
0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 0
0010 ffffffff 1 R2 LDG.E.SYS 1 R2 4 1 0x7f0000000000 4 0
0020 0000000f 1 R2 LDG.E.64 1 R2 8 2 0x7f0000000000 32 -16 64 0
0030 00000005 0 STS 2 R3 R4 4 0 0x80 0x100 0
0040 ffffffff 1 R2 LDG.E 1 R2 4 7 0x0 0
0050 ffffffff 0 EXIT 0 0 0

#END_TB
";

#[test]
fn lines_of_accel_sim_are_rows() {
    let with_lines = TRACEG
        .replace("lineinfo = 0", "lineinfo = 1")
        .replace("\n00", "\n12 00");
    let older = TRACEG
        .replace(
            "[line_num] PC",
            "threadblock_x threadblock_y threadblock_z warpid_tb PC",
        )
        .replace("\n00", "\n0 0 0 3 00");
    for text in [TRACEG, &with_lines, &older] {
        let rows = rows(text);
        let said: Vec<(usize, &str, &str)> = rows
            .iter()
            .map(|row| (row.line, row.name.as_str(), row.pattern.as_str()))
            .collect();
        assert_eq!(
            said,
            [
                (16, "LDG.E.SYS", "pc 0010"),
                (17, "LDG.E.64", "pc 0020"),
                (18, "STS", "pc 0030"),
                (19, "LDG.E", "pc 0040"),
            ]
        );
        let of = |row: usize| rows[row].access.as_ref().unwrap();
        assert_eq!(of(0).addresses[31], 0x7f00_0000_0000 + 124);
        let steps: Vec<u64> = of(1).addresses[..4]
            .iter()
            .map(|at| at - 0x7f00_0000_0000)
            .collect();
        assert_eq!(steps, [0, 32, 16, 80]);
        assert_eq!((of(2).active.0, of(2).addresses[2]), (0b101, 0x100));
        assert!(matches!(rows[3].faults[0].kind, FaultKind::NoOffset(_)));
    }
}

proptest! {
    #[test]
    fn damaged_recordings_are_read_to_their_end(
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..40, "[ \n0-9a-fx-]{0,4}"), 0..8),
        is_accel_sim in any::<bool>(),
    ) {
        let other = [mem_trace("LDG.E", |lane| lane), mem_trace("ATOMS.ADD", |lane| 4 * lane)].concat();
        let mut text: Vec<char> = if is_accel_sim { TRACEG } else { &other }.chars().collect();
        for (at, length, put) in cuts {
            let start = at.index(text.len() + 1).min(text.len());
            let end = (start + length).min(text.len());
            text.splice(start..end, put.chars());
        }
        let text: String = text.into_iter().collect();
        if let Ok(mut trace) = Trace::open(text.as_str()) {
            let mut rows = 0;
            while trace.next_row(device()).is_some() {
                rows += 1;
            }
            prop_assert!(rows <= text.lines().count());
        }
    }
}

/// Every row of a file of asynchronous copies, answered.
fn copies(text: &str) -> Vec<(Row, Answer)> {
    let rows = rows(text);
    let answered = rows.into_iter().map(|row| {
        let answer = Answer::of(&row, device());
        (row, answer)
    });
    answered.collect()
}

#[test]
fn every_measured_copy_with_a_rule_agrees() {
    let files = [
        include_str!("../../../tests/golden/h200_cp_async.csv"),
        include_str!("../../../tests/golden/h100_cp_async.csv"),
    ];
    for (file, [count, bounds, rivals]) in files.into_iter().zip([[152, 21, 15], [1771, 819, 55]]) {
        let rows = copies(file);
        assert_eq!(rows.len(), count);
        for (row, answer) in &rows {
            assert!(row.faults.is_empty(), "{:?}", row.faults);
            assert_eq!(
                answer.agrees(&row.measured),
                Some(true),
                "row {}",
                row.number
            );
            let sectors = answer.page_sectors().map(u64::from);
            assert_eq!(sectors, row.measured.sectors, "row {}", row.number);
        }
        let of = |test: fn(&Answer) -> bool| rows.iter().filter(|(_, answer)| test(answer)).count();
        assert_eq!(
            [of(Answer::is_bound), of(Answer::has_rivals)],
            [bounds, rivals]
        );
        let (totals, _) = totals(file);
        assert_eq!((totals.compared, totals.agreeing), (count, count));
    }
}

#[test]
fn a_wrong_counter_of_a_copy_does_not_agree() {
    let header: String = (0..32)
        .map(|lane| format!(",lane{lane},source{lane}"))
        .collect();
    let cells: String = (0..32).map(|lane| format!(",{0},{0}", 16 * lane)).collect();
    let agrees = |counts: &str| {
        let titles = "shared_wavefronts,shared_bank_conflicts,global_sectors,l1tex_sectors";
        let text = format!("instruction,{titles}{header}\ncp.async.cg.16,{counts}{cells}\n");
        let rows = copies(&text);
        rows[0].1.agrees(&rows[0].0.measured)
    };
    assert_eq!(agrees("4,0,16,16"), Some(true));
    for wrong in [
        "5,0,16,16",
        "3,0,16,16",
        "4,1,16,16",
        "4,0,17,16",
        "4,0,16,15",
    ] {
        assert_eq!(agrees(wrong), Some(false), "{wrong}");
    }
    assert_eq!(agrees(",,,"), None);
}

#[test]
fn copies_are_read_from_json_and_say_what_they_lack() {
    let list = |of: u64| {
        let lanes: Vec<String> = (0..32).map(|lane| (of * lane).to_string()).collect();
        lanes.join(",")
    };
    let json = format!(
        r#"[{{"instruction": "LDGSTS.E.64", "lanes": [{}], "sources": [{}]}}]"#,
        list(32),
        list(8)
    );
    let [(row, answer)] = &copies(&json)[..] else {
        panic!("one row");
    };
    assert!(row.faults.is_empty(), "{:?}", row.faults);
    assert_eq!(
        (answer.wavefronts(), answer.conflicts(), answer.sectors()),
        (Some(8), Some(6), Some(8))
    );
    let lacking = copies("instruction,lane0,lane1,source0\ncp.async.ca.4,0,4,0\n");
    assert_eq!(lacking[0].0.faults[0].kind, FaultKind::NoSources(1));
    assert!(matches!(lacking[0].1, Answer::Malformed));
}

#[test]
fn a_lane_a_row_is_gathered_into_requests() {
    // Two warps take turns, and the first comes again.
    let mut text = "block,warp,lane,addr\n".to_owned();
    for (warp, stride) in [(0, 128), (1, 4), (0, 8)] {
        for lane in 0..32 {
            text.push_str(&format!("0,{warp},{lane},0x{:x}\n", lane * stride));
        }
    }
    assert_eq!(ways(&text), [Some(32), Some(1), Some(2)]);
    let rows = rows(&text);
    let patterns: Vec<&str> = rows.iter().map(|row| row.pattern.as_str()).collect();
    assert_eq!(
        patterns,
        ["block 0, warp 0", "block 0, warp 1", "block 0, warp 0"]
    );
    let places: Vec<usize> = rows.iter().map(|row| row.line).collect();
    assert_eq!(places, [2, 34, 66]);
}

#[test]
fn the_same_warp_asks_again_where_a_lane_comes_again() {
    assert_eq!(
        ways("warp;lane;addr\n3;0;0\n3;1;128\n\n3;0;0\n3;1;4"),
        [Some(2), Some(1)]
    );
    // Without a warp all rows are of one.
    assert_eq!(ways("lane\taddress\n0\t0\n1\t128\n2\t256\n"), [Some(3)]);
}

#[test]
fn what_a_lane_a_row_asks_is_told_by_its_columns_or_its_addresses() {
    let names = |text: &str| {
        rows(text)
            .into_iter()
            .map(|row| row.name)
            .collect::<Vec<_>>()
    };
    assert_eq!(names("warp,lane,addr\n0,0,4\n"), ["ld.shared.b32"]);
    assert_eq!(
        names("warp,lane,addr\n0,0,0x7f0000000000\n"),
        ["ld.global.b32"]
    );
    assert_eq!(
        names("warp,lane,bytes,addr\n0,0,16,32\n"),
        ["ld.shared.b128"]
    );
    assert_eq!(names("space,lane,addr\nGlobal,0,32\n"), ["ld.global.b32"]);
    let both = "op,lane,addr\nst.shared.b32,0,0\nst.shared.b32,1,4\nLDS,0,0\n";
    assert_eq!(names(both), ["st.shared.b32", "LDS"]);
}

#[test]
fn a_row_that_is_no_lane_is_named_by_line_and_column() {
    let rows = rows("warp,lane,addr\n0,0,0\n0,x,4\n0,1,what\n1,99,0\n1,0,8\n");
    let faults = rows.iter().flat_map(|row| &row.faults);
    let places: Vec<(usize, usize)> = faults.map(|fault| (fault.line, fault.column)).collect();
    assert_eq!(places, [(3, 2), (4, 3), (5, 2)]);
    assert!(rows.last().is_some_and(|row| row.faults.is_empty()));
}
