//! Compiled code: from standard input, as objects, and where there is no tool to disassemble it.

use crate::run::{golden, lanescope};
use serde_json::Value;
use std::process::Command;

const CUBIN: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../object/tests/data/tables_sm_80.cubin"
);

/// Runs with nothing installed.
fn bare(args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_lanescope"))
        .args(args)
        .env_clear()
        .env("PATH", env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the binary starts");
    let said = String::from_utf8(output.stderr).expect("text");
    (output.status.code(), said)
}

/// A structure of ten ints behind an int, of which the fourth decides where each lane writes.
const STRUCTURE: &str = "\tFunction : shares\n\
    /*0000*/ S2R R5, SR_TID.X ;\n\
    /*0010*/ LDC.64 R2, c[0x0][0x240] ;\n\
    /*0020*/ ULDC UR4, c[0x0][0x224] ;\n\
    /*0030*/ IMAD R5, R5, UR4, RZ ;\n\
    /*0040*/ ULDC.64 UR4, c[0x0][0x208] ;\n\
    /*0050*/ IMAD.WIDE.U32 R2, R5, 0x4, R2 ;\n\
    /*0060*/ STG.E desc[UR4][R2.64], R7 ;\n\
    /*0070*/ EXIT ;\n";

/// The status, the stored sectors and the reasons of [`STRUCTURE`] in a recorded launch whose structure is at `offset`.
fn structure_at(offset: Option<u32>) -> (String, u64, String) {
    let folder = std::env::temp_dir().join(format!(
        "lanescope-structure-{offset:?}-{}",
        std::process::id()
    ));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (listing, record) = (folder.join("k.sass"), folder.join("launch.json"));
    std::fs::write(&listing, STRUCTURE).expect("the listing");
    let values = [0, 1, 0, 8, 5, 0, 0, 0, 0, 0];
    let hex: String = values
        .iter()
        .map(|value| format!("{value:02x}000000"))
        .collect();
    let place = offset.map_or(String::new(), |offset| format!(r#""offset": {offset}, "#));
    let text = format!(
        r#"{{"kernel": "shares", "grid": [1, 1, 1], "block": [32, 1, 1], "arguments": [{{"bytes": 4, "hex": "03000000"}},
            {{"bytes": 40, {place}"hex": "{hex}"}}, {{"bytes": 8, "pointer": {{"range": 65536}}}}]}}"#
    );
    std::fs::write(&record, text).expect("the record");
    let paths = [&listing, &record].map(|path| path.to_str().expect("a path"));
    let args = ["kernel", paths[0], "--launch", paths[1], "--format", "json"];
    let ran = lanescope(&args, b"");
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    std::fs::remove_dir_all(&folder).expect("removed");
    (
        json["status"].as_str().expect("a status").to_owned(),
        json["totals"]["global_store_sectors"]
            .as_u64()
            .expect("a total"),
        json["reasons"].to_string(),
    )
}

#[test]
fn a_recorded_structure_is_where_the_record_says_or_its_place_is_a_guess() {
    // At 4 the fifth element is read (5: 20 sectors), at 8 the fourth (8: 32).
    let (status, sectors, reasons) = structure_at(Some(4));
    assert_eq!((status.as_str(), sectors), ("counted", 20), "{reasons}");
    let (status, sectors, reasons) = structure_at(Some(8));
    assert_eq!((status.as_str(), sectors), ("counted", 32), "{reasons}");
    let (status, _, reasons) = structure_at(None);
    assert_eq!(status, "assumed");
    assert!(reasons.contains("argument 1 begins at byte"), "{reasons}");
}

/// Each lane stores at four bytes times what its element of the array holds.
const SCATTER: &str = ".version 8.0\n.target sm_90\n.address_size 64\n\
    .visible .entry scatter(.param .u64 at, .param .u64 out)\n{\n\
    .reg .b32 %r<3>;\n.reg .b64 %rd<6>;\n\
    ld.param.u64 %rd1, [at];\nld.param.u64 %rd2, [out];\n\
    mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\n\
    ld.global.u32 %r2, [%rd4];\nmul.wide.u32 %rd5, %r2, 4;\nadd.s64 %rd5, %rd2, %rd5;\n\
    st.global.u32 [%rd5], %r1;\nret;\n}\n";

