//! A GEMM in SASS whose loops are unrolled whole: a block of 256 threads makes 64 x 64 of C, in steps of eight along K,
//! four by four results a thread.

use std::fmt::Write as _;

/// Steps along K, which make about five thousand instructions.
const STEPS: u32 = 33;
/// Along K, that a step takes.
const DEPTH: u32 = 8;
/// Bytes of a tile of A, behind which that of B stands.
const TILE_BYTES: u32 = 64 * DEPTH * 4;

/// Instructions, each with its address as a disassembler prints it.
#[derive(Default)]
struct Listing {
    text: String,
    instructions: u32,
}

impl Listing {
    fn push(&mut self, instruction: &str) {
        let address = self.instructions * 16;
        let _ = writeln!(self.text, "        /*{address:04x}*/  {instruction} ;");
        self.instructions += 1;
    }
}

/// The listing, and how many instructions it has.
pub(crate) fn listing() -> (String, u32) {
    let mut listing = Listing {
        text: "\t\tFunction : unrolled_gemm\n".to_owned(),
        instructions: 0,
    };
    begin(&mut listing);
    for step in 0..STEPS {
        stage(&mut listing, step);
        for k in 0..DEPTH {
            multiply(&mut listing, k);
        }
    }
    end(&mut listing);
    (listing.text, listing.instructions)
}

/// R0: thread; R2: where it stores in a tile; R4 and R6: where it reads A and B; R20, R21: rows of the tiles it reads.
fn begin(listing: &mut Listing) {
    for instruction in [
        "S2R R0, SR_TID.X",
        "S2R R3, SR_CTAID.X",
        "ULDC.64 UR4, c[0x0][0x118]",
        "IMAD.SHL.U32 R2, R0, 0x8, RZ",
        "IMAD R8, R3, 0x4000, R0",
        "IMAD.MOV.U32 R10, RZ, RZ, 0x4",
        "IMAD.WIDE R4, R8, R10, c[0x0][0x160]",
        "IMAD.WIDE R6, R0, R10, c[0x0][0x168]",
        "LOP3.LUT R20, R0, 0xf, RZ, 0xc0, !PT",
        "SHF.R.U32.HI R21, RZ, 0x4, R0",
        "IMAD.SHL.U32 R20, R20, 0x10, RZ",
        "IMAD.SHL.U32 R21, R21, 0x10, RZ",
    ] {
        listing.push(instruction);
    }
}

/// Two elements a thread of each tile go to shared memory.
fn stage(listing: &mut Listing, step: u32) {
    let from = step * TILE_BYTES;
    for (register, base) in [(22, "R4"), (24, "R6")] {
        for part in 0..2 {
            let (to, at) = (register + part, from + part * 1024);
            listing.push(&format!("LDG.E R{to}, [{base}.64+{at:#x}]"));
        }
    }
    listing.push("BAR.SYNC 0x0");
    listing.push("STS.64 [R2], R22");
    listing.push(&format!("STS.64 [R2+{TILE_BYTES:#x}], R24"));
    listing.push("BAR.SYNC 0x0");
}

/// Four elements of either tile, and their sixteen products.
fn multiply(listing: &mut Listing, k: u32) {
    let row = k * 64 * 4;
    let other = TILE_BYTES + row;
    listing.push(&format!("LDS.128 R28, [R21+{row:#x}]"));
    listing.push(&format!("LDS.128 R32, [R20+{other:#x}]"));
    for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
        let (sum, a, b) = (40 + 4 * a + b, 28 + a, 32 + b);
        listing.push(&format!("FFMA R{sum}, R{a}, R{b}, R{sum}"));
    }
}

fn end(listing: &mut Listing) {
    listing.push("IMAD.SHL.U32 R8, R8, 0x4, RZ");
    listing.push("IMAD.WIDE R12, R8, R10, c[0x0][0x170]");
    for row in 0..4 {
        let (at, from) = (row * 0x1000, 40 + 4 * row);
        listing.push(&format!("STG.E.128 [R12.64+{at:#x}], R{from}"));
    }
    listing.push("EXIT");
}
