//! Structures by value: where they begin is what text or record say, or a guess.

use crate::run::lanescope;
use serde_json::Value;

/// A structure of 128 bytes that begins at a multiple of 64 behind an int, of whose words the fourth decides where each lane
/// writes: as source, as PTX, which declares its alignment, and as a listing, in whose constant bank it begins at 0x240.
const ALIGNED: [&str; 3] = [
    "struct alignas(64) Map { unsigned long long words[16]; };
__global__ void fill(int n, Map map, float *out) { out[threadIdx.x * (int)map.words[3] + n] = 1; }",
    ".version 8.0\n.target sm_90\n.address_size 64\n\
     .visible .entry fill(.param .u32 n, .param .align 64 .b8 map[128], .param .u64 out)\n{\n\
     .reg .b32 %r<6>;\n.reg .b64 %rd<5>;\nld.param.u32 %r1, [n];\nld.param.u64 %rd1, [out];\n\
     cvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r2, %tid.x;\nld.param.u32 %r3, [map+24];\n\
     mad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd3, %r4, 4;\nadd.s64 %rd4, %rd2, %rd3;\n\
     mov.u32 %r5, 1065353216;\nst.global.u32 [%rd4], %r5;\nret;\n}\n",
    "\tFunction : fill\n\
    /*0000*/ S2R R5, SR_TID.X ;\n\
    /*0010*/ LDC R0, c[0x0][0x210] ;\n\
    /*0020*/ LDC.64 R2, c[0x0][0x2c0] ;\n\
    /*0030*/ ULDC UR4, c[0x0][0x258] ;\n\
    /*0040*/ IMAD R5, R5, UR4, R0 ;\n\
    /*0050*/ ULDC.64 UR4, c[0x0][0x208] ;\n\
    /*0060*/ IMAD.WIDE.U32 R2, R5, 0x4, R2 ;\n\
    /*0070*/ STG.E desc[UR4][R2.64], R7 ;\n\
    /*0080*/ EXIT ;\n",
];

#[test]
fn an_aligned_structure_is_where_text_or_record_say_or_its_place_is_a_guess() {
    let folder = std::env::temp_dir().join(format!("lanescope-aligned-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let words = (0..16).map(|at| if at == 3 { 8_u64 } else { 5 });
    let hex: String = words
        .flat_map(u64::to_le_bytes)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    for (at, text) in ALIGNED.iter().enumerate() {
        for has_offsets in [false, true] {
            let offset = |bytes: u32| match has_offsets {
                true => format!(r#""offset": {bytes}, "#),
                false => String::new(),
            };
            let record = format!(
                r#"{{"kernel": "fill", "grid": 1, "block": 32, "arguments": [{{{}"bytes": 4, "hex": "00000000"}},
                {{{}"bytes": 128, "hex": "{hex}"}}, {{{}"bytes": 8, "pointer": {{"range": 65536}}}}]}}"#,
                offset(0),
                offset(48),
                offset(176)
            );
            let file = folder.join("launch.json");
            std::fs::write(&file, record).expect("the record");
            let launch = file.to_str().expect("a path");
            let args = ["kernel", "-", "--launch", launch, "--format", "json"];
            let ran = lanescope(&args, text.as_bytes());
            let json: Value = serde_json::from_str(&ran.out).expect("JSON");
            // Eight floats from lane to lane.
            assert_eq!(
                json["totals"]["global_store_sectors"], 32,
                "{at}: {}",
                ran.err
            );
            // Only a listing says nothing of alignment.
            let is_guess = at == 2 && !has_offsets;
            let status = if is_guess { "assumed" } else { "counted" };
            assert_eq!(json["status"], status, "{at}: {}", json["reasons"]);
            let named = json["reasons"].to_string().contains("parameter-place");
            assert_eq!(named, is_guess, "{at}");
        }
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}