#[test]
fn contents_of_arrays_are_read_for_compiled_code_too() {
    let folder = std::env::temp_dir().join(format!("lanescope-contents-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("at.bin");
    let bytes: Vec<u8> = (0..32_u32)
        .flat_map(|lane| (lane * 8).to_le_bytes())
        .collect();
    std::fs::write(&file, bytes).expect("the contents");
    let launch = [
        "kernel",
        "-",
        "--grid",
        "1",
        "--block",
        "32",
        "--arg",
        "out=u8[65536]",
        "--format",
        "json",
    ];
    let ran = |more: &[&str]| {
        let ran = lanescope(&[&launch[..], more].concat(), SCATTER.as_bytes());
        let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        (
            json["status"].clone(),
            json["totals"]["global_store_sectors"].clone(),
        )
    };
    assert_eq!(ran(&["--arg", "at=u8[128]"]).0, "assumed");
    for suffix in ["", ":u32"] {
        let at = format!("at=@{}{suffix}", file.display());
        assert_eq!(ran(&["--arg", &at]), ("counted".into(), 32.into()), "{at}");
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_whole_number_given_for_a_floating_point_parameter_is_one() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .visible .entry k(.param .u64 out, .param .f64 d, .param .f32 f)\n{\n\
        .reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.reg .f64 %fd<2>;\n.reg .f32 %f<2>;\n\
        ld.param.u64 %rd1, [out];\nld.param.f64 %fd1, [d];\nld.param.f32 %f1, [f];\n\
        cvt.rzi.s32.f64 %r1, %fd1;\ncvt.rzi.s32.f32 %r2, %f1;\nadd.s32 %r1, %r1, %r2;\n\
        mov.u32 %r3, %tid.x;\nmul.lo.s32 %r3, %r3, %r1;\nmul.wide.s32 %rd2, %r3, 4;\n\
        add.s64 %rd2, %rd1, %rd2;\nst.global.u32 [%rd2], %r1;\nret;\n}\n";
    let launch = [
        "kernel", "-", "--grid", "1", "--block", "32", "--format", "json",
    ];
    for (d, f) in [("3", "2"), ("3.0", "2.0f"), ("3.5f", "2.5")] {
        let arguments = [format!("d={d}"), format!("f={f}")];
        let out = "out=u8[65536]";
        let given = ["--arg", out, "--arg", &arguments[0], "--arg", &arguments[1]];
        let ran = lanescope(&[&launch[..], &given].concat(), text.as_bytes());
        let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        // Five elements from lane to lane: 20 bytes.
        assert_eq!(json["totals"]["global_store_sectors"], 20, "{arguments:?}");
        assert_eq!(json["status"], "counted");
    }
}

#[test]
fn copies_past_l1_have_sectors_of_units_and_a_bound_of_wavefronts() {
    // Rows of 256 bytes, written 272 bytes apart (`pitch` 272) or side by side.
    let listing = |pitch: u32| {
        format!(
            "\tFunction : copy\n\
            /*0000*/ S2R R0, SR_TID.X ;\n\
            /*0010*/ SHF.R.U32.HI R1, RZ, 0x4, R0 ;\n\
            /*0020*/ LOP3.LUT R2, R0, 0xf, RZ, 0xc0, !PT ;\n\
            /*0030*/ IMAD.SHL.U32 R3, R2, 0x10, RZ ;\n\
            /*0040*/ IMAD R3, R1, {pitch:#x}, R3 ;\n\
            /*0050*/ ULDC.64 UR4, c[0x0][0x208] ;\n\
            /*0060*/ LDC.64 R4, c[0x0][0x210] ;\n\
            /*0070*/ IMAD.WIDE.U32 R4, R0, 0x10, R4 ;\n\
            /*0080*/ LDGSTS.E.BYPASS.128 [R3+0x400], desc[UR4][R4.64] ;\n\
            /*0090*/ EXIT ;\n"
        )
    };
    let launch = [
        "kernel",
        "-",
        "--grid",
        "1",
        "--block",
        "32",
        "--arg",
        "0=u8[65536]",
    ];
    let counted = |pitch: u32| {
        let args = [&launch[..], &["--format", "json"]].concat();
        let ran = lanescope(&args, listing(pitch).as_bytes());
        let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        let totals = &json["totals"];
        let [sectors, wavefronts] = ["global_load_sectors", "async_copy_wavefronts"]
            .map(|name| totals[name].as_u64().expect("a total"));
        (
            json["status"].as_str().expect("a status").to_owned(),
            sectors,
            wavefronts,
        )
    };
    assert_eq!(counted(256), ("counted".to_owned(), 16, 4));
    assert_eq!(counted(272), ("assumed".to_owned(), 18, 8));
    let ran = lanescope(&launch, listing(272).as_bytes());
    let said = format!("{}{}", ran.out, ran.err);
    assert!(said.contains("the 8 that it takes at least"), "{said}");
}

#[test]
fn tensor_memory_ends_its_waits_at_once() {
    let listing = "\tFunction : allocate\n\
        /*0000*/ UMOV UR7, 0x80 ;\n\
        /*0010*/ UTCATOMSWS.FIND_AND_SET.ALIGN UP0, UR4, UR7 ;\n\
        /*0020*/ BRA.U !UP0, 0x10 ;\n\
        /*0030*/ S2R R0, SR_TID.X ;\n\
        /*0040*/ IMAD.SHL.U32 R5, R0, 0x4, RZ ;\n\
        /*0050*/ CREDUX.MAX.F32 UR8, R5 ;\n\
        /*0060*/ LDTM.x4 R8, tmem[UR4] ;\n\
        /*0070*/ UVIRTCOUNT.DEALLOC.SMPOOL 0x80 ;\n\
        /*0080*/ ACQBULK ;\n\
        /*0090*/ LEA R4, R0, UR8, 0x2 ;\n\
        /*00a0*/ STS [R4+0x400], R11 ;\n\
        /*00b0*/ UMOV UR6, 0x40 ;\n\
        /*00c0*/ IMAD.U32 R6, RZ, RZ, UR4 ;\n\
        /*00d0*/ STS [UR6+0x14], R6 ;\n\
        /*00e0*/ LDS R7, [UR6+0x14] ;\n\
        /*00f0*/ ISETP.NE.AND P0, PT, R7, RZ, PT ;\n\
        /*0100*/ @P0 STS [R4+0x800], R11 ;\n\
        /*0110*/ EXIT ;\n";
    let launch = [
        "kernel", "-", "--grid", "1", "--block", "32", "--device", "sm_100", "--format", "json",
    ];
    let ran = lanescope(&launch, listing.as_bytes());
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["totals"]["shared_store_wavefronts"], 2);
    assert_eq!(json["totals"]["shared_load_wavefronts"], 1);
    assert_eq!(json["status"], "counted", "{}", ran.out);
}

#[test]
fn a_call_of_the_system_in_ptx_is_named() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n\
        .visible .entry k()\n{\n.reg .b64 %rd<2>;\nmov.u64 %rd1, 0;\n{\n\
        .param .b64 param0;\nst.param.b64 [param0], %rd1;\n.param .b64 param1;\nst.param.b64 [param1], %rd1;\n\
        .param .b32 retval0;\ncall.uni (retval0), vprintf, (param0, param1);\n}\nret;\n}\n";
    let ran = lanescope(
        &[
            "kernel", "-", "--grid", "1", "--block", "32", "--format", "json",
        ],
        text.as_bytes(),
    );
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["status"], "partial", "{}", ran.out);
    assert!(ran.err.contains("vprintf"), "{}", ran.err);
}

#[test]
fn without_tools_one_line_says_how_to_get_them() {
    if std::path::Path::new("/usr/local/cuda/bin").is_dir() {
        return;
    }
    let source = golden("compiled/transpose.cu");
    let source = source.to_str().expect("a path");
    let (code, said) = bare(&["kernel", source, "--compile", "--block", "32"]);
    assert_eq!((code, said.lines().count()), (Some(1), 1), "{said}");
    assert!(
        said.contains("no nvcc") && said.contains("pip install"),
        "{said}"
    );
    let (code, said) = bare(&["kernel", CUBIN, "--block", "32"]);
    assert_eq!((code, said.lines().count()), (Some(1), 1), "{said}");
    assert!(
        said.contains("no nvdisasm") && said.contains("pip install"),
        "{said}"
    );
}

#[test]
fn standard_input_is_read_as_any_format() {
    let args = [
        "kernel", "-", "--grid", "1", "--block", "32,32", "--format", "json",
    ];
    let listing = std::fs::read(golden("compiled/transpose.sm_90.sass")).expect("a listing");
    let ran = lanescope(&[&args[..], &["--kernel", "transpose"]].concat(), &listing);
    assert!(
        ran.out.contains("\"opcode\": \"LDS"),
        "{}{}",
        ran.out,
        ran.err
    );
    let wgsl = b"@group(0) @binding(0) var<storage, read_write> a: array<f32>;\n\
        @compute @workgroup_size(32) fn main(@builtin(local_invocation_index) i: u32) { a[i] = 1.0; }";
    let ran = lanescope(&args, wgsl);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    // The block is that of the command line: 32 times the text's.
    assert!(
        ran.out.contains("\"global_store_sectors\": 128"),
        "{}",
        ran.out
    );
}

#[test]
fn what_is_not_read_is_said_in_one_sentence() {
    let torn = std::fs::read(CUBIN).expect("a cubin");
    for (input, word) in [
        (
            &b"s_load_dwordx2 s[0:1], s[4:5], 0x0\ns_endpgm\n"[..],
            "AMD",
        ),
        (
            b"/* 0x00000a00ff017b82 */\n/* 0x000fe20000000800 */\n",
            "encodings",
        ),
        (&torn[..5000], "cut off"),
    ] {
        let ran = lanescope(&["kernel", "-", "--block", "32"], input);
        assert_eq!(
            (ran.code, ran.err.lines().count()),
            (Some(1), 1),
            "{}",
            ran.err
        );
        assert!(ran.err.contains(word), "{}", ran.err);
    }
}

#[test]
fn a_prediction_stands_beside_the_compiled_code() {
    let [source, listing] = ["compiled/transpose.cu", "compiled/transpose.sm_90.nvdisasm"]
        .map(|name| golden(name).to_str().expect("a path").to_owned());
    let args = [
        "--grid",
        "4,4",
        "--block",
        "32,8",
        "--kernel",
        "transpose",
        "--arg",
        "width=128",
    ];
    let against = ["kernel", &source, "--against", &listing, "--format", "json"];
    let ran = lanescope(&[&against[..], &args].concat(), b"");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let said: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let totals = said["totals"].as_array().expect("totals");
    assert!(totals.len() >= 4, "{}", ran.out);
    for total in totals {
        assert_eq!(total["source"], total["compiled"], "{total}");
    }
    let against = ["kernel", &source, "--against", &source];
    let ran = lanescope(&[&against[..], &args].concat(), b"");
    assert!(ran.err.contains("is no compiled code"), "{}", ran.err);
}

#[test]
fn parameters_that_nobody_gave_are_inferred() {
    let listing = "/*0000*/ S2R R6, SR_TID.X ;\n/*0010*/ LDC.64 R2, c[0x0][0x210] ;\n\
        /*0020*/ ULDC.64 UR4, c[0x0][0x208] ;\n/*0030*/ IMAD.WIDE.U32 R2, R6, 0x8, R2 ;\n\
        /*0040*/ STG.E desc[UR4][R2.64], R6 ;\n/*0050*/ EXIT ;\n";
    let args = ["kernel", "-", "--block", "32", "--format", "json"];
    let ran = lanescope(&args, listing.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("\"global_store_sectors\": 8"),
        "{}",
        ran.out
    );
}

/// PTX of a sum of `ty` in shared memory.
fn shared_sum(ty: &str) -> String {
    format!(
        ".version 8.5\n.target sm_90\n.address_size 64\n\
         .visible .entry k() {{\n\
         .reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .f32 %f<2>; .reg .f64 %fd<2>;\n\
         .shared .align 8 .b8 sums[256];\n\
         mov.u32 %r1, %tid.x;\n\
         shl.b32 %r2, %r1, 3;\n\
         mov.u32 %r3, sums;\n\
         add.s32 %r2, %r2, %r3;\n\
         red.shared.add.{ty} [%r2], {};\n\
         ret;\n}}\n",
        if ty.starts_with('f') {
            "0f3F800000"
        } else {
            "1"
        }
    )
}

#[test]
fn a_loop_of_compare_and_swap_in_one_instruction_of_ptx_is_said() {
    let args = ["kernel", "-", "--block", "32", "--format", "json"];
    for (ty, status, atomic_wavefronts) in [
        ("u32", "counted", 2),
        ("f32", "assumed", 4),
        // No two lanes meet in a bank: one round, as an H200 counts a sum of doubles of each thread's own.
        ("u64", "counted", 4),
    ] {
        let ran = lanescope(&args, shared_sum(ty).as_bytes());
        let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(json["status"], status, "{ty}: {}", ran.err);
        assert_eq!(
            json["totals"]["shared_atomic_wavefronts"], atomic_wavefronts,
            "{ty}"
        );
        let contention = json["reasons"]
            .as_array()
            .expect("reasons")
            .iter()
            .filter(|reason| reason["code"] == "no-contention")
            .count();
        assert_eq!(contention, usize::from(status == "assumed"), "{ty}");
    }
}

#[test]
fn a_sum_of_pairs_in_global_memory_is_done_by_one_instruction() {
    // The counters of an H200 for such a sum: global atomics, and one of the shared ones for each, which is not counted.
    let listing = golden("compiled/sum_of_pairs.sm_90.sass");
    let listing = listing.to_str().expect("a path");
    let args = ["kernel", listing, "--grid", "2", "--block", "64"];
    let ran = lanescope(&[&args[..], &["--format", "json"]].concat(), b"");
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((ran.code, &json["status"]), (Some(3), &"partial".into()));
    let total = |name: &str| json["totals"][name].as_u64();
    assert_eq!(total("global_atomic_requests"), Some(4));
    for name in ["global_load_requests", "global_store_requests"] {
        assert_eq!(total(name), Some(0), "{name}");
    }
}

#[test]
fn what_a_block_did_until_the_run_was_cut_is_shown() {
    let listing = golden("compiled/sum_of_doubles.sm_90.sass");
    let listing = listing.to_str().expect("a path");
    let cut = ["--max-requests", "10", "--format", "json"];
    let args = ["kernel", listing, "--grid", "1", "--block", "256"];
    let ran = lanescope(&[&args[..], &cut].concat(), b"");
    let json: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((ran.code, &json["status"]), (Some(3), &"partial".into()));
    let lines = json["lines"].as_array().expect("lines");
    let requests = lines.iter().filter_map(|line| line["requests"].as_u64());
    assert_eq!(requests.sum::<u64>(), 10, "{}", ran.out);
}

/// What the command line counts of a listing: its status and one of its totals.
fn counted_total(listing: &str, grid: &str, total: &str) -> (String, u64) {
    let launch = [
        "kernel",
        "-",
        "--grid",
        grid,
        "--block",
        "32",
        "--arg",
        "0=u8[65536]",
        "--format",
        "json",
    ];
    let ran = lanescope(&launch, listing.as_bytes());
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let status = json["status"].as_str().expect("a status").to_owned();
    (status, json["totals"][total].as_u64().expect("a total"))
}

#[test]
fn halves_that_are_compared_and_widened_make_an_index() {
    let listing = |lesser: &str| {
        format!(
            "\tFunction : least\n\
            /*0000*/ S2R R4, SR_TID.X ;\n\
            /*0010*/ LDC.64 R2, c[0x0][0x210] ;\n\
            /*0020*/ ULDC.64 UR4, c[0x0][0x208] ;\n\
            /*0030*/ I2F.F16 R0, R4 ;\n\
            /*0040*/ HMNMX2 R0, R0.H0_H0, 20, 20, {lesser} ;\n\
            /*0050*/ HADD2.F32 R0, -RZ, R0.H0_H0 ;\n\
            /*0060*/ F2I.TRUNC.NTZ R0, R0 ;\n\
            /*0070*/ SHF.L.U32 R5, R0, 0x3, RZ ;\n\
            /*0080*/ IMAD.WIDE R2, R5, 0x4, R2 ;\n\
            /*0090*/ STG.E desc[UR4][R2.64], R4 ;\n\
            /*00a0*/ EXIT ;\n"
        )
    };
    // A sector an element: the elements 0 to 20 of the lesser, 20 to 31 of the greater.
    let sectors = |lesser| counted_total(&listing(lesser), "1", "global_store_sectors");
    assert_eq!(sectors("PT"), ("counted".to_owned(), 21));
    assert_eq!(sectors("!PT"), ("counted".to_owned(), 12));
}

#[test]
fn uniform_predicates_move_to_a_register_under_a_mask() {
    let listing = |mask: u32| {
        format!(
            "\tFunction : strided\n\
            /*0000*/ S2R R4, SR_TID.X ;\n\
            /*0010*/ LDC.64 R2, c[0x0][0x210] ;\n\
            /*0020*/ ULDC.64 UR4, c[0x0][0x208] ;\n\
            /*0030*/ S2UR UR6, SR_CTAID.X ;\n\
            /*0040*/ UISETP.NE.AND UP1, UPT, UR6, URZ, UPT ;\n\
            /*0050*/ UISETP.EQ.AND UP2, UPT, UR6, URZ, UPT ;\n\
            /*0060*/ UP2UR UR7, UPR, URZ, {mask:#x} ;\n\
            /*0070*/ IMAD R5, R4, UR7, RZ ;\n\
            /*0080*/ IMAD.WIDE R2, R5, 0x4, R2 ;\n\
            /*0090*/ STG.E desc[UR4][R2.64], R4 ;\n\
            /*00a0*/ EXIT ;\n"
        )
    };
    // The stride is 4 in the first block and 2 in the second; what the mask leaves out is 0.
    let sectors = |mask| counted_total(&listing(mask), "2", "global_store_sectors");
    assert_eq!(sectors(0x7f), ("counted".to_owned(), 16 + 8));
    assert_eq!(sectors(0x2), ("counted".to_owned(), 1 + 8));
}
